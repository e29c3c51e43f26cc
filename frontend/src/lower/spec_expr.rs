//! Expressions in annotations: those that only annotations have, and how the connectives guard what stands under them.
//! Nothing is checked while an annotation is evaluated. Instead it is collected whether arithmetic stays within its
//! types, where the value depends on it: the right side of `a && b` counts only if `a` holds.

use super::func::FnLower;
use crate::hir::{BinaryOp, Expr, SpecExpr, TyId, VarId};
use hornet_ir::expr::{BinOp, Expr as IrExpr, Root, Step};
use hornet_ir::ids::{BoundId, ExprId, PlaceId};
use hornet_ir::span::Span;

/// Functions that call functions in annotations, all inlined.
pub(super) const MOST_INLINED: u32 = 16;

/// While an annotation is evaluated.
pub(super) struct SpecMode {
    /// The annotation.
    pub span: Span,
    /// Conditions under which arithmetic stays within its types.
    pub fits: Vec<ExprId>,
    pub inlined: u32,
}

impl SpecMode {
    pub fn new(span: Span) -> Self {
        SpecMode { span, fits: Vec::new(), inlined: 0 }
    }
}

impl<'h> FnLower<'_, 'h> {
    /// Records that a condition is needed for arithmetic to stay within its types.
    pub(super) fn spec_fits(&mut self, cond: ExprId) {
        if let Some(mode) = self.spec.as_mut() {
            mode.fits.push(cond);
        }
    }

    /// Evaluates a part, and gives apart what its arithmetic needs.
    fn apart<T>(&mut self, eval: impl FnOnce(&mut Self) -> T) -> (T, Option<ExprId>) {
        let outer = self.spec.as_mut().map(|mode| std::mem::take(&mut mode.fits)).unwrap_or_default();
        let value = eval(self);
        let inner = match self.spec.as_mut() {
            Some(mode) => std::mem::replace(&mut mode.fits, outer),
            None => Vec::new(),
        };
        let fits = (!inner.is_empty()).then(|| self.all(&inner));
        (value, fits)
    }

    /// `&&` and `||`.
    pub(super) fn spec_connective(&mut self, op: BinaryOp, left: &'h Expr, right: &'h Expr) -> ExprId {
        let a = self.rvalue(left);
        let (b, fits) = self.apart(|f| f.rvalue(right));
        let is_and = op == BinaryOp::And;
        if let Some(fits) = fits {
            let decided = if is_and { self.p().not(a) } else { a };
            let needed = self.p().or(decided, fits);
            self.spec_fits(needed);
        }
        self.p().binary(if is_and { BinOp::BoolAnd } else { BinOp::BoolOr }, a, b)
    }

    /// `c ? a : b`.
    pub(super) fn spec_conditional(
        &mut self,
        cond: &'h Expr,
        then: &'h Expr,
        other: &'h Expr,
        tys: &[TyId],
    ) -> Vec<ExprId> {
        let cond = self.rvalue(cond);
        let (a, a_fits) = self.apart(|f| f.rvalues_as(then, tys));
        let (b, b_fits) = self.apart(|f| f.rvalues_as(other, tys));
        let not = self.p().not(cond);
        for (decided, fits) in [(not, a_fits), (cond, b_fits)] {
            if let Some(fits) = fits {
                let needed = self.p().or(decided, fits);
                self.spec_fits(needed);
            }
        }
        a.into_iter().zip(b).map(|(x, y)| self.p().ite(cond, x, y)).collect()
    }

    pub(super) fn spec_expr(&mut self, spec: &'h SpecExpr, e: &'h Expr) -> ExprId {
        match spec {
            SpecExpr::Old(inner) => {
                let (value, fits) = self.apart(|f| f.rvalue_as(inner, e.ty));
                if let Some(fits) = fits {
                    let fits = self.p().old(fits);
                    self.spec_fits(fits);
                }
                self.p().old(value)
            }
            SpecExpr::Before(inner) => {
                let (value, fits) = self.apart(|f| f.rvalue_as(inner, e.ty));
                if let Some(fits) = fits {
                    let fits = self.p().before(fits);
                    self.spec_fits(fits);
                }
                self.p().before(value)
            }
            SpecExpr::Quantified { forall, vars, body } => self.quantified(*forall, vars, body),
            SpecExpr::Sum { vars, element } => self.sum(vars, element, e),
            SpecExpr::DeepEq { left, right, same_object } => self.deep_eq(left, right, *same_object),
        }
    }

    fn quantified(&mut self, forall: bool, vars: &[VarId], body: &'h Expr) -> ExprId {
        let bound: Vec<BoundId> = vars.iter().map(|var| self.bind(*var)).collect();
        let (value, fits) = self.apart(|f| f.rvalue(body));
        vars.iter().for_each(|var| self.unbind(*var));
        let claim = self.p().quantified(forall, &bound, value);
        if let Some(fits) = fits {
            let needed = if forall {
                self.p().quantified(true, &bound, fits)
            } else {
                // What exists exists at a place where the arithmetic means what it says.
                let both = self.p().and(value, fits);
                let witness = self.p().quantified(false, &bound, both);
                let not = self.p().not(claim);
                self.p().or(not, witness)
            };
            self.spec_fits(needed);
        }
        claim
    }

    fn sum(&mut self, vars: &[VarId], element: &'h Expr, e: &'h Expr) -> ExprId {
        let bound: Vec<BoundId> = vars.iter().enumerate().map(|(i, var)| self.bind_index(*var, i)).collect();
        let place = self.place_of(element);
        vars.iter().for_each(|var| self.unbind(*var));
        let ty = self.ir_ty(e.ty);
        match place.filter(|place| self.indexes_by(*place, &bound)) {
            Some(place) => self.p().sum(&bound, place, ty),
            None => {
                let message = "a sum is over collections in storage, or over one array in memory";
                self.low.spec_error(e.span, message);
                self.p().default_of(ty)
            }
        }
    }

    /// Whether each variable is an index of the place itself.
    fn indexes_by(&mut self, place: PlaceId, vars: &[BoundId]) -> bool {
        let place = self.p().exprs.place(place).clone();
        let indices: Vec<ExprId> = place
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Index(index) => Some(*index),
                Step::Field(_) => None,
            })
            .collect();
        let once = vars.iter().all(|var| {
            let is_var = |e: &&ExprId| *self.low.program.exprs.get(**e) == IrExpr::Bound(*var);
            indices.iter().filter(is_var).count() == 1
        });
        let fixed_root = match place.root {
            Root::State(_) => true,
            Root::Storage(e) | Root::Memory(e) | Root::Calldata(e) => {
                !matches!(self.p().exprs.get(e), IrExpr::Load(_))
            }
        };
        once && fixed_root
    }

    fn deep_eq(&mut self, left: &'h Expr, right: &'h Expr, same_object: bool) -> ExprId {
        let (a, b) = (self.contents(left, same_object), self.contents(right, same_object));
        if same_object {
            return self.p().eq(a, b);
        }
        let ty = self.p().exprs.ty(a);
        let b = self.p().cast(b, ty);
        self.p().deep_eq(a, b)
    }

    fn contents(&mut self, e: &'h Expr, by_reference: bool) -> ExprId {
        if let crate::hir::Ty::StringLiteral(bytes) = self.ty(e.ty) {
            let bytes = bytes.clone();
            return self.p().const_bytes(&bytes);
        }
        let value = self.raw(e);
        match *self.low.program.exprs.get(value) {
            _ if by_reference => value,
            IrExpr::Old(reference) => {
                let contents = self.deref(reference);
                self.p().old(contents)
            }
            IrExpr::Before(reference) => {
                let contents = self.deref(reference);
                self.p().before(contents)
            }
            _ => self.deref(value),
        }
    }

    /// A reference is the same in all states; what is read through it is not. Of `old(a)[i]` the reference alone would
    /// be old, and the element as it is now.
    pub(super) fn refuse_other_state(&mut self, reference: ExprId) {
        let Some(mode) = &self.spec else { return };
        let span = mode.span;
        match *self.low.program.exprs.get(reference) {
            IrExpr::Old(_) | IrExpr::Before(_) => {
                let message =
                    "part of an old array, struct or mapping: write `old(a[i])` instead of `old(a)[i]`";
                self.low.spec_error(span, message);
            }
            IrExpr::Ite(_, a, b) => [a, b].into_iter().for_each(|side| self.refuse_other_state(side)),
            _ => {}
        }
    }
}
