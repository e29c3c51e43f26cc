//! Results as one HTML file that needs nothing else: the JSON of the report and the sources, and a page that shows them.

use super::json::Document;
use crate::verify::summary::Summary;
use crate::verify::text::Results;
use serde::Serialize;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

#[derive(Serialize)]
struct Data<'a> {
    results: Document<'a>,
    sources: Vec<Source<'a>>,
    time: String,
    settings: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
struct Source<'a> {
    name: &'a str,
    text: &'a str,
}

impl Results<'_> {
    pub fn html(&self, summary: &Summary) -> String {
        // As it was called, so that it can be called again.
        let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
        let data = Data {
            results: self.document(),
            sources: self.quoted_files(),
            time: format!("{:.2} s", summary.time.as_secs_f64()),
            settings: vec![
                ("command", format!("hornet {command}")),
                ("version", format!("Hornet {}", env!("CARGO_PKG_VERSION"))),
                ("solvers", summary.solvers.join(", ")),
                ("limit", format!("{} s for each check", self.time_limit.as_secs_f64())),
            ],
        };
        // Only strings, numbers and lists: nothing that could fail. No text may end the element that it stands in.
        let data = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
        fill(PAGE, &[("@@STYLE@@", STYLE), ("@@DATA@@", &data), ("@@SCRIPT@@", SCRIPT)])
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

/// Puts texts in the place of marks, each once and in this order: what is put in is not looked at again.
fn fill(page: &str, parts: &[(&str, &str)]) -> String {
    let (mut out, mut rest) = (String::new(), page);
    for (mark, text) in parts {
        if let Some((before, after)) = rest.split_once(mark) {
            out.push_str(before);
            out.push_str(text);
            rest = after;
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(fill("<A|B>", &[("A", "B"), ("B", "x")]), "<B|x>");
    }

    #[test]
    fn the_page_has_a_place_for_everything() {
        for mark in ["@@STYLE@@", "@@DATA@@", "@@SCRIPT@@"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
    }
}
