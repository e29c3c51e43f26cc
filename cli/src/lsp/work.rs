//! Long work, in processes of our own program: one at a time, ended at once when nobody wants it any more.

use super::commands::CheckName;
use super::session::Event;
use super::verified::{Sources, seen};
use hornet_frontend::source::find_project_root;
use hornet_smt::solver::Group;
use lsp_server::RequestId;
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// How soon an end that is asked for comes.
const GLANCE: Duration = Duration::from_millis(20);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Everything in the file, or one contract.
    Verify(Option<String>),
    /// What functions cost.
    Gas,
    /// A counterexample as a Foundry test.
    Test(Box<CheckName>),
}

pub struct Job {
    pub id: u64,
    pub file: PathBuf,
    pub what: What,
    /// What the answer depends on.
    pub files: BTreeSet<PathBuf>,
    /// As they were when the work began.
    pub sources: Sources,
    /// The editor has heard of it.
    pub begun: bool,
    /// Who waits for it.
    pub asked_by: Vec<RequestId>,
}

impl Job {
    pub fn folder(&self) -> PathBuf {
        find_project_root(&self.file)
    }

    /// Where it leaves files, if it does.
    pub fn scratch(&self) -> PathBuf {
        std::env::temp_dir().join(format!("hornet-lsp-{}-{}", std::process::id(), self.id))
    }

    fn arguments(&self) -> Vec<OsString> {
        let file = self.file.clone().into_os_string();
        let mut words: Vec<OsString> = match &self.what {
            What::Verify(_) | What::Test(_) => vec!["verify".into(), "--format".into(), "json".into()],
            What::Gas => vec!["gas".into(), "--format".into(), "json".into()],
        };
        match &self.what {
            What::Verify(Some(contract)) => words.extend(["--contract".into(), contract.into()]),
            What::Test(check) => {
                words.extend(["--test-out".into(), self.scratch().into_os_string()]);
                words.extend(["--contract".into(), check.of.contract.clone().into()]);
            }
            What::Verify(None) | What::Gas => {}
        }
        words.push(file);
        words
    }

    /// Proofs before prices.
    fn is_urgent(&self) -> bool {
        self.what != What::Gas
    }
}

/// How a job ended.
pub struct Output {
    pub text: String,
    /// The last thing that it said to people, in its end.
    pub remark: String,
}

struct Running {
    job: Job,
    wanted: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

pub struct Work {
    events: Sender<Event>,
    running: Option<Running>,
    waiting: VecDeque<Job>,
    /// No longer wanted.
    ending: Vec<JoinHandle<()>>,
    count: u64,
}

impl Work {
    pub fn new(events: Sender<Event>) -> Work {
        Work { events, running: None, waiting: VecDeque::new(), ending: Vec::new(), count: 0 }
    }

    pub fn add(&mut self, file: &Path, what: What, files: BTreeSet<PathBuf>, asked_by: Vec<RequestId>) {
        self.count += 1;
        let job = Job {
            id: self.count,
            file: file.to_owned(),
            what,
            files,
            sources: Sources::new(),
            begun: false,
            asked_by,
        };
        let at = if job.is_urgent() {
            self.waiting.iter().position(|other| !other.is_urgent()).unwrap_or(self.waiting.len())
        } else {
            self.waiting.len()
        };
        self.waiting.insert(at, job);
    }

    /// A job of this kind that is on its way.
    pub fn find(&mut self, mut wanted: impl FnMut(&Job) -> bool) -> Option<&mut Job> {
        let running = self.running.as_mut().map(|running| &mut running.job);
        running.into_iter().chain(&mut self.waiting).find(|job| wanted(job))
    }

    /// Starts what waits, if nothing more urgent runs; gives it, if so.
    pub fn go_on(&mut self) -> Option<&Job> {
        self.ending.retain(|thread| !thread.is_finished());
        let urgent = self.waiting.front().is_some_and(Job::is_urgent);
        if urgent && let Some(running) = self.running.take_if(|running| !running.job.is_urgent()) {
            let job = self.stop(running);
            // A new number: the end of the old process is nobody's any more.
            self.count += 1;
            self.waiting.push_back(Job { id: self.count, ..job });
        }
        if self.running.is_some() {
            return None;
        }
        let mut job = self.waiting.pop_front()?;
        (job.sources, job.begun) = (seen(&job.files), true);
        self.running = Some(self.start(job));
        self.running.as_ref().map(|running| &running.job)
    }

    fn start(&self, job: Job) -> Running {
        let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "hornet".into()));
        command.args(job.arguments()).current_dir(job.folder());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let wanted = Arc::new(AtomicBool::new(true));
        let (events, still, id, scratch) = (self.events.clone(), wanted.clone(), job.id, job.scratch());
        let thread = std::thread::spawn(move || {
            let ended = perform(command, &still, |line| {
                let _ = events.send(Event::Progress(id, line));
            });
            if ended.is_err() {
                let _ = std::fs::remove_dir_all(scratch);
            }
            let _ = events.send(Event::Ended(id, ended));
        });
        Running { job, wanted, thread }
    }

    fn stop(&mut self, running: Running) -> Job {
        running.wanted.store(false, Ordering::Relaxed);
        self.ending.push(running.thread);
        running.job
    }

    /// The job of that number, which has ended; `None` if nobody wants to know any more.
    pub fn ended(&mut self, id: u64) -> Option<Job> {
        let running = self.running.take_if(|running| running.job.id == id)?;
        let _ = running.thread.join();
        Some(running.job)
    }

    /// Ends what fits, begun or not.
    pub fn cancel(&mut self, fits: impl Fn(&Job) -> bool) -> Vec<Job> {
        let (mut unwanted, waiting): (Vec<Job>, Vec<Job>) =
            std::mem::take(&mut self.waiting).into_iter().partition(&fits);
        self.waiting = waiting.into();
        if let Some(running) = self.running.take_if(|running| fits(&running.job)) {
            unwanted.push(self.stop(running));
        }
        unwanted
    }

    /// Ends everything; when this returns, no process is left.
    pub fn end(&mut self) -> Vec<Job> {
        let unwanted = self.cancel(|_| true);
        for thread in self.ending.drain(..) {
            let _ = thread.join();
        }
        unwanted
    }
}

/// Runs the program as long as somebody wants it. Whatever it has started is gone afterwards.
fn perform(mut command: Command, wanted: &AtomicBool, tell: impl Fn(String)) -> Result<Output, String> {
    let mut group = Group::spawn(&mut command).map_err(|e| format!("cannot start: {e}"))?;
    let (Some(mut stdout), Some(stderr)) = (group.child().stdout.take(), group.child().stderr.take()) else {
        return Err("nothing to read".to_owned());
    };
    let (lines, said) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                return;
            }
        }
    });
    let (sender, output) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.read_to_end(&mut bytes);
        let _ = sender.send(read.map(|_| String::from_utf8_lossy(&bytes).into_owned()));
    });
    loop {
        said.try_iter().for_each(|line| tell(line.trim_start_matches("hornet: ").to_owned()));
        match output.recv_timeout(GLANCE) {
            Ok(Ok(text)) => {
                let last = std::iter::from_fn(|| said.recv_timeout(GLANCE).ok()).last();
                return Ok(Output { text, remark: last.unwrap_or_default() });
            }
            Ok(Err(e)) => return Err(e.to_string()),
            Err(RecvTimeoutError::Disconnected) => return Err("nothing to read".to_owned()),
            Err(RecvTimeoutError::Timeout) if !wanted.load(Ordering::Relaxed) => {
                return Err("cancelled".to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
