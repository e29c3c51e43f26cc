//! Findings that somebody lives with: they are told, each with the reason, and count neither as fine nor as wrong.

use super::select::names_of;
use super::text::Results;
use crate::project::Accepted;
use hornet_encoder::{Check, Report, Verdict};
use hornet_ir::program::Program;
use hornet_ir::text::kind_name;

/// Whether this is why somebody lives with a check that is not proved.
pub fn covers(accepted: &Accepted, program: &Program, report: &Report, check: &Check) -> bool {
    let function = &report.functions[check.function];
    let contract = &program.contracts[function.contract].name;
    // Where names are not overloaded, reports leave out the parameters; whoever accepts need not.
    let mut names = function.body.map_or_else(Vec::new, |body| names_of(program, body));
    names.push(function.signature.as_ref().unwrap_or(&function.name).clone());
    let kind = kind_name(check.kind);
    check.verdict != Verdict::Proved && names.iter().any(|name| accepted.covers(contract, name, kind))
}

impl<'a> Results<'a> {
    /// Why a check that is not proved is lived with, if it is.
    pub fn accepted(&self, check: &Check) -> Option<&'a str> {
        let accepted: &'a [Accepted] = self.accepted;
        let known = accepted.iter().find(|accepted| covers(accepted, self.program, self.report, check));
        known.map(|accepted| accepted.reason.get_ref().as_str())
    }
}

impl Results<'_> {
    /// Neither proved nor lived with.
    pub fn is_open(&self, check: &Check) -> bool {
        check.verdict != Verdict::Proved && self.accepted(check).is_none()
    }

    /// Whether all that is not proved of a function, by its place in the report, is lived with, and there is something.
    pub fn lived_with(&self, function: usize) -> bool {
        let mut unproved = self
            .report
            .checks
            .iter()
            .filter(|c| c.function == function && c.verdict != Verdict::Proved)
            .peekable();
        unproved.peek().is_some() && unproved.all(|check| self.accepted(check).is_some())
    }
}
