//! Quick fixes: an invariant that was found becomes an annotation, a counterexample becomes a test.

use super::commands::{self, CheckName};
use super::drift::Drift;
use super::report::{Check, Invariant, Verdict, When};
use super::verified::Verified;
use super::view::View;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, OptionalVersionedTextDocumentIdentifier,
    Range as LspRange, TextDocumentEdit, TextEdit, WorkspaceEdit,
};
use lsp_types::{DocumentChanges, OneOf};
use std::collections::HashMap;
use std::ops::Range;

/// Titles of fixes are menu items.
const LONGEST_TITLE: usize = 80;

impl View<'_> {
    /// For the functions that the range touches. `versioned`: the editor takes edits for a version.
    pub fn fixes(&self, range: LspRange, versioned: bool) -> Vec<CodeActionOrCommand> {
        let chosen = self.lines.offset(range.start)..self.lines.offset(range.end);
        let touched = |other: &Range<usize>| other.start <= chosen.end && chosen.start <= other.end;
        let Some(verified) = self.verified else { return Vec::new() };
        let mut fixes = Vec::new();
        for function in self.outline.functions().iter().filter(|f| touched(&f.range)) {
            let Some(known) = self.known(function) else { continue };
            for check in &known.checks {
                let actions = match check.verdict {
                    Verdict::Proved => self.annotate(check, verified, versioned).into_iter().collect(),
                    Verdict::Violated => self.about_run(check),
                    Verdict::Unknown | Verdict::Unsupported => Vec::new(),
                };
                fixes
                    .extend(actions.into_iter().filter(|action| !fixes.contains(action)).collect::<Vec<_>>());
            }
        }
        fixes
    }

    /// Only where all that the proof rests on can be written down.
    fn annotate(&self, check: &Check, verified: &Verified, versioned: bool) -> Option<CodeActionOrCommand> {
        let edits = check.invariants.iter().map(|invariant| self.insertion(check, invariant, verified));
        let edits: Vec<TextEdit> = edits.collect::<Option<Vec<_>>>()?;
        if edits.is_empty() {
            return None;
        }
        let texts: Vec<&str> = check.invariants.iter().map(|invariant| invariant.text.as_str()).collect();
        let action = CodeAction {
            title: shortened(&format!("Insert invariant `{}`", texts.join(" && "))),
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(self.edit(edits, versioned)),
            ..CodeAction::default()
        };
        Some(CodeActionOrCommand::CodeAction(action))
    }

    fn edit(&self, edits: Vec<TextEdit>, versioned: bool) -> WorkspaceEdit {
        let url = self.document.url.clone();
        if !versioned {
            return WorkspaceEdit::new(HashMap::from([(url, edits)]));
        }
        let text_document =
            OptionalVersionedTextDocumentIdentifier { uri: url, version: Some(self.document.version) };
        let edits = edits.into_iter().map(OneOf::Left).collect();
        let document_changes = Some(DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]));
        WorkspaceEdit { document_changes, ..WorkspaceEdit::default() }
    }

    /// A line above the contract or the loop, as far in as that is.
    fn insertion(&self, check: &Check, invariant: &Invariant, verified: &Verified) -> Option<TextEdit> {
        let start = match &invariant.when {
            When::AfterTransactions => self.outline.contract(&check.of.contract)?.range.start,
            When::Loop => {
                let place = invariant.location.as_ref().filter(|place| place.file == self.file)?;
                let drift = Drift::between(verified.text(self.file), &self.document.text);
                drift.forward(&place.range())?.start
            }
            When::Otherwise => return None,
        };
        let text = &self.document.text;
        let line = text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
        let before = text.get(line..start)?;
        // On a line of its own, unless something else stands there.
        let (at, indent) = if before.trim().is_empty() { (line, before) } else { (start, "") };
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let new_text = format!("{indent}/// @notice invariant {}{end}", invariant.text);
        Some(TextEdit::new(self.lines.range(&(at..at)), new_text))
    }

    fn about_run(&self, check: &Check) -> Vec<CodeActionOrCommand> {
        let name = CheckName::new(&self.document.url, check);
        let command = |title: &str, command: &str| commands::command(title.to_owned(), command, &name);
        let mut actions = vec![as_fix(command("Show counterexample", commands::SHOW))];
        if check.trace.is_some() && self.fresh {
            let title = format!("Write a Foundry test that shows: {}", check.message());
            actions.push(as_fix(command(&shortened(&title), commands::TEST)));
        }
        actions
    }
}

fn as_fix(command: Command) -> CodeActionOrCommand {
    CodeActionOrCommand::CodeAction(CodeAction {
        title: command.title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        command: Some(command),
        ..CodeAction::default()
    })
}

fn shortened(title: &str) -> String {
    if title.chars().count() <= LONGEST_TITLE {
        return title.to_owned();
    }
    title.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}
