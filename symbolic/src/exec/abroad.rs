//! Code of other contracts: it runs on their own storage, which is kept by address while it does not run.

use super::executor::Executor;
use super::flow::Flow;
use crate::{Res, Tree, Var};
use hornet_ir::ids::{ContractId, StateVarId};
use hornet_ir::program::StateKind;
use hornet_smt::term::TermId;

/// The contract that everything is about.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    pub contract: ContractId,
    /// It was under construction when it last gave control away.
    pub constructing: bool,
}

/// Whose code runs, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    pub contract: ContractId,
    /// `None` at home.
    pub address: Option<TermId>,
    pub constructing: bool,
}

impl<'p> Executor<'p> {
    /// Whether code of another contract runs: its checks are its own affair.
    pub fn is_abroad(&self) -> bool {
        self.cx.this.is_some()
    }

    pub(super) fn home_stay(&self) -> Stay {
        let constructing = if self.is_abroad() { self.home.constructing } else { self.constructing };
        Stay { contract: self.home.contract, address: None, constructing }
    }

    /// Where the contract is that everything is about.
    pub fn home_address(&mut self) -> TermId {
        let abroad = self.cx.this.take();
        let home = self.this();
        self.cx.this = abroad;
        home
    }

    /// Acts as another contract for a while.
    pub(super) fn staying<R>(&mut self, stay: Stay, act: impl FnOnce(&mut Self) -> R) -> R {
        self.home.constructing = self.home_stay().constructing;
        // References lead along the paths of the contract whose code runs.
        let (paths, shapes) = (std::mem::take(&mut self.cx.paths), std::mem::take(&mut self.cx.shapes));
        let contract = std::mem::replace(&mut self.contract, stay.contract);
        let constructing = std::mem::replace(&mut self.constructing, stay.constructing);
        let storage = self.cx.contract.replace(stay.contract);
        let this = std::mem::replace(&mut self.cx.this, stay.address);
        let result = act(self);
        (self.cx.this, self.cx.contract) = (this, storage);
        (self.contract, self.constructing) = (contract, constructing);
        (self.cx.paths, self.cx.shapes) = (paths, shapes);
        result
    }

    pub(super) fn at_home<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        if self.is_abroad() { self.staying(self.home_stay(), act) } else { act(self) }
    }

    /// Gives control away and gets it back: meanwhile, storage is where others find it.
    pub(super) fn leaving<R>(
        &mut self,
        flow: &mut Flow,
        act: impl FnOnce(&mut Self, &mut Flow) -> Res<R>,
    ) -> Res<R> {
        let Some(address) = self.cx.this else { return act(self, flow) };
        let contract = self.contract;
        let before = flow.state.clone();
        self.keep(flow, contract, address)?;
        let result = act(self, flow)?;
        self.bring(flow, contract, address)?;
        for var in self.variables(contract, true).into_iter().filter(|_| self.constructing) {
            let value = self.cx.get(&before, Var::State(var))?;
            flow.state.set(Var::State(var), value);
        }
        Ok(result)
    }

    /// The variables of a contract that are fixed once it is constructed, or those that are not. A run that is told has
    /// all of them as they come.
    fn variables(&self, contract: ContractId, fixed: bool) -> Vec<StateVarId> {
        let is_fixed = |var: &StateVarId| !self.follows_paths() && self.kinds.fixed.contains(var);
        let all = self.program.contracts[contract].state.iter().copied();
        all.filter(|var| is_fixed(var) == fixed).collect()
    }

    /// What nothing changes in other contracts, whenever one looks.
    pub(super) fn fixed_elsewhere(&self) -> impl Iterator<Item = Var> {
        self.kinds.fixed.iter().map(|var| Var::Kept(*var))
    }

    /// Puts the storage of a contract whose code has run where it is kept.
    pub(super) fn keep(&mut self, flow: &mut Flow, contract: ContractId, address: TermId) -> Res<()> {
        for var in self.variables(contract, false) {
            let value = self.cx.get(&flow.state, Var::State(var))?;
            let kept = self.cx.get(&flow.state, Var::Kept(var))?;
            let leaves = kept.iter().zip(value.iter());
            let kept: Tree = leaves.map(|(kept, leaf)| self.cx.terms.store(*kept, address, *leaf)).collect();
            flow.state.set(Var::Kept(var), kept);
        }
        Ok(())
    }

    /// What a constructor leaves in variables that nothing changes afterwards is what was always going to be there.
    pub(super) fn settle(&mut self, flow: &mut Flow, contract: ContractId, address: TermId) -> Res<()> {
        for var in self.variables(contract, true) {
            let value = self.cx.get(&flow.state, Var::State(var))?;
            let fixed = self.cx.get(&flow.state, Var::Kept(var))?;
            for (leaf, all) in value.iter().zip(fixed.iter()) {
                let there = self.cx.terms.select(*all, address);
                let same = self.cx.terms.eq(*leaf, there);
                flow.assume(&self.cx.terms, same);
            }
        }
        Ok(())
    }

    /// Gets the storage of a contract whose code is to run.
    pub(super) fn bring(&mut self, flow: &mut Flow, contract: ContractId, address: TermId) -> Res<()> {
        for var in &self.program.contracts[contract].state {
            let kept = self.cx.get(&flow.state, Var::Kept(*var))?;
            let value: Tree = kept.iter().map(|leaf| self.cx.terms.select(*leaf, address)).collect();
            let shape = self.cx.shape(self.program.state[*var].ty)?;
            self.cx.admit_loaded(&shape, &value);
            flow.state.set(Var::State(*var), value);
        }
        Ok(())
    }

    /// Which kind of contract is known to be at an address.
    pub(super) fn made_at(&mut self, flow: &Flow, address: TermId) -> Res<TermId> {
        let made = self.cx.get(&flow.state, Var::Made)?[0];
        let kind = self.cx.terms.select(made, address);
        Ok(flow.resolved(&mut self.cx.terms, kind))
    }

    pub(super) fn set_made(&mut self, flow: &mut Flow, address: TermId, contract: ContractId) -> Res<()> {
        let made = self.cx.get(&flow.state, Var::Made)?[0];
        let kind = self.kind_number(contract);
        let made = self.cx.terms.store(made, address, kind);
        flow.state.set(Var::Made, [made].into());
        Ok(())
    }

    /// Zero means that nothing is known.
    pub(super) fn kind_number(&mut self, contract: ContractId) -> TermId {
        self.cx.terms.int(u64::from(contract.0) + 1)
    }

    /// Others had control, and may have called any other contract. What is known to be where is there still, unless
    /// contracts can end.
    pub(super) fn forget_others(&mut self, flow: &mut Flow) -> Res<()> {
        self.forget_others_if(flow, |_| true)?;
        if !self.kinds.lasting {
            let nothing = self.cx.zero_of(Var::Made)?;
            flow.state.set(Var::Made, nothing);
        }
        Ok(())
    }

    /// Forgets what those variables hold in other contracts that are of some kind.
    pub(super) fn forget_others_if(
        &mut self,
        flow: &mut Flow,
        forgotten: impl Fn(StateKind) -> bool,
    ) -> Res<()> {
        let contracts = &self.program.contracts;
        let all = self.kinds.met.iter().flat_map(|kind| contracts[*kind].state.iter().copied());
        let changing = all.filter(|var| !self.kinds.fixed.contains(var));
        let vars: Vec<_> = changing.filter(|var| forgotten(self.program.state[*var].kind)).collect();
        for var in vars {
            // What has no shape was never looked at.
            if self.cx.shape(self.program.state[var].ty).is_ok() {
                self.cx.havoc(&mut flow.state, Var::Kept(var))?;
            }
        }
        Ok(())
    }
}
