//! Typed program to IR. All of Solidity's semantics is decided here and nowhere else.
//!
//! A contract is lowered as deployed: every function it inherits is specialised to it, because virtual calls, `super`
//! and modifiers mean different things under different most derived contracts. Procedures are created on demand: a
//! reference to a function reserves its procedure and queues its body.

mod abi;
mod aggregate;
mod arith;
mod assign;
mod builtin;
mod call;
mod condition;
mod constructor;
mod contract;
mod convert;
mod effects;
mod event;
mod expr;
mod external;
mod func;
mod function_info;
mod getter;
mod index;
mod literal;
mod lvalue;
mod member;
mod modifier;
mod spec;
mod spec_expr;
mod stmt;
mod stray;
mod try_catch;
mod types;
mod unclean;
mod yul;
mod yul_opcode;

use crate::hir::{self, Hir};
use func::FnLower;
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::{BoundId, EventId, ObligationId, ProcId, StateVarId, TypeId};
use hornet_ir::program::{ErrorDef, Obligation, ObligationKind, Proc, ProcKind, Program};
use hornet_ir::span::Span;
use hornet_ir::types::Field;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Which function, in the context of which most derived contract. Library and free functions have no context: their
/// code is the same wherever it is called from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Instance {
    pub function: hir::FunctionId,
    pub context: Option<hir::ContractId>,
}

/// How the compiler is told to generate code, where that changes what code means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `viaIR`: evaluation and initialisation orders differ.
    pub via_ir: bool,
    /// `revertStrings: debug`: the compiler's own reverts say why.
    pub debug_reverts: bool,
    /// Lower also what nothing reaches, each function in the contract that declares it: for measuring, not for running.
    pub complete: bool,
}

/// Lowers every contract of the program. Contracts keep their numbers: `ir::ContractId(i)` is `hir::ContractId(i)`.
pub fn lower(hir: &Hir, options: Options) -> (Program, Vec<Diagnostic>) {
    let mut low = Lowering::new(hir, options);
    low.contracts();
    low.specs();
    if options.complete {
        low.unreached_functions();
    }
    low.drain();
    low.errors();
    (low.program, low.diags)
}

/// State of lowering a whole program.
pub(crate) struct Lowering<'h> {
    pub hir: &'h Hir,
    pub options: Options,
    /// Solidity types; a copy, so that new ones can be interned while bodies are borrowed from `hir`.
    pub tys: hir::Types,
    pub program: Program,
    pub diags: Vec<Diagnostic>,
    procs: FxHashMap<Instance, ProcId>,
    queue: Vec<(Instance, ProcId)>,
    state_vars: FxHashMap<(hir::ContractId, hir::VarId), StateVarId>,
    events: FxHashMap<hir::EventId, EventId>,
    obligations: FxHashMap<(ObligationKind, Span, Option<hir::ContractId>), ObligationId>,
    /// Variables of annotations, and indices of sums by position and type.
    bound_vars: FxHashMap<hir::VarId, BoundId>,
    sum_vars: FxHashMap<(usize, TypeId), BoundId>,
    ir_types: FxHashMap<hir::TyId, TypeId>,
    ir_trees: FxHashMap<hir::TyId, TypeId>,
    unclean: BTreeSet<unclean::Narrow>,
    /// Values of enums may be no members.
    strays: bool,
}

impl<'h> Lowering<'h> {
    fn new(hir: &'h Hir, options: Options) -> Self {
        let mut low = Lowering {
            hir,
            options,
            tys: hir.types.clone(),
            program: Program::default(),
            diags: Vec::new(),
            procs: FxHashMap::default(),
            queue: Vec::new(),
            state_vars: FxHashMap::default(),
            events: FxHashMap::default(),
            obligations: FxHashMap::default(),
            bound_vars: FxHashMap::default(),
            sum_vars: FxHashMap::default(),
            ir_types: FxHashMap::default(),
            ir_trees: FxHashMap::default(),
            unclean: unclean::unclean_types(hir),
            strays: stray::has_strays(hir),
        };
        low.program.presumed = format!("unclean {:?}, strays {}", low.unclean, low.strays);
        low.declare_named_types();
        low
    }

    fn unreached_functions(&mut self) {
        let hir = self.hir;
        for (id, decl) in hir.functions.iter_ids() {
            if decl.body.is_some() && decl.kind != hir::FunctionKind::Constructor {
                self.proc_of(decl.contract, id);
            }
        }
    }

    /// Lowers queued bodies until none is left; a body may queue others.
    fn drain(&mut self) {
        while let Some((instance, proc)) = self.queue.pop() {
            let lowered = FnLower::function(self, instance);
            self.program.procs[proc] = lowered;
        }
    }

    /// Custom errors, for whoever has to explain a revert.
    fn errors(&mut self) {
        for error in self.hir.errors.iter() {
            let params = error.params.iter();
            let params =
                params.map(|(name, ty)| Field { name: name.clone(), ty: self.tree_ty(*ty) }).collect();
            let (name, signature) = (error.name.clone(), error.signature.text.clone());
            self.program.errors.push(ErrorDef { name, signature, params });
        }
    }

    /// The procedure of a function in a context, queued for lowering at the first request. The function is taken as it
    /// is; virtual lookup is [`Lowering::most_derived`].
    pub fn proc_of(&mut self, context: Option<hir::ContractId>, function: hir::FunctionId) -> ProcId {
        let decl = &self.hir.functions[function];
        // Code of libraries and free functions does not depend on who calls it.
        let context = match decl.contract {
            None => None,
            Some(c) if self.hir.contracts[c].kind == hir::ContractKind::Library => Some(c),
            Some(_) => context,
        };
        let instance = Instance { function, context };
        if let Some(&proc) = self.procs.get(&instance) {
            return proc;
        }
        let proc = self.reserve_proc();
        self.procs.insert(instance, proc);
        self.queue.push((instance, proc));
        proc
    }

    /// An id whose procedure is filled in later.
    pub fn reserve_proc(&mut self) -> ProcId {
        self.program.procs.push(placeholder_proc())
    }

    /// What a call of `function` by its plain name runs in contract `context`: the most derived override.
    pub fn most_derived(&self, context: hir::ContractId, function: hir::FunctionId) -> hir::FunctionId {
        let decl = &self.hir.functions[function];
        if decl.contract.is_none() || decl.contract == Some(context) {
            return function;
        }
        self.overrides(context, function).next().unwrap_or(function)
    }

    /// A function and those that it overrides or that override it in contract `context`, the most derived first.
    pub fn overrides(
        &self,
        context: hir::ContractId,
        function: hir::FunctionId,
    ) -> impl Iterator<Item = hir::FunctionId> {
        let name = &self.hir.functions[function].name;
        let wanted = self.override_key(function);
        let all = self.hir.contracts[context].linearized.iter();
        all.flat_map(|c| &self.hir.contracts[*c].functions).copied().filter(move |f| {
            *f == function || (self.hir.functions[*f].name == *name && self.override_key(*f) == wanted)
        })
    }

    /// Functions with equal keys override each other: name, kind and parameter types regardless of data location.
    pub fn override_key(&self, function: hir::FunctionId) -> Vec<String> {
        let decl = &self.hir.functions[function];
        decl.params.iter().map(|p| self.located_nowhere(self.hir.vars[*p].ty)).collect()
    }

    /// One obligation per kind, place and contract, however often the code is inlined.
    pub fn obligation(
        &mut self,
        kind: ObligationKind,
        span: Span,
        contract: Option<hir::ContractId>,
    ) -> ObligationId {
        let program = &mut self.program;
        *self.obligations.entry((kind, span, contract)).or_insert_with(|| {
            let contract = contract.map(types::contract_id);
            program.obligations.push(Obligation { kind, span, contract, silent: false })
        })
    }

    pub fn state_var(&self, context: Option<hir::ContractId>, var: hir::VarId) -> Option<StateVarId> {
        self.state_vars.get(&(context?, var)).copied()
    }

    pub fn unsupported(&mut self, span: Span, what: impl Into<String>) {
        self.diags.push(Diagnostic::unsupported(span, what));
    }
}

fn placeholder_proc() -> Proc {
    hornet_ir::builder::ProcBuilder::new("", None, ProcKind::Internal).finish()
}
