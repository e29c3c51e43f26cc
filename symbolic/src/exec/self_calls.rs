//! Calls that a contract makes of itself from outside. Those that are plain (`this.f()`) are followed where they are made;
//! others may turn out to be of the contract itself. Where no call can, somebody else calls.

use super::effects::AllEffects;
use super::executor::Executor;
use super::flow::Flow;
use super::policy::Policy;
use super::targets::{Target, TargetKind, body_of, is_deployable, is_modular};
use hornet_ir::expr::{EnvVar, Expr};
use hornet_ir::hash::selector;
use hornet_ir::ids::{ContractId, ExprId, ProcId};
use hornet_ir::program::{CallKind, ContractKind, EvmOp, ExternalCall, Proc, Program, StmtKind};
use hornet_ir::types::Type;
use rustc_hash::FxHashSet;

/// Whether code of the contract could make a call with ether that runs `code`, if its target were the contract itself:
/// then the call brings no ether, although it says so.
pub fn may_pay_itself(program: &Program, effects: &AllEffects, contract: ContractId, code: ProcId) -> bool {
    let pays = |call: &ExternalCall, _: &Proc| call.kind == CallKind::Call && call.value.is_some();
    may_make(program, effects, contract, code, &pays)
}

/// Whether code of the contract may run in the place of other code that it runs in its own place: for the same sender and
/// the same ether, which came with the first call and may be gone.
pub fn may_be_delegated(program: &Program, effects: &AllEffects, contract: ContractId) -> bool {
    let mut stmts =
        effects.calling_out(program, contract).flat_map(|proc| proc.blocks.iter().flat_map(|b| &b.stmts));
    stmts.any(|stmt| match &stmt.kind {
        StmtKind::ExternalCall(call) => is_foreign(program, call),
        StmtKind::Evm { op, .. } => matches!(op, EvmOp::DelegateCall | EvmOp::CallCode),
        _ => false,
    })
}

/// Code of others runs as part of the contract, and calls whom it likes.
fn is_foreign(program: &Program, call: &ExternalCall) -> bool {
    match call.kind {
        CallKind::Delegate | CallKind::Code => {
            call.callee.as_ref().is_none_or(|(c, _)| program.contracts[*c].kind != ContractKind::Library)
        }
        CallKind::Call | CallKind::Static => false,
    }
}

/// Whether a call that is not followed where it is made may run `code` for the contract itself.
fn may_call_itself(program: &Program, effects: &AllEffects, contract: ContractId, code: ProcId) -> bool {
    // Code of libraries is not always followed as part of the contract.
    let is_followed =
        |call: &ExternalCall, of: &Proc| of.contract == Some(contract) && is_plain(program, contract, call);
    may_make(program, effects, contract, code, &|call, of| !is_followed(call, of))
        || recurs(program, effects, contract, code)
}

/// Whether code of the contract may make a call of some kind that runs `code` for the contract itself.
fn may_make(
    program: &Program,
    effects: &AllEffects,
    contract: ContractId,
    code: ProcId,
    counts: &dyn Fn(&ExternalCall, &Proc) -> bool,
) -> bool {
    let made = |counts: &dyn Fn(&ExternalCall, &Proc) -> bool| {
        is_made(program, effects.calling_out(program, contract), contract, code, counts)
    };
    let of_others = |call: &ExternalCall, of: &Proc| counts(call, of) && !is_sender(program, call.target);
    made(counts)
        && (made(&of_others)
            || !is_deployable(program, contract)
            || may_be_sender(program, effects, contract))
}

/// Whether the contract may be the sender where its code runs: somewhere it has called itself then, and the first time it
/// did so, it was not by calling its sender.
fn may_be_sender(program: &Program, effects: &AllEffects, contract: ContractId) -> bool {
    let decl = &program.contracts[contract];
    let named = decl.entries.iter().map(|entry| entry.proc);
    let counts = |call: &ExternalCall, _: &Proc| {
        matches!(call.kind, CallKind::Call | CallKind::Static) && !is_sender(program, call.target)
    };
    named
        .chain(decl.receive)
        .chain(decl.fallback.map(|fallback| fallback.proc))
        .any(|code| is_made(program, effects.calling_out(program, contract), contract, code, &counts))
}

/// Whether a function may also run in the middle of other calls of the contract: called from inside, from outside by the
/// contract itself, or by contracts whose code is followed. What is claimed of it must hold for these calls, too, whatever
/// state they are made in.
pub fn runs_in_the_middle(program: &Program, effects: &AllEffects, target: &Target) -> bool {
    let TargetKind::Function { code, body } = target.kind else { return false };
    let from_outside = |call: &ExternalCall, _: &Proc| matches!(call.kind, CallKind::Call | CallKind::Static);
    effects.is_called_inside(body, code)
        || is_made(program, effects.all_calling_out(program), target.contract, code, &from_outside)
}

/// Whether the contract calls itself, by the name of one of its functions.
pub fn calls_itself(program: &Program, contract: ContractId) -> bool {
    let mut stmts = program.procs.iter().flat_map(|proc| proc.blocks.iter().flat_map(|b| &b.stmts));
    stmts.any(|stmt| matches!(&stmt.kind, StmtKind::ExternalCall(call) if is_plain(program, contract, call)))
}

/// Whether a call is of the contract itself, by the name of one of its functions.
fn is_plain(program: &Program, contract: ContractId, call: &ExternalCall) -> bool {
    let named =
        call.callee.as_ref().is_some_and(|(_, signature)| entry_of(program, contract, signature).is_some());
    named && matches!(call.kind, CallKind::Call | CallKind::Static) && is_this(program, call.target)
}

fn is_this(program: &Program, target: ExprId) -> bool {
    is_address_of(program, target, EnvVar::This)
}

fn is_sender(program: &Program, target: ExprId) -> bool {
    is_address_of(program, target, EnvVar::Caller)
}

fn is_address_of(program: &Program, target: ExprId, who: EnvVar) -> bool {
    match program.exprs.get(target) {
        Expr::Env(var) => *var == who,
        Expr::Cast(inner) => {
            let same = *program.types.get(program.exprs.ty(*inner)) == Type::Address;
            same && is_address_of(program, *inner, who)
        }
        _ => false,
    }
}

/// What a call by a signature runs. The machine knows functions by their selectors only.
fn entry_of(program: &Program, contract: ContractId, signature: &str) -> Option<ProcId> {
    let (entries, wanted) = (&program.contracts[contract].entries, selector(signature));
    entries.iter().find(|entry| entry.selector == wanted).map(|entry| entry.proc)
}

/// Whether one of those procedures makes a call of some kind that runs `code`, if its target is the contract. `counts` knows
/// the kind by the call and the procedure that makes it.
fn is_made<'p>(
    program: &Program,
    mut procs: impl Iterator<Item = &'p Proc>,
    contract: ContractId,
    code: ProcId,
    counts: &dyn Fn(&ExternalCall, &Proc) -> bool,
) -> bool {
    let decl = &program.contracts[contract];
    let own = decl.entries.iter().find(|e| e.proc == code).map(|e| e.selector);
    let is_fallback = decl.fallback.is_some_and(|f| f.proc == code);
    let takes = |call: &ExternalCall| match (&call.callee, program.exprs.get(call.data)) {
        (Some((_, called)), _) => is_fallback || own == Some(selector(called)),
        // Without data: `receive` or the fallback function.
        (None, Expr::BytesConst(data)) if data.is_empty() => own.is_none(),
        (None, _) => true,
    };
    let makes = |proc: &Proc, stmt: &StmtKind| match stmt {
        StmtKind::ExternalCall(call) => is_foreign(program, call) || (counts(call, proc) && takes(call)),
        StmtKind::Evm { op, .. } => {
            matches!(op, EvmOp::Call | EvmOp::StaticCall | EvmOp::DelegateCall | EvmOp::CallCode)
        }
        _ => false,
    };
    procs.any(|proc| proc.blocks.iter().flat_map(|b| &b.stmts).any(|stmt| makes(proc, &stmt.kind)))
}

/// Whether `code` may run again before it has ended, by plain calls: these are not followed for ever.
fn recurs(program: &Program, effects: &AllEffects, contract: ContractId, code: ProcId) -> bool {
    let mut open = vec![code];
    let mut seen = FxHashSet::default();
    while let Some(id) = open.pop() {
        let (callees, through_value) = effects.called_by(id);
        open.extend(callees.iter().copied().filter(|callee| seen.insert(*callee)));
        if through_value {
            open.extend(effects.values().iter().copied().filter(|callee| seen.insert(*callee)));
        }
        for stmt in program.procs[id].blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::ExternalCall(call) = &stmt.kind
                && let Some((_, signature)) = &call.callee
            {
                let entry = entry_of(program, contract, signature);
                open.extend(entry.filter(|entry| seen.insert(*entry)));
            }
        }
    }
    seen.contains(&code)
}

impl<'p> Executor<'p> {
    /// Whether only others make the calls from outside that run `code`, whose body is `body`. What heirs of an abstract
    /// contract do is not known.
    pub(super) fn is_for_others(&self, code: ProcId, body: ProcId) -> bool {
        let modular = self.policy == Policy::Annotations
            && (is_modular(self.program, self.contract, body) || self.effects.is_called_inside(body, code));
        let complete = is_deployable(self.program, self.contract);
        complete && !modular && !may_call_itself(self.program, self.effects, self.contract, code)
    }

    /// Somebody else calls.
    pub(super) fn called_by_others(&mut self, flow: &mut Flow) {
        let caller = self.cx.env_term(EnvVar::Caller, &Type::Address);
        let this = self.this();
        let another = self.cx.terms.ne(caller, this);
        flow.assume(&self.cx.terms, another);
    }

    /// Whether nothing was said of the calls of the contract by itself that run this function: they have to be followed.
    pub(super) fn must_be_followed(&self, call: &ExternalCall) -> bool {
        let contract = self.contract;
        let signature = call.callee.as_ref().map(|(_, signature)| signature);
        let entry = signature.and_then(|signature| entry_of(self.program, contract, signature));
        entry.is_some_and(|code| {
            body_of(self.program, code).is_some_and(|body| self.is_for_others(code, body))
        })
    }
}
