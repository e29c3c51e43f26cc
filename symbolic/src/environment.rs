//! What holds of transactions and blocks, whoever sends and makes them.

use crate::context::{Context, Res, Unsupported, WORD};
use crate::state::{State, Var};
use hornet_ir::U256;
use hornet_ir::expr::{Builtin, EnvVar};
use hornet_ir::ids::TypeId;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;

/// So many blocks back, hashes are known.
const REMEMBERED_BLOCKS: u64 = 256;

const UNFORESEEN: EnvVar = EnvVar::PrevRandao;

/// The part of the environment that a function reads, besides its arguments.
pub(crate) fn read_by(builtin: Builtin) -> Option<EnvVar> {
    match builtin {
        Builtin::BlockHash => Some(EnvVar::Number),
        Builtin::BlobHash => Some(UNFORESEEN),
        _ => None,
    }
}

impl Context<'_> {
    /// Records what is known of a value that the transaction or its block provides.
    pub(crate) fn admit_environment(&mut self, var: EnvVar, term: TermId) {
        match var {
            // Blocks have 64 bits for each of these.
            EnvVar::Timestamp | EnvVar::Number | EnvVar::GasLimit | EnvVar::GasLeft => {
                let (zero, limit) = (self.word(0), self.constant(&WORD, U256::ONE << 64));
                let fact = self.in_bounds(term, zero, limit);
                self.fact_everywhere(fact);
            }
            // Nobody can sign for the zero address, and no code is there.
            EnvVar::Caller | EnvVar::Origin => {
                let nobody = self.constant(&Type::Address, U256::ZERO);
                let fact = self.terms.ne(term, nobody);
                self.fact_everywhere(fact);
            }
            EnvVar::This
            | EnvVar::CallValue
            | EnvVar::CallData
            | EnvVar::ReturnData
            | EnvVar::Coinbase
            | EnvVar::PrevRandao
            | EnvVar::ChainId
            | EnvVar::BaseFee
            | EnvVar::BlobBaseFee
            | EnvVar::GasPrice => {}
        }
    }

    /// Records that there is no code at the zero address, of a size that was looked up.
    pub(crate) fn admit_code_size(&mut self, address: TermId, size: TermId) {
        let (nobody, nothing) = (self.constant(&Type::Address, U256::ZERO), self.word(0));
        let (is_nobody, is_nothing) = (self.terms.eq(address, nobody), self.terms.eq(size, nothing));
        let fact = self.terms.implies(is_nobody, is_nothing);
        self.fact(fact);
    }

    /// A word that the block provides.
    fn of_block(&mut self, now: &State, var: EnvVar) -> Res<TermId> {
        let word = self.program.types.find(&WORD).ok_or_else(|| Unsupported::new("hashes of blocks"))?;
        Ok(self.get(now, Var::Env(var, word))?[0])
    }

    /// Other blobs come with other transactions: what stands for these is something else that nobody can foresee.
    pub(crate) fn blob_hash(&mut self, now: &State, blob: TermId, ty: TypeId) -> Res<TermId> {
        let transaction = self.of_block(now, UNFORESEEN)?;
        Ok(self.unknown_function("BlobHash", &[transaction, blob], ty))
    }

    /// Zero but for the last blocks before this one; which number it is then, nobody knows.
    pub(crate) fn block_hash(&mut self, now: &State, block: TermId, ty: TypeId) -> Res<TermId> {
        let number = self.of_block(now, EnvVar::Number)?;
        let hash = self.unknown_function("BlockHash", &[block], ty);
        let nothing = self.constant(&self.program.types.get(ty).clone(), U256::ZERO);
        let fact = self.terms.ne(hash, nothing);
        self.fact(fact);
        let zero = self.word(0);
        let (age, limit) = (self.word_difference(number, block), self.word(REMEMBERED_BLOCKS + 1));
        let (earlier, recent) = (self.in_bounds(block, zero, number), self.in_bounds(age, zero, limit));
        let known = self.terms.and(earlier, recent);
        Ok(self.terms.ite(known, hash, nothing))
    }
}
