//! Operations on results of operations: encodings look at the form of their operands, so forms have to vary.

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Operand(usize),
    Constant(U256),
    Binary(BinOp),
    Unary(UnOp),
    ShiftBy(BinOp, u8),
    /// To another type and back.
    Through(Type),
}

fn any_step() -> impl Strategy<Value = Step> {
    let binary: Vec<BinOp> =
        ARITHMETIC.into_iter().chain(BITWISE).chain(BITWISE).chain([BinOp::Shl, BinOp::Shr]).collect();
    prop_oneof![
        3 => (0usize..3).prop_map(Step::Operand),
        1 => any_word().prop_map(Step::Constant),
        5 => prop::sample::select(binary).prop_map(Step::Binary),
        1 => prop_oneof![Just(UnOp::BitNot), Just(UnOp::Neg)].prop_map(Step::Unary),
        2 => (prop_oneof![Just(BinOp::Shl), Just(BinOp::Shr)], 0u8..20).prop_map(|(op, by)| Step::ShiftBy(op, by)),
        1 => any_int().prop_map(Step::Through),
    ]
}

/// Runs the steps on a stack with the operations of words or of terms.
fn run<V: Copy>(
    steps: &[Step],
    operands: &[V],
    mut constant: impl FnMut(U256) -> V,
    mut apply: impl FnMut(&Step, V, V) -> V,
) -> V {
    let mut stack = vec![operands[0]];
    for step in steps {
        match step {
            Step::Operand(i) => stack.push(operands[*i]),
            Step::Constant(word) => stack.push(constant(*word)),
            Step::Binary(_) | Step::Unary(_) | Step::ShiftBy(..) | Step::Through(_) => {
                let b = stack.pop().unwrap_or(operands[1]);
                let a = match step {
                    Step::Binary(_) => stack.pop().unwrap_or(operands[2]),
                    _ => b,
                };
                stack.push(apply(step, a, b));
            }
        }
    }
    stack.pop().unwrap_or(operands[0])
}

/// The type of amounts to shift by: as wide as what is shifted.
fn amount_type(ty: &Type) -> Type {
    match ty {
        Type::Int { bits, .. } => uint(*bits),
        other => other.clone(),
    }
}

fn on_words(ty: &Type, step: &Step, a: U256, b: U256) -> U256 {
    match step {
        Step::Binary(op @ (BinOp::Shl | BinOp::Shr)) => {
            oracle::binary(*op, ty, a, oracle::cast(ty, &amount_type(ty), b))
        }
        Step::Binary(op) => oracle::binary(*op, ty, a, b),
        Step::Unary(op) => oracle::unary(*op, ty, a),
        Step::ShiftBy(op, by) => oracle::binary(*op, ty, a, U256::from(*by)),
        Step::Through(other) => oracle::cast(other, ty, oracle::cast(ty, other, a)),
        Step::Operand(_) | Step::Constant(_) => a,
    }
}

fn on_terms(ints: Ints, t: &mut Terms, ty: &Type, step: &Step, a: TermId, b: TermId) -> TermId {
    let right = amount_type(ty);
    match step {
        Step::Binary(op @ (BinOp::Shl | BinOp::Shr)) => {
            let by = ints.cast(t, ty, &right, b);
            ints.binary(t, *op, (ty, a), (&right, by), false)
        }
        Step::Binary(op) => ints.binary(t, *op, (ty, a), (ty, b), false),
        Step::Unary(op) => ints.unary(t, *op, ty, a, false),
        Step::ShiftBy(op, by) => {
            let by = ints.constant(t, &uint(8), U256::from(*by));
            ints.binary(t, *op, (ty, a), (&uint(8), by), false)
        }
        Step::Through(other) => {
            let there = ints.cast(t, ty, other, a);
            ints.cast(t, other, ty, there)
        }
        Step::Operand(_) | Step::Constant(_) => a,
    }
}

fn check_steps(ty: &Type, words: [U256; 3], steps: &[Step]) {
    let words = words.map(|word| oracle::clean(ty, word));
    let expected = run(steps, &words, |word| oracle::clean(ty, word), |step, a, b| on_words(ty, step, a, b));
    let operands = words.map(|word| (ty, word));
    for ints in EXACT {
        check(ints, &operands, (ty, expected), &format!("{steps:?}"), |t, x| {
            let arena = std::cell::RefCell::new(t);
            run(
                steps,
                x,
                |word| ints.constant(&mut arena.borrow_mut(), ty, oracle::clean(ty, word)),
                |step, a, b| on_terms(ints, &mut arena.borrow_mut(), ty, step, a, b),
            )
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn small(bits in 2u16..7, signed: bool, words in any::<[u8; 3]>(), steps in prop::collection::vec(any_step(), 1..10)) {
        check_steps(&int(bits, signed), words.map(U256::from), &steps);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn of_all_widths(
        ty in any_int(),
        words in [any_word(), any_word(), any_word()],
        steps in prop::collection::vec(any_step(), 1..8),
    ) {
        check_steps(&ty, words, &steps);
    }
}

/// Fields put into one word and taken out again, and bits of a word set and cleared.
#[test]
fn packing_and_bitmaps() {
    use Step::{Binary, Operand, ShiftBy, Unary};
    let one = Step::Constant(U256::ONE);
    let bit = |then: &[Step]| {
        let mut steps = vec![Operand(0), one.clone(), Operand(1), Binary(BinOp::Shl)];
        steps.extend_from_slice(then);
        steps
    };
    let programs = [
        vec![Operand(1), ShiftBy(BinOp::Shl, 3), Operand(2), Binary(BinOp::Or)],
        vec![Operand(1), ShiftBy(BinOp::Shl, 3), Operand(2), Binary(BinOp::Xor)],
        vec![Operand(1), ShiftBy(BinOp::Shl, 3), Operand(2), Binary(BinOp::And)],
        bit(&[Binary(BinOp::Or)]),
        bit(&[Binary(BinOp::And)]),
        bit(&[Unary(UnOp::BitNot), Binary(BinOp::And)]),
        bit(&[Binary(BinOp::Xor)]),
    ];
    for signed in [false, true] {
        for ty in [int(5, signed), int(8, signed), int(9, signed)] {
            for words in
                [[0, 0, 0], [5, 3, 7], [31, 4, 8], [16, 5, 1], [255, 7, 200], [128, 8, 3], [256, 9, 511]]
            {
                for steps in &programs {
                    check_steps(&ty, words.map(U256::from), steps);
                }
            }
        }
    }
}

/// `(y << 3) | (x % 9)`: the remainder may be one more than the free bits hold.
#[test]
fn fields_that_just_overlap() {
    let steps = |modulus: u64| {
        [
            Step::Operand(1),
            Step::ShiftBy(BinOp::Shl, 3),
            Step::Operand(0),
            Step::Constant(U256::from(modulus)),
            Step::Binary(BinOp::Mod),
            Step::Binary(BinOp::Or),
        ]
    };
    for modulus in [7, 8, 9, 10] {
        for x in 0..12 {
            check_steps(&uint(8), [x, 3, 0].map(U256::from), &steps(modulus));
        }
    }
}

/// The amount has more bits than what is shifted, so it must not be cut before it is compared.
#[test]
fn one_bit_at_wide_positions() {
    for (ty, right) in
        [8, 16].into_iter().flat_map(|bits| [uint(8), uint(16), uint(256)].map(|right| (uint(bits), right)))
    {
        for (x, y) in
            [255u64, 0x5a].into_iter().flat_map(|x| [0u64, 1, 7, 8, 15, 16, 255, 256, 257].map(|y| (x, y)))
        {
            let (x, y) = (U256::from(x), oracle::clean(&right, U256::from(y)));
            let bit = oracle::binary(BinOp::Shl, &ty, U256::ONE, y);
            for (ints, op) in EXACT.into_iter().flat_map(|ints| BITWISE.map(|op| (ints, op))) {
                let expected = oracle::binary(op, &ty, x, bit);
                check(
                    ints,
                    &[(&ty, x), (&right, y)],
                    (&ty, expected),
                    &format!("{op:?} of a bit"),
                    |t, args| {
                        let one = ints.constant(t, &ty, U256::ONE);
                        let bit = ints.binary(t, BinOp::Shl, (&ty, one), (&right, args[1]), false);
                        ints.binary(t, op, (&ty, args[0]), (&ty, bit), false)
                    },
                );
            }
        }
    }
}
