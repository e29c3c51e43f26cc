//! Values in Solidity's notation.

use hornet_ir::ids::TypeId;
use hornet_ir::program::Program;
use hornet_ir::types::Type;
use hornet_smt::term::Value;
use num_bigint::BigInt;
use num_traits::Signed;

/// How the values of a scalar type are written.
#[derive(Clone, Debug)]
pub enum Format {
    Bool,
    Number { signed: bool, bits: u32 },
    Address,
    Enum { name: String, members: Vec<String> },
    Bytes(u8),
}

impl Format {
    pub fn of(program: &Program, ty: TypeId) -> Option<Format> {
        Some(match program.types.get(ty) {
            Type::Bool => Format::Bool,
            Type::Int { bits, signed } => Format::Number { signed: *signed, bits: u32::from(*bits) },
            Type::Address => Format::Address,
            Type::Enum(id) => {
                let decl = &program.types.enums[*id];
                Format::Enum { name: decl.name.clone(), members: decl.members.clone() }
            }
            Type::FixedBytes(n) => Format::Bytes(*n),
            Type::FnInternal
            | Type::FnExternal
            | Type::Bytes
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. }
            | Type::StorageRef(_)
            | Type::MemoryRef(_)
            | Type::CalldataRef(_) => return None,
        })
    }

    pub fn show(&self, value: &Value) -> Option<String> {
        if let Value::Bool(b) = value {
            return Some(b.to_string());
        }
        let number = self.number(value)?;
        Some(match self {
            Format::Bool => (number != BigInt::from(0)).to_string(),
            Format::Number { signed, bits } => show_number(&number, *signed, *bits),
            Format::Address if number.is_negative() => number.to_string(),
            Format::Address => format!("0x{number:02x}"),
            Format::Enum { name, members } => {
                let member = usize::try_from(&number).ok().and_then(|i| members.get(i));
                match member {
                    Some(member) => format!("{name}.{member}"),
                    None => number.to_string(),
                }
            }
            Format::Bytes(n) => format!("0x{:0width$x}", number, width = 2 * usize::from(*n)),
        })
    }

    fn number(&self, value: &Value) -> Option<BigInt> {
        match value {
            Value::Int(n) => Some(n.clone()),
            Value::BitVec(n, width) => {
                let number = BigInt::from(n.clone());
                let half = BigInt::from(1) << (width - 1);
                let signed = matches!(self, Format::Number { signed: true, .. });
                Some(if signed && number >= half { number - (half << 1) } else { number })
            }
            Value::Bool(_) | Value::Array(_) | Value::Opaque(_) => None,
        }
    }
}

/// Numbers near the ends of their type are easier to read from there.
fn show_number(number: &BigInt, signed: bool, bits: u32) -> String {
    let type_name = format!("{}int{bits}", if signed { "" } else { "u" });
    let limit = BigInt::from(1) << if signed { bits - 1 } else { bits };
    let max: BigInt = &limit - 1;
    let from_max = &max - number;
    let near = BigInt::from(1_000_000);
    if bits > 32 && !from_max.is_negative() && from_max <= near {
        return if from_max == BigInt::from(0) {
            format!("type({type_name}).max")
        } else {
            format!("type({type_name}).max - {from_max}")
        };
    }
    let from_min = number + &limit;
    if signed && bits > 32 && !from_min.is_negative() && from_min <= near {
        return if from_min == BigInt::from(0) {
            format!("type({type_name}).min")
        } else {
            format!("type({type_name}).min + {from_min}")
        };
    }
    number.to_string()
}
