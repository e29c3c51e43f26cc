//! Types in the compiler's own words (`typeDescriptions.typeString` of its AST).

use super::{FnKind, FnTy, Hir, Loc, Magic, Mutability, Ty, TyId};
use num_bigint::BigInt;
use std::fmt::Write;

pub fn type_string(hir: &Hir, ty: TyId) -> String {
    let mut out = String::new();
    write_type(hir, ty, &mut out);
    out
}

/// Numbers of more than 32 characters keep four digits at each end.
fn write_number(value: &BigInt, out: &mut String) {
    let digits = value.to_string();
    match (digits.get(..4), digits.get(digits.len().saturating_sub(4)..)) {
        (Some(head), Some(tail)) if digits.len() > 32 => {
            let _ = write!(out, "{head}...({} digits omitted)...{tail}", digits.len() - 8);
        }
        _ => out.push_str(&digits),
    }
}

fn write_string_literal(bytes: &[u8], out: &mut String) {
    out.push_str("literal_string ");
    if bytes.iter().all(|b| (0x20..0x7f).contains(b)) {
        out.push('"');
        out.extend(bytes.iter().map(|&b| b as char));
    } else {
        out.push_str("hex\"");
        for byte in bytes {
            let _ = write!(out, "{byte:02x}");
        }
    }
    out.push('"');
}

fn loc_text(loc: Loc) -> &'static str {
    match loc {
        Loc::StorageRef => " storage ref",
        Loc::StoragePtr => " storage pointer",
        Loc::Memory => " memory",
        Loc::Calldata => " calldata",
    }
}

pub fn mutability_text(mutability: Mutability) -> &'static str {
    match mutability {
        Mutability::Pure => "pure",
        Mutability::View => "view",
        Mutability::NonPayable => "nonpayable",
        Mutability::Payable => "payable",
    }
}

fn write_list(hir: &Hir, types: &[TyId], out: &mut String) {
    out.push('(');
    for (i, ty) in types.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_type(hir, *ty, out);
    }
    out.push(')');
}

fn write_function(hir: &Hir, function: &FnTy, out: &mut String) {
    out.push_str("function ");
    if let (FnKind::Declaration, Some(decl)) = (function.kind, function.decl) {
        let decl = &hir.functions[decl];
        if let Some(contract) = decl.contract {
            out.push_str(&hir.contracts[contract].name);
            out.push('.');
        }
        out.push_str(&decl.name);
    }
    write_list(hir, &function.params, out);
    if function.mutability != Mutability::NonPayable {
        out.push(' ');
        out.push_str(mutability_text(function.mutability));
    }
    if function.kind == FnKind::External {
        out.push_str(" external");
    }
    if !function.returns.is_empty() {
        out.push_str(" returns ");
        write_list(hir, &function.returns, out);
    }
}

fn write_magic(hir: &Hir, magic: Magic, out: &mut String) {
    match magic {
        Magic::Msg => out.push_str("msg"),
        Magic::Block => out.push_str("block"),
        Magic::Tx => out.push_str("tx"),
        Magic::Abi => out.push_str("abi"),
        Magic::Error => out.push_str("error"),
        Magic::MetaType(ty) => {
            out.push_str("type(");
            write_type(hir, ty, out);
            out.push(')');
        }
    }
}

fn write_type(hir: &Hir, ty: TyId, out: &mut String) {
    let _ = match hir.ty(ty) {
        Ty::Bool => write!(out, "bool"),
        Ty::Int { bits, signed } => write!(out, "{}int{bits}", if *signed { "" } else { "u" }),
        Ty::FixedBytes(n) => write!(out, "bytes{n}"),
        Ty::Address { payable } => write!(out, "address{}", if *payable { " payable" } else { "" }),
        Ty::Fixed { signed, bits, decimals } => {
            write!(out, "{}fixed{bits}x{decimals}", if *signed { "" } else { "u" })
        }
        Ty::Rational { value, .. } if value.is_integer() => {
            out.push_str("int_const ");
            write_number(value.numer(), out);
            Ok(())
        }
        Ty::Rational { value, .. } => {
            out.push_str("rational_const ");
            write_number(value.numer(), out);
            out.push_str(" / ");
            write_number(value.denom(), out);
            Ok(())
        }
        Ty::StringLiteral(bytes) => {
            write_string_literal(bytes, out);
            Ok(())
        }
        Ty::Bytes(loc) => write!(out, "bytes{}", loc_text(*loc)),
        Ty::String(loc) => write!(out, "string{}", loc_text(*loc)),
        Ty::Array { elem, len, loc } => {
            write_type(hir, *elem, out);
            match len {
                Some(len) => write!(out, "[{len}]{}", loc_text(*loc)),
                None => write!(out, "[]{}", loc_text(*loc)),
            }
        }
        Ty::Slice(array) => {
            write_type(hir, *array, out);
            write!(out, " slice")
        }
        Ty::Struct(id, loc) => write!(out, "struct {}{}", hir.structs[*id].qualified, loc_text(*loc)),
        Ty::Mapping { key, value } => {
            out.push_str("mapping(");
            write_type(hir, *key, out);
            out.push_str(" => ");
            write_type(hir, *value, out);
            write!(out, ")")
        }
        Ty::Enum(id) => write!(out, "enum {}", hir.enums[*id].qualified),
        Ty::Contract { id, is_super } => {
            let contract = &hir.contracts[*id];
            let kind = if contract.kind == super::ContractKind::Library { "library" } else { "contract" };
            write!(out, "{kind} {}{}", if *is_super { "super " } else { "" }, contract.name)
        }
        Ty::UserType(id) => write!(out, "{}", hir.user_types[*id].qualified),
        Ty::Function(function) => {
            write_function(hir, function, out);
            Ok(())
        }
        Ty::Tuple(parts) => {
            out.push_str("tuple(");
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                if let Some(part) = part {
                    write_type(hir, *part, out);
                }
            }
            write!(out, ")")
        }
        Ty::Type(inner) => {
            out.push_str("type(");
            write_type(hir, *inner, out);
            write!(out, ")")
        }
        Ty::Module(file) => write!(out, "module \"{}\"", hir.file(*file).name),
        Ty::Modifier(params) => {
            out.push_str("modifier ");
            write_list(hir, params, out);
            Ok(())
        }
        Ty::Magic(magic) => {
            write_magic(hir, *magic, out);
            Ok(())
        }
        Ty::Error => write!(out, "<error>"),
    };
}
