//! The difference between two snapshots.

use super::{Ceiling, Entry};
use crate::gas::number::{coefficient, thousands};
use hornet_gas::ceiling::{Formula, Product};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub name: String,
    /// `22,333 → 24,433   +9.4 %`
    pub what: String,
    /// It costs more than it may.
    pub is_excess: bool,
}

/// Everything that is not as it was. Ceilings decide, for they are the same on every run. What was seen, where neither has
/// one, is what a search has found: it is told and decides nothing. Functions that had no bound and have none are as they
/// were, whatever was seen.
pub fn changes(old: &[Entry], new: &[Entry], tolerance: f64) -> Vec<Change> {
    let find = |entries: &[Entry], name: &str| entries.iter().find(|entry| entry.name == name).cloned();
    let mut found = Vec::new();
    for entry in new {
        match find(old, &entry.name) {
            Some(before) => found.extend(change(&before, entry, 1.0 + tolerance / 100.0)),
            None => found.push(Change { what: format!("new: {}", cost(entry)), ..plain(entry) }),
        }
    }
    for entry in old.iter().filter(|entry| find(new, &entry.name).is_none()) {
        found.push(Change { what: format!("gone: {}", cost(entry)), ..plain(entry) });
    }
    found
}

fn plain(entry: &Entry) -> Change {
    Change { name: entry.name.clone(), what: String::new(), is_excess: false }
}

fn cost(entry: &Entry) -> String {
    match (&entry.ceiling, entry.seen) {
        (Ceiling::Formula(formula), _) => formula.show(coefficient),
        (Ceiling::Unbounded, _) => "unbounded".to_owned(),
        (Ceiling::None, Some(gas)) => format!("{} seen", thousands(gas)),
        (Ceiling::None, None) => "not known".to_owned(),
    }
}

fn change(old: &Entry, new: &Entry, factor: f64) -> Option<Change> {
    let (same, is_excess, share) = match (&old.ceiling, &new.ceiling) {
        (Ceiling::Formula(a), Ceiling::Formula(b)) => (a == b, grows(a, b, factor), share(a, b)),
        (Ceiling::Unbounded, Ceiling::Unbounded) => (true, false, None),
        (Ceiling::None, Ceiling::None) => match (old.seen, new.seen) {
            (Some(a), Some(b)) => (a == b, false, percent(a as f64, b as f64)),
            (a, b) => (a == b, false, None),
        },
        // As snapshots had it once.
        (Ceiling::None, Ceiling::Formula(b)) if is_only(b, old.seen) => (true, false, None),
        (_, Ceiling::Unbounded) => (false, true, None),
        _ => (false, false, None),
    };
    let share = share.map_or_else(String::new, |share| format!("   {share}"));
    (!same).then(|| Change {
        name: new.name.clone(),
        what: format!("{} → {}{share}", cost(old), cost(new)),
        is_excess,
    })
}

fn is_only(formula: &Formula, seen: Option<u64>) -> bool {
    formula.products.is_empty() && Some(formula.offset) == seen
}

/// Some part of the formula is larger than it may be.
fn grows(old: &Formula, new: &Formula, factor: f64) -> bool {
    let before = |product: &Product| {
        let same = old.products.iter().find(|p| p.parameters == product.parameters);
        same.map_or(0.0, |p| p.coefficient)
    };
    new.offset as f64 > old.offset as f64 * factor
        || new.products.iter().any(|product| product.coefficient > before(product) * factor)
}

/// Of numbers only.
fn share(old: &Formula, new: &Formula) -> Option<String> {
    let numbers = old.products.is_empty() && new.products.is_empty();
    numbers.then(|| percent(old.offset as f64, new.offset as f64))?
}

fn percent(old: f64, new: f64) -> Option<String> {
    (old > 0.0).then(|| format!("{:+.1} %", 100.0 * (new - old) / old))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gas::budget::expression::parse;

    fn entry(name: &str, formula: &str) -> Entry {
        let ceiling = match formula {
            "unbounded" => Ceiling::Unbounded,
            _ => Ceiling::Formula(parse(formula).unwrap()),
        };
        Entry { name: name.to_owned(), seen: None, ceiling }
    }

    fn one(old: &str, new: &str, tolerance: f64) -> Option<(String, bool)> {
        let found = changes(&[entry("f", old)], &[entry("f", new)], tolerance);
        assert!(found.len() <= 1);
        found.into_iter().next().map(|change| (change.what, change.is_excess))
    }

    #[test]
    fn numbers_within_and_beyond_the_tolerance() {
        assert_eq!(one("1000", "1000", 0.0), None);
        assert_eq!(one("1000", "1001", 0.0), Some(("1,000 → 1,001   +0.1 %".into(), true)));
        assert_eq!(one("1000", "1020", 2.0), Some(("1,000 → 1,020   +2.0 %".into(), false)));
        assert_eq!(one("1000", "900", 0.0), Some(("1,000 → 900   -10.0 %".into(), false)));
    }

    #[test]
    fn formulas_by_their_parts() {
        assert!(one("10 + 5*n", "9 + 6*n", 0.0).unwrap().1);
        assert!(!one("10 + 5*n", "10", 0.0).unwrap().1);
        assert!(one("10", "10 + 1*n", 50.0).unwrap().1);
        assert_eq!(one("10", "unbounded", 50.0), Some(("10 → unbounded".into(), true)));
        assert_eq!(one("unbounded", "10", 0.0), Some(("unbounded → 10".into(), false)));
    }

    #[test]
    fn what_was_only_seen_decides_nothing() {
        let seen = |gas| Entry { name: "f".to_owned(), seen: Some(gas), ceiling: Ceiling::None };
        let found = changes(&[seen(1000)], &[seen(2000)], 0.0);
        assert_eq!(
            (found[0].what.as_str(), found[0].is_excess),
            ("1,000 seen → 2,000 seen   +100.0 %", false)
        );
        assert!(changes(&[seen(1000)], &[entry("f", "1000")], 0.0).is_empty());
    }

    #[test]
    fn functions_come_and_go() {
        let found = changes(&[entry("old", "5")], &[entry("new", "7")], 0.0);
        let told: Vec<_> = found.iter().map(|c| (c.name.as_str(), c.what.as_str(), c.is_excess)).collect();
        assert_eq!(told, [("new", "new: 7", false), ("old", "gone: 5", false)]);
    }
}
