//! Constants, type conditions and conversions of all scalar types.

use super::*;
use hornet_ir::ids::EnumId;
use hornet_ir::types::EnumDef;
use hornet_ir::typing::WORD;
use num_bigint::BigInt;

fn types_with_enum(members: usize) -> (Types, Type) {
    let mut types = Types::default();
    let members = (0..members).map(|i| format!("M{i}")).collect();
    let id: EnumId = types.enums.push(EnumDef { name: "E".into(), members });
    (types, Type::Enum(id))
}

fn any_scalar() -> impl Strategy<Value = Type> {
    prop_oneof![
        3 => any_int(),
        3 => (1u8..=32).prop_map(Type::FixedBytes),
        1 => Just(WORD),
        1 => Just(Type::Bool),
        1 => Just(Type::Address),
        1 => Just(types_with_enum(3).1),
        1 => Just(Type::FnInternal),
        1 => Just(Type::FnExternal),
    ]
}

/// The conversions that the validator of the IR admits.
fn converts(from: &Type, to: &Type) -> bool {
    let number = |ty: &Type| matches!(ty, Type::Int { .. } | Type::Address | Type::Enum(_));
    let bytes = |ty: &Type| matches!(ty, Type::FixedBytes(_));
    let same_width = || Format::of(from).map(|f| f.bits) == Format::of(to).map(|f| f.bits);
    let enumeration = |ty: &Type| matches!(ty, Type::Enum(_));
    from == to
        || *from == WORD
        || *to == WORD
        || (number(from) && number(to))
        || (bytes(from) && bytes(to))
        || ((bytes(from) && number(to) || number(from) && bytes(to))
            && same_width()
            && !enumeration(from)
            && !enumeration(to))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

    #[test]
    fn conversions(from in any_scalar(), to in any_scalar(), a in any_word()) {
        if converts(&from, &to) {
            check_cast(&from, &to, oracle::clean(&from, a));
        }
    }

    #[test]
    fn same_width_conversions(n in 1u8..=32, signed: bool, a in any_word()) {
        let (bytes, number) = (Type::FixedBytes(n), int(8 * u16::from(n), signed));
        check_cast(&bytes, &number, oracle::clean(&bytes, a));
        check_cast(&number, &bytes, oracle::clean(&number, a));
    }

    #[test]
    fn constants_are_read_back(ty in any_scalar(), a in any_word()) {
        let a = oracle::clean(&ty, a);
        for mode in [Arithmetic::Int, Arithmetic::Bv, Arithmetic::Mod, Arithmetic::ModOverflow] {
            let ints = Ints { mode };
            let mut t = Terms::new();
            let term = ints.constant(&mut t, &ty, a);
            prop_assert_eq!(t.sort(term), &ints.sort(&Types::default(), &ty));
            let number = match constant_value(&t, term).expect("a constant") {
                Value::Bool(b) => BigInt::from(b),
                Value::Int(n) => n,
                Value::BitVec(n, _) => n.into(),
                Value::Array(_) | Value::Opaque(_) => panic!("not a scalar"),
            };
            prop_assert_eq!(ints.to_word(&ty, &number), a);
            prop_assert_eq!(ints.value(&mut t, &ty, &number), term);
        }
    }
}

/// Which numbers satisfy the type condition, each as a term of the mode.
fn condition(mode: Arithmetic, types: &Types, ty: &Type, number: &BigInt) -> bool {
    let ints = Ints { mode };
    let mut t = Terms::new();
    let sort = ints.sort(types, ty);
    let symbol = t.fresh("x", sort.clone());
    let value = match sort {
        hornet_smt::term::Sort::Int => t.int(number.clone()),
        _ => ints.value(&mut t, ty, number),
    };
    let symbolic = ints.in_range(&mut t, types, ty, symbol);
    let replaced = t.replace(symbolic, symbol, value);
    let direct = ints.in_range(&mut t, types, ty, value);
    assert_eq!(replaced, direct);
    t.as_bool(direct).expect("folded")
}

#[test]
fn type_conditions() {
    let (types, enumeration) = types_with_enum(3);
    let holds = |mode, ty: &Type, number: BigInt| condition(mode, &types, ty, &number);
    let limit = |bits: u32| BigInt::from(1) << bits;
    for mode in [Arithmetic::Mod, Arithmetic::ModOverflow] {
        for (ty, low, high) in [
            (uint(8), BigInt::from(0), BigInt::from(255)),
            (int(8, true), BigInt::from(-128), BigInt::from(127)),
            (uint(256), BigInt::from(0), limit(256) - 1),
            (uint(512), BigInt::from(0), limit(512) - 1),
        ] {
            assert!(holds(mode, &ty, low.clone()) && holds(mode, &ty, high.clone()));
            assert!(!holds(mode, &ty, low - 1) && !holds(mode, &ty, high + 1));
        }
    }
    // Unbounded integers have no limits but the sign of unsigned ones; everything else keeps its own.
    for number in [-129, 0, 256] {
        assert!(holds(Arithmetic::Int, &int(8, true), number.into()));
        assert_eq!(holds(Arithmetic::Int, &uint(8), number.into()), number >= 0);
    }
    for mode in [Arithmetic::Int, Arithmetic::Mod] {
        for (ty, size) in [
            (Type::Address, limit(160)),
            (Type::FixedBytes(4), limit(32)),
            (Type::FnInternal, limit(64)),
            (Type::FnExternal, limit(192)),
            (enumeration.clone(), BigInt::from(3)),
        ] {
            assert!(holds(mode, &ty, BigInt::from(0)) && holds(mode, &ty, &size - 1));
            assert!(!holds(mode, &ty, BigInt::from(-1)) && !holds(mode, &ty, size));
        }
    }
    assert!(holds(Arithmetic::Bv, &enumeration, 2.into()) && !holds(Arithmetic::Bv, &enumeration, 3.into()));
    assert!(holds(Arithmetic::Bv, &uint(8), 255.into()) && holds(Arithmetic::Bv, &int(8, true), 128.into()));
}

#[test]
fn truth_values() {
    for ints in EXACT {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let words = [(&Type::Bool, U256::from(a)), (&Type::Bool, U256::from(b))];
            for op in [BinOp::BoolAnd, BinOp::BoolOr, BinOp::Eq, BinOp::Ne] {
                let expected = oracle::binary(op, &Type::Bool, words[0].1, words[1].1);
                check(ints, &words, (&Type::Bool, expected), "truth", |t, x| {
                    ints.binary(t, op, (&Type::Bool, x[0]), (&Type::Bool, x[1]), false)
                });
            }
        }
        for a in [false, true] {
            check(ints, &[(&Type::Bool, U256::from(a))], (&Type::Bool, U256::from(!a)), "not", |t, x| {
                ints.unary(t, UnOp::Not, &Type::Bool, x[0], false)
            });
        }
    }
}
