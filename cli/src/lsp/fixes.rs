//! Quick fixes: an invariant that was found becomes an annotation, a counterexample becomes a test.

use super::check::Proposal;
use super::commands::{self, CheckName};
use super::report::{Check, Invariant, Verdict, When};
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
    pub fn fixes(&self, range: LspRange, versioned: bool) -> Vec<Proposal> {
        let chosen = self.lines.offset(range.start)..self.lines.offset(range.end);
        let touched = |other: &Range<usize>| other.start <= chosen.end && chosen.start <= other.end;
        let functions = self.outline.functions().iter().filter(|f| touched(&f.range));
        let checks = functions.filter_map(|f| self.known(f)).flat_map(|known| known.checks);
        let mut fixes: Vec<Proposal> = Vec::new();
        for fix in checks.flat_map(|check| self.fixes_of(check, versioned)) {
            if !fixes.iter().any(|other| other.action == fix.action) {
                fixes.push(fix);
            }
        }
        fixes
    }

    fn fixes_of(&self, check: &Check, versioned: bool) -> Vec<Proposal> {
        match check.verdict {
            Verdict::Proved => self.annotate(check, versioned).into_iter().collect(),
            Verdict::Violated => self.about_run(check),
            Verdict::Unknown | Verdict::Unsupported => Vec::new(),
        }
    }

    /// Only where all that the proof rests on can be written down.
    fn annotate(&self, check: &Check, versioned: bool) -> Option<Proposal> {
        let insertions = check.invariants.iter().map(|invariant| self.insertion(check, invariant));
        let insertions: Vec<(usize, String)> = insertions.collect::<Option<Vec<_>>>()?;
        if insertions.is_empty() {
            return None;
        }
        let texts: Vec<&str> = check.invariants.iter().filter_map(|i| i.text.as_deref()).collect();
        let edit = |(at, text): &(usize, String)| TextEdit::new(self.lines.range(&(*at..*at)), text.clone());
        let action = CodeAction {
            title: shortened(&format!("Insert invariant `{}`", texts.join(" && "))),
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(self.edit(insertions.iter().map(edit).collect(), versioned)),
            ..CodeAction::default()
        };
        let text = Some(with(&self.document.text, insertions));
        Some(Proposal { action: CodeActionOrCommand::CodeAction(action), text })
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
    fn insertion(&self, check: &Check, invariant: &Invariant) -> Option<(usize, String)> {
        let start = match &invariant.when {
            When::AfterTransactions => self.outline.contract(&check.of.contract)?.range.start,
            When::Loop => {
                let place = invariant.location.as_ref().filter(|place| place.file == self.file)?;
                self.drift.forward(&place.range())?.start
            }
            When::Otherwise => return None,
        };
        let text = &self.document.text;
        let line = text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
        let before = text.get(line..start)?;
        // On a line of its own, unless something else stands there.
        let (at, indent) = if before.trim().is_empty() { (line, before) } else { (start, "") };
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Some((at, format!("{indent}/// @notice invariant {}{end}", invariant.text.as_deref()?)))
    }

    fn about_run(&self, check: &Check) -> Vec<Proposal> {
        let name = CheckName::new(&self.document.url, check);
        let command = |title: &str, command: &str| commands::command(title.to_owned(), command, &name);
        let mut actions = vec![as_fix(command("Show counterexample", commands::SHOW))];
        if check.trace.is_some() && self.fresh {
            let title = format!("Write a Foundry test that shows: {}", check.message);
            actions.push(as_fix(command(&shortened(&title), commands::TEST)));
        }
        actions
    }
}

fn as_fix(command: Command) -> Proposal {
    let action = CodeAction {
        title: command.title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        command: Some(command),
        ..CodeAction::default()
    };
    Proposal { action: CodeActionOrCommand::CodeAction(action), text: None }
}

/// The text with further lines; those at the same place stay in their order.
fn with(text: &str, mut insertions: Vec<(usize, String)>) -> String {
    insertions.sort_by_key(|(at, _)| *at);
    let mut edited = text.to_owned();
    for (at, line) in insertions.iter().rev() {
        edited.insert_str(*at, line);
    }
    edited
}

fn shortened(title: &str) -> String {
    if title.chars().count() <= LONGEST_TITLE {
        return title.to_owned();
    }
    title.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}
