//! First pass: every declaration of every file gets its place in the HIR and its name in a scope.

use super::{Names, Sema, span_of};
use crate::hir::{
    Contract, ContractId, ContractKind, Enum, Error, Event, File, Function, FunctionKind, Modifier,
    Mutability, Ref, Signature, Struct, UserType, Var, VarKind, Visibility,
};
use crate::version::Version;
use hornet_ir::span::{FileId, Span};
use solang_parser::pt;

/// Which scope a declaration's name goes into.
#[derive(Clone, Copy)]
struct Place {
    file: FileId,
    contract: Option<ContractId>,
}

/// Whether a declaration may stand beside another one of the same name.
fn may_overload(a: Ref, b: Ref) -> bool {
    matches!((a, b), (Ref::Function(_), Ref::Function(_)) | (Ref::Event(_), Ref::Event(_)))
}

/// Adds a declaration to a scope; gives back the one it clashes with.
pub(super) fn add_name<'a>(names: &mut Names<'a>, name: &'a str, new: Ref) -> Option<Ref> {
    let there = names.entry(name).or_default();
    if there.contains(&new) {
        return None;
    }
    let clash = there.iter().copied().find(|old| !may_overload(*old, new));
    if clash.is_none() {
        there.push(new);
    }
    clash
}

fn empty_signature() -> Signature {
    Signature { text: String::new(), selector: [0; 4] }
}

impl<'a> Sema<'a> {
    pub(super) fn collect(&mut self) {
        let sources = self.sources;
        for parsed in &sources.files {
            self.hir.files.push(File {
                id: parsed.file,
                name: sources.map.file(parsed.file).name.clone(),
                version: parsed.version,
                abi_v2: parsed.abi_v2(),
            });
            self.tables.files.push(Names::default());
            let place = Place { file: parsed.file, contract: None };
            for part in &parsed.unit.0 {
                self.collect_part(part, place);
            }
        }
    }

    fn collect_part(&mut self, part: &'a pt::SourceUnitPart, place: Place) {
        match part {
            pt::SourceUnitPart::ContractDefinition(def) => self.collect_contract(def, place),
            pt::SourceUnitPart::EnumDefinition(def) => self.collect_enum(def, place),
            pt::SourceUnitPart::StructDefinition(def) => self.collect_struct(def, place),
            pt::SourceUnitPart::EventDefinition(def) => self.collect_event(def, place),
            pt::SourceUnitPart::ErrorDefinition(def) => self.collect_error(def, place),
            pt::SourceUnitPart::FunctionDefinition(def) => self.collect_function(def, place),
            pt::SourceUnitPart::VariableDefinition(def) => self.collect_variable(def, place),
            pt::SourceUnitPart::TypeDefinition(def) => self.collect_user_type(def, place),
            pt::SourceUnitPart::Annotation(def) => {
                self.error(span_of(&def.loc), "expected a declaration, found an annotation");
            }
            // Imports and `using` have passes of their own.
            pt::SourceUnitPart::PragmaDirective(_)
            | pt::SourceUnitPart::ImportDirective(_)
            | pt::SourceUnitPart::Using(_)
            | pt::SourceUnitPart::StraySemicolon(_) => {}
        }
    }

    fn collect_contract(&mut self, def: &'a pt::ContractDefinition, place: Place) {
        let Some(name) = &def.name else { return };
        let (kind, is_abstract) = match def.ty {
            pt::ContractTy::Abstract(_) => (ContractKind::Contract, true),
            pt::ContractTy::Contract(_) => (ContractKind::Contract, false),
            pt::ContractTy::Interface(_) => (ContractKind::Interface, true),
            pt::ContractTy::Library(_) => (ContractKind::Library, false),
        };
        let id = self.hir.contracts.push(Contract {
            name: name.name.clone(),
            span: span_of(&def.loc),
            name_span: span_of(&name.loc),
            kind,
            is_abstract,
            bases: Vec::new(),
            linearized: Vec::new(),
            state: Vec::new(),
            functions: Vec::new(),
            modifiers: Vec::new(),
            events: Vec::new(),
            errors: Vec::new(),
            structs: Vec::new(),
            enums: Vec::new(),
            user_types: Vec::new(),
            constructor: None,
            layout_base: None,
            invariants: Vec::new(),
        });
        self.tables.contracts.push(def);
        self.tables.own.push(Names::default());
        self.declare(place, name, Ref::Contract(id));
        let place = Place { file: place.file, contract: Some(id) };
        for part in &def.parts {
            match part {
                pt::ContractPart::StructDefinition(def) => self.collect_struct(def, place),
                pt::ContractPart::EventDefinition(def) => self.collect_event(def, place),
                pt::ContractPart::EnumDefinition(def) => self.collect_enum(def, place),
                pt::ContractPart::ErrorDefinition(def) => self.collect_error(def, place),
                pt::ContractPart::VariableDefinition(def) => self.collect_variable(def, place),
                pt::ContractPart::FunctionDefinition(def) => self.collect_function(def, place),
                pt::ContractPart::TypeDefinition(def) => self.collect_user_type(def, place),
                pt::ContractPart::Annotation(def) => {
                    self.error(span_of(&def.loc), "expected a declaration, found an annotation");
                }
                pt::ContractPart::Using(_) | pt::ContractPart::StraySemicolon(_) => {}
            }
        }
    }

    fn declare(&mut self, place: Place, name: &'a pt::Identifier, new: Ref) {
        let names = match place.contract {
            Some(contract) => &mut self.tables.own[contract],
            None => &mut self.tables.files[place.file.0 as usize],
        };
        if let Some(old) = add_name(names, &name.name, new) {
            let old = self.ref_span(old);
            self.clash(span_of(&name.loc), format!("identifier `{}` already declared", name.name), old);
        }
    }

    fn qualified(&self, place: Place, name: &str) -> String {
        match place.contract {
            Some(contract) => format!("{}.{name}", self.hir.contracts[contract].name),
            None => name.to_string(),
        }
    }

    fn collect_enum(&mut self, def: &'a pt::EnumDefinition, place: Place) {
        let Some(name) = &def.name else { return };
        let mut members: Vec<String> = Vec::with_capacity(def.values.len());
        for value in def.values.iter().flatten() {
            if members.contains(&value.name) {
                self.error(span_of(&value.loc), format!("identifier `{}` already declared", value.name));
            }
            members.push(value.name.clone());
        }
        if members.is_empty() {
            self.error(span_of(&def.loc), "enum with no members is not allowed");
        }
        if members.len() > 256 && self.version(place.file).at_least(8, 0) {
            self.error(span_of(&def.loc), "enum with more than 256 members is not allowed");
        }
        let id = self.hir.enums.push(Enum {
            name: name.name.clone(),
            qualified: self.qualified(place, &name.name),
            contract: place.contract,
            members,
            span: span_of(&def.loc),
        });
        if let Some(contract) = place.contract {
            self.hir.contracts[contract].enums.push(id);
        }
        self.declare(place, name, Ref::Enum(id));
    }

    fn collect_struct(&mut self, def: &'a pt::StructDefinition, place: Place) {
        let Some(name) = &def.name else { return };
        let id = self.hir.structs.push(Struct {
            name: name.name.clone(),
            qualified: self.qualified(place, &name.name),
            contract: place.contract,
            span: span_of(&def.loc),
            fields: Vec::new(),
        });
        self.tables.structs.push(def);
        if let Some(contract) = place.contract {
            self.hir.contracts[contract].structs.push(id);
        }
        self.declare(place, name, Ref::Struct(id));
    }

    fn collect_user_type(&mut self, def: &'a pt::TypeDefinition, place: Place) {
        let underlying = self.hir.types.error();
        let id = self.hir.user_types.push(UserType {
            name: def.name.name.clone(),
            qualified: self.qualified(place, &def.name.name),
            contract: place.contract,
            underlying,
            span: span_of(&def.loc),
        });
        self.tables.user_types.push(def);
        if let Some(contract) = place.contract {
            self.hir.contracts[contract].user_types.push(id);
        }
        self.declare(place, &def.name, Ref::UserType(id));
    }

    fn collect_event(&mut self, def: &'a pt::EventDefinition, place: Place) {
        let Some(name) = &def.name else { return };
        let id = self.hir.events.push(Event {
            name: name.name.clone(),
            contract: place.contract,
            span: span_of(&def.loc),
            params: Vec::new(),
            anonymous: def.anonymous,
            signature: String::new(),
            spec: None,
        });
        self.tables.events.push(def);
        if let Some(contract) = place.contract {
            self.hir.contracts[contract].events.push(id);
        }
        self.declare(place, name, Ref::Event(id));
    }

    fn collect_error(&mut self, def: &'a pt::ErrorDefinition, place: Place) {
        let Some(name) = &def.name else { return };
        if !self.version(place.file).custom_errors() {
            self.error(span_of(&def.loc), "custom errors exist from 0.8.4 on");
        }
        let id = self.hir.errors.push(Error {
            name: name.name.clone(),
            contract: place.contract,
            span: span_of(&def.loc),
            params: Vec::new(),
            signature: empty_signature(),
        });
        self.tables.errors.push(def);
        if let Some(contract) = place.contract {
            self.hir.contracts[contract].errors.push(id);
        }
        self.declare(place, name, Ref::Error(id));
    }

    fn collect_variable(&mut self, def: &'a pt::VariableDefinition, place: Place) {
        let Some(name) = &def.name else { return };
        let ty = self.hir.types.error();
        let mut kind = VarKind::State;
        let mut visibility = Visibility::Internal;
        for attr in &def.attrs {
            match attr {
                pt::VariableAttribute::Visibility(v) => visibility = visibility_of(v),
                pt::VariableAttribute::Constant(_) => kind = VarKind::Constant,
                pt::VariableAttribute::Immutable(_) => kind = VarKind::Immutable,
                pt::VariableAttribute::StorageType(pt::StorageType::Temporary(_)) => {
                    kind = VarKind::Transient
                }
                pt::VariableAttribute::StorageType(_) | pt::VariableAttribute::Override(..) => {}
            }
        }
        let id = self.hir.vars.push(Var {
            name: name.name.clone(),
            kind,
            ty,
            span: span_of(&def.loc),
            contract: place.contract,
            visibility,
            init: None,
            getter: None,
            overrides: Vec::new(),
        });
        self.tables.vars.push(def);
        if let Some(contract) = place.contract {
            self.hir.contracts[contract].state.push(id);
        }
        if let Some(init) = &def.initializer {
            self.pending.inits.push((id, init));
        }
        self.declare(place, name, Ref::Var(id));
    }

    fn collect_function(&mut self, def: &'a pt::FunctionDefinition, place: Place) {
        if def.ty == pt::FunctionTy::Modifier {
            return self.collect_modifier(def, place);
        }
        let version = self.version(place.file);
        let kind = self.function_kind(def, place, version);
        let is_interface =
            place.contract.is_some_and(|c| self.hir.contracts[c].kind == ContractKind::Interface);
        let visibility = declared_visibility(def);
        let is_virtual = is_interface
            || def.attributes.iter().any(|a| matches!(a, pt::FunctionAttribute::Virtual(_)))
            || (!version.at_least(6, 0) && visibility != Some(Visibility::Private));
        let name = match kind {
            FunctionKind::Function | FunctionKind::Free => def.name.as_ref(),
            FunctionKind::Constructor | FunctionKind::Receive | FunctionKind::Fallback => None,
        };
        let ty = self.hir.types.error();
        let id = self.hir.functions.push(Function {
            name: name.map(|n| n.name.clone()).unwrap_or_default(),
            kind,
            contract: place.contract,
            span: span_of(&def.loc),
            name_span: name_span(def),
            visibility: visibility.unwrap_or(match kind {
                FunctionKind::Free => Visibility::Internal,
                _ => Visibility::Public,
            }),
            mutability: declared_mutability(def),
            params: Vec::new(),
            returns: Vec::new(),
            modifiers: Vec::new(),
            body: None,
            is_virtual,
            overrides: Vec::new(),
            ty,
            signature: None,
            spec: None,
            budgets: Vec::new(),
        });
        self.pending.functions.push((id, def));
        if let Some(contract) = place.contract {
            let contract = &mut self.hir.contracts[contract];
            contract.functions.push(id);
            if kind == FunctionKind::Constructor && contract.constructor.is_none() {
                contract.constructor = Some(id);
            }
        }
        if let Some(name) = name {
            self.declare(place, name, Ref::Function(id));
        }
    }

    fn function_kind(
        &mut self,
        def: &pt::FunctionDefinition,
        place: Place,
        version: Version,
    ) -> FunctionKind {
        let Some(contract) = place.contract else {
            if def.ty != pt::FunctionTy::Function {
                self.error(
                    span_of(&def.loc_prototype),
                    "only functions can be declared outside of a contract",
                );
            }
            return FunctionKind::Free;
        };
        match (def.ty, &def.name) {
            (pt::FunctionTy::Constructor, _) => FunctionKind::Constructor,
            (pt::FunctionTy::Receive, _) => FunctionKind::Receive,
            (pt::FunctionTy::Fallback, _) => FunctionKind::Fallback,
            (pt::FunctionTy::Function | pt::FunctionTy::Modifier, None) => {
                if version.at_least(6, 0) {
                    self.error(
                        span_of(&def.loc_prototype),
                        "expected a name: from 0.6 on, write `fallback` or `receive` for a function without one",
                    );
                }
                FunctionKind::Fallback
            }
            (pt::FunctionTy::Function | pt::FunctionTy::Modifier, Some(name)) => {
                let contract = &self.hir.contracts[contract];
                if name.name != contract.name || contract.kind != ContractKind::Contract {
                    return FunctionKind::Function;
                }
                if version.at_least(5, 0) {
                    self.error(
                        span_of(&name.loc),
                        "functions are not allowed to have the same name as the contract: use `constructor(…)`",
                    );
                    return FunctionKind::Function;
                }
                FunctionKind::Constructor
            }
        }
    }

    fn collect_modifier(&mut self, def: &'a pt::FunctionDefinition, place: Place) {
        let (Some(name), Some(contract)) = (&def.name, place.contract) else {
            self.error(span_of(&def.loc_prototype), "modifiers can only be declared in a contract");
            return;
        };
        let is_virtual = !self.version(place.file).at_least(6, 0)
            || def.attributes.iter().any(|a| matches!(a, pt::FunctionAttribute::Virtual(_)));
        let id = self.hir.modifiers.push(Modifier {
            name: name.name.clone(),
            contract,
            span: span_of(&def.loc),
            params: Vec::new(),
            body: None,
            is_virtual,
            overrides: Vec::new(),
        });
        self.pending.modifiers.push((id, def));
        self.hir.contracts[contract].modifiers.push(id);
        self.declare(place, name, Ref::Modifier(id));
    }
}

fn name_span(def: &pt::FunctionDefinition) -> Span {
    match &def.name {
        Some(name) => span_of(&name.loc),
        None => span_of(&def.loc_prototype),
    }
}

pub(super) fn visibility_of(visibility: &pt::Visibility) -> Visibility {
    match visibility {
        pt::Visibility::External(_) => Visibility::External,
        pt::Visibility::Public(_) => Visibility::Public,
        pt::Visibility::Internal(_) => Visibility::Internal,
        pt::Visibility::Private(_) => Visibility::Private,
    }
}

pub(super) fn mutability_of(mutability: &pt::Mutability) -> Mutability {
    match mutability {
        pt::Mutability::Pure(_) => Mutability::Pure,
        pt::Mutability::View(_) | pt::Mutability::Constant(_) => Mutability::View,
        pt::Mutability::Payable(_) => Mutability::Payable,
    }
}

pub(super) fn declared_visibility(def: &pt::FunctionDefinition) -> Option<Visibility> {
    def.attributes.iter().find_map(|a| match a {
        pt::FunctionAttribute::Visibility(v) => Some(visibility_of(v)),
        _ => None,
    })
}

fn declared_mutability(def: &pt::FunctionDefinition) -> Mutability {
    let stated = def.attributes.iter().find_map(|a| match a {
        pt::FunctionAttribute::Mutability(m) => Some(mutability_of(m)),
        _ => None,
    });
    stated.unwrap_or(Mutability::NonPayable)
}
