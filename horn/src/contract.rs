//! All of a contract, followed once: what the unknown predicates must satisfy, and what must never happen.

use crate::Settings;
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ContractKind, Program};
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{
    AllEffects, CheckKey, Executor, Goal, Passable, Policy, Selection, Target, TargetKind, function_target,
    runs_in_the_middle, targets,
};
use hornet_symbolic::{Res, Unsupported};
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How deep internal calls are followed; what calls itself is not.
const DEPTH: u32 = 64;

/// Something that must not happen, as conditions under which it does.
pub struct Query {
    /// `None` for code that is not modelled: whatever happens there is not known.
    pub check: Option<CheckKey>,
    pub failures: Vec<TermId>,
}

pub struct Followed<'p> {
    pub ex: Executor<'p>,
    pub queries: Vec<Query>,
    /// Checks that cannot be stated: whatever else is known of them, they are not proved.
    pub blocked: FxHashSet<CheckKey>,
}

/// Follows everything that others can make a contract do. With `sums`, predicates can speak about sums of collections.
pub fn follow<'p>(
    program: &'p Program,
    effects: &'p AllEffects,
    contract: ContractId,
    passable: Passable,
    sums: bool,
    settings: &Settings,
    stop: &'p AtomicBool,
) -> Res<Followed<'p>> {
    let todo = roots(program, contract);
    let Some(first) = todo.first() else { return Err(Unsupported::new("a contract without code")) };
    let mut ex = Executor::new(program, effects, contract, settings.arithmetic, DEPTH, first.span);
    ex.policy = Policy::Predicates;
    ex.trust(settings.trust);
    ex.passable = passable;
    ex.sums = sums;
    let deadline = settings.deadline;
    ex.interrupted = Some(Box::new(move || stop.load(Ordering::Relaxed) || Instant::now() >= deadline));
    let decl = &program.contracts[contract];
    if decl.constructor.is_none() && decl.kind != ContractKind::Library {
        ex.any_reachable()?;
    }
    ex.meanwhile_nothing()?;
    let mut followed = Followed { ex, queries: Vec::new(), blocked: FxHashSet::default() };
    let mut done = FxHashSet::default();
    let mut todo = todo;
    while let Some(target) = todo.pop() {
        followed.target(&target);
        for proc in std::mem::take(&mut followed.ex.relied_on) {
            if done.insert(proc) {
                followed.ex.summarised.insert(proc);
                let target = function_target(program, contract, proc, proc);
                todo.push(target.ok_or_else(|| Unsupported::new("recursion of code that has no function"))?);
            }
        }
    }
    uncovered(program, effects, contract)?;
    let gaps: Vec<TermId> = followed.ex.gaps.iter().map(|gap| gap.reach).collect();
    followed.queries.extend(gaps.into_iter().map(|reach| Query { check: None, failures: vec![reach] }));
    Ok(followed)
}

impl Followed<'_> {
    fn target(&mut self, target: &Target) {
        self.ex.span = target.span;
        self.ex.allowed_events = None;
        self.ex.verify(target);
        let in_the_middle = runs_in_the_middle(self.ex.program, self.ex.effects, target);
        for goal in self.ex.take_goals() {
            self.query(target, &goal, in_the_middle);
        }
    }

    /// Calls in the middle of others are followed here, so that annotations are looked at for calls from outside only.
    fn query(&mut self, target: &Target, goal: &Goal, in_the_middle: bool) {
        let key = goal.subject.key(target);
        if goal.blocked.is_some() || (in_the_middle && !key.kind.is_language_check()) {
            self.blocked.insert(key);
            return;
        }
        let check = Some(key);
        self.queries.push(Query { check, failures: goal.claims.iter().map(|claim| claim.term).collect() });
    }
}

struct Just(ContractId);

impl Selection for Just {
    fn contract(&self, contract: ContractId) -> bool {
        contract == self.0
    }
}

/// Whatever can happen to a contract, forced ether included.
fn roots(program: &Program, contract: ContractId) -> Vec<Target> {
    let mut roots = targets(program, &Just(contract));
    roots.retain(|target| target.contract == contract);
    let decl = &program.contracts[contract];
    if roots.iter().all(|target| target.kind != TargetKind::ForcedEther)
        && decl.kind != ContractKind::Library
        && let Some(span) = decl.span
    {
        roots.push(Target {
            contract,
            kind: TargetKind::ForcedEther,
            name: "[receive_ether_selfdestruct]".to_owned(),
            signature: None,
            span,
            own: true,
        });
    }
    roots
}

/// Whether a contract has collections whose sums may mean something.
pub fn has_sums(program: &Program, contract: ContractId) -> bool {
    program.contracts[contract].state.iter().any(|var| {
        matches!(
            program.types.get(program.state[*var].ty),
            Type::Mapping { .. } | Type::Array { len: None, .. }
        )
    })
}

/// Nothing that others can call may be left out: else the predicates would be about another contract.
fn uncovered(program: &Program, effects: &AllEffects, contract: ContractId) -> Res<()> {
    let decl = &program.contracts[contract];
    let fallback = decl.fallback.map(|f| f.proc);
    for proc in decl.entries.iter().map(|e| e.proc).chain(decl.receive).chain(fallback) {
        let effects = effects.of(proc);
        let harmless = effects.state.is_empty() && effects.storage_types.is_empty() && !effects.balances;
        let harmless = harmless && !effects.all_storage && !effects.reenters && !effects.anything;
        if hornet_symbolic::exec::body_of(program, proc).is_none() && !harmless {
            return Err(Unsupported::new("code that has no function"));
        }
    }
    Ok(())
}
