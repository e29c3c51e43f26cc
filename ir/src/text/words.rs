//! How operators, builtins and the other closed sets of the IR are spelled: one table for printer and parser.

use crate::expr::{AbiMode, ArithOp, BinOp, Builtin, EnvVar};
use crate::program::{CallKind, ContractKind, EvmOp, ObligationKind, ProcKind, StateKind};
use crate::spec::FunctionRole;

/// A closed set with one word for each member.
pub(crate) trait Word: Copy + 'static {
    const ALL: &'static [Self];
    fn word(self) -> &'static str;
    fn from_word(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|x| x.word() == text)
    }
}

macro_rules! words {
    ($($ty:ident { $($variant:ident = $text:literal),* $(,)? })*) => {$(
        impl Word for $ty {
            const ALL: &'static [Self] = &[$($ty::$variant),*];
            fn word(self) -> &'static str {
                match self { $($ty::$variant => $text),* }
            }
        }
    )*};
}

words! {
    BinOp {
        Add = "+", Sub = "-", Mul = "*", Div = "/", Mod = "%", Exp = "**", And = "&", Or = "|", Xor = "^",
        Shl = "<<", Shr = ">>", Eq = "==", Ne = "!=", Lt = "<", Le = "<=", Gt = ">", Ge = ">=",
        BoolAnd = "&&", BoolOr = "||",
    }
    ArithOp { Add = "+", Sub = "-", Mul = "*", Div = "/", Exp = "**", Neg = "neg" }
    AbiMode { Standard = "encode", Packed = "packed", Topic = "topic" }
    EnvVar {
        This = "this", Caller = "msg.sender", Origin = "tx.origin", CallValue = "msg.value", CallData = "msg.data",
        ReturnData = "returndata", Timestamp = "block.timestamp", Number = "block.number",
        Coinbase = "block.coinbase", PrevRandao = "block.prevrandao", GasLimit = "block.gaslimit",
        ChainId = "block.chainid", BaseFee = "block.basefee", BlobBaseFee = "block.blobbasefee",
        GasPrice = "tx.gasprice", GasLeft = "gasleft",
    }
    Builtin {
        Balance = "balance", CodeSize = "codesize", CodeHash = "codehash", Code = "code", BlockHash = "blockhash",
        BlobHash = "blobhash", Keccak256 = "keccak256", Sha256 = "sha256", Ripemd160 = "ripemd160",
        EcRecover = "ecrecover", AddMod = "addmod", MulMod = "mulmod", Byte = "byte", SignExtend = "signextend",
        Clz = "clz", BytesLength = "bytes_length", BytesAt = "bytes_at", BytesConcat = "bytes_concat",
        BytesSlice = "bytes_slice", MakeFnExternal = "make_function", FnAddress = "function_address",
        FnSelector = "function_selector", Slot = "slot", SlotOffset = "slot_offset",
        CalldataOffset = "calldata_offset", CalldataSlice = "calldata_slice", MLoad = "mload", SLoad = "sload",
        TLoad = "tload", CalldataLoad = "calldataload", MSize = "msize", MemBytes = "memory_bytes",
        CalldataBytes = "calldata_bytes", CodeBytes = "code_bytes", OwnCodeSize = "own_codesize",
    }
    ContractKind { Contract = "contract", Abstract = "abstract", Interface = "interface", Library = "library" }
    StateKind { Storage = "storage", Transient = "transient", Immutable = "immutable" }
    ProcKind { Internal = "internal", External = "external", Constructor = "constructor", Yul = "yul" }
    CallKind { Call = "call", Static = "static", Delegate = "delegate", Code = "callcode" }
    EvmOp {
        MStore = "mstore", MStore8 = "mstore8", MCopy = "mcopy", SStore = "sstore", TStore = "tstore",
        CalldataCopy = "calldatacopy", CodeCopy = "codecopy", ExtCodeCopy = "extcodecopy",
        ReturndataCopy = "returndatacopy", Log = "log", Call = "call", CallCode = "callcode",
        DelegateCall = "delegatecall", StaticCall = "staticcall", Create = "create", Create2 = "create2",
    }
    FunctionRole {
        Function = "function", Constructor = "constructor", ImplicitConstructor = "implicit_constructor",
        Receive = "receive", Fallback = "fallback",
    }
    ObligationKind {
        Assertion = "assertion", Overflow = "overflow", Underflow = "underflow",
        DivisionByZero = "division-by-zero", OutOfBounds = "out-of-bounds", EmptyPop = "empty-pop",
        EnumConversion = "enum-conversion", InsufficientBalance = "insufficient-balance", Invariant = "invariant",
        LoopInvariant = "loop-invariant", Precondition = "precondition", Postcondition = "postcondition",
        Modifies = "modifies", Emits = "emits", EventPrecondition = "event-precondition",
        EventPostcondition = "event-postcondition", Succeeds = "succeeds", Reverts = "reverts",
    }
}

/// Binding strength of binary operators; all associate to the left.
pub(crate) fn precedence(op: BinOp) -> u8 {
    match op {
        BinOp::BoolOr => 1,
        BinOp::BoolAnd => 2,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 3,
        BinOp::Or => 4,
        BinOp::Xor => 5,
        BinOp::And => 6,
        BinOp::Shl | BinOp::Shr => 7,
        BinOp::Add | BinOp::Sub => 8,
        BinOp::Mul | BinOp::Div | BinOp::Mod => 9,
        BinOp::Exp => 10,
    }
}

/// Conversion (`e as T`) binds tighter than every binary operator.
pub(crate) const PREC_AS: u8 = 11;
pub(crate) const PREC_UNARY: u8 = 12;
/// What `.field`, `[index]` and `:type` can follow.
pub(crate) const PREC_PRIMARY: u8 = 13;

/// Words that a state variable or type of the same name must not be read as.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "zero",
    "msg",
    "tx",
    "block",
    "abi",
    "hex",
    "fits",
    "ite",
    "as",
    "len",
    "fnptr",
    "library",
    "creationcode",
    "runtimecode",
    "calldataref",
    "storage",
    "memory",
    "calldata",
    "mapping",
    "bool",
    "address",
    "bytes",
    "fn",
    "extfn",
    "call",
    "callptr",
    "alloc",
    "decode",
    "external",
    "create",
    "evm",
    "panic",
    "error",
    "old",
    "before",
    "deepeq",
    "forall",
    "exists",
    "sum",
];

pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
        || EnvVar::from_word(name).is_some()
        || Builtin::from_word(name).is_some()
        || sized(name).is_some()
}

/// `uint8`, `int256`, `bytes4`: the stem and the number.
pub(crate) fn sized(name: &str) -> Option<(&str, u16)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (stem, number) = name.split_at(digits);
    let plausible = matches!(stem, "uint" | "int" | "bytes") && !number.starts_with('0');
    if plausible { Some((stem, number.parse().ok()?)) } else { None }
}
