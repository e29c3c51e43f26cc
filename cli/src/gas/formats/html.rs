//! The tables as a page with charts.

use crate::gas::report::Report;
use crate::page::{Page, Source, command};

impl Report<'_> {
    pub fn html(&self) -> String {
        let functions = self.contracts.iter().flat_map(|contract| &contract.functions);
        let mut ids: Vec<_> = functions.filter_map(|f| f.function.span).map(|span| span.file).collect();
        ids.sort_unstable();
        ids.dedup();
        let source = |id| Source { name: self.files.file_name(id), text: self.files.text(id) };
        let page = Page {
            // Only strings, numbers and lists: what is written can be read.
            gas: serde_json::from_str(&self.json()).ok(),
            sources: ids.into_iter().map(source).collect(),
            headline: "what functions cost".to_owned(),
            settings: command().to_vec(),
            ..Page::default()
        };
        page.html()
    }
}
