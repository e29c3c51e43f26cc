//! The type an expression or place has by its operands. The text form leaves out what this recovers, and the
//! validator compares it with what a node claims.

use crate::expr::{BinOp, Builtin, EnvVar, Expr, Exprs, Location, Place, Root, Step, UnOp};
use crate::ids::{BoundId, IdVec, LocalId, StateVarId, TypeId};
use crate::program::{Local, StateVar};
use crate::spec::BoundVar;
use crate::types::{Type, Types};

pub const WORD: Type = Type::Int { bits: 256, signed: false };

/// What a builtin takes or gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Word,
    Uint8,
    Address,
    Bytes,
    Bytes1,
    Bytes4,
    Bytes20,
    Bytes32,
    FnExternal,
    /// Any storage reference.
    StorageRef,
    /// Any calldata reference.
    CalldataRef,
    /// As a result: the type of the first argument.
    First,
}

impl Sort {
    /// The one type of this sort, if it is only one.
    pub fn exact(self) -> Option<Type> {
        match self {
            Sort::Word => Some(WORD),
            Sort::Uint8 => Some(Type::Int { bits: 8, signed: false }),
            Sort::Address => Some(Type::Address),
            Sort::Bytes => Some(Type::Bytes),
            Sort::Bytes1 => Some(Type::FixedBytes(1)),
            Sort::Bytes4 => Some(Type::FixedBytes(4)),
            Sort::Bytes20 => Some(Type::FixedBytes(20)),
            Sort::Bytes32 => Some(Type::FixedBytes(32)),
            Sort::FnExternal => Some(Type::FnExternal),
            Sort::StorageRef | Sort::CalldataRef | Sort::First => None,
        }
    }

    pub fn admits(self, ty: &Type) -> bool {
        match self {
            Sort::StorageRef => matches!(ty, Type::StorageRef(_)),
            Sort::CalldataRef => matches!(ty, Type::CalldataRef(_)),
            Sort::First => true,
            _ => self.exact().as_ref() == Some(ty),
        }
    }
}

/// Arguments and result of a builtin.
pub fn builtin_signature(builtin: Builtin) -> (&'static [Sort], Sort) {
    use Sort::{
        Address, Bytes, Bytes1, Bytes4, Bytes20, Bytes32, CalldataRef, First, StorageRef, Uint8, Word,
    };
    match builtin {
        Builtin::Balance | Builtin::CodeSize => (&[Address], Word),
        Builtin::CodeHash => (&[Address], Bytes32),
        Builtin::Code => (&[Address], Bytes),
        Builtin::BlockHash | Builtin::BlobHash => (&[Word], Bytes32),
        Builtin::Keccak256 | Builtin::Sha256 => (&[Bytes], Bytes32),
        Builtin::Ripemd160 => (&[Bytes], Bytes20),
        Builtin::EcRecover => (&[Bytes32, Uint8, Bytes32, Bytes32], Address),
        Builtin::AddMod | Builtin::MulMod => (&[Word, Word, Word], Word),
        Builtin::Byte | Builtin::SignExtend => (&[Word, Word], Word),
        Builtin::Clz => (&[Word], Word),
        Builtin::BytesLength => (&[Bytes], Word),
        Builtin::BytesAt => (&[Bytes, Word], Bytes1),
        Builtin::BytesConcat => (&[], Bytes),
        Builtin::BytesSlice => (&[Bytes, Word, Word], Bytes),
        Builtin::MakeFnExternal => (&[Address, Bytes4], Sort::FnExternal),
        Builtin::FnAddress => (&[Sort::FnExternal], Address),
        Builtin::FnSelector => (&[Sort::FnExternal], Bytes4),
        Builtin::Slot | Builtin::SlotOffset => (&[StorageRef], Word),
        Builtin::CalldataOffset => (&[CalldataRef], Word),
        Builtin::CalldataSlice => (&[CalldataRef, Word, Word], First),
        Builtin::MLoad | Builtin::SLoad | Builtin::TLoad | Builtin::CalldataLoad => (&[Word], Word),
        Builtin::MSize | Builtin::OwnCodeSize => (&[], Word),
        Builtin::MemBytes | Builtin::CalldataBytes | Builtin::CodeBytes => (&[Word, Word], Bytes),
    }
}

/// `BytesConcat` takes any number of `Bytes`.
pub fn is_variadic(builtin: Builtin) -> bool {
    builtin == Builtin::BytesConcat
}

pub fn env_type(var: EnvVar) -> Type {
    match var {
        EnvVar::This | EnvVar::Caller | EnvVar::Origin | EnvVar::Coinbase => Type::Address,
        EnvVar::CallData | EnvVar::ReturnData => Type::Bytes,
        EnvVar::CallValue
        | EnvVar::Timestamp
        | EnvVar::Number
        | EnvVar::PrevRandao
        | EnvVar::GasLimit
        | EnvVar::ChainId
        | EnvVar::BaseFee
        | EnvVar::BlobBaseFee
        | EnvVar::GasPrice
        | EnvVar::GasLeft => WORD,
    }
}

pub fn is_comparison(op: BinOp) -> bool {
    match op {
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => true,
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Exp
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::BoolAnd
        | BinOp::BoolOr => false,
    }
}

/// What the type of a node depends on besides the node.
#[derive(Clone, Copy)]
pub struct TypeContext<'a> {
    pub types: &'a Types,
    pub exprs: &'a Exprs,
    pub state: &'a IdVec<StateVarId, StateVar>,
    pub locals: &'a IdVec<LocalId, Local>,
    pub bound: &'a IdVec<BoundId, BoundVar>,
}

impl TypeContext<'_> {
    fn of(&self, id: crate::ids::ExprId) -> Type {
        self.types.get(self.exprs.ty(id)).clone()
    }

    /// `None` where operands do not decide (constants, zeros, conversions) or do not fit.
    pub fn natural_type(&self, expr: &Expr) -> Option<Type> {
        Some(match expr {
            Expr::Const(_)
            | Expr::Default
            | Expr::Cast(_)
            | Expr::MakeCalldataRef { .. }
            | Expr::Sum { .. } => return None,
            Expr::Bound(var) => self.types.get(self.bound.get(*var)?.ty).clone(),
            Expr::BytesConst(_) | Expr::AbiEncode { .. } | Expr::ContractCode { .. } => Type::Bytes,
            Expr::Local(local) => self.types.get(self.locals.get(*local)?.ty).clone(),
            Expr::Load(place) => self.types.get(self.exprs.place_ty(*place)).clone(),
            Expr::Length(_) => WORD,
            Expr::Ref(place) => Type::StorageRef(self.exprs.place_ty(*place)),
            Expr::Unary(UnOp::Not | UnOp::BitNot | UnOp::Neg, a) => self.of(*a),
            Expr::Binary(op, ..) if is_comparison(*op) => Type::Bool,
            Expr::Binary(_, a, _) => self.of(*a),
            Expr::Fits(..) => Type::Bool,
            Expr::Ite(_, a, _) => self.of(*a),
            Expr::Env(var) => env_type(*var),
            Expr::Builtin(builtin, args) => match builtin_signature(*builtin).1 {
                Sort::First => self.of(*args.first()?),
                sort => sort.exact()?,
            },
            Expr::FnPointer(_) => Type::FnInternal,
            Expr::Old(a) | Expr::Before(a) => self.of(*a),
            Expr::Quantified { .. } | Expr::DeepEq(..) => Type::Bool,
            Expr::LibraryAddress(_) => Type::Address,
        })
    }

    /// The type at the end of a place's steps; `None` if the root is not such a reference or a step does not exist.
    pub fn place_type(&self, place: &Place) -> Option<Type> {
        let location = place.root.location();
        let mut ty = self.root_type(place.root)?;
        for step in &place.steps {
            ty = self.step(location, &ty, *step)?;
        }
        Some(ty)
    }

    /// The tree a place starts in.
    pub fn root_type(&self, root: Root) -> Option<Type> {
        let id = match root {
            Root::State(var) => self.state.get(var)?.ty,
            Root::Storage(e) => match self.of(e) {
                Type::StorageRef(t) => t,
                _ => return None,
            },
            Root::Memory(e) => match self.of(e) {
                Type::MemoryRef(t) => t,
                _ => return None,
            },
            Root::Calldata(e) => match self.of(e) {
                Type::CalldataRef(t) => t,
                _ => return None,
            },
        };
        Some(self.types.get(id).clone())
    }

    /// As [`crate::expr::step_type`], without having to intern the result.
    pub fn step(&self, location: Location, ty: &Type, step: Step) -> Option<Type> {
        let elem = match (ty, step) {
            (Type::Struct(id), Step::Field(i)) => self.types.structs.get(*id)?.fields.get(i as usize)?.ty,
            (Type::Array { elem, .. }, Step::Index(_)) => *elem,
            (Type::Mapping { value, .. }, Step::Index(_)) => *value,
            (Type::Bytes, Step::Index(_)) => return Some(Type::FixedBytes(1)),
            _ => return None,
        };
        Some(self.held_at(location, elem))
    }

    /// How an element of type `elem` is held in a location: trees by reference outside storage.
    fn held_at(&self, location: Location, elem: TypeId) -> Type {
        let ty = self.types.get(elem);
        match location {
            Location::Memory if ty.is_tree() => Type::MemoryRef(elem),
            Location::Calldata if ty.is_tree() => Type::CalldataRef(elem),
            Location::Storage | Location::Memory | Location::Calldata => ty.clone(),
        }
    }
}
