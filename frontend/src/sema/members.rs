//! What stands after a dot.

use super::bodies::Body;
use super::expr::plain_function;
use super::overload::Args;
use super::{Refs, span_of};
use crate::hir::{
    Builtin, ContractId, ContractKind, Expr, ExprKind, FnKind, FnTy, FunctionId, Loc, Magic, Member,
    Mutability, Ref, Ty, TyId, Visibility,
};
use hornet_ir::span::Span;
use solang_parser::pt;

/// Members of one name, with their types.
type Found = Vec<(Member, TyId)>;

impl<'s, 'a> Body<'s, 'a> {
    pub fn member(
        &mut self,
        base: Expr,
        name: &'a pt::Identifier,
        args: Option<&Args<'a>>,
        span: Span,
    ) -> Expr {
        let span = Span { start: base.span.start, ..span };
        if self.is_error(base.ty) {
            return self.error_expr(span);
        }
        let mut found = self.native_members(base.ty, &name.name, args);
        // Functions can be attached beside members of the same name.
        if found.iter().all(|(_, ty)| matches!(self.ty(*ty), Ty::Function(_))) {
            self.attached_members(base.ty, &name.name, &mut found);
        }
        if found.is_empty() {
            self.report_missing(&base, name);
            return self.error_expr(span);
        }
        match self.resolve(found, Some(base.ty), args, &name.name, span) {
            Some((member, ty)) => Expr {
                kind: ExprKind::Member { base: Box::new(base), name: name.name.clone(), member },
                ty,
                span,
            },
            None => self.error_expr(span),
        }
    }

    fn report_missing(&mut self, base: &Expr, name: &pt::Identifier) {
        let ty = self.text_of(base.ty);
        let in_memory = matches!(self.sema.hir.types.loc(base.ty), Some(Loc::Memory | Loc::Calldata));
        let message = if in_memory && matches!(name.name.as_str(), "push" | "pop") {
            format!("member `{}` is not available in `{ty}` outside of storage", name.name)
        } else {
            format!(
                "member `{}` not found or not visible after argument-dependent lookup in `{ty}`",
                name.name
            )
        };
        self.error(span_of(&name.loc), message);
    }

    /// Members that a type has by itself.
    fn native_members(&mut self, base: TyId, name: &str, args: Option<&Args<'a>>) -> Found {
        match *self.ty(base) {
            Ty::Type(inner) => self.type_members(inner, name),
            Ty::Contract { id, is_super: true } => self.super_members(id, name),
            Ty::Contract { id, is_super: false } => self.instance_members(id, name),
            Ty::Module(file) => {
                let refs = self.sema.module_member(file, name);
                refs.iter().map(|r| (Member::Decl(*r), self.ref_type(*r, args))).collect()
            }
            Ty::Magic(Magic::MetaType(ty)) => self.meta_members(ty, name),
            Ty::Magic(magic) => match self.magic_member(magic, name) {
                // Before 0.5 `msg.gas` is a value.
                Some(Builtin::GasLeft) => vec![(Member::Builtin(Builtin::GasLeft), self.uint())],
                Some(builtin) => vec![(Member::Builtin(builtin), self.builtin_type(builtin, args))],
                None => Vec::new(),
            },
            Ty::Struct(id, loc) => {
                let fields = &self.sema.hir.structs[id].fields;
                let Some(at) = fields.iter().position(|f| f.name == name) else { return Vec::new() };
                let ty = fields[at].ty;
                let ty = if loc.is_storage() { ty } else { self.sema.hir.types.with_loc(ty, loc) };
                vec![(Member::Field(at as u32), ty)]
            }
            Ty::Address { payable } => self.address_members(name, payable || !self.version.at_least(5, 0)),
            Ty::Array { elem, len, loc } => self.array_members(base, elem, len.is_none(), loc, name, args),
            Ty::Bytes(loc) => {
                let elem = self.intern(Ty::FixedBytes(1));
                self.array_members(base, elem, true, loc, name, args)
            }
            Ty::Slice(array) if name == "length" && !matches!(self.ty(array), Ty::String(_)) => {
                vec![(Member::Builtin(Builtin::Length), self.uint())]
            }
            Ty::FixedBytes(_) if name == "length" => {
                vec![(Member::Builtin(Builtin::Length), self.sema.hir.types.uint(8))]
            }
            Ty::Function(_) => self.function_members(base, name),
            _ => Vec::new(),
        }
    }

    /// Functions that `using for` attaches.
    fn attached_members(&mut self, base: TyId, name: &str, found: &mut Found) {
        if matches!(self.ty(base), Ty::Type(_) | Ty::Module(_) | Ty::Magic(_)) {
            return;
        }
        // A directive's function type knows no declaration.
        let plain = match self.fn_ty(base) {
            Some(f) if f.decl.is_some() => {
                let f = FnTy { decl: None, ..f.clone() };
                self.intern(Ty::Function(f))
            }
            _ => base,
        };
        for id in self.sema.attached(self.scope, plain, name) {
            let ty = match self.sema.is_library_function(id) {
                true => self.sema.type_via_contract_name(id),
                false => self.sema.hir.functions[id].ty,
            };
            let Some(f) = self.fn_ty(ty) else { continue };
            let Some(first) = f.params.first() else { continue };
            if self.converts(base, *first) {
                let f = FnTy { attached: true, ..f.clone() };
                let ty = self.intern(Ty::Function(f));
                found.push((Member::Attached(id), ty));
            }
        }
    }

    // Members of types.

    fn type_members(&mut self, inner: TyId, name: &str) -> Found {
        match *self.ty(inner) {
            Ty::Contract { id, is_super: true } => self.super_members(id, name),
            Ty::Contract { id, is_super: false } => self.contract_members(id, name),
            Ty::Enum(id) => {
                let position = self.sema.hir.enums[id].members.iter().position(|m| m == name);
                position.map(|at| (Member::EnumValue(at as u32), inner)).into_iter().collect()
            }
            Ty::UserType(id) => {
                let underlying = self.sema.hir.user_types[id].underlying;
                let (builtin, from, to) = match name {
                    "wrap" => (Builtin::Wrap, underlying, inner),
                    "unwrap" => (Builtin::Unwrap, inner, underlying),
                    _ => return Vec::new(),
                };
                let f = plain_function(vec![from], vec![to], FnKind::Builtin(builtin), Mutability::Pure);
                vec![(Member::Builtin(builtin), self.intern(Ty::Function(f)))]
            }
            Ty::Bytes(_) if name == "concat" => {
                vec![(Member::Builtin(Builtin::BytesConcat), self.builtin_type(Builtin::BytesConcat, None))]
            }
            Ty::String(_) if name == "concat" => {
                vec![(Member::Builtin(Builtin::StringConcat), self.builtin_type(Builtin::StringConcat, None))]
            }
            _ => Vec::new(),
        }
    }

    /// `C.x`.
    fn contract_members(&mut self, contract: ContractId, name: &str) -> Found {
        let refs: Refs = self.sema.contract_member(contract, name);
        refs.iter()
            .filter(|r| !matches!(r, Ref::Modifier(_)))
            .map(|r| {
                let ty = match *r {
                    Ref::Function(f) => self.function_via_contract(contract, f),
                    other => self.ref_type(other, None),
                };
                (Member::Decl(*r), ty)
            })
            .collect()
    }

    fn function_via_contract(&mut self, contract: ContractId, function: FunctionId) -> TyId {
        let derives = self
            .scope
            .contract
            .is_some_and(|scope| self.sema.hir.contracts[scope].linearized.contains(&contract));
        let library = self.sema.hir.contracts[contract].kind == ContractKind::Library;
        let external = self.sema.hir.functions[function].visibility == Visibility::External;
        if !library && derives && !external && self.sema.is_implemented(function) {
            return self.sema.hir.functions[function].ty;
        }
        self.sema.type_via_contract_name(function)
    }

    fn super_members(&mut self, contract: ContractId, name: &str) -> Found {
        let functions = self.sema.super_lookup(contract, name);
        functions.into_iter().map(|f| (Member::SuperFunction(f), self.sema.hir.functions[f].ty)).collect()
    }

    fn instance_members(&mut self, contract: ContractId, name: &str) -> Found {
        let refs = self.sema.external_members(contract, name);
        let mut found: Found = Vec::with_capacity(refs.len());
        for r in refs.iter() {
            match *r {
                Ref::Function(f) => found.push((Member::External(f), self.sema.external_type(f))),
                Ref::Var(v) => {
                    if let Some(getter) = &self.sema.hir.vars[v].getter {
                        found.push((Member::Getter(v), getter.ty));
                    }
                }
                _ => {}
            }
        }
        if found.is_empty() && !self.version.at_least(5, 0) {
            return self.address_members(name, true);
        }
        found
    }

    fn meta_members(&mut self, ty: TyId, name: &str) -> Found {
        let (builtin, ty) = match (self.ty(ty), name) {
            (Ty::Int { .. } | Ty::Enum(_), "min") => (Builtin::Min, ty),
            (Ty::Int { .. } | Ty::Enum(_), "max") => (Builtin::Max, ty),
            (Ty::Contract { .. }, "name") => (Builtin::TypeName, self.builtin_type(Builtin::TypeName, None)),
            (Ty::Contract { .. }, "creationCode") => {
                (Builtin::CreationCode, self.builtin_type(Builtin::CreationCode, None))
            }
            (Ty::Contract { .. }, "runtimeCode") => {
                (Builtin::RuntimeCode, self.builtin_type(Builtin::RuntimeCode, None))
            }
            (Ty::Contract { .. }, "interfaceId") => {
                (Builtin::InterfaceId, self.builtin_type(Builtin::InterfaceId, None))
            }
            _ => return Vec::new(),
        };
        vec![(Member::Builtin(builtin), ty)]
    }

    // Members of values.

    fn address_members(&mut self, name: &str, payable: bool) -> Found {
        match self.address_member(name, payable) {
            Some(builtin) => vec![(Member::Builtin(builtin), self.builtin_type(builtin, None))],
            None => Vec::new(),
        }
    }

    fn array_members(
        &mut self,
        base: TyId,
        elem: TyId,
        dynamic: bool,
        loc: Loc,
        name: &str,
        args: Option<&Args<'a>>,
    ) -> Found {
        match name {
            "length" => vec![(Member::Builtin(Builtin::Length), self.uint())],
            "push" if dynamic && loc.is_storage() => {
                let ty = self.push_type(base, elem, args.is_some_and(|a| a.exprs.is_empty()));
                vec![(Member::Builtin(Builtin::Push), ty)]
            }
            "pop" if dynamic && loc.is_storage() => {
                let (params, attached) = self.array_self(base);
                let f = plain_function(params, vec![], FnKind::Builtin(Builtin::Pop), Mutability::NonPayable);
                let ty = self.intern(Ty::Function(FnTy { attached, ..f }));
                vec![(Member::Builtin(Builtin::Pop), ty)]
            }
            _ => Vec::new(),
        }
    }

    /// From 0.8 on `push` and `pop` have the array itself as their first parameter.
    fn array_self(&mut self, base: TyId) -> (Vec<TyId>, bool) {
        if !self.version.at_least(8, 0) {
            return (Vec::new(), false);
        }
        (vec![self.sema.hir.types.with_loc(base, Loc::StoragePtr)], true)
    }

    fn push_type(&mut self, base: TyId, elem: TyId, empty: bool) -> TyId {
        let (mut params, attached) = self.array_self(base);
        let returns = if !self.version.at_least(6, 0) {
            // Returned the new length.
            params.push(elem);
            vec![self.uint()]
        } else if empty {
            vec![elem]
        } else {
            params.push(elem);
            vec![]
        };
        let f = plain_function(params, returns, FnKind::Builtin(Builtin::Push), Mutability::NonPayable);
        self.intern(Ty::Function(FnTy { attached, ..f }))
    }

    fn function_members(&mut self, base: TyId, name: &str) -> Found {
        let Some(f) = self.fn_ty(base) else { return Vec::new() };
        let (kind, has_decl) = (f.kind, f.decl.is_some());
        let payable = f.mutability == Mutability::Payable;
        let old = !self.version.at_least(7, 0);
        let calls_out = matches!(
            kind,
            FnKind::External
                | FnKind::Creation(_)
                | FnKind::Builtin(
                    Builtin::Call | Builtin::CallCode | Builtin::DelegateCall | Builtin::StaticCall
                )
        );
        match name {
            "selector" if matches!(kind, FnKind::Event(_)) => {
                vec![(Member::Builtin(Builtin::Selector), self.intern(Ty::FixedBytes(32)))]
            }
            "selector" if has_decl || matches!(kind, FnKind::External | FnKind::Error(_)) => {
                vec![(Member::Builtin(Builtin::Selector), self.builtin_type(Builtin::Selector, None))]
            }
            "address" if kind == FnKind::External => {
                let builtin = Builtin::FunctionAddress;
                vec![(Member::Builtin(builtin), self.builtin_type(builtin, None))]
            }
            "value" if old && calls_out && payable => self.setter(base, Builtin::SetValue),
            "gas" if old && calls_out && !matches!(kind, FnKind::Creation(_)) => {
                self.setter(base, Builtin::SetGas)
            }
            _ => Vec::new(),
        }
    }

    /// `f.value` and `f.gas`: functions that give `f` with the amount set.
    fn setter(&mut self, base: TyId, builtin: Builtin) -> Found {
        let Some(f) = self.fn_ty(base) else { return Vec::new() };
        let mut f = f.clone();
        match builtin {
            Builtin::SetValue => f.value_set = true,
            _ => f.gas_set = true,
        }
        let set = self.intern(Ty::Function(f));
        let mutability = if self.version.at_least(5, 0) { Mutability::Pure } else { Mutability::NonPayable };
        let f = plain_function(vec![self.uint()], vec![set], FnKind::Builtin(builtin), mutability);
        vec![(Member::Builtin(builtin), self.intern(Ty::Function(f)))]
    }
}
