//! Build script of the packages that link libz3 through `hornet-smt`.

use std::path::{Path, PathBuf};

pub fn main() {
    println!("cargo::rerun-if-env-changed=HORNET_TOOLCHAIN");
    if let Some(toolchain) = std::env::var_os("HORNET_TOOLCHAIN") {
        link_rpath(&PathBuf::from(toolchain));
    }
}

include!("rpath.rs");
