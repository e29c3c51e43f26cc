//! Whose code a call may run, as far as the sources tell.

use super::effects::{AllEffects, changed_state};
use super::executor::Executor;
use super::policy::Trust;
use super::targets::is_deployable;
use crate::context::statements;
use hornet_ir::ids::{ContractId, ProcId, StateVarId};
use hornet_ir::program::{CallKind, EvmOp, ExternalCall, Program, StateKind, Stmt, StmtKind};
use std::collections::BTreeSet;

/// Contracts whose code may be met, beside that of the contract that everything is about.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    pub trust: Trust,
    /// They may be called through a type that the sources trust.
    pub believed: Vec<ContractId>,
    /// Code of the program creates them.
    pub created: BTreeSet<ContractId>,
    /// Their storage may be spoken about: these and those.
    pub met: Vec<ContractId>,
    /// Their variables that nothing changes once they are constructed: they are the same at any time, so that nobody has to
    /// keep them.
    pub fixed: BTreeSet<StateVarId>,
    /// No contract ever ends, so that no address is used twice.
    pub lasting: bool,
}

impl Kinds {
    pub fn new(program: &Program, effects: &AllEffects, home: ContractId, trust: Trust) -> Kinds {
        let mut believed = BTreeSet::new();
        let mut created = BTreeSet::new();
        for stmt in statements(program) {
            match &stmt.kind {
                StmtKind::ExternalCall(call) => believed.extend(declared(program, effects, trust, call)),
                StmtKind::Create(create) => {
                    created.insert(create.contract);
                }
                _ => {}
            }
        }
        believed.remove(&home);
        created.remove(&home);
        let lasting = !statements(program).any(may_end_contract);
        let met: Vec<ContractId> = believed.union(&created).copied().collect();
        let mut fixed = BTreeSet::new();
        // Without trust nothing is known of what was there before the transaction.
        if lasting && trust == Trust::Declared {
            fixed = met.iter().flat_map(|kind| fixed_variables(program, effects, *kind)).collect();
        }
        Kinds { trust, believed: believed.into_iter().collect(), created, met, fixed, lasting }
    }
}

impl<'p> Executor<'p> {
    /// What is said about the code of others, and what follows from that.
    pub fn trust(&mut self, trust: Trust) {
        self.kinds = Kinds::new(self.program, self.effects, self.home.contract, trust);
    }

    /// The contracts that a call may be meant for, if the type that it is made through is trusted.
    pub(super) fn declared_kinds(&self, call: &ExternalCall) -> Vec<ContractId> {
        declared(self.program, self.effects, self.kinds.trust, call)
    }

    /// The constructor of a contract whose code is that of the source. Inline assembly may have a constructor return any
    /// other code.
    pub(super) fn plain_constructor(&self, contract: ContractId) -> Option<ProcId> {
        plain_constructor(self.program, self.effects, contract)
    }
}

/// Everything that can be deployed and has the type that a call is made through.
fn declared(program: &Program, effects: &AllEffects, trust: Trust, call: &ExternalCall) -> Vec<ContractId> {
    let (Trust::Declared, CallKind::Call | CallKind::Static, Some((ty, _))) =
        (trust, call.kind, &call.callee)
    else {
        return Vec::new();
    };
    let fits = |id: &ContractId| program.contracts[*id].bases.contains(ty);
    let kinds = program.contracts.ids().filter(fits).filter(|id| is_deployable(program, *id));
    let kinds: Vec<ContractId> = kinds.collect();
    // Whoever cannot be followed may still be there.
    let plain = kinds.iter().all(|kind| plain_constructor(program, effects, *kind).is_some());
    if plain { kinds } else { Vec::new() }
}

fn plain_constructor(program: &Program, effects: &AllEffects, contract: ContractId) -> Option<ProcId> {
    let constructor = program.contracts[contract].constructor?;
    let plain = !effects.of(constructor).halts && is_deployable(program, contract);
    plain.then_some(constructor)
}

/// Single values that only the constructor of a contract sets.
fn fixed_variables(program: &Program, effects: &AllEffects, contract: ContractId) -> Vec<StateVarId> {
    let changed = changed_state(program, Some(contract), &effects.of_reentrancy(program, contract));
    let all = program.contracts[contract].state.iter().copied();
    let single = all.filter(|var| program.types.get(program.state[*var].ty).is_scalar());
    let lasting = single.filter(|var| program.state[*var].kind != StateKind::Transient);
    lasting.filter(|var| !changed.contains(var)).collect()
}

/// Destroys a contract, or runs code on its behalf that might.
fn may_end_contract(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::SelfDestruct { .. } | StmtKind::Unsupported { .. } => true,
        StmtKind::ExternalCall(call) => {
            call.callee.is_none() && matches!(call.kind, CallKind::Delegate | CallKind::Code)
        }
        StmtKind::Evm { op, .. } => matches!(op, EvmOp::DelegateCall | EvmOp::CallCode),
        _ => false,
    }
}
