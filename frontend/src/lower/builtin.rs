//! Calls of functions that the language provides.

use super::func::{FnLower, Panic};
use crate::hir::{Builtin, Expr, ExprKind, FnKind, Ty, TyId};
use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, BinOp, Builtin as IrBuiltin, EnvVar};
use hornet_ir::ids::ExprId;
use hornet_ir::interp::value::error_payload;
use hornet_ir::program::{AllocInit, ObligationKind, StmtKind, Terminator};

/// Selector of `Error(string)`.
const ERROR_STRING: [u8; 4] = [0x08, 0xc3, 0x79, 0xa0];

impl<'h> FnLower<'_, 'h> {
    pub fn builtin_call(
        &mut self,
        builtin: Builtin,
        callee: &'h Expr,
        args: &'h [Expr],
        e: &'h Expr,
    ) -> Vec<ExprId> {
        let value = match builtin {
            Builtin::Assert => {
                self.assertion(args, e);
                return Vec::new();
            }
            Builtin::Require => {
                self.require_call(args);
                return Vec::new();
            }
            Builtin::Revert => {
                let payload = self.revert_payload(args.first());
                self.b.revert(payload);
                return Vec::new();
            }
            Builtin::SelfDestruct => {
                self.self_destruct(args);
                return Vec::new();
            }
            Builtin::Pop => {
                self.pop(callee, e);
                return Vec::new();
            }
            Builtin::Log(_) => {
                self.raw_log(args);
                return Vec::new();
            }
            Builtin::Push => return self.push_call(callee, args, e),
            Builtin::Keccak256 => self.hash(IrBuiltin::Keccak256, args),
            // These are calls, which leave returned data behind, whoever needs their result.
            Builtin::Sha256 => {
                let hash = self.hash(IrBuiltin::Sha256, args);
                self.pin(hash)
            }
            Builtin::Ripemd160 => {
                let hash = self.hash(IrBuiltin::Ripemd160, args);
                self.pin(hash)
            }
            Builtin::EcRecover => {
                let signer = self.with_params(IrBuiltin::EcRecover, callee, args);
                self.pin(signer)
            }
            Builtin::BlockHash => self.with_params(IrBuiltin::BlockHash, callee, args),
            Builtin::BlobHash => self.with_params(IrBuiltin::BlobHash, callee, args),
            Builtin::AddMod => self.modular(IrBuiltin::AddMod, args, e),
            Builtin::MulMod => self.modular(IrBuiltin::MulMod, args, e),
            Builtin::Erc7201 => self.erc7201(args, e),
            Builtin::GasLeft => {
                let gas = self.low.program.env(EnvVar::GasLeft);
                self.pin(gas)
            }
            Builtin::BytesConcat | Builtin::StringConcat => self.concat(args),
            Builtin::Wrap | Builtin::Unwrap => match args.first() {
                Some(arg) => self.wrap(arg, e.ty),
                None => return Vec::new(),
            },
            Builtin::AbiEncode
            | Builtin::AbiEncodePacked
            | Builtin::AbiEncodeWithSelector
            | Builtin::AbiEncodeWithSignature
            | Builtin::AbiEncodeCall
            | Builtin::AbiDecode => return self.abi_builtin(builtin, args, e),
            Builtin::Transfer
            | Builtin::Send
            | Builtin::Call
            | Builtin::DelegateCall
            | Builtin::StaticCall
            | Builtin::CallCode => return self.address_builtin(builtin, callee, args, e),
            _ => {
                let ir = self.ir_ty(e.ty);
                self.unsupported(e.span, format!("call of built-in `{builtin:?}`"), ir)
            }
        };
        vec![value]
    }

    fn bool_arg(&mut self, args: &'h [Expr]) -> ExprId {
        match args.first() {
            Some(cond) => self.rvalue(cond),
            None => self.low.program.const_bool(true),
        }
    }

    fn assertion(&mut self, args: &'h [Expr], e: &'h Expr) {
        let cond = self.bool_arg(args);
        self.require_or_panic(cond, Panic::Assert, Some((ObligationKind::Assertion, e.span)));
    }

    /// `require(c)`, `require(c, "…")`, `require(c, E(…))`: everything is evaluated before the condition is tested.
    fn require_call(&mut self, args: &'h [Expr]) {
        let cond = self.bool_arg(args);
        let Some(message) = args.get(1) else {
            let empty = self.low.program.const_bytes(&[]);
            self.b.require(cond, empty);
            return;
        };
        let cond = self.pin_before(cond, message);
        let payload = match self.custom_error(message) {
            Some(error) => self.error_payload(error),
            None => self.revert_payload(Some(message)),
        };
        self.b.require(cond, payload);
    }

    /// The call of a custom error that an expression is.
    fn custom_error(&self, e: &'h Expr) -> Option<&'h Expr> {
        match &e.kind {
            ExprKind::Call { callee, .. } if matches!(self.fn_kind(callee), Some(FnKind::Error(_))) => {
                Some(e)
            }
            ExprKind::Tuple(items) if items.len() == 1 => self.custom_error(items[0].as_ref()?),
            _ => None,
        }
    }

    /// What `revert(message)` hands to the caller.
    fn revert_payload(&mut self, message: Option<&'h Expr>) -> ExprId {
        let Some(message) = message else { return self.low.program.const_bytes(&[]) };
        if let Ty::StringLiteral(text) = self.ty(message.ty).clone() {
            return self.low.program.const_bytes(&error_payload(&text));
        }
        let text = self.raw(message);
        let selector = self.selector_const(ERROR_STRING);
        let types = vec![self.low.program.types.bytes()];
        self.low.program.abi_encode_as(AbiMode::Standard, true, Some(selector), types, &[text])
    }

    fn self_destruct(&mut self, args: &'h [Expr]) {
        let Some(arg) = args.first() else { return };
        let to = self.low.tys.address(true);
        let beneficiary = self.rvalue_as(arg, to);
        self.b.stmt(StmtKind::SelfDestruct { beneficiary });
        let empty = self.low.program.const_bytes(&[]);
        self.b.terminate(Terminator::Halt(empty));
    }

    /// `log0` to `log4`: topics from the last to the first, then the data.
    fn raw_log(&mut self, args: &'h [Expr]) {
        let Some((data, topics)) = args.split_first() else { return };
        let bytes32 = self.low.tys.intern(Ty::FixedBytes(32));
        let tys = vec![bytes32; topics.len()];
        let order: Vec<u32> = (0..topics.len() as u32).rev().collect();
        let mut values = self.args_as(topics, &tys, Some(&order));
        let word = self.low.program.types.word();
        for value in &mut values {
            *value = self.pin_before(*value, data);
            *value = self.low.program.cast(*value, word);
        }
        let data = self.bytes_value(data);
        self.b.stmt(StmtKind::Emit { event: None, topics: values, data, args: Vec::new() });
    }

    /// `erc7201(id)`: `keccak256(keccak256(id) - 1)`, without its last byte.
    fn erc7201(&mut self, args: &'h [Expr], e: &'h Expr) -> ExprId {
        let Some(id) = args.first() else { return self.const_word(0u64) };
        let id = self.bytes_value(id);
        let one = self.const_word(1u64);
        let mask = self.const_word(!U256::from(0xff));
        let program = &mut self.low.program;
        let word = program.types.word();
        let hash = program.builtin(IrBuiltin::Keccak256, &[id]);
        let number = program.cast(hash, word);
        let before = program.sub(number, one);
        let encoded = program.abi_encode(AbiMode::Standard, None, &[before]);
        let hash = program.builtin(IrBuiltin::Keccak256, &[encoded]);
        let number = program.cast(hash, word);
        let slot = program.binary(BinOp::And, number, mask);
        let ir = self.ir_ty(e.ty);
        self.low.program.cast(slot, ir)
    }

    /// `push` gives the new element, or before 0.6 the new length.
    fn push_call(&mut self, callee: &'h Expr, args: &'h [Expr], e: &'h Expr) -> Vec<ExprId> {
        let pushed = self.push(callee, args);
        match (self.ty(e.ty), pushed.element) {
            (Ty::Tuple(_), _) | (_, None) => Vec::new(),
            (_, Some(_)) if !args.is_empty() => vec![pushed.new_length],
            (_, Some(element)) => vec![self.load_place(element)],
        }
    }

    /// A hash of bytes; before 0.5, of the packed encoding of any arguments.
    fn hash(&mut self, function: IrBuiltin, args: &'h [Expr]) -> ExprId {
        let data = match args {
            [single] if self.is_bytes(single.ty) => self.bytes_value(single),
            _ => self.packed(args),
        };
        self.low.program.builtin(function, &[data])
    }

    fn is_bytes(&self, ty: TyId) -> bool {
        match self.ty(ty) {
            Ty::Bytes(_) | Ty::String(_) | Ty::StringLiteral(_) => true,
            Ty::Slice(array) => self.is_bytes(*array),
            _ => false,
        }
    }

    fn packed(&mut self, args: &'h [Expr]) -> ExprId {
        let tys: Vec<TyId> = args.iter().map(|a| self.mobile(a.ty)).collect();
        let values = self.args_as(args, &tys, None);
        self.low.program.abi_encode(AbiMode::Packed, None, &values)
    }

    /// A pure function of its arguments, converted to the declared parameters.
    fn with_params(&mut self, function: IrBuiltin, callee: &'h Expr, args: &'h [Expr]) -> ExprId {
        let params = match self.ty(callee.ty) {
            Ty::Function(f) => f.params.clone(),
            _ => Vec::new(),
        };
        let values = self.args_as(args, &params, None);
        self.low.program.builtin(function, &values)
    }

    /// `addmod` and `mulmod`: the modulus is evaluated and checked first, as solc does.
    fn modular(&mut self, function: IrBuiltin, args: &'h [Expr], e: &'h Expr) -> ExprId {
        let [x, y, modulus] = args else {
            let ir = self.ir_ty(e.ty);
            return self.unsupported(e.span, "wrong number of arguments", ir);
        };
        let word = self.low.tys.uint256();
        if self.low.options.via_ir {
            let values = self.args_as(args, &[word, word, word], None);
            self.require_nonzero(values[2], e.span);
            return self.low.program.builtin(function, &values);
        }
        let k = self.rvalue_as(modulus, word);
        let k = self.pin_before(k, y);
        let k = self.pin_before(k, x);
        if self.version.at_least(5, 0) {
            self.require_nonzero(k, e.span);
        }
        let b = self.rvalue_as(y, word);
        let b = self.pin_before(b, x);
        let a = self.rvalue_as(x, word);
        self.low.program.builtin(function, &[a, b, k])
    }

    /// `bytes.concat` and `string.concat`: a new object in memory.
    fn concat(&mut self, args: &'h [Expr]) -> ExprId {
        let mut parts = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let part = self.bytes_value(arg);
            let later_effects = args[i + 1..].iter().any(|a| self.has_effects(a));
            parts.push(if later_effects { self.pin(part) } else { part });
        }
        let joined = self.low.program.builtin(IrBuiltin::BytesConcat, &parts);
        let bytes = self.low.program.types.bytes();
        self.alloc(bytes, AllocInit::Copy(bytes, joined))
    }

    /// `T.wrap(x)` and `T.unwrap(x)`: the same bits.
    fn wrap(&mut self, arg: &'h Expr, to: TyId) -> ExprId {
        let underlying = match self.ty(to) {
            Ty::UserType(id) => self.hir().user_types[*id].underlying,
            _ => return self.raw(arg),
        };
        self.rvalue_as(arg, underlying)
    }
}
