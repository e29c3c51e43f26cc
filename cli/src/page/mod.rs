//! One HTML file that needs nothing else: what was found out as JSON, the sources, and a script that shows them.

use serde::Serialize;
use serde_json::Value;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
const GAS_SCRIPT: &str = include_str!("gas.js");

/// What a page shows. Parts that are absent are left out.
#[derive(Serialize, Default)]
pub struct Page<'a> {
    /// What `hornet verify --format json` prints.
    pub results: Option<Value>,
    /// What `hornet gas --format json` prints.
    pub gas: Option<Value>,
    /// Why gas is missing although it was asked for.
    pub gas_missing: Option<&'a str>,
    pub sources: Vec<Source<'a>>,
    /// After the title.
    pub headline: String,
    pub settings: Vec<(&'static str, String)>,
}

#[derive(Serialize)]
pub struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Page<'_> {
    pub fn html(&self) -> String {
        // Only strings, numbers and lists: nothing that could fail. No text may end the element that it stands in.
        let data = serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c");
        let parts = [
            ("@@STYLE@@", STYLE),
            ("@@DATA@@", &data),
            ("@@SCRIPT@@", SCRIPT),
            ("@@GAS_SCRIPT@@", GAS_SCRIPT),
        ];
        fill(PAGE, &parts)
    }
}

/// How to come to the same page again: the command line and who answered it.
pub fn command() -> [(&'static str, String); 2] {
    let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    [("command", format!("hornet {command}")), ("version", format!("Hornet {}", env!("CARGO_PKG_VERSION")))]
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
        for mark in ["@@STYLE@@", "@@DATA@@", "@@SCRIPT@@", "@@GAS_SCRIPT@@"] {
            assert_eq!(PAGE.matches(mark).count(), 1, "{mark}");
        }
    }
}
