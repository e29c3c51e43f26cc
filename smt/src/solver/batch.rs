//! One program, one script, one output: solvers that are not spoken to, only run.

use super::group::Group;
use super::process::{GLANCE, Until, exit_status, reason_of_end};
use super::{Limits, Reason};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

/// Nobody writes a longer answer in good faith.
const LONGEST_OUTPUT: u64 = 64 << 20;

/// Stacks count as memory from the moment they are made, however little of them is used.
const STACKS_MB: u64 = 160;

/// How a program is given its script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Stdin,
    /// The last argument is the path of a file.
    Argument,
}

pub(super) struct Run<'a> {
    pub program: &'a Path,
    pub args: Vec<String>,
    pub input: Input,
}

/// What the program wrote until it ended, and how it ended, if it did.
#[derive(Debug)]
pub(super) struct Output {
    pub text: String,
    ended: Option<(i32, i32)>,
}

impl Output {
    /// Why there is no answer in the output.
    pub fn why_no_answer(&self) -> Reason {
        if self.text.contains("out of memory") {
            return Reason::Memory;
        }
        match self.ended {
            Some((libc::CLD_EXITED, 0)) | None => Reason::GaveUp(first_line(&self.text)),
            Some(status) => reason_of_end(status),
        }
    }
}

fn first_line(text: &str) -> String {
    let line: String = text.trim().lines().next().unwrap_or("").chars().take(200).collect();
    if line.is_empty() { "no answer".to_owned() } else { format!("it says `{line}`") }
}

/// Runs the program on the script within the limits. However this ends, the program and what it has started are gone.
pub(super) fn run(what: &Run, script: &str, limits: Limits, until: Until) -> Result<Output, Reason> {
    let failed =
        |error: io::Error| Reason::Crashed(format!("{} does not start: {error}", what.program.display()));
    let file = ScriptFile::write(script).map_err(failed)?;
    let mut command = Command::new(what.program);
    command.args(&what.args).stdout(Stdio::piped()).stderr(Stdio::null());
    // An open file needs no name; so nothing is left behind even if we are killed.
    let _kept = match what.input {
        Input::Stdin => {
            command.stdin(File::open(&file.path).map_err(failed)?);
            drop(file);
            None
        }
        Input::Argument => {
            command.arg(&file.path).stdin(Stdio::null());
            Some(file)
        }
    };
    limit(&mut command, limits);
    let mut group = Group::spawn(&mut command).map_err(failed)?;
    let Some(stdout) = group.child().stdout.take() else {
        return Err(Reason::Crashed("there is no output to read".into()));
    };
    let text = collect(stdout, until)?;
    let ended = group.pid().and_then(exit_status);
    Ok(Output { text, ended })
}

/// Reads all output, or stops when time is up.
fn collect(stdout: ChildStdout, until: Until) -> Result<String, Reason> {
    let (sender, output) = mpsc::channel();
    // Not scoped: if something keeps the pipe open after the end, nobody waits for it.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(LONGEST_OUTPUT).read_to_end(&mut bytes);
        let _ = sender.send(read.map(|_| String::from_utf8_lossy(&bytes).into_owned()));
    });
    loop {
        match output.recv_timeout(GLANCE) {
            Ok(Ok(text)) => return Ok(text),
            Ok(Err(error)) => return Err(Reason::Crashed(error.to_string())),
            Err(RecvTimeoutError::Disconnected) => return Err(Reason::Crashed("no output".into())),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(reason) = until.over() {
                    return Err(reason);
                }
            }
        }
    }
}

/// Limits memory.
fn limit(command: &mut Command, limits: Limits) {
    // The solver's own limit comes first, because it says what happened.
    let bytes = (limits.memory_mb + limits.memory_mb / 4 + STACKS_MB) << 20;
    // SAFETY: between fork and exec only this system call is made; it allocates nothing and takes no locks.
    unsafe {
        command.pre_exec(move || {
            // Memory that is only reserved does not count, so that virtual machines can start.
            let most = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
            libc::setrlimit(libc::RLIMIT_DATA, &raw const most);
            Ok(())
        });
    }
}

/// A script in the folder for temporary files, removed when dropped.
struct ScriptFile {
    path: PathBuf,
}

impl ScriptFile {
    fn write(script: &str) -> io::Result<ScriptFile> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("hornet-{}-{number}.smt2", std::process::id());
            let path = std::env::temp_dir().join(name);
            match File::create_new(&path) {
                Ok(mut file) => {
                    let file_on_disk = ScriptFile { path };
                    io::Write::write_all(&mut file, script.as_bytes())?;
                    return Ok(file_on_disk);
                }
                // Left by a process with our id that did not end well, or by somebody who guesses names.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for ScriptFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
