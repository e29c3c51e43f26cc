//! What the engine answers.

use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::ObligationKind;
use hornet_ir::span::Span;
use hornet_symbolic::exec::CheckKey;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    Proved,
    /// Fails in some state that the assumptions admit.
    Violated,
    /// Why not decided.
    Unknown(String),
    /// What is not modelled, and where.
    Unsupported {
        what: String,
        span: Option<Span>,
    },
}

/// One obligation of one function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check {
    pub kind: ObligationKind,
    /// Index into [`Report::functions`].
    pub function: usize,
    /// Where it can go wrong: the operation, the call, or the function at whose end an annotation fails.
    pub span: Span,
    /// The annotation that fails there, if any: its place in the comment and its text.
    pub annotation: Option<(Span, String)>,
    /// Operations that lead to it, with a word on each.
    pub related: Vec<(Span, String)>,
    /// One sentence without a final full stop, for instance ``invariant `x == y` might not hold at the end of the function``.
    pub message: String,
    pub verdict: Verdict,
    pub counterexample: Option<Counterexample>,
    /// Which solver decided.
    pub solver: Option<String>,
    pub time: Duration,
}

/// A state that the assumptions admit and from which the check fails: possibly not reachable, as modular reasoning
/// starts wherever the invariants hold.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counterexample {
    pub parameters: Vec<Binding>,
    /// When the function was entered.
    pub state_before: Vec<Binding>,
    /// Locals and results at the failing place.
    pub locals: Vec<Binding>,
    /// At the failing place; only what differs from before.
    pub state_after: Vec<Binding>,
    /// `msg.sender`, `msg.value` and other things that were read.
    pub environment: Vec<Binding>,
}

/// A name or an expression such as `balances[0x05]`, and its value, both in Solidity's notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FunctionVerdict {
    Ok,
    Error,
    /// Nothing could be checked because of code that is not modelled.
    Skipped,
    Inconclusive,
    TimeOut,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionReport {
    pub contract: ContractId,
    /// None for ether that comes without a call.
    pub body: Option<ProcId>,
    /// About calls from inside only.
    pub inside: bool,
    /// `f`, `[constructor]`, …
    pub name: String,
    /// Where names are overloaded.
    pub signature: Option<String>,
    pub span: Span,
    pub verdict: FunctionVerdict,
    /// Things that are not modelled, and where: nothing is known of runs that get there.
    pub unsupported: Vec<(String, Option<Span>)>,
    /// Declared in this contract itself, not inherited.
    pub own: bool,
    pub time: Duration,
}

/// Something suspicious that is no failed check, such as contradictory invariants.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Warning {
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    pub functions: Vec<FunctionReport>,
    pub checks: Vec<Check>,
    pub warnings: Vec<Warning>,
}

impl Report {
    /// The name of a check in all engines.
    pub fn key(&self, check: &Check) -> CheckKey {
        let function = &self.functions[check.function];
        CheckKey {
            contract: function.contract,
            function: function.body,
            inside: function.inside,
            kind: check.kind,
            span: check.span,
            annotation: check.annotation.as_ref().map(|(span, _)| *span),
            message: check.message.clone(),
        }
    }
}
