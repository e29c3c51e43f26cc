//! Annotations to clauses of the IR.

use super::Lowering;
use super::func::FnLower;
use super::types::contract_id;
use crate::hir::{self, Builtin, Expr, ExprKind, Member, SpecClause};
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::{BoundId, ExprId, LocalId};
use hornet_ir::program::{ObligationKind, ProcKind};
use hornet_ir::span::Span;
use hornet_ir::spec::{BoundVar, Clause, EventSpec, Modifies, ModifiesTarget, Spec};

impl<'h> Lowering<'h> {
    /// What all contracts promise, and whether anybody speaks of modifications and events at all.
    pub(super) fn specs(&mut self) {
        let hir = self.hir;
        for id in hir.contracts.ids() {
            let (invariants, event_specs) = {
                let span = hir.contracts[id].span;
                let mut f = FnLower::new(self, "", ProcKind::Internal, Some(id), Some(span));
                (f.contract_invariants(ObligationKind::Invariant), f.event_specs(id))
            };
            let contract = &mut self.program.contracts[contract_id(id)];
            (contract.invariants, contract.event_specs) = (invariants, event_specs);
        }
        let specs = || hir.functions.iter().filter_map(|f| f.spec.as_deref());
        self.program.modifies_checked = specs().any(|s| !s.modifies.is_empty());
        self.program.events_checked =
            specs().any(|s| !s.emits.is_empty()) || hir.events.iter().any(|e| e.spec.is_some());
    }

    /// An error in an annotation, once however often the annotation is lowered.
    pub(super) fn spec_error(&mut self, span: Span, message: impl Into<String>) {
        let error = Diagnostic::error(span, message);
        if !self.diags.contains(&error) {
            self.diags.push(error);
        }
    }
}

impl<'h> FnLower<'_, 'h> {
    /// The invariants of the contract at hand, those of its most basic contract first.
    pub(super) fn contract_invariants(&mut self, kind: ObligationKind) -> Vec<Clause> {
        let hir = self.hir();
        let Some(context) = self.context else { return Vec::new() };
        let mut clauses = Vec::new();
        for &base in hir.contracts[context].linearized.iter().rev() {
            let contract = &hir.contracts[base];
            self.written_at(Some(base), contract.span, |f| {
                clauses.extend(f.clauses(&contract.invariants, kind));
            });
        }
        clauses
    }

    pub(super) fn loop_invariants(&mut self, spec: &'h hir::LoopSpec) -> Vec<Clause> {
        let mut clauses = Vec::new();
        if spec.contract_invariants {
            clauses = self.contract_invariants(ObligationKind::LoopInvariant);
        }
        clauses.extend(self.clauses(&spec.invariants, ObligationKind::LoopInvariant));
        clauses
    }

    /// The specification of a function whose parameters are those of the procedure at hand: its own annotations, else
    /// those of the functions without a body that it implements.
    pub(super) fn function_spec(&mut self, decl: &'h hir::Function) -> Option<Box<Spec>> {
        let mut stated = Vec::new();
        if decl.spec.is_some() {
            stated.push(decl);
        } else {
            self.implemented_specs(decl, &mut stated);
        }
        if stated.is_empty() {
            return None;
        }
        let mut lowered = Spec { results: self.result_locals(decl), ..Spec::default() };
        for owner in stated {
            if self.borrow_variables(decl, owner) {
                self.add_spec(owner, &mut lowered);
            }
        }
        Some(Box::new(lowered))
    }

    /// Functions without a body, but with annotations, that this one overrides.
    fn implemented_specs(&self, decl: &'h hir::Function, found: &mut Vec<&'h hir::Function>) {
        let hir = self.hir();
        for overridden in decl.overrides.iter().map(|f| &hir.functions[*f]) {
            if overridden.body.is_some() {
                continue;
            }
            if overridden.spec.is_none() {
                self.implemented_specs(overridden, found);
            } else if !found.iter().any(|f| std::ptr::eq(*f, overridden)) {
                found.push(overridden);
            }
        }
    }

    /// Makes the variables of the function that states a specification those of the function at hand.
    fn borrow_variables(&mut self, decl: &'h hir::Function, owner: &'h hir::Function) -> bool {
        let hir = self.hir();
        let own = decl.params.iter().chain(&decl.returns);
        for (own, stated) in own.zip(owner.params.iter().chain(&owner.returns)) {
            let local = self.var_local(*own);
            let wanted = self.ir_ty(hir.vars[*stated].ty);
            if self.b.local_type(local) != wanted {
                let message =
                    "this specification is about other data locations than the function that implements it";
                self.low.spec_error(hir.vars[*own].span, message);
                return false;
            }
            self.vars.insert(*stated, local);
        }
        true
    }

    fn add_spec(&mut self, owner: &'h hir::Function, lowered: &mut Spec) {
        let Some(spec) = owner.spec.as_deref() else { return };
        self.written_at(owner.contract, owner.span, |f| {
            if spec.contract_invariants {
                lowered.pre.extend(f.contract_invariants(ObligationKind::Precondition));
                lowered.post.extend(f.contract_invariants(ObligationKind::Postcondition));
            }
            lowered.pre.extend(f.clauses(&spec.pre, ObligationKind::Precondition));
            lowered.post.extend(f.clauses(&spec.post, ObligationKind::Postcondition));
            lowered.succeeds_if.extend(f.clauses(&spec.succeeds_if, ObligationKind::Succeeds));
            lowered.reverts_if.extend(f.clauses(&spec.reverts_if, ObligationKind::Reverts));
            lowered.modifies.extend(spec.modifies.iter().map(|m| f.modifies(m)));
            lowered.emits.extend(spec.emits.iter().map(|e| f.event_id(*e)));
        });
    }

    /// From here on the function's results are new locals, which stand for what is returned.
    fn result_locals(&mut self, decl: &hir::Function) -> Vec<LocalId> {
        decl.returns.iter().map(|&var| self.declare_var(var)).collect()
    }

    fn event_specs(&mut self, id: hir::ContractId) -> Vec<EventSpec> {
        let hir = self.hir();
        let mut specs = Vec::new();
        let bases = hir.contracts[id].linearized.iter().rev();
        for event in bases.flat_map(|base| &hir.contracts[*base].events) {
            let decl = &hir.events[*event];
            let Some(spec) = decl.spec.as_deref() else { continue };
            let mut lowered = EventSpec {
                event: self.event_id(*event),
                args: Vec::new(),
                tracks: spec.tracks.iter().filter_map(|v| self.low.state_var(self.context, *v)).collect(),
                pre: Vec::new(),
                post: Vec::new(),
                allow_no_change: spec.allow_no_change,
                span: spec.span,
            };
            lowered.args = spec.args.iter().map(|var| self.bind(*var)).collect();
            self.written_at(decl.contract, decl.span, |f| {
                lowered.pre = f.clauses(&spec.pre, ObligationKind::EventPrecondition);
                lowered.post = f.clauses(&spec.post, ObligationKind::EventPostcondition);
            });
            spec.args.iter().for_each(|var| self.unbind(*var));
            specs.push(lowered);
        }
        specs
    }

    /// Makes a variable of an annotation known. Its contents are its value: nothing is behind a reference.
    pub(super) fn bind(&mut self, var: hir::VarId) -> BoundId {
        let decl = &self.hir().vars[var];
        let ty = self.low.tree_ty(decl.ty);
        let program = &mut self.low.program;
        let id = *self
            .low
            .bound_vars
            .entry(var)
            .or_insert_with(|| program.bound_vars.push(BoundVar { name: decl.name.clone(), ty }));
        self.bind_to(var, id);
        id
    }

    /// As [`Self::bind`] for an index of a sum: the same sum has the same variables wherever it is written.
    pub(super) fn bind_index(&mut self, var: hir::VarId, position: usize) -> BoundId {
        let ty = self.low.tree_ty(self.hir().vars[var].ty);
        let program = &mut self.low.program;
        let id = *self
            .low
            .sum_vars
            .entry((position, ty))
            .or_insert_with(|| program.bound_vars.push(BoundVar { name: String::new(), ty }));
        self.bind_to(var, id);
        id
    }

    fn bind_to(&mut self, var: hir::VarId, id: BoundId) {
        let value = self.p().bound(id);
        self.bindings.insert(var, value);
    }

    pub(super) fn unbind(&mut self, var: hir::VarId) {
        self.bindings.remove(&var);
    }

    fn clauses(&mut self, clauses: &'h [SpecClause], kind: ObligationKind) -> Vec<Clause> {
        clauses.iter().map(|c| self.clause(c, kind)).collect()
    }

    fn clause(&mut self, clause: &'h SpecClause, kind: ObligationKind) -> Clause {
        let (holds, fits) = self.condition(&clause.expr);
        let checked = self.version.checked_arithmetic();
        let cond = if checked { self.p().and(holds, fits) } else { holds };
        let obligation = self.low.obligation(kind, clause.span, self.context);
        Clause { cond, fits, obligation, text: clause.text.clone() }
    }

    /// A condition as an expression, and whether all its arithmetic stays within its types.
    fn condition(&mut self, e: &'h Expr) -> (ExprId, ExprId) {
        let bool_ty = self.low.tys.bool();
        self.pure(e.span, |f| f.rvalue_as(e, bool_ty))
    }

    /// Evaluates in a mode in which nothing happens but the value: no checks, no effects.
    fn pure<T>(&mut self, span: Span, eval: impl FnOnce(&mut Self) -> T) -> (T, ExprId) {
        let outer = self.spec.replace(super::spec_expr::SpecMode::new(span));
        let unchecked = std::mem::replace(&mut self.unchecked, false);
        let (here, aside) = (self.b.current(), self.b.block());
        self.b.switch_to(aside);
        let errors = self.low.diags.len();
        let value = eval(self);
        let said = self.low.diags.len() > errors;
        if !said && (self.b.current() != aside || !self.b.is_untouched(aside)) {
            self.low.spec_error(
                span,
                "this needs more than evaluating an expression: not supported in annotations",
            );
        }
        self.b.switch_to(here);
        self.unchecked = unchecked;
        let mode = std::mem::replace(&mut self.spec, outer);
        let fits = self.all(&mode.map(|m| m.fits).unwrap_or_default());
        (value, fits)
    }

    /// The conjunction.
    pub(super) fn all(&mut self, conds: &[ExprId]) -> ExprId {
        let yes = self.p().const_bool(true);
        conds.iter().fold(yes, |all, cond| self.p().and(all, *cond))
    }

    fn modifies(&mut self, m: &'h hir::SpecModifies) -> Modifies {
        let target = match &m.target {
            None => ModifiesTarget::Everything,
            Some(target) => self.modifies_target(target),
        };
        let cond = m.cond.as_ref().map(|e| self.condition(e).0);
        Modifies { target, cond, span: m.span, text: m.text.clone() }
    }

    fn modifies_target(&mut self, e: &'h Expr) -> ModifiesTarget {
        match &e.kind {
            ExprKind::Tuple(parts) => {
                if let [Some(inner)] = parts.as_slice() {
                    return self.modifies_target(inner);
                }
            }
            ExprKind::Member { base, member: Member::Builtin(Builtin::Balance), .. } => {
                let (account, _) = self.pure(e.span, |f| f.raw(base));
                return ModifiesTarget::Balance(account);
            }
            ExprKind::Member { base, member: Member::Builtin(Builtin::Length), .. } => {
                let (place, _) = self.pure(e.span, |f| f.place_of(base));
                if let Some(place) = place {
                    return ModifiesTarget::Length(place);
                }
            }
            _ => {
                let (place, _) = self.pure(e.span, |f| f.place_of(e));
                if let Some(place) = place {
                    return ModifiesTarget::Place(place);
                }
            }
        }
        self.low.spec_error(e.span, "what this modifies is not understood");
        ModifiesTarget::Everything
    }

    /// A function's call in an annotation: its body, if it is nothing but an expression.
    pub(super) fn called_in_spec(&mut self, e: &'h Expr) -> Vec<ExprId> {
        match self.inlined(e) {
            Some(value) => vec![value],
            None => {
                self.low.spec_error(e.span, "function calls are not supported in annotations");
                let ty = self.ir_ty(e.ty);
                vec![self.p().default_of(ty)]
            }
        }
    }

    fn inlined(&mut self, e: &'h Expr) -> Option<ExprId> {
        use super::spec_expr::MOST_INLINED;
        let call = self.call_parts(e)?;
        let function = self.called_function(call.callee)?;
        let hir = self.hir();
        let decl = &hir.functions[function];
        let constant = matches!(decl.mutability, hir::Mutability::Pure | hir::Mutability::View);
        let [result] = decl.returns[..] else { return None };
        let body = match &decl.body.as_ref()?.stmts[..] {
            [hir::Stmt { kind: hir::StmtKind::Return(Some(body)), .. }] => body,
            _ => return None,
        };
        let mode = self.spec.as_mut()?;
        if !constant || !decl.modifiers.is_empty() || call.fn_ty.kind != hir::FnKind::Internal {
            return None;
        }
        if mode.inlined >= MOST_INLINED {
            return None;
        }
        mode.inlined += 1;
        let mut args = Vec::new();
        let params = &call.fn_ty.params;
        let mut given = 0;
        if let ExprKind::Member { base, member: Member::Attached(_), .. } = &call.callee.kind {
            args.push(self.rvalue_as(base, *params.first()?));
            given = 1;
        }
        args.extend(self.args_as(call.args, params.get(given..)?, call.eval_order));
        let outer: Vec<_> =
            decl.params.iter().zip(args).map(|(p, arg)| (*p, self.bindings.insert(*p, arg))).collect();
        let mut value = None;
        self.written_at(decl.contract, decl.span, |f| {
            value = Some(f.rvalue_as(body, hir.vars[result].ty));
        });
        for (param, before) in outer {
            match before {
                Some(value) => self.bindings.insert(param, value),
                None => self.bindings.remove(&param),
            };
        }
        if let Some(mode) = self.spec.as_mut() {
            mode.inlined -= 1;
        }
        value
    }
}
