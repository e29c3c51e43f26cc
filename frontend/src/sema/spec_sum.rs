//! Sums in annotations: over what, and of what type.

use super::bodies::Body;
use super::span_of;
use super::spec_expr::elementary;
use crate::hir::{Expr, ExprKind, Member, Ref, SpecExpr, Ty, TyId, VarId};
use hornet_ir::span::Span;
use hornet_ir::types::WIDE_BITS;
use solang_parser::pt;

/// The key type that a placeholder for all indices of a sum names; `Some(None)` for `_`, which takes any.
fn placeholder(name: &str) -> Option<Option<&str>> {
    if name == "_" { Some(None) } else { name.strip_prefix("__verifier_idx_").map(Some) }
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn sum(&mut self, arg: &'a pt::Expression, signed: Option<bool>, name: &str, span: Span) -> Expr {
        let Some(scope) = self.spec.as_mut() else { return self.error_expr(span) };
        let outer = scope.sum.replace(Vec::new());
        let mut element = self.expr(arg);
        let mut vars = match self.spec.as_mut() {
            Some(scope) => std::mem::replace(&mut scope.sum, outer).unwrap_or_default(),
            None => Vec::new(),
        };
        // A collection without placeholders: all that is in it.
        while let Some((key, value)) = self.collection(element.ty) {
            let (index, var) = self.index_of_all(key, element.span);
            vars.push(var);
            let span = element.span;
            let kind = ExprKind::Index { base: Box::new(element), index: Some(Box::new(index)) };
            element = Expr { kind, ty: value, span };
        }
        let problem = match self.ty(element.ty) {
            Ty::Error => return self.error_expr(span),
            Ty::Int { .. } if vars.is_empty() => {
                Some("a sum is over the elements of a mapping or an array".to_owned())
            }
            Ty::Int { signed: have, .. } if signed.is_some_and(|wanted| wanted != *have) => {
                let kind = if *have { "signed" } else { "unsigned" };
                Some(format!("`{name}` does not add {kind} numbers"))
            }
            Ty::Int { .. } if !is_path(&element) => {
                Some("a sum is over variables and their parts, not over other expressions".to_owned())
            }
            Ty::Int { .. } => None,
            _ => Some(format!("cannot add values of type `{}`", self.text_of(element.ty))),
        };
        if let Some(problem) = problem {
            self.error(element.span, problem);
            return self.error_expr(span);
        }
        let signed = matches!(self.ty(element.ty), Ty::Int { signed: true, .. });
        let ty = self.intern(Ty::Int { bits: WIDE_BITS, signed });
        self.spec_expression(SpecExpr::Sum { vars, element: Box::new(element) }, ty, span)
    }

    /// Types of the keys and of the elements of a collection.
    fn collection(&mut self, ty: TyId) -> Option<(TyId, TyId)> {
        match *self.ty(ty) {
            Ty::Mapping { key, value } => Some((key, value)),
            Ty::Array { elem, .. } => Some((self.uint(), elem)),
            Ty::Slice(array) => match *self.ty(array) {
                Ty::Array { elem, .. } => Some((self.uint(), elem)),
                _ => None,
            },
            _ => None,
        }
    }

    fn index_of_all(&mut self, key: TyId, span: Span) -> (Expr, VarId) {
        let var = self.bound_var("", key, span);
        (Expr { kind: ExprKind::Name(Ref::Var(var)), ty: key, span }, var)
    }

    /// `base[_]` inside a sum.
    pub fn summed_index(&mut self, base: &Expr, index: &'a pt::Expression, span: Span) -> Option<Expr> {
        self.spec.as_ref()?.sum.as_ref()?;
        let pt::Expression::Variable(name) = index else { return None };
        let wanted = placeholder(&name.name)?;
        let at = span_of(&name.loc);
        let Some((key, value)) = self.collection(base.ty) else {
            self.error(at, "only mappings and arrays have indices to add over");
            return Some(self.error_expr(span));
        };
        if let Some(wanted) = wanted {
            let ty = elementary(wanted).map(|ty| self.intern(ty));
            if !ty.is_some_and(|ty| self.converts(ty, key)) {
                let message =
                    format!("`{}` cannot index this: the index is `{}`", name.name, self.text_of(key));
                self.error(at, message);
                return Some(self.error_expr(span));
            }
        }
        let (index, var) = self.index_of_all(key, at);
        if let Some(vars) = self.spec.as_mut().and_then(|s| s.sum.as_mut()) {
            vars.push(var);
        }
        let kind = ExprKind::Index { base: Box::new(base.clone()), index: Some(Box::new(index)) };
        Some(Expr { kind, ty: value, span })
    }
}

/// Whether an expression names a variable or a part of one.
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Name(Ref::Var(_)) => true,
        ExprKind::Member { member: Member::Decl(Ref::Var(_)), .. } => true,
        ExprKind::Member { base, member: Member::Field(_), .. } | ExprKind::Index { base, .. } => {
            is_path(base)
        }
        ExprKind::Tuple(parts) => matches!(parts.as_slice(), [Some(inner)] if is_path(inner)),
        _ => false,
    }
}
