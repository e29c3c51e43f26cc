//! Contracts as they live: deployed once, then called by anybody, any number of times, also from inside their own calls.
//!
//! [`search()`] looks for short sequences of transactions that break a check. [`prove()`] states what all reachable states
//! have in common as constrained Horn clauses, and has the invariants found by Spacer checked again.

mod clauses;
mod contract;
mod explain;
mod prove;
mod search;
mod settings;

pub use prove::{Invariant, Open, Proof, Watch, prove};
pub use search::search;
pub use settings::Settings;
