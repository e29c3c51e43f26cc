//! Evidence for people: the run that breaks a check, the invariants that a proof rests on.

use super::evidence::{Evidence, Invariant, When};
use super::text::{Results, Style};
use super::told::Told;
use super::transactions;
use crate::finding::{Finding, NOTE_INDENT};
use crate::style::{Ink, paint};
use hornet_encoder::{Check, Verdict};
use hornet_ir::text::kind_name;

const CONFIRMED: &str = "confirmed on the EVM";
const RECHECKED: &str = "re-checked";
/// Where there is no screen, words at the right edge are here.
const USUAL_WIDTH: usize = 100;

impl Results<'_> {
    pub fn evidence_of(&self, check: &Check) -> Option<&Evidence> {
        let at = self.report.checks.iter().position(|c| std::ptr::eq(c, check))?;
        self.evidence.get(at)
    }

    /// Adds the run to a finding about a check that fails, and what keeps it from being sure.
    pub fn add_run(&self, finding: &mut Finding, evidence: &Evidence, style: Style) {
        if let Some(told) = &evidence.run {
            self.add_told(finding, told, evidence.confirmed, style);
        }
        finding.notes.extend(evidence.unconfirmed.iter().map(|why| format!("unconfirmed: {why}")));
    }

    fn add_told(&self, finding: &mut Finding, told: &Told, confirmed: bool, style: Style) {
        if confirmed {
            finding.message = at_the_right(&certain(&finding.message), CONFIRMED, "violated: ".len(), style);
        }
        if let Some((_, words)) = finding.places.first_mut() {
            words.push_str(&format!(", fails in transaction {}", told.steps.len()));
        }
        let reentered = told.reentered_at().into_iter();
        finding.labels.extend(reentered.map(|span| (span, "the contract is reentered here".to_owned())));
        let written = told.written_at().into_iter();
        finding.labels.extend(written.map(|span| (span, "others write to the storage here".to_owned())));
        let starved = told.starved_at().into_iter();
        finding.labels.extend(starved.map(|span| (span, "this call runs out of gas".to_owned())));
        finding.notes.push(self.transactions(told, style));
        finding.notes.extend(self.switched_off(told));
        if let Some(Err(why)) = &told.test {
            finding.notes.push(format!("no Foundry test: {why}"));
        }
    }

    /// The run that breaks a check, if there is one, for where there is no screen.
    pub fn run_lines(&self, check: &Check) -> Vec<String> {
        let told = self.evidence_of(check).and_then(|evidence| evidence.run.as_ref());
        let lines = told.map(|told| (transactions::lines(told, None), self.switched_off(told)));
        lines.into_iter().flat_map(|(lines, remark)| lines.into_iter().chain(remark)).collect()
    }

    pub fn transactions(&self, told: &Told, style: Style) -> String {
        transactions::lines(told, style.screen.width.map(|w| w.saturating_sub(NOTE_INDENT))).join("\n")
    }

    fn switched_off(&self, told: &Told) -> Option<String> {
        let lines: Vec<String> =
            told.switched_off.iter().map(|span| self.files.position(*span).line.to_string()).collect();
        match lines.as_slice() {
            [] => None,
            [line] => Some(format!("with the assertion at line {line} switched off, which fails first")),
            _ => Some(format!(
                "with the assertions at lines {} switched off, which fail first",
                lines.join(", ")
            )),
        }
    }

    /// One line for each proved check, and why it holds if that took invariants.
    pub fn proved(&self, style: Style) -> String {
        let mut out = String::new();
        for (check, evidence) in self.report.checks.iter().zip(self.evidence) {
            if check.verdict == Verdict::Proved {
                out.push_str(&self.proof(check, evidence, style));
            }
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    fn proof(&self, check: &Check, evidence: &Evidence, style: Style) -> String {
        let annotation = check.annotation.as_ref().map(|(_, text)| format!(" `{text}`")).unwrap_or_default();
        let place =
            format!("{}, {}", self.qualified(self.function(check)), self.files.location_text(check.span));
        let what = format!(
            "{}{annotation}  {}",
            kind_name(check.kind),
            paint(style.screen.colour, Ink::Dim, &place)
        );
        let what = match evidence.invariants.is_empty() {
            true => what,
            false => at_the_right(&what, RECHECKED, "proved: ".len(), style),
        };
        let mut out = format!("{}: {what}\n", paint(style.screen.colour, Ink::Good, "proved"));
        // Some of them alone would not do.
        let pasted = evidence.invariants.iter().all(|invariant| invariant.annotates().is_some());
        for invariant in &evidence.invariants {
            out.push_str(&self.because(invariant, pasted, style));
        }
        out
    }

    /// What is wrong, as certain as it is.
    pub fn message(&self, check: &Check) -> String {
        self.evidence_of(check).map_or_else(|| check.message.clone(), |evidence| evidence.message(check))
    }

    fn because(&self, invariant: &Invariant, pasted: bool, style: Style) -> String {
        let when = match &invariant.when {
            When::AfterTransactions => "after every transaction".to_owned(),
            When::Watched => "whenever the contract waits for an answer".to_owned(),
            When::Meanwhile => "from one moment outside the contract to the next".to_owned(),
            When::Loop(span) => {
                let line = span.map(|span| format!(" at line {}", self.files.position(span).line));
                format!("in every round of the loop{}", line.unwrap_or_default())
            }
            When::Called(function) => format!("whenever `{function}` begins"),
            When::Returned(function) => format!("whenever `{function}` returns"),
        };
        let place = invariant.annotates().filter(|_| pasted);
        let paste = place.map(|place| format!("   (paste as `/// @notice invariant …` before {place})"));
        let paste = paste.unwrap_or_default();
        let text = invariant.text.as_deref().unwrap_or("something that Solidity has no words for");
        let dim = paint(style.screen.colour, Ink::Dim, &format!("{when}{paste}"));
        format!("   = because: {text}   {dim}\n")
    }
}

impl Evidence {
    /// What is wrong, as certain as it is.
    pub fn message(&self, check: &Check) -> String {
        if self.confirmed { certain(&check.message) } else { check.message.clone() }
    }
}

/// What was seen to happen is more than possible.
fn certain(message: &str) -> String {
    match message.split_once("might not hold") {
        Some((before, after)) => format!("{before}can fail{after}"),
        None => message.replacen("might ", "can ", 1),
    }
}

/// Some words at the right edge of the line that begins with `used` columns of something else.
fn at_the_right(left: &str, right: &str, used: usize, style: Style) -> String {
    let taken = used + console::measure_text_width(left) + right.len();
    let gap = style.screen.width.map_or(USUAL_WIDTH, |w| w.min(USUAL_WIDTH)).saturating_sub(taken).max(3);
    format!("{left}{:gap$}{}", "", paint(style.screen.colour, Ink::Good, right))
}
