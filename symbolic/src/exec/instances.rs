//! Contracts whose code is known, created and called: their code runs.

use super::abroad::Stay;
use super::executor::{Executor, Exit, Run};
use super::flow::{Flow, join, without_unknowns};
use super::known_call::{Failed, Success};
use super::policy::Policy;
use crate::{Res, Tree, Unsupported, Var};
use hornet_ir::ids::{ContractId, ProcId, TypeId};
use hornet_ir::program::{CallKind, Create, ExternalCall};
use hornet_smt::term::{Sort, TermId};

/// What belongs to the call under way, and not to the world.
const OF_THE_CALL: [Var; 5] = [Var::Caller, Var::CallValue, Var::CallData, Var::Overflow, Var::RawMemory];

impl<'p> Executor<'p> {
    /// Creates a contract whose code is then known. `None` if it cannot be followed.
    pub fn create_known(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        create: &Create,
        (data, value): (&Tree, Option<TermId>),
    ) -> Res<Option<TermId>> {
        let Some(constructor) = self.plain_constructor(create.contract) else { return Ok(None) };
        let Some(values) = self.constructor_values(constructor, data) else { return Ok(None) };
        if create.contract == self.home.contract || !self.can_inline(constructor) {
            return Ok(None);
        }
        let mut after = flow.clone();
        let created = self.all_or_nothing(|ex| {
            ex.leaving(&mut after, |ex, flow| ex.create_at(run, flow, create, constructor, (&values, value)))
        })?;
        if created.is_some() {
            *flow = after;
        }
        Ok(created)
    }

    /// Where something must stand for all that may happen, code with gaps is as good as unknown.
    pub(super) fn all_or_nothing<R>(&mut self, act: impl FnOnce(&mut Self) -> Res<R>) -> Res<Option<R>> {
        let gaps = self.gaps.len();
        let result = act(self);
        if self.follows_paths() {
            return result.map(Some);
        }
        let complete = self.gaps.len() == gaps;
        self.gaps.truncate(gaps);
        Ok(result.ok().filter(|_| complete))
    }

    fn create_at(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        create: &Create,
        constructor: ProcId,
        (values, value): (&[Tree], Option<TermId>),
    ) -> Res<TermId> {
        let address = self.new_address(run, flow, create)?;
        let mut failed = flow.clone();
        let mut inner = flow.clone();
        let (yes, no) = (self.cx.terms.bool(true), self.cx.terms.bool(false));
        if let Some(value) = value {
            self.balance_of(&inner, address)?;
            self.pay(&mut inner, address, value, yes)?;
        }
        if !self.follows_paths() {
            self.cx.havoc(&mut inner.state, Var::CodeSizes)?;
        } else if self.awareness().code {
            self.set_code_size(&mut inner, address, 1)?;
        }
        let nothing = self.cx.bytes_const(&[]);
        let outer = self.hand_over(&mut inner, value, &nothing)?;
        let stay = Stay { contract: create.contract, address: Some(address), constructing: true };
        let exit = self.staying(stay, |ex| {
            ex.clear_storage(&mut inner, create.contract)?;
            let args = ex.decoded_arguments(&mut inner, constructor, values)?;
            let exit = ex.run_inside(constructor, inner, &args);
            ex.kept_exit(exit, create.contract, address)
        })?;
        let out_of_gas = self.out_of_gas();
        let mut succeeded = self.divide(exit, &mut failed, out_of_gas);
        // Until then there is no code that others could call.
        for (flow, _) in &mut succeeded {
            self.set_made(flow, address, create.contract)?;
        }
        let nobody = self.number_like(address, 0);
        let payload = self.cx.fresh_bytes("payload");
        let mut ends = vec![(failed, nobody, no, payload)];
        ends.extend(succeeded.into_iter().map(|(flow, _)| (flow, address, yes, nothing.clone())));
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
        Ok(address)
    }

    /// An address where nothing was before.
    fn new_address(&mut self, run: &Run<'p>, flow: &mut Flow, create: &Create) -> Res<TermId> {
        let address = self.cx.fresh("created", run.proc.locals[create.dst].ty)?[0];
        if self.follows_paths() {
            self.is_somebody_else(flow, address)?;
            self.paths.created.push(address);
            if !self.paths.instances.contains(&create.contract) {
                self.paths.instances.push(create.contract);
            }
        }
        let caller = self.cx.get(&flow.state, Var::Caller)?[0];
        for other in [self.this(), self.home_address(), caller, self.number_like(address, 0)] {
            let another = self.cx.terms.ne(address, other);
            flow.assume(&self.cx.terms, another);
        }
        if self.kinds.lasting {
            let made = self.made_at(flow, address)?;
            let nothing = self.cx.terms.int(0);
            let is_new = self.cx.terms.eq(made, nothing);
            flow.assume(&self.cx.terms, is_new);
        }
        Ok(address)
    }

    pub(super) fn clear_storage(&mut self, flow: &mut Flow, contract: ContractId) -> Res<()> {
        for var in &self.program.contracts[contract].state {
            let zero = self.cx.zero(self.program.state[*var].ty)?;
            flow.state.set(Var::State(*var), zero);
        }
        Ok(())
    }

    /// The storage of a contract is where others find it when its code has run.
    fn kept_exit(&mut self, mut exit: Exit, contract: ContractId, address: TermId) -> Res<Exit> {
        for flow in exit.returns.iter_mut().map(|(flow, _)| flow).chain(&mut exit.halts) {
            self.keep(flow, contract, address)?;
            if self.constructing {
                self.settle(flow, contract, address)?;
            }
        }
        Ok(exit)
    }

    /// Whether a call of known code runs out of the gas it was given, and leaves us enough to go on. That is possible,
    /// but only of a contract's calls of itself our runs can be told to do it ([`Self::starve`]).
    pub(super) fn out_of_gas(&mut self) -> TermId {
        match self.policy {
            Policy::Paths => self.cx.terms.bool(false),
            Policy::Annotations | Policy::Predicates => self.cx.terms.fresh("outofgas", Sort::Bool),
        }
    }

    /// How a call of known code can succeed; otherwise it has failed.
    pub(super) fn divide(&mut self, exit: Exit, failed: &mut Flow, out_of_gas: TermId) -> Vec<Success> {
        let enough_gas = self.cx.terms.not(out_of_gas);
        // How control got here is known anyway.
        let reverts = exit.reverts.into_iter().map(|reach| without_unknowns(&mut self.cx.terms, reach));
        let reverts: Vec<TermId> = reverts.chain([out_of_gas]).collect();
        let failure = self.cx.terms.or_all(reverts);
        failed.assume(&self.cx.terms, failure);
        let mut succeeded: Vec<Success> = exit.halts.into_iter().map(|flow| (flow, None)).collect();
        succeeded.extend(exit.returns.map(|(flow, results)| (flow, Some(results))));
        succeeded.iter_mut().for_each(|(flow, _)| flow.assume(&self.cx.terms, enough_gas));
        succeeded
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

    /// Calls a contract whose code is known: the ways in which that ends.
    pub(super) fn call_code(
        &mut self,
        run: &Run<'p>,
        mut inner: Flow,
        call: &ExternalCall,
        stay: Stay,
        value: Option<TermId>,
        data: &Tree,
    ) -> Res<Vec<Flow>> {
        let Some((entry, values)) = self.called_entry(stay.contract, data) else {
            return Err(Unsupported::new("call of another contract whose function is not plain"));
        };
        if !self.can_inline(entry) {
            return Err(Unsupported::new("contracts that call each other in turns"));
        }
        let mut failed = inner.clone();
        let address = match stay.address {
            Some(address) => address,
            None => self.home_address(),
        };
        if let Some(value) = value {
            let always = self.cx.terms.bool(true);
            self.balance_of(&inner, address)?;
            self.pay(&mut inner, address, value, always)?;
        }
        let outer = self.hand_over(&mut inner, value, data)?;
        let looking = self.looking;
        if call.kind == CallKind::Static {
            self.looking = Some(self.cx.terms.bool(true));
        }
        let exit = self.staying(stay, |ex| {
            stay.address.map_or(Ok(()), |address| ex.bring(&mut inner, stay.contract, address))?;
            let args = ex.decoded_arguments(&mut inner, entry, &values)?;
            let exit = ex.run_watched(entry, inner, &args);
            match stay.address {
                Some(address) => ex.kept_exit(exit, stay.contract, address),
                None => Ok(exit),
            }
        });
        self.looking = looking;
        let out_of_gas = self.out_of_gas();
        let succeeded = self.divide(exit?, &mut failed, out_of_gas);
        let failed = Failed { flow: failed, silent: Some(out_of_gas) };
        self.ends(run, call, entry, succeeded, failed, &outer)
    }

    /// Makes the contract whose code runs the caller of another; what it was called with itself.
    fn hand_over(&mut self, flow: &mut Flow, value: Option<TermId>, data: &Tree) -> Res<Vec<(Var, Tree)>> {
        let mut outer = Vec::new();
        for var in OF_THE_CALL {
            outer.push((var, self.cx.get(&flow.state, var)?));
        }
        let this = self.this();
        let value = value.unwrap_or_else(|| self.cx.word(0));
        let no = self.cx.terms.bool(false);
        let nothing = self.cx.bytes_const(&[]);
        flow.state.set(Var::Caller, [this].into());
        flow.state.set(Var::CallValue, [value].into());
        flow.state.set(Var::CallData, data.clone());
        flow.state.set(Var::Overflow, [no].into());
        flow.state.set(Var::RawMemory, [no].into());
        flow.state.set(Var::ReturnData, nothing);
        Ok(outer)
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
