//! The operators of the IR, each to its encoding.

use super::format::Format;
use super::{Ints, Typed, bitwise, integers, shifts, vectors};
use hornet_ir::expr::{BinOp, UnOp};
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId, Terms};

impl Ints {
    /// `op` on two scalars of the same type, or of any unsigned type on the right of shifts and powers.
    /// `no_wrap` says that the mathematical result is known to be a value of the type.
    pub fn binary(
        &self,
        t: &mut Terms,
        op: BinOp,
        (ty, a): Typed<'_>,
        (right, b): Typed<'_>,
        no_wrap: bool,
    ) -> TermId {
        match op {
            BinOp::BoolAnd => return t.and(a, b),
            BinOp::BoolOr => return t.or(a, b),
            BinOp::Eq => return equal(t, a, b),
            BinOp::Ne => {
                let equal = equal(t, a, b);
                return t.not(equal);
            }
            _ => {}
        }
        let (Some(f), Some(g)) = (Format::of(ty), Format::of(right)) else {
            unreachable!("{op:?} of {ty:?} and {right:?}")
        };
        match op {
            BinOp::Lt => self.less(t, f, a, b),
            BinOp::Le => self.less_or_equal(t, f, a, b),
            BinOp::Gt => self.less(t, f, b, a),
            BinOp::Ge => self.less_or_equal(t, f, b, a),
            BinOp::Exp => self.power(t, (f, a), (g, b), no_wrap),
            BinOp::Shl | BinOp::Shr if self.bits() => vectors::shift(t, op, (f, a), b),
            BinOp::Shl | BinOp::Shr => shifts::shift(t, op, (f, a), (g, b), self.wraps()),
            _ if self.bits() => on_vectors(t, op, f, a, b),
            _ => on_integers(t, op, f, (a, b), self.wraps() && !no_wrap),
        }
    }

    /// `no_wrap` as for [`Ints::binary`].
    pub fn unary(&self, t: &mut Terms, op: UnOp, ty: &Type, a: TermId, no_wrap: bool) -> TermId {
        let Some(f) = Format::of(ty) else {
            return t.not(a);
        };
        match (op, self.bits()) {
            (UnOp::Not, _) => unreachable!("{op:?} of {ty:?}"),
            (UnOp::BitNot, true) => t.bv_not(a),
            (UnOp::BitNot, false) => integers::not(t, f, a),
            (UnOp::Neg, true) => t.bv_neg(a),
            (UnOp::Neg, false) => integers::neg(t, f, a, self.wraps() && !no_wrap),
        }
    }
}

/// Numbers that came from bits are equal if those are.
fn equal(t: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let (Op::BvToInt, Op::BvToInt, &[x], &[y]) = (t.op(a), t.op(b), t.args(a), t.args(b))
        && t.width(x) == t.width(y)
    {
        return t.eq(x, y);
    }
    t.eq(a, b)
}

fn on_vectors(t: &mut Terms, op: BinOp, f: Format, a: TermId, b: TermId) -> TermId {
    match op {
        BinOp::Add => t.bv_add(a, b),
        BinOp::Sub => t.bv_sub(a, b),
        BinOp::Mul => t.bv_mul(a, b),
        BinOp::Div => vectors::div(t, f, a, b),
        BinOp::Mod => vectors::modulo(t, f, a, b),
        BinOp::And => t.bv_and(a, b),
        BinOp::Or => t.bv_or(a, b),
        BinOp::Xor => t.bv_xor(a, b),
        BinOp::Exp
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge
        | BinOp::BoolAnd
        | BinOp::BoolOr => unreachable!("{op:?} is not of this kind"),
    }
}

fn on_integers(t: &mut Terms, op: BinOp, f: Format, (a, b): (TermId, TermId), wraps: bool) -> TermId {
    match op {
        BinOp::Add => integers::add(t, f, a, b, wraps),
        BinOp::Sub => integers::sub(t, f, a, b, wraps),
        BinOp::Mul => integers::mul(t, f, a, b, wraps),
        BinOp::Div => integers::div(t, f, a, b, wraps),
        BinOp::Mod => integers::modulo(t, f, a, b),
        BinOp::And => bitwise::and(t, f, a, b),
        BinOp::Or => bitwise::or(t, f, a, b),
        BinOp::Xor => bitwise::xor(t, f, a, b),
        BinOp::Exp
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge
        | BinOp::BoolAnd
        | BinOp::BoolOr => unreachable!("{op:?} is not of this kind"),
    }
}
