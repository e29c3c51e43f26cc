//! Words as each type understands them: arithmetic, comparison, conversion.
//!
//! A word is always in the representation of its type (see [`crate::expr::Expr::Const`]); every operation here keeps it so.

use crate::expr::{ArithOp, BinOp, UnOp};
use crate::types::Type;
use ruint::aliases::U256;

/// A mask of the low `bits` bits.
pub fn low_mask(bits: usize) -> U256 {
    if bits >= 256 { U256::MAX } else { (U256::ONE << bits) - U256::ONE }
}

/// A mask of the `bytes` most significant bytes.
pub fn high_mask(bytes: usize) -> U256 {
    !low_mask(256usize.saturating_sub(8 * bytes))
}

/// Repeats bit `bits - 1` upwards.
fn sign_extend_from(word: U256, bits: usize) -> U256 {
    if bits == 0 || bits >= 256 {
        return word;
    }
    if word.bit(bits - 1) { word | !low_mask(bits) } else { word & low_mask(bits) }
}

/// Brings any word into the representation of a scalar type, dropping the bits that do not belong to it.
pub fn clean(ty: &Type, word: U256) -> U256 {
    match ty {
        Type::Bool => U256::from(!word.is_zero()),
        Type::Int { bits, signed: false } => word & low_mask(usize::from(*bits)),
        Type::Int { bits, signed: true } => sign_extend_from(word, usize::from(*bits)),
        Type::FixedBytes(n) => word & high_mask(usize::from(*n)),
        Type::Address => word & low_mask(160),
        // solc does not cut enums either: a value out of range is kept until a check finds it.
        Type::Enum(_) => word,
        Type::FnInternal => word & low_mask(64),
        Type::FnExternal => word & low_mask(192),
        // References are addresses, slots or offsets: whole words.
        Type::Bytes
        | Type::Array { .. }
        | Type::Struct(_)
        | Type::Mapping { .. }
        | Type::StorageRef(_)
        | Type::MemoryRef(_)
        | Type::CalldataRef(_) => word,
    }
}

fn is_signed(ty: &Type) -> bool {
    matches!(ty, Type::Int { signed: true, .. })
}

fn is_negative(word: U256) -> bool {
    word.bit(255)
}

fn magnitude(word: U256) -> U256 {
    if is_negative(word) { word.wrapping_neg() } else { word }
}

fn with_sign(negative: bool, magnitude: U256) -> U256 {
    if negative { magnitude.wrapping_neg() } else { magnitude }
}

fn signed_div(a: U256, b: U256) -> U256 {
    match magnitude(a).checked_div(magnitude(b)) {
        Some(q) => with_sign(is_negative(a) != is_negative(b), q),
        None => U256::ZERO,
    }
}

fn signed_rem(a: U256, b: U256) -> U256 {
    match magnitude(a).checked_rem(magnitude(b)) {
        Some(r) => with_sign(is_negative(a), r),
        None => U256::ZERO,
    }
}

fn shift_amount(word: U256) -> Option<usize> {
    if word < U256::from(256) { Some(word.to::<usize>()) } else { None }
}

/// Logical shift right; 256 and more give zero.
pub fn shift_right(a: U256, by: U256) -> U256 {
    shift_amount(by).map_or(U256::ZERO, |n| a >> n)
}

/// Shift left; 256 and more give zero.
pub fn shift_left(a: U256, by: U256) -> U256 {
    shift_amount(by).map_or(U256::ZERO, |n| a << n)
}

fn shift_right_signed(a: U256, by: U256) -> U256 {
    let fill = if is_negative(a) { U256::MAX } else { U256::ZERO };
    match shift_amount(by) {
        Some(0) => a,
        Some(n) => (a >> n) | (fill << (256 - n)),
        None => fill,
    }
}

/// A less than B as the type orders its values.
fn less(ty: &Type, a: U256, b: U256) -> bool {
    if is_signed(ty) && is_negative(a) != is_negative(b) { is_negative(a) } else { a < b }
}

/// `op` on operands of type `ty` (shifts and powers: the left operand's type). Comparisons give 0 or 1.
pub fn binary(op: BinOp, ty: &Type, a: U256, b: U256) -> U256 {
    let truth = |b: bool| U256::from(b);
    match op {
        BinOp::Add => clean(ty, a.wrapping_add(b)),
        BinOp::Sub => clean(ty, a.wrapping_sub(b)),
        BinOp::Mul => clean(ty, a.wrapping_mul(b)),
        BinOp::Div if is_signed(ty) => clean(ty, signed_div(a, b)),
        BinOp::Div => a.checked_div(b).unwrap_or(U256::ZERO),
        BinOp::Mod if is_signed(ty) => clean(ty, signed_rem(a, b)),
        BinOp::Mod => a.checked_rem(b).unwrap_or(U256::ZERO),
        BinOp::Exp => clean(ty, a.wrapping_pow(b)),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Shl => clean(ty, shift_left(a, b)),
        BinOp::Shr if is_signed(ty) => shift_right_signed(a, b),
        BinOp::Shr => clean(ty, shift_right(a, b)),
        BinOp::Eq => truth(a == b),
        BinOp::Ne => truth(a != b),
        BinOp::Lt => truth(less(ty, a, b)),
        BinOp::Le => truth(!less(ty, b, a)),
        BinOp::Gt => truth(less(ty, b, a)),
        BinOp::Ge => truth(!less(ty, a, b)),
        BinOp::BoolAnd => truth(!a.is_zero() && !b.is_zero()),
        BinOp::BoolOr => truth(!a.is_zero() || !b.is_zero()),
    }
}

pub fn unary(op: UnOp, ty: &Type, a: U256) -> U256 {
    match op {
        UnOp::Not => U256::from(a.is_zero()),
        UnOp::BitNot => clean(ty, !a),
        UnOp::Neg => clean(ty, a.wrapping_neg()),
    }
}

/// Whether sign and magnitude are a value of the integer type.
fn in_range(bits: u16, signed: bool, negative: bool, magnitude: U256) -> bool {
    let bits = usize::from(bits);
    match (signed, negative) {
        (false, true) => magnitude.is_zero(),
        (false, false) => magnitude <= low_mask(bits),
        (true, false) => magnitude <= low_mask(bits - 1),
        (true, true) => magnitude <= U256::ONE << (bits - 1),
    }
}

/// The exact sum as sign and magnitude; `None` if the magnitude needs more than 256 bits.
fn exact_add(a: (bool, U256), b: (bool, U256)) -> Option<(bool, U256)> {
    if a.0 == b.0 {
        Some((a.0, a.1.checked_add(b.1)?))
    } else if a.1 >= b.1 {
        Some((a.0, a.1 - b.1))
    } else {
        Some((b.0, b.1 - a.1))
    }
}

/// The exact power as sign and magnitude; `None` if it needs more than 256 bits.
fn exact_pow(base: (bool, U256), exponent: U256) -> Option<(bool, U256)> {
    let negative = base.0 && exponent.bit(0);
    Some((negative, base.1.checked_pow(exponent)?))
}

/// Whether the mathematical result of `op` is a value of `ty`. Division by zero counts as fitting: it gives zero.
pub fn fits(op: ArithOp, ty: &Type, a: U256, b: U256) -> bool {
    let Type::Int { bits, signed } = *ty else { return true };
    let split = |w: U256| if signed { (is_negative(w), magnitude(w)) } else { (false, w) };
    let (x, y) = (split(a), split(b));
    let exact = match op {
        ArithOp::Add => exact_add(x, y),
        ArithOp::Sub => exact_add(x, (!y.0, y.1)),
        ArithOp::Mul => x.1.checked_mul(y.1).map(|m| (x.0 != y.0, m)),
        ArithOp::Div => Some((x.0 != y.0, x.1.checked_div(y.1).unwrap_or(U256::ZERO))),
        // The exponent is unsigned whatever the base is.
        ArithOp::Exp => exact_pow(x, b),
        ArithOp::Neg => Some((!x.0, x.1)),
    };
    exact.is_some_and(|(negative, magnitude)| in_range(bits, signed, negative, magnitude))
}

fn is_raw_word(ty: &Type) -> bool {
    matches!(ty, Type::Int { bits: 256, signed: false })
}

/// Conversion between scalar types (see [`crate::expr::Expr::Cast`]).
pub fn cast(from: &Type, to: &Type, word: U256) -> U256 {
    if is_raw_word(from) || is_raw_word(to) {
        return clean(to, word);
    }
    match (from, to) {
        (Type::FixedBytes(_), Type::FixedBytes(_)) => clean(to, word),
        // A number of the same width, then the width of the target.
        (Type::FixedBytes(n), _) => clean(to, word >> (256 - 8 * usize::from(*n))),
        (_, Type::FixedBytes(n)) => {
            let width = 8 * usize::from(*n);
            (word & low_mask(width)) << (256 - width)
        }
        _ => clean(to, word),
    }
}

/// The byte at `index` counted from the most significant; zero beyond the word.
pub fn byte(index: U256, word: U256) -> U256 {
    match usize::try_from(index) {
        Ok(i) if i < 32 => U256::from(word.byte(31 - i)),
        _ => U256::ZERO,
    }
}

/// Extends the sign of the `(k + 1)`-byte number in the word.
pub fn sign_extend(k: U256, word: U256) -> U256 {
    match usize::try_from(k) {
        Ok(k) if k < 31 => sign_extend_from(word, 8 * (k + 1)),
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::{BigInt, BigUint, Sign};
    use proptest::prelude::*;

    fn to_big(w: U256, signed: bool) -> BigInt {
        let n = BigInt::from(BigUint::from_bytes_be(&w.to_be_bytes::<32>()));
        if signed && is_negative(w) { n - (BigInt::from(1) << 256) } else { n }
    }

    /// The value of the type that is congruent to `n`, as a word.
    fn wrap(n: &BigInt, bits: u16, signed: bool) -> U256 {
        let modulus = BigInt::from(1) << bits;
        let mut r = ((n % &modulus) + &modulus) % &modulus;
        if signed && r >= (BigInt::from(1) << (bits - 1)) {
            r -= &modulus;
        }
        let word = if r.sign() == Sign::Minus { r + (BigInt::from(1) << 256) } else { r };
        U256::try_from_be_slice(&word.to_biguint().expect("not negative").to_bytes_be()).expect("one word")
    }

    fn range(bits: u16, signed: bool) -> (BigInt, BigInt) {
        let one = BigInt::from(1);
        if signed {
            (-(one.clone() << (bits - 1)), (one.clone() << (bits - 1)) - one)
        } else {
            (BigInt::from(0), (one.clone() << bits) - one)
        }
    }

    /// Words that are often near the edges of some width.
    fn any_word() -> impl Strategy<Value = U256> {
        prop_oneof![
            any::<[u8; 32]>().prop_map(U256::from_be_bytes),
            (0u32..257, 0u64..5, any::<bool>()).prop_map(|(shift, delta, down)| {
                let edge = if shift == 256 { U256::ZERO } else { U256::ONE << (shift as usize) };
                if down { edge.wrapping_sub(U256::from(delta)) } else { edge.wrapping_add(U256::from(delta)) }
            }),
            (0u64..300).prop_map(U256::from),
        ]
    }

    fn any_int() -> impl Strategy<Value = (u16, bool)> {
        ((1u16..=32).prop_map(|n| n * 8), any::<bool>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn integers_agree_with_big_integers((bits, signed) in any_int(), a in any_word(), b in any_word()) {
            let ty = Type::Int { bits, signed };
            let (a, b) = (clean(&ty, a), clean(&ty, b));
            let (x, y) = (to_big(a, signed), to_big(b, signed));
            let (low, high) = range(bits, signed);
            prop_assert!(low <= x && x <= high);
            let zero = BigInt::from(0);
            let fit = |n: &BigInt| low <= *n && *n <= high;
            for (op, arith, n) in [
                (BinOp::Add, ArithOp::Add, &x + &y),
                (BinOp::Sub, ArithOp::Sub, &x - &y),
                (BinOp::Mul, ArithOp::Mul, &x * &y),
                (BinOp::Div, ArithOp::Div, if y == zero { zero.clone() } else { &x / &y }),
            ] {
                prop_assert_eq!(binary(op, &ty, a, b), wrap(&n, bits, signed), "{:?}", op);
                prop_assert_eq!(fits(arith, &ty, a, b), fit(&n), "fits {:?}", arith);
            }
            let rem = if y == zero { zero.clone() } else { &x % &y };
            prop_assert_eq!(binary(BinOp::Mod, &ty, a, b), wrap(&rem, bits, signed));
            prop_assert_eq!(unary(UnOp::Neg, &ty, a), wrap(&-&x, bits, signed));
            prop_assert_eq!(fits(ArithOp::Neg, &ty, a, a), fit(&-&x));
            prop_assert_eq!(unary(UnOp::BitNot, &ty, a), wrap(&(-&x - 1), bits, signed));
            for (op, expected) in [
                (BinOp::Lt, x < y), (BinOp::Le, x <= y), (BinOp::Gt, x > y), (BinOp::Ge, x >= y),
                (BinOp::Eq, x == y), (BinOp::Ne, x != y),
            ] {
                prop_assert_eq!(binary(op, &ty, a, b), U256::from(expected), "{:?}", op);
            }
            for (op, n) in [(BinOp::And, &x & &y), (BinOp::Or, &x | &y), (BinOp::Xor, &x ^ &y)] {
                prop_assert_eq!(binary(op, &ty, a, b), wrap(&n, bits, signed), "{:?}", op);
            }
        }

        #[test]
        fn powers_and_shifts_agree((bits, signed) in any_int(), a in any_word(), n in 0u32..600) {
            let ty = Type::Int { bits, signed };
            let a = clean(&ty, a);
            let x = to_big(a, signed);
            let (low, high) = range(bits, signed);
            let by = U256::from(n);
            let power = x.pow(n);
            prop_assert_eq!(binary(BinOp::Exp, &ty, a, by), wrap(&power, bits, signed));
            prop_assert_eq!(fits(ArithOp::Exp, &ty, a, by), low <= power && power <= high);
            prop_assert_eq!(binary(BinOp::Shl, &ty, a, by), wrap(&(&x << n), bits, signed));
            // Shifting a BigInt right rounds towards minus infinity, as the EVM does.
            prop_assert_eq!(binary(BinOp::Shr, &ty, a, by), wrap(&(&x >> n), bits, signed));
        }

        #[test]
        fn integer_casts_wrap((bits, signed) in any_int(), (bits2, signed2) in any_int(), a in any_word()) {
            let (from, to) = (Type::Int { bits, signed }, Type::Int { bits: bits2, signed: signed2 });
            let a = clean(&from, a);
            prop_assert_eq!(cast(&from, &to, a), wrap(&to_big(a, signed), bits2, signed2));
        }

        #[test]
        fn fixed_bytes_keep_their_bits(n in 1u8..32, m in 1u8..=32, a in any_word()) {
            let from = Type::FixedBytes(n);
            let a = clean(&from, a);
            let number = Type::Int { bits: u16::from(n) * 8, signed: false };
            let as_number = cast(&from, &number, a);
            prop_assert_eq!(as_number, a >> (256 - 8 * usize::from(n)));
            prop_assert_eq!(cast(&number, &from, as_number), a);
            let longer = cast(&from, &Type::FixedBytes(m), a);
            prop_assert_eq!(longer, a & high_mask(usize::from(m)));
            let word = Type::Int { bits: 256, signed: false };
            prop_assert_eq!(cast(&from, &word, a), a);
            prop_assert_eq!(cast(&word, &from, a), a);
        }
    }

    #[test]
    fn huge_shifts_and_exponents() {
        let int8 = Type::Int { bits: 8, signed: true };
        assert_eq!(binary(BinOp::Shr, &int8, U256::MAX, U256::MAX), U256::MAX);
        assert_eq!(binary(BinOp::Shl, &int8, U256::MAX, U256::MAX), U256::ZERO);
        assert!(fits(ArithOp::Exp, &int8, U256::MAX, U256::MAX));
        assert!(!fits(ArithOp::Exp, &int8, U256::from(2), U256::MAX));
        assert!(fits(ArithOp::Exp, &int8, U256::from(2).wrapping_neg(), U256::from(7)));
        assert!(!fits(ArithOp::Exp, &int8, U256::from(2), U256::from(7)));
    }

    #[test]
    fn bytes_and_signs_of_words() {
        let w = U256::from_be_bytes(std::array::from_fn::<u8, 32, _>(|i| i as u8 + 0x70));
        assert_eq!(byte(U256::ZERO, w), U256::from(0x70));
        assert_eq!(byte(U256::from(31), w), U256::from(0x8f));
        assert_eq!(byte(U256::from(32), w), U256::ZERO);
        assert_eq!(sign_extend(U256::ZERO, U256::from(0x80)), U256::from(0x80).wrapping_neg());
        assert_eq!(sign_extend(U256::MAX, w), w);
    }

    #[test]
    fn old_casts_between_numbers_and_bytes_of_other_widths() {
        // `bytes4(uint8(1))` before 0.5: the number's low bytes, right-aligned in the four.
        let u8_ty = Type::Int { bits: 8, signed: false };
        assert_eq!(cast(&u8_ty, &Type::FixedBytes(4), U256::ONE), U256::ONE << 224);
    }
}
