//! Several limits of the same thing, told as one.

use hornet_ir::U256;
use hornet_ir::number::read;

/// `count > 3`, taken apart.
struct Limit<'a> {
    of: &'a str,
    sign: &'a str,
    number: U256,
}

const SIGNS: [&str; 4] = ["==", "!=", "<=", ">"];

impl<'a> Limit<'a> {
    fn read(text: &'a str) -> Option<Limit<'a>> {
        let (of, rest) = text.split_once(' ')?;
        let (sign, number) = rest.split_once(' ')?;
        let number = read(number)?;
        SIGNS.contains(&sign).then_some(Limit { of, sign, number })
    }

    /// Whether this says no more than another does.
    fn follows_from(&self, other: &Limit) -> bool {
        self.of == other.of
            && match (self.sign, other.sign) {
                ("<=", "==" | "<=") => other.number <= self.number,
                (">", "==") => other.number > self.number,
                (">", ">") => other.number >= self.number,
                ("!=", "==") => other.number != self.number,
                ("!=", "<=") => other.number < self.number,
                ("!=", ">") => other.number >= self.number,
                ("!=", "!=") | ("==", "==") => other.number == self.number,
                _ => false,
            }
    }
}

/// Conditions without limits that follow from others.
pub(super) fn tightened(texts: Vec<String>) -> Vec<String> {
    let limits: Vec<Option<Limit>> = texts.iter().map(|text| Limit::read(text)).collect();
    let follows = |at: usize| {
        let Some(own) = &limits[at] else { return false };
        let others = limits.iter().enumerate().filter(|(other, _)| *other != at);
        others.filter_map(|(_, other)| other.as_ref()).any(|other| own.follows_from(other))
    };
    let kept: Vec<bool> = (0..texts.len()).map(|at| !follows(at)).collect();
    texts.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(text, _)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        tightened(text.split(" && ").map(str::to_owned).collect()).join(" && ")
    }

    #[test]
    fn the_strongest_limits_are_left() {
        assert_eq!(told("a > 64 && a > 31"), "a > 64");
        assert_eq!(told("a <= 31 && a > 0 && a <= 63 && a != 0"), "a <= 31 && a > 0");
        assert_eq!(told("n <= 2 && n == 1 && n > 0"), "n == 1");
        assert_eq!(told("a > 3 && b > 2 && a == b"), "a > 3 && b > 2 && a == b");
        assert_eq!(told("a <= 3 && a != 2 && a != 4"), "a <= 3 && a != 2");
        assert_eq!(told("a <= 2**64 - 1 && a == 2**40"), "a == 2**40");
    }
}
