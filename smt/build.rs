//! Makes sure libz3 is there and that this package's own tests find it, and the solver programs, at run time.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=../scripts/setup.sh");
    println!("cargo::rerun-if-changed=../scripts/versions.sh");
    println!("cargo::rerun-if-env-changed=HORNET_TOOLCHAIN");
    if std::env::var_os("CARGO_FEATURE_VENDORED").is_some() {
        return;
    }
    let toolchain =
        std::env::var_os("HORNET_TOOLCHAIN").map_or_else(|| "../.toolchain".into(), PathBuf::from);
    if !toolchain.join("z3/lib").exists() {
        // A plain `cargo build` in a fresh clone: the linker comes after us, so there is still time.
        let done = Command::new("../scripts/setup.sh").arg("z3").status();
        if !done.is_ok_and(|status| status.success()) {
            println!("cargo::error=libz3 is missing and `scripts/setup.sh` could not fetch it");
            return;
        }
    }
    link_rpath(&toolchain);
    // Where the solvers' programs are, for `Solver::find`.
    let toolchain = toolchain.canonicalize().unwrap_or(toolchain);
    println!("cargo::rustc-env=HORNET_SOLVERS={}", toolchain.display());
}

include!("../scripts/rpath.rs");
