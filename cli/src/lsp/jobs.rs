//! Verification on behalf of the editor: when it begins, what becomes of its answers, what the editor hears of it.

use super::gas::Gas;
use super::report::{Report, tally};
use super::session::{Session, Wish};
use super::verified::{Verified, seen};
use super::work::{Job, Output, What};
use crate::verify::{import_path, test_file_name};
use lsp_server::{ErrorCode, RequestId};
use lsp_types::notification::{Progress, ShowMessage};
use lsp_types::request::{ApplyWorkspaceEdit, WorkDoneProgressCreate};
use lsp_types::{
    ApplyWorkspaceEditParams, CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges,
    MessageType, NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, ProgressParams,
    ProgressParamsValue, ResourceOp, ShowMessageParams, TextDocumentEdit, TextEdit, Url, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
    WorkspaceEdit,
};
use std::path::Path;

/// Foundry's folder for tests, in the root of a project.
const TESTS: &str = "test";

impl Session {
    /// The front end has looked at the file.
    pub fn fulfil(&mut self, file: &Path, wish: Wish) {
        let Some(state) = self.files.get(file) else { return };
        if state.broken {
            self.refuse_all(
                wish.asked_by,
                ErrorCode::RequestFailed,
                "it has errors, which are shown at their places",
            );
        } else {
            let files = state.files.clone();
            self.work.add(file, What::Verify(wish.contract), files, wish.asked_by);
        }
    }

    pub fn start_work(&mut self) {
        let Some(job) = self.work.go_on() else { return };
        let name = job.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let title = match &job.what {
            What::Verify(None) => format!("Verifying {name}"),
            What::Verify(Some(contract)) => format!("Verifying {contract}"),
            What::Test(_) => format!("Writing a test for {name}"),
            What::Gas => return,
        };
        if self.abilities.is_some_and(|abilities| abilities.progress) {
            let id = job.id;
            self.client.ask::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token(id) });
            self.tell_progress(
                id,
                WorkDoneProgress::Begin(WorkDoneProgressBegin {
                    title,
                    cancellable: Some(true),
                    ..WorkDoneProgressBegin::default()
                }),
            );
        }
    }

    fn tell_progress(&self, id: u64, what: WorkDoneProgress) {
        if self.abilities.is_some_and(|abilities| abilities.progress) {
            let value = ProgressParamsValue::WorkDone(what);
            self.client.tell::<Progress>(ProgressParams { token: token(id), value });
        }
    }

    pub fn progress(&mut self, id: u64, line: String) {
        let is_shown = self.work.find(|job| job.id == id).is_some_and(|job| job.what != What::Gas);
        if is_shown {
            let report = WorkDoneProgressReport { message: Some(line), ..WorkDoneProgressReport::default() };
            self.tell_progress(id, WorkDoneProgress::Report(report));
        }
    }

    fn end_progress(&self, job: &Job) {
        if job.what != What::Gas {
            self.tell_progress(job.id, WorkDoneProgress::End(WorkDoneProgressEnd::default()));
        }
    }

    /// Ends work that nobody wants any more; whoever waits for it is told why.
    pub fn cancel(&mut self, code: ErrorCode, fits: impl Fn(&Job) -> bool) {
        for job in self.work.cancel(fits) {
            if job.begun {
                self.end_progress(&job);
            }
            if let (What::Gas, Some(state)) = (&job.what, self.files.get_mut(&job.file)) {
                state.gas = Gas::default();
            }
            self.refuse_all(job.asked_by, code, "cancelled");
        }
    }

    pub fn refuse_all(&self, ids: Vec<RequestId>, code: ErrorCode, why: &str) {
        ids.into_iter().for_each(|id| self.client.refuse(id, code, why));
    }

    pub fn ended(&mut self, id: u64, output: Result<Output, String>) {
        let Some(job) = self.work.ended(id) else { return };
        self.end_progress(&job);
        match (&job.what, output) {
            (_, Err(why)) => self.went_wrong(job, &why),
            (What::Gas, Ok(output)) => {
                let folder = job.folder();
                if let Some(state) = self.files.get_mut(&job.file) {
                    state.gas.answered(&output.text, &job.file, &folder);
                }
            }
            (What::Verify(_), Ok(output)) => self.verified(job, &output),
            (What::Test(_), Ok(_)) => self.write_test(job),
        }
    }

    fn went_wrong(&mut self, job: Job, why: &str) {
        let name = job.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let message = format!("hornet: verification of {name} did not end well: {why}");
        if job.asked_by.is_empty() {
            self.client.tell::<ShowMessage>(ShowMessageParams { typ: MessageType::ERROR, message });
        } else {
            self.refuse_all(job.asked_by, ErrorCode::RequestFailed, &message);
        }
    }

    fn verified(&mut self, job: Job, output: &Output) {
        // Somebody wrote while we read: nobody knows which text the answers are about.
        if seen(&job.files) != job.sources {
            return self.refuse_all(
                job.asked_by,
                ErrorCode::ContentModified,
                "the file has changed meanwhile",
            );
        }
        let Some(report) = Report::read(&output.text, &job.folder()) else {
            return self.went_wrong(job, &output.remark);
        };
        let Some(state) = self.files.get_mut(&job.file) else { return };
        let said = tally(&report.checks);
        match &mut state.verified {
            Some(known) if matches!(job.what, What::Verify(Some(_))) && known.sources == job.sources => {
                known.report.update(report);
            }
            other => *other = Some(Verified { report, sources: job.sources }),
        }
        job.asked_by.into_iter().for_each(|id| self.client.answer(id, &said));
        self.publish();
        self.refresh_lenses();
    }

    /// The test of one check, as an edit that makes a file of it.
    fn write_test(&mut self, job: Job) {
        let text = test_text(&job);
        let _ = std::fs::remove_dir_all(job.scratch());
        let Some((name, text)) = text else {
            let why = "there is no Foundry test for this run; `hornet verify --test-out test/` says why";
            return self.refuse_all(job.asked_by, ErrorCode::RequestFailed, why);
        };
        let Ok(uri) = Url::from_file_path(job.folder().join(TESTS).join(name)) else { return };
        let options = CreateFileOptions { overwrite: Some(true), ignore_if_exists: None };
        let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
        let edit = TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: None },
            edits: vec![OneOf::Left(TextEdit::new(lsp_types::Range::default(), text))],
        };
        let changes = DocumentChanges::Operations(vec![
            DocumentChangeOperation::Op(ResourceOp::Create(create)),
            DocumentChangeOperation::Edit(edit),
        ]);
        let edit = WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() };
        let label = Some("Foundry test of a counterexample".to_owned());
        self.client.ask::<ApplyWorkspaceEdit>(ApplyWorkspaceEditParams { label, edit });
        job.asked_by.into_iter().for_each(|id| self.client.answer(id, &uri));
    }
}

/// The file's name and text, with imports as from the folder where it is going to be.
fn test_text(job: &Job) -> Option<(String, String)> {
    let What::Test(check) = &job.what else { return None };
    let before = job.sources.get(&job.file)?.text.get(..check.start)?;
    let line = before.matches('\n').count() + 1;
    let name = test_file_name(&check.of.contract, &check.of.function, &check.kind, line);
    let text = std::fs::read_to_string(job.scratch().join(&name)).ok()?;
    let quoted = |folder: &Path| format!("\"{}\"", import_path(folder, &job.file));
    Some((name, text.replace(&quoted(&job.scratch()), &quoted(&job.folder().join(TESTS)))))
}

fn token(id: u64) -> NumberOrString {
    NumberOrString::String(format!("hornet/{id}"))
}
