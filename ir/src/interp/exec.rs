//! Statements and terminators. The stacks of calls and procedures are explicit: however deep the program recurses,
//! the interpreter does not.

use super::Interpreter;
use super::abi;
use super::call::{Begun, Message, Returned, STIPEND};
use super::eval::{Eval, Spot, store_in_memory};
use super::frame::Frame;
use super::storage;
use super::store::ViewMut;
use super::value::{Run, Trap, Value, is_valid, panic_code};
use super::watch::Event;
use super::world::Log;
use crate::ids::{ExprId, Id, LocalId, PlaceId, ProcId, TypeId};
use crate::program::{AllocInit, CallKind, Callee, Create, ExternalCall, Gas, Stmt, StmtKind, Terminator};
use crate::span::Span;
use crate::types::{Type, Types};
use ruint::aliases::U256;
use std::rc::Rc;

/// What every statement costs at least.
const STEP_GAS: u64 = 8;

/// What a statement or terminator leads to.
pub(super) enum Next {
    /// The next statement (for calls: the first one of the callee).
    Go,
    /// The running call is over; its frame is gone.
    Ended(Returned),
}

/// Why a transaction is given up, and where.
pub(super) type Abort = (Trap, Option<Span>);

fn ill_formed(what: &str) -> Trap {
    Trap::Unsupported(format!("ill-formed IR: {what}"))
}

impl<'p> Interpreter<'p> {
    pub(super) fn frame(&self) -> Run<&Frame> {
        self.frames.last().ok_or_else(|| ill_formed("no call is running"))
    }

    pub(super) fn frame_mut(&mut self) -> Run<&mut Frame> {
        self.frames.last_mut().ok_or_else(|| ill_formed("no call is running"))
    }

    pub(super) fn charge(&mut self, gas: u64) -> Run<()> {
        self.frame_mut()?.charge(gas)
    }

    pub(super) fn eval(&self) -> Run<Eval<'_, 'p>> {
        Eval::new(self, self.frame()?)
    }

    pub(super) fn types(&self) -> &'p Types {
        &self.program.types
    }

    pub(super) fn set_local(&mut self, local: LocalId, value: Value) -> Run<()> {
        self.frame_mut()?.set_local(local, value)
    }

    /// Runs until the outermost call is over.
    pub(super) fn run(&mut self) -> Result<Returned, Abort> {
        loop {
            let mut step = self.step();
            // The end of a call is news for its caller, whose turn it is then.
            loop {
                let returned = match step {
                    Ok(Next::Go) => break,
                    Ok(Next::Ended(returned)) => returned,
                    Err(trap) => self.give_up(trap)?,
                };
                if self.frames.is_empty() {
                    return Ok(returned);
                }
                step = self.resume(returned);
            }
        }
    }

    /// A trap ends the running call; something unsupported ends everything.
    fn give_up(&mut self, trap: Trap) -> Result<Returned, Abort> {
        let span = self.frames.last().and_then(|f| f.span(self.program));
        match trap {
            Trap::Unsupported(_) => Err((trap, span)),
            Trap::Revert(_) | Trap::Malformed(_) | Trap::Panic(_) | Trap::OutOfGas => {
                self.fail(trap).map_err(|t| (t, span))
            }
        }
    }

    /// Runs one statement or terminator.
    fn step(&mut self) -> Run<Next> {
        let program = self.program;
        let frame = self.frame_mut()?;
        frame.charge(STEP_GAS)?;
        let top = frame.top()?;
        let block = &program.procs[top.proc].blocks[top.block];
        let next = match block.stmts.get(top.stmt) {
            Some(stmt) => {
                self.tell(Event::Before(stmt));
                self.statement(stmt)?
            }
            None => self.terminator(&block.terminator)?,
        };
        // A call that just began has nothing to pay yet, and settling twice is harmless.
        if let (Next::Go, Some(frame)) = (&next, self.frames.last_mut()) {
            frame.settle()?;
        }
        Ok(next)
    }

    /// The statement is done; on to the next.
    pub(super) fn advance(&mut self) -> Run<Next> {
        self.frame_mut()?.top_mut()?.stmt += 1;
        Ok(Next::Go)
    }

    fn statement(&mut self, stmt: &'p Stmt) -> Run<Next> {
        match &stmt.kind {
            StmtKind::Assign { dst, value } => {
                let value = self.eval()?.eval(*value)?;
                self.set_local(*dst, value)?;
            }
            StmtKind::Store { place, value } => self.store(*place, *value)?,
            StmtKind::Delete { place } => self.delete(*place)?,
            StmtKind::SetLength { place, length } => self.set_length(*place, *length)?,
            StmtKind::Havoc { dst } => {
                let top = self.frame()?.top()?;
                let ty = self.program.procs[top.proc].locals[*dst].ty;
                self.set_local(*dst, Value::default_of(self.types(), ty)?)?;
            }
            StmtKind::Assume { cond } => {
                if self.eval()?.word(*cond)?.is_zero() {
                    return Err(Trap::Unsupported("a run that an assumption excludes".into()));
                }
            }
            StmtKind::Check { obligation, cond } => {
                let holds = !self.eval()?.word(*cond)?.is_zero();
                if !holds && !self.failed_checks.contains(obligation) {
                    self.failed_checks.push(*obligation);
                }
                self.tell(Event::Checked { obligation: *obligation, holds });
            }
            StmtKind::Call { dsts: _, callee, args } => return self.call_proc(callee, args),
            StmtKind::Alloc { dst, init } => {
                let ptr = self.alloc(init)?;
                self.set_local(*dst, Value::Word(ptr))?;
            }
            StmtKind::Decode { dsts, types, strict, data, ok, error } => {
                self.decode(dsts, types, *strict, *data, *ok, *error)?;
            }
            StmtKind::ExternalCall(call) => {
                let begun = self.external_call(call)?;
                return self.proceed(begun);
            }
            StmtKind::Create(create) => {
                let begun = self.create(create)?;
                return self.proceed(begun);
            }
            StmtKind::Emit { event: _, topics, data, args: _ } => {
                let eval = self.eval()?;
                let topics = topics.iter().map(|t| eval.word(*t)).collect::<Run<Vec<_>>>()?;
                let data = eval.bytes(*data)?.to_vec();
                self.log(topics, data)?;
            }
            StmtKind::SelfDestruct { beneficiary } => {
                let beneficiary = self.eval()?.address(*beneficiary)?;
                self.charge(5000)?;
                let frame = self.frame()?;
                frame.forbid_static()?;
                self.world.self_destruct(frame.this, beneficiary);
                return Ok(Next::Ended(self.halt(Vec::new())?));
            }
            StmtKind::Evm { op, args, dsts } => return self.raw(*op, args, dsts),
            StmtKind::Unsupported { what } => return Err(Trap::Unsupported(what.clone())),
        }
        self.advance()
    }

    fn terminator(&mut self, terminator: &'p Terminator) -> Run<Next> {
        match terminator {
            Terminator::Goto(block) => self.jump(*block),
            Terminator::Branch { cond, then, other } => {
                let taken = !self.eval()?.word(*cond)?.is_zero();
                self.jump(if taken { *then } else { *other })
            }
            Terminator::Return(values) => {
                let eval = self.eval()?;
                let values = values.iter().map(|v| eval.eval(*v)).collect::<Run<Vec<_>>>()?;
                self.return_values(values)
            }
            Terminator::Revert(payload) => Err(Trap::Revert(self.eval()?.bytes(*payload)?.to_vec())),
            Terminator::Halt(output) => {
                let output = self.eval()?.bytes(*output)?.to_vec();
                Ok(Next::Ended(self.halt(output)?))
            }
            Terminator::Invalid => Err(Trap::OutOfGas),
            Terminator::Unreachable => Err(ill_formed("a run got to code marked unreachable")),
        }
    }

    fn jump(&mut self, block: crate::ids::BlockId) -> Run<Next> {
        let top = self.frame_mut()?.top_mut()?;
        top.block = block;
        top.stmt = 0;
        self.tell(Event::AtBlock);
        Ok(Next::Go)
    }

    // ---- procedures ----

    fn call_proc(&mut self, callee: &Callee, args: &[ExprId]) -> Run<Next> {
        let eval = self.eval()?;
        let proc = match callee {
            Callee::Proc(proc) => *proc,
            Callee::Pointer(pointer) => self.proc_of(eval.word(*pointer)?)?,
        };
        let values = args.iter().map(|a| eval.eval(*a)).collect::<Run<Vec<_>>>()?;
        if self.frame()?.activations.len() >= self.limits.recursion {
            return Err(Trap::OutOfGas);
        }
        let program = self.program;
        self.frame_mut()?.push(program, proc, values)?;
        self.tell(Event::Entered);
        Ok(Next::Go)
    }

    /// The procedure an internal function value stands for (see `Expr::FnPointer`).
    fn proc_of(&self, pointer: U256) -> Run<ProcId> {
        let index = pointer.checked_sub(U256::ONE).and_then(|i| usize::try_from(i).ok());
        let known = index.filter(|i| *i < self.program.procs.len());
        known.map(ProcId::from_usize).ok_or(Trap::Panic(panic_code::INVALID_FUNCTION))
    }

    fn return_values(&mut self, values: Vec<Value>) -> Run<Next> {
        self.tell(Event::Returning(&values));
        let program = self.program;
        let frame = self.frame_mut()?;
        if frame.activations.len() <= 1 {
            return Ok(Next::Ended(self.finish(&values)?));
        }
        frame.activations.pop();
        let Some(Stmt { kind: StmtKind::Call { dsts, .. }, .. }) = frame.stmt(program) else {
            return Err(ill_formed("a return to something that is no call"));
        };
        if dsts.len() != values.len() {
            return Err(ill_formed("a return of more or fewer values than the call takes"));
        }
        for (dst, value) in dsts.iter().zip(values) {
            frame.set_local(*dst, value)?;
        }
        self.advance()
    }

    // ---- storage and memory ----

    /// What every write to storage needs: no static call, and more gas than a stipend.
    pub(super) fn allow_write(&self, transient: bool) -> Run<()> {
        let frame = self.frame()?;
        frame.forbid_static()?;
        if !transient && frame.gas <= STIPEND { Err(Trap::OutOfGas) } else { Ok(()) }
    }

    /// The running account's storage and the gas it costs.
    pub(super) fn storage_mut(&mut self, transient: bool) -> Run<ViewMut<'_>> {
        self.allow_write(transient)?;
        let frame = self.frames.last().ok_or_else(|| ill_formed("no call is running"))?;
        let (address, spent, via_ir) = (frame.this, &frame.spent, self.via_ir);
        Ok(ViewMut { world: &mut self.world, address, transient, spent, via_ir })
    }

    fn store(&mut self, place: PlaceId, value: ExprId) -> Run<()> {
        let types = self.types();
        let eval = self.eval()?;
        let (spot, value) = (eval.spot(place)?, eval.eval(value)?);
        // Assembly can make enum values that do not exist; every write of one panics.
        let ty = self.program.exprs.place_ty(place);
        if let (Type::Enum(_), Value::Word(word)) = (types.get(ty), &value)
            && !is_valid(types, ty, *word)
        {
            return Err(Trap::Panic(panic_code::ENUM_CONVERSION));
        }
        match spot {
            Spot::Storage(ptr, ty) => {
                storage::store(types, &mut self.storage_mut(ptr.transient)?, ptr, ty, &value)
            }
            Spot::Immutable(var) => {
                let word = value.word()?;
                Rc::make_mut(&mut self.frame_mut()?.immutables).insert(var, word);
                Ok(())
            }
            memory => store_in_memory(types, &mut self.frame_mut()?.memory, memory, &value),
        }
    }

    fn storage_spot(&self, place: PlaceId) -> Run<(super::value::StoragePtr, TypeId)> {
        match self.eval()?.spot(place)? {
            Spot::Storage(ptr, ty) => Ok((ptr, ty)),
            _ => Err(ill_formed("a place outside storage deleted or resized")),
        }
    }

    fn delete(&mut self, place: PlaceId) -> Run<()> {
        let (ptr, ty) = self.storage_spot(place)?;
        let types = self.types();
        storage::delete(types, &mut self.storage_mut(ptr.transient)?, ptr, ty)
    }

    fn set_length(&mut self, place: PlaceId, length: ExprId) -> Run<()> {
        let length = self.eval()?.word(length)?;
        let (ptr, ty) = self.storage_spot(place)?;
        let types = self.types();
        storage::set_length(types, &mut self.storage_mut(ptr.transient)?, ptr, ty, length)
    }

    fn alloc(&mut self, init: &AllocInit) -> Run<U256> {
        let types = self.types();
        match init {
            AllocInit::Zero(ty) => self.frame_mut()?.memory.alloc_zero(types, *ty),
            AllocInit::Array(ty, length) => {
                let length = self.eval()?.word(*length)?;
                self.frame_mut()?.memory.alloc_array(types, *ty, length)
            }
            AllocInit::Copy(ty, source) => {
                let eval = self.eval()?;
                let value = eval.eval(*source)?;
                let from = self.program.exprs.ty(*source);
                let tree = eval.with_sources(|sources| sources.tree(from, &value))?;
                self.frame_mut()?.memory.alloc_tree(types, *ty, &tree)
            }
        }
    }

    fn decode(
        &mut self,
        dsts: &[LocalId],
        tys: &[TypeId],
        strict: bool,
        data: ExprId,
        ok: LocalId,
        error: LocalId,
    ) -> Run<()> {
        let types = self.types();
        let data = self.eval()?.bytes(data)?;
        let debug = self.debug_reverts;
        let frame = self.frame_mut()?;
        let payload = match abi::decode::decode(types, strict, &data, 0, tys, &mut frame.memory) {
            Ok(values) => {
                for (dst, value) in dsts.iter().zip(values) {
                    frame.set_local(*dst, value)?;
                }
                None
            }
            Err(trap @ (Trap::OutOfGas | Trap::Unsupported(_))) => return Err(trap),
            Err(trap) => Some(trap.explained(debug).payload()),
        };
        frame.set_local(ok, Value::bool(payload.is_none()))?;
        frame.set_local(error, Value::bytes(payload.unwrap_or_default()))
    }

    pub(super) fn log(&mut self, topics: Vec<U256>, data: Vec<u8>) -> Run<()> {
        self.charge(375 * (1 + topics.len() as u64) + 8 * data.len() as u64)?;
        let frame = self.frame()?;
        frame.forbid_static()?;
        self.world.log(Log { address: frame.this, topics, data });
        Ok(())
    }

    // ---- other accounts ----

    fn external_call(&mut self, call: &ExternalCall) -> Run<Begun> {
        let eval = self.eval()?;
        let value = call.value.map_or(Ok(U256::ZERO), |v| eval.word(v))?;
        let gas = match call.gas {
            Gas::All => None,
            // The value brings the stipend along; without value the same amount is given explicitly.
            Gas::Stipend if value.is_zero() => Some(STIPEND),
            Gas::Stipend => Some(0),
            Gas::Amount(amount) => Some(u64::try_from(eval.word(amount)?).unwrap_or(u64::MAX)),
        };
        let value = match call.kind {
            CallKind::Call | CallKind::Code => value,
            CallKind::Static | CallKind::Delegate => U256::ZERO,
        };
        let (target, data) = (eval.address(call.target)?, eval.bytes(call.data)?);
        self.begin_call(Message { kind: call.kind, target, value, data, gas })
    }

    fn create(&mut self, create: &Create) -> Run<Begun> {
        let eval = self.eval()?;
        let value = create.value.map_or(Ok(U256::ZERO), |v| eval.word(v))?;
        let salt = create.salt.map(|s| eval.word(s)).transpose()?;
        let args = eval.bytes(create.args)?;
        self.begin_create(Some(create.contract), &args, value, salt)
    }

    /// After a call or creation was begun: run the callee, or go on if it is over already.
    pub(super) fn proceed(&mut self, begun: Begun) -> Run<Next> {
        match begun {
            Begun::Running => Ok(Next::Go),
            Begun::Over(returned) => self.resume(returned),
        }
    }

    /// Hands the result of a call to the statement that made it.
    fn resume(&mut self, returned: Returned) -> Run<Next> {
        let program = self.program;
        let frame = self.frame_mut()?;
        frame.gas = frame.gas.saturating_add(returned.gas);
        frame.returndata = if returned.created.is_some() { Rc::from([]) } else { returned.data.clone() };
        let Some(stmt) = frame.stmt(program) else { return Err(ill_formed("a result for no call")) };
        match &stmt.kind {
            StmtKind::ExternalCall(call) => {
                frame.set_local(call.ok, Value::bool(returned.ok))?;
                frame.set_local(call.result, Value::Bytes(returned.data))?;
            }
            StmtKind::Create(create) => {
                frame.set_local(create.dst, Value::Word(returned.created.unwrap_or(U256::ZERO)))?;
                frame.set_local(create.ok, Value::bool(returned.ok))?;
                frame.set_local(create.result, Value::Bytes(returned.data))?;
            }
            StmtKind::Evm { op, args: _, dsts } => self.resume_raw(*op, dsts, &returned)?,
            _ => return Err(ill_formed("a result for something that is no call")),
        }
        self.tell(Event::BackFromCall { ok: returned.ok });
        self.advance()
    }
}
