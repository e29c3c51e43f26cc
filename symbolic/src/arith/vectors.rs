//! Arithmetic on bit-vectors: SMT-LIB's operations are the IR's, except for division by zero and operands of different widths.

use super::format::Format;
use hornet_ir::expr::BinOp;
use hornet_smt::term::{TermId, Terms};

pub(super) fn div(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    let quotient = if f.signed { t.bv_sdiv(a, b) } else { t.bv_udiv(a, b) };
    unless_zero(t, b, quotient)
}

pub(super) fn modulo(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    let rest = if f.signed { t.bv_srem(a, b) } else { t.bv_urem(a, b) };
    unless_zero(t, b, rest)
}

/// Zero where `divisor` is zero.
pub(super) fn unless_zero(t: &mut Terms, divisor: TermId, otherwise: TermId) -> TermId {
    let zero = t.bv(0u32, t.width(divisor));
    let by_zero = t.eq(divisor, zero);
    t.ite(by_zero, zero, otherwise)
}

/// `Shl` or `Shr` by an unsigned bit-vector of any width.
pub(super) fn shift(t: &mut Terms, op: BinOp, (f, a): (Format, TermId), by: TermId) -> TermId {
    let by = clamped(t, by, f.bits);
    match (op == BinOp::Shl, f.signed) {
        (true, _) => t.bv_shl(a, by),
        (false, false) => t.bv_lshr(a, by),
        (false, true) => t.bv_ashr(a, by),
    }
}

/// An unsigned number as a vector of `bits` bits, where everything from `bits` on is the same to the caller.
fn clamped(t: &mut Terms, number: TermId, bits: u32) -> TermId {
    let width = t.width(number);
    if width <= bits {
        return t.zero_extend(bits - width, number);
    }
    let limit = t.bv(bits, width);
    let small = t.bv_ult(number, limit);
    let low = t.extract(bits - 1, 0, number);
    let limit = t.bv(bits, bits);
    t.ite(small, low, limit)
}

/// The bits cut, or extended as `from` says.
pub(super) fn resize(t: &mut Terms, from: Format, bits: u32, a: TermId) -> TermId {
    match bits.checked_sub(from.bits) {
        None => t.extract(bits - 1, 0, a),
        Some(extra) if from.signed => t.sign_extend(extra, a),
        Some(extra) => t.zero_extend(extra, a),
    }
}
