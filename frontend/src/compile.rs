//! All of the front end in one step.

use crate::hir::Hir;
use crate::lower::{self, Options};
use crate::sema;
use crate::source::LoadedSources;
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::program::Program;
use hornet_ir::span::SourceMap;

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
    let checked = loaded.files.iter().any(|f| f.version.checked_arithmetic());
    let try_older = has_errors(&found) || (loaded.prefer_wrapping && checked);
    if try_older
        && !has_errors(&loaded.diagnostics)
        && let Some((older, older_hir, older_found)) = accepted_by_older(&loaded)
    {
        (loaded, hir, found) = (older, older_hir, older_found);
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

/// A pragma such as `>=0.5.0` says less than was meant when the newest language refuses the code: the newest one that
/// accepts it is taken.
fn accepted_by_older(loaded: &LoadedSources) -> Option<(LoadedSources, Hir, Vec<Diagnostic>)> {
    let mut older = loaded.in_older_language()?;
    loop {
        let (hir, found) = sema::analyze(&older);
        if !has_errors(&found) {
            return Some((older, hir, found));
        }
        older = older.in_older_language()?;
    }
}
