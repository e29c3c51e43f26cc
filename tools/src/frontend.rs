//! How the tools meet the front end.

use std::collections::BTreeMap;

use hornet_frontend::Compiled;
use hornet_frontend::source::{LoadOptions, LoadedSources, Loader};
use hornet_ir::diag::{Diagnostic, Severity};
use hornet_ir::span::SourceMap;

/// Sources by the names that imports use, nothing from disk.
pub fn load(sources: &BTreeMap<String, String>) -> LoadedSources {
    let mut loader = Loader::new(LoadOptions::in_memory());
    for (name, text) in sources {
        loader.add_source(name.clone(), text.clone());
    }
    loader.load_names(sources.keys().map(String::as_str))
}

pub fn first_error(compiled: &Compiled) -> String {
    let error = compiled.diagnostics.iter().find(|d| d.severity == Severity::Error);
    error.map_or_else(|| "no program".into(), |error| describe(&compiled.sources, error))
}

/// Message and place in one line.
pub fn describe(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let Some(span) = diagnostic.span else { return diagnostic.message.clone() };
    let snippet: String = sources.snippet(span).lines().next().unwrap_or("").chars().take(60).collect();
    format!("{} at `{snippet}`", diagnostic.message)
}
