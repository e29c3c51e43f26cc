//! Operands that are evaluated only if others do not decide: `a && b`, `a || b`, `c ? a : b`. For terms they are plain
//! functions; for the machine they are branches.
//!
//! And operands that are used where they are: what is only passed on, or looked into, is not copied.

use hornet_ir::expr::{BinOp, Builtin, Expr, Root, Step};
use hornet_ir::ids::{ExprId, PlaceId};
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{Executor, Flow, Run};
use rustc_hash::FxHashSet;

pub(super) struct Lazy<'a, 'p> {
    pub ex: &'a mut Executor<'p>,
    pub run: &'a Run<'p>,
    pub flow: &'a Flow,
    /// Where something decides, and what: it holds, or not.
    pub found: Vec<(TermId, Vec<TermId>)>,
    /// What is evaluated, and where.
    pub used: Vec<(ExprId, TermId)>,
    pub seen: FxHashSet<ExprId>,
}

impl Lazy<'_, '_> {
    /// Looks into an expression that is evaluated where `guard` holds.
    pub fn look(&mut self, e: ExprId, guard: TermId) {
        if !self.seen.insert(e) {
            return;
        }
        self.used.push((e, guard));
        self.look_inside(e, guard);
    }

    /// As [`Lazy::look`], for what stays where it is.
    pub fn look_inside(&mut self, e: ExprId, guard: TermId) {
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
            Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) => self.look_at(place, guard),
            Expr::Builtin(Builtin::BytesLength | Builtin::BytesAt, args) => {
                self.look_inside(args[0], guard);
                args[1..].iter().for_each(|index| self.look(*index, guard));
            }
            _ => {
                let mut operands = Vec::new();
                self.ex.program.exprs.for_each_operand(e, |operand| operands.push(operand));
                operands.into_iter().for_each(|operand| self.look(operand, guard));
            }
        }
    }

    /// Looks into what leads to a place.
    pub fn look_at(&mut self, place: PlaceId, guard: TermId) {
        let place = self.ex.program.exprs.place(place).clone();
        match place.root {
            Root::State(_) => {}
            Root::Storage(e) | Root::Memory(e) | Root::Calldata(e) => self.look_inside(e, guard),
        }
        for step in &place.steps {
            match step {
                Step::Index(index) => self.look(*index, guard),
                Step::Field(_) => {}
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
