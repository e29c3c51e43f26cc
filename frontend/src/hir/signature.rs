//! Canonical names of types in signatures, selectors, interface ids.

use super::{ContractId, ContractKind, FnKind, Hir, Loc, Signature, StructId, Ty, TyId, Visibility};
use hornet_ir::hash::selector;
use std::fmt::Write;

/// `f(uint256,(address,bytes)[])` from a name and parameter types. `library`: with the names that functions of
/// libraries use (`C.S`, `uint256[] storage`).
pub fn signature_text(hir: &Hir, name: &str, params: &[TyId], library: bool) -> String {
    let mut out = String::with_capacity(name.len() + 2 + 8 * params.len());
    out.push_str(name);
    out.push('(');
    let mut writer = Writer { hir, library, by_name: false, open: Vec::new(), out: &mut out };
    for (i, ty) in params.iter().enumerate() {
        if i > 0 {
            writer.out.push(',');
        }
        writer.by_name = library && in_storage(hir, *ty);
        writer.ty(*ty);
        if writer.by_name {
            writer.out.push_str(" storage");
        }
    }
    out.push(')');
    out
}

/// The signature and its selector.
pub fn signature(hir: &Hir, name: &str, params: &[TyId], library: bool) -> Signature {
    let text = signature_text(hir, name, params, library);
    Signature { selector: selector(&text), text }
}

/// `type(I).interfaceId`: of the functions declared in the interface itself, not of inherited ones.
pub fn interface_id(hir: &Hir, contract: ContractId) -> [u8; 4] {
    let contract = &hir.contracts[contract];
    let functions = contract.functions.iter().filter_map(|f| hir.functions[*f].signature.as_ref());
    let getters = contract.state.iter().filter_map(|v| hir.vars[*v].getter.as_ref().map(|g| &g.signature));
    let mut id = [0; 4];
    for signature in functions.chain(getters) {
        for (byte, other) in id.iter_mut().zip(signature.selector) {
            *byte ^= other;
        }
    }
    id
}

fn in_storage(hir: &Hir, ty: TyId) -> bool {
    matches!(hir.ty(ty), Ty::Mapping { .. }) || hir.types.loc(ty).is_some_and(Loc::is_storage)
}

struct Writer<'h, 'o> {
    hir: &'h Hir,
    library: bool,
    /// Inside a storage reference, user-defined value types go by their names too.
    by_name: bool,
    /// Structs being written: a recursive one (an error, reported elsewhere) is cut off by its name.
    open: Vec<StructId>,
    out: &'o mut String,
}

impl Writer<'_, '_> {
    fn ty(&mut self, ty: TyId) {
        let hir = self.hir;
        let _ = match hir.ty(ty) {
            Ty::Bool => write!(self.out, "bool"),
            Ty::Int { bits, signed } => write!(self.out, "{}int{bits}", if *signed { "" } else { "u" }),
            Ty::FixedBytes(n) => write!(self.out, "bytes{n}"),
            Ty::Address { .. } => write!(self.out, "address"),
            Ty::Fixed { signed, bits, decimals } => {
                write!(self.out, "{}fixed{bits}x{decimals}", if *signed { "" } else { "u" })
            }
            Ty::Bytes(_) => write!(self.out, "bytes"),
            Ty::String(_) => write!(self.out, "string"),
            Ty::Array { elem, len, .. } => {
                self.ty(*elem);
                match len {
                    Some(len) => write!(self.out, "[{len}]"),
                    None => write!(self.out, "[]"),
                }
            }
            Ty::Slice(array) => {
                self.ty(*array);
                Ok(())
            }
            Ty::Struct(id, _) => {
                self.structure(*id);
                Ok(())
            }
            Ty::Mapping { key, value } => {
                self.out.push_str("mapping(");
                self.ty(*key);
                self.out.push_str(" => ");
                self.ty(*value);
                write!(self.out, ")")
            }
            Ty::Enum(id) if self.library => write!(self.out, "{}", hir.enums[*id].qualified),
            Ty::Enum(id) => {
                write!(self.out, "uint{}", if hir.enums[*id].members.len() > 256 { 16 } else { 8 })
            }
            Ty::Contract { id, .. } if self.library => write!(self.out, "{}", hir.contracts[*id].name),
            Ty::Contract { .. } => write!(self.out, "address"),
            Ty::UserType(id) if self.by_name => write!(self.out, "{}", hir.user_types[*id].qualified),
            Ty::UserType(id) => {
                self.ty(hir.user_types[*id].underlying);
                Ok(())
            }
            Ty::Function(_) => write!(self.out, "function"),
            // None of these has an ABI name; a declaration with one is erroneous and reported.
            Ty::Rational { .. }
            | Ty::StringLiteral(_)
            | Ty::Tuple(_)
            | Ty::Type(_)
            | Ty::Module(_)
            | Ty::Modifier(_)
            | Ty::Magic(_)
            | Ty::Error => write!(self.out, "?"),
        };
    }

    fn structure(&mut self, id: StructId) {
        let structure = &self.hir.structs[id];
        if self.library || self.open.contains(&id) || self.out.len() > MAX_TEXT {
            self.out.push_str(&structure.qualified);
            return;
        }
        self.open.push(id);
        self.out.push('(');
        for (i, field) in structure.fields.iter().enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            self.ty(field.ty);
        }
        self.out.push(')');
        self.open.pop();
    }
}

/// Structs in structs can make signatures exponentially long. Such types are refused, and their names cut off.
const MAX_TEXT: usize = 1 << 20;
const MAX_PARTS: u32 = 1 << 16;

/// Whether values of the type can cross an external call (`library`: of a library, where storage references can too).
/// Internal functions, mappings and recursive structs cannot.
pub fn has_abi_name(hir: &Hir, ty: TyId, library: bool) -> bool {
    if library && in_storage(hir, ty) {
        return true;
    }
    let mut parts = MAX_PARTS;
    abi_encodable(hir, ty, &mut Vec::new(), &mut parts)
}

fn abi_encodable(hir: &Hir, ty: TyId, open: &mut Vec<StructId>, parts: &mut u32) -> bool {
    *parts = parts.saturating_sub(1);
    if *parts == 0 {
        return false;
    }
    match hir.ty(ty) {
        Ty::Array { elem, .. } => abi_encodable(hir, *elem, open, parts),
        Ty::Struct(id, _) => {
            if open.contains(id) {
                return false;
            }
            open.push(*id);
            let all = hir.structs[*id].fields.iter().all(|f| abi_encodable(hir, f.ty, open, parts));
            open.pop();
            all
        }
        Ty::Function(function) => function.kind == FnKind::External,
        Ty::Mapping { .. } => false,
        Ty::Contract { id, .. } => hir.contracts[*id].kind != ContractKind::Library,
        _ => true,
    }
}

/// Whether a function of this visibility can be called from outside.
pub fn is_externally_visible(visibility: Visibility) -> bool {
    matches!(visibility, Visibility::Public | Visibility::External)
}
