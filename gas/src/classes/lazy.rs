//! Operands that are evaluated only if others do not decide: `a && b`, `a || b`, `c ? a : b`. For terms they are plain
//! functions; for the machine they are branches.

use hornet_ir::expr::{BinOp, Expr};
use hornet_ir::ids::ExprId;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{Executor, Flow, Run};
use rustc_hash::FxHashSet;

pub(super) struct Lazy<'a, 'p> {
    pub ex: &'a mut Executor<'p>,
    pub run: &'a Run<'p>,
    pub flow: &'a Flow,
    /// Where something decides, and what: it holds, or not.
    pub found: Vec<(TermId, Vec<TermId>)>,
    pub seen: FxHashSet<ExprId>,
}

impl Lazy<'_, '_> {
    /// Looks into an expression that is evaluated where `guard` holds.
    pub fn look(&mut self, e: ExprId, guard: TermId) {
        if !self.seen.insert(e) {
            return;
        }
        match self.ex.program.exprs.get(e).clone() {
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), first, second) => {
                self.look(first, guard);
                if let Some((holds, fails)) = self.decides(first, guard) {
                    self.look(second, if op == BinOp::BoolAnd { holds } else { fails });
                }
            }
            Expr::Ite(cond, then, other) => {
                self.look(cond, guard);
                if let Some((holds, fails)) = self.decides(cond, guard) {
                    self.look(then, holds);
                    self.look(other, fails);
                }
            }
            _ => {
                let mut operands = Vec::new();
                self.ex.program.exprs.for_each_operand(e, |operand| operands.push(operand));
                operands.into_iter().for_each(|operand| self.look(operand, guard));
            }
        }
    }

    /// The guards of what follows if the expression holds, and if it does not.
    fn decides(&mut self, e: ExprId, guard: TermId) -> Option<(TermId, TermId)> {
        let holds = self.ex.scalar(self.flow, &self.run.proc.locals, self.run.frame, e).ok()?;
        let fails = self.ex.cx.terms.not(holds);
        self.found.push((guard, vec![holds, fails]));
        let terms = &mut self.ex.cx.terms;
        Some((terms.and(guard, holds), terms.and(guard, fails)))
    }
}
