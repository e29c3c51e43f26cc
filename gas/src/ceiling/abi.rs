//! What is analysed, as the compiler describes it.

use std::ops::Range;

use hornet_evm::{U256, solc};
use serde_json::Value;

use super::name::{is_dynamic, length_name, parameter_name};

/// A contract as it is deployed.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    pub code: Vec<u8>,
    /// Parts of the code that deployment fills in: immutables and addresses of libraries.
    pub holes: Vec<Range<usize>>,
    pub functions: Vec<Function>,
    pub variables: Vec<StateVariable>,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// `transfer(address,uint256)`
    pub signature: String,
    pub entry: Entry,
    pub inputs: Vec<Input>,
}

/// How a call gets there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entry {
    Selector([u8; 4]),
    Receive,
    Fallback,
}

/// A parameter, or a member of one, with its type in the notation of the ABI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    pub name: String,
    pub ty: String,
    pub components: Vec<Input>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    pub name: String,
    pub slot: U256,
    /// Bytes from the low end of the slot.
    pub offset: usize,
    /// In the notation of the storage layout: `t_array(t_uint256)dyn_storage`.
    pub ty: String,
}

impl Subject {
    /// What solc made, before it is deployed. Immutables are known if the syntax tree was asked for.
    pub fn of_solc(contract: &solc::Contract) -> Subject {
        let immutables = contract.immutables.iter().map(|immutable| immutable.offset..immutable.offset + 32);
        let libraries = contract.deployed.holes().map(|at| at..at + 20);
        Subject {
            code: contract.deployed.bytes().to_vec(),
            holes: immutables.chain(libraries).collect(),
            functions: functions(contract),
            variables: variables(&contract.storage_layout),
        }
    }

    /// The same with the code that was found on a chain.
    pub fn deployed(contract: &solc::Contract, code: Vec<u8>) -> Subject {
        Subject { code, holes: Vec::new(), ..Subject::of_solc(contract) }
    }
}

fn functions(contract: &solc::Contract) -> Vec<Function> {
    let mut functions = Vec::new();
    for item in contract.abi.as_array().into_iter().flatten() {
        let inputs = Input::list(item.get("inputs"));
        let function = match text(item, "type") {
            "function" => {
                let types: Vec<String> = inputs.iter().map(Input::canonical).collect();
                let signature = format!("{}({})", text(item, "name"), types.join(","));
                contract.methods.get(&signature).map(|selector| Function {
                    entry: Entry::Selector(*selector),
                    signature,
                    inputs,
                })
            }
            "receive" => Some(Function { signature: "receive()".into(), entry: Entry::Receive, inputs }),
            "fallback" => Some(Function { signature: "fallback()".into(), entry: Entry::Fallback, inputs }),
            _ => None,
        };
        functions.extend(function);
    }
    functions
}

impl Input {
    /// The `inputs` or `components` of a JSON ABI.
    pub fn list(json: Option<&Value>) -> Vec<Input> {
        let items = json.and_then(Value::as_array).into_iter().flatten();
        let input = |item: &Value| Input {
            name: text(item, "name").to_owned(),
            ty: text(item, "type").to_owned(),
            components: Input::list(item.get("components")),
        };
        items.map(input).collect()
    }

    /// What formulas call it, and its length if it has one.
    pub fn names(&self, index: usize) -> Vec<String> {
        let name = parameter_name(index, self);
        match is_dynamic(self) {
            true => vec![length_name(&name, &self.ty)],
            false => vec![name],
        }
    }

    /// The type as signatures have it.
    fn canonical(&self) -> String {
        match self.ty.strip_prefix("tuple") {
            Some(suffix) => {
                let members: Vec<String> = self.components.iter().map(Input::canonical).collect();
                format!("({}){suffix}", members.join(","))
            }
            None => self.ty.clone(),
        }
    }
}

impl StateVariable {
    /// What formulas call it, or its length if it has one.
    pub fn names(&self) -> Vec<String> {
        match self.ty.as_str() {
            "t_string_storage" | "t_bytes_storage" => vec![format!("bytes({}).length", self.name)],
            ty if ty.ends_with("dyn_storage") => vec![format!("{}.length", self.name)],
            ty if ty.starts_with("t_mapping") => Vec::new(),
            _ => vec![self.name.clone()],
        }
    }
}

fn variables(layout: &Value) -> Vec<StateVariable> {
    let items = layout.get("storage").and_then(Value::as_array).into_iter().flatten();
    let variable = |item: &Value| {
        Some(StateVariable {
            name: text(item, "label").to_owned(),
            slot: text(item, "slot").parse().ok()?,
            offset: item.get("offset").and_then(Value::as_u64)? as usize,
            ty: text(item, "type").to_owned(),
        })
    };
    items.filter_map(variable).collect()
}

fn text<'a>(item: &'a Value, key: &str) -> &'a str {
    item.get(key).and_then(Value::as_str).unwrap_or_default()
}
