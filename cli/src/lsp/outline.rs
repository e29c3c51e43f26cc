//! What a file declares, and where.

use super::drift::Drift;
use hornet_frontend::hir::{ContractKind, FunctionKind, Hir};
use hornet_ir::span::{FileId, Span};
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Outline {
    text: Arc<str>,
    contracts: Vec<Declared>,
    functions: Vec<Declared>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Of a function's contract, or its own.
    pub contract: String,
    /// As reports call it; empty for a contract.
    pub function: String,
    pub range: Range<usize>,
}

impl Outline {
    /// `None` where nothing could be read.
    pub fn of(hir: &Hir, file: FileId, text: Arc<str>) -> Option<Outline> {
        let here = |span: &Span| span.file == file;
        let range = |span: Span| span.start as usize..span.end as usize;
        let code = |kind: ContractKind| kind != ContractKind::Interface;
        let contracts = hir.contracts.iter().filter(|c| here(&c.span) && code(c.kind));
        let contracts: Vec<Declared> = contracts
            .map(|c| Declared { contract: c.name.clone(), function: String::new(), range: range(c.span) })
            .collect();
        let functions = hir.functions.iter().filter(|f| here(&f.span) && f.body.is_some());
        let functions = functions.filter_map(|f| {
            let contract = &hir.contracts[f.contract?];
            let name = match f.kind {
                FunctionKind::Function | FunctionKind::Free => f.name.as_str(),
                FunctionKind::Constructor => "[constructor]",
                FunctionKind::Receive => "[receive]",
                FunctionKind::Fallback => "[fallback]",
            };
            code(contract.kind).then(|| Declared {
                contract: contract.name.clone(),
                function: name.to_owned(),
                range: range(f.span),
            })
        });
        (!contracts.is_empty()).then(|| Outline { text, contracts, functions: functions.collect() })
    }

    /// As far as the text is still what it was.
    pub fn now(&self, text: &str) -> Outline {
        let drift = Drift::between(&self.text, text);
        let moved = |declared: &Declared| {
            let range = drift.forward(&declared.range)?;
            Some(Declared { range, ..declared.clone() })
        };
        Outline {
            text: text.into(),
            // A contract is where it begins, whatever is changed inside.
            contracts: self
                .contracts
                .iter()
                .filter_map(|c| {
                    let head = c.range.start..c.range.start + 1;
                    let start = drift.forward(&head)?.start;
                    let end = drift.forward(&(c.range.end..c.range.end)).map_or(text.len(), |end| end.start);
                    Some(Declared { range: start..end, ..c.clone() })
                })
                .collect(),
            functions: self.functions.iter().filter_map(moved).collect(),
        }
    }

    pub fn contracts(&self) -> &[Declared] {
        &self.contracts
    }

    pub fn functions(&self) -> &[Declared] {
        &self.functions
    }

    pub fn contract(&self, name: &str) -> Option<&Declared> {
        self.contracts.iter().find(|c| c.contract == name)
    }

    /// The function around a place, or the contract if it is in none.
    pub fn at(&self, offset: usize) -> Option<&Declared> {
        let around = |declared: &&Declared| declared.range.contains(&offset);
        self.functions.iter().find(around).or_else(|| self.contracts.iter().find(around))
    }
}
