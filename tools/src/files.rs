//! Finding the files to work on.

use std::path::{Path, PathBuf};

/// All Solidity files at or below a path, sorted.
pub fn solidity_files(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(path, &mut files);
    files.sort();
    files
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "sol") {
        files.push(path.to_owned());
    }
}
