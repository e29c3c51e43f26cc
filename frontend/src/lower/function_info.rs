//! Which function of the source a procedure is the code of, as reports name it.

use super::types::contract_id;
use super::{Instance, Lowering};
use crate::hir::{self, FunctionKind, Mutability, Visibility};
use hornet_ir::spec::{FunctionInfo, FunctionRole};

impl Lowering<'_> {
    pub(super) fn function_info(&self, id: hir::FunctionId) -> FunctionInfo {
        let decl = &self.hir.functions[id];
        let (name, role) = match decl.kind {
            FunctionKind::Function | FunctionKind::Free => (decl.name.as_str(), FunctionRole::Function),
            FunctionKind::Constructor => ("[constructor]", FunctionRole::Constructor),
            FunctionKind::Receive => ("[receive]", FunctionRole::Receive),
            FunctionKind::Fallback => ("[fallback]", FunctionRole::Fallback),
        };
        let signature =
            (role == FunctionRole::Function && self.is_overloaded(id)).then(|| self.signature_of(id));
        FunctionInfo {
            name: name.to_owned(),
            signature,
            role,
            declared_in: decl.contract.map(contract_id),
            public: matches!(decl.visibility, Visibility::Public | Visibility::External)
                && decl.kind != FunctionKind::Free,
            constant: matches!(decl.mutability, Mutability::Pure | Mutability::View),
            span: decl.span,
        }
    }

    /// As the function is in a contract: those that others override are only called from inside, whatever they say.
    pub(super) fn instance_info(&self, Instance { function, context }: Instance) -> FunctionInfo {
        let info = self.function_info(function);
        // A declaration without code leaves the code of the base in its place.
        let has_code = |f: &hir::FunctionId| self.hir.functions[*f].body.is_some();
        let overridden =
            |context| self.overrides(context, function).find(has_code).is_some_and(|last| last != function);
        let inside = info.role == FunctionRole::Function && context.is_some_and(overridden);
        FunctionInfo { public: info.public && !inside, ..info }
    }

    /// The creation of a contract: its own constructor, or what stands for one.
    pub(super) fn creation_info(&self, id: hir::ContractId) -> FunctionInfo {
        let contract = &self.hir.contracts[id];
        match contract.constructor {
            Some(constructor) => FunctionInfo { public: true, ..self.function_info(constructor) },
            None => FunctionInfo {
                name: "[implicit_constructor]".to_owned(),
                signature: None,
                role: FunctionRole::ImplicitConstructor,
                declared_in: Some(contract_id(id)),
                public: true,
                constant: false,
                span: contract.span,
            },
        }
    }

    fn signature_of(&self, id: hir::FunctionId) -> String {
        let decl = &self.hir.functions[id];
        let params: Vec<_> = decl.params.iter().map(|p| self.hir.vars[*p].ty).collect();
        let in_library =
            decl.contract.is_some_and(|c| self.hir.contracts[c].kind == hir::ContractKind::Library);
        hir::signature::signature_text(self.hir, &decl.name, &params, in_library)
    }

    /// Whether the declaring contract has, itself or by inheritance, another function of this name that it does not
    /// override.
    fn is_overloaded(&self, id: hir::FunctionId) -> bool {
        let decl = &self.hir.functions[id];
        let Some(contract) = decl.contract else { return false };
        let key = self.override_key(id);
        let linearized = self.hir.contracts[contract].linearized.iter();
        linearized.flat_map(|c| &self.hir.contracts[*c].functions).any(|&other| {
            let function = &self.hir.functions[other];
            function.kind == FunctionKind::Function
                && function.name == decl.name
                && self.override_key(other) != key
        })
    }
}
