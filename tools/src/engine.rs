//! How the tools ask the modular engine: a file with the settings in its header, compiled and verified.

use crate::frontend::first_error;
use hornet_encoder::{Arithmetic, Options, Report, Selection, Silent};
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::{compile, lower};
use hornet_ir::diag::Severity;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::{SourceMap, Span};
use hornet_smt::solver::{Limits, Solver};
use std::time::Duration;

/// What `// args:` lines at the top of a case say about verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub arithmetic: Arithmetic,
    pub inline_depth: u32,
    /// An arithmetic mode is given, so open pragmas mean compilers whose arithmetic wraps.
    prefer_wrapping: bool,
}

impl Settings {
    pub fn of(text: &str) -> Settings {
        let mut settings = Settings { arithmetic: Arithmetic::Mod, inline_depth: 3, prefer_wrapping: false };
        let lines = text.lines().take_while(|line| line.starts_with("//"));
        let words: Vec<&str> =
            lines.filter_map(|l| l.strip_prefix("// args: ")).flat_map(str::split_whitespace).collect();
        for pair in words.windows(2) {
            match pair {
                ["--arithmetic", mode] => {
                    settings.prefer_wrapping = true;
                    settings.arithmetic = match *mode {
                        "int" => Arithmetic::Int,
                        "bv" => Arithmetic::Bv,
                        "mod-overflow" => Arithmetic::ModOverflow,
                        _ => Arithmetic::Mod,
                    };
                }
                ["--inline-depth", depth] => {
                    settings.inline_depth = depth.parse().unwrap_or(settings.inline_depth);
                }
                _ => {}
            }
        }
        settings
    }
}

/// A compiled file.
pub struct Subject {
    pub program: Program,
    pub sources: SourceMap,
    pub settings: Settings,
}

impl Subject {
    /// Compiles a case; `others` are files beside it that it does not import.
    pub fn compile(name: &str, text: &str, others: &[(&str, &str)]) -> Result<Subject, String> {
        let settings = Settings::of(text);
        let options = LoadOptions { prefer_wrapping: settings.prefer_wrapping, ..LoadOptions::in_memory() };
        let mut loader = Loader::new(options);
        let files = || std::iter::once((name, text)).chain(others.iter().copied());
        for (name, text) in files() {
            loader.add_source(name.to_owned(), text.to_owned());
        }
        let loaded = loader.load_names(files().map(|(name, _)| name));
        let compiled = compile(loaded, lower::Options { complete: true, ..lower::Options::default() });
        let failed = compiled.diagnostics.iter().any(|d| d.severity == Severity::Error);
        match compiled.program {
            Some(program) if !failed => Ok(Subject { program, sources: compiled.sources, settings }),
            _ => Err(first_error(&compiled)),
        }
    }

    /// Verifies the contracts of one file.
    pub fn verify(&self, file: &str, solver: &Solver, time: Duration) -> Report {
        let options = Options {
            arithmetic: self.settings.arithmetic,
            inline_depth: self.settings.inline_depth,
            passable: hornet_encoder::Passable::None,
            states_ether: false,
            jobs: 0,
            times: Default::default(),
            solving: hornet_smt::solver::Options {
                solvers: vec![solver.clone()],
                limits: Limits { time, ..Limits::default() },
                ..hornet_smt::solver::Options::default()
            },
        };
        hornet_encoder::verify(&self.program, &OfFile { program: &self.program, file }, &options, &Silent)
    }

    /// `line 12`, for messages.
    pub fn line(&self, span: Span) -> usize {
        let text = &self.sources.file(span.file).text;
        1 + text.get(..span.start as usize).map_or(0, |before| before.matches('\n').count())
    }
}

struct OfFile<'a> {
    program: &'a Program,
    file: &'a str,
}

impl Selection for OfFile<'_> {
    fn contract(&self, contract: ContractId) -> bool {
        self.program.contracts[contract].file == self.file
    }
}

pub fn z3() -> Result<Solver, String> {
    Solver::find("z3", None).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_from_the_header_only() {
        let text = "// args: --arithmetic mod-overflow --inline-depth 2\npragma solidity *;\n// args: --arithmetic bv";
        let settings = Settings::of(text);
        assert_eq!((settings.arithmetic, settings.inline_depth), (Arithmetic::ModOverflow, 2));
        assert_eq!(Settings::of("contract C {}").arithmetic, Arithmetic::Mod);
    }
}
