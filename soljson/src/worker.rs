//! Our own program as a compiler: a process that can be killed, and whose crash is not ours.

use crate::{STACK_BYTES, Solc};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};

/// The first argument of a worker, which reads one request in standard JSON per line and answers with one line. With
/// `--version` after it, the worker tells its version.
pub const WORKER_ARGUMENT: &str = "--solc-worker";

/// To be called first in `main`: does the work of a worker if this process was started as one.
pub fn worker_if_asked() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_none_or(|first| first != WORKER_ARGUMENT) {
        return None;
    }
    let further: Vec<_> = args.collect();
    let done = match further.as_slice() {
        [] => serve(),
        [only] if only == "--version" => on_large_stack(tell_version),
        _ => Err("the built-in compiler takes requests in standard JSON, and nothing else".into()),
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("hornet: {problem}");
            ExitCode::FAILURE
        }
    })
}

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn serve() -> Outcome {
    let (send, requests) = channel();
    // A thread of its own reads: when the input ends, whoever asked is gone, and so are we, whatever is being compiled.
    std::thread::spawn(move || {
        let _ =
            io::stdin().lock().lines().try_for_each(|line| line.ok().and_then(|line| send.send(line).ok()));
        std::process::exit(0);
    });
    on_large_stack(move || answer_all(&requests))
}

fn answer_all(requests: &Receiver<String>) -> Outcome {
    let mut solc = Solc::load()?;
    for request in requests {
        let answer = solc.compile(&request);
        let line = match &answer {
            // Only between its tokens does JSON have line ends.
            Ok(answer) => answer.replace('\n', " "),
            Err(problem) => serde_json::json!({ "crash": problem.to_string() }).to_string(),
        };
        writeln!(io::stdout(), "{line}")?;
        // After a crash its memory is in doubt.
        answer?;
    }
    Ok(())
}

fn tell_version() -> Outcome {
    let version = Solc::load()?.version()?;
    Ok(writeln!(io::stdout(), "{version}")?)
}

fn on_large_stack(work: impl FnOnce() -> Outcome + Send + 'static) -> Outcome {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work)?;
    thread.join().unwrap_or_else(|_| Err("the compiler cannot be run".into()))
}
