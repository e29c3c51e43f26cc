//! A run that breaks something, as a list of transactions: search finds it, replay executes it, people read it.

use crate::expr::EnvVar;
use crate::ids::{ContractId, ObligationId};
use crate::interp::value::Tree;
use crate::program::ObligationKind;
use crate::span::Span;
use ruint::aliases::U256;
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    pub contract: ContractId,
    /// Where the contract lives.
    pub this: U256,
    /// Ether that is at addresses before anything happens, the contract's own included.
    pub balances: Vec<(U256, U256)>,
    /// One of them deploys the contract, the last one fails. Before and between there may be steps of other contracts.
    pub steps: Vec<Step>,
    pub failure: Failure,
}

impl Trace {
    /// The contract that a step is about, and its address.
    pub fn place(&self, step: &Step) -> (ContractId, U256) {
        step.whose.unwrap_or((self.contract, self.this))
    }
}

/// What goes wrong, inside the last step or at its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub kind: ObligationKind,
    pub span: Span,
    /// The annotation that does not hold, if it is one.
    pub clause: Option<ObligationId>,
}

/// A transaction, or a call that somebody makes from inside one.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Another contract that it is about, and where that is; only transactions can be.
    pub whose: Option<(ContractId, U256)>,
    pub action: Action,
    pub caller: U256,
    pub origin: U256,
    /// Wei that comes with it.
    pub value: U256,
    /// What the rest of the environment says, where the code asks. Nested steps share that of their transaction.
    pub environment: Vec<(EnvVar, U256)>,
    /// What others do when they get control, in the order in which this step gives it to them.
    pub outside: Vec<Outside>,
    /// A call of the contract to itself that runs out of gas: the transaction brings just too little for it.
    pub starved: Option<Starved>,
}

/// Which call does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Starved {
    /// How many such calls are made before it.
    pub number: usize,
    /// Where the source makes it.
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    Deploy {
        args: Vec<Tree>,
    },
    /// `entry` counts the entries of the contract that it is about.
    Call {
        entry: usize,
        args: Vec<Tree>,
    },
    Receive,
    Fallback {
        data: Vec<u8>,
    },
    /// Ether comes in and no code runs: the end of a contract of the caller's, or a reward if they have less.
    ForcedEther,
}

/// How somebody else answers a call, or a creation.
#[derive(Clone, PartialEq, Debug)]
pub struct Outside {
    /// Where the source makes the call.
    pub span: Option<Span>,
    pub target: U256,
    pub value: U256,
    pub succeeds: bool,
    /// What it returns or reverts with.
    pub returns: Vec<u8>,
    /// Calls of the contract before it answers.
    pub reenters: Vec<Step>,
    /// What it leaves in slots of the contract, where it is called to work on those.
    pub writes: BTreeMap<U256, U256>,
}
