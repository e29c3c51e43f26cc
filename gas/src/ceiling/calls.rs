//! Instructions that look at other accounts, call them or create them.

use hornet_evm::U256;
use hornet_evm::machine::Fork;

use super::memory::Write;
use super::opcode::*;
use super::poly::Poly;
use super::report::{Call, CallKind};
use super::schedule::{NEW_ACCOUNT, STIPEND, TRANSFER};
use super::state::State;
use super::step::{Machine, Over, pop};
use super::storage::suppose_zero;
use super::term::{MEMORY_BITS, Origin, Term};
use super::word::Range;

/// Gas up to this is a limit worth stating.
const LIMIT: u64 = 1 << 24;

impl Machine<'_> {
    pub(super) fn look_at_account(&mut self, state: &mut State, opcode: u8) -> Result<(), Over> {
        let [account] = pop(state)?;
        let account = state.facts.constant(&mut self.terms, account);
        self.visit(state, opcode, account);
        let bits = match opcode {
            BALANCE => 128,
            EXTCODESIZE => 32,
            _ => 256,
        };
        let known = state.storage.code_sizes.get(&account).copied().filter(|_| opcode == EXTCODESIZE);
        let origin = Origin::Unknown(state.pc);
        let word = known.unwrap_or_else(|| self.terms.fresh(origin, Range::bits(bits), None));
        if opcode == EXTCODESIZE {
            state.storage().code_sizes.insert(account, word);
        }
        state.push(word);
        Ok(())
    }

    /// Pays for looking at an account, which is cheap from then on.
    pub(super) fn visit(&mut self, state: &mut State, opcode: u8, account: Term) {
        let warm = self.is_warm(state, account);
        state.cost.spend(self.schedule.account(opcode, warm));
        state.storage().accounts.insert(account);
    }

    fn is_warm(&mut self, state: &State, account: Term) -> bool {
        let coinbase = self.terms.env(super::term::Env::Coinbase);
        state.storage.accounts.contains(&account)
            || self.precompile(account).is_some()
            || (account == coinbase && self.schedule.coinbase_is_warm())
    }

    /// The number of a contract that is part of the chain.
    fn precompile(&self, account: Term) -> Option<u64> {
        let number = self.terms.as_small(account)?;
        let last = match self.schedule.fork {
            fork if fork >= Fork::Prague => 0x11,
            fork if fork >= Fork::Cancun => 0x0a,
            fork if fork >= Fork::Istanbul => 9,
            fork if fork >= Fork::Byzantium => 8,
            _ => 4,
        };
        let known = (1..=last).contains(&number) || (number == 0x100 && self.schedule.fork >= Fork::Osaka);
        known.then_some(number)
    }

    pub(super) fn create(&mut self, state: &mut State, opcode: u8) -> Result<(), Over> {
        let [_, at, len] = pop(state)?;
        if opcode == CREATE2 {
            let [_] = pop(state)?;
        }
        self.touch(state, at, len)?;
        let hashed = if opcode == CREATE2 { 6 } else { 0 };
        self.spend_per_word(state, len, self.schedule.initcode_word() + hashed);
        self.note(state.pc, Call { kind: CallKind::Create, limit: None });
        self.give_control(state);
        let address = self.terms.fresh(Origin::Unknown(state.pc), Range::bits(160), None);
        state.storage().accounts.insert(address);
        state.push(address);
        Ok(())
    }

    /// Others run: they may call back, write our storage, and give back any number of bytes.
    fn give_control(&mut self, state: &mut State) {
        let pc = state.pc;
        state.storage().lose_all(&mut self.terms, pc);
        state.returned = self.terms.fresh(Origin::Returned(pc), Range::bits(MEMORY_BITS), None);
    }

    pub(super) fn call(&mut self, state: &mut State, opcode: u8) -> Result<(), Over> {
        let [gas, account] = pop(state)?;
        let value = match opcode {
            CALL | CALLCODE => pop::<1>(state)?[0],
            _ => Term::ZERO,
        };
        let [input, input_len, output, output_len] = pop(state)?;
        let account = state.facts.constant(&mut self.terms, account);
        self.touch(state, input, input_len)?;
        self.touch(state, output, output_len)?;
        self.visit(state, opcode, account);
        match self.precompile(account) {
            Some(number) => self.call_precompile(state, number, input_len),
            None => self.call_other(state, opcode, value, gas),
        }
        self.pay_transfer(state, opcode, account, value);
        let output_len = state.facts.constant(&mut self.terms, output_len);
        if output_len != Term::ZERO {
            state.memory().writes.push(Write::Unknown { at: output, len: Some(output_len) });
        }
        let success = self.terms.fresh(Origin::Unknown(state.pc), Range::at_most(U256::ONE), None);
        state.push(success);
        Ok(())
    }

    /// Of what moving ether costs, the stipend comes back unless the callee uses it.
    fn pay_transfer(&mut self, state: &mut State, opcode: u8, account: Term, value: Term) {
        let moves = state.range(&self.terms, value).high > U256::ZERO;
        if moves {
            state.cost.spend(TRANSFER - STIPEND);
        }
        let creates = opcode == CALL && (moves || self.schedule.empty_calls_create());
        if creates && !self.exists(state, account) {
            state.cost.spend(NEW_ACCOUNT);
        }
    }

    /// The account has a nonce or code. Whoever calls us has; where somebody looked and found code, so has that.
    fn exists(&mut self, state: &State, account: Term) -> bool {
        use super::term::Env;
        let ours = [Env::Address, Env::Caller, Env::Origin].map(|env| self.terms.env(env));
        let size = state.storage.code_sizes.get(&account);
        ours.contains(&account) || size.is_some_and(|size| !state.range(&self.terms, *size).low.is_zero())
    }

    fn call_precompile(&mut self, state: &mut State, number: u64, input_len: Term) {
        let pc = state.pc;
        let (base, word) = match number {
            1 => (3000, 0),
            2 => (60, 12),
            3 => (600, 120),
            4 => (15, 3),
            // The price of the others depends on what they are given.
            _ => {
                self.note(pc, Call { kind: CallKind::Static, limit: None });
                state.returned = self.terms.fresh(Origin::Returned(pc), Range::bits(MEMORY_BITS), None);
                return;
            }
        };
        self.note(pc, Call { kind: CallKind::Precompile, limit: None });
        let words = self.upper(state).of_small(input_len).plus(31).scaled(word, 32);
        state.cost.callees = state.cost.callees.add(&words).add(&Poly::from(base));
        state.returned = match number {
            4 => input_len,
            _ => self.terms.fresh(Origin::Unknown(pc), Range::at_most(U256::from(32)), None),
        };
    }

    fn call_other(&mut self, state: &mut State, opcode: u8, value: Term, gas: Term) {
        let limit = self.callee_limit(state, value, gas);
        let kind = match opcode {
            STATICCALL => CallKind::Static,
            CALL => CallKind::Call,
            _ => CallKind::Delegate,
        };
        self.note(state.pc, Call { kind, limit });
        state.cost.spend(self.schedule.delegation());
        if let Some(limit) = limit {
            state.cost.callees = state.cost.callees.add(&Poly::from(limit));
        }
        // Nobody can write storage with the stipend alone.
        let harmless = self.schedule.fork >= Fork::Istanbul && limit.is_some_and(|limit| limit <= STIPEND);
        if opcode == STATICCALL || harmless {
            let pc = state.pc;
            state.returned = self.terms.fresh(Origin::Returned(pc), Range::bits(MEMORY_BITS), None);
        } else {
            self.give_control(state);
        }
    }

    /// The most gas that the callee gets, if it is little.
    fn callee_limit(&mut self, state: &State, value: Term, gas: Term) -> Option<u64> {
        let mut limit = 0;
        for (nothing, stipend) in [(true, 0), (false, STIPEND)] {
            if let Some(case) = suppose_zero(&mut self.terms, &state.facts, value, nothing) {
                let given = u64::try_from(case.range(&self.terms, gas).high).ok()?;
                limit = limit.max(given.checked_add(stipend)?);
            }
        }
        (limit <= LIMIT).then_some(limit)
    }

    fn note(&mut self, pc: usize, call: Call) {
        let known = self.calls.entry(pc).or_insert(call);
        if known.limit != call.limit {
            known.limit = known.limit.zip(call.limit).map(|(a, b)| a.max(b));
        }
    }

    pub(super) fn selfdestruct(&mut self, state: &mut State) -> Result<(), Over> {
        let [account] = pop(state)?;
        let account = state.facts.constant(&mut self.terms, account);
        if self.schedule.fork >= Fork::Berlin && !self.is_warm(state, account) {
            state.cost.spend(super::schedule::COLD_ACCOUNT);
        }
        if self.schedule.fork >= Fork::TangerineWhistle && !self.exists(state, account) {
            state.cost.spend(NEW_ACCOUNT);
        }
        Ok(())
    }
}
