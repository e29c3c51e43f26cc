//! Compilers as programs to start with arguments, for those who take solc's place.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Compilers, SolcError};
use crate::pragma::Version;

/// Set for every compiler that is started as a program: whoever takes solc's place can see that it was started by itself.
pub const INSIDE: &str = "HORNET_INSIDE_SOLC";

impl Compilers {
    /// A compiler by the path of the program, or an installed one by its version.
    pub fn named(name: &str) -> Result<(Compilers, Version), SolcError> {
        match name.parse() {
            Ok(version) if !Path::new(name).exists() => {
                let found = Compilers::find()?;
                found.installed(version).map(|version| (found, version))
            }
            _ => Compilers::of_program(Path::new(name)),
        }
    }

    /// How long a compilation may take.
    pub fn with_limit(self, limit: Duration) -> Compilers {
        Compilers { limit, ..self }
    }

    /// Whether it is a program of its own, and neither one that node runs nor built in.
    pub fn is_program(&self, version: Version) -> bool {
        self.programs.contains_key(&version)
    }

    /// The command that takes solc's arguments. What node runs understands fewer of them, what is built in fewer still.
    pub fn command(&self, version: Version) -> Command {
        if let Some(program) = self.programs.get(&version) {
            return of_program(program);
        }
        if let (Some(built_in), Some(_)) = (&self.built_in, self.only_built_in().filter(|v| *v == version)) {
            return built_in.command();
        }
        let folder = self.modules.join(format!("solc-{version}"));
        // It was called otherwise once.
        let scripts = ["solc.js", "solcjs"].map(|name| folder.join(name));
        let script = scripts.iter().find(|path| path.is_file()).unwrap_or(&scripts[0]);
        let mut command = Command::new("node");
        command.arg("--stack-size=3900").arg(script);
        command
    }
}

pub(super) fn of_program(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env(INSIDE, "1");
    command
}

/// What is in `HORNET_SOLC`.
pub(super) enum Stated {
    Program(PathBuf),
    Version(Version),
}

pub(super) fn stated() -> Option<Stated> {
    let stated = std::env::var("HORNET_SOLC").ok().filter(|name| !name.is_empty())?;
    Some(match stated.parse() {
        Ok(version) if !Path::new(&stated).exists() => Stated::Version(version),
        _ => Stated::Program(PathBuf::from(stated)),
    })
}

/// For whoever misses it.
pub fn how_to_install(version: Version) -> String {
    format!(
        "`svm install {version}` installs it, as does Foundry when it builds; so does \
         `npm install --prefix DIR solc-{version}@npm:solc@{version}`, with HORNET_SOLC_DIR=DIR"
    )
}

/// Whether somebody wants a certain compiler, so that another one would not do.
pub fn is_stated() -> bool {
    stated().is_some()
}

/// The program that a shell would start, unless that is ourselves under its name.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let folders = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name));
    found.into_iter().find(|path| path.is_file() && std::fs::canonicalize(path).ok() != own)
}
