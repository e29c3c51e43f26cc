//! All of the front end in one step.

use crate::hir::Hir;
use crate::lower::{self, Options};
use crate::sema;
use crate::source::LoadedSources;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::program::Program;
use hornet_ir::span::{FileId, SourceMap};

/// What became of a set of sources.
#[derive(Debug)]
pub struct Compiled {
    pub sources: SourceMap,
    pub hir: Hir,
    /// `None` if there are errors: only well-typed programs are lowered.
    pub program: Option<Program>,
    /// Of all passes, in their order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    pub fn has_errors(&self) -> bool {
        has_errors(&self.diagnostics)
    }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Types and lowers loaded sources.
pub fn compile(mut loaded: LoadedSources, options: Options) -> Compiled {
    let (mut hir, mut found) = sema::analyze(&loaded);
    if !has_errors(&loaded.diagnostics) {
        let checked = |id: &FileId| loaded.version_of(*id).checked_arithmetic();
        let wants_older = |unit: &Vec<FileId>| {
            is_refused(unit, &found) || (loaded.prefer_wrapping && unit.iter().any(checked))
        };
        let units: Vec<_> = loaded.units().into_iter().filter(wants_older).collect();
        if !units.is_empty() {
            (hir, found) = in_older_languages(&mut loaded, units);
        }
    }
    let mut diagnostics = std::mem::take(&mut loaded.diagnostics);
    diagnostics.extend(found);
    let program = if has_errors(&diagnostics) {
        None
    } else {
        let (program, found) = lower::lower(&hir, options);
        diagnostics.extend(found);
        Some(program)
    };
    Compiled { sources: loaded.map, hir, program, diagnostics }
}

/// Whether there are errors in these files, or nobody knows where.
fn is_refused(unit: &[FileId], diagnostics: &[Diagnostic]) -> bool {
    let of_unit = |d: &Diagnostic| d.span.is_none_or(|span| unit.contains(&span.file));
    diagnostics.iter().any(|d| d.severity == Severity::Error && of_unit(d))
}

/// A pragma such as `>=0.5.0` says less than was meant when the newest language refuses the code: the newest one that
/// accepts it is taken, by each of these units for itself. One that no language accepts is left as it was.
fn in_older_languages(loaded: &mut LoadedSources, units: Vec<Vec<FileId>>) -> (Hir, Vec<Diagnostic>) {
    let newest = |unit: &Vec<FileId>| unit.iter().map(|id| loaded.version_of(*id)).max();
    let mut open: Vec<_> = units.into_iter().filter_map(|unit| Some((newest(&unit)?, unit))).collect();
    loop {
        open.retain(|(newest, unit)| {
            let goes_on = loaded.older_language(unit).is_some_and(|version| loaded.read_as(unit, version));
            if !goes_on {
                loaded.read_as(unit, *newest);
            }
            goes_on
        });
        let (hir, found) = sema::analyze(loaded);
        open.retain(|(_, unit)| is_refused(unit, &found));
        if open.is_empty() {
            return (hir, found);
        }
    }
}
