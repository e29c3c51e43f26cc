//! Events: functions emit what they say, and tracked data does not change without its event.

use super::effects::{Effects, changed_state};
use super::executor::{Executor, noun};
use super::flow::Flow;
use super::goals::Subject;
use crate::{Frame, Res, Scope, State, Tree, Var};
use hornet_ir::ids::{EventId, StateVarId, TypeId};
use hornet_ir::program::{ObligationKind, Proc};
use hornet_ir::span::Span;
use hornet_ir::spec::{Clause, EventSpec};
use hornet_smt::term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

impl<'p> Executor<'p> {
    /// Variables that some event reports on, with the events.
    fn tracked(&self) -> Vec<(StateVarId, Vec<&'p EventSpec>)> {
        if !self.checks_events() {
            return Vec::new();
        }
        let contract = &self.program.contracts[self.contract];
        contract
            .state
            .iter()
            .map(|var| {
                (*var, contract.event_specs.iter().filter(|s| s.tracks.contains(var)).collect::<Vec<_>>())
            })
            .filter(|(_, specs)| !specs.is_empty())
            .collect()
    }

    /// From here on, changes of these variables want to be reported.
    pub fn start_tracking(&mut self, flow: &mut Flow) {
        for var in self.checkpointed() {
            self.checkpoint(flow, var);
        }
    }

    /// Variables whose values before a change matter: all, if some event says something about them.
    fn checkpointed(&self) -> Vec<StateVarId> {
        let contract = &self.program.contracts[self.contract];
        if contract.event_specs.is_empty() { Vec::new() } else { contract.state.clone() }
    }

    fn checkpoint(&mut self, flow: &mut Flow, var: StateVarId) {
        if let Ok(value) = self.cx.get(&flow.state, Var::State(var)) {
            flow.state.set(Var::Checkpoint(var), value);
        }
    }

    /// What code elsewhere changed, it has reported itself.
    pub fn checkpoint_events(&mut self, flow: &mut Flow, effects: &Effects) {
        let changed = changed_state(self.program, Some(self.contract), effects);
        for (var, _) in self.tracked() {
            if changed.contains(&var) {
                self.checkpoint(flow, var);
            }
        }
        self.forget_untracked(flow, effects);
    }

    /// Changes of what no event tracks need not be reported: of code elsewhere it is not known which ones its events did.
    fn forget_untracked(&mut self, flow: &mut Flow, effects: &Effects) {
        for var in self.untracked().into_iter().filter(|_| effects.emits) {
            // What has no value in the logic cannot be spoken of either.
            let _ = self.cx.havoc(&mut flow.state, Var::Checkpoint(var));
        }
    }

    /// As [`Executor::checkpoint_events`], where changes of our own may still wait for their events: they go on waiting.
    pub fn checkpoint_reported(&mut self, before: &Flow, flow: &mut Flow, effects: &Effects) {
        let changed = changed_state(self.program, Some(self.contract), effects);
        for (var, _) in self.tracked().into_iter().filter(|(var, _)| changed.contains(var)) {
            let (Ok(reported), Ok(last), Ok(now)) = (
                self.unchanged(before, var),
                self.cx.get(&before.state, Var::Checkpoint(var)),
                self.cx.get(&flow.state, Var::State(var)),
            ) else {
                continue;
            };
            let value = self.cx.ite(reported, &now, &last);
            flow.state.set(Var::Checkpoint(var), value);
        }
        self.forget_untracked(flow, effects);
    }

    fn unchanged(&mut self, flow: &Flow, var: StateVarId) -> Res<TermId> {
        let now = self.cx.get(&flow.state, Var::State(var))?;
        let before = self.cx.get(&flow.state, Var::Checkpoint(var))?;
        let parts: Vec<TermId> =
            now.iter().zip(before.iter()).map(|(a, b)| self.cx.terms.eq(*a, *b)).collect();
        Ok(self.cx.terms.and_all(parts))
    }

    /// Every change so far must have been reported.
    pub fn check_no_pending_events(&mut self, flow: &mut Flow, frame: Frame, place: &str) {
        for (var, specs) in self.tracked() {
            let Ok(unchanged) = self.unchanged(flow, var) else { continue };
            let names: Vec<String> =
                specs.iter().map(|s| format!("`{}`", self.program.events[s.event].name)).collect();
            let message = format!(
                "change of `{}` might not be reported by {} {place}",
                self.program.state[var].name,
                names.join(" or ")
            );
            let kind = ObligationKind::Emits;
            let subject = Subject { kind, span: specs[0].span, annotation: None, message };
            self.goal(subject, flow, frame, unchanged);
            flow.assume(&self.cx.terms, unchanged);
        }
    }

    pub fn emit(
        &mut self,
        flow: &mut Flow,
        frame: Frame,
        event: EventId,
        args: &[(TypeId, Tree)],
        span: Span,
    ) {
        if !self.checks_events() {
            return;
        }
        let args = self.event_arguments(flow, frame, event, args);
        self.check_allowed(flow, frame, event, span);
        let program = self.program;
        let specs = program.contracts[self.contract].event_specs.iter().filter(|s| s.event == event);
        for spec in specs {
            self.check_event(flow, frame, spec, &args, span);
            // An event that tracks nothing in particular reports on everything so far.
            let reported = if spec.tracks.is_empty() { self.untracked() } else { spec.tracks.clone() };
            for var in reported {
                self.checkpoint(flow, var);
            }
        }
    }

    fn untracked(&self) -> Vec<StateVarId> {
        let tracked: Vec<StateVarId> = self.tracked().into_iter().map(|(var, _)| var).collect();
        self.checkpointed().into_iter().filter(|var| !tracked.contains(var)).collect()
    }

    /// Arguments as the values they are logged as; none if that cannot be said.
    fn event_arguments(
        &mut self,
        flow: &Flow,
        frame: Frame,
        event: EventId,
        args: &[(TypeId, Tree)],
    ) -> Vec<Tree> {
        let (locals, bound, known) =
            (hornet_ir::ids::IdVec::new(), FxHashMap::default(), FxHashSet::default());
        let entry = self.entry.clone();
        let now = &flow.state;
        let scope =
            Scope { now, old: &entry, before: &entry, frame, locals: &locals, bound: &bound, known: &known };
        let params = &self.program.events[event].params;
        let values = args.iter().zip(params).map(|((from, value), param)| {
            if self.program.types.get(param.ty).is_tree() {
                self.cx.deep_value_as(&scope, *from, param.ty, value)
            } else {
                Ok(value.clone())
            }
        });
        values.collect::<Res<Vec<_>>>().unwrap_or_default()
    }

    fn check_allowed(&mut self, flow: &Flow, frame: Frame, event: EventId, span: Span) {
        let Some(allowed) = &self.allowed_events else { return };
        let holds = self.cx.terms.bool(allowed.contains(&event));
        let name = &self.program.events[event].name;
        let message = format!("the function emits `{name}` without saying so");
        let subject = Subject { kind: ObligationKind::Emits, span, annotation: None, message };
        self.goal(subject, flow, frame, holds);
    }

    /// A call that is not followed emits what its specification says.
    pub fn check_emits_of(&mut self, flow: &Flow, frame: Frame, proc: &Proc, span: Span) {
        for event in proc.spec.iter().flat_map(|spec| &spec.emits) {
            self.check_allowed(flow, frame, *event, span);
        }
    }

    fn check_event(&mut self, flow: &mut Flow, frame: Frame, spec: &'p EventSpec, args: &[Tree], span: Span) {
        let name = &self.program.events[spec.event].name;
        if !spec.allow_no_change && !spec.tracks.is_empty() {
            let unchanged: Vec<TermId> =
                spec.tracks.iter().filter_map(|var| self.unchanged(flow, *var).ok()).collect();
            let nothing = self.cx.terms.and_all(unchanged);
            let something = self.cx.terms.not(nothing);
            let message = format!("`{name}` might be emitted although nothing that it tracks has changed");
            let subject = Subject { kind: ObligationKind::Emits, span, annotation: None, message };
            self.goal(subject, flow, frame, something);
        }
        let mut before = flow.state.clone();
        for var in self.checkpointed() {
            if let Ok(value) = self.cx.get(&flow.state, Var::Checkpoint(var)) {
                before.set(Var::State(var), value);
            }
        }
        let now = flow.state.clone();
        for clause in &spec.pre {
            self.event_clause(
                flow,
                frame,
                spec,
                clause,
                (&before, &before),
                args,
                (ObligationKind::EventPrecondition, span),
            );
        }
        for clause in &spec.post {
            self.event_clause(
                flow,
                frame,
                spec,
                clause,
                (&now, &before),
                args,
                (ObligationKind::EventPostcondition, span),
            );
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn event_clause(
        &mut self,
        flow: &Flow,
        frame: Frame,
        spec: &EventSpec,
        clause: &Clause,
        (now, before): (&State, &State),
        args: &[Tree],
        (kind, span): (ObligationKind, Span),
    ) {
        let bound: FxHashMap<_, _> = spec.args.iter().copied().zip(args.iter().cloned()).collect();
        let (locals, known) = (hornet_ir::ids::IdVec::new(), FxHashSet::default());
        let entry = self.entry.clone();
        let scope = Scope { now, old: &entry, before, frame, locals: &locals, bound: &bound, known: &known };
        let obligation = &self.program.obligations[clause.obligation];
        let message = format!("{} `{}` might not hold when it is emitted", noun(kind), clause.text);
        let subject =
            Subject { kind, span, annotation: Some((obligation.span, clause.text.clone())), message };
        match self.cx.scalar(&scope, clause.cond) {
            Ok(holds) => self.goal(subject, flow, frame, holds),
            Err(why) => self.blocked(subject, why),
        }
    }
}
