//! One living solc process. Loading the compiler takes half a second, compiling a small file a tenth of that.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::SolcError;
use crate::pragma::Version;

const SCRIPT: &str = include_str!("server.js");

pub(super) struct Server {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<String>,
}

impl Server {
    /// The process gets ready on its own while the caller goes on; with `warm`, to the point of having compiled something.
    pub(super) fn start(
        modules: &Path,
        version: Version,
        wrapper: Version,
        warm: bool,
    ) -> Result<Server, SolcError> {
        let mut child = Command::new("node")
            .arg("--stack-size=3900")
            .arg("-e")
            .arg(SCRIPT)
            .arg("--")
            .arg(modules)
            .arg(version.to_string())
            .arg(wrapper.to_string())
            .arg(if warm { "warm" } else { "cold" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| SolcError::new(format!("cannot start node: {e}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(SolcError::new("node gave no pipes"));
        };
        let (send, answers) = channel();
        // A thread of its own reads, so that waiting for an answer can have a time limit.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Server { child, stdin, answers })
    }

    /// After an error the process is in an unknown state and must be dropped.
    pub(super) fn ask(&mut self, input: &str, limit: Duration) -> Result<String, SolcError> {
        writeln!(self.stdin, "{input}")
            .and_then(|()| self.stdin.flush())
            .map_err(|e| SolcError::new(format!("solc does not take input: {e}")))?;
        match self.answers.recv_timeout(limit) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                Err(SolcError::new(format!("solc took longer than {} s", limit.as_secs())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(SolcError::new("solc ended unexpectedly")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
