//! What is to be measured: sources read and compiled, contracts and functions chosen.

use super::args::GasArgs;
use crate::input::{Loaded, Refusal, among, check_folders, contracts_named, load_solidity};
use crate::project::{self, Project};
use hornet_evm::measure::{self, Build, BuildError, NEWEST_FORK, Settings};
use hornet_evm::solc::{Compilers, Message, SolcError, how_to_install};
use hornet_frontend::lower;
use hornet_frontend::source::LoadOptions;
use hornet_frontend::version::Version as Language;
use hornet_gas::ceiling::Subject;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::ids::ContractId;
use hornet_ir::program::ContractKind;
use hornet_ir::span::{FileId, SourceMap, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

pub struct Task {
    pub loaded: Loaded,
    pub warnings: Vec<Diagnostic>,
    /// Why some contracts are not among the targets: no compiler takes them.
    pub failures: Vec<Diagnostic>,
    pub targets: Vec<Target>,
    pub project: Project,
    /// Among the sources, so that what it says can be shown at its place.
    pub hornet_toml: Option<FileId>,
}

/// A contract and the compilation that it came out of.
pub struct Target {
    pub contract: ContractId,
    pub build: Arc<Build>,
}

impl Task {
    pub fn new(args: &GasArgs, project: Project) -> Result<Task, Refusal> {
        check_folders(&args.imports)?;
        let files = project.sources(&args.paths)?;
        let settings = settings(&project.settings)?;
        let compilers = compilers(args, &project.settings)?;
        let compiler = settings.version.and_then(|version| Language::parse(&version.to_string()));
        let options = LoadOptions { compiler, ..project.load_options(&files, &args.imports)? };
        let lowering = lower::Options { complete: true, ..lower::Options::default() };
        let (mut loaded, mut warnings) = load_solidity(&files, options, lowering).loaded()?;
        // What the engines do not model matters to them only: bytecode has everything.
        warnings.retain(|warning| warning.severity != Severity::Unsupported);
        let chosen = chosen(&loaded, args)?;
        let (mut targets, mut failures): (Vec<Target>, Vec<Diagnostic>) = Default::default();
        for unit in &loaded.units {
            let of_unit: Vec<ContractId> =
                chosen.iter().copied().filter(|id| unit.contains(&file_of(&loaded, *id))).collect();
            if of_unit.is_empty() {
                continue;
            }
            match build(&compilers, &loaded, unit, &settings).map(Arc::new) {
                Ok(build) => targets
                    .extend(of_unit.into_iter().map(|contract| Target { contract, build: build.clone() })),
                // The others can be measured all the same.
                Err(e) => failures.extend(refused(&loaded.sources, unit, &e)),
            }
        }
        if targets.is_empty() && !failures.is_empty() {
            return Err(Refusal { sources: loaded.sources, diagnostics: failures });
        }
        if targets.is_empty() {
            return Err("no contract here can be deployed".to_owned().into());
        }
        let own = project.hornet_toml.as_ref();
        let hornet_toml = own.map(|(name, text)| loaded.sources.add(name.as_str(), text.as_str()));
        let task = Task { loaded, warnings, failures, targets, project, hornet_toml };
        task.check_functions(&args.functions)?;
        Ok(task)
    }

    /// Signatures of what can be called in the contracts.
    pub fn functions(&self) -> Vec<String> {
        let program = &self.loaded.program;
        let compiled = self.targets.iter().filter_map(|target| {
            let contract = &program.contracts[target.contract];
            target.build.contract(&contract.file, &contract.name)
        });
        compiled
            .flat_map(|contract| Subject::of_solc(contract).functions)
            .map(|function| function.signature)
            .collect()
    }

    /// Every name asked for is that of a function.
    fn check_functions(&self, names: &[String]) -> Result<(), String> {
        let functions = self.functions();
        let known: Vec<&str> = functions.iter().map(String::as_str).collect();
        match names.iter().find(|name| !known.iter().any(|signature| is_called(signature, name))) {
            Some(name) => Err(format!("no function is called `{name}`{}", among(&known))),
            None => Ok(()),
        }
    }
}

/// By its name or its signature.
pub fn is_called(signature: &str, name: &str) -> bool {
    signature == name || signature.split('(').next() == Some(name)
}

fn settings(stated: &project::Settings) -> Result<Settings, String> {
    let fork = stated.fork.value.unwrap_or(NEWEST_FORK);
    if let Some(target) = stated.evm_version.value.filter(|target| *target > fork) {
        let (target, fork, origin) = (target.name(), fork.name(), &stated.evm_version.origin);
        return Err(format!(
            "code for `{target}` ({origin}) does not run on `{fork}`: `--fork {target}` would"
        ));
    }
    Ok(Settings {
        version: stated.solc.value,
        optimizer_runs: stated.optimizer_runs.value,
        via_ir: stated.via_ir.value,
        fork,
        evm_version: stated.evm_version.value,
        ..Settings::default()
    })
}

fn compilers(args: &GasArgs, settings: &project::Settings) -> Result<Compilers, Refusal> {
    let said = |e: SolcError| e.to_string();
    let compilers = match &args.compiler.solc {
        Some(path) => Compilers::of_program(path).map_err(said)?.0,
        None => Compilers::find().map_err(said)?,
    };
    if let Some(version) = settings.solc.value {
        let origin = &settings.solc.origin;
        compilers.installed(version).map_err(|e| {
            let asked = Diagnostic::unlocated(format!("{e}; asked for by: {origin}"));
            let help = match compilers.versions().first() {
                Some(other) => format!("{}; `--solc-version {other}` takes another", how_to_install(version)),
                None => how_to_install(version),
            };
            Refusal { diagnostics: vec![asked.help(help)], ..Refusal::default() }
        })?;
    }
    Ok(compilers)
}

/// Contracts that can be deployed: those named, or those of the files asked for.
fn chosen(loaded: &Loaded, args: &GasArgs) -> Result<Vec<ContractId>, String> {
    let program = &loaded.program;
    let has_code = |id: &ContractId| {
        let contract = &program.contracts[*id];
        contract.kind == ContractKind::Contract && contract.constructor.is_some()
    };
    if args.contracts.is_empty() {
        let asked = |id: &ContractId| loaded.roots.contains(&program.contracts[*id].file);
        return Ok(program.contracts.ids().filter(|id| asked(id) && has_code(id)).collect());
    }
    let mut found = Vec::new();
    for name in &args.contracts {
        let named = contracts_named(program, name)?;
        if !named.iter().any(has_code) {
            return Err(format!("`{name}` cannot be deployed: it is abstract, an interface or a library"));
        }
        found.extend(named.into_iter().filter(has_code));
    }
    Ok(found)
}

fn file_of(loaded: &Loaded, contract: ContractId) -> FileId {
    let name = &loaded.program.contracts[contract].file;
    file_named(&loaded.sources, name).unwrap_or(FileId(0))
}

fn file_named(sources: &SourceMap, name: &str) -> Option<FileId> {
    sources.files().find(|(_, file)| file.name == name).map(|(id, _)| id)
}

fn build(
    compilers: &Compilers,
    loaded: &Loaded,
    unit: &[FileId],
    settings: &Settings,
) -> Result<Build, BuildError> {
    let source = |id: &FileId| {
        let file = loaded.sources.file(*id);
        (file.name.clone(), file.text.clone())
    };
    let sources: BTreeMap<String, String> = unit.iter().map(source).collect();
    measure::compile(compilers, sources, loaded.remappings.clone(), settings)
}

/// What the compiler has against the sources, at its place.
fn refused(sources: &SourceMap, unit: &[FileId], error: &BuildError) -> Vec<Diagnostic> {
    match error {
        BuildError::Refused(version, messages) => {
            messages.iter().map(|message| located(sources, &version.to_string(), message)).collect()
        }
        // Nothing about the text itself, so it is about which compiler reads it.
        BuildError::Compiler(e) => vec![match pragma(sources, unit) {
            Some(span) => Diagnostic::error(span, e.to_string()),
            None => Diagnostic::unlocated(e.to_string()),
        }],
    }
}

fn located(sources: &SourceMap, version: &str, message: &Message) -> Diagnostic {
    let text = format!("solc {version}: {}", message.text);
    match message.file.as_deref().and_then(|name| file_named(sources, name)) {
        Some(file) => Diagnostic::error(Span::new(file, message.start, message.end), text),
        None => Diagnostic::unlocated(text),
    }
}

/// The first `pragma solidity` of the files.
fn pragma(sources: &SourceMap, unit: &[FileId]) -> Option<Span> {
    unit.iter().find_map(|id| {
        let text = &sources.file(*id).text;
        let start = text.find("pragma solidity")?;
        Some(Span::new(*id, start, start + text[start..].find(';')? + 1))
    })
}
