//! Which compiler versions a `pragma solidity` admits. The ranges are npm's: `^0.8.1 || >=0.5 <0.6`, `0.7.x`, `0.4.0 - 0.6.12`.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let partial = Partial::parse(text)?;
        match (partial.minor, partial.patch) {
            (Some(minor), Some(patch)) => Ok(Version { major: partial.major.unwrap_or(0), minor, patch }),
            _ => Err(format!("`{text}` is not a full version")),
        }
    }
}

/// A version with its tail left out or written as `x`, `X`, `*`.
#[derive(Clone, Copy)]
struct Partial {
    major: Option<u32>,
    minor: Option<u32>,
    patch: Option<u32>,
}

impl Partial {
    fn parse(text: &str) -> Result<Partial, String> {
        let text = text.trim().trim_start_matches('v');
        let text = text.split(['-', '+']).next().unwrap_or(text);
        let mut parts = [None; 3];
        for (i, piece) in text.split('.').enumerate() {
            if i >= 3 {
                return Err(format!("`{text}` has too many parts"));
            }
            parts[i] = match piece {
                "x" | "X" | "*" => None,
                _ => Some(piece.parse::<u32>().map_err(|_| format!("`{text}` is not a version"))?),
            };
        }
        Ok(Partial { major: parts[0], minor: parts[1], patch: parts[2] })
    }

    fn lowest(self) -> Version {
        Version {
            major: self.major.unwrap_or(0),
            minor: self.minor.unwrap_or(0),
            patch: self.patch.unwrap_or(0),
        }
    }

    /// The first version beyond those that the written parts admit; `None` when everything is admitted.
    fn beyond(self) -> Option<Version> {
        match (self.major, self.minor, self.patch) {
            (None, _, _) => None,
            (Some(major), None, _) => Some(Version { major: major + 1, minor: 0, patch: 0 }),
            (Some(major), Some(minor), None) => Some(Version { major, minor: minor + 1, patch: 0 }),
            (Some(major), Some(minor), Some(patch)) => Some(Version { major, minor, patch: patch + 1 }),
        }
    }
}

/// Half-open interval of versions.
#[derive(Clone, Copy, Debug)]
struct Interval {
    from: Version,
    to: Option<Version>,
}

/// Alternatives of conjunctions, as npm writes them.
#[derive(Clone, Debug)]
pub struct Range(Vec<Vec<Interval>>);

impl Range {
    pub fn matches(&self, version: Version) -> bool {
        let inside = |i: &Interval| i.from <= version && i.to.is_none_or(|to| version < to);
        self.0.iter().any(|all| all.iter().all(inside))
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split("||").map(conjunction).collect::<Result<_, _>>().map(Range)
    }
}

fn conjunction(text: &str) -> Result<Vec<Interval>, String> {
    // `a - b` with spaces around the dash is a closed range.
    if let Some((low, high)) = text.split_once(" - ") {
        let (low, high) = (Partial::parse(low)?, Partial::parse(high)?);
        return Ok(vec![Interval { from: low.lowest(), to: high.beyond() }]);
    }
    let mut intervals = Vec::new();
    for (operator, version) in comparators(text)? {
        intervals.push(interval(operator, Partial::parse(version)?));
    }
    Ok(intervals)
}

/// Splits `>= 0.5.0<0.7` into operator and version pairs; spaces are optional everywhere.
fn comparators(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut rest = text.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let operator_end = rest.find(|c| !"^~<>=".contains(c)).unwrap_or(rest.len());
        let (operator, tail) = rest.split_at(operator_end);
        let tail = tail.trim_start();
        let version_end = tail.find(|c: char| c.is_whitespace() || "^~<>=".contains(c)).unwrap_or(tail.len());
        let (version, tail) = tail.split_at(version_end);
        if version.is_empty() {
            return Err(format!("`{text}` is not a version range"));
        }
        found.push((operator, version));
        rest = tail.trim_start();
    }
    Ok(found)
}

fn interval(operator: &str, version: Partial) -> Interval {
    const ZERO: Version = Version { major: 0, minor: 0, patch: 0 };
    let from = version.lowest();
    match operator {
        ">=" => Interval { from, to: None },
        ">" => Interval { from: version.beyond().unwrap_or(from), to: None },
        "<" => Interval { from: ZERO, to: Some(from) },
        "<=" => Interval { from: ZERO, to: version.beyond() },
        "~" => {
            let to = Partial { patch: None, ..version }.beyond();
            Interval { from, to }
        }
        // The leftmost part that is not zero stays.
        "^" => {
            let to = match (version.major, version.minor, version.patch) {
                (Some(0), Some(0), patch) => Partial { patch, ..version }.beyond(),
                (Some(0), minor, _) => Partial { minor, patch: None, ..version }.beyond(),
                (major, _, _) => Partial { major, minor: None, patch: None }.beyond(),
            };
            Interval { from, to }
        }
        _ => Interval { from, to: version.beyond() },
    }
}

/// The ranges of all `pragma solidity` directives of a source.
pub fn ranges(source: &str) -> Vec<Result<Range, String>> {
    let code = without_comments(source);
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("pragma") {
        rest = &rest[at + "pragma".len()..];
        let body = rest.split(';').next().unwrap_or("").trim();
        if let Some(range) = body.strip_prefix("solidity") {
            // Quotes around versions were legal once.
            found.push(range.replace(['"', '\''], "").parse());
        }
    }
    found
}

/// Comments become blanks, so that none is taken for code.
fn without_comments(source: &str) -> String {
    let mut out = String::new();
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                for c in chars.by_ref() {
                    if c == '\n' || c == '\r' {
                        break;
                    }
                }
                out.push('\n');
            }
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                out.push(' ');
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(range: &str, version: &str) -> bool {
        range.parse::<Range>().unwrap().matches(version.parse().unwrap())
    }

    #[test]
    fn npm_ranges() {
        for (range, inside, outside) in [
            ("^0.8.1", "0.8.37", "0.9.0"),
            ("^0.4", "0.4.26", "0.5.0"),
            ("~0.6.2", "0.6.12", "0.7.0"),
            (">=0.5.0 <0.7.0", "0.6.12", "0.7.0"),
            (">= 0.5.0<0.7.0", "0.5.17", "0.4.26"),
            ("0.7.6", "0.7.6", "0.7.5"),
            ("=0.5.16", "0.5.16", "0.5.17"),
            ("0.5.x", "0.5.17", "0.6.0"),
            ("0.4.0 - 0.6.12", "0.6.12", "0.7.0"),
            ("^0.4.0 || ^0.8.0", "0.8.1", "0.6.0"),
            (">0.4.24", "0.4.25", "0.4.24"),
            ("<=0.7", "0.7.6", "0.8.0"),
            ("*", "0.4.26", "0.4.26"),
        ] {
            assert!(admits(range, inside), "{range} should admit {inside}");
            assert!(range == "*" || !admits(range, outside), "{range} should not admit {outside}");
        }
    }

    #[test]
    fn pragmas_in_comments_do_not_count() {
        let source = "// pragma solidity ^0.4.0;\n/* pragma solidity 0.5.0; */ pragma solidity >=0.6; pragma abicoder v2;";
        let found = ranges(source);
        assert_eq!(found.len(), 1);
        assert!(found[0].as_ref().unwrap().matches("0.8.0".parse().unwrap()));
    }
}
