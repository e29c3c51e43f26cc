//! What the editor asks and tells.

use super::abilities::Abilities;
use super::check::Purpose;
use super::commands::{Asked, CheckName, Target};
use super::counterexample::story;
use super::documents::{Document, path_of};
use super::gas::Gas;
use super::report::Check;
use super::session::{Phase, Session, Wish};
use super::work::What;
use lsp_server::{ErrorCode, Notification, Request, RequestId};
use lsp_types::notification::ShowMessage;
use lsp_types::{
    CancelParams, CodeActionKind, CodeActionParams, CodeLensParams, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams,
    HoverParams, InitializeParams, MessageType, NumberOrString, ShowMessageParams, Url,
    WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::{Path, PathBuf};

const SAVE_FIRST: &str = "save the file first: verification reads it from disk";

impl Session {
    pub fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::Strangers, "initialize") => self.initialize(id, params),
            (Phase::Strangers, _) => {
                self.client.refuse(id, ErrorCode::ServerNotInitialized, "not initialized")
            }
            (Phase::Working, "shutdown") => {
                self.cancel(ErrorCode::RequestCanceled, |_| true);
                self.phase = Phase::ShutDown;
                self.client.answer(id, Value::Null);
            }
            (Phase::Working, "textDocument/hover") => self.hover(id, params),
            (Phase::Working, "textDocument/codeLens") => self.lenses(id, params),
            (Phase::Working, "textDocument/codeAction") => self.fixes(id, params),
            (Phase::Working, "workspace/executeCommand") => self.execute(id, params),
            (Phase::Working, "initialize") | (Phase::ShutDown | Phase::Over, _) => {
                self.client.refuse(id, ErrorCode::InvalidRequest, format!("`{method}` at this time"));
            }
            (Phase::Working, _) => {
                self.client.refuse(id, ErrorCode::MethodNotFound, format!("`{method}` is not known"));
            }
        }
    }

    pub fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match (self.phase, method.as_str()) {
            (_, "exit") => self.leave(),
            (Phase::Working, "textDocument/didOpen") => read(params).into_iter().for_each(|p| self.opened(p)),
            (Phase::Working, "textDocument/didChange") => {
                read(params).into_iter().for_each(|p| self.changed(p))
            }
            (Phase::Working, "textDocument/didSave") => read(params).into_iter().for_each(|p| self.saved(p)),
            (Phase::Working, "textDocument/didClose") => {
                read(params).into_iter().for_each(|p| self.closed(p))
            }
            (Phase::Working, "$/cancelRequest") => read(params).into_iter().for_each(|p| self.cancelled(p)),
            (Phase::Working, "window/workDoneProgress/cancel") => {
                read(params).into_iter().for_each(|p| self.progress_cancelled(&p));
            }
            // Notifications that are not known are nobody's business.
            _ => {}
        }
    }

    fn initialize(&mut self, id: RequestId, params: Value) {
        match serde_json::from_value::<InitializeParams>(params) {
            Ok(params) => {
                let abilities = Abilities::of(&params);
                self.client.answer(id, abilities.answer());
                self.abilities = Some(abilities);
                self.phase = Phase::Working;
            }
            Err(e) => self.client.refuse(id, ErrorCode::InvalidParams, e.to_string()),
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let opened = params.text_document;
        let Some(file) = path_of(&opened.uri) else { return };
        let document = Document { url: opened.uri, version: opened.version, text: opened.text.into() };
        self.documents.open(file.clone(), document);
        self.files.entry(file.clone()).or_default();
        self.look_at(&file, true);
        self.dependents(&file).iter().for_each(|other| self.look_at(other, true));
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let (Some(file), Some(abilities)) = (path_of(&params.text_document.uri), self.abilities) else {
            return;
        };
        self.documents.change(
            &file,
            params.text_document.version,
            params.content_changes,
            abilities.encoding,
        );
        self.cancel(ErrorCode::ContentModified, |job| job.file == file);
        self.drop_wish(&file, ErrorCode::ContentModified);
        self.look_at(&file, false);
        self.dependents(&file).iter().for_each(|other| self.look_at(other, false));
    }

    /// Verifies it, and whatever was verified before and imports it.
    fn saved(&mut self, params: DidSaveTextDocumentParams) {
        let Some(file) = path_of(&params.text_document.uri) else { return };
        let known = |other: &PathBuf| self.files.get(other).is_some_and(|state| state.verified.is_some());
        let others: Vec<PathBuf> = self.dependents(&file).into_iter().filter(known).collect();
        for path in std::iter::once(file).chain(others) {
            self.cancel(ErrorCode::ContentModified, |job| job.file == path);
            if let Some(state) = self.files.get_mut(&path) {
                state.wish.get_or_insert_default().contract = None;
                self.look_at(&path, true);
            }
        }
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let Some(file) = path_of(&params.text_document.uri) else { return };
        self.cancel(ErrorCode::ContentModified, |job| job.file == file);
        self.drop_wish(&file, ErrorCode::ContentModified);
        self.forget(&file);
        self.documents.close(&file);
        self.dependents(&file).iter().for_each(|other| self.look_at(other, true));
    }

    fn drop_wish(&mut self, file: &Path, code: ErrorCode) {
        if let Some(wish) = self.files.get_mut(file).and_then(|state| state.wish.take()) {
            self.refuse_all(wish.asked_by, code, "cancelled");
        }
    }

    fn cancelled(&mut self, params: CancelParams) {
        let id = match params.id {
            NumberOrString::Number(id) => RequestId::from(id),
            NumberOrString::String(id) => RequestId::from(id),
        };
        let waiting = self
            .files
            .iter()
            .find(|(_, state)| state.wish.as_ref().is_some_and(|w| w.asked_by.contains(&id)));
        if let Some(file) = waiting.map(|(file, _)| file.clone()) {
            self.drop_wish(&file, ErrorCode::RequestCanceled);
        }
        self.cancel(ErrorCode::RequestCanceled, |job| job.asked_by.contains(&id));
    }

    fn progress_cancelled(&mut self, params: &WorkDoneProgressCancelParams) {
        let NumberOrString::String(token) = &params.token else { return };
        self.cancel(ErrorCode::RequestCanceled, |job| *token == format!("hornet/{}", job.id));
    }

    fn hover(&mut self, id: RequestId, params: Value) {
        let Some(HoverParams { text_document_position_params: at, .. }) = self.understood(&id, params) else {
            return;
        };
        let file = path_of(&at.text_document.uri).unwrap_or_default();
        let in_function = self.view(&file).is_some_and(|view| view.function_at(at.position).is_some());
        if in_function {
            self.ask_for_gas(&file);
        }
        let hover = self.view(&file).and_then(|view| view.hover(at.position));
        self.client.answer(id, hover);
    }

    /// The first time that somebody is interested in this text.
    fn ask_for_gas(&mut self, file: &Path) {
        let (Some(state), Some(document)) = (self.files.get(file), self.documents.get(file)) else { return };
        if state.broken || state.gas.is_about(&document.text) || !self.is_saved(file) {
            return;
        }
        let (files, text) = (state.files.clone(), document.text.clone());
        self.work.cancel(|job| job.file == file && job.what == What::Gas);
        self.work.add(file, What::Gas, files, Vec::new());
        if let Some(state) = self.files.get_mut(file) {
            state.gas = Gas::asked(text);
        }
    }

    fn lenses(&mut self, id: RequestId, params: Value) {
        let Some(CodeLensParams { text_document, .. }) = self.understood(&id, params) else { return };
        let file = path_of(&text_document.uri).unwrap_or_default();
        let lenses = self.view(&file).map(|view| view.lenses());
        self.client.answer(id, lenses.unwrap_or_default());
    }

    fn fixes(&mut self, id: RequestId, params: Value) {
        let understood = self.understood(&id, params);
        let Some(CodeActionParams { text_document, range, context, .. }) = understood else { return };
        let wanted = |kinds: &Vec<CodeActionKind>| kinds.contains(&CodeActionKind::QUICKFIX);
        if !context.only.as_ref().is_none_or(wanted) {
            return self.client.answer(id, Value::Array(Vec::new()));
        }
        let file = path_of(&text_document.uri).unwrap_or_default();
        let versioned = self.abilities.is_some_and(|abilities| abilities.versioned_edits);
        let fixes = self.view(&file).map(|view| view.fixes(range, versioned)).unwrap_or_default();
        self.ask_front_end(file, Purpose::Offer(id, fixes));
    }

    fn execute(&mut self, id: RequestId, params: Value) {
        let Some(ExecuteCommandParams { command, arguments, .. }) = self.understood(&id, params) else {
            return;
        };
        match Asked::read(&command, arguments) {
            Ok(Asked::Prove(target)) => self.prove(id, &target),
            Ok(Asked::Show(name)) => self.show(id, &name),
            Ok(Asked::Test(name)) => self.test(id, name),
            Err(why) => self.client.refuse(id, ErrorCode::InvalidParams, why),
        }
    }

    /// Answered when it is done.
    fn prove(&mut self, id: RequestId, target: &Target) {
        let Some(file) = self.open_file(&target.uri).filter(|file| self.is_saved(file)) else {
            return self.client.refuse(id, ErrorCode::RequestFailed, SAVE_FIRST);
        };
        let covers = |what: &What| match what {
            What::Verify(contract) => contract.is_none() || *contract == target.contract,
            What::Gas | What::Test(_) => false,
        };
        if let Some(job) = self.work.find(|job| job.file == file && covers(&job.what)) {
            return job.asked_by.push(id);
        }
        if let Some(state) = self.files.get_mut(&file) {
            match &mut state.wish {
                Some(wish) => {
                    wish.contract =
                        wish.contract.take().filter(|wished| Some(wished) == target.contract.as_ref());
                    wish.asked_by.push(id);
                }
                None => state.wish = Some(Wish { contract: target.contract.clone(), asked_by: vec![id] }),
            }
            self.look_at(&file, true);
        }
    }

    fn show(&mut self, id: RequestId, name: &CheckName) {
        let Some(story) = self.check(name).map(story) else {
            return self.client.refuse(
                id,
                ErrorCode::RequestFailed,
                "this counterexample is no longer known",
            );
        };
        if !self.abilities.is_some_and(|abilities| abilities.shows_stories) {
            let message = story.text.clone();
            self.client.tell::<ShowMessage>(ShowMessageParams { typ: MessageType::INFO, message });
        }
        self.client.answer(id, story);
    }

    fn test(&mut self, id: RequestId, name: CheckName) {
        if !self.abilities.is_some_and(|abilities| abilities.create_files) {
            let why = "this editor does not create files for others; `hornet verify --test-out test/` does";
            return self.client.refuse(id, ErrorCode::RequestFailed, why);
        }
        let known = self.check(&name).is_some();
        match self.open_file(&name.uri).filter(|file| known && self.is_saved(file)) {
            Some(file) => {
                let files = self.files.get(&file).map(|state| state.files.clone()).unwrap_or_default();
                self.work.add(&file, What::Test(Box::new(name)), files, vec![id]);
            }
            None => self.client.refuse(id, ErrorCode::RequestFailed, SAVE_FIRST),
        }
    }

    fn check(&self, name: &CheckName) -> Option<&Check> {
        let verified = self.files.get(&path_of(&name.uri)?)?.verified.as_ref()?;
        verified.report.checks.iter().find(|check| name.means(check))
    }

    fn open_file(&self, url: &Url) -> Option<PathBuf> {
        path_of(url).filter(|file| self.documents.get(file).is_some())
    }

    /// What a request is about; otherwise whoever asked is told what is wrong.
    fn understood<P: DeserializeOwned>(&self, id: &RequestId, params: Value) -> Option<P> {
        match serde_json::from_value(params) {
            Ok(params) => Some(params),
            Err(e) => {
                self.client.refuse(id.clone(), ErrorCode::InvalidParams, e.to_string());
                None
            }
        }
    }
}

/// A notification has no answer that could say what is wrong with it.
fn read<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}
