//! `abi.*`, and values on their way into encoded data.

use super::func::FnLower;
use crate::hir::{self, Builtin, Expr, ExprKind, Member, Ref, Ty, TyId};
use hornet_ir::expr::{AbiMode, Builtin as IrBuiltin};
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::program::AllocInit;
use hornet_ir::types::Type;

impl<'h> FnLower<'_, 'h> {
    /// Arguments converted to parameter types, ready to be encoded: references of any location stand for their
    /// contents, references into storage (for libraries) for their slot.
    pub(super) fn abi_args(
        &mut self,
        args: &'h [Expr],
        params: &[TyId],
        eval_order: Option<&[u32]>,
    ) -> Vec<(TypeId, ExprId)> {
        let order: Vec<usize> = match eval_order {
            Some(order) => order.iter().map(|i| *i as usize).collect(),
            None => (0..args.len().min(params.len())).collect(),
        };
        let mut values: Vec<Option<(TypeId, ExprId)>> = vec![None; args.len()];
        for (at, &i) in order.iter().enumerate() {
            let (ty, mut value) = self.abi_arg(&args[i], params[i]);
            if order[at + 1..].iter().any(|later| self.has_effects(&args[*later])) {
                value = self.pin(value);
            }
            values[i] = Some((ty, value));
        }
        values.into_iter().flatten().collect()
    }

    /// One argument as the ABI type of `param`.
    pub(super) fn abi_arg(&mut self, arg: &'h Expr, param: TyId) -> (TypeId, ExprId) {
        if self.is_storage_reference(param) {
            let reference = self.rvalue_as(arg, param);
            let word = self.p().types.word();
            return (word, self.p().builtin(IrBuiltin::Slot, &[reference]));
        }
        let tree = self.low.tree_ty(param);
        let value = match self.ty(arg.ty) {
            Ty::StringLiteral(bytes) if *self.low.program.types.get(tree) == Type::Bytes => {
                let bytes = bytes.clone();
                self.p().const_bytes(&bytes)
            }
            // Encoded straight from where it is; no copy in memory is made first.
            _ if self.low.tys.loc(arg.ty).is_some() => self.rvalue(arg),
            _ => self.rvalue_as(arg, param),
        };
        (tree, value)
    }

    /// One argument as its own type, literals as the type they would have in a variable.
    pub(super) fn abi_arg_mobile(&mut self, arg: &'h Expr) -> (TypeId, ExprId) {
        if let Ty::StringLiteral(bytes) = self.ty(arg.ty) {
            let bytes = bytes.clone();
            return (self.p().types.bytes(), self.p().const_bytes(&bytes));
        }
        let value = self.rvalue(arg);
        let ty = self.p().exprs.ty(value);
        (self.p().types.referent(ty).unwrap_or(ty), value)
    }

    fn abi_args_mobile(&mut self, args: &'h [Expr]) -> (Vec<TypeId>, Vec<ExprId>) {
        let mut types = Vec::new();
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let (ty, mut value) = self.abi_arg_mobile(arg);
            if args[i + 1..].iter().any(|later| self.has_effects(later)) {
                value = self.pin(value);
            }
            types.push(ty);
            values.push(value);
        }
        (types, values)
    }

    /// The contents of a `bytes`/`string` expression in any location, or of a literal.
    pub(super) fn bytes_value(&mut self, e: &'h Expr) -> ExprId {
        if let Ty::StringLiteral(bytes) = self.ty(e.ty) {
            let bytes = bytes.clone();
            return self.p().const_bytes(&bytes);
        }
        let reference = self.rvalue(e);
        let ty = self.p().exprs.ty(reference);
        match self.p().types.get(ty) {
            Type::Bytes => reference,
            t if t.is_scalar() => self.p().abi_encode(AbiMode::Packed, None, &[reference]),
            _ => self.deref(reference),
        }
    }

    /// `abi.encode…` and `abi.decode`.
    pub(super) fn abi_builtin(&mut self, builtin: Builtin, args: &'h [Expr], e: &'h Expr) -> Vec<ExprId> {
        let encoded = match builtin {
            Builtin::AbiDecode => return self.abi_decode(args, e),
            Builtin::AbiEncode => self.encode_all(AbiMode::Standard, None, args),
            Builtin::AbiEncodePacked => self.encode_all(AbiMode::Packed, None, args),
            Builtin::AbiEncodeWithSelector => {
                let bytes4 = self.low.tys.intern(Ty::FixedBytes(4));
                let Some((first, rest)) = args.split_first() else { return Vec::new() };
                let selector = self.rvalue_as(first, bytes4);
                let selector = self.pin(selector);
                self.encode_all(AbiMode::Standard, Some(selector), rest)
            }
            Builtin::AbiEncodeWithSignature => {
                let Some((first, rest)) = args.split_first() else { return Vec::new() };
                let selector = self.signature_selector(first);
                self.encode_all(AbiMode::Standard, Some(selector), rest)
            }
            Builtin::AbiEncodeCall => match args {
                [function, arguments] => self.encode_call(function, arguments),
                _ => return Vec::new(),
            },
            _ => {
                let ty = self.ir_ty(e.ty);
                return vec![self.unsupported(e.span, "this member of `abi`", ty)];
            }
        };
        let bytes = self.p().types.bytes();
        vec![self.alloc(bytes, AllocInit::Copy(bytes, encoded))]
    }

    fn encode_all(&mut self, mode: AbiMode, selector: Option<ExprId>, args: &'h [Expr]) -> ExprId {
        let (types, values) = self.abi_args_mobile(args);
        self.encoded(mode, selector, types, &values)
    }

    /// Values as data, by the ABI coder of the file.
    pub(super) fn encoded(
        &mut self,
        mode: AbiMode,
        selector: Option<ExprId>,
        types: Vec<TypeId>,
        values: &[ExprId],
    ) -> ExprId {
        values.iter().for_each(|value| self.use_value(*value));
        let strict = self.strict_abi;
        self.p().abi_encode_as(mode, strict, selector, types, values)
    }

    /// First four bytes of the hash of a signature.
    fn signature_selector(&mut self, signature: &'h Expr) -> ExprId {
        if let Ty::StringLiteral(text) = self.ty(signature.ty) {
            let hash = hornet_ir::hash::keccak256(text);
            return self.selector_const([hash[0], hash[1], hash[2], hash[3]]);
        }
        let text = self.bytes_value(signature);
        let hash = self.p().builtin(IrBuiltin::Keccak256, &[text]);
        let bytes4 = self.p().types.intern(Type::FixedBytes(4));
        let selector = self.p().cast(hash, bytes4);
        self.pin(selector)
    }

    /// `abi.encodeCall(f, (a, b))`: arguments are converted to the parameter types.
    fn encode_call(&mut self, function: &'h Expr, arguments: &'h Expr) -> ExprId {
        let selector = match self.known_selector(function) {
            Some(selector) => self.selector_const(selector),
            None => {
                let value = self.rvalue(function);
                let selector = self.p().builtin(IrBuiltin::FnSelector, &[value]);
                self.pin(selector)
            }
        };
        let params = match self.ty(function.ty) {
            Ty::Function(f) => f.params.clone(),
            _ => Vec::new(),
        };
        let encoded: Vec<(TypeId, ExprId)> = match &arguments.kind {
            ExprKind::Tuple(parts) => {
                let given: Vec<&'h Expr> = parts.iter().flatten().collect();
                let mut encoded = Vec::new();
                for (i, arg) in given.iter().enumerate().take(params.len()) {
                    let (ty, mut value) = self.abi_arg(arg, params[i]);
                    if given[i + 1..].iter().any(|later| self.has_effects(later)) {
                        value = self.pin(value);
                    }
                    encoded.push((ty, value));
                }
                encoded
            }
            _ => params.first().map(|param| self.abi_arg(arguments, *param)).into_iter().collect(),
        };
        let (types, values): (Vec<TypeId>, Vec<ExprId>) = encoded.into_iter().unzip();
        self.encoded(AbiMode::Standard, Some(selector), types, &values)
    }

    /// The selector of a function that is named, not computed.
    pub(super) fn known_selector(&self, function: &Expr) -> Option<[u8; 4]> {
        let hir = self.hir();
        let of_function = |f: &hir::FunctionId| hir.functions[*f].signature.as_ref().map(|s| s.selector);
        match &function.kind {
            ExprKind::Name(Ref::Function(f)) => of_function(f),
            ExprKind::Member { member, .. } => match member {
                Member::External(f) | Member::Decl(Ref::Function(f)) | Member::SuperFunction(f) => {
                    of_function(f)
                }
                Member::Attached(f) => of_function(f),
                Member::Getter(v) | Member::Decl(Ref::Var(v)) => {
                    hir.vars[*v].getter.as_ref().map(|g| g.signature.selector)
                }
                _ => None,
            },
            ExprKind::Tuple(parts) => match parts.as_slice() {
                [Some(inner)] => self.known_selector(inner),
                _ => None,
            },
            _ => None,
        }
    }

    fn abi_decode(&mut self, args: &'h [Expr], e: &'h Expr) -> Vec<ExprId> {
        let Some(data) = args.first() else { return Vec::new() };
        let data = self.bytes_value(data);
        let data = self.pin(data);
        let types: Vec<TyId> = match self.ty(e.ty) {
            Ty::Tuple(parts) => parts.iter().flatten().copied().collect(),
            _ => vec![e.ty],
        };
        self.decode(data, &types)
    }
}
