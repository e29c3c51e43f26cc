//! `hornet lsp`: verification inside an editor, by the Language Server Protocol on standard input and output. The loop here
//! answers at once from what is known; the front end works on a thread, verification in processes of our own program.

mod abilities;
mod check;
mod commands;
mod counterexample;
mod diagnostics;
mod documents;
mod drift;
mod fixes;
mod gas;
mod hover;
mod jobs;
mod lenses;
mod outline;
mod positions;
mod report;
mod requests;
mod session;
mod transport;
mod verified;
mod view;
mod work;

use session::Session;
use std::process::ExitCode;
use std::sync::mpsc::channel;

/// An editor that goes away without a word.
const ABANDONED: u8 = 1;
const CANNOT_START: u8 = 2;

pub fn run() -> ExitCode {
    let (sender, events) = channel();
    let Some(checker) = check::start(sender.clone()) else {
        eprintln!("hornet: cannot start a thread");
        return ExitCode::from(CANNOT_START);
    };
    transport::listen(sender.clone());
    let mut session = Session::new(sender, checker);
    while !session.is_over() {
        session.wait(&events);
    }
    if session.end() { ExitCode::SUCCESS } else { ExitCode::from(ABANDONED) }
}
