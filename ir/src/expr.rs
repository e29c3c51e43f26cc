//! Pure, typed, hash-consed expressions and typed locations ("places").
//!
//! An expression is evaluated in the current state (as in Boogie, a variable stands for its value now).
//! Evaluation never changes the state. The only way it can fail is an access to malformed calldata,
//! which ends the call with an empty revert, as the EVM code does.

use crate::ids::{BoundId, ContractId, ExprId, Id, LocalId, PlaceId, ProcId, StateVarId, TypeId};
use crate::types::{Type, Types};
use indexmap::IndexSet;
use ruint::aliases::U256;
use rustc_hash::FxBuildHasher;

/// Binary operations. Operands have the same type (except for shifts and `Exp`, whose right operand is any
/// unsigned integer); results wrap around at the width of the left operand's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// Truncates towards zero; division by zero gives zero (lowering guards it where the language does).
    Div,
    /// Sign of the dividend; modulo zero gives zero.
    Mod,
    Exp,
    And,
    Or,
    Xor,
    Shl,
    /// Arithmetic for signed types.
    Shr,
    // Comparisons give `Bool`. `Eq`/`Ne` also compare `Bytes` values and references' identity.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    // Boolean connectives; both sides are pure, so there is no short-circuit to speak of.
    BoolAnd,
    BoolOr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Boolean negation.
    Not,
    /// Bitwise complement within the type's width.
    BitNot,
    /// Two's complement negation, wrapping.
    Neg,
}

/// Operations whose mathematical result may not fit the operand type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    /// Only `type(int).min / -1` does not fit.
    Div,
    Exp,
    Neg,
}

/// How values become bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AbiMode {
    /// `abi.encode`.
    Standard,
    /// `abi.encodePacked`.
    Packed,
    /// The in-place padded form that is hashed for indexed event arguments.
    Topic,
}

/// What a transaction or block provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EnvVar {
    This,
    Caller,
    Origin,
    CallValue,
    /// All of `msg.data`, a `Bytes` value.
    CallData,
    /// Return data of the last external call, a `Bytes` value.
    ReturnData,
    Timestamp,
    Number,
    Coinbase,
    PrevRandao,
    GasLimit,
    ChainId,
    BaseFee,
    BlobBaseFee,
    GasPrice,
    /// Not modelled precisely: any value.
    GasLeft,
}

/// Functions of the world state and of bytes, each evaluated for real by the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    // Accounts: one address argument.
    Balance,
    CodeSize,
    CodeHash,
    /// The deployed code as `Bytes`.
    Code,
    // Block: one word argument.
    BlockHash,
    BlobHash,
    // Cryptography on a `Bytes` argument.
    Keccak256,
    Sha256,
    Ripemd160,
    /// hash, v, r, s; the zero address when the signature is invalid.
    EcRecover,
    // Word arithmetic.
    AddMod,
    MulMod,
    /// (index, word): the byte at `index` counted from the most significant.
    Byte,
    /// (k, word): extends the sign of the (k+1)-byte number.
    SignExtend,
    /// Number of leading zero bits of a word.
    Clz,
    // `Bytes` values.
    BytesLength,
    /// (bytes, index): element as `bytes1`; out of range gives zero.
    BytesAt,
    BytesConcat,
    /// (bytes, start, length).
    BytesSlice,
    // Function values.
    /// (address, selector as `bytes4`).
    MakeFnExternal,
    FnAddress,
    FnSelector,
    // Storage references seen as numbers.
    /// The slot of a storage reference.
    Slot,
    /// Byte offset within the slot of a storage reference.
    SlotOffset,
    // Calldata references seen as numbers.
    CalldataOffset,
    /// (reference, start, end): a slice; bounds were checked before.
    CalldataSlice,
    // Raw machine access, from inline assembly only.
    MLoad,
    SLoad,
    TLoad,
    CalldataLoad,
    MSize,
    /// (offset, length): memory contents as `Bytes`.
    MemBytes,
    /// (offset, length): calldata contents as `Bytes`, zero-padded.
    CalldataBytes,
    /// (offset, length): the running code as `Bytes`.
    CodeBytes,
    /// The length of the running code; in a constructor that is the creation code with its arguments.
    OwnCodeSize,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A scalar as the EVM holds it in a stack slot: unsigned integers, addresses, enums, booleans zero-extended;
    /// signed integers sign-extended; `bytesN` left-aligned; external functions as address << 32 | selector.
    Const(U256),
    /// A `Bytes` value.
    BytesConst(Box<[u8]>),
    /// The zero of any type: zero word, empty bytes, tree of zeros.
    Default,
    Local(LocalId),
    /// The current contents of a place; for a tree in storage, or behind a reference without steps, a deep value.
    Load(PlaceId),
    /// The length of the dynamic array or bytes at a place.
    Length(PlaceId),
    /// A reference to a place in storage.
    Ref(PlaceId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    /// True if the mathematical result fits the operands' type. `Neg` ignores the second operand (same as the first).
    Fits(ArithOp, ExprId, ExprId),
    /// Both branches are evaluated; they cannot fail.
    Ite(ExprId, ExprId, ExprId),
    /// Conversion to the node's type. Between integers: truncate or extend by the source's sign. Between `bytesN`:
    /// cut or zero-extend on the right. Integer/address and `bytesN` of the same width: same bits. `Bytes` to `bytesN`:
    /// first N bytes. A word from or to any scalar or memory reference: the raw stack word, cleaned to the type on the way in.
    /// Word to storage reference: that slot. Between tree types: element-wise.
    Cast(ExprId),
    Env(EnvVar),
    Builtin(Builtin, Box<[ExprId]>),
    /// A procedure as an internal function value.
    FnPointer(ProcId),
    /// `Bytes`: the arguments encoded as the given ABI types, after `selector` if any (a `bytes4`).
    /// A reference argument is encoded by its contents. `strict` is ABI coder v2.
    AbiEncode {
        mode: AbiMode,
        strict: bool,
        selector: Option<ExprId>,
        types: Box<[TypeId]>,
        args: Box<[ExprId]>,
    },
    /// Where a library is deployed.
    LibraryAddress(ContractId),
    /// `type(C).creationCode` / `runtimeCode` as `Bytes`.
    ContractCode {
        contract: ContractId,
        runtime: bool,
    },
    /// A calldata reference made of numbers (offset, length), as assembly can.
    MakeCalldataRef {
        offset: ExprId,
        length: ExprId,
    },

    // Only in specifications; see [`crate::spec`].
    /// The operand's value in the state in which the procedure was entered, parameters included.
    Old(ExprId),
    /// In the annotations of an event: the operand's value before the change that the event reports.
    Before(ExprId),
    Bound(BoundId),
    /// Over all values of the variables' types.
    Quantified {
        forall: bool,
        vars: Box<[BoundId]>,
        body: ExprId,
    },
    /// The exact sum of a number over all keys and indices of the collections that it is loaded from: `place` has the
    /// variables as indices, each exactly once. The type is wide enough never to overflow.
    Sum {
        vars: Box<[BoundId]>,
        place: PlaceId,
    },
    /// Whether two tree values of the same type are equal all the way down; mappings at every key.
    DeepEq(ExprId, ExprId),
}

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Root {
    State(StateVarId),
    /// A value of type `StorageRef`.
    Storage(ExprId),
    /// A value of type `MemoryRef`; at most one step follows, as elements that are trees are references again.
    Memory(ExprId),
    /// A value of type `CalldataRef`; at most one step follows.
    Calldata(ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    Field(u32),
    /// Array index (already checked against the length) or mapping key (`Bytes` value for `bytes`/`string` keys).
    Index(ExprId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub root: Root,
    pub steps: Box<[Step]>,
}

/// Hash-consed expressions and places, each with its type.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    exprs: IndexSet<(Expr, TypeId), FxBuildHasher>,
    places: IndexSet<(Place, TypeId), FxBuildHasher>,
}

impl Exprs {
    pub fn add(&mut self, expr: Expr, ty: TypeId) -> ExprId {
        ExprId::from_usize(self.exprs.insert_full((expr, ty)).0)
    }

    pub fn get(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()].0
    }

    pub fn ty(&self, id: ExprId) -> TypeId {
        self.exprs[id.index()].1
    }

    /// Adds a place whose type the caller has computed (see `place_type`).
    pub fn add_place(&mut self, place: Place, ty: TypeId) -> PlaceId {
        PlaceId::from_usize(self.places.insert_full((place, ty)).0)
    }

    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()].0
    }

    pub fn place_ty(&self, id: PlaceId) -> TypeId {
        self.places[id.index()].1
    }

    /// Calls `f` with every expression that `id` is made of directly, those in its places included.
    pub fn for_each_operand(&self, id: ExprId, mut f: impl FnMut(ExprId)) {
        crate::visit::for_operands(self, self.get(id), &mut f);
    }

    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    pub fn place_count(&self) -> usize {
        self.places.len()
    }
}

/// In which data location a place is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Location {
    Storage,
    Memory,
    Calldata,
}

impl Root {
    pub fn location(self) -> Location {
        match self {
            Root::State(_) | Root::Storage(_) => Location::Storage,
            Root::Memory(_) => Location::Memory,
            Root::Calldata(_) => Location::Calldata,
        }
    }
}

/// The type of one step from a tree of type `ty`; `None` if the step does not exist. Elements of `bytes` are `bytes1`.
pub fn step_type(types: &mut Types, location: Location, ty: TypeId, step: Step) -> Option<TypeId> {
    let elem = match (types.get(ty).clone(), step) {
        (Type::Struct(id), Step::Field(i)) => types.structs[id].fields.get(i as usize)?.ty,
        (Type::Array { elem, .. }, Step::Index(_)) => elem,
        (Type::Mapping { value, .. }, Step::Index(_)) => value,
        (Type::Bytes, Step::Index(_)) => types.intern(Type::FixedBytes(1)),
        _ => return None,
    };
    Some(match location {
        Location::Storage => elem,
        Location::Memory => types.in_memory(elem),
        Location::Calldata => types.in_calldata(elem),
    })
}
