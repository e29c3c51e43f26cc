//! What solc answers, in our own types.

use std::collections::BTreeMap;

use serde_json::Value;

use super::places::{self, Declarations, Files};
use crate::compiler::{Code, Immutable, Places};
use crate::pragma::Version;

#[derive(Clone, Debug)]
pub struct Message {
    pub is_error: bool,
    /// solc's number for it, such as `7576`; empty before 0.6.
    pub code: String,
    pub text: String,
    pub formatted: String,
    pub file: Option<String>,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug)]
pub struct Output {
    pub version: Version,
    /// Whether the compiler is inside the program and nowhere else.
    pub built_in: bool,
    pub messages: Vec<Message>,
    /// By file and name.
    pub contracts: BTreeMap<(String, String), Contract>,
    /// Syntax trees by file, when asked for.
    pub asts: BTreeMap<String, Value>,
    /// The file of each number in the tree's `src` triples.
    pub file_of_id: BTreeMap<u64, String>,
}

#[derive(Clone, Debug)]
pub struct Contract {
    pub code: Code,
    pub deployed: Code,
    pub abi: Value,
    pub storage_layout: Value,
    /// Selectors by signature.
    pub methods: BTreeMap<String, [u8; 4]>,
    pub code_places: Places,
    pub deployed_places: Places,
    /// Known only where the syntax tree was asked for.
    pub immutables: Vec<Immutable>,
}

impl Output {
    /// For people: `solc 0.8.37`.
    pub fn compiler(&self) -> String {
        format!("solc {}{}", self.version, if self.built_in { " (built in)" } else { "" })
    }

    pub fn errors(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(|m| m.is_error)
    }

    pub fn has_errors(&self) -> bool {
        self.errors().next().is_some()
    }

    pub fn contract(&self, file: &str, name: &str) -> Option<&Contract> {
        self.contracts.get(&(file.to_owned(), name.to_owned()))
    }

    pub(super) fn from_json(version: Version, answer: &Value) -> Output {
        let mut output = Output {
            version,
            built_in: false,
            messages: items(answer, "errors").iter().map(message).collect(),
            contracts: BTreeMap::new(),
            asts: BTreeMap::new(),
            file_of_id: BTreeMap::new(),
        };
        for (file, source) in fields(answer, "sources") {
            if let Some(id) = source.get("id").and_then(Value::as_u64) {
                output.file_of_id.insert(id, file.clone());
            }
            if let Some(ast) = source.get("ast") {
                output.asts.insert(file.clone(), ast.clone());
            }
        }
        let files = Files::new(&output.file_of_id);
        let declarations = places::declarations(&files, output.asts.values());
        for (file, contracts) in fields(answer, "contracts") {
            for (name, json) in contracts.as_object().into_iter().flatten() {
                let contract = contract(json, &files, &declarations);
                output.contracts.insert((file.clone(), name.clone()), contract);
            }
        }
        output
    }
}

fn fields<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    json.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn items<'a>(json: &'a Value, key: &str) -> &'a [Value] {
    json.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(json: &Value, key: &str) -> String {
    json.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn message(json: &Value) -> Message {
    let place = json.get("sourceLocation");
    let offset = |key| place.and_then(|p| p.get(key)).and_then(Value::as_u64).unwrap_or(0) as usize;
    Message {
        is_error: text(json, "severity") == "error",
        code: text(json, "errorCode"),
        text: text(json, "message"),
        formatted: text(json, "formattedMessage"),
        file: place.map(|p| text(p, "file")),
        start: offset("start"),
        end: offset("end"),
    }
}

fn contract(json: &Value, files: &Files, declarations: &Declarations) -> Contract {
    let evm = json.get("evm").unwrap_or(&Value::Null);
    let part = |key| evm.get(key).map(code).unwrap_or_default();
    let methods = fields(evm, "methodIdentifiers").filter_map(|(signature, selector)| {
        let bytes = hex_bytes(selector.as_str()?);
        Some((signature.clone(), bytes.try_into().ok()?))
    });
    let (code, deployed) = (part("bytecode"), part("deployedBytecode"));
    let map = |key| evm.get(key).map(|part| text(part, "sourceMap")).unwrap_or_default();
    Contract {
        code_places: files.places(code.bytes(), &map("bytecode")),
        deployed_places: files.places(deployed.bytes(), &map("deployedBytecode")),
        immutables: places::immutables(evm, declarations),
        code,
        deployed,
        abi: json.get("abi").cloned().unwrap_or(Value::Null),
        storage_layout: json.get("storageLayout").cloned().unwrap_or(Value::Null),
        methods: methods.collect(),
    }
}

fn code(json: &Value) -> Code {
    let bytes = hex_bytes(json.get("object").and_then(Value::as_str).unwrap_or_default());
    let mut holes = Vec::new();
    for (file, libraries) in fields(json, "linkReferences") {
        for (name, places) in libraries.as_object().into_iter().flatten() {
            for place in places.as_array().into_iter().flatten() {
                let start = place.get("start").and_then(Value::as_u64).unwrap_or(u64::MAX);
                holes.push(((file.clone(), name.clone()), start as usize));
            }
        }
    }
    Code::new(bytes, holes)
}

/// Characters that are not hex digits (placeholders of libraries) count as zero: linking overwrites them.
fn hex_bytes(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
    hex.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
