//! What people read: each finding at its place in the source, then warnings, then a summary.

use super::evidence::Evidence;
use super::example;
use super::left_out::can_be_left_out;
use super::summary::Summary;
use super::told::Told;
use crate::finding::{Finding, Title};
use crate::project::Accepted;
use crate::report;
use crate::sources::SourceFiles;
use crate::style::Screen;
use hornet_encoder::{Check, FunctionReport, Report, Verdict};
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_ir::text::kind_name;
use std::time::Duration;

const POSSIBLY_UNREACHABLE: &str =
    "help: possibly not reachable: if the state before cannot occur, add an invariant that excludes it";

const TEST_OUT: &str = "help: `--test-out test/` writes this as a Foundry test";

/// Everything a run found.
pub struct Results<'a> {
    pub program: &'a Program,
    pub files: &'a SourceFiles<'a>,
    pub report: &'a Report,
    /// In the order of the report's checks.
    pub evidence: &'a [Evidence],
    pub diagnostics: &'a [Diagnostic],
    /// For each check.
    pub time_limit: Duration,
    /// Findings that somebody lives with.
    pub accepted: &'a [Accepted],
}

/// How to show it.
#[derive(Clone, Copy)]
pub struct Style {
    pub screen: Screen,
    pub show_proved: bool,
    pub errors_only: bool,
    pub explain: bool,
}

impl Results<'_> {
    pub fn render(&self, style: Style, summary: &Summary) -> String {
        let mut out = String::new();
        if style.show_proved {
            out.push_str(&self.proved(style));
        }
        out.push_str(&self.violated(style));
        if !style.errors_only {
            out.push_str(&self.unknown(style));
            out.push_str(&self.unsupported(style));
            out.push_str(&self.warnings(style));
        }
        if style.explain {
            out.push_str(&self.explained(style));
            out.push('\n');
        }
        out.push_str(&summary.render(self, style));
        out
    }

    /// What is not proved: violated first, and what is one finding to a reader together.
    pub fn not_proved(&self) -> Vec<Vec<&Check>> {
        let rank = |check: &&Check| match check.verdict {
            Verdict::Violated => Some(0),
            Verdict::Unknown(_) => Some(1),
            Verdict::Unsupported { .. } => Some(2),
            Verdict::Proved => None,
        };
        let of_rank = |wanted| grouped(self.report.checks.iter().filter(move |c| rank(c) == Some(wanted)));
        (0..3).flat_map(of_rank).collect()
    }

    pub fn function(&self, check: &Check) -> &FunctionReport {
        &self.report.functions[check.function]
    }

    /// `Bank.withdraw`, with its parameters if there are several of the name.
    pub fn qualified(&self, function: &FunctionReport) -> String {
        let contract = &self.program.contracts[function.contract].name;
        format!("{contract}.{}", function.signature.as_ref().unwrap_or(&function.name))
    }

    pub fn violated(&self, style: Style) -> String {
        let mut failed: Vec<&Check> =
            self.report.checks.iter().filter(|c| c.verdict == Verdict::Violated).collect();
        // What stays wrong comes before what the language undoes.
        failed.sort_by_key(|check| can_be_left_out(check).is_some());
        let show = |(number, group): (usize, &Vec<&Check>)| {
            let mut finding = self.finding(Title::Violated, group);
            let check = group[0];
            if let Some(example) = &check.counterexample {
                let rows = example::table(example, style.screen.width.map(|w| w.saturating_sub(12)));
                if !rows.is_empty() {
                    finding.notes.push(format!("for example:\n  {}", rows.join("\n  ")));
                }
                if self.starts_anywhere(check) {
                    finding.notes.push(POSSIBLY_UNREACHABLE.to_owned());
                }
            }
            if let Some(evidence) = self.evidence_of(check) {
                self.add_run(&mut finding, evidence, style);
                let testable = |run: &Told| run.test.is_none() && run.starved_at().is_empty();
                if number == 0 && evidence.run.as_ref().is_some_and(testable) {
                    finding.notes.push(TEST_OUT.to_owned());
                }
            }
            finding.render(self.files, style.screen)
        };
        grouped(failed.into_iter()).iter().enumerate().map(show).collect()
    }

    /// Whether the counterexample begins in a state that was assumed, not made by running something.
    fn starts_anywhere(&self, check: &Check) -> bool {
        let constructing =
            ["[constructor]", "[implicit_constructor]"].contains(&self.function(check).name.as_str());
        !constructing && check.counterexample.as_ref().is_some_and(|e| !e.state_before.is_empty())
    }

    /// One finding for what is not decided in a function for the same reason.
    fn unknown(&self, style: Style) -> String {
        let undecided = self.report.checks.iter().filter(|c| matches!(c.verdict, Verdict::Unknown(_)));
        let mut together: Vec<Vec<Vec<&Check>>> = Vec::new();
        for group in grouped(undecided) {
            let same =
                |other: &Check| (other.function, &other.verdict) == (group[0].function, &group[0].verdict);
            match together.iter_mut().find(|groups| same(groups[0][0])) {
                Some(groups) => groups.push(group),
                None => together.push(vec![group]),
            }
        }
        together.iter().map(|groups| self.undecided(groups, style).render(self.files, style.screen)).collect()
    }

    fn undecided(&self, groups: &[Vec<&Check>], style: Style) -> Finding {
        let check = groups[0][0];
        let mut finding = match groups {
            [group] => self.finding(Title::Unknown, group),
            _ => {
                let count = plural(groups.len(), "check");
                let places = groups.iter().map(|g| (self.files.first_line(g[0].span), g[0].message.clone()));
                Finding {
                    places: places.collect(),
                    ..Finding::new(
                        Title::Unknown,
                        format!("{count} in `{}` not decided", self.qualified(self.function(check))),
                    )
                }
            }
        };
        if let Verdict::Unknown(reason) = &check.verdict {
            let evidence = self.evidence_of(check);
            finding.notes.push(format!("not decided: {reason}"));
            if let Some(run) = evidence.and_then(|e| e.run.as_ref()) {
                finding.notes.push(format!("the run:\n{}", self.transactions(run, style)));
            }
            finding.notes.extend(evidence.and_then(|e| e.remark.clone()));
            finding.notes.extend(evidence.and_then(tried));
            finding.notes.push(format!("help: {}", self.what_would_help(check)));
        }
        finding
    }

    fn what_would_help(&self, check: &Check) -> String {
        let limit = self.time_limit.as_secs_f64();
        let attempts = self.evidence_of(check).into_iter().flat_map(|evidence| &evidence.attempts);
        let longest = attempts.map(|attempt| attempt.time).chain([check.time]).max().unwrap_or_default();
        if longest.as_secs_f64() >= 0.9 * limit {
            let more = (limit * 6.0).ceil();
            return format!(
                "more time (`--timeout {more}`), another solver (`--solver cvc5`), or simpler annotations"
            );
        }
        match check.kind {
            ObligationKind::LoopInvariant | ObligationKind::Invariant | ObligationKind::Postcondition => {
                "a stronger invariant, or another solver (`--solver cvc5`)".to_owned()
            }
            _ => "an invariant or precondition that says more about the values here".to_owned(),
        }
    }

    /// One finding for each construct that is not modelled, with what depends on it.
    fn unsupported(&self, style: Style) -> String {
        let mut gaps: Vec<Gap> = Vec::new();
        let mut add =
            |what, span, function, checks| match gaps.iter_mut().find(|g| (g.what, g.span) == (what, span)) {
                Some(gap) => gap.add(function, checks),
                None => gaps.push(Gap { what, span, checks, functions: vec![function] }),
            };
        for check in &self.report.checks {
            if let Verdict::Unsupported { what, span } = &check.verdict {
                add(what.as_str(), span.unwrap_or(check.span), check.function, 1);
            }
        }
        for (i, function) in self.report.functions.iter().enumerate() {
            for (what, span) in &function.unsupported {
                add(what.as_str(), span.unwrap_or(function.span), i, 0);
            }
        }
        gaps.iter().map(|gap| self.gap(gap).render(self.files, style.screen)).collect()
    }

    fn gap(&self, gap: &Gap) -> Finding {
        let names = gap.functions.iter().map(|f| format!("`{}`", self.qualified(&self.report.functions[*f])));
        let names = names.collect::<Vec<_>>().join(", ");
        let note = match gap.checks {
            0 => format!("what follows in {names} is not verified"),
            n => format!("{} in {names} not decided because of this", plural(n, "check")),
        };
        Finding {
            places: vec![(self.files.first_line(gap.span), "not modelled".to_owned())],
            notes: vec![note],
            ..Finding::new(Title::Unsupported, gap.what)
        }
    }

    fn warnings(&self, style: Style) -> String {
        let seen = |span: Option<Span>| {
            let unsupported =
                |c: &Check| matches!(c.verdict, Verdict::Unsupported { span: s, .. } if s == span);
            let met = |f: &FunctionReport| f.unsupported.iter().any(|(_, s)| *s == span);
            self.report.checks.iter().any(unsupported) || self.report.functions.iter().any(met)
        };
        let news = self.diagnostics.iter().filter(|d| d.severity != Severity::Unsupported || !seen(d.span));
        let news: Vec<Diagnostic> = news.cloned().collect();
        let mut out = report::render(self.files, &news, style.screen);
        for warning in &self.report.warnings {
            let finding = Finding {
                places: vec![(self.files.first_line(warning.span), String::new())],
                notes: warning.help.iter().map(|help| format!("help: {help}")).collect(),
                ..Finding::new(Title::Warning, &warning.message)
            };
            out.push_str(&finding.render(self.files, style.screen));
        }
        out
    }

    /// The same check in several contracts, with the failing place and the annotation labelled.
    fn finding(&self, title: Title, group: &[&Check]) -> Finding {
        let check = group[0];
        let function = self.qualified(self.function(check));
        let annotation = check.annotation.as_ref().filter(|(span, _)| *span != check.span);
        let annotation = annotation.map(|(span, _)| (*span, format!("this {}", words(check.kind))));
        // A function may be verified twice: as called from outside, and as called from inside.
        let others =
            group[1..].iter().map(|c| self.qualified(self.function(c))).filter(|name| *name != function);
        let others: Vec<String> = others.map(|name| format!("`{name}`")).collect();
        Finding {
            places: vec![(self.files.first_line(check.span), format!("in `{function}`"))],
            labels: annotation.into_iter().chain(check.related.iter().cloned()).collect(),
            notes: (!others.is_empty())
                .then(|| format!("also in {}", others.join(", ")))
                .into_iter()
                .chain(self.accepted(check).map(|reason| format!("accepted: {reason}")))
                .collect(),
            ..Finding::new(title, &check.message)
        }
    }
}

/// Something that is not modelled, and what depends on it.
struct Gap<'r> {
    what: &'r str,
    span: Span,
    checks: usize,
    /// By their place in the report.
    functions: Vec<usize>,
}

impl Gap<'_> {
    fn add(&mut self, function: usize, checks: usize) {
        self.checks += checks;
        if !self.functions.contains(&function) {
            self.functions.push(function);
        }
    }
}

/// Who tried, where it took long enough to wonder.
fn tried(evidence: &Evidence) -> Option<String> {
    let total: Duration = evidence.attempts.iter().map(|a| a.time).sum();
    (total >= Duration::from_secs(1)).then(|| format!("tried: {}", evidence.efforts()))
}

/// What to call an annotation that fails in this way.
fn words(kind: ObligationKind) -> String {
    match kind {
        ObligationKind::Invariant
        | ObligationKind::LoopInvariant
        | ObligationKind::Precondition
        | ObligationKind::Postcondition
        | ObligationKind::EventPrecondition
        | ObligationKind::EventPostcondition => kind_name(kind).replace('-', " "),
        ObligationKind::Succeeds | ObligationKind::Reverts => "condition".to_owned(),
        ObligationKind::Assertion
        | ObligationKind::Overflow
        | ObligationKind::Underflow
        | ObligationKind::DivisionByZero
        | ObligationKind::OutOfBounds
        | ObligationKind::EmptyPop
        | ObligationKind::EnumConversion
        | ObligationKind::InsufficientBalance
        | ObligationKind::Modifies
        | ObligationKind::Emits => "annotation".to_owned(),
    }
}

pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// What is said of an inherited function in several contracts is said once.
fn grouped<'c>(checks: impl Iterator<Item = &'c Check>) -> Vec<Vec<&'c Check>> {
    let mut groups: Vec<Vec<&Check>> = Vec::new();
    for check in checks {
        let same = |other: &Check| {
            (other.kind, other.span, &other.message, &other.annotation)
                == (check.kind, check.span, &check.message, &check.annotation)
        };
        match groups.iter_mut().find(|group| same(group[0])) {
            Some(group) => group.push(check),
            None => groups.push(vec![check]),
        }
    }
    groups
}
