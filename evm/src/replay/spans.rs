//! Places by the name of their file, as compilers have them, and by its number, as programs have them.

use std::collections::BTreeMap;
use std::sync::Arc;

use hornet_ir::span::{FileId, SourceMap, Span};

use crate::compiler::Place;

pub(super) struct Spans {
    names: Vec<Arc<str>>,
    ids: BTreeMap<Arc<str>, FileId>,
}

impl Spans {
    pub fn new(sources: &SourceMap) -> Spans {
        let names: Vec<Arc<str>> = sources.files().map(|(_, file)| file.name.as_str().into()).collect();
        let ids = names.iter().cloned().zip(sources.files().map(|(id, _)| id)).collect();
        Spans { names, ids }
    }

    pub fn place(&self, span: Span) -> Option<Place> {
        let file = self.names.get(span.file.0 as usize)?.clone();
        Some(Place { file, start: span.start, end: span.end })
    }

    pub fn span(&self, place: &Place) -> Option<Span> {
        let file = *self.ids.get(&place.file)?;
        Some(Span { file, start: place.start, end: place.end })
    }
}

/// For messages: `bank.sol:12`.
pub(super) fn line(sources: &SourceMap, place: &Place) -> String {
    let file = sources.files().find(|(_, file)| *file.name == *place.file);
    let before = file.and_then(|(_, file)| file.text.get(..place.start as usize));
    match before {
        Some(before) => format!("{}:{}", place.file, before.matches('\n').count() + 1),
        None => place.file.to_string(),
    }
}
