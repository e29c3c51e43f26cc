//! Constant integer expressions: lengths of arrays, `layout at`.

use super::{DeclScope, Sema, literal};
use crate::hir::{BinaryOp, Ref, UnaryOp, VarId, VarKind};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use solang_parser::pt;

/// Value of a number literal with its exponent and unit, exact. `None` for other expressions and absurd exponents.
fn number_literal(expr: &pt::Expression) -> Option<BigRational> {
    let (value, unit) = match expr {
        pt::Expression::NumberLiteral(_, integer, exp, unit) => (literal::decimal(integer, "", exp)?, unit),
        pt::Expression::RationalNumberLiteral(_, integer, fraction, exp, unit) => {
            (literal::decimal(integer, fraction, exp)?, unit)
        }
        pt::Expression::HexNumberLiteral(_, digits, unit) => {
            (BigRational::from_integer(literal::hexadecimal(digits)?.0), unit)
        }
        _ => return None,
    };
    match unit {
        None => Some(value),
        Some(unit) => Some(value * BigRational::from_integer(literal::unit(&unit.name)?)),
    }
}

/// A value, and whether it has an integer type (so that division truncates) or is a literal's.
struct Value {
    value: BigRational,
    typed: bool,
}

impl Value {
    fn new(value: BigRational, typed: bool) -> Option<Self> {
        let value = if typed { value.trunc() } else { value };
        literal::fits(&value).then_some(Value { value, typed })
    }
}

impl<'a> Sema<'a> {
    /// Value of a constant expression of literals and constants. Reports nothing.
    pub fn const_int(&self, expr: &pt::Expression, scope: DeclScope) -> Option<BigInt> {
        let value = self.const_value(expr, scope)?.value;
        value.is_integer().then(|| value.to_integer())
    }

    fn const_value(&self, expr: &pt::Expression, scope: DeclScope) -> Option<Value> {
        use pt::Expression as E;
        match expr {
            E::Parenthesis(_, inner) => self.const_value(inner, scope),
            E::NumberLiteral(..) | E::RationalNumberLiteral(..) | E::HexNumberLiteral(..) => {
                Value::new(number_literal(expr)?, false)
            }
            E::Variable(_) | E::MemberAccess(..) => self.const_of_name(expr, scope),
            E::Negate(_, inner) => self.const_unary(UnaryOp::Neg, inner, scope),
            E::BitwiseNot(_, inner) => self.const_unary(UnaryOp::BitNot, inner, scope),
            E::Add(_, a, b) => self.const_binary(BinaryOp::Add, a, b, scope),
            E::Subtract(_, a, b) => self.const_binary(BinaryOp::Sub, a, b, scope),
            E::Multiply(_, a, b) => self.const_binary(BinaryOp::Mul, a, b, scope),
            E::Divide(_, a, b) => self.const_binary(BinaryOp::Div, a, b, scope),
            E::Modulo(_, a, b) => self.const_binary(BinaryOp::Mod, a, b, scope),
            E::Power(_, a, b) => self.const_binary(BinaryOp::Exp, a, b, scope),
            E::ShiftLeft(_, a, b) => self.const_binary(BinaryOp::Shl, a, b, scope),
            E::ShiftRight(_, a, b) => self.const_binary(BinaryOp::Shr, a, b, scope),
            E::BitwiseAnd(_, a, b) => self.const_binary(BinaryOp::BitAnd, a, b, scope),
            E::BitwiseOr(_, a, b) => self.const_binary(BinaryOp::BitOr, a, b, scope),
            E::BitwiseXor(_, a, b) => self.const_binary(BinaryOp::BitXor, a, b, scope),
            _ => None,
        }
    }

    fn const_unary(&self, op: UnaryOp, operand: &pt::Expression, scope: DeclScope) -> Option<Value> {
        let operand = self.const_value(operand, scope)?;
        Value::new(literal::unary(op, &operand.value)?, operand.typed)
    }

    fn const_binary(
        &self,
        op: BinaryOp,
        a: &pt::Expression,
        b: &pt::Expression,
        scope: DeclScope,
    ) -> Option<Value> {
        let (a, b) = (self.const_value(a, scope)?, self.const_value(b, scope)?);
        Value::new(literal::binary(op, &a.value, &b.value)?, a.typed || b.typed)
    }

    fn const_of_name(&self, expr: &pt::Expression, scope: DeclScope) -> Option<Value> {
        let path = super::typename::path_of(expr)?;
        let refs = self.lookup_path(path, scope);
        match refs.first()? {
            Ref::Var(var) => self.const_of_var(*var),
            _ => None,
        }
    }

    fn const_of_var(&self, var: VarId) -> Option<Value> {
        if self.hir.vars[var].kind != VarKind::Constant {
            return None;
        }
        let init = self.tables.vars.get(var)?.initializer.as_ref()?;
        let known = self.tables.constants.borrow().get(&var).cloned();
        let value = known.unwrap_or_else(|| {
            // Seen again before it is known: it depends on itself and has no value.
            self.tables.constants.borrow_mut().insert(var, None);
            let value = self.const_value(init, self.var_scope(var)).map(|v| v.value.trunc());
            self.tables.constants.borrow_mut().insert(var, value.clone());
            value
        });
        Value::new(value?, true)
    }

    /// An array length: positive and within 256 bits.
    pub(super) fn array_length(
        &self,
        expr: &pt::Expression,
        scope: DeclScope,
    ) -> Result<hornet_ir::U256, &'static str> {
        let value = self.const_value(expr, scope).ok_or("invalid array length expression")?.value;
        if !value.is_integer() {
            return Err("array with fractional length specified");
        }
        if value.is_negative() {
            return Err("array with negative length specified");
        }
        if value.is_zero() {
            return Err("array with zero length specified");
        }
        let (_, bytes) = value.to_integer().to_bytes_be();
        hornet_ir::U256::try_from_be_slice(&bytes).ok_or("array length too large, maximum is 2**256 - 1")
    }
}
