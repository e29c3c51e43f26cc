//! Values as lists of terms: taking parts out, putting parts in.

use crate::context::{Context, Res, Unsupported};
use crate::shape::{Leaf, LeafKind};
use hornet_ir::ids::TypeId;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId};
use std::ops::Range;
use std::rc::Rc;

/// A value: one term per leaf of its type's shape.
pub type Tree = Rc<[TermId]>;

/// An evaluated step into a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Key {
    Field(u32),
    /// An array index, a mapping key, or the two terms of a `bytes` key.
    Index(Rc<[TermId]>),
}

/// Where a child is inside its parent's leaves.
struct Child {
    ty: TypeId,
    leaves: Range<usize>,
}

impl Context<'_> {
    fn child(&mut self, ty: TypeId, key: &Key) -> Res<Child> {
        Ok(match (self.program.types.get(ty).clone(), key) {
            (Type::Struct(id), Key::Field(i)) => {
                let fields = self.field_types(id);
                let mut start = 0;
                for field in &fields[..*i as usize] {
                    start += self.shape(*field)?.len();
                }
                let ty = fields[*i as usize];
                let end = start + self.shape(ty)?.len();
                Child { ty, leaves: start..end }
            }
            (Type::Array { elem, len }, Key::Index(_)) => {
                let start = usize::from(len.is_none());
                Child { ty: elem, leaves: start..start + self.shape(elem)?.len() }
            }
            (Type::Mapping { value, .. }, Key::Index(_)) => {
                Child { ty: value, leaves: 0..self.shape(value)?.len() }
            }
            (ty, key) => return Err(Unsupported::new(format!("step {key:?} into {ty:?}"))),
        })
    }

    /// The part of a tree that the keys lead to.
    pub(crate) fn read(&mut self, ty: TypeId, tree: &Tree, keys: &[Key]) -> Res<Tree> {
        let Some((key, rest)) = keys.split_first() else { return Ok(tree.clone()) };
        if let (Type::Bytes, Key::Index(index)) = (self.program.types.get(ty), key) {
            return Ok([self.terms.select(tree[1], index[0])].into());
        }
        let child = self.child(ty, key)?;
        let part: Tree = match key {
            Key::Field(_) => tree[child.leaves].into(),
            Key::Index(index) => {
                tree[child.leaves].iter().map(|leaf| self.select_all(*leaf, index)).collect()
            }
        };
        self.read(child.ty, &part, rest)
    }

    pub(crate) fn select_all(&mut self, leaf: TermId, index: &[TermId]) -> TermId {
        index.iter().fold(leaf, |array, i| self.terms.select(array, *i))
    }

    fn store_all(&mut self, leaf: TermId, index: &[TermId], value: TermId) -> TermId {
        match index.split_first() {
            None => value,
            Some((i, rest)) => {
                let inner = if rest.is_empty() { leaf } else { self.terms.select(leaf, *i) };
                let value = if rest.is_empty() { value } else { self.store_all(inner, rest, value) };
                self.terms.store(leaf, *i, value)
            }
        }
    }

    /// The tree with the part that the keys lead to replaced by what `change` makes of it.
    pub(crate) fn update(
        &mut self,
        ty: TypeId,
        tree: &Tree,
        keys: &[Key],
        change: &mut dyn FnMut(&mut Self, TypeId, &Tree) -> Res<Tree>,
    ) -> Res<Tree> {
        let Some((key, rest)) = keys.split_first() else { return change(self, ty, tree) };
        let mut leaves: Vec<TermId> = tree.to_vec();
        if let (Type::Bytes, Key::Index(index)) = (self.program.types.get(ty), key) {
            let old: Tree = [self.terms.select(tree[1], index[0])].into();
            let byte = self.byte_type();
            let new = change(self, byte, &old)?;
            leaves[1] = self.terms.store(tree[1], index[0], new[0]);
            return Ok(leaves.into());
        }
        let child = self.child(ty, key)?;
        let part = self.read(ty, tree, std::slice::from_ref(key))?;
        let changed = self.update(child.ty, &part, rest, change)?;
        for (at, new) in child.leaves.zip(changed.iter()) {
            leaves[at] = match key {
                Key::Field(_) => *new,
                Key::Index(index) => self.store_all(tree[at], index, *new),
            };
        }
        Ok(leaves.into())
    }

    /// The type of `bytes1`; interned by lowering wherever bytes are indexed.
    fn byte_type(&self) -> TypeId {
        self.program.types.find(&Type::FixedBytes(1)).unwrap_or(TypeId(0))
    }

    /// The type that keys lead to.
    pub(crate) fn type_at(&mut self, ty: TypeId, keys: &[Key]) -> Res<TypeId> {
        let Some((key, rest)) = keys.split_first() else { return Ok(ty) };
        if matches!(self.program.types.get(ty), Type::Bytes) {
            return Ok(self.byte_type());
        }
        let child = self.child(ty, key)?;
        self.type_at(child.ty, rest)
    }

    /// The zero of a type.
    pub fn zero(&mut self, ty: TypeId) -> Res<Tree> {
        let shape = self.shape(ty)?;
        Ok(self.zero_leaves(&shape))
    }

    pub(crate) fn zero_leaves(&mut self, shape: &[Leaf]) -> Tree {
        shape.iter().map(|leaf| self.zero_leaf(leaf)).collect()
    }

    /// What this part of an array is in an element that was never set.
    pub(crate) fn blank_element(&mut self, leaf: &Leaf) -> TermId {
        let mut element = leaf.clone();
        element.indices.remove(0);
        self.zero_leaf(&element)
    }

    fn zero_leaf(&mut self, leaf: &Leaf) -> TermId {
        let scalar = match &leaf.kind {
            LeafKind::Scalar(ty) => {
                let ty = self.program.types.get(*ty).clone();
                self.ints.zero(&mut self.terms, &ty)
            }
            LeafKind::Length | LeafKind::Word | LeafKind::PathIndex => self.word(0),
            LeafKind::Byte => self.ints.zero(&mut self.terms, &Type::FixedBytes(1)),
            LeafKind::MemoryRef | LeafKind::Number => self.terms.int(0),
            // A reference that was never set leads nowhere.
            LeafKind::PathTag(_) => self.terms.int(-1),
            LeafKind::PathBytes => self.no_bytes(),
            LeafKind::Flag => self.terms.bool(false),
        };
        leaf.indices.iter().rev().fold(scalar, |value, index| self.terms.const_array(index.clone(), value))
    }

    /// The contents of empty bytes.
    pub(crate) fn no_bytes(&mut self) -> TermId {
        let zero = self.ints.zero(&mut self.terms, &Type::FixedBytes(1));
        let word: Sort = self.word_sort();
        self.terms.const_array(word, zero)
    }

    pub fn ite(&mut self, cond: TermId, then: &Tree, other: &Tree) -> Tree {
        if then == other {
            return then.clone();
        }
        then.iter().zip(other.iter()).map(|(a, b)| self.terms.ite(cond, *a, *b)).collect()
    }

    /// Records what loaded scalars satisfy: whatever a state we know nothing about holds has its type's range. Said only of
    /// what comes straight from such a state. Of computed values it would be wrong to say: they may stand on paths that
    /// nothing reaches, and a fact about them there would exclude states that do exist.
    pub(crate) fn admit_loaded(&mut self, shape: &[Leaf], tree: &Tree) {
        for (leaf, term) in shape.iter().zip(tree.iter()) {
            if leaf.indices.is_empty() {
                self.admit_raw(&leaf.kind, *term, 0);
            }
        }
    }

    fn admit_raw(&mut self, kind: &LeafKind, term: TermId, depth: u32) {
        // Nested choices double at every level; what is too deep simply stays without a fact.
        if depth > 8 {
            return;
        }
        match (self.terms.op(term).clone(), self.terms.args(term).to_vec().as_slice()) {
            (Op::Ite, &[_, then, other]) => {
                self.admit_raw(kind, then, depth + 1);
                self.admit_raw(kind, other, depth + 1);
            }
            (Op::Select, &[array, index]) => {
                let base = self.terms.below_stores(array);
                if base != array {
                    let element = self.terms.select(base, index);
                    self.admit_raw(kind, element, depth + 1);
                } else if let Some(symbol) = self.raw_array(base) {
                    self.admit(kind, term);
                    self.admit_reference(kind, symbol, term);
                }
            }
            _ => {}
        }
    }

    /// The symbol that an array is, or is selected from.
    fn raw_array(&self, mut array: TermId) -> Option<TermId> {
        loop {
            match (self.terms.op(array), self.terms.args(array)) {
                (Op::Symbol(_), _) => return Some(array),
                (Op::Select, &[outer, _]) => array = outer,
                _ => return None,
            }
        }
    }

    /// References that an unknown heap holds lead to what was allocated when it became unknown.
    fn admit_reference(&mut self, kind: &LeafKind, heap: TermId, element: TermId) {
        if *kind == LeafKind::MemoryRef
            && let Some(&limit) = self.heap_limits.get(&heap)
        {
            let fact = self.terms.lt(element, limit);
            self.fact(fact);
        }
    }
}
