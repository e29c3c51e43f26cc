//! What code may change, found without running it: for loops, for calls that are not followed, for reentrancy.

use super::raw::makes_memory_reference;
use crate::far::has_huge_array;
use crate::wild::{Wild, calls_precompiled};
use hornet_ir::expr::{Expr, Root};
use hornet_ir::ids::{BlockId, ContractId, Id, IdVec, LocalId, PlaceId, ProcId, StateVarId, TypeId};
use hornet_ir::program::{
    AllocInit, CallKind, Callee, ContractKind, EvmOp, ExternalCall, Gas, Proc, Program, StateKind, Stmt,
    StmtKind, Terminator,
};
use hornet_ir::types::Type;
use hornet_ir::visit::{destinations, for_exprs_of};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    pub state: BTreeSet<StateVarId>,
    /// Written through references: whatever in storage holds such a type.
    pub storage_types: BTreeSet<TypeId>,
    /// Objects of these types that existed before may change.
    pub heap_writes: BTreeSet<TypeId>,
    /// New objects are made.
    pub allocates: bool,
    /// Objects of these types are made.
    pub heap_allocs: BTreeSet<TypeId>,
    pub balances: bool,
    pub return_data: bool,
    /// Others get control and may call back.
    pub reenters: bool,
    /// Memory is written where objects may be.
    pub raw_memory: bool,
    /// Storage is written at any place.
    pub all_storage: bool,
    /// Anything at all: code we cannot see works on our storage.
    pub anything: bool,
    /// Arithmetic that may wrap silently.
    pub overflows: bool,
    /// May end the whole call successfully at once.
    pub halts: bool,
    /// Emits events.
    pub emits: bool,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.state.extend(&other.state);
        self.storage_types.extend(&other.storage_types);
        self.heap_writes.extend(&other.heap_writes);
        self.heap_allocs.extend(&other.heap_allocs);
        self.allocates |= other.allocates;
        self.balances |= other.balances;
        self.return_data |= other.return_data;
        self.reenters |= other.reenters;
        self.raw_memory |= other.raw_memory;
        self.all_storage |= other.all_storage;
        self.anything |= other.anything;
        self.overflows |= other.overflows;
        self.halts |= other.halts;
        self.emits |= other.emits;
    }

    /// Whether elements of arrays may be written.
    fn writes_elements(&self, program: &Program) -> bool {
        let scalar = |var: &StateVarId| program.types.get(program.state[*var].ty).is_scalar();
        !self.storage_types.is_empty() || !self.state.iter().all(scalar)
    }
}

/// The effects of every procedure, callees included.
pub struct AllEffects {
    procs: IdVec<ProcId, Effects>,
    /// Procedures that are used as function values.
    values: BTreeSet<ProcId>,
    /// Of any of these.
    pointers: Effects,
    /// Caller, callees, and whether it also calls function values.
    callees: Vec<(ProcId, Vec<ProcId>, bool)>,
    /// Elements of arrays may be so far out that they are anywhere in storage.
    far: bool,
    wild: Wild,
    /// Procedures that calculate something as only calls of precompiled contracts can.
    precompiled: Vec<ProcId>,
    /// Procedures that call others, or the contract itself from outside.
    calling_out: Vec<ProcId>,
}

impl AllEffects {
    pub fn new(program: &Program) -> Self {
        let mut own: IdVec<ProcId, Effects> = program.procs.iter().map(|p| own_effects(program, p)).collect();
        let wild = Wild::of(program, program.procs.ids());
        // An array so long that its elements are somewhere else.
        let far = wild.long_arrays || program.state.iter().any(|var| has_huge_array(program, var.ty));
        own.iter_mut().for_each(|effects| effects.all_storage |= far && effects.writes_elements(program));
        let (values, pointers) = (address_taken(program), Effects::default());
        let which = |has: fn(&Program, &Proc) -> bool| {
            program.procs.iter_ids().filter(|(_, proc)| has(program, proc)).map(|(id, _)| id).collect()
        };
        let (precompiled, calling_out) = (which(calls_precompiled), which(|_, proc| calls_out(proc)));
        let callees = Vec::new();
        let mut all =
            AllEffects { procs: own, values, pointers, callees, far, wild, precompiled, calling_out };
        let callees: Vec<(ProcId, Vec<ProcId>, bool)> =
            program.procs.iter_ids().map(|(id, proc)| callees_of(program, id, proc)).collect();
        // Effects only grow, and there are finitely many: repeat until nothing changes.
        loop {
            let mut changed = false;
            for proc in &all.values {
                let effects = all.procs[*proc].clone();
                let before = all.pointers.clone();
                all.pointers.add(&effects);
                changed |= all.pointers != before;
            }
            for (caller, called, through_pointer) in &callees {
                let before = all.procs[*caller].clone();
                for callee in called {
                    let effects = all.procs[*callee].clone();
                    all.procs[*caller].add(&effects);
                }
                if *through_pointer {
                    let effects = all.pointers.clone();
                    all.procs[*caller].add(&effects);
                }
                changed |= all.procs[*caller] != before;
            }
            if !changed {
                all.callees = callees;
                return all;
            }
        }
    }

    /// Whether some procedure other than its own entry may call this one, by its name or as a value.
    pub fn is_called_inside(&self, proc: ProcId, entry: ProcId) -> bool {
        self.values.contains(&proc)
            || self.callees.iter().any(|(caller, called, _)| *caller != entry && called.contains(&proc))
    }

    /// What a procedure calls, and whether it also calls function values.
    pub fn called_by(&self, proc: ProcId) -> (&[ProcId], bool) {
        let (_, called, through_pointer) = &self.callees[proc.index()];
        (called, *through_pointer)
    }

    pub fn of(&self, proc: ProcId) -> &Effects {
        &self.procs[proc]
    }

    /// What code does behind the language's back.
    pub fn wild(&self) -> Wild {
        self.wild
    }

    /// Whether code that runs on behalf of a contract calculates hashes or signatures as only calls can.
    pub fn calls_precompiled(&self, program: &Program, contract: ContractId) -> bool {
        self.precompiled.iter().any(|proc| runs_for(program, contract, &program.procs[*proc]))
    }

    /// Code that may run on behalf of a contract, that of libraries and free functions included, and calls out.
    pub fn calling_out<'p>(
        &self,
        program: &'p Program,
        contract: ContractId,
    ) -> impl Iterator<Item = &'p Proc> {
        self.all_calling_out(program).filter(move |proc| runs_for(program, contract, proc))
    }

    /// Any code that calls out, that of other contracts included.
    pub fn all_calling_out<'p>(&self, program: &'p Program) -> impl Iterator<Item = &'p Proc> {
        self.calling_out.iter().map(|id| &program.procs[*id])
    }

    /// Procedures that are used as function values.
    pub fn values(&self) -> &BTreeSet<ProcId> {
        &self.values
    }

    pub fn of_pointers(&self) -> &Effects {
        &self.pointers
    }

    /// What some blocks of a procedure may change, and which of its locals.
    pub fn of_blocks<'a>(
        &self,
        program: &Program,
        proc: &Proc,
        blocks: impl Iterator<Item = &'a BlockId>,
    ) -> (Effects, BTreeSet<LocalId>) {
        let mut effects = Effects::default();
        let mut locals = BTreeSet::new();
        for block in blocks {
            for stmt in &proc.blocks[*block].stmts {
                add_stmt(program, &mut effects, stmt);
                locals.extend(destinations(&stmt.kind));
                match &stmt.kind {
                    StmtKind::Call { callee: Callee::Proc(p), .. } => effects.add(&self.procs[*p]),
                    StmtKind::Call { callee: Callee::Pointer(_), .. } => effects.add(&self.pointers),
                    StmtKind::ExternalCall(call) => {
                        if let Some(p) = library_function(program, call) {
                            effects.add(&self.procs[p]);
                        }
                    }
                    _ => {}
                }
            }
        }
        effects.all_storage |= self.far && effects.writes_elements(program);
        (effects, locals)
    }

    /// What others can change in a contract by calling it.
    pub fn of_reentrancy(&self, program: &Program, contract: ContractId) -> Effects {
        let decl = &program.contracts[contract];
        let mut effects = Effects::default();
        let fallback = decl.fallback.map(|f| f.proc);
        for proc in decl.entries.iter().map(|e| e.proc).chain(decl.receive).chain(fallback) {
            effects.add(&self.procs[proc]);
        }
        effects
    }
}

fn callees_of(program: &Program, id: ProcId, proc: &Proc) -> (ProcId, Vec<ProcId>, bool) {
    let mut called = Vec::new();
    let mut through_pointer = false;
    for stmt in proc.blocks.iter().flat_map(|b| &b.stmts) {
        match &stmt.kind {
            StmtKind::Call { callee: Callee::Proc(p), .. } => called.push(*p),
            StmtKind::Call { callee: Callee::Pointer(_), .. } => through_pointer = true,
            StmtKind::ExternalCall(call) => called.extend(library_function(program, call)),
            _ => {}
        }
    }
    (id, called, through_pointer)
}

/// Procedures that are values somewhere.
pub(super) fn address_taken(program: &Program) -> BTreeSet<ProcId> {
    let (mut values, mut seen) = (BTreeSet::new(), FxHashSet::default());
    for proc in program.procs.iter() {
        for_exprs_of(&program.exprs, proc, &mut seen, &mut |expr| {
            if let Expr::FnPointer(value) = expr {
                values.insert(*value);
            }
        });
    }
    values
}

fn own_effects(program: &Program, proc: &Proc) -> Effects {
    let mut effects = Effects::default();
    for stmt in proc.blocks.iter().flat_map(|b| &b.stmts) {
        add_stmt(program, &mut effects, stmt);
    }
    effects.halts |= proc.blocks.iter().any(|b| matches!(b.terminator, Terminator::Halt(_)));
    effects
}

fn add_stmt(program: &Program, effects: &mut Effects, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Store { place, .. } | StmtKind::Delete { place } | StmtKind::SetLength { place, .. } => {
            add_write(program, effects, *place);
        }
        StmtKind::Alloc { init, .. } => {
            let (AllocInit::Zero(ty) | AllocInit::Array(ty, _) | AllocInit::Copy(ty, _)) = init;
            add_alloc(program, effects, *ty);
        }
        StmtKind::Decode { types, .. } => types.iter().for_each(|ty| add_alloc(program, effects, *ty)),
        StmtKind::ExternalCall(call) => add_external_call(program, effects, call),
        StmtKind::Create(_) => {
            effects.balances = true;
            effects.return_data = true;
            effects.reenters = true;
        }
        StmtKind::SelfDestruct { .. } => {
            effects.balances = true;
            effects.halts = true;
        }
        StmtKind::Evm { op, .. } => add_raw(effects, *op),
        // Not followed: what comes after it is not decided.
        StmtKind::Unsupported { .. } => effects.anything = true,
        StmtKind::Check { obligation, .. } => effects.overflows |= program.obligations[*obligation].silent,
        StmtKind::Assign { value, .. } => effects.raw_memory |= makes_memory_reference(program, *value),
        StmtKind::Havoc { .. } | StmtKind::Assume { .. } | StmtKind::Call { .. } => {}
        StmtKind::Emit { .. } => effects.emits = true,
    }
}

/// Raw machine effects.
fn add_raw(effects: &mut Effects, op: EvmOp) {
    match op {
        EvmOp::MStore
        | EvmOp::MStore8
        | EvmOp::MCopy
        | EvmOp::CalldataCopy
        | EvmOp::CodeCopy
        | EvmOp::ExtCodeCopy
        | EvmOp::ReturndataCopy => effects.raw_memory = true,
        EvmOp::SStore | EvmOp::TStore => effects.all_storage = true,
        EvmOp::Log => effects.emits = true,
        EvmOp::StaticCall => {
            effects.raw_memory = true;
            effects.return_data = true;
        }
        EvmOp::Call | EvmOp::Create | EvmOp::Create2 => {
            effects.raw_memory = true;
            effects.return_data = true;
            effects.balances = true;
            effects.reenters = true;
        }
        EvmOp::CallCode | EvmOp::DelegateCall => {
            effects.reenters = true;
            effects.balances = true;
            effects.anything = true;
        }
    }
}

/// The function of a library that a call runs on the caller's storage.
pub(super) fn library_function(program: &Program, call: &ExternalCall) -> Option<ProcId> {
    let (library, signature) = call.callee.as_ref().filter(|_| call.kind == CallKind::Delegate)?;
    program.contracts[*library].entries.iter().find(|e| e.signature == *signature).map(|e| e.proc)
}

fn add_external_call(program: &Program, effects: &mut Effects, call: &ExternalCall) {
    effects.return_data = true;
    if library_function(program, call).is_some() {
        return;
    }
    match call.kind {
        CallKind::Static => {}
        CallKind::Call => {
            effects.balances = true;
            effects.reenters |= call.gas != Gas::Stipend;
        }
        CallKind::Delegate | CallKind::Code => {
            effects.balances = true;
            effects.reenters = true;
            effects.anything = true;
        }
    }
}

fn add_write(program: &Program, effects: &mut Effects, place: PlaceId) {
    match program.exprs.place(place).root {
        Root::State(var) => {
            effects.state.insert(var);
        }
        Root::Storage(reference) => {
            effects.storage_types.extend(program.types.referent(program.exprs.ty(reference)))
        }
        Root::Memory(reference) => {
            let Some(ty) = program.types.referent(program.exprs.ty(reference)) else { return };
            effects.heap_writes.insert(ty);
            // Overwriting a whole object makes new ones for its members.
            if program.exprs.place(place).steps.is_empty() {
                add_alloc(program, effects, ty);
            }
        }
        Root::Calldata(_) => {}
    }
}

/// Whether a procedure may run on behalf of a contract: its own, of a library, or of nobody.
fn runs_for(program: &Program, contract: ContractId, proc: &Proc) -> bool {
    let is_library = |id: ContractId| program.contracts[id].kind == ContractKind::Library;
    proc.contract.is_none_or(|owner| owner == contract || is_library(owner))
}

fn calls_out(proc: &Proc) -> bool {
    let mut stmts = proc.blocks.iter().flat_map(|b| &b.stmts);
    stmts.any(|stmt| matches!(stmt.kind, StmtKind::ExternalCall(_) | StmtKind::Evm { .. }))
}

/// Allocation of a tree makes objects of every tree type inside it.
fn add_alloc(program: &Program, effects: &mut Effects, ty: TypeId) {
    effects.allocates = true;
    if !program.types.get(ty).is_tree() || !effects.heap_allocs.insert(ty) {
        return;
    }
    match program.types.get(ty) {
        Type::Array { elem, .. } => add_alloc(program, effects, *elem),
        Type::Struct(id) => {
            program.types.structs[*id].fields.iter().for_each(|f| add_alloc(program, effects, f.ty));
        }
        _ => {}
    }
}

/// Whether a value of type `outer` has a value of type `inner` in it.
pub fn contains_type(program: &Program, outer: TypeId, inner: TypeId) -> bool {
    fn search(program: &Program, outer: TypeId, inner: TypeId, depth: u32) -> bool {
        if outer == inner || depth > 16 {
            return true;
        }
        match program.types.get(outer) {
            Type::Struct(id) => {
                program.types.structs[*id].fields.iter().any(|f| search(program, f.ty, inner, depth + 1))
            }
            Type::Array { elem, .. } => search(program, *elem, inner, depth + 1),
            Type::Mapping { value, .. } => search(program, *value, inner, depth + 1),
            _ => false,
        }
    }
    search(program, outer, inner, 0)
}

/// The state variables of a contract that effects may change.
pub fn changed_state(program: &Program, contract: Option<ContractId>, effects: &Effects) -> Vec<StateVarId> {
    let Some(contract) = contract else { return Vec::new() };
    let vars = program.contracts[contract].state.iter().copied();
    vars.filter(|var| {
        let decl = &program.state[*var];
        let through_reference = decl.kind == StateKind::Storage
            && effects.storage_types.iter().any(|ty| contains_type(program, decl.ty, *ty));
        effects.state.contains(var)
            || through_reference
            || ((effects.anything || effects.all_storage) && decl.kind != StateKind::Immutable)
    })
    .collect()
}
