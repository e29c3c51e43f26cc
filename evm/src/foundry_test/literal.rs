//! Values as Solidity: literals where there are some, and statements that build what has none.

use hornet_ir::U256;
use hornet_ir::ids::{StructId, TypeId};
use hornet_ir::interp::value::Tree;
use hornet_ir::types::{Type, Types};

/// Types and values of one test. Structs are declared again in the test: that way its arguments need no names of the
/// contract's, and nothing but their shape matters to the encoding.
pub(super) struct Literals<'p> {
    types: &'p Types,
    /// The address of the contract, and how the test calls it.
    subject: (U256, &'static str),
    structs: Vec<StructId>,
    variables: usize,
}

impl<'p> Literals<'p> {
    pub(super) fn new(types: &'p Types, this: U256, subject: &'static str) -> Literals<'p> {
        Literals { types, subject: (this, subject), structs: Vec::new(), variables: 0 }
    }

    /// An expression for the value; what must be done before goes to `before`.
    pub(super) fn value(
        &mut self,
        ty: TypeId,
        tree: &Tree,
        before: &mut Vec<String>,
    ) -> Result<String, String> {
        let ty = self.behind_reference(ty);
        if let Tree::Word(word) = tree {
            return Ok(self.scalar(ty, *word));
        }
        if let Tree::Bytes(bytes) = tree {
            return Ok(byte_string(bytes));
        }
        self.variables += 1;
        let name = format!("arg{}", self.variables);
        before.push(format!("{} memory {name};", self.type_name(ty)?));
        self.fill(ty, tree, &name, before)?;
        Ok(name)
    }

    /// Assigns the value to a place in memory.
    fn fill(&mut self, ty: TypeId, tree: &Tree, place: &str, out: &mut Vec<String>) -> Result<(), String> {
        match (self.types.get(ty).clone(), tree) {
            (Type::Array { elem, len }, Tree::List(items)) => {
                if len.is_none() {
                    out.push(format!("{place} = new {}({});", self.type_name(ty)?, items.len()));
                }
                for (i, item) in items.iter().enumerate() {
                    self.fill(elem, item, &format!("{place}[{i}]"), out)?;
                }
            }
            (Type::Struct(id), Tree::List(items)) => {
                let fields = self.types.structs[id].fields.clone();
                for (field, item) in fields.iter().zip(items) {
                    self.fill(field.ty, item, &format!("{place}.{}", field.name), out)?;
                }
            }
            (_, Tree::Bytes(bytes)) => out.push(format!("{place} = {};", byte_string(bytes))),
            (_, Tree::Word(word)) => out.push(format!("{place} = {};", self.scalar(ty, *word))),
            (_, Tree::List(_)) => return Err("a value does not fit its type".to_owned()),
        }
        Ok(())
    }

    /// The name of a type in the test.
    fn type_name(&mut self, ty: TypeId) -> Result<String, String> {
        Ok(match self.types.get(ty) {
            Type::Array { elem, len } => {
                let elem = self.type_name(*elem)?;
                let len = len.map_or_else(String::new, |n| n.to_string());
                format!("{elem}[{len}]")
            }
            Type::Struct(id) => self.struct_name(*id),
            Type::Bytes => "bytes".to_owned(),
            Type::Mapping { .. } | Type::StorageRef(_) | Type::MemoryRef(_) | Type::CalldataRef(_) => {
                return Err("mappings and references cannot be passed".to_owned());
            }
            scalar => scalar_type(scalar),
        })
    }

    fn struct_name(&mut self, id: StructId) -> String {
        let known = self.structs.iter().position(|s| *s == id);
        let number = known.unwrap_or_else(|| {
            self.structs.push(id);
            self.structs.len() - 1
        });
        // The number tells structs of the same name apart.
        let name = self.types.structs[id].name.rsplit('.').next().unwrap_or_default();
        format!("{name}Arg{}", number + 1)
    }

    /// Declarations of the structs that were used.
    pub(super) fn struct_declarations(&mut self) -> Result<Vec<String>, String> {
        let mut out = Vec::new();
        let mut next = 0;
        // Naming the type of a field may add another struct.
        while let Some(id) = self.structs.get(next).copied() {
            next += 1;
            let mut fields = String::new();
            for field in self.types.structs[id].fields.clone() {
                fields.push_str(&format!(" {} {};", self.type_name(field.ty)?, field.name));
            }
            out.push(format!("struct {} {{{fields} }}", self.struct_name(id)));
        }
        Ok(out)
    }

    pub(super) fn behind_reference(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::StorageRef(to) | Type::MemoryRef(to) | Type::CalldataRef(to) => *to,
            _ => ty,
        }
    }

    pub(super) fn address(&self, word: U256) -> String {
        if word == self.subject.0 { self.subject.1.to_owned() } else { address(word) }
    }

    /// A word of a scalar type, with the type that its encoding needs.
    pub(super) fn scalar(&self, ty: TypeId, word: U256) -> String {
        match self.types.get(ty) {
            Type::Address => self.address(word),
            Type::Bool => (!word.is_zero()).to_string(),
            Type::Int { bits: 256, signed: true } if word == U256::ONE << 255 => {
                "type(int256).min".to_owned()
            }
            scalar @ Type::Int { signed: true, .. } if word.bit(255) => {
                format!("{}(-{})", scalar_type(scalar), number(word.wrapping_neg()))
            }
            scalar @ Type::FixedBytes(n) => {
                let digits = hex(&word.to_be_bytes::<32>()[..usize::from(*n).min(32)]);
                format!("{}(hex\"{digits}\")", scalar_type(scalar))
            }
            // Address and selector, from the left.
            Type::FnExternal => format!("bytes24(hex\"{}\")", hex(&word.to_be_bytes::<32>()[8..])),
            scalar => format!("{}({})", scalar_type(scalar), number(word)),
        }
    }
}

/// How a scalar type is written where only the encoding matters.
pub(super) fn scalar_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int { bits, signed } => format!("{}int{bits}", if *signed { "" } else { "u" }),
        Type::FixedBytes(n) => format!("bytes{n}"),
        Type::Address => "address".to_owned(),
        Type::Enum(_) => "uint8".to_owned(),
        Type::FnExternal => "bytes24".to_owned(),
        // Internal functions have no encoding; trees are no scalars.
        _ => "uint256".to_owned(),
    }
}

/// Numbers that people can read stay decimal.
pub(super) fn number(word: U256) -> String {
    if word == U256::MAX {
        "type(uint256).max".to_owned()
    } else if word < U256::from(1_000_000_000_000_u64) {
        word.to_string()
    } else {
        format!("0x{word:x}")
    }
}

/// With the checksum in upper and lower case that Solidity demands of addresses.
pub(super) fn address(word: U256) -> String {
    crate::Address::from_word(crate::B256::from(word)).to_checksum(None)
}

pub(super) fn byte_string(bytes: &[u8]) -> String {
    let plain = bytes.iter().all(|b| (0x20..0x7f).contains(b) && !b"\"\\".contains(b));
    match std::str::from_utf8(bytes) {
        Ok(text) if plain => format!("bytes(\"{text}\")"),
        _ => format!("bytes(hex\"{}\")", hex(bytes)),
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
