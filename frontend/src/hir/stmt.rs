//! Typed statements.

use super::{Expr, LoopSpec, VarId, yul};
use hornet_ir::span::Span;

#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub unchecked: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Block(Block),
    /// One declaration or a tuple of them (gaps are `None`).
    Declare {
        vars: Vec<Option<VarId>>,
        init: Option<Expr>,
    },
    Expr(Expr),
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
        spec: LoopSpec,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
        spec: LoopSpec,
    },
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        spec: LoopSpec,
    },
    Continue,
    Break,
    /// The expression is a tuple when the function has several results.
    Return(Option<Expr>),
    /// Before 0.5.
    Throw,
    /// The expression is a call of an event.
    Emit(Expr),
    /// `revert E(…)`: the expression is a call of an error.
    Revert(Expr),
    /// `call` is an external call or a creation; `returns` are set in `body`.
    Try {
        call: Expr,
        returns: Vec<VarId>,
        body: Block,
        catches: Vec<Catch>,
    },
    /// `_` in a modifier.
    Placeholder,
    Assembly(yul::Assembly),
    /// Did not type-check; reported already.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CatchKind {
    /// `catch Error(string memory reason)`.
    Error,
    /// `catch Panic(uint code)`.
    Panic,
    /// `catch` or `catch (bytes memory data)`.
    Any,
}

#[derive(Clone, Debug)]
pub struct Catch {
    pub kind: CatchKind,
    pub param: Option<VarId>,
    pub body: Block,
    pub span: Span,
}
