//! What is given back for writes that leave less in storage, or take back what was written before.

use hornet_smt::term::{TermId, Terms};

use super::price::Change;

/// Writes that make nothing out of nothing: they clear, or they do not.
pub(super) fn before_istanbul(terms: &mut Terms, change: &Change) -> Vec<TermId> {
    let had = terms.not(change.current_is_zero);
    let clears = terms.and(had, change.new_is_zero);
    let neither = terms.not(clears);
    let something = terms.not(change.new_is_zero);
    let creates = terms.and(change.current_is_zero, something);
    let not_creates = terms.not(creates);
    vec![clears, terms.and(neither, not_creates)]
}

/// Writes to a slot that was written to before: what was given back then is taken away again, or the other way round.
pub(super) fn of_dirty(terms: &mut Terms, change: &Change, again: TermId) -> Vec<TermId> {
    let Change { restores, first_is_zero, current_is_zero, new_is_zero, .. } = *change;
    let [differs, had, has, leaves] =
        [restores, first_is_zero, current_is_zero, new_is_zero].map(|term| terms.not(term));
    let ways = [
        // Nothing was there at first: it is there no more, or still something else.
        vec![first_is_zero, restores],
        vec![first_is_zero, differs],
        // Something was there, and was cleared meanwhile.
        vec![had, current_is_zero, restores],
        vec![had, current_is_zero, differs],
        // Something was there, and is now something else.
        vec![had, has, new_is_zero],
        vec![had, has, leaves, restores],
        vec![had, has, leaves, differs],
    ];
    ways.map(|way| terms.and_all(way.into_iter().chain([again]))).to_vec()
}
