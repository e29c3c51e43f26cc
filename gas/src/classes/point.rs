//! Where the price of a run is decided, and by what.

use hornet_ir::ids::{BlockId, ProcId};
use hornet_smt::term::TermId;

use super::account::Payment;

/// A statement, or the end of a block.
pub(super) type Step = (ProcId, BlockId, usize);

/// Something that decides, where a run gets to it: the calls on the way, the statement, and which of its questions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub calls: Vec<Step>,
    pub at: Step,
    pub question: usize,
}

/// One of several things happens. They exclude each other, and one of them does.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub options: Vec<TermId>,
    /// What is told of each option, where there is a shorter way to say it.
    pub told: Vec<TermId>,
    /// The last option has prices of its own that are not told apart.
    pub open: bool,
}

impl From<Vec<TermId>> for Question {
    fn from(options: Vec<TermId>) -> Question {
        Question { told: options.clone(), options, open: false }
    }
}

/// What answers a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// Values alone, and not what happened earlier in the transaction.
    Values,
    History,
    /// How much there is of something. This is asked last: there are many answers, each a little dearer than the one
    /// before.
    Amount,
}

/// A question, if the run gets there at all.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub key: Key,
    pub guard: TermId,
    pub question: Question,
    pub by: By,
}

/// A call of a function inside the contract.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// With the call itself as the last one.
    pub calls: Vec<Step>,
    pub callee: ProcId,
    pub guard: TermId,
}

#[derive(Default)]
pub(super) struct Survey {
    /// In the order of the code.
    pub points: Vec<Point>,
    pub calls: Vec<Call>,
    pub payments: Vec<Payment>,
    /// Something that prices depend on, and that is not told apart by cases.
    pub varies: Option<&'static str>,
}
