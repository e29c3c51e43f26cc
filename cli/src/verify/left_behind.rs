//! Files that a run leaves behind beside its answers, told in a line each: silence looks like a mistake.

use super::strategy::Answers;
use super::text::{Results, plural};
use crate::args::OutputArgs;
use hornet_encoder::Verdict;
use std::path::Path;

/// One line for each folder that was asked for. Tests were written already, so many.
pub fn told(results: &Results, answers: &Answers, output: &OutputArgs, tests: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(folder) = &output.test_out {
        lines.push(match tests {
            0 => format!("no test to write: {}", why_no_test(results)),
            _ => wrote(tests, "test", folder),
        });
    }
    if let Some(folder) = &output.certificate {
        let (files, failed) = answers.certificates();
        match files {
            0 if failed.is_empty() => {
                lines.push(format!("no proof by Horn clauses to write: {}", why_no_proof(results)));
            }
            0 => {}
            _ => lines.push(wrote(files, "proof", folder)),
        }
        lines.extend(failed.into_iter().map(|why| format!("a proof could not be written: {why}")));
    }
    lines
}

fn wrote(count: usize, noun: &str, folder: &Path) -> String {
    let folder = folder.display().to_string();
    format!("wrote {} into {}/", plural(count, noun), folder.trim_end_matches('/'))
}

fn why_no_test(results: &Results) -> &'static str {
    let has_run = results.evidence.iter().any(|evidence| evidence.run.is_some());
    let fails = results.report.checks.iter().any(|check| check.verdict == Verdict::Violated);
    match (fails, has_run) {
        (false, _) => "nothing is violated",
        (true, false) => "no run is known that breaks what is violated",
        (true, true) => "what the runs do cannot be said in one",
    }
}

fn why_no_proof(results: &Results) -> &'static str {
    match results.report.checks.iter().any(|check| check.verdict == Verdict::Proved) {
        true => "what is proved was proved in other ways",
        false => "nothing is proved",
    }
}
