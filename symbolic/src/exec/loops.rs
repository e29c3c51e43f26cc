//! Loops: cut at their heads, where the invariants stand for any number of iterations.

use super::effects::Effects;
use super::executor::{Executor, Run};
use super::flow::Flow;
use super::goals::Subject;
use super::policy::Policy;
use crate::{Res, Var};
use hornet_ir::ids::{BlockId, TypeId};
use hornet_ir::program::{ObligationKind, StateKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

impl<'p> Executor<'p> {
    /// Checks the invariants on entry; goes on from any state that some iteration could have left behind.
    pub fn enter_loop(&mut self, run: &mut Run<'p>, head: BlockId, mut flow: Flow) -> Option<Flow> {
        self.check_loop(run, head, &mut flow, "when the loop is entered");
        let body = &run.graph.loops[&head];
        let (effects, locals) = self.effects.of_blocks(self.program, run.proc, body.iter());
        let references = self.check_loop_references(run, head, &mut flow);
        let unknown = self.policy == Policy::Predicates;
        if unknown {
            let vars = self.loop_vars(&flow);
            self.heads.insert((run.frame, head), vars);
            self.reach_head(run, head, &flow, "the loop is entered");
        }
        let mut after = flow.clone();
        let vars: Vec<Var> = locals.iter().map(|l| self.local(run.proc, run.frame, *l)).collect();
        let havoc = self
            .havoc_effects(&mut after, &effects)
            .and_then(|()| vars.iter().try_for_each(|var| self.cx.havoc(&mut after.state, *var)));
        if let Err(why) = havoc {
            self.gap(&flow, why, self.loop_span(run, head));
            return None;
        }
        for (var, tree) in references {
            if let Ok(value) = self.cx.get(&after.state, var)
                && let Ok(valid) = self.cx.leads_inside(&after.state, tree, &value)
            {
                after.assume(&self.cx.terms, valid);
            }
        }
        // What was known of changed things is not known any more; terms of old values stay true.
        if unknown {
            self.from_head(run, head, &mut after);
            return Some(after);
        }
        for clause in &run.proc.blocks[head].invariants {
            self.assume_clause(&mut after, &run.proc.locals, run.frame, clause);
        }
        self.checkpoint_events(&mut after, &effects);
        Some(after)
    }

    /// Checks the invariants where an iteration ends; nothing goes on from there.
    pub fn end_of_iteration(&mut self, run: &mut Run<'p>, head: BlockId, flow: &Flow) {
        let mut flow = flow.clone();
        self.check_loop(run, head, &mut flow, "after an iteration of the loop");
        self.check_loop_references(run, head, &mut flow);
        if self.policy == Policy::Predicates {
            self.reach_head(run, head, &flow, "the loop goes on");
        }
    }

    /// References that the loop changes lead to something that is there, before and after every iteration. Those that
    /// are set, with what they refer to.
    fn check_loop_references(&mut self, run: &Run<'p>, head: BlockId, flow: &mut Flow) -> Vec<(Var, TypeId)> {
        let body = &run.graph.loops[&head];
        let (_, locals) = self.effects.of_blocks(self.program, run.proc, body.iter());
        let span = self.loop_span(run, head);
        let mut set = Vec::new();
        for local in locals {
            let ty = run.proc.locals[local].ty;
            let Type::StorageRef(tree) = self.program.types.get(ty) else { continue };
            let var = self.local(run.proc, run.frame, local);
            if flow.state.touched().any(|v| v == var)
                && let Ok(value) = self.cx.get(&flow.state, var)
                && self.check_reference(flow, ty, &value, span).is_ok()
            {
                set.push((var, *tree));
            }
        }
        set
    }

    pub fn loop_span(&self, run: &Run<'p>, head: BlockId) -> Option<Span> {
        let block = &run.proc.blocks[head];
        block.loop_head.or(block.span).or(run.proc.span)
    }

    fn check_loop(&mut self, run: &Run<'p>, head: BlockId, flow: &mut Flow, place: &str) {
        let span = self.loop_span(run, head).unwrap_or(self.span);
        self.check_no_overflow(flow, run.frame, span, &format!("silent overflow {place}"));
        for clause in &run.proc.blocks[head].invariants {
            let what = (ObligationKind::LoopInvariant, span, place);
            self.check_clause(flow, &run.proc.locals, run.frame, clause, what);
        }
        self.check_no_pending_events(flow, run.frame, place);
    }

    /// Silent overflow must not get past this point.
    pub fn check_no_overflow(&mut self, flow: &mut Flow, frame: crate::Frame, span: Span, message: &str) {
        if !self.detects_overflow() {
            return;
        }
        let Ok(flag) = self.cx.get(&flow.state, Var::Overflow) else { return };
        let fine = self.cx.terms.not(flag[0]);
        if self.cx.terms.as_bool(fine) == Some(true) {
            return;
        }
        let kind = ObligationKind::Overflow;
        let subject = Subject { kind, span, annotation: None, message: message.to_owned() };
        let causes = self.overflows.clone().into();
        self.goal_with_causes(subject, flow, frame, fine, causes);
        flow.assume(&self.cx.terms, fine);
        let no = self.cx.terms.bool(false);
        flow.state.set(Var::Overflow, [no].into());
    }

    /// Forgets all that code could change: storage, memory, balances.
    fn havoc_everything(&mut self, flow: &mut Flow) -> Res<()> {
        self.cx.havoc_next_ref(&mut flow.state)?;
        let heaps = self.program.types.iter().filter_map(|(_, ty)| match ty {
            Type::MemoryRef(t) => Some(Var::Heap(*t)),
            _ => None,
        });
        let state = self.program.contracts[self.contract].state.iter();
        let state =
            state.filter(|v| self.constructing || self.program.state[**v].kind != StateKind::Immutable);
        let others = [Var::Balances, Var::CodeSizes, Var::ReturnData, Var::RawMemory];
        let vars: Vec<Var> =
            heaps.chain(state.map(|v| Var::State(*v))).chain(others).chain(self.cx.outside_vars()).collect();
        vars.into_iter().try_for_each(|var| self.cx.havoc(&mut flow.state, var))
    }

    /// Forgets everything that effects may change.
    pub fn havoc_effects(&mut self, flow: &mut Flow, effects: &Effects) -> Res<()> {
        if effects.anything {
            return self.havoc_everything(flow);
        }
        let old_next = self.cx.get(&flow.state, Var::NextRef)?[0];
        if effects.allocates {
            self.cx.havoc_next_ref(&mut flow.state)?;
        }
        if effects.raw_memory {
            self.cx.havoc(&mut flow.state, Var::RawMemory)?;
        }
        for ty in &effects.heap_writes {
            self.cx.havoc_contents(&mut flow.state, *ty)?;
        }
        for ty in &effects.heap_allocs {
            self.cx.havoc_heap_above(&mut flow.state, *ty, old_next)?;
        }
        for var in super::effects::changed_state(self.program, Some(self.contract), effects) {
            self.cx.havoc(&mut flow.state, Var::State(var))?;
        }
        if !effects.storage_types.is_empty() || effects.all_storage {
            for var in self.cx.outside_vars() {
                self.cx.havoc(&mut flow.state, var)?;
            }
        }
        if effects.reenters {
            self.havoc_reentrancy(flow)?;
        }
        if effects.balances || effects.reenters {
            self.cx.havoc(&mut flow.state, Var::Balances)?;
            self.havoc_transient(flow)?;
        }
        if effects.reenters {
            self.cx.havoc(&mut flow.state, Var::CodeSizes)?;
        }
        if effects.return_data {
            self.cx.havoc(&mut flow.state, Var::ReturnData)?;
        }
        Ok(())
    }
}
