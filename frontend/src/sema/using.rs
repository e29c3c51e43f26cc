//! `using … for …`: functions attached to types, and operators of user-defined value types.

use super::linearize::path_text;
use super::{DeclScope, Sema, UserOp, span_of};
use crate::hir::{
    BinaryOp, ContractId, ContractKind, FnTy, FunctionId, Loc, Ref, Ty, TyId, UnaryOp, UserTypeId, Visibility,
};
use hornet_ir::ids::IdVec;
use hornet_ir::span::FileId;
use rustc_hash::FxHashMap;
use solang_parser::pt::{self, UserDefinedOperator as Op};

#[derive(Default)]
pub(super) struct Directives<'a> {
    files: Vec<Vec<Directive<'a>>>,
    contracts: IdVec<ContractId, Vec<Directive<'a>>>,
    operators: FxHashMap<(UserTypeId, UserOp), FunctionId>,
}

struct Directive<'a> {
    /// `None` is `*`. Reference types are storage pointers here, whatever the value's location.
    ty: Option<TyId>,
    attached: Attached<'a>,
    global: bool,
}

enum Attached<'a> {
    Library(ContractId),
    Functions(Vec<(&'a str, FunctionId)>),
}

fn operator(op: Op) -> UserOp {
    match op {
        Op::BitwiseNot => UserOp::Unary(UnaryOp::BitNot),
        Op::Negate => UserOp::Unary(UnaryOp::Neg),
        Op::BitwiseAnd => UserOp::Binary(BinaryOp::BitAnd),
        Op::BitwiseOr => UserOp::Binary(BinaryOp::BitOr),
        Op::BitwiseXor => UserOp::Binary(BinaryOp::BitXor),
        Op::Add => UserOp::Binary(BinaryOp::Add),
        Op::Divide => UserOp::Binary(BinaryOp::Div),
        Op::Modulo => UserOp::Binary(BinaryOp::Mod),
        Op::Multiply => UserOp::Binary(BinaryOp::Mul),
        Op::Subtract => UserOp::Binary(BinaryOp::Sub),
        Op::Equal => UserOp::Binary(BinaryOp::Eq),
        Op::More => UserOp::Binary(BinaryOp::Gt),
        Op::MoreEqual => UserOp::Binary(BinaryOp::Ge),
        Op::Less => UserOp::Binary(BinaryOp::Lt),
        Op::LessEqual => UserOp::Binary(BinaryOp::Le),
        Op::NotEqual => UserOp::Binary(BinaryOp::Ne),
    }
}

impl<'a> Sema<'a> {
    pub(super) fn resolve_using(&mut self) {
        let sources = self.sources;
        for parsed in &sources.files {
            let scope = DeclScope { file: parsed.file, contract: None };
            let mut directives = Vec::new();
            for part in &parsed.unit.0 {
                if let pt::SourceUnitPart::Using(using) = part {
                    directives.extend(self.directive(using, scope));
                }
            }
            self.tables.using.files.push(directives);
        }
        for contract in self.hir.contracts.ids() {
            let scope = self.contract_scope(contract);
            let mut directives = Vec::new();
            for part in &self.tables.contracts[contract].parts {
                if let pt::ContractPart::Using(using) = part {
                    directives.extend(self.directive(using, scope));
                }
            }
            self.tables.using.contracts.push(directives);
        }
    }

    fn directive(&mut self, using: &'a pt::Using, scope: DeclScope) -> Option<Directive<'a>> {
        let ty = match &using.ty {
            Some(ty) => {
                let ty = self.type_name(ty, scope, Some(Loc::StoragePtr));
                if *self.hir.ty(ty) == Ty::Error {
                    return None;
                }
                Some(ty)
            }
            None => None,
        };
        let attached = match &using.list {
            pt::UsingList::Library(path) => self.using_library(path, scope)?,
            pt::UsingList::Functions(list) => {
                let mut functions = Vec::with_capacity(list.len());
                for entry in list {
                    functions.extend(self.using_function(entry, ty, scope));
                }
                Attached::Functions(functions)
            }
            pt::UsingList::Error => return None,
        };
        Some(Directive { ty, attached, global: using.global.is_some() })
    }

    fn using_library(&mut self, path: &'a pt::IdentifierPath, scope: DeclScope) -> Option<Attached<'a>> {
        match self.lookup_path(&path.identifiers, scope).first() {
            Some(Ref::Contract(id)) if self.hir.contracts[*id].kind == ContractKind::Library => {
                Some(Attached::Library(*id))
            }
            Some(_) => {
                self.error(span_of(&path.loc), "library name expected");
                None
            }
            None => {
                self.error(span_of(&path.loc), format!("identifier `{}` not found", path_text(path)));
                None
            }
        }
    }

    /// A function attached under its own name; one that defines an operator is recorded as such instead.
    fn using_function(
        &mut self,
        entry: &'a pt::UsingFunction,
        ty: Option<TyId>,
        scope: DeclScope,
    ) -> Option<(&'a str, FunctionId)> {
        let function = match *self.lookup_path(&entry.path.identifiers, scope) {
            [Ref::Function(id)] => id,
            [] => {
                let message = format!("identifier `{}` not found", path_text(&entry.path));
                self.error(span_of(&entry.path.loc), message);
                return None;
            }
            _ => {
                let message = format!("`{}` is not a function name or not unique", path_text(&entry.path));
                self.error(span_of(&entry.path.loc), message);
                return None;
            }
        };
        let Some(op) = entry.oper else {
            return Some((&entry.path.identifiers.last()?.name, function));
        };
        let user_type = ty.and_then(|ty| match self.hir.ty(ty) {
            Ty::UserType(id) => Some(*id),
            _ => None,
        });
        match user_type {
            Some(user_type) => {
                // `-` is written the same for both; the number of parameters tells.
                let op = match (op, self.hir.functions[function].params.len()) {
                    (Op::Subtract, 1) => Op::Negate,
                    (Op::Negate, 2) => Op::Subtract,
                    (op, _) => op,
                };
                self.tables.using.operators.insert((user_type, operator(op)), function);
            }
            None => self
                .error(span_of(&entry.loc), "operators can only be implemented for user-defined value types"),
        }
        None
    }

    /// Functions that `using for` attaches to values of a type, by the directive's type only: whether the value
    /// converts to the first parameter is the caller's to check.
    pub fn attached(&mut self, scope: DeclScope, ty: TyId, name: &str) -> Vec<FunctionId> {
        let ty = self.directive_type(ty);
        let mut found = Vec::new();
        if let Some(contract) = scope.contract {
            // Before 0.7, directives were inherited.
            let inherits = !self.version(scope.file).at_least(7, 0);
            let contracts = &self.hir.contracts[contract].linearized;
            let contracts = &contracts[..if inherits { contracts.len() } else { contracts.len().min(1) }];
            for contract in contracts {
                if let Some(directives) = self.tables.using.contracts.get(*contract) {
                    self.search_directives(directives, false, ty, name, &mut found);
                }
            }
        }
        if let Some(directives) = self.tables.using.files.get(scope.file.0 as usize) {
            self.search_directives(directives, false, ty, name, &mut found);
        }
        if let Some(home) = self.home_of_type(ty)
            && home != scope.file
            && let Some(directives) = self.tables.using.files.get(home.0 as usize)
        {
            self.search_directives(directives, true, ty, name, &mut found);
        }
        found
    }

    /// A value's type as directives name it: whatever its data location, and whichever function it is.
    fn directive_type(&mut self, ty: TyId) -> TyId {
        match self.hir.ty(ty) {
            Ty::Function(function) if function.decl.is_some() => {
                let anonymous = FnTy { decl: None, ..function.clone() };
                self.hir.types.intern(Ty::Function(anonymous))
            }
            _ => self.hir.types.with_loc(ty, Loc::StoragePtr),
        }
    }

    /// Where a user-defined type is declared: `global` directives stand there.
    fn home_of_type(&self, ty: TyId) -> Option<FileId> {
        match self.hir.ty(ty) {
            Ty::Struct(id, _) => Some(self.hir.structs[*id].span.file),
            Ty::Enum(id) => Some(self.hir.enums[*id].span.file),
            Ty::UserType(id) => Some(self.hir.user_types[*id].span.file),
            Ty::Contract { id, .. } => Some(self.hir.contracts[*id].span.file),
            _ => None,
        }
    }

    fn search_directives(
        &self,
        directives: &[Directive<'a>],
        global_only: bool,
        ty: TyId,
        name: &str,
        found: &mut Vec<FunctionId>,
    ) {
        let applies = |d: &&Directive<'a>| (d.global || !global_only) && d.ty.is_none_or(|t| t == ty);
        for directive in directives.iter().filter(applies) {
            match &directive.attached {
                Attached::Library(library) => {
                    for r in self.tables.own[*library].get(name).into_iter().flatten() {
                        if let Ref::Function(id) = *r
                            && self.hir.functions[id].visibility != Visibility::Private
                            && !self.hir.functions[id].params.is_empty()
                            && !found.contains(&id)
                        {
                            found.push(id);
                        }
                    }
                }
                Attached::Functions(functions) => {
                    for (_, id) in functions.iter().filter(|(n, _)| *n == name) {
                        if !found.contains(id) {
                            found.push(*id);
                        }
                    }
                }
            }
        }
    }

    /// The function that defines an operator for a user-defined value type. Such definitions are always global.
    pub fn user_operator(&self, _scope: DeclScope, op: UserOp, ty: UserTypeId) -> Option<FunctionId> {
        self.tables.using.operators.get(&(ty, op)).copied()
    }
}
