//! Scalars of the IR as terms, in one of four encodings.

use hornet_ir::types::{Type, Types};
use hornet_smt::term::Sort;

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
            Some((bits, _)) => self.number_sort(bits),
        }
    }

    fn number_sort(&self, bits: u32) -> Sort {
        match self.mode {
            Arithmetic::Bv => Sort::BitVec(bits),
            Arithmetic::Int | Arithmetic::Mod | Arithmetic::ModOverflow => Sort::Int,
        }
    }

    /// Bits and signedness of a scalar type; `None` for `Bool`.
    pub fn width(&self, _types: &Types, ty: &Type) -> Option<(u32, bool)> {
        Some(match ty {
            Type::Bool => return None,
            Type::Int { bits, signed } => (u32::from(*bits), *signed),
            Type::FixedBytes(n) => (8 * u32::from(*n), false),
            Type::Address => (160, false),
            Type::Enum(_) => (8, false),
            Type::FnInternal => (64, false),
            Type::FnExternal => (192, false),
            Type::Bytes
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. }
            | Type::StorageRef(_)
            | Type::MemoryRef(_)
            | Type::CalldataRef(_) => unreachable!("not a scalar: {ty:?}"),
        })
    }
}
