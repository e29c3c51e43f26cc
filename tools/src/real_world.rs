//! How much of well-known packages lowers completely.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hornet_evm::solc::toolchain_folder;
use hornet_frontend::lower::Options;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::version::Version;
use hornet_frontend::{Compiled, compile};
use hornet_ir::diag::{Diagnostic, Severity};
use rayon::prelude::*;

use crate::files::solidity_files;
use crate::frontend::describe;
use crate::guard::guard;

/// Folder in the cache, the name people know it by, and the compiler its authors use where its pragmas admit newer
/// ones that refuse it.
pub const PACKAGES: [(&str, &str, Option<&str>); 6] = [
    ("oz5", "@openzeppelin/contracts 5", None),
    ("oz4", "@openzeppelin/contracts 4.9", None),
    ("solmate", "solmate", None),
    ("solady", "solady", None),
    ("uniswap-v2", "@uniswap/v2-core", None),
    ("uniswap-v3", "@uniswap/v3-core", Some("0.7.6")),
];

#[derive(Clone, Copy, Default)]
struct Counts {
    complete: usize,
    /// Something unsupported inside, or its file does not compile.
    incomplete: usize,
    with_assembly: usize,
    with_assembly_complete: usize,
    /// Files that need others which the package does not bring (tests, mostly): nobody can compile them.
    files_left_out: usize,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.complete += other.complete;
        self.incomplete += other.incomplete;
        self.with_assembly += other.with_assembly;
        self.with_assembly_complete += other.with_assembly_complete;
        self.files_left_out += other.files_left_out;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { complete, incomplete, with_assembly, with_assembly_complete, files_left_out } = self;
        let all = complete + incomplete;
        let share = 100.0 * *complete as f64 / all.max(1) as f64;
        write!(f, "{complete} of {all} functions without assembly ({share:.1} %), ")?;
        write!(f, "{with_assembly_complete} of {with_assembly} with assembly")?;
        match files_left_out {
            0 => Ok(()),
            n => write!(f, "; left out {n} files that import what the package lacks"),
        }
    }
}

/// Where set-up puts the packages.
pub fn packages_folder() -> Option<PathBuf> {
    let folder = toolchain_folder("packages")?.join("node_modules");
    folder.is_dir().then_some(folder)
}

pub fn run(folder: &Path, list: bool, out: &mut impl Write) -> io::Result<()> {
    let mut total = Counts::default();
    for (package, name, compiler) in PACKAGES {
        let compiler = compiler.and_then(Version::parse);
        let base = folder.join(package);
        let files = solidity_files(&base);
        let results: Vec<(Counts, Vec<String>)> =
            files.into_par_iter().map(|file| measure(&base, file, compiler)).collect();
        let mut counts = Counts::default();
        for (file_counts, notes) in results {
            counts.add(file_counts);
            if list {
                for note in notes {
                    writeln!(out, "{package}/{note}")?;
                }
            }
        }
        writeln!(out, "{name}: {counts}")?;
        total.add(counts);
    }
    writeln!(out, "functions: {total}")
}

fn measure(base: &Path, file: PathBuf, compiler: Option<Version>) -> (Counts, Vec<String>) {
    let name = file.strip_prefix(base).unwrap_or(&file).display().to_string();
    let options = LoadOptions { compiler, ..LoadOptions::plain(base) };
    let work = move || {
        let loaded = Loader::new(options).load_paths([file]);
        if loaded.files.iter().any(|file| file.imports.contains(&None)) {
            return (Counts { files_left_out: 1, ..Counts::default() }, Vec::new());
        }
        count(&compile(loaded, Options { complete: true, ..Options::default() }))
    };
    match guard(Duration::from_secs(60), work) {
        Ok((counts, notes)) => (counts, notes.into_iter().map(|note| format!("{name}: {note}")).collect()),
        Err(problem) => (Counts { incomplete: 1, ..Counts::default() }, vec![format!("{name}: {problem}")]),
    }
}

/// Functions with a body in the first file; the others have their turn as first files.
fn count(compiled: &Compiled) -> (Counts, Vec<String>) {
    let mut counts = Counts::default();
    let mut notes = Vec::new();
    let failed = compiled.program.is_none();
    let root = compiled.sources.files().next().map(|(id, _)| id);
    let faults: Vec<&Diagnostic> = compiled.diagnostics.iter().filter(|d| is_fault(d)).collect();
    for function in compiled.hir.functions.iter() {
        if Some(function.span.file) != root || function.body.is_none() {
            continue;
        }
        let inside = |d: &&&Diagnostic| {
            d.span.is_some_and(|s| {
                s.file == function.span.file && s.start >= function.span.start && s.end <= function.span.end
            })
        };
        let complete = !failed && !faults.iter().any(|d| inside(&d));
        let assembly = has_assembly(compiled.sources.snippet(function.span));
        match (assembly, complete) {
            (true, _) => {
                counts.with_assembly += 1;
                counts.with_assembly_complete += usize::from(complete);
            }
            (false, true) => counts.complete += 1,
            (false, false) => counts.incomplete += 1,
        }
        for fault in faults.iter().filter(inside) {
            let place = if assembly { " (with assembly)" } else { "" };
            notes.push(format!("{}{place}: {}", function.name, describe(&compiled.sources, fault)));
        }
    }
    let error = compiled.diagnostics.iter().find(|d| d.severity == Severity::Error);
    notes.extend(error.map(|error| format!("error: {}", describe(&compiled.sources, error))));
    (counts, notes)
}

fn is_fault(diagnostic: &Diagnostic) -> bool {
    match diagnostic.severity {
        Severity::Error => true,
        Severity::Warning => false,
        // In an abstract contract on its own something is always missing; that is not a gap of ours.
        Severity::Unsupported => !diagnostic.message.ends_with("has no implementation"),
    }
}

/// An `assembly` block in the text of a function; good enough outside comments, where the word hardly occurs.
fn has_assembly(text: &str) -> bool {
    text.match_indices("assembly").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        rest.starts_with(['{', '"', '(']) && !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}
