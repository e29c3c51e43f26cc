//! Unary and binary operators, and assignment.

use super::UserOp;
use super::bodies::{BEFORE_STRICT_SIGNS, Body};
use super::literal;
use crate::hir::{BinaryOp, Expr, ExprKind, FnKind, FunctionId, Ty, TyId, UnaryOp};
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::Span;
use num_traits::Signed;
use solang_parser::pt;
use std::rc::Rc;

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne)
}

fn is_logical(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or)
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::Shr)
}

fn is_bitwise(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "%",
        BinaryOp::Exp => "**",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Neg => "-",
        UnaryOp::Plus => "+",
        UnaryOp::PreInc | UnaryOp::PostInc => "++",
        UnaryOp::PreDec | UnaryOp::PostDec => "--",
        UnaryOp::Delete => "delete",
    }
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn unary(&mut self, op: UnaryOp, operand: &'a pt::Expression, span: Span) -> Expr {
        let operand = self.expr(operand);
        if matches!(
            op,
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec | UnaryOp::Delete
        ) {
            self.require_lvalue(&operand);
        }
        let (ty, function) = match self.unary_type(op, operand.ty) {
            Some(found) => found,
            None => {
                let message = format!(
                    "unary operator `{}` cannot be applied to type `{}`",
                    unary_text(op),
                    self.text_of(operand.ty)
                );
                self.error(span, message);
                (self.sema.hir.types.error(), None)
            }
        };
        Expr { kind: ExprKind::Unary { op, operand: Box::new(operand), function }, ty, span }
    }

    fn unary_type(&mut self, op: UnaryOp, ty: TyId) -> Option<(TyId, Option<FunctionId>)> {
        let builtin = match (op, self.ty(ty)) {
            (_, Ty::Error) => Some(ty),
            (UnaryOp::Delete, Ty::Mapping { .. } | Ty::Tuple(_) | Ty::Type(_) | Ty::Magic(_)) => None,
            (UnaryOp::Delete, _) => Some(self.sema.hir.types.unit()),
            (_, Ty::Rational { value, .. }) => {
                let value = literal::unary(op, value)?;
                Some(self.intern(Ty::Rational { value: Rc::new(value), bytes: None }))
            }
            (UnaryOp::Not, Ty::Bool) | (UnaryOp::BitNot, Ty::FixedBytes(_)) => Some(ty),
            (UnaryOp::Not, Ty::Int { .. }) => None,
            (UnaryOp::Neg, Ty::Int { signed: false, .. }) if self.version.at_least(8, 0) => None,
            (_, Ty::Int { .. }) => Some(ty),
            (
                UnaryOp::Neg
                | UnaryOp::Plus
                | UnaryOp::PreInc
                | UnaryOp::PreDec
                | UnaryOp::PostInc
                | UnaryOp::PostDec,
                Ty::Fixed { .. },
            ) => Some(ty),
            _ => None,
        };
        match (builtin, self.ty(ty)) {
            (Some(ty), _) => Some((ty, None)),
            (None, Ty::UserType(id)) => self.user_operator_type(UserOp::Unary(op), *id),
            (None, _) => None,
        }
    }

    fn user_operator_type(
        &mut self,
        op: UserOp,
        id: crate::hir::UserTypeId,
    ) -> Option<(TyId, Option<FunctionId>)> {
        let function = self.sema.user_operator(self.scope, op, id)?;
        let result = *self.sema.hir.functions[function].returns.first()?;
        Some((self.sema.hir.vars[result].ty, Some(function)))
    }

    pub fn binary(
        &mut self,
        op: BinaryOp,
        left: &'a pt::Expression,
        right: &'a pt::Expression,
        span: Span,
    ) -> Expr {
        let left = self.expr(left);
        let right = self.expr(right);
        self.binary_of(op, left, right, span)
    }

    /// An operation on typed operands.
    pub fn binary_of(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
        let (ty, common, function) = self.binary_types(op, &left, &right, span);
        let kind = ExprKind::Binary { op, left: Box::new(left), right: Box::new(right), common, function };
        Expr { kind, ty, span }
    }

    fn binary_types(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> (TyId, TyId, Option<FunctionId>) {
        let error = self.sema.hir.types.error();
        if left.ty == error || right.ty == error {
            let ty = if is_comparison(op) || is_logical(op) { self.sema.hir.types.bool() } else { error };
            return (ty, error, None);
        }
        if let Some(common) = self.binary_result(op, left.ty, right.ty) {
            let ty = if is_comparison(op) { self.sema.hir.types.bool() } else { common };
            return (ty, common, None);
        }
        if let Ty::UserType(id) = *self.ty(left.ty)
            && left.ty == right.ty
            && let Some((ty, function)) = self.user_operator_type(UserOp::Binary(op), id)
        {
            return (ty, left.ty, function);
        }
        if let Some(common) = self.old_binary_result(op, left.ty, right.ty, span) {
            let ty = if is_comparison(op) { self.sema.hir.types.bool() } else { common };
            return (ty, common, None);
        }
        self.report_operands(op, "", left, right, span);
        (error, error, None)
    }

    fn report_operands(&mut self, op: BinaryOp, suffix: &str, left: &Expr, right: &Expr, span: Span) {
        let message = format!(
            "operator `{}{suffix}` not compatible with types `{}` and `{}`",
            binary_text(op),
            self.text_of(left.ty),
            self.text_of(right.ty)
        );
        self.error(span, message);
    }

    /// What the operator gives under the rules before 0.8, with a warning.
    fn old_binary_result(&mut self, op: BinaryOp, left: TyId, right: TyId, span: Span) -> Option<TyId> {
        let version = std::mem::replace(&mut self.version, BEFORE_STRICT_SIGNS);
        let common = self.binary_result(op, left, right);
        self.version = version;
        if common.is_some() {
            let message = format!(
                "since 0.8 operator `{}` does not convert between `{}` and `{}`",
                binary_text(op),
                self.text_of(left),
                self.text_of(right)
            );
            self.sema.diags.push(Diagnostic::warning(span, message));
        }
        common
    }

    /// The type in which a built-in operator works on two types: both operands convert to it, except that shifts and
    /// powers keep the right side as it is.
    fn binary_result(&mut self, op: BinaryOp, left: TyId, right: TyId) -> Option<TyId> {
        match (self.ty(left), self.ty(right)) {
            (Ty::Rational { value: a, .. }, Ty::Rational { value: b, .. }) => {
                if is_comparison(op) {
                    // Happens at run time, in the types the constants would have there.
                    let (a, b) = (self.sema.hir.mobile(left)?, self.sema.hir.mobile(right)?);
                    return self.binary_result(op, a, b);
                }
                let value = literal::binary(op, a, b)?;
                Some(self.intern(Ty::Rational { value: Rc::new(value), bytes: None }))
            }
            (Ty::Rational { value, .. }, Ty::Int { .. } | Ty::Fixed { .. }) => {
                if !value.is_integer() && matches!(self.ty(right), Ty::Int { .. }) {
                    return None;
                }
                let base = if self.version.at_least(7, 0) && (is_shift(op) || op == BinaryOp::Exp) {
                    let signed = value.is_negative();
                    self.intern(Ty::Int { bits: 256, signed })
                } else {
                    self.common(left, right)?
                };
                self.binary_result(op, base, right)
            }
            (Ty::Int { .. }, Ty::Int { .. } | Ty::Rational { .. } | Ty::Fixed { .. }) => {
                self.integer_result(op, left, right)
            }
            (Ty::Fixed { .. }, Ty::Int { .. } | Ty::Rational { .. } | Ty::Fixed { .. }) => {
                if is_logical(op) || is_shift(op) || is_bitwise(op) || op == BinaryOp::Exp {
                    return None;
                }
                self.common(left, right)
            }
            (Ty::Bool, Ty::Bool) => {
                (is_logical(op) || matches!(op, BinaryOp::Eq | BinaryOp::Ne)).then_some(right)
            }
            (Ty::FixedBytes(_), _) if is_shift(op) => self.is_shift_amount(right).then_some(left),
            (Ty::FixedBytes(_), _) => {
                let common = self.common(left, right)?;
                let bytes = matches!(self.ty(common), Ty::FixedBytes(_));
                (bytes && (is_comparison(op) || is_bitwise(op))).then_some(common)
            }
            (Ty::Address { .. } | Ty::Enum(_) | Ty::Contract { is_super: false, .. }, _) => {
                if is_comparison(op) { self.common(left, right) } else { None }
            }
            // Before 0.5 addresses are integers.
            (Ty::Int { .. } | Ty::Rational { .. }, Ty::Address { .. }) if is_comparison(op) => {
                self.common(left, right)
            }
            (Ty::Function(a), Ty::Function(b)) => {
                let comparable = |kind: FnKind| matches!(kind, FnKind::Internal | FnKind::External);
                let defined = comparable(a.kind) && comparable(b.kind);
                if !defined || !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    return None;
                }
                self.common(left, right)
            }
            _ => None,
        }
    }

    fn integer_result(&mut self, op: BinaryOp, left: TyId, right: TyId) -> Option<TyId> {
        if is_logical(op) {
            return None;
        }
        if is_shift(op) {
            return self.is_shift_amount(right).then_some(left);
        }
        if op == BinaryOp::Exp && self.version.at_least(7, 0) {
            let valid = match self.ty(right) {
                Ty::Int { signed, .. } => !signed,
                Ty::Rational { value, .. } => value.is_integer() && !value.is_negative(),
                _ => false,
            };
            return valid.then_some(left);
        }
        let common = self.common(left, right)?;
        let negative_power = op == BinaryOp::Exp && matches!(self.ty(common), Ty::Int { signed: true, .. });
        // Before 0.7 the power of a signed integer was an error too, unless the base was.
        (!negative_power || self.version.at_least(7, 0)).then_some(common)
    }

    fn is_shift_amount(&self, ty: TyId) -> bool {
        match self.ty(ty) {
            Ty::Int { signed, .. } => !signed || !self.version.at_least(7, 0),
            Ty::Rational { value, .. } => value.is_integer() && !value.is_negative(),
            _ => false,
        }
    }

    pub fn assign(
        &mut self,
        op: Option<BinaryOp>,
        left: &'a pt::Expression,
        right: &'a pt::Expression,
        span: Span,
    ) -> Expr {
        let left = self.expr(left);
        self.require_lvalue(&left);
        let right = self.expr(right);
        let mut ty = left.ty;
        match (op, self.ty(left.ty)) {
            (_, Ty::Error) => {}
            (Some(_), Ty::Tuple(_)) => {
                self.error(span, "compound assignment is not allowed for tuple types");
                ty = self.sema.hir.types.error();
            }
            (None, Ty::Tuple(_)) => {
                self.assign_tuple(&left, &right);
                ty = self.sema.hir.types.unit();
            }
            (None, Ty::Mapping { .. }) => {
                if !matches!(&left.kind, ExprKind::Name(_) | ExprKind::Tuple(_)) {
                    self.error(span, "mappings cannot be assigned to");
                }
                self.expect(&right, left.ty);
            }
            (None, _) => self.expect(&right, left.ty),
            (Some(op), _) => {
                let error = self.is_error(right.ty);
                if !error
                    && self.binary_result(op, left.ty, right.ty) != Some(left.ty)
                    && self.old_binary_result(op, left.ty, right.ty, span) != Some(left.ty)
                {
                    self.report_operands(op, "=", &left, &right, span);
                }
            }
        }
        Expr { kind: ExprKind::Assign { op, left: Box::new(left), right: Box::new(right) }, ty, span }
    }

    fn assign_tuple(&mut self, left: &Expr, right: &Expr) {
        // Before 0.5 an empty last component stood for all that was left.
        let fills = !self.version.at_least(5, 0)
            && matches!(self.ty(left.ty), Ty::Tuple(parts) if parts.first().is_some_and(Option::is_none) || parts.last().is_some_and(Option::is_none));
        if !fills {
            self.expect(right, left.ty);
        }
    }
}
