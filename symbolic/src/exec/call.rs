//! Internal calls: followed into, or replaced by the callee's specification.

use super::executor::{Executor, Exit, Locals, Run};
use super::flow::{Flow, join};
use super::policy::Policy;
use super::targets::{assumes_invariants, is_modular};
use crate::{Frame, Res, State, Tree, Unsupported, Var};
use hornet_ir::ids::{ExprId, LocalId, ProcId, TypeId};
use hornet_ir::program::{Callee, ObligationKind, Proc, Stmt};
use hornet_ir::span::Span;
use hornet_smt::term::Sort;

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
        let args =
            args.iter().map(|a| self.eval(flow, &run.proc.locals, run.frame, *a)).collect::<Res<Vec<_>>>()?;
        let span = stmt.span.unwrap_or(self.span);
        if self.subject.is_none_or(|subject| *callee != Callee::Proc(subject) || self.active.len() > 1) {
            self.check_no_overflow(flow, run.frame, span, "silent overflow before the call of a function");
        }
        let results = match callee {
            Callee::Pointer(pointer) if self.follows_values() => {
                return self.dispatch(run, flow, *pointer, dsts, &args);
            }
            Callee::Proc(id) if self.follows_paths() => {
                self.check_callee(flow, *id, &args, span);
                // Beyond the limits the path ends.
                if !self.may_recurse(*id) {
                    return Ok(false);
                }
                match self.inline(run, flow, *id, &args) {
                    Some(results) => results,
                    None => return Ok(false),
                }
            }
            Callee::Proc(id) if self.is_modular(*id) => {
                self.may_revert(run, flow, Some(*id), &args);
                self.call_by_spec(flow, *id, &args, span)?
            }
            Callee::Proc(id) if self.can_inline(*id) => match self.inline(run, flow, *id, &args) {
                Some(results) => results,
                None => return Ok(false),
            },
            Callee::Proc(id) if self.policy == Policy::Predicates => {
                self.may_revert(run, flow, Some(*id), &args);
                self.call_by_summary(flow, *id, &args, span)?
            }
            Callee::Proc(id) => {
                self.may_revert(run, flow, Some(*id), &args);
                self.call_by_spec(flow, *id, &args, span)?
            }
            Callee::Pointer(_) => {
                self.may_revert(run, flow, None, &args);
                let results = dsts.iter().map(|d| run.proc.locals[*d].ty).collect::<Vec<_>>();
                self.call_value(flow, &results)?
            }
        };
        for (dst, value) in dsts.iter().zip(results) {
            self.set(run, flow, *dst, value);
        }
        Ok(!flow.is_dead(&mut self.cx.terms))
    }

    /// A call of a function value: any function whose value is taken.
    fn call_value(&mut self, flow: &mut Flow, results: &[TypeId]) -> Res<Vec<Tree>> {
        if self.is_abroad() {
            return Err(Unsupported::new("recursion of another contract's function"));
        }
        let wants_more = |id: &ProcId| {
            let proc = &self.program.procs[*id];
            let promised = proc.spec.as_ref().is_some_and(|spec| !spec.pre.is_empty());
            proc.rets == results && (promised || assumes_invariants(self.program, self.contract, proc))
        };
        if self.effects.values().iter().any(wants_more) {
            return Err(Unsupported::new("call of a function value that may have preconditions"));
        }
        let effects = self.effects.of_pointers().clone();
        if effects.halts {
            return Err(Unsupported::new("call of a function value that may end the whole call"));
        }
        if effects.reenters && !self.program.contracts[self.contract].invariants.is_empty() {
            return Err(Unsupported::new("call of a function value that may call others, with invariants"));
        }
        // In which states others are called there is not known.
        if self.policy == Policy::Predicates && (effects.return_data || effects.anything) {
            return Err(Unsupported::new("recursion of a function value that calls others"));
        }
        self.havoc_effects(flow, &effects)?;
        results.iter().map(|ty| self.cx.fresh("result", *ty)).collect()
    }

    /// A call that is not followed may revert, unless the callee says that it does not. Remembered only for functions that
    /// claim to succeed.
    fn may_revert(&mut self, run: &mut Run<'p>, flow: &mut Flow, callee: Option<ProcId>, args: &[Tree]) {
        let subject = self.subject.and_then(|id| self.program.procs[id].spec.as_deref());
        if subject.is_none_or(|spec| spec.succeeds_if.is_empty()) {
            return;
        }
        let reverts = self.cx.terms.fresh("reverts", Sort::Bool);
        let mut reverted = flow.clone();
        reverted.assume(&self.cx.terms, reverts);
        if let Some(id) = callee {
            let proc = &self.program.procs[id];
            let frame = self.activate(&mut reverted, id, args);
            for clause in proc.spec.iter().flat_map(|spec| &spec.succeeds_if) {
                if let Ok((succeeds, _)) = self.clause(&reverted, &proc.locals, frame, clause) {
                    let fails = self.cx.terms.not(succeeds);
                    reverted.assume(&self.cx.terms, fails);
                }
            }
        }
        let reach = reverted.reach(&mut self.cx.terms);
        run.exit.reverts.push(reach);
        let goes_on = self.cx.terms.not(reverts);
        flow.assume(&self.cx.terms, goes_on);
    }

    /// Whether a call means the callee's specification and not its code.
    pub fn is_modular(&self, id: ProcId) -> bool {
        if self.subject == Some(id) && self.active.len() == 1 {
            return false;
        }
        self.policy == Policy::Annotations && is_modular(self.program, self.contract, id)
    }

    fn is_public(&self, proc: &Proc) -> bool {
        proc.function.as_ref().is_some_and(|f| f.public) && proc.contract == Some(self.contract)
    }

    pub fn can_inline(&self, id: ProcId) -> bool {
        if self.follows_paths() {
            return self.may_recurse(id);
        }
        !self.active.contains(&id) && self.active.len() <= self.inline_depth as usize + 1
    }

    /// A new activation with its parameters set.
    pub fn activate(&mut self, flow: &mut Flow, id: ProcId, args: &[Tree]) -> Frame {
        let frame = self.new_frame();
        self.procs_of_frames.insert(frame, id);
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
        let inner = flow.clone();
        let exit = self.run_inside(id, inner, args);
        run.exit.halts.extend(exit.halts);
        run.exit.reverts.extend(exit.reverts);
        let (after, results) = exit.returns?;
        *flow = after;
        Some(results)
    }

    /// Runs a procedure as part of another. Inside, `Old` means the state in which it was entered; for the function that is
    /// verified that was settled before.
    pub fn run_inside(&mut self, id: ProcId, mut flow: Flow, args: &[Tree]) -> Exit {
        let frame = self.activate(&mut flow, id, args);
        let is_subject = self.subject == Some(id) && self.active.len() == 1;
        let mut inner = if is_subject { self.entry.clone() } else { flow.state.clone() };
        self.set_params(&mut inner, id, frame, args);
        let outer = std::mem::replace(&mut self.entry, inner);
        let mut exit = self.run(id, frame, flow);
        self.entry = outer;
        if let Some((after, _)) = &mut exit.returns {
            after.state.drop_frame(frame);
        }
        exit
    }

    /// Runs a procedure for somebody who goes on where it fails.
    pub fn run_watched(&mut self, id: ProcId, flow: Flow, args: &[Tree]) -> Exit {
        self.watched += 1;
        let exit = self.run_inside(id, flow, args);
        self.watched -= 1;
        exit
    }

    /// Checks what the callee relies on, forgets what it may change, and assumes what it promises.
    pub fn call_by_spec(&mut self, flow: &mut Flow, id: ProcId, args: &[Tree], span: Span) -> Res<Vec<Tree>> {
        let program = self.program;
        let proc = &program.procs[id];
        if !self.relied_on.contains(&id) {
            self.relied_on.push(id);
        }
        if self.effects.of(id).halts {
            return Err(Unsupported::new("call of a function that may end the whole call"));
        }
        // What is known of the function rests on objects that are apart from each other.
        if self.cx.is_raw(&flow.state)? != Some(false) {
            return Err(Unsupported::new("call of a function after inline assembly has written to memory"));
        }
        let public = self.policy == Policy::Annotations && self.is_public(proc);
        if public {
            self.check_invariants(flow, span, "when the function is entered");
        }
        for (param, arg) in proc.params.iter().zip(args) {
            self.check_reference(flow, proc.locals[*param].ty, arg, Some(span))?;
        }
        let frame = self.activate(flow, id, args);
        for clause in proc.spec.iter().flat_map(|spec| &spec.pre) {
            let place = (ObligationKind::Precondition, span, "when the function is entered");
            self.check_clause(flow, &proc.locals, frame, clause, place);
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
        effects: &super::effects::Effects,
    ) -> Res<()> {
        let before = flow.clone();
        self.havoc_effects(flow, effects)?;
        // Only for functions of the contract itself is it checked what they modify.
        if self.checks_modifies() && proc.function.is_some() && proc.contract == Some(self.contract) {
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
            self.assume_clause(flow, &proc.locals, frame, clause);
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
        let nobody = Locals::new();
        for clause in &program.contracts[self.contract].invariants {
            self.check_clause(flow, &nobody, Frame(0), clause, (ObligationKind::Invariant, span, place));
        }
    }

    pub fn assume_invariants(&mut self, flow: &mut Flow) {
        let program = self.program;
        let nobody = Locals::new();
        for clause in &program.contracts[self.contract].invariants {
            self.assume_clause(flow, &nobody, Frame(0), clause);
        }
    }

    /// All ways in which a call ended successfully.
    pub fn successes(&mut self, returned: Option<Flow>, halts: Vec<Flow>) -> Res<Option<Flow>> {
        join(&mut self.cx, returned.into_iter().chain(halts).collect())
    }
}
