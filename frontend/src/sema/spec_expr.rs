//! Expressions that only annotations have: old values, quantifiers, sums, deep equality.

use super::bodies::Body;
use super::span_of;
use crate::hir::{
    BinaryOp, Builtin, Expr, ExprKind, Loc, Member, Ref, SpecExpr, Ty, TyId, UnaryOp, Var, VarId, VarKind,
    Visibility,
};
use crate::parse::{Quantifier, Range};
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::Span;
use solang_parser::pt::{self, CodeLocation};

/// Which other states an annotation can speak about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum States {
    One,
    /// After a function, or in the middle of it: `old` is its beginning.
    Old,
    /// After the change that an event reports: `before` is before it.
    Before,
}

/// While an annotation is typed.
pub(super) struct SpecScope<'a> {
    pub quantifiers: &'a [Quantifier],
    pub states: States,
    /// Variables of the sum at hand, as its indices introduce them.
    pub sum: Option<Vec<VarId>>,
}

impl<'a> SpecScope<'a> {
    pub fn new(quantifiers: &'a [Quantifier], states: States) -> Self {
        SpecScope { quantifiers, states, sum: None }
    }

    fn quantifier_at(&self, at: u32) -> Option<&'a Quantifier> {
        let i = self.quantifiers.binary_search_by_key(&at, |q| q.at).ok()?;
        Some(&self.quantifiers[i])
    }
}

/// Functions of annotations.
#[derive(Clone, Copy)]
enum Function<'n> {
    /// Whether the elements are signed, where the name says so.
    Sum(Option<bool>),
    /// With the name of a type, as in `__verifier_old_uint`.
    Old(&'n str),
    Before(&'n str),
    /// `contents`: of objects in memory too.
    Eq {
        contents: bool,
    },
}

fn long_name(name: &str) -> Option<Function<'_>> {
    let name = name.strip_prefix("__verifier_")?;
    Some(match name {
        "sum_uint" => Function::Sum(Some(false)),
        "sum_int" => Function::Sum(Some(true)),
        "eq" => Function::Eq { contents: false },
        _ => match (name.strip_prefix("old_"), name.strip_prefix("before_")) {
            (Some(ty), _) => Function::Old(ty),
            (_, Some(ty)) => Function::Before(ty),
            (None, None) => return None,
        },
    })
}

fn short_name(name: &str) -> Option<Function<'static>> {
    Some(match name {
        "sum" => Function::Sum(None),
        "old" => Function::Old(""),
        "before" => Function::Before(""),
        "eq" => Function::Eq { contents: true },
        _ => return None,
    })
}

impl<'s, 'a> Body<'s, 'a> {
    pub(super) fn spec_expression(&mut self, spec: SpecExpr, ty: TyId, span: Span) -> Expr {
        Expr { kind: ExprKind::Spec(spec), ty, span }
    }

    /// A variable of an annotation.
    pub fn bound_var(&mut self, name: &str, ty: TyId, span: Span) -> VarId {
        self.sema.hir.vars.push(Var {
            name: name.to_owned(),
            kind: VarKind::Bound,
            ty,
            span,
            contract: None,
            visibility: Visibility::Internal,
            init: None,
            getter: None,
            overrides: Vec::new(),
        })
    }

    /// A name that means something of its own in annotations.
    pub fn spec_name(&mut self, name: &'a pt::Identifier) -> Option<Expr> {
        let scope = self.spec.as_ref()?;
        let span = span_of(&name.loc);
        if let Some(quantifier) = scope.quantifier_at(span.start) {
            return Some(self.quantified(quantifier, span));
        }
        let reserved = name.name.starts_with("__verifier_idx_");
        let free =
            || self.locals.get(&name.name).is_none() && self.sema.lookup(self.scope, &name.name).is_empty();
        if reserved || (name.name == "_" && free()) {
            self.error(span, format!("`{}` stands for all indices, inside a sum only", name.name));
            return Some(self.error_expr(span));
        }
        None
    }

    fn quantified(&mut self, q: &'a Quantifier, word: Span) -> Expr {
        let outer = self.locals.enter();
        let array = match &q.range {
            Range::Property(array) => Some(self.expr(array)),
            Range::Forall(_) | Range::Exists(_) => None,
        };
        let mut vars = Vec::with_capacity(q.vars.len());
        for (i, name) in q.vars.iter().enumerate() {
            let ty = match &q.range {
                Range::Forall(types) | Range::Exists(types) => self.quantified_type(&types[i]),
                Range::Property(_) => self.uint(),
            };
            let var = self.bound_var(&name.name, ty, span_of(&name.loc));
            self.locals.add(&name.name, var);
            vars.push(var);
        }
        let body = self.expr(&q.body);
        let bool_ty = self.sema.hir.types.bool();
        self.expect(&body, bool_ty);
        self.locals.leave(outer);
        let body = match array {
            Some(array) => self.inside_bounds(array, &vars, body),
            None => body,
        };
        let forall = !matches!(q.range, Range::Exists(_));
        let span = Span { end: q.end, ..word };
        self.spec_expression(SpecExpr::Quantified { forall, vars, body: Box::new(body) }, bool_ty, span)
    }

    fn quantified_type(&mut self, ty: &'a pt::Expression) -> TyId {
        let found = self.sema.type_name(ty, self.scope, None);
        let is_value = self.sema.hir.types.loc(found).is_none()
            && !matches!(self.ty(found), Ty::Mapping { .. } | Ty::Function(_));
        if is_value {
            return found;
        }
        self.error(span_of(&ty.loc()), "quantified variables have value types");
        self.sema.hir.types.error()
    }

    /// `!(i < a.length && j < a.length) || body`
    fn inside_bounds(&mut self, array: Expr, vars: &[VarId], body: Expr) -> Expr {
        let is_array = match self.ty(array.ty) {
            Ty::Array { .. } | Ty::Bytes(_) | Ty::Slice(_) => true,
            Ty::Error => return body,
            _ => false,
        };
        if !is_array {
            self.error(array.span, "a property is about the elements of an array");
            return body;
        }
        let (uint, bool_ty) = (self.uint(), self.sema.hir.types.bool());
        let span = array.span;
        let length = ExprKind::Member {
            base: Box::new(array),
            name: "length".to_owned(),
            member: Member::Builtin(Builtin::Length),
        };
        let length = Expr { kind: length, ty: uint, span };
        let binary = |op, left: Expr, right: Expr, common| {
            let (left, right) = (Box::new(left), Box::new(right));
            Expr { kind: ExprKind::Binary { op, left, right, common, function: None }, ty: bool_ty, span }
        };
        let mut guarded = body;
        for &var in vars.iter().rev() {
            let index = Expr { kind: ExprKind::Name(Ref::Var(var)), ty: uint, span };
            let outside = binary(BinaryOp::Ge, index, length.clone(), uint);
            guarded = binary(BinaryOp::Or, outside, guarded, bool_ty);
        }
        guarded
    }

    /// A call of a function that only annotations have.
    pub fn spec_call(
        &mut self,
        callee: &'a pt::Expression,
        args: &'a [pt::Expression],
        span: Span,
    ) -> Option<Expr> {
        self.spec.as_ref()?;
        let pt::Expression::Variable(name) = callee else { return None };
        let own =
            || self.locals.get(&name.name).is_some() || !self.sema.lookup(self.scope, &name.name).is_empty();
        let function = match long_name(&name.name) {
            Some(function) => function,
            None => short_name(&name.name).filter(|_| !own())?,
        };
        let wanted = if matches!(function, Function::Eq { .. }) { 2 } else { 1 };
        if args.len() != wanted {
            let s = if wanted == 1 { "" } else { "s" };
            self.error(span, format!("`{}` takes {wanted} argument{s}", name.name));
            return Some(self.error_expr(span));
        }
        Some(match function {
            Function::Sum(signed) => self.sum(&args[0], signed, &name.name, span),
            Function::Old(ty) => self.other_state(&args[0], ty, States::Old, name, span),
            Function::Before(ty) => self.other_state(&args[0], ty, States::Before, name, span),
            Function::Eq { contents } => self.deep_eq(&args[0], &args[1], contents, span),
        })
    }

    /// `old(x)` and `before(x)`.
    fn other_state(
        &mut self,
        arg: &'a pt::Expression,
        ty: &str,
        wanted: States,
        name: &'a pt::Identifier,
        span: Span,
    ) -> Expr {
        let value = self.expr(arg);
        if self.spec.as_ref().map(|s| s.states) != Some(wanted) {
            let message = match wanted {
                States::Before => "only postconditions of events speak about the state before the change",
                States::One | States::Old => {
                    "only postconditions and loop invariants of functions speak about an old state"
                }
            };
            self.error(span, message);
            return self.error_expr(span);
        }
        let ty = match ty {
            // Of these there is no value to convert to.
            "" | "bytes" | "string" => self.sema.hir.mobile(value.ty),
            _ => match elementary(ty) {
                Some(ty) => Some(self.intern(ty)),
                None => {
                    self.error(span_of(&name.loc), format!("undeclared identifier `{}`", name.name));
                    return self.error_expr(span);
                }
            },
        };
        let ty = ty.unwrap_or(value.ty);
        self.expect(&value, ty);
        let value = Box::new(value);
        let spec = if wanted == States::Before { SpecExpr::Before(value) } else { SpecExpr::Old(value) };
        self.spec_expression(spec, ty, span)
    }

    fn deep_eq(
        &mut self,
        left: &'a pt::Expression,
        right: &'a pt::Expression,
        contents: bool,
        span: Span,
    ) -> Expr {
        let (left, right) = (self.expr(left), self.expr(right));
        let bool_ty = self.sema.hir.types.bool();
        if self.is_error(left.ty) || self.is_error(right.ty) {
            return self.error_expr(span);
        }
        let has_contents = |body: &Self, ty: TyId| {
            body.sema.hir.types.loc(ty).is_some()
                || matches!(body.ty(ty), Ty::Mapping { .. } | Ty::StringLiteral(_))
        };
        if !has_contents(self, left.ty) && !has_contents(self, right.ty) {
            let message = "`==` compares values; this function is for arrays, structs, mappings and strings";
            self.sema.diags.push(Diagnostic::warning(span, message));
            return self.binary_of(BinaryOp::Eq, left, right, span);
        }
        let comparable = |body: &mut Self, ty: TyId| body.sema.hir.mobile(ty).unwrap_or(ty);
        let (a, b) = (comparable(self, left.ty), comparable(self, right.ty));
        if !self.sema.hir.same_contents(a, b) {
            let message =
                format!("cannot compare `{}` with `{}`", self.text_of(left.ty), self.text_of(right.ty));
            self.error(span, message);
            return self.error_expr(span);
        }
        let object = |ty: &Ty| matches!(ty, Ty::Struct(_, Loc::Memory) | Ty::Array { loc: Loc::Memory, .. });
        let same_object = !contents && object(self.ty(a)) && object(self.ty(b));
        let (left, right) = (Box::new(left), Box::new(right));
        self.spec_expression(SpecExpr::DeepEq { left, right, same_object }, bool_ty, span)
    }

    /// The negation of a condition.
    pub fn negated(&mut self, operand: Expr) -> Expr {
        let (ty, span) = (self.sema.hir.types.bool(), operand.span);
        let operand = Box::new(operand);
        Expr { kind: ExprKind::Unary { op: UnaryOp::Not, operand, function: None }, ty, span }
    }
}

/// The type that a suffix such as that of `__verifier_old_uint` names.
pub(super) fn elementary(name: &str) -> Option<Ty> {
    let bits = |text: &str| match text {
        "" => Some(256u16),
        _ => text.parse().ok().filter(|n: &u16| n.is_multiple_of(8) && (8..=256).contains(n)),
    };
    Some(match name {
        "bool" => Ty::Bool,
        "address" => Ty::Address { payable: false },
        _ => {
            if let Some(width) = name.strip_prefix("uint") {
                Ty::Int { bits: bits(width)?, signed: false }
            } else if let Some(width) = name.strip_prefix("int") {
                Ty::Int { bits: bits(width)?, signed: true }
            } else {
                let width: u8 = name.strip_prefix("bytes")?.parse().ok()?;
                (1..=32).contains(&width).then_some(Ty::FixedBytes(width))?
            }
        }
    })
}
