//! Results as Markdown, for comments on pull requests: a table, then what needs somebody's attention.

use crate::verify::summary::Summary;
use crate::verify::text::{Results, plural};
use crate::verify::transactions;
use hornet_encoder::{Check, Verdict};
use hornet_ir::ids::ContractId;
use hornet_ir::text::kind_name;
use std::fmt::Write;

impl Results<'_> {
    pub fn markdown(&self, summary: &Summary) -> String {
        let mut out = format!("## Hornet: {}\n\n", self.headline());
        out.push_str("| contract | proved | violated | unknown | unsupported | accepted |\n");
        out.push_str("|---|--:|--:|--:|--:|--:|\n");
        for contract in self.contracts() {
            self.row(contract, &mut out);
        }
        for check in self.standing().filter(|check| check.verdict == Verdict::Violated) {
            self.violation(check, &mut out);
        }
        self.undecided_list(&mut out);
        self.accepted_list(&mut out);
        self.invariant_list(&mut out);
        let _ = writeln!(out, "\n<sub>{}</sub>", summary.means());
        out
    }

    /// The checks without those that somebody lives with.
    fn standing(&self) -> impl Iterator<Item = &Check> {
        self.report.checks.iter().filter(|check| self.accepted(check).is_none())
    }

    fn headline(&self) -> String {
        let count = |wanted: fn(&Verdict) -> bool| self.standing().filter(|c| wanted(&c.verdict)).count();
        let violated = count(|v| *v == Verdict::Violated);
        let open = count(|v| !matches!(v, Verdict::Violated | Verdict::Proved));
        let accepted = self.report.checks.len() - self.standing().count();
        match (violated, open) {
            (0, 0) if accepted > 0 => {
                format!("{} proved, {accepted} accepted", plural(count(|v| *v == Verdict::Proved), "check"))
            }
            (0, 0) => format!("all {} proved", plural(self.report.checks.len(), "check")),
            (0, open) => format!("nothing violated, {} not decided", plural(open, "check")),
            (violated, _) => format!("{} violated", plural(violated, "check")),
        }
    }

    fn row(&self, contract: ContractId, out: &mut String) {
        let number = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        let own = || self.checks_of(contract).filter(|c| self.accepted(c).is_none());
        let count = |wanted: fn(&Verdict) -> bool| number(own().filter(|c| wanted(&c.verdict)).count());
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} |",
            self.program.contracts[contract].name,
            count(|v| *v == Verdict::Proved),
            count(|v| *v == Verdict::Violated),
            count(|v| matches!(v, Verdict::Unknown(_))),
            count(|v| matches!(v, Verdict::Unsupported { .. })),
            number(self.checks_of(contract).count() - own().count()),
        );
    }

    fn violation(&self, check: &Check, out: &mut String) {
        let evidence = self.evidence_of(check);
        let seen = if evidence.is_some_and(|e| e.confirmed) { ", confirmed on the EVM" } else { "" };
        let place = self.files.location_text(check.span);
        let function = self.qualified(self.function(check));
        let _ = writeln!(out, "\n### ❌ {} in `{function}`{seen}\n`{place}`", self.message(check));
        let _ = writeln!(out, "{}", fenced("solidity", self.files.quoted(check.span)));
        if let Some(run) = evidence.and_then(|evidence| evidence.run.as_ref()) {
            let _ = writeln!(out, "{}", fenced("text", &transactions::lines(run, None).join("\n")));
        }
        if let Some(why) = self.reason(check) {
            let _ = writeln!(out, "Unconfirmed: {why}");
        }
    }

    fn undecided_list(&self, out: &mut String) {
        let undecided = |c: &&Check| !matches!(c.verdict, Verdict::Proved | Verdict::Violated);
        let open: Vec<&Check> = self.standing().filter(undecided).collect();
        if open.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n<details><summary>{} not decided</summary>\n", plural(open.len(), "check"));
        for check in open {
            let function = self.qualified(self.function(check));
            let (kind, place) = (kind_name(check.kind), self.files.location_text(check.span));
            let _ = writeln!(
                out,
                "- {kind} in `{function}`, `{place}`: {}",
                self.reason(check).unwrap_or_default()
            );
        }
        out.push_str("\n</details>\n");
    }

    /// What somebody lives with, and why.
    fn accepted_list(&self, out: &mut String) {
        let accepted = self.report.checks.iter().filter_map(|c| Some((c, self.accepted(c)?)));
        let accepted: Vec<(&Check, &str)> = accepted.collect();
        if accepted.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n<details><summary>{} accepted</summary>\n", plural(accepted.len(), "check"));
        for (check, reason) in accepted {
            let function = self.qualified(self.function(check));
            let place = self.files.location_text(check.span);
            let _ = writeln!(out, "- {} in `{function}`, `{place}`: {reason}", self.message(check));
        }
        out.push_str("\n</details>\n");
    }

    fn invariant_list(&self, out: &mut String) {
        let all = self.evidence.iter().flat_map(|evidence| &evidence.invariants);
        let mut texts: Vec<&str> = all.filter_map(|invariant| invariant.text.as_deref()).collect();
        texts.sort_unstable();
        texts.dedup();
        if texts.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n<details><summary>{} found</summary>\n", plural(texts.len(), "invariant"));
        let _ = writeln!(out, "{}", fenced("solidity", &texts.join("\n")));
        out.push_str("</details>\n");
    }
}

/// A block that no text inside can end.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_are_longer_than_what_they_hold() {
        assert_eq!(fenced("text", "x"), "```text\nx\n```");
        assert_eq!(fenced("text", "a ```` b"), "`````text\na ```` b\n`````");
    }
}
