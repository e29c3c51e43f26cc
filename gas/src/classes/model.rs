//! A model of a case, as a transaction and the state that it begins in.

use hornet_evm::machine::Environment;
use hornet_evm::replay::puppet;
use hornet_evm::{Address, U256};
use hornet_ir::expr::{AbiMode, EnvVar};
use hornet_ir::ids::TypeId;
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::Tree;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use hornet_symbolic::Var;
use hornet_symbolic::exec::contents::{Contents, Read, initial_storage, looked_up, reads, selected};
use hornet_symbolic::exec::{Action, Executor, Reading, Step, Way};

use super::account::Payment;
use super::candidate::Candidate;
use super::home::{CONTRACT, Home};

/// What has to be asked of a model.
pub(super) struct Wanted {
    reads: Vec<Read>,
    /// Whose ether conditions mention: address and amount.
    balances: Vec<(TermId, TermId)>,
    payments: Vec<Payment>,
    all: Vec<TermId>,
}

impl Wanted {
    pub fn new(ex: &mut Executor<'_>, step: &Step, roots: &[TermId], payments: &[Payment]) -> Wanted {
        let storage = initial_storage(ex);
        let reads = reads(ex, &storage, roots);
        let mut balances = Vec::new();
        if let Ok(table) = ex.cx.initial(Var::Balances) {
            for term in looked_up(&mut ex.cx.terms, roots) {
                if let (root, indices) = selected(&ex.cx.terms, term)
                    && root == table[0]
                    && let [address] = indices[..]
                {
                    balances.push((address, term));
                }
            }
        }
        let mut all = vec![step.caller, step.origin, step.value];
        all.extend(step.environment.iter().map(|(_, term)| *term));
        all.extend(reads.iter().flat_map(Read::terms));
        all.extend(balances.iter().flat_map(|(address, amount)| [*address, *amount]));
        for asked in step.ways.iter().flat_map(|way| &way.asked) {
            all.extend([asked.reach, asked.target, asked.ok, asked.returned[0]]);
        }
        all.extend(payments.iter().flat_map(|payment| [payment.reach, payment.is_new]));
        all.sort_unstable();
        all.dedup();
        Wanted { reads, balances, payments: payments.to_vec(), all }
    }

    /// Nobody has as much ether as no chain has: a payment to them would fail for that, and nobody would be asked.
    pub fn limit_wealth(&self, ex: &mut Executor<'_>, step: &Step) {
        let most = ex.cx.constant(&Type::Int { bits: 256, signed: false }, U256::from(u128::MAX));
        for amount in self.balances.iter().map(|(_, amount)| *amount).chain([step.value]) {
            let fact = ex.at_most(amount, most);
            ex.cx.fact(fact);
        }
    }

    /// `None` if the model cannot be told as a transaction.
    pub fn candidate(
        &self,
        home: &Home,
        step: &Step,
        reading: &mut Reading<'_, '_, '_>,
    ) -> Option<Candidate> {
        reading.model.learn(&reading.ex.cx.terms, &self.all);
        let way = step.ways.first()?;
        let mut candidate = Candidate::new(home, data(way, reading)?);
        let contents = Contents::of(reading, &self.reads);
        if home.has_immutables() && !contents.immutables.is_empty() {
            candidate.machine.set_code(CONTRACT, home.code_with(&contents.immutables));
        }
        for (slot, value) in &contents.slots {
            candidate.set_slot(*slot, *value);
        }
        for (address, amount) in &self.balances {
            let (address, amount) = (account(reading, *address), reading.word(*amount));
            candidate.machine.set_balance(address, amount);
        }
        self.strangers(way, reading, &mut candidate);
        let (caller, origin) = (account(reading, step.caller), account(reading, step.origin));
        candidate.message.origin = (origin != caller).then_some(origin);
        candidate.message.value = reading.word(step.value);
        candidate.set_caller(caller);
        for (var, term) in &step.environment {
            let value = reading.word(*term);
            set(&mut candidate.machine.environment, *var, value);
        }
        (!reading.model.lost).then_some(candidate)
    }

    /// Those who are called answer what the model says; of several answers the longest. Accounts that are new are not
    /// there at all.
    fn strangers(&self, way: &Way, reading: &mut Reading<'_, '_, '_>, candidate: &mut Candidate) {
        let mut longest: Vec<(Address, usize)> = Vec::new();
        for payment in &self.payments {
            let mut holds = |term| reading.model.holds(&reading.ex.cx.terms, term);
            if holds(payment.reach) && holds(payment.is_new) {
                longest.push((account(reading, payment.target), usize::MAX));
            }
        }
        for asked in &way.asked {
            if !reading.model.holds(&reading.ex.cx.terms, asked.reach) {
                continue;
            }
            let address = account(reading, asked.target);
            let succeeds = reading.model.holds(&reading.ex.cx.terms, asked.ok);
            let answer = reading.bytes(&asked.returned);
            let known = longest.iter().find(|(other, _)| *other == address).map(|(_, length)| *length);
            if address == CONTRACT || known.is_some_and(|length| length >= answer.len()) {
                continue;
            }
            longest.push((address, answer.len()));
            candidate.machine.set_code(address, puppet::program(&[], succeeds, &answer));
            candidate.machine.set_nonce(address, 1);
        }
    }
}

fn data(way: &Way, reading: &mut Reading<'_, '_, '_>) -> Option<Vec<u8>> {
    let values: Vec<Tree> = way.args.iter().map(|(ty, value)| reading.tree(*ty, value)).collect();
    match way.action {
        Action::Call(entry) => {
            let program = reading.ex.program;
            let selector = program.contracts[reading.ex.contract].entries[entry].selector;
            let types: Vec<TypeId> = way.args.iter().map(|(ty, _)| *ty).collect();
            let encoded = encode_trees(&program.types, AbiMode::Standard, &types, &values).ok()?;
            Some([&selector[..], &encoded].concat())
        }
        Action::Receive => Some(Vec::new()),
        Action::Fallback => match values.first() {
            Some(Tree::Bytes(data)) => Some(data.to_vec()),
            _ => Some(vec![0xff]),
        },
        Action::Deploy | Action::ForcedEther => None,
    }
}

fn account(reading: &mut Reading<'_, '_, '_>, term: TermId) -> Address {
    let word = reading.address(term);
    Address::from_slice(&word.to_be_bytes::<32>()[12..])
}

/// What no chain can have stays as it is.
fn set(environment: &mut Environment, var: EnvVar, value: U256) {
    match var {
        EnvVar::Timestamp => environment.timestamp = value,
        EnvVar::Number => environment.number = value,
        EnvVar::Coinbase => environment.coinbase = Address::from_slice(&value.to_be_bytes::<32>()[12..]),
        EnvVar::PrevRandao => environment.prevrandao = value,
        EnvVar::GasLimit => environment.gas_limit = value.try_into().unwrap_or(environment.gas_limit),
        EnvVar::ChainId => environment.chain_id = value.try_into().unwrap_or(environment.chain_id),
        EnvVar::BaseFee => environment.base_fee = value.try_into().unwrap_or(environment.base_fee),
        EnvVar::BlobBaseFee => {
            environment.blob_base_fee = value.try_into().unwrap_or(environment.blob_base_fee);
        }
        EnvVar::GasPrice => environment.gas_price = value.try_into().unwrap_or(environment.gas_price),
        EnvVar::This
        | EnvVar::Caller
        | EnvVar::Origin
        | EnvVar::CallValue
        | EnvVar::CallData
        | EnvVar::ReturnData
        | EnvVar::GasLeft => {}
    }
}
