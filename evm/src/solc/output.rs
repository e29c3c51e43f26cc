//! What solc answers, in our own types.

use std::collections::BTreeMap;

use serde_json::Value;

use super::SolcError;
use crate::Address;
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
    pub messages: Vec<Message>,
    /// By file and name.
    pub contracts: BTreeMap<(String, String), Contract>,
    /// Syntax trees by file, when asked for.
    pub asts: BTreeMap<String, Value>,
    /// The file of each number in the tree's `src` triples.
    pub file_of_id: BTreeMap<u64, String>,
}

/// Bytecode with holes for library addresses.
#[derive(Clone, Debug, Default)]
pub struct Code {
    bytes: Vec<u8>,
    /// Library (file, name) and where its address goes.
    holes: Vec<((String, String), usize)>,
}

#[derive(Clone, Debug)]
pub struct Contract {
    pub code: Code,
    pub deployed: Code,
    pub abi: Value,
    pub storage_layout: Value,
    /// Selectors by signature.
    pub methods: BTreeMap<String, [u8; 4]>,
}

impl Output {
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
            messages: items(answer, "errors").iter().map(message).collect(),
            contracts: BTreeMap::new(),
            asts: BTreeMap::new(),
            file_of_id: BTreeMap::new(),
        };
        for (file, contracts) in fields(answer, "contracts") {
            for (name, json) in contracts.as_object().into_iter().flatten() {
                output.contracts.insert((file.clone(), name.clone()), contract(json));
            }
        }
        for (file, source) in fields(answer, "sources") {
            if let Some(id) = source.get("id").and_then(Value::as_u64) {
                output.file_of_id.insert(id, file.clone());
            }
            if let Some(ast) = source.get("ast") {
                output.asts.insert(file.clone(), ast.clone());
            }
        }
        output
    }
}

impl Code {
    /// Abstract contracts and interfaces have none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The libraries it needs, each once.
    pub fn libraries(&self) -> Vec<&(String, String)> {
        let mut names: Vec<_> = self.holes.iter().map(|(library, _)| library).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Fills the holes; an unknown library is an error.
    pub fn link(&self, find: impl Fn(&str, &str) -> Option<Address>) -> Result<Vec<u8>, SolcError> {
        let mut bytes = self.bytes.clone();
        for ((file, name), at) in &self.holes {
            let address = find(file, name)
                .ok_or_else(|| SolcError::new(format!("library `{name}` of `{file}` is not deployed")))?;
            let hole = bytes
                .get_mut(*at..*at + 20)
                .ok_or_else(|| SolcError::new("a link reference points outside the code"))?;
            hole.copy_from_slice(address.as_slice());
        }
        Ok(bytes)
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

fn contract(json: &Value) -> Contract {
    let evm = json.get("evm").unwrap_or(&Value::Null);
    let part = |key| evm.get(key).map(code).unwrap_or_default();
    let methods = fields(evm, "methodIdentifiers").filter_map(|(signature, selector)| {
        let bytes = hex_bytes(selector.as_str()?);
        Some((signature.clone(), bytes.try_into().ok()?))
    });
    Contract {
        code: part("bytecode"),
        deployed: part("deployedBytecode"),
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
    Code { bytes, holes }
}

/// Characters that are not hex digits (placeholders of libraries) count as zero: linking overwrites them.
fn hex_bytes(hex: &str) -> Vec<u8> {
    let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
    hex.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
