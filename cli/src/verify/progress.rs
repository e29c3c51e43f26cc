//! How far the work is: a bar on a terminal, now and then a line elsewhere, always on standard error.

use super::interrupt;
use super::text::plural;
use hornet_encoder::{FunctionVerdict, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Somebody who reads a log wants to know of long runs only, and not too often.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const TICK: Duration = Duration::from_millis(100);

pub struct Display {
    bar: ProgressBar,
    on_terminal: bool,
    hidden: bool,
    began: Instant,
    deadline: Option<Instant>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// First functions, each on its own, then what is left of contracts, check by check.
    by_checks: bool,
    planned: usize,
    finished: usize,
    /// Checks of contracts that were looked at before, and of the one that is looked at.
    settled: usize,
    current: usize,
    /// What is being checked, longest first.
    running: Vec<String>,
    last_line: Option<Instant>,
}

impl Display {
    /// `time` is for the whole run.
    pub fn new(time: Option<Duration>) -> Display {
        let on_terminal = std::io::stderr().is_terminal();
        let target = if on_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("  {bar:24.green/dim} {prefix}  {elapsed}  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━━─"));
        let began = Instant::now();
        let deadline = time.and_then(|time| began.checked_add(time));
        Display { bar, on_terminal, hidden: false, began, deadline, state: Mutex::default() }
    }

    /// Somebody else has the screen.
    pub fn hidden(time: Option<Duration>) -> Display {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Display { bar, on_terminal: false, hidden: true, ..Display::new(time) }
    }

    /// The end of the whole run, if that is earlier.
    pub fn no_later_than(&self, time: Instant) -> Instant {
        self.deadline.map_or(time, |deadline| deadline.min(time))
    }

    /// Now sequences of transactions are looked at, for so many checks that functions on their own do not decide.
    pub fn contracts(&self, checks: usize) {
        self.update(|state| {
            let by_checks = checks > 0;
            *state = State { by_checks, planned: checks, last_line: state.last_line, ..State::default() };
        });
    }

    /// Now those of a contract are.
    pub fn contract(&self, name: &str, checks: usize) {
        self.update(|state| {
            state.settled += state.current;
            state.current = checks;
            state.finished = state.settled;
            state.running = vec![format!("{name}: {}", plural(checks, "check"))];
        });
    }

    /// So many of them are left.
    pub fn left(&self, checks: usize) {
        self.update(|state| state.finished = state.settled + state.current.saturating_sub(checks));
    }

    /// Now something else is done than before.
    pub fn now(&self, label: String) {
        self.update(|state| state.running = vec![label]);
    }

    pub fn expect(&self, functions: usize) {
        if self.on_terminal {
            self.bar.enable_steady_tick(TICK);
        }
        self.update(|state| state.planned = functions);
    }

    /// One more function.
    pub fn done(&self) {
        self.update(|state| state.finished += 1);
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        change(&mut state);
        // Functions that others call turn up late.
        state.planned = state.planned.max(state.finished);
        if self.on_terminal {
            self.bar.set_length(state.planned as u64);
            // In one piece: a bar is drawn at any time.
            self.bar.set_prefix(format!("{}/{} {}", state.finished, state.planned, state.unit()));
            self.bar.set_position(state.finished as u64);
            self.bar.set_message(state.running.join(", "));
        } else if !self.hidden && state.last_line.unwrap_or(self.began).elapsed() >= BETWEEN_LINES {
            state.last_line = Some(Instant::now());
            let seconds = self.began.elapsed().as_secs();
            let State { planned, finished, running, .. } = &*state;
            let now = running.join(", ");
            let unit = state.unit();
            let line = format!("hornet: {finished} of {planned} {unit} after {seconds} s; now {now}");
            // Nobody reading any more is not an error.
            let _ = writeln!(std::io::stderr(), "{}", line.trim_end_matches("; now "));
        }
    }
}

impl State {
    fn unit(&self) -> &'static str {
        if self.by_checks { "checks decided" } else { "functions done" }
    }
}

fn label(contract: &str, function: &str) -> String {
    format!("{contract}.{function}")
}

impl Progress for Display {
    fn planned(&self, functions: usize) {
        self.expect(functions);
    }

    fn started(&self, contract: &str, function: &str) {
        self.update(|state| state.running.push(label(contract, function)));
    }

    fn finished(&self, contract: &str, function: &str, _: FunctionVerdict) {
        let label = label(contract, function);
        self.update(|state| {
            state.finished += 1;
            if let Some(at) = state.running.iter().position(|other| *other == label) {
                state.running.remove(at);
            }
        });
    }

    fn cancelled(&self) -> bool {
        if !self.on_terminal {
            // A bar ticks by itself; lines appear when somebody asks.
            self.update(|_| {});
        }
        interrupt::asked() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(display: &Display) -> (usize, usize, &'static str) {
        let state = display.state.lock().unwrap();
        (state.finished, state.planned, state.unit())
    }

    #[test]
    fn functions_then_checks_and_never_more_than_there_are() {
        let display = Display::hidden(None);
        display.expect(1);
        display.done();
        display.done();
        assert_eq!(shown(&display), (2, 2, "functions done"));
        display.contracts(5);
        display.contract("A", 3);
        display.left(1);
        assert_eq!(shown(&display), (2, 5, "checks decided"));
        display.contract("B", 2);
        assert_eq!(shown(&display), (3, 5, "checks decided"));
        display.left(0);
        assert_eq!(shown(&display), (5, 5, "checks decided"));
    }
}
