//! Small changes of a transaction and its state, chosen by what its run looked at.

use fastrand::Rng;
use hornet_evm::replay::puppet;
use hornet_evm::{Address, U256};

use super::candidate::{Candidate, Run};
use super::home::CONTRACT;

/// One thing to change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    Slot(U256, U256),
    Word(usize, U256),
    Value(U256),
    Caller(Address),
    Timestamp(U256),
    Number(U256),
    /// What the contract owns.
    Balance(U256),
    Stranger(Address, Stranger),
}

/// Who is at an address that the contract calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stranger {
    Nobody,
    /// Somebody without code.
    Person,
    /// Code that answers with words of this value.
    Answers(u64),
    Reverts,
}

const STRANGERS: [Stranger; 6] = [
    Stranger::Nobody,
    Stranger::Person,
    Stranger::Answers(0),
    Stranger::Answers(1),
    Stranger::Answers(1 << 40),
    Stranger::Reverts,
];

impl Change {
    /// What the contract holds is changed.
    pub fn is_of_state(&self) -> bool {
        matches!(self, Change::Slot(..) | Change::Balance(_))
    }

    pub fn apply(&self, candidate: &mut Candidate) {
        match self {
            Change::Slot(slot, value) => candidate.set_slot(*slot, *value),
            Change::Word(at, value) => candidate.set_word(*at, *value),
            Change::Value(value) => candidate.set_value(*value),
            Change::Caller(caller) => candidate.set_caller(*caller),
            Change::Timestamp(time) => candidate.machine.environment.timestamp = *time,
            Change::Number(number) => candidate.machine.environment.number = *number,
            Change::Balance(balance) => candidate.machine.set_balance(CONTRACT, *balance),
            Change::Stranger(address, stranger) => stranger.settle(*address, candidate),
        }
    }
}

impl Stranger {
    fn settle(self, address: Address, candidate: &mut Candidate) {
        let code = match self {
            Stranger::Nobody | Stranger::Person => Vec::new(),
            Stranger::Answers(word) => {
                let word = U256::from(word).to_be_bytes::<32>();
                puppet::program(&[], true, &word.repeat(8))
            }
            Stranger::Reverts => puppet::program(&[], false, &[]),
        };
        candidate.machine.set_code(address, code);
        let (nonce, balance) = if self == Stranger::Nobody { (0, U256::ZERO) } else { (1, U256::ONE) };
        candidate.machine.set_nonce(address, nonce);
        candidate.machine.set_balance(address, balance);
    }
}

/// Changes that make two numbers equal that a run compared, or nearly so, wherever one of them comes from.
pub(super) fn answering(candidate: &Candidate, run: &Run) -> Vec<Change> {
    let mut changes = Vec::new();
    for (a, b) in &run.trail.compared {
        for (from, to) in [(*a, *b), (*b, *a)] {
            let targets = [to, to.wrapping_add(U256::ONE), to.wrapping_sub(U256::ONE)];
            for to in targets.into_iter().filter(|to| *to != from) {
                replacing(candidate, run, from, to, &mut changes);
            }
        }
    }
    changes.dedup();
    changes
}

/// Changes after which `to` is where `from` was.
fn replacing(candidate: &Candidate, run: &Run, from: U256, to: U256, changes: &mut Vec<Change>) {
    for at in (0..candidate.words()).filter(|at| candidate.word(*at) == from) {
        changes.push(Change::Word(at, to));
    }
    for slot in &run.trail.slots {
        changes.extend(parts(candidate.slot(*slot), from, to).map(|value| Change::Slot(*slot, value)));
    }
    let environment = &candidate.machine.environment;
    if from == environment.timestamp && to.bit_len() < 64 {
        changes.push(Change::Timestamp(to));
    }
    if from == environment.number && to.bit_len() < 64 {
        changes.push(Change::Number(to));
    }
    if from == candidate.message.value && to.bit_len() < 120 {
        changes.push(Change::Value(to));
    }
    if from == candidate.machine.balance(CONTRACT) && to.bit_len() < 120 {
        changes.push(Change::Balance(to));
    }
    let addresses = U256::from(0xffff)..U256::ONE << 160;
    if from == word_of(candidate.message.from) && addresses.contains(&to) {
        changes.push(Change::Caller(address_of(to)));
    }
}

/// A word with a part of it replaced: small variables share slots.
fn parts(word: U256, from: U256, to: U256) -> impl Iterator<Item = U256> {
    let bytes = from.byte_len().max(to.byte_len()).max(1);
    let mask = if bytes == 32 { U256::MAX } else { (U256::ONE << (8 * bytes)) - U256::ONE };
    let places = (0..=32 - bytes).filter(move |at| (word >> (8 * at)) & mask == from).take(6);
    places.map(move |at| (word & !(mask << (8 * at))) | (to << (8 * at)))
}

/// Plain values for everything that the run depends on, one at a time.
pub(super) fn plain(candidate: &Candidate, run: &Run) -> Vec<Change> {
    let mut changes = Vec::new();
    for slot in &run.trail.slots {
        changes.extend(WORDS.map(|word| Change::Slot(*slot, word)));
    }
    for at in 0..candidate.words() {
        changes.extend(WORDS.map(|word| Change::Word(at, word)));
        changes.extend(run.trail.slots.iter().take(8).map(|slot| Change::Word(at, candidate.slot(*slot))));
    }
    // Whoever calls exists, and the chain's own contracts are what they are.
    let is_stranger = |address: &&Address| {
        word_of(**address) > U256::from(0xffff)
            && **address != candidate.message.from
            && **address != CONTRACT
    };
    for address in run.trail.called.iter().filter(is_stranger) {
        changes.extend(STRANGERS.map(|stranger| Change::Stranger(*address, stranger)));
    }
    changes.extend([0u64, 1, 1 << 30, 1 << 60].map(|wei| Change::Value(U256::from(wei))));
    changes.extend([0u64, 1 << 62].map(|wei| Change::Balance(U256::from(wei))));
    changes
}

/// Words that often decide: nothing, something, all, large with every byte set, the middle.
const WORDS: [U256; 7] = [
    U256::ZERO,
    U256::ONE,
    U256::MAX,
    U256::from_limbs([0x0101_0101_0101_0101, 0x0101_0101_0101_0101, 0x0101_0101, 0]),
    U256::from_limbs([0x0101_0101_0101_0101, 0, 0, 0]),
    U256::from_limbs([0, 0, 0, 1 << 62]),
    U256::from_limbs([1_000_003, 0, 0, 0]),
];

/// Anything at all.
pub(super) fn random(candidate: &Candidate, run: &Run, rng: &mut Rng) -> Option<Change> {
    let slots = &run.trail.slots;
    let word = |rng: &mut Rng| match rng.u8(0..6) {
        0 => U256::from(rng.u8(..)),
        1 => U256::ONE << rng.usize(0..256),
        2 => U256::from_limbs([rng.u64(..), rng.u64(..), rng.u64(..), rng.u64(..)]) >> rng.usize(0..256),
        3 => rng.choice(slots).map_or(U256::ZERO, |slot| candidate.slot(*slot)),
        4 => candidate.word(rng.usize(0..=candidate.words())),
        _ => rng.choice(&run.trail.compared).map_or(U256::MAX, |(a, b)| if rng.bool() { *a } else { *b }),
    };
    Some(match rng.u8(0..8) {
        0..4 => Change::Slot(*rng.choice(slots)?, word(rng)),
        4..7 if candidate.words() > 0 => Change::Word(rng.usize(0..candidate.words()), word(rng)),
        _ => Change::Timestamp(candidate.machine.environment.timestamp + U256::from(rng.u32(..))),
    })
}

fn word_of(address: Address) -> U256 {
    U256::from_be_slice(address.as_slice())
}

fn address_of(word: U256) -> Address {
    Address::from_slice(&word.to_be_bytes::<32>()[12..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_slot_are_replaced_where_they_are() {
        let [three, seven, nine] = [3, 7, 9].map(U256::from);
        let word = (seven << 128) | three;
        assert_eq!(parts(word, seven, nine).collect::<Vec<_>>(), [(nine << 128) | three]);
        assert_eq!(parts(U256::MAX, U256::MAX, seven).collect::<Vec<_>>(), [seven]);
        assert_eq!(parts(word, nine, three).count(), 0);
    }
}
