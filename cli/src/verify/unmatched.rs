//! What `hornet.toml` says about checks and contracts that this run would have met, and has not.

use super::Task;
use super::accepted::covers;
use super::strategy::Answers;
use crate::args::{LeftOut, VerifyArgs};
use crate::project::{Accepted, Project, Seen};
use hornet_encoder::Selection;
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::SourceMap;
use hornet_ir::text::kind_names;

/// Their places are in `hornet.toml`, which joins the sources. What was not asked about is not missed.
pub fn warnings(
    task: &Task,
    args: &VerifyArgs,
    project: &Project,
    answers: &Answers,
    sources: &mut SourceMap,
) -> Vec<Diagnostic> {
    let Some((name, text)) = &project.hornet_toml else { return Vec::new() };
    let file = sources.add(name.as_str(), text.as_str());
    let (program, report) = (&task.loaded.program, &answers.report);
    let seen = Seen { program, whole: project.is_whole(&args.paths), file };
    let chosen = |accepted: &Accepted| match accepted.contract {
        Some(_) => {
            let mut contracts = program.contracts.iter_ids();
            contracts.any(|(id, contract)| accepted.is_about(&contract.name) && task.chosen.contract(id))
        }
        None => seen.whole && args.contracts.is_empty(),
    };
    let is_judged = |accepted: &Accepted| {
        let kind = accepted.kind.as_ref().map(|kind| kind.get_ref().as_str());
        let is_checked = kind.is_some_and(|kind| {
            kind_names().any(|name| name == kind)
                && !args.without.iter().map(|k| LeftOut::name(*k)).any(|n| n == kind)
        });
        is_checked && args.functions.is_empty() && chosen(accepted)
    };
    let covers_any =
        |accepted: &Accepted| report.checks.iter().any(|check| covers(accepted, program, report, check));
    let mut found = seen.strange_names(&project.settings);
    found.extend(seen.stale(&project.settings, is_judged, covers_any));
    found
}
