//! Bytecode, read as instructions.

use std::ops::Range;

use hornet_evm::U256;
use rustc_hash::FxHashSet;

use super::opcode::{JUMPDEST, PUSH1, PUSH32};

#[derive(Clone, Debug)]
pub struct Code {
    bytes: Vec<u8>,
    jumpdests: FxHashSet<usize>,
    /// Filled in by deployment.
    holes: Vec<Range<usize>>,
}

pub enum Pushed {
    Word(U256),
    /// Known after deployment only.
    Hole,
}

impl Code {
    pub fn new(bytes: Vec<u8>, holes: Vec<Range<usize>>) -> Code {
        let mut code = Code { bytes, jumpdests: FxHashSet::default(), holes };
        let mut pc = 0;
        while pc < code.bytes.len() {
            if code.opcode(pc) == JUMPDEST {
                code.jumpdests.insert(pc);
            }
            pc += code.length(pc);
        }
        code
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Past the end there is nothing but `STOP`.
    pub fn opcode(&self, pc: usize) -> u8 {
        self.bytes.get(pc).copied().unwrap_or(0)
    }

    pub fn length(&self, pc: usize) -> usize {
        match self.opcode(pc) {
            opcode @ PUSH1..=PUSH32 => 2 + usize::from(opcode - PUSH1),
            _ => 1,
        }
    }

    pub fn is_jumpdest(&self, pc: usize) -> bool {
        self.jumpdests.contains(&pc)
    }

    /// The operand of a push.
    pub fn pushed(&self, pc: usize) -> Pushed {
        let (from, to) = (pc + 1, pc + self.length(pc));
        if self.is_hole(from..to) {
            return Pushed::Hole;
        }
        let mut word = U256::ZERO;
        for at in from..to {
            word = (word << 8) | U256::from(self.opcode(at));
        }
        Pushed::Word(word)
    }

    /// Some of these bytes are not known.
    pub fn is_hole(&self, range: Range<usize>) -> bool {
        self.holes.iter().any(|hole| hole.start < range.end && range.start < hole.end)
    }
}
