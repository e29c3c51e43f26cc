//! The two exact encodings mean the same to a solver, for all values at once. This also checks that our terms mean to
//! the solver what they mean to the evaluator.

use super::*;
use crate::arith::two_complement::from_bits;
use hornet_smt::solver::{Answer, Limits, Session, Solver};
use hornet_smt::term::Sort;
use std::time::Duration;

const MOD: Ints = Ints { mode: Arithmetic::Mod };
const BV: Ints = Ints { mode: Arithmetic::Bv };

/// Whether the claim holds whatever its symbols are.
fn assert_valid(t: &mut Terms, claim: TermId, what: &str) {
    let solver = Solver::find("z3", None).expect("scripts/setup.sh z3");
    let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
    let mut session = Session::start(&solver, limits, None);
    let negated = t.not(claim);
    session.assert(t, negated);
    assert_eq!(session.check(), Answer::Unsat, "{what}");
}

/// The same operation in both encodings on the same bits: the number of one result is the other.
fn assert_agree(
    operands: &[&Type],
    result: &Type,
    what: &str,
    build: impl Fn(Ints, &mut Terms, &[TermId]) -> TermId,
) {
    let mut t = Terms::new();
    let bits: Vec<TermId> = operands
        .iter()
        .map(|ty| t.fresh("x", Sort::BitVec(Format::of(ty).expect("a number").bits)))
        .collect();
    let numbers: Vec<TermId> = operands
        .iter()
        .zip(&bits)
        .map(|(ty, bits)| from_bits(&mut t, Format::of(ty).expect("a number"), *bits))
        .collect();
    let of_numbers = build(MOD, &mut t, &numbers);
    let of_bits = build(BV, &mut t, &bits);
    let of_bits = match Format::of(result) {
        Some(f) => from_bits(&mut t, f, of_bits),
        None => of_bits,
    };
    let same = t.eq(of_numbers, of_bits);
    assert_valid(&mut t, same, &format!("{what} of {operands:?}"));
}

fn types(widths: &[u16]) -> Vec<Type> {
    widths.iter().flat_map(|bits| [int(*bits, false), int(*bits, true)]).collect()
}

fn binary_agrees(ty: &Type, op: BinOp) {
    let result = if COMPARISONS.contains(&op) { Type::Bool } else { ty.clone() };
    assert_agree(&[ty, ty], &result, &format!("{op:?}"), |ints, t, x| {
        ints.binary(t, op, (ty, x[0]), (ty, x[1]), false)
    });
}

fn fits_agrees(ty: &Type, op: ArithOp) {
    assert_agree(&[ty, ty], &Type::Bool, &format!("fits {op:?}"), |ints, t, x| {
        ints.fits(t, op, (ty, x[0]), (ty, x[1]))
    });
}

#[test]
fn linear_and_bitwise_operators() {
    for ty in types(&[3, 5]) {
        for op in [BinOp::Add, BinOp::Sub].into_iter().chain(BITWISE).chain(COMPARISONS) {
            binary_agrees(&ty, op);
        }
        for op in [ArithOp::Add, ArithOp::Sub, ArithOp::Div, ArithOp::Neg] {
            fits_agrees(&ty, op);
        }
        for op in [UnOp::BitNot, UnOp::Neg] {
            assert_agree(&[&ty], &ty, &format!("{op:?}"), |ints, t, x| ints.unary(t, op, &ty, x[0], false));
        }
    }
}

#[test]
fn products_and_quotients() {
    for ty in types(&[3, 4]) {
        for op in [BinOp::Mul, BinOp::Div, BinOp::Mod] {
            binary_agrees(&ty, op);
        }
        fits_agrees(&ty, ArithOp::Mul);
    }
}

/// One operand of each operation is constant, as it is in most programs.
#[test]
fn with_constants() {
    for ty in types(&[6]) {
        for word in [0u64, 1, 7, 12, 32, 63] {
            let word = oracle::clean(&ty, U256::from(word));
            for op in ARITHMETIC.into_iter().chain(BITWISE) {
                for left in [false, true] {
                    let what = format!("{op:?} with {word:#x}");
                    assert_agree(&[&ty], &ty, &what, |ints, t, x| {
                        let constant = ints.constant(t, &ty, word);
                        let (a, b) = if left { (constant, x[0]) } else { (x[0], constant) };
                        ints.binary(t, op, (&ty, a), (&ty, b), false)
                    });
                }
            }
            for op in [ArithOp::Mul, ArithOp::Div] {
                assert_agree(&[&ty], &Type::Bool, &format!("fits {op:?} with {word:#x}"), |ints, t, x| {
                    let constant = ints.constant(t, &ty, word);
                    ints.fits(t, op, (&ty, x[0]), (&ty, constant))
                });
            }
        }
    }
}

#[test]
fn shifts() {
    for ty in types(&[4, 7]) {
        for right in [uint(3), uint(8)] {
            for op in [BinOp::Shl, BinOp::Shr] {
                assert_agree(&[&ty, &right], &ty, &format!("{op:?}"), |ints, t, x| {
                    ints.binary(t, op, (&ty, x[0]), (&right, x[1]), false)
                });
                for amount in [0u64, 1, 3, 7] {
                    assert_agree(&[&ty], &ty, &format!("{op:?} by {amount}"), |ints, t, x| {
                        let amount = ints.constant(t, &right, U256::from(amount));
                        ints.binary(t, op, (&ty, x[0]), (&right, amount), false)
                    });
                }
            }
        }
    }
}

#[test]
fn powers_of_constants_and_small_powers() {
    for ty in types(&[4]) {
        let right = uint(4);
        for base in [0u64, 1, 2, 4, 6, 10, 15] {
            let base = oracle::clean(&ty, U256::from(base));
            // Odd bases that wrap are not exact.
            if base.bit(0) && base > U256::ONE && base != U256::MAX {
                continue;
            }
            assert_agree(&[&right], &ty, &format!("{base:#x} to a power"), |ints, t, x| {
                let base = ints.constant(t, &ty, base);
                ints.binary(t, BinOp::Exp, (&ty, base), (&right, x[0]), false)
            });
            assert_agree(&[&right], &Type::Bool, &format!("{base:#x} fits"), |ints, t, x| {
                let base = ints.constant(t, &ty, base);
                ints.fits(t, ArithOp::Exp, (&ty, base), (&right, x[0]))
            });
        }
        for exponent in [0u64, 1, 2, 3] {
            assert_agree(&[&ty], &ty, &format!("power of {exponent}"), |ints, t, x| {
                let exponent = ints.constant(t, &right, U256::from(exponent));
                ints.binary(t, BinOp::Exp, (&ty, x[0]), (&right, exponent), false)
            });
            assert_agree(&[&ty], &Type::Bool, &format!("power of {exponent} fits"), |ints, t, x| {
                let exponent = ints.constant(t, &right, U256::from(exponent));
                ints.fits(t, ArithOp::Exp, (&ty, x[0]), (&right, exponent))
            });
        }
    }
}

#[test]
fn conversions_agree() {
    for from in types(&[3, 4, 8]) {
        for to in types(&[3, 4, 8]) {
            assert_agree(&[&from], &to, &format!("cast to {to:?}"), |ints, t, x| {
                ints.cast(t, &from, &to, x[0])
            });
        }
    }
    let (one, three) = (Type::FixedBytes(1), Type::FixedBytes(3));
    for (from, to) in [(&one, &uint(256)), (&one, &three), (&three, &one), (&one, &int(8, true))] {
        assert_agree(&[from], to, &format!("cast to {to:?}"), |ints, t, x| ints.cast(t, from, to, x[0]));
    }
}
