//! What is to be proved about one function.

use super::targets::Target;
use crate::{Frame, State};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::ObligationKind;
use hornet_ir::span::Span;
use hornet_smt::term::TermId;
use std::rc::Rc;

/// What a goal is about; claims about the same thing are one goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Subject {
    pub kind: ObligationKind,
    pub span: Span,
    pub annotation: Option<(Span, String)>,
    pub message: String,
}

/// Names a check in all engines.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CheckKey {
    pub contract: ContractId,
    /// The function it belongs to; none for ether that comes without a call.
    pub function: Option<ProcId>,
    /// For calls from inside, which are made in whatever state the contract is in.
    pub inside: bool,
    pub kind: ObligationKind,
    pub span: Span,
    /// The place of the annotation, if it is about one.
    pub annotation: Option<Span>,
    /// The same annotation may be checked at one place for different moments, such as now and in a later call.
    pub message: String,
}

impl Subject {
    pub fn key(&self, target: &Target) -> CheckKey {
        CheckKey {
            contract: target.contract,
            function: target.body(),
            inside: target.is_inside(),
            kind: self.kind,
            span: self.span,
            annotation: self.annotation.as_ref().map(|(span, _)| *span),
            message: self.message.clone(),
        }
    }
}

/// A way in which a check can fail.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Reached, and wrong.
    pub term: TermId,
    /// The state there.
    pub state: Rc<State>,
    pub frame: Frame,
    /// How many unsupported things may have been passed before.
    pub unsupported_before: usize,
    /// Operations that may have caused it, with their conditions.
    pub causes: Rc<[(TermId, Span)]>,
}

#[derive(Clone, Debug)]
pub struct Goal {
    pub subject: Subject,
    pub claims: Vec<Claim>,
    /// What keeps it from being stated at all.
    pub blocked: Option<String>,
}

/// Something that could not be translated: nothing is known of runs that get there.
#[derive(Clone, Debug)]
pub struct Gap {
    pub reach: TermId,
    pub what: String,
    pub span: Option<Span>,
}
