//! Name lookup.

use super::{DeclScope, Refs, Sema};
use crate::hir::{BinaryOp, ContractId, FunctionId, TyId, UnaryOp, UserTypeId};
use hornet_ir::span::FileId;

/// An operator that `using {f as op} for T` can define.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UserOp {
    Unary(UnaryOp),
    Binary(BinaryOp),
}

impl<'a> Sema<'a> {
    /// What a plain name means outside function-local scopes: members of the contract (inherited ones included,
    /// overridden and hidden ones not), then of the file, then what the language provides.
    pub fn lookup(&self, _scope: DeclScope, _name: &str) -> Refs {
        Refs::from([])
    }

    /// `C.x`: types, functions, constants, state variables, events, errors declared in `C` or inherited, whatever
    /// their visibility, except private ones of bases.
    pub fn contract_member(&self, _contract: ContractId, _name: &str) -> Refs {
        Refs::from([])
    }

    /// Members of an instance: public and external functions, inherited ones included, and public state variables
    /// (`Ref::Var`, to be read through `Var::getter`).
    pub fn external_members(&self, _contract: ContractId, _name: &str) -> Refs {
        Refs::from([])
    }

    /// `M.x` where `M` is a module object.
    pub fn module_member(&self, _file: FileId, _name: &str) -> Refs {
        Refs::from([])
    }

    /// Functions that `using for` attaches to values of a type, by the directive's type only: whether the value
    /// converts to the first parameter is the caller's to check.
    pub fn attached(&mut self, _scope: DeclScope, _ty: TyId, _name: &str) -> Vec<FunctionId> {
        Vec::new()
    }

    /// The function that defines an operator for a user-defined value type.
    pub fn user_operator(&self, _scope: DeclScope, _op: UserOp, _ty: UserTypeId) -> Option<FunctionId> {
        None
    }

    /// Functions that `super.name` may mean inside a contract: the next ones in its linearisation, overloads included.
    pub fn super_lookup(&self, _contract: ContractId, _name: &str) -> Vec<FunctionId> {
        Vec::new()
    }
}
