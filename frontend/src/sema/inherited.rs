//! What several base contracts bring together: ambiguous functions, names that clash, constructor arguments.

use super::overrides::{Item, Key};
use super::{Names, Sema};
use crate::hir::{ContractId, ContractKind, FunctionKind, ModifierTarget, Ref, Visibility};
use hornet_ir::diag::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

impl<'a> Sema<'a> {
    /// Pairs of contract and base to which arguments are given in an inheritance list.
    pub(super) fn bases_with_args(&self) -> FxHashSet<(ContractId, ContractId)> {
        let args = self.pending.base_args.iter().filter(|(_, _, args)| !args.is_empty());
        args.map(|(contract, i, _)| (*contract, self.hir.contracts[*contract].bases[*i].contract)).collect()
    }

    pub(super) fn check_inherited(&mut self, contract: ContractId) {
        if !self.version(self.hir.contracts[contract].span.file).at_least(6, 0) {
            return;
        }
        self.check_name_clashes(contract);
        if self.hir.contracts[contract].bases.len() > 1 {
            self.check_ambiguous(contract);
        }
    }

    /// A type or error cannot share its name with something inherited, nor anything with an inherited type or error.
    fn check_name_clashes(&mut self, contract: ContractId) {
        let is_type = |r: &Ref| matches!(r, Ref::Struct(_) | Ref::Enum(_) | Ref::UserType(_) | Ref::Error(_));
        let visible = |r: &Ref| match r {
            Ref::Function(id) => {
                matches!(self.hir.functions[*id].visibility, Visibility::Internal | Visibility::Public)
            }
            Ref::Var(id) => self.hir.vars[*id].visibility != Visibility::Private,
            _ => true,
        };
        let mut clashes = Vec::new();
        for (name, refs) in &self.tables.own[contract] {
            for base in self.hir.contracts[contract].linearized.iter().skip(1) {
                let Some(theirs) = self.tables.own[*base].get(name) else { continue };
                let other = theirs.iter().find(|r| visible(r));
                if let (Some(own), Some(other)) = (refs.first(), other)
                    && (is_type(own) || is_type(other))
                {
                    clashes.push((self.ref_span(*own), *name, self.ref_span(*other)));
                    break;
                }
            }
        }
        clashes.sort_unstable();
        for (span, name, other) in clashes {
            if let Some(span) = span {
                self.clash(span, format!("identifier `{name}` already declared"), other);
            }
        }
    }

    /// Functions that several bases define must be overridden, unless one of them decides for all.
    fn check_ambiguous(&mut self, contract: ContractId) {
        let own: &Names<'a> = &self.tables.own[contract];
        let mut definers: FxHashMap<&'a str, u32> = FxHashMap::default();
        for base in self.hir.contracts[contract].linearized.iter().skip(1) {
            for (name, refs) in &self.tables.own[*base] {
                if refs.iter().any(|r| matches!(r, Ref::Function(_) | Ref::Var(_))) {
                    *definers.entry(name).or_default() += 1;
                }
            }
        }
        let mut names: Vec<&'a str> =
            definers.into_iter().filter(|(_, n)| *n > 1).map(|(name, _)| name).collect();
        names.sort_unstable();
        let mut faults = Vec::new();
        for name in names {
            for base in self.hir.contracts[contract].linearized.iter().skip(1) {
                let functions =
                    self.tables.own[*base].get(name).into_iter().flatten().filter_map(|r| match r {
                        Ref::Function(id) => Some(*id),
                        _ => None,
                    });
                for id in functions {
                    let params = self.overload_key(id).unwrap_or_default();
                    let key = Key { kind: FunctionKind::Function, name, params };
                    let overridden = own.contains_key(name) && self.own_item(contract, &key).is_some();
                    if !overridden && self.is_ambiguous(contract, &key) && !faults.contains(&name) {
                        faults.push(name);
                    }
                }
            }
        }
        let span = self.hir.contracts[contract].name_span;
        for name in faults {
            let message = format!(
                "derived contract must override function `{name}`: two or more base classes define function with \
                 same name and parameter types"
            );
            self.diags.push(Diagnostic::error(span, message));
        }
    }

    fn is_ambiguous(&self, contract: ContractId, key: &Key<'_>) -> bool {
        let mut candidates = self.base_items(contract, key);
        if candidates.len() < 2 {
            return false;
        }
        // Every item in the override graph below the contract; an item that lies on all paths decides for those
        // below it, and need not be overridden itself if it has no implementation.
        let tops = candidates.clone();
        let mut all = tops.clone();
        let mut next = 0;
        while let Some(item) = all.get(next).copied() {
            next += 1;
            for below in self.items_below(item, key) {
                if !all.contains(&below) {
                    all.push(below);
                }
            }
        }
        for cut in all.iter().copied().filter(|item| self.is_on_all_paths(*item, &tops, key)) {
            let mut below = self.items_below(cut, key);
            let mut next = 0;
            while let Some(item) = below.get(next).copied() {
                next += 1;
                candidates.retain(|c| *c != item);
                for other in self.items_below(item, key) {
                    if !below.contains(&other) {
                        below.push(other);
                    }
                }
            }
            if let Item::Function(id) = cut
                && !self.is_implemented(id)
            {
                candidates.retain(|c| *c != cut);
            }
        }
        candidates.len() > 1
    }

    fn items_below(&self, item: Item, key: &Key<'_>) -> Vec<Item> {
        match self.item_contract(item) {
            Some(contract) => self.base_items(contract, key),
            None => Vec::new(),
        }
    }

    /// Without this item, no path leads from the contract down to an item that overrides nothing.
    fn is_on_all_paths(&self, item: Item, tops: &[Item], key: &Key<'_>) -> bool {
        let mut stack: Vec<Item> = tops.iter().copied().filter(|t| *t != item).collect();
        let mut seen = stack.clone();
        while let Some(at) = stack.pop() {
            let below = self.items_below(at, key);
            if below.is_empty() {
                return false;
            }
            for next in below {
                if next != item && !seen.contains(&next) {
                    seen.push(next);
                    stack.push(next);
                }
            }
        }
        true
    }

    /// A contract that can be deployed gives arguments to every base constructor that wants some.
    pub(super) fn check_base_constructors(
        &mut self,
        contract: ContractId,
        with_args: &FxHashSet<(ContractId, ContractId)>,
    ) {
        let this = &self.hir.contracts[contract];
        if this.kind != ContractKind::Contract || this.is_abstract || this.linearized.len() == 1 {
            return;
        }
        let linearized = &this.linearized;
        let gives = |giver: ContractId, base: ContractId| {
            let calls = self.hir.contracts[giver].constructor.map(|c| &self.hir.functions[c].modifiers);
            with_args.contains(&(giver, base))
                || calls.into_iter().flatten().any(|m| m.target == ModifierTarget::BaseConstructor(base))
        };
        let missing = linearized.iter().skip(1).copied().find(|base| {
            let constructor = self.hir.contracts[*base].constructor;
            constructor.is_some_and(|c| !self.hir.functions[c].params.is_empty())
                && !linearized.iter().any(|giver| gives(*giver, *base))
        });
        let Some(missing) = missing else { return };
        let span = this.name_span;
        if self.version(span.file).at_least(6, 0) {
            let message = format!(
                "no arguments passed to the base constructor: specify the arguments or mark `{}` as abstract",
                this.name
            );
            let base = self.hir.contracts[missing].name_span;
            self.diags.push(
                Diagnostic::error(span, message).label(base, "base contract with constructor parameters"),
            );
        }
        self.hir.contracts[contract].is_abstract = true;
    }
}
