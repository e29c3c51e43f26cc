//! The tables as Markdown, for comments on pull requests.

use crate::gas::report::{ContractReport, Report};
use crate::gas::text::settings_of;
use std::fmt::Write;

impl Report<'_> {
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for contract in &self.contracts {
            self.contract_markdown(contract, &mut out);
        }
        for (name, checked) in self.budgets() {
            let Some(why) = checked.verdict.why() else { continue };
            let _ = writeln!(out, "- ❌ `{name}`: budget `{}`: {why}", checked.budget.text);
        }
        let remarks = self
            .contracts
            .iter()
            .flat_map(|c| &c.functions)
            .flat_map(|f| f.remarks.iter().map(move |remark| (f.function, remark)));
        for (function, remark) in remarks {
            let span = remark.place.as_ref().map(|(span, _)| *span).or(function.span);
            let place =
                span.map_or_else(String::new, |span| format!(" (`{}`)", self.files.location_text(span)));
            let _ = writeln!(out, "- ⚠️ `{}`: {}{place}", function.signature, remark.message);
        }
        out
    }

    fn contract_markdown(&self, contract: &ContractReport, out: &mut String) {
        let name = &self.program.contracts[contract.gas.contract].name;
        let _ = writeln!(out, "## `{name}`: {} gas\n", self.measure.name());
        out.push_str("| function | worst seen | ceiling | tight | formula | classes |\n");
        out.push_str("|---|--:|--:|--:|---|--:|\n");
        for row in self.rows(contract.gas, &contract.functions) {
            let [function, seen, ceiling, tight, formula, classes] = &row.cells;
            let formula = if formula.is_empty() { String::new() } else { format!("`{formula}`") };
            let _ = writeln!(out, "| `{function}` | {seen} | {ceiling} | {tight} | {formula} | {classes} |");
        }
        let _ = writeln!(out, "\n<sub>{}</sub>\n", settings_of(contract.gas));
    }
}
