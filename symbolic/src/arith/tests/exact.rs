//! All values of small types, and boundary and random values of all widths.

use super::*;
use num_bigint::BigInt;

/// The stack words of all values of an integer type.
fn all_words(ty: &Type) -> Vec<U256> {
    let f = Format::of(ty).expect("an integer");
    (0..1u64 << f.bits).map(|n| oracle::clean(ty, U256::from(n))).collect()
}

fn small_types() -> Vec<Type> {
    [(1, false), (2, false), (3, false), (4, false), (2, true), (3, true), (4, true)]
        .map(|(bits, signed)| int(bits, signed))
        .to_vec()
}

#[test]
fn small_types_exhaustively() {
    for ty in small_types() {
        let words = all_words(&ty);
        for a in &words {
            check_single(&ty, *a);
            for b in &words {
                check_pair(&ty, *a, *b);
            }
            for right in [uint(2), uint(4), uint(5)] {
                for b in all_words(&right) {
                    check_amount(&ty, *a, &right, b);
                }
            }
        }
    }
}

#[test]
fn small_casts_exhaustively() {
    for from in small_types() {
        for to in small_types() {
            for a in all_words(&from) {
                check_cast(&from, &to, a);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn pairs_of_all_widths(ty in any_int(), a in any_word(), b in any_word()) {
        let (a, b) = (oracle::clean(&ty, a), oracle::clean(&ty, b));
        check_single(&ty, a);
        check_pair(&ty, a, b);
        check_pair(&ty, a, a);
    }

    #[test]
    fn amounts_of_all_widths(
        ty in any_int(),
        right in any_uint(),
        a in any_word(),
        b in prop_oneof![(0u64..300).prop_map(U256::from), any_word()],
    ) {
        check_amount(&ty, oracle::clean(&ty, a), &right, oracle::clean(&right, b));
        let small = oracle::clean(&ty, a % U256::from(20) );
        check_amount(&ty, small, &right, oracle::clean(&right, b));
    }

    #[test]
    fn bits_of_fixed_bytes(n in 1u8..=32, right in any_uint(), a in any_word(), b in any_word(), by in 0u64..300) {
        let ty = Type::FixedBytes(n);
        let (a, b) = (oracle::clean(&ty, a), oracle::clean(&ty, b));
        let by = oracle::clean(&right, U256::from(by));
        for ints in EXACT {
            for op in BITWISE {
                check(ints, &[(&ty, a), (&ty, b)], (&ty, oracle::binary(op, &ty, a, b)), "bits", |t, x| {
                    ints.binary(t, op, (&ty, x[0]), (&ty, x[1]), false)
                });
            }
            for op in COMPARISONS {
                let expected = oracle::binary(op, &ty, a, b);
                check(ints, &[(&ty, a), (&ty, b)], (&Type::Bool, expected), "comparison", |t, x| {
                    ints.binary(t, op, (&ty, x[0]), (&ty, x[1]), false)
                });
            }
            for op in [BinOp::Shl, BinOp::Shr] {
                let expected = oracle::binary(op, &ty, a, by);
                check(ints, &[(&ty, a), (&right, by)], (&ty, expected), "shift", |t, x| {
                    ints.binary(t, op, (&ty, x[0]), (&right, x[1]), false)
                });
            }
            check(ints, &[(&ty, a)], (&ty, oracle::unary(UnOp::BitNot, &ty, a)), "complement", |t, x| {
                ints.unary(t, UnOp::BitNot, &ty, x[0], false)
            });
        }
    }
}

/// Sums of words have more bits than the interpreter knows: big integers are the oracle.
#[test]
fn numbers_wider_than_words() {
    for signed in [false, true] {
        let ty = int(512, signed);
        let f = Format { bits: 512, signed };
        let edges =
            [f.min(), f.min() + 1, BigInt::from(-1), 0.into(), 7.into(), BigInt::from(1) << 256, f.max()];
        let edges: Vec<BigInt> = edges.into_iter().filter(|n| f.contains(n)).collect();
        for ints in EXACT {
            for (a, b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (a, b))) {
                let mut t = Terms::new();
                let (x, y) = (ints.value(&mut t, &ty, a), ints.value(&mut t, &ty, b));
                for (op, arith, exact) in [
                    (BinOp::Add, ArithOp::Add, a + b),
                    (BinOp::Sub, ArithOp::Sub, a - b),
                    (BinOp::Mul, ArithOp::Mul, a * b),
                ] {
                    let expected = ints.value(&mut t, &ty, &f.wrap(&exact));
                    assert_eq!(ints.binary(&mut t, op, (&ty, x), (&ty, y), false), expected, "{op:?}");
                    let fits = ints.fits(&mut t, arith, (&ty, x), (&ty, y));
                    assert_eq!(t.as_bool(fits), Some(f.contains(&exact)), "{op:?} of {a} and {b}");
                }
                let less = ints.binary(&mut t, BinOp::Lt, (&ty, x), (&ty, y), false);
                assert_eq!(t.as_bool(less), Some(a < b));
                for narrow in [uint(256), int(256, true)] {
                    let g = Format::of(&narrow).expect("an integer");
                    let (cut, expected) =
                        (ints.cast(&mut t, &ty, &narrow, x), ints.value(&mut t, &narrow, &g.wrap(a)));
                    assert_eq!(cut, expected);
                    let back = ints.cast(&mut t, &narrow, &ty, cut);
                    assert_eq!(back, ints.value(&mut t, &ty, &f.wrap(&g.wrap(a))));
                }
            }
        }
    }
}
