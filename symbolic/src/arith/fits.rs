//! Whether the mathematical result of an operation is a value of its type.

use super::format::Format;
use super::{Arithmetic, Ints, Typed, integers};
use hornet_ir::expr::ArithOp;
use hornet_smt::term::{TermId, Terms};
use num_bigint::BigInt;

impl Ints {
    /// As [`hornet_ir::expr::Expr::Fits`]; `b` is ignored for `Neg`. In mode `Int` everything fits.
    pub fn fits(&self, t: &mut Terms, op: ArithOp, (ty, a): Typed<'_>, (right, b): Typed<'_>) -> TermId {
        let (Some(f), Some(g)) = (Format::of(ty), Format::of(right)) else {
            unreachable!("{op:?} of {ty:?} and {right:?}")
        };
        if self.mode == Arithmetic::Int {
            return t.bool(true);
        }
        match op {
            ArithOp::Exp => self.power_fits(t, (f, a), (g, b)),
            ArithOp::Neg => {
                // The least number has no negation; of the unsigned ones only zero has.
                let edge = self.number(t, f, &f.min());
                if f.signed { t.ne(a, edge) } else { t.eq(a, edge) }
            }
            ArithOp::Div => self.quotient_fits(t, f, a, b),
            ArithOp::Add | ArithOp::Sub | ArithOp::Mul if self.bits() => on_vectors(t, op, f, a, b),
            ArithOp::Add => on_integers(t, f, a, b, Terms::add),
            ArithOp::Sub if !f.signed => t.le(b, a),
            ArithOp::Sub => on_integers(t, f, a, b, Terms::sub),
            ArithOp::Mul => on_integers(t, f, a, b, Terms::mul),
        }
    }

    fn quotient_fits(&self, t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
        if !f.signed {
            return t.bool(true);
        }
        let (min, minus_one) = (self.number(t, f, &f.min()), self.number(t, f, &BigInt::from(-1)));
        let overflows = integers::both_equal(t, (a, min), (b, minus_one));
        t.not(overflows)
    }
}

fn on_integers(
    t: &mut Terms,
    f: Format,
    a: TermId,
    b: TermId,
    op: fn(&mut Terms, TermId, TermId) -> TermId,
) -> TermId {
    let exact = op(t, a, b);
    if f.signed { integers::in_range(t, f, exact) } else { integers::at_most_max(t, f, exact) }
}

fn on_vectors(t: &mut Terms, op: ArithOp, f: Format, a: TermId, b: TermId) -> TermId {
    match (op, f.signed) {
        (ArithOp::Add, false) => {
            let sum = t.bv_add(a, b);
            t.bv_ule(a, sum)
        }
        (ArithOp::Sub, false) => t.bv_ule(b, a),
        // The result moves in the direction that the sign of `b` says, unless it wrapped.
        (ArithOp::Add, true) => {
            let sum = t.bv_add(a, b);
            let zero = t.bv(0u32, f.bits);
            let (down, moved_down) = (t.bv_slt(b, zero), t.bv_slt(sum, a));
            t.eq(down, moved_down)
        }
        (ArithOp::Sub, true) => {
            let difference = t.bv_sub(a, b);
            let zero = t.bv(0u32, f.bits);
            let (down, moved_down) = (t.bv_slt(zero, b), t.bv_slt(difference, a));
            t.eq(down, moved_down)
        }
        (ArithOp::Mul, _) => product_fits(t, f, a, b),
        (ArithOp::Div | ArithOp::Exp | ArithOp::Neg, _) => unreachable!("{op:?} is not of this kind"),
    }
}

/// Multiplies with twice the width.
fn product_fits(t: &mut Terms, f: Format, a: TermId, b: TermId) -> TermId {
    let extend = if f.signed { Terms::sign_extend } else { Terms::zero_extend };
    let (wide_a, wide_b) = (extend(t, f.bits, a), extend(t, f.bits, b));
    let product = t.bv_mul(wide_a, wide_b);
    let low = t.extract(f.bits - 1, 0, product);
    let expected = extend(t, f.bits, low);
    t.eq(product, expected)
}
