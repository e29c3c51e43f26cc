//! From files named on the command line to a program.

use crate::args::SourceArgs;
use crate::report::report;
use hornet_frontend::source::{LoadOptions, Loader, Remapping};
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ContractKind, Program};
use hornet_ir::span::{SourceMap, Span};
use std::path::Path;

pub struct Loaded {
    pub sources: SourceMap,
    pub program: Program,
    /// Names of the files asked for, as opposed to imported ones.
    pub roots: Vec<String>,
    /// So that solc finds the same files.
    pub remappings: Vec<String>,
}

/// Reads, lowers and reports; `None` if there were errors, which the user has then seen.
pub fn load(args: &SourceArgs) -> Option<Loaded> {
    let is_ir = |path: &Path| path.extension().is_some_and(|e| e == "ir");
    let mut roots = Vec::new();
    let mut remappings = Vec::new();
    let (sources, program, diagnostics) = match (args.files.as_slice(), load_options(args)) {
        (_, Err(message)) => (SourceMap::default(), None, vec![Diagnostic::unlocated(message)]),
        ([file], _) if is_ir(file) => load_ir(file),
        (files, Ok(options)) => {
            let loaded = Loader::new(options).load_paths(files);
            roots.extend(loaded.roots.iter().map(|id| loaded.map.file(*id).name.clone()));
            remappings = loaded.solc_remappings();
            let compiled = hornet_frontend::compile(loaded, Default::default());
            (compiled.sources, compiled.program, compiled.diagnostics)
        }
    };
    report(&sources, &diagnostics);
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    program.filter(|_| !failed).map(|program| Loaded { sources, program, roots, remappings })
}

fn load_options(args: &SourceArgs) -> Result<LoadOptions, String> {
    let mut options = match (&args.root, args.files.first()) {
        (Some(root), _) => LoadOptions { conventions: true, ..LoadOptions::plain(root) },
        (None, Some(first)) => LoadOptions::for_source(first),
        (None, None) => LoadOptions::plain("."),
    };
    options.include.extend(args.include.iter().cloned());
    for text in &args.remap {
        options.remappings.push(Remapping::parse(text).map_err(|e| format!("--remap: {e}"))?);
    }
    Ok(options)
}

fn load_ir(path: &Path) -> (SourceMap, Option<Program>, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) => {
            let message = format!("cannot read `{}`: {e}", path.display());
            return (sources, None, vec![Diagnostic::unlocated(message)]);
        }
    };
    let file = sources.add(path.display().to_string(), text);
    let text = &sources.file(file).text;
    match hornet_ir::text::parse(text) {
        Ok(program) => (sources, Some(program), Vec::new()),
        Err(e) => {
            let line_start: usize =
                text.split_inclusive('\n').take(e.line.saturating_sub(1) as usize).map(str::len).sum();
            let before = text[line_start..].chars().take(e.column.saturating_sub(1) as usize);
            let at = line_start + before.map(char::len_utf8).sum::<usize>();
            let diagnostic = Diagnostic::error(Span::new(file, at, at + 1), e.message);
            (sources, None, vec![diagnostic])
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
