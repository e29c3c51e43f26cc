//! A point that control can reach: how it got there, and the state it has there.

use super::predicates::is_unknown;
use crate::{Context, Res, State};
use hornet_smt::term::{Op, TermId, Terms};
use rustc_hash::FxHashSet;

#[derive(Clone, Debug)]
pub struct Flow {
    /// Conditions that all hold on the way here, in order.
    path: Vec<TermId>,
    /// The same, taken apart, for quick questions.
    pub known: FxHashSet<TermId>,
    pub state: State,
}

impl Flow {
    pub fn start(state: State) -> Self {
        Flow { path: Vec::new(), known: FxHashSet::default(), state }
    }

    /// Goes on only where `cond` holds.
    pub fn assume(&mut self, terms: &Terms, cond: TermId) {
        if terms.as_bool(cond) == Some(true) {
            return;
        }
        if self.known.insert(cond) {
            self.path.push(cond);
            if *terms.op(cond) == Op::And {
                self.known.extend(terms.args(cond).iter().copied());
            }
        }
    }

    /// Nothing gets here.
    pub fn is_dead(&self, terms: &mut Terms) -> bool {
        let contradiction = self.path.iter().any(|c| terms.as_bool(*c) == Some(false));
        contradiction || {
            let path = self.path.clone();
            path.iter().any(|c| {
                let negated = terms.not(*c);
                self.known.contains(&negated)
            })
        }
    }

    /// A term with the choices that are decided here made.
    pub fn resolved(&self, terms: &mut Terms, mut term: TermId) -> TermId {
        while let (Op::Ite, &[cond, then, other]) = (terms.op(term), terms.args(term)) {
            let not = terms.not(cond);
            term = match (self.known.contains(&cond), self.known.contains(&not)) {
                (true, _) => then,
                (_, true) => other,
                (false, false) => break,
            };
        }
        term
    }

    /// The condition under which control gets here.
    pub fn reach(&self, terms: &mut Terms) -> TermId {
        terms.and_all(self.path.iter().copied())
    }
}

/// Several ways that come together. They exclude each other.
pub fn join(cx: &mut Context<'_>, mut flows: Vec<Flow>) -> Res<Option<Flow>> {
    flows.retain(|flow| !flow.is_dead(&mut cx.terms));
    if flows.len() < 2 {
        return Ok(flows.pop());
    }
    let shared = common_prefix(&flows);
    let rests: Vec<TermId> =
        flows.iter().map(|flow| cx.terms.and_all(flow.path[shared..].iter().copied())).collect();
    // What the ways exclude each other by are conditions of branches: unknown predicates do not choose between values.
    let choices: Vec<TermId> = rests.iter().map(|rest| without_unknowns(&mut cx.terms, *rest)).collect();
    let mut known = flows[0].known.clone();
    known.retain(|cond| flows[1..].iter().all(|flow| flow.known.contains(cond)));
    let mut path = flows[0].path[..shared].to_vec();
    let any = cx.terms.or_all(rests.iter().copied());
    if cx.terms.as_bool(any) != Some(true) {
        path.push(any);
    }
    let states: Vec<(TermId, State)> =
        choices.into_iter().zip(flows.into_iter().map(|flow| flow.state)).collect();
    let state = cx.merge(&states)?;
    Ok(Some(Flow { path, known, state }))
}

fn common_prefix(flows: &[Flow]) -> usize {
    let first = &flows[0].path;
    (0..first.len())
        .find(|i| flows[1..].iter().any(|flow| flow.path.get(*i) != Some(&first[*i])))
        .unwrap_or(first.len())
}

/// Unknown predicates stand only where conditions are joined, never inside of one.
pub fn mentions_unknown(terms: &Terms, cond: TermId) -> bool {
    match terms.op(cond) {
        Op::And | Op::Or => terms.args(cond).iter().any(|part| mentions_unknown(terms, *part)),
        _ => is_unknown(terms, cond),
    }
}

/// The condition as if unknown predicates always held.
pub(super) fn without_unknowns(terms: &mut Terms, cond: TermId) -> TermId {
    if is_unknown(terms, cond) {
        return terms.bool(true);
    }
    if !mentions_unknown(terms, cond) {
        return cond;
    }
    let is_and = *terms.op(cond) == Op::And;
    let parts = terms.args(cond).to_vec();
    let parts: Vec<TermId> = parts.into_iter().map(|part| without_unknowns(terms, part)).collect();
    if is_and { terms.and_all(parts) } else { terms.or_all(parts) }
}
