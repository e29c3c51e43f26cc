//! Name lookup.

use super::globals::global;
use super::{DeclScope, Refs, Sema};
use crate::hir::{BinaryOp, ContractId, ContractKind, FunctionId, FunctionKind, Ref, UnaryOp, Visibility};
use hornet_ir::span::FileId;
use solang_parser::pt;

/// An operator that `using {f as op} for T` can define.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UserOp {
    Unary(UnaryOp),
    Binary(BinaryOp),
}

impl<'a> Sema<'a> {
    /// What a plain name means outside function-local scopes: members of the contract (inherited ones included,
    /// overridden and hidden ones not), then of the file, then what the language provides.
    pub fn lookup(&self, scope: DeclScope, name: &str) -> Refs {
        if let Some(found) = self.tables.lookups.borrow().get(&scope).and_then(|names| names.get(name)) {
            return found.clone();
        }
        let found: Refs = self.lookup_uncached(scope, name).into();
        self.tables.lookups.borrow_mut().entry(scope).or_default().insert(name.into(), found.clone());
        found
    }

    fn lookup_uncached(&self, scope: DeclScope, name: &str) -> Vec<Ref> {
        if let Some(contract) = scope.contract {
            let members = self.visible_members(contract, name, Self::is_visible_inside);
            if !members.is_empty() {
                return members;
            }
        }
        if let Some(refs) = self.tables.files.get(scope.file.0 as usize).and_then(|names| names.get(name)) {
            return refs.clone();
        }
        let in_contract = scope.contract.is_some_and(|c| self.hir.contracts[c].kind != ContractKind::Library);
        // A library has an address too; only `super` makes no sense there.
        let in_contract = in_contract || (scope.contract.is_some() && name == "this");
        global(name, self.version(scope.file), in_contract).into_iter().collect()
    }

    /// A dotted name: the first part as in [`Self::lookup`], the others as members of contracts and modules.
    pub fn lookup_path<'p>(
        &self,
        path: impl IntoIterator<Item = &'p pt::Identifier>,
        scope: DeclScope,
    ) -> Refs {
        let mut path = path.into_iter();
        let Some(first) = path.next() else { return Refs::from([]) };
        let mut refs = self.lookup(scope, &first.name);
        for part in path {
            refs = match refs.first() {
                Some(Ref::Contract(contract)) => self.contract_member(*contract, &part.name),
                Some(Ref::Module(file)) => self.module_member(*file, &part.name),
                _ => return Refs::from([]),
            };
        }
        refs
    }

    /// Members of a contract and its bases under a name, most derived first; of functions (and events) all overloads
    /// that differ in their parameters.
    fn visible_members(
        &self,
        contract: ContractId,
        name: &str,
        visible: fn(&Self, Ref, inherited: bool) -> bool,
    ) -> Vec<Ref> {
        let mut found: Vec<Ref> = Vec::new();
        for &base in &self.hir.contracts[contract].linearized {
            let declared = self.tables.own[base].get(name).into_iter().flatten().copied();
            for r in declared.filter(|r| visible(self, *r, base != contract)) {
                match r {
                    Ref::Function(_) | Ref::Event(_)
                        if found.iter().all(|other| self.is_overload(*other, r)) =>
                    {
                        found.push(r);
                    }
                    Ref::Function(_) | Ref::Event(_) => {}
                    _ if found.is_empty() => return vec![r],
                    _ => {}
                }
            }
        }
        found
    }

    fn is_visible_inside(&self, r: Ref, inherited: bool) -> bool {
        match r {
            Ref::Function(id) => match self.hir.functions[id].visibility {
                Visibility::External => false,
                Visibility::Private => !inherited,
                Visibility::Public | Visibility::Internal => true,
            },
            Ref::Var(id) => !inherited || self.hir.vars[id].visibility != Visibility::Private,
            _ => true,
        }
    }

    /// Both functions (or both events), with different parameters.
    fn is_overload(&self, a: Ref, b: Ref) -> bool {
        match (a, b) {
            (Ref::Function(a), Ref::Function(b)) => self.overload_key(a) != self.overload_key(b),
            (Ref::Event(a), Ref::Event(b)) => self.hir.events[a].signature != self.hir.events[b].signature,
            _ => false,
        }
    }

    /// Parameter types as seen from outside (calldata is memory): equal for functions that override each other.
    pub fn overload_key(&self, function: FunctionId) -> Option<&[crate::hir::TyId]> {
        self.tables.overload_keys.get(function).map(|key| &**key)
    }

    /// `C.x`: types, functions, constants, state variables, events, errors declared in `C` or inherited, whatever
    /// their visibility, except private ones of bases.
    pub fn contract_member(&self, contract: ContractId, name: &str) -> Refs {
        if let Some(own) = self.tables.own[contract].get(name) {
            return own.as_slice().into();
        }
        let visible = |sema: &Self, r: Ref, inherited: bool| match r {
            Ref::Function(id) => !inherited || sema.hir.functions[id].visibility != Visibility::Private,
            _ => sema.is_visible_inside(r, inherited),
        };
        self.visible_members(contract, name, visible).into()
    }

    /// Members of an instance: public and external functions, inherited ones included, and public state variables
    /// (`Ref::Var`, to be read through `Var::getter`).
    pub fn external_members(&self, contract: ContractId, name: &str) -> Refs {
        let visible = |sema: &Self, r: Ref, _: bool| match r {
            Ref::Function(id) => {
                matches!(sema.hir.functions[id].visibility, Visibility::Public | Visibility::External)
            }
            Ref::Var(id) => sema.hir.vars[id].visibility == Visibility::Public,
            _ => false,
        };
        self.visible_members(contract, name, visible).into()
    }

    /// `M.x` where `M` is a module object.
    pub fn module_member(&self, file: FileId, name: &str) -> Refs {
        match self.tables.files.get(file.0 as usize).and_then(|names| names.get(name)) {
            Some(refs) => refs.as_slice().into(),
            None => Refs::from([]),
        }
    }

    /// Functions that `super.name` may mean inside a contract: the next ones in its linearisation, overloads included.
    pub fn super_lookup(&self, contract: ContractId, name: &str) -> Vec<FunctionId> {
        let mut found: Vec<FunctionId> = Vec::new();
        for &base in self.hir.contracts[contract].linearized.iter().skip(1) {
            for r in self.tables.own[base].get(name).into_iter().flatten() {
                let Ref::Function(id) = *r else { continue };
                let function = &self.hir.functions[id];
                let callable = function.kind == FunctionKind::Function
                    && matches!(function.visibility, Visibility::Public | Visibility::Internal)
                    && self.is_implemented(id);
                if callable && found.iter().all(|other| self.overload_key(*other) != self.overload_key(id)) {
                    found.push(id);
                }
            }
        }
        found
    }

    /// Whether a function has a body (bodies are typed later, so the HIR cannot tell yet).
    pub fn is_implemented(&self, function: FunctionId) -> bool {
        self.function_def(function).body.is_some()
    }

    pub fn function_def(&self, function: FunctionId) -> &'a pt::FunctionDefinition {
        self.pending.functions[function.0 as usize].1
    }
}
