//! A document with everything that is known about it: what answers to the editor are made of.

use super::documents::{Document, Documents};
use super::drift::Drift;
use super::gas::Gas;
use super::outline::{Declared, Outline};
use super::positions::{Encoding, Lines};
use super::verified::{Known, Verified};
use std::path::Path;

pub struct View<'a> {
    pub file: &'a Path,
    pub document: &'a Document,
    pub lines: Lines<'a>,
    /// As the text is now.
    pub outline: Outline,
    pub verified: Option<&'a Verified>,
    /// From what was verified to what is there.
    pub drift: Drift,
    pub fresh: bool,
    pub gas: &'a Gas,
}

impl<'a> View<'a> {
    pub fn new(
        file: &'a Path,
        documents: &'a Documents,
        encoding: Encoding,
        outline: Option<&Outline>,
        verified: Option<&'a Verified>,
        gas: &'a Gas,
    ) -> Option<View<'a>> {
        let document = documents.get(file)?;
        Some(View {
            file,
            document,
            lines: Lines::new(&document.text, encoding),
            outline: outline.map(|outline| outline.now(&document.text)).unwrap_or_default(),
            verified,
            drift: Drift::between(verified.map_or("", |verified| verified.text(file)), &document.text),
            fresh: verified.is_some_and(|verified| verified.is_fresh(documents)),
            gas,
        })
    }

    /// `None` if the function was not verified as it stands.
    pub fn known(&self, declared: &Declared) -> Option<Known<'a>> {
        Known::about(declared, self.file, self.verified?, &self.drift, self.fresh)
    }
}
