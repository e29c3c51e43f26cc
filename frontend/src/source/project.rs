//! What a project's own files say about where imports are.

use std::path::{Path, PathBuf};

use super::remapping::Remapping;
use crate::version::Version;

/// How sources are found.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Names of sources are relative to this folder.
    pub base: PathBuf,
    /// Tried after `base`, in order.
    pub include: Vec<PathBuf>,
    pub remappings: Vec<Remapping>,
    /// Search the disk; off when all sources are given in memory.
    pub disk: bool,
    /// Also search `node_modules`, `lib` and the folders' `remappings.txt`.
    pub conventions: bool,
    /// Read everything in the language of this compiler instead of the newest that the pragmas admit.
    pub compiler: Option<Version>,
    /// Where the pragmas admit a compiler before 0.8, and the code is accepted by one, read it as the newest of those:
    /// its arithmetic wraps around silently.
    pub prefer_wrapping: bool,
}

impl LoadOptions {
    pub fn in_memory() -> Self {
        LoadOptions {
            base: PathBuf::new(),
            include: Vec::new(),
            remappings: Vec::new(),
            disk: false,
            conventions: false,
            compiler: None,
            prefer_wrapping: false,
        }
    }

    /// Files under one folder, without looking at project files.
    pub fn plain(base: impl Into<PathBuf>) -> Self {
        LoadOptions { base: base.into(), disk: true, ..LoadOptions::in_memory() }
    }

    /// The project around a source: its root folder, the remappings it states, its library folders.
    pub fn for_source(source: &Path) -> Self {
        let base = find_project_root(source);
        let remappings = stated_remappings(&base);
        LoadOptions { remappings, conventions: true, ..LoadOptions::plain(base) }
    }
}

const ROOT_MARKS: [&str; 11] = [
    "hornet.toml",
    "foundry.toml",
    "remappings.txt",
    "hardhat.config.js",
    "hardhat.config.ts",
    "hardhat.config.cjs",
    "hardhat.config.mjs",
    "hardhat.config.mts",
    "truffle-config.js",
    "package.json",
    ".git",
];

/// The nearest folder above the source that holds a project file; else the source's own folder.
pub fn find_project_root(source: &Path) -> PathBuf {
    let absolute = std::fs::canonicalize(source).unwrap_or_else(|_| source.to_path_buf());
    let folder =
        if absolute.is_dir() { absolute.as_path() } else { absolute.parent().unwrap_or(Path::new("")) };
    let root = folder.ancestors().find(|dir| ROOT_MARKS.iter().any(|mark| dir.join(mark).exists()));
    root.unwrap_or(folder).to_path_buf()
}

/// Remappings of `remappings.txt` and `foundry.toml` in one folder; relative targets stay relative to it.
pub(super) fn stated_remappings(folder: &Path) -> Vec<Remapping> {
    let mut found = Vec::new();
    if let Ok(text) = std::fs::read_to_string(folder.join("foundry.toml")) {
        found.extend(foundry_remappings(&text));
    }
    if let Ok(text) = std::fs::read_to_string(folder.join("remappings.txt")) {
        found.extend(text.lines().filter_map(|line| Remapping::parse(line).ok()));
    }
    found
}

fn foundry_remappings(text: &str) -> Vec<Remapping> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let profile = table.get("profile").and_then(|p| p.get("default"));
    let list = profile.and_then(|p| p.get("remappings")).or_else(|| table.get("remappings"));
    let lines = list.and_then(|l| l.as_array()).into_iter().flatten().filter_map(|v| v.as_str());
    lines.filter_map(|line| Remapping::parse(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foundry_toml() {
        let text =
            "[profile.default]\nsrc='src'\nremappings = [\n 'a/=lib/a/src/', # why\n \"b=c\",\n 'bad']\n";
        let found: Vec<_> = foundry_remappings(text).into_iter().map(|r| (r.prefix, r.target)).collect();
        assert_eq!(found, [("a/".into(), "lib/a/src/".into()), ("b".to_string(), "c".to_string())]);
        assert!(foundry_remappings("not toml [").is_empty());
    }
}
