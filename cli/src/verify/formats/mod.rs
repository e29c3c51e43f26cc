//! Reports for programs and for pages: the same results, each in the shape that its reader wants.

mod html;
pub mod json;
mod junit;
mod markdown;
mod sarif;

use super::summary::Summary;
use super::text::Results;
use crate::args::Format;
use hornet_encoder::{Check, FunctionReport, Verdict};
use hornet_ir::ids::ContractId;
use std::path::{Path, PathBuf};

impl Results<'_> {
    /// Everything in a format that is not made for a terminal.
    pub fn in_format(&self, format: PageFormat, summary: &Summary) -> String {
        match format {
            PageFormat::Json => self.document().without(summary.left_out()).text(),
            PageFormat::Sarif => self.sarif(summary),
            PageFormat::Junit => self.junit(summary),
            PageFormat::Markdown => self.markdown(summary),
            PageFormat::Html => self.html(summary),
        }
    }

    /// The contracts that were looked at, in the order of the report.
    /// In the order of their first functions.
    pub fn contracts(&self) -> Vec<ContractId> {
        let mut contracts = Vec::new();
        for function in &self.report.functions {
            if !contracts.contains(&function.contract) {
                contracts.push(function.contract);
            }
        }
        contracts
    }

    fn checks_of(&self, contract: ContractId) -> impl Iterator<Item = &Check> {
        self.report.checks.iter().filter(move |check| self.function(check).contract == contract)
    }

    /// `withdraw`, or with its parameters if there are several of the name.
    fn short_name<'f>(&self, function: &'f FunctionReport) -> &'f str {
        function.signature.as_ref().unwrap_or(&function.name)
    }

    /// Why it is not decided, or why a run that breaks it was not seen.
    pub fn reason(&self, check: &Check) -> Option<String> {
        match &check.verdict {
            Verdict::Unknown(reason) => Some(reason.clone()),
            Verdict::Unsupported { what, .. } => Some(format!("not modelled: {what}")),
            Verdict::Violated => self.evidence_of(check).and_then(|evidence| evidence.unconfirmed.clone()),
            Verdict::Proved => None,
        }
    }
}

/// What goes to files and programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageFormat {
    Json,
    Sarif,
    Junit,
    Markdown,
    Html,
}

impl PageFormat {
    /// `None` is text for a terminal.
    pub fn of(format: Format) -> Option<PageFormat> {
        match format {
            Format::Text => None,
            Format::Json => Some(PageFormat::Json),
            Format::Sarif => Some(PageFormat::Sarif),
            Format::Junit => Some(PageFormat::Junit),
            Format::Markdown => Some(PageFormat::Markdown),
            Format::Html => Some(PageFormat::Html),
        }
    }

    /// The format that a file's name asks for.
    fn of_file(path: &Path) -> Option<PageFormat> {
        match path.extension()?.to_str()? {
            "json" => Some(PageFormat::Json),
            "sarif" => Some(PageFormat::Sarif),
            "xml" => Some(PageFormat::Junit),
            "md" => Some(PageFormat::Markdown),
            "html" => Some(PageFormat::Html),
            _ => None,
        }
    }
}

/// `--report` options, checked before any work is done.
pub fn reports(paths: &[PathBuf]) -> Result<Vec<(PageFormat, PathBuf)>, String> {
    paths
        .iter()
        .map(|path| match PageFormat::of_file(path) {
            Some(format) => Ok((format, path.clone())),
            None => Err(format!(
                "--report: `{}` should end in .json, .sarif, .xml (JUnit), .md or .html",
                path.display()
            )),
        })
        .collect()
}
