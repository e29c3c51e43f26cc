//! Watches what others use whom a transaction calls.

use revm::Inspector;
use revm::context_interface::ContextTr;
use revm::interpreter::{CallInputs, CallOutcome, CreateInputs, CreateOutcome, Gas, InstructionResult};

#[derive(Default)]
pub(super) struct Callees {
    /// Frames that are open.
    depth: usize,
    /// Gas of the frames that the outermost one opened, with all inside them.
    pub used: u64,
    /// The most bytes that one of them gave back.
    pub returned: u64,
}

impl Callees {
    /// A frame that halts takes all that it was given.
    fn end(&mut self, result: InstructionResult, gas: Gas, output: usize) {
        self.depth -= 1;
        if self.depth == 1 {
            self.used += if result.is_halt() { gas.limit() } else { gas.total_gas_spent() };
            self.returned = self.returned.max(output as u64);
        }
    }
}

impl<C: ContextTr> Inspector<C> for Callees {
    fn call(&mut self, _: &mut C, _: &mut CallInputs) -> Option<CallOutcome> {
        self.depth += 1;
        None
    }

    fn call_end(&mut self, _: &mut C, _: &CallInputs, outcome: &mut CallOutcome) {
        self.end(*outcome.instruction_result(), outcome.gas(), outcome.result.output.len());
    }

    fn create(&mut self, _: &mut C, _: &mut CreateInputs) -> Option<CreateOutcome> {
        self.depth += 1;
        None
    }

    fn create_end(&mut self, _: &mut C, _: &CreateInputs, outcome: &mut CreateOutcome) {
        self.end(*outcome.instruction_result(), *outcome.gas(), outcome.result.output.len());
    }
}
