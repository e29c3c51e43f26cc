//! Local variables in scope. From 0.5 on a variable lives from its declaration to the end of its block; before,
//! from the start of the function to its end.

use crate::hir::VarId;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

#[derive(Default)]
pub(super) struct Locals<'a> {
    /// Innermost last.
    visible: Vec<(Cow<'a, str>, VarId)>,
    /// Before 0.5: variables declared further down, by the offset of their declaration.
    pub declared: FxHashMap<u32, VarId>,
}

/// Where a block's variables start.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl<'a> Locals<'a> {
    pub fn add(&mut self, name: &'a str, var: VarId) {
        self.visible.push((Cow::Borrowed(name), var));
    }

    pub fn add_owned(&mut self, name: String, var: VarId) {
        if !name.is_empty() {
            self.visible.push((Cow::Owned(name), var));
        }
    }

    pub fn get(&self, name: &str) -> Option<VarId> {
        self.visible.iter().rev().find(|(n, _)| n == name).map(|(_, var)| *var)
    }

    /// Declared since the mark: a second declaration of the name in one block.
    pub fn declared_since(&self, mark: Mark, name: &str) -> Option<VarId> {
        self.visible[mark.0..].iter().find(|(n, _)| n == name).map(|(_, var)| *var)
    }

    pub fn enter(&self) -> Mark {
        Mark(self.visible.len())
    }

    pub fn leave(&mut self, mark: Mark) {
        self.visible.truncate(mark.0);
    }
}
