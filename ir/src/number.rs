//! Numbers as people read them, in Solidity's notation. Whoever shows a number to somebody asks here.

use crate::U256;

/// As many digits are no trouble.
const EASILY_READ: usize = 9;
/// More than these nobody counts.
const LONGEST: usize = 30;
/// What is added to a power, or missing at the end of a type, is less than this.
const SMALL: U256 = U256::from_limbs([1_000_000, 0, 0, 0]);
/// The zeros of `1 ether`, in wei.
const ETHER: &str = "000000000000000000";

/// The type of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub signed: bool,
    pub bits: u32,
}

/// `7`, `1000000e18`, `type(uint256).max - 3`, `2**40 + 1`, and in hexadecimal what is long and nothing of that.
pub fn written(magnitude: U256, negative: bool, range: Range) -> String {
    number(magnitude, negative, range, true)
}

/// An amount: zeros are written.
pub fn amount(number_of: U256, range: Range) -> String {
    number(number_of, false, range, false)
}

/// The number that `written` gave for one that is not negative.
pub fn read(text: &str) -> Option<U256> {
    if let Some((base, distance)) = text.split_once(" + ") {
        return read(base)?.checked_add(distance.parse().ok()?);
    }
    if let Some((base, distance)) = text.split_once(" - ") {
        return read(base)?.checked_sub(distance.parse().ok()?);
    }
    if let Some(exponent) = text.strip_prefix("2**") {
        return U256::ONE.checked_shl(exponent.parse().ok()?);
    }
    if let Some(bits) = text.strip_prefix("type(uint").and_then(|rest| rest.strip_suffix(").max")) {
        return Some(U256::MAX >> 256_usize.checked_sub(bits.parse().ok()?)?);
    }
    match text.split_once('e').filter(|_| !text.starts_with("0x")) {
        Some((digits, zeros)) => format!("{digits}{}", "0".repeat(zeros.parse().ok()?)).parse().ok(),
        None => text.parse().ok(),
    }
}

fn number(magnitude: U256, negative: bool, range: Range, counts_zeros: bool) -> String {
    let digits = magnitude.to_string();
    let zeros = digits.strip_suffix(ETHER).filter(|rest| counts_zeros && (1..=LONGEST).contains(&rest.len()));
    let text = if digits.len() <= EASILY_READ {
        digits
    } else if let Some(end) = from_the_end(magnitude, negative, range) {
        return end;
    } else if let Some(rest) = zeros {
        format!("{rest}e{}", ETHER.len())
    } else if let Some(power) = power(magnitude) {
        if negative { format!("({power})") } else { power }
    } else if digits.len() <= LONGEST {
        digits
    } else {
        format!("{magnitude:#x}")
    };
    if negative { format!("-{text}") } else { text }
}

/// `type(uint256).max`, if the number is close to it.
fn from_the_end(magnitude: U256, negative: bool, Range { signed, bits }: Range) -> Option<String> {
    let size = (U256::MAX >> 256_u32.checked_sub(bits)? as usize) >> usize::from(signed);
    let farthest = if negative { size.checked_add(U256::ONE)? } else { size };
    let distance = farthest.checked_sub(magnitude).filter(|distance| is_small(*distance, magnitude))?;
    let name = format!("type({}int{bits})", if signed { "" } else { "u" });
    Some(match (negative, distance) {
        (false, U256::ZERO) => format!("{name}.max"),
        (false, _) => format!("{name}.max - {distance}"),
        (true, U256::ZERO) => format!("{name}.min"),
        (true, _) => format!("{name}.min + {distance}"),
    })
}

/// `2**64 - 3`
fn power(number: U256) -> Option<String> {
    let below = number.bit_len().checked_sub(1)?;
    let lower = U256::ONE << below;
    let above = lower.checked_mul(U256::from(2)).map(|upper| upper - number);
    let over = number - lower;
    match above.filter(|above| is_small(*above, number)) {
        _ if over.is_zero() => Some(format!("2**{below}")),
        _ if is_small(over, number) => Some(format!("2**{below} + {over}")),
        above => above.map(|above| format!("2**{} - {above}", below + 1)),
    }
}

/// Whether it is easier to read what is missing than the number itself.
fn is_small(distance: U256, number: U256) -> bool {
    distance < SMALL && 2 * distance.to_string().len() <= number.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(number: U256, bits: u32) -> String {
        written(number, false, Range { signed: false, bits })
    }

    #[test]
    fn long_numbers_are_told_from_the_end_of_their_type() {
        assert_eq!(shown(U256::MAX, 256), "type(uint256).max");
        assert_eq!(shown(U256::MAX - U256::from(3), 256), "type(uint256).max - 3");
        assert_eq!(shown(U256::from(u64::MAX), 64), "type(uint64).max");
        assert_eq!(shown(U256::from(255), 8), "255");
        let signed = |magnitude, negative| written(magnitude, negative, Range { signed: true, bits: 64 });
        assert_eq!(signed(U256::from(i64::MAX), false), "type(int64).max");
        assert_eq!(signed(U256::from(i64::MAX), true), "type(int64).min + 1");
        assert_eq!(signed(U256::from(5), true), "-5");
        assert_eq!(signed(U256::from(1_u64 << 40), true), "-(2**40)");
    }

    #[test]
    fn what_is_written_can_be_read() {
        let numbers = [0, 7, 10_u64.pow(18) * 3, 1 << 40, u64::MAX - 2, 12_345_678_901_234_567_890];
        let long = [
            U256::MAX,
            U256::MAX - U256::from(3),
            (U256::ONE << 200) + U256::from(17),
            U256::MAX / U256::from(3),
        ];
        for number in numbers.map(U256::from).into_iter().chain(long) {
            for bits in [64, 256] {
                assert_eq!(read(&shown(number, bits)), Some(number), "{}", shown(number, bits));
            }
        }
        assert_eq!(read("n"), None);
    }

    #[test]
    fn powers_are_named() {
        assert_eq!(shown(U256::from(274_877_906_944_u64), 64), "2**38");
        assert_eq!(shown(U256::from(u64::MAX) - U256::from(2), 256), "2**64 - 3");
        assert_eq!(shown((U256::ONE << 200) + U256::from(17), 256), "2**200 + 17");
        assert_eq!(shown(U256::ONE << 255, 256), "2**255");
        assert_eq!(shown(U256::from(1_700_000_000), 256), "1700000000");
        assert_eq!(shown(U256::from(512), 256), "512");
    }

    #[test]
    fn what_nobody_can_count_is_hexadecimal() {
        let long = U256::MAX - U256::from(18_446_744_073_709_551_613_u64);
        assert_eq!(shown(long, 256), format!("{long:#x}"));
        assert_eq!(shown(U256::from(12_345_678_901_234_567_890_u64), 256), "12345678901234567890");
    }

    #[test]
    fn zeros_of_ether_are_counted() {
        let ether = U256::from(10).pow(U256::from(18));
        assert_eq!(shown(ether * U256::from(1_000_000), 256), "1000000e18");
        assert_eq!(shown(ether + U256::ONE, 256), "1000000000000000001");
        let amount = amount(ether, Range { signed: false, bits: 256 });
        assert_eq!(amount, "1000000000000000000", "amounts of wei stay numbers for programs");
    }
}
