//! Statements.

use super::executor::{Executor, Run};
use super::flow::Flow;
use super::goals::Subject;
use super::policy::Policy;
use crate::context::WORD;
use crate::{Res, Scope, Tree, Unsupported, Var};
use hornet_ir::expr::{EnvVar, Expr, Root};
use hornet_ir::ids::{LocalId, ObligationId, PlaceId, StateVarId, TypeId};
use hornet_ir::program::{AllocInit, ObligationKind, StateKind, Stmt, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_ir::{U256, layout};
use hornet_smt::term::{Op, Sort, TermId};

/// Beside the variables of an activation: how much gas there was when it last asked.
pub(super) const GAS_METER: LocalId = LocalId(u32::MAX);

impl<'p> Executor<'p> {
    /// Runs a statement; false if control does not get past it.
    pub fn stmt(&mut self, run: &mut Run<'p>, flow: &mut Flow, stmt: &'p Stmt) -> Res<bool> {
        match &stmt.kind {
            StmtKind::Assign { dst, value } => {
                let value = match self.program.exprs.get(*value) {
                    Expr::Env(EnvVar::GasLeft) => self.gas_left(run, flow, self.program.exprs.ty(*value))?,
                    _ => self.assigned(run, flow, *value)?,
                };
                self.set(run, flow, *dst, value);
            }
            StmtKind::Store { place, value } => {
                self.check_written(run, flow, *place, stmt.span)?;
                let value = self.eval(flow, &run.proc.locals, run.frame, *value)?;
                self.writing(run, flow, |cx, scope, state| cx.store(scope, state, *place, &value))?;
            }
            StmtKind::Delete { place } => {
                self.check_written(run, flow, *place, stmt.span)?;
                self.writing(run, flow, |cx, scope, state| cx.delete(scope, state, *place))?;
            }
            StmtKind::SetLength { place, length } => {
                self.check_written(run, flow, *place, stmt.span)?;
                let length = self.scalar(flow, &run.proc.locals, run.frame, *length)?;
                self.writing(run, flow, |cx, scope, state| cx.set_length(scope, state, *place, length))?;
            }
            StmtKind::Havoc { dst } => {
                let var = self.local(run.proc, run.frame, *dst);
                self.cx.havoc(&mut flow.state, var)?;
            }
            StmtKind::Assume { cond } => {
                let cond = self.scalar(flow, &run.proc.locals, run.frame, *cond)?;
                flow.assume(&self.cx.terms, cond);
            }
            StmtKind::Check { obligation, cond } => {
                let cond = self.scalar(flow, &run.proc.locals, run.frame, *cond)?;
                self.check(run, flow, *obligation, cond);
            }
            StmtKind::Call { dsts, callee, args } => return self.call(run, flow, stmt, dsts, callee, args),
            StmtKind::Alloc { dst, init } => {
                let reference = self.alloc(run, flow, init)?;
                self.set(run, flow, *dst, [reference].into());
            }
            StmtKind::Decode { dsts, types, strict, data, ok, error } => {
                let (whole, offset) = if self.follows_paths() { self.cut_bytes(*data) } else { (*data, 0) };
                let bytes = self.eval(flow, &run.proc.locals, run.frame, whole)?;
                self.decode(run, flow, dsts, (types, *strict), (&bytes, offset), (*ok, *error))?;
            }
            StmtKind::ExternalCall(call) => self.external_call(run, flow, stmt, call)?,
            StmtKind::Create(create) => self.create(run, flow, stmt, create)?,
            StmtKind::Emit { event, args, .. } => {
                let values = args.iter().map(|a| {
                    Ok((self.program.exprs.ty(*a), self.eval(flow, &run.proc.locals, run.frame, *a)?))
                });
                let args = values.collect::<Res<Vec<_>>>()?;
                if let Some(event) = event.filter(|_| !self.is_abroad()) {
                    self.emit(flow, run.frame, event, &args, stmt.span.unwrap_or(self.span));
                }
            }
            StmtKind::SelfDestruct { beneficiary } => {
                let beneficiary = self.scalar(flow, &run.proc.locals, run.frame, *beneficiary)?;
                self.must_act(flow);
                self.self_destruct(flow, beneficiary)?;
                run.exit.halts.push(flow.clone());
                return Ok(false);
            }
            StmtKind::Evm { op, args, dsts } => {
                self.raw(run, flow, (*op, args, dsts), stmt.span.unwrap_or(self.span))?;
            }
            StmtKind::Unsupported { what } => return Err(Unsupported::new(what.clone())),
        }
        Ok(!flow.is_dead(&mut self.cx.terms))
    }

    /// Less than when the same activation last asked, and more than nothing: else nobody would get to know.
    fn gas_left(&mut self, run: &Run<'p>, flow: &mut Flow, ty: TypeId) -> Res<Tree> {
        let meter = Var::Local(run.frame, GAS_METER, ty);
        let before = self.cx.get(&flow.state, meter)?[0];
        self.cx.admit_environment(EnvVar::GasLeft, before);
        let now = self.cx.fresh("gasleft", ty)?;
        let nothing = self.cx.word(0);
        for (less, more) in [(nothing, now[0]), (now[0], before)] {
            let not_less = self.at_most(more, less);
            let spent = self.cx.terms.not(not_less);
            flow.assume(&self.cx.terms, spent);
        }
        flow.state.set(meter, now.clone());
        Ok(now)
    }

    pub fn set(&mut self, run: &Run<'p>, flow: &mut Flow, dst: LocalId, value: Tree) {
        let var = self.local(run.proc, run.frame, dst);
        flow.state.set(var, value);
    }

    /// What is written through a reference to an element that was removed would be found by whoever adds one again.
    fn check_written(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        place: PlaceId,
        span: Option<Span>,
    ) -> Res<()> {
        let root = self.program.exprs.place(place).root;
        let lasts = |var: StateVarId| self.program.state[var].kind != StateKind::Transient;
        if matches!(root, Root::Storage(_)) || matches!(root, Root::State(var) if lasts(var)) {
            self.must_act(flow);
        }
        let Root::Storage(reference) = root else { return Ok(()) };
        let ty = self.program.exprs.ty(reference);
        let value = self.eval(flow, &run.proc.locals, run.frame, reference)?;
        self.check_reference(flow, ty, &value, span)
    }

    /// Goes on only with references that lead to something that is there; others are a gap.
    pub fn check_reference(
        &mut self,
        flow: &mut Flow,
        ty: TypeId,
        reference: &Tree,
        span: Option<Span>,
    ) -> Res<()> {
        let Type::StorageRef(tree) = self.program.types.get(ty) else { return Ok(()) };
        let valid = self.cx.leads_inside(&flow.state, *tree, reference)?;
        let parts = match self.cx.terms.op(valid) {
            Op::And => self.cx.terms.args(valid).to_vec(),
            _ => vec![valid],
        };
        let known = |part: &TermId| {
            let is_true = self.cx.terms.as_bool(*part) == Some(true);
            is_true || flow.known.contains(part) || self.cx.is_fact(*part)
        };
        if parts.iter().all(known) {
            return Ok(());
        }
        let mut dangling = flow.clone();
        let invalid = self.cx.terms.not(valid);
        dangling.assume(&self.cx.terms, invalid);
        self.gap(&dangling, Unsupported::new("use of a reference to an element that was removed"), span);
        flow.assume(&self.cx.terms, valid);
        Ok(())
    }

    /// Gives a write the scope of the state before it.
    fn writing(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        write: impl FnOnce(&mut crate::Context<'p>, &Scope, &mut crate::State) -> Res<()>,
    ) -> Res<()> {
        let before = flow.clone();
        let state = &mut flow.state;
        self.scoped(&before, &run.proc.locals, run.frame, |cx, scope| write(cx, scope, state))
    }

    /// Whether a check of the IR is one of this engine: overflow that the language lets pass is looked for elsewhere, and
    /// lack of ether makes a call fail, which is an expected failure for modular rules.
    pub fn is_stated(&self, obligation: ObligationId) -> bool {
        let decl = &self.program.obligations[obligation];
        let modular = self.policy == Policy::Annotations && !self.states_ether;
        let expected = decl.kind == ObligationKind::InsufficientBalance && modular;
        !decl.silent && !expected
    }

    fn check(&mut self, run: &Run<'p>, flow: &mut Flow, obligation: ObligationId, cond: TermId) {
        let decl = &self.program.obligations[obligation];
        if decl.silent {
            return self.note_overflow(flow, cond, decl.span);
        }
        if !self.is_stated(obligation) {
            return;
        }
        let message = failure(decl.kind).to_owned();
        let subject = Subject { kind: decl.kind, span: decl.span, annotation: None, message };
        self.goal(subject, flow, run.frame, cond);
    }

    /// Overflow that the language lets pass is remembered, and reported where it could not be caught any more.
    fn note_overflow(&mut self, flow: &mut Flow, fits: TermId, span: hornet_ir::span::Span) {
        if !self.detects_overflow() || self.cx.terms.as_bool(fits) == Some(true) {
            return;
        }
        let Ok(flag) = self.cx.get(&flow.state, Var::Overflow) else { return };
        let wraps = self.cx.terms.not(fits);
        let reach = flow.reach(&mut self.cx.terms);
        let here = self.cx.terms.and(reach, wraps);
        self.overflows.push((here, span));
        let flag = self.cx.terms.or(flag[0], wraps);
        flow.state.set(Var::Overflow, [flag].into());
    }

    fn alloc(&mut self, run: &Run<'p>, flow: &mut Flow, init: &AllocInit) -> Res<TermId> {
        match init {
            AllocInit::Zero(ty) => {
                let zero = self.cx.zero(*ty)?;
                self.cx.allocate(&mut flow.state, *ty, &zero)
            }
            AllocInit::Array(ty, length) => {
                let length = self.scalar(flow, &run.proc.locals, run.frame, *length)?;
                let mut zero = self.cx.zero(*ty)?.to_vec();
                if let Some(first) = zero.first_mut() {
                    *first = length;
                }
                self.cx.allocate(&mut flow.state, *ty, &zero.into())
            }
            AllocInit::Copy(ty, source) => {
                let value = self.eval(flow, &run.proc.locals, run.frame, *source)?;
                let from = self.program.exprs.ty(*source);
                let value = self.scoped(flow, &run.proc.locals, run.frame, |cx, scope| {
                    cx.deep_value_as(scope, from, *ty, &value)
                })?;
                self.cx.allocate(&mut flow.state, *ty, &value)
            }
        }
    }

    /// Decoded values are what was encoded, if that is known, else anything of their types. The encoding begins at an
    /// offset of the data.
    fn decode(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        dsts: &[LocalId],
        (types, strict): (&[TypeId], bool),
        (data, offset): (&Tree, usize),
        (ok, error): (LocalId, LocalId),
    ) -> Res<()> {
        let (success, values) = self.decode_values(flow, (types, strict), data, offset)?;
        for ((dst, ty), value) in dsts.iter().zip(types).zip(values) {
            let is_tree = self.program.types.get(*ty).is_tree();
            let value =
                if is_tree { [self.cx.allocate(&mut flow.state, *ty, &value)?].into() } else { value };
            self.set(run, flow, *dst, value);
        }
        self.set(run, flow, ok, [success].into());
        let payload = self.cx.fresh_bytes("payload");
        self.set(run, flow, error, payload);
        Ok(())
    }

    /// Whether data can be decoded, and the values in it.
    fn decode_values(
        &mut self,
        flow: &mut Flow,
        (types, strict): (&[TypeId], bool),
        data: &Tree,
        offset: usize,
    ) -> Res<(TermId, Vec<Tree>)> {
        let data: Tree = data.iter().map(|term| flow.resolved(&mut self.cx.terms, *term)).collect();
        if let Some(known) = self.cx.decoded(types, &data).filter(|_| offset == 0) {
            return Ok((self.cx.terms.bool(true), known));
        }
        // Of several who may have answered, each has their own data.
        if let Some((cond, [then, other])) = self.alternatives(&data) {
            let (success, values) = self.decode_values(flow, (types, strict), &then, offset)?;
            let (otherwise, others) = self.decode_values(flow, (types, strict), &other, offset)?;
            let success = self.cx.terms.ite(cond, success, otherwise);
            let values = values.iter().zip(&others).map(|(a, b)| self.cx.ite(cond, a, b)).collect();
            return Ok((success, values));
        }
        if self.follows_paths() {
            self.decode_chosen(flow, (types, strict), &data, offset)
        } else {
            self.decode_unknown((types, strict), &data, offset)
        }
    }

    /// Bytes that are one or the other, by a condition.
    fn alternatives(&self, data: &Tree) -> Option<(TermId, [Tree; 2])> {
        let parts = |term: TermId| match (self.cx.terms.op(term), self.cx.terms.args(term)) {
            (Op::Ite, &[cond, then, other]) => Some((cond, then, other)),
            _ => None,
        };
        let (cond, then, other) = parts(data[1])?;
        let (short, long) = match parts(data[0]) {
            Some((same, short, long)) if same == cond => (short, long),
            _ => (data[0], data[0]),
        };
        Some((cond, [[short, then].into(), [long, other].into()]))
    }

    /// Decodes bytes that nobody knows. Whatever comes out, the same comes out of the same bytes again; said of numbers and
    /// the like only.
    fn decode_unknown(
        &mut self,
        (types, strict): (&[TypeId], bool),
        data: &Tree,
        offset: usize,
    ) -> Res<(TermId, Vec<Tree>)> {
        let key = (types.to_vec(), data.clone(), offset);
        if let Some(before) = self.decodings.get(&key) {
            return Ok(before.clone());
        }
        let success = self.cx.terms.fresh("decoded", Sort::Bool);
        let values = types.iter().map(|ty| self.cx.fresh("decoded", *ty)).collect::<Res<Vec<_>>>()?;
        if types.iter().all(|ty| self.program.types.get(*ty).is_scalar()) {
            self.decodings.insert(key, (success, values.clone()));
        }
        let heads = layout::abi_heads_size(&self.program.types, types.iter().copied());
        let needed = self.cx.constant(&WORD, heads.wrapping_add(U256::from(offset)));
        let long_enough = self.at_most(needed, data[0]);
        let fact = self.cx.terms.implies(success, long_enough);
        self.cx.fact(fact);
        self.cx.admit_decoded(types, &values, (data[1], offset), success, strict);
        Ok((success, values))
    }
}

/// What went wrong, for obligations that come with the language.
pub fn failure(kind: ObligationKind) -> &'static str {
    match kind {
        ObligationKind::Assertion => "assertion might not hold",
        ObligationKind::Overflow => "arithmetic might overflow",
        ObligationKind::Underflow => "arithmetic might underflow",
        ObligationKind::DivisionByZero => "division by zero is possible",
        ObligationKind::OutOfBounds => "index might be out of bounds",
        ObligationKind::EmptyPop => "array might be empty",
        ObligationKind::EnumConversion => "conversion to enum might be out of range",
        ObligationKind::InsufficientBalance => "balance might be too low",
        ObligationKind::Invariant
        | ObligationKind::LoopInvariant
        | ObligationKind::Precondition
        | ObligationKind::Postcondition
        | ObligationKind::Modifies
        | ObligationKind::Emits
        | ObligationKind::EventPrecondition
        | ObligationKind::EventPostcondition
        | ObligationKind::Succeeds
        | ObligationKind::Reverts => "annotation might not hold",
    }
}
