//! Running something that may hang, panic or recurse deeply, without going down with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Address space is free until it is touched.
const STACK: usize = 512 << 20;

/// Runs in a thread of its own. One that does not end in time is left behind: the tools are short-lived.
pub fn guard<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (send, receive) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        let _ = send.send(result.map_err(|panic| panic_text(panic.as_ref())));
    });
    thread.map_err(|e| format!("no thread: {e}"))?;
    match receive.recv_timeout(limit) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(panic)) => Err(format!("panic: {panic}")),
        Err(RecvTimeoutError::Timeout) => Err(format!("not done after {} s", limit.as_secs())),
        Err(RecvTimeoutError::Disconnected) => Err("the thread died".into()),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}
