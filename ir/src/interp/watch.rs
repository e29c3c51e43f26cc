//! Watching a run: what tools want to know of it beyond its outcome.

use super::Interpreter;
use super::frame::Frame;
use super::value::Value;
use crate::ids::ObligationId;
use crate::program::Stmt;

/// What happens in the procedure that is running: the last activation of the last frame.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// It was entered; its parameters are set, nothing has happened yet.
    Entered,
    /// It is about to return these values.
    Returning(&'e [Value]),
    /// Control got to the beginning of its current block from another one.
    AtBlock,
    /// A check was looked at. It changes nothing.
    Checked { obligation: ObligationId, holds: bool },
    /// A statement is about to run.
    Before(&'e Stmt),
    /// The call or creation that the current statement made is over.
    BackFromCall { ok: bool },
}

/// Hears of the events of a run, in order. Calls that revert end without an event: whoever keeps track of activations
/// finds out by looking at the frames that are left.
pub trait Watcher {
    fn see(&mut self, run: &Interpreter<'_>, event: Event<'_>);
}

impl<'p> Interpreter<'p> {
    /// Calls in progress, the running one last.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// From now on `watcher` hears of everything.
    pub fn watch(&mut self, watcher: Box<dyn Watcher + 'p>) {
        self.watcher = Some(watcher);
    }

    pub(super) fn tell(&mut self, event: Event<'_>) {
        if let Some(mut watcher) = self.watcher.take() {
            watcher.see(self, event);
            self.watcher = Some(watcher);
        }
    }
}
