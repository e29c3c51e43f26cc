//! A counterexample as a small table in Solidity's notation.

use hornet_encoder::{Binding, Counterexample};
use std::collections::HashMap;

/// Names longer than this do not widen their column.
const NAME_WIDTH: usize = 32;
/// Values are cut where nobody could read them anyway.
const SHORTEST_VALUE: usize = 24;

/// Rows of `section  name = value`, none if nothing is known; `width` is that of the screen.
pub fn table(example: &Counterexample, width: Option<usize>) -> Vec<String> {
    let environment = worth_knowing(example);
    let sections = [
        ("called with", &example.parameters),
        ("environment", &environment),
        ("before", &example.state_before),
        ("locals", &example.locals),
        ("after", &example.state_after),
    ];
    let bindings = || sections.iter().flat_map(|(_, bindings)| bindings.iter());
    let short = Shortener::new(bindings().flat_map(|b| [b.name.as_str(), b.value.as_str()]));
    let names = bindings().map(|b| short.apply(&b.name).chars().count());
    let column = names.filter(|n| *n <= NAME_WIDTH).max().unwrap_or(0);
    let mut rows = Vec::new();
    for (title, bindings) in sections {
        for (i, Binding { name, value }) in bindings.iter().enumerate() {
            let title = if i == 0 { title } else { "" };
            let left = format!("{title:<11}  {:<column$} = ", short.apply(name));
            rows.push(fit(left, &short.apply(value), width));
        }
    }
    rows
}

/// The environment without what nobody would miss: no ether, and our own address if nothing else mentions it.
fn worth_knowing(example: &Counterexample) -> Vec<Binding> {
    let Counterexample { parameters, state_before, locals, state_after, environment } = example;
    let others = || [parameters, state_before, locals, state_after].into_iter().flatten().chain(environment);
    let mentioned = |own: &Binding| {
        others().any(|b| {
            b.name != own.name && (b.value == own.value || b.name.contains(&format!("[{}]", own.value)))
        })
    };
    let known = |b: &&Binding| match b.name.as_str() {
        "msg.value" => b.value != "0",
        "this" => mentioned(b),
        _ => true,
    };
    environment.iter().filter(known).cloned().collect()
}

fn fit(left: String, value: &str, width: Option<usize>) -> String {
    let used = left.chars().count();
    match width {
        Some(width) if used + value.chars().count() > width => {
            let room = width.saturating_sub(used + 1).max(SHORTEST_VALUE);
            let shown: String = value.chars().take(room).collect();
            if shown.len() < value.len() { format!("{left}{shown}…") } else { left + value }
        }
        _ => left + value,
    }
}

/// Long hexadecimal literals (addresses, hashes) by their ends, as long as that tells them apart.
pub struct Shortener {
    short: HashMap<String, String>,
}

impl Shortener {
    pub fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Shortener {
        let mut short: HashMap<String, String> = HashMap::new();
        for (literal, _) in texts.flat_map(|text| pieces(text).into_iter().filter(|(_, long)| *long)) {
            short.insert(literal.to_owned(), shortened(literal));
        }
        let mut users: HashMap<String, usize> = HashMap::new();
        for form in short.values() {
            *users.entry(form.clone()).or_default() += 1;
        }
        short.retain(|_, form| users[form] == 1);
        Shortener { short }
    }

    pub fn apply(&self, text: &str) -> String {
        pieces(text)
            .into_iter()
            .map(|(piece, _)| self.short.get(piece).map_or(piece, String::as_str))
            .collect()
    }
}

/// Fewer digits are read as they are. Addresses have more, and numbers that are written in hexadecimal.
const LONG: usize = 25;

/// The text in pieces; true for those that are long hexadecimal literals.
fn pieces(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut plain = 0;
    while let Some(at) = rest[plain..].find("0x").map(|at| at + plain) {
        let digits = rest[at + 2..].find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len() - at - 2);
        let end = at + 2 + digits;
        let inside_word = rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if digits < LONG || inside_word {
            plain = end;
            continue;
        }
        found.push((&rest[..at], false));
        found.push((&rest[at..end], true));
        rest = &rest[end..];
        plain = 0;
    }
    found.push((rest, false));
    found
}

/// `0x00…00b2` as `0xb2`, others as `0xd8dA…6045`.
fn shortened(literal: &str) -> String {
    let digits = &literal[2..];
    let significant = digits.trim_start_matches('0');
    if significant.len() <= 8 {
        let even = significant.len() + significant.len() % 2;
        return format!("0x{}", &digits[digits.len() - even.max(2)..]);
    }
    format!("0x{}…{}", &digits[..4], &digits[digits.len() - 4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(name: &str, value: &str) -> Binding {
        Binding { name: name.into(), value: value.into() }
    }

    #[test]
    fn columns_are_aligned_and_sections_named_once() {
        let example = Counterexample {
            parameters: vec![binding("to", "0x05"), binding("amount", "3")],
            state_before: vec![binding("balances[0x05]", "0")],
            ..Counterexample::default()
        };
        let rows = table(&example, None);
        assert_eq!(
            rows,
            [
                "called with  to             = 0x05",
                "             amount         = 3",
                "before       balances[0x05] = 0"
            ]
        );
    }

    #[test]
    fn our_own_address_is_shown_where_it_matters() {
        let mut example = Counterexample {
            environment: vec![
                binding("this", "0x05"),
                binding("msg.value", "0"),
                binding("msg.sender", "0x06"),
            ],
            ..Counterexample::default()
        };
        assert_eq!(table(&example, None), ["environment  msg.sender = 0x06"]);
        example.state_before.push(binding("balances[0x05]", "1"));
        assert_eq!(table(&example, None).len(), 3);
    }

    #[test]
    fn long_literals_are_cut_only_while_they_differ() {
        let a = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
        let b = "0xd8dA000000000000000000000000000000006045";
        let alone = Shortener::new([a].into_iter());
        assert_eq!(alone.apply(&format!("balances[{a}]")), "balances[0xd8dA…6045]");
        let both = Shortener::new([a, b].into_iter());
        assert_eq!(both.apply(a), a);
        let small = format!("0x{:040x}", 0xb2);
        assert_eq!(Shortener::new([small.as_str()].into_iter()).apply(&small), "0xb2");
        assert_eq!(shortened(&format!("0x{:040x}", 0)), "0x00");
    }

    #[test]
    fn values_fit_the_screen() {
        let left = || "before  data = ".to_owned();
        let long = "1".repeat(200);
        assert_eq!(fit(left(), &long, Some(60)).chars().count(), 60);
        assert_eq!(fit(left(), &long, None).chars().count(), 215);
        assert_eq!(fit(left(), "12", Some(60)), "before  data = 12");
    }
}
