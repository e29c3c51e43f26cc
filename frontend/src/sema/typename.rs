//! Type expressions.

use super::collect::{mutability_of, visibility_of};
use super::{DeclScope, Sema, span_of};
use crate::hir::{FnKind, FnTy, Loc, Mutability, Ref, Ty, TyId, Visibility};
use solang_parser::pt::{self, CodeLocation};

/// The parts of a dotted name; `None` for other expressions.
pub(super) fn path_of(expr: &pt::Expression) -> Option<Vec<&pt::Identifier>> {
    match expr {
        pt::Expression::Variable(name) => Some(vec![name]),
        pt::Expression::MemberAccess(_, base, name) => {
            let mut path = path_of(base)?;
            path.push(name);
            Some(path)
        }
        _ => None,
    }
}

/// `fixed`, `ufixed128x18`: the parser takes them for plain names.
pub(super) fn fixed_point(name: &str) -> Option<Ty> {
    let (signed, rest) = match name.strip_prefix("ufixed") {
        Some(rest) => (false, rest),
        None => (true, name.strip_prefix("fixed")?),
    };
    if rest.is_empty() {
        return Some(Ty::Fixed { signed, bits: 128, decimals: 18 });
    }
    let (bits, decimals) = rest.split_once('x')?;
    let (bits, decimals): (u16, u8) = (bits.parse().ok()?, decimals.parse().ok()?);
    ((8..=256).contains(&bits) && bits % 8 == 0 && decimals <= 80).then_some(Ty::Fixed {
        signed,
        bits,
        decimals,
    })
}

pub(super) fn declared_loc(storage: &pt::StorageLocation) -> Loc {
    match storage {
        pt::StorageLocation::Memory(_) => Loc::Memory,
        pt::StorageLocation::Storage(_) => Loc::StoragePtr,
        pt::StorageLocation::Calldata(_) => Loc::Calldata,
    }
}

impl<'a> Sema<'a> {
    /// Any type expression. Errors are reported at their place and give `Ty::Error`. `loc` is the data location of
    /// reference types; `None` means `StorageRef`, as struct fields and state variables have it.
    pub fn type_name(&mut self, expr: &'a pt::Expression, scope: DeclScope, loc: Option<Loc>) -> TyId {
        let ty = self.type_in_storage(expr, scope);
        match loc {
            Some(loc) => self.hir.types.with_loc(ty, loc),
            None => ty,
        }
    }

    fn type_in_storage(&mut self, expr: &'a pt::Expression, scope: DeclScope) -> TyId {
        match expr {
            pt::Expression::Type(loc, ty) => self.elementary_type(loc, ty, scope),
            pt::Expression::Variable(_) | pt::Expression::MemberAccess(..) => self.named_type(expr, scope),
            pt::Expression::ArraySubscript(_, elem, len) => {
                let elem_ty = self.type_in_storage(elem, scope);
                if *self.hir.ty(elem_ty) == Ty::Error {
                    return elem_ty;
                }
                let len = match len {
                    None => None,
                    Some(len) => match self.array_length(len, scope) {
                        Ok(value) => {
                            self.pending.lengths.push((len, scope));
                            Some(value)
                        }
                        Err(message) => {
                            self.error(span_of(&len.loc()), message);
                            return self.hir.types.error();
                        }
                    },
                };
                self.hir.types.intern(Ty::Array { elem: elem_ty, len, loc: Loc::StorageRef })
            }
            _ => {
                self.error(span_of(&expr.loc()), "expected a type name");
                self.hir.types.error()
            }
        }
    }

    fn elementary_type(&mut self, loc: &pt::Loc, ty: &'a pt::Type, scope: DeclScope) -> TyId {
        let ty = match ty {
            pt::Type::Address => Ty::Address { payable: false },
            pt::Type::AddressPayable | pt::Type::Payable => Ty::Address { payable: true },
            pt::Type::Bool => Ty::Bool,
            pt::Type::String => Ty::String(Loc::StorageRef),
            pt::Type::Int(bits) => Ty::Int { bits: *bits, signed: true },
            pt::Type::Uint(bits) => Ty::Int { bits: *bits, signed: false },
            pt::Type::Bytes(n) => Ty::FixedBytes(*n),
            pt::Type::Rational => Ty::Fixed { signed: true, bits: 128, decimals: 18 },
            pt::Type::DynamicBytes => Ty::Bytes(Loc::StorageRef),
            pt::Type::Mapping { key, value, .. } => {
                let key_ty = self.type_name(key, scope, Some(Loc::Memory));
                let value = self.type_in_storage(value, scope);
                if !self.is_mapping_key(key_ty) {
                    self.error(
                        span_of(&key.loc()),
                        "only elementary types, user defined value types, contract types or enums are allowed as \
                         mapping keys",
                    );
                    return self.hir.types.error();
                }
                Ty::Mapping { key: key_ty, value }
            }
            pt::Type::Function { params, attributes, returns } => {
                let returns = returns.as_ref().map_or(&[][..], |(list, _)| list);
                self.function_type(loc, params, attributes, returns, scope)
            }
        };
        self.hir.types.intern(ty)
    }

    fn is_mapping_key(&self, ty: TyId) -> bool {
        match self.hir.ty(ty) {
            Ty::Array { .. } | Ty::Struct(..) | Ty::Mapping { .. } | Ty::Function(_) => false,
            Ty::Bool
            | Ty::Int { .. }
            | Ty::FixedBytes(_)
            | Ty::Address { .. }
            | Ty::Fixed { .. }
            | Ty::Bytes(_)
            | Ty::String(_)
            | Ty::Enum(_)
            | Ty::Contract { .. }
            | Ty::UserType(_)
            | Ty::Error => true,
            Ty::Rational { .. }
            | Ty::StringLiteral(_)
            | Ty::Slice(_)
            | Ty::Tuple(_)
            | Ty::Type(_)
            | Ty::Module(_)
            | Ty::Modifier(_)
            | Ty::Magic(_) => false,
        }
    }

    fn function_type(
        &mut self,
        loc: &pt::Loc,
        params: &'a pt::ParameterList,
        attributes: &[pt::FunctionAttribute],
        returns: &'a [(pt::Loc, Option<pt::Parameter>)],
        scope: DeclScope,
    ) -> Ty {
        let mut kind = FnKind::Internal;
        let mut mutability = Mutability::NonPayable;
        for attribute in attributes {
            match attribute {
                pt::FunctionAttribute::Visibility(v) => match visibility_of(v) {
                    Visibility::External => kind = FnKind::External,
                    Visibility::Internal => kind = FnKind::Internal,
                    Visibility::Public | Visibility::Private => self.error(
                        span_of(loc),
                        "invalid visibility of a function type, can only be `external` or `internal`",
                    ),
                },
                pt::FunctionAttribute::Mutability(m) => mutability = mutability_of(m),
                _ => self.error(span_of(loc), "invalid attribute of a function type"),
            }
        }
        let list = |sema: &mut Self, list: &'a [(pt::Loc, Option<pt::Parameter>)]| -> Vec<TyId> {
            let types = list.iter().filter_map(|(_, p)| p.as_ref());
            types
                .map(|p| {
                    let loc = p.storage.as_ref().map_or(Loc::Memory, declared_loc);
                    sema.type_name(&p.ty, scope, Some(loc))
                })
                .collect()
        };
        let params = list(self, params);
        let returns = list(self, returns);
        Ty::Function(FnTy {
            params,
            returns,
            kind,
            mutability,
            decl: None,
            variadic: false,
            attached: false,
            value_set: false,
            gas_set: false,
            salt_set: false,
        })
    }

    fn named_type(&mut self, expr: &pt::Expression, scope: DeclScope) -> TyId {
        let span = span_of(&expr.loc());
        let Some(path) = path_of(expr) else {
            self.error(span, "expected a type name");
            return self.hir.types.error();
        };
        if let [name] = path.as_slice()
            && let Some(fixed) = fixed_point(&name.name)
        {
            return self.hir.types.intern(fixed);
        }
        match *self.lookup_path(path.iter().copied(), scope) {
            [r] => match type_of_ref(r) {
                Some(ty) => self.hir.types.intern(ty),
                None => {
                    self.error(span, "name has to refer to a user-defined type");
                    self.hir.types.error()
                }
            },
            [] => {
                let text: Vec<&str> = path.iter().map(|p| p.name.as_str()).collect();
                self.error(span, format!("identifier `{}` not found", text.join(".")));
                self.hir.types.error()
            }
            _ => {
                self.error(span, "name has to refer to a user-defined type");
                self.hir.types.error()
            }
        }
    }

    /// Whether an expression is a type expression, by its syntax and the names in it. Reports nothing.
    pub fn is_type_name(&self, expr: &pt::Expression, scope: DeclScope) -> bool {
        match expr {
            pt::Expression::Type(..) => true,
            pt::Expression::Variable(_) | pt::Expression::MemberAccess(..) => {
                let Some(path) = path_of(expr) else { return false };
                match *self.lookup_path(path.iter().copied(), scope) {
                    [r] => type_of_ref(r).is_some(),
                    [] => matches!(path.as_slice(), [name] if fixed_point(&name.name).is_some()),
                    _ => false,
                }
            }
            pt::Expression::ArraySubscript(_, elem, _) => self.is_type_name(elem, scope),
            _ => false,
        }
    }
}

/// The type that a declaration introduces; reference types in storage.
fn type_of_ref(r: Ref) -> Option<Ty> {
    match r {
        Ref::Contract(id) => Some(Ty::Contract { id, is_super: false }),
        Ref::Struct(id) => Some(Ty::Struct(id, Loc::StorageRef)),
        Ref::Enum(id) => Some(Ty::Enum(id)),
        Ref::UserType(id) => Some(Ty::UserType(id)),
        Ref::Var(_)
        | Ref::Function(_)
        | Ref::Modifier(_)
        | Ref::Event(_)
        | Ref::Error(_)
        | Ref::Module(_)
        | Ref::Builtin(_)
        | Ref::Msg
        | Ref::Block
        | Ref::Tx
        | Ref::Abi
        | Ref::This
        | Ref::Super => None,
    }
}
