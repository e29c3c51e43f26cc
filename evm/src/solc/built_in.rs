//! The compiler inside the program itself, for when none beside it will do.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::Compilers;
use crate::pragma::Version;

/// A program that is a compiler when it is started with an argument: it answers requests in standard JSON line by line, and
/// tells its `--version`.
#[derive(Clone, Debug)]
pub struct BuiltIn {
    pub version: Version,
    pub program: PathBuf,
    pub argument: &'static str,
}

/// How a process is started that is a compiler and no program of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Way {
    InNode,
    BuiltIn,
}

/// The built-in compiler is there at once and slow; node takes a while to start it, and runs it fast. Requests of up to
/// this many bytes are answered sooner by the one that is built in.
const SMALL: usize = 12 << 10;

static OFFERED: OnceLock<BuiltIn> = OnceLock::new();

impl BuiltIn {
    /// To be called early in `main` by programs that have one.
    pub fn offer(self) {
        // The first one stays: a program has one at most.
        let _ = OFFERED.set(self);
    }

    pub(super) fn offered() -> Option<&'static BuiltIn> {
        OFFERED.get()
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(self.argument);
        command
    }
}

impl Compilers {
    /// Only the one that is built in.
    pub fn of_built_in(built_in: BuiltIn) -> Compilers {
        Compilers { built_in: Some(built_in), ..Compilers::none() }
    }

    fn built_in(&self, version: Version) -> Option<&BuiltIn> {
        self.built_in.as_ref().filter(|built_in| built_in.version == version)
    }

    /// The version of the one that is built in, if it is nowhere else.
    pub(super) fn only_built_in(&self) -> Option<Version> {
        let version = self.built_in.as_ref()?.version;
        (!self.versions.contains(&version)).then_some(version)
    }

    /// Which of the compilers of a version that are no programs is asked.
    pub(super) fn way(&self, version: Version, bytes: usize) -> Way {
        let small = bytes <= SMALL;
        let there = |_: &&BuiltIn| small || self.only_built_in() == Some(version);
        if self.built_in(version).filter(there).is_some() { Way::BuiltIn } else { Way::InNode }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    fn built_in() -> Compilers {
        let version = version("0.8.37");
        Compilers::of_built_in(BuiltIn { version, program: PathBuf::new(), argument: "--compile" })
    }

    #[test]
    fn what_is_installed_comes_first() {
        let compilers = Compilers { versions: vec![version("0.8.9"), version("0.7.6")], ..built_in() };
        let fitting = |pragma: &str| compilers.fitting([pragma]).unwrap();
        assert_eq!(fitting("pragma solidity >=0.7.0;"), ["0.8.9", "0.7.6", "0.8.37"].map(version));
        assert_eq!(fitting("pragma solidity ^0.7.0;"), [version("0.7.6")]);
        assert_eq!(fitting("pragma solidity ^0.8.20;"), [version("0.8.37")]);
        assert_eq!(compilers.installed(version("0.8.37")).unwrap(), version("0.8.37"));
    }

    #[test]
    fn small_sources_do_not_wait_for_node() {
        let compilers = Compilers { versions: vec![version("0.8.37"), version("0.7.6")], ..built_in() };
        assert_eq!(compilers.way(version("0.8.37"), SMALL), Way::BuiltIn);
        assert_eq!(compilers.way(version("0.8.37"), SMALL + 1), Way::InNode);
        assert_eq!(compilers.way(version("0.7.6"), 1), Way::InNode);
        assert_eq!(built_in().way(version("0.8.37"), SMALL + 1), Way::BuiltIn);
        assert_eq!(compilers.names(), "installed: 0.8.37, 0.7.6");
    }

    #[test]
    fn both_are_told_where_none_fits() {
        let refused = built_in().fitting(["pragma solidity ^0.7.0;"]).unwrap_err().to_string();
        let told = "no installed compiler, nor the one that is built in, fits the pragmas \
                    (installed: none; built in: 0.8.37)";
        assert_eq!(refused, told);
    }
}
