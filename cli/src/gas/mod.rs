//! `hornet gas`: what the functions of contracts cost.

mod args;
mod budget;
mod contract;
mod detail;
mod formats;
mod growth;
mod invariants;
pub mod number;
mod overhead;
mod remark;
mod report;
mod runs;
mod search;
mod snapshot;
mod task;
mod text;
mod witness_out;

use crate::Exit;
use crate::args::VerifyArgs;
use crate::input::Refusal;
use crate::output::print;
use crate::project::{Accepted, Given, Project, Seen};
use crate::report as diagnostics;
use crate::sarif;
use crate::sources::SourceFiles;
use crate::style::Screen;
use crate::verify::interrupt;
use args::GasFormat;
pub use args::{GasArgs, USUAL_SECONDS};
use budget::{Budgets, Verdict};
use contract::{ContractGas, measure_contract};
use hornet_ir::diag::{Diagnostic, Severity};
use remark::Kind;
use report::{ContractReport, Report};
use search::Search;
use serde_json::Value;
use snapshot::Known;
use std::path::PathBuf;
use task::Task;
pub use task::is_called;

pub fn run(args: GasArgs, given: &Given) -> Exit {
    let args = args.with_sources_told_apart();
    match measure(&args, given) {
        Ok(exit) => exit,
        Err(refusal) => refuse(&args, &refusal),
    }
}

/// What remarks are called where somebody accepts them.
pub fn kind_names() -> impl Iterator<Item = &'static str> {
    Kind::ALL.into_iter().map(Kind::name)
}

/// What programs are told, for whoever verifies the same sources with the project's settings; or why there is nothing.
/// What is missing is said on the terminal, too, where nobody looks into the report.
pub fn document(args: &VerifyArgs, project: Project) -> Result<Value, String> {
    let args = GasArgs::beside(args);
    let looked = look_at(&args, project, |report| {
        warn_of_missing(report.files, report.failures);
        // Only strings, numbers and lists: what is written can be read.
        Ok(serde_json::from_str(&report.json()).unwrap_or_default())
    });
    looked.map_err(|Refusal { sources, diagnostics }| {
        warn_of_missing(&SourceFiles::new(&sources), &diagnostics);
        diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; ")
    })
}

/// The verification itself has not failed.
fn warn_of_missing(files: &SourceFiles, why: &[Diagnostic]) {
    let warning = |d: &Diagnostic| Diagnostic {
        severity: Severity::Warning,
        message: format!("gas is missing in the report: {}", d.message),
        ..d.clone()
    };
    let errors = why.iter().filter(|d| d.severity == Severity::Error);
    let warnings: Vec<Diagnostic> = errors.map(warning).collect();
    eprint!("{}", diagnostics::render(files, &warnings, Screen::stderr()));
}

fn measure(args: &GasArgs, given: &Given) -> Result<Exit, Refusal> {
    let project = Project::around(&args.paths, &args.imports)?;
    let project = with_flags(project, args, given);
    let known = known(args)?;
    look_at(args, project, |report| {
        if interrupt::asked() {
            return Ok(Exit::Interrupted);
        }
        if let Some(folder) = &args.output.witness_out {
            report.write_witnesses(folder)?;
        }
        print(&match args.output.format {
            GasFormat::Text => report.text(Screen::stdout(), !args.functions.is_empty()),
            GasFormat::Json => report.json(),
            GasFormat::Markdown => report.markdown(),
            GasFormat::Sarif => report.sarif(),
            GasFormat::Html => report.html(),
        });
        if !report.failures.is_empty() {
            // A snapshot of a part would look like one of the whole.
            failed(report, args.output.format);
            return Ok(Exit::BadInput);
        }
        let dearer = against_snapshot(report, args, known.as_ref())?;
        Ok(if dearer { Exit::Found } else { exit(report) })
    })
}

/// Measures everything and gives somebody a look at it.
fn look_at<T>(
    args: &GasArgs,
    project: Project,
    look: impl FnOnce(&Report) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let task = Task::new(args, project)?;
    let sources = &task.loaded.sources;
    let misread = |d: Diagnostic| Refusal { sources: sources.clone(), diagnostics: vec![d] };
    let budgets = Budgets::new(&task).map_err(misread)?;
    interrupt::listen();
    let search = Search::new(task.project.settings.gas_timeout.value, args.measure, task.functions().len())?;
    let measured = task.targets.iter().map(|target| measure_contract(&task, target, &search));
    let measured: Vec<ContractGas> = measured.collect::<Result<_, String>>()?;
    search.end();
    let contracts = measured.iter().map(|gas| ContractReport::new(gas, &budgets, args, &task));
    let contracts = contracts.collect::<Result<Vec<_>, _>>().map_err(misread)?;
    let warnings = [task.failures.as_slice(), &task.warnings, &unmatched(&task, args, &contracts)].concat();
    let report = Report {
        program: &task.loaded.program,
        files: &SourceFiles::new(sources),
        warnings: &warnings,
        failures: &task.failures,
        measure: args.measure,
        contracts,
    };
    look(&report)
}

/// What `hornet.toml` says that is about nothing.
fn unmatched(task: &Task, args: &GasArgs, contracts: &[ContractReport]) -> Vec<Diagnostic> {
    let Some(file) = task.hornet_toml else { return Vec::new() };
    let (settings, program) = (&task.project.settings, &task.loaded.program);
    let seen = Seen { program, whole: task.project.is_whole(&args.paths), file };
    let is_judged = |accepted: &Accepted| {
        let kind = accepted.kind.as_ref().map(|kind| kind.get_ref().as_str());
        // Whether there was time is another question each time.
        let is_remark =
            kind.is_some_and(|k| k != Kind::OutOfTime.name() && kind_names().any(|name| name == k));
        let measured = |c: &ContractReport| accepted.is_about(&program.contracts[c.gas.contract].name);
        let is_seen = match accepted.contract {
            Some(_) => contracts.iter().any(measured),
            None => seen.whole && args.contracts.is_empty(),
        };
        is_remark && is_seen && args.functions.is_empty()
    };
    let covers_any = |accepted: &Accepted| contracts.iter().any(|contract| contract.is_covered(accepted));
    let mut found = seen.strange_names(settings);
    found.extend(seen.stale(settings, is_judged, covers_any));
    found
}

/// What was typed wins over what files say.
fn with_flags(mut project: Project, args: &GasArgs, given: &Given) -> Project {
    let (settings, flags) = (&mut project.settings, &args.compiler);
    settings.solc.flag(flags.solc_version.map(Some));
    settings.optimizer_runs.flag(flags.optimizer_runs.map(Some).or(flags.no_optimizer.then_some(None)));
    settings.via_ir.flag(flags.via_ir.then_some(true));
    settings.evm_version.flag(flags.evm_version.map(Some));
    settings.fork.flag(flags.fork.map(Some));
    settings.gas_limit.flag(flags.gas_limit.map(Some));
    settings.gas_timeout.flag(given.has("timeout").then_some(args.timeout));
    project
}

/// Says what could not be measured where the report does not.
fn failed(report: &Report, format: GasFormat) {
    match format {
        GasFormat::Text | GasFormat::Json | GasFormat::Sarif => {}
        GasFormat::Markdown | GasFormat::Html => {
            eprint!("{}", diagnostics::render(report.files, report.failures, Screen::stderr()));
        }
    }
}

/// The snapshot to compare with. It is read before anything is measured, which takes long.
fn known(args: &GasArgs) -> Result<Option<Known>, Refusal> {
    let given = args.output.check.as_ref();
    given.map(|given| Known::read(&snapshot_file(given), args.measure)).transpose()
}

fn snapshot_file(given: &Option<PathBuf>) -> PathBuf {
    given.clone().unwrap_or_else(|| snapshot::USUAL_FILE.into())
}

/// Writes a snapshot, or compares with one; true if something is dearer than in it.
fn against_snapshot(report: &Report, args: &GasArgs, known: Option<&Known>) -> Result<bool, Refusal> {
    if let Some(given) = &args.output.snapshot {
        snapshot::write(report, &snapshot_file(given))?;
    }
    let Some(known) = known else { return Ok(false) };
    let (told, dearer) = known.compared_with(report, args.output.tolerance);
    // What other formats print is for programs, which take the exit code.
    match args.output.format {
        GasFormat::Text | GasFormat::Markdown => print(&told),
        GasFormat::Json | GasFormat::Sarif | GasFormat::Html => eprint!("{told}"),
    }
    Ok(dearer)
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
        GasFormat::Text | GasFormat::Markdown | GasFormat::Html => {
            diagnostics::report(&refusal.sources, &refusal.diagnostics);
        }
    }
    Exit::BadInput
}
