//! `hornet verify`: which checks hold on all runs, which fail and how.

mod accepted;
mod asked;
mod board;
mod compiler;
mod confirm;
mod contract;
mod evidence;
mod example;
mod explain;
mod formats;
mod foundry;
mod idle;
mod inside;
pub mod interrupt;
mod left_behind;
mod left_out;
mod memory;
pub mod progress;
mod select;
mod shorten;
mod solvers;
pub mod storage;
mod strategy;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod told;
mod transactions;
mod unmatched;
mod watch;
mod why;

use crate::Exit;
use crate::args::{ArithmeticMode, Engine, FailOn, Format, VerifyArgs};
use crate::gas;
use crate::input::{Input, Loaded, Refusal, check_folders, load_solidity};
use crate::output::print;
use crate::project::{Accepted, Given, Project};
use crate::report;
use crate::sarif;
use crate::sources::SourceFiles;
use crate::style::Screen;
pub use example::{Shortener, table as example_table};
use formats::PageFormat;
use formats::json::Document;
pub use foundry::{file_name as test_file_name, relative as import_path};
use hornet_encoder::{Arithmetic, Check, FunctionVerdict, Options, Passable, Progress, Verdict};
use hornet_frontend::lower;
use hornet_frontend::source::LoadOptions;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::ids::ContractId;
use hornet_ir::span::SourceMap;
use hornet_smt::solver;
use hornet_symbolic::exec::write_out_short_loops;
pub use interrupt::EXIT_CODE as INTERRUPTED;
use memory::Memory;
use progress::Display;
use select::Chosen;
use solvers::Solvers;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use strategy::Answers;
use summary::Summary;
pub use text::Results;
use text::Style;
pub use text::plural;
pub use told::{Told, ToldStep};
pub use transactions::{lines as transaction_lines, wei};

/// How sources are lowered for verification.
pub const LOWERING: lower::Options = lower::Options { via_ir: false, debug_reverts: false, complete: true };

pub fn run(args: VerifyArgs, given: &Given) -> Exit {
    if args.output.watch { watch::run(&args, given) } else { run_once(args, given, |_| ()) }
}

/// `read` gets to know which sources were read.
fn run_once(mut args: VerifyArgs, given: &Given, read: impl FnOnce(&SourceMap)) -> Exit {
    let began = Instant::now();
    let project = match Project::around(&args.paths, &args.imports) {
        Ok(project) => project,
        Err(refusal) => return refuse(&args, &refusal),
    };
    project.complete(&mut args, given);
    let args = &args;
    let task = match Task::new(args, &project) {
        Ok(task) => task,
        Err(refusal) => {
            read(&refusal.sources);
            return refuse(args, &refusal);
        }
    };
    read(&task.loaded.sources);
    interrupt::listen();
    let solvers = task.solvers.describe();
    let progress = Display::new(args.solver.total_timeout);
    let (answers, remembered) = task.answers(args, &progress);
    progress.end();
    let mut sources = task.loaded.sources.clone();
    let warnings =
        [task.warnings.clone(), unmatched::warnings(&task, args, &project, &answers, &mut sources)];
    let (files, mut warnings) = (SourceFiles::new(&sources), warnings.concat());
    if answers.report.functions.is_empty() && args.functions.is_empty() {
        warnings.push(task.has_nothing());
    }
    let results = task.results(args, &files, &answers, &warnings, &project.settings.accepted);
    let report = &answers.report;
    if interrupt::asked() {
        return interrupted(args, &results);
    }
    if let ([], [name, ..]) = (report.functions.as_slice(), args.functions.as_slice()) {
        let why = format!(
            "`{name}` is verified only as part of what calls it: name that, or give it a specification"
        );
        return refuse(args, &why.into());
    }
    let tests = match args.output.test_out.as_ref().map(|folder| results.write_tests(folder)) {
        Some(Err(why)) => return refuse(args, &why.into()),
        Some(Ok(tests)) => tests,
        None => 0,
    };
    let left_behind = left_behind::told(&results, &answers, &args.output, tests);
    let gas = args.output.gas.then(|| gas::document(args, project.clone()));
    let solvers = solvers.join().unwrap_or_default();
    let (time, left_out) = (began.elapsed(), args.without.clone());
    let summary = Summary { time, solvers, left_out, remembered, gas, left_behind };
    for (format, path) in &task.reports {
        if let Err(e) = std::fs::write(path, results.in_format(*format, &summary)) {
            return refuse(args, &format!("--report: cannot write `{}`: {e}", path.display()).into());
        }
    }
    print(&match PageFormat::of(args.output.format) {
        Some(format) => results.in_format(format, &summary),
        None => results.render(style(args), &summary),
    });
    tolerated(exit(&results), args.output.fail_on)
}

/// Verifies what was read and gives somebody a look at the results, quietly.
pub fn look_at<T>(
    input: Input,
    args: &VerifyArgs,
    look: impl FnOnce(&Results<'_>) -> T,
) -> Result<T, Refusal> {
    let task = Task::of(args, || Ok(input))?;
    let (answers, _) = task.answers(args, &Display::hidden(args.solver.total_timeout));
    let files = SourceFiles::under_their_names(&task.loaded.sources);
    Ok(look(&task.results(args, &files, &answers, &task.warnings, &[])))
}

/// What is to be done, once the input is understood.
struct Task {
    loaded: Loaded,
    warnings: Vec<Diagnostic>,
    chosen: Chosen,
    solvers: Solvers,
    memory: Option<Memory>,
    reports: Vec<(PageFormat, PathBuf)>,
}

impl Task {
    fn new(args: &VerifyArgs, project: &Project) -> Result<Task, Refusal> {
        check_folders(&args.imports)?;
        compiler::check_stated()?;
        let files = project.sources(&args.paths)?;
        let mut task = Task::of(args, || {
            // An open pragma that admits compilers whose arithmetic wraps means these, if somebody asks for a mode.
            let prefer_wrapping = args.engine.arithmetic.is_some();
            let imports = LoadOptions { prefer_wrapping, ..project.load_options(&files, &args.imports)? };
            let lowering = lower::Options { via_ir: project.settings.via_ir.value, ..LOWERING };
            Ok(load_solidity(&files, imports, lowering))
        })?;
        // A job that looks at the wrong file would pass for ever.
        if task.loaded.is_empty && args.contracts.is_empty() {
            return Err(format!("nothing to verify: there is no contract in {}", task.roots()).into());
        }
        task.warnings.extend(compiler::missing(&project.settings, &task.loaded));
        Ok(task)
    }

    /// Whatever can be wrong with the options is told before anything is read.
    fn of(args: &VerifyArgs, read: impl FnOnce() -> Result<Input, String>) -> Result<Task, Refusal> {
        let solvers = Solvers::find(&args.solver)?;
        let reports = formats::reports(&args.output.reports)?;
        for (option, folder) in
            [("--test-out", &args.output.test_out), ("--certificate", &args.output.certificate)]
        {
            if let Some(folder) = folder {
                std::fs::create_dir_all(folder)
                    .map_err(|e| format!("{option}: cannot make `{}`: {e}", folder.display()))?;
            }
        }
        let (mut loaded, mut warnings) = read()?.loaded()?;
        write_out_short_loops(&mut loaded.program);
        // What is imported matters as far as it is used, and then the checks that use it say so.
        warnings.retain(|w| w.span.is_none_or(|s| loaded.roots.contains(&loaded.sources.file(s.file).name)));
        let chosen = Chosen::new(&loaded, args)?;
        let memory = Memory::of(args, &loaded, &solvers);
        Ok(Task { loaded, warnings, chosen, solvers, memory, reports })
    }

    /// Files with types, interfaces, free functions: fine, but nobody has been asked anything.
    fn has_nothing(&self) -> Diagnostic {
        let message = format!("there are no functions to verify in {}", self.roots());
        Diagnostic { severity: Severity::Warning, ..Diagnostic::unlocated(message) }
    }

    /// The files asked for, or how many they are.
    fn roots(&self) -> String {
        match self.loaded.roots.as_slice() {
            few @ ([] | [_] | [_, _] | [_, _, _]) => {
                few.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            }
            many => format!("any of {} files", many.len()),
        }
    }

    /// What the engines find out, or have found out before; whether it is that.
    fn answers(&self, args: &VerifyArgs, progress: &Display) -> (Answers, bool) {
        if let Some(answers) = self.memory.as_ref().and_then(Memory::recall) {
            return (answers, true);
        }
        let answers = strategy::decide(self, args, progress);
        if let Some(memory) = self.memory.as_ref().filter(|_| !progress.cancelled()) {
            memory.keep(&answers);
        }
        (answers, false)
    }

    fn results<'r>(
        &'r self,
        args: &VerifyArgs,
        files: &'r SourceFiles<'r>,
        answers: &'r Answers,
        diagnostics: &'r [Diagnostic],
        accepted: &'r [Accepted],
    ) -> Results<'r> {
        Results {
            program: &self.loaded.program,
            files,
            report: &answers.report,
            evidence: &answers.evidence,
            diagnostics,
            time_limit: args.solver.timeout,
            accepted,
        }
    }

    fn options(&self, args: &VerifyArgs) -> Options {
        let solving = solver::Options {
            memory: self.memory.as_ref().map(Memory::store),
            ..self.solvers.options(&args.solver)
        };
        Options {
            arithmetic: match args.engine.arithmetic.unwrap_or(ArithmeticMode::Mod) {
                ArithmeticMode::Int => Arithmetic::Int,
                ArithmeticMode::Bv => Arithmetic::Bv,
                ArithmeticMode::Mod => Arithmetic::Mod,
                ArithmeticMode::ModOverflow => Arithmetic::ModOverflow,
            },
            inline_depth: args.engine.inline_depth,
            passable: Passable::None,
            states_ether: args.engine.engine != Engine::Modular,
            jobs: args.solver.jobs.map_or(0, |jobs| jobs as usize),
            solving,
            times: self.times(args),
        }
    }

    /// Of contracts that the project says something of.
    fn times(&self, args: &VerifyArgs) -> BTreeMap<ContractId, Duration> {
        let stated = |name: &str| args.overrides.get(name).and_then(|own| own.timeout);
        let contracts = self.loaded.program.contracts.iter_ids();
        contracts.filter_map(|(id, contract)| Some((id, stated(&contract.name)?))).collect()
    }
}

/// What is accepted counts as if it were fine.
fn exit(results: &Results) -> Exit {
    let report = results.report;
    let open = |check: &&Check| results.is_open(check);
    let functions = || report.functions.iter().enumerate().filter(|(index, _)| !results.lived_with(*index));
    let failed = functions().any(|(_, function)| function.verdict == FunctionVerdict::Error);
    if failed || report.checks.iter().filter(open).any(|c| c.verdict == Verdict::Violated) {
        return Exit::Found;
    }
    let all_proved = !report.checks.iter().any(|check| open(&check));
    let all_ok = functions().all(|(_, function)| function.verdict == FunctionVerdict::Ok);
    if all_proved && all_ok { Exit::Ok } else { Exit::Unknown }
}

/// What the user wants to hear of it from the exit code.
fn tolerated(exit: Exit, fail_on: FailOn) -> Exit {
    match (fail_on, exit) {
        (FailOn::Violated, Exit::Unknown) | (FailOn::Never, Exit::Unknown | Exit::Found) => Exit::Ok,
        _ => exit,
    }
}

/// The input cannot be verified: says why.
fn refuse(args: &VerifyArgs, refusal: &Refusal) -> Exit {
    match args.output.format {
        Format::Json => {
            print(
                &Document::of_diagnostics(&SourceFiles::new(&refusal.sources), &refusal.diagnostics).text(),
            );
        }
        Format::Sarif => {
            let files = SourceFiles::new(&refusal.sources);
            print(&sarif::refusal(&files, &refusal.diagnostics));
        }
        Format::Text | Format::Junit | Format::Markdown | Format::Html => {
            report::report(&refusal.sources, &refusal.diagnostics);
        }
    }
    Exit::BadInput
}

/// What was found until then is still worth knowing; what was not found says nothing.
fn interrupted(args: &VerifyArgs, results: &Results) -> Exit {
    if args.output.format == Format::Text {
        print(&results.violated(style(args)));
    }
    eprintln!("hornet: interrupted");
    Exit::Interrupted
}

fn style(args: &VerifyArgs) -> Style {
    Style {
        screen: Screen::stdout(),
        show_proved: args.output.show_proved,
        errors_only: args.output.errors_only,
        explain: args.output.explain,
    }
}
