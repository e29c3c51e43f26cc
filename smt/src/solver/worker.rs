//! Our own program as a solver: the linked libz3 runs one script and ends, or answers command after command as the `z3`
//! program does.
//!
//! A process of its own can be killed when its time is up, and when Z3 runs out of memory or crashes, only it is lost.

use super::linked::{self, Linked};
use super::process::OUT_OF_MEMORY;
use std::ffi::CString;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first argument of a worker that runs one script; the second is how many megabytes it may use.
pub const WORKER_ARGUMENT: &str = "--horn-worker";

/// The first argument of a worker that answers commands; the second is how many megabytes it may use, as z3 has it.
pub const CONVERSATION_ARGUMENT: &str = "--z3-worker";

/// Z3 walks terms recursively in places. What starts us leaves room for a stack of this size beside the memory for Z3.
const STACK_BYTES: usize = 128 << 20;

static CAN_BE_WORKER: AtomicBool = AtomicBool::new(false);

/// Whether starting our own program with one of the arguments gives a worker.
pub(super) fn can_be_worker() -> bool {
    CAN_BE_WORKER.load(Ordering::Relaxed)
}

/// To be called first in `main`: does the work of a worker if this process was started as one. Otherwise notes that this
/// program can be one.
pub fn worker_if_asked() -> Option<ExitCode> {
    let first = std::env::args_os().nth(1);
    if first.is_some_and(|first| first == WORKER_ARGUMENT || first == CONVERSATION_ARGUMENT) {
        return Some(worker_main());
    }
    CAN_BE_WORKER.store(true, Ordering::Relaxed);
    None
}

/// Reads commands from standard input and writes what Z3 answers to standard output.
pub fn worker_main() -> ExitCode {
    let converses = std::env::args().nth(1).is_some_and(|first| first == CONVERSATION_ARGUMENT);
    let mut memory_mb = None;
    for arg in std::env::args().skip(2) {
        if let Some((name, value)) = arg.split_once('=') {
            linked::set(name, value);
        } else {
            memory_mb = arg.trim_start_matches("-memory:").parse().ok();
        }
    }
    let work = move || {
        let z3 = Linked::new(memory_mb).ok_or_else(|| io::Error::other("Z3 does not start"))?;
        if converses { converse(z3) } else { run_script(z3) }
    };
    match std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).map(|thread| thread.join()) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(error))) => {
            eprintln!("hornet: {error}");
            ExitCode::FAILURE
        }
        Ok(Err(_)) | Err(_) => ExitCode::FAILURE,
    }
}

fn run_script(z3: Linked) -> io::Result<ExitCode> {
    let mut script = Vec::new();
    io::stdin().read_to_end(&mut script)?;
    answer(&mut { z3 }, script)?;
    Ok(ExitCode::SUCCESS)
}

fn converse(mut z3: Linked) -> io::Result<ExitCode> {
    let mut input = io::stdin().lock();
    while let Some(command) = read_command(&mut input)? {
        answer(&mut z3, command)?;
        if z3.is_out_of_memory() {
            return Ok(ExitCode::from(OUT_OF_MEMORY));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(z3: &mut Linked, commands: Vec<u8>) -> io::Result<()> {
    let commands = CString::new(commands).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    let answer = z3.run(&commands).ok_or_else(|| io::Error::other("Z3 does not answer"))?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(answer.as_bytes())?;
    stdout.flush()
}

/// Where brackets mean something, and where they do not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Plain,
    Text,
    QuotedName,
    Comment,
}

/// Everything up to the bracket that closes the next command; `None` if there is no more.
fn read_command(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut command = Vec::new();
    let (mut place, mut depth) = (Place::Plain, 0usize);
    loop {
        let seen = command.len();
        if input.read_until(b')', &mut command)? == 0 {
            return Ok(None);
        }
        for byte in &command[seen..] {
            place = match (place, byte) {
                (Place::Plain, b'"') => Place::Text,
                (Place::Plain, b'|') => Place::QuotedName,
                (Place::Plain, b';') => Place::Comment,
                (Place::Text, b'"') | (Place::QuotedName, b'|') | (Place::Comment, b'\n') => Place::Plain,
                (place, _) => place,
            };
            match (place, byte) {
                (Place::Plain, b'(') => depth += 1,
                (Place::Plain, b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if place == Place::Plain && depth == 0 {
            return Ok(Some(command));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read_command;

    #[test]
    fn commands_end_where_their_brackets_close() {
        let text =
            "(push 1)\n (assert (= |a)b| \"(\")) ; a comment (\n(echo \"said \"\"(\"\" again\")(check-sat";
        let mut input = text.as_bytes();
        let mut commands = Vec::new();
        while let Some(command) = read_command(&mut input).unwrap() {
            commands.push(String::from_utf8(command).unwrap());
        }
        assert_eq!(
            commands,
            ["(push 1)", "\n (assert (= |a)b| \"(\"))", " ; a comment (\n(echo \"said \"\"(\"\" again\")",]
        );
    }
}
