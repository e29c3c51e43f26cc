//! Operations on whole words.

use super::*;
use hornet_ir::typing::WORD;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn remainders_are_of_the_exact_result(a in any_word(), b in any_word(), m in any_word()) {
        let operands = [(&WORD, a), (&WORD, b), (&WORD, m)];
        for ints in EXACT {
            check(ints, &operands, (&WORD, a.add_mod(b, m)), "addmod", |t, x| ints.addmod(t, x[0], x[1], x[2]));
            check(ints, &operands, (&WORD, a.mul_mod(b, m)), "mulmod", |t, x| ints.mulmod(t, x[0], x[1], x[2]));
        }
    }

    #[test]
    fn bytes_and_signs(index in prop_oneof![(0u64..40).prop_map(U256::from), any_word()], word in any_word()) {
        let operands = [(&WORD, index), (&WORD, word)];
        for ints in EXACT {
            check(ints, &operands, (&WORD, oracle::byte(index, word)), "byte", |t, x| ints.byte(t, x[0], x[1]));
            check(ints, &operands, (&WORD, oracle::sign_extend(index, word)), "signextend", |t, x| {
                ints.signextend(t, x[0], x[1])
            });
        }
    }

    #[test]
    fn leading_zeros(word in any_word()) {
        let expected = U256::from(word.leading_zeros());
        for ints in EXACT {
            check(ints, &[(&WORD, word)], (&WORD, expected), "clz", |t, x| ints.clz(t, x[0]));
        }
    }
}

#[test]
fn every_index() {
    let word = U256::from_be_bytes(std::array::from_fn::<u8, 32, _>(|i| (i as u8).wrapping_mul(0x35) ^ 0x80));
    for index in (0..35).map(U256::from) {
        for ints in EXACT {
            let operands = [(&WORD, index), (&WORD, word)];
            check(ints, &operands, (&WORD, oracle::byte(index, word)), "byte", |t, x| {
                ints.byte(t, x[0], x[1])
            });
            check(ints, &operands, (&WORD, oracle::sign_extend(index, word)), "signextend", |t, x| {
                ints.signextend(t, x[0], x[1])
            });
        }
    }
    for bits in 0..=256 {
        let word = oracle::low_mask(bits);
        for ints in EXACT {
            check(ints, &[(&WORD, word)], (&WORD, U256::from(256 - bits)), "clz", |t, x| ints.clz(t, x[0]));
        }
    }
}
