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
    let (hir, found) = sema::analyze(&loaded);
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
