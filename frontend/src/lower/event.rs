//! Events and custom errors: named payloads.

use super::func::FnLower;
use crate::hir::{self, Expr, ExprKind, FnKind, Ty};
use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, Builtin as IrBuiltin};
use hornet_ir::ids::{EventId, ExprId, TypeId};
use hornet_ir::program::{Event, EventParam, StmtKind};

impl<'h> FnLower<'_, 'h> {
    pub(super) fn emit_stmt(&mut self, e: &'h Expr) {
        let ExprKind::Call { callee, args, eval_order, .. } = &e.kind else { return };
        match self.ty(callee.ty) {
            Ty::Function(hir::FnTy { kind: FnKind::Event(event), .. }) => {
                let event = *event;
                self.emit_event(event, args, self.written_order(eval_order));
            }
            _ => {
                let word = self.p().types.word();
                self.unsupported(e.span, "emitting this expression", word);
            }
        }
    }

    pub(super) fn emit_event(&mut self, id: hir::EventId, args: &'h [Expr], eval_order: Option<&[u32]>) {
        let event = &self.hir().events[id];
        let types: Vec<hir::TyId> = event.params.iter().map(|p| p.ty).collect();
        let order = eval_order.map(<[u32]>::to_vec).or_else(|| self.event_order(event));
        let values = self.abi_args(args, &types, order.as_deref());
        let mut topics = Vec::new();
        if !event.anonymous {
            let hash = U256::from_be_bytes(hornet_ir::hash::keccak256(event.signature.as_bytes()));
            topics.push(self.const_word(hash));
        }
        let (mut data_types, mut data) = (Vec::new(), Vec::new());
        for (param, &(ty, value)) in event.params.iter().zip(&values) {
            if param.indexed {
                topics.push(self.topic(ty, value));
            } else {
                data_types.push(ty);
                data.push(value);
            }
        }
        let data = self.encoded(AbiMode::Standard, None, data_types, &data);
        let args = values.into_iter().map(|(_, value)| value).collect();
        let event = Some(self.event_id(id));
        self.b.stmt(StmtKind::Emit { event, topics, data, args });
    }

    /// The default code generator evaluates indexed arguments first, from last to first, then the others in order.
    fn event_order(&self, event: &hir::Event) -> Option<Vec<u32>> {
        if self.low.options.via_ir {
            return None;
        }
        let indexed = |wanted: bool| {
            event.params.iter().enumerate().filter(move |(_, p)| p.indexed == wanted).map(|(i, _)| i as u32)
        };
        let mut order: Vec<u32> = indexed(true).collect();
        order.reverse();
        order.extend(indexed(false));
        Some(order)
    }

    /// A word as it is, anything longer by its hash.
    fn topic(&mut self, ty: TypeId, value: ExprId) -> ExprId {
        let word = self.p().types.word();
        if self.p().types.get(ty).is_scalar() {
            self.use_value(value);
            return self.p().cast(value, word);
        }
        let encoded = self.p().abi_encode_as(AbiMode::Topic, true, None, vec![ty], &[value]);
        let hash = self.p().builtin(IrBuiltin::Keccak256, &[encoded]);
        self.p().cast(hash, word)
    }

    pub(super) fn event_id(&mut self, id: hir::EventId) -> EventId {
        if let Some(&known) = self.low.events.get(&id) {
            return known;
        }
        let event = &self.hir().events[id];
        let params = event
            .params
            .iter()
            .map(|p| EventParam { name: p.name.clone(), ty: self.low.tree_ty(p.ty), indexed: p.indexed })
            .collect();
        let lowered = self.low.program.events.push(Event {
            name: event.name.clone(),
            signature: event.signature.clone(),
            params,
            anonymous: event.anonymous,
            span: Some(event.span),
        });
        self.low.events.insert(id, lowered);
        lowered
    }

    /// `revert E(…);`
    pub(super) fn revert_stmt(&mut self, e: &'h Expr) {
        let payload = self.error_payload(e);
        self.b.revert(payload);
    }

    /// The encoded form of a custom error's call expression.
    pub(super) fn error_payload(&mut self, e: &'h Expr) -> ExprId {
        let bytes = self.p().types.bytes();
        let ExprKind::Call { callee, args, eval_order, .. } = &e.kind else {
            return self.unsupported(e.span, "reverting with this expression", bytes);
        };
        let Ty::Function(hir::FnTy { kind: FnKind::Error(error), .. }) = *self.ty(callee.ty) else {
            return self.unsupported(e.span, "reverting with this expression", bytes);
        };
        let error = &self.hir().errors[error];
        let types: Vec<hir::TyId> = error.params.iter().map(|(_, ty)| *ty).collect();
        let (types, values): (Vec<TypeId>, Vec<ExprId>) =
            self.abi_args(args, &types, self.written_order(eval_order)).into_iter().unzip();
        values.iter().for_each(|value| self.use_value(*value));
        let selector = Some(self.selector_const(error.signature.selector));
        let payload = self.p().abi_encode_as(AbiMode::Standard, true, selector, types, &values);
        self.pin(payload)
    }
}
