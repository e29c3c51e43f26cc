//! `hardhat.config.js` and its relatives: the literals in it. It is never run.

use super::Settings;
use super::literal::{Literal, member};
use super::setting::{Origin, Text};
use hornet_evm::machine::Fork;

/// Takes what can be read; says what could not.
pub fn read(text: &Text, settings: &mut Settings) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |at: usize, what: &str| {
        notes.push(format!("{}: {what} is not a literal, and is not understood", text.origin(at)));
    };
    settings.optimizer_runs.value = None;
    if let Some((at, sources)) = member(text.text, "sources") {
        match sources {
            Literal::Text(folder) => settings.targets.read(Some((vec![folder.into()], text.origin(at)))),
            _ => note(at, "`sources`"),
        }
    }
    let Some((at, solidity)) = member(text.text, "solidity") else { return notes };
    match &solidity {
        Literal::Text(version) => take_version(version, text.origin(at), settings),
        Literal::Object(_) => {
            let compiler = match solidity.get("compilers") {
                Some((_, Literal::List(all))) => all.first(),
                _ => Some(&solidity),
            };
            for (what, at) in compiler.map_or_else(Vec::new, |compiler| take(compiler, text, settings)) {
                note(at, what);
            }
        }
        _ => note(at, "`solidity`"),
    }
    notes
}

/// Returns what is no literal, with its place.
fn take(compiler: &Literal, text: &Text, settings: &mut Settings) -> Vec<(&'static str, usize)> {
    let mut strange = Vec::new();
    match compiler.get("version") {
        Some((at, Literal::Text(version))) => take_version(version, text.origin(at), settings),
        Some((at, _)) => strange.push(("`version`", at)),
        None => {}
    }
    let Some((at, stated)) = compiler.get("settings") else { return strange };
    if !matches!(stated, Literal::Object(_)) {
        strange.push(("`settings`", at));
    }
    if let Some((at, optimizer)) = stated.get("optimizer") {
        let runs = match optimizer.get("runs") {
            Some((_, Literal::Number(runs))) => *runs as u32,
            _ => super::USUAL_RUNS,
        };
        match optimizer.get("enabled") {
            Some((_, Literal::Bool(on))) => {
                settings.optimizer_runs.read(Some((on.then_some(runs), text.origin(at))));
            }
            _ => strange.push(("`optimizer.enabled`", at)),
        }
    }
    match stated.get("viaIR") {
        Some((at, Literal::Bool(on))) => settings.via_ir.read(Some((*on, text.origin(at)))),
        Some((at, _)) => strange.push(("`viaIR`", at)),
        None => {}
    }
    match stated.get("evmVersion") {
        Some((at, Literal::Text(name))) => match Fork::from_name(name) {
            Some(fork) => settings.evm_version.read(Some((Some(fork), text.origin(at)))),
            None => strange.push(("a known `evmVersion`", at)),
        },
        Some((at, _)) => strange.push(("`evmVersion`", at)),
        None => {}
    }
    strange
}

fn take_version(version: &str, origin: Origin, settings: &mut Settings) {
    if let Ok(version) = version.parse() {
        settings.solc.read(Some((Some(version), origin)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Settings, Vec<String>) {
        let mut settings = Settings::default();
        let notes = read(&Text { name: "hardhat.config.js", text }, &mut settings);
        (settings, notes)
    }

    #[test]
    fn literals_are_taken_and_code_is_told() {
        let (settings, notes) = read_text(
            "require('x');\nmodule.exports = {\n  paths: { sources: './code' },\n  solidity: {\n    version: '0.8.19',\n    settings: {\n      optimizer: { enabled: true, runs: 999 },\n      viaIR: process.env.IR,\n    },\n  },\n};",
        );
        assert_eq!(settings.optimizer_runs.value, Some(999));
        assert_eq!(settings.optimizer_runs.origin.to_string(), "hardhat.config.js:7");
        assert_eq!(settings.solc.value.map(|v| v.to_string()).as_deref(), Some("0.8.19"));
        assert_eq!(settings.targets.value, [std::path::PathBuf::from("./code")]);
        assert_eq!(notes, ["hardhat.config.js:8: `viaIR` is not a literal, and is not understood"]);
    }

    #[test]
    fn several_compilers_and_plain_versions() {
        let (settings, _) =
            read_text("export default { solidity: { compilers: [{ version: '0.7.6' }, {}] } }");
        assert_eq!(settings.solc.value.map(|v| v.to_string()).as_deref(), Some("0.7.6"));
        let (settings, notes) = read_text("const config = { solidity: \"0.8.28\" };");
        assert_eq!((settings.optimizer_runs.value, notes.len()), (None, 0));
        assert_eq!(read_text("{ solidity: versions[0] }").1.len(), 1);
    }
}
