//! A check that fails, told to people: the transactions, or the state in which it does.

use super::report::Check;
use crate::verify::{Told, example_table, transaction_lines};
use serde::Serialize;

/// A text to read, and what to call it.
#[derive(Serialize)]
pub struct Story {
    pub title: String,
    pub text: String,
}

/// Wide enough that nothing is wrapped: editors do that.
const WIDTH: usize = 1000;

pub fn story(check: &Check) -> Story {
    let file = check.location.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let place = format!("{file}:{}, in {}", check.location.line, check.of.qualified());
    let mut lines = vec![format!("violated: {}", check.message), place, String::new()];
    match (&check.trace, &check.counterexample) {
        (Some(_), _) => lines.extend(transactions(check).into_iter().flatten()),
        (None, Some(example)) => {
            lines.push("for example:".to_owned());
            lines.extend(example_table(example, Some(WIDTH)).into_iter().map(|row| format!("  {row}")));
        }
        (None, None) => lines.push("no run is known".to_owned()),
    }
    lines.push(String::new());
    lines.extend(remarks(check));
    Story {
        title: format!("Counterexample: {}", check.of.qualified()),
        text: lines.join("\n").trim_end().to_owned() + "\n",
    }
}

/// The lines of each transaction, the deployment first.
pub fn transactions(check: &Check) -> Vec<Vec<String>> {
    let steps = check.trace.clone().unwrap_or_default();
    let told = Told { steps, switched_off: Vec::new(), test: None, compiler: None };
    let mut transactions: Vec<Vec<String>> = Vec::new();
    for line in transaction_lines(&told, Some(WIDTH)) {
        match transactions.last_mut() {
            // What happens inside a transaction is indented.
            Some(last) if line.starts_with(' ') => last.push(line),
            _ => transactions.push(vec![line]),
        }
    }
    transactions
}

fn remarks(check: &Check) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(annotation) = &check.annotation {
        out.push(format!("annotation: {} (line {})", annotation.message, annotation.location.line));
    }
    for place in &check.switched_off {
        out.push(format!("with the assertion at line {} switched off, which fails first", place.line));
    }
    match (&check.compiler, check.confirmed) {
        (Some(compiler), true) => out.push(format!("confirmed on the EVM, with code by {compiler}")),
        (None, true) => out.push("confirmed on the EVM".to_owned()),
        (_, false) => out.extend(check.reason.as_ref().map(|reason| format!("unconfirmed: {reason}"))),
    }
    out
}
