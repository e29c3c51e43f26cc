//! The compiler that does the work: the one that `HORNET_SOLC` names, or the newest installed one that the pragmas admit, or
//! the one that is built in.

use super::request::Request;
use crate::output::print;
use hornet_evm::pragma::Version;
use hornet_evm::solc::{Compilers, INSIDE};
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// Large projects take minutes, and it is not for us to give up on them.
const PATIENCE: Duration = Duration::from_secs(3600);

pub struct RealCompiler {
    compilers: Compilers,
    /// Named by the user.
    named: Option<Version>,
}

impl RealCompiler {
    pub fn find() -> Result<RealCompiler, String> {
        if std::env::var_os(INSIDE).is_some() {
            return Err(
                "the compiler that was found is hornet itself: HORNET_SOLC names another one".to_owned()
            );
        }
        let named = std::env::var("HORNET_SOLC").ok().filter(|name| !name.is_empty());
        let found = match named {
            Some(name) => Compilers::named(&name).map(|(compilers, version)| (compilers, Some(version))),
            None => Compilers::find().map(|compilers| (compilers, None)),
        };
        let (compilers, named) = found.map_err(|e| format!("{e} (HORNET_SOLC names a compiler)"))?;
        Ok(RealCompiler { compilers: compilers.with_limit(PATIENCE), named })
    }

    fn command(&self, version: Version, args: &[OsString]) -> Command {
        let mut command = self.compilers.command(version);
        command.args(args);
        command
    }

    pub fn version_for(&self, texts: impl Iterator<Item = String>) -> Result<Version, String> {
        match self.named {
            Some(version) => Ok(version),
            None => {
                let texts: Vec<String> = texts.collect();
                self.compilers.choose(texts.iter().map(String::as_str)).map_err(|e| e.to_string())
            }
        }
    }

    /// In the words of solc, which build tools read.
    pub fn tell_version(&self, args: &[OsString]) -> Result<ExitCode, String> {
        let version = self.version_for(std::iter::empty())?;
        if self.compilers.is_program(version) {
            return self.pass_on(version, args).map(ExitCode::from);
        }
        let output = self.command(version, args).output();
        let output = output.map_err(|e| format!("cannot run solc {version}: {e}"))?;
        let long = String::from_utf8_lossy(&output.stdout);
        let words = "solc, the solidity compiler commandline interface\nVersion: ";
        print(&format!("{words}{}\n", long.trim()));
        Ok(ExitCode::SUCCESS)
    }

    /// Lets the compiler speak for itself.
    pub fn pass_on(&self, version: Version, args: &[OsString]) -> Result<u8, String> {
        let status = self.command(version, args).status();
        let status = status.map_err(|e| format!("cannot run solc {version}: {e}"))?;
        Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(super::FAILED))
    }

    /// Its answer to a request, and how it ended.
    pub fn answer(
        &self,
        version: Version,
        args: &[OsString],
        request: &Request,
    ) -> Result<(Map<String, Value>, u8), String> {
        let (text, code) = if self.compilers.is_program(version) {
            self.asked_with_arguments(version, args, request)?
        } else {
            (self.compilers.ask(version, &request.whole()).map_err(|e| e.to_string())?, 0)
        };
        let answer: Map<String, Value> = serde_json::from_str(&text)
            .map_err(|e| format!("the answer of solc {version} is no JSON object: {e}"))?;
        match answer.get("crash") {
            Some(crash) => Err(format!("solc {version} crashed: {crash}")),
            None => Ok((answer, code)),
        }
    }

    /// Its own arguments say which folders it may read.
    fn asked_with_arguments(
        &self,
        version: Version,
        args: &[OsString],
        request: &Request,
    ) -> Result<(String, u8), String> {
        let cannot = |e: std::io::Error| format!("cannot run solc {version}: {e}");
        let mut command = self.command(version, args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(cannot)?;
        let (text, pipe) = (request.text.clone(), child.stdin.take());
        // Beside waiting: a full pipe would keep it from answering.
        let writing = std::thread::spawn(move || pipe.map(|mut pipe| pipe.write_all(text.as_bytes())));
        let output = child.wait_with_output().map_err(cannot)?;
        let _ = writing.join();
        let code = output.status.code().and_then(|code| u8::try_from(code).ok());
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), code.unwrap_or(super::FAILED)))
    }
}
