//! What stands for the code that is not followed.

use hornet_ir::ids::StateVarId;
use hornet_ir::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Engines follow code in the same way; they differ here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Policy {
    /// What people wrote: invariants of contracts and loops, specifications of functions.
    Annotations,
    /// Predicates that are not known yet: what they must satisfy is collected as clauses.
    Predicates,
    /// Nothing: loops are unrolled before, calls are followed as deep as the limits allow, and runs beyond the limits
    /// are left out.
    Paths,
}

/// Whose code runs when a contract calls another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trust {
    /// Anybody's: it may do anything, also call back.
    #[default]
    Nobody,
    /// That of the contract that the source names, where it is known.
    Declared,
}

/// Assertions that do not stop a run although they fail: a proof never rests on a check that may fail.
#[derive(Clone, Debug, Default)]
pub enum Passable {
    /// Every assertion stops a run that breaks it, as on the EVM.
    #[default]
    None,
    /// All but those that are known to hold, by their places.
    AllBut(FxHashSet<Span>),
    /// Just these.
    Only(FxHashSet<Span>),
    /// Each unless its switch is on: a Boolean variable that nothing changes.
    Unless(FxHashMap<Span, StateVarId>),
}

/// What happens after a failed assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterFailure {
    Stops,
    GoesOn,
    /// Stops if this switch is on.
    StopsIf(StateVarId),
}

impl Passable {
    /// These assertions do not stop runs either.
    pub fn add(&mut self, places: impl IntoIterator<Item = Span>) {
        match self {
            Passable::None => *self = Passable::Only(places.into_iter().collect()),
            Passable::Only(passed) => passed.extend(places),
            Passable::AllBut(known) => places.into_iter().for_each(|place| {
                known.remove(&place);
            }),
            Passable::Unless(switches) => places.into_iter().for_each(|place| {
                switches.remove(&place);
            }),
        }
    }

    pub fn after_failure(&self, place: Span) -> AfterFailure {
        let goes_on = match self {
            Passable::None => false,
            Passable::AllBut(known) => !known.contains(&place),
            Passable::Only(places) => places.contains(&place),
            Passable::Unless(switches) => match switches.get(&place) {
                Some(switch) => return AfterFailure::StopsIf(*switch),
                None => true,
            },
        };
        if goes_on { AfterFailure::GoesOn } else { AfterFailure::Stops }
    }
}
