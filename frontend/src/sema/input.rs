//! What semantic analysis reads: parsed files and where their imports lead.

use crate::version::Version;
use hornet_ir::span::{FileId, SourceMap, Span};
use solang_parser::pt;

/// All files of one run; `files` is indexed by [`FileId`].
#[derive(Debug, Default)]
pub struct LoadedSources {
    pub map: SourceMap,
    pub files: Vec<ParsedFile>,
}

#[derive(Debug)]
pub struct ParsedFile {
    pub file: FileId,
    pub unit: pt::SourceUnit,
    pub version: Version,
    pub abi_v2: bool,
    /// Target of each import directive, in source order; `None` where it was not found (reported already).
    pub imports: Vec<Option<FileId>>,
    /// Spans of variable definitions written with `transient`.
    pub transient: Vec<Span>,
}

impl LoadedSources {
    /// The base slot given by `layout at EXPR` in the contract's header.
    pub fn layout_of(&self, _file: FileId, _contract: &pt::ContractDefinition) -> Option<&pt::Expression> {
        None
    }
}
