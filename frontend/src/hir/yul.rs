//! Inline assembly with its names resolved. Every value is one 256-bit word.

use super::VarId;
use hornet_ir::U256;
use hornet_ir::span::Span;

/// A variable of one assembly block (parameters and results of its functions included).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct YulVar(pub u32);

/// A function of one assembly block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct YulFn(pub u32);

#[derive(Clone, Debug)]
pub struct Assembly {
    pub span: Span,
    pub memory_safe: bool,
    /// Names, indexed by [`YulVar`].
    pub vars: Vec<String>,
    /// Indexed by [`YulFn`].
    pub functions: Vec<Function>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<YulVar>,
    pub returns: Vec<YulVar>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

/// Which part of a Solidity variable assembly sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The stack slot: a value, or a memory pointer. For a constant, its value.
    Value,
    /// `.slot` of a state variable or storage pointer (in 0.4-0.6 also `_slot`).
    Slot,
    /// `.offset` of a state variable (byte offset) or of a calldata array (position).
    Offset,
    /// `.length` of a calldata array.
    Length,
    /// `.address` of an external function.
    Address,
    /// `.selector` of an external function.
    Selector,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    Yul(YulVar),
    Solidity(VarId, Part),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Block(Vec<Stmt>),
    /// No value: zero.
    Let {
        vars: Vec<YulVar>,
        value: Option<Expr>,
    },
    Assign {
        targets: Vec<Target>,
        value: Expr,
    },
    /// A call without results.
    Expr(Expr),
    If {
        cond: Expr,
        body: Vec<Stmt>,
    },
    Switch {
        value: Expr,
        cases: Vec<(U256, Vec<Stmt>)>,
        default: Option<Vec<Stmt>>,
    },
    For {
        init: Vec<Stmt>,
        cond: Expr,
        step: Vec<Stmt>,
        body: Vec<Stmt>,
    },
    Break,
    Continue,
    Leave,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Number, boolean, or string (left-aligned).
    Literal(U256),
    Var(Target),
    /// Arguments are evaluated right to left.
    Call {
        function: YulFn,
        args: Vec<Expr>,
    },
    /// An EVM instruction by its lower-case name (`add`, `mload`, …), known to exist and given the right number of
    /// arguments. Evaluated right to left.
    Opcode {
        name: Box<str>,
        args: Vec<Expr>,
    },
}
