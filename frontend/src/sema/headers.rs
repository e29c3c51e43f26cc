//! Types of everything declared: fields, parameters, results, state variables; signatures.

use super::typename::declared_loc;
use super::{DeclScope, Sema, span_of};
use crate::hir::signature::{has_abi_name, is_externally_visible, signature, signature_text};
use crate::hir::{
    ContractId, ContractKind, EventParam, FnKind, FunctionId, FunctionKind, Loc, StructField, Ty, TyId, Var,
    VarId, VarKind, Visibility,
};
use hornet_ir::U256;
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::Id;
use hornet_ir::span::Span;
use rustc_hash::FxHashSet;
use solang_parser::pt::{self, CodeLocation};

/// Whose parameters are declared: decides the data location where none is written, and which may be.
#[derive(Clone, Copy)]
struct ParamContext {
    scope: DeclScope,
    kind: VarKind,
    external: bool,
}

impl<'a> Sema<'a> {
    pub(super) fn resolve_headers(&mut self) {
        for id in self.hir.user_types.ids() {
            self.resolve_user_type(id);
        }
        for id in self.hir.structs.ids() {
            self.resolve_struct(id);
        }
        // Recursion of structs decides what has an ABI name.
        self.check_struct_recursion();
        for id in self.hir.events.ids() {
            self.resolve_event(id);
        }
        for id in self.hir.errors.ids() {
            self.resolve_error(id);
        }
        for id in self.tables.vars.ids() {
            self.resolve_variable(id);
        }
        for index in 0..self.pending.functions.len() {
            let (id, def) = self.pending.functions[index];
            self.resolve_function(id, def);
        }
        for index in 0..self.pending.modifiers.len() {
            let (id, def) = self.pending.modifiers[index];
            let scope = self.modifier_scope(id);
            let context = ParamContext { scope, kind: VarKind::Param, external: false };
            self.hir.modifiers[id].params = self.declare_params(&def.params, context);
        }
        for id in self.hir.contracts.ids() {
            self.resolve_layout(id);
        }
    }

    fn resolve_user_type(&mut self, id: crate::hir::UserTypeId) {
        let def = self.tables.user_types[id];
        let scope =
            DeclScope { file: self.hir.user_types[id].span.file, contract: self.hir.user_types[id].contract };
        let ty = self.type_name(&def.ty, scope, None);
        let is_value = matches!(
            self.hir.ty(ty),
            Ty::Bool | Ty::Int { .. } | Ty::FixedBytes(_) | Ty::Address { .. } | Ty::Fixed { .. } | Ty::Error
        );
        self.hir.user_types[id].underlying = if is_value {
            ty
        } else {
            let message =
                "the underlying type for a user defined value type has to be an elementary value type";
            self.error(span_of(&def.ty.loc()), message);
            self.hir.types.error()
        };
    }

    fn resolve_struct(&mut self, id: crate::hir::StructId) {
        let def = self.tables.structs[id];
        let scope =
            DeclScope { file: self.hir.structs[id].span.file, contract: self.hir.structs[id].contract };
        let mut names = FxHashSet::default();
        let mut fields = Vec::with_capacity(def.fields.len());
        for field in &def.fields {
            let ty = self.type_name(&field.ty, scope, None);
            if let Some(storage) = &field.storage {
                self.error(span_of(&storage.loc()), "expected a name: struct members have no data location");
            }
            let Some(name) = &field.name else { continue };
            if !names.insert(name.name.as_str()) {
                self.error(span_of(&name.loc), format!("identifier `{}` already declared", name.name));
            }
            fields.push(StructField { name: name.name.clone(), ty, span: span_of(&field.loc) });
        }
        if fields.is_empty() {
            let span = self.hir.structs[id].span;
            self.error(span, "defining empty structs is disallowed");
        }
        self.hir.structs[id].fields = fields;
    }

    fn resolve_event(&mut self, id: crate::hir::EventId) {
        let def = self.tables.events[id];
        let scope = DeclScope { file: self.hir.events[id].span.file, contract: self.hir.events[id].contract };
        let mut params = Vec::with_capacity(def.fields.len());
        for field in &def.fields {
            let ty = self.type_name(&field.ty, scope, Some(Loc::Memory));
            self.check_abi_type(ty, false, span_of(&field.loc), "event parameter");
            let name = field.name.as_ref().map(|n| n.name.clone()).unwrap_or_default();
            params.push(EventParam { name, ty, indexed: field.indexed });
        }
        let limit = if def.anonymous { 4 } else { 3 };
        if params.iter().filter(|p| p.indexed).count() > limit {
            let span = self.hir.events[id].span;
            self.error(span, format!("more than {limit} indexed arguments for an event"));
        }
        let types: Vec<TyId> = params.iter().map(|p| p.ty).collect();
        let text = signature_text(&self.hir, &self.hir.events[id].name, &types, false);
        let event = &mut self.hir.events[id];
        event.params = params;
        event.signature = text;
    }

    fn resolve_error(&mut self, id: crate::hir::ErrorId) {
        let def = self.tables.errors[id];
        let scope = DeclScope { file: self.hir.errors[id].span.file, contract: self.hir.errors[id].contract };
        let mut params = Vec::with_capacity(def.fields.len());
        for field in &def.fields {
            let ty = self.type_name(&field.ty, scope, Some(Loc::Memory));
            self.check_abi_type(ty, false, span_of(&field.loc), "error parameter");
            params.push((field.name.as_ref().map(|n| n.name.clone()).unwrap_or_default(), ty));
        }
        let types: Vec<TyId> = params.iter().map(|p| p.1).collect();
        let signature = signature(&self.hir, &self.hir.errors[id].name, &types, false);
        let error = &mut self.hir.errors[id];
        error.params = params;
        error.signature = signature;
    }

    fn check_abi_type(&mut self, ty: TyId, library: bool, span: Span, what: &str) {
        if !has_abi_name(&self.hir, ty, library) {
            self.error(span, format!("internal or recursive type is not allowed as {what} type"));
        }
    }

    fn resolve_variable(&mut self, id: VarId) {
        let def = self.tables.vars[id];
        let scope = self.var_scope(id);
        // The value of a constant is no part of storage.
        let loc = match self.hir.vars[id].kind {
            VarKind::Constant | VarKind::Immutable => Some(Loc::Memory),
            VarKind::State
            | VarKind::Transient
            | VarKind::Param
            | VarKind::Return
            | VarKind::Local
            | VarKind::Bound => None,
        };
        self.hir.vars[id].ty = self.type_name(&def.ty, scope, loc);
    }

    fn resolve_function(&mut self, id: FunctionId, def: &'a pt::FunctionDefinition) {
        let scope = self.function_scope(id);
        let visibility = self.hir.functions[id].visibility;
        let external =
            visibility == Visibility::External && self.hir.functions[id].kind != FunctionKind::Free;
        let context = ParamContext { scope, kind: VarKind::Param, external };
        let params = self.declare_params(&def.params, context);
        let context = ParamContext { scope, kind: VarKind::Return, external };
        let returns = self.declare_params(&def.returns, context);
        self.hir.functions[id].params = params;
        self.hir.functions[id].returns = returns;

        let is_external =
            visibility == Visibility::External && self.hir.functions[id].kind == FunctionKind::Function;
        let ty = if is_external {
            self.external_type(id)
        } else {
            let ty = self.declared_type(id, FnKind::Internal);
            self.hir.types.intern(Ty::Function(ty))
        };
        self.hir.functions[id].ty = ty;
        self.resolve_signature(id);
    }

    /// What tells the function from others of its name, and what the outside calls it by.
    fn resolve_signature(&mut self, id: FunctionId) {
        let params: Vec<TyId> = self.hir.functions[id].params.iter().map(|v| self.hir.vars[*v].ty).collect();
        let key: Vec<TyId> = params.iter().map(|ty| self.calldata_to_memory(*ty)).collect();
        let key_id = self.tables.overload_keys.push(key.into());
        debug_assert_eq!(key_id.index(), id.index());
        let function = &self.hir.functions[id];
        let visible = is_externally_visible(function.visibility);
        if !visible || matches!(function.kind, FunctionKind::Free) {
            return;
        }
        let library = self.is_library_function(id);
        let is_constructor = function.kind == FunctionKind::Constructor;
        let vars: Vec<VarId> = match is_constructor {
            true => function.params.clone(),
            false => function.params.iter().chain(&function.returns).copied().collect(),
        };
        let is_named = function.kind == FunctionKind::Function;
        let internal_constructor = is_constructor && !self.is_deployable(function.contract);
        for var in vars {
            let (ty, span) = (self.hir.vars[var].ty, self.hir.vars[var].span);
            if !internal_constructor && !has_abi_name(&self.hir, ty, library) {
                self.error(
                    span,
                    "internal or recursive type is not allowed for public or external functions",
                );
            }
        }
        if is_named {
            let text = signature(&self.hir, &self.hir.functions[id].name, &params, library);
            self.hir.functions[id].signature = Some(text);
        }
    }

    fn is_deployable(&self, contract: Option<ContractId>) -> bool {
        contract.is_some_and(|c| {
            self.hir.contracts[c].kind == ContractKind::Contract && !self.hir.contracts[c].is_abstract
        })
    }

    fn declare_params(&mut self, list: &'a pt::ParameterList, context: ParamContext) -> Vec<VarId> {
        let mut vars = Vec::with_capacity(list.len());
        for (_, param) in list {
            let Some(param) = param else { continue };
            let ty = self.param_type(param, context);
            vars.push(self.hir.vars.push(Var {
                name: param.name.as_ref().map(|n| n.name.clone()).unwrap_or_default(),
                kind: context.kind,
                ty,
                span: span_of(&param.loc),
                contract: None,
                visibility: Visibility::Internal,
                init: None,
                getter: None,
                overrides: Vec::new(),
            }));
        }
        vars
    }

    fn param_type(&mut self, param: &'a pt::Parameter, context: ParamContext) -> TyId {
        let version = self.version(context.scope.file);
        let what = if context.kind == VarKind::Return { "return parameter" } else { "parameter" };
        let loc = match &param.storage {
            Some(storage) => declared_loc(storage),
            None if context.external && context.kind == VarKind::Param => Loc::Calldata,
            None => Loc::Memory,
        };
        let ty = self.type_name(&param.ty, context.scope, Some(loc));
        let is_reference = self.hir.types.loc(ty).is_some();
        let is_mapping = matches!(self.hir.ty(ty), Ty::Mapping { .. });
        let is_error = *self.hir.ty(ty) == Ty::Error;
        match &param.storage {
            None if (is_reference || is_mapping) && version.at_least(5, 0) => {
                let message =
                    format!("data location must be given for {what}: `memory`, `calldata` or `storage`");
                self.error(span_of(&param.ty.loc()), message);
            }
            Some(storage) if !is_reference && !is_mapping && !is_error => {
                let message = "data location can only be specified for array, struct or mapping types";
                self.error(span_of(&storage.loc()), message);
            }
            _ => {}
        }
        ty
    }

    fn resolve_layout(&mut self, contract: ContractId) {
        let def = self.tables.contracts[contract];
        let file = self.hir.contracts[contract].span.file;
        let sources = self.sources;
        let Some(expr) = sources.file(file).layout_of(def) else { return };
        let span = span_of(&expr.loc());
        let scope = DeclScope { file, contract: None };
        let Some(value) = self.const_int(expr, scope) else {
            self.diags.push(Diagnostic::unsupported(span, "this base slot expression of a storage layout"));
            return;
        };
        let slot = value.to_biguint().and_then(|v| U256::try_from_be_slice(&v.to_bytes_be()));
        if slot.is_none() {
            self.error(span, "the base slot of the storage layout must be a uint256");
        }
        self.hir.contracts[contract].layout_base = slot;
    }
}
