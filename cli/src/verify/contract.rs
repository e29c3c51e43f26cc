//! Everything but the modular engine, on what is left of one contract: engines work side by side, first evidence wins.

use super::board::{Board, Doubt, Found};
use super::confirm::{Confirmer, Judgement};
use super::evidence::{Attempt, By, Invariant};
use super::progress::Display;
use super::told::Told;
use hornet_encoder::{CheckKey, Progress};
use hornet_evm::replay::Executed;
use hornet_horn::{Proof, Settings};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_ir::trace::Trace;
use rustc_hash::FxHashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Terms are followed recursively in places.
const STACK_BYTES: usize = 256 << 20;
/// How often somebody looks whether the work should end.
const GLANCE: Duration = Duration::from_millis(20);

/// The undecided checks of a contract, and what may be used to decide them.
pub struct Investigation<'a, 'p> {
    pub program: &'a Program,
    pub contract: ContractId,
    pub settings: Settings,
    /// Where assertions are known to hold.
    pub known: FxHashSet<Span>,
    /// For each place with an assertion that is not known to hold, the checks that would show that it does.
    pub places: Vec<(Span, Vec<CheckKey>)>,
    pub board: Board,
    pub confirmer: &'a Confirmer<'p>,
    pub progress: &'a Display,
}

impl Investigation<'_, '_> {
    /// Runs the engines until everything is decided or the time is up.
    pub fn run(&self, engines: &[By]) {
        std::thread::scope(|scope| {
            // Closed when the work is over, however it ends.
            let (working, over) = mpsc::channel::<()>();
            scope.spawn(move || self.watch(&over));
            let start = |by: By| {
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn_scoped(scope, move || self.engine(by)).ok()
            };
            let running: Vec<_> = engines.iter().map(|by| start(*by)).collect();
            for thread in running.into_iter().flatten() {
                // Whatever went wrong inside is on the board.
                let _ = thread.join();
            }
            drop(working);
        });
    }

    fn watch(&self, over: &mpsc::Receiver<()>) {
        while over.recv_timeout(GLANCE) == Err(mpsc::RecvTimeoutError::Timeout) {
            if self.progress.cancelled() {
                self.board.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn engine(&self, by: By) {
        match by {
            By::Modular => {}
            By::Bounded => self.search(),
            By::Horn => self.horn(),
        }
    }

    /// Each run that is found is tried on the machine at once.
    fn search(&self) {
        let wanted = self.board.open();
        self.timed(By::Bounded, &wanted, || {
            let tell = &mut |key: &CheckKey, trace: Trace| self.judge(key, &trace);
            let Investigation { program, contract, settings, board, .. } = self;
            hornet_horn::search(program, *contract, &wanted, settings, &board.stop, tell);
        });
    }

    /// Whether that was enough for this check.
    fn judge(&self, key: &CheckKey, trace: &Trace) -> bool {
        let told = |executed: Option<&Executed>| Told::new(self.program, trace, executed);
        let (told, unconfirmed) = match self.confirmer.judge(trace) {
            Judgement::Fails(executed) => (told(Some(&executed)), None),
            Judgement::OutOfSight(executed, why) => (told(Some(&executed)), Some(why)),
            Judgement::Disagrees(executed, what) => {
                let why = format!("with {} on the EVM, {what}", executed.compiler);
                return !self.board.doubted(key, &Doubt { told: told(Some(&executed)), why });
            }
            Judgement::Impossible(why) => {
                return !self
                    .board
                    .doubted(key, &Doubt { told: told(None), why: format!("it could not be run: {why}") });
            }
        };
        self.board.violated(By::Bounded, key, &Found { told, unconfirmed });
        true
    }

    /// Once more whenever assertions turned out to hold: others may rest on them.
    fn horn(&self) {
        let mut known = self.known.clone();
        loop {
            let wanted = self.board.open();
            self.timed(By::Horn, &wanted, || {
                let tell = &mut |proof: Proof| {
                    let all = proof.invariants.iter();
                    let known: Vec<_> = all.filter_map(|i| Invariant::of_clauses(self.program, i)).collect();
                    self.board.proved(By::Horn, &proof.checks, &known);
                };
                let Investigation { program, contract, settings, board, .. } = self;
                hornet_horn::prove(program, *contract, &wanted, &known, settings, &board.stop, tell);
            });
            let open = self.board.open();
            let before = known.len();
            let holds = |keys: &[CheckKey]| keys.iter().all(|key| self.board.is_proved(key));
            known.extend(self.places.iter().filter(|(_, keys)| holds(keys)).map(|(span, _)| *span));
            if known.len() == before || open.is_empty() || self.is_over() {
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.board.stop.load(Ordering::Relaxed) || Instant::now() >= self.settings.deadline
    }

    /// An engine that goes wrong answers nothing, and the others go on.
    fn timed(&self, by: By, keys: &[CheckKey], work: impl FnOnce()) {
        if keys.is_empty() || self.is_over() {
            return;
        }
        let began = Instant::now();
        let broken = catch_unwind(AssertUnwindSafe(work)).is_err();
        self.board.attempted(keys, &Attempt { by, time: began.elapsed(), broken });
    }
}

/// Which checks show that an assertion holds wherever it is run, by its place.
pub fn assertions<'k>(keys: impl Iterator<Item = &'k CheckKey>) -> Vec<(Span, Vec<CheckKey>)> {
    let mut places: Vec<(Span, Vec<CheckKey>)> = Vec::new();
    for key in keys.filter(|key| key.kind == ObligationKind::Assertion) {
        match places.iter_mut().find(|(span, _)| *span == key.span) {
            Some((_, keys)) => keys.push(key.clone()),
            None => places.push((key.span, vec![key.clone()])),
        }
    }
    places
}
