//! Language versions and what they imply. A file's version is the newest known compiler that its pragmas, and those
//! of the files it is compiled with, allow.

use std::fmt;

/// A compiler version, `major.minor.patch`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Version {
    pub major: u16,
    pub minor: u16,
    pub patch: u16,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Newest release of each 0.x series, oldest series first. Every patch below it was released too.
const SERIES: [(u16, u16); 5] = [(4, 26), (5, 17), (6, 12), (7, 6), (8, 37)];

impl Version {
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Version { major, minor, patch }
    }

    /// The newest compiler we know, assumed where nothing else is said.
    pub const NEWEST: Version = Version::new(0, SERIES[4].0, SERIES[4].1);

    /// All compilers we know the language of, newest first.
    pub fn known() -> impl Iterator<Item = Version> {
        SERIES
            .iter()
            .rev()
            .flat_map(|&(minor, last)| (0..=last).rev().map(move |p| Version::new(0, minor, p)))
    }

    /// Reads `0.8.20` (a leading `v` is allowed, a build suffix after `+` or `-` is ignored).
    pub fn parse(text: &str) -> Option<Version> {
        let text = text.trim().trim_start_matches('v');
        let core = text.split(['+', '-']).next()?;
        let mut parts = core.split('.').map(|p| p.parse::<u16>().ok());
        let version = Version::new(parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(version)
    }

    pub fn at_least(self, minor: u16, patch: u16) -> bool {
        self >= Version::new(0, minor, patch)
    }

    /// `+`, `-`, `*` … revert on overflow outside `unchecked` (0.8).
    pub fn checked_arithmetic(self) -> bool {
        self.at_least(8, 0)
    }

    /// Failed `assert` and language checks revert with `Panic(code)`; before, the invalid instruction ran (0.8).
    pub fn panics(self) -> bool {
        self.at_least(8, 0)
    }

    /// Locals live from their declaration to the end of their block; before, in the whole function (0.5).
    pub fn c99_scoping(self) -> bool {
        self.at_least(5, 0)
    }

    /// ABI coder v2 without a pragma (0.8).
    pub fn abi_v2_default(self) -> bool {
        self.at_least(8, 0)
    }

    /// `a ** b ** c` is `a ** (b ** c)`; before, `(a ** b) ** c` (0.8).
    pub fn power_is_right_associative(self) -> bool {
        self.at_least(8, 0)
    }

    /// `address payable` is a type of its own; visibility and data locations are mandatory (0.5).
    pub fn address_payable(self) -> bool {
        self.at_least(5, 0)
    }

    /// The function named like its contract is the constructor (before 0.5).
    pub fn named_constructors(self) -> bool {
        !self.at_least(5, 0)
    }

    /// `var`, `throw`, `years`, `sha3`, `suicide` and other forms dropped in 0.5.
    pub fn legacy_forms(self) -> bool {
        !self.at_least(5, 0)
    }

    /// `receive`/`fallback` keywords, `virtual`/`override`, `try`, abstract contracts, `push` returning a reference (0.6).
    pub fn receive_and_fallback(self) -> bool {
        self.at_least(6, 0)
    }

    /// `.value(x)`/`.gas(x)` on calls (before 0.7) instead of call options.
    pub fn call_value_members(self) -> bool {
        !self.at_least(7, 0)
    }

    /// `now` is the block's time (before 0.7).
    pub fn now(self) -> bool {
        !self.at_least(7, 0)
    }

    /// `msg.sender` and `tx.origin` are `address`, not `address payable` (0.8).
    pub fn sender_is_plain_address(self) -> bool {
        self.at_least(8, 0)
    }

    /// Custom errors and `revert E(…)` (0.8.4).
    pub fn custom_errors(self) -> bool {
        self.at_least(8, 4)
    }

    /// `transient` state variables (0.8.27).
    pub fn transient_storage(self) -> bool {
        self.at_least(8, 27)
    }

    /// Versions of one dialect read the same text as the same tree.
    pub(crate) fn dialect(self) -> usize {
        [(4, 21), (4, 22), (5, 0), (6, 0), (8, 0)]
            .iter()
            .filter(|(minor, patch)| self.at_least(*minor, *patch))
            .count()
    }

    /// Whether the word, a keyword to the parser we use, is an ordinary name in this version.
    pub(crate) fn is_plain_name(self, word: &[u8]) -> bool {
        match word {
            b"instance" | b"persistent" | b"temporary" => true,
            b"receive" | b"fallback" | b"virtual" => !self.at_least(6, 0),
            b"override" | b"immutable" | b"unchecked" | b"calldata" => !self.at_least(5, 0),
            b"emit" => !self.at_least(4, 21),
            b"constructor" => !self.at_least(4, 22),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_from_compiler_names() {
        assert_eq!(Version::parse("v0.8.20+commit.a1b79de6"), Some(Version::new(0, 8, 20)));
        assert_eq!(Version::parse("0.8"), None);
        assert_eq!(Version::parse("0.8.1.2"), None);
    }
}
