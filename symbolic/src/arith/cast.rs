//! Conversions between scalar types.

use super::format::{Format, alignment};
use super::{Ints, integers, shifts, vectors};
use hornet_ir::types::Type;
use hornet_ir::typing;
use hornet_smt::term::{TermId, Terms};

impl Ints {
    /// As [`hornet_ir::expr::Expr::Cast`] between scalars. In mode `Int` integers stay what they are.
    pub fn cast(&self, t: &mut Terms, from: &Type, to: &Type, a: TermId) -> TermId {
        match (Format::of(from), Format::of(to)) {
            (None, None) => a,
            (None, Some(f)) => {
                let (one, zero) = (self.number(t, f, &1.into()), self.number(t, f, &0.into()));
                t.ite(a, one, zero)
            }
            (Some(f), None) => {
                let zero = self.number(t, f, &0.into());
                t.ne(a, zero)
            }
            (Some(source), Some(target)) => {
                let (a, source) = self.moved(t, from, to, (source, a));
                self.resized(t, from, to, (source, a), target)
            }
        }
    }

    /// Moves the bits to where the target has them: as `bytesN` is right-aligned here, it is only there that they move.
    fn moved(
        &self,
        t: &mut Terms,
        from: &Type,
        to: &Type,
        (source, a): (Format, TermId),
    ) -> (TermId, Format) {
        let both_bytes = matches!((from, to), (Type::FixedBytes(_), Type::FixedBytes(_)));
        if !both_bytes && *from != typing::WORD && *to != typing::WORD {
            return (a, source);
        }
        let (up, down) = (alignment(from), alignment(to));
        if up >= down { self.raised(t, source, a, up - down) } else { self.lowered(t, source, a, down - up) }
    }

    fn raised(&self, t: &mut Terms, f: Format, a: TermId, by: u32) -> (TermId, Format) {
        let wider = Format { bits: f.bits + by, ..f };
        let raised = if by == 0 {
            a
        } else if self.bits() {
            let zeros = t.bv(0u32, by);
            t.concat(a, zeros)
        } else {
            shifts::left(t, wider, a, by, false)
        };
        (raised, wider)
    }

    fn lowered(&self, t: &mut Terms, f: Format, a: TermId, by: u32) -> (TermId, Format) {
        let narrower = Format { bits: f.bits - by, ..f };
        let lowered = if self.bits() { t.extract(f.bits - 1, by, a) } else { shifts::right(t, a, by) };
        (lowered, narrower)
    }

    fn resized(
        &self,
        t: &mut Terms,
        from: &Type,
        to: &Type,
        (source, a): (Format, TermId),
        target: Format,
    ) -> TermId {
        if self.bits() {
            return vectors::resize(t, source, target.bits, a);
        }
        let unbounded = |ty: &Type| self.mode == super::Arithmetic::Int && matches!(ty, Type::Int { .. });
        if unbounded(to) {
            a
        } else if unbounded(from) {
            integers::remainder(t, target, a)
        } else {
            converted(t, source, target, a)
        }
    }
}

/// The number of `target` that is congruent to `a`, a number of `source`.
fn converted(t: &mut Terms, source: Format, target: Format, a: TermId) -> TermId {
    if target.includes(source) {
        return a;
    }
    if target.bits < source.bits {
        return integers::remainder(t, target, a);
    }
    // At least as wide but of the other sign: one side of the range moves by the modulus.
    let modulus = t.int(target.modulus());
    if target.signed {
        let lowered = t.sub(a, modulus);
        let fits = integers::at_most_max(t, target, a);
        t.ite(fits, a, lowered)
    } else {
        let raised = t.add(a, modulus);
        let fits = integers::at_least_min(t, target, a);
        t.ite(fits, a, raised)
    }
}
