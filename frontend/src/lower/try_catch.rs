//! `try … catch`: only what the callee does is caught; a failure to make or decode the call is ours and reverts.

use super::external::{Failure, Made};
use super::func::FnLower;
use crate::hir::{Block, Catch, CatchKind, Expr, FnKind, VarId};
use hornet_ir::expr::Builtin as IrBuiltin;
use hornet_ir::ids::{BlockId, ExprId, LocalId, TypeId};
use hornet_ir::program::{AllocInit, StmtKind};
use hornet_ir::types::Type;

impl<'h> FnLower<'_, 'h> {
    pub(super) fn try_stmt(
        &mut self,
        call: &'h Expr,
        returns: &'h [VarId],
        body: &'h Block,
        catches: &'h [Catch],
    ) {
        let Some(made) = self.attempt(call) else {
            let word = self.p().types.word();
            self.unsupported(call.span, "`try` on this expression", word);
            return;
        };
        let (success, failure, end) = (self.b.block(), self.b.block(), self.b.block());
        let ok = self.get(made.ok);
        self.b.branch(ok, success, failure);

        self.b.switch_to(success);
        let bind = !returns.is_empty();
        let values = if bind { self.results_of(&made) } else { Vec::new() };
        for (&var, value) in returns.iter().zip(values) {
            let local = self.declare_var(var);
            self.b.assign(local, value);
        }
        self.block(body);
        self.b.goto(end);

        self.b.switch_to(failure);
        let payload = self.get(made.result);
        self.handlers(payload, catches, end);
        self.b.switch_to(end);
    }

    fn attempt(&mut self, call: &'h Expr) -> Option<Made> {
        let parts = self.call_parts(call)?;
        match parts.fn_ty.kind {
            FnKind::External | FnKind::DelegateCall => {
                Some(self.make_external_call(&parts, call.span, Failure::IsCaught))
            }
            FnKind::Creation(contract) => Some(self.make_creation(&parts, contract, call.span)),
            _ => None,
        }
    }

    /// `Error` and `Panic` clauses first, whatever the order in the source; without a clause that fits, the
    /// payload is handed on.
    fn handlers(&mut self, payload: ExprId, catches: &'h [Catch], end: BlockId) {
        let clause = |kind| catches.iter().find(|c| c.kind == kind);
        if let Some(catch) = clause(CatchKind::Error) {
            let bytes = self.p().types.bytes();
            let reference = self.p().types.intern(Type::MemoryRef(bytes));
            self.typed_handler(payload, catch, [0x08, 0xc3, 0x79, 0xa0], (bytes, reference), end);
        }
        if let Some(catch) = clause(CatchKind::Panic) {
            let word = self.p().types.word();
            self.typed_handler(payload, catch, [0x4e, 0x48, 0x7b, 0x71], (word, word), end);
        }
        match clause(CatchKind::Any) {
            Some(catch) => {
                if let Some(param) = catch.param {
                    let bytes = self.p().types.bytes();
                    let data = self.alloc(bytes, AllocInit::Copy(bytes, payload));
                    let local = self.declare_var(param);
                    self.b.assign(local, data);
                }
                self.block(&catch.body);
                self.b.goto(end);
            }
            None => self.b.revert(payload),
        }
    }

    /// A clause for payloads that start with the selector and decode as one value of the type.
    fn typed_handler(
        &mut self,
        payload: ExprId,
        catch: &'h Catch,
        selector: [u8; 4],
        (abi_ty, value_ty): (TypeId, TypeId),
        end: BlockId,
    ) {
        let (decode, handle, otherwise) = (self.b.block(), self.b.block(), self.b.block());
        let bytes4 = self.p().types.intern(Type::FixedBytes(4));
        let four = self.const_word(4u64);
        let length = self.p().builtin(IrBuiltin::BytesLength, &[payload]);
        let long_enough = self.p().le(four, length);
        let found = self.p().cast(payload, bytes4);
        let wanted = self.selector_const(selector);
        let same = self.p().eq(found, wanted);
        let matches = self.p().and(long_enough, same);
        self.b.branch(matches, decode, otherwise);

        self.b.switch_to(decode);
        let rest = self.p().sub(length, four);
        let arguments = self.p().builtin(IrBuiltin::BytesSlice, &[payload, four, rest]);
        let (value, ok) = self.decode_or_flag(arguments, abi_ty, value_ty);
        self.b.branch(ok, handle, otherwise);

        self.b.switch_to(handle);
        if let Some(param) = catch.param {
            let local = self.declare_var(param);
            let value = self.get(value);
            self.b.assign(local, value);
        }
        self.block(&catch.body);
        self.b.goto(end);
        self.b.switch_to(otherwise);
    }

    /// Decodes one value; the second result tells whether it could be.
    fn decode_or_flag(&mut self, data: ExprId, abi_ty: TypeId, value_ty: TypeId) -> (LocalId, ExprId) {
        let (bool_ty, bytes_ty) = (self.p().types.bool(), self.p().types.bytes());
        let (value, ok, error) = (self.b.fresh(value_ty), self.b.fresh(bool_ty), self.b.fresh(bytes_ty));
        let types = vec![abi_ty];
        self.b.stmt(StmtKind::Decode { dsts: vec![value], types, strict: true, data, ok, error });
        (value, self.get(ok))
    }
}
