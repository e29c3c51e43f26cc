//! What a transaction looks at in a contract: enough to tell what to change to send it another way.

use std::collections::BTreeSet;

use revm::Inspector;
use revm::bytecode::opcode;
use revm::context_interface::ContextTr;
use revm::interpreter::interpreter_types::{InputsTr, Jumps};
use revm::interpreter::{CallInputs, CallOutcome, Interpreter};

use crate::{Address, U256};

pub struct Trail {
    contract: Address,
    /// Slots that were read or written, in the order of their first use.
    pub slots: Vec<U256>,
    /// Numbers that were compared with each other, or subtracted.
    pub compared: Vec<(U256, U256)>,
    /// Whom the contract called, in order.
    pub called: Vec<Address>,
    /// Jumps that were taken or not, by the offset of the instruction and where it went on.
    pub turns: BTreeSet<(usize, usize)>,
    /// A jump that is just being made.
    turning: Option<usize>,
}

impl Trail {
    pub fn of(contract: Address) -> Trail {
        Trail {
            contract,
            slots: Vec::new(),
            compared: Vec::new(),
            called: Vec::new(),
            turns: BTreeSet::new(),
            turning: None,
        }
    }
}

/// More comparisons than this tell nothing new.
const MOST: usize = 400;

impl<C: ContextTr> Inspector<C> for Trail {
    fn step(&mut self, interpreter: &mut Interpreter, _: &mut C) {
        if interpreter.input.target_address() != self.contract {
            return;
        }
        let pc = interpreter.bytecode.pc();
        if let Some(from) = self.turning.take() {
            self.turns.insert((from, pc));
        }
        let stack = interpreter.stack.data();
        match interpreter.bytecode.opcode() {
            opcode::JUMPI => self.turning = Some(pc),
            opcode::SLOAD | opcode::SSTORE => {
                if let Some(slot) = stack.last().filter(|slot| !self.slots.contains(slot)) {
                    self.slots.push(*slot);
                }
            }
            opcode::LT
            | opcode::GT
            | opcode::SLT
            | opcode::SGT
            | opcode::EQ
            | opcode::SUB
            | opcode::ADD
            | opcode::XOR => {
                if let [.., b, a] = stack.as_slice()
                    && self.compared.len() < MOST
                    && !self.compared.contains(&(*a, *b))
                {
                    self.compared.push((*a, *b));
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, _: &mut C, inputs: &mut CallInputs) -> Option<CallOutcome> {
        if inputs.caller == self.contract && !self.called.contains(&inputs.bytecode_address) {
            self.called.push(inputs.bytecode_address);
        }
        None
    }
}
