//! Function bodies inside their modifiers, inlined: `_` stands for the next modifier and finally for the body.

use super::func::{FnLower, ReturnTarget};
use crate::hir::{self, ModifierTarget};
use hornet_ir::program::StmtKind;
use hornet_ir::span::Span;

/// A modifier with two `_` doubles what is inside; a few dozen of them would never end.
const MOST_COPIES: u32 = 4096;

/// What `_` stands for in the modifier at hand.
#[derive(Clone, Copy)]
pub(super) struct Placeholder<'h> {
    function: &'h hir::Function,
    /// Index of the first modifier that is not yet applied.
    next: usize,
}

/// Where the code at hand is written; modifiers and bodies may come from different files and contracts.
struct Writing {
    written_in: Option<hir::ContractId>,
    version: crate::version::Version,
    strict_abi: bool,
    unchecked: bool,
}

impl<'h> FnLower<'_, 'h> {
    /// Parameters, results, then the body inside its modifiers.
    pub(super) fn function_body(&mut self, decl: &'h hir::Function) {
        let hir = self.hir();
        for &param in &decl.params {
            let var = &hir.vars[param];
            let ty = self.ir_ty(var.ty);
            let local = self.b.param(&var.name, ty);
            self.vars.insert(param, local);
        }
        let mut results = Vec::new();
        for &ret in &decl.returns {
            let local = self.declare_var(ret);
            self.b.ret(self.b.local_type(local));
            self.init_default(local);
            results.push(local);
        }
        let end = self.b.block();
        self.on_return = Some(ReturnTarget { values: results.clone(), block: end });
        self.inside_modifiers(decl, 0);
        self.b.goto(end);
        self.b.switch_to(end);
        let values: Vec<_> = results.iter().map(|r| self.get(*r)).collect();
        self.b.ret_values(&values);
    }

    /// The function's modifiers from index `next` on, around its body.
    pub(super) fn inside_modifiers(&mut self, decl: &'h hir::Function, next: usize) {
        self.copies += 1;
        if self.copies > MOST_COPIES {
            let what = "modifiers that repeat the body too often";
            if self.copies == MOST_COPIES + 1 {
                self.low.unsupported(decl.span, what);
            }
            return self.b.stmt(StmtKind::Unsupported { what: what.to_string() });
        }
        let Some(call) = decl.modifiers.get(next) else {
            return self.innermost_body(decl);
        };
        match call.target {
            ModifierTarget::Modifier { id, is_virtual_lookup } => {
                let id = if is_virtual_lookup { self.most_derived_modifier(id) } else { id };
                self.apply_modifier(decl, next, id, call.args.as_deref().unwrap_or_default());
            }
            ModifierTarget::BaseConstructor(_) | ModifierTarget::Error => {
                self.inside_modifiers(decl, next + 1)
            }
        }
    }

    fn innermost_body(&mut self, decl: &'h hir::Function) {
        let Some(body) = &decl.body else {
            let what = format!("`{}` has no implementation", decl.name);
            return self.b.stmt(StmtKind::Unsupported { what });
        };
        let values = self.on_return.as_ref().map(|r| r.values.clone()).unwrap_or_default();
        let after = self.b.block();
        let outer = self.on_return.replace(ReturnTarget { values, block: after });
        let loops = std::mem::take(&mut self.loops);
        let placeholder = self.placeholder.take();
        let writing = self.enter(decl.contract, decl.span);
        self.hoist_locals(body);
        self.block(body);
        self.b.goto(after);
        self.b.switch_to(after);
        self.leave(writing);
        self.placeholder = placeholder;
        self.loops = loops;
        self.on_return = outer;
    }

    fn apply_modifier(
        &mut self,
        decl: &'h hir::Function,
        next: usize,
        id: hir::ModifierId,
        args: &'h [hir::Expr],
    ) {
        let hir = self.hir();
        let modifier = &hir.modifiers[id];
        let Some(body) = &modifier.body else {
            let what = format!("modifier `{}` has no implementation", modifier.name);
            return self.b.stmt(StmtKind::Unsupported { what });
        };
        let types: Vec<_> = modifier.params.iter().map(|p| hir.vars[*p].ty).collect();
        let values = self.args_as(args, &types, None);
        for (&param, value) in modifier.params.iter().zip(values) {
            let local = self.declare_var(param);
            self.b.assign(local, value);
        }
        // `return` in a modifier leaves the modifier only; results keep the values they have.
        let results = self.on_return.clone();
        let after = self.b.block();
        self.on_return = Some(ReturnTarget { values: Vec::new(), block: after });
        let outer = self.placeholder.replace(Placeholder { function: decl, next: next + 1 });
        let outer_results = std::mem::replace(&mut self.results, results);
        let loops = std::mem::take(&mut self.loops);
        let writing = self.enter(Some(modifier.contract), modifier.span);
        self.hoist_locals(body);
        self.block(body);
        self.b.goto(after);
        self.b.switch_to(after);
        self.leave(writing);
        self.loops = loops;
        self.placeholder = outer;
        self.on_return = std::mem::replace(&mut self.results, outer_results);
    }

    /// `_`.
    pub(super) fn placeholder_stmt(&mut self) {
        let Some(placeholder) = self.placeholder else { return };
        // Variables of this modifier are the same again after `_`, even if what it stands for applies it once more.
        let vars = self.vars.clone();
        let saved_return = self.on_return.clone();
        self.on_return = self.results.clone();
        let decl = placeholder.function;
        let writing = self.enter(decl.contract, decl.span);
        self.inside_modifiers(decl, placeholder.next);
        self.leave(writing);
        self.placeholder = Some(placeholder);
        self.on_return = saved_return;
        self.vars = vars;
    }

    fn enter(&mut self, written_in: Option<hir::ContractId>, span: Span) -> Writing {
        let before = Writing {
            written_in: self.written_in,
            version: self.version,
            strict_abi: self.strict_abi,
            unchecked: self.unchecked,
        };
        self.written_in = written_in;
        self.version = self.hir().version_at(span);
        self.strict_abi = self.hir().file(span.file).abi_v2;
        self.unchecked = false;
        before
    }

    fn leave(&mut self, before: Writing) {
        self.written_in = before.written_in;
        self.version = before.version;
        self.strict_abi = before.strict_abi;
        self.unchecked = before.unchecked;
    }

    /// Runs `f` as code written in another contract and place.
    pub(super) fn written_at(
        &mut self,
        written_in: Option<hir::ContractId>,
        span: Span,
        f: impl FnOnce(&mut Self),
    ) {
        let writing = self.enter(written_in, span);
        f(self);
        self.leave(writing);
    }

    fn most_derived_modifier(&self, id: hir::ModifierId) -> hir::ModifierId {
        let Some(context) = self.context else { return id };
        let hir = self.hir();
        let name = &hir.modifiers[id].name;
        hir.contracts[context]
            .linearized
            .iter()
            .flat_map(|c| &hir.contracts[*c].modifiers)
            .copied()
            .find(|m| hir.modifiers[*m].name == *name)
            .unwrap_or(id)
    }
}
