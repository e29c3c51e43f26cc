//! From files and folders on the command line to files.

use std::path::{Path, PathBuf};

/// Folders of other people's code and of tools.
const SKIPPED: [&str; 2] = ["node_modules", "lib"];

/// The files themselves, and for a folder all `.sol` files below it in the order of their names.
pub fn sources_at(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            collect(path, &mut found)?;
            if found.len() == before {
                return Err(format!("there are no `.sol` files in `{}`", path.display()));
            }
        } else if path.extension().is_some_and(|e| e == "ir") {
            return Err(format!("`{}` is not Solidity: `hornet verify` reads `.sol` files", path.display()));
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |e: std::io::Error| format!("cannot read `{}`: {e}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Links to folders are not followed: they may lead back up.
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_dir() {
            if !SKIPPED.contains(&&*name) && !name.starts_with('.') {
                collect(&entry.path(), found)?;
            }
        } else if name.ends_with(".sol") && entry.path().is_file() {
            found.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_in_order_without_libraries() {
        let top = std::env::temp_dir().join(format!("hornet-files-{}", std::process::id()));
        for folder in ["src/b", "src/node_modules/x", "src/.git", "src/lib", "none/lib"] {
            std::fs::create_dir_all(top.join(folder)).unwrap();
        }
        for file in [
            "src/z.sol",
            "src/a.sol",
            "src/b/c.sol",
            "src/a.txt",
            "src/node_modules/x/y.sol",
            "src/.git/h.sol",
        ] {
            std::fs::write(top.join(file), "").unwrap();
        }
        std::fs::write(top.join("src/lib/l.sol"), "").unwrap();
        std::fs::write(top.join("none/lib/l.sol"), "").unwrap();
        let expected: Vec<PathBuf> =
            ["a.sol", "b/c.sol", "z.sol"].iter().map(|f| top.join("src").join(f)).collect();
        assert_eq!(sources_at(&[top.join("src")]), Ok(expected));
        assert!(sources_at(&[top.join("none")]).is_err());
        // Named explicitly, a library is verified like anything else.
        assert_eq!(sources_at(&[top.join("none/lib")]), Ok(vec![top.join("none/lib/l.sol")]));
        std::fs::remove_dir_all(&top).unwrap();
    }
}
