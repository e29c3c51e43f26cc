//! The ranges of compilers that a `pragma solidity` allows.

use crate::version::Version;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Op {
    Exact,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Caret,
    Tilde,
}

/// One comparison; `None` levels are wildcards, absent levels are not compared.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Comparator {
    op: Op,
    levels: Vec<Option<u16>>,
}

impl Comparator {
    /// `version` against the levels that are written, as the compiler does it: `<=0.5` admits every 0.5.x.
    fn compare(&self, version: Version, levels: usize) -> std::cmp::Ordering {
        let have = [version.major, version.minor, version.patch];
        self.levels
            .iter()
            .take(levels)
            .zip(have)
            .filter_map(|(want, have)| want.map(|want| have.cmp(&want)))
            .find(|ordering| ordering.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    }

    fn matches(&self, version: Version) -> bool {
        let written = self.levels.len();
        let ordering = self.compare(version, written);
        let below = |levels: usize| self.compare(version, levels).is_le();
        match self.op {
            Op::Exact => ordering.is_eq(),
            Op::Less => ordering.is_lt(),
            Op::LessEq => ordering.is_le(),
            Op::Greater => ordering.is_gt(),
            Op::GreaterEq => ordering.is_ge(),
            Op::Tilde => ordering.is_ge() && below(if written >= 2 { 2 } else { 1 }),
            Op::Caret => {
                let zero_major = self.levels.first() == Some(&Some(0)) && written != 1;
                ordering.is_ge() && below(if zero_major { 2 } else { 1 })
            }
        }
    }
}

/// The versions one `pragma solidity` admits: a disjunction of conjunctions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionReq {
    alternatives: Vec<Vec<Comparator>>,
}

impl VersionReq {
    /// Reads the text between `pragma solidity` and `;`.
    pub fn parse(text: &str) -> Result<VersionReq, String> {
        let alternatives = text.split("||").map(parse_alternative).collect::<Result<Vec<_>, _>>()?;
        Ok(VersionReq { alternatives })
    }

    pub fn matches(&self, version: Version) -> bool {
        self.alternatives.iter().any(|all| all.iter().all(|c| c.matches(version)))
    }

    /// The newest known compiler the range admits.
    pub fn newest(&self) -> Option<Version> {
        newest_matching(std::iter::once(self))
    }
}

/// The newest known compiler that satisfies every requirement.
pub fn newest_matching<'a>(reqs: impl Iterator<Item = &'a VersionReq> + Clone) -> Option<Version> {
    Version::known().find(|&v| reqs.clone().all(|r| r.matches(v)))
}

fn parse_alternative(text: &str) -> Result<Vec<Comparator>, String> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err("expected a version such as `^0.8.0`".into());
    }
    let mut all = Vec::new();
    while !rest.is_empty() {
        let (first, after) = parse_comparator(rest)?;
        rest = after.trim_start();
        let range = rest.strip_prefix('-').filter(|_| first.op == Op::Exact);
        let Some(upper_text) = range else {
            all.push(first);
            continue;
        };
        let (upper, after) = parse_comparator(upper_text.trim_start())?;
        if upper.op != Op::Exact {
            return Err("a range `A - B` takes two plain versions".into());
        }
        all.push(Comparator { op: Op::GreaterEq, ..first });
        all.push(Comparator { op: Op::LessEq, ..upper });
        rest = after.trim_start();
    }
    Ok(all)
}

fn parse_comparator(text: &str) -> Result<(Comparator, &str), String> {
    const OPS: [(&str, Op); 7] = [
        ("<=", Op::LessEq),
        (">=", Op::GreaterEq),
        ("<", Op::Less),
        (">", Op::Greater),
        ("=", Op::Exact),
        ("^", Op::Caret),
        ("~", Op::Tilde),
    ];
    let (op, mut rest) = OPS
        .iter()
        .find_map(|(sign, op)| text.strip_prefix(sign).map(|rest| (*op, rest.trim_start())))
        .unwrap_or((Op::Exact, text));
    rest = rest.strip_prefix('v').unwrap_or(rest);
    let mut levels = Vec::new();
    loop {
        let (level, after) = parse_level(rest)?;
        levels.push(level);
        rest = after;
        match rest.strip_prefix('.') {
            Some(after) if levels.len() < 3 => rest = after,
            Some(_) => return Err("a version has at most three numbers".into()),
            None => return Ok((Comparator { op, levels }, rest)),
        }
    }
}

fn parse_level(text: &str) -> Result<(Option<u16>, &str), String> {
    if let Some(rest) = text.strip_prefix(['x', 'X', '*']) {
        return Ok((None, rest));
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 {
        let found = text.split_whitespace().next().unwrap_or("the end");
        return Err(format!("expected a version number, found `{found}`"));
    }
    let level = text[..end].parse().map_err(|_| format!("version number `{}` is too large", &text[..end]))?;
    Ok((Some(level), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newest(text: &str) -> Option<String> {
        VersionReq::parse(text).expect(text).newest().map(|v| v.to_string())
    }

    #[test]
    fn ranges_choose_the_newest_admitted_compiler() {
        for (range, version) in [
            ("^0.8.0", "0.8.37"),
            ("0.7.3", "0.7.3"),
            ("=0.7.3", "0.7.3"),
            (">=0.4.22 <0.6.0", "0.5.17"),
            (">=0.4.22<0.6.0", "0.5.17"),
            ("> 0.5", "0.8.37"),
            ("<=0.5", "0.5.17"),
            ("~0.6.2", "0.6.12"),
            ("~0.6", "0.6.12"),
            ("^0.6", "0.6.12"),
            ("^0", "0.8.37"),
            ("0.5.0 - 0.6.4", "0.6.4"),
            ("0.4.11 || 0.5.x", "0.5.17"),
            ("0.4.*", "0.4.26"),
            ("*", "0.8.37"),
            ("v0.8.4", "0.8.4"),
            (">=0.8", "0.8.37"),
            ("<0.8.0 >=0.7.0", "0.7.6"),
        ] {
            assert_eq!(newest(range).as_deref(), Some(version), "{range}");
        }
    }

    #[test]
    fn impossible_ranges_admit_nothing() {
        for range in ["^0.9.0", ">0.8.37", "0.8.99", "<0.4.0", "<0.5.0 >=0.6.0", "^1.0.0"] {
            assert_eq!(newest(range), None, "{range}");
        }
    }

    #[test]
    fn malformed_ranges_are_refused() {
        for range in ["", "||", "^", "latest", "0.8.0.1", "0.8.", "^0.8.0 ||", "99999999999.0.0", "1 - ^2"] {
            assert!(VersionReq::parse(range).is_err(), "{range}");
        }
    }
}
