//! Code for those who answer the contract's calls: makes the calls it is told to make, then returns or reverts.

use crate::{Address, U256};

mod op {
    pub const STOP: u8 = 0x00;
    pub const CODECOPY: u8 = 0x39;
    pub const POP: u8 = 0x50;
    pub const SSTORE: u8 = 0x55;
    pub const GAS: u8 = 0x5a;
    pub const PUSH1: u8 = 0x60;
    pub const CREATE: u8 = 0xf0;
    pub const CALL: u8 = 0xf1;
    pub const RETURN: u8 = 0xf3;
    pub const REVERT: u8 = 0xfd;
    pub const SELFDESTRUCT: u8 = 0xff;
}

/// Something a puppet does before it answers. Whether it succeeds does not matter to the puppet.
pub enum Deed {
    Call {
        to: Address,
        value: U256,
        data: Vec<u8>,
    },
    /// Ether that nobody can refuse: a new contract ends at once and leaves what it has.
    Gift {
        to: Address,
        value: U256,
    },
    /// In the storage of whoever lets the puppet work on it.
    Write {
        slot: U256,
        value: U256,
    },
}

/// What those answer who were told nothing: zeros, enough of them for any result of small types.
pub const NOTHING_SAID: [u8; 64 * 32] = [0; 64 * 32];

pub fn program(deeds: &[Deed], succeeds: bool, answer: &[u8]) -> Vec<u8> {
    let mut assembler = Assembler::default();
    for deed in deeds {
        match deed {
            Deed::Call { to, value, data } => assembler.call(*to, *value, data),
            Deed::Gift { to, value } => assembler.gift(*to, *value),
            Deed::Write { slot, value } => assembler.write(*slot, *value),
        }
    }
    assembler.end(if succeeds { op::RETURN } else { op::REVERT }, answer);
    assembler.finish()
}

/// Instructions, and after them the data that they copy to memory.
#[derive(Default)]
struct Assembler {
    code: Vec<u8>,
    data: Vec<u8>,
    /// Where in the code four bytes wait for the place of data, and which.
    waiting: Vec<(usize, usize)>,
}

impl Assembler {
    fn push(&mut self, bytes: &[u8]) {
        self.code.push(op::PUSH1 - 1 + bytes.len() as u8);
        self.code.extend_from_slice(bytes);
    }

    fn push_word(&mut self, word: U256) {
        let bytes = word.to_be_bytes::<32>();
        let zeros = bytes.iter().take_while(|b| **b == 0).count().min(31);
        self.push(&bytes[zeros..]);
    }

    fn push_size(&mut self, size: usize) {
        self.push_word(U256::from(size));
    }

    /// Data to the beginning of memory.
    fn load(&mut self, data: &[u8]) {
        self.push_size(data.len());
        self.waiting.push((self.code.len() + 1, self.data.len()));
        self.push(&[0; 4]);
        self.push_size(0);
        self.code.push(op::CODECOPY);
        self.data.extend_from_slice(data);
    }

    fn call(&mut self, to: Address, value: U256, data: &[u8]) {
        self.load(data);
        for size in [0, 0, data.len(), 0] {
            self.push_size(size);
        }
        self.push_word(value);
        self.push(to.as_slice());
        self.code.extend([op::GAS, op::CALL, op::POP]);
    }

    fn gift(&mut self, to: Address, value: U256) {
        let mut last_will = Assembler::default();
        last_will.push(to.as_slice());
        last_will.code.push(op::SELFDESTRUCT);
        self.load(&last_will.code);
        self.push_size(last_will.code.len());
        self.push_size(0);
        self.push_word(value);
        self.code.extend([op::CREATE, op::POP]);
    }

    fn write(&mut self, slot: U256, value: U256) {
        self.push_word(value);
        self.push_word(slot);
        self.code.push(op::SSTORE);
    }

    fn end(&mut self, how: u8, answer: &[u8]) {
        if !answer.is_empty() {
            self.load(answer);
        }
        self.push_size(answer.len());
        self.push_size(0);
        self.code.push(how);
    }

    fn finish(mut self) -> Vec<u8> {
        self.code.push(op::STOP);
        let base = self.code.len();
        for (at, offset) in self.waiting {
            let place = ((base + offset) as u32).to_be_bytes();
            self.code[at..at + 4].copy_from_slice(&place);
        }
        self.code.append(&mut self.data);
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Environment, Fork, Machine, Message};

    fn message() -> Message {
        Message {
            from: Address::repeat_byte(1),
            origin: None,
            value: U256::ZERO,
            data: Vec::new(),
            gas: 1 << 24,
        }
    }

    #[test]
    fn it_does_what_it_is_told_and_answers() {
        let mut machine = Machine::new(Fork::Cancun, Environment::default());
        let (puppet, refusing, echo) =
            (Address::repeat_byte(2), Address::repeat_byte(3), Address::repeat_byte(4));
        // Keeps the first word of its calldata: CALLDATALOAD(0) to slot 0.
        machine.set_code(echo, vec![0x5f, 0x35, 0x5f, 0x55]);
        machine.set_code(refusing, program(&[], false, b"no"));
        machine.set_balance(puppet, U256::from(9));
        let mut word = [0; 32];
        word[31] = 7;
        let deeds = [
            Deed::Call { to: refusing, value: U256::from(1), data: Vec::new() },
            Deed::Call { to: echo, value: U256::from(2), data: word.to_vec() },
            Deed::Gift { to: refusing, value: U256::from(3) },
            Deed::Write { slot: U256::from(5), value: U256::from(6) },
        ];
        machine.set_code(puppet, program(&deeds, true, b"yes"));
        let outcome = machine.call(puppet, message());
        assert!(outcome.success, "{outcome:?}");
        assert_eq!(outcome.output, b"yes");
        let balances = [puppet, echo, refusing].map(|a| machine.balance(a).to::<u64>());
        assert_eq!(balances, [4, 2, 3]);
        assert_eq!(machine.storage(echo, U256::ZERO), U256::from(7));
        assert_eq!(machine.storage(puppet, U256::from(5)), U256::from(6));
        let refused = machine.call(refusing, message());
        assert_eq!((refused.success, refused.halt, refused.output), (false, None, b"no".to_vec()));
    }
}
