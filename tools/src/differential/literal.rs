//! Literals and random words, near the boundaries where things break.

use super::types::{ENUM_MEMBERS, Scalar};
use hornet_ir::U256;

/// A random word of a scalar type, as the ABI carries it.
pub fn word(rng: &mut fastrand::Rng, ty: Scalar) -> U256 {
    match ty {
        Scalar::Bool => U256::from(rng.u8(0..2)),
        Scalar::Enum => U256::from(rng.u64(0..ENUM_MEMBERS)),
        Scalar::Address => bits(rng, 160),
        Scalar::FixedBytes(n) => bits(rng, 8 * n as usize) << (256 - 8 * n as usize),
        Scalar::Int { bits: width, signed: false } => bits(rng, width as usize),
        Scalar::Int { bits: width, signed: true } => sign_extend(bits(rng, width as usize), width as usize),
    }
}

/// Numbers of a width, most of them small, large or next to a power of two.
fn bits(rng: &mut fastrand::Rng, width: usize) -> U256 {
    let max = if width == 256 { U256::MAX } else { (U256::ONE << width) - U256::ONE };
    let raw = match rng.u8(0..8) {
        0 => U256::ZERO,
        1 => U256::from(rng.u8(0..8)),
        2 => max - U256::from(rng.u8(0..4)).min(max),
        3 => (U256::ONE << rng.usize(0..width)).wrapping_sub(U256::from(rng.u8(0..2))),
        4 => U256::ONE << (width - 1),
        5 => U256::from(rng.u32(..)),
        _ => U256::from_limbs([rng.u64(..), rng.u64(..), rng.u64(..), rng.u64(..)]),
    };
    raw & max
}

fn sign_extend(value: U256, width: usize) -> U256 {
    if width < 256 && value.bit(width - 1) { value | (U256::MAX << width) } else { value }
}

/// An expression of exactly this type with a random value.
pub fn literal(rng: &mut fastrand::Rng, ty: Scalar) -> String {
    let value = word(rng, ty);
    match ty {
        Scalar::Bool => (!value.is_zero()).to_string(),
        Scalar::Enum => format!("E.{}", ["A", "B", "C"][value.to::<usize>()]),
        Scalar::Address => format!("address(uint160({value}))"),
        Scalar::FixedBytes(n) => {
            let hex = format!("{:064x}", value);
            format!("bytes{n}(hex\"{}\")", &hex[..2 * n as usize])
        }
        Scalar::Int { signed: false, .. } => format!("{ty}({value})"),
        Scalar::Int { signed: true, .. } if value.bit(255) => {
            format!("{ty}(-{})", U256::ZERO.wrapping_sub(value))
        }
        Scalar::Int { signed: true, .. } => format!("{ty}({value})"),
    }
}
