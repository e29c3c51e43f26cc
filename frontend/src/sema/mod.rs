//! Semantic analysis: parse tree to typed program.
//!
//! Declarations first, in the passes that [`Sema::declarations`] lists, so that every body is checked against a complete
//! picture; then [`bodies`] types what the declarations contain.

pub mod bodies;
mod builtins;
mod call;
mod checks;
mod collect;
mod constant;
mod constant_cycles;
pub mod convert;
mod expr;
mod fntypes;
mod getters;
mod globals;
mod headers;
mod imports;
mod inherited;
mod linearize;
pub mod literal;
mod locals;
mod members;
mod modifiers;
mod opcodes;
mod operators;
mod overload;
mod overrides;
mod scope;
mod spec;
mod spec_expr;
mod spec_sum;
mod stmt;
mod typename;
mod using;
mod yul;

#[cfg(test)]
mod tests;

pub use crate::parse::span_of;
pub use scope::UserOp;

use crate::hir::{
    ContractId, ErrorId, EventId, FunctionId, Hir, ModifierId, Ref, StructId, TyId, UserTypeId, VarId,
};
use crate::source::LoadedSources;
use crate::version::Version;
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::IdVec;
use hornet_ir::span::{FileId, Span};
use num_rational::BigRational;
use rustc_hash::{FxHashMap, FxHashSet};
use solang_parser::pt;
use std::cell::RefCell;
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
    tables: Tables<'a>,
    /// Offsets of what has been looked at for annotations before it.
    annotated: FxHashSet<(FileId, usize)>,
}

/// What the declarations contain that still has to be typed.
#[derive(Default)]
pub struct Pending<'a> {
    /// All functions, those without a body too.
    pub functions: Vec<(FunctionId, &'a pt::FunctionDefinition)>,
    pub modifiers: Vec<(ModifierId, &'a pt::FunctionDefinition)>,
    /// Initialisers of state variables and constants: set `Var::init`.
    pub inits: Vec<(VarId, &'a pt::Expression)>,
    /// Set `Function::modifiers[i].args`; targets are resolved already. Parameters of the function are in scope.
    pub modifier_args: Vec<(FunctionId, usize, &'a [pt::Expression])>,
    /// Lengths in types, to go into `Hir::array_lengths`; the same one may be listed several times.
    pub lengths: Vec<(&'a pt::Expression, DeclScope)>,
    /// Set `Contract::bases[i].args`.
    pub base_args: Vec<(ContractId, usize, &'a [pt::Expression])>,
}

/// Names of one scope. Several declarations under one name are overloads.
type Names<'a> = FxHashMap<&'a str, Vec<Ref>>;

/// What the passes over declarations know beside the HIR. Definitions are indexed like their HIR.
#[derive(Default)]
struct Tables<'a> {
    /// Declared in each file or imported into it; indexed by file.
    files: Vec<Names<'a>>,
    /// Declared in each contract itself.
    own: IdVec<ContractId, Names<'a>>,
    contracts: IdVec<ContractId, &'a pt::ContractDefinition>,
    structs: IdVec<StructId, &'a pt::StructDefinition>,
    user_types: IdVec<UserTypeId, &'a pt::TypeDefinition>,
    events: IdVec<EventId, &'a pt::EventDefinition>,
    errors: IdVec<ErrorId, &'a pt::ErrorDefinition>,
    /// State variables and constants; parameters come after them in the HIR and have no entry.
    vars: IdVec<VarId, &'a pt::VariableDefinition>,
    /// Every contract after all its bases.
    bases_first: Vec<ContractId>,
    /// Parameter types as seen from outside (calldata is memory): what tells overloads apart. Empty until the
    /// headers are resolved.
    overload_keys: IdVec<FunctionId, Rc<[TyId]>>,
    using: using::Directives<'a>,
    lookups: RefCell<FxHashMap<DeclScope, FxHashMap<Box<str>, Refs>>>,
    /// Values of integer constants asked for so far.
    constants: RefCell<FxHashMap<VarId, Option<BigRational>>>,
}

/// The typed program of all files, and everything found wrong with it.
pub fn analyze(sources: &LoadedSources) -> (Hir, Vec<Diagnostic>) {
    let mut sema = Sema::new(sources);
    sema.declarations();
    bodies::check(&mut sema);
    (sema.hir, sema.diags)
}

impl<'a> Sema<'a> {
    pub fn new(sources: &'a LoadedSources) -> Self {
        Sema {
            sources,
            hir: Hir::default(),
            diags: Vec::new(),
            pending: Pending::default(),
            tables: Tables::default(),
            annotated: FxHashSet::default(),
        }
    }

    /// All passes before bodies.
    pub fn declarations(&mut self) {
        // Names before anything that mentions them.
        self.collect();
        self.resolve_imports();
        // Inherited names are needed to resolve types inside contracts.
        self.linearize();
        self.resolve_headers();
        // Overloads are told apart by parameter types: lookups made before knew none.
        self.tables.lookups.borrow_mut().clear();
        self.resolve_getters();
        self.resolve_using();
        self.resolve_modifier_calls();
        self.check_declarations();
        self.check_overrides();
    }

    pub fn version(&self, file: FileId) -> Version {
        self.hir.file(file).version
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(span, message));
    }

    /// An error with the place of the declaration it clashes with.
    fn clash(&mut self, span: Span, message: impl Into<String>, other: Option<Span>) {
        let mut diagnostic = Diagnostic::error(span, message);
        if let Some(other) = other {
            diagnostic = diagnostic.label(other, "the previous declaration is here");
        }
        self.diags.push(diagnostic);
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

    /// Inside a contract.
    pub fn contract_scope(&self, contract: ContractId) -> DeclScope {
        DeclScope { file: self.hir.contracts[contract].span.file, contract: Some(contract) }
    }

    /// Where something is declared; nothing for what the language provides.
    pub fn ref_span(&self, r: Ref) -> Option<Span> {
        Some(match r {
            Ref::Var(id) => self.hir.vars[id].span,
            Ref::Function(id) => self.hir.functions[id].span,
            Ref::Modifier(id) => self.hir.modifiers[id].span,
            Ref::Contract(id) => self.hir.contracts[id].span,
            Ref::Struct(id) => self.hir.structs[id].span,
            Ref::Enum(id) => self.hir.enums[id].span,
            Ref::UserType(id) => self.hir.user_types[id].span,
            Ref::Event(id) => self.hir.events[id].span,
            Ref::Error(id) => self.hir.errors[id].span,
            Ref::Module(_)
            | Ref::Builtin(_)
            | Ref::Msg
            | Ref::Block
            | Ref::Tx
            | Ref::Abi
            | Ref::This
            | Ref::Super => return None,
        })
    }
}
