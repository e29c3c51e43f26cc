//! Scalars of the IR as terms, in one of four encodings.
//!
//! [`Ints`] gives every scalar operation of the IR its meaning as a term. The meaning itself is that of
//! `hornet_ir::expr`, and `hornet_ir::interp::arith` computes the same on concrete words. Operands are assumed to be values
//! of their types ([`Ints::in_range`]); results are again, except in mode [`Arithmetic::Int`], which has no bounds.
//!
//! What cannot be said exactly uses a function whose name starts with `~`: only powers of which neither base nor exponent
//! is a small constant. [`lemmas()`] tells true facts about these and about products and quotients.

mod bitwise;
mod bounds;
mod cast;
mod fits;
mod format;
mod integers;
mod lemmas;
mod operations;
mod power;
mod shifts;
#[cfg(test)]
mod tests;
mod two_complement;
mod vectors;
mod words;

use format::Format;
use hornet_ir::types::{Type, Types};
use hornet_smt::term::{Sort, TermId, Terms};
pub use lemmas::lemmas;
use num_bigint::BigInt;
use ruint::aliases::U256;

/// How integers become terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Arithmetic {
    /// Mathematical integers, neither bounded nor wrapping: fast, and not sound.
    Int,
    /// Bit-vectors: exact, slow for multiplication.
    Bv,
    /// Integers with ranges and explicit wrap-around: exact.
    #[default]
    Mod,
    /// As `Mod`, and silent overflow is an error.
    ModOverflow,
}

/// A term and the type of the scalar it stands for.
pub type Typed<'a> = (&'a Type, TermId);

/// Builds operations on scalars in the chosen encoding. All scalars except `Bool` are numbers: `bytesN` is the unsigned
/// number of its N bytes (not left-aligned), an address or enum value is unsigned, a signed integer is negative below
/// zero (two's complement as a bit-vector).
#[derive(Clone, Copy, Debug)]
pub struct Ints {
    pub mode: Arithmetic,
}

impl Ints {
    /// The sort of a scalar type.
    pub fn sort(&self, types: &Types, ty: &Type) -> Sort {
        match self.width(types, ty) {
            None => Sort::Bool,
            Some((bits, _)) if self.bits() => Sort::BitVec(bits),
            Some(_) => Sort::Int,
        }
    }

    /// Bits and signedness of a scalar type; `None` for `Bool`.
    pub fn width(&self, _types: &Types, ty: &Type) -> Option<(u32, bool)> {
        Format::of(ty).map(|f| (f.bits, f.signed))
    }

    /// The term of a constant of the IR, a stack word.
    pub fn constant(&self, t: &mut Terms, ty: &Type, word: U256) -> TermId {
        match Format::of(ty) {
            None => t.bool(!word.is_zero()),
            Some(f) => self.number(t, f, &format::from_word(ty, word)),
        }
    }

    /// The term of a number, wrapped to the type if it is none of its values; for `Bool` whether it is not zero.
    pub fn value(&self, t: &mut Terms, ty: &Type, number: &BigInt) -> TermId {
        let word = format::to_word(ty, number);
        match Format::of(ty) {
            // Sums are wider than words.
            Some(f) if f.bits > 256 => self.number(t, f, &f.wrap(number)),
            Some(_) | None => self.constant(t, ty, word),
        }
    }

    pub fn zero(&self, t: &mut Terms, ty: &Type) -> TermId {
        self.constant(t, ty, U256::ZERO)
    }

    /// The stack word of a model's value: the number of an integer term or the unsigned value of a bit-vector.
    pub fn to_word(&self, ty: &Type, value: &BigInt) -> U256 {
        format::to_word(ty, value)
    }

    /// The type condition: that the term is a value of its type.
    pub fn in_range(&self, t: &mut Terms, types: &Types, ty: &Type, a: TermId) -> TermId {
        let Some(f) = Format::of(ty) else { return t.bool(true) };
        match ty {
            Type::Enum(id) => {
                let zero = self.number(t, f, &BigInt::ZERO);
                let members = self.number(t, f, &types.enums[*id].members.len().into());
                let (low, high) = (self.less_or_equal(t, f, zero, a), self.less(t, f, a, members));
                t.and(low, high)
            }
            Type::Int { signed: true, .. } if self.mode == Arithmetic::Int => t.bool(true),
            // What nothing has computed yet is not negative where its type is unsigned.
            Type::Int { .. } if self.mode == Arithmetic::Int => {
                let zero = t.int(0);
                t.le(zero, a)
            }
            _ if self.bits() => t.bool(true),
            _ => integers::in_range(t, f, a),
        }
    }

    /// Whether numbers are bit-vectors.
    fn bits(&self) -> bool {
        match self.mode {
            Arithmetic::Bv => true,
            Arithmetic::Int | Arithmetic::Mod | Arithmetic::ModOverflow => false,
        }
    }

    /// Whether results of integer operations have to be brought back into their range.
    fn wraps(&self) -> bool {
        self.mode != Arithmetic::Int
    }

    fn number(&self, t: &mut Terms, f: Format, number: &BigInt) -> TermId {
        if self.bits() { t.bv(f.unsigned(number), f.bits) } else { t.int(number.clone()) }
    }

    fn less(&self, t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
        match (self.bits(), f.signed) {
            (false, _) => t.lt(a, b),
            (true, false) => t.bv_ult(a, b),
            (true, true) => t.bv_slt(a, b),
        }
    }

    fn less_or_equal(&self, t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
        match (self.bits(), f.signed) {
            (false, _) => t.le(a, b),
            (true, false) => t.bv_ule(a, b),
            (true, true) => t.bv_sle(a, b),
        }
    }
}
