//! Newtype indices. A collection of a [`crate::program::Program`] is only ever indexed by its own id type.

use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into an [`IdVec`].
pub trait Id: Copy {
    fn from_usize(index: usize) -> Self;
    fn index(self) -> usize;
}

macro_rules! id_types {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl Id for $name {
            fn from_usize(index: usize) -> Self {
                $name(index as u32)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id_types! {
    /// A type, interned in [`crate::types::Types`].
    TypeId,
    StructId,
    EnumId,
    /// An expression, hash-consed in [`crate::expr::Exprs`].
    ExprId,
    /// A typed location, hash-consed beside the expressions.
    PlaceId,
    /// A state variable of some contract (storage, transient storage or immutable).
    StateVarId,
    ProcId,
    /// A block of one procedure.
    BlockId,
    /// A parameter or local variable of one procedure.
    LocalId,
    ContractId,
    EventId,
    ErrorId,
    /// A variable bound by a quantifier, a sum or an event's annotation.
    BoundId,
    /// Something to be proved: a place in the source where the program could go wrong.
    ObligationId,
}

/// A vector indexed by one id type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<fn() -> I>,
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        IdVec { items: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> IdVec<I, T> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_usize(self.items.len() - 1)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_usize)
    }

    pub fn iter_ids(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(i, t)| (I::from_usize(i), t))
    }

    /// The id that the next `push` will return.
    pub fn next_id(&self) -> I {
        I::from_usize(self.items.len())
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        IdVec { items: iter.into_iter().collect(), id: PhantomData }
    }
}
