//! Assignments: plain, compound, of tuples; increments and `delete`.

use super::func::FnLower;
use super::lvalue::{LValue, Target};
use crate::hir::{BinaryOp, Expr, ExprKind, Ty, TyId, UnaryOp, VarId};
use hornet_ir::U256;
use hornet_ir::ids::{ExprId, LocalId};

impl<'h> FnLower<'_, 'h> {
    /// `left op= right`: the right side is evaluated first. The result is the assigned value, if somebody wants it.
    pub fn assign(
        &mut self,
        op: Option<BinaryOp>,
        left: &'h Expr,
        right: &'h Expr,
        e: &'h Expr,
        wanted: bool,
    ) -> ExprId {
        if let Some(op) = op {
            return self.compound(op, left, right, e, wanted);
        }
        if matches!(self.ty(left.ty), Ty::Tuple(_)) {
            self.assign_tuple(left, right, e);
            return self.const_word(0u64);
        }
        let (value, ty) = self.assigned_value(right, left.ty);
        let value = self.pin_before(value, left);
        let lvalue = self.lvalue(left);
        let keep = wanted && !self.stays_reference(&lvalue);
        let value = if keep {
            let converted = self.convert(value, ty, lvalue.ty, e.span);
            self.pin(converted)
        } else {
            value
        };
        let from = if keep { lvalue.ty } else { ty };
        self.assign_lvalue(&lvalue, value, from, e.span);
        match (wanted, keep) {
            (false, _) | (true, true) => value,
            (true, false) => self.read_lvalue(&lvalue),
        }
    }

    /// The value of an assignment to something in storage that is a tree is a reference to it.
    fn stays_reference(&self, lvalue: &LValue) -> bool {
        let Target::Place(place) = lvalue.target else { return false };
        let ty = self.low.program.exprs.place_ty(place);
        self.low.program.types.get(ty).is_tree()
    }

    /// The right side, converted at once unless it is copied into storage: then contents are read when they are
    /// stored. Gives the type that the value has now.
    fn assigned_value(&mut self, right: &'h Expr, target: TyId) -> (ExprId, TyId) {
        let into_storage = self.low.tys.loc(target).is_some_and(|l| l.is_storage());
        if into_storage { (self.raw(right), right.ty) } else { (self.rvalue_as(right, target), target) }
    }

    fn compound(
        &mut self,
        op: BinaryOp,
        left: &'h Expr,
        right: &'h Expr,
        e: &'h Expr,
        wanted: bool,
    ) -> ExprId {
        let right_ty = match op {
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Exp => self.mobile(right.ty),
            _ => left.ty,
        };
        let b = self.rvalue_as(right, right_ty);
        let b = self.pin_before(b, left);
        let lvalue = self.lvalue(left);
        let a = self.read_lvalue(&lvalue);
        let result = self.operate(op, a, b, e.span);
        let result = if wanted { self.pin(result) } else { result };
        self.assign_lvalue(&lvalue, result, lvalue.ty, e.span);
        result
    }

    /// `++` and `--`.
    pub fn step(&mut self, op: UnaryOp, operand: &'h Expr, e: &'h Expr, wanted: bool) -> ExprId {
        let lvalue = self.lvalue(operand);
        let old = self.read_lvalue(&lvalue);
        let postfix = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let old = if wanted && postfix { self.pin(old) } else { old };
        let ty = self.low.program.exprs.ty(old);
        let one = self.low.program.const_of(ty, U256::from(1));
        let op = match op {
            UnaryOp::PreInc | UnaryOp::PostInc => BinaryOp::Add,
            _ => BinaryOp::Sub,
        };
        let new = self.operate(op, old, one, e.span);
        let new = if wanted && !postfix { self.pin(new) } else { new };
        self.assign_lvalue(&lvalue, new, lvalue.ty, e.span);
        if postfix { old } else { new }
    }

    /// `(a, b) = …`: values, then targets from left to right, then stores from right to left.
    fn assign_tuple(&mut self, left: &'h Expr, right: &'h Expr, e: &'h Expr) {
        let mut values = self.raw_values(right);
        let mut targets = Vec::with_capacity(values.len());
        self.tuple_targets(left, right.ty, &mut targets);
        for (value, target) in values.iter_mut().zip(&targets) {
            let Some(target) = target else { continue };
            if !self.low.tys.loc(target.ty).is_some_and(|l| l.is_storage()) {
                value.0 = self.convert(value.0, value.1, target.ty, e.span);
                value.1 = target.ty;
            }
            value.0 = self.pin(value.0);
        }
        let mut lvalues = Vec::with_capacity(targets.len());
        for target in targets {
            let lvalue = target.map(|t| self.lvalue(t));
            lvalues.push(lvalue.map(|l| self.pin_lvalue(l)));
        }
        for (lvalue, (value, ty)) in lvalues.iter().zip(values).rev() {
            if let Some(lvalue) = lvalue {
                self.assign_lvalue(lvalue, value, ty, e.span);
            }
        }
    }

    /// What each of the values of type `ty`, nested tuples flattened, is assigned to.
    fn tuple_targets(&self, left: &'h Expr, ty: TyId, targets: &mut Vec<Option<&'h Expr>>) {
        let (Some(items), Ty::Tuple(values)) = (tuple_items(left), self.ty(ty)) else {
            targets.push(Some(left));
            return;
        };
        let starts_with_gap = items.first().is_some_and(Option::is_none);
        let skipped = skipped_front(items.len(), starts_with_gap, values.len());
        for (i, value) in values.iter().enumerate() {
            let item = i.checked_sub(skipped).and_then(|i| items.get(i)?.as_ref());
            match (item, value) {
                (Some(item), Some(value)) => self.tuple_targets(item, *value, targets),
                (None, Some(value)) => targets.extend(self.leaf_types(*value).iter().map(|_| None)),
                (_, None) => {}
            }
        }
    }

    /// The types of the values in a tuple, nested ones included; of anything else, the type itself.
    pub fn leaf_types(&self, ty: TyId) -> Vec<TyId> {
        match self.ty(ty) {
            Ty::Tuple(parts) => parts.iter().flatten().flat_map(|p| self.leaf_types(*p)).collect(),
            _ => vec![ty],
        }
    }

    /// The initial value of a state variable.
    pub fn initialise_state(&mut self, var: VarId, init: &'h Expr) {
        let ty = self.hir().vars[var].ty;
        let (value, from) = self.assigned_value(init, ty);
        if let Some(place) = self.state_place(var) {
            let lvalue = LValue { ty, target: Target::Place(place) };
            self.assign_lvalue(&lvalue, value, from, init.span);
        }
    }

    /// Puts values into locals as if at once.
    pub fn assign_all(&mut self, locals: &[LocalId], values: &[ExprId]) {
        let mut held = Vec::with_capacity(values.len());
        for (i, value) in values.iter().enumerate() {
            // The first is stored before any local has changed.
            held.push(if i == 0 { *value } else { self.pin(*value) });
        }
        for (local, value) in locals.iter().zip(held) {
            self.b.assign(*local, value);
        }
    }
}

/// The components of a tuple of several.
fn tuple_items(e: &Expr) -> Option<&[Option<Expr>]> {
    match &e.kind {
        ExprKind::Tuple(items) if items.len() == 1 => tuple_items(items[0].as_ref()?),
        ExprKind::Tuple(items) => Some(items),
        _ => None,
    }
}

/// How many leading values have no target: all that are too many, if the targets start with a gap (before 0.5 a tuple
/// with a gap at one end could be shorter than the values).
pub(super) fn skipped_front(targets: usize, starts_with_gap: bool, values: usize) -> usize {
    if starts_with_gap { values.saturating_sub(targets) } else { 0 }
}
