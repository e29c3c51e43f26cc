//! Literals and the exact arithmetic on them. Constant expressions of literals are rational numbers of unlimited
//! size until they meet a variable, within the compiler's limit of 4096 bits.

use crate::hir::{BinaryOp, UnaryOp};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};
use sha3::{Digest, Keccak256};

/// Rational constants whose numerator or denominator needs more bits are an error.
const MAX_BITS: u64 = 4096;

/// A number literal as the parser delivers it: digits without underscores.
pub fn decimal(integer: &str, fraction: &str, exponent: &str) -> Option<BigRational> {
    let integer = if integer.is_empty() { "0" } else { integer };
    let mut digits = String::with_capacity(integer.len() + fraction.len());
    digits.push_str(integer);
    digits.push_str(fraction);
    // Reading costs quadratic time; no sensible literal comes near.
    if digits.len() as u64 > MAX_BITS {
        return None;
    }
    let mantissa: BigInt = digits.parse().ok()?;
    let exponent: i64 = if exponent.is_empty() { 0 } else { exponent.parse().ok()? };
    if mantissa.is_zero() {
        return Some(BigRational::zero());
    }
    let scale = exponent.checked_sub(fraction.len() as i64)?;
    if scale.unsigned_abs() > MAX_BITS {
        return None;
    }
    let power: BigInt = Pow::pow(BigInt::from(10), scale.unsigned_abs());
    let value = if scale < 0 {
        BigRational::new(mantissa, power)
    } else {
        BigRational::from_integer(mantissa * power)
    };
    fits(&value).then_some(value)
}

/// A hexadecimal literal (`0x…`, underscores allowed) and its width in bytes if it may become `bytesN`.
pub fn hexadecimal(text: &str) -> Option<(BigInt, Option<u8>)> {
    let digits: Vec<u8> = text.strip_prefix("0x")?.bytes().filter(|b| *b != b'_').collect();
    if digits.len() as u64 > MAX_BITS / 4 {
        return None;
    }
    let value = BigInt::parse_bytes(&digits, 16)?;
    let bytes = (digits.len().is_multiple_of(2) && digits.len() <= 64).then_some((digits.len() / 2) as u8);
    Some((value, bytes))
}

/// What a unit after a number multiplies it by.
pub fn unit(name: &str) -> Option<BigInt> {
    let (base, power): (u64, u32) = match name {
        "wei" | "seconds" => (1, 0),
        "gwei" => (1, 9),
        "szabo" => (1, 12),
        "finney" => (1, 15),
        "ether" => (1, 18),
        "minutes" => (60, 0),
        "hours" => (3_600, 0),
        "days" => (86_400, 0),
        "weeks" => (604_800, 0),
        "years" => (31_536_000, 0),
        _ => return None,
    };
    Some(BigInt::from(base) * BigInt::from(10).pow(power))
}

/// What a hexadecimal literal of about 40 digits is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AddressLiteral {
    /// 40 digits whose letter case is the checksum.
    Valid([u8; 20]),
    /// 40 digits with another checksum; the right spelling.
    BadChecksum(String),
    /// 39 or 41 digits.
    BadLength,
}

/// `None` if the literal does not look like an address.
pub fn address(text: &str) -> Option<AddressLiteral> {
    let digits: String = text.strip_prefix("0x")?.chars().filter(|c| *c != '_').collect();
    if !(39..=41).contains(&digits.len()) {
        return None;
    }
    if digits.len() != 40 {
        return Some(AddressLiteral::BadLength);
    }
    let mut bytes = [0u8; 20];
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    let right = checksummed(&digits);
    Some(if right == digits {
        AddressLiteral::Valid(bytes)
    } else {
        AddressLiteral::BadChecksum(format!("0x{right}"))
    })
}

/// EIP-55: a letter is upper case where the hash of the lower-case digits has a nibble above seven.
fn checksummed(digits: &str) -> String {
    let lower = digits.to_ascii_lowercase();
    let hash = Keccak256::digest(lower.as_bytes());
    lower
        .chars()
        .enumerate()
        .map(|(i, c)| {
            let nibble = hash[i / 2] >> (4 * (1 - i % 2)) & 0xf;
            if nibble > 7 { c.to_ascii_uppercase() } else { c }
        })
        .collect()
}

/// Appends the bytes of a string literal with its escape sequences resolved.
pub fn unescape(text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&kind, tail)) = rest.split_first() else {
            return Err("escape sequence is not complete".into());
        };
        rest = tail;
        match kind {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            // Before 0.7.
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'\\' | b'\'' | b'"' => out.push(kind),
            // A line break after a backslash continues the string.
            b'\n' => {}
            b'\r' => rest = rest.strip_prefix(b"\n").unwrap_or(rest),
            b'x' => out.push(hex_escape(&mut rest, 2)? as u8),
            b'u' => push_code_point(hex_escape(&mut rest, 4)?, out),
            _ => return Err("unknown escape sequence".into()),
        }
    }
    Ok(())
}

fn hex_escape(rest: &mut &[u8], digits: usize) -> Result<u32, String> {
    let value = rest
        .get(..digits)
        .and_then(|d| std::str::from_utf8(d).ok())
        .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))
        .and_then(|d| u32::from_str_radix(d, 16).ok())
        .ok_or_else(|| format!("escape sequence needs {digits} hexadecimal digits"))?;
    *rest = &rest[digits..];
    Ok(value)
}

/// UTF-8 as the compiler writes it: surrogates are encoded like any other code point.
fn push_code_point(code: u32, out: &mut Vec<u8>) {
    if code < 0x80 {
        out.push(code as u8);
    } else if code < 0x800 {
        out.extend([0xc0 | (code >> 6) as u8, 0x80 | (code & 0x3f) as u8]);
    } else {
        out.extend([0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8]);
    }
}

/// Appends the bytes of `hex"…"` given by its digits.
pub fn hex_string(digits: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let digits: Vec<u8> = digits.bytes().filter(|b| *b != b'_').collect();
    if !digits.len().is_multiple_of(2) {
        return Err("hexadecimal string needs an even number of digits".into());
    }
    for pair in digits.chunks(2) {
        let text = std::str::from_utf8(pair).unwrap_or("");
        out.push(u8::from_str_radix(text, 16).map_err(|_| "not a hexadecimal digit".to_string())?);
    }
    Ok(())
}

/// Whether numerator and denominator stay within the compiler's limit.
pub fn fits(value: &BigRational) -> bool {
    value.numer().bits() <= MAX_BITS + 1 && value.denom().bits() <= MAX_BITS + 1
}

pub fn unary(op: UnaryOp, value: &BigRational) -> Option<BigRational> {
    match op {
        UnaryOp::Neg => Some(-value),
        UnaryOp::Plus => Some(value.clone()),
        UnaryOp::BitNot => value.is_integer().then(|| BigRational::from_integer(!value.numer())),
        UnaryOp::Not
        | UnaryOp::PreInc
        | UnaryOp::PreDec
        | UnaryOp::PostInc
        | UnaryOp::PostDec
        | UnaryOp::Delete => None,
    }
}

/// Any operator that gives a number. `None` where it is not defined (division by zero, bit operations on
/// fractions, results beyond the limit). Comparisons are not constant: they happen at run time.
pub fn binary(op: BinaryOp, left: &BigRational, right: &BigRational) -> Option<BigRational> {
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div if right.is_zero() => return None,
        BinaryOp::Div => left / right,
        BinaryOp::Mod if right.is_zero() => return None,
        BinaryOp::Mod => left - (left / right).trunc() * right,
        BinaryOp::Exp => power(left, right)?,
        BinaryOp::Shl => shift_left(left, right)?,
        BinaryOp::Shr => shift_right(left, right)?,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => bitwise(op, left, right)?,
        BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::And
        | BinaryOp::Or => return None,
    };
    fits(&value).then_some(value)
}

fn bitwise(op: BinaryOp, left: &BigRational, right: &BigRational) -> Option<BigRational> {
    if !left.is_integer() || !right.is_integer() {
        return None;
    }
    let (left, right) = (left.numer(), right.numer());
    Some(BigRational::from_integer(match op {
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitOr => left | right,
        _ => left ^ right,
    }))
}

fn power(base: &BigRational, exponent: &BigRational) -> Option<BigRational> {
    if !exponent.is_integer() {
        return None;
    }
    let exponent = exponent.numer();
    if exponent.is_zero() {
        return Some(BigRational::one());
    }
    // The compiler gives zero even for negative powers of zero.
    if base.is_one() || base.is_zero() {
        return Some(base.clone());
    }
    if *base == -BigRational::one() {
        return Some(if exponent.is_odd() { base.clone() } else { BigRational::one() });
    }
    let size = exponent.magnitude().to_u64()?;
    // Anything but 0 and ±1 needs at least one bit per step.
    if size > MAX_BITS || base.numer().bits().max(base.denom().bits()).saturating_sub(1) * size > MAX_BITS {
        return None;
    }
    let value = BigRational::new(base.numer().pow(size as u32), base.denom().pow(size as u32));
    Some(if exponent.is_negative() { value.recip() } else { value })
}

fn shift_amount(left: &BigRational, right: &BigRational) -> Option<u32> {
    if !left.is_integer() || !right.is_integer() || right.is_negative() {
        return None;
    }
    right.numer().to_u32()
}

fn shift_left(left: &BigRational, right: &BigRational) -> Option<BigRational> {
    let amount = shift_amount(left, right)?;
    if left.is_zero() {
        return Some(BigRational::zero());
    }
    if left.numer().bits() + u64::from(amount) > MAX_BITS + 1 {
        return None;
    }
    Some(BigRational::from_integer(left.numer() << amount))
}

/// Rounds towards minus infinity.
fn shift_right(left: &BigRational, right: &BigRational) -> Option<BigRational> {
    let amount = shift_amount(left, right)?;
    let value = if u64::from(amount) > left.numer().bits() {
        if left.is_negative() { -BigInt::one() } else { BigInt::zero() }
    } else {
        left.numer().div_floor(&(BigInt::one() << amount))
    };
    Some(BigRational::from_integer(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> BigRational {
        BigRational::from_integer(value.into())
    }

    fn ratio(numer: i64, denom: i64) -> BigRational {
        BigRational::new(numer.into(), denom.into())
    }

    #[test]
    fn decimals() {
        assert_eq!(decimal("1", "5", ""), Some(ratio(3, 2)));
        assert_eq!(decimal("", "25", "2"), Some(int(25)));
        assert_eq!(decimal("2", "", "-2"), Some(ratio(1, 50)));
        assert_eq!(decimal("1", "", "99999999999"), None);
    }

    #[test]
    fn hexadecimals_keep_their_width() {
        assert_eq!(hexadecimal("0x00_ff"), Some((255.into(), Some(2))));
        assert_eq!(hexadecimal("0xfff"), Some((4095.into(), None)));
    }

    #[test]
    fn addresses() {
        let good = "0xdCad3a6d3569DF655070DEd06cb7A1b2Ccd1D3AF";
        assert!(matches!(address(good), Some(AddressLiteral::Valid(_))));
        assert_eq!(address(&good.to_lowercase()), Some(AddressLiteral::BadChecksum(good.into())));
        assert_eq!(address(&good[..41]), Some(AddressLiteral::BadLength));
        assert_eq!(address("0x1234"), None);
    }

    #[test]
    fn arithmetic_rounds_as_the_compiler_does() {
        assert_eq!(binary(BinaryOp::Mod, &int(-7), &int(3)), Some(int(-1)));
        assert_eq!(binary(BinaryOp::Mod, &ratio(15, 2), &int(2)), Some(ratio(3, 2)));
        assert_eq!(binary(BinaryOp::Shr, &int(-5), &int(1)), Some(int(-3)));
        assert_eq!(binary(BinaryOp::Shr, &int(-5), &int(100)), Some(int(-1)));
        assert_eq!(binary(BinaryOp::Exp, &int(2), &int(-2)), Some(ratio(1, 4)));
        assert_eq!(binary(BinaryOp::Exp, &int(0), &int(0)), Some(int(1)));
        assert_eq!(binary(BinaryOp::Exp, &int(2), &int(5000)), None);
        assert_eq!(binary(BinaryOp::Div, &int(1), &int(0)), None);
        assert_eq!(binary(BinaryOp::BitAnd, &int(-1), &int(6)), Some(int(6)));
        assert_eq!(unary(UnaryOp::BitNot, &int(1)), Some(int(-2)));
    }

    #[test]
    fn escapes() {
        let mut out = Vec::new();
        unescape(r#"a\n\x41\u00e9\"\\"#, &mut out).unwrap();
        assert_eq!(out, "a\nA\u{e9}\"\\".as_bytes());
        assert!(unescape(r"\q", &mut Vec::new()).is_err());
        assert!(unescape(r"\x4", &mut Vec::new()).is_err());
    }
}
