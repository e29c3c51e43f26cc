//! The last lines: contracts, their functions, counts, time.

use super::left_out::can_be_left_out;
use super::text::{Results, Style, plural};
use crate::args::LeftOut;
use crate::style::{Ink, paint};
use hornet_encoder::{Check, FunctionVerdict, Verdict};
use hornet_ir::ids::ContractId;
use std::collections::BTreeSet;
use std::time::Duration;

/// Where there is no screen, lines are broken here.
const USUAL_WIDTH: usize = 100;
/// Of functions under their contract.
const INDENT: usize = 4;
const BETWEEN_MARKS: usize = 3;

pub struct Summary {
    pub time: Duration,
    /// `z3 5.3.2`, …
    pub solvers: Vec<String>,
    /// Which checks nobody was asked about.
    pub left_out: Vec<LeftOut>,
    /// The answers are those of an earlier run.
    pub remembered: bool,
    /// What functions cost, as `hornet gas` tells programs, or why that is not known; absent if nobody asked.
    pub gas: Option<Result<serde_json::Value, String>>,
    /// Files that were asked for, a line for each kind.
    pub left_behind: Vec<String>,
}

/// So many failures that the language undoes are worth a word.
const MANY: usize = 3;

/// How not to hear of failures that only undo a call, where there are many of them.
fn undone(results: &Results) -> Option<String> {
    let violated = |check: &&Check| check.verdict == Verdict::Violated && results.accepted(check).is_none();
    let kinds: Vec<LeftOut> =
        results.report.checks.iter().filter(violated).filter_map(can_be_left_out).collect();
    let names: BTreeSet<String> = kinds.iter().map(|kind| kind.name()).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(",");
    let all = results.report.checks.iter().filter(violated).count();
    let number =
        if kinds.len() == all { "all failures".to_owned() } else { format!("{} of {all}", kinds.len()) };
    (kinds.len() >= MANY)
        .then(|| format!("  help: {number} only undo the call: `--without {names}` leaves them out\n"))
}

#[derive(Clone, Copy, Default)]
struct Counts {
    proved: usize,
    violated: usize,
    unknown: usize,
    unsupported: usize,
    /// Not proved, and somebody lives with it.
    accepted: usize,
}

impl Counts {
    fn add(&mut self, results: &Results, check: &Check) {
        match &check.verdict {
            _ if results.accepted(check).is_some() => self.accepted += 1,
            Verdict::Proved => self.proved += 1,
            Verdict::Violated => self.violated += 1,
            Verdict::Unknown(_) => self.unknown += 1,
            Verdict::Unsupported { .. } => self.unsupported += 1,
        }
    }

    fn render(self, colour: bool) -> String {
        let Counts { proved, violated, unknown, unsupported, accepted } = self;
        let parts = [
            (proved, "proved", Ink::Good),
            (violated, "violated", Ink::Bad),
            (unknown, "unknown", Ink::Caution),
            (unsupported, "unsupported", Ink::Caution),
            (accepted, "accepted", Ink::Dim),
        ];
        let shown = parts.iter().filter(|(n, ..)| *n > 0);
        let shown: Vec<String> =
            shown.map(|(n, word, ink)| paint(colour, *ink, &format!("{n} {word}"))).collect();
        if shown.is_empty() { paint(colour, Ink::Dim, "nothing to check") } else { shown.join(" · ") }
    }
}

impl Summary {
    pub fn render(&self, results: &Results, style: Style) -> String {
        let contracts = results.contracts();
        if contracts.is_empty() {
            // A warning has said so, where warnings are shown.
            let nothing = if style.errors_only { "  there are no functions to verify\n" } else { "" };
            return paint(style.screen.colour, Ink::Dim, nothing);
        }
        let blocks: Vec<String> =
            contracts.iter().map(|c| self.contract(results, style, *c, contracts.len() == 1)).collect();
        let mut out = blocks.concat();
        if contracts.len() > 1 {
            let mut all = Counts::default();
            results.report.checks.iter().for_each(|check| all.add(results, check));
            let left =
                format!("  {} · {}", plural(contracts.len(), "contract"), all.render(style.screen.colour));
            out.push_str(&justified(&left, &self.means(), style));
        }
        out.extend(undone(results));
        out.extend(self.left_behind.iter().map(|line| format!("  {line}\n")));
        out
    }

    /// `0.84 s · z3 5.3.2`.
    pub fn means(&self) -> String {
        let mut parts = vec![format!("{:.2} s", self.time.as_secs_f64())];
        parts.extend(self.solvers.iter().cloned());
        parts.extend(self.left_out().map(|kinds| format!("without {kinds}")));
        parts.extend(self.remembered.then(|| "nothing has changed (--no-cache asks again)".to_owned()));
        parts.join(" · ")
    }

    /// `overflow, underflow`, if anything is left out.
    pub fn left_out(&self) -> Option<String> {
        let names: Vec<String> = self.left_out.iter().map(|kind| kind.name()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn contract(&self, results: &Results, style: Style, id: ContractId, only: bool) -> String {
        let mut counts = Counts::default();
        for check in results.report.checks.iter().filter(|c| results.function(c).contract == id) {
            counts.add(results, check);
        }
        let name = &results.program.contracts[id].name;
        let left = format!(
            "  {}   {}",
            paint(style.screen.colour, Ink::Strong, name),
            counts.render(style.screen.colour)
        );
        let right =
            if only { self.means() } else { format!("{:.2} s", self.time_of(results, id).as_secs_f64()) };
        justified(&left, &right, style) + &marks(results, id, style)
    }

    /// How long a contract took: its functions one by one, then all of it.
    fn time_of(&self, results: &Results, id: ContractId) -> Duration {
        let functions = results.report.functions.iter().filter(|f| f.contract == id).map(|f| f.time);
        let rows = results.report.checks.iter().zip(results.evidence);
        let rows = rows.filter(|(check, _)| results.function(check).contract == id);
        let whole = rows.map(|(_, evidence)| evidence.investigated()).max().unwrap_or_default();
        functions.sum::<Duration>() + whole
    }
}

/// What became of a function, the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Skipped,
    Ok,
    /// Not all of it is proved, and somebody lives with that.
    Accepted,
    Open,
    Error,
}

impl Mark {
    fn render(self, colour: bool) -> String {
        let (mark, ink) = match self {
            Mark::Skipped => ("–", Ink::Caution),
            Mark::Ok => ("✓", Ink::Good),
            Mark::Accepted => ("~", Ink::Dim),
            Mark::Open => ("?", Ink::Caution),
            Mark::Error => ("✗", Ink::Bad),
        };
        paint(colour, ink, mark)
    }
}

/// The functions of a contract. One that others of the contract call, too, may have been looked at once more for that.
fn marked<'r>(results: &'r Results, contract: ContractId) -> Vec<(&'r str, Mark)> {
    let mut all: Vec<(&str, Mark)> = Vec::new();
    for (i, function) in results.report.functions.iter().enumerate().filter(|(_, f)| f.contract == contract) {
        let unproved = results.report.checks.iter().any(|c| c.function == i && c.verdict != Verdict::Proved);
        let mark = match function.verdict {
            _ if results.lived_with(i) => Mark::Accepted,
            FunctionVerdict::Ok if unproved => Mark::Open,
            FunctionVerdict::Ok => Mark::Ok,
            FunctionVerdict::Error => Mark::Error,
            FunctionVerdict::Inconclusive | FunctionVerdict::TimeOut => Mark::Open,
            FunctionVerdict::Skipped => Mark::Skipped,
        };
        let name = function.signature.as_ref().unwrap_or(&function.name);
        match all.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = mark.max(*known),
            None => all.push((name, mark)),
        }
    }
    all
}

/// One mark for each function, as many to a line as fit.
fn marks(results: &Results, contract: ContractId, style: Style) -> String {
    let width = style.screen.width.unwrap_or(USUAL_WIDTH);
    let mut out = String::new();
    let mut used = 0;
    for (name, mark) in marked(results, contract) {
        let columns = name.chars().count() + 2;
        if used > 0 && used + BETWEEN_MARKS + columns > width {
            out.push('\n');
            used = 0;
        }
        let gap = if used == 0 { INDENT } else { BETWEEN_MARKS };
        out.push_str(&format!("{:gap$}{name} {}", "", mark.render(style.screen.colour)));
        used += gap + columns;
    }
    out.push('\n');
    out
}

/// The right part at the right edge of the screen; on a pipe, where there is none, right after the left part.
fn justified(left: &str, right: &str, style: Style) -> String {
    let used = console::measure_text_width(left) + console::measure_text_width(right);
    let gap = style.screen.width.map_or(3, |width| width.min(USUAL_WIDTH).saturating_sub(used).max(3));
    format!("{left}{:gap$}{}\n", "", paint(style.screen.colour, Ink::Dim, right))
}
