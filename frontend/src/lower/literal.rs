//! Literals: exact numbers and strings become values only when a type is known.

use super::func::FnLower;
use crate::hir::{Loc, Ty, TyId};
use hornet_ir::U256;
use hornet_ir::ids::ExprId;
use hornet_ir::program::AllocInit;
use hornet_ir::span::Span;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

impl<'h> FnLower<'_, 'h> {
    pub fn is_literal(&self, ty: TyId) -> bool {
        matches!(self.ty(ty), Ty::Rational { .. } | Ty::StringLiteral(_))
    }

    /// The type that a literal gets where nothing asks for another: the smallest integer type that holds it, or
    /// `string memory`. Other types stay as they are.
    pub fn mobile(&mut self, ty: TyId) -> TyId {
        let mobile = match self.ty(ty) {
            Ty::Rational { value, .. } => smallest_integer(value),
            Ty::StringLiteral(_) => Ty::String(Loc::Memory),
            _ => return ty,
        };
        self.low.tys.intern(mobile)
    }

    /// A stand-in for the value of a literal whose type is not decided yet; `convert` looks at the type instead.
    pub fn literal_placeholder(&mut self, ty: TyId) -> ExprId {
        match self.ty(ty).clone() {
            Ty::StringLiteral(text) => self.low.program.const_bytes(&text),
            _ => self.const_word(U256::ZERO),
        }
    }

    /// The value of a literal of type `from` as a value of type `to`.
    pub fn literal_as(&mut self, from: TyId, to: TyId, span: Span) -> ExprId {
        let to = if self.is_literal(to) { self.mobile(to) } else { to };
        match self.ty(from).clone() {
            Ty::Rational { value, .. } => self.number_as(&value, from, to, span),
            Ty::StringLiteral(text) => self.string_as(&text, to, span),
            _ => self.literal_placeholder(from),
        }
    }

    fn number_as(&mut self, value: &BigRational, from: TyId, to: TyId, span: Span) -> ExprId {
        let ir = self.ir_ty(to);
        let Some(word) = whole_word(value) else {
            return self.unsupported(span, "fixed-point number", ir);
        };
        match self.ty(to) {
            Ty::FixedBytes(n) => {
                let shift = 256 - 8 * usize::from(*n);
                self.low.program.const_of(ir, word << shift)
            }
            Ty::Enum(_) => {
                let mobile = self.mobile(from);
                let mobile_ir = self.ir_ty(mobile);
                let number = self.low.program.const_of(mobile_ir, word);
                self.convert(number, mobile, to, span)
            }
            Ty::Fixed { .. } => self.unsupported(span, "fixed-point number", ir),
            // Constants have 256 bits; only sums in annotations are wider.
            Ty::Int { bits, .. } if *bits > 256 => {
                let mobile = self.mobile(from);
                let mobile_ir = self.ir_ty(mobile);
                let number = self.low.program.const_of(mobile_ir, word);
                self.low.program.cast(number, ir)
            }
            _ => self.low.program.const_of(ir, word),
        }
    }

    fn string_as(&mut self, text: &[u8], to: TyId, span: Span) -> ExprId {
        let contents = self.low.program.const_bytes(text);
        match self.ty(to) {
            Ty::FixedBytes(_) => {
                let mut word = [0u8; 32];
                let n = text.len().min(32);
                word[..n].copy_from_slice(&text[..n]);
                let ir = self.ir_ty(to);
                self.low.program.const_of(ir, U256::from_be_bytes(word))
            }
            Ty::Bytes(Loc::Memory) | Ty::String(Loc::Memory) => {
                let tree = self.low.tree_ty(to);
                self.alloc(tree, AllocInit::Copy(tree, contents))
            }
            // Into storage: the contents themselves are assigned.
            Ty::Bytes(loc) | Ty::String(loc) if loc.is_storage() => contents,
            _ => {
                let ir = self.ir_ty(to);
                self.unsupported(span, "conversion of a string literal", ir)
            }
        }
    }
}

/// A whole number as a two's complement word; `None` for fractions and numbers beyond 256 bits.
pub(super) fn whole_word(value: &BigRational) -> Option<U256> {
    if !value.is_integer() {
        return None;
    }
    let number = value.numer();
    let magnitude = U256::try_from_be_slice(&number.magnitude().to_bytes_be())?;
    Some(if number.sign() == Sign::Minus { magnitude.wrapping_neg() } else { magnitude })
}

/// The smallest integer type that holds a number; negative numbers need a signed one.
fn smallest_integer(value: &BigRational) -> Ty {
    let number = value.to_integer();
    let signed = number.sign() == Sign::Minus;
    let bits = if signed { (-number - BigInt::from(1)).bits() + 1 } else { number.bits() };
    let bits = bits.div_ceil(8).clamp(1, 32) * 8;
    Ty::Int { bits: bits as u16, signed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_get_the_smallest_type() {
        let ty = |n: i64| smallest_integer(&BigRational::from_integer(BigInt::from(n)));
        assert_eq!(ty(0), Ty::Int { bits: 8, signed: false });
        assert_eq!(ty(255), Ty::Int { bits: 8, signed: false });
        assert_eq!(ty(256), Ty::Int { bits: 16, signed: false });
        assert_eq!(ty(-128), Ty::Int { bits: 8, signed: true });
        assert_eq!(ty(-129), Ty::Int { bits: 16, signed: true });
    }

    #[test]
    fn words_are_twos_complement() {
        let word = |n: i64| whole_word(&BigRational::from_integer(BigInt::from(n)));
        assert_eq!(word(7), Some(U256::from(7)));
        assert_eq!(word(-1), Some(U256::MAX));
        assert_eq!(whole_word(&BigRational::new(BigInt::from(1), BigInt::from(2))), None);
    }
}
