//! Recursion without annotations: what a function is called with, and how its calls end, as unknown predicates.

use super::executor::Executor;
use super::flow::Flow;
use super::predicates::{Place, Slot};
use crate::{Res, State, Tree, Unsupported, Var};
use hornet_ir::ids::ProcId;
use hornet_ir::span::Span;
use hornet_smt::term::TermId;

impl<'p> Executor<'p> {
    /// A call that is not followed: it is one of those that the function is verified for, and ends as one of them can.
    pub fn call_by_summary(
        &mut self,
        flow: &mut Flow,
        id: ProcId,
        args: &[Tree],
        span: Span,
    ) -> Res<Vec<Tree>> {
        if self.is_abroad() {
            return Err(Unsupported::new("recursion of another contract's function"));
        }
        if self.effects.of(id).halts {
            return Err(Unsupported::new("call of a function that may end the whole call"));
        }
        if !self.relied_on.contains(&id) {
            self.relied_on.push(id);
        }
        // The function is verified for references that lead somewhere.
        let proc = &self.program.procs[id];
        for (param, arg) in proc.params.iter().zip(args) {
            self.check_reference(flow, proc.locals[*param].ty, arg, Some(span))?;
        }
        let began = self.situation(&flow.state, args)?;
        let called = self.applied(Place::Called(id), &[], &began);
        self.demand("the function is called", flow, called);
        let effects = self.effects.of(id).clone();
        self.havoc_effects(flow, &effects)?;
        let mut results = Vec::new();
        for ty in &self.program.procs[id].rets {
            results.push(self.cx.fresh_in(&flow.state, "result", *ty)?);
        }
        let ended = self.situation(&flow.state, &results)?;
        let returns = self.applied(Place::Returned(id), &began, &ended);
        flow.assume(&self.cx.terms, returns);
        Ok(results)
    }

    /// The function is entered by one of the calls that are not followed.
    pub fn begin_summary(&mut self, flow: &mut Flow, id: ProcId, args: &[Tree]) -> Res<()> {
        let began = self.situation(&flow.state, args)?;
        let called = self.applied(Place::Called(id), &[], &began);
        flow.assume(&self.cx.terms, called);
        Ok(())
    }

    /// The function returns.
    pub fn end_summary(
        &mut self,
        flow: &Flow,
        id: ProcId,
        entry: &State,
        args: &[Tree],
        results: &[Tree],
    ) -> Res<()> {
        let began = self.situation(entry, args)?;
        let ended = self.situation(&flow.state, results)?;
        let returns = self.applied(Place::Returned(id), &began, &ended);
        self.demand("the function returns", flow, returns);
        Ok(())
    }

    /// The state, who called, and some values.
    fn situation(&mut self, state: &State, values: &[Tree]) -> Res<Vec<(Slot, TermId)>> {
        let mut vars = self.interface();
        vars.extend([Var::Caller, Var::CallValue]);
        let mut all = self.tuple(state, &vars)?;
        for (i, value) in values.iter().enumerate() {
            all.extend(value.iter().enumerate().map(|(j, term)| (Slot::Passed(i, j), *term)));
        }
        Ok(all)
    }
}
