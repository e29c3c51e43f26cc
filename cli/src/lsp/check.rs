//! The front end on texts that are not saved: syntax, names, types, annotations. On a thread of its own, because deep
//! input wants a large stack and the editor wants answers meanwhile.

use super::documents::canonical;
use super::outline::Outline;
use super::positions::{Encoding, Lines};
use super::session::Event;
use crate::args::ImportArgs;
use crate::input::Refusal;
use crate::project::Project;
use crate::verify::LOWERING;
use hornet_frontend::lower;
use hornet_frontend::source::Loader;
use hornet_ir::diag::{Diagnostic as Found, Severity};
use hornet_ir::span::{FileId, SourceMap, Span};
use lsp_server::RequestId;
use lsp_types::{
    CodeActionOrCommand, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Url,
};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

pub const SOURCE: &str = "hornet";

/// Nobody reads more at once.
const MOST: usize = 200;

/// A file to look at, and the texts of all that are open.
pub struct Question {
    pub file: PathBuf,
    pub texts: BTreeMap<PathBuf, Arc<str>>,
    pub encoding: Encoding,
    pub purpose: Purpose,
}

pub enum Purpose {
    /// To say what is wrong with it.
    Look,
    /// To offer what can be done with it, as far as nothing is wrong with it afterwards.
    Offer(RequestId, Vec<Proposal>),
}

pub struct Proposal {
    pub action: CodeActionOrCommand,
    /// What the file becomes, where it becomes something else.
    pub text: Option<String>,
}

#[derive(Default)]
pub struct Checked {
    pub file: PathBuf,
    /// What was looked at.
    pub text: Arc<str>,
    pub broken: bool,
    /// `None` where the text could not be read as Solidity.
    pub outline: Option<Outline>,
    /// Everything that was read, settings included.
    pub files: BTreeSet<PathBuf>,
    pub diagnostics: BTreeMap<PathBuf, Vec<Diagnostic>>,
}

/// Answers come as events; of several questions about a file that wait, the last one is answered.
pub fn start(events: Sender<Event>) -> Option<Sender<Question>> {
    let (sender, questions) = channel();
    let thread = std::thread::Builder::new().stack_size(crate::STACK_BYTES);
    thread.spawn(move || answer_all(&questions, &events)).ok()?;
    Some(sender)
}

fn answer_all(questions: &Receiver<Question>, events: &Sender<Event>) {
    let mut waiting: Vec<Question> = Vec::new();
    loop {
        if waiting.is_empty() {
            let Ok(question) = questions.recv() else { return };
            waiting.push(question);
        }
        for newer in questions.try_iter() {
            let outdated =
                |older: &Question| older.file == newer.file && matches!(older.purpose, Purpose::Look);
            waiting.retain(|older| !outdated(older));
            waiting.push(newer);
        }
        let mut question = waiting.remove(0);
        let answer = match std::mem::replace(&mut question.purpose, Purpose::Look) {
            Purpose::Look => Event::Checked(Box::new(checked(&question))),
            Purpose::Offer(id, proposals) => Event::Offered(id, accepted(&question, proposals)),
        };
        if events.send(answer).is_err() {
            return;
        }
    }
}

/// A mistake of ours costs an answer, not the server.
fn checked(question: &Question) -> Checked {
    catch_unwind(AssertUnwindSafe(|| check(question))).unwrap_or_else(|_| internal_error(question))
}

/// An invariant that was found may be about what has no name there, or not be Solidity in every detail.
fn accepted(question: &Question, proposals: Vec<Proposal>) -> Vec<CodeActionOrCommand> {
    let is_fine = |text: &String| {
        let mut texts = question.texts.clone();
        texts.insert(question.file.clone(), text.as_str().into());
        !checked(&Question { file: question.file.clone(), texts, purpose: Purpose::Look, ..*question }).broken
    };
    let fine = proposals.into_iter().filter(|proposal| proposal.text.as_ref().is_none_or(is_fine));
    fine.map(|proposal| proposal.action).collect()
}

fn internal_error(question: &Question) -> Checked {
    let message = "this is a bug in hornet, please report it with the file that shows it".to_owned();
    let sources = SourceMap::default();
    let diagnostics = Shown::new(question, &sources, Path::new("")).all(&[&Found::unlocated(message)]);
    Checked { broken: true, diagnostics, ..nothing(question) }
}

fn nothing(question: &Question) -> Checked {
    let text = question.texts.get(&question.file).cloned().unwrap_or_default();
    Checked { file: question.file.clone(), text, files: [question.file.clone()].into(), ..Checked::default() }
}

fn check(question: &Question) -> Checked {
    let file = std::slice::from_ref(&question.file);
    let imports = ImportArgs { root: None, include: Vec::new(), remap: Vec::new() };
    let project = match Project::around(file, &imports) {
        Ok(project) => project,
        Err(refusal) => return refused(question, &refusal, question.file.parent().unwrap_or(Path::new(""))),
    };
    let options = match project.load_options(file, &imports) {
        Ok(options) => options,
        Err(why) => return refused(question, &why.into(), &project.root),
    };
    let mut loader = Loader::new(options);
    for (path, text) in &question.texts {
        loader.edit(path.clone(), &**text);
    }
    let compiled = hornet_frontend::compile(
        loader.load_paths(file),
        lower::Options { via_ir: project.settings.via_ir.value, ..LOWERING },
    );
    let path_of = |id: FileId| canonical(&project.root.join(&compiled.sources.file(id).name));
    let own = compiled.sources.files().map(|(id, _)| id).find(|id| path_of(*id) == question.file);
    // What is imported matters as far as it is used, and verification says so.
    let of_others = |d: &Found| d.severity != Severity::Error && d.span.map(|span| span.file) != own;
    let told: Vec<&Found> = compiled.diagnostics.iter().filter(|d| !of_others(d)).collect();
    let diagnostics = Shown::new(question, &compiled.sources, &project.root).all(&told);
    Checked {
        broken: compiled.has_errors(),
        outline: own.and_then(|id| Outline::of(&compiled.hir, id, nothing(question).text)),
        // Settings decide about verdicts, too.
        files: compiled
            .sources
            .files()
            .map(|(id, _)| path_of(id))
            .chain(project.files.iter().map(|name| canonical(&project.root.join(name))))
            .collect(),
        diagnostics,
        ..nothing(question)
    }
}

/// The project's settings are wrong, or something else before the text.
fn refused(question: &Question, refusal: &Refusal, folder: &Path) -> Checked {
    let root = hornet_frontend::source::find_project_root(&question.file);
    let folder = if refusal.sources.files().next().is_some() { root.as_path() } else { folder };
    let told: Vec<&Found> = refusal.diagnostics.iter().collect();
    let diagnostics = Shown::new(question, &refusal.sources, folder).all(&told);
    Checked { broken: true, diagnostics, ..nothing(question) }
}

/// Findings as editors want them, by file.
struct Shown<'a> {
    question: &'a Question,
    sources: &'a SourceMap,
    /// Names of files are seen from here.
    folder: &'a Path,
    /// Of files that something was said about.
    known: BTreeMap<FileId, (PathBuf, Lines<'a>)>,
}

impl<'a> Shown<'a> {
    fn new(question: &'a Question, sources: &'a SourceMap, folder: &'a Path) -> Shown<'a> {
        Shown { question, sources, folder, known: BTreeMap::new() }
    }

    fn all(mut self, told: &[&Found]) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
        let mut found: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
        for one in told.iter().take(MOST) {
            let (file, diagnostic) = self.one(one);
            found.entry(file).or_default().push(diagnostic);
        }
        found
    }

    fn place(&mut self, span: Span) -> (PathBuf, lsp_types::Range) {
        let (sources, folder, encoding) = (self.sources, self.folder, self.question.encoding);
        let (path, lines) = self.known.entry(span.file).or_insert_with(|| {
            let file = sources.file(span.file);
            (canonical(&folder.join(&file.name)), Lines::new(&file.text, encoding))
        });
        (path.clone(), lines.range(&(span.start as usize..span.end as usize)))
    }

    fn one(&mut self, found: &Found) -> (PathBuf, Diagnostic) {
        let (file, range) = match found.span {
            Some(span) => self.place(span),
            None => (self.question.file.clone(), lsp_types::Range::default()),
        };
        let (severity, message) = match found.severity {
            Severity::Error => (DiagnosticSeverity::ERROR, found.message.clone()),
            Severity::Warning => (DiagnosticSeverity::WARNING, found.message.clone()),
            Severity::Unsupported => {
                (DiagnosticSeverity::INFORMATION, format!("not modelled: {}", found.message))
            }
        };
        let help = found.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let related = found.labels.iter().filter_map(|label| {
            let (file, range) = self.place(label.span);
            let location = Location::new(Url::from_file_path(file).ok()?, range);
            Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
        });
        let related: Vec<_> = related.collect();
        let diagnostic = Diagnostic {
            range,
            severity: Some(severity),
            source: Some(SOURCE.to_owned()),
            message: message + &help,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        };
        (file, diagnostic)
    }
}
