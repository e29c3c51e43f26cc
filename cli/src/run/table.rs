//! The calls of a run, one row each.

use crate::style::{Ink, Screen, paint};
use hornet_ir::U256;
use std::io::Write;

pub struct Row {
    pub call: String,
    pub from: String,
    pub value: U256,
    pub good: bool,
    pub unsupported: bool,
    pub result: String,
    /// What the EVM says, if it was asked and says something else.
    pub evm: Option<Result<(), String>>,
    pub gas: Option<u64>,
    pub logs: Vec<String>,
}

pub struct Table {
    contract: String,
    file: String,
    compiler: Option<String>,
    rows: Vec<Row>,
}

impl Table {
    pub fn new(contract: &str, file: &str, compiler: Option<String>) -> Table {
        Table { contract: contract.to_owned(), file: file.to_owned(), compiler, rows: Vec::new() }
    }

    pub fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub fn differs(&self) -> bool {
        self.rows.iter().any(|r| matches!(r.evm, Some(Err(_))))
    }

    pub fn print(&self) {
        let text = self.render(Screen::stdout().colour);
        // Nobody reading any more is not an error.
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
    }

    fn render(&self, colour: bool) -> String {
        let mut header = vec!["".to_owned(), "call".to_owned(), "from".to_owned(), "result".to_owned()];
        let compared = self.compiler.is_some();
        if compared {
            header.insert(3, "gas".to_owned());
            header.insert(4, "EVM".to_owned());
        }
        let cells: Vec<Vec<String>> = self.rows.iter().enumerate().map(|(i, r)| self.cells(i, r)).collect();
        let width = |column: usize| {
            let texts = cells.iter().chain([&header]).map(|row| row[column].chars().count());
            texts.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let beside = self.compiler.as_ref().map(|c| format!(", beside {c}")).unwrap_or_default();
        let mut out = format!(
            "{} {}\n",
            paint(colour, Ink::Strong, &self.contract),
            paint(colour, Ink::Dim, &format!("({}) on the interpreter{beside}", self.file))
        );
        out.push_str(&paint(colour, Ink::Dim, line(&header, &widths).trim_end()));
        out.push('\n');
        for (row, cells) in self.rows.iter().zip(&cells) {
            out.push_str(&self.row(colour, row, cells, &widths));
        }
        out.push_str(&self.summary(colour));
        out
    }

    fn cells(&self, index: usize, row: &Row) -> Vec<String> {
        let number = if index == 0 { String::new() } else { index.to_string() };
        let call = if row.value.is_zero() || row.call.contains("value:") {
            row.call.clone()
        } else {
            format!("{} + {} wei", row.call, row.value)
        };
        let mut cells = vec![number, call, row.from.clone()];
        if self.compiler.is_some() {
            cells.push(row.gas.map(grouped).unwrap_or_default());
            cells.push(match &row.evm {
                Some(Ok(())) => "same".to_owned(),
                Some(Err(_)) => "DIFFERS".to_owned(),
                None => String::new(),
            });
        }
        cells.push(row.result.clone());
        cells
    }

    fn row(&self, colour: bool, row: &Row, cells: &[String], widths: &[usize]) -> String {
        let last = cells.len() - 1;
        let mut out = line(&cells[..last], widths);
        let ink = match (row.good, row.unsupported) {
            (true, _) => Ink::Good,
            (false, true) => Ink::Caution,
            (false, false) => Ink::Bad,
        };
        out.push_str(&paint(colour, ink, &row.result));
        out.push('\n');
        let indent = widths[0] + 4;
        for log in &row.logs {
            out.push_str(&paint(colour, Ink::Dim, &format!("{:indent$}└ {log}\n", "")));
        }
        if let Some(Err(theirs)) = &row.evm {
            out.push_str(&paint(colour, Ink::Bad, &format!("{:indent$}└ EVM: {theirs}\n", "")));
        }
        out
    }

    fn summary(&self, colour: bool) -> String {
        let calls = self.rows.len().saturating_sub(1);
        let reverted = self.rows.iter().filter(|r| !r.good && !r.unsupported).count();
        let unsupported = self.rows.iter().filter(|r| r.unsupported).count();
        let mut parts = vec![format!("{calls} call{}", if calls == 1 { "" } else { "s" })];
        if reverted > 0 {
            parts.push(format!("{reverted} reverted"));
        }
        if unsupported > 0 {
            parts.push(format!("{unsupported} unsupported"));
        }
        if self.compiler.is_some() {
            parts.push(match self.rows.iter().filter(|r| matches!(r.evm, Some(Err(_)))).count() {
                0 => "results, logs and storage the same on the EVM".to_owned(),
                n => format!("{n} DIFFERENT on the EVM"),
            });
        }
        let ink = if self.differs() { Ink::Bad } else { Ink::Strong };
        format!("\n  {}\n", paint(colour, ink, &parts.join(" · ")))
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut out = String::from("  ");
    for (cell, width) in cells.iter().zip(widths) {
        let pad = width.saturating_sub(cell.chars().count());
        out.push_str(cell);
        out.push_str(&" ".repeat(pad + 2));
    }
    out
}

/// `1234567` as `1,234,567`.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}
