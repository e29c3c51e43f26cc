//! Creation of a contract: state initialisers and constructors of all bases, flattened in the order they run.

use super::Lowering;
use super::func::{FnLower, ReturnTarget};
use crate::hir::{self, ModifierTarget, VarKind};
use hornet_ir::ids::ProcId;
use hornet_ir::program::ProcKind;
use hornet_ir::span::Span;

impl<'h> Lowering<'h> {
    pub(super) fn constructor(&mut self, id: hir::ContractId) -> ProcId {
        let hir = self.hir;
        let decl = &hir.contracts[id];
        let mut f = FnLower::new(self, "[constructor]", ProcKind::Constructor, Some(id), Some(decl.span));
        f.creation(id);
        let own = decl.constructor.map(|c| &hir.functions[c]);
        let spec = own.and_then(|own| f.function_spec(own));
        let mut proc = f.finish();
        proc.spec = spec;
        proc.function = Some(Box::new(self.creation_info(id)));
        self.program.procs.push(proc)
    }
}

impl<'h> FnLower<'_, 'h> {
    fn creation(&mut self, id: hir::ContractId) {
        let hir = self.hir();
        let own = hir.contracts[id].constructor.map(|c| &hir.functions[c]);
        for &param in own.map(|c| c.params.as_slice()).unwrap_or_default() {
            let var = &hir.vars[param];
            let ty = self.ir_ty(var.ty);
            let local = self.b.param(&var.name, ty);
            self.vars.insert(param, local);
        }
        let payable = own.is_some_and(|c| c.mutability == hir::Mutability::Payable);
        if !payable {
            self.refuse_ether();
        }
        let linearized = &hir.contracts[id].linearized;
        if self.low.options.via_ir {
            self.base_arguments(id);
            for &base in linearized.iter().rev() {
                self.state_initialisers(base);
                self.constructor_code(base);
            }
        } else {
            linearized.iter().rev().for_each(|base| self.state_initialisers(*base));
            self.constructor_chain(linearized, 0);
        }
        self.b.ret_values(&[]);
    }

    fn state_initialisers(&mut self, contract: hir::ContractId) {
        let hir = self.hir();
        for &var in &hir.contracts[contract].state {
            let decl = &hir.vars[var];
            let Some(init) = decl.init.as_ref().filter(|_| decl.kind != VarKind::Constant) else { continue };
            self.written_at(Some(contract), decl.span, |f| {
                f.at(decl.span);
                f.initialise_state(var, init);
            });
        }
    }

    /// The code generator's default order: a constructor first runs the next one in the linearisation, whose arguments
    /// are evaluated just before it.
    fn constructor_chain(&mut self, linearized: &'h [hir::ContractId], from: usize) {
        let hir = self.hir();
        let has_constructor = |c: &hir::ContractId| hir.contracts[*c].constructor.is_some();
        let Some(at) = (from..linearized.len()).find(|i| has_constructor(&linearized[*i])) else { return };
        if at > 0 {
            self.bind_base_arguments(linearized[at]);
        }
        self.constructor_chain(linearized, at + 1);
        self.constructor_code(linearized[at]);
    }

    /// All base constructors' arguments, from the most derived on, before anything else runs.
    fn base_arguments(&mut self, id: hir::ContractId) {
        for &base in self.hir().contracts[id].linearized.iter().skip(1) {
            self.bind_base_arguments(base);
        }
    }

    /// Evaluates the arguments that some more derived contract gives to `base`'s constructor, into its parameters.
    fn bind_base_arguments(&mut self, base: hir::ContractId) {
        let hir = self.hir();
        let Some(constructor) = hir.contracts[base].constructor.map(|c| &hir.functions[c]) else { return };
        let types: Vec<_> = constructor.params.iter().map(|p| hir.vars[*p].ty).collect();
        let values = match self.base_constructor_args(base) {
            Some((giver, span, args)) if args.len() == types.len() => {
                let mut values = Vec::new();
                self.written_at(Some(giver), span, |f| {
                    values = f.args_as(args, &types, None);
                });
                values
            }
            _ => Vec::new(),
        };
        for (i, &param) in constructor.params.iter().enumerate() {
            let local = self.declare_var(param);
            match values.get(i) {
                Some(value) => self.b.assign(local, *value),
                None => self.init_default(local),
            }
        }
    }

    /// Who gives arguments to a base's constructor: an inheritance specifier or a constructor's header.
    fn base_constructor_args(
        &self,
        base: hir::ContractId,
    ) -> Option<(hir::ContractId, Span, &'h [hir::Expr])> {
        let hir = self.hir();
        let context = self.context?;
        for &contract in &hir.contracts[context].linearized {
            let decl = &hir.contracts[contract];
            let in_header = decl.constructor.into_iter().flat_map(|c| &hir.functions[c].modifiers);
            for call in in_header {
                if call.target == ModifierTarget::BaseConstructor(base)
                    && let Some(args) = &call.args
                {
                    return Some((contract, call.span, args));
                }
            }
            for specifier in &decl.bases {
                if specifier.contract == base
                    && let Some(args) = &specifier.args
                {
                    return Some((contract, specifier.span, args));
                }
            }
        }
        None
    }

    fn constructor_code(&mut self, contract: hir::ContractId) {
        let hir = self.hir();
        let Some(constructor) = hir.contracts[contract].constructor.map(|c| &hir.functions[c]) else {
            return;
        };
        let end = self.b.block();
        self.on_return = Some(ReturnTarget { values: Vec::new(), block: end });
        self.written_at(Some(contract), constructor.span, |f| {
            f.at(constructor.span);
            f.inside_modifiers(constructor, 0);
        });
        self.placeholder = None;
        self.b.goto(end);
        self.b.switch_to(end);
    }
}
