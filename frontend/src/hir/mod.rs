//! The typed program: Solidity's own structure with every name resolved and every expression typed, and nothing else
//! decided yet. Implicit conversions are not explicit here: lowering converts from an expression's type to what its
//! context wants, as the compiler's code generator does.

pub mod expr;
pub mod signature;
pub mod spec;
pub mod stmt;
pub mod types;
pub mod typestring;
pub mod walk;
pub mod yul;

pub use expr::{BinaryOp, CallKind, CallOptions, Expr, ExprKind, Member, Ref, UnaryOp};
pub use spec::{EventSpec, FunctionSpec, GasBudget, LoopSpec, SpecClause, SpecExpr, SpecModifies};
pub use stmt::{Block, Catch, CatchKind, Stmt, StmtKind};
pub use types::{Builtin, FnKind, FnTy, Loc, Magic, Mutability, Ty, TyId, Types, Visibility};

use crate::version::Version;
use hornet_ir::U256;
use hornet_ir::ids::{Id, IdVec};
use hornet_ir::span::{FileId, Span};

macro_rules! hir_ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl Id for $name {
            fn from_usize(index: usize) -> Self {
                $name(index as u32)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

hir_ids! {
    ContractId, StructId, EnumId, UserTypeId, FunctionId, ModifierId, EventId, ErrorId,
    /// Any variable: state, constant, parameter, return value or local.
    VarId,
}

/// The whole typed program.
#[derive(Debug, Default)]
pub struct Hir {
    pub types: Types,
    pub files: IdVec<HirFile, File>,
    pub contracts: IdVec<ContractId, Contract>,
    pub structs: IdVec<StructId, Struct>,
    pub enums: IdVec<EnumId, Enum>,
    pub user_types: IdVec<UserTypeId, UserType>,
    pub functions: IdVec<FunctionId, Function>,
    pub modifiers: IdVec<ModifierId, Modifier>,
    pub events: IdVec<EventId, Event>,
    pub errors: IdVec<ErrorId, Error>,
    pub vars: IdVec<VarId, Var>,
    /// Expressions that stand for lengths in array types; their values are in the types.
    pub array_lengths: Vec<Expr>,
}

/// Index of a file, the same number as in the source map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HirFile(pub u32);

impl Id for HirFile {
    fn from_usize(index: usize) -> Self {
        HirFile(index as u32)
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<FileId> for HirFile {
    fn from(file: FileId) -> Self {
        HirFile(file.0)
    }
}

impl Hir {
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.into()]
    }

    /// Language version of the code at a place.
    pub fn version_at(&self, span: Span) -> Version {
        self.file(span.file).version
    }

    pub fn ty(&self, id: TyId) -> &Ty {
        self.types.get(id)
    }
}

#[derive(Clone, Debug)]
pub struct File {
    pub id: FileId,
    /// As in the source map.
    pub name: String,
    pub version: Version,
    /// ABI coder v2 (the default from 0.8 on).
    pub abi_v2: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContractKind {
    Contract,
    Interface,
    Library,
}

#[derive(Debug)]
pub struct Contract {
    pub name: String,
    pub span: Span,
    pub name_span: Span,
    pub kind: ContractKind,
    /// Declared `abstract`, or (before 0.6) with unimplemented functions.
    pub is_abstract: bool,
    /// As written, with constructor arguments if given (typed).
    pub bases: Vec<BaseSpecifier>,
    /// C3: most derived (itself) first.
    pub linearized: Vec<ContractId>,
    /// Declared in this contract itself, in source order.
    pub state: Vec<VarId>,
    pub functions: Vec<FunctionId>,
    pub modifiers: Vec<ModifierId>,
    pub events: Vec<EventId>,
    pub errors: Vec<ErrorId>,
    pub structs: Vec<StructId>,
    pub enums: Vec<EnumId>,
    pub user_types: Vec<UserTypeId>,
    pub constructor: Option<FunctionId>,
    /// `layout at`: first slot.
    pub layout_base: Option<U256>,
    /// Its own, not those of its bases.
    pub invariants: Vec<SpecClause>,
}

#[derive(Debug)]
pub struct BaseSpecifier {
    pub contract: ContractId,
    pub args: Option<Vec<Expr>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    /// `C.S`, or `S` at file level.
    pub qualified: String,
    pub contract: Option<ContractId>,
    pub span: Span,
    /// Field types have location `StorageRef`; use [`Types::with_loc`] for another.
    pub fields: Vec<StructField>,
}

#[derive(Clone, Debug)]
pub struct StructField {
    pub name: String,
    pub ty: TyId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub qualified: String,
    pub contract: Option<ContractId>,
    pub members: Vec<String>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct UserType {
    pub name: String,
    pub qualified: String,
    pub contract: Option<ContractId>,
    pub underlying: TyId,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionKind {
    Function,
    Constructor,
    Receive,
    /// Named `fallback`, or unnamed before 0.6.
    Fallback,
    /// Outside any contract.
    Free,
}

#[derive(Debug)]
pub struct Function {
    /// Empty for constructor, receive and fallback.
    pub name: String,
    pub kind: FunctionKind,
    pub contract: Option<ContractId>,
    pub span: Span,
    pub name_span: Span,
    pub visibility: Visibility,
    pub mutability: Mutability,
    pub params: Vec<VarId>,
    pub returns: Vec<VarId>,
    pub modifiers: Vec<ModifierCall>,
    /// `None`: declared only.
    pub body: Option<Block>,
    pub is_virtual: bool,
    /// Directly overridden functions of base contracts.
    pub overrides: Vec<FunctionId>,
    /// Type of the function as a value (its name used inside the contract).
    pub ty: TyId,
    /// Canonical external signature and selector; `None` for functions that cannot be called from outside,
    /// and for libraries where the types have their library-specific names.
    pub signature: Option<Signature>,
    pub spec: Option<Box<FunctionSpec>>,
    /// Apart from the specification, which says what calls do.
    pub budgets: Vec<GasBudget>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// `f(uint256,(address,bytes)[])`.
    pub text: String,
    pub selector: [u8; 4],
}

/// A modifier, or a base constructor's arguments, in a function's header.
#[derive(Debug)]
pub struct ModifierCall {
    pub target: ModifierTarget,
    /// `None` where written without parentheses.
    pub args: Option<Vec<Expr>>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModifierTarget {
    /// Resolved statically; if virtual and called without a contract's name, the most derived override runs.
    Modifier {
        id: ModifierId,
        is_virtual_lookup: bool,
    },
    BaseConstructor(ContractId),
    /// Erroneous; reported already.
    Error,
}

#[derive(Debug)]
pub struct Modifier {
    pub name: String,
    pub contract: ContractId,
    pub span: Span,
    pub params: Vec<VarId>,
    pub body: Option<Block>,
    pub is_virtual: bool,
    pub overrides: Vec<ModifierId>,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub name: String,
    pub contract: Option<ContractId>,
    pub span: Span,
    pub params: Vec<EventParam>,
    pub anonymous: bool,
    /// Canonical; its keccak is topic 0.
    pub signature: String,
    pub spec: Option<Box<EventSpec>>,
}

#[derive(Clone, Debug)]
pub struct EventParam {
    pub name: String,
    /// Reference types are in memory.
    pub ty: TyId,
    pub indexed: bool,
}

#[derive(Clone, Debug)]
pub struct Error {
    pub name: String,
    pub contract: Option<ContractId>,
    pub span: Span,
    /// Name and type; reference types are in memory.
    pub params: Vec<(String, TyId)>,
    pub signature: Signature,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    State,
    Transient,
    Immutable,
    /// Of a contract or of a file; its initialiser is inlined at each use.
    Constant,
    Param,
    Return,
    Local,
    /// Of a quantifier, a sum, or an event's argument in its annotations.
    Bound,
}

#[derive(Debug)]
pub struct Var {
    /// May be empty (unnamed parameter).
    pub name: String,
    pub kind: VarKind,
    pub ty: TyId,
    pub span: Span,
    /// For state variables and constants of a contract.
    pub contract: Option<ContractId>,
    /// Only for state variables and constants.
    pub visibility: Visibility,
    /// Initialiser of a state variable or constant, typed. Locals are initialised by statements.
    pub init: Option<Expr>,
    /// Public state variables: external signature of the getter and its type.
    pub getter: Option<Getter>,
    /// Functions of base contracts that this public variable overrides.
    pub overrides: Vec<FunctionId>,
}

/// The implicit accessor of a public state variable: keys and indices in, values out (structs without their
/// mappings and arrays, one result per member).
#[derive(Clone, Debug)]
pub struct Getter {
    pub signature: Signature,
    pub params: Vec<TyId>,
    pub returns: Vec<TyId>,
    /// External function type of the getter, as `c.x` has it.
    pub ty: TyId,
}
