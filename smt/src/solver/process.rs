//! One solver process behind easy-smt: limits that hold, and an end that is certain.
//!
//! easy-smt starts the program and keeps its handle to itself, so the program it starts is a shell that limits its memory, tells us
//! its process id through the pipe easy-smt listens to, and then becomes the solver.

use super::{Limits, Reason, Solver, SolverKind};
use easy_smt::{Context, ContextBuilder, SExpr, SExprData};
use std::fs::File;
use std::io;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// easy-smt sends two options before we can speak, and the shell answers them; the solver gets them again from us.
const LAUNCH: &str = r#"
ulimit -v "$1" 2>/dev/null || :
shift
read -r option; echo success
read -r option; echo success
echo $$
exec "$@" 2>/dev/null
"#;

/// A process group of its own, so that a solver behind a script is killed with the script; and the kernel kills it when the
/// thread that started it ends, however that ends.
const GUARD: [&str; 4] = ["setsid", "setpriv", "--pdeathsig", "KILL"];

/// Commands sent before their answers are read; few enough for the answers to fit into a pipe.
const BATCH: usize = 500;

/// How often a running query looks whether it should stop.
pub(super) const GLANCE: Duration = Duration::from_millis(5);

/// How long an idle process may take to answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Z3's exit code then.
pub(super) const OUT_OF_MEMORY: u8 = 101;

pub(super) struct Process {
    context: Context,
    pid: libc::pid_t,
    /// Bytes of commands so far; easy-smt remembers them all.
    sent: usize,
    /// How many levels are open.
    depth: usize,
}

pub(super) const PUSH: &str = "(push 1)";
pub(super) const POP: &str = "(pop 1)";
/// How conversations begin; what answers `success` to it may be a solver.
pub const PRINT_SUCCESS: &str = "(set-option :print-success true)";

/// When to end what is running.
#[derive(Clone, Copy)]
pub(super) struct Until<'a> {
    pub(super) deadline: Instant,
    pub(super) stop: &'a [&'a AtomicBool],
}

impl Until<'_> {
    pub(super) fn over(&self) -> Option<Reason> {
        if self.stop.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            Some(Reason::Stopped)
        } else {
            (Instant::now() >= self.deadline).then_some(Reason::TimeOut)
        }
    }
}

impl Process {
    pub(super) fn start(solver: &Solver, limits: Limits, replay: Option<File>) -> Result<Process, Reason> {
        let mut command: Vec<std::ffi::OsString> = ["-c", LAUNCH, "sh"].into_iter().map(Into::into).collect();
        // The solver's own limit comes first, because it says what happened.
        let hard_limit_kb = (limits.memory_mb + limits.memory_mb / 4) * 1024;
        command.push(hard_limit_kb.to_string().into());
        if dies_with_parent() {
            command.extend(GUARD.map(Into::into));
        }
        command.push(solver.program.clone().into());
        command.extend(solver.args.iter().map(Into::into));
        if solver.kind == SolverKind::Z3 {
            command.push(format!("-memory:{}", limits.memory_mb).into());
        }
        let start = || -> io::Result<Process> {
            let mut context =
                ContextBuilder::new().solver("/bin/sh").solver_args(command).replay_file(replay).build()?;
            let reply = context.raw_recv()?;
            let pid = context.get_i32(reply).filter(|pid| *pid > 1).ok_or(io::ErrorKind::InvalidData)?;
            Ok(Process { context, pid, sent: 0, depth: 0 })
        };
        start().map_err(|error| Reason::Crashed(format!("{} does not start: {error}", solver.name())))
    }

    pub(super) fn sent(&self) -> usize {
        self.sent
    }

    /// Makes a process that has answered before forget what it was told; `false` if it does not even answer this.
    pub(super) fn close_levels(&mut self) -> bool {
        let mut commands = vec![POP.to_owned(); self.depth];
        commands.push(PRINT_SUCCESS.into());
        self.send(&commands, Until { deadline: Instant::now() + PATIENCE, stop: &[] }).is_ok()
    }

    /// Sends commands that are answered by `success`.
    pub(super) fn send(&mut self, commands: &[String], until: Until) -> Result<(), Reason> {
        for command in commands {
            self.sent += command.len();
            match command.as_str() {
                PUSH => self.depth += 1,
                POP => self.depth -= 1,
                _ => {}
            }
        }
        self.guarded(until, |context| {
            for batch in commands.chunks(BATCH) {
                context.raw_send(context.atom(batch.join("\n")))?;
                for command in batch {
                    let reply = context.raw_recv()?;
                    if context.get_atom(reply) != Some("success") {
                        return Ok(Err(refusal(&context.display(reply).to_string(), command)));
                    }
                }
            }
            Ok(Ok(()))
        })?
    }

    /// Sends one command and reads its answer.
    pub(super) fn ask<T>(
        &mut self,
        command: &str,
        until: Until,
        read: impl FnOnce(&Context, SExpr) -> T,
    ) -> Result<T, Reason> {
        self.guarded(until, |context| {
            context.raw_send(context.atom(command))?;
            let reply = context.raw_recv()?;
            Ok(match error_message(context, reply) {
                Some(message) => Err(refusal(&message, command)),
                None => Ok(read(context, reply)),
            })
        })?
    }

    /// Talks to the solver while a second thread watches the clock and kills the process when time is up: reading from
    /// a pipe cannot be interrupted otherwise.
    fn guarded<T>(
        &mut self,
        until: Until,
        talk: impl FnOnce(&mut Context) -> io::Result<T>,
    ) -> Result<T, Reason> {
        let pid = self.pid;
        let context = &mut self.context;
        let (result, ended) = std::thread::scope(|scope| {
            let (finished, watched) = mpsc::channel::<()>();
            let watchdog = scope.spawn(move || watch(pid, until, &watched));
            let result = talk(context);
            drop(finished);
            (result, watchdog.join().unwrap_or(None))
        });
        match (result, ended) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(reason)) => Err(reason),
            (Err(error), None) => Err(self.how_it_ended(&error)),
        }
    }

    /// Looks at the exit status without taking it away from easy-smt, which waits for its child when it is dropped.
    fn how_it_ended(&self, error: &io::Error) -> Reason {
        exit_status(self.pid).map_or_else(|| Reason::Crashed(error.to_string()), reason_of_end)
    }
}

/// What the way a solver ended says about the answer that it did not give.
pub(super) fn reason_of_end(status: (i32, i32)) -> Reason {
    match status {
        (libc::CLD_EXITED, code) if code == i32::from(OUT_OF_MEMORY) => Reason::Memory,
        (libc::CLD_EXITED, code) => Reason::Crashed(format!("exit code {code}")),
        (_, signal) => Reason::Crashed(format!("signal {signal}")),
    }
}

/// How a child ended (`CLD_…`), and with which code or signal. Its output has ended; it may need a moment to be gone.
pub(super) fn exit_status(pid: libc::pid_t) -> Option<(i32, i32)> {
    for _ in 0..40 {
        // SAFETY: `waitid` fills the structure it is given; the process is our child and not yet reaped.
        let ended = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let flags = libc::WEXITED | libc::WNOWAIT | libc::WNOHANG;
            let known = libc::waitid(libc::P_PID, pid.cast_unsigned(), &raw mut info, flags) == 0;
            (known && info.si_pid() == pid).then(|| (info.si_code, info.si_status()))
        };
        if ended.is_some() {
            return ended;
        }
        std::thread::sleep(GLANCE);
    }
    None
}

/// easy-smt kills and reaps the child itself, but not what the child has started.
impl Drop for Process {
    fn drop(&mut self) {
        kill(self.pid);
    }
}

/// Kills a child that is not yet reaped, and its group.
pub(super) fn kill(pid: libc::pid_t) {
    // SAFETY: the child is reaped only after its `Process` is dropped, so the id is still its own; a group of that
    // number can only be the child's.
    unsafe {
        libc::kill(-pid, libc::SIGKILL);
        libc::kill(pid, libc::SIGKILL);
    }
}

fn watch(pid: libc::pid_t, until: Until, finished: &mpsc::Receiver<()>) -> Option<Reason> {
    loop {
        if let Some(reason) = until.over() {
            kill(pid);
            return Some(reason);
        }
        let left = until.deadline.saturating_duration_since(Instant::now());
        match finished.recv_timeout(left.min(GLANCE)) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Whether the system has the programs of [`GUARD`]. Without them a solver still ends at its limits and with our standard exit.
fn dies_with_parent() -> bool {
    static WORKS: OnceLock<bool> = OnceLock::new();
    *WORKS.get_or_init(|| {
        let mut try_it = Command::new(GUARD[0]);
        try_it.args(&GUARD[1..]).arg("true");
        try_it.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        try_it.status().is_ok_and(|status| status.success())
    })
}

fn error_message(context: &Context, reply: SExpr) -> Option<String> {
    match context.get(reply) {
        SExprData::List([head, message]) if context.get_atom(*head) == Some("error") => {
            Some(match context.get(*message) {
                SExprData::String(text) | SExprData::Atom(text) => text.to_owned(),
                SExprData::List(_) => context.display(*message).to_string(),
            })
        }
        _ => None,
    }
}

fn refusal(message: &str, command: &str) -> Reason {
    if message.contains("out of memory") {
        return Reason::Memory;
    }
    let shown: String = command.chars().take(200).collect();
    Reason::GaveUp(format!("{message} in {shown}"))
}
