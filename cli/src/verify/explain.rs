//! `--explain`: which engine answered what, and how long each of them took.

use super::evidence::Evidence;
use super::text::{Results, Style};
use crate::style::{Ink, paint};
use hornet_encoder::{Check, Verdict};
use hornet_ir::text::kind_name;

impl Results<'_> {
    /// A block of lines for each check.
    pub fn explained(&self, style: Style) -> String {
        let rows = self.report.checks.iter().zip(self.evidence);
        rows.map(|(check, evidence)| self.explanation(check, evidence, style)).collect()
    }

    fn explanation(&self, check: &Check, evidence: &Evidence, style: Style) -> String {
        let (word, ink) = match &check.verdict {
            Verdict::Proved => ("proved", Ink::Good),
            Verdict::Violated => ("violated", Ink::Bad),
            Verdict::Unknown(_) => ("unknown", Ink::Caution),
            Verdict::Unsupported { .. } => ("unsupported", Ink::Caution),
        };
        let decided = matches!(check.verdict, Verdict::Proved | Verdict::Violated);
        let who = if decided { format!(" by {}", evidence.by.words()) } else { String::new() };
        let place =
            format!("{}, {}", self.qualified(self.function(check)), self.files.location_text(check.span));
        let mut out = format!(
            "{}: {}{who}  {}\n",
            paint(style.screen.colour, ink, word),
            kind_name(check.kind),
            paint(style.screen.colour, Ink::Dim, &place)
        );
        let took = match evidence.attempts.as_slice() {
            [] => "simplified away: no solver was asked".to_owned(),
            _ => evidence.efforts(),
        };
        out.push_str(&format!("   = {took}\n"));
        if let Some(compiler) = evidence.run.as_ref().and_then(|run| run.compiler.as_ref()) {
            out.push_str(&format!("   = run on the EVM as compiled by {compiler}\n"));
        }
        out
    }
}
