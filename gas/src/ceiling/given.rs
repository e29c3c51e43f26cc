//! The words behind a formula, computed for one transaction.

use hornet_evm::machine::Environment;
use hornet_evm::{Address, U256, keccak256};

use super::term::{Env, Node, Origin, Piece, Term, Terms};

/// A transaction and the state that it begins in, as far as formulas ask for it.
pub struct Given<'a> {
    pub calldata: &'a [u8],
    /// The contract that is called, and its code as deployed.
    pub address: Address,
    pub code: &'a [u8],
    pub sender: Address,
    pub value: U256,
    pub storage: &'a dyn Fn(U256) -> U256,
    pub block: &'a Environment,
    /// The most bytes that any call gave back, and how often the instruction at an offset was run; known afterwards
    /// only.
    pub returned: u64,
    pub rounds: &'a dyn Fn(usize) -> u64,
}

impl Given<'_> {
    /// The value of a term; `None` if it is not determined by what is given.
    pub fn value(&self, terms: &Terms, term: Term) -> Option<U256> {
        match terms.node(term) {
            Node::Const(word) => Some(*word),
            Node::Sum(constant, parts) => {
                let mut sum = *constant;
                for (part, factor) in parts {
                    sum = sum.wrapping_add(self.value(terms, *part)?.wrapping_mul(*factor));
                }
                Some(sum)
            }
            Node::Op(op, arguments) => {
                let words: Option<Vec<U256>> = arguments.iter().map(|a| self.value(terms, *a)).collect();
                Some(op.apply(&words?))
            }
            Node::Env(env) => Some(self.env(*env)),
            Node::Calldata(at) => Some(self.word_at(self.value(terms, *at)?)),
            Node::Storage(slot) => Some((self.storage)(self.value(terms, *slot)?)),
            Node::Keccak(pieces) => Some(U256::from_be_bytes(keccak256(self.bytes(terms, pieces)?).0)),
            Node::Joined(pieces) => Some(U256::from_be_slice(&self.bytes(terms, pieces)?)),
            Node::Immutable(offset) => {
                let bytes = self.code.get(*offset..)?;
                let length = match self.code.get(offset.checked_sub(1)?)? {
                    push @ 0x60..=0x7f => usize::from(push - 0x5f),
                    _ => return None,
                };
                Some(U256::from_be_slice(bytes.get(..length)?))
            }
            Node::Fresh(number) => match terms.fresh_info(*number).origin {
                Origin::Returned(_) => Some(U256::from(self.returned)),
                Origin::Iterations(pc) => Some(U256::from((self.rounds)(pc))),
                Origin::Unknown(_) | Origin::Varying(_) | Origin::Any(_) => None,
            },
        }
    }

    fn env(&self, env: Env) -> U256 {
        let word = |address: Address| U256::from_be_slice(address.as_slice());
        match env {
            Env::Address => word(self.address),
            Env::Caller | Env::Origin => word(self.sender),
            Env::CallValue => self.value,
            Env::CallDataSize => U256::from(self.calldata.len()),
            Env::Coinbase => word(self.block.coinbase),
            Env::Timestamp => self.block.timestamp,
            Env::Number => self.block.number,
            Env::PrevRandao => self.block.prevrandao,
            Env::GasLimit => U256::from(self.block.gas_limit),
            Env::ChainId => U256::from(self.block.chain_id),
            Env::BaseFee => U256::from(self.block.base_fee),
            Env::BlobBaseFee => U256::from(self.block.blob_base_fee),
            Env::GasPrice => U256::from(self.block.gas_price),
        }
    }

    fn word_at(&self, at: U256) -> U256 {
        let mut word = [0; 32];
        if let Ok(at) = usize::try_from(at) {
            for (offset, byte) in word.iter_mut().enumerate() {
                *byte = at.checked_add(offset).and_then(|at| self.calldata.get(at)).copied().unwrap_or(0);
            }
        }
        U256::from_be_bytes(word)
    }

    fn bytes(&self, terms: &Terms, pieces: &[Piece]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for piece in pieces {
            let word = self.value(terms, piece.word)?.to_be_bytes::<32>();
            bytes.extend(&word[usize::from(piece.from)..usize::from(piece.from + piece.len)]);
        }
        Some(bytes)
    }
}
