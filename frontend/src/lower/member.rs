//! Members that the language provides, as values: of addresses, arrays, functions, types, and of `msg`, `tx`, `block`.

use super::func::FnLower;
use crate::hir::{self, Builtin, Expr, ExprKind, FnKind, Magic, Ty, TyId};
use hornet_ir::U256;
use hornet_ir::expr::{Builtin as IrBuiltin, EnvVar, Expr as IrExpr};
use hornet_ir::ids::ExprId;
use hornet_ir::interp::arith::low_mask;
use hornet_ir::program::AllocInit;
use hornet_ir::types::Type;

impl<'h> FnLower<'_, 'h> {
    pub fn builtin_member(&mut self, builtin: Builtin, base: &'h Expr, e: &'h Expr) -> ExprId {
        let env = match builtin {
            Builtin::Balance => return self.of_account(IrBuiltin::Balance, base),
            Builtin::CodeHash => return self.of_account(IrBuiltin::CodeHash, base),
            Builtin::Code => {
                let code = self.of_account(IrBuiltin::Code, base);
                return self.in_memory(code);
            }
            Builtin::Length => return self.length(base, e),
            Builtin::Selector => return self.selector(base, e),
            Builtin::FunctionAddress => {
                let function = self.raw(base);
                return self.low.program.builtin(IrBuiltin::FnAddress, &[function]);
            }
            Builtin::Min
            | Builtin::Max
            | Builtin::TypeName
            | Builtin::InterfaceId
            | Builtin::CreationCode
            | Builtin::RuntimeCode => return self.type_member(builtin, base, e),
            Builtin::MsgData => return self.msg_data(),
            Builtin::MsgSig => {
                let data = self.low.program.env(EnvVar::CallData);
                let ty = self.low.program.types.intern(Type::FixedBytes(4));
                return self.low.program.cast(data, ty);
            }
            Builtin::MsgSender => EnvVar::Caller,
            Builtin::MsgValue => EnvVar::CallValue,
            Builtin::TxOrigin => EnvVar::Origin,
            Builtin::TxGasPrice => EnvVar::GasPrice,
            Builtin::BlockCoinbase => EnvVar::Coinbase,
            Builtin::BlockDifficulty | Builtin::BlockPrevRandao => EnvVar::PrevRandao,
            Builtin::BlockGasLimit => EnvVar::GasLimit,
            Builtin::BlockNumber => EnvVar::Number,
            Builtin::BlockTimestamp | Builtin::Now => EnvVar::Timestamp,
            Builtin::BlockChainId => EnvVar::ChainId,
            Builtin::BlockBaseFee => EnvVar::BaseFee,
            Builtin::BlockBlobBaseFee => EnvVar::BlobBaseFee,
            Builtin::GasLeft => {
                // `msg.gas` before 0.5.
                let gas = self.low.program.env(EnvVar::GasLeft);
                return self.pin(gas);
            }
            // Functions: only calling them means something.
            _ => {
                let ir = self.ir_ty(e.ty);
                return self.low.program.default_of(ir);
            }
        };
        self.low.program.env(env)
    }

    fn of_account(&mut self, builtin: IrBuiltin, base: &'h Expr) -> ExprId {
        let address = self.raw(base);
        self.low.program.builtin(builtin, &[address])
    }

    /// Bytes as a new object in memory.
    fn in_memory(&mut self, contents: ExprId) -> ExprId {
        let bytes = self.low.program.types.bytes();
        self.alloc(bytes, AllocInit::Copy(bytes, contents))
    }

    /// All of calldata as one reference.
    fn msg_data(&mut self) -> ExprId {
        let program = &mut self.low.program;
        let data = program.env(EnvVar::CallData);
        let length = program.builtin(IrBuiltin::BytesLength, &[data]);
        let offset = program.const_word(U256::ZERO);
        let bytes = program.types.bytes();
        let ty = program.types.intern(Type::CalldataRef(bytes));
        program.exprs.add(IrExpr::MakeCalldataRef { offset, length }, ty)
    }

    /// `f.selector`, of a function, an event or an error.
    fn selector(&mut self, base: &'h Expr, e: &'h Expr) -> ExprId {
        if let Some(selector) = self.known_selector(base) {
            if self.has_effects(base) {
                self.effect(base);
            }
            return self.selector_const(selector);
        }
        if let Some(FnKind::Error(error)) = self.fn_kind(base) {
            let selector = self.hir().errors[error].signature.selector;
            return self.selector_const(selector);
        }
        if let Some(FnKind::Event(event)) = self.fn_kind(base) {
            let topic = hornet_ir::hash::keccak_word(self.hir().events[event].signature.as_bytes());
            let ir = self.ir_ty(e.ty);
            return self.low.program.const_of(ir, topic);
        }
        let function = self.raw(base);
        self.low.program.builtin(IrBuiltin::FnSelector, &[function])
    }

    /// A member of `type(T)`.
    fn type_member(&mut self, builtin: Builtin, base: &'h Expr, e: &'h Expr) -> ExprId {
        let ty = match (self.ty(base.ty), &base.kind) {
            (Ty::Magic(Magic::MetaType(ty)), _) => *ty,
            (_, ExprKind::MetaType { ty, .. }) => *ty,
            _ => {
                let ir = self.ir_ty(e.ty);
                return self.unsupported(e.span, "member of this type", ir);
            }
        };
        match (builtin, self.ty(ty).clone()) {
            (Builtin::Min | Builtin::Max, of) => self.extreme(builtin == Builtin::Max, &of, ty),
            (Builtin::TypeName, Ty::Contract { id, .. }) => {
                let name = self.low.program.const_bytes(self.low.hir.contracts[id].name.as_bytes());
                self.in_memory(name)
            }
            (Builtin::InterfaceId, Ty::Contract { id, .. }) => {
                let selector = hir::signature::interface_id(self.hir(), id);
                self.selector_const(selector)
            }
            (Builtin::CreationCode | Builtin::RuntimeCode, Ty::Contract { id, .. }) => {
                let contract = super::types::contract_id(id);
                let runtime = builtin == Builtin::RuntimeCode;
                let bytes = self.low.program.types.bytes();
                let code = self.low.program.exprs.add(IrExpr::ContractCode { contract, runtime }, bytes);
                self.in_memory(code)
            }
            _ => {
                let ir = self.ir_ty(e.ty);
                self.unsupported(e.span, "member of this type", ir)
            }
        }
    }

    /// `type(T).min` and `.max`.
    fn extreme(&mut self, max: bool, of: &Ty, ty: TyId) -> ExprId {
        let word = match of {
            Ty::Int { bits, signed: false } if max => low_mask(usize::from(*bits)),
            Ty::Int { bits, signed: true } if max => low_mask(usize::from(*bits) - 1),
            Ty::Int { bits, signed: true } => !low_mask(usize::from(*bits) - 1),
            Ty::Enum(id) if max => U256::from(self.hir().enums[*id].members.len().saturating_sub(1)),
            _ => U256::ZERO,
        };
        let ir = self.ir_ty(ty);
        self.low.program.const_of(ir, word)
    }
}
