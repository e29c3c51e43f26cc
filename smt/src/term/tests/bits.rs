//! Folding of bit-vectors, exhaustively at small widths, by z3's word.

use super::super::{Op, Sort, TermId, Terms};
use super::z3_check;
use crate::solver::Answer;
use num_bigint::BigUint;

const SAME_WIDTH: [Op; 12] = [
    Op::BvAdd,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvSdiv,
    Op::BvUrem,
    Op::BvSrem,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];
const COMPARISONS: [Op; 4] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];

/// Collects `written = simplified` and asks z3 about all of it.
struct Equations {
    terms: Terms,
    all: Vec<TermId>,
}

impl Equations {
    fn new() -> Self {
        Self { terms: Terms::new(), all: Vec::new() }
    }

    fn add(&mut self, op: Op, args: &[TermId], sort: Sort) {
        let written = self.terms.intern(op.clone(), args, sort.clone());
        let simplified = self.terms.rebuild(op, args, sort);
        let same = self.terms.intern(Op::Eq, [written, simplified], Sort::Bool);
        self.all.push(same);
    }

    fn hold(mut self) {
        assert!(!self.all.is_empty());
        let all = self.terms.intern(Op::And, self.all, Sort::Bool);
        let not = self.terms.intern(Op::Not, [all], Sort::Bool);
        assert_eq!(z3_check(&self.terms, not), Answer::Unsat);
    }
}

#[test]
fn operations_on_constants() {
    let mut equations = Equations::new();
    for width in 1..=3 {
        let values: Vec<TermId> = (0..1u32 << width).map(|n| equations.terms.bv(n, width)).collect();
        for &x in &values {
            for &y in &values {
                for op in SAME_WIDTH {
                    equations.add(op, &[x, y], Sort::BitVec(width));
                }
                for op in COMPARISONS {
                    equations.add(op, &[x, y], Sort::Bool);
                }
                equations.add(Op::Concat, &[x, y], Sort::BitVec(2 * width));
            }
            equations.add(Op::BvNeg, &[x], Sort::BitVec(width));
            equations.add(Op::BvNot, &[x], Sort::BitVec(width));
            equations.add(Op::BvToInt, &[x], Sort::Int);
            for extra in 1..3 {
                equations.add(Op::ZeroExtend(extra), &[x], Sort::BitVec(width + extra));
                equations.add(Op::SignExtend(extra), &[x], Sort::BitVec(width + extra));
            }
            for high in 0..width {
                for low in 0..=high {
                    equations.add(Op::Extract(high, low), &[x], Sort::BitVec(high - low + 1));
                }
            }
        }
        for n in -20..20 {
            let n = equations.terms.int(n);
            equations.add(Op::IntToBv(width), &[n], Sort::BitVec(width));
        }
    }
    equations.hold();
}

#[test]
fn operations_with_one_constant_or_a_repeated_operand() {
    let mut equations = Equations::new();
    for width in 1..=3 {
        let x = equations.terms.symbol(&format!("x{width}"), Sort::BitVec(width));
        let mut others: Vec<TermId> = (0..1u32 << width).map(|n| equations.terms.bv(n, width)).collect();
        others.extend([x, equations.terms.bv_neg(x), equations.terms.bv_not(x)]);
        for other in others {
            for (a, b) in [(x, other), (other, x)] {
                for op in SAME_WIDTH {
                    equations.add(op, &[a, b], Sort::BitVec(width));
                }
                for op in COMPARISONS {
                    equations.add(op, &[a, b], Sort::Bool);
                }
            }
        }
    }
    equations.hold();
}

#[test]
fn words_of_256_bits() {
    let mut equations = Equations::new();
    let width = 256;
    let top: BigUint = BigUint::from(1u32) << 255;
    let values: Vec<TermId> = [
        BigUint::ZERO,
        1u32.into(),
        2u32.into(),
        255u32.into(),
        256u32.into(),
        top.clone() - 1u32,
        top.clone(),
        top.clone() + 1u32,
        (top << 1) - 1u32,
    ]
    .into_iter()
    .map(|n| equations.terms.bv(n, width))
    .collect();
    for &x in &values {
        for &y in &values {
            for op in SAME_WIDTH {
                equations.add(op, &[x, y], Sort::BitVec(width));
            }
            for op in COMPARISONS {
                equations.add(op, &[x, y], Sort::Bool);
            }
        }
        equations.add(Op::BvToInt, &[x], Sort::Int);
    }
    equations.hold();
}
