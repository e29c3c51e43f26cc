//! One editor: what is open there, what is known about it, and what happens when something happens.

use super::abilities::Abilities;
use super::check::{Checked, Purpose, Question};
use super::diagnostics::{ByFile, Teller, add};
use super::documents::Documents;
use super::gas::Gas;
use super::outline::Outline;
use super::transport::Client;
use super::verified::Verified;
use super::view::View;
use super::work::{Output, Work};
use lsp_server::{Message, RequestId};
use lsp_types::notification::PublishDiagnostics;
use lsp_types::request::CodeLensRefresh;
use lsp_types::{CodeActionOrCommand, PublishDiagnosticsParams};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// While somebody types, nobody is disturbed.
const PAUSE: Duration = Duration::from_millis(200);

/// When nothing is due.
const LONG: Duration = Duration::from_secs(3600);

pub enum Event {
    Message(Message),
    /// Something that is no message, and why.
    Junk(String),
    /// Nobody writes to us any more.
    Closed,
    Checked(Box<Checked>),
    /// What can be done about a place, for whoever asked.
    Offered(RequestId, Vec<CodeActionOrCommand>),
    Progress(u64, String),
    Ended(u64, Result<Output, String>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Strangers,
    Working,
    /// Nothing but the end is expected.
    ShutDown,
    Over,
}

/// What is known about an open file.
#[derive(Default)]
pub struct FileState {
    pub text: Arc<str>,
    pub broken: bool,
    pub outline: Option<Outline>,
    /// It and everything that it imports.
    pub files: BTreeSet<PathBuf>,
    pub found: ByFile,
    pub verified: Option<Verified>,
    pub gas: Gas,
    pub wish: Option<Wish>,
}

/// To be verified as soon as the front end has no objections.
#[derive(Default)]
pub struct Wish {
    pub contract: Option<String>,
    pub asked_by: Vec<RequestId>,
}

pub struct Session {
    pub client: Client,
    pub documents: Documents,
    pub files: BTreeMap<PathBuf, FileState>,
    pub work: Work,
    pub phase: Phase,
    pub abilities: Option<Abilities>,
    checker: Sender<Question>,
    /// When files are looked at again.
    due: BTreeMap<PathBuf, Instant>,
    published: ByFile,
    orderly: bool,
}

impl Session {
    pub fn new(events: Sender<Event>, checker: Sender<Question>) -> Session {
        Session {
            client: Client::new(),
            documents: Documents::default(),
            files: BTreeMap::new(),
            work: Work::new(events),
            phase: Phase::Strangers,
            abilities: None,
            checker,
            due: BTreeMap::new(),
            published: ByFile::new(),
            orderly: false,
        }
    }

    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Leaves no process behind. Whether the editor has said that this is the end.
    pub fn end(mut self) -> bool {
        self.work.end();
        self.client.end();
        self.orderly
    }

    /// Until the next thing happens, or is due.
    pub fn wait(&mut self, events: &Receiver<Event>) {
        let now = Instant::now();
        let next = self.due.values().min().map_or(LONG, |due| due.saturating_duration_since(now));
        match events.recv_timeout(next) {
            Ok(event) => self.handle(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.phase = Phase::Over,
        }
        self.ask_checker();
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Message(Message::Request(request)) => self.request(request),
            Event::Message(Message::Notification(notification)) => self.notification(notification),
            // Nothing that we ask for has an answer that matters.
            Event::Message(Message::Response(_)) => {}
            Event::Junk(why) => self.client.refuse_junk(&why),
            Event::Closed => self.phase = Phase::Over,
            Event::Checked(checked) => self.checked(*checked),
            Event::Offered(id, fixes) => self.client.answer(id, fixes),
            Event::Progress(id, line) => self.progress(id, line),
            Event::Ended(id, output) => self.ended(id, output),
        }
        self.start_work();
    }

    pub fn leave(&mut self) {
        self.orderly = self.phase == Phase::ShutDown;
        self.phase = Phase::Over;
    }

    /// Has the front end look at a file, at once or when nobody types.
    pub fn look_at(&mut self, file: &Path, at_once: bool) {
        let due = if at_once { Instant::now() } else { Instant::now() + PAUSE };
        self.due.insert(file.to_owned(), due);
    }

    pub fn forget(&mut self, file: &Path) {
        self.due.remove(file);
        self.files.remove(file);
        self.publish();
    }

    /// Open files that import this one.
    pub fn dependents(&self, file: &Path) -> Vec<PathBuf> {
        let imports = |(path, state): &(&PathBuf, &FileState)| *path != file && state.files.contains(file);
        self.files.iter().filter(imports).map(|(path, _)| path.clone()).collect()
    }

    fn ask_checker(&mut self) {
        let now = Instant::now();
        let ready: Vec<PathBuf> =
            self.due.iter().filter(|(_, due)| **due <= now).map(|(file, _)| file.clone()).collect();
        for file in ready {
            self.due.remove(&file);
            self.ask_front_end(file, Purpose::Look);
        }
    }

    pub fn ask_front_end(&self, file: PathBuf, purpose: Purpose) {
        let Some(Abilities { encoding, .. }) = self.abilities else { return };
        let texts = self.documents.texts();
        // If it is gone, so are we soon.
        let _ = self.checker.send(Question { file, texts, encoding, purpose });
    }

    fn checked(&mut self, checked: Checked) {
        let Checked { file, text, broken, outline, files, diagnostics } = checked;
        let Some(document) = self.documents.get(&file) else { return };
        let current = *document.text == *text;
        let state = self.files.entry(file.clone()).or_default();
        if outline.is_some() {
            state.outline = outline;
        }
        (state.text, state.broken, state.files, state.found) = (text, broken, files, diagnostics);
        if current && let Some(wish) = state.wish.take() {
            self.fulfil(&file, wish);
        }
        self.publish();
        self.refresh_lenses();
    }

    pub fn refresh_lenses(&mut self) {
        if self.abilities.is_some_and(|abilities| abilities.refresh_lenses) {
            self.client.ask::<CodeLensRefresh>(());
        }
    }

    /// Tells the editor what is new about any file.
    pub fn publish(&mut self) {
        let Some(Abilities { encoding, .. }) = self.abilities else { return };
        let mut all = ByFile::new();
        for (file, state) in &self.files {
            let verdicts = state
                .verified
                .as_ref()
                .map(|verified| Teller::new(&self.documents, verified, encoding, file).diagnostics());
            // What the front end says now counts more than what it said when the file was verified.
            let found = state.found.clone().into_iter().chain(verdicts.unwrap_or_default());
            for (path, diagnostics) in found {
                diagnostics.into_iter().for_each(|diagnostic| add(&mut all, path.clone(), diagnostic));
            }
        }
        // An open file hears once that nothing is wrong with it.
        let known: BTreeSet<&PathBuf> =
            all.keys().chain(self.published.keys()).chain(self.files.keys()).collect();
        for path in known {
            let diagnostics = all.get(path).cloned().unwrap_or_default();
            if self.published.get(path) == Some(&diagnostics) {
                continue;
            }
            let Some(uri) = self.documents.url(path) else { continue };
            let version = self.documents.get(path).map(|document| document.version);
            self.client.tell::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
        }
        for path in self.files.keys() {
            all.entry(path.clone()).or_default();
        }
        self.published = all;
    }

    pub fn view<'s>(&'s self, file: &'s Path) -> Option<View<'s>> {
        let state = self.files.get(file)?;
        let encoding = self.abilities?.encoding;
        View::new(
            file,
            &self.documents,
            encoding,
            state.outline.as_ref(),
            state.verified.as_ref(),
            &state.gas,
        )
    }

    /// Whether what is on disk is what is shown.
    pub fn is_saved(&self, file: &Path) -> bool {
        let Some(document) = self.documents.get(file) else { return false };
        std::fs::read_to_string(file).is_ok_and(|text| *text == *document.text)
    }
}
