//! Language versions and what they imply. A file's version is the newest known compiler that its pragmas allow.

/// A compiler version, `major.minor.patch`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Version {
    pub major: u16,
    pub minor: u16,
    pub patch: u16,
}

impl Version {
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Version { major, minor, patch }
    }

    /// The newest compiler we know, assumed where nothing else is said.
    pub const NEWEST: Version = Version::new(0, 8, 37);

    pub fn at_least(self, minor: u16, patch: u16) -> bool {
        self >= Version::new(0, minor, patch)
    }

    /// Arithmetic reverts on overflow unless inside `unchecked`.
    pub fn checked_arithmetic(self) -> bool {
        self.at_least(8, 0)
    }

    /// Variables are visible from their declaration to the end of the block (before: in the whole function).
    pub fn c99_scoping(self) -> bool {
        self.at_least(5, 0)
    }

    /// Failed `assert` and language checks revert with `Panic(code)`; before, the invalid instruction ran.
    pub fn panics(self) -> bool {
        self.at_least(8, 0)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
