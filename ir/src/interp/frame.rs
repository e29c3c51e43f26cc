//! One external call in progress: its own memory and calldata, and the stack of procedures running in it.

use super::memory::Memory;
use super::value::{Run, Trap, Value};
use super::world::{Address, Immutables, Snapshot};
use crate::ids::{BlockId, ContractId, Id, LocalId, ProcId};
use crate::program::{Program, Stmt};
use crate::span::Span;
use ruint::aliases::U256;
use std::cell::Cell;
use std::rc::Rc;

/// What was entered, hence what becomes of the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// Results are ABI-encoded.
    Function { library: bool, strict: bool },
    /// `receive`, or a fallback without data: nothing is returned.
    Plain,
    /// Raw bytes are returned.
    FallbackWithData,
    /// The code with its immutables is deployed.
    Constructor,
}

/// A procedure in progress. While it waits for a call, `stmt` is the call.
#[derive(Clone, Debug)]
pub struct Activation {
    pub proc: ProcId,
    pub block: BlockId,
    pub stmt: usize,
    pub locals: Vec<Value>,
}

#[derive(Clone, Debug)]
pub struct Frame {
    /// Whose code runs.
    pub contract: ContractId,
    /// Whose storage and balance it acts on.
    pub this: Address,
    /// Where the running code is deployed.
    pub code_address: Address,
    pub caller: Address,
    pub value: U256,
    pub calldata: Rc<[u8]>,
    /// What follows the creation code: the constructor's arguments.
    pub init_args: Rc<[u8]>,
    /// Of the last call made from here.
    pub returndata: Rc<[u8]>,
    /// Where in memory the result of a raw call in progress goes: offset and room.
    pub output: (U256, U256),
    pub memory: Memory,
    pub is_static: bool,
    pub gas: u64,
    /// Spent by expressions, which do not change the frame otherwise; taken from `gas` after each statement.
    pub spent: Cell<u64>,
    /// Memory already paid for, in words.
    pub paid_words: u64,
    /// The world to return to if this call fails.
    pub snapshot: Snapshot,
    pub entered: Entered,
    pub immutables: Rc<Immutables>,
    pub activations: Vec<Activation>,
}

/// Gas of memory of so many words.
fn memory_gas(words: u64) -> u64 {
    3 * words + words * words / 512
}

impl Frame {
    /// The procedure that is running.
    pub fn top(&self) -> Run<&Activation> {
        self.activations.last().ok_or_else(no_procedure)
    }

    pub fn top_mut(&mut self) -> Run<&mut Activation> {
        self.activations.last_mut().ok_or_else(no_procedure)
    }

    pub fn set_local(&mut self, local: LocalId, value: Value) -> Run<()> {
        let top = self.top_mut()?;
        match top.locals.get_mut(local.index()) {
            Some(slot) => {
                *slot = value;
                Ok(())
            }
            None => Err(Trap::Unsupported("ill-formed IR: a local that the procedure does not have".into())),
        }
    }

    /// Starts a procedure. Locals have the zeros of their types until they are assigned.
    pub fn push(&mut self, program: &Program, proc: ProcId, args: Vec<Value>) -> Run<()> {
        let body = &program.procs[proc];
        if body.params.len() != args.len() {
            return Err(Trap::Unsupported(format!(
                "ill-formed IR: wrong number of arguments for `{}`",
                body.name
            )));
        }
        let zeros = body.locals.iter().map(|l| Value::default_of(&program.types, l.ty));
        let mut locals = zeros.collect::<Run<Vec<Value>>>()?;
        for (param, arg) in body.params.iter().zip(args) {
            locals[param.index()] = arg;
        }
        self.activations.push(Activation { proc, block: body.entry, stmt: 0, locals });
        Ok(())
    }

    /// The statement that is running; `None` at the end of the block.
    pub fn stmt<'p>(&self, program: &'p Program) -> Option<&'p Stmt> {
        let top = self.activations.last()?;
        program.procs[top.proc].blocks[top.block].stmts.get(top.stmt)
    }

    /// Where in the source we are, as closely as known.
    pub fn span(&self, program: &Program) -> Option<Span> {
        self.activations.iter().rev().find_map(|a| {
            let proc = &program.procs[a.proc];
            let block = &proc.blocks[a.block];
            let stmt = block.stmts.get(a.stmt).and_then(|s| s.span);
            stmt.or(block.span).or(proc.span)
        })
    }

    pub fn charge(&mut self, gas: u64) -> Run<()> {
        match self.gas.checked_sub(gas) {
            Some(rest) => {
                self.gas = rest;
                Ok(())
            }
            None => {
                self.gas = 0;
                Err(Trap::OutOfGas)
            }
        }
    }

    /// Pays for what expressions spent and for the memory that the last statement added.
    pub fn settle(&mut self) -> Run<()> {
        let spent = self.spent.take();
        let words = self.memory.msize().to::<u64>() / 32;
        let mut due = spent;
        if words > self.paid_words {
            due += memory_gas(words) - memory_gas(self.paid_words);
            self.paid_words = words;
        }
        if due > 0 { self.charge(due) } else { Ok(()) }
    }

    /// State must not change in a static call: the EVM stops such a call for good.
    pub fn forbid_static(&self) -> Run<()> {
        if self.is_static { Err(Trap::OutOfGas) } else { Ok(()) }
    }
}

fn no_procedure() -> Trap {
    Trap::Unsupported("a call without a procedure".into())
}
