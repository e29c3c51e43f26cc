//! One instruction: what it does to what is known, and what it costs at most.

use std::collections::BTreeSet;

use hornet_evm::U256;

use super::abi::{Entry, Function};
use super::code::{Code, Pushed};
use super::memory::Write;
use super::opcode::*;
use super::poly::Poly;
use super::report::{Blame, Calls, Reason};
use super::schedule::Schedule;
use super::state::{State, Value};
use super::term::{Env, MEMORY_BITS, Node, Origin, Term, Terms};
use super::upper::Upper;
use super::word::{Op, Range};

pub enum Step {
    Next,
    Jump(usize),
    /// Jumps there if the word is not zero.
    Branch(Term, usize),
    /// Stops, returns or reverts.
    End,
    /// Takes all gas there is, or cannot be.
    Burn,
    Stuck(Blame),
}

/// What all paths of a function share.
pub struct Machine<'a> {
    pub code: &'a Code,
    pub schedule: Schedule,
    pub terms: Terms,
    pub calls: Calls,
    /// Instructions that take all gas.
    pub burns: Vec<usize>,
    /// Lengths that are taken to be less than 2^64.
    pub lengths: BTreeSet<Term>,
}

/// The compiler keeps the end of used memory here.
const FREE_MEMORY: u64 = 0x40;

/// The rest of the path cannot be, or nothing is left to pay it with.
pub struct Over;

type Done<T> = Result<T, Over>;

/// Longest run of bytes that is followed byte by byte.
const FOLLOWED: i64 = 1024;

impl<'a> Machine<'a> {
    pub fn new(code: &'a Code, schedule: Schedule, function: &Function) -> Machine<'a> {
        let selector = match function.entry {
            Entry::Selector(selector) => Some(selector),
            Entry::Receive | Entry::Fallback => None,
        };
        Machine {
            code,
            schedule,
            terms: Terms::new(selector),
            calls: Calls::default(),
            burns: Vec::new(),
            lengths: BTreeSet::new(),
        }
    }
}

impl Machine<'_> {
    pub fn step(&mut self, state: &mut State) -> Step {
        let opcode = self.code.opcode(state.pc);
        let Some(base) = self.schedule.base(opcode) else {
            self.burns.push(state.pc);
            return Step::Burn;
        };
        state.cost.spend(base);
        self.execute(state, opcode).unwrap_or(Step::Burn)
    }

    fn execute(&mut self, state: &mut State, opcode: u8) -> Done<Step> {
        let pc = state.pc;
        let mut next = Step::Next;
        match opcode {
            STOP => next = Step::End,
            RETURN | REVERT => {
                let [at, len] = pop(state)?;
                self.touch(state, at, len)?;
                next = Step::End;
            }
            PUSH0..=PUSH32 => self.push(state),
            DUP1..=DUP16 => {
                let at = state.stack.len().checked_sub(usize::from(opcode - DUP1) + 1).ok_or(Over)?;
                state.stack.push(state.stack[at]);
            }
            SWAP1..=SWAP16 => {
                let last = state.stack.len().checked_sub(1).ok_or(Over)?;
                let at = last.checked_sub(usize::from(opcode - SWAP1) + 1).ok_or(Over)?;
                state.stack.swap(at, last);
            }
            POP => {
                let [_] = pop(state)?;
            }
            JUMPDEST => {}
            JUMP => {
                let [target] = pop(state)?;
                next = self.target(state, target).map_or_else(Step::Stuck, Step::Jump);
            }
            JUMPI => {
                let [target, condition] = pop(state)?;
                next = match self.target(state, target) {
                    Ok(target) => Step::Branch(condition, target),
                    Err(blame) => Step::Stuck(blame),
                };
            }
            ADD..=CLZ => self.arithmetic(state, opcode)?,
            MLOAD | MSTORE | MSTORE8 | MCOPY | KECCAK256 => self.use_memory(state, opcode)?,
            CALLDATALOAD => {
                let [at] = pop(state)?;
                let at = state.facts.constant(&mut self.terms, at);
                let word = self.terms.calldata(at);
                state.push(word);
            }
            CALLDATACOPY | CODECOPY | EXTCODECOPY | RETURNDATACOPY => self.copy(state, opcode)?,
            SLOAD => {
                let [key] = pop(state)?;
                let (facts, terms) = (state.facts.clone(), &mut self.terms);
                let key = facts.constant(terms, key);
                let (word, warm) = state.storage().load(terms, &facts, key, pc);
                state.cost.spend(self.schedule.sload(warm));
                state.push(word);
            }
            SSTORE => {
                let [key, word] = pop(state)?;
                let (facts, schedule) = (state.facts.clone(), self.schedule);
                let key = facts.constant(&mut self.terms, key);
                let gas = state.storage().store(&mut self.terms, &facts, (key, word), &schedule, pc);
                state.cost.spend(gas);
            }
            TSTORE => {
                let [_, _] = pop(state)?;
            }
            TLOAD | BLOCKHASH | BLOBHASH => {
                let [_] = pop(state)?;
                let word = self.terms.unknown(pc);
                state.push(word);
            }
            LOG0..=LOG4 => {
                let [at, len] = pop(state)?;
                for _ in LOG0..opcode {
                    let [_] = pop(state)?;
                }
                self.touch(state, at, len)?;
                let bytes = self.upper(state).of_small(len);
                state.cost.gas = state.cost.gas.add(&bytes.scaled(8, 1));
            }
            BALANCE | EXTCODESIZE | EXTCODEHASH => self.look_at_account(state, opcode)?,
            CREATE | CREATE2 => self.create(state, opcode)?,
            CALL | CALLCODE | DELEGATECALL | STATICCALL => self.call(state, opcode)?,
            SELFDESTRUCT => {
                self.selfdestruct(state)?;
                next = Step::End;
            }
            _ => {
                let word = self.environment(state, opcode).ok_or(Over)?;
                state.push(word);
            }
        }
        if state.stack.len() > 1024 {
            return Err(Over);
        }
        if matches!(next, Step::Next | Step::Branch(..)) {
            state.pc += self.code.length(pc);
        }
        Ok(next)
    }

    fn push(&mut self, state: &mut State) {
        let pc = state.pc;
        match self.code.pushed(pc) {
            Pushed::Hole => {
                let word = self.terms.immutable(pc + 1);
                state.push(word);
            }
            Pushed::Word(word) => {
                let label = usize::try_from(word).is_ok_and(|pc| self.code.is_jumpdest(pc));
                let term = self.terms.word(word);
                state.stack.push(Value { term, label });
            }
        }
    }

    /// Where a jump goes. Jumps into nowhere take all gas, and are no blame of anybody.
    fn target(&mut self, state: &State, target: Term) -> Result<usize, Blame> {
        let target = state.facts.constant(&mut self.terms, target);
        let word = self.terms.as_const(target);
        word.map(|word| usize::try_from(word).unwrap_or(usize::MAX))
            .ok_or(Blame { pc: state.pc, reason: Reason::Jump })
    }

    fn arithmetic(&mut self, state: &mut State, opcode: u8) -> Done<()> {
        let result = match opcode {
            NOT | ISZERO | CLZ => {
                let [a] = self.pop_constant(state)?;
                match opcode {
                    NOT => self.terms.not(a),
                    ISZERO => self.terms.is_zero(a),
                    _ => self.terms.op(Op::Clz, &[a]),
                }
            }
            ADDMOD | MULMOD => {
                let arguments: [Term; 3] = self.pop_constant(state)?;
                self.terms.op(if opcode == ADDMOD { Op::AddMod } else { Op::MulMod }, &arguments)
            }
            _ => {
                let [a, b] = self.pop_constant(state)?;
                if opcode == EXP {
                    let bytes = state.range(&self.terms, b).high.byte_len() as u64;
                    state.cost.spend(bytes * self.schedule.exp_byte());
                }
                self.binary(state, opcode, a, b)
            }
        };
        state.push(result);
        Ok(())
    }

    fn binary(&mut self, state: &State, opcode: u8, a: Term, b: Term) -> Term {
        let op = match opcode {
            ADD => return self.terms.add(a, b),
            SUB => return self.terms.sub(a, b),
            EQ => return self.terms.equal(a, b),
            GT => return self.terms.op(Op::Lt, &[b, a]),
            SGT => return self.terms.op(Op::Slt, &[b, a]),
            AND => return self.and(state, a, b),
            MUL => Op::Mul,
            DIV => Op::Div,
            SDIV => Op::Sdiv,
            MOD => Op::Mod,
            SMOD => Op::Smod,
            EXP => Op::Exp,
            SIGNEXTEND => Op::SignExtend,
            LT => Op::Lt,
            SLT => Op::Slt,
            OR => Op::Or,
            XOR => Op::Xor,
            BYTE => Op::Byte,
            SHL => Op::Shl,
            SHR => Op::Shr,
            _ => Op::Sar,
        };
        self.terms.op(op, &[a, b])
    }

    /// Cleaning what is clean already changes nothing.
    fn and(&mut self, state: &State, a: Term, b: Term) -> Term {
        let masks = |mask: Term, word: Term| {
            let mask = self.terms.as_const(mask)?;
            let is_low = (mask.wrapping_add(U256::ONE) & mask).is_zero();
            (is_low && state.range(&self.terms, word).high <= mask).then_some(word)
        };
        match masks(a, b).or_else(|| masks(b, a)) {
            Some(word) => word,
            None => self.terms.op(Op::And, &[a, b]),
        }
    }

    fn pop_constant<const N: usize>(&mut self, state: &mut State) -> Done<[Term; N]> {
        let arguments = pop(state)?;
        Ok(arguments.map(|argument| state.facts.constant(&mut self.terms, argument)))
    }

    pub(super) fn upper<'s>(&'s mut self, state: &'s State) -> Upper<'s> {
        Upper::new(&mut self.terms, &state.facts, state.pc)
    }

    /// Memory is used from a place on.
    pub(super) fn touch(&mut self, state: &mut State, at: Term, len: Term) -> Done<()> {
        let [at, len] = [at, len].map(|term| state.facts.constant(&mut self.terms, term));
        if len == Term::ZERO {
            return Ok(());
        }
        self.take_for_length(state, at)?;
        self.take_for_length(state, len)?;
        // There is not enough gas in the world for more.
        let affordable = state.limit(&mut self.terms, len, MEMORY_BITS)
            && (state.may_be_zero(&self.terms, len) || state.limit(&mut self.terms, at, MEMORY_BITS));
        if !affordable {
            return Err(Over);
        }
        let end = self.terms.add(at, len);
        let bytes = self.upper(state).of_small(end);
        state.cost.memory = state.cost.memory.max(&bytes);
        Ok(())
    }

    /// What memory is reserved for is a number of things that are there, or were paid for: less than 2^64. Bounds say
    /// nothing about calls for which it is more.
    fn take_for_length(&mut self, state: &mut State, term: Term) -> Done<()> {
        if state.range(&self.terms, term).high.bit_len() <= 128 {
            return Ok(());
        }
        let mut lengths = Vec::new();
        self.lengths_in(term, &mut lengths);
        for length in lengths {
            if state.range(&self.terms, length).high.bit_len() > 128 {
                let named = state.facts.as_length(&mut self.terms, length);
                self.lengths.insert(named);
                if !state.limit(&mut self.terms, length, 64) {
                    return Err(Over);
                }
            }
        }
        Ok(())
    }

    /// The quantities that a size is made of.
    fn lengths_in(&self, term: Term, lengths: &mut Vec<Term>) {
        match self.terms.node(term) {
            Node::Sum(_, parts) => parts.iter().for_each(|(part, _)| self.lengths_in(*part, lengths)),
            Node::Op(Op::And, arguments) => arguments.iter().for_each(|a| self.lengths_in(*a, lengths)),
            Node::Op(Op::Shr | Op::Div, arguments) => {
                let word = arguments.iter().find(|a| self.terms.as_const(**a).is_none());
                match word.map(|word| (word, self.terms.node(*word))) {
                    Some((word, Node::Sum(..) | Node::Op(..))) => self.lengths_in(*word, lengths),
                    _ => lengths.extend(self.terms.is_given(term).then_some(term)),
                }
            }
            Node::Calldata(_) | Node::Storage(_) | Node::Op(..) | Node::Immutable(_) => {
                lengths.extend(self.terms.is_given(term).then_some(term));
            }
            Node::Const(_) | Node::Env(_) | Node::Keccak(_) | Node::Joined(_) | Node::Fresh(_) => {}
        }
    }

    /// A price for every word of a length.
    pub(super) fn spend_per_word(&mut self, state: &mut State, len: Term, price: u64) {
        let len = state.facts.constant(&mut self.terms, len);
        let gas = match self.terms.as_small(len) {
            Some(bytes) => Poly::from(bytes.div_ceil(32).saturating_mul(price)),
            None => self.upper(state).of_small(len).plus(31).scaled(price as i64, 32),
        };
        state.cost.gas = state.cost.gas.add(&gas);
    }

    fn use_memory(&mut self, state: &mut State, opcode: u8) -> Done<()> {
        let pc = state.pc;
        let word = self.terms.small(32);
        match opcode {
            MLOAD => {
                let [at] = self.pop_constant(state)?;
                self.touch(state, at, word)?;
                let facts = state.facts.clone();
                let loaded = state.memory.load(&mut self.terms, &facts, at);
                let value = loaded.unwrap_or_else(|| {
                    // Whatever it is, it is the same when it is read again.
                    let value = self.terms.unknown(pc);
                    state.memory().writes.push(Write::Read { at, value });
                    value
                });
                state.push(value);
            }
            MSTORE => {
                let [at, value] = self.pop_constant(state)?;
                self.touch(state, at, word)?;
                if self.terms.as_small(at) == Some(FREE_MEMORY) {
                    self.take_for_length(state, value)?;
                }
                state.memory().store(at, value);
            }
            MSTORE8 => {
                let [at, _] = self.pop_constant(state)?;
                self.touch(state, at, Term::ONE)?;
                state.memory().writes.push(Write::Unknown { at, len: Some(Term::ONE) });
            }
            MCOPY => {
                let [to, from, len] = self.pop_constant(state)?;
                self.touch(state, to, len)?;
                self.touch(state, from, len)?;
                self.spend_per_word(state, len, 3);
                self.move_memory(state, to, from, len);
            }
            _ => {
                let [at, len] = self.pop_constant(state)?;
                self.touch(state, at, len)?;
                self.spend_per_word(state, len, 6);
                let hash = self.hash(state, at, len);
                state.push(hash);
            }
        }
        Ok(())
    }

    fn hash(&mut self, state: &State, at: Term, len: Term) -> Term {
        let len = self.terms.as_small(len).filter(|len| *len <= FOLLOWED as u64);
        let bytes = len.and_then(|len| state.memory.bytes(&mut self.terms, &state.facts, at, len as i64));
        match bytes {
            Some(pieces) => self.terms.keccak(pieces),
            None => self.terms.unknown(state.pc),
        }
    }

    fn move_memory(&mut self, state: &mut State, to: Term, from: Term, len: Term) {
        if len == Term::ZERO {
            return;
        }
        let whole = self.terms.as_small(len).filter(|len| len % 32 == 0 && *len <= FOLLOWED as u64);
        let mut words = Vec::new();
        for at in (0..whole.unwrap_or(0) as i64).step_by(32) {
            let source = self.terms.plus(from, at);
            match state.memory.load(&mut self.terms, &state.facts, source) {
                Some(value) => words.push(Write::Word { at: self.terms.plus(to, at), value }),
                None => break,
            }
        }
        match whole == Some(32 * words.len() as u64) {
            true => state.memory().writes.extend(words),
            false => state.memory().writes.push(Write::Unknown { at: to, len: Some(len) }),
        }
    }

    fn copy(&mut self, state: &mut State, opcode: u8) -> Done<()> {
        if opcode == EXTCODECOPY {
            let [account] = self.pop_constant(state)?;
            self.visit(state, opcode, account);
        }
        let [to, from, len] = self.pop_constant(state)?;
        self.touch(state, to, len)?;
        self.spend_per_word(state, len, 3);
        if len == Term::ZERO {
            return Ok(());
        }
        let unknown = Write::Unknown { at: to, len: Some(len) };
        match opcode {
            CALLDATACOPY => state.memory().writes.push(Write::Calldata { at: to, len, from }),
            CODECOPY => match (self.terms.as_small(from), self.terms.as_small(len)) {
                (Some(from), Some(len)) if len <= FOLLOWED as u64 && len % 32 == 0 => {
                    self.copy_code(state, to, from as usize, len as usize);
                }
                _ => state.memory().writes.push(unknown),
            },
            _ => state.memory().writes.push(unknown),
        }
        Ok(())
    }

    fn copy_code(&mut self, state: &mut State, to: Term, from: usize, len: usize) {
        for offset in (0..len).step_by(32) {
            let start = from.saturating_add(offset);
            let value = match self.code.is_hole(start..start.saturating_add(32)) {
                true => self.terms.unknown(state.pc),
                false => {
                    let bytes: Vec<u8> = (start..start + 32).map(|at| self.code.opcode(at)).collect();
                    self.terms.word(U256::from_be_slice(&bytes))
                }
            };
            let at = self.terms.plus(to, offset as i64);
            state.memory().store(at, value);
        }
    }

    fn environment(&mut self, state: &State, opcode: u8) -> Option<Term> {
        let env = match opcode {
            ADDRESS => Env::Address,
            ORIGIN => Env::Origin,
            CALLER => Env::Caller,
            CALLVALUE => Env::CallValue,
            CALLDATASIZE => Env::CallDataSize,
            GASPRICE => Env::GasPrice,
            COINBASE => Env::Coinbase,
            TIMESTAMP => Env::Timestamp,
            NUMBER => Env::Number,
            PREVRANDAO => Env::PrevRandao,
            GASLIMIT => Env::GasLimit,
            CHAINID => Env::ChainId,
            BASEFEE => Env::BaseFee,
            BLOBBASEFEE => Env::BlobBaseFee,
            CODESIZE => return Some(self.terms.small(self.code.len() as u64)),
            PC => return Some(self.terms.small(state.pc as u64)),
            RETURNDATASIZE => return Some(state.returned),
            GAS => return Some(self.terms.fresh(Origin::Unknown(state.pc), Range::bits(64), None)),
            MSIZE => {
                return Some(self.terms.fresh(Origin::Unknown(state.pc), Range::bits(MEMORY_BITS), None));
            }
            SELFBALANCE => return Some(self.terms.fresh(Origin::Unknown(state.pc), Range::bits(128), None)),
            _ => return None,
        };
        Some(self.terms.env(env))
    }
}

/// The topmost words, the top first.
pub(super) fn pop<const N: usize>(state: &mut State) -> Done<[Term; N]> {
    let mut words = [Term::ZERO; N];
    for word in &mut words {
        *word = state.stack.pop().ok_or(Over)?.term;
    }
    Ok(words)
}
