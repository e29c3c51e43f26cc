//! Semantic analysis: parse tree to typed program.
//!
//! Declarations first (this file's pass list), so that every body is checked against a complete picture; then
//! [`bodies`] types what the declarations contain.

pub mod bodies;
pub mod input;
mod scope;

pub use input::LoadedSources;

use crate::hir::{ContractId, FunctionId, Hir, Loc, ModifierId, Ref, TyId, VarId};
use crate::version::Version;
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::{FileId, Span};
use num_bigint::BigInt;
use solang_parser::pt;
use std::rc::Rc;

/// Declarations that a name may stand for: one, or all overloads.
pub type Refs = Rc<[Ref]>;

/// Where a name is looked up, apart from local variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DeclScope {
    pub file: FileId,
    pub contract: Option<ContractId>,
}

/// State of the analysis. Declarations are complete when [`bodies::check`] runs.
pub struct Sema<'a> {
    pub sources: &'a LoadedSources,
    pub hir: Hir,
    pub diags: Vec<Diagnostic>,
    pub pending: Pending<'a>,
}

/// What the declarations contain that still has to be typed.
#[derive(Default)]
pub struct Pending<'a> {
    pub functions: Vec<(FunctionId, &'a pt::FunctionDefinition)>,
    pub modifiers: Vec<(ModifierId, &'a pt::FunctionDefinition)>,
    /// Initialisers of state variables and constants: set `Var::init`.
    pub inits: Vec<(VarId, &'a pt::Expression)>,
    /// Set `Function::modifiers[i].args`; targets are resolved already. Parameters of the function are in scope.
    pub modifier_args: Vec<(FunctionId, usize, &'a [pt::Expression])>,
    /// Set `Contract::bases[i].args`.
    pub base_args: Vec<(ContractId, usize, &'a [pt::Expression])>,
}

/// The typed program of all files, and everything found wrong with it.
pub fn analyze(sources: &LoadedSources) -> (Hir, Vec<Diagnostic>) {
    let mut sema = Sema { sources, hir: Hir::default(), diags: Vec::new(), pending: Pending::default() };
    bodies::check(&mut sema);
    (sema.hir, sema.diags)
}

/// The place of a parse tree node.
pub fn span_of(loc: &pt::Loc) -> Span {
    match *loc {
        pt::Loc::File(file, start, end) => Span::new(FileId(file as u32), start, end),
        pt::Loc::Builtin | pt::Loc::CommandLine | pt::Loc::Implicit | pt::Loc::Codegen => {
            Span::new(FileId(0), 0, 0)
        }
    }
}

impl<'a> Sema<'a> {
    pub fn version(&self, file: FileId) -> Version {
        self.hir.file(file).version
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(span, message));
    }

    pub fn function_scope(&self, function: FunctionId) -> DeclScope {
        let function = &self.hir.functions[function];
        DeclScope { file: function.span.file, contract: function.contract }
    }

    pub fn modifier_scope(&self, modifier: ModifierId) -> DeclScope {
        let modifier = &self.hir.modifiers[modifier];
        DeclScope { file: modifier.span.file, contract: Some(modifier.contract) }
    }

    /// Of a state variable or constant.
    pub fn var_scope(&self, var: VarId) -> DeclScope {
        let var = &self.hir.vars[var];
        DeclScope { file: var.span.file, contract: var.contract }
    }

    /// Any type expression. Errors are reported at their place and give `Ty::Error`. `loc` is the data location of
    /// reference types; `None` means `StorageRef`, as struct fields and state variables have it.
    pub fn type_name(&mut self, _expr: &pt::Expression, _scope: DeclScope, _loc: Option<Loc>) -> TyId {
        self.hir.types.error()
    }

    /// Whether the expression is a type expression by its syntax and the names in it (no error is reported).
    pub fn is_type_name(&self, _expr: &pt::Expression, _scope: DeclScope) -> bool {
        false
    }

    /// Value of a constant expression of literals and constants (array lengths, `layout at`). Reports nothing.
    pub fn const_int(&self, _expr: &pt::Expression, _scope: DeclScope) -> Option<BigInt> {
        None
    }
}
