//! Symbols that are equal to something are replaced by it; clauses that say nothing are dropped.

use super::{Clause, Simplified, System, conjuncts};
use crate::term::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

/// Within each clause: `x = t` in the body goes away, and `x` becomes `t`. Symbols stand for all values, so the clause says
/// the same. Clauses whose body is false, or holds the head already, go away as well; so do repetitions.
pub fn substitute(terms: &mut Terms, system: &System) -> Simplified {
    let mut clauses: Vec<Clause> = Vec::new();
    for clause in &system.clauses {
        let Some(clause) = solved(terms, clause) else { continue };
        if !clauses.iter().any(|known| known.body == clause.body && known.head == clause.head) {
            clauses.push(clause);
        }
    }
    Simplified::unchanged(System { clauses })
}

/// The clause without equations for symbols; `None` if it always holds.
fn solved(terms: &mut Terms, clause: &Clause) -> Option<Clause> {
    let mut body = conjuncts(terms, &clause.body);
    let mut head = clause.head;
    while let Some((at, symbol, value)) = equation(terms, &body) {
        body.swap_remove(at);
        let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
        map.insert(symbol, value);
        let replaced: Vec<TermId> = body.iter().map(|part| terms.replace_all(*part, &mut map)).collect();
        body = conjuncts(terms, &replaced);
        head = head.map(|head| terms.replace_all(head, &mut map));
    }
    let impossible = body.iter().any(|part| terms.as_bool(*part) == Some(false));
    let repeats = head.is_some_and(|head| body.contains(&head));
    (!impossible && !repeats).then(|| Clause { name: clause.name.clone(), body, head })
}

/// A part of the body that says what a symbol is: its index, the symbol, and the value.
fn equation(terms: &mut Terms, body: &[TermId]) -> Option<(usize, TermId, TermId)> {
    for (at, part) in body.iter().enumerate() {
        let is_symbol = |term: TermId| matches!(terms.op(term), Op::Symbol(_));
        match (terms.op(*part), terms.args(*part)) {
            (Op::Symbol(_), _) => {
                let yes = terms.bool(true);
                return Some((at, *part, yes));
            }
            (Op::Not, &[negated]) if is_symbol(negated) => {
                let no = terms.bool(false);
                return Some((at, negated, no));
            }
            (Op::Eq, &[a, b]) => {
                for (symbol, value) in [(a, b), (b, a)] {
                    if is_symbol(symbol) && terms.is_closed(value) && !terms.mentions(value, symbol) {
                        return Some((at, symbol, value));
                    }
                }
            }
            _ => {}
        }
    }
    None
}
