//! Annotations of contracts, functions, loops and events: which of them may stand where, and what they see there.

use super::bodies::Body;
use super::spec_expr::{SpecScope, States};
use super::{DeclScope, Sema};
use crate::hir::{
    BinaryOp, Builtin, ContractId, EventId, EventSpec, Expr, ExprKind, FunctionId, FunctionSpec, LoopSpec,
    Member, Ref, SpecClause, SpecExpr as HirSpecExpr, SpecModifies, Ty, VarId, VarKind,
};
use crate::parse::{Annotation, Form, SpecExpr};
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::Id;
use hornet_ir::span::Span;
use solang_parser::pt;

/// Types the annotations of all declarations; those of loops were typed with the bodies around them.
pub(super) fn check(sema: &mut Sema<'_>) {
    for id in sema.hir.contracts.ids() {
        contract(sema, id);
    }
    for index in 0..sema.pending.functions.len() {
        function(sema, FunctionId::from_usize(index));
    }
    for id in sema.hir.events.ids() {
        event(sema, id);
    }
    report_lost(sema);
}

fn contract(sema: &mut Sema<'_>, id: ContractId) {
    let scope = sema.contract_scope(id);
    let mut places = vec![(sema.hir.contracts[id].span, "contracts")];
    places.extend(sema.hir.contracts[id].state.iter().map(|v| (sema.hir.vars[*v].span, "state variables")));
    let mut invariants = Vec::new();
    for (span, what) in places {
        for annotation in sema.annotations(span) {
            let mut body = Body::new(sema, scope);
            match body.readable(annotation) {
                None => {}
                Some(Form::Invariant(e)) => invariants.push(body.clause(e, States::One)),
                Some(_) => body.misplaced(annotation, what),
            }
        }
    }
    sema.hir.contracts[id].invariants = invariants;
}

fn function(sema: &mut Sema<'_>, id: FunctionId) {
    let annotations = sema.annotations(sema.hir.functions[id].span);
    if annotations.is_empty() {
        return;
    }
    let scope = sema.function_scope(id);
    let mut spec = FunctionSpec::default();
    for annotation in annotations {
        let mut body = Body::new(sema, scope);
        body.enter_params(id);
        body.function_annotation(annotation, id, &mut spec);
    }
    let claims = |a: &Annotation| !matches!(a.form, Ok(Form::Gas(_)));
    if annotations.iter().any(claims) {
        sema.hir.functions[id].spec = Some(Box::new(spec));
    }
}

fn event(sema: &mut Sema<'_>, id: EventId) {
    let event = &sema.hir.events[id];
    let (span, contract) = (event.span, event.contract);
    let params: Vec<_> = event.params.iter().map(|p| (p.name.clone(), p.ty)).collect();
    let annotations = sema.annotations(span);
    if annotations.is_empty() {
        return;
    }
    let scope = DeclScope { file: span.file, contract };
    let mut spec = EventSpec {
        args: Vec::new(),
        tracks: Vec::new(),
        pre: Vec::new(),
        post: Vec::new(),
        allow_no_change: false,
        span,
    };
    let mut body = Body::new(sema, scope);
    if contract.is_none() {
        // It reports on no contract's data in particular.
        return body.misplaced(&annotations[0], "events outside contracts");
    }
    spec.args = params.into_iter().map(|(name, ty)| body.bound_var(&name, ty, span)).collect();
    spec.args.iter().for_each(|var| body.bring_in(*var));
    for annotation in annotations {
        body.event_annotation(annotation, &mut spec);
    }
    sema.hir.events[id].spec = Some(Box::new(spec));
}

/// Claims that stand where nobody looks for them would silently be no claims.
fn report_lost(sema: &mut Sema<'_>) {
    let sources = sema.sources;
    for file in &sources.files {
        for (at, annotations) in &file.annotations {
            if sema.annotated.contains(&(file.file, *at)) {
                continue;
            }
            for annotation in annotations.iter().filter(|a| a.form.is_ok()) {
                let message = "this annotation says nothing: what follows it cannot be annotated";
                sema.diags.push(Diagnostic::warning(annotation.span, message));
            }
        }
    }
}

impl<'a> Sema<'a> {
    /// The annotations before something.
    fn annotations(&mut self, span: Span) -> &'a [Annotation] {
        let sources = self.sources;
        self.annotated.insert((span.file, span.start as usize));
        sources.file(span.file).annotations_before(span.start as usize)
    }
}

impl<'s, 'a> Body<'s, 'a> {
    /// What an annotation says; errors in it are reported.
    fn readable(&mut self, annotation: &'a Annotation) -> Option<&'a Form> {
        match &annotation.form {
            Ok(form) => Some(form),
            Err(errors) => {
                self.sema.diags.extend(errors.iter().cloned());
                None
            }
        }
    }

    fn misplaced(&mut self, annotation: &Annotation, what: &str) {
        self.error(annotation.span, format!("`{}` says nothing about {what}", annotation.keyword));
    }

    fn spec_expr(&mut self, e: &'a SpecExpr, states: States) -> Expr {
        let outer = self.spec.replace(SpecScope::new(&e.quantifiers, states));
        let typed = self.expr(&e.expr);
        self.spec = outer;
        typed
    }

    fn clause(&mut self, e: &'a SpecExpr, states: States) -> SpecClause {
        let expr = self.spec_expr(e, states);
        let bool_ty = self.sema.hir.types.bool();
        self.expect(&expr, bool_ty);
        SpecClause { expr, span: e.span, text: e.text.clone() }
    }

    /// Of a `for`, `while` or `do`.
    pub fn loop_spec(&mut self, span: Span) -> LoopSpec {
        let mut spec = LoopSpec::default();
        for annotation in self.sema.annotations(span) {
            match self.readable(annotation) {
                None => {}
                Some(Form::Invariant(e)) => {
                    let clause = self.clause(e, States::Old);
                    spec.invariants.push(clause);
                }
                Some(Form::ContractInvariants) => spec.contract_invariants = true,
                Some(_) => self.misplaced(annotation, "loops"),
            }
        }
        spec
    }

    fn enter_params(&mut self, id: FunctionId) {
        for var in self.sema.hir.functions[id].params.clone() {
            self.bring_in(var);
        }
    }

    fn enter_results(&mut self, id: FunctionId) {
        for var in self.sema.hir.functions[id].returns.clone() {
            self.bring_in(var);
        }
    }

    fn function_annotation(&mut self, annotation: &'a Annotation, id: FunctionId, spec: &mut FunctionSpec) {
        let Some(form) = self.readable(annotation) else { return };
        match form {
            Form::Precondition(e) => spec.pre.push(self.clause(e, States::One)),
            Form::SucceedsIf(e) => spec.succeeds_if.push(self.clause(e, States::One)),
            Form::RevertsIf(e) => spec.reverts_if.push(self.clause(e, States::One)),
            Form::Postcondition(e) => {
                self.enter_results(id);
                spec.post.push(self.clause(e, States::Old));
            }
            Form::Cases(cases) => {
                for case in cases {
                    let cond = self.clause(&case.cond, States::One).expr;
                    let mut inner = Body::new(self.sema, self.scope);
                    inner.enter_params(id);
                    inner.enter_results(id);
                    let then = inner.clause(&case.then, States::Old).expr;
                    let expr = inner.implied_by_old(cond, then, case.span);
                    spec.post.push(SpecClause { expr, span: case.span, text: case.text.clone() });
                }
            }
            Form::Modifies { target, cond, text } => {
                let target = target.as_deref().map(|e| self.modifies_target(e));
                let cond = cond.as_deref().map(|e| self.clause(e, States::One).expr);
                let span = annotation.span;
                spec.modifies.push(SpecModifies { target, cond, span, text: text.clone() });
            }
            Form::Emits(e) => spec.emits.extend(self.events_named(e)),
            Form::ContractInvariants => spec.contract_invariants = true,
            Form::Gas(budget) => self.sema.hir.functions[id].budgets.push(budget.clone()),
            Form::Invariant(_) | Form::Tracks(_) | Form::AllowNoChange => {
                self.misplaced(annotation, "functions");
            }
        }
    }

    /// `!old(cond) || then`
    fn implied_by_old(&mut self, cond: Expr, then: Expr, span: Span) -> Expr {
        let bool_ty = self.sema.hir.types.bool();
        let old =
            Expr { ty: bool_ty, span: cond.span, kind: ExprKind::Spec(HirSpecExpr::Old(Box::new(cond))) };
        let unless = self.negated(old);
        let (left, right) = (Box::new(unless), Box::new(then));
        let kind = ExprKind::Binary { op: BinaryOp::Or, left, right, common: bool_ty, function: None };
        Expr { kind, ty: bool_ty, span }
    }

    fn modifies_target(&mut self, e: &'a SpecExpr) -> Expr {
        let target = self.spec_expr(e, States::One);
        if !self.is_error(target.ty) && !self.can_be_modified(&target) {
            self.error(e.span, "only what is in storage and the balances of addresses can be modified");
        }
        target
    }

    fn can_be_modified(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Name(Ref::Var(var)) | ExprKind::Member { member: Member::Decl(Ref::Var(var)), .. } => {
                let var = &self.sema.hir.vars[*var];
                match var.kind {
                    VarKind::State | VarKind::Transient | VarKind::Immutable => true,
                    // What it points to.
                    VarKind::Param => self.is_in_storage(var.ty),
                    VarKind::Return | VarKind::Local | VarKind::Constant | VarKind::Bound => false,
                }
            }
            ExprKind::Member { base, member: Member::Field(_), .. } => self.can_be_modified(base),
            ExprKind::Member { base, member: Member::Builtin(Builtin::Length), .. } => {
                self.can_be_modified(base)
            }
            ExprKind::Member { member: Member::Builtin(Builtin::Balance), .. } => true,
            ExprKind::Index { base, .. } => self.can_be_modified(base),
            ExprKind::Tuple(parts) => {
                matches!(parts.as_slice(), [Some(inner)] if self.can_be_modified(inner))
            }
            _ => false,
        }
    }

    fn is_in_storage(&self, ty: crate::hir::TyId) -> bool {
        matches!(self.ty(ty), Ty::Mapping { .. })
            || self.sema.hir.types.loc(ty).is_some_and(crate::hir::Loc::is_storage)
    }

    /// The events that a name stands for, overloads included.
    fn events_named(&mut self, e: &'a SpecExpr) -> Vec<EventId> {
        let path = path_of(&e.expr);
        let found = match &path {
            Some(path) => self.sema.lookup_path(path.iter().copied(), self.scope),
            None => super::Refs::from([]),
        };
        let events: Vec<EventId> = found
            .iter()
            .filter_map(|r| match r {
                Ref::Event(id) => Some(*id),
                _ => None,
            })
            .collect();
        if events.is_empty() {
            self.error(e.span, format!("`{}` is not an event", e.text));
        }
        events
    }

    fn event_annotation(&mut self, annotation: &'a Annotation, spec: &mut EventSpec) {
        let Some(form) = self.readable(annotation) else { return };
        match form {
            Form::Precondition(e) => spec.pre.push(self.clause(e, States::One)),
            Form::Postcondition(e) => spec.post.push(self.clause(e, States::Before)),
            Form::Tracks(e) => spec.tracks.extend(self.tracked(e)),
            Form::AllowNoChange => spec.allow_no_change = true,
            Form::Invariant(_)
            | Form::Modifies { .. }
            | Form::Emits(_)
            | Form::Cases(_)
            | Form::ContractInvariants
            | Form::SucceedsIf(_)
            | Form::RevertsIf(_)
            | Form::Gas(_) => self.misplaced(annotation, "events"),
        }
    }

    fn tracked(&mut self, e: &'a SpecExpr) -> Option<VarId> {
        let target = self.spec_expr(e, States::One);
        match target.kind {
            ExprKind::Name(Ref::Var(var)) | ExprKind::Member { member: Member::Decl(Ref::Var(var)), .. }
                if self.sema.hir.vars[var].kind == VarKind::State =>
            {
                Some(var)
            }
            ExprKind::Error => None,
            _ => {
                self.error(e.span, "changes can be tracked in state variables only");
                None
            }
        }
    }
}

/// The names of a dotted name.
fn path_of(e: &pt::Expression) -> Option<Vec<&pt::Identifier>> {
    match e {
        pt::Expression::Variable(name) => Some(vec![name]),
        pt::Expression::MemberAccess(_, base, name) => {
            let mut path = path_of(base)?;
            path.push(name);
            Some(path)
        }
        _ => None,
    }
}
