//! When to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub struct Clock<'a> {
    pub deadline: Instant,
    pub stop: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// A clock for a part of the time that is left.
    pub fn share(&self, part: f64) -> Clock<'a> {
        Clock { deadline: Instant::now() + self.left().mul_f64(part), stop: self.stop }
    }

    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    pub fn is_over(&self) -> bool {
        self.left().is_zero() || self.stop.load(Ordering::Relaxed)
    }

    /// A limit for one question.
    pub fn at_most(&self, time: Duration) -> Duration {
        time.min(self.left())
    }
}
