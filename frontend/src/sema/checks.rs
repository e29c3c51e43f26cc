//! Rules about declarations by themselves: duplicates, headers of functions, variables, recursive structs.

use super::collect::declared_visibility;
use super::{Sema, span_of};
use crate::hir::{
    ContractId, ContractKind, FunctionId, FunctionKind, ModifierId, Mutability, Ref, StructId, Ty, TyId,
    VarId, VarKind, Visibility,
};
use hornet_ir::ids::Id;
use solang_parser::pt;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

impl<'a> Sema<'a> {
    pub(super) fn check_declarations(&mut self) {
        for contract in self.hir.contracts.ids() {
            self.check_duplicates(contract);
        }
        self.check_free_duplicates();
        for index in 0..self.pending.functions.len() {
            let (id, def) = self.pending.functions[index];
            match self.hir.functions[id].contract {
                Some(contract) => self.check_function(id, contract, def),
                None => self.check_free_function(id, def),
            }
        }
        for index in 0..self.pending.modifiers.len() {
            let (id, def) = self.pending.modifiers[index];
            self.check_modifier(id, def);
        }
        for var in self.tables.vars.ids() {
            self.check_variable(var);
        }
    }

    fn check_duplicates(&mut self, contract: ContractId) {
        let mut overloads: Vec<Vec<Ref>> =
            self.tables.own[contract].values().filter(|refs| refs.len() > 1).cloned().collect();
        // Out of a hash map: the order of errors must not depend on it.
        overloads.sort_by_key(|refs| refs.first().and_then(|r| self.ref_span(*r)));
        for refs in overloads {
            self.check_overloads(&refs);
        }
        let functions = &self.hir.contracts[contract].functions;
        for kind in [FunctionKind::Constructor, FunctionKind::Receive, FunctionKind::Fallback] {
            let mut same = functions.iter().filter(|f| self.hir.functions[**f].kind == kind);
            if let (Some(first), Some(second)) = (same.next(), same.next()) {
                let (first, second) = (self.hir.functions[*first].span, self.hir.functions[*second].span);
                let what = match kind {
                    FunctionKind::Constructor => "constructor",
                    FunctionKind::Receive => "receive function",
                    FunctionKind::Fallback | FunctionKind::Function | FunctionKind::Free => {
                        "fallback function"
                    }
                };
                self.clash(second, format!("more than one {what} defined"), Some(first));
                return;
            }
        }
    }

    fn check_free_duplicates(&mut self) {
        for file in 0..self.tables.files.len() {
            let mut overloads: Vec<Vec<Ref>> =
                self.tables.files[file].values().filter(|refs| refs.len() > 1).cloned().collect();
            for refs in &mut overloads {
                refs.retain(|r| self.ref_span(*r).is_some_and(|span| span.file.0 as usize == file));
            }
            overloads.sort_by_key(|refs| refs.first().and_then(|r| self.ref_span(*r)));
            for refs in overloads {
                self.check_overloads(&refs);
            }
        }
    }

    /// Functions (or events) of one name in one scope must differ in their parameters.
    fn check_overloads(&mut self, refs: &[Ref]) {
        for (i, second) in refs.iter().enumerate() {
            for first in &refs[..i] {
                let same = match (first, second) {
                    (Ref::Function(a), Ref::Function(b)) => self.overload_key(*a) == self.overload_key(*b),
                    (Ref::Event(a), Ref::Event(b)) => {
                        let types = |e: &crate::hir::EventId| -> Vec<TyId> {
                            self.hir.events[*e].params.iter().map(|p| p.ty).collect()
                        };
                        types(a) == types(b)
                    }
                    _ => false,
                };
                if self.clashes_outside(*first, *second) {
                    let (first, second) = (self.ref_span(*first), self.ref_span(*second));
                    if let Some(second) = second {
                        let message =
                            "function overload clash during conversion to external types for arguments";
                        self.clash(second, message, first);
                    }
                    break;
                }
                if same {
                    let what = if matches!(second, Ref::Event(_)) { "event" } else { "function" };
                    let (first, second) = (self.ref_span(*first), self.ref_span(*second));
                    if let Some(second) = second {
                        let message = format!("{what} with same name and parameter types defined twice");
                        self.clash(second, message, first);
                    }
                    break;
                }
            }
        }
    }

    /// Different types here, but the same ones in the ABI.
    fn clashes_outside(&self, a: Ref, b: Ref) -> bool {
        let (Ref::Function(a), Ref::Function(b)) = (a, b) else { return false };
        let (first, second) = (&self.hir.functions[a].signature, &self.hir.functions[b].signature);
        first.is_some() && first == second && self.overload_key(a) != self.overload_key(b)
    }

    fn check_free_function(&mut self, id: FunctionId, def: &pt::FunctionDefinition) {
        let span = self.hir.functions[id].name_span;
        if declared_visibility(def).is_some() {
            self.error(span, "free functions cannot have visibility");
        }
        if self.hir.functions[id].mutability == Mutability::Payable {
            self.error(span, "free functions cannot be payable");
        }
        if def.body.is_none() {
            self.error(span, "free functions must be implemented");
        }
        for attribute in &def.attributes {
            match attribute {
                pt::FunctionAttribute::Virtual(loc) => {
                    self.error(span_of(loc), "free functions cannot be virtual")
                }
                pt::FunctionAttribute::Override(loc, _) => {
                    self.error(span_of(loc), "free functions cannot override");
                }
                pt::FunctionAttribute::BaseOrModifier(loc, _) => {
                    self.error(span_of(loc), "free functions cannot have modifiers");
                }
                pt::FunctionAttribute::Visibility(_)
                | pt::FunctionAttribute::Mutability(_)
                | pt::FunctionAttribute::Immutable(_)
                | pt::FunctionAttribute::Error(_) => {}
            }
        }
    }

    fn check_function(&mut self, id: FunctionId, contract: ContractId, def: &pt::FunctionDefinition) {
        let span = self.hir.functions[id].name_span;
        let version = self.version(span.file);
        let stated = declared_visibility(def);
        let kind = self.hir.functions[id].kind;
        let contract_kind = self.hir.contracts[contract].kind;
        let count = |f: fn(&pt::FunctionAttribute) -> bool| def.attributes.iter().filter(|a| f(a)).count();
        if count(|a| matches!(a, pt::FunctionAttribute::Visibility(_))) > 1 {
            self.error(span, "visibility already specified");
        }
        if count(|a| matches!(a, pt::FunctionAttribute::Mutability(_))) > 1 {
            self.error(span, "state mutability already specified");
        }
        match kind {
            FunctionKind::Function => {
                if stated.is_none() && version.at_least(5, 0) {
                    let wanted = if contract_kind == ContractKind::Interface { "external" } else { "public" };
                    self.error(span, format!("no visibility specified: did you intend to add `{wanted}`?"));
                }
                self.check_ordinary_function(id, contract_kind, def);
            }
            FunctionKind::Constructor => {
                if contract_kind != ContractKind::Contract {
                    let what =
                        if contract_kind == ContractKind::Library { "libraries" } else { "interfaces" };
                    self.error(span, format!("constructor cannot be defined in {what}"));
                }
                if !def.returns.is_empty() {
                    self.error(span, "non-empty `returns` directive for constructor");
                }
                if def.body.is_none() {
                    self.error(span, "constructor must be implemented if declared");
                }
            }
            FunctionKind::Receive => {
                if !def.params.is_empty() || !def.returns.is_empty() {
                    self.error(span, "receive ether function cannot take parameters or return values");
                }
                if stated != Some(Visibility::External) {
                    self.error(span, "receive ether function must be defined as `external`");
                }
                if self.hir.functions[id].mutability != Mutability::Payable {
                    self.error(span, "receive ether function must be payable");
                }
            }
            FunctionKind::Fallback => {
                if stated != Some(Visibility::External) && version.at_least(5, 0) {
                    self.error(span, "fallback function must be defined as `external`");
                }
                if contract_kind == ContractKind::Library {
                    self.error(span, "libraries cannot have fallback functions");
                }
            }
            FunctionKind::Free => {}
        }
    }

    fn check_ordinary_function(&mut self, id: FunctionId, kind: ContractKind, def: &pt::FunctionDefinition) {
        let function = &self.hir.functions[id];
        let (span, visibility, mutability) = (function.name_span, function.visibility, function.mutability);
        let version = self.version(span.file);
        let is_virtual = def.attributes.iter().any(|a| matches!(a, pt::FunctionAttribute::Virtual(_)));
        let is_internal = matches!(visibility, Visibility::Internal | Visibility::Private);
        if mutability == Mutability::Payable && version.at_least(5, 0) {
            if kind == ContractKind::Library {
                self.error(span, "library functions cannot be payable");
            } else if is_internal {
                self.error(span, "internal functions cannot be payable");
            }
        }
        if is_virtual && visibility == Visibility::Private {
            self.error(span, "`virtual` and `private` cannot be used together");
        }
        if is_virtual && kind == ContractKind::Library {
            self.error(span, "library functions cannot be `virtual`");
        }
        match (kind, def.body.is_some()) {
            (ContractKind::Interface, implemented) => {
                if implemented {
                    self.error(span, "functions in interfaces cannot have an implementation");
                }
                if visibility != Visibility::External && version.at_least(5, 0) {
                    self.error(span, "functions in interfaces must be declared external");
                }
            }
            (ContractKind::Library, false) => {
                self.error(span, "library functions must be implemented if declared");
            }
            (ContractKind::Contract, false) => {
                if version.at_least(6, 0) && !is_virtual {
                    self.error(span, "functions without implementation must be marked virtual");
                }
            }
            (ContractKind::Contract | ContractKind::Library, true) => {}
        }
    }

    fn check_modifier(&mut self, id: ModifierId, def: &pt::FunctionDefinition) {
        let span = self.hir.modifiers[id].span;
        if def.body.is_none() && !self.hir.modifiers[id].is_virtual {
            self.error(span, "modifiers without implementation must be marked virtual");
        }
        if !def.returns.is_empty() {
            self.error(span, "modifiers cannot return values");
        }
    }

    fn check_variable(&mut self, id: VarId) {
        let def = self.tables.vars[id];
        let var = &self.hir.vars[id];
        let (span, kind, ty) = (var.span, var.kind, var.ty);
        let contract_kind = var.contract.map(|c| self.hir.contracts[c].kind);
        if var.visibility == Visibility::External {
            self.error(span, "`external` is not allowed for state variables");
        }
        match (contract_kind, kind) {
            (None, VarKind::Constant) => {}
            (None, _) => self.error(span, "only constant variables are allowed at file level"),
            (Some(ContractKind::Interface), _) => {
                self.error(span, "variables cannot be declared in interfaces")
            }
            (Some(ContractKind::Library), VarKind::State | VarKind::Immutable | VarKind::Transient) => {
                self.error(span, "library cannot have non-constant state variables");
            }
            (Some(ContractKind::Library | ContractKind::Contract), _) => {}
        }
        if kind == VarKind::Constant
            && def.initializer.is_none()
            && contract_kind != Some(ContractKind::Interface)
        {
            self.error(span, "uninitialized `constant` variable");
        }
        if kind == VarKind::Immutable && self.hir.types.loc(ty).is_some() {
            self.error(span, "immutable variables cannot have a non-value type");
        }
        if kind == VarKind::Transient {
            if def.initializer.is_some() {
                self.error(span, "initialization of transient storage state variables is not supported");
            }
            if self.hir.types.loc(ty).is_some() || matches!(self.hir.ty(ty), Ty::Mapping { .. }) {
                self.error(span, "transient storage variables must have a value type");
            }
        }
    }

    /// A struct that contains itself other than through a mapping or a dynamic array has no finite size.
    pub(super) fn check_struct_recursion(&mut self) {
        let mut visits = vec![Visit::New; self.hir.structs.len()];
        let mut sizes = vec![1; self.hir.structs.len()];
        for root in self.hir.structs.ids() {
            if visits[root.index()] != Visit::New {
                continue;
            }
            visits[root.index()] = Visit::Open;
            let mut stack = vec![(root, 0)];
            while let Some((id, next)) = stack.pop() {
                let Some(field) = self.hir.structs[id].fields.get(next) else {
                    visits[id.index()] = Visit::Done;
                    sizes[id.index()] = self.struct_size(id, &sizes);
                    continue;
                };
                stack.push((id, next + 1));
                let Some(inner) = self.contained_struct(field.ty) else { continue };
                match visits[inner.index()] {
                    Visit::New => {
                        visits[inner.index()] = Visit::Open;
                        stack.push((inner, 0));
                    }
                    Visit::Open => {
                        let span = self.hir.structs[inner].span;
                        self.error(span, "recursive struct definition");
                        // Later passes may walk structs to their leaves.
                        self.hir.structs[id].fields[next].ty = self.hir.types.error();
                    }
                    Visit::Done => {}
                }
            }
        }
    }

    /// Members of a struct and of the structs in it, whose sizes are known. Doubling at each of a few dozen levels
    /// is legal but takes any pass that walks members for ever.
    fn struct_size(&mut self, id: StructId, sizes: &[usize]) -> usize {
        const MOST: usize = 1 << 16;
        let fields = &self.hir.structs[id].fields;
        let inner = fields.iter().map(|f| self.contained_struct(f.ty).map_or(1, |s| sizes[s.index()]));
        let size = inner.sum();
        if size <= MOST {
            return size;
        }
        let span = self.hir.structs[id].span;
        self.error(span, format!("a struct with more than {MOST} members in all"));
        let error = self.hir.types.error();
        self.hir.structs[id].fields.iter_mut().for_each(|field| field.ty = error);
        // Nothing: structs around it are not at fault.
        0
    }

    fn contained_struct(&self, ty: TyId) -> Option<StructId> {
        match self.hir.ty(ty) {
            Ty::Struct(id, _) => Some(*id),
            Ty::Array { elem, len: Some(_), .. } => self.contained_struct(*elem),
            _ => None,
        }
    }
}
