//! What may happen while an expression is evaluated. IR expressions stand for their value in the state where they are
//! used, so a value that was computed before a side effect must be saved before it.

use super::func::FnLower;
use crate::hir::{Builtin, CallKind, Expr, ExprKind, FnKind, Ty, UnaryOp};
use hornet_ir::expr::{EnvVar, Expr as IrExpr, Root, Step};
use hornet_ir::ids::{ExprId, PlaceId};
use hornet_ir::visit::for_operands;
use rustc_hash::FxHashSet;

impl<'h> FnLower<'_, 'h> {
    /// Whether evaluating the expression may change something that another expression reads.
    pub fn has_effects(&self, e: &Expr) -> bool {
        let any = |list: &[Expr]| list.iter().any(|x| self.has_effects(x));
        let opt = |x: &Option<Box<Expr>>| x.as_ref().is_some_and(|x| self.has_effects(x));
        match &e.kind {
            ExprKind::Bool(_)
            | ExprKind::Number
            | ExprKind::Address(_)
            | ExprKind::String(_)
            | ExprKind::Name(_)
            | ExprKind::TypeName(_)
            | ExprKind::New(_)
            | ExprKind::MetaType { .. }
            | ExprKind::Spec(_)
            | ExprKind::Error => false,
            ExprKind::Member { base, .. } => self.has_effects(base),
            ExprKind::Index { base, index } => self.has_effects(base) || opt(index),
            ExprKind::Slice { base, start, end } => self.has_effects(base) || opt(start) || opt(end),
            ExprKind::Call { callee, kind, args, .. } => {
                let calls = match kind {
                    CallKind::Conversion | CallKind::StructConstructor(_) => false,
                    CallKind::Function => self.call_has_effects(callee),
                };
                calls || any(args)
            }
            ExprKind::Options { callee, options } => {
                self.has_effects(callee) || opt(&options.value) || opt(&options.gas) || opt(&options.salt)
            }
            ExprKind::Unary { op, operand, .. } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec | UnaryOp::Delete => {
                    true
                }
                UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Neg | UnaryOp::Plus => self.has_effects(operand),
            },
            ExprKind::Binary { left, right, .. } => self.has_effects(left) || self.has_effects(right),
            ExprKind::Assign { .. } => true,
            ExprKind::Conditional { cond, then, other } => {
                self.has_effects(cond) || self.has_effects(then) || self.has_effects(other)
            }
            ExprKind::Tuple(items) => items.iter().flatten().any(|x| self.has_effects(x)),
            ExprKind::Array(items) => any(items),
        }
    }

    /// Whether the call itself does, apart from its arguments.
    fn call_has_effects(&self, callee: &Expr) -> bool {
        let Ty::Function(f) = self.ty(callee.ty) else { return true };
        match f.kind {
            FnKind::ObjectCreation => self.has_effects(callee),
            FnKind::Builtin(b) => match b {
                Builtin::Push
                | Builtin::Pop
                | Builtin::Transfer
                | Builtin::Send
                | Builtin::Call
                | Builtin::DelegateCall
                | Builtin::StaticCall
                | Builtin::CallCode
                | Builtin::SelfDestruct => true,
                _ => self.has_effects(callee),
            },
            FnKind::Internal
            | FnKind::External
            | FnKind::DelegateCall
            | FnKind::Creation(_)
            | FnKind::Event(_)
            | FnKind::Error(_)
            | FnKind::Declaration => true,
        }
    }

    /// Saves a value if a sibling that is evaluated later has side effects.
    pub fn pin_before(&mut self, value: ExprId, later: &Expr) -> ExprId {
        if self.has_effects(later) { self.pin(value) } else { value }
    }

    /// Makes a value independent of later side effects. A reference into storage stays a symbolic path: only the
    /// indices along it are saved.
    pub fn pin(&mut self, value: ExprId) -> ExprId {
        if self.spec.is_some() {
            return value;
        }
        match *self.low.program.exprs.get(value) {
            IrExpr::Const(_)
            | IrExpr::BytesConst(_)
            | IrExpr::Default
            | IrExpr::FnPointer(_)
            | IrExpr::LibraryAddress(_)
            | IrExpr::ContractCode { .. } => value,
            IrExpr::Env(var) if !matches!(var, EnvVar::ReturnData | EnvVar::GasLeft) => value,
            IrExpr::Local(local) if self.b.is_temporary(local) => value,
            IrExpr::Ref(place) => {
                let held = self.pin_place(place);
                self.low.program.storage_ref(held)
            }
            _ => self.save(value),
        }
    }

    /// The same place with everything it depends on saved.
    pub fn pin_place(&mut self, place: PlaceId) -> PlaceId {
        let old = self.low.program.exprs.place(place).clone();
        let root = match old.root {
            Root::State(_) => old.root,
            Root::Storage(e) => Root::Storage(self.pin(e)),
            Root::Memory(e) => Root::Memory(self.pin(e)),
            Root::Calldata(e) => Root::Calldata(self.pin(e)),
        };
        let mut steps = Vec::with_capacity(old.steps.len());
        for step in old.steps.iter() {
            steps.push(match *step {
                Step::Field(i) => Step::Field(i),
                Step::Index(e) => Step::Index(self.pin(e)),
            });
        }
        self.low.program.place(root, &steps).unwrap_or(place)
    }

    /// Whether evaluation may revert: only reading malformed calldata can. The length of a calldata array is part of
    /// its reference; everything behind a step is read.
    pub fn can_fail(&self, value: ExprId) -> bool {
        let exprs = &self.low.program.exprs;
        let mut seen = FxHashSet::default();
        let mut todo = vec![value];
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            let expr = exprs.get(e);
            if let IrExpr::Load(place) | IrExpr::Length(place) = expr {
                let place = exprs.place(*place);
                if matches!(place.root, Root::Calldata(_)) && !place.steps.is_empty() {
                    return true;
                }
            }
            for_operands(exprs, expr, &mut |operand| todo.push(operand));
        }
        false
    }
}
