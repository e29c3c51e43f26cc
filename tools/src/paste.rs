//! Invariants that a proof rests on, written into the source as annotations: with them each function on its own must be
//! enough to prove the same.

use anyhow::{Context, Result};
use hornet_ir::program::ObligationKind;
use hornet_ir::text::kind_name;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Checks that were proved by invariants, by what becomes of them.
#[derive(Default)]
pub struct Pasted {
    /// Proved again.
    pub stand: usize,
    /// Not proved again, a line each.
    pub fall: Vec<String>,
    /// With some invariant about moments for which there is no annotation.
    pub elsewhere: usize,
}

/// A line to be written before another.
type Line = (u64, String);

/// Takes what `hornet verify --format json` says about a file, and asks again about a copy with annotations.
pub fn paste(
    hornet: &Path,
    file: &Path,
    report: &Value,
    seconds: u32,
    into: &Path,
    all: &mut Pasted,
) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let (mut lines, mut wanted) = (BTreeSet::new(), Vec::new());
    for check in report["checks"].as_array().into_iter().flatten() {
        let invariants = check["invariants"].as_array().map_or(&[][..], Vec::as_slice);
        // That ether may lack is an expected failure for the engine that sees each function on its own.
        let stated = check["kind"] != kind_name(ObligationKind::InsufficientBalance);
        if check["verdict"] != "proved" || invariants.is_empty() || !stated {
            continue;
        }
        match invariants.iter().map(|i| annotation(&text, check, i)).collect::<Option<Vec<Line>>>() {
            Some(own) => {
                lines.extend(own);
                wanted.push(check);
            }
            None => all.elsewhere += 1,
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let copy = into.join(file.file_name().context("no file name")?);
    std::fs::write(&copy, annotated(&text, &lines))?;
    let output = Command::new(hornet)
        .args(["verify", "--engine", "modular", "--format", "json", "--timeout", &seconds.to_string()])
        .arg(&copy)
        .output()?;
    let answer: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {}", copy.display(), String::from_utf8_lossy(&output.stderr)))?;
    let name = file.display();
    if let Some(said) =
        answer["diagnostics"].as_array().into_iter().flatten().find(|d| d["severity"] == "error")
    {
        all.fall.push(format!("{name}: {}", said["message"]));
        return Ok(());
    }
    let again = answer["checks"].as_array().map_or(&[][..], Vec::as_slice);
    for check in &wanted {
        let moved = |line: u64| line + lines.iter().filter(|(before, _)| *before <= line).count() as u64;
        let same = |c: &&Value| {
            ["contract", "function", "signature", "kind"].iter().all(|key| c[key] == check[key])
                && c["location"]["line"].as_u64() == check["location"]["line"].as_u64().map(moved)
                && c["location"]["column"] == check["location"]["column"]
        };
        match again.iter().find(same) {
            Some(c) if c["verdict"] == "proved" => all.stand += 1,
            other => all.fall.push(format!(
                "{name}:{} {}: {}",
                check["location"]["line"],
                check["kind"],
                verdict(other)
            )),
        }
    }
    // Heirs have them, too, and may break them: what counts is the contract that they were found for.
    let ours = |c: &&Value| {
        let invariants = |check: &Value| check["invariants"].as_array().cloned().unwrap_or_default();
        let rests_on = |check: &Value| invariants(check).iter().any(|i| i["text"] == c["annotation"]["text"]);
        wanted.iter().any(|check| check["contract"] == c["contract"] && rests_on(check))
    };
    let broken = |c: &&Value| c["annotation"].is_object() && c["verdict"] != "proved";
    for check in again.iter().filter(broken).filter(ours) {
        all.fall.push(format!("{name}: {} is {}", check["annotation"]["text"], verdict(Some(check))));
    }
    Ok(())
}

fn verdict(check: Option<&Value>) -> String {
    check.map_or_else(|| "gone".to_owned(), |c| format!("{} {}", c["verdict"], c["reason"]))
}

/// Where an invariant goes, if there is such a place.
fn annotation(text: &str, check: &Value, invariant: &Value) -> Option<Line> {
    let pastable = invariant["pastable"].as_bool()?;
    let line = match invariant["when"].as_str().filter(|_| pastable)? {
        "after-transactions" => declaration(text, check["contract"].as_str()?)?,
        "loop" => invariant["location"]["line"].as_u64()?,
        _ => return None,
    };
    Some((line, format!("/// @notice invariant {}", invariant["text"].as_str()?)))
}

/// The line where a contract is declared.
fn declaration(text: &str, contract: &str) -> Option<u64> {
    let declares = |line: &str| {
        let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || c == '{').collect();
        words.windows(2).any(|pair| pair == ["contract", contract])
    };
    Some(text.lines().position(declares)? as u64 + 1)
}

fn annotated(text: &str, lines: &BTreeSet<Line>) -> String {
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        for (_, annotation) in lines.iter().filter(|(before, _)| *before == i as u64 + 1) {
            out += annotation;
            out.push('\n');
        }
        out += line;
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_stand_before_what_they_are_about() {
        let text = "abstract contract A {}\ncontract AB is A{\n}\n";
        assert_eq!(
            (declaration(text, "A"), declaration(text, "AB"), declaration(text, "B")),
            (Some(1), Some(2), None)
        );
        let lines = BTreeSet::from([(2, "/// x".to_owned()), (2, "/// y".to_owned())]);
        assert_eq!(annotated(text, &lines), "abstract contract A {}\n/// x\n/// y\ncontract AB is A{\n}\n");
    }
}
