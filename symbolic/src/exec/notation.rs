//! Values in Solidity's notation.

use hornet_ir::U256;
use hornet_ir::ids::TypeId;
use hornet_ir::number::{Range, written};
use hornet_ir::program::Program;
use hornet_ir::types::Type;
use hornet_smt::term::Value;
use num_bigint::{BigInt, Sign};
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
            Format::Number { signed, bits } => show_number(&number, Range { signed: *signed, bits: *bits }),
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

fn show_number(number: &BigInt, range: Range) -> String {
    let (sign, bytes) = number.to_bytes_be();
    match U256::try_from_be_slice(&bytes) {
        Some(magnitude) => written(magnitude, sign == Sign::Minus, range),
        None => number.to_string(),
    }
}
