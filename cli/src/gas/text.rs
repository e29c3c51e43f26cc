//! What people read: a table for each contract, then what deserves attention at its place in the source.

use super::args::Measure;
use super::budget::{Checked, Verdict};
use super::contract::{ContractGas, Deployment, FunctionGas};
use super::growth::Growth;
use super::number::{coefficient, thousands};
use super::remark::{Kind, Remark};
use super::report::{FunctionReport, Report};
use super::runs::Run;
use crate::finding::{Finding, Title};
use crate::report;
use crate::style::{Ink, Screen, paint};
use console::measure_text_width;
use hornet_gas::ceiling::ParameterKind;

const UNKNOWN: &str = "–";

impl Report<'_> {
    pub fn text(&self, screen: Screen, details: bool) -> String {
        let mut out = report::render(self.files, self.warnings, screen);
        for contract in &self.contracts {
            out += &self.contract_text(contract.gas, &contract.functions, screen);
            out.push('\n');
        }
        if details {
            out += &self.details(screen.colour);
        }
        for (name, checked) in self.budgets() {
            out += &budget_finding(&name, checked).map_or_else(String::new, |f| f.render(self.files, screen));
        }
        let remarks = self.contracts.iter().flat_map(|c| &c.functions).flat_map(|f| &f.remarks);
        for remark in remarks.filter(|remark| remark.kind != Kind::GasLimit) {
            out += &finding(remark).render(self.files, screen);
        }
        out
    }

    fn contract_text(&self, gas: &ContractGas, functions: &[FunctionReport], screen: Screen) -> String {
        let colour = screen.colour;
        let name = paint(colour, Ink::Strong, &self.program.contracts[gas.contract].name);
        let mut out = format!("{name} ({}): {} gas\n", settings_of(gas), self.measure.name());
        let mut rows = vec![Row::titles()];
        rows.extend(self.rows(gas, functions));
        fit(&mut rows, screen.width);
        let widths = widths(&rows);
        for (at, row) in rows.iter().enumerate() {
            let line = row.line(&widths);
            out += &if at == 0 { paint(colour, Ink::Dim, &line) } else { line };
            out.push('\n');
            for part in &row.below {
                out += &format!("{:BELOW$}{part}\n", "");
            }
            for note in &row.notes {
                out += &paint(colour, Ink::Caution, &format!("   └ {note}"));
                out.push('\n');
            }
        }
        for invariant in &gas.invariants {
            out += &format!("proved and taken for granted of every run: {invariant}\n");
        }
        out
    }

    /// Functions, then the deployment.
    pub fn rows(&self, gas: &ContractGas, functions: &[FunctionReport]) -> Vec<Row> {
        let mut rows: Vec<Row> = functions.iter().map(|function| self.row(function)).collect();
        rows.push(deployment_row(&gas.deployment, self.measure));
        rows
    }

    fn row(&self, report: &FunctionReport) -> Row {
        let function = report.function;
        let run = function.runs.dearest();
        let limit = report.remarks.iter().filter(|remark| remark.kind == Kind::GasLimit);
        Row {
            cells: [
                function.signature.clone(),
                run.map_or(UNKNOWN.to_owned(), |run| thousands(run.gas(self.measure))),
                self.ceiling_cell(function),
                run.and_then(Run::ratio).map_or(UNKNOWN.to_owned(), |ratio| format!("{ratio:.2}")),
                self.formula_cell(function),
                match function.runs.classes.len() {
                    0 => UNKNOWN.to_owned(),
                    n => format!("{n}{}", if function.runs.incomplete.is_some() { "+" } else { "" }),
                },
            ],
            below: Vec::new(),
            notes: function.growth.iter().map(growth_note).chain(limit.map(|r| r.message.clone())).collect(),
        }
    }

    /// A number, also where it holds for the dearest run only.
    fn ceiling_cell(&self, function: &FunctionGas) -> String {
        let formula = function.ceiling_of(self.measure);
        match formula {
            _ if function.is_out_of_time() => "unknown".to_owned(),
            _ if !function.is_bounded() => "unbounded".to_owned(),
            Some(formula) if formula.products.is_empty() => thousands(formula.offset),
            _ => {
                let run = function.runs.dearest();
                let extra = run.map_or(0, |run| run.overhead(self.measure));
                let of_run = run.and_then(|run| run.ceiling);
                of_run.map_or_else(|| "grows".to_owned(), |ceiling| thousands(ceiling + extra))
            }
        }
    }

    /// Shown where the ceiling is no number, as far as it means something.
    fn formula_cell(&self, function: &FunctionGas) -> String {
        let mut parameters = function.ceiling.execution.parameters().iter();
        let strange = parameters.any(|parameter| matches!(parameter.kind, ParameterKind::Unknown(_)));
        let Some(mut formula) = function.ceiling_of(self.measure).filter(|_| !strange) else {
            return String::new();
        };
        if formula.products.is_empty() {
            return String::new();
        }
        // Memory costs by its square, which nobody notices before it is very large.
        let all = formula.products.len();
        formula.products.retain(|product| product.coefficient >= NOTICEABLE);
        let rest = if formula.products.len() < all { " + …" } else { "" };
        formula.show(coefficient) + rest
    }
}

/// Gas for each unit, or each product of units, that is worth a column.
const NOTICEABLE: f64 = 0.001;

/// `solc 0.8.37, optimizer 200 runs, osaka`
pub fn settings_of(gas: &ContractGas) -> String {
    let settings = &gas.build.settings;
    let optimizer = match settings.optimizer_runs {
        Some(runs) => format!("optimizer {runs} runs"),
        None => "no optimizer".to_owned(),
    };
    let mut parts = vec![gas.build.output.compiler(), optimizer];
    if settings.via_ir {
        parts.push("via IR".to_owned());
    }
    let fork = gas.build.fork;
    parts.push(match gas.build.target {
        Some(target) if target != fork => format!("code for {} on {}", target.name(), fork.name()),
        _ => fork.name().to_owned(),
    });
    parts.join(", ")
}

fn deployment_row(deployment: &Deployment, measure: Measure) -> Row {
    let bytes = format!("{} bytes of code", thousands(deployment.code_bytes as u64));
    let (seen, note) = match &deployment.measured {
        Ok(measured) => (thousands(measure.of(measured)), bytes),
        Err(why) => (UNKNOWN.to_owned(), format!("{bytes}; {why}")),
    };
    let cells = ["(deployment)".to_owned(), seen, String::new(), String::new(), note, String::new()];
    let arguments = deployment.arguments.as_ref().filter(|_| deployment.measured.is_ok());
    let with =
        arguments.map(|arguments| format!("dearest arguments found: {}", shortened(&arguments.join(", "))));
    Row { cells, below: Vec::new(), notes: with.into_iter().collect() }
}

/// Longer arguments are cut.
const LONGEST: usize = 100;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

const COLUMNS: usize = 6;
const FORMULA: usize = 4;
const BETWEEN_COLUMNS: usize = 3;
/// What goes on below a row stands further in than the row.
const BELOW: usize = 5;

pub struct Row {
    pub cells: [String; COLUMNS],
    /// The rest of a formula that is too long for its column.
    below: Vec<String>,
    notes: Vec<String>,
}

impl Row {
    fn titles() -> Row {
        let cells = ["function", "worst seen", "ceiling", "tight", "formula", "classes"];
        Row { cells: cells.map(str::to_owned), below: Vec::new(), notes: Vec::new() }
    }

    /// Names and formulas on the left of their columns, numbers on the right.
    fn line(&self, widths: &[usize; COLUMNS]) -> String {
        let mut line = String::new();
        for (at, (cell, width)) in self.cells.iter().zip(widths).enumerate() {
            let space = " ".repeat(width - measure_text_width(cell));
            let (before, after) =
                if [0, FORMULA].contains(&at) { ("", space.as_str()) } else { (space.as_str(), "") };
            let between = if at == 0 { 0 } else { BETWEEN_COLUMNS };
            line += &format!("{:between$}{before}{cell}{after}", "");
        }
        line.trim_end().to_owned()
    }
}

fn widths(rows: &[Row]) -> [usize; COLUMNS] {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(&row.cells) {
            *width = (*width).max(measure_text_width(cell));
        }
    }
    widths
}

/// Where the screen is too narrow, formulas get what the other columns leave, and go on below their rows.
fn fit(rows: &mut [Row], screen: Option<usize>) {
    let Some(screen) = screen else { return };
    let wanted = widths(rows);
    let others = wanted.iter().sum::<usize>() - wanted[FORMULA] + BETWEEN_COLUMNS * (COLUMNS - 1);
    let room = screen.saturating_sub(others).max(measure_text_width(&rows[0].cells[FORMULA]));
    for row in rows {
        if measure_text_width(&row.cells[FORMULA]) > room {
            let whole = std::mem::take(&mut row.cells[FORMULA]);
            (row.cells[FORMULA], row.below) = broken(&whole, room, screen.saturating_sub(BELOW));
        }
    }
}

/// Between terms: what fits into the row, which may be nothing, and the lines below it.
fn broken(formula: &str, room: usize, line: usize) -> (String, Vec<String>) {
    let mut first = String::new();
    let mut below: Vec<String> = Vec::new();
    for (at, term) in formula.split(" + ").enumerate() {
        let term = if at == 0 { term.to_owned() } else { format!(" + {term}") };
        let (last, most) = match below.last_mut() {
            Some(last) => (last, line),
            None => (&mut first, room),
        };
        if measure_text_width(last) + measure_text_width(&term) <= most {
            last.push_str(&term);
        } else {
            below.push(term.trim_start().to_owned());
        }
    }
    (first, below)
}

fn finding(remark: &Remark) -> Finding {
    let title = if remark.kind == Kind::OutOfTime { Title::Unknown } else { Title::Warning };
    Finding {
        places: remark.place.iter().cloned().collect(),
        notes: remark.help.iter().map(|help| format!("help: {help}")).collect(),
        ..Finding::new(title, &remark.message)
    }
}

/// Nothing for a budget that is kept.
fn budget_finding(name: &str, checked: &Checked) -> Option<Finding> {
    let (title, what) = match checked.verdict {
        Verdict::Within => return None,
        Verdict::Exceeded(_) => (Title::Violated, "takes more gas than its budget"),
        Verdict::NotShown(_) => (Title::Unknown, "is not shown to stay within its budget"),
    };
    let why = checked.verdict.why().unwrap_or_default().to_owned();
    Some(Finding {
        places: vec![(checked.budget.span, why)],
        ..Finding::new(title, format!("`{name}` {what}"))
    })
}

/// `confirmed: 22,301 more for each to.length in runs with 1, 2, 4, 8`
fn growth_note(growth: &Growth) -> String {
    let sizes: Vec<String> = growth.points.iter().map(|(size, ..)| size.to_string()).collect();
    let (name, sizes) = (&growth.parameter, sizes.join(", "));
    match growth.slopes() {
        Some((seen, _)) => {
            let word = if growth.is_confirmed() { "confirmed" } else { "not confirmed" };
            format!("{word}: {} more for each {name} in runs with {sizes}", thousands(seen.max(0.0) as u64))
        }
        None => format!("not confirmed: only runs with {name} = {sizes} return"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(formula: &str) -> Vec<Row> {
        let cells = ["f(uint256[])", "1,161", "1,231", "1.06", formula, "7"];
        let row = Row { cells: cells.map(str::to_owned), below: Vec::new(), notes: Vec::new() };
        vec![Row::titles(), row]
    }

    #[test]
    fn long_formulas_go_on_below_their_row() {
        let formula = "523 + 177·values.length + 22,100·names.length + 31·names.length·values.length";
        let mut narrow = rows(formula);
        fit(&mut narrow, Some(80));
        let widths = widths(&narrow);
        assert!(narrow.iter().all(|row| measure_text_width(&row.line(&widths)) <= 80));
        assert_eq!(narrow[1].cells[FORMULA], "523 + 177·values.length");
        assert_eq!(narrow[1].below, ["+ 22,100·names.length + 31·names.length·values.length"]);
        // A pipe has as many columns as it takes, and so may a screen.
        for screen in [None, Some(200)] {
            let mut wide = rows(formula);
            fit(&mut wide, screen);
            assert!(wide[1].cells[FORMULA] == formula && wide[1].below.is_empty());
        }
        assert_eq!(
            broken("12,345·a + 1", 3, 9),
            (String::new(), vec!["12,345·a".to_owned(), "+ 1".to_owned()])
        );
    }
}
