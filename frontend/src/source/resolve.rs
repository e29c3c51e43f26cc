//! From an import path to a source: relative paths, remappings, and the folders searched.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;

use super::project::{LoadOptions, stated_remappings};
use super::remapping::{self, Remapping};

/// The source that imports: its name in the virtual file system and, if it was read from disk, its path.
#[derive(Clone, Copy)]
pub(super) struct Importer<'a> {
    pub name: &'a str,
    pub path: Option<&'a Path>,
}

pub(super) enum Found {
    Memory(String),
    Disk {
        name: String,
        path: PathBuf,
    },
    /// The places that were tried.
    Nowhere(Vec<String>),
}

pub(super) struct Resolver {
    pub options: LoadOptions,
    /// Remappings stated in folders of libraries, by folder.
    nested: FxHashMap<PathBuf, Vec<Remapping>>,
}

impl Resolver {
    pub fn new(options: LoadOptions) -> Self {
        Resolver { options, nested: FxHashMap::default() }
    }

    pub fn find(&mut self, import: &str, importer: Importer<'_>, in_memory: impl Fn(&str) -> bool) -> Found {
        let name = absolute_name(import, importer.name);
        let name = remapping::apply(&self.options.remappings, &name, importer.name).unwrap_or(name);
        if in_memory(&name) {
            return Found::Memory(name);
        }
        let mut tried = Vec::new();
        if self.options.disk {
            for (name, path) in self.candidates(import, &name, importer) {
                if path.is_file() {
                    return Found::Disk { name, path };
                }
                tried.push(path.display().to_string());
            }
        } else {
            tried.push(name);
        }
        Found::Nowhere(tried)
    }

    /// Places on disk in the order they are tried, each with the name the source would get.
    fn candidates(&mut self, import: &str, name: &str, importer: Importer<'_>) -> Vec<(String, PathBuf)> {
        let mut places = Vec::new();
        let mut add = |name: &str, path: PathBuf| {
            let path = normal_path(&path);
            if !places.iter().any(|(_, known)| *known == path) {
                places.push((name.to_string(), path));
            }
        };
        let relative = is_relative(import);
        if relative && let Some(folder) = importer.path.and_then(Path::parent) {
            add(name, folder.join(import));
        }
        add(name, self.options.base.join(name));
        for folder in &self.options.include {
            add(name, folder.join(name));
        }
        if !self.options.conventions || relative {
            return places;
        }
        let folders = self.folders_above(importer);
        for folder in folders.iter().filter(|folder| **folder != self.options.base) {
            let nested = self.nested.entry(folder.clone()).or_insert_with(|| stated_remappings(folder));
            if let Some(target) = remapping::apply(nested, import, "") {
                add(&target, folder.join(&target));
            }
        }
        for folder in &folders {
            add(name, folder.join("node_modules").join(name));
            library_places(&folder.join("lib"), name).into_iter().for_each(|path| add(name, path));
        }
        for library in subfolders(&self.options.base.join("lib")) {
            library_places(&library.join("lib"), name).into_iter().for_each(|path| add(name, path));
        }
        places
    }

    /// The importer's folder and those above it, nearest first, and the base.
    fn folders_above(&self, importer: Importer<'_>) -> Vec<PathBuf> {
        let near = importer.path.and_then(Path::parent).into_iter().flat_map(Path::ancestors);
        let mut folders: Vec<PathBuf> =
            near.filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_path_buf).collect();
        if !folders.contains(&self.options.base) {
            folders.push(self.options.base.clone());
        }
        folders
    }
}

/// `x/Y.sol` may be `lib/x/src/Y.sol`, `lib/x/contracts/Y.sol` or `lib/x/Y.sol`.
fn library_places(lib: &Path, name: &str) -> Vec<PathBuf> {
    if !lib.is_dir() {
        return Vec::new();
    }
    let Some((library, rest)) = name.split_once('/') else { return Vec::new() };
    let library = lib.join(library);
    vec![library.join("src").join(rest), library.join("contracts").join(rest), library.join(rest)]
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<_> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn is_relative(import: &str) -> bool {
    import.starts_with("./") || import.starts_with("../")
}

/// The name an import path means inside the source called `importer`.
pub(super) fn absolute_name(import: &str, importer: &str) -> String {
    if !is_relative(import) {
        return import.to_string();
    }
    let rooted = importer.starts_with('/');
    let mut parts: Vec<&str> = importer.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    parts.pop();
    for part in import.split('/') {
        match part {
            "" | "." => (),
            // Above the root of a named source there is nothing; a plain relative name keeps its `..`.
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => (),
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if rooted { format!("/{joined}") } else { joined }
}

/// Takes out `.` and `x/..` without asking the disk, so that places read well in messages.
fn normal_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => (),
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::ParentDir | Component::Normal(_) => {
                out.push(part)
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_names() {
        for (import, importer, name) in [
            ("./b.sol", "a.sol", "b.sol"),
            ("../b.sol", "x/y/a.sol", "x/b.sol"),
            ("./../b.sol", "x/y/a.sol", "x/b.sol"),
            ("b.sol", "x/a.sol", "b.sol"),
            ("../../b.sol", "x/a.sol", "../b.sol"),
            ("../../b.sol", "/x/a.sol", "/b.sol"),
            (".//b.sol", "x/a.sol", "x/b.sol"),
            ("/abs/b.sol", "x/a.sol", "/abs/b.sol"),
            ("./b.sol", "@oz/contracts/a.sol", "@oz/contracts/b.sol"),
        ] {
            assert_eq!(absolute_name(import, importer), name, "{import} in {importer}");
        }
    }

    #[test]
    fn paths_without_detours() {
        assert_eq!(normal_path(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(normal_path(Path::new("../a")), Path::new("../a"));
    }
}
