//! `--test-out`: each run that breaks something as a Foundry test.

use super::text::Results;
use hornet_encoder::Verdict;
use hornet_evm::compiler::Arithmetic;
use hornet_evm::foundry_test::{Options, foundry_test};
use hornet_evm::replay::arithmetic_of;
use hornet_ir::program::Program;
use hornet_ir::span::SourceMap;
use hornet_ir::text::kind_name;
use hornet_ir::trace::Trace;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The text of a test that lies in `folder`; an error says why there is none.
pub fn test(program: &Program, sources: &SourceMap, trace: &Trace, folder: &Path) -> Result<String, String> {
    let source = &sources.file(trace.failure.span.file).name;
    let contract = &program.contracts[trace.contract];
    let file = if contract.file.is_empty() { source } else { &contract.file };
    let import = relative(folder, Path::new(file));
    let arithmetic =
        arithmetic_of(program, |file| file == trace.failure.span.file).unwrap_or(Arithmetic::Checked);
    let test = foundry_test(program, sources, trace, &Options { import: &import, arithmetic })?;
    Ok(test.text)
}

impl Results<'_> {
    /// Writes what there is; how many files that are.
    pub fn write_tests(&self, folder: &Path) -> Result<usize, String> {
        let mut written = BTreeSet::new();
        for (check, evidence) in self.report.checks.iter().zip(self.evidence) {
            let (Verdict::Violated, Some(run)) = (&check.verdict, &evidence.run) else { continue };
            let Some(Ok(text)) = &run.test else { continue };
            let function = self.function(check);
            let contract = &self.program.contracts[function.contract].name;
            let line = self.files.position(check.span).line;
            let path = folder.join(file_name(contract, &function.name, kind_name(check.kind), line));
            std::fs::write(&path, text)
                .map_err(|e| format!("--test-out: cannot write `{}`: {e}", path.display()))?;
            written.insert(path);
        }
        Ok(written.len())
    }
}

/// `Bank_withdraw_assertion_27.t.sol`, with what is unusual in file names left out.
pub fn file_name(contract: &str, function: &str, kind: &str, line: usize) -> String {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    format!("{}_{}_{}_{line}.t.sol", plain(contract), plain(function), plain(kind))
}

/// The way from a folder to a file, as imports want it.
pub fn relative(folder: &Path, file: &Path) -> String {
    let full = |path: &Path| -> PathBuf {
        std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
    };
    let (folder, file) = (full(folder), full(file));
    let (from, to): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - common);
    let down = to[common..].iter().map(|c| c.as_os_str().to_string_lossy().into_owned());
    let way = up.chain(down).collect::<Vec<_>>().join("/");
    if way.starts_with("..") { way } else { format!("./{way}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_folders() {
        let way = |folder: &str, file: &str| relative(Path::new(folder), Path::new(file));
        assert_eq!(way("/nowhere/test", "/nowhere/src/Bank.sol"), "../src/Bank.sol");
        assert_eq!(way("/nowhere", "/nowhere/src/Bank.sol"), "./src/Bank.sol");
        assert_eq!(way("/nowhere/a/b", "/nowhere/Bank.sol"), "../../Bank.sol");
    }

    #[test]
    fn names_of_files() {
        assert_eq!(file_name("Bank", "withdraw", "assertion", 27), "Bank_withdraw_assertion_27.t.sol");
        assert_eq!(
            file_name("Bank", "[constructor]", "out-of-bounds", 3),
            "Bank_constructor_outofbounds_3.t.sol"
        );
    }
}
