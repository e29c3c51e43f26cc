//! Our type of every expression against the one in solc's syntax tree.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hornet_evm::solc::{Compilers, Input, Settings};
use hornet_frontend::{expression_types, sema};
use rayon::prelude::*;
use serde_json::Value;

use crate::conformance::file::TestFile;
use crate::files::solidity_files;
use crate::frontend;
use crate::guard::guard;

/// Where an expression stands: file, start, end.
type Place = (String, u32, u32);

#[derive(Clone, Copy, Default)]
pub struct Counts {
    pub equal: usize,
    pub different: usize,
    /// solc has an expression where we have none.
    pub missing: usize,
    pub files: usize,
    /// Files that solc itself refuses.
    pub refused: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { equal, different, missing, .. } = self;
        let all = (equal + different + missing).max(1);
        let share = 100.0 * *equal as f64 / all as f64;
        write!(f, "expressions: equal {equal}, different {different}, missing {missing} ({share:.2} % equal)")
    }
}

struct FileResult {
    path: PathBuf,
    counts: Counts,
    notes: Vec<String>,
}

pub fn run(folder: &Path, compilers: Arc<Compilers>, list: bool, out: &mut impl Write) -> io::Result<Counts> {
    let files = solidity_files(folder);
    let results: Vec<FileResult> = files
        .into_par_iter()
        .map(|path| {
            let (copy, compilers) = (path.clone(), compilers.clone());
            let done = guard(Duration::from_secs(120), move || compare_file(&copy, &compilers));
            let (counts, notes) = done.unwrap_or_else(|problem| (Counts::default(), vec![problem]));
            FileResult { path, counts, notes }
        })
        .collect();
    let mut total = Counts::default();
    for result in &results {
        total.equal += result.counts.equal;
        total.different += result.counts.different;
        total.missing += result.counts.missing;
        total.files += result.counts.files;
        total.refused += result.counts.refused;
        if list {
            let name = result.path.strip_prefix(folder).unwrap_or(&result.path).display();
            for note in &result.notes {
                writeln!(out, "{name}: {note}")?;
            }
        }
    }
    writeln!(out, "files: compared {}, refused by solc {}", total.files, total.refused)?;
    writeln!(out, "{total}")?;
    Ok(total)
}

fn compare_file(path: &Path, compilers: &Compilers) -> (Counts, Vec<String>) {
    let refused = Counts { refused: 1, ..Counts::default() };
    let test = match TestFile::read_sources(path) {
        Ok(test) => test,
        Err(problem) => return (refused, vec![problem]),
    };
    let settings = Settings { analysis_only: true, ..Settings::default() };
    let input = Input { sources: test.sources.clone(), settings, version: None };
    let output = match compilers.compile(&input) {
        Ok(output) if !output.has_errors() => output,
        Ok(_) => return (refused, Vec::new()),
        Err(problem) => return (refused, vec![problem.to_string()]),
    };
    let mut expected = BTreeMap::new();
    for ast in output.asts.values() {
        collect(ast, &output.file_of_id, &mut expected);
    }
    let loaded = frontend::load(&test.sources);
    let (hir, diagnostics) = sema::analyze(&loaded);
    let mut ours: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    for (span, ty) in expression_types(&hir) {
        let file = loaded.map.file(span.file).name.clone();
        ours.entry((file, span.start, span.end)).or_default().push(ty);
    }
    let mut notes: Vec<String> = loaded
        .diagnostics
        .iter()
        .chain(&diagnostics)
        .filter(|d| d.severity == hornet_ir::diag::Severity::Error)
        .map(|d| format!("error: {}", frontend::describe(&loaded.map, d)))
        .collect();
    let counts = compare(&expected, &ours, &test.sources, &mut notes);
    (counts, notes)
}

fn compare(
    expected: &BTreeMap<Place, String>,
    ours: &BTreeMap<Place, Vec<String>>,
    sources: &BTreeMap<String, String>,
    notes: &mut Vec<String>,
) -> Counts {
    let mut counts = Counts { files: 1, ..Counts::default() };
    for (place, theirs) in expected {
        let (file, start, end) = place;
        let snippet = || sources.get(file).and_then(|t| t.get(*start as usize..*end as usize)).unwrap_or("?");
        match ours.get(place) {
            Some(types) if types.contains(theirs) => counts.equal += 1,
            Some(types) => {
                counts.different += 1;
                notes.push(format!("different: `{}`: solc {theirs}, we {}", snippet(), types.join(" / ")));
            }
            None => {
                counts.missing += 1;
                notes.push(format!("missing: `{}`: solc {theirs}", snippet()));
            }
        }
    }
    counts
}

const EXPRESSIONS: [&str; 14] = [
    "Assignment",
    "BinaryOperation",
    "Conditional",
    "ElementaryTypeNameExpression",
    "FunctionCall",
    "FunctionCallOptions",
    "Identifier",
    "IndexAccess",
    "IndexRangeAccess",
    "Literal",
    "MemberAccess",
    "NewExpression",
    "TupleExpression",
    "UnaryOperation",
];

/// Every expression of a syntax tree with its type.
fn collect(node: &Value, files: &BTreeMap<u64, String>, found: &mut BTreeMap<Place, String>) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| collect(item, files, found)),
        Value::Object(fields) => {
            if let Some((place, ty)) = expression(node, files) {
                found.insert(place, ty);
            }
            for (name, child) in fields {
                if !is_type_level(fields.get("nodeType"), name) {
                    collect(child, files, found);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Parts that are names rather than expressions of the program, although older trees write them as expressions.
fn is_type_level(parent: Option<&Value>, field: &str) -> bool {
    let parent = parent.and_then(Value::as_str).unwrap_or_default();
    matches!(
        (parent, field),
        ("ModifierInvocation", "modifierName")
            | ("InheritanceSpecifier", "baseName")
            | ("UsingForDirective", _)
            | ("OverrideSpecifier", _)
            | ("ImportDirective", _)
            | ("ArrayTypeName", "length")
            | ("ElementaryTypeNameExpression", _)
            | ("InlineAssembly", _)
    )
}

fn expression(node: &Value, files: &BTreeMap<u64, String>) -> Option<(Place, String)> {
    let kind = node.get("nodeType")?.as_str()?;
    if !EXPRESSIONS.contains(&kind) {
        return None;
    }
    let ty = node.get("typeDescriptions")?.get("typeString")?.as_str()?;
    let mut place = node.get("src")?.as_str()?.split(':').map(|n| n.parse::<u64>().ok());
    let (start, length, file) = (place.next()??, place.next()??, place.next()??);
    let file = files.get(&file)?.clone();
    Some(((file, start as u32, (start + length) as u32), ty.to_owned()))
}
