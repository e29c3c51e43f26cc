//! Results as a page.

use crate::page::{Page, Source, command};
use crate::verify::summary::Summary;
use crate::verify::text::{Results, plural};

impl Results<'_> {
    pub fn html(&self, summary: &Summary) -> String {
        let checks = self.report.checks.len();
        let gas = summary.gas.as_ref();
        let mut settings = command().to_vec();
        settings.extend([
            ("solvers", summary.solvers.join(", ")),
            ("limit", format!("{} s for each check", self.time_limit.as_secs_f64())),
        ]);
        settings.extend(summary.left_out().map(|kinds| ("left out", kinds)));
        let page = Page {
            // Only strings, numbers and lists: nothing that could fail.
            results: serde_json::to_value(self.document()).ok(),
            gas: gas.and_then(|gas| gas.as_ref().ok().cloned()),
            gas_missing: gas.and_then(|gas| gas.as_ref().err().map(String::as_str)),
            sources: self.quoted_files(),
            headline: format!("{}, {:.2} s", plural(checks, "check"), summary.time.as_secs_f64()),
            settings,
        };
        page.html()
    }

    /// Files with something that was checked.
    fn quoted_files(&self) -> Vec<Source<'_>> {
        let checks = self.report.checks.iter().map(|check| check.span.file);
        let mut ids: Vec<_> = checks.chain(self.report.functions.iter().map(|f| f.span.file)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter()
            .map(|id| Source { name: self.files.file_name(id), text: self.files.text(id) })
            .collect()
    }
}
