//! A lowered program: contracts, their state, and procedures as control-flow graphs.

use crate::expr::Exprs;
use crate::ids::{
    BlockId, BoundId, ContractId, ErrorId, EventId, ExprId, IdVec, LocalId, ObligationId, PlaceId, ProcId,
    StateVarId, TypeId,
};
use crate::span::Span;
use crate::spec::{BoundVar, Clause, EventSpec, FunctionInfo, Spec};
use crate::types::{Field, Types};
use ruint::aliases::U256;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub types: Types,
    pub exprs: Exprs,
    pub state: IdVec<StateVarId, StateVar>,
    pub procs: IdVec<ProcId, Proc>,
    pub contracts: IdVec<ContractId, Contract>,
    pub events: IdVec<EventId, Event>,
    pub errors: IdVec<ErrorId, ErrorDef>,
    pub obligations: IdVec<ObligationId, Obligation>,
    pub bound_vars: IdVec<BoundId, BoundVar>,
    /// Some function says what it modifies: then every function may modify only what it says.
    pub modifies_checked: bool,
    /// Some annotation speaks of events: then functions emit only what they say, and tracked data needs its events.
    pub events_checked: bool,
    /// Not all invariants of the contracts were written by somebody: they hold around calls from outside, and say nothing
    /// about calls of public functions from inside.
    pub invariants_inferred: bool,
    /// In words, what lowering has presumed of all code because of some of it. What is remembered about a contract depends
    /// on that, too.
    pub presumed: String,
}

impl Program {
    /// The function of the source behind code that is entered from outside.
    pub fn body_of(&self, code: ProcId) -> Option<ProcId> {
        if self.procs[code].function.is_some() {
            return Some(code);
        }
        let stmts = self.procs[code].blocks.iter().flat_map(|b| &b.stmts);
        stmts
            .filter_map(|stmt| match &stmt.kind {
                StmtKind::Call { callee: Callee::Proc(p), .. } => Some(*p),
                _ => None,
            })
            .find(|p| self.procs[*p].function.is_some())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContractKind {
    Contract,
    Abstract,
    Interface,
    Library,
}

/// A contract as deployed: everything inherited is included, specialised to it.
#[derive(Clone, Debug)]
pub struct Contract {
    pub name: String,
    /// Name of the file that declares it, to tell contracts of the same name apart.
    pub file: String,
    pub kind: ContractKind,
    pub span: Option<Span>,
    /// Linearised: most derived first, itself included.
    pub bases: Vec<ContractId>,
    /// In storage order.
    pub state: Vec<StateVarId>,
    /// Externally callable functions, getters included. Not the constructor, receive and fallback.
    pub entries: Vec<Entry>,
    /// Runs state initialisers and constructors in linearised order. Its parameters are the constructor's.
    /// `None` where the contract cannot be deployed (interfaces, abstract contracts).
    pub constructor: Option<ProcId>,
    /// No parameters, no results.
    pub receive: Option<ProcId>,
    pub fallback: Option<Fallback>,
    /// What holds whenever nobody is inside the contract; those of its bases included.
    pub invariants: Vec<Clause>,
    pub event_specs: Vec<EventSpec>,
}

/// An externally callable function. The procedure's parameters are decoded from calldata by their types
/// (`MemoryRef` copies, `CalldataRef` points, `StorageRef` is a slot number: libraries only) and its results encoded.
/// Guards (payable, delegate-only libraries) are part of the procedure.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    /// Canonical, such as `f(uint256,(address,bytes)[])`.
    pub signature: String,
    pub selector: [u8; 4],
    pub proc: ProcId,
    pub payable: bool,
    /// `view` or `pure`.
    pub constant: bool,
    /// ABI coder v2: decoding rejects values out of their type's range.
    pub strict_abi: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Fallback {
    pub proc: ProcId,
    /// `fallback(bytes calldata) returns (bytes memory)`: raw data in and out.
    pub with_data: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StateKind {
    Storage,
    Transient,
    /// Written only in the constructor, then part of the code.
    Immutable,
}

#[derive(Clone, Debug)]
pub struct StateVar {
    pub name: String,
    /// The contract that declares it (a base of `contract`).
    pub declared_in: String,
    pub contract: ContractId,
    pub ty: TypeId,
    pub kind: StateKind,
    /// Position in (transient) storage; meaningless for immutables.
    pub slot: U256,
    pub offset: u8,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub name: String,
    pub signature: String,
    pub params: Vec<EventParam>,
    pub anonymous: bool,
    pub span: Option<Span>,
}

/// Types are those of the encoding: trees, not references.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventParam {
    pub name: String,
    pub ty: TypeId,
    pub indexed: bool,
}

/// A custom error: what a revert payload that starts with its selector means.
#[derive(Clone, Debug)]
pub struct ErrorDef {
    pub name: String,
    pub signature: String,
    pub params: Vec<Field>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProcKind {
    /// Called from other procedures only.
    Internal,
    /// Behind an entry, receive or fallback.
    External,
    Constructor,
    /// A function of inline assembly.
    Yul,
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub name: String,
    pub contract: Option<ContractId>,
    pub kind: ProcKind,
    pub params: Vec<LocalId>,
    pub rets: Vec<TypeId>,
    pub locals: IdVec<LocalId, Local>,
    pub blocks: IdVec<BlockId, Block>,
    pub entry: BlockId,
    pub span: Option<Span>,
    /// The function of the source that this is the code of; `None` for what lowering adds (wrappers, getters, assembly).
    pub function: Option<Box<FunctionInfo>>,
    pub spec: Option<Box<Spec>>,
}

#[derive(Clone, Debug)]
pub struct Local {
    /// Empty for temporaries.
    pub name: String,
    pub ty: TypeId,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub terminator: Terminator,
    /// Where control ends the block (a condition, a `return`).
    pub span: Option<Span>,
    /// The loop statement, if this block is a loop's head.
    pub loop_head: Option<Span>,
    /// Of that loop.
    pub invariants: Vec<Clause>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Option<Span>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    Assign {
        dst: LocalId,
        value: ExprId,
    },
    /// Writes storage or memory; the value has the place's type. A tree stored into storage replaces what was
    /// there (mappings inside are left alone, surplus elements are cleared).
    Store {
        place: PlaceId,
        value: ExprId,
    },
    /// Zeroes what is in storage at the place, except mappings.
    Delete {
        place: PlaceId,
    },
    /// Resizes a dynamic array or bytes in storage; removed elements are zeroed, new ones are zero.
    SetLength {
        place: PlaceId,
        length: ExprId,
    },
    /// Any value of the local's type.
    Havoc {
        dst: LocalId,
    },
    Assume {
        cond: ExprId,
    },
    /// Reports only; what happens on failure follows as control flow.
    Check {
        obligation: ObligationId,
        cond: ExprId,
    },
    Call {
        dsts: Vec<LocalId>,
        callee: Callee,
        args: Vec<ExprId>,
    },
    /// A new object in memory.
    Alloc {
        dst: LocalId,
        init: AllocInit,
    },
    /// Decodes `data` (`Bytes`) as a tuple of the ABI types; trees are allocated in memory.
    /// `ok` is false where decoding reverts, with that revert's payload in `error`.
    Decode {
        dsts: Vec<LocalId>,
        types: Vec<TypeId>,
        strict: bool,
        data: ExprId,
        ok: LocalId,
        error: LocalId,
    },
    ExternalCall(Box<ExternalCall>),
    Create(Box<Create>),
    Emit {
        event: Option<EventId>,
        topics: Vec<ExprId>,
        data: ExprId,
        args: Vec<ExprId>,
    },
    SelfDestruct {
        beneficiary: ExprId,
    },
    /// Effects of inline assembly that have no typed meaning.
    Evm {
        op: EvmOp,
        args: Vec<ExprId>,
        dsts: Vec<LocalId>,
    },
    /// Something the front end understood but does not model. Runs that get here say nothing.
    Unsupported {
        what: String,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    Proc(ProcId),
    /// An internal function value; not initialised values were handled before (Panic 0x51).
    Pointer(ExprId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum AllocInit {
    /// Zero-initialised struct, fixed array or bytes: members that are trees are allocated too.
    Zero(TypeId),
    /// A dynamic array or bytes of the given length, zeroed (`new T[](n)`).
    Array(TypeId, ExprId),
    /// A deep copy of a tree value or of what a storage/calldata reference points to, converted to the type.
    Copy(TypeId, ExprId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallKind {
    Call,
    Static,
    Delegate,
    /// Obsolete `callcode`.
    Code,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gas {
    /// Everything the EVM lets a caller pass on.
    All,
    /// Only the 2300 that come with a transfer.
    Stipend,
    Amount(ExprId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct ExternalCall {
    pub kind: CallKind,
    pub target: ExprId,
    pub value: Option<ExprId>,
    pub gas: Gas,
    /// `Bytes`: selector and arguments.
    pub data: ExprId,
    /// Bool: the call did not revert.
    pub ok: LocalId,
    /// `Bytes`: what it returned, or its revert payload.
    pub result: LocalId,
    /// The function meant, where the source names one: contract and signature.
    pub callee: Option<(ContractId, String)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Create {
    pub contract: ContractId,
    pub value: Option<ExprId>,
    pub salt: Option<ExprId>,
    /// `Bytes`: the constructor's encoded arguments.
    pub args: ExprId,
    /// The new address; zero on failure.
    pub dst: LocalId,
    pub ok: LocalId,
    /// `Bytes`: revert payload on failure.
    pub result: LocalId,
}

/// Raw machine effects. Arguments as the EVM instruction takes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvmOp {
    MStore,
    MStore8,
    /// dst, src, length within memory.
    MCopy,
    SStore,
    TStore,
    CalldataCopy,
    CodeCopy,
    ExtCodeCopy,
    ReturndataCopy,
    /// Memory range, then topics.
    Log,
    /// gas, address, value, input offset, input length, output offset, output length; result: success.
    Call,
    CallCode,
    /// Without value.
    DelegateCall,
    StaticCall,
    /// value, offset, length (, salt); result: address.
    Create,
    Create2,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    Goto(BlockId),
    Branch {
        cond: ExprId,
        then: BlockId,
        other: BlockId,
    },
    Return(Vec<ExprId>),
    /// Undoes the call and hands `Bytes` to the caller.
    Revert(ExprId),
    /// Ends the whole external call at once, successfully, with these `Bytes` (assembly `return`, `stop`).
    Halt(ExprId),
    /// The invalid instruction: as `Revert` without data, consuming all gas.
    Invalid,
    Unreachable,
}

/// What kind of mistake an obligation is about. The names are those of the JSON output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum ObligationKind {
    Assertion,
    Overflow,
    Underflow,
    DivisionByZero,
    OutOfBounds,
    EmptyPop,
    EnumConversion,
    InsufficientBalance,
    Invariant,
    LoopInvariant,
    Precondition,
    Postcondition,
    Modifies,
    Emits,
    EventPrecondition,
    EventPostcondition,
    Succeeds,
    Reverts,
}

impl ObligationKind {
    /// What code may do wrong with no annotation saying so.
    pub fn is_language_check(self) -> bool {
        match self {
            ObligationKind::Assertion
            | ObligationKind::Overflow
            | ObligationKind::Underflow
            | ObligationKind::DivisionByZero
            | ObligationKind::OutOfBounds
            | ObligationKind::EmptyPop
            | ObligationKind::EnumConversion
            | ObligationKind::InsufficientBalance => true,
            ObligationKind::Invariant
            | ObligationKind::LoopInvariant
            | ObligationKind::Precondition
            | ObligationKind::Postcondition
            | ObligationKind::Modifies
            | ObligationKind::Emits
            | ObligationKind::EventPrecondition
            | ObligationKind::EventPostcondition
            | ObligationKind::Succeeds
            | ObligationKind::Reverts => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Obligation {
    pub kind: ObligationKind,
    pub span: Span,
    pub contract: Option<ContractId>,
    /// Nothing follows a failure: arithmetic that wraps around and goes on, where the language lets it.
    pub silent: bool,
}
