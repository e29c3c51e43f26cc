//! What the machine computes with words, and ranges of words.

use hornet_evm::U256;

/// Operations on words whose result depends on nothing else. Addition, subtraction and `NOT` are sums, and
/// comparisons are turned so that few kinds are left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    Mul,
    Div,
    Sdiv,
    Mod,
    Smod,
    AddMod,
    MulMod,
    Exp,
    SignExtend,
    Lt,
    Slt,
    IsZero,
    And,
    Or,
    Xor,
    Byte,
    Shl,
    Shr,
    Sar,
    Clz,
    /// How many bits a number has; no instruction, but the iterations of loops that halve something.
    Bits,
    /// How long a string is, by the word in its slot; no instruction, but what others compute for long and short ones.
    StringLength,
}

impl Op {
    pub fn is_comparison(self) -> bool {
        matches!(self, Op::Lt | Op::Slt | Op::IsZero)
    }

    pub fn is_symmetric(self) -> bool {
        matches!(self, Op::Mul | Op::And | Op::Or | Op::Xor)
    }

    /// The result for operands in the order of the stack, topmost first.
    pub fn apply(self, arguments: &[U256]) -> U256 {
        let [a, b, c] = [0, 1, 2].map(|at| arguments.get(at).copied().unwrap_or_default());
        match self {
            Op::Mul => a.wrapping_mul(b),
            Op::Div => a.checked_div(b).unwrap_or_default(),
            Op::Sdiv => signed_division(a, b),
            Op::Mod => a.checked_rem(b).unwrap_or_default(),
            Op::Smod => signed_remainder(a, b),
            Op::AddMod => a.add_mod(b, c),
            Op::MulMod => a.mul_mod(b, c),
            Op::Exp => a.wrapping_pow(b),
            Op::SignExtend => sign_extend(a, b),
            Op::Lt => truth(a < b),
            Op::Slt => truth(flip_sign(a) < flip_sign(b)),
            Op::IsZero => truth(a.is_zero()),
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::Byte => shift(a).filter(|at| *at < 32).map_or(U256::ZERO, |at| U256::from(b.byte(31 - at))),
            Op::Shl => shift(a).map_or(U256::ZERO, |by| b << by),
            Op::Shr => shift(a).map_or(U256::ZERO, |by| b >> by),
            Op::Sar => b.arithmetic_shr(shift(a).unwrap_or(256)),
            Op::Clz => U256::from(b_leading_zeros(a)),
            Op::Bits => U256::from(a.bit_len()),
            Op::StringLength if a.bit(0) => a >> 1,
            Op::StringLength => (a >> 1) & SHORT_STRING,
        }
    }
}

/// The bits of a slot, halved, that are the length of a string in the slot itself.
pub const SHORT_STRING: U256 = U256::from_limbs([0x7f, 0, 0, 0]);

fn b_leading_zeros(word: U256) -> usize {
    256 - word.bit_len()
}

fn truth(holds: bool) -> U256 {
    U256::from(u8::from(holds))
}

/// A distance that does not push everything out.
fn shift(by: U256) -> Option<usize> {
    usize::try_from(by).ok().filter(|by| *by < 256)
}

/// How many low bits a mask clears that keeps all others: it rounds down to a multiple of a power of two.
pub fn rounded_bits(mask: U256) -> Option<usize> {
    let bits = mask.trailing_zeros();
    (mask == U256::MAX << bits).then_some(bits)
}

fn rounds_down(mask: U256) -> bool {
    rounded_bits(mask).is_some()
}

/// Order of numbers with a sign as order of words.
fn flip_sign(word: U256) -> U256 {
    word ^ (U256::ONE << 255)
}

fn magnitude(word: U256) -> U256 {
    if word.bit(255) { word.wrapping_neg() } else { word }
}

fn signed_division(a: U256, b: U256) -> U256 {
    let quotient = magnitude(a).checked_div(magnitude(b)).unwrap_or_default();
    if a.bit(255) != b.bit(255) { quotient.wrapping_neg() } else { quotient }
}

fn signed_remainder(a: U256, b: U256) -> U256 {
    let rest = magnitude(a).checked_rem(magnitude(b)).unwrap_or_default();
    if a.bit(255) { rest.wrapping_neg() } else { rest }
}

fn sign_extend(bytes: U256, word: U256) -> U256 {
    let Some(bits) = usize::try_from(bytes).ok().filter(|n| *n < 31).map(|n| 8 * n + 8) else { return word };
    let low = U256::MAX >> (256 - bits);
    if word.bit(bits - 1) { word | !low } else { word & low }
}

/// All words from one to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: U256,
    pub high: U256,
}

impl Range {
    pub const FULL: Range = Range { low: U256::ZERO, high: U256::MAX };

    pub fn new(low: U256, high: U256) -> Range {
        Range { low, high }
    }

    pub fn at_most(high: U256) -> Range {
        Range { low: U256::ZERO, high }
    }

    pub fn of(word: U256) -> Range {
        Range { low: word, high: word }
    }

    pub fn bits(count: usize) -> Range {
        Range::at_most(if count == 0 { U256::ZERO } else { U256::MAX >> (256 - count.min(256)) })
    }

    pub fn single(self) -> Option<U256> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub fn meet(self, other: Range) -> Option<Range> {
        let both = Range { low: self.low.max(other.low), high: self.high.min(other.high) };
        (both.low <= both.high).then_some(both)
    }

    pub fn join(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The range of a result by the ranges of the operands.
    pub fn apply(op: Op, arguments: &[Range]) -> Range {
        let [a, b, c] = [0, 1, 2].map(|at| arguments.get(at).copied().unwrap_or(Range::FULL));
        let fixed: Option<Vec<U256>> = arguments.iter().map(|range| range.single()).collect();
        if let Some(words) = fixed {
            return Range::of(op.apply(&words));
        }
        let truth = Range::at_most(U256::ONE);
        let decided = |holds: bool| Range::of(U256::from(u8::from(holds)));
        match op {
            Op::Mul => match (a.low.checked_mul(b.low), a.high.checked_mul(b.high)) {
                (Some(low), Some(high)) => Range { low, high },
                _ => Range::FULL,
            },
            Op::Div if b.low.is_zero() => Range::at_most(a.high),
            Op::Div => Range { low: a.low / b.high, high: a.high / b.low },
            Op::Mod => {
                let below = if b.high.is_zero() { U256::ZERO } else { b.high - U256::ONE };
                Range::at_most(a.high.min(below))
            }
            Op::AddMod | Op::MulMod if c.high.is_zero() => Range::of(U256::ZERO),
            Op::AddMod | Op::MulMod => Range::at_most(c.high - U256::ONE),
            Op::Lt if a.high < b.low => decided(true),
            Op::Lt if a.low >= b.high => decided(false),
            Op::IsZero if !a.low.is_zero() => decided(false),
            Op::Lt | Op::Slt | Op::IsZero => truth,
            Op::And => match (a.single().filter(|m| rounds_down(*m)), b.single().filter(|m| rounds_down(*m)))
            {
                (Some(mask), _) => Range { low: b.low & mask, high: b.high & mask },
                (_, Some(mask)) => Range { low: a.low & mask, high: a.high & mask },
                _ => Range::at_most(a.high.min(b.high)),
            },
            Op::Or => {
                let bits = Range::bits(a.high.bit_len().max(b.high.bit_len()));
                Range { low: a.low.max(b.low), high: bits.high }
            }
            Op::Xor => Range::bits(a.high.bit_len().max(b.high.bit_len())),
            Op::Byte => Range::bits(8),
            Op::Shr => match a.single() {
                Some(by) => {
                    let [low, high] = [b.low, b.high].map(|word| Op::Shr.apply(&[by, word]));
                    Range { low, high }
                }
                None => Range::at_most(b.high),
            },
            Op::Shl => match a.single().and_then(shift) {
                Some(by) if b.high.bit_len() + by <= 256 => Range { low: b.low << by, high: b.high << by },
                _ => Range::FULL,
            },
            Op::Clz => {
                let [low, high] = [a.high, a.low].map(|word| U256::from(b_leading_zeros(word)));
                Range { low, high }
            }
            Op::StringLength => Range::at_most(SHORT_STRING.max(a.high >> 1)),
            Op::Bits => {
                let [low, high] = [a.low, a.high].map(|word| U256::from(word.bit_len()));
                Range { low, high }
            }
            Op::Sdiv | Op::Smod | Op::Exp | Op::SignExtend | Op::Sar => Range::FULL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Op; 22] = [
        Op::Mul,
        Op::Div,
        Op::Sdiv,
        Op::Mod,
        Op::Smod,
        Op::AddMod,
        Op::MulMod,
        Op::Exp,
        Op::SignExtend,
        Op::Lt,
        Op::Slt,
        Op::IsZero,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Byte,
        Op::Shl,
        Op::Shr,
        Op::Sar,
        Op::Clz,
        Op::Bits,
        Op::StringLength,
    ];

    #[test]
    fn results_are_in_the_range_of_results() {
        let edges: Vec<U256> = [0_u64, 1, 2, 3, 31, 32, 255, 256, 1 << 40]
            .map(U256::from)
            .into_iter()
            .chain([U256::MAX, U256::MAX - U256::ONE, U256::ONE << 255, (U256::ONE << 160) - U256::ONE])
            .collect();
        let mut ranges = Vec::new();
        for (at, low) in edges.iter().enumerate() {
            ranges.extend(edges[at..].iter().filter(|high| low <= *high).map(|high| Range::new(*low, *high)));
        }
        for op in ALL {
            for a in &ranges {
                for b in &ranges {
                    let result = Range::apply(op, &[*a, *b, *b]);
                    for x in [a.low, a.high] {
                        for y in [b.low, b.high] {
                            let word = op.apply(&[x, y, b.high]);
                            assert!(result.contains(Range::of(word)), "{op:?} {a:?} {b:?} {word} {result:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn masks_that_round() {
        let word = |bits: usize| U256::MAX << bits;
        assert_eq!([word(5), word(0), word(256)].map(rounded_bits), [Some(5), Some(0), Some(256)]);
        assert_eq!([word(5) >> 1, U256::from(31), U256::from(32)].map(rounded_bits), [None; 3]);
    }

    #[test]
    fn signed_operations() {
        let minus = |n: u64| U256::from(n).wrapping_neg();
        assert_eq!(Op::Sdiv.apply(&[minus(7), U256::from(2)]), minus(3));
        assert_eq!(Op::Smod.apply(&[minus(7), U256::from(2)]), minus(1));
        assert_eq!(Op::Sar.apply(&[U256::from(300), minus(1)]), U256::MAX);
        assert_eq!(Op::SignExtend.apply(&[U256::ZERO, U256::from(0x180)]), minus(0x80));
        assert_eq!(Op::Slt.apply(&[minus(1), U256::ZERO]), U256::ONE);
        assert_eq!(Op::Byte.apply(&[U256::from(31), U256::from(0xabcd)]), U256::from(0xcd));
        assert_eq!(Op::Clz.apply(&[U256::ONE]), U256::from(255));
    }
}
