//! Which declarations of base contracts a function, modifier or public variable overrides, and whether it may.

use super::{Sema, span_of};
use crate::hir::typestring::mutability_text;
use crate::hir::{
    ContractId, ContractKind, FunctionId, FunctionKind, ModifierId, Mutability, Ref, Ty, TyId, VarId,
    VarKind, Visibility,
};
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::Span;
use solang_parser::pt;

/// Something that can be overridden from outside: a function or the getter of a public variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Function(FunctionId),
    Var(VarId),
}

/// What makes two items the same to the outside.
pub(super) struct Key<'k> {
    pub kind: FunctionKind,
    pub name: &'k str,
    pub params: &'k [TyId],
}

/// `override`, with the contracts listed, as written.
struct Specifier<'a> {
    span: Span,
    paths: &'a [pt::IdentifierPath],
}

fn specifier(attributes: &[pt::FunctionAttribute]) -> Option<Specifier<'_>> {
    attributes.iter().find_map(|a| match a {
        pt::FunctionAttribute::Override(loc, paths) => Some(Specifier { span: span_of(loc), paths }),
        _ => None,
    })
}

impl<'a> Sema<'a> {
    pub(super) fn check_overrides(&mut self) {
        let with_args = self.bases_with_args();
        for index in 0..self.tables.bases_first.len() {
            let contract = self.tables.bases_first[index];
            if self.hir.contracts[contract].bases.is_empty() {
                self.check_needless_overrides(contract);
            } else {
                self.override_functions(contract);
                self.override_vars(contract);
                self.override_modifiers(contract);
                self.check_shadowing(contract);
                self.check_inherited(contract);
            }
            self.check_abstract(contract);
            self.check_base_constructors(contract, &with_args);
        }
    }

    /// The item of a contract itself that has a key.
    pub(super) fn own_item(&self, contract: ContractId, key: &Key<'_>) -> Option<Item> {
        if key.kind != FunctionKind::Function {
            let mut functions = self.hir.contracts[contract].functions.iter();
            return functions.find(|f| self.hir.functions[**f].kind == key.kind).map(|f| Item::Function(*f));
        }
        self.tables.own[contract].get(key.name)?.iter().find_map(|r| match *r {
            Ref::Function(id) => {
                let same = self.hir.functions[id].visibility != Visibility::Private
                    && self.overload_key(id) == Some(key.params);
                same.then_some(Item::Function(id))
            }
            Ref::Var(id) => {
                let getter = self.hir.vars[id].getter.as_ref()?;
                (getter.params == key.params).then_some(Item::Var(id))
            }
            _ => None,
        })
    }

    /// The nearest items with a key on every path to the bases.
    pub(super) fn base_items(&self, contract: ContractId, key: &Key<'_>) -> Vec<Item> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut stack: Vec<ContractId> =
            self.hir.contracts[contract].bases.iter().rev().map(|b| b.contract).collect();
        while let Some(base) = stack.pop() {
            if seen.contains(&base) {
                continue;
            }
            seen.push(base);
            match self.own_item(base, key) {
                Some(item) => found.push(item),
                None => stack.extend(self.hir.contracts[base].bases.iter().rev().map(|b| b.contract)),
            }
        }
        found
    }

    fn override_functions(&mut self, contract: ContractId) {
        for index in 0..self.hir.contracts[contract].functions.len() {
            let id = self.hir.contracts[contract].functions[index];
            let function = &self.hir.functions[id];
            if function.kind == FunctionKind::Constructor {
                continue;
            }
            let params = self.overload_key(id).unwrap_or_default();
            let key = Key { kind: function.kind, name: &function.name, params };
            let bases = self.base_items(contract, &key);
            let overridden = bases.iter().filter_map(|item| match item {
                Item::Function(base) => Some(*base),
                Item::Var(_) => None,
            });
            let overridden: Vec<FunctionId> = overridden.collect();
            self.hir.functions[id].overrides = overridden;
            let span = self.hir.functions[id].name_span;
            let specifier = specifier(&self.function_def(id).attributes);
            if self.version(span.file).at_least(6, 0) {
                self.check_specifier(Item::Function(id), span, contract, specifier, &bases);
                for base in bases {
                    self.check_override(Item::Function(id), span, base);
                }
            }
        }
    }

    fn override_vars(&mut self, contract: ContractId) {
        for index in 0..self.hir.contracts[contract].state.len() {
            let id = self.hir.contracts[contract].state[index];
            let var = &self.hir.vars[id];
            let Some(getter) = &var.getter else { continue };
            let key = Key { kind: FunctionKind::Function, name: &var.name, params: &getter.params };
            let bases = self.base_items(contract, &key);
            let span = var.span;
            let overridden = bases.iter().filter_map(|item| match item {
                Item::Function(base) => Some(*base),
                Item::Var(_) => None,
            });
            self.hir.vars[id].overrides = overridden.collect();
            let specifier = self.tables.vars[id].attrs.iter().find_map(|a| match a {
                pt::VariableAttribute::Override(loc, paths) => Some(Specifier { span: span_of(loc), paths }),
                _ => None,
            });
            if self.version(span.file).at_least(6, 0) {
                self.check_specifier(Item::Var(id), span, contract, specifier, &bases);
                for base in bases {
                    self.check_override(Item::Var(id), span, base);
                }
            }
        }
    }

    pub(super) fn item_contract(&self, item: Item) -> Option<ContractId> {
        match item {
            Item::Function(id) => self.hir.functions[id].contract,
            Item::Var(id) => self.hir.vars[id].contract,
        }
    }

    fn item_span(&self, item: Item) -> Span {
        match item {
            Item::Function(id) => self.hir.functions[id].name_span,
            Item::Var(id) => self.hir.vars[id].span,
        }
    }

    /// `override` must be there when something is overridden, and list the bases when there are several.
    fn check_specifier(
        &mut self,
        item: Item,
        span: Span,
        contract: ContractId,
        specifier: Option<Specifier<'_>>,
        bases: &[Item],
    ) {
        let what = match item {
            Item::Function(_) => "function",
            Item::Var(_) => "public state variable",
        };
        let expected: Vec<ContractId> = bases.iter().filter_map(|b| self.item_contract(*b)).collect();
        let Some(specifier) = specifier else {
            let interfaces_need_none = self.version(span.file).at_least(8, 8);
            let needs = |c: &ContractId| {
                !interfaces_need_none || self.hir.contracts[*c].kind != ContractKind::Interface
            };
            if expected.iter().any(needs) || expected.len() > 1 {
                let message = format!("overriding {what} is missing `override` specifier");
                let other = bases.first().map(|b| self.item_span(*b));
                let diagnostic = Diagnostic::error(span, message);
                self.diags.push(match other {
                    Some(other) => diagnostic.label(other, "overridden here"),
                    None => diagnostic,
                });
            }
            return;
        };
        if expected.is_empty() {
            let message = format!("{what} has `override` specified but does not override anything");
            self.error(specifier.span, message);
            return;
        }
        self.check_override_list(&specifier, contract, what, &expected);
    }

    fn check_override_list(
        &mut self,
        specifier: &Specifier<'_>,
        contract: ContractId,
        what: &str,
        expected: &[ContractId],
    ) {
        let scope = self.contract_scope(contract);
        let mut listed = Vec::new();
        for path in specifier.paths {
            match self.lookup_path(&path.identifiers, scope).first() {
                Some(Ref::Contract(id)) if listed.contains(id) => {
                    self.error(span_of(&path.loc), "duplicate contract found in override list");
                }
                Some(Ref::Contract(id)) => {
                    listed.push(*id);
                    if !expected.contains(id) {
                        self.error(span_of(&path.loc), "invalid contract specified in override list");
                    }
                }
                _ => self.error(span_of(&path.loc), "override list must consist of contracts"),
            }
        }
        let missing: Vec<String> = expected
            .iter()
            .filter(|c| !listed.contains(c))
            .map(|c| format!("`{}`", self.hir.contracts[*c].name))
            .collect();
        if expected.len() > 1 && !missing.is_empty() {
            let message = format!("{what} needs to specify overridden contracts {}", missing.join(" and "));
            self.error(specifier.span, message);
        }
    }

    /// An override must look the same from outside.
    fn check_override(&mut self, item: Item, span: Span, base: Item) {
        let base_span = self.item_span(base);
        let what = match item {
            Item::Function(_) => "overriding function",
            Item::Var(_) => "overriding public state variable",
        };
        let message = match base {
            Item::Var(_) => Some("cannot override public state variable".to_string()),
            Item::Function(base) => self.override_fault(item, base, what),
        };
        if let Some(message) = message {
            self.diags.push(Diagnostic::error(span, message).label(base_span, "overridden here"));
        }
    }

    fn override_fault(&mut self, item: Item, base: FunctionId, what: &str) -> Option<String> {
        let (visibility, mutability, returns) = match item {
            Item::Function(id) => {
                let function = &self.hir.functions[id];
                (function.visibility, function.mutability, self.return_types(id))
            }
            Item::Var(id) => {
                let var = &self.hir.vars[id];
                let is_constant = var.kind == VarKind::Constant;
                let mutability = if is_constant { Mutability::Pure } else { Mutability::View };
                let returns = var.getter.as_ref().map(|g| g.returns.clone()).unwrap_or_default();
                (Visibility::External, mutability, returns)
            }
        };
        let base_returns = self.return_types(base);
        let base = &self.hir.functions[base];
        if !base.is_virtual {
            return Some(
                "trying to override non-virtual function: did you forget to add `virtual`?".to_string(),
            );
        }
        if matches!(item, Item::Var(_)) && base.visibility != Visibility::External {
            return Some("public state variables can override only external functions".to_string());
        }
        let from_outside = matches!(visibility, Visibility::Public | Visibility::External);
        if base.visibility != visibility && !(base.visibility == Visibility::External && from_outside) {
            return Some(format!("{what} visibility differs"));
        }
        let payable_differs = (base.mutability == Mutability::Payable) != (mutability == Mutability::Payable);
        if mutability > base.mutability || payable_differs {
            return Some(format!(
                "{what} changes state mutability from `{}` to `{}`",
                mutability_text(base.mutability),
                mutability_text(mutability)
            ));
        }
        let known = |ty: &TyId| *self.hir.ty(*ty) != Ty::Error;
        if returns != base_returns && returns.iter().chain(&base_returns).all(known) {
            return Some(format!("{what} return types differ"));
        }
        None
    }

    fn return_types(&mut self, function: FunctionId) -> Vec<TyId> {
        let types: Vec<TyId> =
            self.hir.functions[function].returns.iter().map(|v| self.hir.vars[*v].ty).collect();
        types.into_iter().map(|ty| self.calldata_to_memory(ty)).collect()
    }

    fn check_needless_overrides(&mut self, contract: ContractId) {
        for index in 0..self.hir.contracts[contract].functions.len() {
            let id = self.hir.contracts[contract].functions[index];
            if let Some(specifier) = specifier(&self.function_def(id).attributes) {
                self.error(
                    specifier.span,
                    "function has `override` specified but does not override anything",
                );
            }
        }
    }

    fn override_modifiers(&mut self, contract: ContractId) {
        for index in 0..self.hir.contracts[contract].modifiers.len() {
            let id = self.hir.contracts[contract].modifiers[index];
            let bases = self.base_modifiers(contract, &self.hir.modifiers[id].name);
            let span = self.hir.modifiers[id].span;
            let specifier = specifier(&self.pending.modifiers[id.0 as usize].1.attributes);
            if self.version(span.file).at_least(6, 0) {
                self.check_modifier_override(id, specifier, &bases);
            }
            self.hir.modifiers[id].overrides = bases;
        }
    }

    fn base_modifiers(&self, contract: ContractId, name: &str) -> Vec<ModifierId> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        let mut stack: Vec<ContractId> =
            self.hir.contracts[contract].bases.iter().rev().map(|b| b.contract).collect();
        while let Some(base) = stack.pop() {
            if seen.contains(&base) {
                continue;
            }
            seen.push(base);
            let own = self.tables.own[base].get(name).into_iter().flatten();
            let own = own.filter_map(|r| if let Ref::Modifier(id) = r { Some(*id) } else { None }).next();
            match own {
                Some(id) => found.push(id),
                None => stack.extend(self.hir.contracts[base].bases.iter().rev().map(|b| b.contract)),
            }
        }
        found
    }

    fn check_modifier_override(
        &mut self,
        id: ModifierId,
        specifier: Option<Specifier<'_>>,
        bases: &[ModifierId],
    ) {
        let span = self.hir.modifiers[id].span;
        match (specifier, bases.first()) {
            (None, Some(base)) => {
                let base = self.hir.modifiers[*base].span;
                let message = "overriding modifier is missing `override` specifier";
                self.diags.push(Diagnostic::error(span, message).label(base, "overridden here"));
            }
            (Some(specifier), None) => {
                let message = "modifier has `override` specified but does not override anything";
                self.error(specifier.span, message);
            }
            (None, None) | (Some(_), Some(_)) => {}
        }
        for base in bases {
            let types = |m: ModifierId| -> Vec<TyId> {
                self.hir.modifiers[m].params.iter().map(|v| self.hir.vars[*v].ty).collect()
            };
            let base_span = self.hir.modifiers[*base].span;
            let message = if !self.hir.modifiers[*base].is_virtual {
                "trying to override non-virtual modifier: did you forget to add `virtual`?"
            } else if types(id) != types(*base) {
                "override changes modifier signature"
            } else {
                continue;
            };
            self.diags.push(Diagnostic::error(span, message).label(base_span, "overridden here"));
        }
    }

    /// From 0.6 on, a variable of a base contract that is visible here cannot be declared again.
    fn check_shadowing(&mut self, contract: ContractId) {
        if !self.version(self.hir.contracts[contract].span.file).at_least(6, 0) {
            return;
        }
        for index in 0..self.hir.contracts[contract].state.len() {
            let id = self.hir.contracts[contract].state[index];
            let name = self.hir.vars[id].name.as_str();
            let bases = self.hir.contracts[contract].linearized.iter().skip(1);
            let mut inherited = bases.filter_map(|b| self.tables.own[*b].get(name)).flatten();
            let shadowed = inherited.find_map(|r| match r {
                Ref::Var(other) if self.hir.vars[*other].visibility != Visibility::Private => Some(*other),
                _ => None,
            });
            if let Some(shadowed) = shadowed {
                let (span, other) = (self.hir.vars[id].span, self.hir.vars[shadowed].span);
                let message = format!("identifier `{}` already declared", self.hir.vars[id].name);
                self.clash(span, message, Some(other));
            }
        }
    }

    /// A contract with something unimplemented must be `abstract`; before 0.6 it silently is.
    fn check_abstract(&mut self, contract: ContractId) {
        if self.hir.contracts[contract].kind != ContractKind::Contract
            || self.hir.contracts[contract].is_abstract
        {
            return;
        }
        let Some(missing) = self.unimplemented(contract) else { return };
        let span = self.hir.contracts[contract].name_span;
        if self.version(span.file).at_least(6, 0) {
            let message =
                format!("contract `{}` should be marked as abstract", self.hir.contracts[contract].name);
            self.diags.push(Diagnostic::error(span, message).label(missing, "missing implementation"));
        }
        self.hir.contracts[contract].is_abstract = true;
    }

    fn unimplemented(&self, contract: ContractId) -> Option<Span> {
        let linearized = &self.hir.contracts[contract].linearized;
        for &base in linearized {
            for &id in &self.hir.contracts[base].functions {
                let function = &self.hir.functions[id];
                if self.is_implemented(id) || function.kind == FunctionKind::Constructor {
                    continue;
                }
                let params = self.overload_key(id).unwrap_or_default();
                let key = Key { kind: function.kind, name: &function.name, params };
                let most_derived = linearized.iter().find_map(|c| self.own_item(*c, &key));
                if let Some(Item::Function(most_derived)) = most_derived
                    && !self.is_implemented(most_derived)
                {
                    return Some(function.name_span);
                }
            }
            for &id in &self.hir.contracts[base].modifiers {
                let (_, def) = self.pending.modifiers[id.0 as usize];
                let name = self.hir.modifiers[id].name.as_str();
                let most_derived = linearized.iter().find_map(|c| {
                    self.tables.own[*c].get(name)?.iter().find_map(|r| match r {
                        Ref::Modifier(m) => Some(*m),
                        _ => None,
                    })
                });
                if def.body.is_none() && most_derived == Some(id) {
                    return Some(self.hir.modifiers[id].span);
                }
            }
        }
        None
    }
}
