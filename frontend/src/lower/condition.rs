//! `c ? a : b`.

use super::func::FnLower;
use crate::hir::{Expr, TyId};
use hornet_ir::ids::{BlockId, ExprId};

impl<'h> FnLower<'_, 'h> {
    /// The values of a conditional, converted to `tys`. Branches without effects that cannot fail stay an expression.
    pub fn conditional(
        &mut self,
        cond: &'h Expr,
        then: &'h Expr,
        other: &'h Expr,
        tys: &[TyId],
    ) -> Vec<ExprId> {
        if self.spec.is_some() {
            return self.spec_conditional(cond, then, other, tys);
        }
        let cond = self.rvalue(cond);
        let fork = self.b.current();
        let (on_true, a, true_end) = self.branch_values(then, tys);
        let (on_false, b, false_end) = self.branch_values(other, tys);
        let harmless = |f: &Self, block: BlockId, end: BlockId, values: &[ExprId]| {
            block == end && f.b.is_untouched(block) && !values.iter().any(|v| f.can_fail(*v))
        };
        if harmless(self, on_true, true_end, &a) && harmless(self, on_false, false_end, &b) {
            self.b.switch_to(fork);
            return a.into_iter().zip(b).map(|(x, y)| self.low.program.ite(cond, x, y)).collect();
        }
        let results: Vec<_> = a
            .iter()
            .map(|v| {
                let ty = self.low.program.exprs.ty(*v);
                self.b.fresh(ty)
            })
            .collect();
        let join = self.b.block();
        for (end, values) in [(true_end, a), (false_end, b)] {
            self.b.switch_to(end);
            self.assign_all(&results, &values);
            self.b.goto(join);
        }
        self.b.switch_to(fork);
        self.b.branch(cond, on_true, on_false);
        self.b.switch_to(join);
        results.into_iter().map(|r| self.get(r)).collect()
    }

    /// Evaluates one branch in a block of its own; gives its first and last block.
    fn branch_values(&mut self, e: &'h Expr, tys: &[TyId]) -> (BlockId, Vec<ExprId>, BlockId) {
        let start = self.b.block();
        self.b.switch_to(start);
        let values = self.rvalues_as(e, tys);
        (start, values, self.b.current())
    }

    /// A conditional as a statement.
    pub fn conditional_effect(&mut self, cond: &'h Expr, then: &'h Expr, other: &'h Expr) {
        let cond = self.rvalue(cond);
        let (on_true, on_false, join) = (self.b.block(), self.b.block(), self.b.block());
        self.b.branch(cond, on_true, on_false);
        for (block, e) in [(on_true, then), (on_false, other)] {
            self.b.switch_to(block);
            self.effect(e);
            self.b.goto(join);
        }
        self.b.switch_to(join);
    }
}
