//! A run as numbered transactions: what is called, by whom, and what it changes.

use super::example::Shortener;
use super::storage::Binding;
use super::told::{Told, ToldOutside, ToldStep};

/// Lines are as long as they need to be where there is no screen, up to this.
const USUAL_WIDTH: usize = 110;
const BETWEEN: usize = 3;

/// A line in columns: the call, who makes it, and the state after it.
struct Row {
    call: String,
    who: String,
    state: String,
}

/// The lines of a run, `width` columns wide if that is possible.
pub fn lines(told: &Told, width: Option<usize>) -> Vec<String> {
    let rows = rows(told);
    let width = width.unwrap_or(USUAL_WIDTH);
    let columns = |text: &str| text.chars().count();
    let widest = |part: fn(&Row) -> &str| rows.iter().map(|row| columns(part(row))).max().unwrap_or(0);
    let (calls, whos, states) = (widest(|r| &r.call), widest(|r| &r.who), widest(|r| &r.state));
    let gap = |n: usize| if n == 0 { 0 } else { BETWEEN };
    // What does not fit beside the calls goes below them.
    let who_beside = calls + BETWEEN + whos <= width;
    let state_beside = who_beside && calls + BETWEEN + whos + gap(states) + states <= width;
    let mut out = Vec::new();
    for row in &rows {
        let mut line = row.call.clone();
        if who_beside && !row.who.is_empty() {
            line = format!("{line:<width$}{}", row.who, width = calls + BETWEEN);
        }
        if state_beside && !row.state.is_empty() {
            line = format!("{line:<width$}{}", row.state, width = calls + BETWEEN + whos + BETWEEN);
        }
        out.push(line.trim_end().to_owned());
        if !who_beside && !row.who.is_empty() {
            out.push(format!("{:indent$}{}", "", row.who, indent = indent_of(row)));
        }
        if !state_beside && !row.state.is_empty() {
            out.extend(wrapped(&row.state, indent_of(row), width));
        }
    }
    out
}

/// Where the text of a call begins, after its number.
fn indent_of(row: &Row) -> usize {
    row.call.chars().take_while(|c| " └─".contains(*c)).count().max("1. ".len())
}

/// `a = 1, b = 2` on as many lines as it takes.
fn wrapped(state: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines = vec![format!("{:indent$}→ ", "")];
    let begin = indent + 2;
    for part in state.split_inclusive(", ") {
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > begin && used + part.trim_end().chars().count() > width {
            lines.push(" ".repeat(begin));
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(part);
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn rows(told: &Told) -> Vec<Row> {
    let mut rows = Vec::new();
    for (i, step) in told.steps.iter().enumerate() {
        rows.push(row(format!("{}. ", i + 1), step));
        let own = rows.len() - 1;
        inside(step, "   ", &mut rows);
        // The state is that at the end, after whatever others did inside, or where they call back, that in which they do.
        let place = if step.is_reentered() { own } else { rows.len() - 1 };
        rows[place].state = listed(step.state_beside(true));
        if !step.afterwards.is_empty() {
            let state = listed(&step.afterwards);
            rows.push(Row { call: "   afterwards".to_owned(), who: String::new(), state });
        }
    }
    let texts = rows.iter().flat_map(|row| [row.call.as_str(), row.who.as_str(), row.state.as_str()]);
    let short = Shortener::new(texts);
    let shorten = |row: &Row| Row {
        call: short.apply(&row.call),
        who: short.apply(&row.who),
        state: short.apply(&row.state),
    };
    rows.iter().map(shorten).collect()
}

fn row(before: String, step: &ToldStep) -> Row {
    let value = (step.value != "0").then(|| format!("value: {}", wei(&step.value)));
    let gas = step.gas.map(|gas| format!("gas: {gas}"));
    let options: Vec<String> = value.into_iter().chain(gas).collect();
    let options = if options.is_empty() { String::new() } else { format!(" {{{}}}", options.join(", ")) };
    let contract = if step.caller_is_contract { " (contract)" } else { "" };
    let origin = step.origin.as_ref().map(|origin| format!(", tx.origin {origin}")).unwrap_or_default();
    let block: String = step.environment.iter().map(|b| format!(", {} {}", b.name, b.value)).collect();
    let who = match &step.function {
        Some(_) => format!("from {}{contract}{origin}{block}", step.caller),
        None => block.trim_start_matches(", ").to_owned(),
    };
    Row { call: format!("{before}{}{options}", step.call), who, state: String::new() }
}

/// What others do inside a call, as a tree.
fn inside(step: &ToldStep, indent: &str, rows: &mut Vec<Row>) {
    for outside in &step.outside {
        for inner in &outside.reenters {
            let state = listed(inner.state_beside(false));
            rows.push(Row { state, ..row(format!("{indent}└─ reenters "), inner) });
            inside(inner, &format!("{indent}   "), rows);
        }
        if !outside.writes.is_empty() {
            let written: Vec<String> =
                outside.writes.iter().map(|b| format!("{} = {}", b.name, number(&b.value))).collect();
            let call = format!("{indent}└─ {} writes {}", outside.target, written.join(", "));
            rows.push(Row { call, who: String::new(), state: String::new() });
        }
        if let Some(answer) = answer(outside) {
            let call = format!("{indent}└─ {answer}");
            rows.push(Row { call, who: String::new(), state: String::new() });
        }
    }
}

/// What the callee does otherwise, if that is worth a line.
fn answer(outside: &ToldOutside) -> Option<String> {
    match (outside.succeeds, outside.returns.is_empty()) {
        (false, _) => Some(format!("{} reverts", outside.target)),
        (true, false) if outside.returns.bytes().any(|b| b != b'0' && b != b'x') => {
            Some(format!("{} returns {}", outside.target, number(&outside.returns)))
        }
        // Nothing, or zeros.
        (true, _) => None,
    }
}

/// One word is most likely a number.
fn number(hex: &str) -> String {
    let digits = hex.trim_start_matches("0x");
    match u64::from_str_radix(digits.trim_start_matches('0'), 16) {
        Ok(number) if digits.len() == 64 => number.to_string(),
        _ => hex.to_owned(),
    }
}

fn listed(bindings: &[Binding]) -> String {
    bindings.iter().map(|b| format!("{} = {}", b.name, b.value)).collect::<Vec<_>>().join(", ")
}

/// Whole ethers as such.
pub fn wei(amount: &str) -> String {
    match amount.strip_suffix(&"0".repeat(18)) {
        Some(ethers) if !ethers.is_empty() => format!("{ethers} ether"),
        _ => format!("{amount} wei"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(call: &str, value: &str, state: &[(&str, &str)]) -> ToldStep {
        let binding = |(name, value): &(&str, &str)| Binding { name: (*name).into(), value: (*value).into() };
        ToldStep {
            contract: None,
            address: None,
            action: "call".into(),
            call: call.into(),
            function: Some("f".into()),
            arguments: Vec::new(),
            caller: format!("0x{:040x}", 0xb2),
            caller_is_contract: false,
            origin: None,
            value: value.into(),
            gas: None,
            starved_at: None,
            environment: Vec::new(),
            outside: Vec::new(),
            state: state.iter().map(binding).collect(),
            meanwhile: Vec::new(),
            afterwards: Vec::new(),
        }
    }

    fn example() -> Told {
        let mut last = step("withdraw(2)", "0", &[]);
        last.caller_is_contract = true;
        last.outside.push(ToldOutside {
            span: None,
            target: format!("0x{:040x}", 0xb2),
            value: "2".into(),
            succeeds: true,
            returns: String::new(),
            reenters: vec![step("withdraw(1)", "0", &[])],
            writes: Vec::new(),
        });
        let deposit = step("deposit()", "2000000000000000000", &[("total", "2"), ("count", "1")]);
        Told {
            steps: vec![step("Bank()", "0", &[]), deposit, last],
            switched_off: Vec::new(),
            test: None,
            compiler: None,
        }
    }

    #[test]
    fn columns() {
        let expected = [
            "1. Bank()                      from 0xb2",
            "2. deposit() {value: 2 ether}   from 0xb2              total = 2, count = 1",
        ];
        let lines = lines(&example(), Some(100));
        assert_eq!(
            lines[0].split_whitespace().collect::<Vec<_>>(),
            expected[0].split_whitespace().collect::<Vec<_>>()
        );
        assert_eq!(lines[1], expected[1]);
        assert_eq!(lines[2], "3. withdraw(2)                  from 0xb2 (contract)");
        assert_eq!(lines[3], "   └─ reenters withdraw(1)      from 0xb2");
    }

    /// The state beside a call back is that in which it is made, not that which is left when everything is over.
    #[test]
    fn the_state_of_each_moment() {
        let mut told = example();
        let last = &mut told.steps[2];
        last.state = example().steps[1].state.clone();
        last.meanwhile = vec![Binding { name: "paid".into(), value: "2".into() }];
        last.afterwards = vec![Binding { name: "total".into(), value: "0".into() }];
        last.outside[0].reenters[0].meanwhile = vec![Binding { name: "total".into(), value: "1".into() }];
        let lines = lines(&told, Some(100));
        assert!(lines[2].starts_with("3. withdraw(2)") && lines[2].ends_with("   paid = 2"), "{lines:?}");
        assert!(lines[3].contains("reenters") && lines[3].ends_with("   total = 1"), "{lines:?}");
        assert!(lines[4].starts_with("   afterwards ") && lines[4].ends_with("   total = 0"), "{lines:?}");
    }

    #[test]
    fn narrow_screens() {
        let lines = lines(&example(), Some(60));
        assert_eq!(lines[2], "   → total = 2, count = 1");
        assert!(lines.iter().all(|line| line.chars().count() <= 60), "{lines:?}");
    }

    #[test]
    fn amounts() {
        assert_eq!(wei("2"), "2 wei");
        assert_eq!(wei("1000000000000000000"), "1 ether");
        assert_eq!(number(&format!("0x{:064x}", 7)), "7");
        assert_eq!(number("0x01"), "0x01");
    }
}
