//! One living solc process, which reads a request per line and answers with a line. Loading the compiler takes half a
//! second, compiling a small file a tenth of that.

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

/// A compiler that node runs; `wrapper` is the version whose JavaScript speaks to it. With `warm`, it has compiled something
/// when it is ready.
pub(super) fn in_node(modules: &Path, version: Version, wrapper: Version, warm: bool) -> Command {
    let mut command = Command::new("node");
    command.args(["--stack-size=3900", "-e", SCRIPT, "--"]).arg(modules);
    command.arg(version.to_string()).arg(wrapper.to_string()).arg(if warm { "warm" } else { "cold" });
    command
}

impl Server {
    /// The process gets ready on its own while the caller goes on.
    pub(super) fn start(command: &mut Command) -> Result<Server, SolcError> {
        let program = command.get_program().display().to_string();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| SolcError::new(format!("cannot start {program}: {e}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(SolcError::new(format!("{program} gave no pipes")));
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
