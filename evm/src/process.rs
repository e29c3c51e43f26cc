//! Programs that are run once: some text in, some text out, for a limited time.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Why a program gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    CannotStart(String),
    TimedOut,
    /// It ended by saying that it failed.
    Failed,
}

/// What the program writes when given the input.
pub fn answer(command: &mut Command, input: &str, limit: Duration) -> Result<String, Failure> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| Failure::CannotStart(e.to_string()))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    // Both beside waiting: a full pipe would keep it from ending.
    let input = input.to_owned();
    let writing = std::thread::spawn(move || {
        // A program that does not want to hear more is no failure.
        stdin.map(|mut pipe| pipe.write_all(input.as_bytes()));
    });
    let reading = std::thread::spawn(move || {
        let mut text = Vec::new();
        stdout.map(|mut pipe| pipe.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let began = Instant::now();
    let succeeded = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if began.elapsed() < limit => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Failure::TimedOut);
            }
        }
    };
    let _ = writing.join();
    match reading.join() {
        Ok(text) if succeeded => Ok(text),
        _ => Err(Failure::Failed),
    }
}
