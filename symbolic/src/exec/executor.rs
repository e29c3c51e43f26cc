//! Runs procedures symbolically: blocks in order, ways joined where they meet, loops cut at their heads.

use super::abroad::Home;
use super::effects::AllEffects;
use super::flow::{Flow, join};
use super::goals::{Claim, Gap, Goal, Subject};
use super::graph::Graph;
use super::kinds::Kinds;
use super::paths::Paths;
use super::policy::{AfterFailure, Passable, Policy};
use super::predicates::Unknowns;
use super::watch::Watcher;
use crate::{Arithmetic, Context, Frame, Res, Scope, State, Tree, Unsupported, Var};
use hornet_ir::ids::{BlockId, ContractId, ExprId, IdVec, LocalId, ProcId, TypeId};
use hornet_ir::program::{Local, ObligationKind, Proc, Program, StmtKind, Terminator};
use hornet_ir::span::Span;
use hornet_ir::spec::Clause;
use hornet_smt::term::{Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How a procedure ends.
#[derive(Default)]
pub struct Exit {
    /// Normally, with its results.
    pub returns: Option<(Flow, Vec<Tree>)>,
    /// The whole call ends successfully at once.
    pub halts: Vec<Flow>,
    /// Everything is undone.
    pub reverts: Vec<TermId>,
}

/// Types, the bytes that values of them are read from, and where they begin.
pub type Encoded = (Vec<TypeId>, Tree, usize);

/// The variables of a procedure; none for what is said about a whole contract.
pub type Locals = IdVec<LocalId, Local>;

/// The verification of one function.
pub struct Executor<'p> {
    pub cx: Context<'p>,
    pub program: &'p Program,
    /// Whose code runs.
    pub contract: ContractId,
    /// What everything is about.
    pub home: Home,
    /// Other contracts whose code may run.
    pub kinds: Kinds,
    pub effects: &'p AllEffects,
    pub policy: Policy,
    pub passable: Passable,
    /// For [`Policy::Predicates`]: the predicates, and what they must satisfy.
    pub unknowns: Unknowns,
    /// Functions whose calls were not followed: they are verified for those calls.
    pub summarised: FxHashSet<ProcId>,
    /// Unknown bytes that were decoded: as what, whether that works, and what comes out.
    pub decodings: FxHashMap<Encoded, (TermId, Vec<Tree>)>,
    /// Whether lack of ether is stated as a check also where annotations are relied on.
    pub states_ether: bool,
    /// Whether predicates also speak about the sums of collections.
    pub sums: bool,
    /// What the predicates at the heads of loops speak about.
    pub heads: FxHashMap<(Frame, BlockId), Vec<Var>>,
    /// For [`Policy::Paths`]: how far to go, and what others did on the way.
    pub paths: Paths,
    /// Invariants that are checked together do not rely on each other.
    pub independent_invariants: bool,
    /// Reached and failed: assertions that did not stop the run.
    pub passed: Vec<TermId>,
    /// Calls that are being followed of which the caller may notice that they fail.
    pub watched: usize,
    pub inline_depth: u32,
    /// The procedure that is verified: a call of it is the function itself, whatever its specification says.
    pub subject: Option<ProcId>,
    /// Where failures of the function as a whole are reported.
    pub span: Span,
    pub goals: Vec<Goal>,
    goal_index: FxHashMap<Subject, usize>,
    pub gaps: Vec<Gap>,
    /// Activations under way, the innermost last.
    pub active: Vec<ProcId>,
    frames: u32,
    /// Which procedure each frame is of.
    pub procs_of_frames: FxHashMap<Frame, ProcId>,
    /// What `Old` means: the state in which the function was entered.
    pub entry: State,
    /// The function is a transaction of the contract, from a state that the contract can get into.
    pub rooted: bool,
    /// The function is a constructor: nobody can call us yet.
    pub constructing: bool,
    /// For [`Policy::Predicates`]: true in runs that may change nothing, because whoever called may not.
    pub looking: Option<TermId>,
    /// Silent overflows so far, with their places.
    pub overflows: Vec<(TermId, Span)>,
    /// What the function says about events, if events are checked.
    pub allowed_events: Option<Vec<hornet_ir::ids::EventId>>,
    /// Functions that calls were not followed into: they must be verified on their own.
    pub relied_on: Vec<ProcId>,
    /// Says when there is no time to go on: what was not followed by then is a gap.
    pub interrupted: Option<Box<dyn Fn() -> bool + 'p>>,
    /// Hears of every statement and branch before it is followed.
    pub watcher: Option<Box<dyn Watcher<'p> + 'p>>,
}

impl<'p> Executor<'p> {
    pub fn new(
        program: &'p Program,
        effects: &'p AllEffects,
        contract: ContractId,
        arithmetic: Arithmetic,
        inline_depth: u32,
        span: Span,
    ) -> Self {
        let mut cx = Context::new(program, arithmetic, Some(contract), effects.wild());
        cx.calls_precompiled = effects.calls_precompiled(program, contract);
        Executor {
            cx,
            program,
            contract,
            home: Home { contract, constructing: false },
            kinds: Kinds::default(),
            effects,
            policy: Policy::Annotations,
            passable: Passable::None,
            unknowns: Unknowns::default(),
            summarised: FxHashSet::default(),
            decodings: FxHashMap::default(),
            states_ether: false,
            sums: false,
            heads: FxHashMap::default(),
            paths: Paths::default(),
            independent_invariants: false,
            passed: Vec::new(),
            watched: 0,
            inline_depth,
            subject: None,
            span,
            goals: Vec::new(),
            goal_index: FxHashMap::default(),
            gaps: Vec::new(),
            active: Vec::new(),
            frames: 0,
            procs_of_frames: FxHashMap::default(),
            entry: State::default(),
            rooted: false,
            constructing: false,
            looking: None,
            overflows: Vec::new(),
            allowed_events: None,
            relied_on: Vec::new(),
            interrupted: None,
            watcher: None,
        }
    }

    pub fn new_frame(&mut self) -> Frame {
        self.frames += 1;
        Frame(self.frames)
    }

    /// Evaluates at a flow, in a frame of a procedure.
    pub fn eval(&mut self, flow: &Flow, locals: &Locals, frame: Frame, e: ExprId) -> Res<Tree> {
        self.scoped(flow, locals, frame, |cx, scope| cx.eval(scope, e))
    }

    /// Does something in the scope of a flow, in a frame of a procedure.
    pub fn scoped<R>(
        &mut self,
        flow: &Flow,
        locals: &Locals,
        frame: Frame,
        act: impl FnOnce(&mut Context<'p>, &Scope) -> R,
    ) -> R {
        let bound = FxHashMap::default();
        let scope = Scope {
            now: &flow.state,
            old: &self.entry,
            before: &self.entry,
            frame,
            locals,
            bound: &bound,
            known: &flow.known,
        };
        act(&mut self.cx, &scope)
    }

    pub fn scalar(&mut self, flow: &Flow, locals: &Locals, frame: Frame, e: ExprId) -> Res<TermId> {
        match self.eval(flow, locals, frame, e)?[..] {
            [term] => Ok(term),
            _ => Err(Unsupported::new("a value of several parts where a single one is wanted")),
        }
    }

    pub fn local(&self, proc: &Proc, frame: Frame, local: LocalId) -> Var {
        Var::Local(frame, local, proc.locals[local].ty)
    }

    /// Adds a way in which something can fail.
    pub fn goal(&mut self, subject: Subject, flow: &Flow, frame: Frame, holds: TermId) {
        self.goal_with_causes(subject, flow, frame, holds, Rc::from([]));
    }

    pub fn goal_with_causes(
        &mut self,
        subject: Subject,
        flow: &Flow,
        frame: Frame,
        holds: TermId,
        causes: Rc<[(TermId, Span)]>,
    ) {
        if self.is_abroad() {
            return;
        }
        let reach = flow.reach(&mut self.cx.terms);
        let fails = self.cx.terms.not(holds);
        let term = self.cx.terms.and(reach, fails);
        let index = *self.goal_index.entry(subject.clone()).or_insert_with(|| {
            self.goals.push(Goal { subject, claims: Vec::new(), blocked: None });
            self.goals.len() - 1
        });
        let claim = Claim {
            term,
            state: Rc::new(flow.state.clone()),
            frame,
            unsupported_before: self.gaps.len(),
            causes,
        };
        self.goals[index].claims.push(claim);
    }

    /// What was stated so far; what comes is about something else.
    pub fn take_goals(&mut self) -> Vec<Goal> {
        self.goal_index.clear();
        std::mem::take(&mut self.goals)
    }

    /// A check that cannot be stated.
    pub fn blocked(&mut self, subject: Subject, why: Unsupported) {
        if self.is_abroad() {
            return;
        }
        self.goals.push(Goal { subject, claims: Vec::new(), blocked: Some(why.0) });
    }

    /// From here on nothing is known.
    pub fn gap(&mut self, flow: &Flow, why: Unsupported, span: Option<Span>) {
        let reach = flow.reach(&mut self.cx.terms);
        if self.cx.terms.as_bool(reach) != Some(false) {
            self.gaps.push(Gap { reach, what: why.0, span });
        }
    }

    /// Runs a procedure whose parameters are set in `flow`'s state under `frame`.
    pub fn run(&mut self, id: ProcId, frame: Frame, flow: Flow) -> Exit {
        let program = self.program;
        let proc = &program.procs[id];
        let graph = Graph::new(proc);
        self.active.push(id);
        let mut run = Run {
            proc,
            frame,
            graph,
            arriving: FxHashMap::default(),
            exit: Exit::default(),
            returned: Vec::new(),
        };
        run.arriving.entry(proc.entry).or_default().push(flow);
        for block in run.graph.order.clone() {
            let flows = run.arriving.remove(&block).unwrap_or_default();
            match join(&mut self.cx, flows) {
                Ok(Some(flow)) => self.block(&mut run, block, flow),
                Ok(None) => {}
                Err(why) => {
                    let nowhere = Flow::start(State::default());
                    self.gap(&nowhere, why, proc.span);
                }
            }
        }
        self.active.pop();
        let Run { mut exit, returned, .. } = run;
        exit.returns = self.join_returns(proc, frame, returned);
        exit
    }

    /// The results travel through the join as locals beyond those of the procedure.
    fn join_returns(
        &mut self,
        proc: &Proc,
        frame: Frame,
        returned: Vec<(Flow, Vec<Tree>)>,
    ) -> Option<(Flow, Vec<Tree>)> {
        let slots: Vec<Var> = (0..proc.rets.len())
            .map(|i| Var::Local(frame, LocalId((proc.locals.len() + i) as u32), proc.rets[i]))
            .collect();
        let mut flows = Vec::new();
        for (mut flow, values) in returned {
            for (slot, value) in slots.iter().zip(values) {
                flow.state.set(*slot, value);
            }
            flows.push(flow);
        }
        match join(&mut self.cx, flows) {
            Ok(flow) => {
                let flow = flow?;
                let values =
                    slots.iter().map(|slot| self.cx.get(&flow.state, *slot)).collect::<Res<Vec<_>>>();
                values.ok().map(|values| (flow, values))
            }
            Err(why) => {
                let nowhere = Flow::start(State::default());
                self.gap(&nowhere, why, proc.span);
                None
            }
        }
    }

    fn block(&mut self, run: &mut Run<'p>, id: BlockId, flow: Flow) {
        let flow =
            if run.graph.loops.contains_key(&id) { self.enter_loop(run, id, flow) } else { Some(flow) };
        let Some(mut flow) = flow else { return };
        let block = &run.proc.blocks[id];
        if self.interrupted.as_ref().is_some_and(|interrupted| interrupted()) {
            return self.gap(&flow, Unsupported::new("code that there was no time for"), block.span);
        }
        if self.follows_paths() && !block.invariants.is_empty() {
            self.check_loop_head(run, &mut flow, id);
        }
        for (at, stmt) in block.stmts.iter().enumerate() {
            self.tell_statement(run, &flow, (id, at), stmt);
            match self.stmt(run, &mut flow, stmt) {
                Ok(true) => {}
                Ok(false) => return,
                Err(why) => return self.gap(&flow, why, stmt.span.or(block.span)),
            }
        }
        self.tell_end(run, &flow, id);
        if let Err(why) = self.terminator(run, id, &flow) {
            self.gap(&flow, why, block.span);
        }
    }

    fn terminator(&mut self, run: &mut Run<'p>, id: BlockId, flow: &Flow) -> Res<()> {
        match &run.proc.blocks[id].terminator {
            Terminator::Goto(next) => self.edge(run, id, *next, flow.clone()),
            Terminator::Branch { cond, then, other } => {
                let after = self.after_failure(run, id, *cond);
                let cond = self.scalar(flow, &run.proc.locals, run.frame, *cond)?;
                self.tell_branch(run, flow, id, cond);
                if after != AfterFailure::Stops {
                    return self.pass(run, (id, *then), flow, cond, after);
                }
                let not = self.cx.terms.not(cond);
                for (cond, next) in [(cond, *then), (not, *other)] {
                    if self.cx.terms.as_bool(cond) == Some(false) {
                        continue;
                    }
                    let mut flow = flow.clone();
                    flow.assume(&self.cx.terms, cond);
                    self.edge(run, id, next, flow);
                }
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|v| self.eval(flow, &run.proc.locals, run.frame, *v));
                let values = values.collect::<Res<Vec<_>>>()?;
                run.returned.push((flow.clone(), values));
            }
            Terminator::Revert(_) | Terminator::Invalid => {
                let reach = flow.reach(&mut self.cx.terms);
                run.exit.reverts.push(reach);
            }
            Terminator::Halt(_) => run.exit.halts.push(flow.clone()),
            Terminator::Unreachable => {}
        }
        Ok(())
    }

    /// What happens where a block ends with a branch: only assertions can be passed although they fail.
    fn after_failure(&self, run: &Run<'p>, id: BlockId, decided: ExprId) -> AfterFailure {
        if self.is_abroad() {
            return AfterFailure::Stops;
        }
        let last = run.proc.blocks[id].stmts.last().map(|s| &s.kind);
        let Some(StmtKind::Check { obligation, cond }) = last else { return AfterFailure::Stops };
        let obligation = &self.program.obligations[*obligation];
        if *cond == decided && obligation.kind == ObligationKind::Assertion {
            self.passable.after_failure(obligation.span)
        } else {
            AfterFailure::Stops
        }
    }

    /// Goes on after an assertion, whether or not it holds. Where somebody may notice that it fails, it may also stop the
    /// call, as it does on the EVM.
    fn pass(
        &mut self,
        run: &mut Run<'p>,
        (from, to): (BlockId, BlockId),
        flow: &Flow,
        holds: TermId,
        after: AfterFailure,
    ) -> Res<()> {
        let reach = flow.reach(&mut self.cx.terms);
        let fails = self.cx.terms.not(holds);
        let broken = self.cx.terms.and(reach, fails);
        self.passed.push(broken);
        let mut flow = flow.clone();
        if self.watched > 0 {
            let stops = self.cx.terms.fresh("stops", Sort::Bool);
            let stopped = self.cx.terms.and(broken, stops);
            run.exit.reverts.push(stopped);
            let stops_here = self.cx.terms.and(fails, stops);
            let goes_on = self.cx.terms.not(stops_here);
            flow.assume(&self.cx.terms, goes_on);
        }
        if self.follows_paths() {
            self.pass_assertion(&mut flow, holds);
        }
        if let AfterFailure::StopsIf(switch) = after {
            let on = self.cx.initial(Var::State(switch))?[0];
            let held = self.cx.terms.implies(on, holds);
            flow.assume(&self.cx.terms, held);
        }
        self.edge(run, from, to, flow);
        Ok(())
    }

    fn edge(&mut self, run: &mut Run<'p>, from: BlockId, to: BlockId, flow: Flow) {
        if run.graph.is_back_edge(from, to) {
            self.end_of_iteration(run, to, &flow);
        } else {
            run.arriving.entry(to).or_default().push(flow);
        }
    }

    /// Evaluates a clause at a flow.
    pub fn clause(
        &mut self,
        flow: &Flow,
        locals: &Locals,
        frame: Frame,
        clause: &Clause,
    ) -> Res<(TermId, TermId)> {
        let cond = self.scalar(flow, locals, frame, clause.cond)?;
        let fits = self.scalar(flow, locals, frame, clause.fits)?;
        Ok((cond, fits))
    }

    /// Whether functions of the contract say what they modify: then all of them do.
    pub fn checks_modifies(&self) -> bool {
        self.program.modifies_checked && self.any_spec(|spec| !spec.modifies.is_empty())
    }

    /// Whether the contract says something about events: then its functions emit only what they say.
    pub fn checks_events(&self) -> bool {
        let tracks = !self.program.contracts[self.contract].event_specs.is_empty();
        self.program.events_checked && (tracks || self.any_spec(|spec| !spec.emits.is_empty()))
    }

    fn any_spec(&self, wanted: impl Fn(&hornet_ir::spec::Spec) -> bool) -> bool {
        let own = self.program.procs.iter().filter(|p| p.contract == Some(self.contract));
        own.filter_map(|p| p.spec.as_deref()).any(wanted)
    }

    /// Whether silent overflow is an error.
    pub fn detects_overflow(&self) -> bool {
        self.cx.ints.mode == Arithmetic::ModOverflow
    }

    /// Whether a condition is about more than what a caller from outside chooses.
    pub fn depends_on_others(&self, term: TermId) -> bool {
        let function = self.subject.and_then(|p| self.program.procs[p].function.as_deref());
        let internal = function.is_some_and(|f| !f.public);
        let mut found = internal;
        self.cx.terms.walk(&[term], |t| found |= self.cx.doubtful().contains(&t));
        found
    }

    /// Checks a clause, then relies on it, if annotations are what is relied on.
    pub fn check_clause(
        &mut self,
        flow: &mut Flow,
        locals: &Locals,
        frame: Frame,
        clause: &Clause,
        (kind, span, place): (ObligationKind, Span, &str),
    ) {
        let obligation = &self.program.obligations[clause.obligation];
        let annotation = Some((obligation.span, clause.text.clone()));
        match self.clause(flow, locals, frame, clause) {
            Ok((cond, fits)) => {
                if self.detects_overflow() {
                    let message =
                        format!("overflow in the computation of {} `{}` {place}", noun(kind), clause.text);
                    let kind = ObligationKind::Overflow;
                    let subject = Subject { kind, span, annotation: annotation.clone(), message };
                    self.goal(subject, flow, frame, fits);
                    flow.assume(&self.cx.terms, fits);
                }
                let message = format!("{} `{}` might not hold {place}", noun(kind), clause.text);
                self.goal(Subject { kind, span, annotation, message }, flow, frame, cond);
                let is_invariant = matches!(kind, ObligationKind::Invariant | ObligationKind::LoopInvariant);
                let independent = is_invariant && self.independent_invariants;
                if self.policy == Policy::Annotations && !independent {
                    flow.assume(&self.cx.terms, cond);
                }
            }
            Err(why) => {
                let message = format!("{} `{}` {place}", noun(kind), clause.text);
                self.blocked(Subject { kind, span, annotation, message }, why);
            }
        }
    }

    /// Relies on a clause that is checked elsewhere.
    pub fn assume_clause(&mut self, flow: &mut Flow, locals: &Locals, frame: Frame, clause: &Clause) {
        // Assuming less is always sound.
        let Ok((cond, fits)) = self.clause(flow, locals, frame, clause) else { return };
        flow.assume(&self.cx.terms, cond);
        if self.detects_overflow() {
            flow.assume(&self.cx.terms, fits);
        }
    }
}

pub fn noun(kind: ObligationKind) -> &'static str {
    match kind {
        ObligationKind::Invariant => "invariant",
        ObligationKind::LoopInvariant => "loop invariant",
        ObligationKind::Precondition => "precondition",
        ObligationKind::Postcondition => "postcondition",
        ObligationKind::EventPrecondition => "precondition of the event",
        ObligationKind::EventPostcondition => "postcondition of the event",
        ObligationKind::Assertion
        | ObligationKind::Overflow
        | ObligationKind::Underflow
        | ObligationKind::DivisionByZero
        | ObligationKind::OutOfBounds
        | ObligationKind::EmptyPop
        | ObligationKind::EnumConversion
        | ObligationKind::InsufficientBalance
        | ObligationKind::Modifies
        | ObligationKind::Emits
        | ObligationKind::Succeeds
        | ObligationKind::Reverts => "condition",
    }
}

/// One activation being run.
pub struct Run<'p> {
    pub proc: &'p Proc,
    pub frame: Frame,
    pub graph: Graph,
    arriving: FxHashMap<BlockId, Vec<Flow>>,
    pub exit: Exit,
    returned: Vec<(Flow, Vec<Tree>)>,
}
