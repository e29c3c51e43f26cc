//! Rules 601 to 606: contracts, their state and what can be called from outside.

use super::{Validator, Where, rule};
use crate::hash::selector;
use crate::ids::{ContractId, ProcId, StateVarId, TypeId};
use crate::layout::{packed_bytes, storage_slots};
use crate::program::{Contract, ProcKind, StateKind};
use crate::types::Type;
use ruint::aliases::U256;
use rustc_hash::FxHashSet;

impl Validator<'_> {
    pub(super) fn contracts(&mut self) {
        let program = self.program;
        for (id, contract) in program.contracts.iter_ids() {
            self.bases(id, contract);
            self.entries(id, contract);
            self.special(id, contract);
            for kind in [StateKind::Storage, StateKind::Transient] {
                self.overlaps(id, contract, kind);
            }
        }
        self.ownership();
    }

    fn bases(&mut self, id: ContractId, contract: &Contract) {
        let distinct: FxHashSet<ContractId> = contract.bases.iter().copied().collect();
        let ok = contract.bases.first() == Some(&id) && distinct.len() == contract.bases.len();
        self.require(ok, rule::BASES, Where::Contract(id), || format!("bases {:?}", contract.bases));
    }

    fn ownership(&mut self) {
        let mut listed = FxHashSet::default();
        for (id, contract) in self.program.contracts.iter_ids() {
            for var in &contract.state {
                let own = self.program.state[*var].contract == id && listed.insert(*var);
                self.require(own, rule::OWNERSHIP, Where::Contract(id), || {
                    format!("lists variable {}", var.0)
                });
            }
        }
        for (var, v) in self.program.state.iter_ids() {
            self.require(listed.contains(&var), rule::OWNERSHIP, Where::Contract(v.contract), || {
                format!("does not list `{}`", v.name)
            });
        }
    }

    fn overlaps(&mut self, id: ContractId, contract: &Contract, kind: StateKind) {
        let at = Where::Contract(id);
        let mut ranges: Vec<(U256, u8, StateVarId)> = contract
            .state
            .iter()
            .map(|v| (&self.program.state[*v], *v))
            .filter(|(var, _)| var.kind == kind)
            .map(|(var, v)| (var.slot, var.offset, v))
            .collect();
        ranges.sort_unstable();
        for (_, offset, var) in &ranges {
            let size = packed_bytes(&self.program.types, self.program.state[*var].ty);
            let inside = u16::from(*offset) + u16::from(size) <= 32;
            self.require(inside, rule::OVERLAP, at, || format!("variable {} crosses its slot", var.0));
        }
        for pair in ranges.windows(2) {
            let [(slot, offset, first), (next_slot, next_offset, second)] = pair else { continue };
            let ty = self.program.state[*first].ty;
            let apart = if slot == next_slot {
                u16::from(*offset) + u16::from(packed_bytes(&self.program.types, ty))
                    <= u16::from(*next_offset)
            } else {
                // A layout may wrap around at the end of storage; only the distance counts.
                self.slots(ty) <= next_slot.wrapping_sub(*slot)
            };
            self.require(apart, rule::OVERLAP, at, || {
                let name = |v: &StateVarId| &self.program.state[*v].name;
                format!("`{}` and `{}`", name(first), name(second))
            });
        }
    }

    fn slots(&self, ty: TypeId) -> U256 {
        storage_slots(&self.program.types, ty)
    }

    fn entries(&mut self, id: ContractId, contract: &Contract) {
        let at = Where::Contract(id);
        let mut selectors = FxHashSet::default();
        for entry in &contract.entries {
            let fresh = selectors.insert(entry.selector);
            self.require(fresh, rule::ENTRIES, at, || format!("selector of `{}` twice", entry.signature));
            let hash = selector(&entry.signature);
            self.require(hash == entry.selector, rule::SELECTOR, at, || entry.signature.clone());
            self.is_external(rule::ENTRIES, id, entry.proc, &entry.signature);
        }
    }

    fn is_external(&mut self, rule: u16, contract: ContractId, proc: ProcId, what: &str) {
        let p = &self.program.procs[proc];
        let ok = p.kind == ProcKind::External && p.contract == Some(contract);
        self.require(ok, rule, Where::Contract(contract), || format!("`{what}` leads to `{}`", p.name));
    }

    fn special(&mut self, id: ContractId, contract: &Contract) {
        let at = Where::Contract(id);
        if let Some(proc) = contract.constructor {
            let p = &self.program.procs[proc];
            let ok = p.kind == ProcKind::Constructor && p.contract == Some(id) && p.rets.is_empty();
            self.require(ok, rule::SPECIAL, at, || format!("constructor `{}`", p.name));
        }
        if let Some(proc) = contract.receive {
            self.is_external(rule::SPECIAL, id, proc, "receive");
            self.bare(at, proc, "receive");
        }
        if let Some(fallback) = contract.fallback {
            self.is_external(rule::SPECIAL, id, fallback.proc, "fallback");
            if !fallback.with_data {
                return self.bare(at, fallback.proc, "fallback");
            }
            let p = &self.program.procs[fallback.proc];
            let params: Vec<TypeId> = p.params.iter().map(|l| p.locals[*l].ty).collect();
            let bytes = |list: &[TypeId]| matches!(list, [ty] if self.is_bytes(*ty));
            let ok = bytes(&params) && bytes(&p.rets);
            self.require(ok, rule::SPECIAL, at, || "fallback is not from bytes to bytes".to_owned());
        }
    }

    fn bare(&mut self, at: Where, proc: ProcId, what: &str) {
        let p = &self.program.procs[proc];
        let ok = p.params.is_empty() && p.rets.is_empty();
        self.require(ok, rule::SPECIAL, at, || format!("{what} has parameters or results"));
    }

    fn is_bytes(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        *types.get(types.referent(ty).unwrap_or(ty)) == Type::Bytes
    }
}
