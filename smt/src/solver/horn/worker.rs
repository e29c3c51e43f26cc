//! Our own program as a solver: the linked libz3 runs one script from standard input and ends.
//!
//! A process of its own can be killed when its time is up, and when Z3 runs out of memory or crashes, only it is lost.

use std::ffi::{CStr, CString};
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first argument of a worker; the second is how many megabytes it may use.
pub const WORKER_ARGUMENT: &str = "--horn-worker";

/// Z3 walks terms recursively in places. What starts us leaves room for a stack of this size beside the memory for Z3.
const STACK_BYTES: usize = 128 << 20;

static CAN_BE_WORKER: AtomicBool = AtomicBool::new(false);

/// Whether starting our own program with [`WORKER_ARGUMENT`] gives a worker.
pub(super) fn can_be_worker() -> bool {
    CAN_BE_WORKER.load(Ordering::Relaxed)
}

/// To be called first in `main`: does the work of a worker if this process was started as one. Otherwise notes that this
/// program can be one.
pub fn worker_if_asked() -> Option<ExitCode> {
    if std::env::args_os().nth(1).is_some_and(|first| first == WORKER_ARGUMENT) {
        return Some(worker_main());
    }
    CAN_BE_WORKER.store(true, Ordering::Relaxed);
    None
}

/// Reads a script from standard input and writes what Z3 answers to standard output.
pub fn worker_main() -> ExitCode {
    let memory_mb = std::env::args().nth(2).and_then(|mb| mb.parse::<u64>().ok());
    let done = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || answer(memory_mb));
    match done.map(|thread| thread.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("hornet: {error}");
            ExitCode::FAILURE
        }
        Ok(Err(_)) | Err(_) => ExitCode::FAILURE,
    }
}

fn answer(memory_mb: Option<u64>) -> io::Result<()> {
    let mut script = Vec::new();
    io::stdin().read_to_end(&mut script)?;
    let script = CString::new(script).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
    if let Some(memory_mb) = memory_mb {
        z3::set_global_param("memory_max_size", &memory_mb.to_string());
    }
    let mut stdout = io::stdout().lock();
    let answer = evaluate(&script).ok_or_else(|| io::Error::other("Z3 does not start"))?;
    stdout.write_all(answer.as_bytes())?;
    stdout.flush()
}

/// What Z3 prints when it runs the script.
fn evaluate(script: &CStr) -> Option<String> {
    // SAFETY: the context is new and used by this thread alone; the string that Z3 returns lives until the next call with
    // the context, and is copied before. Errors are in that string, so the handler, which would end the process, is removed.
    // The context is not deleted: the process ends now, and taking apart what Z3 has built takes time.
    unsafe {
        let config = z3_sys::Z3_mk_config()?;
        let context = z3_sys::Z3_mk_context(config)?;
        z3_sys::Z3_del_config(config);
        z3_sys::Z3_set_error_handler(context, None);
        let answer = z3_sys::Z3_eval_smtlib2_string(context, script.as_ptr());
        (!answer.is_null()).then(|| CStr::from_ptr(answer).to_string_lossy().into_owned())
    }
}
