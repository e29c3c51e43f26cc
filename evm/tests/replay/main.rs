//! Traces written by hand, replayed on real bytecode: those that fail as they say, and those that do not.

mod annotations;
mod failures;
mod outsiders;
mod subject;
