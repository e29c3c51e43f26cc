//! All values of small types, and boundary and random values of all widths.

use super::*;

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
