//! Ctrl-C: the engine stops its solvers and returns; if it does not do so soon, the program ends anyway.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What shells expect of a program that Ctrl-C ended.
pub const EXIT_CODE: u8 = 130;

/// How long the engine has to put things away.
const PATIENCE: Duration = Duration::from_secs(2);

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on signals to end are noted instead of ending the program at once.
pub fn listen() {
    static LISTENING: AtomicBool = AtomicBool::new(false);
    if LISTENING.swap(true, Ordering::Relaxed) {
        return;
    }
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            ASKED.store(true, Ordering::Relaxed);
            std::thread::sleep(PATIENCE);
            std::process::exit(EXIT_CODE.into());
        }
    });
}

/// Whether somebody wants the program to end.
pub fn asked() -> bool {
    flag().load(Ordering::Relaxed)
}

/// The same, for engines that look themselves.
pub fn flag() -> &'static AtomicBool {
    &ASKED
}
