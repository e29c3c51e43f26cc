//! What the compiler is asked: sources in memory with their remappings, or files on a command line.

use crate::args::ImportArgs;
use crate::input::{Input, load_memory, load_options, load_solidity};
use crate::verify::LOWERING;
use hornet_frontend::lower;
use hornet_frontend::source::{LoadOptions, Remapping};
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folders of other people's code, and of code that is never deployed.
const SKIPPED: [&str; 6] = ["node_modules", "npm", "lib", "test", "tests", "script"];

/// Endings of tests and scripts of Foundry.
const SKIPPED_ENDINGS: [&str; 2] = [".t.sol", ".s.sol"];

/// A request in standard JSON.
pub struct Request {
    /// As it came.
    pub text: String,
    /// With the texts of all sources.
    json: Value,
}

impl Request {
    /// Sources that are named by their place only are read: not every compiler can.
    pub fn read(text: String) -> Result<Request, String> {
        let mut json: Value =
            serde_json::from_str(&text).map_err(|e| format!("the request is not JSON: {e}"))?;
        let sources = json.get_mut("sources").and_then(Value::as_object_mut);
        for source in sources.into_iter().flat_map(|sources| sources.values_mut()) {
            let Some(source) = source.as_object_mut().filter(|s| !s.contains_key("content")) else {
                continue;
            };
            let content = places_of(source).find_map(|path| std::fs::read_to_string(path).ok());
            if let Some(content) = content {
                source.insert("content".to_owned(), Value::String(content));
            }
        }
        Ok(Request { text, json })
    }

    /// On one line, and complete.
    pub fn whole(&self) -> String {
        self.json.to_string()
    }

    pub fn is_solidity(&self) -> bool {
        self.json["language"] == "Solidity"
    }

    /// Names and texts.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        let sources = self.json["sources"].as_object().into_iter().flatten();
        sources.filter_map(|(name, source)| Some((name.as_str(), source.get("content")?.as_str()?)))
    }

    /// The sources as a program, as the compiler finds them.
    pub fn load(&self) -> Input {
        let remappings = self.json["settings"]["remappings"].as_array().into_iter().flatten();
        let remappings = remappings.filter_map(|r| Remapping::parse(r.as_str()?).ok()).collect();
        let options = LoadOptions { remappings, ..LoadOptions::in_memory() };
        let own: Vec<&str> = self.sources().map(|(name, _)| name).filter(|name| is_own(name)).collect();
        let via_ir = self.json["settings"]["viaIR"].as_bool().unwrap_or(false);
        load_memory(self.sources(), &own, options, lower::Options { via_ir, ..LOWERING })
    }
}

/// Where a source without text may be.
fn places_of(source: &Map<String, Value>) -> impl Iterator<Item = PathBuf> {
    let urls = source.get("urls").and_then(Value::as_array).into_iter().flatten();
    urls.filter_map(Value::as_str).map(|url| PathBuf::from(url.strip_prefix("file://").unwrap_or(url)))
}

/// Whether a source is what somebody wants verified: neither a library nor a test.
fn is_own(name: &str) -> bool {
    let skipped = Path::new(name).components().any(|c| SKIPPED.iter().any(|s| c.as_os_str() == *s));
    !skipped && !SKIPPED_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The sources on a command line.
pub fn solidity_files(args: &[OsString]) -> Vec<PathBuf> {
    let files = args.iter().map(PathBuf::from);
    files.filter(|path| path.extension().is_some_and(|e| e == "sol") && path.is_file()).collect()
}

/// Read as the compiler reads them: with the remappings and folders that its arguments name.
pub fn load_files(files: &[PathBuf], args: &[OsString]) -> Result<Input, String> {
    let texts: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    let after = |option: &str| -> Vec<PathBuf> {
        let pairs = texts.windows(2).filter(|pair| pair[0] == option);
        let joined = texts.iter().filter_map(|text| text.strip_prefix(option)?.strip_prefix('='));
        pairs.map(|pair| pair[1]).chain(joined).map(PathBuf::from).collect()
    };
    let is_remapping = |text: &&&str| !text.starts_with('-') && text.contains('=');
    let imports = ImportArgs {
        root: after("--base-path").into_iter().next(),
        include: [after("--include-path"), after("-I")].concat(),
        remap: texts.iter().filter(is_remapping).map(|text| (*text).to_owned()).collect(),
    };
    Ok(load_solidity(files, load_options(files, &imports)?, LOWERING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_tests_are_others_business() {
        for name in ["src/Bank.sol", "contracts/libs/Math.sol", "Bank.sol", "/abs/src/library.sol"] {
            assert!(is_own(name), "{name}");
        }
        for name in ["lib/forge-std/src/Test.sol", "node_modules/a/b.sol", "test/Bank.sol", "src/A.t.sol"] {
            assert!(!is_own(name), "{name}");
        }
    }

    #[test]
    fn sources_named_by_their_place_are_read() {
        let file = std::env::temp_dir().join(format!("hornet-request-{}.sol", std::process::id()));
        std::fs::write(&file, "contract C {}").unwrap();
        let urls = [format!("file://{}", file.display())];
        let text = serde_json::json!({ "sources": { "c.sol": { "urls": urls } } }).to_string();
        let request = Request::read(text.clone()).unwrap();
        std::fs::remove_file(&file).unwrap();
        assert_eq!(request.sources().collect::<Vec<_>>(), [("c.sol", "contract C {}")]);
        assert_eq!(request.text, text, "compilers that can read are asked as we were");
        assert!(Request::read(text).unwrap().sources().next().is_none(), "gone");
    }

    #[test]
    fn sources_and_remappings_come_from_the_request() {
        let request = r#"{"language": "Solidity", "settings": {"remappings": ["@a/=lib/a/"]}, "sources": {
            "src/b.sol": {"content": "import '@a/x.sol'; contract B is X { uint n; function f() public { n = 1; } }"},
            "lib/a/x.sol": {"content": "contract X {}"}}}"#;
        let request = Request::read(request.to_owned()).unwrap();
        assert!(request.is_solidity());
        let (loaded, _) =
            request.load().loaded().unwrap_or_else(|refusal| panic!("{:?}", refusal.diagnostics));
        assert_eq!(loaded.roots, ["src/b.sol"]);
        assert_eq!(loaded.program.contracts.iter().count(), 2);
        assert!(Request::read("{".to_owned()).is_err());
    }
}
