//! When to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a solver may think about one question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// About a claim on its own.
    alone: Duration,
    /// About all together.
    together: Duration,
}

impl Patience {
    /// Most that is worth knowing is known at once.
    pub const SHORT: Patience =
        Patience { alone: Duration::from_millis(200), together: Duration::from_millis(600) };
    /// Single bits and products take longer.
    pub const LONG: Patience = Patience { alone: Duration::from_secs(2), together: Duration::from_secs(4) };
}

pub struct Clock<'a> {
    pub deadline: Instant,
    pub patience: Patience,
    pub stop: &'a AtomicBool,
    /// Set when something was given up that more patience might have decided.
    pub impatient: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// A clock for a part of the time that is left.
    pub fn share(&self, part: f64) -> Clock<'a> {
        Clock { deadline: Instant::now() + self.left().mul_f64(part), ..*self }
    }

    pub fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    pub fn is_over(&self) -> bool {
        self.left().is_zero() || self.stop.load(Ordering::Relaxed)
    }

    /// A limit for a question about one claim.
    pub fn alone(&self) -> Duration {
        self.at_most(self.patience.alone)
    }

    /// A limit for a question about all claims.
    pub fn together(&self) -> Duration {
        self.at_most(self.patience.together)
    }

    /// Something is given up without an answer.
    pub fn give_up(&self) {
        self.impatient.store(true, Ordering::Relaxed);
    }

    /// A limit for one question.
    pub fn at_most(&self, time: Duration) -> Duration {
        time.min(self.left())
    }
}
