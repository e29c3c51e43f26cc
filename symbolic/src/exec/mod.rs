//! Runs of the IR as terms: procedures followed block by block, ways joined where they meet.
//!
//! Every engine follows code in the same way; they differ in what stands for the code that is not followed.

mod beyond;
mod call;
mod effects;
mod events;
mod executor;
mod external;
mod flow;
mod function;
mod goals;
mod graph;
mod instances;
mod known_call;
mod later;
mod loops;
mod modifies;
mod names;
mod notation;
mod outside;
mod paths;
mod policy;
mod predicates;
mod raw;
mod reading;
mod selection;
mod self_payment;
mod stmt;
mod summary;
mod surroundings;
mod targets;
mod transaction;
mod unroll;

pub use beyond::Beyond;
pub use effects::{AllEffects, Effects};
pub use executor::{Executor, Exit, Locals, Run};
pub use flow::{Flow, join, mentions_unknown};
pub use function::{Sanity, SanityKind};
pub use goals::{CheckKey, Claim, Gap, Goal, Subject};
pub use graph::Graph;
pub use names::{Pattern, leaf_names};
pub use notation::Format;
pub use paths::{Action, Asked, Decoded, Paths, Step, Way};
pub use policy::{AfterFailure, Passable, Policy, Trust};
pub use predicates::{Demand, Place, Slot, Unknown, Unknowns, is_unknown};
pub use reading::Reading;
pub use selection::{All, Selection};
pub use stmt::failure;
pub use targets::{Target, TargetKind, body_of, function_target, heirs_that_run, is_run, targets};
pub use transaction::Entrance;
pub use unroll::{Unrolled, has_loops, unroll};
