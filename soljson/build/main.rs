//! Takes the newest Solidity compiler that set-up fetched out of its JavaScript: the WebAssembly, still packed, and what
//! the glue around it calls the module's imports and exports.

mod glue;
mod packed;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=../scripts/versions.sh");
    println!("cargo::rerun-if-env-changed=HORNET_TOOLCHAIN");
    if let Err(problem) = extract() {
        println!("cargo::error=the Solidity compiler cannot be built in: {problem}");
        println!("cargo::error=`make setup` fetches it; `--no-default-features` leaves it out");
    }
}

fn extract() -> Result<(), String> {
    let version = newest_version()?;
    let script = compiler_script(&version)?;
    println!("cargo::rerun-if-changed={}", script.display());
    let shown = script.display();
    let text = std::fs::read_to_string(&script).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
    let odd = |what: String| format!("`{shown}` is not as expected: {what}");
    let (packed, glue) = packed::split(&text).map_err(odd)?;
    let mut names = format!("pub const VERSION: &str = {version:?};\n");
    names += &format!("pub const UNPACKED_BYTES: usize = {};\n", packed.unpacked_bytes);
    names += &table(
        "IMPORTS",
        "By what the module says: what the glue calls it.",
        &glue::imports(glue).map_err(odd)?,
    );
    names += &table(
        "EXPORTS",
        "By what the glue calls it: what the module says.",
        &glue::exports(glue).map_err(odd)?,
    );
    write("packed.bin", &packed.blocks)?;
    write("names.rs", names.as_bytes())
}

/// As in `scripts/versions.sh`, which has the newest first.
fn newest_version() -> Result<String, String> {
    let text = std::fs::read_to_string("../scripts/versions.sh").map_err(|e| e.to_string())?;
    let stated = text.lines().find_map(|line| line.strip_prefix("SOLC_VERSIONS=\""));
    let newest = stated.and_then(|versions| versions.split([' ', '"']).next());
    newest.map(str::to_owned).ok_or_else(|| "`scripts/versions.sh` names no SOLC_VERSIONS".to_owned())
}

/// Where set-up puts it; in a fresh clone set-up runs now.
fn compiler_script(version: &str) -> Result<PathBuf, String> {
    let toolchain =
        std::env::var_os("HORNET_TOOLCHAIN").map_or_else(|| "../.toolchain".into(), PathBuf::from);
    let script = toolchain.join(format!("solc/node_modules/solc-{version}/soljson.js"));
    if !script.is_file() {
        let done = Command::new("../scripts/setup.sh").arg("solc").status();
        if !done.is_ok_and(|status| status.success()) || !script.is_file() {
            return Err(format!("solc {version} is missing and `scripts/setup.sh` could not fetch it"));
        }
    }
    Ok(script)
}

fn table(name: &str, comment: &str, pairs: &[(String, String)]) -> String {
    let mut text = format!("/// {comment}\npub const {name}: &[(&str, &str)] = &[\n");
    for (from, to) in pairs {
        let _ = writeln!(text, "    ({from:?}, {to:?}),");
    }
    text + "];\n"
}

fn write(name: &str, bytes: &[u8]) -> Result<(), String> {
    let folder = std::env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?;
    std::fs::write(Path::new(&folder).join(name), bytes).map_err(|e| format!("cannot write {name}: {e}"))
}
