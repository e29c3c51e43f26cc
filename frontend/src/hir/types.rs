//! Solidity types as the compiler sees them, including those that only expressions have (literals, tuples, functions,
//! "type of a type"). Interned: equal types have equal ids.

use super::{ContractId, EnumId, ErrorId, EventId, FunctionId, StructId, UserTypeId};
use hornet_ir::U256;
use hornet_ir::ids::Id;
use hornet_ir::span::FileId;
use indexmap::IndexSet;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyId(pub u32);

impl Id for TyId {
    fn from_usize(index: usize) -> Self {
        TyId(index as u32)
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Data location of a reference type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Loc {
    /// A state variable, or part of one: assignment copies into it (`storage ref`).
    StorageRef,
    /// A local variable that points into storage: assignment repoints it (`storage pointer`).
    StoragePtr,
    Memory,
    Calldata,
}

impl Loc {
    pub fn is_storage(self) -> bool {
        matches!(self, Loc::StorageRef | Loc::StoragePtr)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mutability {
    Pure,
    View,
    NonPayable,
    Payable,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Visibility {
    External,
    Public,
    Internal,
    Private,
}

/// What calling a function value does; solc's `FunctionType::Kind`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FnKind {
    Internal,
    External,
    /// External function of a library, called with `delegatecall`.
    DelegateCall,
    /// `new C`.
    Creation(ContractId),
    /// `new T[]`, `new bytes`, `new string`: allocates memory.
    ObjectCreation,
    Event(EventId),
    Error(ErrorId),
    /// A function name without a value of its own, such as `C.f` of another contract (only `.selector` makes sense).
    Declaration,
    Builtin(Builtin),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    pub params: Vec<TyId>,
    pub returns: Vec<TyId>,
    pub kind: FnKind,
    pub mutability: Mutability,
    /// The declaration it comes from; `None` for values of function type and built-ins.
    pub decl: Option<FunctionId>,
    /// Takes any number of arguments of any type (`abi.encode`).
    pub variadic: bool,
    /// `using for` attached it to a value, which is the first parameter (still listed in `params`).
    pub attached: bool,
    pub value_set: bool,
    pub gas_set: bool,
    pub salt_set: bool,
}

/// Functions and members that the language provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    // Global functions.
    Assert,
    /// One or two arguments; the second is a string or a custom error.
    Require,
    /// `revert()` or `revert("…")`.
    Revert,
    Keccak256,
    Sha256,
    Ripemd160,
    EcRecover,
    AddMod,
    MulMod,
    BlockHash,
    BlobHash,
    GasLeft,
    SelfDestruct,
    /// `log0` to `log4`, before 0.8: data first, then that many topics.
    Log(u8),
    /// Storage slot of an ERC-7201 namespace.
    Erc7201,
    // abi.
    AbiEncode,
    AbiEncodePacked,
    AbiEncodeWithSelector,
    AbiEncodeWithSignature,
    AbiEncodeCall,
    AbiDecode,
    // bytes. and string.
    BytesConcat,
    StringConcat,
    // Members of address.
    Balance,
    Code,
    CodeHash,
    Transfer,
    Send,
    Call,
    DelegateCall,
    StaticCall,
    CallCode,
    // Members of arrays and bytes.
    Length,
    /// With or without an argument.
    Push,
    Pop,
    // Members of function values.
    Selector,
    FunctionAddress,
    /// Before 0.7: `f.value(x)`.
    SetValue,
    /// Before 0.7: `f.gas(x)`.
    SetGas,
    // User-defined value types.
    Wrap,
    Unwrap,
    // type(T).
    TypeName,
    CreationCode,
    RuntimeCode,
    InterfaceId,
    Min,
    Max,
    // msg, tx, block, now.
    MsgSender,
    MsgValue,
    MsgData,
    MsgSig,
    TxOrigin,
    TxGasPrice,
    BlockCoinbase,
    BlockDifficulty,
    BlockPrevRandao,
    BlockGasLimit,
    BlockNumber,
    BlockTimestamp,
    BlockChainId,
    BlockBaseFee,
    BlockBlobBaseFee,
    Now,
}

/// Objects that exist only to have members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Magic {
    Msg,
    Block,
    Tx,
    Abi,
    /// `type(T)`.
    MetaType(TyId),
    /// What the call of a custom error gives (0.8.26 on), such as `require`'s second argument.
    Error,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    Bool,
    Int {
        bits: u16,
        signed: bool,
    },
    FixedBytes(u8),
    Address {
        payable: bool,
    },
    /// `fixedMxN`: can be declared, not used.
    Fixed {
        signed: bool,
        bits: u16,
        decimals: u8,
    },
    /// A literal or constant expression of literals, exact. `bytes` is the width in bytes of a hexadecimal literal
    /// that may become `bytesN`.
    Rational {
        value: Rc<BigRational>,
        bytes: Option<u8>,
    },
    /// A string, hex or unicode literal.
    StringLiteral(Rc<[u8]>),
    Bytes(Loc),
    String(Loc),
    Array {
        elem: TyId,
        len: Option<U256>,
        loc: Loc,
    },
    /// `x[a:b]` of a calldata array type.
    Slice(TyId),
    Struct(StructId, Loc),
    Mapping {
        key: TyId,
        value: TyId,
    },
    Enum(EnumId),
    Contract {
        id: ContractId,
        is_super: bool,
    },
    UserType(UserTypeId),
    Function(FnTy),
    /// Missing components are `None`, as in `(a, ) = f()`.
    Tuple(Vec<Option<TyId>>),
    /// An expression that names a type.
    Type(TyId),
    Module(FileId),
    Modifier(Vec<TyId>),
    Magic(Magic),
    /// The type of an erroneous expression; silent in further checks.
    Error,
}

/// Interned types.
#[derive(Clone, Debug, Default)]
pub struct Types {
    interned: IndexSet<Ty, FxBuildHasher>,
}

impl Types {
    pub fn intern(&mut self, ty: Ty) -> TyId {
        TyId(self.interned.insert_full(ty).0 as u32)
    }

    pub fn get(&self, id: TyId) -> &Ty {
        &self.interned[id.0 as usize]
    }

    pub fn bool(&mut self) -> TyId {
        self.intern(Ty::Bool)
    }

    pub fn uint(&mut self, bits: u16) -> TyId {
        self.intern(Ty::Int { bits, signed: false })
    }

    pub fn uint256(&mut self) -> TyId {
        self.uint(256)
    }

    pub fn address(&mut self, payable: bool) -> TyId {
        self.intern(Ty::Address { payable })
    }

    pub fn integer_literal(&mut self, value: BigInt, bytes: Option<u8>) -> TyId {
        self.intern(Ty::Rational { value: Rc::new(BigRational::from_integer(value)), bytes })
    }

    pub fn unit(&mut self) -> TyId {
        self.intern(Ty::Tuple(Vec::new()))
    }

    pub fn error(&mut self) -> TyId {
        self.intern(Ty::Error)
    }

    /// The same reference type in another data location, through nested arrays; other types unchanged.
    /// Inside an array in storage, elements are `StorageRef`.
    pub fn with_loc(&mut self, ty: TyId, loc: Loc) -> TyId {
        let changed = match self.get(ty).clone() {
            Ty::Bytes(_) => Ty::Bytes(loc),
            Ty::String(_) => Ty::String(loc),
            Ty::Struct(id, _) => Ty::Struct(id, loc),
            Ty::Array { elem, len, .. } => {
                let inner = if loc.is_storage() { Loc::StorageRef } else { loc };
                Ty::Array { elem: self.with_loc(elem, inner), len, loc }
            }
            _ => return ty,
        };
        self.intern(changed)
    }

    /// The data location of a reference type.
    pub fn loc(&self, ty: TyId) -> Option<Loc> {
        match self.get(ty) {
            Ty::Bytes(loc) | Ty::String(loc) | Ty::Struct(_, loc) | Ty::Array { loc, .. } => Some(*loc),
            Ty::Slice(_) => Some(Loc::Calldata),
            _ => None,
        }
    }
}
