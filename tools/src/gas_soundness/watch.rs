//! What a transaction spends itself, apart from those it calls.

use revm::Inspector;
use revm::interpreter::{
    CallInputs, CallOutcome, CreateInputs, CreateOutcome, Interpreter, InterpreterResult,
    interpreter_types::Jumps,
};

#[derive(Default)]
pub struct Watch {
    depth: usize,
    /// Gas that callees of the outermost frame used.
    pub callees: u64,
    /// The most bytes that one of them gave back.
    pub returned: u64,
    /// How often each instruction of the outermost frame was run.
    visits: Vec<u32>,
}

impl Watch {
    pub fn visits(&self, pc: usize) -> u64 {
        self.visits.get(pc).copied().unwrap_or(0).into()
    }

    fn leave(&mut self, spent: u64, returned: usize) {
        self.depth -= 1;
        if self.depth == 1 {
            self.callees += spent;
            self.returned = self.returned.max(returned as u64);
        }
    }
}

/// What a frame used: everything, if it halts.
fn spent(result: &InterpreterResult) -> u64 {
    if result.result.is_halt() { result.gas.limit() } else { result.gas.total_gas_spent() }
}

impl<C> Inspector<C> for Watch {
    fn step(&mut self, interpreter: &mut Interpreter, _: &mut C) {
        if self.depth == 1 {
            let pc = interpreter.bytecode.pc();
            if self.visits.len() <= pc {
                self.visits.resize(pc + 1, 0);
            }
            self.visits[pc] += 1;
        }
    }

    fn call(&mut self, _: &mut C, _: &mut CallInputs) -> Option<CallOutcome> {
        self.depth += 1;
        None
    }

    fn call_end(&mut self, _: &mut C, _: &CallInputs, outcome: &mut CallOutcome) {
        self.leave(spent(&outcome.result), outcome.result.output.len());
    }

    fn create(&mut self, _: &mut C, _: &mut CreateInputs) -> Option<CreateOutcome> {
        self.depth += 1;
        None
    }

    fn create_end(&mut self, _: &mut C, _: &CreateInputs, outcome: &mut CreateOutcome) {
        self.leave(spent(&outcome.result), outcome.result.output.len());
    }
}
