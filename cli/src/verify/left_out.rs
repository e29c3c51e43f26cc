//! Checks that nobody wants to hear of. Nothing rests on them: where one fails, the language undoes the call.

use super::strategy::function_verdict;
use crate::args::LeftOut;
use clap::ValueEnum;
use hornet_encoder::{Check, Report};
use hornet_ir::text::kind_name;

/// The kind of a check that can be left out.
pub fn can_be_left_out(check: &Check) -> Option<LeftOut> {
    LeftOut::value_variants().iter().copied().find(|kind| kind.name() == kind_name(check.kind))
}

pub fn leave_out(report: &mut Report, kinds: &[LeftOut]) {
    if kinds.is_empty() {
        return;
    }
    let names: Vec<String> = kinds.iter().map(|kind| kind.name()).collect();
    report.checks.retain(|check| !names.iter().any(|name| name == kind_name(check.kind)));
    for (index, function) in report.functions.iter_mut().enumerate() {
        let own: Vec<&Check> = report.checks.iter().filter(|check| check.function == index).collect();
        function.verdict = function_verdict(&own, function);
    }
}
