//! From files named on the command line to a program.

use crate::args::{ImportArgs, SourceArgs};
use crate::report::report;
use hornet_frontend::hir::{GasBudget, Hir};
use hornet_frontend::lower;
use hornet_frontend::source::{LoadOptions, LoadedSources, Loader, Remapping};
use hornet_frontend::version::Version;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ContractKind, Program};
use hornet_ir::span::{FileId, SourceMap, Span};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub struct Loaded {
    pub sources: SourceMap,
    pub program: Program,
    /// Names of the files asked for, as opposed to imported ones.
    pub roots: Vec<String>,
    /// They hold nothing but comments, pragmas and imports.
    pub is_empty: bool,
    /// So that solc finds the same files.
    pub remappings: Vec<String>,
    /// The sets of files that are compiled together.
    pub units: Vec<Vec<FileId>>,
    /// What each file was read as.
    pub languages: BTreeMap<FileId, Version>,
    /// Budgets of gas in annotations.
    pub budgets: Vec<Budget>,
    /// Evaluated in the order of code that is made by way of Yul.
    pub via_ir: bool,
}

impl Loaded {
    /// Which of the units a contract is compiled in.
    pub fn unit_of(&self, contract: ContractId) -> Option<usize> {
        let name = &self.program.contracts[contract].file;
        let (file, _) = self.sources.files().find(|(_, source)| source.name == *name)?;
        self.units.iter().position(|unit| unit.contains(&file))
    }
}

/// What a function may cost, as its annotation says.
pub struct Budget {
    /// The function's.
    pub function: Span,
    /// The text after `gas <=`.
    pub text: String,
    pub span: Span,
}

/// Why there is no program.
#[derive(Default)]
pub struct Refusal {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal { diagnostics: vec![Diagnostic::unlocated(message)], ..Refusal::default() }
    }
}

/// Files that were read, whether or not they make a program.
#[derive(Default)]
pub struct Input {
    sources: SourceMap,
    program: Option<Program>,
    diagnostics: Vec<Diagnostic>,
    roots: Vec<String>,
    is_empty: bool,
    remappings: Vec<String>,
    units: Vec<Vec<FileId>>,
    languages: BTreeMap<FileId, Version>,
    budgets: Vec<Budget>,
    via_ir: bool,
}

impl Input {
    fn failed(message: String) -> Input {
        Input { diagnostics: vec![Diagnostic::unlocated(message)], ..Input::default() }
    }

    /// The program, if nothing is wrong with it, and what there is to say about it.
    pub fn loaded(self) -> Result<(Loaded, Vec<Diagnostic>), Refusal> {
        let Input {
            sources,
            program,
            diagnostics,
            roots,
            is_empty,
            remappings,
            units,
            languages,
            budgets,
            via_ir,
        } = self;
        let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
        match program {
            Some(program) if !failed => Ok((
                Loaded { sources, program, roots, is_empty, remappings, units, languages, budgets, via_ir },
                diagnostics,
            )),
            _ => Err(Refusal { sources, diagnostics }),
        }
    }
}

/// Reads, lowers and reports; `None` if there were errors, which the user has then seen.
pub fn load(args: &SourceArgs) -> Option<Loaded> {
    let is_ir = |path: &Path| path.extension().is_some_and(|e| e == "ir");
    let input = match args.files.as_slice() {
        [file] if is_ir(file) => load_ir(file),
        files => match check_folders(&args.imports).and_then(|()| load_options(files, &args.imports)) {
            Ok(options) => load_solidity(files, options, lower::Options::default()),
            Err(message) => Input::failed(message),
        },
    };
    report(&input.sources, &input.diagnostics);
    input.loaded().ok().map(|(loaded, _)| loaded)
}

/// Reads and lowers.
pub fn load_solidity(files: &[PathBuf], options: LoadOptions, lowering: lower::Options) -> Input {
    lowered(Loader::new(options).load_paths(files), lowering)
}

/// Lowers sources that are in memory: these, and those they import.
pub fn load_memory<'s>(
    sources: impl Iterator<Item = (&'s str, &'s str)>,
    roots: &[&str],
    options: LoadOptions,
    lowering: lower::Options,
) -> Input {
    let mut loader = Loader::new(options);
    for (name, text) in sources {
        loader.add_source(name, text);
    }
    lowered(loader.load_names(roots.iter().copied()), lowering)
}

fn lowered(loaded: LoadedSources, lowering: lower::Options) -> Input {
    let files = loaded.roots.clone();
    let roots = loaded.roots.iter().map(|id| loaded.map.file(*id).name.clone()).collect();
    let remappings = loaded.solc_remappings();
    let units = loaded.units();
    let compiled = hornet_frontend::compile(loaded, lowering);
    let is_empty = !declares_any(&compiled.hir, &files);
    let budgets = compiled.hir.functions.iter().flat_map(|function| {
        let budget = |b: &GasBudget| Budget { function: function.span, text: b.text.clone(), span: b.span };
        function.budgets.iter().map(budget)
    });
    Input {
        languages: compiled.hir.files.iter().map(|file| (file.id, file.version)).collect(),
        budgets: budgets.collect(),
        sources: compiled.sources,
        program: compiled.program,
        diagnostics: compiled.diagnostics,
        roots,
        is_empty,
        remappings,
        units,
        via_ir: lowering.via_ir,
    }
}

/// Whether anything is written in one of the files.
fn declares_any(hir: &Hir, files: &[FileId]) -> bool {
    let contracts = hir.contracts.iter().map(|contract| contract.span);
    let types = hir.structs.iter().map(|s| s.span).chain(hir.enums.iter().map(|e| e.span));
    let types = types.chain(hir.user_types.iter().map(|t| t.span));
    let code = hir.functions.iter().map(|f| f.span).chain(hir.vars.iter().map(|v| v.span));
    let signals = hir.events.iter().map(|e| e.span).chain(hir.errors.iter().map(|e| e.span));
    contracts.chain(types).chain(code).chain(signals).any(|span| files.contains(&span.file))
}

/// Folders that are named are there: without them, imports would be looked for elsewhere.
pub fn check_folders(imports: &ImportArgs) -> Result<(), String> {
    let root = imports.root.iter().map(|folder| ("--root", folder));
    let mut all = root.chain(imports.include.iter().map(|folder| ("--include", folder)));
    match all.find(|(_, folder)| !folder.is_dir()) {
        Some((option, folder)) => Err(format!("{option}: there is no folder `{}`", folder.display())),
        None => Ok(()),
    }
}

/// Where imports are looked for, and what the command line adds.
pub fn load_options(files: &[PathBuf], imports: &ImportArgs) -> Result<LoadOptions, String> {
    let mut options = match (&imports.root, files.first()) {
        (Some(root), _) => LoadOptions { conventions: true, ..LoadOptions::plain(root) },
        (None, Some(first)) => LoadOptions::for_source(first),
        (None, None) => LoadOptions::plain("."),
    };
    options.include.extend(imports.include.iter().cloned());
    for text in &imports.remap {
        options.remappings.push(Remapping::parse(text).map_err(|e| format!("--remap: {e}"))?);
    }
    Ok(options)
}

fn load_ir(path: &Path) -> Input {
    let mut sources = SourceMap::default();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) => return Input::failed(format!("cannot read `{}`: {e}", path.display())),
    };
    let file = sources.add(path.display().to_string(), text);
    let text = &sources.file(file).text;
    match hornet_ir::text::parse(text) {
        Ok(program) => Input { sources, program: Some(program), ..Input::default() },
        Err(e) => {
            let line_start: usize =
                text.split_inclusive('\n').take(e.line.saturating_sub(1) as usize).map(str::len).sum();
            let before = text[line_start..].chars().take(e.column.saturating_sub(1) as usize);
            let at = line_start + before.map(char::len_utf8).sum::<usize>();
            let diagnostic = Diagnostic::error(Span::new(file, at, at + 1), e.message);
            Input { sources, diagnostics: vec![diagnostic], ..Input::default() }
        }
    }
}

/// The contracts of that name; an error that names what there is, if none.
pub fn contracts_named(program: &Program, name: &str) -> Result<Vec<ContractId>, String> {
    let found: Vec<ContractId> =
        program.contracts.iter_ids().filter(|(_, c)| c.name == name).map(|(id, _)| id).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names: Vec<&str> = program.contracts.iter().map(|c| c.name.as_str()).collect();
    Err(format!("no contract is called `{name}`{}", among(&names)))
}

/// `; there are a, b, c`, for messages about names that do not exist.
pub fn among(names: &[&str]) -> String {
    let mut names: Vec<&str> = names.to_vec();
    names.sort_unstable();
    names.dedup();
    match names.len() {
        0 => String::new(),
        1 => format!("; there is only `{}`", names[0]),
        2..=12 => format!("; there are `{}`", names.join("`, `")),
        n => format!("; there are {n} others, such as `{}`", names[..8].join("`, `")),
    }
}

/// The contract a run is about: named, or the last deployable one of the files asked for.
pub fn main_contract(loaded: &Loaded, name: Option<&str>) -> Result<ContractId, String> {
    let program = &loaded.program;
    let deployable = |id: &ContractId| {
        let c = &program.contracts[*id];
        c.constructor.is_some() && c.kind == ContractKind::Contract
    };
    match name {
        Some(name) => {
            let found = contracts_named(program, name)?;
            let last = found.into_iter().rev().find(deployable);
            last.ok_or_else(|| {
                format!("`{name}` cannot be deployed: it is abstract, an interface or a library")
            })
        }
        None => {
            let asked = |id: &ContractId| {
                loaded.roots.is_empty() || loaded.roots.contains(&program.contracts[*id].file)
            };
            let last = program.contracts.ids().filter(|id| asked(id) && deployable(id)).last();
            last.ok_or_else(|| "no contract here can be deployed".to_owned())
        }
    }
}
