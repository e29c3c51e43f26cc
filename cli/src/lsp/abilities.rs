//! What the two sides can do.

use super::commands;
use super::positions::Encoding;
use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeLensOptions, ExecuteCommandOptions,
    HoverProviderCapability, InitializeParams, InitializeResult, ResourceOperationKind, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
    WorkspaceEditClientCapabilities,
};

/// What the editor can do.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    pub encoding: Encoding,
    pub progress: bool,
    pub refresh_lenses: bool,
    pub versioned_edits: bool,
    /// Edits may create files.
    pub create_files: bool,
    /// It shows a counterexample that a command answers with.
    pub shows_stories: bool,
}

impl Abilities {
    pub fn of(params: &InitializeParams) -> Abilities {
        let ClientCapabilities { workspace, window, general, .. } = &params.capabilities;
        let workspace = workspace.as_ref();
        let edits: Option<&WorkspaceEditClientCapabilities> =
            workspace.and_then(|w| w.workspace_edit.as_ref());
        let versioned_edits = edits.and_then(|e| e.document_changes).unwrap_or(false);
        let applies = workspace.and_then(|w| w.apply_edit).unwrap_or(false);
        let operations = edits.and_then(|e| e.resource_operations.as_ref());
        let creates = operations.is_some_and(|known| known.contains(&ResourceOperationKind::Create));
        let lenses = workspace.and_then(|w| w.code_lens.as_ref());
        let encodings = general.as_ref().and_then(|g| g.position_encodings.as_deref());
        let own = params.initialization_options.as_ref();
        Abilities {
            encoding: Encoding::agreed(encodings),
            progress: window.as_ref().and_then(|w| w.work_done_progress).unwrap_or(false),
            refresh_lenses: lenses.and_then(|l| l.refresh_support).unwrap_or(false),
            versioned_edits,
            create_files: applies && versioned_edits && creates,
            shows_stories: own.is_some_and(|options| options["showsCounterexamples"] == true),
        }
    }

    /// What we can do.
    pub fn answer(&self) -> InitializeResult {
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        };
        let fixes = CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
            code_action_provider: Some(fixes.into()),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: commands::ALL.map(str::to_owned).to_vec(),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            ..ServerCapabilities::default()
        };
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        InitializeResult {
            capabilities,
            server_info: Some(ServerInfo { name: "hornet".to_owned(), version }),
        }
    }
}
