//! Checks that a program is well formed. Every producer of IR runs it in tests; a violation is a bug of the producer.

mod contracts;
mod exprs;
mod ids;
mod specs;
mod stmts;
#[cfg(test)]
mod tests;
mod types;

use crate::ids::{BlockId, ContractId, ExprId, PlaceId, ProcId, TypeId};
use crate::program::Program;
use crate::visit::{Roots, for_operands, for_place_operands};
use rustc_hash::FxHashSet;

macro_rules! rules {
    ($($number:literal $name:ident $text:literal)*) => {
        /// What must hold, by number.
        pub const RULES: &[(u16, &str)] = &[$(($number, $text)),*];
        pub mod rule {
            $(#[doc = $text] pub const $name: u16 = $number;)*
        }
    };
}

rules! {
    1 IDS "every id refers to something that exists"
    2 ORDER "operands are numbered before the expressions that use them"

    101 WIDTH "integers have 8 to 256 bits in steps of 8, or 512 in annotations, and fixed bytes 1 to 32 bytes"
    102 REFERENCE "memory and calldata references point to trees, and trees contain no references"
    103 KEY "mapping keys are scalars or bytes"
    104 FIELDS "struct fields and enum members have distinct names, and an enum has a member"
    105 RECURSION "a struct contains itself only behind a mapping or a dynamic array"

    201 CONSTANT "a constant is a scalar in the representation of its type"
    202 RESULT "an expression has the type that its operands give"
    203 OPERANDS "an operator's operands have types that it is defined for"
    204 CONVERSION "a conversion is between types that have one"
    205 BUILTIN "a builtin gets the arguments of its signature"
    206 CHOICE "a choice has a Bool condition and branches of one type"
    207 ENCODING "encoded arguments are values of the ABI types given, after a bytes4 selector if any"
    208 CALLDATA "a calldata reference is made of two words"

    301 ROOT "a place starts at a state variable or at a reference to its location"
    302 STEPS "each step of a place exists in the type before it, and the place has the type they lead to"
    303 ONE_STEP "a place in memory or calldata has at most one step"
    304 INDEX "arrays are indexed by uint256, mappings by their key type"
    305 LENGTH "only dynamic arrays and bytes have a length to read or set"
    306 STORAGE_REF "only places in storage are referred to"
    307 OWN_STATE "a procedure uses the state of its own contract only"

    401 ASSIGN "an assigned value has the local's type"
    402 STORE "a stored value has the place's type; calldata is never written, immutables only during construction"
    403 STORAGE_ONLY "only what is in storage is deleted or resized, to a uint256 length"
    404 CONDITION "conditions are Bool"
    405 CALL "a call passes and takes what the callee wants and returns, and stays in its contract"
    406 ALLOC "an allocation yields a memory reference to what is allocated"
    407 DECODE "decoding turns bytes into values of its types as memory holds them"
    408 EXTERNAL "an external call has an address, bytes and words where they belong, and no value unless it can carry one"
    409 CREATE "a creation has bytes, words and an address where they belong"
    410 EMIT "an event has at most four words of topics, and bytes as data"
    411 BENEFICIARY "self-destruction names an address"
    412 EVM "an EVM operation takes and gives as many words as the instruction"
    413 RETURN "returned values have the types of the results"
    414 PAYLOAD "reverting and halting hand over bytes"

    501 PARAMETERS "parameters are distinct"
    502 LOCALS "a local has its declared type wherever it is read"
    503 DANGLING "a local reference that is read is assigned somewhere"

    601 BASES "a contract is the first of its bases, which are distinct"
    602 OWNERSHIP "a contract lists exactly its own state variables"
    603 OVERLAP "state variables do not overlap and lie within their slots"
    604 ENTRIES "entries lead to external procedures of the contract and have distinct selectors"
    605 SELECTOR "a selector is the hash of its signature"
    606 SPECIAL "constructor, receive and fallback are procedures of the right kind and form"

    701 CLAIM "claims are Bool"
    702 CLAIM_KIND "a claim's obligation is of the kind that its place says"
    703 CLAIM_ONLY "old values, bound variables, quantifiers, sums, deep equality and wide integers are in claims only"
    704 STATES "old values are in claims after a procedure began, values before a change in those after an event"
    705 BOUND "a bound variable is used under its binder, or in claims about the event whose argument it is"
    706 SUM "a sum has each of its variables exactly once as an index, and is a wide integer of its elements' sign"
    707 RESULTS "results of a specification have the types returned, arguments of an event's claims those of the event"
    708 MODIFIES "what is modified is in storage, or the balance of an address"
    709 DEEP_EQ "deep equality compares trees of one type"
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    Type(TypeId),
    Expr(ExprId),
    Place(PlaceId),
    Contract(ContractId),
    Proc(ProcId),
    Stmt(ProcId, BlockId, usize),
    Terminator(ProcId, BlockId),
    /// Obligations and other tables without an owner.
    Program,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// One of [`RULES`].
    pub rule: u16,
    pub message: String,
    pub at: Where,
}

impl Violation {
    /// One line: rule, place, what is wrong.
    pub fn describe(&self, program: &Program) -> String {
        let proc = |id: ProcId| match program.procs.get(id) {
            Some(p) => match p.contract.and_then(|c| program.contracts.get(c)) {
                Some(c) => format!("{}::{}", c.name, p.name),
                None => p.name.clone(),
            },
            None => format!("procedure {}", id.0),
        };
        let place = match self.at {
            Where::Type(id) => format!("type {}", id.0),
            Where::Expr(id) => format!("expression {}", id.0),
            Where::Place(id) => format!("place {}", id.0),
            Where::Contract(id) => match program.contracts.get(id) {
                Some(c) => format!("contract {}", c.name),
                None => format!("contract {}", id.0),
            },
            Where::Proc(id) => proc(id),
            Where::Stmt(id, block, index) => format!("{} b{} statement {index}", proc(id), block.0),
            Where::Terminator(id, block) => format!("{} b{} terminator", proc(id), block.0),
            Where::Program => "program".to_owned(),
        };
        let rule = RULES.iter().find(|(n, _)| *n == self.rule).map_or("", |(_, text)| text);
        format!("rule {} at {place}: {} ({rule})", self.rule, self.message)
    }
}

/// Everything that is wrong with a program; empty for well-formed ones.
pub fn validate(program: &Program) -> Vec<Violation> {
    let mut v = Validator { program, found: Vec::new(), seen: FxHashSet::default() };
    v.ids();
    if !v.found.is_empty() {
        // Nothing else can be looked at safely.
        return v.found;
    }
    v.types();
    if v.found.iter().any(|x| x.rule == rule::RECURSION) {
        // Such a type has no size to lay out.
        return v.found;
    }
    v.contracts();
    v.contract_claims();
    for id in program.procs.ids() {
        v.proc(id);
    }
    v.found
}

struct Validator<'a> {
    program: &'a Program,
    found: Vec<Violation>,
    /// Expressions already checked, from whatever procedure.
    seen: FxHashSet<ExprId>,
}

impl Validator<'_> {
    fn report(&mut self, rule: u16, at: Where, message: impl Into<String>) {
        self.found.push(Violation { rule, message: message.into(), at });
    }

    fn require(&mut self, holds: bool, rule: u16, at: Where, message: impl FnOnce() -> String) {
        if !holds {
            self.report(rule, at, message());
        }
    }

    /// All expressions below some roots, each once.
    fn reachable(&self, roots: &Roots) -> Vec<ExprId> {
        let exprs = &self.program.exprs;
        let mut seen = FxHashSet::default();
        let mut work = roots.exprs.clone();
        for place in &roots.places {
            for_place_operands(exprs, *place, &mut |e| work.push(e));
        }
        let mut found = Vec::new();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                found.push(id);
                for_operands(exprs, exprs.get(id), &mut |e| work.push(e));
            }
        }
        found
    }
}
