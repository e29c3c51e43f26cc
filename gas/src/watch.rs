//! When to stop, whatever is left to do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy)]
pub struct Watch<'a> {
    deadline: Instant,
    /// Set by somebody else to end everything soon.
    stop: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    pub fn new(time: Duration, stop: Option<&'a AtomicBool>) -> Watch<'a> {
        Watch { deadline: Instant::now() + time, stop }
    }

    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) || Instant::now() >= self.deadline
    }

    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// A part of the time that is left.
    pub fn share(&self, share: f64) -> Watch<'a> {
        Watch::new(self.left().mul_f64(share.min(1.0)), self.stop)
    }
}
