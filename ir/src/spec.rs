//! What annotations say about contracts, procedures, loops and events, as pure expressions of the IR.
//!
//! A clause is evaluated in the state at its place, as any expression. In preconditions, postconditions and the rest of
//! a procedure's specification, parameters stand for the values they were called with and [`Spec::results`] for what
//! is returned; in loop invariants all locals stand for their values now.

use crate::ids::{BoundId, ContractId, EventId, ExprId, LocalId, ObligationId, PlaceId, StateVarId, TypeId};
use crate::span::Span;

/// A variable of a quantifier, of a sum, or an event's argument in its annotations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundVar {
    pub name: String,
    pub ty: TypeId,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// Bool. Where the language checks arithmetic, a clause in which arithmetic leaves its type does not hold.
    pub cond: ExprId,
    /// Bool: no arithmetic in `cond` leaves its type.
    pub fits: ExprId,
    pub obligation: ObligationId,
    /// As the user wrote it.
    pub text: String,
}

/// The specification of a procedure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spec {
    /// Locals of the procedure that stand for its results.
    pub results: Vec<LocalId>,
    pub pre: Vec<Clause>,
    pub post: Vec<Clause>,
    pub modifies: Vec<Modifies>,
    pub emits: Vec<EventId>,
    /// The call does not revert if this holds when it begins.
    pub succeeds_if: Vec<Clause>,
    /// The call reverts if this holds when it begins.
    pub reverts_if: Vec<Clause>,
}

impl Spec {
    /// Everything it claims.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        [&self.pre, &self.post, &self.succeeds_if, &self.reverts_if].into_iter().flatten()
    }

    /// Whether there is nothing a caller could rely on instead of the body.
    pub fn is_empty(&self) -> bool {
        self.pre.is_empty() && self.post.is_empty() && self.modifies.is_empty()
    }
}

/// Something a function may change, if `cond` holds when it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Modifies {
    pub target: ModifiesTarget,
    pub cond: Option<ExprId>,
    pub span: Span,
    pub text: String,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ModifiesTarget {
    Everything,
    /// In storage, with everything inside it; the place as it is when the call ends, so that `x[x.length - 1]` is what was pushed.
    Place(PlaceId),
    /// The length of the dynamic array at a place in storage, with the elements that come and go with it.
    Length(PlaceId),
    /// The ether of an address.
    Balance(ExprId),
}

/// What an event promises about the data it reports on, in one contract.
#[derive(Clone, PartialEq, Debug)]
pub struct EventSpec {
    pub event: EventId,
    /// The event's arguments in `pre` and `post`.
    pub args: Vec<BoundId>,
    pub tracks: Vec<StateVarId>,
    /// Holds before the change that the event reports.
    pub pre: Vec<Clause>,
    /// Holds when the event is emitted; [`crate::expr::Expr::Before`] is the state before the change.
    pub post: Vec<Clause>,
    /// The event may be emitted although nothing changed.
    pub allow_no_change: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionRole {
    Function,
    Constructor,
    /// State initialisers where no constructor is written.
    ImplicitConstructor,
    Receive,
    Fallback,
}

/// The function of the source that a procedure is the code of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionInfo {
    /// As reports name it: `f`, `[constructor]`, `[implicit_constructor]`, `[receive]`, `[fallback]`.
    pub name: String,
    /// `f(uint256)` where the contract has several functions of this name.
    pub signature: Option<String>,
    pub role: FunctionRole,
    /// The contract that declares it; `None` for free functions.
    pub declared_in: Option<ContractId>,
    /// Callable from outside, so that invariants hold around it.
    pub public: bool,
    /// Declared `view` or `pure`: it changes nothing.
    pub constant: bool,
    pub span: Span,
}
