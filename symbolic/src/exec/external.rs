//! Calls that leave the contract: others get control, and may call back.

use super::executor::{Executor, Run};
use super::flow::Flow;
use super::policy::Policy;
use super::targets::body_of;
use crate::{Res, Unsupported, Var};
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{CallKind, Callee, Create, ExternalCall, Gas, Program, StateKind, Stmt, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use rustc_hash::FxHashSet;

const WORD: Type = Type::Int { bits: 256, signed: false };

impl<'p> Executor<'p> {
    pub fn external_call(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        call: &ExternalCall,
    ) -> Res<()> {
        let target = self.scalar(flow, &run.proc.locals, run.frame, call.target)?;
        let target = flow.resolved(&mut self.cx.terms, target);
        let value = match call.value {
            Some(value) => Some(self.scalar(flow, &run.proc.locals, run.frame, value)?),
            None => None,
        };
        if let Some(value) = value {
            self.must_act_to_pay(flow, value);
        }
        let data = self.eval(flow, &run.proc.locals, run.frame, call.data)?;
        let span = stmt.span.unwrap_or(self.span);
        if let Some(known) = self.known_function(call.kind, target, call.callee.as_ref(), &data) {
            return self.call_known(run, flow, span, call, known, value);
        }
        if self.constructing && target == self.this() {
            return self.call_unfinished(run, flow, call, value);
        }
        if target == self.this() && !self.is_abroad() && self.must_be_followed(call) {
            return Err(Unsupported::new("a call of the contract by itself with such arguments"));
        }
        self.call_whoever(run, flow, stmt, (call, target, value, &data))
    }

    /// A contract calls itself before it has code: nothing happens, and nothing comes back.
    fn call_unfinished(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        call: &ExternalCall,
        value: Option<TermId>,
    ) -> Res<()> {
        let ok = match value {
            Some(value) => {
                let this = self.this();
                let balance = self.balance_of(flow, this)?;
                self.at_most(value, balance)
            }
            None => self.cx.terms.bool(true),
        };
        let nothing = self.cx.bytes_const(&[]);
        flow.state.set(Var::ReturnData, nothing.clone());
        self.set(run, flow, call.ok, [ok].into());
        self.set(run, flow, call.result, nothing);
        Ok(())
    }

    /// A call of code that is not known.
    pub(super) fn call_anybody(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        call: &ExternalCall,
        (target, value): (TermId, Option<TermId>),
    ) -> Res<()> {
        if self.follows_paths() {
            return self.call_somebody(run, flow, stmt, call, (target, value));
        }
        let span = stmt.span.unwrap_or(self.span);
        let ok = self.cx.terms.fresh("ok", Sort::Bool);
        match call.kind {
            CallKind::Delegate | CallKind::Code => self.foreign_code(flow, ok, span)?,
            CallKind::Static => self.look_outside(flow, span)?,
            CallKind::Call => self.call_out(flow, (target, value), call.gas == Gas::Stipend, ok, span)?,
        }
        let result = self.cx.fresh_bytes("returned");
        flow.state.set(Var::ReturnData, result.clone());
        self.set(run, flow, call.ok, [ok].into());
        self.set(run, flow, call.result, result);
        Ok(())
    }

    /// Others run, but can change nothing.
    pub fn look_outside(&mut self, flow: &mut Flow, span: Span) -> Res<()> {
        if self.is_abroad() {
            return self.at_home(|ex| ex.look_outside(flow, span));
        }
        self.others_look(flow)?;
        self.check_watched_invariants(flow, span);
        Ok(())
    }

    /// Others run; with a stipend of gas they cannot do much.
    pub fn call_out(
        &mut self,
        flow: &mut Flow,
        (target, value): (TermId, Option<TermId>),
        stipend: bool,
        ok: TermId,
        span: Span,
    ) -> Res<()> {
        let failed = flow.clone();
        if let Some(value) = value {
            self.pay(flow, target, value, ok)?;
            self.choose_balances(flow, ok, &failed)?;
        }
        if stipend {
            self.look_outside(flow, span)?;
            self.havoc_transient(flow)?;
        } else {
            self.give_up_control(flow, span)?;
        }
        // A failed call undoes what it did.
        self.choose_state(flow, ok, &failed)
    }

    /// `ok` chooses between the state of `flow` and that of a failed call.
    pub fn choose_state(&mut self, flow: &mut Flow, ok: TermId, failed: &Flow) -> Res<()> {
        let succeeded = std::mem::take(&mut flow.state);
        flow.state = self.cx.merge(&[(ok, succeeded), (ok, failed.state.clone())])?;
        Ok(())
    }

    /// Ether moves only if the call succeeds.
    fn choose_balances(&mut self, flow: &mut Flow, ok: TermId, failed: &Flow) -> Res<()> {
        // Modular rules ask what holds when others run: then the call did succeed.
        if self.policy != Policy::Predicates {
            return Ok(());
        }
        let moved = self.cx.get(&flow.state, Var::Balances)?;
        let kept = self.cx.get(&failed.state, Var::Balances)?;
        let balances = self.cx.ite(ok, &moved, &kept);
        flow.state.set(Var::Balances, balances);
        Ok(())
    }

    /// Moves ether from us if the call succeeds.
    pub fn pay(&mut self, flow: &mut Flow, to: TermId, value: TermId, ok: TermId) -> Res<()> {
        let this = self.this();
        let balance = self.balance_of(flow, this)?;
        let enough = self.at_most(value, balance);
        let possible = self.cx.terms.implies(ok, enough);
        flow.assume(&self.cx.terms, possible);
        self.move_ether(flow, this, to, value, ok)
    }

    pub fn balance_of(&mut self, flow: &Flow, address: TermId) -> Res<TermId> {
        let balances = self.cx.get(&flow.state, Var::Balances)?[0];
        let balance = self.cx.terms.select(balances, address);
        self.cx.admit_word(balance);
        Ok(balance)
    }

    /// There is not enough ether in the world for a balance to overflow, if `ok` says that the transfer happens at all.
    pub fn move_ether(
        &mut self,
        flow: &mut Flow,
        from: TermId,
        to: TermId,
        value: TermId,
        ok: TermId,
    ) -> Res<()> {
        let sender = self.balance_of(flow, from)?;
        let rest = self.minus(sender, value);
        let balances = self.cx.get(&flow.state, Var::Balances)?[0];
        let reduced = self.cx.terms.store(balances, from, rest);
        let receiver = self.cx.terms.select(reduced, to);
        let total = self.plus(receiver, value);
        let no_overflow = self.fits_word(receiver, total);
        let possible = self.cx.terms.implies(ok, no_overflow);
        flow.assume(&self.cx.terms, possible);
        let moved = self.cx.terms.store(reduced, to, total);
        flow.state.set(Var::Balances, [moved].into());
        Ok(())
    }

    pub(super) fn plus(&mut self, a: TermId, b: TermId) -> TermId {
        match self.cx.terms.sort(a) {
            Sort::BitVec(_) => self.cx.terms.bv_add(a, b),
            Sort::Bool | Sort::Int | Sort::Array(..) => self.cx.terms.add(a, b),
        }
    }

    fn minus(&mut self, a: TermId, b: TermId) -> TermId {
        match self.cx.terms.sort(a) {
            Sort::BitVec(_) => self.cx.terms.bv_sub(a, b),
            Sort::Bool | Sort::Int | Sort::Array(..) => self.cx.terms.sub(a, b),
        }
    }

    pub fn at_most(&mut self, a: TermId, b: TermId) -> TermId {
        match self.cx.terms.sort(a) {
            Sort::BitVec(_) => self.cx.terms.bv_ule(a, b),
            Sort::Bool | Sort::Int | Sort::Array(..) => self.cx.terms.le(a, b),
        }
    }

    pub(super) fn fits_word(&mut self, before: TermId, after: TermId) -> TermId {
        match self.cx.terms.sort(after) {
            Sort::BitVec(_) => self.cx.terms.bv_ule(before, after),
            Sort::Bool | Sort::Int | Sort::Array(..) => {
                self.cx.ints.in_range(&mut self.cx.terms, &self.program.types, &WORD, after)
            }
        }
    }

    pub fn this(&mut self) -> TermId {
        let this = self.cx.env_term(EnvVar::This, &Type::Address);
        if self.is_abroad() {
            // Where that is, the run decides that leads there: it is no fact of all runs.
            return this;
        }
        // No contract lives at the zero address.
        let zero = self.cx.ints.zero(&mut self.cx.terms, &Type::Address);
        let real = self.cx.terms.ne(this, zero);
        self.cx.fact(real);
        this
    }

    /// Others run: the invariants must hold, and only they are known to hold afterwards.
    pub fn give_up_control(&mut self, flow: &mut Flow, span: Span) -> Res<()> {
        if self.is_abroad() {
            return self.leaving(flow, |ex, flow| ex.at_home(|ex| ex.give_up_control(flow, span)));
        }
        self.check_no_overflow(flow, crate::Frame(0), span, "silent overflow before an external call");
        if self.policy == Policy::Predicates && !self.constructing {
            self.check_invariants(flow, span, "before an external call");
            self.others_act(flow)?;
            return self.cx.havoc(&mut flow.state, Var::CodeSizes);
        }
        if !self.constructing {
            self.check_invariants(flow, span, "before an external call");
            self.check_invariants_later(flow, span, "before an external call");
            self.havoc_reentrancy(flow)?;
        }
        self.forget_others(flow)?;
        self.cx.havoc(&mut flow.state, Var::Balances)?;
        self.cx.havoc(&mut flow.state, Var::CodeSizes)?;
        if !self.constructing {
            self.assume_invariants(flow);
        }
        Ok(())
    }

    /// Others can call functions that change nothing, or too late, during static calls and with little gas. What is inferred
    /// must hold whenever code may rely on it; what people write, where somebody who looks would notice.
    fn check_watched_invariants(&mut self, flow: &mut Flow, span: hornet_ir::span::Span) {
        let matters = || self.program.invariants_inferred || looking_matters(self.program, self.contract);
        if self.policy == Policy::Annotations && !self.constructing && matters() {
            self.check_invariants(flow, span, "while others look");
            self.check_invariants_later(flow, span, "while others look");
        }
    }

    /// The little gas that comes with a transfer is enough to call back and write transient storage, if nothing else.
    pub fn havoc_transient(&mut self, flow: &mut Flow) -> Res<()> {
        if self.is_abroad() {
            return self.leaving(flow, |ex, flow| ex.at_home(|ex| ex.havoc_transient(flow)));
        }
        self.forget_others_if(flow, |kind| kind == StateKind::Transient)?;
        if self.constructing {
            return Ok(());
        }
        let effects = self.effects.of_reentrancy(self.program, self.contract);
        let vars = super::effects::changed_state(self.program, Some(self.contract), &effects);
        let transient = vars.into_iter().filter(|var| self.program.state[*var].kind == StateKind::Transient);
        transient
            .map(Var::State)
            .collect::<Vec<_>>()
            .iter()
            .try_for_each(|var| self.cx.havoc(&mut flow.state, *var))
    }

    /// Forgets what a caller from outside could change.
    pub fn havoc_reentrancy(&mut self, flow: &mut Flow) -> Res<()> {
        if self.is_abroad() {
            return self.leaving(flow, |ex, flow| ex.at_home(|ex| ex.havoc_reentrancy(flow)));
        }
        self.forget_others(flow)?;
        if self.constructing {
            return Ok(());
        }
        let before = flow.clone();
        let effects = self.effects.of_reentrancy(self.program, self.contract);
        let vars = super::effects::changed_state(self.program, Some(self.contract), &effects);
        for var in vars {
            if self.program.state[var].kind != StateKind::Immutable {
                self.cx.havoc(&mut flow.state, Var::State(var))?;
            }
        }
        // A library does not know what the contract it works for lets others do.
        for var in self.cx.outside_vars() {
            self.cx.havoc(&mut flow.state, var)?;
        }
        self.checkpoint_reported(&before, flow, &effects);
        Ok(())
    }

    pub fn create(&mut self, run: &Run<'p>, flow: &mut Flow, stmt: &Stmt, create: &Create) -> Res<()> {
        if self.follows_paths() {
            return self.create_somebody(run, flow, stmt, create);
        }
        let data = self.eval(flow, &run.proc.locals, run.frame, create.args)?;
        self.must_act(flow);
        let value = match create.value {
            Some(value) => Some(self.scalar(flow, &run.proc.locals, run.frame, value)?),
            None => None,
        };
        let followed = self.kinds.created.contains(&create.contract);
        if followed && self.create_known(run, flow, create, (&data, value))?.is_some() {
            return Ok(());
        }
        let span = stmt.span.unwrap_or(self.span);
        let ok = self.cx.terms.fresh("ok", Sort::Bool);
        let address_ty = run.proc.locals[create.dst].ty;
        let address = self.cx.fresh("created", address_ty)?[0];
        let this = self.this();
        let another = self.cx.terms.ne(address, this);
        flow.assume(&self.cx.terms, another);
        let failed = flow.clone();
        if let Some(value) = value {
            self.pay(flow, address, value, ok)?;
            self.choose_balances(flow, ok, &failed)?;
        }
        let effects = self.constructor_effects(create);
        if effects.is_none_or(|effects| effects.reenters || effects.anything) {
            self.give_up_control(flow, span)?;
        } else if effects.is_some_and(|effects| effects.return_data) {
            self.look_outside(flow, span)?;
            self.havoc_transient(flow)?;
        }
        // Ether can come back without our code doing anything.
        if effects.is_none_or(|effects| effects.balances) {
            self.cx.havoc(&mut flow.state, Var::Balances)?;
        }
        self.cx.havoc(&mut flow.state, Var::CodeSizes)?;
        self.choose_state(flow, ok, &failed)?;
        let zero = self.cx.ints.zero(&mut self.cx.terms, &Type::Address);
        let real = self.cx.terms.ne(address, zero);
        flow.assume(&self.cx.terms, real);
        let address = self.cx.terms.ite(ok, address, zero);
        self.set(run, flow, create.dst, [address].into());
        self.set(run, flow, create.ok, [ok].into());
        let result = self.cx.fresh_bytes("returned");
        flow.state.set(Var::ReturnData, result.clone());
        self.set(run, flow, create.result, result);
        Ok(())
    }

    /// What the constructor does, if that is known: one that calls nobody cannot call us.
    fn constructor_effects(&self, create: &Create) -> Option<&'p super::effects::Effects> {
        let effects = self.effects;
        self.program.contracts[create.contract].constructor.map(|proc| effects.of(proc))
    }

    pub fn self_destruct(&mut self, flow: &mut Flow, beneficiary: TermId) -> Res<()> {
        let this = self.this();
        let all = self.balance_of(flow, this)?;
        let always = self.cx.terms.bool(true);
        self.move_ether(flow, this, beneficiary, all, always)?;
        // What a contract leaves to itself is lost, unless it goes on to live.
        let to_itself = self.cx.terms.eq(beneficiary, this);
        let lost = match self.policy {
            Policy::Paths => self.cx.terms.bool(false),
            Policy::Annotations | Policy::Predicates => self.cx.terms.fresh("lost", Sort::Bool),
        };
        let lost = self.cx.terms.and(to_itself, lost);
        let (rest, nothing) = (self.balance_of(flow, this)?, self.number_like(all, 0));
        let rest = self.cx.terms.ite(lost, nothing, rest);
        let balances = self.cx.get(&flow.state, Var::Balances)?[0];
        let balances = self.cx.terms.store(balances, this, rest);
        flow.state.set(Var::Balances, [balances].into());
        Ok(())
    }
}

/// Whether a function that changes nothing has anything to check: it can be run to its end while others only look. What
/// changes something cannot, and whatever it runs into is undone.
fn looking_matters(program: &Program, contract: ContractId) -> bool {
    let entries = program.contracts[contract].entries.iter().filter(|entry| entry.constant);
    let mut open: Vec<ProcId> = entries.filter_map(|entry| body_of(program, entry.proc)).collect();
    let mut seen: FxHashSet<ProcId> = FxHashSet::default();
    while let Some(id) = open.pop() {
        let proc = &program.procs[id];
        if proc.spec.as_ref().is_some_and(|spec| !spec.is_empty()) {
            return true;
        }
        for stmt in proc.blocks.iter().flat_map(|block| &block.stmts) {
            match &stmt.kind {
                StmtKind::Check { .. } => return true,
                StmtKind::Call { callee: Callee::Pointer(_), .. } => return true,
                StmtKind::Call { callee: Callee::Proc(callee), .. } if seen.insert(*callee) => {
                    open.push(*callee)
                }
                _ => {}
            }
        }
    }
    false
}
