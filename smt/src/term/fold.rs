//! Arithmetic of bit-vector values. Division by zero is SMT-LIB's: `udiv` gives all ones, `urem` and `srem` the dividend, `sdiv` 1
//! for a negative dividend and -1 for others.

use super::Op;
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};

/// 2^width - 1.
pub(super) fn ones(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

/// The two's-complement value.
pub(super) fn signed(value: &BigUint, width: u32) -> BigInt {
    let plain = BigInt::from(value.clone());
    if value.bit(u64::from(width) - 1) { plain - (BigInt::one() << width) } else { plain }
}

/// The integer modulo 2^width.
pub(super) fn wrapped(value: &BigInt, width: u32) -> BigUint {
    let magnitude = value.magnitude() & ones(width);
    if value.sign() == Sign::Minus && !magnitude.is_zero() {
        (BigUint::one() << width) - magnitude
    } else {
        magnitude
    }
}

pub(super) fn fold_unary(op: &Op, x: &BigUint, width: u32) -> BigUint {
    match op {
        Op::BvNeg => wrapped(&-BigInt::from(x.clone()), width),
        _ => x ^ ones(width),
    }
}

/// The value of a binary operation whose result is as wide as its operands.
pub(super) fn fold_binary(op: &Op, x: &BigUint, y: &BigUint, width: u32) -> BigUint {
    let by_zero = y.is_zero();
    match op {
        Op::BvAdd => (x + y) & ones(width),
        Op::BvMul => (x * y) & ones(width),
        Op::BvAnd => x & y,
        Op::BvOr => x | y,
        Op::BvXor => x ^ y,
        Op::BvUdiv if by_zero => ones(width),
        Op::BvUdiv => x / y,
        Op::BvUrem | Op::BvSrem if by_zero => x.clone(),
        Op::BvUrem => x % y,
        Op::BvSdiv if by_zero && signed(x, width).sign() == Sign::Minus => BigUint::one(),
        Op::BvSdiv if by_zero => ones(width),
        // `BigInt` truncates towards zero, as the operations of SMT-LIB do.
        Op::BvSdiv => wrapped(&(signed(x, width) / signed(y, width)), width),
        Op::BvSrem => wrapped(&(signed(x, width) % signed(y, width)), width),
        _ => fold_shift(op, x, y, width),
    }
}

fn fold_shift(op: &Op, x: &BigUint, y: &BigUint, width: u32) -> BigUint {
    let by = y.to_u32().filter(|by| *by < width);
    match (op, by) {
        (Op::BvShl, Some(by)) => (x << by) & ones(width),
        (Op::BvLshr, Some(by)) => x >> by,
        (Op::BvAshr, by) => wrapped(&(signed(x, width) >> by.unwrap_or(width)), width),
        _ => BigUint::ZERO,
    }
}

pub(super) fn fold_compare(op: &Op, x: &BigUint, y: &BigUint, width: u32) -> bool {
    match op {
        Op::BvUlt => x < y,
        Op::BvUle => x <= y,
        Op::BvSlt => signed(x, width) < signed(y, width),
        _ => signed(x, width) <= signed(y, width),
    }
}
