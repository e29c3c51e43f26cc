//! Idle processes, to be used again: starting one takes longer than most questions.

use super::process::Process;
use super::{Limits, Reason, Solver, SolverKind};
use std::fs::File;
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};

struct Idle {
    solver: Solver,
    memory_mb: u64,
    process: Process,
}

impl Idle {
    fn is(&self, solver: &Solver, limits: Limits) -> bool {
        self.solver == *solver && self.memory_mb == limits.memory_mb
    }
}

/// More of a kind are not kept.
const MOST: usize = 4;

/// Nor those that were told more than this, because easy-smt keeps the text of every command in memory.
const LONGEST: usize = 32 << 20;

static IDLE: Mutex<Vec<Idle>> = Mutex::new(Vec::new());

/// An idle process of this solver, with all its levels closed. Some may have died meanwhile.
fn take(solver: &Solver, limits: Limits) -> Option<Process> {
    let next = || {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().position(|idle| idle.is(solver, limits))?;
        Some(idle.swap_remove(at).process)
    };
    std::iter::from_fn(next).find_map(|mut process| process.close_levels().then_some(process))
}

/// Keeps a process that waits for commands and owes no answer.
pub(super) fn put_back(solver: &Solver, limits: Limits, process: Process) {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    // Only z3 is known to be as good as new when its levels are closed.
    let alike = idle.iter().filter(|idle| idle.is(solver, limits)).count();
    if solver.kind == SolverKind::Z3 && process.sent() < LONGEST && alike < MOST {
        idle.push(Idle { solver: solver.clone(), memory_mb: limits.memory_mb, process });
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// Runs a job on a thread that lives as long as we do: the kernel ends a solver together with the thread that started it.
fn on_starter(job: Job) -> Result<(), Reason> {
    static STARTER: OnceLock<mpsc::Sender<Job>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (jobs, inbox) = mpsc::channel::<Job>();
        std::thread::spawn(move || inbox.into_iter().for_each(|job| job()));
        jobs
    });
    starter.send(job).map_err(|_| no_starter())
}

fn no_starter() -> Reason {
    Reason::Crashed("there is no thread to start a solver from".into())
}

/// A new process.
pub(super) fn start(solver: &Solver, limits: Limits, replay: Option<File>) -> Result<Process, Reason> {
    let (reply, started) = mpsc::channel();
    let solver = solver.clone();
    on_starter(Box::new(move || {
        // Nobody waits any more only if we are about to end.
        let _ = reply.send(Process::start(&solver, limits, replay));
    }))?;
    started.recv().map_err(|_| no_starter())?
}

/// An idle process, one that is just being started, or else a new one.
pub(super) fn take_or_start(solver: &Solver, limits: Limits) -> Result<Process, Reason> {
    if let Some(process) = take(solver, limits) {
        return Ok(process);
    }
    let (reply, started) = mpsc::channel();
    let solver = solver.clone();
    on_starter(Box::new(move || {
        let found = take(&solver, limits).map_or_else(|| Process::start(&solver, limits, None), Ok);
        let _ = reply.send(found);
    }))?;
    started.recv().map_err(|_| no_starter())?
}

/// Starts a process in the background, so that it is there when the first question comes.
pub fn warm_up(solver: &Solver, limits: Limits) {
    let solver = solver.clone();
    // What cannot be started now will say so when it is needed.
    let _ = on_starter(Box::new(move || {
        if let Ok(process) = Process::start(&solver, limits, None) {
            put_back(&solver, limits, process);
        }
    }));
}
