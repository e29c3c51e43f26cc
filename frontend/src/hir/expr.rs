//! Typed expressions. The shape is the source's; see [`Expr::ty`] for what an expression's type means.

use super::{
    Builtin, ContractId, EnumId, ErrorId, EventId, FunctionId, ModifierId, SpecExpr, StructId, TyId,
    UserTypeId, VarId,
};
use hornet_ir::span::{FileId, Span};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// solc's type of this expression, before any implicit conversion that its context asks for.
    pub ty: TyId,
    pub span: Span,
}

/// What a name stands for, after overload resolution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ref {
    Var(VarId),
    /// Called by plain name inside a contract, a virtual function means its most derived override.
    Function(FunctionId),
    Modifier(ModifierId),
    Contract(ContractId),
    Struct(StructId),
    Enum(EnumId),
    UserType(UserTypeId),
    Event(EventId),
    Error(ErrorId),
    Module(FileId),
    Builtin(Builtin),
    Msg,
    Block,
    Tx,
    Abi,
    This,
    Super,
}

/// What stands after a dot.
#[derive(Clone, Debug)]
pub enum Member {
    /// Of a struct.
    Field(u32),
    /// Of an enum type.
    EnumValue(u32),
    /// Of a contract type's name, a module or a library: the declaration itself, no virtual lookup (`Base.f`, `L.f`, `M.x`).
    Decl(Ref),
    /// `super.f`: the function that `super` means when the contract at hand is most derived is found by lowering; this is
    /// the one it means in the contract where it is written.
    SuperFunction(FunctionId),
    /// Of a contract instance (`c.f`, `this.f`): called from outside.
    External(FunctionId),
    /// Of a contract instance: getter of a public state variable.
    Getter(VarId),
    /// `using for`: the base is the first argument.
    Attached(FunctionId),
    /// Provided by the language, on the base or on its type.
    Builtin(Builtin),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    Not,
    BitNot,
    Neg,
    /// Before 0.5.
    Plus,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    Delete,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Exp,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
}

#[derive(Clone, Debug)]
pub enum CallKind {
    /// `T(x)`, also `payable(x)`.
    Conversion,
    StructConstructor(StructId),
    /// The callee's type is a function type: internal, external, built-in, creation, event, error.
    Function,
}

#[derive(Clone, Debug, Default)]
pub struct CallOptions {
    pub value: Option<Box<Expr>>,
    pub gas: Option<Box<Expr>>,
    pub salt: Option<Box<Expr>>,
    /// In the older form: place and type of `f.value` (or `f.gas`) itself.
    pub setter: Option<(Span, TyId)>,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    /// The value is in the type.
    Number,
    /// A checksummed address literal.
    Address([u8; 20]),
    /// The value.
    String(Rc<[u8]>),
    Name(Ref),
    /// An elementary type or an array of a type used as an expression, such as `uint` in `uint(x)`.
    TypeName(TyId),
    Member {
        base: Box<Expr>,
        name: String,
        member: Member,
    },
    /// `None` in `T[]` as a type expression (then the type is `Ty::Type`).
    Index {
        base: Box<Expr>,
        index: Option<Box<Expr>>,
    },
    Slice {
        base: Box<Expr>,
        start: Option<Box<Expr>>,
        end: Option<Box<Expr>>,
    },
    /// Arguments are in parameter order; for named arguments `eval_order` lists them in the order written.
    Call {
        callee: Box<Expr>,
        kind: CallKind,
        args: Vec<Expr>,
        eval_order: Option<Vec<u32>>,
    },
    /// `f{value: …}` (also the older `f.value(…)`).
    Options {
        callee: Box<Expr>,
        options: CallOptions,
    },
    /// `function` is a user-defined operator.
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
        function: Option<FunctionId>,
    },
    /// `common` is the type both sides are converted to before the operation (for shifts and powers: the left
    /// side's; the right side keeps its own mobile type).
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
        common: TyId,
        function: Option<FunctionId>,
    },
    /// `op` is `None` for plain `=`.
    Assign {
        op: Option<BinaryOp>,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// Both branches convert to the expression's type.
    Conditional {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    /// Parentheses (one component) and tuples.
    Tuple(Vec<Option<Expr>>),
    /// `[a, b]`: elements convert to the element type in the expression's type.
    Array(Vec<Expr>),
    /// `new T`: a function type.
    New(TyId),
    /// `type(T)`; `arg` is the expression that names `ty`.
    MetaType {
        ty: TyId,
        arg: Box<Expr>,
    },
    /// In annotations only.
    Spec(SpecExpr),
    Error,
}
