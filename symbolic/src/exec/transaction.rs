//! Transactions, for [`Policy::Paths`](super::Policy::Paths): the contract is deployed, then called again and again,
//! each time by anybody and in any of its functions.

use super::executor::{Executor, Exit};
use super::flow::{Flow, join};
use super::function::Ending;
use super::instances::MOST_KINDS;
use super::paths::{Action, Arguments, Step, Way};
use super::targets::{Target, TargetKind, body_of, function_target};
use crate::{LeafKind, Res, State, Tree, Var};
use hornet_ir::U256;
use hornet_ir::expr::{Builtin, EnvVar, Expr};
use hornet_ir::ids::{EventId, ExprId, Id, ProcId, TypeId};
use hornet_ir::program::{StateKind, StmtKind};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use num_bigint::BigInt;

/// Addresses up to this belong to nobody, or to the machine itself.
const RESERVED: u64 = 0xffff;
/// Where the contract is deployed.
const HOME: u64 = 0x00c0_ffee;
/// Longer arrays and byte strings are not looked for.
const LONGEST: u64 = 512;

/// Where nobody keeps accounts of ether, nobody sends more than this.
const PLENTY: u64 = 1 << 62;

/// What the program can notice of the world around the contract.
#[derive(Clone, Copy, Debug)]
pub struct Awareness {
    /// It looks at balances.
    pub balances: bool,
    /// It does, or it pays.
    pub ether: bool,
    pub code: bool,
    pub data: bool,
    pub chain: bool,
}

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
    pub fn awareness(&mut self) -> Awareness {
        match self.paths.awareness {
            Some(known) => known,
            None => *self.paths.awareness.insert(self.look_around()),
        }
    }

    fn look_around(&self) -> Awareness {
        let exprs = &self.program.exprs;
        let all = || (0..exprs.len()).map(|i| exprs.get(ExprId::from_usize(i)));
        let reads =
            |wanted: &[Builtin]| all().any(|e| matches!(e, Expr::Builtin(b, _) if wanted.contains(b)));
        let stmts = self.program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
        let pays = stmts.into_iter().any(|stmt| match &stmt.kind {
            StmtKind::ExternalCall(call) => call.value.is_some(),
            StmtKind::Create(create) => create.value.is_some(),
            StmtKind::SelfDestruct { .. } => true,
            _ => false,
        });
        Awareness {
            balances: reads(&[Builtin::Balance]),
            ether: pays || reads(&[Builtin::Balance]),
            code: reads(&[Builtin::CodeSize, Builtin::CodeHash, Builtin::Code]),
            data: all().any(|e| matches!(e, Expr::Env(EnvVar::CallData))),
            chain: all().any(|e| matches!(e, Expr::Env(EnvVar::ChainId))),
        }
    }

    /// Deploys the contract on an address where nothing is but perhaps ether. `None` if no run gets to the end.
    pub fn deploy(&mut self) -> Res<(Step, Option<Flow>)> {
        let mut flow = self.begin(true);
        for kind in 0..MOST_KINDS {
            let nothing = self.cx.terms.bool(false);
            flow.state.set(Var::Flag(kind), [nothing].into());
        }
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
        let mut step = self.environment_of_step(&mut flow, Entrance::Transaction)?;
        let mut ends = Vec::new();
        if let Some(code) = self.program.contracts[self.contract].constructor {
            let chosen = self.cx.terms.bool(true);
            self.way(&mut step, &mut ends, flow, chosen, Action::Deploy, code)?;
        }
        let mut end = join(&mut self.cx, ends)?;
        self.constructing = false;
        if let Some(flow) = &mut end {
            flow.state = self.lasting(&flow.state)?;
            if self.awareness().code {
                self.set_code_size(flow, this, 1)?;
            }
        }
        Ok((step, end))
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
        let way = Way { chosen: comes, action: Action::ForcedEther, args: Vec::new(), asked: Vec::new() };
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
        let mut step = self.environment_of_step(&mut flow, Entrance::Transaction)?;
        let ends = self.any_entry(&mut step, flow, Entrance::Transaction)?;
        Ok((step, join(&mut self.cx, ends)?))
    }

    /// Calls any function of the contract. The flows that come back have the lasting part of the state only.
    pub fn any_entry(&mut self, step: &mut Step, flow: Flow, entrance: Entrance) -> Res<Vec<Flow>> {
        let decl = &self.program.contracts[self.contract];
        let constant_only = entrance == Entrance::Nested { constant: true };
        let mut actions: Vec<(Action, ProcId, bool)> = Vec::new();
        for (i, entry) in decl.entries.iter().enumerate() {
            actions.push((Action::Call(i), entry.proc, entry.constant));
        }
        actions.extend(decl.receive.map(|proc| (Action::Receive, proc, false)));
        actions.extend(decl.fallback.map(|f| (Action::Fallback, f.proc, false)));
        let choice = self.cx.terms.fresh("choice", Sort::Int);
        let before = self.lasting(&flow.state)?;
        let mut ends = Vec::new();
        for (i, (action, code, constant)) in actions.into_iter().enumerate() {
            if constant_only && !constant {
                continue;
            }
            let number = self.cx.terms.int(i as u64);
            let chosen = self.cx.terms.eq(choice, number);
            let mut inner = flow.clone();
            inner.assume(&self.cx.terms, chosen);
            let mut own = Vec::new();
            self.way(step, &mut own, inner, chosen, action, code)?;
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

    /// One function of the contract, called from outside.
    fn way(
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
            entry: std::mem::take(&mut self.entry),
            allowed_events: self.allowed_events.take(),
            subject: self.subject.replace(body),
            span: std::mem::replace(&mut self.span, target.span),
        };
        let result = self.enter(&mut flow, step, action, code, body);
        let asked = std::mem::replace(&mut self.paths.asked, outer.asked);
        self.file_goals(&target);
        (self.active, self.entry, self.allowed_events) = (outer.active, outer.entry, outer.allowed_events);
        (self.subject, self.span) = (outer.subject, outer.span);
        match result {
            Ok((args, end)) => {
                ends.extend(end);
                step.ways.push(Way { chosen, action, args, asked });
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
    fn set_call_data(&mut self, flow: &mut Flow, action: Action, args: &mut Arguments) -> Res<()> {
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
                let mut contents = data[1];
                for (i, byte) in entry.selector.iter().enumerate() {
                    let (at, byte) = (self.cx.word(i as u64), self.cx.byte(*byte));
                    contents = self.cx.terms.store(contents, at, byte);
                }
                let head = self.cx.word(4 + 32 * args.len() as u64);
                let long_enough = self.at_most(head, data[0]);
                flow.assume(&self.cx.terms, long_enough);
                if args.iter().all(|(ty, _)| self.program.types.get(*ty).is_scalar()) {
                    let exact = self.cx.terms.eq(head, data[0]);
                    flow.assume(&self.cx.terms, exact);
                }
                flow.state.set(Var::CallData, [data[0], contents].into());
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
            self.is_below(flow, step.value, PLENTY);
            return Ok(());
        }
        self.receive_ether(flow, step.caller, step.value)
    }

    /// Somebody pays the contract.
    fn receive_ether(&mut self, flow: &mut Flow, payer: TermId, value: TermId) -> Res<()> {
        let this = self.this();
        self.balance_of(flow, this)?;
        let balance = self.balance_of(flow, payer)?;
        let enough = self.at_most(value, balance);
        flow.assume(&self.cx.terms, enough);
        let always = self.cx.terms.bool(true);
        self.move_ether(flow, payer, this, value, always)
    }

    fn fresh_address(&mut self, hint: &str) -> TermId {
        let sort = self.cx.ints.sort(&self.program.types, &Type::Address);
        let address = self.cx.terms.fresh(hint, sort);
        let range = self.cx.ints.in_range(&mut self.cx.terms, &self.program.types, &Type::Address, address);
        self.cx.fact(range);
        address
    }

    /// Somebody calls. Within a transaction, signer and block are the same.
    pub fn environment_of_step(&mut self, flow: &mut Flow, entrance: Entrance) -> Res<Step> {
        let caller = self.fresh_address("caller");
        self.is_somebody_else(flow, caller)?;
        let value = self.cx.terms.fresh("value", self.cx.word_sort());
        self.cx.admit_word(value);
        flow.state.set(Var::Caller, [caller].into());
        flow.state.set(Var::CallValue, [value].into());
        let begins = entrance == Entrance::Transaction;
        if begins {
            let origin = self.fresh_address("origin");
            self.is_somebody_else(flow, origin)?;
            self.paths.origin = Some(origin);
        }
        let origin = self.paths.origin.unwrap_or(caller);
        let mut environment = Vec::new();
        for (var, ty) in self.environment() {
            let name = Var::Env(var, ty);
            let earlier = self.cx.get(&flow.state, name)?[0];
            if begins {
                let now = if var == EnvVar::Origin { [origin].into() } else { self.cx.fresh("env", ty)? };
                flow.state.set(name, now.clone());
                self.is_possible_environment(flow, var, earlier, now[0])?;
            }
            environment.push((var, self.cx.get(&flow.state, name)?[0]));
        }
        // Whoever signs a transaction has no code.
        let has_code = self.has_code(flow, if begins { origin } else { caller })?;
        let expected = if begins { self.cx.terms.not(has_code) } else { has_code };
        flow.assume(&self.cx.terms, expected);
        if self.awareness().chain {
            environment.push((EnvVar::ChainId, self.cx.env_term(EnvVar::ChainId, &WORD)));
        }
        Ok(Step { ways: Vec::new(), caller, origin, value, environment })
    }

    fn is_possible_environment(
        &mut self,
        flow: &mut Flow,
        var: EnvVar,
        earlier: TermId,
        now: TermId,
    ) -> Res<()> {
        match var {
            EnvVar::Timestamp | EnvVar::Number => {
                let onwards = self.at_most(earlier, now);
                flow.assume(&self.cx.terms, onwards);
                self.is_below(flow, now, 1 << 40);
                self.is_above(flow, now, 0);
            }
            EnvVar::Coinbase => self.is_realistic(flow, now)?,
            EnvVar::GasLimit | EnvVar::BaseFee | EnvVar::BlobBaseFee | EnvVar::GasPrice => {
                self.is_below(flow, now, 1 << 40);
            }
            EnvVar::PrevRandao
            | EnvVar::Origin
            | EnvVar::This
            | EnvVar::Caller
            | EnvVar::CallValue
            | EnvVar::CallData
            | EnvVar::ReturnData
            | EnvVar::ChainId
            | EnvVar::GasLeft => {}
        }
        Ok(())
    }

    /// An address that people and contracts can have.
    pub fn is_realistic(&mut self, flow: &mut Flow, address: TermId) -> Res<()> {
        self.is_above(flow, address, RESERVED);
        Ok(())
    }

    /// The address of neither the contract nor of what it created.
    pub fn is_somebody_else(&mut self, flow: &mut Flow, address: TermId) -> Res<()> {
        self.is_realistic(flow, address)?;
        let this = self.this();
        let mut others = vec![this];
        others.extend(self.paths.created.iter().copied());
        let kinds = self.paths.instances.clone();
        others.extend(kinds.into_iter().map(|kind| self.instance_address(kind)));
        for other in others.into_iter().filter(|other| *other != address) {
            let another = self.cx.terms.ne(address, other);
            flow.assume(&self.cx.terms, another);
        }
        Ok(())
    }

    fn is_above(&mut self, flow: &mut Flow, number: TermId, limit: u64) {
        let limit = self.number_like(number, limit);
        let at_most = self.at_most(number, limit);
        let above = self.cx.terms.not(at_most);
        flow.assume(&self.cx.terms, above);
    }

    fn is_below(&mut self, flow: &mut Flow, number: TermId, limit: u64) {
        let limit = self.number_like(number, limit);
        let at_least = self.at_most(limit, number);
        let below = self.cx.terms.not(at_least);
        flow.assume(&self.cx.terms, below);
    }

    /// A constant of the same sort as a term.
    pub fn number_like(&mut self, term: TermId, number: u64) -> TermId {
        match self.cx.terms.sort(term) {
            Sort::BitVec(width) => {
                let width = *width;
                self.cx.terms.bv(number, width)
            }
            Sort::Bool | Sort::Int | Sort::Array(..) => self.cx.terms.int(BigInt::from(number)),
        }
    }

    /// Whether there is code at an address. Where nobody looks, everybody but the signer has some.
    pub fn has_code(&mut self, flow: &Flow, address: TermId) -> Res<TermId> {
        if !self.awareness().code {
            let signer = self.paths.origin.unwrap_or(address);
            return Ok(self.cx.terms.ne(address, signer));
        }
        let sizes = self.cx.get(&flow.state, Var::CodeSizes)?[0];
        let size = self.cx.terms.select(sizes, address);
        self.cx.admit_word(size);
        let nothing = self.cx.word(0);
        Ok(self.cx.terms.ne(size, nothing))
    }

    /// Code is there (`some` byte of it) or not.
    pub fn set_code_size(&mut self, flow: &mut Flow, address: TermId, some: u64) -> Res<()> {
        let sizes = self.cx.get(&flow.state, Var::CodeSizes)?[0];
        let size = match some {
            0 => self.cx.word(0),
            _ => {
                let size = self.cx.terms.fresh("codesize", self.cx.word_sort());
                self.cx.admit_word(size);
                self.is_above(flow, size, 0);
                self.is_below(flow, size, 24577);
                size
            }
        };
        let sizes = self.cx.terms.store(sizes, address, size);
        flow.state.set(Var::CodeSizes, [sizes].into());
        Ok(())
    }

    /// Arrays and byte strings of somebody's choice are not too long to be written down.
    pub fn limit_lengths(&mut self, flow: &mut Flow, ty: TypeId, value: &Tree) -> Res<()> {
        let shape = self.cx.shape(ty)?;
        for (leaf, term) in shape.iter().zip(value.iter()) {
            if leaf.kind == LeafKind::Length && leaf.indices.is_empty() {
                self.is_below(flow, *term, LONGEST);
            }
        }
        Ok(())
    }

    /// What is left of a state when a call has ended.
    pub fn lasting(&mut self, state: &State) -> Res<State> {
        let mut lasting = State::default();
        let lasts = |var: &Var| match var {
            Var::State(_) | Var::Balances | Var::CodeSizes | Var::Env(..) | Var::Flag(_) => true,
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
    entry: State,
    allowed_events: Option<Vec<EventId>>,
    subject: Option<ProcId>,
    span: hornet_ir::span::Span,
}
