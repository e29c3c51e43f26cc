//! Conditions as clauses that a Horn solver takes: one conjunction each, facts about their symbols with them, and no
//! functions that it does not know.

use hornet_smt::solver::horn::Clause;
use hornet_smt::term::{Function, Op, Sort, TermId};
use hornet_symbolic::Context;
use hornet_symbolic::exec::{is_unknown, mentions_unknown};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A body with more alternatives than this is not written out.
const MOST_ALTERNATIVES: usize = 128;

/// Where a clause applies functions more often, nothing is said of what they yield.
const MOST_PAIRS: usize = 64;

/// Facts, by the symbols they speak about.
pub struct Facts {
    facts: Vec<(TermId, Vec<TermId>)>,
    by_symbol: FxHashMap<TermId, Vec<usize>>,
    /// Of functions: where they are applied to something known, and what they yield there.
    known: FxHashMap<Arc<Function>, Vec<(TermId, TermId)>>,
}

impl Facts {
    /// Of everything a context knows; what is said of all indices at once is left out.
    pub fn new(cx: &Context<'_>) -> Facts {
        let mut all =
            Facts { facts: Vec::new(), by_symbol: FxHashMap::default(), known: FxHashMap::default() };
        for fact in cx.facts() {
            if let Some((function, application, value)) = known_value(cx, *fact) {
                all.known.entry(function).or_default().push((application, value));
            }
            let Some(symbols) = symbols(cx, &[*fact]) else { continue };
            for symbol in &symbols {
                all.by_symbol.entry(*symbol).or_default().push(all.facts.len());
            }
            all.facts.push((*fact, symbols));
        }
        all
    }

    /// All that is known of the symbols of some terms, and of the symbols in that. What is known of elements of arrays
    /// matters only if these elements are read.
    fn about(&self, cx: &mut Context<'_>, roots: &[TermId]) -> Vec<TermId> {
        let mut work = symbols(cx, roots).unwrap_or_default();
        let mut seen: FxHashSet<TermId> = work.iter().copied().collect();
        let mut read = reads(cx, roots);
        // What was not written is read from below.
        for term in read.clone() {
            if let &[array, index] = cx.terms.args(term) {
                let base = cx.terms.below_stores(array);
                read.insert(cx.terms.select(base, index));
            }
        }
        let mut chosen = FxHashSet::default();
        let mut facts = Vec::new();
        while let Some(symbol) = work.pop() {
            for at in self.by_symbol.get(&symbol).into_iter().flatten() {
                let (fact, symbols) = &self.facts[*at];
                if !chosen.contains(at) && reads(cx, &[*fact]).is_subset(&read) {
                    chosen.insert(*at);
                    facts.push(*fact);
                    work.extend(symbols.iter().copied().filter(|s| seen.insert(*s)));
                }
            }
        }
        facts
    }
}

/// A fact that a function yields something known.
fn known_value(cx: &Context<'_>, fact: TermId) -> Option<(Arc<Function>, TermId, TermId)> {
    let &[a, b] = cx.terms.args(fact) else { return None };
    if *cx.terms.op(fact) != Op::Eq {
        return None;
    }
    [(a, b), (b, a)].into_iter().find_map(|(application, value)| match cx.terms.op(application) {
        Op::Apply(function) if is_known(cx, value) => Some((function.clone(), application, value)),
        _ => None,
    })
}

fn is_known(cx: &Context<'_>, term: TermId) -> bool {
    symbols(cx, &[term]).is_some_and(|symbols| symbols.is_empty())
}

/// Elements of arrays that are read.
fn reads(cx: &Context<'_>, roots: &[TermId]) -> FxHashSet<TermId> {
    let mut found = FxHashSet::default();
    cx.terms.walk(roots, |term| {
        if *cx.terms.op(term) == Op::Select {
            found.insert(term);
        }
    });
    found
}

/// Symbols, and applications of functions that are as good as symbols. `None` if something is quantified.
fn symbols(cx: &Context<'_>, roots: &[TermId]) -> Option<Vec<TermId>> {
    let mut found = Vec::new();
    let mut quantified = false;
    cx.terms.walk(roots, |term| match cx.terms.op(term) {
        Op::Symbol(_) => found.push(term),
        Op::Apply(_) if !is_unknown(&cx.terms, term) => found.push(term),
        Op::Forall | Op::Exists => quantified = true,
        _ => {}
    });
    (!quantified).then_some(found)
}

/// The clauses that say: whenever `body` holds, so does `head`, or it never holds. `None` if they are too many, or if they
/// would ask for something not to be reachable.
pub fn clauses(
    cx: &mut Context<'_>,
    facts: &Facts,
    name: &str,
    body: TermId,
    head: Option<TermId>,
) -> Option<Vec<Clause>> {
    let alternatives = alternatives(cx, body)?;
    let mut clauses = Vec::new();
    for mut body in alternatives {
        if body.iter().any(|part| hides_unknown(cx, *part)) {
            return None;
        }
        let roots: Vec<TermId> = body.iter().copied().chain(head).collect();
        body.extend(cx.sum_facts(&roots));
        let roots: Vec<TermId> = body.iter().copied().chain(head).collect();
        body.extend(facts.about(cx, &roots));
        let more: Vec<TermId> = body.iter().copied().chain(head).collect();
        body.extend(hornet_symbolic::lemmas(&mut cx.terms, &more));
        let mut clause = Clause { name: name.to_owned(), body, head };
        forget_functions(cx, facts, &mut clause);
        read_once(cx, &mut clause);
        clauses.push(clause);
    }
    Some(clauses)
}

/// Whether an unknown predicate is inside a condition, where it might be negated.
fn hides_unknown(cx: &Context<'_>, part: TermId) -> bool {
    let mut hidden = false;
    cx.terms.walk(&[part], |term| hidden |= term != part && is_unknown(&cx.terms, term));
    hidden
}

/// A condition as a disjunction of conjunctions, as far as unknown predicates are in it.
fn alternatives(cx: &Context<'_>, cond: TermId) -> Option<Vec<Vec<TermId>>> {
    let terms = &cx.terms;
    if terms.as_bool(cond) == Some(true) {
        return Some(vec![Vec::new()]);
    }
    if !mentions_unknown(terms, cond) {
        return Some(vec![vec![cond]]);
    }
    match terms.op(cond) {
        Op::And => {
            let mut all = vec![Vec::new()];
            for part in terms.args(cond) {
                let ways = alternatives(cx, *part)?;
                if all.len() * ways.len() > MOST_ALTERNATIVES {
                    return None;
                }
                all = all
                    .iter()
                    .flat_map(|sofar: &Vec<TermId>| ways.iter().map(|way| [sofar.as_slice(), way].concat()))
                    .collect();
            }
            Some(all)
        }
        Op::Or => {
            let mut all = Vec::new();
            for part in terms.args(cond) {
                all.extend(alternatives(cx, *part)?);
            }
            (all.len() <= MOST_ALTERNATIVES).then_some(all)
        }
        _ => Some(vec![vec![cond]]),
    }
}

/// Horn solvers know no uninterpreted functions: what one yields becomes any value, the same one for the same arguments
/// within a clause. More can happen then, never less.
fn forget_functions(cx: &mut Context<'_>, facts: &Facts, clause: &mut Clause) {
    let applied = applications(cx, clause);
    let same = same_for_same(cx, facts, &applied);
    clause.body.extend(same);
    let applied = applications(cx, clause);
    let mut map = FxHashMap::default();
    for term in applied {
        let sort = cx.terms.sort(term).clone();
        let value = cx.terms.fresh("value", sort);
        map.insert(term, value);
    }
    replace(cx, clause, map);
}

fn applications(cx: &Context<'_>, clause: &Clause) -> Vec<TermId> {
    let roots: Vec<TermId> = clause.body.iter().copied().chain(clause.head).collect();
    let mut applied = Vec::new();
    cx.terms.walk(&roots, |term| {
        if matches!(cx.terms.op(term), Op::Apply(_)) && !is_unknown(&cx.terms, term) {
            applied.push(term);
        }
    });
    applied
}

/// That functions yield the same for the same arguments, here and where their values are known.
fn same_for_same(cx: &mut Context<'_>, facts: &Facts, applied: &[TermId]) -> Vec<TermId> {
    let mut pairs = Vec::new();
    for (i, term) in applied.iter().enumerate() {
        let Op::Apply(function) = cx.terms.op(*term) else { continue };
        let alike = |other: &&TermId| cx.terms.op(**other) == cx.terms.op(*term);
        pairs.extend(applied[i + 1..].iter().filter(alike).map(|other| (*term, *other, *other)));
        let known = facts.known.get(function).into_iter().flatten();
        pairs.extend(known.filter(|(other, _)| other != term).map(|(other, value)| (*term, *other, *value)));
    }
    if pairs.len() > MOST_PAIRS {
        return Vec::new();
    }
    let same = |(term, other, value): (TermId, TermId, TermId)| {
        let args: Vec<_> =
            cx.terms.args(term).iter().copied().zip(cx.terms.args(other).iter().copied()).collect();
        let equal: Vec<TermId> = args.into_iter().map(|(a, b)| cx.terms.eq(a, b)).collect();
        let (equal, yields) = (cx.terms.and_all(equal), cx.terms.eq(term, value));
        cx.terms.implies(equal, yields)
    };
    pairs.into_iter().map(same).collect()
}

/// An array that is read at one index only is no more than the value there.
fn read_once(cx: &mut Context<'_>, clause: &mut Clause) {
    let roots: Vec<TermId> = clause.body.iter().copied().chain(clause.head).collect();
    let mut reads: FxHashMap<TermId, FxHashSet<TermId>> = FxHashMap::default();
    let mut other = FxHashSet::default();
    other.extend(roots.iter().copied());
    cx.terms.walk(&roots, |term| {
        let args = cx.terms.args(term);
        match (cx.terms.op(term), args) {
            (Op::Select, [array, index]) => {
                reads.entry(*array).or_default().insert(term);
                other.insert(*index);
            }
            _ => other.extend(args.iter().copied()),
        }
    });
    let mut map = FxHashMap::default();
    for (array, reads) in reads {
        let is_symbol = matches!(cx.terms.op(array), Op::Symbol(_));
        if let (true, false, [read]) =
            (is_symbol, other.contains(&array), reads.into_iter().collect::<Vec<_>>().as_slice())
        {
            let sort: Sort = cx.terms.sort(*read).clone();
            let value = cx.terms.fresh("read", sort);
            map.insert(*read, value);
        }
    }
    replace(cx, clause, map);
}

fn replace(cx: &mut Context<'_>, clause: &mut Clause, mut map: FxHashMap<TermId, TermId>) {
    if map.is_empty() {
        return;
    }
    for part in clause.body.iter_mut().chain(&mut clause.head) {
        *part = cx.terms.replace_all(*part, &mut map);
    }
}
