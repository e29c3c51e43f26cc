//! What is said about the function under the pointer: verdict, what it rests on, gas.

use super::lenses::STALE;
use super::outline::Declared;
use super::report::{Check, Verdict};
use super::verified::Known;
use super::view::View;
use crate::verify::plural;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

impl View<'_> {
    /// The function that a place belongs to.
    pub fn function_at(&self, position: Position) -> Option<&Declared> {
        self.outline.at(self.lines.offset(position)).filter(|declared| !declared.function.is_empty())
    }

    pub fn hover(&self, position: Position) -> Option<Hover> {
        let function = self.function_at(position)?;
        let mut parts =
            vec![format!("**{}.{}**: {}", function.contract, function.function, self.verdict(function))];
        if let Some(known) = self.known(function) {
            parts.extend(findings(&known));
            parts.extend(because(&known));
        }
        parts.extend(self.gas.line(function, &self.document.text));
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: parts.join("\n\n"),
            }),
            range: Some(self.lines.first_line(&function.range)),
        })
    }

    fn verdict(&self, function: &Declared) -> String {
        let Some(known) = self.known(function) else {
            return match self.is_elsewhere(function) {
                true => "has no verdict of its own, it is verified with what calls it".to_owned(),
                false => "not verified as it stands".to_owned(),
            };
        };
        let count = |fits: fn(&Check) -> bool| known.checks.iter().filter(|check| fits(check)).count();
        let words = [
            (count(|c| c.verdict == Verdict::Proved), "proved"),
            (count(|c| c.verdict == Verdict::Violated), "violated"),
            (count(|c| matches!(c.verdict, Verdict::Unknown | Verdict::Unsupported)), "not decided"),
        ];
        let words =
            words.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", plural(*n, "check")));
        let counted = words.collect::<Vec<_>>().join(", ");
        let verdict = match (known.is_verified(), known.failing().next()) {
            (true, _) => "✓ verified",
            (false, Some(_)) => "✗ violated",
            (false, None) => "? not decided",
        };
        let stale = if known.fresh { "" } else { STALE };
        let counted = if counted.is_empty() { "nothing to check".to_owned() } else { counted };
        format!("{verdict}{stale}: {counted}")
    }
}

/// One item for each check that is not proved.
fn findings(known: &Known<'_>) -> Option<String> {
    let item = |check: &&&Check| {
        let seen = if check.confirmed { ", confirmed on the EVM" } else { "" };
        let why = match (&check.accepted, &check.reason) {
            (Some(accepted), _) => format!(", accepted: {accepted}"),
            (None, Some(reason)) => format!(": {reason}"),
            (None, None) => String::new(),
        };
        format!("- {}{seen}{why} (line {})", check.message, check.location.line)
    };
    let items = known.checks.iter().filter(|check| check.verdict != Verdict::Proved);
    let items: Vec<String> = items.collect::<Vec<_>>().iter().map(item).collect();
    (!items.is_empty()).then(|| items.join("\n"))
}

/// The invariants that the proofs rest on.
fn because(known: &Known<'_>) -> Option<String> {
    let mut texts: Vec<&str> = Vec::new();
    let invariants = known.checks.iter().flat_map(|check| &check.invariants);
    for text in invariants.filter_map(|invariant| invariant.text.as_deref()) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (!texts.is_empty()).then(|| format!("because of invariants:\n```solidity\n{}\n```", texts.join("\n")))
}
