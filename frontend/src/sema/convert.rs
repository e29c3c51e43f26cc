//! Which types convert to which, implicitly and explicitly, and the common type of two operands.

use crate::hir::{ContractKind, FnTy, Hir, Loc, Mutability, Ty, TyId, Types};
use crate::version::Version;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Implicit and explicit conversions under one language version.
#[derive(Clone, Copy)]
pub struct Convert<'a> {
    hir: &'a Hir,
    version: Version,
}

/// The smallest integer type that holds a constant: bits and sign. `None` beyond 256 bits and for fractions.
pub fn integer_for(value: &BigRational) -> Option<(u16, bool)> {
    if !value.is_integer() {
        return None;
    }
    let negative = value.is_negative();
    let bits = if negative { (-value.numer() - BigInt::one()).bits() + 1 } else { value.numer().bits() };
    let bits = bits.div_ceil(8).max(1) * 8;
    (bits <= 256).then_some((bits as u16, negative))
}

impl Hir {
    pub fn convert(&self, version: Version) -> Convert<'_> {
        Convert { hir: self, version }
    }

    /// Equal apart from data locations.
    pub fn same_contents(&self, a: TyId, b: TyId) -> bool {
        same_but_location(&self.types, a, b)
    }

    /// The type that a value of this type has when it is stored in a variable of deduced type.
    pub fn mobile(&mut self, ty: TyId) -> Option<TyId> {
        let mobile = match self.ty(ty) {
            Ty::Rational { value, .. } => match integer_for(value) {
                Some((bits, signed)) => Ty::Int { bits, signed },
                None if value.is_integer() => return None,
                None => fixed_for(value)?,
            },
            Ty::StringLiteral(_) => Ty::String(Loc::Memory),
            Ty::Slice(array) => return Some(*array),
            Ty::Bytes(Loc::StorageRef)
            | Ty::String(Loc::StorageRef)
            | Ty::Struct(_, Loc::StorageRef)
            | Ty::Array { loc: Loc::StorageRef, .. } => {
                return Some(self.types.with_loc(ty, Loc::StoragePtr));
            }
            Ty::Function(f) if f.value_set || f.gas_set || f.salt_set || f.attached => return None,
            Ty::Function(f) if f.decl.is_some() => Ty::Function(FnTy { decl: None, ..f.clone() }),
            Ty::Tuple(components) => {
                let mut mobiles = Vec::with_capacity(components.len());
                for component in components.clone() {
                    mobiles.push(match component {
                        Some(component) => Some(self.mobile(component)?),
                        None => None,
                    });
                }
                Ty::Tuple(mobiles)
            }
            Ty::Type(_) | Ty::Magic(_) => return None,
            Ty::Contract { is_super: true, .. } => return None,
            Ty::Bool
            | Ty::Int { .. }
            | Ty::FixedBytes(_)
            | Ty::Address { .. }
            | Ty::Fixed { .. }
            | Ty::Bytes(_)
            | Ty::String(_)
            | Ty::Array { .. }
            | Ty::Struct(..)
            | Ty::Mapping { .. }
            | Ty::Enum(_)
            | Ty::Contract { .. }
            | Ty::UserType(_)
            | Ty::Function(_)
            | Ty::Modifier(_)
            | Ty::Module(_)
            | Ty::Error => return Some(ty),
        };
        Some(self.types.intern(mobile))
    }

    /// The type to which both operands convert, preferring the first one's.
    pub fn common(&mut self, version: Version, a: TyId, b: TyId) -> Option<TyId> {
        if let Some(mobile) = self.mobile(a)
            && self.convert(version).implicit(b, mobile)
        {
            return Some(mobile);
        }
        let mobile = self.mobile(b)?;
        self.convert(version).implicit(a, mobile).then_some(mobile)
    }
}

/// The fixed-point type of a fractional constant: as many decimals as it needs, up to 80.
fn fixed_for(value: &BigRational) -> Option<Ty> {
    let signed = value.is_negative();
    let mut scaled = value.abs();
    let mut decimals = 0u8;
    let limit = BigRational::from_integer(BigInt::one() << 256);
    let ten = BigRational::from_integer(10.into());
    while !scaled.is_integer() && decimals < 80 && &scaled * &ten < limit {
        scaled *= &ten;
        decimals += 1;
    }
    let bits = scaled.trunc().numer().bits().div_ceil(8).max(1) * 8;
    (bits <= 256).then_some(Ty::Fixed { signed, bits: bits as u16, decimals })
}

/// Equal apart from data locations inside.
fn same_but_location(types: &Types, a: TyId, b: TyId) -> bool {
    if a == b {
        return true;
    }
    match (types.get(a), types.get(b)) {
        (Ty::Bytes(_), Ty::Bytes(_)) | (Ty::String(_), Ty::String(_)) => true,
        (Ty::Struct(a, _), Ty::Struct(b, _)) => a == b,
        (Ty::Array { elem: ea, len: la, .. }, Ty::Array { elem: eb, len: lb, .. }) => {
            la == lb && same_but_location(types, *ea, *eb)
        }
        (Ty::Mapping { key: ka, value: va, .. }, Ty::Mapping { key: kb, value: vb, .. }) => {
            same_but_location(types, *ka, *kb) && same_but_location(types, *va, *vb)
        }
        (Ty::Function(a), Ty::Function(b)) => same_function(types, a, b) && a.mutability == b.mutability,
        _ => false,
    }
}

fn same_function(types: &Types, a: &FnTy, b: &FnTy) -> bool {
    let same = |a: &[TyId], b: &[TyId]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || same_exactly(types, *a, *b))
    };
    a.kind == b.kind && a.attached == b.attached && same(&a.params, &b.params) && same(&a.returns, &b.returns)
}

/// Equal, where equal types may be interned twice (function types remember their declaration).
fn same_exactly(types: &Types, a: TyId, b: TyId) -> bool {
    types.loc(a) == types.loc(b) && same_but_location(types, a, b)
}

impl Convert<'_> {
    fn ty(&self, id: TyId) -> &Ty {
        self.hir.ty(id)
    }

    /// Whether the language converts a value by itself.
    pub fn implicit(&self, from: TyId, to: TyId) -> bool {
        if from == to {
            return true;
        }
        match (self.ty(from), self.ty(to)) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Rational { value, bytes }, to) => self.rational_implicit(value, *bytes, to),
            (Ty::StringLiteral(bytes), to) => string_implicit(bytes, to),
            (Ty::Int { bits, signed }, Ty::Int { bits: to_bits, signed: to_signed }) => {
                // Unsigned becomes signed by itself only before 0.8.
                let widens = *to_signed && bits < to_bits && !self.version.at_least(8, 0);
                if *signed == *to_signed { bits <= to_bits } else { widens }
            }
            (Ty::Int { bits, signed: false }, Ty::Address { .. }) => self.old() && *bits <= 160,
            (Ty::Int { bits, signed }, Ty::Fixed { signed: to_signed, bits: to_bits, decimals }) => {
                let room = i32::from(*to_bits) - i32::from(*decimals) * 10 / 3;
                (*to_signed || !*signed) && i32::from(*bits) < room
            }
            (
                Ty::Fixed { signed, bits, decimals },
                Ty::Fixed { signed: to_signed, bits: to_bits, decimals: to_decimals },
            ) => (*to_signed || !*signed) && bits <= to_bits && decimals <= to_decimals,
            (Ty::FixedBytes(n), Ty::FixedBytes(m)) => n <= m,
            (Ty::Address { payable }, Ty::Address { payable: to_payable }) => *payable || !*to_payable,
            (Ty::Contract { is_super: false, .. }, Ty::Address { .. }) => self.old(),
            (Ty::Contract { id, is_super: false }, Ty::Contract { id: base, is_super: false }) => {
                self.hir.contracts[*id].linearized.contains(base)
            }
            (Ty::Slice(array), _) => self.implicit(*array, to),
            (Ty::Struct(a, loc), Ty::Struct(b, to_loc)) => a == b && location_implicit(*loc, *to_loc),
            (Ty::Bytes(loc), Ty::Bytes(to_loc)) | (Ty::String(loc), Ty::String(to_loc)) => {
                location_implicit(*loc, *to_loc)
            }
            (Ty::Array { elem, len, loc }, Ty::Array { elem: to_elem, len: to_len, loc: to_loc }) => {
                location_implicit(*loc, *to_loc)
                    && if *to_loc == Loc::StorageRef {
                        // Copied element by element.
                        self.implicit(*elem, *to_elem)
                            && match (len, to_len) {
                                (_, None) => true,
                                (None, Some(_)) => false,
                                (Some(len), Some(to_len)) => len <= to_len,
                            }
                    } else {
                        len == to_len && same_but_location(&self.hir.types, *elem, *to_elem)
                    }
            }
            (Ty::Mapping { .. }, Ty::Mapping { .. }) => same_but_location(&self.hir.types, from, to),
            (Ty::Function(a), Ty::Function(b)) => {
                same_function(&self.hir.types, a, b)
                    && match (a.mutability, b.mutability) {
                        (Mutability::Payable, Mutability::NonPayable) => true,
                        (a, b) => a == b || (b != Mutability::Payable && a <= b),
                    }
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|pair| match pair {
                        (Some(a), Some(b)) => self.implicit(*a, *b),
                        (None, Some(_)) => false,
                        (_, None) => true,
                    })
            }
            _ => false,
        }
    }

    /// Before 0.5: addresses are integers of a kind.
    fn old(&self) -> bool {
        !self.version.at_least(5, 0)
    }

    fn rational_implicit(&self, value: &BigRational, bytes: Option<u8>, to: &Ty) -> bool {
        match to {
            Ty::Int { bits, signed } => fits_integer(value, *bits, *signed),
            Ty::FixedBytes(_) if value.is_zero() => true,
            Ty::FixedBytes(n) if self.old() => {
                matches!(integer_for(value), Some((bits, _)) if bits <= 8 * u16::from(*n))
            }
            Ty::FixedBytes(n) => bytes == Some(*n),
            Ty::Address { .. } => self.old() && fits_integer(value, 160, false),
            Ty::Fixed { signed, .. } => *signed || !value.is_negative(),
            _ => false,
        }
    }

    /// Whether `T(x)` is allowed. In doubt it is: a program that the compiler rejects need not be rejected here.
    pub fn explicit(&self, from: TyId, to: TyId) -> bool {
        if self.implicit(from, to) {
            return true;
        }
        let checked = self.version.at_least(8, 0);
        match (self.ty(from), self.ty(to)) {
            (Ty::Rational { value, .. }, Ty::Int { .. } | Ty::Fixed { .. }) => {
                !checked && integer_for(value).is_some()
            }
            (Ty::Rational { value, .. }, Ty::Address { payable }) => {
                value.is_zero() || (fits_integer(value, 160, false) && !(checked && *payable))
            }
            (Ty::Rational { value, .. }, Ty::FixedBytes(_)) => self.old() && value.is_integer(),
            (Ty::Rational { value, .. }, Ty::Enum(id)) => {
                value.is_integer()
                    && value.numer().to_usize().is_some_and(|v| v < self.hir.enums[*id].members.len())
            }
            (Ty::Rational { value, .. }, Ty::Contract { .. }) => !checked && fits_integer(value, 160, false),
            (Ty::StringLiteral(_), Ty::Bytes(Loc::Memory) | Ty::String(Loc::Memory)) => true,
            (Ty::Int { bits, signed }, Ty::Int { bits: to_bits, signed: to_signed }) => {
                !checked || bits == to_bits || signed == to_signed
            }
            (Ty::Int { bits, signed }, Ty::FixedBytes(n)) => {
                self.old() || (*bits == 8 * u16::from(*n) && !(checked && *signed))
            }
            (Ty::Int { bits, signed }, Ty::Address { payable }) => {
                !checked || (*bits == 160 && !*signed && !*payable)
            }
            (Ty::Int { .. }, Ty::Contract { .. }) => !checked,
            (Ty::Int { .. }, Ty::Enum(_) | Ty::Fixed { .. }) => true,
            (Ty::Fixed { .. }, Ty::Fixed { .. } | Ty::Int { .. }) => true,
            (Ty::FixedBytes(_), Ty::FixedBytes(_)) => true,
            (Ty::FixedBytes(n), Ty::Int { bits, signed }) => {
                self.old() || (*bits == 8 * u16::from(*n) && !(checked && *signed))
            }
            (Ty::FixedBytes(n), Ty::Address { payable }) => {
                self.old() || (*n == 20 && !(checked && *payable))
            }
            (Ty::FixedBytes(n), Ty::Contract { .. }) => !checked && *n == 20,
            (Ty::Address { .. }, Ty::Address { .. } | Ty::Contract { .. }) => true,
            (Ty::Address { .. }, Ty::Int { bits, signed }) => !checked || (*bits == 160 && !*signed),
            (Ty::Address { .. }, Ty::FixedBytes(n)) => self.old() || *n == 20,
            (Ty::Contract { is_super: false, .. }, Ty::Address { payable }) => {
                !*payable || self.old() || self.receives_ether(from)
            }
            (Ty::Contract { .. }, Ty::Contract { .. } | Ty::Int { .. }) => self.old(),
            (Ty::Enum(_), Ty::Int { .. }) => true,
            (Ty::Bytes(loc), Ty::String(to_loc)) | (Ty::String(loc), Ty::Bytes(to_loc)) => {
                location_implicit(*loc, *to_loc)
            }
            (Ty::Bytes(_), Ty::FixedBytes(_)) => true,
            (Ty::Slice(array), _) => self.explicit(*array, to),
            (Ty::Bytes(a), Ty::Bytes(b)) | (Ty::String(a), Ty::String(b)) => a.is_storage() && b.is_storage(),
            (Ty::Function(_), Ty::Address { .. }) => !checked,
            (Ty::Type(inner), Ty::Address { payable: false }) => self.is_library(*inner),
            (Ty::Array { .. }, Ty::Array { .. }) => same_but_location(&self.hir.types, from, to),
            _ => false,
        }
    }

    pub fn is_library(&self, ty: TyId) -> bool {
        matches!(self.ty(ty), Ty::Contract { id, .. } if self.hir.contracts[*id].kind == ContractKind::Library)
    }

    /// Whether plain ether transfers to a contract of this type can succeed by its declarations.
    pub fn receives_ether(&self, contract: TyId) -> bool {
        let Ty::Contract { id, .. } = self.ty(contract) else { return false };
        use crate::hir::FunctionKind::{Fallback, Receive};
        self.hir.contracts[*id].linearized.iter().any(|base| {
            self.hir.contracts[*base].functions.iter().any(|f| {
                let function = &self.hir.functions[*f];
                matches!(function.kind, Receive | Fallback) && function.mutability == Mutability::Payable
            })
        })
    }
}

fn fits_integer(value: &BigRational, bits: u16, signed: bool) -> bool {
    if !value.is_integer() {
        return false;
    }
    let value = value.numer();
    if value.is_negative() {
        signed && (-value - BigInt::one()).bits() < u64::from(bits)
    } else {
        value.bits() <= u64::from(bits) - u64::from(signed)
    }
}

fn string_implicit(bytes: &[u8], to: &Ty) -> bool {
    match to {
        Ty::FixedBytes(n) => bytes.len() <= usize::from(*n),
        Ty::String(loc) => matches!(loc, Loc::Memory | Loc::StorageRef) && std::str::from_utf8(bytes).is_ok(),
        Ty::Bytes(loc) => matches!(loc, Loc::Memory | Loc::StorageRef),
        _ => false,
    }
}

/// Nothing becomes calldata, and only what is in storage can be pointed to there.
fn location_implicit(from: Loc, to: Loc) -> bool {
    match to {
        Loc::StoragePtr => from.is_storage(),
        Loc::Calldata => from == Loc::Calldata,
        Loc::Memory | Loc::StorageRef => true,
    }
}
