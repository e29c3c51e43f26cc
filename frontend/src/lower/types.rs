//! Solidity types to IR types.

use super::Lowering;
use crate::hir::{self, FnKind, Loc, Magic, Ty, TyId};
use hornet_ir::ids::{ContractId, EnumId, StructId, TypeId};
use hornet_ir::types::{EnumDef, Field, StructDef, Type};

/// Contracts keep their numbers.
pub(crate) fn contract_id(id: hir::ContractId) -> ContractId {
    ContractId(id.0)
}

impl Lowering<'_> {
    /// Structs and enums keep their numbers; struct fields are filled in afterwards since they may be recursive.
    pub(super) fn declare_named_types(&mut self) {
        for e in self.hir.enums.iter() {
            let def = EnumDef { name: e.qualified.clone(), members: e.members.clone() };
            self.program.types.enums.push(def);
        }
        for s in self.hir.structs.iter() {
            let def = StructDef { name: s.qualified.clone(), fields: Vec::new() };
            self.program.types.structs.push(def);
        }
        for (id, s) in self.hir.structs.iter_ids() {
            let fields =
                s.fields.iter().map(|f| Field { name: f.name.clone(), ty: self.tree_ty(f.ty) }).collect();
            self.program.types.structs[StructId(id.0)].fields = fields;
        }
    }

    /// The IR type of a value of a Solidity type: scalars, and references for what lives in a data location.
    pub fn ir_ty(&mut self, ty: TyId) -> TypeId {
        if let Some(&known) = self.ir_types.get(&ty) {
            return known;
        }
        let lowered = match self.tys.loc(ty) {
            Some(loc) => {
                let tree = self.tree_ty(ty);
                self.reference(tree, loc)
            }
            None if matches!(self.tys.get(ty), Ty::Mapping { .. }) => {
                let tree = self.tree_ty(ty);
                self.reference(tree, Loc::StoragePtr)
            }
            None => self.tree_ty(ty),
        };
        self.ir_types.insert(ty, lowered);
        lowered
    }

    fn reference(&mut self, tree: TypeId, loc: Loc) -> TypeId {
        self.program.types.intern(match loc {
            Loc::StorageRef | Loc::StoragePtr => Type::StorageRef(tree),
            Loc::Memory => Type::MemoryRef(tree),
            Loc::Calldata => Type::CalldataRef(tree),
        })
    }

    /// The IR type of the contents, regardless of data location: what storage holds and ABI coding sees.
    pub fn tree_ty(&mut self, ty: TyId) -> TypeId {
        if let Some(&known) = self.ir_trees.get(&ty) {
            return known;
        }
        let lowered = match self.tys.get(ty).clone() {
            Ty::Bool => Type::Bool,
            Ty::Int { bits, signed } => Type::Int { bits, signed },
            Ty::FixedBytes(n) => Type::FixedBytes(n),
            Ty::Address { .. } | Ty::Contract { .. } => Type::Address,
            Ty::Enum(id) => Type::Enum(EnumId(id.0)),
            Ty::UserType(id) => return self.tree_ty(self.hir.user_types[id].underlying),
            Ty::Bytes(_) | Ty::String(_) | Ty::StringLiteral(_) => Type::Bytes,
            Ty::Array { elem, len, .. } => Type::Array { elem: self.tree_ty(elem), len },
            Ty::Slice(array) => return self.tree_ty(array),
            Ty::Struct(id, _) => Type::Struct(StructId(id.0)),
            Ty::Mapping { key, value, .. } => {
                Type::Mapping { key: self.tree_ty(key), value: self.tree_ty(value) }
            }
            Ty::Function(f) => match f.kind {
                FnKind::Internal => Type::FnInternal,
                _ => Type::FnExternal,
            },
            // Not types of values; whoever meets such a value reports it, and a word keeps the IR well-formed.
            Ty::Fixed { .. }
            | Ty::Rational { .. }
            | Ty::Tuple(_)
            | Ty::Type(_)
            | Ty::Module(_)
            | Ty::Modifier(_)
            | Ty::Magic(
                Magic::Msg | Magic::Block | Magic::Tx | Magic::Abi | Magic::MetaType(_) | Magic::Error,
            )
            | Ty::Error => Type::Int { bits: 256, signed: false },
        };
        let id = self.program.types.intern(lowered);
        self.ir_trees.insert(ty, id);
        id
    }

    /// A textual identity of a type without its data location, for comparing signatures.
    pub(super) fn located_nowhere(&self, ty: TyId) -> String {
        match self.tys.get(ty) {
            Ty::Bytes(_) => "bytes".into(),
            Ty::String(_) => "string".into(),
            Ty::Struct(id, _) => format!("struct {}", id.0),
            Ty::Array { elem, len, .. } => match len {
                Some(n) => format!("{}[{n}]", self.located_nowhere(*elem)),
                None => format!("{}[]", self.located_nowhere(*elem)),
            },
            Ty::Function(f) => {
                let params: Vec<_> = f.params.iter().map(|p| self.located_nowhere(*p)).collect();
                let returns: Vec<_> = f.returns.iter().map(|p| self.located_nowhere(*p)).collect();
                format!("function {:?} {:?} {params:?} {returns:?}", f.kind, f.mutability)
            }
            Ty::Address { .. } => "address".into(),
            other => format!("{other:?}"),
        }
    }
}
