//! Settings of a project: what `foundry.toml` or `hardhat.config.*` say, then `hornet.toml`, then the command line.

mod commands;
mod foundry;
mod given;
mod hardhat;
mod hornet_toml;
mod literal;
mod setting;
mod targets;
mod unmatched;

use crate::args::{Engine, ExternalCalls, ImportArgs, LeftOut, Override, VerifyArgs};
use crate::input::{Refusal, load_options};
pub use commands::{init, show};
pub use given::Given;
use hornet_evm::machine::Fork;
use hornet_evm::pragma::Version;
use hornet_frontend::source::{LoadOptions, Remapping, find_project_root};
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{SourceMap, Span};
pub use setting::Setting;
use setting::{Mistake, Text};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Spanned;
pub use unmatched::Seen;

/// What the optimizer is told where nobody says anything: what most deployed code was made with.
const USUAL_RUNS: u32 = 200;

#[derive(Clone, Debug)]
pub struct Settings {
    /// Folders and files, from the root of the project.
    pub targets: Setting<Vec<PathBuf>>,
    pub exclude: Setting<Vec<PathBuf>>,
    /// Further folders for imports.
    pub include: Setting<Vec<PathBuf>>,
    pub remappings: Setting<Vec<String>>,
    pub solc: Setting<Option<Version>>,
    /// Not optimized when absent.
    pub optimizer_runs: Setting<Option<u32>>,
    pub via_ir: Setting<bool>,
    pub evm_version: Setting<Option<Fork>>,
    pub fork: Setting<Option<Fork>>,
    pub gas_limit: Setting<Option<u64>>,
    pub gas_timeout: Setting<u64>,
    pub timeout: Setting<Duration>,
    pub total_timeout: Setting<Option<Duration>>,
    pub engine: Setting<Engine>,
    pub ext_calls: Setting<ExternalCalls>,
    pub without: Setting<Vec<LeftOut>>,
    /// By names of contracts.
    pub overrides: BTreeMap<String, Override>,
    /// Where those names stand in `hornet.toml`.
    pub overridden: Vec<Spanned<String>>,
    pub budgets: Vec<StatedBudget>,
    pub accepted: Vec<Accepted>,
}

/// A budget of `hornet.toml`.
#[derive(Clone, Debug)]
pub struct StatedBudget {
    pub contract: String,
    /// Name or signature; `constructor` for the deployment.
    pub function: String,
    pub text: String,
    /// Of the text, in `hornet.toml`.
    pub range: Range<usize>,
}

/// A finding that somebody has looked at and lives with; everything with its place in `hornet.toml`.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub contract: Option<Spanned<String>>,
    pub function: Option<Spanned<String>>,
    pub kind: Option<Spanned<String>>,
    pub reason: Spanned<String>,
}

impl Accepted {
    /// Whether it names this contract.
    pub fn is_about(&self, contract: &str) -> bool {
        self.contract.as_ref().is_some_and(|stated| stated.get_ref() == contract)
    }

    /// Whether this is about a finding; what is not said fits anything.
    pub fn covers(&self, contract: &str, function: &str, kind: &str) -> bool {
        let fits = |stated: &Option<Spanned<String>>, actual: &str| {
            let name = actual.split('(').next().unwrap_or(actual);
            stated.as_ref().map(Spanned::get_ref).is_none_or(|stated| stated == actual || stated == name)
        };
        fits(&self.contract, contract) && fits(&self.function, function) && fits(&self.kind, kind)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            targets: Setting::default(Vec::new()),
            exclude: Setting::default(["test", "tests", "script", "scripts"].map(PathBuf::from).to_vec()),
            include: Setting::default(Vec::new()),
            remappings: Setting::default(Vec::new()),
            solc: Setting::default(None),
            optimizer_runs: Setting::default(Some(USUAL_RUNS)),
            via_ir: Setting::default(false),
            evm_version: Setting::default(None),
            fork: Setting::default(None),
            gas_limit: Setting::default(None),
            gas_timeout: Setting::default(crate::gas::USUAL_SECONDS),
            timeout: Setting::default(Duration::from_secs(10)),
            total_timeout: Setting::default(None),
            engine: Setting::default(Engine::Auto),
            ext_calls: Setting::default(ExternalCalls::Untrusted),
            without: Setting::default(Vec::new()),
            overrides: BTreeMap::new(),
            overridden: Vec::new(),
            budgets: Vec::new(),
            accepted: Vec::new(),
        }
    }
}

/// Where a project is and what it says of itself.
#[derive(Clone)]
pub struct Project {
    pub root: PathBuf,
    pub settings: Settings,
    /// Files that say something, and the text of our own.
    pub files: Vec<String>,
    pub hornet_toml: Option<(String, String)>,
    /// What was not understood.
    pub notes: Vec<String>,
}

const HARDHAT: [&str; 5] = [
    "hardhat.config.js",
    "hardhat.config.ts",
    "hardhat.config.cjs",
    "hardhat.config.mjs",
    "hardhat.config.mts",
];

impl Project {
    /// The project around the first of the paths, or around the current folder.
    pub fn around(paths: &[PathBuf], imports: &ImportArgs) -> Result<Project, Refusal> {
        let start = paths.first().map_or(Path::new("."), PathBuf::as_path);
        let root = imports.root.clone().unwrap_or_else(|| find_project_root(start));
        let mut project = Project {
            root,
            settings: Settings::default(),
            files: Vec::new(),
            hornet_toml: None,
            notes: Vec::new(),
        };
        project.read_files()?;
        Ok(project)
    }

    fn read_files(&mut self) -> Result<(), Refusal> {
        let profile = std::env::var("FOUNDRY_PROFILE").unwrap_or_else(|_| "default".to_owned());
        if let Some((name, text)) = self.file("foundry.toml") {
            self.settings.targets.value = vec!["src".into()];
            foundry::read(&Text { name: &name, text: &text }, &profile, &mut self.settings)
                .map_err(|mistake| refusal(&name, &text, mistake))?;
        } else if let Some((name, text)) = HARDHAT.iter().find_map(|name| self.file(name)) {
            self.settings.targets.value = vec!["contracts".into()];
            self.notes.extend(hardhat::read(&Text { name: &name, text: &text }, &mut self.settings));
        }
        if let Some((name, text)) = self.file("hornet.toml") {
            hornet_toml::read(&Text { name: &name, text: &text }, &mut self.settings)
                .map_err(|mistake| refusal(&name, &text, mistake))?;
            self.hornet_toml = Some((name, text));
        }
        Ok(())
    }

    /// A file of the root folder: how it is shown, and its text.
    fn file(&mut self, name: &str) -> Option<(String, String)> {
        let text = std::fs::read_to_string(self.root.join(name)).ok()?;
        self.files.push(name.to_owned());
        Some((name.to_owned(), text))
    }

    /// The files asked for; those of the project if none are.
    pub fn sources(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        targets::sources(self, paths)
    }

    /// Whether these are all the files that the project has.
    pub fn is_whole(&self, paths: &[PathBuf]) -> bool {
        paths.is_empty() || targets::are_all(self, paths)
    }

    /// Where imports are found.
    pub fn load_options(&self, files: &[PathBuf], imports: &ImportArgs) -> Result<LoadOptions, String> {
        let mut options = load_options(files, imports)?;
        let settings = &self.settings;
        options.include.extend(settings.include.value.iter().map(|folder| self.root.join(folder)));
        for text in &settings.remappings.value {
            let remapping = Remapping::parse(text);
            let remapping = remapping.map_err(|e| format!("{}: {e}", settings.remappings.origin))?;
            if !options.remappings.contains(&remapping) {
                options.remappings.push(remapping);
            }
        }
        Ok(options)
    }

    /// What files say where the command line says nothing.
    pub fn complete(&self, args: &mut VerifyArgs, given: &Given) {
        let settings = &self.settings;
        if !given.has("timeout") {
            args.solver.timeout = settings.timeout.value;
        }
        if !given.has("total_timeout") {
            args.solver.total_timeout = settings.total_timeout.value;
        }
        if !given.has("engine") {
            args.engine.engine = settings.engine.value;
        }
        if !given.has("ext_calls") {
            args.engine.ext_calls = settings.ext_calls.value;
        }
        if !given.has("without") {
            args.without.clone_from(&settings.without.value);
        }
        args.solc = settings.solc.value;
        // What was typed is meant for all contracts.
        let unless_given = |stated: &Override| Override {
            timeout: stated.timeout.filter(|_| !given.has("timeout")),
            engine: stated.engine.filter(|_| !given.has("engine")),
            ext_calls: stated.ext_calls.filter(|_| !given.has("ext_calls")),
        };
        args.overrides =
            settings.overrides.iter().map(|(name, own)| (name.clone(), unless_given(own))).collect();
    }
}

fn refusal(name: &str, text: &str, (range, message): Mistake) -> Refusal {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let span = Span::new(file, range.start, range.end);
    Refusal { sources, diagnostics: vec![Diagnostic::error(span, message)] }
}
