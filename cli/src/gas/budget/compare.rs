//! Whether a ceiling stays within a budget, whatever the parameters are.

use hornet_gas::ceiling::{Formula, Product};

/// Where a ceiling is above a budget.
#[derive(Clone, PartialEq, Debug)]
pub struct Excess {
    /// The parameter and the first value of it for which that is so, all others zero; nothing if it is so anyway.
    pub from: Option<(String, u64)>,
    pub ceiling: u64,
    pub budget: u64,
}

/// `None`: the ceiling is within the budget. No transaction takes more than `limit`, so budgets above that hold.
pub fn excess(ceiling: &Formula, budget: &Formula, limit: u64) -> Option<Excess> {
    let limit = limit as f64;
    if ceiling.offset > budget.offset && (budget.offset as f64) < limit {
        return Some(Excess { from: None, ceiling: ceiling.offset, budget: budget.offset });
    }
    if is_below(ceiling, budget) {
        return None;
    }
    let mut names: Vec<&String> = ceiling.products.iter().flat_map(|p| &p.parameters).collect();
    names.sort_unstable();
    names.dedup();
    let first = names.iter().filter_map(|name| along(ceiling, budget, name, limit)).min_by_key(|e| e.0);
    if let Some((_, excess)) = first {
        return Some(excess);
    }
    // Sums of parts that depend on one parameter each are largest where all but one are zero; of others nobody knows.
    let separate = |p: &Product| p.parameters.iter().all(|name| *name == p.parameters[0]);
    let linear = budget.products.iter().all(|p| p.parameters.len() == 1);
    if linear && ceiling.products.iter().all(separate) {
        return None;
    }
    Some(Excess { from: None, ceiling: ceiling.offset, budget: budget.offset })
}

/// No coefficient is larger.
fn is_below(ceiling: &Formula, budget: &Formula) -> bool {
    let coefficient = |wanted: &Product| {
        let mut sorted = wanted.parameters.clone();
        sorted.sort_unstable();
        let same = |p: &&Product| {
            let mut other = p.parameters.clone();
            other.sort_unstable();
            other == sorted
        };
        budget.products.iter().find(same).map_or(0.0, |p| p.coefficient)
    };
    ceiling.offset <= budget.offset && ceiling.products.iter().all(|p| p.coefficient <= coefficient(p))
}

/// Larger values mean more gas than there is, whatever the budget says.
const LARGEST: u64 = 1 << 40;

/// The first value of a parameter, all others zero, at which the ceiling is above the budget. What is between them
/// is convex as long as the budget is linear, so it is within the budget up to there, or up to where the limit ends it.
fn along(ceiling: &Formula, budget: &Formula, name: &str, limit: f64) -> Option<(u64, Excess)> {
    let at = |formula: &Formula, n: u64| formula.at(|other| if other == name { n as f64 } else { 0.0 });
    let within_limit = |n: u64| at(budget, n) < limit;
    let last = first(|n| !within_limit(n)).map_or(LARGEST, |n| n.saturating_sub(1));
    let above = |n: u64| at(ceiling, n) > at(budget, n);
    if !above(last) {
        return None;
    }
    let from = first(above)?;
    let gas = |formula: &Formula| at(formula, from).ceil() as u64;
    let excess = Excess { from: Some((name.to_owned(), from)), ceiling: gas(ceiling), budget: gas(budget) };
    Some((from, excess))
}

/// The least number for which something holds that, once it does, goes on to hold.
fn first(holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut low, mut high) = (0, LARGEST);
    if !holds(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::super::expression::parse;
    use super::*;

    fn compared(ceiling: &str, budget: &str) -> Option<(Option<(String, u64)>, u64)> {
        let found = excess(&parse(ceiling).unwrap(), &parse(budget).unwrap(), 30_000_000)?;
        Some((found.from, found.ceiling))
    }

    #[test]
    fn numbers() {
        assert_eq!(compared("60000", "60000"), None);
        assert_eq!(compared("60001", "60000"), Some((None, 60001)));
    }

    #[test]
    fn slopes_and_offsets() {
        assert_eq!(compared("100 + 7*n", "100 + 7*n"), None);
        assert_eq!(compared("100 + 7*n", "200 + 6*n"), Some((Some(("n".into(), 101)), 807)));
        assert_eq!(compared("100 + 7*n + 9*m", "100 + 7*n"), Some((Some(("m".into(), 1)), 109)));
        assert_eq!(compared("100 + n", "1000"), Some((Some(("n".into(), 901)), 1001)));
    }

    #[test]
    fn memory_is_convex_and_ends_at_the_limit() {
        // The square passes the line at n = 10,000,000: a budget far beyond the limit.
        assert_eq!(compared("0.00001*n*n", "100*n"), None);
        assert_eq!(compared("0.01*n*n", "100*n"), Some((Some(("n".into(), 10001)), 1000201)));
    }

    #[test]
    fn products_of_parameters_are_compared_by_coefficients_only() {
        assert_eq!(compared("5*a*b", "6*b*a"), None);
        assert!(compared("5*a*b", "100*a + 100*b").is_some());
    }
}
