//! Which modifier or base constructor each invocation in a function's header means.

use super::linearize::path_text;
use super::{Sema, span_of};
use crate::hir::{FunctionId, FunctionKind, ModifierCall, ModifierTarget, Ref};
use solang_parser::pt;

impl<'a> Sema<'a> {
    pub(super) fn resolve_modifier_calls(&mut self) {
        for index in 0..self.pending.functions.len() {
            let (id, def) = self.pending.functions[index];
            for attribute in &def.attributes {
                if let pt::FunctionAttribute::BaseOrModifier(_, base) = attribute {
                    self.resolve_modifier_call(id, base);
                }
            }
        }
    }

    fn resolve_modifier_call(&mut self, function: FunctionId, call: &'a pt::Base) {
        let target = self.modifier_target(function, call);
        let index = self.hir.functions[function].modifiers.len();
        self.hir.functions[function].modifiers.push(ModifierCall {
            target,
            args: None,
            span: span_of(&call.loc),
        });
        if let Some(args) = &call.args {
            self.pending.modifier_args.push((function, index, args));
        }
    }

    fn modifier_target(&mut self, function: FunctionId, call: &pt::Base) -> ModifierTarget {
        let scope = self.function_scope(function);
        let refs = self.lookup_path(&call.name.identifiers, scope);
        let span = span_of(&call.name.loc);
        let is_constructor = self.hir.functions[function].kind == FunctionKind::Constructor;
        match refs.first() {
            Some(Ref::Modifier(id)) => {
                ModifierTarget::Modifier { id: *id, is_virtual_lookup: call.name.identifiers.len() == 1 }
            }
            Some(Ref::Contract(base)) if is_constructor => {
                let bases =
                    scope.contract.map(|c| self.hir.contracts[c].linearized.as_slice()).unwrap_or_default();
                if bases.iter().skip(1).any(|b| b == base) {
                    return ModifierTarget::BaseConstructor(*base);
                }
                self.error(span, "referenced declaration is neither modifier nor base class");
                ModifierTarget::Error
            }
            Some(_) => {
                self.error(span, format!("`{}` is not a modifier", path_text(&call.name)));
                ModifierTarget::Error
            }
            None => {
                self.error(span, format!("undeclared identifier `{}`", path_text(&call.name)));
                ModifierTarget::Error
            }
        }
    }
}
