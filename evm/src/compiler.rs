//! What the rest of this crate wants from a compiler, whichever it is.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::Address;

/// No code, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError(pub String);

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CompileError {}

/// What arithmetic does with results that leave their type: what the front end took the pragmas to mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// Reverts, as from 0.8 on.
    Checked,
    /// Goes on with the low bits, as before 0.8.
    Wrapping,
}

/// Sources by the name that imports use.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub sources: BTreeMap<String, String>,
    pub remappings: Vec<String>,
    /// Code is made by way of Yul, which evaluates in another order.
    pub via_ir: bool,
    /// Compilers that understand arithmetic otherwise will not do.
    pub arithmetic: Option<Arithmetic>,
}

pub trait Compiler: Send + Sync {
    fn compile(&self, request: &Request) -> Result<Compiled, CompileError>;

    /// Whether variables are in storage where solc puts them.
    fn keeps_layout(&self) -> bool {
        false
    }
}

#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// For people: `solc 0.8.37`.
    pub compiler: String,
    /// By file and name.
    pub contracts: BTreeMap<(String, String), CompiledContract>,
}

#[derive(Clone, Debug, Default)]
pub struct CompiledContract {
    pub creation: Code,
    pub runtime: Code,
    /// Where the instructions come from, if the compiler says so.
    pub creation_places: Option<Places>,
    pub runtime_places: Option<Places>,
    /// Where the code as deployed holds the immutables that the constructor sets.
    pub immutables: Vec<Immutable>,
}

/// An immutable variable by the place of its declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Immutable {
    pub declared: Place,
    /// Offset into the code of one of the 32-byte words that hold it.
    pub offset: usize,
}

/// A half-open range of bytes of a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub file: Arc<str>,
    pub start: u32,
    pub end: u32,
}

/// The place in the user's sources that each instruction was made for, by its offset in the code.
#[derive(Clone, Debug, Default)]
pub struct Places(Vec<Option<Place>>);

impl Places {
    /// One place per instruction, in the order of the code; `None` for what comes from no source of the user.
    pub fn of_instructions(code: &[u8], places: impl IntoIterator<Item = Option<Place>>) -> Places {
        let mut by_offset = Vec::new();
        for place in places {
            let Some(opcode) = code.get(by_offset.len()) else { break };
            by_offset.push(place);
            // The operands of PUSH1 to PUSH32 are no instructions.
            let operands = opcode.checked_sub(0x5f).filter(|n| *n <= 32).unwrap_or(0);
            by_offset.resize(by_offset.len() + usize::from(operands), None);
        }
        Places(by_offset)
    }

    pub fn at(&self, offset: usize) -> Option<&Place> {
        self.0.get(offset).and_then(Option::as_ref)
    }
}

/// Bytecode with holes for library addresses.
#[derive(Clone, Debug, Default)]
pub struct Code {
    bytes: Vec<u8>,
    /// Library (file, name) and where its address goes.
    holes: Vec<((String, String), usize)>,
}

impl Code {
    pub fn new(bytes: Vec<u8>, holes: Vec<((String, String), usize)>) -> Code {
        Code { bytes, holes }
    }

    /// Abstract contracts and interfaces have none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Holes are not filled in.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the addresses of libraries go: 20 bytes each.
    pub fn holes(&self) -> impl Iterator<Item = usize> {
        self.holes.iter().map(|(_, at)| *at)
    }

    /// The libraries it needs, each once.
    pub fn libraries(&self) -> Vec<&(String, String)> {
        let mut names: Vec<_> = self.holes.iter().map(|(library, _)| library).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Fills the holes; an unknown library is an error.
    pub fn link(&self, find: impl Fn(&str, &str) -> Option<Address>) -> Result<Vec<u8>, CompileError> {
        let mut bytes = self.bytes.clone();
        for ((file, name), at) in &self.holes {
            let address = find(file, name)
                .ok_or_else(|| CompileError(format!("library `{name}` of `{file}` is not deployed")))?;
            let hole = bytes
                .get_mut(*at..*at + 20)
                .ok_or_else(|| CompileError("a link reference points outside the code".to_owned()))?;
            hole.copy_from_slice(address.as_slice());
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_pushes_are_skipped() {
        let place = |start| Some(Place { file: "a.sol".into(), start, end: start + 1 });
        // PUSH0, PUSH1 0x60, PUSH32 …, ADD
        let mut code = vec![0x5f, 0x60, 0x60, 0x7f];
        code.extend([0x01; 32]);
        code.push(0x01);
        let places = Places::of_instructions(&code, [place(0), place(1), None, place(3), place(4)]);
        let starts: Vec<_> = [0, 1, 2, 3, 36, 37].map(|at| places.at(at).map(|p| p.start)).to_vec();
        assert_eq!(starts, [Some(0), Some(1), None, None, Some(3), None]);
    }

    #[test]
    fn libraries_are_linked() {
        let holes = vec![(("a.sol".to_owned(), "L".to_owned()), 1)];
        let code = Code::new(vec![0; 22], holes.clone());
        let linked = code.link(|_, name| (name == "L").then_some(Address::repeat_byte(7))).unwrap();
        assert_eq!((linked[0], linked[1], linked[20], linked[21]), (0, 7, 7, 0));
        assert!(code.link(|_, _| None).is_err());
        assert!(Code::new(vec![0; 20], holes).link(|_, _| Some(Address::ZERO)).is_err());
    }
}
