//! `hornet gas`: what the functions of contracts cost.

mod args;
mod budget;
mod contract;
mod formats;
mod growth;
mod number;
mod overhead;
mod remark;
mod report;
mod runs;
mod search;
mod task;
mod text;

use crate::Exit;
use crate::input::Refusal;
use crate::output::print;
use crate::report as diagnostics;
use crate::sarif;
use crate::sources::SourceFiles;
use crate::style::stdout_colour;
pub use args::GasArgs;
use args::GasFormat;
use budget::{Budgets, Verdict};
use contract::{ContractGas, measure_contract};
use hornet_ir::diag::Diagnostic;
use report::{ContractReport, Report};
use search::Search;
use task::Task;

pub fn run(args: &GasArgs) -> Exit {
    match measure(args) {
        Ok(exit) => exit,
        Err(refusal) => refuse(args, &refusal),
    }
}

fn measure(args: &GasArgs) -> Result<Exit, Refusal> {
    let task = Task::new(args)?;
    let sources = &task.loaded.sources;
    let misread = |d: Diagnostic| Refusal { sources: sources.clone(), diagnostics: vec![d] };
    let budgets = Budgets::new(&task.loaded).map_err(misread)?;
    let search = Search::new(args)?;
    let measured = task.targets.iter().map(|target| measure_contract(&task, target, &search));
    let measured: Vec<ContractGas> = measured.collect::<Result<_, String>>()?;
    let contracts = measured.iter().map(|gas| ContractReport::new(gas, &budgets, args));
    let report = Report {
        program: &task.loaded.program,
        files: &SourceFiles::new(sources),
        warnings: &task.warnings,
        measure: args.measure,
        contracts: contracts.collect::<Result<_, _>>().map_err(misread)?,
    };
    print(&match args.output.format {
        GasFormat::Text => report.text(stdout_colour()),
        GasFormat::Json => report.json(),
        GasFormat::Markdown => report.markdown(),
        GasFormat::Sarif => report.sarif(),
    });
    Ok(exit(&report))
}

fn exit(report: &Report) -> Exit {
    let verdict =
        |wanted: fn(&Verdict) -> bool| report.budgets().any(|(_, checked)| wanted(&checked.verdict));
    if verdict(|verdict| matches!(verdict, Verdict::Exceeded(_))) {
        Exit::Found
    } else if verdict(|verdict| matches!(verdict, Verdict::NotShown(_))) {
        Exit::Unknown
    } else {
        Exit::Ok
    }
}

/// The input cannot be measured: says why.
fn refuse(args: &GasArgs, refusal: &Refusal) -> Exit {
    let files = SourceFiles::new(&refusal.sources);
    match args.output.format {
        GasFormat::Json => print(&formats::json::refusal(&files, &refusal.diagnostics)),
        GasFormat::Sarif => print(&sarif::refusal(&files, &refusal.diagnostics)),
        GasFormat::Text | GasFormat::Markdown => {
            diagnostics::report(&refusal.sources, &refusal.diagnostics);
        }
    }
    Exit::BadInput
}
