//! Annotations, typed: what they say about contracts, functions, loops and events, and the expressions that only they
//! can use.

use super::{EventId, Expr, VarId};
use hornet_ir::span::Span;

/// Expressions beyond Solidity.
#[derive(Clone, Debug)]
pub enum SpecExpr {
    /// The value when the function was entered, converted to the expression's type.
    Old(Box<Expr>),
    /// In annotations of events: the value before the change that the event reports.
    Before(Box<Expr>),
    Quantified {
        forall: bool,
        vars: Vec<VarId>,
        body: Box<Expr>,
    },
    /// Over all indices `vars` of `element`, each of which is an index in it.
    Sum {
        vars: Vec<VarId>,
        element: Box<Expr>,
    },
    /// Equal contents; with `same_object`, two references to the same object in memory.
    DeepEq {
        left: Box<Expr>,
        right: Box<Expr>,
        same_object: bool,
    },
}

/// A condition that somebody claims.
#[derive(Clone, Debug)]
pub struct SpecClause {
    pub expr: Expr,
    /// The expression in the comment.
    pub span: Span,
    /// Its characters on one line.
    pub text: String,
}

#[derive(Clone, Debug, Default)]
pub struct LoopSpec {
    pub invariants: Vec<SpecClause>,
    /// The contract's invariants are the loop's too.
    pub contract_invariants: bool,
}

impl LoopSpec {
    pub fn is_empty(&self) -> bool {
        self.invariants.is_empty() && !self.contract_invariants
    }
}

#[derive(Clone, Debug, Default)]
pub struct FunctionSpec {
    pub pre: Vec<SpecClause>,
    pub post: Vec<SpecClause>,
    pub modifies: Vec<SpecModifies>,
    pub emits: Vec<EventId>,
    /// The contract's invariants are pre- and postconditions.
    pub contract_invariants: bool,
    pub succeeds_if: Vec<SpecClause>,
    pub reverts_if: Vec<SpecClause>,
}

/// `gas <= 2500*n + 30000`: the text after the comparison, in which characters have the places they have in the file
/// (markers of comments are spaces). What it means is the business of those who measure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GasBudget {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct SpecModifies {
    /// `None`: everything.
    pub target: Option<Expr>,
    pub cond: Option<Expr>,
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct EventSpec {
    /// The event's arguments, as variables of the clauses.
    pub args: Vec<VarId>,
    pub tracks: Vec<VarId>,
    pub pre: Vec<SpecClause>,
    pub post: Vec<SpecClause>,
    pub allow_no_change: bool,
    pub span: Span,
}
