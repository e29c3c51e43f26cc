//! Other contracts that are there because somebody deployed them, for [`Policy::Paths`](super::Policy::Paths): anybody can
//! call them, too.

use super::abroad::Stay;
use super::executor::Executor;
use super::flow::{Flow, join};
use super::paths::{Action, Step};
use super::transaction::Entrance;
use crate::{Res, Var};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::StateKind;
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

/// Some contract of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    contract: ContractId,
    address: TermId,
}

impl Neighbour {
    fn stay(self, constructing: bool) -> Stay {
        Stay { contract: self.contract, address: Some(self.address), constructing }
    }
}

impl<'p> Executor<'p> {
    /// Contracts that are believed to be what their types say are there if somebody has deployed them.
    pub(super) fn deploy_neighbours(&mut self, flow: &mut Flow) -> Res<Vec<Step>> {
        let mut steps = Vec::new();
        for contract in self.kinds.believed.clone() {
            for number in 0..self.paths.neighbours {
                let name = format!("neighbour_{}_{number}", contract.0);
                let address = self.cx.unknown_constant(&name, &Type::Address);
                self.is_somebody_else(flow, address)?;
                self.paths.created.push(address);
                steps.extend(self.deploy_neighbour(flow, Neighbour { contract, address })?);
            }
            self.paths.instances.push(contract);
        }
        Ok(steps)
    }

    fn deploy_neighbour(&mut self, flow: &mut Flow, who: Neighbour) -> Res<Option<Step>> {
        let Some(code) = self.program.contracts[who.contract].constructor else { return Ok(None) };
        let (mut absent, mut inner) = (flow.clone(), flow.clone());
        let deployed = self.cx.terms.fresh("deployed", Sort::Bool);
        let not_deployed = self.cx.terms.not(deployed);
        absent.assume(&self.cx.terms, not_deployed);
        inner.assume(&self.cx.terms, deployed);
        let mut step = self.environment_of_step(&mut inner, Entrance::Transaction)?;
        self.set_made(&mut inner, who.address, who.contract)?;
        if self.awareness().code {
            self.set_code_size(&mut inner, who.address, 1)?;
        }
        self.clear_storage(&mut inner, who.contract)?;
        let mut ends = Vec::new();
        self.staying(who.stay(true), |ex| {
            ex.way(&mut step, &mut ends, inner, deployed, Action::Deploy, code)?;
            ends.iter_mut().try_for_each(|end| ex.keep(end, who.contract, who.address))
        })?;
        for end in &mut ends {
            end.state = self.lasting(&end.state)?;
        }
        absent.state = self.lasting(&absent.state)?;
        ends.push(absent);
        if let Some(joined) = join(&mut self.cx, ends)? {
            *flow = joined;
        }
        Ok(Some(step))
    }

    /// What anybody can call of other contracts that may be there, if it changes anything.
    pub(super) fn neighbours_entries(&mut self) -> Vec<(Neighbour, usize, ProcId)> {
        let mut entries = Vec::new();
        for contract in self.paths.instances.clone() {
            let who = Neighbour { contract, address: self.fresh_address("neighbour") };
            let all = self.program.contracts[contract].entries.iter().enumerate();
            let changing = all.filter(|(_, entry)| !entry.constant);
            entries.extend(changing.map(|(i, entry)| (who, i, entry.proc)));
        }
        entries
    }

    /// Somebody calls another contract that is there.
    pub(super) fn neighbours_way(
        &mut self,
        step: &mut Step,
        ends: &mut Vec<Flow>,
        mut flow: Flow,
        (chosen, action, code): (TermId, Action, ProcId),
        who: Neighbour,
    ) -> Res<()> {
        let (made, kind) = (self.made_at(&flow, who.address)?, self.kind_number(who.contract));
        let is_there = self.cx.terms.eq(made, kind);
        flow.assume(&self.cx.terms, is_there);
        self.staying(who.stay(false), |ex| {
            ex.bring(&mut flow, who.contract, who.address)?;
            ex.way(step, ends, flow, chosen, action, code)?;
            ends.iter_mut().try_for_each(|end| ex.keep(end, who.contract, who.address))
        })
    }

    /// Transient storage is empty when a transaction begins.
    pub(super) fn clear_transient(&mut self, flow: &mut Flow) -> Res<()> {
        let contracts = &self.program.contracts;
        let all = self.paths.instances.iter().flat_map(|kind| contracts[*kind].state.iter().copied());
        let transient: Vec<_> =
            all.filter(|var| self.program.state[*var].kind == StateKind::Transient).collect();
        for var in transient {
            let nothing = self.cx.zero_of(Var::Kept(var))?;
            flow.state.set(Var::Kept(var), nothing);
        }
        Ok(())
    }
}
