//! One call of one function, from any state of the contract, for [`Policy::Paths`](super::Policy::Paths).

use super::executor::{Executor, Exit, Locals};
use super::flow::Flow;
use super::paths::{Action, OwnCall, Step, Way};
use super::transaction::{Entrance, HOME};
use crate::{Frame, Res, Var};
use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::ProcId;
use hornet_ir::program::StateKind;
use hornet_ir::spec::Clause;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;

/// A call that was followed to all its ends.
pub struct Visit {
    /// Who calls what with which arguments; there is one way.
    pub step: Step,
    /// What is known before the first statement.
    pub begin: TermId,
    /// Holds in runs that come to an end which is modelled.
    pub ends: TermId,
    /// Holds in those that end without an error.
    pub succeeds: TermId,
}

impl<'p> Executor<'p> {
    /// A transaction that calls a function of the contract, in any state in which these clauses hold.
    pub fn visit(&mut self, action: Action, code: ProcId, invariants: &[Clause]) -> Res<Visit> {
        let mut flow = self.anywhere()?;
        self.entry = flow.state.clone();
        for clause in invariants {
            self.assume_clause(&mut flow, &Locals::new(), Frame(0), clause);
        }
        let mut step = self.environment_of_step(&mut flow, Entrance::Transaction)?;
        let proc = &self.program.procs[code];
        let args = self.arguments(&mut flow, proc, true)?;
        let mut values = Vec::new();
        for (param, arg) in proc.params.iter().zip(&args) {
            let (ty, value) = self.cx.contents(&flow.state, proc.locals[*param].ty, arg)?;
            self.limit_lengths(&mut flow, ty, &value)?;
            values.push((ty, value));
        }
        self.set_call_data(&mut flow, action, &mut values)?;
        if self.awareness().ether {
            self.receive_ether(&mut flow, step.caller, step.value)?;
        }
        self.subject = Some(code);
        let begin = flow.reach(&mut self.cx.terms);
        let frame = self.activate(&mut flow, code, &args);
        self.entry = flow.state.clone();
        let exit = self.run(code, frame, flow);
        let asked = std::mem::take(&mut self.paths.asked);
        let own_calls = std::mem::take(&mut self.paths.own_calls);
        let begin = self.with_plenty_of_gas(begin, &own_calls);
        let chosen = self.cx.terms.bool(true);
        step.ways.push(Way { chosen, whose: None, action, args: values, asked, own_calls });
        Ok(self.visited(step, begin, exit))
    }

    /// Nobody brings too little gas on purpose.
    fn with_plenty_of_gas(&mut self, begin: TermId, own_calls: &[OwnCall]) -> TermId {
        let starved = self.cx.terms.or_all(own_calls.iter().map(|call| call.starved));
        let fed = self.cx.terms.not(starved);
        self.cx.terms.and(begin, fed)
    }

    /// A call of a function from inside, in any state that a transaction may have got into by then.
    pub fn visit_inside(&mut self, id: ProcId) -> Res<Visit> {
        let mut flow = self.anywhere()?;
        self.cx.havoc_storage(&mut flow.state)?;
        let step = self.environment_of_step(&mut flow, Entrance::Transaction)?;
        let args = self.arguments(&mut flow, &self.program.procs[id], false)?;
        self.entry = flow.state.clone();
        self.subject = None;
        let begin = flow.reach(&mut self.cx.terms);
        let exit = self.run_inside(id, flow, &args);
        let own_calls = std::mem::take(&mut self.paths.own_calls);
        let begin = self.with_plenty_of_gas(begin, &own_calls);
        Ok(self.visited(step, begin, exit))
    }

    /// The contract is deployed, and nobody is inside.
    fn anywhere(&mut self) -> Res<Flow> {
        let mut flow = self.begin(false);
        let this = self.this();
        let home = self.cx.ints.constant(&mut self.cx.terms, &Type::Address, U256::from(HOME));
        let is_home = self.cx.terms.eq(this, home);
        flow.assume(&self.cx.terms, is_home);
        if self.awareness().code {
            self.set_code_size(&mut flow, this, 1)?;
        }
        if self.awareness().chain {
            let chain = self.cx.env_term(EnvVar::ChainId, &Type::Int { bits: 256, signed: false });
            self.is_below(&mut flow, chain, 1 << 32);
            self.is_above(&mut flow, chain, 0);
        }
        for var in &self.program.contracts[self.contract].state {
            let decl = &self.program.state[*var];
            if decl.kind == StateKind::Transient {
                let zero = self.cx.zero(decl.ty)?;
                flow.state.set(Var::State(*var), zero);
            }
        }
        Ok(flow)
    }

    fn visited(&mut self, step: Step, begin: TermId, exit: Exit) -> Visit {
        let Exit { returns, halts, reverts } = exit;
        let good: Vec<TermId> = returns
            .iter()
            .map(|(flow, _)| flow)
            .chain(&halts)
            .map(|flow| flow.reach(&mut self.cx.terms))
            .collect();
        let succeeds = self.cx.terms.or_all(good);
        let fails = self.cx.terms.or_all(reverts);
        let ends = self.cx.terms.or(succeeds, fails);
        Visit { step, begin, ends, succeeds }
    }
}
