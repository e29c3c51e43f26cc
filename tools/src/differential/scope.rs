//! What generated code can refer to at a point.

use super::types::Ty;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Stack,
    Storage,
    /// A local variable that points into storage.
    StoragePointer,
    Memory,
    Calldata,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Ty,
    pub place: Place,
    /// Loop counters are read only, so that loops end.
    pub writable: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub vars: Vec<Variable>,
    next: usize,
}

impl Scope {
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    pub fn add(&mut self, name: impl Into<String>, ty: Ty, place: Place, writable: bool) {
        self.vars.push(Variable { name: name.into(), ty, place, writable });
    }

    /// Forgets what was declared since `mark`.
    pub fn leave(&mut self, mark: usize) {
        self.vars.truncate(mark);
    }
}
