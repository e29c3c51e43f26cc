//! `hornet init` and `hornet config`.

use super::{Project, Setting, Settings};
use crate::Exit;
use crate::args::ImportArgs;
use crate::output::print;
use crate::report;
use clap::ValueEnum;
use hornet_evm::solc::Compilers;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Writes a commented `hornet.toml`; never over one that is there.
pub fn init(folder: Option<&Path>) -> Exit {
    let path = folder.unwrap_or(Path::new(".")).join("hornet.toml");
    let written = match path.exists() {
        true => Err("it is there already".to_owned()),
        false => std::fs::write(&path, TEMPLATE).map_err(|e| e.to_string()),
    };
    match written {
        Ok(()) => {
            print(&format!("Wrote `{}`; everything in it is a comment until you want it.\n", path.display()));
            Exit::Ok
        }
        Err(why) => {
            eprintln!("error: cannot write `{}`: {why}", path.display());
            Exit::BadInput
        }
    }
}

/// Shows what is in force, and who says so.
pub fn show(folder: Option<&Path>) -> Exit {
    let imports = ImportArgs { root: folder.map(PathBuf::from), include: Vec::new(), remap: Vec::new() };
    match Project::around(&[], &imports) {
        Ok(project) => {
            print(&table(&project));
            Exit::Ok
        }
        Err(refusal) => {
            report::report(&refusal.sources, &refusal.diagnostics);
            Exit::BadInput
        }
    }
}

fn table(project: &Project) -> String {
    let files = if project.files.is_empty() { "none".to_owned() } else { project.files.join(", ") };
    let mut out = format!("project {}, settings from {files}\n", project.root.display());
    let rows = rows(&project.settings);
    let widths = [0, 1].map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0));
    for [name, value, origin] in rows {
        out += &format!("  {name:0$}  {value:1$}  {origin}\n", widths[0], widths[1]);
    }
    // Imports follow these wherever they are read, so they are no setting.
    let remappings = std::fs::read_to_string(project.root.join("remappings.txt")).unwrap_or_default();
    for remapping in remappings.lines().map(str::trim).filter(|line| !line.is_empty()) {
        out += &format!("  remapping {remapping}  remappings.txt\n");
    }
    for (name, own) in &project.settings.overrides {
        let parts = [
            own.timeout.map(|time| format!("timeout {} s", time.as_secs_f64())),
            own.engine.map(|engine| format!("engine {}", word(&engine))),
            own.ext_calls.map(|policy| format!("external calls {}", word(&policy))),
        ];
        out += &format!("  for {name}: {}\n", parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    }
    for budget in &project.settings.budgets {
        out += &format!("  budget of {}.{}: {}\n", budget.contract, budget.function, budget.text);
    }
    for accepted in &project.settings.accepted {
        let part = |part: &Option<Spanned<String>>| {
            part.as_ref().map_or_else(|| "any".to_owned(), |part| part.get_ref().clone())
        };
        let [contract, function, kind] = [&accepted.contract, &accepted.function, &accepted.kind].map(part);
        out += &format!("  accepted: {kind} in {contract}.{function}: {}\n", accepted.reason.get_ref());
    }
    out += &match Compilers::find() {
        Ok(compilers) => format!("  compilers {}\n", compilers.names()),
        Err(why) => format!("  {why}\n"),
    };
    for note in &project.notes {
        out += &format!("  {note}\n");
    }
    out
}

fn rows(settings: &Settings) -> Vec<[String; 3]> {
    fn row<T>(name: &str, setting: &Setting<T>, show: impl Fn(&T) -> String) -> [String; 3] {
        [name.to_owned(), show(&setting.value), setting.origin.to_string()]
    }
    let paths = |paths: &Vec<PathBuf>| match paths.as_slice() {
        [] => "–".to_owned(),
        paths => paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "),
    };
    fn or<T: Display>(value: &Option<T>, nothing: &str) -> String {
        value.as_ref().map_or_else(|| nothing.to_owned(), T::to_string)
    }
    vec![
        row("targets", &settings.targets, paths),
        row("exclude", &settings.exclude, paths),
        row("libraries", &settings.include, paths),
        row("remappings", &settings.remappings, |all| {
            if all.is_empty() { "–".to_owned() } else { all.join(", ") }
        }),
        row("solc", &settings.solc, |version| or(version, "by the pragmas")),
        row("optimizer runs", &settings.optimizer_runs, |runs| or(runs, "off")),
        row("via IR", &settings.via_ir, bool::to_string),
        row("EVM version", &settings.evm_version, |fork| or(&fork.map(|f| f.name()), "as the fork")),
        row("fork", &settings.fork, |fork| or(&fork.map(|f| f.name()), "the newest")),
        row("gas limit", &settings.gas_limit, |gas| or(gas, "of the chain")),
        row("gas timeout", &settings.gas_timeout, |time| format!("{time} s")),
        row("timeout", &settings.timeout, |time| format!("{} s", time.as_secs_f64())),
        row("total timeout", &settings.total_timeout, |time| or(&time.map(|t| t.as_secs_f64()), "none")),
        row("engine", &settings.engine, word),
        row("external calls", &settings.ext_calls, word),
        row("without", &settings.without, |kinds| match kinds.as_slice() {
            [] => "–".to_owned(),
            kinds => kinds.iter().map(word).collect::<Vec<_>>().join(", "),
        }),
    ]
}

/// As it is typed.
fn word<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

const TEMPLATE: &str = include_str!("template.toml");
