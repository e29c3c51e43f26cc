//! Mode `Int`: nothing wraps, everything fits, and what does not leave its type is what it is in the exact modes.

use super::*;
use num_bigint::BigInt;

const UNBOUNDED: Ints = Ints { mode: Arithmetic::Int };

fn number(t: &Terms, term: TermId) -> BigInt {
    t.as_int(term).expect("folded").clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn arithmetic_is_mathematical(ty in any_int(), a in any_word(), b in any_word()) {
        let (a, b) = (oracle::clean(&ty, a), oracle::clean(&ty, b));
        let (m, n) = (format::from_word(&ty, a), format::from_word(&ty, b));
        let mut t = Terms::new();
        let (x, y) = (UNBOUNDED.constant(&mut t, &ty, a), UNBOUNDED.constant(&mut t, &ty, b));
        let quotient = m.checked_div(&n).unwrap_or_default();
        let rest = if n == BigInt::ZERO { BigInt::ZERO } else { &m % &n };
        for (op, expected) in [
            (BinOp::Add, &m + &n),
            (BinOp::Sub, &m - &n),
            (BinOp::Mul, &m * &n),
            (BinOp::Div, quotient),
            (BinOp::Mod, rest),
        ] {
            let result = UNBOUNDED.binary(&mut t, op, (&ty, x), (&ty, y), false);
            prop_assert_eq!(number(&t, result), expected, "{:?}", op);
        }
        let minus = UNBOUNDED.unary(&mut t, UnOp::Neg, &ty, x, false);
        prop_assert_eq!(number(&t, minus), -m);
        for op in [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Neg, ArithOp::Exp] {
            let fits = UNBOUNDED.fits(&mut t, op, (&ty, x), (&ty, y));
            prop_assert_eq!(t.as_bool(fits), Some(true));
        }
    }

    #[test]
    fn bits_and_comparisons_are_exact(ty in any_int(), a in any_word(), b in any_word()) {
        let (a, b) = (oracle::clean(&ty, a), oracle::clean(&ty, b));
        for op in BITWISE.into_iter().chain(COMPARISONS) {
            let result = if COMPARISONS.contains(&op) { &Type::Bool } else { &ty };
            let expected = oracle::binary(op, &ty, a, b);
            check(UNBOUNDED, &[(&ty, a), (&ty, b)], (result, expected), &format!("{op:?}"), |t, x| {
                UNBOUNDED.binary(t, op, (&ty, x[0]), (&ty, x[1]), false)
            });
        }
        check(UNBOUNDED, &[(&ty, a)], (&ty, oracle::unary(UnOp::BitNot, &ty, a)), "complement", |t, x| {
            UNBOUNDED.unary(t, UnOp::BitNot, &ty, x[0], false)
        });
    }

    #[test]
    fn powers_that_fit_are_exact(ty in any_int(), a in -20i32..20, n in 0u64..100) {
        let a = oracle::clean(&ty, format::to_word(&ty, &a.into()));
        let (right, n) = (uint(16), U256::from(n));
        if !oracle::fits(ArithOp::Exp, &ty, a, n) {
            return Ok(());
        }
        let expected = oracle::binary(BinOp::Exp, &ty, a, n);
        check(UNBOUNDED, &[(&ty, a), (&right, n)], (&ty, expected), "power", |t, x| {
            UNBOUNDED.binary(t, BinOp::Exp, (&ty, x[0]), (&right, x[1]), false)
        });
    }

    #[test]
    fn conversions_between_integers_do_nothing(from in any_int(), to in any_int(), a in any_word()) {
        let a = oracle::clean(&from, a);
        let mut t = Terms::new();
        let x = UNBOUNDED.constant(&mut t, &from, a);
        prop_assert_eq!(UNBOUNDED.cast(&mut t, &from, &to, x), x);
        // Types with a range get numbers of it.
        let address = UNBOUNDED.cast(&mut t, &from, &Type::Address, x);
        let expected = UNBOUNDED.constant(&mut t, &Type::Address, oracle::cast(&from, &Type::Address, a));
        prop_assert_eq!(address, expected);
    }
}

#[test]
fn powers_too_large_to_compute_are_left_open() {
    let mut t = Terms::new();
    let (ty, ten, many) = (uint(256), t.int(10), t.int(1_000_000_000));
    let power = UNBOUNDED.binary(&mut t, BinOp::Exp, (&ty, ten), (&ty, many), false);
    assert!(mentions_power(&t, power));
}
