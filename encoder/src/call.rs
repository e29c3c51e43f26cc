//! Internal calls: followed into, or replaced by the callee's specification.

use crate::exec::{Executor, Run};
use crate::flow::{Flow, join};
use hornet_ir::ids::{ExprId, LocalId, ProcId};
use hornet_ir::program::{Callee, ObligationKind, Proc, Stmt};
use hornet_ir::span::Span;
use hornet_symbolic::{Frame, Res, State, Tree, Var};

impl<'p> Executor<'p> {
    pub fn call(
        &mut self,
        run: &mut Run<'p>,
        flow: &mut Flow,
        stmt: &'p Stmt,
        dsts: &[LocalId],
        callee: &Callee,
        args: &[ExprId],
    ) -> Res<bool> {
        let args = args.iter().map(|a| self.eval(flow, run.proc, run.frame, *a)).collect::<Res<Vec<_>>>()?;
        let span = stmt.span.unwrap_or(self.span);
        if self.subject.is_none_or(|subject| *callee != Callee::Proc(subject) || self.active.len() > 1) {
            self.check_no_overflow(flow, run.frame, span, "silent overflow before the call of a function");
        }
        let results = match callee {
            Callee::Proc(id) if self.is_modular(*id) => self.call_by_spec(flow, *id, &args, span)?,
            Callee::Proc(id) if self.can_inline(*id) => match self.inline(run, flow, *id, &args) {
                Some(results) => results,
                None => return Ok(false),
            },
            Callee::Proc(id) => {
                if !self.not_inlined.contains(id) {
                    self.not_inlined.push(*id);
                }
                self.call_by_spec(flow, *id, &args, span)?
            }
            Callee::Pointer(_) => {
                let effects = self.effects.of_pointers().clone();
                self.havoc_effects(flow, &effects)?;
                let types = dsts.iter().map(|d| run.proc.locals[*d].ty);
                types.map(|ty| self.cx.fresh("result", ty)).collect::<Res<Vec<_>>>()?
            }
        };
        for (dst, value) in dsts.iter().zip(results) {
            self.set(run, flow, *dst, value);
        }
        Ok(!flow.is_dead(&mut self.cx.terms))
    }

    /// Whether a call means the callee's specification and not its code.
    pub fn is_modular(&self, id: ProcId) -> bool {
        if self.subject == Some(id) && self.active.len() == 1 {
            return false;
        }
        let proc = &self.program.procs[id];
        let specified = proc.spec.as_ref().is_some_and(|spec| !spec.is_empty());
        let guarded = self.is_public(proc) && !self.program.contracts[self.contract].invariants.is_empty();
        specified || guarded
    }

    fn is_public(&self, proc: &Proc) -> bool {
        proc.function.as_ref().is_some_and(|f| f.public) && proc.contract == Some(self.contract)
    }

    pub fn can_inline(&self, id: ProcId) -> bool {
        !self.active.contains(&id) && self.active.len() <= self.inline_depth as usize + 1
    }

    /// A new activation with its parameters set.
    pub fn activate(&mut self, flow: &mut Flow, id: ProcId, args: &[Tree]) -> Frame {
        let frame = self.new_frame();
        self.set_params(&mut flow.state, id, frame, args);
        frame
    }

    pub fn set_params(&mut self, state: &mut State, id: ProcId, frame: Frame, args: &[Tree]) {
        let proc = &self.program.procs[id];
        for (param, value) in proc.params.iter().zip(args) {
            state.set(Var::Local(frame, *param, proc.locals[*param].ty), value.clone());
        }
    }

    /// Runs the callee in place. `None` if it never returns.
    fn inline(&mut self, run: &mut Run<'p>, flow: &mut Flow, id: ProcId, args: &[Tree]) -> Option<Vec<Tree>> {
        let mut inner = flow.clone();
        let frame = self.activate(&mut inner, id, args);
        let exit = self.run(id, frame, inner);
        run.exit.halts.extend(exit.halts);
        run.exit.reverts.extend(exit.reverts);
        let (mut after, results) = exit.returns?;
        after.state.drop_frame(frame);
        *flow = after;
        Some(results)
    }

    /// Checks what the callee relies on, forgets what it may change, and assumes what it promises.
    pub fn call_by_spec(&mut self, flow: &mut Flow, id: ProcId, args: &[Tree], span: Span) -> Res<Vec<Tree>> {
        let program = self.program;
        let proc = &program.procs[id];
        let public = self.is_public(proc);
        if public {
            self.check_invariants(flow, span, "when the function is entered");
        }
        let frame = self.activate(flow, id, args);
        for clause in proc.spec.iter().flat_map(|spec| &spec.pre) {
            let place = (ObligationKind::Precondition, span, "when the function is entered");
            self.check_clause(flow, proc, frame, clause, place);
        }
        let before = flow.state.clone();
        self.check_emits_of(flow, frame, proc, span);
        let effects = self.effects.of(id).clone();
        self.check_no_pending_events(flow, frame, "before the call of a function");
        self.havoc_callee(flow, proc, frame, &effects)?;
        self.checkpoint_events(flow, &effects);
        let mut results = Vec::new();
        for ty in &proc.rets {
            results.push(self.cx.fresh("result", *ty)?);
        }
        if public {
            self.assume_invariants(flow);
        }
        self.assume_post(flow, proc, frame, args, &before, &results);
        flow.state.drop_frame(frame);
        Ok(results)
    }

    /// The callee's own `modifies` is better than what its code could do.
    fn havoc_callee(
        &mut self,
        flow: &mut Flow,
        proc: &Proc,
        frame: Frame,
        effects: &crate::effects::Effects,
    ) -> Res<()> {
        let before = flow.clone();
        self.havoc_effects(flow, effects)?;
        if self.checks_modifies() && proc.function.is_some() {
            self.restore_unmodified(&before, flow, proc, frame)?;
        }
        Ok(())
    }

    /// Postconditions, with parameters as they were passed.
    pub fn assume_post(
        &mut self,
        flow: &mut Flow,
        proc: &Proc,
        frame: Frame,
        args: &[Tree],
        before: &State,
        results: &[Tree],
    ) {
        let Some(spec) = &proc.spec else { return };
        self.set_results(flow, proc, frame, args, results);
        let entry = std::mem::replace(&mut self.entry, before.clone());
        for clause in &spec.post {
            self.assume_clause(flow, proc, frame, clause);
        }
        self.entry = entry;
    }

    /// Makes a frame in which a postcondition can be read: parameters as passed, results as returned.
    pub fn set_results(
        &mut self,
        flow: &mut Flow,
        proc: &Proc,
        frame: Frame,
        args: &[Tree],
        results: &[Tree],
    ) {
        for (param, value) in proc.params.iter().zip(args) {
            flow.state.set(Var::Local(frame, *param, proc.locals[*param].ty), value.clone());
        }
        let slots = proc.spec.iter().flat_map(|spec| &spec.results);
        for (slot, value) in slots.zip(results) {
            flow.state.set(Var::Local(frame, *slot, proc.locals[*slot].ty), value.clone());
        }
    }

    /// The contract's invariants, as a check.
    pub fn check_invariants(&mut self, flow: &mut Flow, span: Span, place: &str) {
        let program = self.program;
        let Some(proc) = program.procs.iter().next() else { return };
        for clause in &program.contracts[self.contract].invariants {
            self.check_clause(flow, proc, Frame(0), clause, (ObligationKind::Invariant, span, place));
        }
    }

    pub fn assume_invariants(&mut self, flow: &mut Flow) {
        let program = self.program;
        let Some(proc) = program.procs.iter().next() else { return };
        for clause in &program.contracts[self.contract].invariants {
            self.assume_clause(flow, proc, Frame(0), clause);
        }
    }

    /// All ways in which a call ended successfully.
    pub fn successes(&mut self, returned: Option<Flow>, halts: Vec<Flow>) -> Res<Option<Flow>> {
        join(&mut self.cx, returned.into_iter().chain(halts).collect())
    }
}
