//! The trace in the interpreter, which sees what the machine does not show: annotations inside a call, and places where
//! the compiler does not tell any.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use hornet_ir::ids::{Id, ObligationId};
use hornet_ir::interp::spec::Moment;
use hornet_ir::interp::value::Value;
use hornet_ir::interp::watch::{Event, Watcher};
use hornet_ir::interp::world::World;
use hornet_ir::interp::{Interpreter, Outcome, Status};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::spec::Clause;
use hornet_ir::trace::{Failure, Trace};

use super::StepResult;
use super::claim::{environment, word};
use super::perform::Performance;
use super::play::Kind;
use crate::U256;

/// Whether the interpreter sees the failure in the last step of a run in which it agrees with the machine on everything
/// that both show. Traces in which others act are not rehearsed.
pub(super) fn fails(program: &Program, trace: &Trace, run: &Performance<'_>) -> bool {
    let play = run.play;
    if !run.cast.puppets.is_empty() || run.steps.len() != play.scenes.len() {
        return false;
    }
    let seen = Rc::new(Cell::new(false));
    let mut interpreter = Interpreter::new(program);
    interpreter.record_keys = true;
    interpreter.install_libraries();
    interpreter.watch(Box::new(Lookout::new(&trace.failure, seen.clone())));
    for (who, amount) in &play.balances {
        interpreter.world.set_balance(word(*who), *amount);
    }
    for (scene, ran) in play.scenes.iter().zip(&run.steps) {
        let (caller, value) = (word(scene.caller), scene.value);
        interpreter.world.env = environment(&ran.environment, word(scene.origin));
        if scene.kind != Kind::ForcedEther && interpreter.world.balance(caller) < value {
            interpreter.world.set_balance(caller, value);
        }
        seen.set(false);
        let (deployed, outcome) = match &scene.kind {
            Kind::Deploy(args) => {
                (true, interpreter.deploy_at(word(scene.at), scene.contract, args, value, caller))
            }
            Kind::Call(data) => (false, interpreter.call(caller, word(scene.at), value, data)),
            Kind::ForcedEther => {
                // Without ether of the caller's own it is a reward.
                if !interpreter.world.transfer(caller, trace.this, value) {
                    let sum = interpreter.world.balance(trace.this).saturating_add(value);
                    interpreter.world.set_balance(trace.this, sum);
                }
                continue;
            }
        };
        if !agrees(&interpreter.world, trace, &outcome, deployed, &ran.result) {
            return false;
        }
    }
    seen.get()
}

fn agrees(world: &World, trace: &Trace, ours: &Outcome, deployed: bool, theirs: &StepResult) -> bool {
    let same_end = match &ours.status {
        Status::Success { output } => theirs.succeeded && (deployed || *output == theirs.output),
        Status::Revert { payload } => !theirs.succeeded && *payload == theirs.output,
        Status::OutOfGas | Status::Unsupported { .. } => false,
    };
    let slots = world.account(trace.this).into_iter().flat_map(|account| &account.storage);
    let storage: BTreeMap<U256, U256> = slots.map(|(slot, value)| (*slot, *value)).collect();
    same_end
        && theirs.storage.as_ref().is_none_or(|theirs| *theirs == storage)
        && world.balance(trace.this) == theirs.balance
}

/// Looks out for one failure.
struct Lookout {
    failure: Failure,
    seen: Rc<Cell<bool>>,
    /// Procedures in progress.
    entered: Vec<Entrance>,
}

/// How a procedure was entered.
struct Entrance {
    frames: usize,
    activations: usize,
    locals: Vec<Value>,
    past: World,
}

impl Lookout {
    fn new(failure: &Failure, seen: Rc<Cell<bool>>) -> Lookout {
        Lookout { failure: failure.clone(), seen, entered: Vec::new() }
    }

    fn clause<'c>(&self, clauses: impl IntoIterator<Item = &'c Clause>) -> Option<&'c Clause> {
        clauses.into_iter().find(|clause| Some(clause.obligation) == self.failure.clause)
    }

    fn checked(&self, program: &Program, obligation: ObligationId) {
        let check = &program.obligations[obligation];
        if check.kind == self.failure.kind && check.span == self.failure.span {
            self.seen.set(true);
        }
    }

    /// Whether a clause that is looked for is false now, for these locals of the running procedure.
    fn judge(&self, run: &Interpreter<'_>, clause: Option<&Clause>, locals: &[Value]) {
        let (Some(clause), Some(frame), Some(entrance)) = (clause, run.frames().last(), self.entered.last())
        else {
            return;
        };
        let moment = Moment {
            contract: frame.contract,
            this: frame.this,
            caller: frame.caller,
            value: frame.value,
            locals,
            old: Some(&entrance.past),
            before: None,
        };
        if run.holds(clause, &moment) == Some(false) {
            self.seen.set(true);
        }
    }

    fn claims(&mut self, run: &Interpreter<'_>, event: Event<'_>) {
        let program = run.program();
        let Some(frame) = run.frames().last() else { return };
        let Some(top) = frame.activations.last() else { return };
        let (frames, activations) = (run.frames().len(), frame.activations.len());
        // Those that have ended since are gone.
        self.entered.retain(|e| (e.frames, e.activations) <= (frames, activations));
        let proc = &program.procs[top.proc];
        let spec = proc.spec.as_deref();
        match (self.failure.kind, event) {
            (kind, Event::Entered) => {
                self.entered.retain(|e| (e.frames, e.activations) < (frames, activations));
                let (locals, past) = (top.locals.clone(), run.world.clone());
                self.entered.push(Entrance { frames, activations, locals, past });
                if kind == ObligationKind::Precondition {
                    self.judge(run, self.clause(spec.into_iter().flat_map(|s| &s.pre)), &top.locals);
                }
            }
            (ObligationKind::LoopInvariant, Event::AtBlock) => {
                let clause = self.clause(&proc.blocks[top.block].invariants);
                // What parameters were is not kept apart from what they are.
                let unchanged = |e: &Entrance| {
                    proc.params.iter().all(|p| top.locals.get(p.index()) == e.locals.get(p.index()))
                };
                if clause.is_some_and(|c| !c.text.contains("old"))
                    || self.entered.last().is_some_and(unchanged)
                {
                    self.judge(run, clause, &top.locals);
                }
            }
            (ObligationKind::Postcondition, Event::Returning(values)) => {
                let Some(entrance) = self.entered.last() else { return };
                let mut locals = entrance.locals.clone();
                for (slot, value) in spec.into_iter().flat_map(|s| &s.results).zip(values) {
                    if let Some(local) = locals.get_mut(slot.index()) {
                        *local = value.clone();
                    }
                }
                self.judge(run, self.clause(spec.into_iter().flat_map(|s| &s.post)), &locals);
            }
            _ => {}
        }
    }
}

impl Watcher for Lookout {
    fn see(&mut self, run: &Interpreter<'_>, event: Event<'_>) {
        match event {
            Event::Checked { obligation, holds: false } => self.checked(run.program(), obligation),
            _ if self.failure.clause.is_some() => self.claims(run, event),
            _ => {}
        }
    }
}
