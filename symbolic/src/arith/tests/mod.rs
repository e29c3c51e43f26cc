//! Every operation in every exact encoding against the interpreter's arithmetic, in three ways: on constants, on symbols
//! that are replaced by constants afterwards, and on symbols evaluated under an assignment.

mod composed;
mod exact;
mod idioms;
mod lemmas;
mod scalars;
mod solver;
mod unbounded;
mod words;

use super::format::{self, Format};
use super::{Arithmetic, Ints};
use hornet_ir::expr::{ArithOp, BinOp, UnOp};
use hornet_ir::interp::arith as oracle;
use hornet_ir::types::{Type, Types};
use hornet_smt::term::{Op, TermId, Terms, Value};
use num_traits::ToPrimitive;
use proptest::prelude::*;
use ruint::aliases::U256;
use rustc_hash::FxHashMap;

const EXACT: [Ints; 2] = [Ints { mode: Arithmetic::Mod }, Ints { mode: Arithmetic::Bv }];

const ARITHMETIC: [BinOp; 5] = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Mod];
const BITWISE: [BinOp; 3] = [BinOp::And, BinOp::Or, BinOp::Xor];
const COMPARISONS: [BinOp; 6] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];
const WITH_AMOUNT: [BinOp; 3] = [BinOp::Exp, BinOp::Shl, BinOp::Shr];

fn int(bits: u16, signed: bool) -> Type {
    Type::Int { bits, signed }
}

fn uint(bits: u16) -> Type {
    int(bits, false)
}

/// Operands: the type and the stack word of each.
type Operands<'a> = &'a [(&'a Type, U256)];

/// Checks that `build` on the operands gives the stack word `expected` of type `result`.
fn check(
    ints: Ints,
    operands: Operands<'_>,
    (result, expected): (&Type, U256),
    what: &str,
    build: impl Fn(&mut Terms, &[TermId]) -> TermId,
) {
    let types = Types::default();
    let mut t = Terms::new();
    let constants: Vec<TermId> = operands.iter().map(|(ty, word)| ints.constant(&mut t, ty, *word)).collect();
    let symbols: Vec<TermId> = operands.iter().map(|(ty, _)| t.fresh("x", ints.sort(&types, ty))).collect();
    // All constant, all symbols, and one constant among symbols.
    for constant in 0..operands.len() + 2 {
        let args: Vec<TermId> = (0..operands.len())
            .map(|i| if constant == i || constant > operands.len() { constants[i] } else { symbols[i] })
            .collect();
        let context = || format!("{what} of {operands:?} in {:?}, case {constant}", ints.mode);
        let term = build(&mut t, &args);
        let assigned = |op: &Op, args: &[Value]| match op {
            Op::Symbol(_) => {
                let at = symbols.iter().position(|s| t.op(*s) == op)?;
                constant_value(&t, constants[at])
            }
            Op::Apply(function) => power(&function.name, args),
            _ => None,
        };
        // Division by zero has no value in the branch that is not taken: replacing works there too.
        let evaluated = t.evaluate(term, &assigned);
        if let Some(value) = evaluated {
            assert_eq!(word(result, &value), expected, "{}, evaluated", context());
        }
        let mut map: FxHashMap<TermId, TermId> =
            symbols.iter().copied().zip(constants.iter().copied()).collect();
        let replaced = t.replace_all(term, &mut map);
        match constant_value(&t, replaced) {
            Some(value) => assert_eq!(word(result, &value), expected, "{}, replaced", context()),
            None => assert!(mentions_power(&t, replaced), "{} does not fold", context()),
        }
    }
}

fn mentions_power(t: &Terms, term: TermId) -> bool {
    let mut found = false;
    t.walk(&[term], |t2| found |= matches!(t.op(t2), Op::Apply(f) if f.name.starts_with("~exp")));
    found
}

fn constant_value(t: &Terms, term: TermId) -> Option<Value> {
    match t.op(term) {
        Op::Bool(b) => Some(Value::Bool(*b)),
        Op::Int(n) => Some(Value::Int(n.clone())),
        Op::BitVec(n, width) => Some(Value::BitVec(n.clone(), *width)),
        _ => None,
    }
}

/// The stack word of a value, which must be one of the type.
fn word(ty: &Type, value: &Value) -> U256 {
    match value {
        Value::Bool(b) => U256::from(*b),
        Value::Int(n) => {
            let f = Format::of(ty).expect("a number");
            assert!(f.contains(n), "{n} is no {ty:?}");
            format::to_word(ty, n)
        }
        Value::BitVec(n, width) => {
            assert_eq!(Format::of(ty).map(|f| f.bits), Some(*width));
            format::to_word(ty, &n.clone().into())
        }
        Value::Array(_) | Value::Opaque(_) => panic!("not a scalar"),
    }
}

/// What the functions that stand for powers mean; `None` if that is too large to compute.
fn power(name: &str, args: &[Value]) -> Option<Value> {
    let small = |n: Option<u32>| n.filter(|n| *n < 1000);
    Some(match args {
        [Value::Int(base), Value::Int(exponent)] => Value::Int(base.pow(small(exponent.to_u32())?)),
        [Value::BitVec(base, width), Value::BitVec(exponent, exponent_width)] => {
            let exponent = small(exponent.to_u32())?;
            let name = name.strip_suffix(&format!("-{width}-{exponent_width}")).expect("widths in the name");
            let exact = |signed| Format { bits: *width, signed }.wrap(&base.clone().into()).pow(exponent);
            let fits = |signed| Value::Bool(Format { bits: *width, signed }.contains(&exact(signed)));
            match name {
                "~exp" => {
                    Value::BitVec(Format { bits: *width, signed: false }.unsigned(&exact(false)), *width)
                }
                "~exp-fits-unsigned" => fits(false),
                "~exp-fits-signed" => fits(true),
                _ => panic!("{name}"),
            }
        }
        _ => panic!("{args:?}"),
    })
}

/// All operations on two operands of one type.
fn check_pair(ty: &Type, a: U256, b: U256) {
    let bool = Type::Bool;
    for ints in EXACT {
        for op in ARITHMETIC.into_iter().chain(BITWISE).chain(COMPARISONS) {
            let result = if COMPARISONS.contains(&op) { &bool } else { ty };
            let expected = oracle::binary(op, ty, a, b);
            let no_wrap = arith_op(op).is_some_and(|arith| oracle::fits(arith, ty, a, b));
            for no_wrap in if no_wrap { vec![false, true] } else { vec![false] } {
                check(ints, &[(ty, a), (ty, b)], (result, expected), &format!("{op:?}"), |t, x| {
                    ints.binary(t, op, (ty, x[0]), (ty, x[1]), no_wrap)
                });
            }
        }
        for op in [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div] {
            let expected = U256::from(oracle::fits(op, ty, a, b));
            check(ints, &[(ty, a), (ty, b)], (&bool, expected), &format!("fits {op:?}"), |t, x| {
                ints.fits(t, op, (ty, x[0]), (ty, x[1]))
            });
        }
    }
}

fn check_single(ty: &Type, a: U256) {
    for ints in EXACT {
        for op in [UnOp::BitNot, UnOp::Neg] {
            let fits = op == UnOp::BitNot || oracle::fits(ArithOp::Neg, ty, a, a);
            for no_wrap in if fits { vec![false, true] } else { vec![false] } {
                check(ints, &[(ty, a)], (ty, oracle::unary(op, ty, a)), &format!("{op:?}"), |t, x| {
                    ints.unary(t, op, ty, x[0], no_wrap)
                });
            }
        }
        let expected = U256::from(oracle::fits(ArithOp::Neg, ty, a, a));
        check(ints, &[(ty, a)], (&Type::Bool, expected), "fits Neg", |t, x| {
            ints.fits(t, ArithOp::Neg, (ty, x[0]), (ty, x[0]))
        });
    }
}

/// Shifts and powers, with an amount of another type.
fn check_amount(ty: &Type, a: U256, right: &Type, b: U256) {
    for ints in EXACT {
        for op in WITH_AMOUNT {
            let fits = op == BinOp::Exp && oracle::fits(ArithOp::Exp, ty, a, b);
            for no_wrap in if fits { vec![false, true] } else { vec![false] } {
                let expected = oracle::binary(op, ty, a, b);
                check(ints, &[(ty, a), (right, b)], (ty, expected), &format!("{op:?}"), |t, x| {
                    ints.binary(t, op, (ty, x[0]), (right, x[1]), no_wrap)
                });
            }
        }
        let expected = U256::from(oracle::fits(ArithOp::Exp, ty, a, b));
        check(ints, &[(ty, a), (right, b)], (&Type::Bool, expected), "fits Exp", |t, x| {
            ints.fits(t, ArithOp::Exp, (ty, x[0]), (right, x[1]))
        });
    }
}

fn check_cast(from: &Type, to: &Type, a: U256) {
    for ints in EXACT {
        let expected = oracle::cast(from, to, a);
        check(ints, &[(from, a)], (to, expected), &format!("cast to {to:?}"), |t, x| {
            ints.cast(t, from, to, x[0])
        });
    }
}

/// Words that are often near the edges of some width.
fn any_word() -> impl Strategy<Value = U256> {
    prop_oneof![
        any::<[u8; 32]>().prop_map(U256::from_be_bytes),
        (0usize..257, 0u64..5, any::<bool>()).prop_map(|(shift, delta, down)| {
            let edge = if shift == 256 { U256::ZERO } else { U256::ONE << shift };
            if down { edge.wrapping_sub(U256::from(delta)) } else { edge.wrapping_add(U256::from(delta)) }
        }),
        (0u64..300).prop_map(U256::from),
    ]
}

fn any_int() -> impl Strategy<Value = Type> {
    ((1u16..=32).prop_map(|n| n * 8), any::<bool>()).prop_map(|(bits, signed)| int(bits, signed))
}

fn any_uint() -> impl Strategy<Value = Type> {
    (1u16..=32).prop_map(|n| uint(n * 8))
}

fn arith_op(op: BinOp) -> Option<ArithOp> {
    match op {
        BinOp::Add => Some(ArithOp::Add),
        BinOp::Sub => Some(ArithOp::Sub),
        BinOp::Mul => Some(ArithOp::Mul),
        BinOp::Div => Some(ArithOp::Div),
        _ => None,
    }
}
