//! The `hornet` binary: commands, reports, exit codes. Nothing else in the workspace knows about them.

mod args;
mod built_in;
mod files;
mod finding;
mod gas;
mod input;
mod ir_command;
mod lsp;
mod manual;
mod output;
mod page;
mod plugin;
mod project;
mod report;
mod rows;
mod run;
mod sarif;
mod signature;
mod sources;
mod style;
mod verify;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use project::Given;
use std::process::ExitCode;

/// How a command ends; the numbers are part of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    Ok,
    /// Something was found: a check that fails, a run on which interpreter and EVM disagree.
    Found,
    /// Bad input or usage.
    BadInput,
    /// Nothing found, but something could not be said.
    Unknown,
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Ok => 0,
            Exit::Found => 1,
            Exit::BadInput => 2,
            Exit::Unknown => 3,
            Exit::Interrupted => verify::INTERRUPTED,
        })
    }
}

/// Deeply nested input is walked recursively in places; address space is free until it is touched.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    if let Some(done) = hornet_smt::solver::worker_if_asked().or_else(built_in::worker_if_asked) {
        return done;
    }
    let mut words = std::env::args_os();
    if plugin::is_meant(words.next().as_ref()) {
        return plugin::run(&words.collect::<Vec<_>>());
    }
    let matches = Cli::command().get_matches();
    let given = Given::of(&matches);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|e| e.exit());
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || dispatch(cli, &given));
    match worker.map(|thread| thread.join()) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => {
            eprintln!("hornet: this is a bug in hornet, please report it with the input that shows it");
            ExitCode::from(70)
        }
        Err(e) => {
            eprintln!("hornet: cannot start: {e}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(cli: Cli, given: &Given) -> ExitCode {
    match cli.command {
        Command::Verify(args) => verify::run(*args, given).into(),
        Command::Gas(args) => gas::run(*args, given).into(),
        Command::Init(args) => project::init(args.folder.as_deref()).into(),
        Command::Config(args) => project::show(args.folder.as_deref()).into(),
        Command::Ir(args) => ir_command::run(&args).into(),
        Command::Run(args) => run::run(&args).into(),
        Command::Lsp => lsp::run(),
        Command::Solc(args) => plugin::run(&args.words),
        Command::Completions(args) => manual::completions(args.shell).into(),
        Command::Man(args) => manual::pages(&args).into(),
    }
}
