//! Arithmetic, bit operations and comparisons, with the checks that the language version asks for.

use super::func::{FnLower, Panic};
use crate::hir::{BinaryOp, Expr, FunctionId, TyId, UnaryOp};
use hornet_ir::expr::{ArithOp, BinOp, UnOp};
use hornet_ir::ids::ExprId;
use hornet_ir::program::{ObligationKind, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

impl<'h> FnLower<'_, 'h> {
    /// A binary operation other than `&&` and `||`. The default code generator evaluates the right
    /// operand first.
    pub fn binary(
        &mut self,
        e: &'h Expr,
        op: BinaryOp,
        left: &'h Expr,
        right: &'h Expr,
        common: TyId,
    ) -> ExprId {
        let common = self.mobile(common);
        let right_ty = match op {
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Exp => self.mobile(right.ty),
            _ => common,
        };
        if self.low.options.via_ir {
            let a = self.rvalue_as(left, common);
            let a = self.pin_before(a, right);
            let b = self.rvalue_as(right, right_ty);
            [a, b].into_iter().for_each(|operand| self.use_value(operand));
            return self.operate(op, a, b, e.span);
        }
        let b = self.rvalue_as(right, right_ty);
        self.use_value(b);
        let b = self.pin_before(b, left);
        let a = self.rvalue_as(left, common);
        self.use_value(a);
        self.operate(op, a, b, e.span)
    }

    /// A user-defined operator: its operands are arguments, from left to right.
    pub fn operator_call(&mut self, function: FunctionId, operands: &[&'h Expr]) -> ExprId {
        let params = self.hir().functions[function].params.clone();
        let mut args = Vec::with_capacity(operands.len());
        for (i, (operand, param)) in operands.iter().zip(params).enumerate() {
            let ty = self.hir().vars[param].ty;
            let value = self.rvalue_as(operand, ty);
            let value = match operands.get(i + 1) {
                Some(next) => self.pin_before(value, next),
                None => value,
            };
            args.push(value);
        }
        let results = self.call_function(function, args);
        match results.first() {
            Some(result) => *result,
            None => self.const_word(0u64),
        }
    }

    /// The operation on converted operands.
    pub fn operate(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let ir = match op {
            BinaryOp::Add => return self.checked(ArithOp::Add, BinOp::Add, a, b, span),
            BinaryOp::Sub => return self.checked(ArithOp::Sub, BinOp::Sub, a, b, span),
            BinaryOp::Mul => return self.checked(ArithOp::Mul, BinOp::Mul, a, b, span),
            BinaryOp::Exp => return self.checked(ArithOp::Exp, BinOp::Exp, a, b, span),
            BinaryOp::Div => return self.divide(BinOp::Div, a, b, span),
            BinaryOp::Mod => return self.divide(BinOp::Mod, a, b, span),
            BinaryOp::Shl => return self.shift(BinOp::Shl, a, b),
            BinaryOp::Shr => return self.shift(BinOp::Shr, a, b),
            BinaryOp::BitAnd => BinOp::And,
            BinaryOp::BitOr => BinOp::Or,
            BinaryOp::BitXor => BinOp::Xor,
            BinaryOp::Lt => BinOp::Lt,
            BinaryOp::Le => BinOp::Le,
            BinaryOp::Gt => BinOp::Gt,
            BinaryOp::Ge => BinOp::Ge,
            BinaryOp::Eq => BinOp::Eq,
            BinaryOp::Ne => BinOp::Ne,
            BinaryOp::And => BinOp::BoolAnd,
            BinaryOp::Or => BinOp::BoolOr,
        };
        self.low.program.binary(ir, a, b)
    }

    pub fn is_signed(&self, value: ExprId) -> bool {
        let ty = self.low.program.exprs.ty(value);
        matches!(self.low.program.types.get(ty), Type::Int { signed: true, .. })
    }

    fn checked(&mut self, arith: ArithOp, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        // Sums have room for everything but what is below zero.
        let roomy = self.low.program.types.get(self.low.program.exprs.ty(a)).is_wide()
            && (arith != ArithOp::Sub || self.is_signed(a));
        if self.overflow_matters() && !roomy {
            let fits = self.low.program.fits(arith, a, b);
            let checks = self.directions(arith, a, b, fits);
            self.guard(fits, &checks, span);
        }
        self.low.program.binary(op, a, b)
    }

    /// Whether overflow is at least reported here.
    fn overflow_matters(&self) -> bool {
        !(self.unchecked && self.version.checked_arithmetic())
    }

    /// Reports each condition under its kind; from 0.8 on a result that does not fit panics.
    fn guard(&mut self, fits: ExprId, checks: &[(ObligationKind, ExprId)], span: Span) {
        if self.spec.is_some() {
            return self.spec_fits(fits);
        }
        for (kind, cond) in checks {
            let obligation = self.low.obligation(*kind, span, self.context);
            self.low.program.obligations[obligation].silent = !self.version.checked_arithmetic();
            self.b.stmt(StmtKind::Check { obligation, cond: *cond });
        }
        if self.version.checked_arithmetic() {
            self.require_or_panic(fits, Panic::Arithmetic, None);
        }
    }

    /// In which direction a result can leave its type: a condition per kind that says it does not.
    fn directions(
        &mut self,
        op: ArithOp,
        a: ExprId,
        b: ExprId,
        fits: ExprId,
    ) -> Vec<(ObligationKind, ExprId)> {
        use ObligationKind::{Overflow, Underflow};
        if !self.is_signed(a) {
            let kind = match op {
                ArithOp::Sub | ArithOp::Neg => Underflow,
                ArithOp::Add | ArithOp::Mul | ArithOp::Div | ArithOp::Exp => Overflow,
            };
            return vec![(kind, fits)];
        }
        // `down`: if the result does not fit, it is too small.
        let down = match op {
            ArithOp::Div | ArithOp::Neg | ArithOp::Exp => return vec![(Overflow, fits)],
            ArithOp::Add => self.is_negative(b),
            ArithOp::Sub => {
                let negative = self.is_negative(b);
                self.low.program.not(negative)
            }
            ArithOp::Mul => {
                let (x, y) = (self.is_negative(a), self.is_negative(b));
                self.low.program.ne(x, y)
            }
        };
        let up = self.low.program.not(down);
        let no_overflow = self.low.program.or(fits, down);
        let no_underflow = self.low.program.or(fits, up);
        vec![(Overflow, no_overflow), (Underflow, no_underflow)]
    }

    fn is_negative(&mut self, value: ExprId) -> ExprId {
        let ty = self.low.program.exprs.ty(value);
        let zero = self.low.program.default_of(ty);
        self.low.program.lt(value, zero)
    }

    fn divide(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        self.require_nonzero(b, span);
        if op == BinOp::Div && self.is_signed(a) {
            return self.checked(ArithOp::Div, op, a, b, span);
        }
        self.low.program.binary(op, a, b)
    }

    /// Division by zero panics in every version, also inside `unchecked`.
    pub fn require_nonzero(&mut self, value: ExprId, span: Span) {
        let ty = self.low.program.exprs.ty(value);
        let zero = self.low.program.default_of(ty);
        let nonzero = self.low.program.ne(value, zero);
        self.require_or_panic(nonzero, Panic::DivisionByZero, Some((ObligationKind::DivisionByZero, span)));
    }

    fn shift(&mut self, op: BinOp, a: ExprId, amount: ExprId) -> ExprId {
        let amount = self.shift_amount(amount);
        if op == BinOp::Shr && self.is_signed(a) && !self.version.at_least(5, 0) {
            return self.shift_towards_zero(a, amount);
        }
        self.low.program.binary(op, a, amount)
    }

    /// Before 0.7 the amount could be signed; a negative one reverts.
    fn shift_amount(&mut self, amount: ExprId) -> ExprId {
        if !self.is_signed(amount) {
            return amount;
        }
        let negative = self.is_negative(amount);
        let fine = self.low.program.not(negative);
        self.require_or_revert(fine);
        let word = self.low.program.types.word();
        self.low.program.cast(amount, word)
    }

    /// Before 0.5, `>>` of a signed number divided by a power of two.
    fn shift_towards_zero(&mut self, a: ExprId, amount: ExprId) -> ExprId {
        let ty = self.low.program.exprs.ty(a);
        let one = self.const_word(1u64);
        let program = &mut self.low.program;
        let wide = program.types.intern(Type::Int { bits: 256, signed: true });
        let power = program.binary(BinOp::Shl, one, amount);
        let power = program.cast(power, wide);
        let a = program.cast(a, wide);
        let quotient = program.binary(BinOp::Div, a, power);
        program.cast(quotient, ty)
    }

    /// `!`, `~`, `-` and `+`.
    pub fn unary(&mut self, op: UnaryOp, operand: &'h Expr, e: &'h Expr) -> ExprId {
        let a = self.rvalue_as(operand, e.ty);
        match op {
            UnaryOp::Not => self.low.program.not(a),
            UnaryOp::BitNot => self.low.program.unary(UnOp::BitNot, a),
            UnaryOp::Neg => {
                if self.overflow_matters() {
                    let fits = self.low.program.fits(ArithOp::Neg, a, a);
                    let checks = self.directions(ArithOp::Neg, a, a, fits);
                    self.guard(fits, &checks, e.span);
                }
                self.low.program.unary(UnOp::Neg, a)
            }
            UnaryOp::Plus
            | UnaryOp::PreInc
            | UnaryOp::PreDec
            | UnaryOp::PostInc
            | UnaryOp::PostDec
            | UnaryOp::Delete => a,
        }
    }

    /// `&&` and `||`: the right side is a condition of its own, evaluated only if the left side does not decide.
    pub fn short_circuit(&mut self, op: BinaryOp, left: &'h Expr, right: &'h Expr) -> ExprId {
        let a = self.rvalue(left);
        let fork = self.b.current();
        let more = self.b.block();
        self.b.switch_to(more);
        let b = self.rvalue(right);
        let is_and = op == BinaryOp::And;
        if self.b.is_untouched(more) && self.b.current() == more && !self.can_fail(b) {
            self.b.switch_to(fork);
            let op = if is_and { BinOp::BoolAnd } else { BinOp::BoolOr };
            return self.low.program.binary(op, a, b);
        }
        let ty = self.low.program.types.bool();
        let result = self.b.fresh(ty);
        let (decided, join) = (self.b.block(), self.b.block());
        self.b.assign(result, b);
        self.b.goto(join);
        self.b.switch_to(fork);
        let (on_true, on_false) = if is_and { (more, decided) } else { (decided, more) };
        self.b.branch(a, on_true, on_false);
        self.b.switch_to(decided);
        let constant = self.low.program.const_bool(!is_and);
        self.b.assign(result, constant);
        self.b.goto(join);
        self.b.switch_to(join);
        self.get(result)
    }
}
