//! Calls that leave the contract: functions of other contracts and libraries, creation, and the members of `address`.

use super::call::{CallParts, peel_callee};
use super::func::FnLower;
use super::types::contract_id;
use crate::hir::{self, Builtin, Expr, ExprKind, FnKind, Loc, Member, Mutability, Ref, Ty, TyId};
use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, Builtin as IrBuiltin, EnvVar, Expr as IrExpr};
use hornet_ir::ids::{ContractId, ExprId, LocalId, TypeId};
use hornet_ir::program::{AllocInit, CallKind, Create, ExternalCall, Gas, ObligationKind, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

/// An external call or creation that has been made: whether it succeeded, and what came back.
pub(super) struct Made {
    pub ok: LocalId,
    /// `Bytes`: encoded results, or the revert payload.
    pub result: LocalId,
    pub returns: Returns,
}

pub(super) enum Returns {
    /// To be decoded from `result`.
    Encoded(Vec<TyId>),
    /// The address of a created contract.
    Created(LocalId),
}

/// What a failed call means for the caller.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// It fails as well.
    Reverts,
    /// There is a `catch`.
    IsCaught,
}

/// Who is called.
struct Target {
    address: ExprId,
    /// `bytes4`.
    selector: ExprId,
    callee: Option<(ContractId, String)>,
    /// `using for` on an external library function: the first argument.
    receiver: Option<(TypeId, ExprId)>,
}

#[derive(Default)]
struct Options {
    value: Option<ExprId>,
    gas: Option<ExprId>,
    salt: Option<ExprId>,
}

impl<'h> FnLower<'_, 'h> {
    /// An external call that hands a revert on to our own caller.
    pub(super) fn external_call(&mut self, call: &CallParts<'h>, span: Span) -> Vec<ExprId> {
        let made = self.make_external_call(call, span, Failure::Reverts);
        self.revert_unless_ok(&made);
        self.results_of(&made)
    }

    pub(super) fn creation_call(
        &mut self,
        call: &CallParts<'h>,
        contract: hir::ContractId,
        span: Span,
    ) -> ExprId {
        let made = self.make_creation(call, contract, span);
        self.revert_unless_ok(&made);
        match made.returns {
            Returns::Created(address) => self.get(address),
            Returns::Encoded(_) => self.const_word(0u64),
        }
    }

    fn revert_unless_ok(&mut self, made: &Made) {
        let (ok, payload) = (self.get(made.ok), self.get(made.result));
        self.b.require(ok, payload);
    }

    /// Decodes what a successful call returned; malformed data reverts.
    pub(super) fn results_of(&mut self, made: &Made) -> Vec<ExprId> {
        match &made.returns {
            Returns::Created(address) => vec![self.get(*address)],
            Returns::Encoded(types) => {
                let data = self.get(made.result);
                self.decode(data, types)
            }
        }
    }

    pub(super) fn make_external_call(&mut self, call: &CallParts<'h>, span: Span, failure: Failure) -> Made {
        let target = self.call_target(call);
        let options = self.call_options(&call.options);
        let params = &call.fn_ty.params;
        let params = if target.receiver.is_some() { &params[1..] } else { &params[..] };
        let (mut types, mut args): (Vec<TypeId>, Vec<ExprId>) = target.receiver.into_iter().unzip();
        for (ty, arg) in self.abi_args(call.args, params, call.eval_order) {
            types.push(ty);
            args.push(arg);
        }
        let data = self.encoded(AbiMode::Standard, Some(target.selector), types, &args);
        let data = self.pin(data);
        self.require_code(target.address, &call.fn_ty, failure);
        let constant = matches!(call.fn_ty.mutability, Mutability::Pure | Mutability::View);
        let kind = match call.fn_ty.kind {
            FnKind::DelegateCall => CallKind::Delegate,
            _ if constant && self.version.at_least(5, 0) => CallKind::Static,
            _ => CallKind::Call,
        };
        let value = options.value.filter(|_| kind == CallKind::Call);
        let gas = options.gas.map_or(Gas::All, Gas::Amount);
        if let Some(value) = value {
            self.check_balance(value, span);
        }
        let (ok, result) = self.call_outcome();
        let (target, callee) = (target.address, target.callee);
        let call_stmt = ExternalCall { kind, target, value, gas, data, ok, result, callee };
        self.b.stmt(StmtKind::ExternalCall(Box::new(call_stmt)));
        Made { ok, result, returns: Returns::Encoded(call.fn_ty.returns.clone()) }
    }

    /// The compiler refuses to call an account without code, unless the returned data will tell (from 0.8.10 on).
    fn require_code(&mut self, address: ExprId, fn_ty: &hir::FnTy, failure: Failure) {
        let told_by_data = !fn_ty.returns.is_empty() && self.version.at_least(8, 10);
        if told_by_data {
            if fn_ty.kind == FnKind::External && failure == Failure::Reverts {
                self.require_somebody(address);
            }
            return;
        }
        let size = self.p().builtin(IrBuiltin::CodeSize, &[address]);
        let zero = self.const_word(0u64);
        let has_code = self.p().ne(size, zero);
        self.require_because(has_code, "Target contract does not contain code");
    }

    /// No data comes from the zero address, where there is never code: whether the call fails or succeeds, what follows
    /// reverts with no payload. Said before the call, it is plain that nobody gets control.
    fn require_somebody(&mut self, address: ExprId) {
        let nobody = self.p().types.address();
        let nobody = self.p().const_of(nobody, U256::ZERO);
        let somebody = self.p().ne(address, nobody);
        let is_this = *self.p().exprs.get(address) == IrExpr::Env(EnvVar::This);
        // With texts for all reverts, there is one for data that is too short.
        if !is_this && !self.low.options.debug_reverts {
            self.require_because(somebody, "");
        }
    }

    fn call_outcome(&mut self) -> (LocalId, LocalId) {
        let (bool_ty, bytes_ty) = (self.p().types.bool(), self.p().types.bytes());
        (self.b.fresh(bool_ty), self.b.fresh(bytes_ty))
    }

    fn call_target(&mut self, call: &CallParts<'h>) -> Target {
        let callee = call.callee;
        let hir = self.hir();
        match &callee.kind {
            ExprKind::Member { base, member: Member::External(function), .. } => {
                let signature = hir.functions[*function].signature.as_ref();
                let owner = self.contract_of(base, hir.functions[*function].contract);
                self.member_target(base, signature, owner)
            }
            ExprKind::Member { base, member: Member::Getter(var), .. } => {
                let signature = hir.vars[*var].getter.as_ref().map(|g| &g.signature);
                let owner = self.contract_of(base, hir.vars[*var].contract);
                self.member_target(base, signature, owner)
            }
            ExprKind::Member { base, member: Member::Attached(function), .. } => {
                let receiver = self.abi_arg(base, call.fn_ty.params[0]);
                let receiver = (receiver.0, self.pin(receiver.1));
                Target { receiver: Some(receiver), ..self.library_target(*function) }
            }
            ExprKind::Member { member: Member::Decl(Ref::Function(function)), .. }
            | ExprKind::Name(Ref::Function(function))
                if call.fn_ty.kind == FnKind::DelegateCall =>
            {
                self.library_target(*function)
            }
            _ => {
                let value = self.rvalue(callee);
                let value = self.pin(value);
                let address = self.p().builtin(IrBuiltin::FnAddress, &[value]);
                let selector = self.p().builtin(IrBuiltin::FnSelector, &[value]);
                Target { address, selector, callee: None, receiver: None }
            }
        }
    }

    /// The contract type that a call is made through, else the one that declares the function.
    fn contract_of(&self, base: &Expr, declared: Option<hir::ContractId>) -> Option<hir::ContractId> {
        match self.ty(base.ty) {
            Ty::Contract { id, .. } => Some(*id),
            _ => declared,
        }
    }

    fn member_target(
        &mut self,
        base: &'h Expr,
        signature: Option<&hir::Signature>,
        owner: Option<hir::ContractId>,
    ) -> Target {
        let address = self.rvalue(base);
        let address = self.pin(address);
        let selector = self.selector_const(signature.map(|s| s.selector).unwrap_or_default());
        let callee = owner.zip(signature).map(|(c, s)| (contract_id(c), s.text.clone()));
        Target { address, selector, callee, receiver: None }
    }

    fn library_target(&mut self, function: hir::FunctionId) -> Target {
        let decl = &self.hir().functions[function];
        let signature = decl.signature.as_ref();
        let library = contract_id(decl.contract.unwrap_or(hir::ContractId(0)));
        let address = self.p().library_address(library);
        let selector = self.selector_const(signature.map(|s| s.selector).unwrap_or_default());
        Target { address, selector, callee: signature.map(|s| (library, s.text.clone())), receiver: None }
    }

    pub(super) fn selector_const(&mut self, selector: [u8; 4]) -> ExprId {
        let ty = self.p().types.intern(Type::FixedBytes(4));
        let word = U256::from(u32::from_be_bytes(selector)) << 224;
        self.p().const_of(ty, word)
    }

    /// Call options in the order they are written.
    fn call_options(&mut self, written: &[&'h hir::CallOptions]) -> Options {
        let mut options = Options::default();
        let word = self.low.tys.uint256();
        let salt_ty = self.low.tys.intern(Ty::FixedBytes(32));
        for set in written.iter().rev() {
            let (value, gas) = (set.value.as_deref(), set.gas.as_deref());
            let mut given = [
                (value, word, &mut options.value),
                (gas, word, &mut options.gas),
                (set.salt.as_deref(), salt_ty, &mut options.salt),
            ];
            given.sort_by_key(|(e, ..)| e.map(|e| e.span.start));
            for (e, ty, slot) in given {
                if let Some(e) = e {
                    let value = self.rvalue_as(e, ty);
                    *slot = Some(self.pin(value));
                }
            }
        }
        options
    }

    pub(super) fn make_creation(
        &mut self,
        call: &CallParts<'h>,
        contract: hir::ContractId,
        span: Span,
    ) -> Made {
        let options = self.call_options(&call.options);
        let (types, args): (Vec<TypeId>, Vec<ExprId>) =
            self.abi_args(call.args, &call.fn_ty.params, call.eval_order).into_iter().unzip();
        let args = self.encoded(AbiMode::Standard, None, types, &args);
        if let Some(value) = options.value {
            self.check_balance(value, span);
        }
        let (ok, result) = self.call_outcome();
        let address = self.p().types.address();
        let dst = self.b.fresh(address);
        let (value, salt, contract) = (options.value, options.salt, contract_id(contract));
        self.b.stmt(StmtKind::Create(Box::new(Create { contract, value, salt, args, dst, ok, result })));
        Made { ok, result, returns: Returns::Created(dst) }
    }

    /// Sending more than we have makes the call fail: worth reporting where failure reverts.
    fn check_balance(&mut self, value: ExprId, span: Span) {
        let this = self.p().env(EnvVar::This);
        let balance = self.p().builtin(IrBuiltin::Balance, &[this]);
        let cond = self.p().le(value, balance);
        let obligation = self.low.obligation(ObligationKind::InsufficientBalance, span, self.context);
        self.b.stmt(StmtKind::Check { obligation, cond });
    }

    /// `transfer`, `send`, `call`, `delegatecall`, `staticcall`, `callcode`.
    pub(super) fn address_builtin(
        &mut self,
        builtin: Builtin,
        callee: &'h Expr,
        args: &'h [Expr],
        e: &'h Expr,
    ) -> Vec<ExprId> {
        let (callee, options) = match self.call_parts(e) {
            Some(parts) => (parts.callee, parts.options),
            None => peel_callee(callee),
        };
        let ExprKind::Member { base, .. } = &callee.kind else {
            let ty = self.ir_ty(e.ty);
            return vec![self.unsupported(e.span, "address member as a value", ty)];
        };
        let target = self.rvalue(base);
        let target = self.pin(target);
        match builtin {
            Builtin::Transfer | Builtin::Send => self.transfer(builtin, target, args, e.span),
            _ => self.low_level_call(builtin, target, &options, args, e),
        }
    }

    fn transfer(&mut self, builtin: Builtin, target: ExprId, args: &'h [Expr], span: Span) -> Vec<ExprId> {
        let word = self.low.tys.uint256();
        let value = match args.first() {
            Some(arg) => self.rvalue_as(arg, word),
            None => self.const_word(0u64),
        };
        let value = self.pin(value);
        if builtin == Builtin::Transfer {
            self.check_balance(value, span);
        }
        let data = self.p().const_bytes(&[]);
        let (ok, result) = self.call_outcome();
        self.b.stmt(StmtKind::ExternalCall(Box::new(ExternalCall {
            kind: CallKind::Call,
            target,
            value: Some(value),
            gas: Gas::Stipend,
            data,
            ok,
            result,
            callee: None,
        })));
        if builtin == Builtin::Send {
            return vec![self.get(ok)];
        }
        let (ok, payload) = (self.get(ok), self.get(result));
        self.b.require(ok, payload);
        Vec::new()
    }

    fn low_level_call(
        &mut self,
        builtin: Builtin,
        target: ExprId,
        options: &[&'h hir::CallOptions],
        args: &'h [Expr],
        e: &'h Expr,
    ) -> Vec<ExprId> {
        let kind = match builtin {
            Builtin::DelegateCall => CallKind::Delegate,
            Builtin::StaticCall => CallKind::Static,
            Builtin::CallCode => CallKind::Code,
            _ => CallKind::Call,
        };
        let options = self.call_options(options);
        let data = match args {
            [] => self.p().const_bytes(&[]),
            [data] => self.bytes_value(data),
            _ => self.concatenated_call_data(args),
        };
        let data = self.pin(data);
        let (ok, result) = self.call_outcome();
        let (value, gas) = (options.value, options.gas.map_or(Gas::All, Gas::Amount));
        let call = ExternalCall { kind, target, value, gas, data, ok, result, callee: None };
        self.b.stmt(StmtKind::ExternalCall(Box::new(call)));
        let ok = self.get(ok);
        // Before 0.5 only the success flag is returned.
        if !matches!(self.ty(e.ty), Ty::Tuple(_)) {
            return vec![ok];
        }
        let data = self.get(result);
        let bytes = self.p().types.bytes();
        vec![ok, self.alloc(bytes, AllocInit::Copy(bytes, data))]
    }

    /// Before 0.5 `call` took any arguments: a leading `bytes4` as it is, everything else padded to words.
    fn concatenated_call_data(&mut self, args: &'h [Expr]) -> ExprId {
        let (mut args, mut parts) = (args, Vec::new());
        if let [first, rest @ ..] = args
            && *self.ty(first.ty) == Ty::FixedBytes(4)
        {
            let selector = self.rvalue(first);
            let encoded = self.p().abi_encode(AbiMode::Packed, None, &[selector]);
            parts.push(self.pin(encoded));
            args = rest;
        }
        for arg in args {
            let (ty, value) = self.abi_arg_mobile(arg);
            let encoded = self.p().abi_encode_as(AbiMode::Topic, false, None, vec![ty], &[value]);
            parts.push(self.pin(encoded));
        }
        self.p().builtin(IrBuiltin::BytesConcat, &parts)
    }

    /// Memory copies of what `types` name, decoded from `data`; reverts where it is malformed.
    pub(super) fn decode(&mut self, data: ExprId, types: &[TyId]) -> Vec<ExprId> {
        if types.is_empty() {
            return Vec::new();
        }
        let word = self.p().types.word();
        let mut abi_types = Vec::new();
        let mut dsts = Vec::new();
        for &ty in types {
            // Libraries return references into storage as slot numbers.
            if self.is_storage_reference(ty) {
                abi_types.push(word);
                dsts.push(self.b.fresh(word));
            } else {
                let in_memory = self.low.tys.with_loc(ty, Loc::Memory);
                let value_ty = self.ir_ty(in_memory);
                abi_types.push(self.low.tree_ty(ty));
                dsts.push(self.b.fresh(value_ty));
            }
        }
        let (ok, error) = self.call_outcome();
        let strict = self.strict_abi;
        self.b.stmt(StmtKind::Decode { dsts: dsts.clone(), types: abi_types, strict, data, ok, error });
        let (ok, error) = (self.get(ok), self.get(error));
        self.b.require(ok, error);
        types
            .iter()
            .zip(dsts)
            .map(|(&ty, dst)| {
                let value = self.get(dst);
                if self.is_storage_reference(ty) {
                    let reference = self.ir_ty(ty);
                    self.p().cast(value, reference)
                } else {
                    value
                }
            })
            .collect()
    }

    pub(super) fn is_storage_reference(&self, ty: TyId) -> bool {
        matches!(self.ty(ty), Ty::Mapping { .. }) || self.low.tys.loc(ty).is_some_and(Loc::is_storage)
    }
}
