//! One function: what holds when it begins, its code, what must hold when it ends.

use super::executor::{Executor, Exit};
use super::flow::Flow;
use super::goals::Subject;
use super::policy::Policy;
use super::self_calls::{may_be_delegated, may_pay_itself};
use super::targets::{Target, TargetKind, is_modular};
use crate::{Frame, Res, State, Tree, Var};
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::ProcId;
use hornet_ir::program::{ContractKind, ObligationKind, Proc};
use hornet_ir::span::Span;
use hornet_ir::spec::{Clause, FunctionRole};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

const WORD: Type = Type::Int { bits: 256, signed: false };

/// Questions whose answer should be yes: can this happen at all?
pub struct Sanity {
    pub reach: TermId,
    pub what: SanityKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SanityKind {
    /// The invariants admit some state.
    Invariants,
    /// The preconditions admit some call.
    Preconditions,
    /// Some run returns.
    Returns,
}

impl<'p> Executor<'p> {
    /// Collects everything that is to be proved about a target.
    pub fn verify(&mut self, target: &Target) -> Vec<Sanity> {
        match target.kind {
            TargetKind::ForcedEther => {
                let mut flow = self.begin(false);
                self.receive_forced_ether(&mut flow);
                Vec::new()
            }
            TargetKind::Function { code, body } => {
                let sanity = self.function(code, body, false);
                // Entered from inside there are no guards, and no ether comes with the call.
                if code != body
                    && self.effects.is_called_inside(body, code)
                    && self.policy == Policy::Annotations
                    && is_modular(self.program, self.contract, body)
                {
                    self.function(body, body, false);
                }
                // Called as a value, it begins in whatever state its caller is in.
                if code != body && self.effects.values().contains(&body) {
                    self.function(body, body, true);
                }
                sanity
            }
        }
    }

    /// The state before anything happens.
    pub(super) fn begin(&mut self, constructing: bool) -> Flow {
        self.constructing = constructing;
        self.looking = None;
        let mut flow = Flow::start(State::default());
        let no = self.cx.terms.bool(false);
        flow.state.set(Var::Overflow, [no].into());
        if let Ok(nothing) = self.cx.zero_of(Var::Made) {
            flow.state.set(Var::Made, nothing);
        }
        if constructing {
            for var in &self.program.contracts[self.contract].state {
                if let Ok(zero) = self.cx.zero(self.program.state[*var].ty) {
                    flow.state.set(Var::State(*var), zero);
                }
            }
        }
        flow
    }

    /// Somebody destroys a contract and makes us the heir, or mines a block for us: no code of ours runs.
    fn receive_forced_ether(&mut self, flow: &mut Flow) {
        self.rooted = true;
        self.subject = None;
        self.begin_call(flow);
        self.entry = flow.state.clone();
        let sort = self.cx.word_sort();
        let amount = self.cx.terms.fresh("amount", sort);
        self.cx.admit_word(amount);
        if let Err(why) = self.credit(flow, amount) {
            return self.gap(flow, why, Some(self.span));
        }
        self.end_call(flow, self.span, "after ether was forced on the contract");
    }

    /// What is known of the contract when somebody calls it.
    fn begin_call(&mut self, flow: &mut Flow) {
        match self.policy {
            Policy::Annotations => self.assume_invariants(flow),
            Policy::Predicates if self.rooted => {
                // Assuming less is always sound.
                let _ = self.begin_reachable(flow);
            }
            Policy::Predicates | Policy::Paths => {}
        }
    }

    /// Whether the function changes nothing, and says so.
    fn only_looks(&self) -> bool {
        let Some(id) = self.subject else { return false };
        let effects = self.effects.of(id);
        let harmless = effects.state.is_empty() && effects.storage_types.is_empty();
        let harmless = harmless && !effects.balances && !effects.reenters && !effects.anything;
        harmless && self.program.procs[id].function.as_deref().is_some_and(|f| f.constant)
    }

    /// What must be so when a call has ended.
    fn end_call(&mut self, flow: &mut Flow, span: Span, place: &str) {
        if self.policy == Policy::Predicates && self.rooted && !self.only_looks() {
            let entry = (!self.constructing).then(|| self.entry.clone());
            let mut acted = flow.clone();
            self.must_act(&mut acted);
            if let Err(why) = self.end_reachable(&acted, place, entry.as_ref()) {
                self.gap(flow, why, Some(span));
            }
        }
        self.check_invariants(flow, span, place);
    }

    /// How much ether a call brings: none if the contract pays itself, nor if its code runs for a call that came before.
    fn received(&mut self, value: TermId, code: ProcId) -> TermId {
        let nothing = self.cx.word(0);
        if !self.constructing
            && !self.follows_paths()
            && may_be_delegated(self.program, self.effects, self.contract)
        {
            let comes = self.cx.terms.fresh("comes", Sort::Bool);
            return self.cx.terms.ite(comes, value, nothing);
        }
        if self.constructing || !may_pay_itself(self.program, self.effects, self.contract, code) {
            return value;
        }
        let caller = self.cx.env_term(EnvVar::Caller, &Type::Address);
        let this = self.this();
        let by_itself = self.cx.terms.eq(caller, this);
        self.cx.terms.ite(by_itself, nothing, value)
    }

    /// Our balance grows.
    fn credit(&mut self, flow: &mut Flow, amount: TermId) -> Res<()> {
        let this = self.this();
        let balances = self.cx.get(&flow.state, Var::Balances)?[0];
        let before = self.cx.terms.select(balances, this);
        self.cx.admit_word(before);
        let (after, possible) = match self.cx.terms.sort(before) {
            Sort::BitVec(_) => {
                let after = self.cx.terms.bv_add(before, amount);
                (after, self.cx.terms.bv_ule(before, after))
            }
            Sort::Bool | Sort::Int | Sort::Array(..) => {
                let after = self.cx.terms.add(before, amount);
                (after, self.cx.ints.in_range(&mut self.cx.terms, &self.program.types, &WORD, after))
            }
        };
        flow.assume(&self.cx.terms, possible);
        let balances = self.cx.terms.store(balances, this, after);
        flow.state.set(Var::Balances, [balances].into());
        Ok(())
    }

    /// `msg.data` of a call from outside: of named functions its beginning is known, and nothing comes to others.
    fn bring_data(&mut self, flow: &mut Flow, code: ProcId) -> Res<()> {
        let decl = &self.program.contracts[self.contract];
        if !self.awareness().data {
            return Ok(());
        }
        let mut named = decl.entries.iter().filter(|entry| entry.proc == code);
        let data = match (named.next(), named.next()) {
            (Some(entry), None) => {
                let data = self.cx.get(&flow.state, Var::CallData)?;
                self.cx.with_selector(&data, entry.selector)
            }
            (None, None) if self.constructing || decl.receive == Some(code) => self.cx.bytes_const(&[]),
            _ => return Ok(()),
        };
        flow.state.set(Var::CallData, data);
        Ok(())
    }

    /// `code` is what runs (with the guards of an entry), `body` the function that it is about. As a value, it is called
    /// from inside, and nobody knows where.
    fn function(&mut self, code: ProcId, body: ProcId, as_value: bool) -> Vec<Sanity> {
        let program = self.program;
        let proc = &program.procs[body];
        let info = proc.function.as_deref();
        let role = info.map_or(FunctionRole::Function, |f| f.role);
        let constructing = matches!(role, FunctionRole::Constructor | FunctionRole::ImplicitConstructor);
        // Verified for the calls that were not followed, which come from inside.
        let summary =
            self.policy == Policy::Predicates && code == body && !as_value && self.summarised.contains(&body);
        let guarded = (info.is_some_and(|f| f.public) && !summary && !as_value) || constructing;
        self.rooted = (guarded || summary) && program.contracts[self.contract].kind != ContractKind::Library;
        let from_outside = guarded && code != body || constructing;
        self.subject = Some(body);
        let mut flow = self.begin(constructing);
        let mut sanity = Vec::new();
        if guarded && !constructing {
            if from_outside && self.is_for_others(code, body) {
                self.called_by_others(&mut flow);
            }
            self.begin_call(&mut flow);
            self.ask(&mut sanity, &flow, SanityKind::Invariants);
        }
        // Called from inside by its specification, arguments may share objects.
        let by_specification =
            self.policy == Policy::Annotations && self.effects.is_called_inside(body, code);
        let separate = from_outside && !by_specification;
        let args = match self.arguments(&mut flow, proc, separate) {
            Ok(args) => args,
            Err(why) => {
                self.gap(&flow, why, Some(self.span));
                return sanity;
            }
        };
        if summary && let Err(why) = self.begin_summary(&mut flow, body, &args) {
            self.gap(&flow, why, Some(self.span));
        }
        let frame = self.activate(&mut flow, body, &args);
        self.start_tracking(&mut flow);
        self.entry = flow.state.clone();
        for clause in proc.spec.iter().flat_map(|spec| &spec.pre) {
            self.assume_clause(&mut flow, &proc.locals, frame, clause);
        }
        if proc.spec.as_ref().is_some_and(|spec| !spec.pre.is_empty()) {
            self.ask(&mut sanity, &flow, SanityKind::Preconditions);
        }
        if self.checks_events() && info.is_some() {
            self.allowed_events = Some(proc.spec.as_ref().map(|s| s.emits.clone()).unwrap_or_default());
        }
        if from_outside {
            if let Err(why) = self.bring_data(&mut flow, code) {
                self.gap(&flow, why, Some(self.span));
            }
            let value = self.cx.env_term(EnvVar::CallValue, &WORD);
            let value = self.received(value, code);
            if let Err(why) = self.credit(&mut flow, value) {
                self.gap(&flow, why, Some(self.span));
                return sanity;
            }
        }
        let begin = flow.clone();
        let run_frame = if code == body {
            self.activate(&mut flow, body, &args)
        } else {
            self.activate(&mut flow, code, &args)
        };
        if code == body {
            let mut entry = std::mem::take(&mut self.entry);
            self.set_params(&mut entry, body, run_frame, &args);
            self.entry = entry;
        }
        let exit = self.run(code, run_frame, flow);
        self.finish(
            &mut sanity,
            Ending { proc, frame, args, guarded, constructing, begin, summary: summary.then_some(body) },
            exit,
        );
        sanity
    }

    fn ask(&mut self, sanity: &mut Vec<Sanity>, flow: &Flow, what: SanityKind) {
        let reach = flow.reach(&mut self.cx.terms);
        sanity.push(Sanity { reach, what });
    }

    /// Arguments of any value. Objects that come from outside are new and all different.
    pub(super) fn arguments(&mut self, flow: &mut Flow, proc: &Proc, from_outside: bool) -> Res<Vec<Tree>> {
        let mut args = Vec::new();
        for param in &proc.params {
            let local = &proc.locals[*param];
            let hint = if local.name.is_empty() { "param" } else { &local.name };
            let arg = match self.program.types.get(local.ty) {
                Type::MemoryRef(tree) if from_outside => {
                    let value = self.cx.fresh(hint, *tree)?;
                    [self.cx.allocate(&mut flow.state, *tree, &value)?].into()
                }
                _ => self.cx.fresh_in(&flow.state, hint, local.ty)?,
            };
            // Callers check that what they pass is there.
            if let Type::StorageRef(tree) = self.program.types.get(local.ty) {
                let valid = self.cx.leads_inside(&flow.state, *tree, &arg)?;
                flow.assume(&self.cx.terms, valid);
            }
            args.push(arg);
        }
        Ok(args)
    }

    fn finish(&mut self, sanity: &mut Vec<Sanity>, end: Ending<'_>, exit: Exit) {
        let Exit { returns, halts, reverts } = exit;
        self.check_outcomes(&end, &returns, &halts, &reverts);
        let (returned, results) = returns.unzip();
        let results = results.unwrap_or_default();
        if let (Some(id), Some(flow)) = (end.summary, &returned) {
            let entry = self.entry.clone();
            if let Err(why) = self.end_summary(flow, id, &entry, &end.args, &results) {
                self.gap(flow, why, Some(self.span));
            }
        }
        match self.successes(returned, halts) {
            Ok(Some(flow)) => self.at_end(sanity, &end, flow, &results),
            Ok(None) => {
                // No run gets to the end: whatever is claimed there holds, and says nothing.
                let mut flow = Flow::start(State::default());
                let never = self.cx.terms.bool(false);
                flow.assume(&self.cx.terms, never);
                self.at_end(sanity, &end, flow, &results);
            }
            Err(why) => {
                let begin = end.begin.clone();
                self.gap(&begin, why, Some(self.span));
            }
        }
    }

    pub(super) fn at_end(
        &mut self,
        sanity: &mut Vec<Sanity>,
        end: &Ending<'_>,
        mut flow: Flow,
        results: &[Tree],
    ) {
        let (proc, frame, span) = (end.proc, end.frame, self.span);
        self.ask(sanity, &flow, SanityKind::Returns);
        self.check_no_overflow(&mut flow, frame, span, "function can end with a silent overflow");
        self.set_results(&mut flow, proc, frame, &end.args, results);
        if results.len() == proc.rets.len() {
            for clause in proc.spec.iter().flat_map(|spec| &spec.post) {
                let place = (ObligationKind::Postcondition, span, "at the end of the function");
                self.check_clause(&mut flow, &proc.locals, frame, clause, place);
            }
        }
        if end.guarded {
            self.end_call(&mut flow, span, "at the end of the function");
            self.check_invariants_later(&flow, span, "at the end of the function");
        }
        if self.checks_modifies() && !end.constructing && proc.function.is_some() {
            self.check_modifies(&flow, proc, frame);
        }
        if !end.constructing {
            self.check_no_pending_events(&mut flow, frame, "at the end of the function");
        }
    }

    /// `succeeds-if` and `reverts-if`.
    pub(super) fn check_outcomes(
        &mut self,
        end: &Ending<'_>,
        returns: &Option<(Flow, Vec<Tree>)>,
        halts: &[Flow],
        reverts: &[TermId],
    ) {
        let Some(spec) = &end.proc.spec else { return };
        let successes: Vec<TermId> = returns
            .iter()
            .map(|(flow, _)| flow)
            .chain(halts)
            .map(|flow| flow.reach(&mut self.cx.terms))
            .collect();
        let succeeds = self.cx.terms.or_all(successes);
        // On the EVM, a failed assertion reverts, also one that runs are followed beyond.
        let fails = self.cx.terms.or_all(reverts.iter().chain(&self.passed).copied());
        for clause in &spec.succeeds_if {
            self.check_outcome(
                end,
                clause,
                ObligationKind::Succeeds,
                fails,
                "the call might revert although",
            );
        }
        for clause in &spec.reverts_if {
            self.check_outcome(
                end,
                clause,
                ObligationKind::Reverts,
                succeeds,
                "the call might succeed although",
            );
        }
    }

    fn check_outcome(
        &mut self,
        end: &Ending<'_>,
        clause: &Clause,
        kind: ObligationKind,
        bad: TermId,
        message: &str,
    ) {
        let span = self.program.obligations[clause.obligation].span;
        let subject = Subject {
            kind,
            span: self.span,
            annotation: Some((span, clause.text.clone())),
            message: format!("{message} `{}`", clause.text),
        };
        let mut entry = end.begin.clone();
        entry.state = self.entry.clone();
        match self.clause(&entry, &end.proc.locals, end.frame, clause) {
            Ok((cond, _)) => {
                let wrong = self.cx.terms.and(cond, bad);
                let fine = self.cx.terms.not(wrong);
                let mut flow = end.begin.clone();
                flow.state = self.entry.clone();
                self.goal(subject, &flow, end.frame, fine);
            }
            Err(why) => self.blocked(subject, why),
        }
    }
}

/// What the end of a function needs to know about its beginning.
pub(super) struct Ending<'a> {
    pub proc: &'a Proc,
    pub frame: Frame,
    pub args: Vec<Tree>,
    pub guarded: bool,
    pub constructing: bool,
    pub begin: Flow,
    /// The function, if it is verified for calls that were not followed.
    pub summary: Option<ProcId>,
}
