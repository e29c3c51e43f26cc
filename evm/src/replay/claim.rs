//! Annotations on the state of the machine: its storage and balances are given to the interpreter, which decides claims.

use std::collections::BTreeMap;
use std::rc::Rc;

use hornet_ir::expr::{Expr, Root};
use hornet_ir::ids::{ExprId, Id, LocalId, PlaceId, ProcId, StateVarId};
use hornet_ir::interp::Interpreter;
use hornet_ir::interp::spec::Moment;
use hornet_ir::interp::value::{Value, scalar_from_abi, word_at};
use hornet_ir::interp::world::{Code, Env, Immutables, World};
use hornet_ir::program::{ObligationKind, Program, StateKind};
use hornet_ir::spec::Clause;
use hornet_ir::trace::{Action, Step, Trace};
use hornet_ir::types::Type;

use super::perform::Performance;
use super::spans::Spans;
use crate::machine::{Environment, Machine};
use crate::{Address, U256};

pub(super) enum Claimed {
    Broken,
    Holds,
    Unknown(String),
}

fn unknown(why: &str) -> Claimed {
    Claimed::Unknown(why.to_owned())
}

/// Whether the annotation that the trace is about is false at the end of the last step.
pub(super) fn decide(program: &Program, spans: &Spans, trace: &Trace, run: &Performance<'_>) -> Claimed {
    let (Some(step), Some(ran)) = (trace.steps.last(), run.steps.last()) else {
        return unknown("the trace has no steps");
    };
    if !run.cast.stage.keeps_layout {
        return unknown("the compiler does not say where it keeps variables");
    }
    let court = Court { program, spans, trace, run, step };
    let succeeded = ran.result.succeeded;
    match (trace.failure.kind, succeeded) {
        (ObligationKind::Invariant | ObligationKind::Postcondition, false) => {
            unknown("the last step reverts, so that nothing is left of what it did")
        }
        (ObligationKind::Invariant, true) => court.invariant(),
        (ObligationKind::Postcondition, true) => court.of_call(&ran.result.output, false),
        (ObligationKind::Succeeds, false) | (ObligationKind::Reverts, true) => court.of_call(&[], true),
        (ObligationKind::Succeeds, true) | (ObligationKind::Reverts, false) => Claimed::Holds,
        _ => unknown("what the annotation is about cannot be seen from outside"),
    }
}

struct Court<'a> {
    program: &'a Program,
    spans: &'a Spans,
    trace: &'a Trace,
    run: &'a Performance<'a>,
    step: &'a Step,
}

impl Court<'_> {
    fn invariant(&self) -> Claimed {
        let invariants = &self.program.contracts[self.trace.contract].invariants;
        let Some(clause) = invariants.iter().find(|c| Some(c.obligation) == self.trace.failure.clause) else {
            return unknown("the trace does not say which annotation is meant");
        };
        self.holds(clause, &[], false)
    }

    /// A claim about the call that the last step makes: at its end, or a condition at its beginning that then must be
    /// false.
    fn of_call(&self, output: &[u8], at_start: bool) -> Claimed {
        let Some(body) = self.called().and_then(|proc| self.program.body_of(proc)) else {
            return unknown("the last step calls no function of the source");
        };
        let proc = &self.program.procs[body];
        let clauses = proc.spec.iter().flat_map(|spec| spec.clauses());
        let Some(clause) = clauses.into_iter().find(|c| Some(c.obligation) == self.trace.failure.clause)
        else {
            return unknown("the annotation is not one of the function that the last step calls");
        };
        match self.locals(body, output) {
            Some(locals) if !mentions(self.program, clause.cond).needs_memory(self.program, body) => {
                match self.holds(clause, &locals, at_start) {
                    Claimed::Broken if at_start => Claimed::Holds,
                    Claimed::Holds if at_start => Claimed::Broken,
                    other => other,
                }
            }
            _ => unknown("the annotation is about data that is gone when the call is over"),
        }
    }

    fn called(&self) -> Option<ProcId> {
        let contract = &self.program.contracts[self.trace.contract];
        match &self.step.action {
            Action::Deploy { .. } => contract.constructor,
            Action::Call { entry, .. } => contract.entries.get(*entry).map(|e| e.proc),
            Action::Receive => contract.receive.or(contract.fallback.map(|f| f.proc)),
            Action::Fallback { .. } => contract.fallback.map(|f| f.proc),
            Action::ForcedEther => None,
        }
    }

    /// The locals of the function with its arguments and results.
    fn locals(&self, body: ProcId, output: &[u8]) -> Option<Vec<Value>> {
        let (types, proc) = (&self.program.types, &self.program.procs[body]);
        let zeros = proc.locals.iter().map(|local| Value::default_of(types, local.ty).ok());
        let mut locals = zeros.collect::<Option<Vec<Value>>>()?;
        if let Action::Deploy { args } | Action::Call { args, .. } = &self.step.action {
            for (param, arg) in proc.params.iter().zip(args) {
                if is_scalar(types.get(proc.locals[*param].ty)) {
                    locals[param.index()] = arg.clone().into();
                }
            }
        }
        let results = proc.spec.iter().flat_map(|spec| &spec.results);
        for (i, result) in results.enumerate() {
            let ty = proc.locals[*result].ty;
            // Only where all results are words is it certain which word is which.
            if proc.rets.iter().all(|ty| is_scalar(types.get(*ty))) {
                let word = word_at(output, U256::from(32 * i));
                locals[result.index()] = Value::Word(scalar_from_abi(types, ty, word, false)?);
            }
        }
        Some(locals)
    }

    fn holds(&self, clause: &Clause, locals: &[Value], at_start: bool) -> Claimed {
        let Some(immutables) = self.immutables(clause) else {
            return unknown("the value of an immutable is not known");
        };
        let immutables = Rc::new(immutables);
        let mut interpreter = Interpreter::new(self.program);
        interpreter.record_keys = true;
        interpreter.install_libraries();
        let libraries = interpreter.world.libraries.clone();
        let world = |machine: &Machine| {
            let mut world = self.world(machine, immutables.clone());
            world.libraries = libraries.clone();
            world
        };
        let old = world(&self.run.before);
        interpreter.world = world(if at_start { &self.run.before } else { &self.run.machine });
        for data in &self.run.cast.hashed {
            // The key of a mapping is hashed with the mapping's slot behind it.
            let Some((key, slot)) = data.len().checked_sub(32).map(|n| data.split_at(n)) else { continue };
            let key = if key.len() == 32 { Value::Word(U256::from_be_slice(key)) } else { Value::bytes(key) };
            interpreter.note_key(self.trace.this, U256::from_be_slice(slot), &key);
        }
        let moment = Moment {
            contract: self.trace.contract,
            this: self.trace.this,
            caller: self.step.caller,
            value: self.step.value,
            locals,
            old: Some(&old),
            before: None,
        };
        match interpreter.holds(clause, &moment) {
            Some(true) => Claimed::Holds,
            Some(false) => Claimed::Broken,
            None => unknown("whether the annotation holds could not be decided"),
        }
    }

    /// The machine's state as the interpreter has it.
    fn world(&self, machine: &Machine, immutables: Rc<Immutables>) -> World {
        let mut world = World::new();
        world.env = environment(&machine.environment, self.step.origin);
        for address in machine.addresses() {
            world.set_balance(word(address), machine.balance(address));
            let code = machine.code(address);
            if address == self.run.play.this {
                let contract = self.trace.contract;
                world.set_code(word(address), Code::Contract { contract, immutables: immutables.clone() });
            } else if !code.is_empty() {
                world.set_code(word(address), Code::Raw(code.into()));
            }
            for (slot, value) in machine.storage_slots(address) {
                world.sstore(word(address), slot, value);
            }
        }
        world
    }

    /// As they are in the deployed code; `None` if one that the clause mentions is not there.
    fn immutables(&self, clause: &Clause) -> Option<Immutables> {
        let cast = &self.run.cast;
        let code = self.run.machine.code(self.run.play.this);
        let mut found = BTreeMap::new();
        for immutable in &cast.stage.code(cast.main).compiled.immutables {
            let bytes = code.get(immutable.offset..immutable.offset + 32)?;
            found.insert(immutable.declared.start, (immutable, U256::from_be_slice(bytes)));
        }
        let mut values = Immutables::default();
        for (id, var) in self.program.state.iter_ids() {
            if var.kind != StateKind::Immutable || var.contract != self.trace.contract {
                continue;
            }
            let value = var.span.and_then(|span| {
                let declared = self.spans.place(span)?;
                let same = |p: &crate::compiler::Place| {
                    p.file == declared.file && p.start < declared.end && declared.start < p.end
                };
                found.values().find(|(immutable, _)| same(&immutable.declared)).map(|(_, value)| *value)
            });
            match value {
                Some(value) => {
                    values.insert(id, value);
                }
                None if mentions(self.program, clause.cond).state.contains(&id) => return None,
                None => {}
            }
        }
        Some(values)
    }
}

/// What a step finds around it, as the interpreter has it.
pub(super) fn environment(machine: &Environment, origin: U256) -> Env {
    Env {
        origin: Some(origin),
        timestamp: machine.timestamp,
        number: machine.number,
        coinbase: word(machine.coinbase),
        prev_randao: machine.prevrandao,
        gas_limit: U256::from(machine.gas_limit),
        chain_id: U256::from(machine.chain_id),
        base_fee: U256::from(machine.base_fee),
        blob_base_fee: U256::from(machine.blob_base_fee),
        gas_price: U256::from(machine.gas_price),
        ..Env::default()
    }
}

pub(super) fn word(address: Address) -> U256 {
    U256::from_be_slice(address.as_slice())
}

fn is_scalar(ty: &Type) -> bool {
    !matches!(
        ty,
        Type::StorageRef(_)
            | Type::MemoryRef(_)
            | Type::CalldataRef(_)
            | Type::Bytes
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. }
    )
}

/// What an expression speaks of.
#[derive(Default)]
struct Mentions {
    locals: Vec<LocalId>,
    state: Vec<StateVarId>,
}

impl Mentions {
    /// Something that only the running call could look at.
    fn needs_memory(&self, program: &Program, body: ProcId) -> bool {
        let (types, proc) = (&program.types, &program.procs[body]);
        let results = proc.spec.iter().flat_map(|spec| &spec.results);
        let results: Vec<LocalId> = results.copied().collect();
        let all_words = proc.rets.iter().all(|ty| is_scalar(types.get(*ty)));
        self.locals.iter().any(|local| {
            !is_scalar(types.get(proc.locals[*local].ty)) || (results.contains(local) && !all_words)
        })
    }
}

fn mentions(program: &Program, e: ExprId) -> Mentions {
    let mut found = Mentions::default();
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        let expr = program.exprs.get(e);
        match expr {
            Expr::Local(local) => found.locals.push(*local),
            Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) | Expr::Sum { place, .. } => {
                found.state.extend(root_variable(program, *place));
            }
            _ => {}
        }
        program.exprs.for_each_operand(e, |operand| open.push(operand));
    }
    found
}

fn root_variable(program: &Program, place: PlaceId) -> Option<StateVarId> {
    match program.exprs.place(place).root {
        Root::State(var) => Some(var),
        Root::Storage(_) | Root::Memory(_) | Root::Calldata(_) => None,
    }
}
