//! Quantifiers on concrete values: a witness decides, or all values that can matter.

use super::arith;
use super::eval::Eval;
use super::spec::undecided;
use super::value::{Run, Value};
use crate::expr::{BinOp, Expr, UnOp};
use crate::ids::{BoundId, ExprId};
use crate::types::Type;
use ruint::aliases::U256;
use rustc_hash::FxHashSet;

/// Values tried for one variable, at most.
const MOST_TRIED: usize = 1 << 12;

impl<'p> Eval<'_, 'p> {
    pub(super) fn quantified(&self, forall: bool, vars: &[BoundId], body: ExprId) -> Run<bool> {
        if vars.is_empty() {
            return Ok(!self.word(body)?.is_zero());
        }
        // A variable with a bound first: others may have theirs by it, as in `i < j && j < n`.
        let decided = |v: &BoundId| self.candidates(forall, *v, vars, body).is_ok_and(|(_, all)| all);
        let var = vars[vars.iter().position(decided).unwrap_or(0)];
        let rest: Vec<BoundId> = vars.iter().copied().filter(|v| *v != var).collect();
        let (values, all) = self.candidates(forall, var, vars, body)?;
        let mut open = (!all).then(|| undecided("not all values of a variable were tried"));
        for value in values {
            match self.with(var, value, |inner| inner.quantified(forall, &rest, body)) {
                Ok(holds) if holds != forall => return Ok(holds),
                Ok(_) => {}
                Err(trap) => open = Some(trap),
            }
        }
        open.map_or(Ok(forall), Err)
    }

    /// Values worth trying for a variable, and whether no other can matter.
    fn candidates(
        &self,
        forall: bool,
        var: BoundId,
        vars: &[BoundId],
        body: ExprId,
    ) -> Run<(Vec<Value>, bool)> {
        let program = self.interp.program;
        let words = |range: std::ops::Range<u64>| range.map(|i| Value::Word(U256::from(i))).collect();
        match program.types.get(program.bound_vars[var].ty) {
            Type::Bool => return Ok((words(0..2), true)),
            Type::Int { bits: 8, signed: false } => return Ok((words(0..256), true)),
            Type::Enum(id) => return Ok((words(0..program.types.enums[*id].members.len() as u64), true)),
            _ => {}
        }
        let mut limits = Vec::new();
        self.limits_of(forall, var, vars, body, &mut limits);
        for limit in limits {
            if let Ok(limit) = self.word(limit)
                && limit <= U256::from(MOST_TRIED)
            {
                return Ok((words(0..limit.to::<u64>()), true));
            }
        }
        let mut some: Vec<U256> = self.interp.keys.words();
        some.extend([self.frame.this, self.frame.caller]);
        some.extend((0..16u64).map(U256::from));
        some.sort_unstable();
        some.dedup();
        some.truncate(MOST_TRIED);
        let ty = program.types.get(program.bound_vars[var].ty);
        let some = some.into_iter().filter(|w| arith::clean(ty, *w) == *w);
        Ok((some.map(Value::Word).collect(), false))
    }

    /// Expressions below which an unsigned variable must be for the body to matter: `v >= E || …` under `forall`,
    /// `v < E && …` under `exists`.
    fn limits_of(&self, forall: bool, var: BoundId, vars: &[BoundId], e: ExprId, found: &mut Vec<ExprId>) {
        let exprs = &self.interp.program.exprs;
        let is_var = |e: ExprId| *exprs.get(e) == Expr::Bound(var);
        let unsigned = matches!(
            self.interp.program.types.get(self.interp.program.bound_vars[var].ty),
            Type::Int { signed: false, .. }
        );
        if !unsigned {
            return;
        }
        match *exprs.get(e) {
            Expr::Binary(BinOp::BoolOr, a, b) if forall => {
                self.limits_of(forall, var, vars, a, found);
                self.limits_of(forall, var, vars, b, found);
            }
            Expr::Binary(BinOp::BoolAnd, a, b) if !forall => {
                self.limits_of(forall, var, vars, a, found);
                self.limits_of(forall, var, vars, b, found);
            }
            Expr::Unary(UnOp::Not, a) => self.limits_of(!forall, var, vars, a, found),
            Expr::Binary(BinOp::Ge, v, limit) if forall && is_var(v) => found.push(limit),
            Expr::Binary(BinOp::Lt, v, limit) if !forall && is_var(v) => found.push(limit),
            _ => {}
        }
        found.retain(|limit| !vars.iter().any(|v| self.mentions(*limit, *v)));
    }

    fn mentions(&self, e: ExprId, var: BoundId) -> bool {
        let exprs = &self.interp.program.exprs;
        let mut seen = FxHashSet::default();
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if !seen.insert(e) {
                continue;
            }
            if *exprs.get(e) == Expr::Bound(var) {
                return true;
            }
            exprs.for_each_operand(e, |operand| work.push(operand));
        }
        false
    }
}
