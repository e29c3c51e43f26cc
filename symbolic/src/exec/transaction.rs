//! Transactions, for [`Policy::Paths`](super::Policy::Paths): the contract is deployed, then called again and again,
//! each time by anybody and in any of its functions.

use super::executor::{Executor, Exit};
use super::flow::{Flow, join};
use super::function::Ending;
use super::neighbours::Neighbour;
use super::paths::{Action, Arguments, Step, Way};
use super::targets::{Target, TargetKind, body_of, function_target};
use crate::{Res, State, Var};
use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::{EventId, ProcId};
use hornet_ir::program::{ContractKind, StateKind};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

/// Where the contract is deployed.
pub(super) const HOME: u64 = 0x00c0_ffee;

/// How a step calls the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entrance {
    Transaction,
    /// By somebody who was called; nothing may change if the call is static.
    Nested {
        constant: bool,
    },
}

impl<'p> Executor<'p> {
    /// Deploys the contract on an address where nothing is but perhaps ether, after others that it may know. `None` if no
    /// run gets to the end.
    pub fn deploy(&mut self) -> Res<(Vec<Step>, Option<Flow>)> {
        let mut flow = self.begin(true);
        let this = self.this();
        let home = self.cx.ints.constant(&mut self.cx.terms, &Type::Address, U256::from(HOME));
        let is_home = self.cx.terms.eq(this, home);
        flow.assume(&self.cx.terms, is_home);
        if self.awareness().code {
            self.set_code_size(&mut flow, this, 0)?;
        }
        if self.awareness().chain {
            let chain = self.cx.env_term(EnvVar::ChainId, &WORD);
            self.is_below(&mut flow, chain, 1 << 32);
            self.is_above(&mut flow, chain, 0);
        }
        let mut steps = self.deploy_neighbours(&mut flow)?;
        let mut step = self.environment_of_step(&mut flow, Entrance::Transaction)?;
        let mut ends = Vec::new();
        let chosen = self.cx.terms.bool(true);
        match self.program.contracts[self.contract].constructor {
            Some(code) => self.way(&mut step, &mut ends, flow, chosen, Action::Deploy, code)?,
            None => {
                step.ways.push(self.deployed_as_it_is(chosen));
                ends.push(flow);
            }
        }
        let mut end = join(&mut self.cx, ends)?;
        self.constructing = false;
        if let Some(flow) = &mut end {
            flow.state = self.lasting(&flow.state)?;
            if self.awareness().code {
                self.set_code_size(flow, this, 1)?;
            }
        }
        steps.push(step);
        Ok((steps, end))
    }

    /// A library has no constructor.
    fn deployed_as_it_is(&self, chosen: TermId) -> Way {
        let whose = self.cx.this.map(|address| (self.contract, address));
        let (args, asked, own_calls) = (Vec::new(), Vec::new(), Vec::new());
        Way { chosen, whose, action: Action::Deploy, args, asked, own_calls }
    }

    /// Ether comes from nowhere, which the contract cannot prevent.
    pub fn forced_ether(&mut self, flow: &mut Flow, entrance: Entrance) -> Res<Option<Step>> {
        if !self.awareness().balances {
            return Ok(None);
        }
        let step = self.environment_of_step(flow, entrance)?;
        let zero = self.cx.word(0);
        let comes = self.cx.terms.ne(step.value, zero);
        self.receive_ether(flow, step.caller, step.value)?;
        let decl = &self.program.contracts[self.contract];
        if let Some(span) = decl.span.filter(|_| !decl.invariants.is_empty()) {
            self.span = span;
            self.check_invariants(&mut flow.clone(), span, "after ether was forced on the contract");
            let (contract, kind) = (self.contract, TargetKind::ForcedEther);
            let name = "[receive_ether_selfdestruct]".to_owned();
            self.file_goals(&Target { contract, kind, name, signature: None, span, own: true });
        }
        let (action, args, asked, own_calls) = (Action::ForcedEther, Vec::new(), Vec::new(), Vec::new());
        let way = Way { chosen: comes, whose: None, action, args, asked, own_calls };
        Ok(Some(Step { ways: vec![way], ..step }))
    }

    /// A transaction that succeeds. Nothing is said about those that do not: they change nothing.
    pub fn transaction(&mut self, before: &Flow) -> Res<(Step, Option<Flow>)> {
        let mut flow = before.clone();
        for var in &self.program.contracts[self.contract].state {
            let decl = &self.program.state[*var];
            if decl.kind == StateKind::Transient {
                let zero = self.cx.zero(decl.ty)?;
                flow.state.set(Var::State(*var), zero);
            }
        }
        self.clear_transient(&mut flow)?;
        let mut step = self.environment_of_step(&mut flow, Entrance::Transaction)?;
        let ends = self.any_entry(&mut step, flow, Entrance::Transaction)?;
        Ok((step, join(&mut self.cx, ends)?))
    }

    /// Calls any function of the contract. The flows that come back have the lasting part of the state only.
    pub fn any_entry(&mut self, step: &mut Step, flow: Flow, entrance: Entrance) -> Res<Vec<Flow>> {
        let decl = &self.program.contracts[self.contract];
        // What may change something refuses to be called on a library's own storage.
        let constant_only =
            entrance == Entrance::Nested { constant: true } || decl.kind == ContractKind::Library;
        let mut actions: Vec<(Action, ProcId, bool, Option<Neighbour>)> = Vec::new();
        for (i, entry) in decl.entries.iter().enumerate() {
            actions.push((Action::Call(i), entry.proc, entry.constant, None));
        }
        actions.extend(decl.receive.map(|proc| (Action::Receive, proc, false, None)));
        actions.extend(decl.fallback.map(|f| (Action::Fallback, f.proc, false, None)));
        if entrance == Entrance::Transaction {
            let others = self.neighbours_entries();
            actions
                .extend(others.into_iter().map(|(who, i, code)| (Action::Call(i), code, false, Some(who))));
        }
        let choice = self.cx.terms.fresh("choice", Sort::Int);
        let before = self.lasting(&flow.state)?;
        let mut ends = Vec::new();
        for (i, (action, code, constant, neighbour)) in actions.into_iter().enumerate() {
            if constant_only && !constant || self.takes_storage(code) {
                continue;
            }
            let number = self.cx.terms.int(i as u64);
            let chosen = self.cx.terms.eq(choice, number);
            let mut inner = flow.clone();
            inner.assume(&self.cx.terms, chosen);
            let mut own = Vec::new();
            match neighbour {
                None => self.way(step, &mut own, inner, chosen, action, code)?,
                Some(who) => self.neighbours_way(step, &mut own, inner, (chosen, action, code), who)?,
            }
            for mut end in own {
                end.state = self.lasting(&end.state)?;
                // What changes nothing leads nowhere new, unless it is part of something that goes on.
                if entrance != Entrance::Transaction || end.state != before {
                    ends.push(end);
                }
            }
        }
        Ok(ends)
    }

    /// Functions of libraries may: they look at storage of those that call them, of which there is nothing here.
    fn takes_storage(&self, code: ProcId) -> bool {
        let proc = &self.program.procs[code];
        let types = proc.params.iter().map(|param| self.program.types.get(proc.locals[*param].ty));
        types.into_iter().any(|ty| matches!(ty, Type::StorageRef(_)))
    }

    /// One function of the contract, called from outside.
    pub(super) fn way(
        &mut self,
        step: &mut Step,
        ends: &mut Vec<Flow>,
        mut flow: Flow,
        chosen: TermId,
        action: Action,
        code: ProcId,
    ) -> Res<()> {
        let program = self.program;
        // What has no function in the source reads a variable, and nothing goes wrong.
        let Some(body) = body_of(program, code) else { return Ok(()) };
        let Some(target) = function_target(program, self.contract, code, body) else { return Ok(()) };
        if flow.is_dead(&mut self.cx.terms) {
            return Ok(());
        }
        let outer = Outer {
            active: std::mem::take(&mut self.active),
            asked: std::mem::take(&mut self.paths.asked),
            own_calls: std::mem::take(&mut self.paths.own_calls),
            entry: std::mem::take(&mut self.entry),
            allowed_events: self.allowed_events.take(),
            subject: self.subject.replace(body),
            span: std::mem::replace(&mut self.span, target.span),
        };
        let result = self.enter(&mut flow, step, action, code, body);
        let asked = std::mem::replace(&mut self.paths.asked, outer.asked);
        let own_calls = std::mem::replace(&mut self.paths.own_calls, outer.own_calls);
        self.file_goals(&target);
        (self.active, self.entry, self.allowed_events) = (outer.active, outer.entry, outer.allowed_events);
        (self.subject, self.span) = (outer.subject, outer.span);
        match result {
            Ok((args, end)) => {
                ends.extend(end);
                let whose = self.cx.this.map(|address| (self.contract, address));
                step.ways.push(Way { chosen, whose, action, args, asked, own_calls });
            }
            Err(why) => self.gap(&flow, why, Some(target.span)),
        }
        Ok(())
    }

    /// Runs the code of a function, and checks what it promises.
    fn enter(
        &mut self,
        flow: &mut Flow,
        step: &Step,
        action: Action,
        code: ProcId,
        body: ProcId,
    ) -> Res<(Arguments, Option<Flow>)> {
        let program = self.program;
        let proc = &program.procs[body];
        let args = self.arguments(flow, proc, true)?;
        let mut values = Vec::new();
        for (param, arg) in proc.params.iter().zip(&args) {
            let (ty, value) = self.cx.contents(&flow.state, proc.locals[*param].ty, arg)?;
            self.limit_lengths(flow, ty, &value)?;
            values.push((ty, value));
        }
        self.set_call_data(flow, action, &mut values)?;
        let frame = self.activate(flow, body, &args);
        self.start_tracking(flow);
        self.allowed_events = self
            .checks_events()
            .then(|| proc.spec.as_ref().map(|spec| spec.emits.clone()).unwrap_or_default());
        self.entry = flow.state.clone();
        for clause in proc.spec.iter().flat_map(|spec| &spec.pre) {
            self.assume_clause(flow, &proc.locals, frame, clause);
        }
        self.bring_ether(flow, step, action)?;
        let begin = flow.clone();
        let run_frame = self.activate(flow, code, &args);
        if code == body {
            let mut entry = std::mem::take(&mut self.entry);
            self.set_params(&mut entry, body, run_frame, &args);
            self.entry = entry;
        }
        let Exit { returns, halts, reverts } = self.run(code, run_frame, flow.clone());
        let constructing = self.constructing;
        let end = Ending { proc, frame, args, guarded: true, constructing, begin, summary: None };
        self.check_outcomes(&end, &returns, &halts, &reverts);
        let (returned, results) = returns.unzip();
        let success = self.successes(returned, halts)?;
        if let Some(success) = &success {
            self.at_end(&mut Vec::new(), &end, success.clone(), &results.unwrap_or_default());
        }
        Ok((values, success))
    }

    /// `msg.data`: of functions its beginning is known, the fallback function may get anything.
    pub(super) fn set_call_data(&mut self, flow: &mut Flow, action: Action, args: &mut Arguments) -> Res<()> {
        match action {
            Action::Deploy | Action::Receive | Action::ForcedEther => {
                let nothing = self.cx.bytes_const(&[]);
                flow.state.set(Var::CallData, nothing);
            }
            Action::Fallback => {
                let Some(bytes) = self.program.types.find(&Type::Bytes) else { return Ok(()) };
                let data = match args.first() {
                    Some((_, data)) => data.clone(),
                    None => self.cx.fresh_bytes("data"),
                };
                self.limit_lengths(flow, bytes, &data)?;
                // Shorter than any selector: longer data could be a call of a function.
                self.is_below(flow, data[0], 4);
                flow.state.set(Var::CallData, data.clone());
                *args = vec![(bytes, data)];
            }
            Action::Call(entry) if self.awareness().data => {
                let entry = &self.program.contracts[self.contract].entries[entry];
                let data = self.cx.fresh_bytes("data");
                let data = self.cx.with_selector(&data, entry.selector);
                let head = self.cx.word(4 + 32 * args.len() as u64);
                let long_enough = self.at_most(head, data[0]);
                flow.assume(&self.cx.terms, long_enough);
                if args.iter().all(|(ty, _)| self.program.types.get(*ty).is_scalar()) {
                    let exact = self.cx.terms.eq(head, data[0]);
                    flow.assume(&self.cx.terms, exact);
                }
                flow.state.set(Var::CallData, data);
            }
            Action::Call(_) => {}
        }
        Ok(())
    }

    fn bring_ether(&mut self, flow: &mut Flow, step: &Step, action: Action) -> Res<()> {
        let entries = &self.program.contracts[self.contract].entries;
        if matches!(action, Action::Call(entry) if !entries[entry].payable) {
            let zero = self.cx.word(0);
            let nothing = self.cx.terms.eq(step.value, zero);
            flow.assume(&self.cx.terms, nothing);
            return Ok(());
        }
        if !self.awareness().ether {
            return Ok(());
        }
        self.receive_ether(flow, step.caller, step.value)
    }

    /// Somebody pays the contract.
    pub(super) fn receive_ether(&mut self, flow: &mut Flow, payer: TermId, value: TermId) -> Res<()> {
        let this = self.this();
        self.balance_of(flow, this)?;
        let balance = self.balance_of(flow, payer)?;
        let enough = self.at_most(value, balance);
        flow.assume(&self.cx.terms, enough);
        let always = self.cx.terms.bool(true);
        self.move_ether(flow, payer, this, value, always)
    }

    /// What is left of a state when a call has ended.
    pub fn lasting(&mut self, state: &State) -> Res<State> {
        let mut lasting = State::default();
        let lasts = |var: &Var| match var {
            Var::State(var) => self.program.state[*var].contract == self.home.contract,
            Var::Balances | Var::CodeSizes | Var::Env(..) | Var::Kept(_) | Var::Made => true,
            Var::Local(..)
            | Var::Checkpoint(_)
            | Var::Outside(_)
            | Var::Heap(_)
            | Var::NextRef
            | Var::Caller
            | Var::CallValue
            | Var::CallData
            | Var::ReturnData
            | Var::Overflow
            | Var::RawMemory => false,
        };
        for var in state.touched().filter(lasts) {
            let value = self.cx.get(state, var)?;
            lasting.set(var, value);
        }
        let no = self.cx.terms.bool(false);
        lasting.set(Var::Overflow, [no].into());
        Ok(lasting)
    }
}

const WORD: Type = Type::Int { bits: 256, signed: false };

/// The call in whose course another one begins.
struct Outer {
    active: Vec<ProcId>,
    asked: Vec<super::paths::Asked>,
    own_calls: Vec<super::paths::OwnCall>,
    entry: State,
    allowed_events: Option<Vec<EventId>>,
    subject: Option<ProcId>,
    span: hornet_ir::span::Span,
}
