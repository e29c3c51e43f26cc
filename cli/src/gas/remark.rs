//! What somebody should know about a function beside numbers: loops without end, limits of the chain, stipends.

use super::args::Measure;
use super::contract::FunctionGas;
use super::number::thousands;
use hornet_evm::machine::Fork;
use hornet_gas::ceiling::{Entry, Formula, ParameterKind, Reason};
use hornet_ir::span::Span;

/// `transfer` and `send` leave the receiver this much.
pub const STIPEND: u64 = 2300;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// There is no bound.
    Unbounded,
    /// There was no time to find a bound.
    OutOfTime,
    /// Rounds of a loop depend on something stored that may grow.
    StorageLoop,
    /// Long arguments or much that is stored take more than a transaction can have.
    GasLimit,
    /// Receiving plain ether takes more than `transfer` leaves.
    Stipend,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::Unbounded, Kind::OutOfTime, Kind::StorageLoop, Kind::GasLimit, Kind::Stipend];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Unbounded => "unbounded",
            Kind::OutOfTime => "out-of-time",
            Kind::StorageLoop => "storage-loop",
            Kind::GasLimit => "gas-limit",
            Kind::Stipend => "stipend",
        }
    }
}

pub struct Remark {
    pub kind: Kind,
    pub message: String,
    /// Where, and a few words for it.
    pub place: Option<(Span, String)>,
    pub help: Option<String>,
}

pub fn remarks(function: &FunctionGas, limit: GasLimit) -> Vec<Remark> {
    let mut found = unbounded(function);
    found.extend(storage_loops(function));
    found.extend(limit.passed_by(function));
    found.extend(stipend(function));
    found
}

/// One remark for each reason; loops are told one by one.
fn unbounded(function: &FunctionGas) -> Vec<Remark> {
    if function.is_out_of_time() {
        return vec![Remark {
            kind: Kind::OutOfTime,
            message: format!("the ceiling of `{}` is unknown: out of time", function.signature),
            place: function.span.map(|span| (span, String::new())),
            help: Some("a larger `--timeout`; `--timeout 0` has no limit".to_owned()),
        }];
    }
    let mut found: Vec<Remark> = Vec::new();
    for blame in &function.ceiling.blames {
        let (what, label, help) = words(blame.reason);
        let message = format!("`{}` has no bound on its gas: {what}", function.signature);
        // Code that several functions share has the place of any of them.
        let own = |span: &Span| {
            function.span.is_some_and(|f| f.file == span.file && f.start <= span.start && span.end <= f.end)
        };
        let place = function.place(blame.pc);
        let place = if blame.reason == Reason::Loop { place } else { place.filter(own) };
        let place = place.or(function.span).map(|span| (span, label.to_owned()));
        let told = |known: &Remark| {
            known.message == message && (known.place == place || blame.reason != Reason::Loop)
        };
        if !found.iter().any(told) {
            found.push(Remark { kind: Kind::Unbounded, message, place, help: help.map(str::to_owned) });
        }
    }
    if found.is_empty() && function.ceiling.execution.is_endless() {
        found.push(Remark {
            kind: Kind::Unbounded,
            message: format!("`{}` has no bound on its gas", function.signature),
            place: function.span.map(|span| (span, String::new())),
            help: None,
        });
    }
    found
}

/// What is wrong, a label for the place, what would help.
fn words(reason: Reason) -> (&'static str, &'static str, Option<&'static str>) {
    match reason {
        Reason::Loop => {
            ("nothing limits the rounds of a loop", "how often this runs is not known", Some(LIMIT_ROUNDS))
        }
        Reason::Recursion => ("it calls itself", "calls itself", Some("a loop with a limit can be bounded")),
        Reason::Length => {
            ("a length is not known when the transaction begins", "uses a length that is not known", None)
        }
        Reason::Jump => ("it jumps to a place that is computed", "where this leads is computed", None),
        Reason::Time => ("out of time", "", None),
        Reason::Effort => ("there are more ways through it than were looked at", "too many ways", None),
    }
}

const LIMIT_ROUNDS: &str =
    "let callers say how many rounds to do, or keep a limit beside what is iterated over";

/// One remark for each stored quantity, at the first loop that it drives.
fn storage_loops(function: &FunctionGas) -> Vec<Remark> {
    let parameters = function.ceiling.execution.parameters();
    let mut told: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for each in &function.ceiling.loops {
        let stored = each.parameters.iter().copied().find(|at| {
            parameters[*at].stored && parameters[*at].kind == ParameterKind::Given && !told.contains(at)
        });
        let Some(at) = stored else { continue };
        told.push(at);
        let name = &parameters[at].name;
        let span = function.place(each.pc).or(function.span);
        found.push(Remark {
            kind: Kind::StorageLoop,
            message: format!("gas of `{}` grows with `{name}`, which is stored", function.signature),
            place: span.map(|span| (span, format!("one round for each unit of `{name}`"))),
            help: Some(LIMIT_ROUNDS.to_owned()),
        });
    }
    found
}

/// How much gas one transaction can have.
#[derive(Clone, Copy, Debug)]
pub struct GasLimit {
    pub gas: u64,
    what: &'static str,
}

impl GasLimit {
    pub fn new(fork: Fork, stated: Option<u64>) -> GasLimit {
        match stated {
            Some(gas) => GasLimit { gas, what: "the limit" },
            None if fork >= Fork::Osaka => GasLimit { gas: 1 << 24, what: "the limit of a transaction" },
            None => GasLimit { gas: 30_000_000, what: "the limit of a block" },
        }
    }

    fn passed_by(self, function: &FunctionGas) -> Option<Remark> {
        let execution = function.ceiling.execution.formula()?;
        let whole = function.overhead.with_execution(&execution, Measure::Transaction).unwrap_or(execution);
        let parameters = function.ceiling.execution.parameters();
        let driving: Vec<&str> = (function.ceiling.loops.iter().flat_map(|l| &l.parameters))
            .map(|at| parameters[*at].name.as_str())
            .collect();
        let named = parameters.iter().filter(|p| !matches!(p.kind, ParameterKind::Unknown(_)));
        let mut names: Vec<&str> = named.map(|p| p.name.as_str()).filter(|n| driving.contains(n)).collect();
        names.sort_unstable();
        names.dedup();
        let from = |name: &str| Some(format!("{name} = {}", thousands(self.first_above(&whole, name)?)));
        let when: Vec<String> = names.into_iter().filter_map(from).collect();
        let (gas, what) = (thousands(self.gas), self.what);
        let message = match when.as_slice() {
            _ if whole.offset > self.gas => format!("may take more than {what}, {gas} gas"),
            [] => return None,
            _ => format!("may pass {what}, {gas} gas, from {} on", when.join(" or ")),
        };
        Some(Remark { kind: Kind::GasLimit, message, place: None, help: None })
    }

    /// The least value of the parameter, all others zero, for which the formula is above the limit.
    fn first_above(self, formula: &Formula, name: &str) -> Option<u64> {
        let above = |n: u64| {
            let value = |other: &str| if other == name { n as f64 } else { 0.0 };
            formula.at(value) > self.gas as f64
        };
        let (mut low, mut high) = (0_u64, 1_u64 << 53);
        if !above(high) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if above(middle) { high = middle } else { low = middle + 1 }
        }
        Some(low)
    }
}

fn stipend(function: &FunctionGas) -> Option<Remark> {
    let receives = match function.ceiling.entry {
        Entry::Receive => true,
        Entry::Fallback => function.accepts_ether,
        Entry::Selector(_) => false,
    };
    let most = function.ceiling.execution.constant();
    if !receives || most.is_some_and(|most| most <= STIPEND) {
        return None;
    }
    let most = most.map_or_else(|| "without a bound".to_owned(), |most| format!("up to {}", thousands(most)));
    Some(Remark {
        kind: Kind::Stipend,
        message: format!("receiving ether may take more gas than the 2,300 that `transfer` leaves: {most}"),
        place: function.span.map(|span| (span, "called with 2,300 gas by `transfer` and `send`".to_owned())),
        help: Some("do no more here than emit an event; let callers use a function for the rest".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornet_gas::ceiling::Product;

    #[test]
    fn the_first_value_above_a_limit() {
        let limit = GasLimit { gas: 1000, what: "the limit" };
        let product = |coefficient, names: &[&str]| Product {
            coefficient,
            parameters: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let formula =
            Formula { offset: 100, products: vec![product(9.0, &["n"]), product(1.0, &["n", "n"])] };
        // 100 + 9·26 + 26² = 1010, and 25 makes 950.
        assert_eq!(limit.first_above(&formula, "n"), Some(26));
        assert_eq!(limit.first_above(&formula, "m"), None);
    }
}
