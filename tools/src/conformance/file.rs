//! A test file: sources, settings, and the block of calls behind them.

use std::collections::BTreeMap;
use std::path::Path;

use hornet_evm::machine::Fork;

use super::calls::{self, Call};

#[derive(Clone, Debug)]
pub struct TestFile {
    /// Sources by the name that imports use; a file without names has one source named by the empty string.
    pub sources: BTreeMap<String, String>,
    /// The source whose last contract is the one under test.
    pub main: String,
    pub settings: BTreeMap<String, String>,
    pub calls: Vec<Call>,
}

impl TestFile {
    pub fn read(path: &Path) -> Result<TestFile, String> {
        TestFile::parse(&read_text(path)?, folder_of(path))
    }

    /// As [`Self::read`], but what stands behind the sources is left unread: other corpora record other things there.
    pub fn read_sources(path: &Path) -> Result<TestFile, String> {
        TestFile::sections(&read_text(path)?, folder_of(path)).map(|(file, _)| file)
    }

    /// Whether a text has a block of calls at all (the corpora also hold files that others import).
    pub fn has_calls(text: &str) -> bool {
        text.lines().any(|line| line.starts_with("// ----"))
    }

    pub fn parse(text: &str, folder: &Path) -> Result<TestFile, String> {
        let (mut file, block) = TestFile::sections(text, folder)?;
        file.calls = calls::parse(&block)?;
        Ok(file)
    }

    fn sections<'t>(text: &'t str, folder: &Path) -> Result<(TestFile, Vec<&'t str>), String> {
        let mut file = TestFile {
            sources: BTreeMap::new(),
            main: String::new(),
            settings: BTreeMap::new(),
            calls: Vec::new(),
        };
        let mut lines = text.lines();
        let mut source = String::new();
        let mut in_settings = false;
        for line in lines.by_ref() {
            if line.starts_with("// ----") {
                break;
            } else if line.starts_with("// ====") {
                in_settings = true;
            } else if in_settings {
                file.add_setting(line);
            } else if let Some(name) = section(line, "==== Source:") {
                file.close_source(&mut source);
                file.main = name.to_owned();
            } else if let Some(name) = section(line, "==== ExternalSource:") {
                let (name, path) = name.split_once('=').unwrap_or((name, name));
                let text = std::fs::read_to_string(folder.join(path))
                    .map_err(|e| format!("external source `{path}`: {e}"))?;
                file.sources.insert(name.to_owned(), text);
            } else {
                source.push_str(line);
                source.push('\n');
            }
        }
        file.close_source(&mut source);
        Ok((file, lines.collect()))
    }

    fn close_source(&mut self, source: &mut String) {
        let text = std::mem::take(source);
        if !text.trim().is_empty() || (self.sources.is_empty() && !self.main.is_empty()) {
            self.sources.insert(self.main.clone(), text);
        }
    }

    fn add_setting(&mut self, line: &str) {
        if let Some((key, value)) = line.trim_start_matches('/').split_once(':') {
            self.settings.insert(key.trim().to_owned(), value.trim().to_owned());
        }
    }

    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }

    pub fn is_set(&self, key: &str) -> bool {
        self.setting(key) == Some("true")
    }

    /// The newest fork, not beyond `newest`, for which the expectations were written.
    pub fn fork(&self, newest: Fork) -> Option<Fork> {
        let Some(condition) = self.setting("EVMVersion") else { return Some(newest) };
        let name = condition.trim_start_matches(['<', '>', '=']);
        let operator = &condition[..condition.len() - name.len()];
        let bound = Fork::from_name(name.trim())?;
        let fits = |fork: &Fork| match operator {
            "<" => *fork < bound,
            "<=" => *fork <= bound,
            ">" => *fork > bound,
            ">=" => *fork >= bound,
            _ => *fork == bound,
        };
        Fork::ALL.into_iter().rev().filter(|fork| *fork <= newest).find(fits)
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

fn section<'a>(line: &'a str, prefix: &str) -> Option<&'a str> {
    Some(line.strip_prefix(prefix)?.trim().strip_suffix("====")?.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_settings_and_calls_are_told_apart() {
        let text = "==== Source: a.sol ====\ncontract A {}\n==== Source: b.sol ====\nimport \"a.sol\";\n\
                    contract B is A {}\n// ====\n// EVMVersion: <cancun\n// ----\n// f() -> 1\n// gas legacy: 3\n";
        let file = TestFile::parse(text, Path::new(".")).unwrap();
        assert_eq!(file.sources.keys().collect::<Vec<_>>(), ["a.sol", "b.sol"]);
        assert_eq!(file.main, "b.sol");
        assert_eq!(file.fork(Fork::Osaka), Some(Fork::Shanghai));
        assert_eq!(file.calls.len(), 1);
        assert_eq!(file.calls[0].gas_lines, 1);
    }
}
