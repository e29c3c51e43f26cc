//! Types of functions as values, seen from inside, from outside and through a contract's name.

use super::Sema;
use crate::hir::{ContractKind, FnKind, FnTy, FunctionId, Loc, Mutability, Ty, TyId, VarId, Visibility};

impl<'a> Sema<'a> {
    /// `c.f`: an external call. Calldata parameters and results are memory to the caller; a library's function is
    /// called with `delegatecall`.
    pub fn external_type(&mut self, function: FunctionId) -> TyId {
        let is_library = self.is_library_function(function);
        let kind = if is_library { FnKind::DelegateCall } else { FnKind::External };
        let mut ty = self.declared_type(function, kind);
        for part in ty.params.iter_mut().chain(&mut ty.returns) {
            *part = self.calldata_to_memory(*part);
        }
        self.hir.types.intern(Ty::Function(ty))
    }

    /// `C.f` where `C` is not the contract at hand or a base of it.
    pub fn type_via_contract_name(&mut self, function: FunctionId) -> TyId {
        let visibility = self.hir.functions[function].visibility;
        if !self.is_library_function(function) {
            let ty = self.declared_type(function, FnKind::Declaration);
            self.hir.types.intern(Ty::Function(ty))
        } else if matches!(visibility, Visibility::Public | Visibility::External) {
            self.external_type(function)
        } else {
            self.hir.functions[function].ty
        }
    }

    /// Type of a function with its parameters as declared.
    pub fn declared_type(&self, function: FunctionId, kind: FnKind) -> FnTy {
        let def = &self.hir.functions[function];
        // Called from inside, a function cannot be paid.
        let mutability = match (kind, def.mutability) {
            (FnKind::Internal, Mutability::Payable) => Mutability::NonPayable,
            (_, mutability) => mutability,
        };
        let types = |vars: &[VarId]| vars.iter().map(|v| self.hir.vars[*v].ty).collect();
        FnTy {
            params: types(&def.params),
            returns: types(&def.returns),
            kind,
            mutability,
            decl: Some(function),
            variadic: false,
            attached: false,
            value_set: false,
            gas_set: false,
            salt_set: false,
        }
    }

    pub fn is_library_function(&self, function: FunctionId) -> bool {
        let contract = self.hir.functions[function].contract;
        contract.is_some_and(|c| self.hir.contracts[c].kind == ContractKind::Library)
    }

    pub(super) fn calldata_to_memory(&mut self, ty: TyId) -> TyId {
        match self.hir.types.loc(ty) {
            Some(Loc::Calldata) => self.hir.types.with_loc(ty, Loc::Memory),
            _ => ty,
        }
    }
}
