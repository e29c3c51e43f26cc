//! Raw data of the machine, which inline assembly and `msg.data` read: typed where its place is plain, else anything.

use crate::context::{Context, Res, WORD};
use crate::eval::{Scope, one};
use crate::state::{State, Var};
use crate::tree::Tree;
use hornet_ir::expr::Builtin;
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId};
use num_bigint::BigInt;

/// How symbols are called that stand for something definite of which nothing is known.
pub(crate) const APPROXIMATED: &str = "~raw";

impl Context<'_> {
    /// Sets a variable to something that is not known, though it is definite.
    pub(crate) fn blur(&mut self, state: &mut State, var: Var) -> Res<()> {
        let value = self.blurred(var)?;
        state.set(var, value);
        Ok(())
    }

    pub(crate) fn blurred(&mut self, var: Var) -> Res<Tree> {
        let (_, shape) = self.var_shape(var)?;
        Ok(self.fresh_leaves(APPROXIMATED, &shape))
    }

    /// Instructions that read.
    pub(crate) fn raw_read(
        &mut self,
        scope: &Scope,
        builtin: Builtin,
        args: &[ExprId],
        ty: TypeId,
    ) -> Res<Tree> {
        let args = match builtin {
            Builtin::SlotOffset | Builtin::CalldataOffset => Vec::new(),
            _ => args.iter().map(|a| self.scalar(scope, *a)).collect::<Res<Vec<TermId>>>()?,
        };
        match (builtin, args.as_slice()) {
            (Builtin::MLoad, &[address]) => {
                let address = self.memory_address(scope.now, address)?;
                self.raw_load(scope.now, &address).map(one)
            }
            (Builtin::SLoad, &[slot]) => {
                let slots = self.slots_at(slot);
                self.slot_value(scope.now, &slots).map(one)
            }
            (Builtin::CalldataLoad, &[offset]) => {
                let data = self.get(scope.now, Var::CallData)?;
                let args = [data[0], data[1], offset];
                Ok(one(self.unknown_function("~calldataload", &args, ty)))
            }
            (Builtin::CalldataBytes, &[offset, length]) => {
                let data = self.get(scope.now, Var::CallData)?;
                Ok(self.slice(&data, offset, length))
            }
            (Builtin::MemBytes | Builtin::CodeBytes, &[_, length]) => {
                let bytes = self.fresh_bytes(APPROXIMATED);
                Ok([length, bytes[1]].into())
            }
            _ => self.fresh(APPROXIMATED, ty),
        }
    }

    /// What a reference to calldata at a raw position leads to.
    pub(crate) fn calldata_at(
        &mut self,
        scope: &Scope,
        offset: ExprId,
        length: ExprId,
        ty: TypeId,
    ) -> Res<Tree> {
        let (offset, length) = (self.scalar(scope, offset)?, self.scalar(scope, length)?);
        let referent = self.program.types.referent(ty).unwrap_or(ty);
        match self.program.types.get(referent) {
            Type::Bytes => {
                let data = self.get(scope.now, Var::CallData)?;
                Ok(self.slice(&data, offset, length))
            }
            // Of any contents; `length` is the length even if nobody could pay for so much data.
            Type::Array { len: None, .. } => {
                let contents = self.fresh(APPROXIMATED, referent)?;
                Ok([length].into_iter().chain(contents[1..].iter().copied()).collect())
            }
            _ => self.fresh(APPROXIMATED, referent),
        }
    }

    /// A word as something plus a constant, if it is such a sum; only the constant for a plain number.
    pub(crate) fn base_and_offset(&mut self, word: TermId) -> (Option<TermId>, BigInt) {
        match (self.terms.op(word).clone(), self.terms.args(word).to_vec().as_slice()) {
            (Op::Int(n), _) => (None, n),
            (Op::BitVec(n, _), _) => (None, n.into()),
            (Op::Add | Op::BvAdd, &[a, b]) => match (self.number(a), self.number(b)) {
                (Some(n), None) => (Some(b), n),
                (None, Some(n)) => (Some(a), n),
                _ => (Some(word), BigInt::ZERO),
            },
            // Sums that wrap around: both are the same word.
            (Op::Ite, &[_, sum, lowered]) if *self.terms.sort(sum) == hornet_smt::term::Sort::Int => {
                let difference = self.word_difference(sum, lowered);
                match self.number(difference) {
                    Some(n) if n == BigInt::from(1) << 256 => self.base_and_offset(sum),
                    _ => (Some(word), BigInt::ZERO),
                }
            }
            _ => (Some(word), BigInt::ZERO),
        }
    }

    fn number(&self, term: TermId) -> Option<BigInt> {
        match self.terms.op(term) {
            Op::Int(n) => Some(n.clone()),
            Op::BitVec(n, _) => Some(n.clone().into()),
            _ => None,
        }
    }

    /// Any word.
    pub(crate) fn any_word(&mut self) -> TermId {
        let sort = self.word_sort();
        let word = self.terms.fresh(APPROXIMATED, sort);
        let fact = self.is_word(word);
        self.fact(fact);
        word
    }

    /// A scalar as the machine holds it, and back.
    pub(crate) fn word_of(&mut self, ty: TypeId, value: TermId) -> TermId {
        let ty = self.program.types.get(ty).clone();
        self.ints.cast(&mut self.terms, &ty, &WORD, value)
    }

    pub(crate) fn value_of_word(&mut self, ty: TypeId, word: TermId) -> TermId {
        let ty = self.program.types.get(ty).clone();
        self.ints.cast(&mut self.terms, &WORD, &ty, word)
    }

    /// Whether every word is a value of the type, so that nothing is cut off when one is written raw.
    pub(crate) fn fills_word(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Int { bits: 256, .. } | Type::FixedBytes(32))
    }
}
