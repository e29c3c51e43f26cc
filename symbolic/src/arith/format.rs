//! Which numbers a scalar type has, and how they are written in a stack word.

use hornet_ir::types::Type;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::One;
use ruint::aliases::U256;

/// The numbers of a type: all of this width, two's complement if signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Format {
    pub bits: u32,
    pub signed: bool,
}

pub(super) const WORD: Format = Format { bits: 256, signed: false };

impl Format {
    /// `None` for `Bool`.
    pub fn of(ty: &Type) -> Option<Format> {
        let (bits, signed) = match ty {
            Type::Bool => return None,
            Type::Int { bits, signed } => (u32::from(*bits), *signed),
            Type::FixedBytes(n) => (8 * u32::from(*n), false),
            Type::Address => (160, false),
            // Conversions to an enum do not cut the word: a value out of range stays until a check finds it.
            Type::Enum(_) => (256, false),
            Type::FnInternal => (64, false),
            Type::FnExternal => (192, false),
            Type::Bytes
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. }
            | Type::StorageRef(_)
            | Type::MemoryRef(_)
            | Type::CalldataRef(_) => unreachable!("not a scalar: {ty:?}"),
        };
        Some(Format { bits, signed })
    }

    /// How many numbers there are.
    pub fn modulus(self) -> BigInt {
        power_of_two(self.bits)
    }

    pub fn min(self) -> BigInt {
        if self.signed { -power_of_two(self.bits - 1) } else { BigInt::ZERO }
    }

    pub fn max(self) -> BigInt {
        self.min() + self.modulus() - 1
    }

    pub fn contains(self, number: &BigInt) -> bool {
        self.min() <= *number && *number <= self.max()
    }

    /// Whether every number of `other` is one of this format.
    pub fn includes(self, other: Format) -> bool {
        self.min() <= other.min() && other.max() <= self.max()
    }

    /// The number of this format that is congruent.
    pub fn wrap(self, number: &BigInt) -> BigInt {
        (number - self.min()).mod_floor(&self.modulus()) + self.min()
    }

    /// The bits of the number that is congruent.
    pub fn unsigned(self, number: &BigInt) -> BigUint {
        number.mod_floor(&self.modulus()).magnitude().clone()
    }
}

pub(super) fn power_of_two(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

/// By how many bits `bytesN` is moved up in a stack word.
pub(super) fn alignment(ty: &Type) -> u32 {
    match ty {
        Type::FixedBytes(n) => 256 - 8 * u32::from(*n),
        _ => 0,
    }
}

/// The number that a stack word of this type stands for; 0 or 1 for `Bool`.
pub(super) fn from_word(ty: &Type, word: U256) -> BigInt {
    let number = BigInt::from_bytes_be(Sign::Plus, &word.to_be_bytes::<32>());
    let signed = matches!(ty, Type::Int { signed: true, .. });
    Format { bits: 256, signed }.wrap(&number) >> alignment(ty)
}

/// The stack word of a number, wrapped to the type first.
pub(super) fn to_word(ty: &Type, number: &BigInt) -> U256 {
    let number = match Format::of(ty) {
        None => BigInt::from(*number != BigInt::ZERO),
        Some(f) => f.wrap(number) << alignment(ty),
    };
    let mut bytes = [0; 32];
    let (_, digits) = WORD.wrap(&number).to_bytes_be();
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    U256::from_be_bytes(bytes)
}
