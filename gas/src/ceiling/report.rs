//! What is said beside a bound: calls to others, and who is to blame where there is no bound.

use std::collections::BTreeMap;

/// By the offset of the instruction.
pub type Calls = BTreeMap<usize, Call>;

/// An instruction that gives others control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    pub kind: CallKind,
    /// The most that it can use, if that is less than nearly everything.
    pub limit: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CallKind {
    Call,
    Delegate,
    Static,
    Create,
    /// Part of the chain; its price is included.
    Precompile,
}

/// A loop whose number of rounds depends on something that the call or the state decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where a round begins.
    pub pc: usize,
    /// Among the parameters of the bound.
    pub parameters: Vec<usize>,
}

/// An instruction that keeps a function from having a bound, and why.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Blame {
    pub pc: usize,
    pub reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// Rounds of a loop that nothing limits.
    Loop,
    /// A function that calls itself.
    Recursion,
    /// A length that is not known when the transaction begins.
    Length,
    /// A jump to a place that is computed.
    Jump,
    /// More ways than were looked at.
    Effort,
    /// The time was up: nothing is known of the function.
    Time,
}
