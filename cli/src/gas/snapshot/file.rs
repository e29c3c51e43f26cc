//! The text of a snapshot: one line for each function.
//!
//! ```text
//! # hornet gas: execution gas
//! Airdrop.push(address[],uint256) seen 90614 ceiling 2964 + 22534*{to.length}
//! Airdrop.(deployment) seen 299650
//! ```

use super::{Ceiling, Entry};
use crate::gas::budget::expression;
use crate::gas::report::Report;
use hornet_gas::ceiling::Formula;
use std::ops::Range;

const TITLE: &str = "# hornet gas: ";

pub struct Snapshot {
    /// `execution` or `transaction`.
    pub measure: String,
    pub entries: Vec<Entry>,
}

impl Snapshot {
    pub fn of(report: &Report) -> Snapshot {
        let mut entries = Vec::new();
        for contract in &report.contracts {
            let name = report.unique_name(contract.gas.contract);
            for function in contract.functions.iter().map(|f| f.function) {
                let ceiling = match function.ceiling_of(report.measure).filter(|_| function.is_bounded()) {
                    Some(formula) => Ceiling::Formula(formula),
                    None if function.is_out_of_time() => Ceiling::None,
                    None => Ceiling::Unbounded,
                };
                let seen = function.runs.dearest().map(|run| run.gas(report.measure));
                entries.push(Entry { name: format!("{name}.{}", function.signature), seen, ceiling });
            }
            let seen = contract.gas.deployment.measured.as_ref().ok();
            let seen = seen.map(|measured| report.measure.of(measured));
            // Without arguments there is one deployment only, and that was measured.
            let only = seen.filter(|_| contract.gas.deployment.arguments.is_none());
            let ceiling = only.map_or(Ceiling::None, |gas| Ceiling::Formula(constant(gas)));
            entries.push(Entry { name: format!("{name}.(deployment)"), seen, ceiling });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Snapshot { measure: report.measure.name().to_owned(), entries }
    }

    pub fn text(&self) -> String {
        let mut out = format!("{TITLE}{} gas\n", self.measure);
        for Entry { name, seen, ceiling } in &self.entries {
            out += &name.replace(' ', "_");
            out += &seen.map_or_else(String::new, |gas| format!(" seen {gas}"));
            out += &match ceiling {
                Ceiling::None => String::new(),
                Ceiling::Unbounded => " ceiling unbounded".to_owned(),
                Ceiling::Formula(formula) => format!(" ceiling {}", plain(formula)),
            };
            out.push('\n');
        }
        out
    }

    /// A mistake has a place in the text.
    pub fn read(text: &str) -> Result<Snapshot, (Range<usize>, String)> {
        let first = text.lines().next().unwrap_or_default();
        let measure = first.strip_prefix(TITLE).and_then(|rest| rest.strip_suffix(" gas"));
        let measure = measure.ok_or((0..first.len(), format!("a snapshot begins with `{TITLE}… gas`")))?;
        let mut entries = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            if !content.is_empty() && !content.starts_with('#') {
                let entry =
                    read_entry(content).map_err(|(at, why)| (start + at.start..start + at.end, why))?;
                entries.push(entry);
            }
            start += line.len();
        }
        Ok(Snapshot { measure: measure.to_owned(), entries })
    }
}

fn read_entry(line: &str) -> Result<Entry, (Range<usize>, String)> {
    let (left, ceiling) = match line.split_once(" ceiling ") {
        None => (line, Ceiling::None),
        Some((left, "unbounded")) => (left, Ceiling::Unbounded),
        Some((left, formula)) => {
            let start = line.len() - formula.len();
            let formula = expression::parse(formula);
            let formula = formula.map_err(|p| (start + p.at.start..start + p.at.end, p.message))?;
            (left, Ceiling::Formula(formula))
        }
    };
    let (name, seen) = match left.split_once(" seen ") {
        None => (left, None),
        Some((name, gas)) => {
            let at = name.len() + 6..left.len();
            (name, Some(gas.parse().map_err(|_| (at, format!("`{gas}` is not a number of gas")))?))
        }
    };
    Ok(Entry { name: name.to_owned(), seen, ceiling })
}

fn constant(gas: u64) -> Formula {
    Formula { offset: gas, products: Vec::new() }
}

/// A formula as it is read back.
fn plain(formula: &Formula) -> String {
    let mut text = formula.offset.to_string();
    for product in &formula.products {
        let names: String = product.parameters.iter().map(|name| format!("*{{{name}}}")).collect();
        text += &format!(" + {}{names}", product.coefficient);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# hornet gas: execution gas
C.(deployment) seen 299650
C.f(uint256[]) seen 90614 ceiling 2964 + 22534*{n.length} + 0.00000191*{returned bytes}*{returned bytes}
C.g() ceiling unbounded
";

    #[test]
    fn snapshots_are_read_back() {
        let snapshot = Snapshot::read(TEXT).unwrap();
        assert_eq!((snapshot.measure.as_str(), snapshot.entries.len()), ("execution", 3));
        assert_eq!(
            snapshot.entries[2],
            Entry { name: "C.g()".into(), seen: None, ceiling: Ceiling::Unbounded }
        );
        assert_eq!(snapshot.text(), TEXT);
    }

    #[test]
    fn mistakes_have_places() {
        let wrong = |text: &str| Snapshot::read(text).err().unwrap();
        assert_eq!(wrong("other").0, 0..5);
        assert_eq!(wrong(&TEXT.replace("seen 90614", "seen many")).1, "`many` is not a number of gas");
        let (at, _) = wrong(&TEXT.replace("2964 +", "2964 -"));
        assert_eq!(&TEXT.replace("2964 +", "2964 -")[at], "-");
    }
}
