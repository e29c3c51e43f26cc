//! The C++ library that a Z3 built from source needs, taken into the program: others have another version of it, or none.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Says which library the compiler's headers belong to, and nothing where they are too old for Z3.
const PROBE: &str = "build/probe.cpp";

const HELP: &str = "install GCC 13 or newer, or clang with libc++ 17 or newer, and name it in CXX (and CXXFLAGS=-stdlib=libc++)";

const CMAKE_HELP: &str = "`scripts/setup.sh vendored` fetches CMake into the cache, and CMAKE names it";

/// Names of the archives, without `lib`.
pub struct Library(Vec<String>);

impl Library {
    /// That of the compiler which Z3 is compiled with.
    pub fn of_compiler() -> Result<Library, String> {
        if Command::new(cmake()).arg("--version").stdout(Stdio::null()).status().is_err() {
            return Err(format!("`{}` does not start; {CMAKE_HELP}", cmake()));
        }
        let shown = compiler().path().display().to_string();
        let mut probe = compiler().to_command();
        probe.args(["-std=c++20", "-E", "-P", PROBE]);
        let output =
            probe.output().map_err(|e| format!("the C++ compiler `{shown}` does not start: {e}; {HELP}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let names = said.lines().rev().find_map(|line| line.strip_prefix("library "));
        let names = names.filter(|_| output.status.success());
        let names = names.ok_or_else(|| format!("the C++ compiler `{shown}` has no <format>; {HELP}"))?;
        Ok(Library(names.split_whitespace().map(str::to_owned).collect()))
    }

    /// The archives where there are any, else the library that is loaded when the program starts.
    pub fn link(&self) {
        for name in &self.0 {
            match archive(name) {
                Some(path) => println!("cargo::rustc-link-arg={}", path.display()),
                None => println!("cargo::rustc-link-arg=-l{name}"),
            }
        }
        println!("cargo::rustc-link-arg=-lm");
    }
}

fn cmake() -> String {
    println!("cargo::rerun-if-env-changed=CMAKE");
    std::env::var("CMAKE").unwrap_or_else(|_| "cmake".to_owned())
}

fn compiler() -> cc::Tool {
    cc::Build::new().cpp(true).get_compiler()
}

/// Where the compiler keeps it. What it does not have it gives back as asked.
fn archive(name: &str) -> Option<PathBuf> {
    let asked = format!("lib{name}.a");
    let output = compiler().to_command().arg(format!("-print-file-name={asked}")).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    Some(Path::new(path.trim()).to_owned()).filter(|path| path.is_absolute() && path.is_file())
}
