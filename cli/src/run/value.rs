//! Values between the user's notation, typed trees and ABI bytes.

use super::literal::Literal;
use hornet_ir::U256;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::TypeId;
use hornet_ir::interp::abi;
use hornet_ir::interp::memory::Memory;
use hornet_ir::interp::value::{Tree, Value, is_valid};
use hornet_ir::number::{Range, amount, written};
use hornet_ir::program::Program;
use hornet_ir::types::Type;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// Addresses that have a name: accounts, and contracts once they are deployed.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_name: BTreeMap<String, U256>,
    by_address: BTreeMap<U256, String>,
    /// Addresses without a name are written with all their digits.
    in_full: bool,
}

impl Names {
    /// The people of every example.
    pub fn with_accounts() -> Names {
        let mut names = Names::default();
        for (name, digits) in
            [("alice", "a11ce"), ("bob", "b0b"), ("carol", "ca401"), ("dave", "dade"), ("eve", "e7e")]
        {
            let padded = format!("{digits:0<40}");
            names.add(name, U256::from_str_radix(&padded, 16).unwrap_or_default());
        }
        names
    }

    /// Nobody has a name.
    pub fn in_full() -> Names {
        Names { in_full: true, ..Names::default() }
    }

    pub fn add(&mut self, name: &str, address: U256) {
        self.by_name.insert(name.to_owned(), address);
        self.by_address.insert(address, name.to_owned());
    }

    pub fn addresses(&self) -> impl Iterator<Item = U256> + '_ {
        self.by_name.values().copied()
    }

    pub fn address(&self, literal: &Literal) -> Result<U256, String> {
        match literal {
            Literal::Name(name) => self.by_name.get(name).copied().ok_or_else(|| {
                let known: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
                format!("nobody is called `{name}`{}", crate::input::among(&known))
            }),
            Literal::Number { negative: false, magnitude, .. } if *magnitude >> 160usize == U256::ZERO => {
                Ok(*magnitude)
            }
            _ => Err("not an address".to_owned()),
        }
    }

    pub fn show(&self, address: U256) -> String {
        if let Some(name) = self.by_address.get(&address) {
            return name.clone();
        }
        let digits = format!("{address:040x}");
        if self.in_full {
            return format!("0x{digits}");
        }
        if address < U256::from(0x10000) {
            format!(
                "0x{}",
                digits.trim_start_matches('0').to_owned() + if address.is_zero() { "0" } else { "" }
            )
        } else {
            format!("0x{}…{}", &digits[..4], &digits[36..])
        }
    }
}

/// What a parameter of this type takes from the caller: references take what they point to.
pub fn abi_type(program: &Program, ty: TypeId) -> TypeId {
    match program.types.get(ty) {
        Type::MemoryRef(t) | Type::CalldataRef(t) => *t,
        _ => ty,
    }
}

pub fn encode(program: &Program, tys: &[TypeId], args: &[Literal], names: &Names) -> Result<Vec<u8>, String> {
    if tys.len() != args.len() {
        let plural = if tys.len() == 1 { "" } else { "s" };
        return Err(format!("{} argument{plural} expected, {} given", tys.len(), args.len()));
    }
    let trees: Vec<Tree> = tys
        .iter()
        .zip(args)
        .enumerate()
        .map(|(i, (ty, arg))| tree(program, *ty, arg, names).map_err(|e| format!("argument {}: {e}", i + 1)))
        .collect::<Result<_, _>>()?;
    abi::encode::encode_trees(&program.types, AbiMode::Standard, tys, &trees).map_err(|e| format!("{e:?}"))
}

fn tree(program: &Program, ty: TypeId, literal: &Literal, names: &Names) -> Result<Tree, String> {
    let types = &program.types;
    let items = |tys: &mut dyn Iterator<Item = TypeId>, list: &[Literal]| -> Result<Tree, String> {
        let trees: Result<Vec<Tree>, String> =
            tys.zip(list).map(|(t, l)| tree(program, t, l, names)).collect();
        Ok(Tree::List(trees?))
    };
    match (types.get(ty), literal) {
        (Type::Bytes, Literal::Text(text)) => Ok(Tree::Bytes(Rc::from(text.as_bytes()))),
        (Type::Bytes, Literal::Bytes(bytes)) => Ok(Tree::Bytes(Rc::from(bytes.as_slice()))),
        (Type::Bytes, Literal::Number { magnitude, hex_digits: Some(digits), .. }) if digits % 2 == 0 => {
            let bytes = magnitude.to_be_bytes::<32>();
            let start = 32usize.checked_sub(digits / 2).ok_or("write long bytes as hex\"…\"")?;
            Ok(Tree::Bytes(Rc::from(&bytes[start..])))
        }
        (Type::Bytes, _) => Err("a string or hex\"…\" expected".to_owned()),
        (Type::Array { elem, len }, Literal::List(list)) => {
            if let Some(len) = len
                && *len != U256::from(list.len())
            {
                return Err(format!("{len} items expected, {} given", list.len()));
            }
            items(&mut std::iter::repeat_n(*elem, list.len()), list)
        }
        (Type::Array { .. }, _) => Err("a list such as [1, 2] expected".to_owned()),
        (Type::Struct(id), Literal::Tuple(list)) => {
            let def = &types.structs[*id];
            if def.fields.len() != list.len() {
                let name = &def.name;
                return Err(format!("`{name}` has {} fields, {} given", def.fields.len(), list.len()));
            }
            items(&mut def.fields.iter().map(|f| f.ty), list)
        }
        (Type::Struct(id), _) => {
            Err(format!("a struct `{}` such as (1, 2) expected", types.structs[*id].name))
        }
        (Type::Mapping { .. } | Type::MemoryRef(_) | Type::CalldataRef(_), _) => {
            Err("values of this type cannot be passed".to_owned())
        }
        (Type::StorageRef(_), _) => scalar(program, ty, literal, names).map(Tree::Word),
        _ => {
            let word = scalar(program, ty, literal, names)?;
            let fits = is_valid(types, ty, word);
            if fits {
                Ok(Tree::Word(word))
            } else {
                Err("out of the range of the parameter's type".to_owned())
            }
        }
    }
}

fn scalar(program: &Program, ty: TypeId, literal: &Literal, names: &Names) -> Result<U256, String> {
    match (program.types.get(ty), literal) {
        (Type::Bool, Literal::Bool(b)) => Ok(U256::from(*b)),
        (Type::Bool, _) => Err("true or false expected".to_owned()),
        (Type::Address, literal) => names.address(literal),
        (Type::FixedBytes(n), literal) => fixed_bytes(*n as usize, literal),
        (Type::Enum(id), Literal::Name(name)) => {
            let members = &program.types.enums[*id].members;
            let member = name.rsplit('.').next().unwrap_or(name);
            match members.iter().position(|m| m == member) {
                Some(i) => Ok(U256::from(i)),
                None => Err(format!("`{}` has no member `{member}`", program.types.enums[*id].name)),
            }
        }
        (Type::Int { signed, .. }, Literal::Number { negative, magnitude, .. }) => {
            let too_far =
                if *negative { *magnitude > U256::ONE << 255usize } else { *signed && magnitude.bit(255) };
            if too_far || (*negative && !*signed && !magnitude.is_zero()) {
                return Err("out of the range of the parameter's type".to_owned());
            }
            Ok(if *negative { magnitude.wrapping_neg() } else { *magnitude })
        }
        (_, Literal::Number { negative: false, magnitude, .. }) => Ok(*magnitude),
        _ => Err("a number expected".to_owned()),
    }
}

fn fixed_bytes(n: usize, literal: &Literal) -> Result<U256, String> {
    let bytes = match literal {
        Literal::Bytes(bytes) => bytes.clone(),
        Literal::Text(text) => text.clone().into_bytes(),
        Literal::Number { negative: false, magnitude, hex_digits: Some(digits) } if *digits == 2 * n => {
            magnitude.to_be_bytes::<32>()[32 - n..].to_vec()
        }
        _ => return Err(format!("{n} bytes expected, such as hex\"…\" or 0x with {} digits", 2 * n)),
    };
    if bytes.len() > n {
        return Err(format!("more than {n} bytes"));
    }
    let mut word = [0; 32];
    word[..bytes.len()].copy_from_slice(&bytes);
    Ok(U256::from_be_bytes(word))
}

/// ABI data as the user would write the values; `None` if it is not such data.
pub fn decode(program: &Program, tys: &[TypeId], data: &[u8], names: &Names) -> Option<Vec<String>> {
    let mut memory = Memory::new();
    let values = abi::decode::decode(&program.types, false, data, 0, tys, &mut memory).ok()?;
    let shown = tys.iter().zip(values).map(|(ty, value)| {
        let tree = match value {
            Value::Word(w) if program.types.get(*ty).is_tree() => {
                memory.read_tree(&program.types, *ty, w).ok()?
            }
            other => other.tree().ok()?,
        };
        Some(show(program, *ty, &tree, names))
    });
    shown.collect()
}

pub fn show(program: &Program, ty: TypeId, tree: &Tree, names: &Names) -> String {
    let types = &program.types;
    match (types.get(ty), tree) {
        (Type::Array { elem, .. }, Tree::List(items)) => {
            let items: Vec<String> = items.iter().map(|t| show(program, *elem, t, names)).collect();
            format!("[{}]", items.join(", "))
        }
        (Type::Struct(id), Tree::List(items)) => {
            let fields = types.structs[*id].fields.iter().zip(items);
            let shown: Vec<String> =
                fields.map(|(f, t)| format!("{}: {}", f.name, show(program, f.ty, t, names))).collect();
            format!("{{{}}}", shown.join(", "))
        }
        (_, Tree::Bytes(bytes)) => show_bytes(bytes),
        (ty, Tree::Word(word)) => show_word(program, ty, *word, names),
        (_, Tree::List(items)) => format!("{} items", items.len()),
    }
}

fn show_word(program: &Program, ty: &Type, word: U256, names: &Names) -> String {
    match ty {
        Type::Bool => (if word.is_zero() { "false" } else { "true" }).to_owned(),
        Type::Int { bits, signed } => {
            let negative = *signed && word.bit(255);
            let magnitude = if negative { word.wrapping_neg() } else { word };
            written(magnitude, negative, Range { signed: *signed, bits: u32::from(*bits) })
        }
        Type::FixedBytes(n) => format!("0x{}", hex(&word.to_be_bytes::<32>()[..*n as usize])),
        Type::Address => names.show(word),
        Type::Enum(id) => {
            let def = &program.types.enums[*id];
            let member = usize::try_from(word).ok().and_then(|i| def.members.get(i));
            member.map_or_else(
                || word.to_string(),
                |m| format!("{}.{m}", def.name.rsplit('.').next().unwrap_or("")),
            )
        }
        Type::FnInternal | Type::FnExternal => format!("{word:#x}"),
        _ => word.to_string(),
    }
}

/// A `uint256` that is an amount.
pub fn show_number(word: U256) -> String {
    amount(word, Range { signed: false, bits: 256 })
}

pub fn show_bytes(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.chars().any(char::is_control) => format!("{text:?}"),
        _ => format!("hex\"{}\"", hex(bytes)),
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}
