//! Which functions are verified on their own.

use super::effects::address_taken;
use super::selection::Selection;
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{Callee, ContractKind, Proc, Program, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::spec::FunctionInfo;
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetKind {
    /// `code` is what runs, `body` the function that it is about: the same, or called by `code` after its guards.
    Function { code: ProcId, body: ProcId },
    /// The contract gets ether without its code running.
    ForcedEther,
}

#[derive(Clone, Debug)]
pub struct Target {
    pub contract: ContractId,
    pub kind: TargetKind,
    pub name: String,
    pub signature: Option<String>,
    pub span: Span,
    /// Declared in the contract itself.
    pub own: bool,
}

impl Target {
    /// The function it is about.
    pub fn body(&self) -> Option<ProcId> {
        match self.kind {
            TargetKind::Function { body, .. } => Some(body),
            TargetKind::ForcedEther => None,
        }
    }

    /// Whether it is about calls from inside only.
    pub fn is_inside(&self) -> bool {
        matches!(self.kind, TargetKind::Function { code, body } if code == body)
    }

    /// The function, if it is verified for calls from inside, whether or not also for calls from outside.
    pub fn verified_inside(&self, program: &Program) -> Option<ProcId> {
        match self.kind {
            TargetKind::Function { code, body } => {
                (code == body || is_modular(program, self.contract, body)).then_some(body)
            }
            TargetKind::ForcedEther => None,
        }
    }
}

/// The targets of all selected contracts, in the order of the source.
pub fn targets(program: &Program, selection: &dyn Selection) -> Vec<Target> {
    let mut targets = Vec::new();
    let followed = followed_from_roots(program, selection);
    for (contract, decl) in program.contracts.iter_ids() {
        if decl.kind == ContractKind::Interface || !selection.contract(contract) {
            continue;
        }
        let mut of_contract = contract_targets(program, contract, &followed);
        of_contract.retain(|t| match t.kind {
            TargetKind::Function { body, .. } => selection.function(contract, body, &t.name),
            TargetKind::ForcedEther => selection.function(contract, ProcId(u32::MAX), &t.name),
        });
        of_contract.sort_by_key(|t| (!t.own, t.span.file.0, t.span.start, t.kind == TargetKind::ForcedEther));
        targets.extend(of_contract);
    }
    targets.extend(free_targets(program, selection, &followed));
    targets
}

/// Functions outside contracts that no contract runs, in the name of a contract of their file.
fn free_targets(program: &Program, selection: &dyn Selection, followed: &FxHashSet<ProcId>) -> Vec<Target> {
    let home = |span: Span| {
        let here = program.contracts.iter_ids().filter(|(id, decl)| {
            decl.kind != ContractKind::Interface
                && selection.contract(*id)
                && decl.span.is_some_and(|s| s.file == span.file)
        });
        here.map(|(id, _)| id).next()
    };
    let free =
        program.procs.iter_ids().filter(|(id, proc)| proc.contract.is_none() && !followed.contains(id));
    let found = free.filter_map(|(id, proc)| {
        let info = proc.function.as_deref()?;
        let contract = home(info.span).filter(|c| selection.function(*c, id, &info.name))?;
        function_target(program, contract, id, id)
    });
    found.collect()
}

fn contract_targets(program: &Program, contract: ContractId, followed: &FxHashSet<ProcId>) -> Vec<Target> {
    let decl = &program.contracts[contract];
    let mut targets = Vec::new();
    let mut seen = FxHashSet::default();
    let is_library = decl.kind == ContractKind::Library;
    let fallback = decl.fallback.map(|f| f.proc);
    let outside = decl.entries.iter().map(|e| e.proc).chain(decl.receive).chain(fallback);
    for code in outside.chain(decl.constructor) {
        let Some(body) = body_of(program, code) else { continue };
        if seen.insert(body) {
            // A library's guard is about how it is called, not about what it does.
            let code = if is_library { body } else { code };
            targets.extend(function_target(program, contract, code, body));
        }
    }
    // Functions for internal use: if they have a specification, or if nothing that is verified runs their code.
    for (id, proc) in program.procs.iter_ids() {
        let Some(_) = &proc.function else { continue };
        let specified =
            proc.spec.as_ref().is_some_and(|spec| spec.clauses().next().is_some() || !spec.is_empty());
        if proc.contract == Some(contract) && !seen.contains(&id) && (specified || !followed.contains(&id)) {
            seen.insert(id);
            targets.extend(function_target(program, contract, id, id));
        }
    }
    if !decl.invariants.is_empty()
        && !is_library
        && let Some(span) = decl.span
    {
        targets.push(Target {
            contract,
            kind: TargetKind::ForcedEther,
            name: "[receive_ether_selfdestruct]".to_owned(),
            signature: None,
            span,
            own: true,
        });
    }
    targets
}

/// The target for one function, as reports name it.
pub fn function_target(
    program: &Program,
    contract: ContractId,
    code: ProcId,
    body: ProcId,
) -> Option<Target> {
    let info: &FunctionInfo = program.procs[body].function.as_deref()?;
    Some(Target {
        contract,
        kind: TargetKind::Function { code, body },
        name: info.name.clone(),
        signature: info.signature.clone(),
        span: info.span,
        own: info.declared_in == Some(contract),
    })
}

/// Whether calls mean a function's specification and not its code.
pub fn is_modular(program: &Program, contract: ContractId, id: ProcId) -> bool {
    let proc = &program.procs[id];
    proc.spec.as_ref().is_some_and(|spec| !spec.is_empty()) || is_guarded(program, contract, id)
}

/// Whether the contract's invariants must hold wherever a function is called, also from inside. Not where ether may come
/// with a call: from outside they hold without it, from inside it is there already.
fn is_guarded(program: &Program, contract: ContractId, id: ProcId) -> bool {
    !program.invariants_inferred
        && assumes_invariants(program, contract, &program.procs[id])
        && !is_payable(program, contract, id)
}

fn is_payable(program: &Program, contract: ContractId, id: ProcId) -> bool {
    let entries = program.contracts[contract].entries.iter();
    entries.filter(|entry| entry.payable).any(|entry| body_of(program, entry.proc) == Some(id))
}

/// Whether a function, verified on its own, relies on the contract's invariants.
pub fn assumes_invariants(program: &Program, contract: ContractId, proc: &Proc) -> bool {
    let public = proc.function.as_ref().is_some_and(|f| f.public) && proc.contract == Some(contract);
    public && !program.contracts[contract].invariants.is_empty()
}

/// The function behind an entry: the entry itself, or what it calls.
pub fn body_of(program: &Program, code: ProcId) -> Option<ProcId> {
    program.body_of(code)
}

/// Contracts that can be deployed, that inherit from this one and whose transactions run code of this function.
pub fn heirs_that_run(program: &Program, contract: ContractId, function: ProcId) -> Vec<ContractId> {
    let Some(info) = program.procs[function].function.as_ref() else { return Vec::new() };
    let is_heir = |id: ContractId| id != contract && program.contracts[id].bases.contains(&contract);
    let runs = |id: &ContractId| {
        let same =
            |proc: &ProcId| program.procs[*proc].function.as_ref().is_some_and(|f| f.span == info.span);
        is_deployable(program, *id) && run_by(program, *id).iter().any(same)
    };
    program.contracts.ids().filter(|id| is_heir(*id)).filter(runs).collect()
}

/// Whether transactions of a contract run a function.
pub fn is_run(program: &Program, contract: ContractId, function: ProcId) -> bool {
    is_deployable(program, contract) && run_by(program, contract).contains(&function)
}

pub(super) fn is_deployable(program: &Program, contract: ContractId) -> bool {
    let decl = &program.contracts[contract];
    decl.kind == ContractKind::Contract && decl.constructor.is_some()
}

/// All that transactions of a contract may run.
fn run_by(program: &Program, contract: ContractId) -> FxHashSet<ProcId> {
    let decl = &program.contracts[contract];
    let outside = decl.entries.iter().map(|e| e.proc).chain(decl.constructor).chain(decl.receive);
    let values = address_taken(program).into_iter();
    let values = values.filter(|id| program.procs[*id].contract.is_none_or(|c| c == contract));
    called_from(program, outside.chain(decl.fallback.map(|f| f.proc)).chain(values).collect())
}

/// Procedures whose code runs as part of something that is verified, in this run, from outside or by its specification.
fn followed_from_roots(program: &Program, selection: &dyn Selection) -> FxHashSet<ProcId> {
    let mut work: Vec<ProcId> = Vec::new();
    for (_, contract) in program.contracts.iter_ids().filter(|(id, _)| selection.contract(*id)) {
        work.extend(contract.entries.iter().map(|e| e.proc));
        work.extend(contract.constructor.into_iter().chain(contract.receive));
        work.extend(contract.fallback.map(|f| f.proc));
    }
    // Specified functions are verified on their own, and what they call with them.
    work.extend(
        program
            .procs
            .iter_ids()
            .filter(|(_, p)| p.contract.is_some_and(|c| selection.contract(c)))
            .filter(|(_, p)| p.spec.as_ref().is_some_and(|s| !s.is_empty()))
            .map(|(id, _)| id),
    );
    let mut followed = called_from(program, work);
    // Calls of function values are not followed everywhere.
    let values = address_taken(program);
    followed.retain(|proc| !values.contains(proc));
    followed
}

/// Some procedures, and all that they call from inside.
fn called_from(program: &Program, mut work: Vec<ProcId>) -> FxHashSet<ProcId> {
    let mut followed = FxHashSet::default();
    while let Some(proc) = work.pop() {
        if !followed.insert(proc) {
            continue;
        }
        for stmt in program.procs[proc].blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Call { callee: Callee::Proc(callee), .. } = &stmt.kind {
                work.push(*callee);
            }
        }
    }
    followed
}
