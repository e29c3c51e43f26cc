//! Contracts that the contract itself has created, for [`Policy::Paths`](super::Policy::Paths): their code is known, so it
//! runs. At most one contract of each kind is followed, and only while it keeps to itself.

use super::executor::{Executor, Run};
use super::flow::{Flow, join};
use super::known_call::Success;
use crate::{Res, Tree, Unsupported, Var};
use hornet_ir::ids::{ContractId, ProcId, TypeId};
use hornet_ir::program::{CallKind, Create, ExternalCall};
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use num_bigint::BigInt;

/// More kinds are not followed.
pub const MOST_KINDS: u32 = 8;

impl<'p> Executor<'p> {
    /// Which of the contracts that are followed is of this kind, if there is room for it.
    fn instance(&mut self, contract: ContractId) -> Option<u32> {
        let known = self.paths.instances.iter().position(|c| *c == contract);
        let index = known.unwrap_or(self.paths.instances.len());
        if index >= MOST_KINDS as usize || contract == self.contract || self.cx.this.is_some() {
            return None;
        }
        if known.is_none() {
            self.paths.instances.push(contract);
        }
        u32::try_from(index).ok()
    }

    pub fn instance_address(&mut self, contract: ContractId) -> TermId {
        let name = format!("created_{}", contract.0);
        self.cx.unknown_constant(&name, &Type::Address)
    }

    /// Whether it has been created.
    fn exists(&mut self, flow: &Flow, index: u32) -> Res<TermId> {
        Ok(self.cx.get(&flow.state, Var::Flag(index))?[0])
    }

    /// Creates a contract whose code is then known. `None` if it cannot be followed.
    pub fn create_known(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        create: &Create,
        (data, value): (&Tree, Option<TermId>),
    ) -> Res<Option<TermId>> {
        let program = self.program;
        let Some(constructor) = program.contracts[create.contract].constructor else { return Ok(None) };
        let Some(values) = self.constructor_values(constructor, data) else { return Ok(None) };
        let Some(index) = self.instance(create.contract) else { return Ok(None) };
        let address = self.instance_address(create.contract);
        let exists = self.exists(flow, index)?;
        let is_new = self.cx.terms.not(exists);
        flow.assume(&self.cx.terms, is_new);
        self.is_somebody_else(flow, address)?;
        let caller = self.cx.get(&flow.state, Var::Caller)?[0];
        let another = self.cx.terms.ne(address, caller);
        flow.assume(&self.cx.terms, another);
        let mut failed = flow.clone();
        let mut inner = flow.clone();
        let yes = self.cx.terms.bool(true);
        inner.state.set(Var::Flag(index), [yes].into());
        if let Some(value) = value {
            self.balance_of(&inner, address)?;
            self.pay(&mut inner, address, value, yes)?;
        }
        if self.awareness().code {
            self.set_code_size(&mut inner, address, 1)?;
        }
        for var in &program.contracts[create.contract].state {
            let zero = self.cx.zero(program.state[*var].ty)?;
            inner.state.set(Var::State(*var), zero);
        }
        let nothing = self.cx.bytes_const(&[]);
        let outer = self.hand_over(&mut inner, value, &nothing)?;
        let args = self.decoded_arguments(&mut inner, constructor, &values)?;
        let exit =
            self.as_other(create.contract, address, true, |ex| ex.run_inside(constructor, inner, &args));
        let reverts = self.cx.terms.or_all(exit.reverts);
        failed.assume(&self.cx.terms, reverts);
        let nobody = self.number_like(address, 0);
        let no = self.cx.terms.bool(false);
        let payload = self.cx.fresh_bytes("payload");
        let mut ends = vec![(failed, nobody, no, payload)];
        let succeeded = exit.returns.map(|(flow, _)| flow).into_iter().chain(exit.halts);
        ends.extend(succeeded.map(|flow| (flow, address, yes, nothing.clone())));
        let mut flows = Vec::new();
        for (mut end, address, ok, result) in ends {
            outer.iter().for_each(|(var, value)| end.state.set(*var, value.clone()));
            self.set(run, &mut end, create.dst, [address].into());
            self.set(run, &mut end, create.ok, [ok].into());
            end.state.set(Var::ReturnData, result.clone());
            self.set(run, &mut end, create.result, result);
            flows.push(end);
        }
        self.go_on(flow, flows)?;
        Ok(Some(address))
    }

    /// The arguments that were encoded for a constructor.
    fn constructor_values(&mut self, constructor: ProcId, data: &Tree) -> Option<Vec<Tree>> {
        let proc = &self.program.procs[constructor];
        let encoded = |param| {
            let ty = proc.locals[param].ty;
            self.program.types.referent(ty).unwrap_or(ty)
        };
        let types: Vec<TypeId> = proc.params.iter().map(|param| encoded(*param)).collect();
        if types.is_empty() { Some(Vec::new()) } else { self.cx.decoded(&types, data) }
    }

    /// Where a call meets a contract that was created, its code runs. What is left of the flow meets somebody else.
    pub fn call_instances(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        call: &ExternalCall,
        (target, value): (TermId, Option<TermId>),
        data: &Tree,
    ) -> Res<Vec<Flow>> {
        let mut ends = Vec::new();
        if self.cx.this.is_some() || !matches!(call.kind, CallKind::Call | CallKind::Static) {
            return Ok(ends);
        }
        for (index, contract) in self.paths.instances.clone().into_iter().enumerate() {
            let address = self.instance_address(contract);
            let exists = self.exists(flow, index as u32)?;
            let same = self.cx.terms.eq(target, address);
            let meets = self.cx.terms.and(exists, same);
            let mut inner = flow.clone();
            inner.assume(&self.cx.terms, meets);
            let misses = self.cx.terms.not(meets);
            flow.assume(&self.cx.terms, misses);
            if inner.is_dead(&mut self.cx.terms) {
                continue;
            }
            match self.call_instance(run, inner.clone(), call, contract, value, data) {
                Ok(found) => ends.extend(found),
                Err(why) => self.gap(&inner, why, None),
            }
        }
        Ok(ends)
    }

    fn call_instance(
        &mut self,
        run: &Run<'p>,
        mut inner: Flow,
        call: &ExternalCall,
        contract: ContractId,
        value: Option<TermId>,
        data: &Tree,
    ) -> Res<Vec<Flow>> {
        let Some((entry, values)) = self.called_entry(contract, data) else {
            return Err(Unsupported::new("call of a created contract whose function is not plain"));
        };
        let mut failed = inner.clone();
        let address = self.instance_address(contract);
        if let Some(value) = value {
            let always = self.cx.terms.bool(true);
            self.balance_of(&inner, address)?;
            self.pay(&mut inner, address, value, always)?;
        }
        let outer = self.hand_over(&mut inner, value, data)?;
        let args = self.decoded_arguments(&mut inner, entry, &values)?;
        let exit = self.as_other(contract, address, false, |ex| ex.run_inside(entry, inner, &args));
        let reverts = self.cx.terms.or_all(exit.reverts);
        failed.assume(&self.cx.terms, reverts);
        let mut succeeded: Vec<Success> = exit.halts.into_iter().map(|flow| (flow, None)).collect();
        succeeded.extend(exit.returns.map(|(flow, results)| (flow, Some(results))));
        self.ends(run, call, entry, succeeded, failed, &outer)
    }

    /// The function that call data names, and its arguments.
    fn called_entry(&mut self, contract: ContractId, data: &Tree) -> Option<(ProcId, Vec<Tree>)> {
        let (selector, types, args) = self.cx.decoded_call(data)?;
        let selector = match self.cx.terms.op(selector) {
            hornet_smt::term::Op::Int(n) => n.clone(),
            hornet_smt::term::Op::BitVec(n, _) => BigInt::from(n.clone()),
            _ => return None,
        };
        let entries = &self.program.contracts[contract].entries;
        let entry = entries.iter().find(|e| BigInt::from(u32::from_be_bytes(e.selector)) == selector)?.proc;
        self.takes(entry, &types).then_some((entry, args))
    }

    /// Makes the contract the caller of another; what it was called with itself.
    fn hand_over(&mut self, flow: &mut Flow, value: Option<TermId>, data: &Tree) -> Res<Vec<(Var, Tree)>> {
        let mut outer = Vec::new();
        for var in [Var::Caller, Var::CallValue, Var::CallData] {
            outer.push((var, self.cx.get(&flow.state, var)?));
        }
        let this = self.this();
        let value = value.unwrap_or_else(|| self.cx.word(0));
        flow.state.set(Var::Caller, [this].into());
        flow.state.set(Var::CallValue, [value].into());
        flow.state.set(Var::CallData, data.clone());
        Ok(outer)
    }

    /// Runs code of another contract. Its checks are its own affair.
    fn as_other<R>(
        &mut self,
        contract: ContractId,
        address: TermId,
        constructing: bool,
        act: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let goals = self.take_goals();
        let places = std::mem::take(&mut self.cx.paths);
        let active = std::mem::take(&mut self.active);
        let own = std::mem::replace(&mut self.contract, contract);
        let was_constructing = std::mem::replace(&mut self.constructing, constructing);
        let of_context = self.cx.contract.replace(contract);
        self.cx.this = Some(address);
        let result = act(self);
        self.cx.this = None;
        self.cx.contract = of_context;
        self.constructing = was_constructing;
        self.contract = own;
        self.active = active;
        self.cx.paths = places;
        self.take_goals();
        self.goals = goals;
        result
    }

    /// Goes on where some flows meet, if any.
    pub fn go_on(&mut self, flow: &mut Flow, flows: Vec<Flow>) -> Res<()> {
        match join(&mut self.cx, flows)? {
            Some(joined) => *flow = joined,
            None => {
                let never = self.cx.terms.bool(false);
                flow.assume(&self.cx.terms, never);
            }
        }
        Ok(())
    }
}
