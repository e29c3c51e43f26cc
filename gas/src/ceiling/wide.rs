//! Whole numbers with a sign, wide enough for sums of products of words.

use std::ops::{Add, Mul, Neg, Sub};

use hornet_evm::U256;
use ruint::Uint;

type Bits = Uint<640, 10>;

/// Two's complement; products of two words and sums of thousands of them fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide(Bits);

impl Wide {
    pub const ZERO: Wide = Wide(Bits::ZERO);

    pub fn from_word(word: U256) -> Wide {
        Wide(Bits::from(word))
    }

    /// The word as a number with a sign.
    pub fn from_signed(word: U256) -> Wide {
        if word.bit(255) { -Wide::from_word(word.wrapping_neg()) } else { Wide::from_word(word) }
    }

    pub fn from_number(number: i128) -> Wide {
        let size = Wide(Bits::from(number.unsigned_abs()));
        if number < 0 { -size } else { size }
    }

    pub fn is_negative(self) -> bool {
        self.0.bit(639)
    }

    /// As a word, if it is one.
    pub fn to_word(self) -> Option<U256> {
        (!self.is_negative() && self.0.bit_len() <= 256).then(|| self.0.to::<U256>())
    }

    /// How many times 2^256 fits into it, rounded down.
    pub fn turns(self) -> Wide {
        Wide(self.0.arithmetic_shr(256))
    }

    /// What is left of it modulo 2^256.
    pub fn wrapped(self) -> U256 {
        self.0.wrapping_to::<U256>()
    }

    pub fn to_number(self) -> Option<i128> {
        let size = if self.is_negative() { -self } else { self };
        let size = i128::try_from(size.0).ok()?;
        Some(if self.is_negative() { -size } else { size })
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Wide) -> std::cmp::Ordering {
        other.is_negative().cmp(&self.is_negative()).then(self.0.cmp(&other.0))
    }
}

impl Add for Wide {
    type Output = Wide;
    fn add(self, other: Wide) -> Wide {
        Wide(self.0.wrapping_add(other.0))
    }
}

impl Sub for Wide {
    type Output = Wide;
    fn sub(self, other: Wide) -> Wide {
        Wide(self.0.wrapping_sub(other.0))
    }
}

impl Mul for Wide {
    type Output = Wide;
    fn mul(self, other: Wide) -> Wide {
        Wide(self.0.wrapping_mul(other.0))
    }
}

impl Neg for Wide {
    type Output = Wide;
    fn neg(self) -> Wide {
        Wide(self.0.wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs() {
        let [minus, three] = [-3, 3].map(Wide::from_number);
        assert!(minus < Wide::ZERO && Wide::ZERO < three && minus + three == Wide::ZERO);
        assert_eq!((minus * three).to_number(), Some(-9));
        assert_eq!(Wide::from_signed(U256::MAX), Wide::from_number(-1));
        assert_eq!(minus.wrapped(), U256::MAX - U256::from(2));
        assert_eq!((minus.turns(), three.turns()), (Wide::from_number(-1), Wide::ZERO));
        let large = Wide::from_word(U256::MAX) * Wide::from_word(U256::MAX);
        assert!(large > three && -large < minus && large.to_word().is_none());
    }
}
