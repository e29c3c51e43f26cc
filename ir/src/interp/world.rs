//! Accounts and blocks: everything that outlives a call. Every change is journalled, so that a revert costs
//! what was changed since and not the size of the world.

use crate::ids::{ContractId, StateVarId};
use ruint::aliases::U256;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;

/// The low 160 bits of a word.
pub type Address = U256;

/// The values of immutables in deployed code.
pub type Immutables = FxHashMap<StateVarId, U256>;

/// What is deployed at an address.
#[derive(Clone, Debug)]
pub enum Code {
    Contract {
        contract: ContractId,
        immutables: Rc<Immutables>,
    },
    /// Bytes that a constructor returned; they can be looked at but not run.
    Raw(Rc<[u8]>),
}

#[derive(Clone, Debug, Default)]
pub struct Account {
    pub balance: U256,
    pub nonce: u64,
    pub code: Option<Code>,
    pub storage: FxHashMap<U256, U256>,
    pub transient: FxHashMap<U256, U256>,
}

impl Account {
    /// As EIP-161 has it; accounts that have only storage do not occur.
    pub fn is_empty(&self) -> bool {
        self.balance.is_zero() && self.nonce == 0 && self.code.is_none()
    }
}

/// What a transaction and its block provide.
#[derive(Clone, Debug)]
pub struct Env {
    /// `tx.origin`; the sender of the transaction if not given.
    pub origin: Option<Address>,
    pub gas_price: U256,
    pub timestamp: U256,
    pub number: U256,
    pub coinbase: Address,
    pub prev_randao: U256,
    pub gas_limit: U256,
    pub chain_id: U256,
    pub base_fee: U256,
    pub blob_base_fee: U256,
    pub blob_hashes: Vec<U256>,
    /// Block `n` among the last 256 has this plus `n` as its hash.
    pub block_hash_base: U256,
    /// Before Cancun `selfdestruct` removed every account, not only those created in the same transaction.
    pub self_destruct_removes: bool,
}

impl Default for Env {
    fn default() -> Self {
        Env {
            origin: None,
            gas_price: U256::from(3_000_000_000u64),
            timestamp: U256::ONE,
            number: U256::ONE,
            coinbase: U256::from_be_slice(&[0x78; 20]),
            prev_randao: U256::from_be_slice(&[0xa8; 32]),
            gas_limit: U256::from(20_000_000u64),
            chain_id: U256::ONE,
            base_fee: U256::from(7),
            blob_base_fee: U256::ONE,
            blob_hashes: Vec::new(),
            block_hash_base: U256::from_be_slice(&[0x37; 32]),
            self_destruct_removes: false,
        }
    }
}

impl Env {
    /// The hash of a recent block; zero for the current one, later ones and those too far back.
    pub fn block_hash(&self, number: U256) -> U256 {
        let recent = number < self.number && self.number - number <= U256::from(256);
        if recent { self.block_hash_base.wrapping_add(number) } else { U256::ZERO }
    }

    pub fn blob_hash(&self, index: U256) -> U256 {
        usize::try_from(index).ok().and_then(|i| self.blob_hashes.get(i).copied()).unwrap_or(U256::ZERO)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    pub address: Address,
    pub topics: Vec<U256>,
    pub data: Vec<u8>,
}

/// How to undo one change.
#[derive(Clone, Debug)]
enum Undo {
    Storage(Address, U256, U256),
    Transient(Address, U256, U256),
    Balance(Address, U256),
    Nonce(Address, u64),
    Code(Address, Option<Code>),
    Created(Address),
    Destroyed(Address),
    Log,
}

/// A point in the journal to return to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot(usize);

#[derive(Clone, Debug, Default)]
pub struct World {
    pub env: Env,
    /// Where libraries are deployed.
    pub libraries: FxHashMap<ContractId, Address>,
    accounts: FxHashMap<Address, Account>,
    journal: Vec<Undo>,
    // Of the running transaction.
    logs: Vec<Log>,
    created: Vec<Address>,
    destroyed: FxHashSet<Address>,
    /// Slots accessed so far. Only gas depends on it, so reads may note theirs, and reverts need not undo it.
    warm: RefCell<FxHashSet<(Address, U256)>>,
    /// What the slots written so far held before the transaction.
    original: FxHashMap<(Address, U256), U256>,
}

impl World {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn account(&self, address: Address) -> Option<&Account> {
        self.accounts.get(&address)
    }

    pub fn accounts(&self) -> impl Iterator<Item = (&Address, &Account)> {
        self.accounts.iter()
    }

    fn account_mut(&mut self, address: Address) -> &mut Account {
        self.accounts.entry(address).or_default()
    }

    pub fn exists(&self, address: Address) -> bool {
        self.account(address).is_some_and(|a| !a.is_empty())
    }

    pub fn balance(&self, address: Address) -> U256 {
        self.account(address).map_or(U256::ZERO, |a| a.balance)
    }

    pub fn set_balance(&mut self, address: Address, balance: U256) {
        let account = self.account_mut(address);
        let old = std::mem::replace(&mut account.balance, balance);
        if old != balance {
            self.journal.push(Undo::Balance(address, old));
        }
    }

    /// Moves ether; false, and nothing happens, if there is not enough of it.
    #[must_use]
    pub fn transfer(&mut self, from: Address, to: Address, value: U256) -> bool {
        let available = self.balance(from);
        if available < value {
            return false;
        }
        if !value.is_zero() && from != to {
            let Some(sum) = self.balance(to).checked_add(value) else { return false };
            self.set_balance(from, available - value);
            self.set_balance(to, sum);
        }
        true
    }

    pub fn nonce(&self, address: Address) -> u64 {
        self.account(address).map_or(0, |a| a.nonce)
    }

    pub fn set_nonce(&mut self, address: Address, nonce: u64) {
        let old = std::mem::replace(&mut self.account_mut(address).nonce, nonce);
        self.journal.push(Undo::Nonce(address, old));
    }

    pub fn code(&self, address: Address) -> Option<&Code> {
        self.account(address).and_then(|a| a.code.as_ref())
    }

    pub fn set_code(&mut self, address: Address, code: Code) {
        let old = self.account_mut(address).code.replace(code);
        self.journal.push(Undo::Code(address, old));
    }

    pub fn sload(&self, address: Address, slot: U256) -> U256 {
        self.account(address).and_then(|a| a.storage.get(&slot).copied()).unwrap_or(U256::ZERO)
    }

    pub fn sstore(&mut self, address: Address, slot: U256, value: U256) {
        let old = write_slot(&mut self.account_mut(address).storage, slot, value);
        if old != value {
            self.original.entry((address, slot)).or_insert(old);
            self.journal.push(Undo::Storage(address, slot, old));
        }
    }

    fn warm_up(&self, address: Address, slot: U256) -> bool {
        self.warm.borrow_mut().insert((address, slot))
    }

    /// Gas of reading a slot now, as of EIP-2929.
    pub fn sload_gas(&self, address: Address, slot: U256) -> u64 {
        if self.warm_up(address, slot) { 2100 } else { 100 }
    }

    /// Gas of writing a slot now, as of EIP-2200 and EIP-2929; there are no refunds.
    pub fn sstore_gas(&self, address: Address, slot: U256, value: U256) -> u64 {
        let cold = if self.warm_up(address, slot) { 2100 } else { 0 };
        let current = self.sload(address, slot);
        let original = self.original.get(&(address, slot)).copied().unwrap_or(current);
        cold + match () {
            () if value == current || current != original => 100,
            () if original.is_zero() => 20_000,
            () => 2900,
        }
    }

    pub fn tload(&self, address: Address, slot: U256) -> U256 {
        self.account(address).and_then(|a| a.transient.get(&slot).copied()).unwrap_or(U256::ZERO)
    }

    pub fn tstore(&mut self, address: Address, slot: U256, value: U256) {
        let old = write_slot(&mut self.account_mut(address).transient, slot, value);
        if old != value {
            self.journal.push(Undo::Transient(address, slot, old));
        }
    }

    pub fn log(&mut self, log: Log) {
        self.logs.push(log);
        self.journal.push(Undo::Log);
    }

    pub fn logs(&self) -> &[Log] {
        &self.logs
    }

    pub fn note_created(&mut self, address: Address) {
        self.created.push(address);
        self.journal.push(Undo::Created(address));
    }

    /// Contracts created by the running transaction (or the last one), reverted ones not included.
    pub fn created(&self) -> &[Address] {
        &self.created
    }

    /// SELFDESTRUCT: the ether moves; the account goes, at the end of the transaction, if this transaction
    /// created it or the rules of the time say so.
    pub fn self_destruct(&mut self, address: Address, beneficiary: Address) {
        let goes = self.env.self_destruct_removes || self.created.contains(&address);
        let balance = self.balance(address);
        if beneficiary != address {
            let sum = self.balance(beneficiary).wrapping_add(balance);
            self.set_balance(address, U256::ZERO);
            self.set_balance(beneficiary, sum);
        } else if goes {
            self.set_balance(address, U256::ZERO);
        }
        if goes && self.destroyed.insert(address) {
            self.journal.push(Undo::Destroyed(address));
        }
    }

    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.journal.len())
    }

    /// Undoes everything that happened since the snapshot.
    pub fn restore(&mut self, snapshot: Snapshot) {
        while self.journal.len() > snapshot.0 {
            let Some(undo) = self.journal.pop() else { return };
            match undo {
                Undo::Storage(a, slot, old) => {
                    write_slot(&mut self.account_mut(a).storage, slot, old);
                }
                Undo::Transient(a, slot, old) => {
                    write_slot(&mut self.account_mut(a).transient, slot, old);
                }
                Undo::Balance(a, old) => self.account_mut(a).balance = old,
                Undo::Nonce(a, old) => self.account_mut(a).nonce = old,
                Undo::Code(a, old) => self.account_mut(a).code = old,
                Undo::Created(a) => self.created.retain(|b| *b != a),
                Undo::Destroyed(a) => {
                    self.destroyed.remove(&a);
                }
                Undo::Log => {
                    self.logs.pop();
                }
            }
        }
    }

    /// Forgets what the last transaction left: its logs, its list of new contracts, the journal.
    pub fn begin_transaction(&mut self) {
        self.journal.clear();
        self.logs.clear();
        self.created.clear();
        self.destroyed.clear();
        self.warm.get_mut().clear();
        self.original.clear();
    }

    /// Clears transient storage and removes destroyed accounts.
    pub fn end_transaction(&mut self) {
        for address in self.destroyed.drain() {
            self.accounts.remove(&address);
        }
        for account in self.accounts.values_mut() {
            account.transient.clear();
        }
        self.journal.clear();
    }
}

/// Writes a slot and returns what was there; zeros are not kept.
fn write_slot(slots: &mut FxHashMap<U256, U256>, slot: U256, value: U256) -> U256 {
    let old = if value.is_zero() { slots.remove(&slot) } else { slots.insert(slot, value) };
    old.unwrap_or(U256::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Address = U256::from_limbs([1, 0, 0, 0]);
    const B: Address = U256::from_limbs([2, 0, 0, 0]);

    #[test]
    fn restore_undoes_everything_in_order() {
        let mut world = World::new();
        world.set_balance(A, U256::from(10));
        world.sstore(A, U256::ZERO, U256::from(7));
        let snapshot = world.snapshot();
        assert!(world.transfer(A, B, U256::from(4)));
        assert!(!world.transfer(A, B, U256::from(7)));
        world.sstore(A, U256::ZERO, U256::ZERO);
        world.sstore(A, U256::ZERO, U256::from(9));
        world.tstore(A, U256::ONE, U256::ONE);
        world.set_nonce(A, 3);
        world.log(Log { address: A, topics: Vec::new(), data: Vec::new() });
        world.note_created(B);
        world.self_destruct(B, A);
        assert_eq!(world.balance(A), U256::from(10));
        world.restore(snapshot);
        assert_eq!((world.balance(A), world.balance(B)), (U256::from(10), U256::ZERO));
        assert_eq!(world.sload(A, U256::ZERO), U256::from(7));
        assert_eq!(world.tload(A, U256::ONE), U256::ZERO);
        assert_eq!(world.nonce(A), 0);
        assert!(world.logs().is_empty() && world.created().is_empty());
    }

    #[test]
    fn self_destruct_removes_only_new_accounts() {
        let mut world = World::new();
        for address in [A, B] {
            world.sstore(address, U256::ZERO, U256::ONE);
            world.set_balance(address, U256::from(5));
        }
        world.begin_transaction();
        world.note_created(B);
        world.self_destruct(A, A);
        world.self_destruct(B, B);
        world.end_transaction();
        assert_eq!(world.balance(A), U256::from(5));
        assert_eq!(world.sload(A, U256::ZERO), U256::ONE);
        assert!(world.account(B).is_none());
        world.env.self_destruct_removes = true;
        world.begin_transaction();
        world.self_destruct(A, B);
        world.end_transaction();
        assert!(world.account(A).is_none());
        assert_eq!(world.balance(B), U256::from(5));
    }

    #[test]
    fn transient_storage_ends_with_the_transaction() {
        let mut world = World::new();
        world.tstore(A, U256::ZERO, U256::ONE);
        world.end_transaction();
        assert_eq!(world.tload(A, U256::ZERO), U256::ZERO);
    }

    #[test]
    fn gas_of_storage() {
        let mut world = World::new();
        world.sstore(A, U256::ONE, U256::from(7));
        world.begin_transaction();
        let [zero, one, two] = [0, 1, 2].map(U256::from);
        assert_eq!((world.sload_gas(A, one), world.sload_gas(A, one)), (2100, 100));
        assert_eq!(world.sstore_gas(A, one, two), 2900);
        world.sstore(A, one, two);
        assert_eq!(world.sstore_gas(A, one, zero), 100);
        assert_eq!(world.sstore_gas(A, zero, one), 22_100);
        assert_eq!(world.sstore_gas(A, two, zero), 2200);
    }

    #[test]
    fn only_recent_block_hashes_are_known() {
        let env = Env { number: U256::from(300), ..Env::default() };
        assert!(env.block_hash(U256::from(300)).is_zero());
        assert!(env.block_hash(U256::from(43)).is_zero());
        assert_eq!(env.block_hash(U256::from(44)), env.block_hash_base + U256::from(44));
    }
}
