//! Constant integer expressions: lengths of arrays, `layout at`.

use super::{DeclScope, Sema};
use crate::hir::{Ref, VarId, VarKind};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};
use solang_parser::pt;

/// Results of more bits than this are refused, as the compiler does.
const MAX_BITS: u64 = 4096;

/// Value of a number literal with its exponent and unit, exact. `None` for other expressions and absurd exponents.
pub fn number_literal(expr: &pt::Expression) -> Option<BigRational> {
    let (value, unit) = match expr {
        pt::Expression::NumberLiteral(_, integer, exp, unit) => (decimal(integer, "", exp)?, unit),
        pt::Expression::RationalNumberLiteral(_, integer, fraction, exp, unit) => {
            (decimal(integer, fraction, exp)?, unit)
        }
        pt::Expression::HexNumberLiteral(_, digits, unit) => {
            let digits: String = digits.chars().filter(|c| *c != '_').collect();
            let digits = digits.strip_prefix("0x").unwrap_or(&digits);
            (BigRational::from_integer(BigInt::parse_bytes(digits.as_bytes(), 16)?), unit)
        }
        _ => return None,
    };
    match unit {
        None => Some(value),
        Some(unit) => Some(value * BigRational::from_integer(unit_factor(&unit.name)?)),
    }
}

/// What a unit multiplies by, in wei or seconds.
pub fn unit_factor(unit: &str) -> Option<BigInt> {
    let factor: u64 = match unit {
        "wei" | "seconds" => 1,
        "gwei" => 1_000_000_000,
        "szabo" => 1_000_000_000_000,
        "finney" => 1_000_000_000_000_000,
        "ether" => 1_000_000_000_000_000_000,
        "minutes" => 60,
        "hours" => 3600,
        "days" => 86_400,
        "weeks" => 7 * 86_400,
        "years" => 365 * 86_400,
        _ => return None,
    };
    Some(BigInt::from(factor))
}

fn decimal(integer: &str, fraction: &str, exp: &str) -> Option<BigRational> {
    let fraction_digits = fraction.chars().filter(|c| *c != '_').count();
    let digits: String = integer.chars().chain(fraction.chars()).filter(|c| *c != '_').collect();
    let mantissa = BigInt::parse_bytes(digits.as_bytes(), 10)?;
    let exp: String = exp.chars().filter(|c| *c != '_').collect();
    let exp: i64 = if exp.is_empty() { 0 } else { exp.parse().ok()? };
    let shift = exp.checked_sub(i64::try_from(fraction_digits).ok()?)?;
    if shift.unsigned_abs() > MAX_BITS && !mantissa.is_zero() {
        return None;
    }
    let power = BigInt::from(10).pow(shift.unsigned_abs().min(MAX_BITS) as u32);
    Some(if shift < 0 {
        BigRational::new(mantissa, power)
    } else {
        BigRational::from_integer(mantissa * power)
    })
}

/// A value, and whether it has an integer type (so that division truncates) or is a literal's.
struct Value {
    value: BigRational,
    typed: bool,
}

impl Value {
    fn new(value: BigRational, typed: bool) -> Option<Self> {
        let value = if typed { value.trunc() } else { value };
        (value.numer().bits() <= MAX_BITS && value.denom().bits() <= MAX_BITS)
            .then_some(Value { value, typed })
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
            E::Negate(_, inner) => {
                let inner = self.const_value(inner, scope)?;
                Value::new(-inner.value, inner.typed)
            }
            E::BitwiseNot(_, inner) => {
                let inner = self.const_value(inner, scope)?;
                let integer = inner.value.is_integer().then(|| inner.value.to_integer())?;
                Value::new(BigRational::from_integer(-integer - BigInt::one()), inner.typed)
            }
            E::Add(_, a, b) => self.const_binary(a, b, scope, |a, b| Some(a + b)),
            E::Subtract(_, a, b) => self.const_binary(a, b, scope, |a, b| Some(a - b)),
            E::Multiply(_, a, b) => self.const_binary(a, b, scope, |a, b| Some(a * b)),
            E::Divide(_, a, b) => self.const_binary(a, b, scope, |a, b| (!b.is_zero()).then(|| a / b)),
            E::Modulo(_, a, b) => self.const_binary(a, b, scope, |a, b| (!b.is_zero()).then(|| a % b)),
            E::Power(_, a, b) => self.const_binary(a, b, scope, power),
            E::ShiftLeft(_, a, b) => self.const_integers(a, b, scope, |a, b| {
                Some(a << b.to_u32().filter(|b| u64::from(*b) <= MAX_BITS)?)
            }),
            E::ShiftRight(_, a, b) => self.const_integers(a, b, scope, |a, b| {
                let by = b.to_u32().filter(|b| u64::from(*b) <= MAX_BITS)?;
                Some(a.div_floor(&(BigInt::one() << by)))
            }),
            E::BitwiseAnd(_, a, b) => self.const_integers(a, b, scope, |a, b| Some(a & b)),
            E::BitwiseOr(_, a, b) => self.const_integers(a, b, scope, |a, b| Some(a | b)),
            E::BitwiseXor(_, a, b) => self.const_integers(a, b, scope, |a, b| Some(a ^ b)),
            _ => None,
        }
    }

    fn const_binary(
        &self,
        a: &pt::Expression,
        b: &pt::Expression,
        scope: DeclScope,
        op: impl Fn(BigRational, BigRational) -> Option<BigRational>,
    ) -> Option<Value> {
        let (a, b) = (self.const_value(a, scope)?, self.const_value(b, scope)?);
        Value::new(op(a.value, b.value)?, a.typed || b.typed)
    }

    fn const_integers(
        &self,
        a: &pt::Expression,
        b: &pt::Expression,
        scope: DeclScope,
        op: impl Fn(BigInt, BigInt) -> Option<BigInt>,
    ) -> Option<Value> {
        self.const_binary(a, b, scope, |a, b| {
            let whole = a.is_integer() && b.is_integer();
            whole.then(|| op(a.to_integer(), b.to_integer())).flatten().map(BigRational::from_integer)
        })
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
        if self.hir.vars[var].kind != VarKind::Constant || self.tables.open_constants.borrow().contains(&var)
        {
            return None;
        }
        let init = self.tables.vars.get(var)?.initializer.as_ref()?;
        self.tables.open_constants.borrow_mut().push(var);
        let value = self.const_value(init, self.var_scope(var));
        self.tables.open_constants.borrow_mut().pop();
        Value::new(value?.value, true)
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

fn power(base: BigRational, exp: BigRational) -> Option<BigRational> {
    let exp = exp.is_integer().then(|| exp.to_integer())?.to_i32()?;
    let bits = base.numer().bits().max(base.denom().bits());
    if bits > 1 && bits.saturating_mul(u64::from(exp.unsigned_abs())) > 2 * MAX_BITS {
        return None;
    }
    if exp < 0 && base.is_zero() {
        return None;
    }
    Some(base.pow(exp))
}
