use std::path::{Path, PathBuf};

use hornet_ir::span::FileId;

use super::*;
use crate::version::Version;

/// A folder of its own for one test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("hornet-source-{}-{test}", std::process::id()));
        for (name, text) in files {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Loads one file with the project's conventions.
    fn load(&self, name: &str) -> LoadedSources {
        Loader::new(LoadOptions::for_source(&self.path(name))).load_paths([self.path(name)])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn memory(sources: &[(&str, &str)]) -> LoadedSources {
    let mut loader = Loader::new(LoadOptions::in_memory());
    sources.iter().for_each(|(name, text)| loader.add_source(*name, *text));
    loader.load_names(sources.iter().map(|(name, _)| *name))
}

fn messages(loaded: &LoadedSources) -> Vec<String> {
    loaded.diagnostics.iter().map(|d| d.message.clone()).collect()
}

fn file_names(loaded: &LoadedSources) -> Vec<&str> {
    loaded
        .map
        .files()
        .map(|(_, f)| Path::new(&f.name).file_name().and_then(|n| n.to_str()).unwrap_or(""))
        .collect()
}

#[test]
fn sources_in_memory_import_each_other() {
    let loaded = memory(&[
        ("a", "import 'd/b.sol'; import {X as Y} from './c'; contract A {}"),
        ("d/b.sol", "import * as C from '../c'; import 'a'; contract B {}"),
        ("c", "import './d/b.sol' as B; contract X {}"),
    ]);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(loaded.roots, [FileId(0), FileId(1), FileId(2)]);
    let targets = |id: u32| loaded.imports_of(FileId(id)).map(|(_, to)| to.map(|f| f.0)).collect::<Vec<_>>();
    assert_eq!(targets(0), [Some(1), Some(2)]);
    assert_eq!(targets(1), [Some(2), Some(0)]);
    assert_eq!(targets(2), [Some(1)]);
}

#[test]
fn missing_imports_are_errors_at_the_path() {
    let loaded = memory(&[("a", "import 'nope'; import {X} from './gone.sol'; import '';")]);
    assert_eq!(
        messages(&loaded),
        ["cannot find `nope`", "cannot find `./gone.sol`", "an import path cannot be empty"]
    );
    let first = &loaded.diagnostics[1];
    assert_eq!(loaded.map.snippet(first.span.expect("a place")), "'./gone.sol'");
    assert_eq!(first.help.as_deref(), Some("looked for gone.sol"));
    assert_eq!(loaded.file(FileId(0)).imports, [None, None, None]);
}

#[test]
fn one_file_by_two_paths() {
    let folder = Folder::new(
        "twice",
        &[
            ("a.sol", "import './x/../b.sol'; import 'b.sol'; import './x/c.sol';"),
            ("b.sol", ""),
            ("x/c.sol", "import '../b.sol';"),
        ],
    );
    let loaded = Loader::new(LoadOptions::plain(&folder.0))
        .load_paths([folder.path("a.sol"), folder.path("x/../a.sol")]);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(file_names(&loaded), ["a.sol", "b.sol", "c.sol"]);
    assert_eq!(loaded.roots, [FileId(0)]);
}

#[test]
fn project_conventions() {
    let folder = Folder::new(
        "project",
        &[
            ("foundry.toml", "[profile.default]\nremappings = ['@map/=deps/map/']\n"),
            ("remappings.txt", "other=deps/other\n"),
            (
                "src/A.sol",
                "import '@map/M.sol'; import 'other/O.sol'; import 'forge/F.sol'; import '@npm/pkg/N.sol'; \
                 import 'plain/P.sol'; import 'src/B.sol'; import 'hidden/H.sol';",
            ),
            ("src/B.sol", ""),
            ("deps/map/M.sol", "import './M2.sol';"),
            ("deps/map/M2.sol", ""),
            ("deps/other/O.sol", ""),
            ("lib/forge/src/F.sol", "import 'inner/I.sol';"),
            ("lib/forge/remappings.txt", "inner/=vendored/\n"),
            ("lib/forge/vendored/I.sol", ""),
            ("lib/forge/lib/hidden/contracts/H.sol", ""),
            ("lib/plain/P.sol", ""),
            ("node_modules/@npm/pkg/N.sol", "import '../pkg/N2.sol';"),
            ("node_modules/@npm/pkg/N2.sol", ""),
        ],
    );
    let loaded = folder.load("src/A.sol");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let mut names = file_names(&loaded);
    names.sort();
    assert_eq!(
        names,
        ["A.sol", "B.sol", "F.sol", "H.sol", "I.sol", "M.sol", "M2.sol", "N.sol", "N2.sol", "O.sol", "P.sol"]
    );
}

#[test]
fn include_folders_follow_the_base() {
    let folder = Folder::new(
        "include",
        &[("a.sol", "import 'x.sol'; import 'y.sol';"), ("x.sol", ""), ("inc/x.sol", ""), ("inc/y.sol", "")],
    );
    let mut options = LoadOptions::plain(&folder.0);
    options.include.push(folder.path("inc"));
    let loaded = Loader::new(options).load_paths([folder.path("a.sol")]);
    assert_eq!(loaded.map.file(FileId(1)).name, folder.path("x.sol").display().to_string());
    assert_eq!(loaded.map.file(FileId(2)).name, folder.path("inc/y.sol").display().to_string());
}

#[test]
fn unreadable_files() {
    let folder = Folder::new(
        "bad",
        &[("good.sol", "import './junk.sol'; import './dir.sol'; contract C {}"), ("dir.sol/x", "")],
    );
    std::fs::write(folder.path("junk.sol"), b"contract J {} \xff\xfe\x00").expect("a file");
    let loaded = folder.load("good.sol");
    assert_eq!(messages(&loaded), ["byte 14 of the file is not UTF-8", "cannot find `./dir.sol`"]);
    let missing = folder.load("missing.sol");
    assert!(
        messages(&missing)[0].starts_with("cannot read `") && messages(&missing)[0].ends_with("no such file")
    );
    let directory = folder.load("dir.sol");
    assert!(messages(&directory)[0].ends_with("not a file"), "{:?}", messages(&directory));
    assert!(memory(&[]).files.is_empty());
}

#[test]
fn files_joined_by_imports_share_a_version() {
    let loaded = memory(&[
        ("a", "pragma solidity ^0.5.0; import 'b';"),
        ("b", "pragma solidity >=0.4.0; import 'c'; contract receive { uint fallback; }"),
        ("c", "contract virtual {}"),
        ("lone", "contract L {}"),
    ]);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    assert_eq!(loaded.version_of(FileId(1)), Version::new(0, 5, 17));
    assert!(format!("{:?}", loaded.file(FileId(1)).unit).contains("\"receive\""));
    assert_eq!(loaded.version_of(FileId(2)), Version::new(0, 5, 17));
    assert_eq!(loaded.version_of(FileId(3)), Version::NEWEST);
}

#[test]
fn contradicting_pragmas() {
    let loaded = memory(&[("a", "pragma solidity ^0.5.0; import 'b';"), ("b", "pragma solidity ^0.8.0;")]);
    assert_eq!(
        messages(&loaded),
        ["no compiler satisfies this pragma and those of the files compiled with it"]
    );
    assert_eq!(loaded.diagnostics[0].span.map(|s| s.file), Some(FileId(1)));
    assert_eq!(loaded.diagnostics[0].labels.len(), 1);
}

#[test]
fn a_given_compiler_decides() {
    let mut options = LoadOptions::in_memory();
    options.compiler = Some(Version::new(0, 8, 4));
    let mut loader = Loader::new(options.clone());
    loader.add_source("a", "pragma solidity ^0.8.0;");
    assert_eq!(loader.load_names(["a"]).version_of(FileId(0)), Version::new(0, 8, 4));
    let mut loader = Loader::new(options);
    loader.add_source("a", "pragma solidity ^0.7.0;");
    assert_eq!(messages(&loader.load_names(["a"])), ["this pragma does not admit compiler 0.8.4"]);
}
