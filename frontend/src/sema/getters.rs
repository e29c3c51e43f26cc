//! Implicit accessors of public state variables.

use super::Sema;
use crate::hir::signature::{has_abi_name, signature};
use crate::hir::{FnKind, FnTy, Getter, Loc, Mutability, Ty, TyId, VarId, Visibility};

impl<'a> Sema<'a> {
    pub(super) fn resolve_getters(&mut self) {
        for var in self.tables.vars.ids() {
            if self.hir.vars[var].contract.is_some() && self.hir.vars[var].visibility == Visibility::Public {
                self.resolve_getter(var);
            }
        }
    }

    fn resolve_getter(&mut self, var: VarId) {
        let mut params = Vec::new();
        let mut ty = self.hir.vars[var].ty;
        loop {
            match *self.hir.ty(ty) {
                Ty::Mapping { key, value } => {
                    params.push(key);
                    ty = value;
                }
                Ty::Array { elem, .. } => {
                    params.push(self.hir.types.uint256());
                    ty = elem;
                }
                Ty::Error => return,
                _ => break,
            }
        }
        let returns = self.getter_returns(ty);
        let all_abi = returns.iter().chain(&params).all(|ty| has_abi_name(&self.hir, *ty, false));
        if returns.is_empty() || !all_abi {
            let span = self.hir.vars[var].span;
            self.error(span, "internal or recursive type is not allowed for public state variables");
            return;
        }
        let signature = signature(&self.hir, &self.hir.vars[var].name, &params, false);
        let ty = self.hir.types.intern(Ty::Function(FnTy {
            params: params.clone(),
            returns: returns.clone(),
            kind: FnKind::External,
            mutability: Mutability::View,
            decl: None,
            variadic: false,
            attached: false,
            value_set: false,
            gas_set: false,
            salt_set: false,
        }));
        self.hir.vars[var].getter = Some(Getter { signature, params, returns, ty });
    }

    /// A struct comes out as its members, without mappings and arrays.
    fn getter_returns(&mut self, ty: TyId) -> Vec<TyId> {
        let members: Vec<TyId> = match self.hir.ty(ty) {
            Ty::Struct(id, _) => self.hir.structs[*id].fields.iter().map(|f| f.ty).collect(),
            _ => vec![ty],
        };
        let shown = |ty: &TyId| !matches!(self.hir.ty(*ty), Ty::Mapping { .. } | Ty::Array { .. });
        let members: Vec<TyId> = members.into_iter().filter(shown).collect();
        members.into_iter().map(|ty| self.hir.types.with_loc(ty, Loc::Memory)).collect()
    }
}
