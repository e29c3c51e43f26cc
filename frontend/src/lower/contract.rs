//! Contracts as deployed: storage layout, the dispatch table, receive and fallback, and who guards them.

use super::Lowering;
use super::func::FnLower;
use super::types::contract_id;
use crate::hir::{self, FunctionKind, Mutability, VarKind, Visibility};
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::ProcId;
use hornet_ir::layout;
use hornet_ir::program::{Contract, ContractKind, Entry, Fallback, ProcKind, StateKind, StateVar};
use hornet_ir::{U256, ids::TypeId};
use rustc_hash::FxHashSet;

impl<'h> Lowering<'h> {
    /// Lowers all contracts: first what they look like from outside, so that code can refer to any of them.
    pub(super) fn contracts(&mut self) {
        for id in self.hir.contracts.ids() {
            let contract = self.contract_shell(id);
            self.program.contracts.push(contract);
            self.declare_state(id);
        }
        for id in self.hir.contracts.ids() {
            self.contract_code(id);
        }
    }

    fn contract_shell(&self, id: hir::ContractId) -> Contract {
        let decl = &self.hir.contracts[id];
        let kind = match decl.kind {
            hir::ContractKind::Interface => ContractKind::Interface,
            hir::ContractKind::Library => ContractKind::Library,
            hir::ContractKind::Contract if decl.is_abstract => ContractKind::Abstract,
            hir::ContractKind::Contract => ContractKind::Contract,
        };
        Contract {
            name: decl.name.clone(),
            file: self.hir.file(decl.span.file).name.clone(),
            kind,
            span: Some(decl.span),
            bases: decl.linearized.iter().map(|c| contract_id(*c)).collect(),
            state: Vec::new(),
            entries: Vec::new(),
            constructor: None,
            receive: None,
            fallback: None,
            invariants: Vec::new(),
            event_specs: Vec::new(),
        }
    }

    /// State variables of all bases, from the most basic to the most derived, packed in that order.
    fn declare_state(&mut self, id: hir::ContractId) {
        let hir = self.hir;
        let mut by_kind = [(StateKind::Storage, Vec::new()), (StateKind::Transient, Vec::new())];
        let mut immutables = Vec::new();
        for base in hir.contracts[id].linearized.iter().rev() {
            for &var in &hir.contracts[*base].state {
                match hir.vars[var].kind {
                    VarKind::State => by_kind[0].1.push(var),
                    VarKind::Transient => by_kind[1].1.push(var),
                    VarKind::Immutable => immutables.push(var),
                    VarKind::Constant
                    | VarKind::Param
                    | VarKind::Return
                    | VarKind::Local
                    | VarKind::Bound => {}
                }
            }
        }
        for (kind, vars) in by_kind {
            let types: Vec<TypeId> = vars.iter().map(|v| self.tree_ty(hir.vars[*v].ty)).collect();
            let base = match kind {
                StateKind::Storage => hir.contracts[id].layout_base.unwrap_or(U256::ZERO),
                StateKind::Transient | StateKind::Immutable => U256::ZERO,
            };
            let places = layout::assign_slots(&self.program.types, &types, base);
            for ((var, ty), place) in vars.into_iter().zip(types).zip(places) {
                self.add_state_var(id, var, ty, kind, place);
            }
        }
        for var in immutables {
            let ty = self.tree_ty(hir.vars[var].ty);
            self.add_state_var(id, var, ty, StateKind::Immutable, (U256::ZERO, 0));
        }
    }

    fn add_state_var(
        &mut self,
        contract: hir::ContractId,
        var: hir::VarId,
        ty: TypeId,
        kind: StateKind,
        (slot, offset): (U256, u8),
    ) {
        let decl = &self.hir.vars[var];
        let declared_in = decl.contract.map(|c| self.hir.contracts[c].name.clone()).unwrap_or_default();
        let state_var = StateVar {
            name: decl.name.clone(),
            declared_in,
            contract: contract_id(contract),
            ty,
            kind,
            slot,
            offset,
            span: Some(decl.span),
        };
        let id = self.program.state.push(state_var);
        self.program.contracts[contract_id(contract)].state.push(id);
        self.state_vars.insert((contract, var), id);
    }

    fn contract_code(&mut self, id: hir::ContractId) {
        let decl = &self.hir.contracts[id];
        if decl.kind == hir::ContractKind::Interface {
            return;
        }
        let entries = self.entries(id);
        let receive = self.special_function(id, FunctionKind::Receive);
        let fallback = self.special_function(id, FunctionKind::Fallback);
        // What nobody deploys is of interest where everything is.
        let deployable =
            decl.kind == hir::ContractKind::Contract && (!decl.is_abstract || self.options.complete);
        let constructor = deployable.then(|| self.constructor(id));
        let contract = &mut self.program.contracts[contract_id(id)];
        contract.entries = entries;
        contract.receive = receive.map(|(proc, _)| proc);
        contract.fallback = fallback.map(|(proc, with_data)| Fallback { proc, with_data });
        contract.constructor = constructor;
    }

    /// External functions and getters; of several with the same selector the most derived counts.
    fn entries(&mut self, id: hir::ContractId) -> Vec<Entry> {
        let hir = self.hir;
        let mut entries = Vec::new();
        let mut seen = FxHashSet::default();
        for base in &hir.contracts[id].linearized {
            for &var in &hir.contracts[*base].state {
                if let Some(getter) = &hir.vars[var].getter
                    && seen.insert(getter.signature.selector)
                {
                    entries.push(self.getter_entry(id, var, getter));
                }
            }
            for &function in &hir.contracts[*base].functions {
                let decl = &hir.functions[function];
                let callable = matches!(decl.visibility, Visibility::External | Visibility::Public);
                if decl.kind != FunctionKind::Function || !callable {
                    continue;
                }
                let Some(signature) = &decl.signature else { continue };
                if decl.body.is_some() && seen.insert(signature.selector) {
                    entries.push(self.function_entry(id, function, signature));
                }
            }
        }
        entries
    }

    fn function_entry(
        &mut self,
        context: hir::ContractId,
        function: hir::FunctionId,
        signature: &hir::Signature,
    ) -> Entry {
        let decl = &self.hir.functions[function];
        let proc = self.external_wrapper(context, function);
        Entry {
            name: decl.name.clone(),
            signature: signature.text.clone(),
            selector: signature.selector,
            proc,
            payable: decl.mutability == Mutability::Payable,
            constant: matches!(decl.mutability, Mutability::Pure | Mutability::View),
            strict_abi: self.hir.file(decl.span.file).abi_v2,
        }
    }

    /// The procedure behind an entry: guards, then the internal procedure.
    fn external_wrapper(&mut self, context: hir::ContractId, function: hir::FunctionId) -> ProcId {
        let hir = self.hir;
        let decl = &hir.functions[function];
        let target = self.proc_of(Some(context), function);
        let mut f = FnLower::new(self, &decl.name, ProcKind::External, Some(context), Some(decl.span));
        f.written_in = decl.contract;
        let mut args = Vec::new();
        for &param in &decl.params {
            let var = &hir.vars[param];
            let ty = f.ir_ty(var.ty);
            let local = f.b.param(&var.name, ty);
            args.push(f.get(local));
        }
        let returns: Vec<TypeId> = decl.returns.iter().map(|r| f.ir_ty(hir.vars[*r].ty)).collect();
        returns.iter().for_each(|ty| f.b.ret(*ty));
        f.entry_guard(decl);
        let dsts: Vec<_> = returns.iter().map(|ty| f.b.fresh(*ty)).collect();
        f.b.call(&dsts, target, &args);
        let values: Vec<_> = dsts.iter().map(|d| f.get(*d)).collect();
        values.iter().for_each(|value| f.use_value(*value));
        f.b.ret_values(&values);
        let proc = f.finish();
        self.program.procs.push(proc)
    }

    /// `receive` or `fallback`, and whether the latter takes the call's data.
    fn special_function(&mut self, id: hir::ContractId, kind: FunctionKind) -> Option<(ProcId, bool)> {
        let hir = self.hir;
        let function = hir.contracts[id]
            .linearized
            .iter()
            .flat_map(|c| &hir.contracts[*c].functions)
            .copied()
            .find(|f| hir.functions[*f].kind == kind)?;
        let decl = &hir.functions[function];
        decl.body.as_ref()?;
        Some((self.external_wrapper(id, function), !decl.params.is_empty()))
    }
}

impl<'h> FnLower<'_, 'h> {
    /// Non-payable functions refuse ether; functions of libraries that may write refuse to be called directly.
    fn entry_guard(&mut self, decl: &'h hir::Function) {
        let in_library =
            decl.contract.is_some_and(|c| self.hir().contracts[c].kind == hir::ContractKind::Library);
        if in_library {
            let writes = matches!(decl.mutability, Mutability::NonPayable | Mutability::Payable);
            if let Some(library) = decl.contract.filter(|_| writes) {
                let this = self.p().env(EnvVar::This);
                let own = self.p().library_address(contract_id(library));
                let delegated = self.p().ne(this, own);
                self.require_because(delegated, "Non-view function of library called without DELEGATECALL");
            }
        } else if decl.mutability != Mutability::Payable {
            self.refuse_ether();
        }
    }

    pub(super) fn refuse_ether(&mut self) {
        let value = self.p().env(EnvVar::CallValue);
        let zero = self.const_word(0u64);
        let none = self.p().eq(value, zero);
        self.require_because(none, "Ether sent to non-payable function");
    }
}
