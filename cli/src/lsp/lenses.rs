//! What stands above functions: whether they are verified, and what can be done about it.

use super::commands::{self, CheckName};
use super::outline::Declared;
use super::report::{Check, tally};
use super::verified::Known;
use super::view::View;
use crate::verify::plural;
use lsp_types::{CodeLens, Command};

/// Said of answers about a text that has changed since, elsewhere.
pub const STALE: &str = " (as of the last save)";

impl View<'_> {
    pub fn lenses(&self) -> Vec<CodeLens> {
        let contracts = self
            .outline
            .contracts()
            .iter()
            .map(|contract| self.lens(contract, self.about_contract(contract)));
        let functions = self.outline.functions().iter().flat_map(|function| {
            let commands = self.about_function(function);
            commands.into_iter().map(|command| self.lens(function, command))
        });
        contracts.chain(functions).collect()
    }

    fn lens(&self, declared: &Declared, command: Command) -> CodeLens {
        let start = declared.range.start;
        CodeLens { range: self.lines.range(&(start..start)), command: Some(command), data: None }
    }

    /// What is said of a contract as a whole is about all of its text, and what it inherits.
    fn about_contract(&self, contract: &Declared) -> Command {
        let report = self.verified.filter(|_| self.fresh).map(|verified| &verified.report);
        let checks: Vec<&Check> = report
            .map(|report| {
                report.checks.iter().filter(|check| check.of.contract == contract.contract).collect()
            })
            .unwrap_or_default();
        let title = match checks.as_slice() {
            [] => format!("prove {}", contract.contract),
            checks => tally(checks.iter().copied()),
        };
        commands::prove(title, &self.document.url, &contract.contract)
    }

    fn about_function(&self, function: &Declared) -> Vec<Command> {
        let prove = |title: &str| commands::prove(title.to_owned(), &self.document.url, &function.contract);
        let Some(known) = self.known(function) else {
            // Functions that are verified where they are called have no verdict of their own.
            return if self.is_elsewhere(function) { Vec::new() } else { vec![prove("prove")] };
        };
        let stale = if known.fresh { "" } else { STALE };
        if known.is_verified() {
            return vec![prove(&format!("✓ verified{}{stale}", counted(&known)))];
        }
        let shown = known.failing().map(|check| {
            let title = format!("✗ {}: show counterexample{stale}", check.message);
            commands::command(title, commands::SHOW, &CheckName::new(&self.document.url, check))
        });
        let shown: Vec<Command> = shown.collect();
        match known.checks.iter().filter(|check| check.is_open() && !check.fails()).count() {
            0 if shown.is_empty() => vec![prove(&format!("? not decided{stale}: prove"))],
            0 => shown,
            open => {
                let title = format!("? {} not decided{stale}: prove", plural(open, "check"));
                shown.into_iter().chain([prove(&title)]).collect()
            }
        }
    }

    /// Whether the text was verified as it stands, and this function had no part of its own in that.
    pub fn is_elsewhere(&self, function: &Declared) -> bool {
        let known = |contract: &str| {
            self.verified.is_some_and(|v| v.report.functions.iter().any(|f| f.of.contract == contract))
        };
        self.fresh && known(&function.contract)
    }
}

fn counted(known: &Known<'_>) -> String {
    match known.checks.len() {
        0 => String::new(),
        n => format!(", {}", plural(n, "check")),
    }
}
