//! A clause with alternatives in its body as several clauses without.

use super::{Clause, Simplified, System, conjuncts};
use crate::term::{Op, TermId, Terms};

/// Splits bodies at `or`, as long as one clause gives no more than `most`. Worth it where alternatives have little in common.
pub fn split(terms: &mut Terms, system: &System, most: usize) -> Simplified {
    let mut clauses = Vec::new();
    for clause in &system.clauses {
        let mut bodies = vec![conjuncts(terms, &clause.body)];
        // The alternatives of alternatives come later in the same list.
        let mut at = 0;
        while at < bodies.len() {
            let Some(place) = bodies[at].iter().position(|part| *terms.op(*part) == Op::Or) else {
                at += 1;
                continue;
            };
            let mut rest = bodies[at].clone();
            let alternatives = terms.args(rest.swap_remove(place)).to_vec();
            if bodies.len() + alternatives.len() - 1 > most {
                break;
            }
            bodies.swap_remove(at);
            for alternative in alternatives {
                let with: Vec<TermId> = rest.iter().copied().chain([alternative]).collect();
                let body = conjuncts(terms, &with);
                bodies.push(body);
            }
        }
        let clause_of = |body| Clause { name: clause.name.clone(), body, head: clause.head };
        clauses.extend(bodies.into_iter().map(clause_of));
    }
    Simplified::unchanged(System { clauses })
}
