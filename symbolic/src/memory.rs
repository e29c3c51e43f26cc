//! Objects in memory: one heap per type, indexed by references that are numbered in the order of allocation.

use crate::context::{Context, Res, Unsupported};
use crate::eval::Scope;
use crate::state::{State, Var};
use crate::tree::{Key, Tree};
use hornet_ir::expr::{Root, Step};
use hornet_ir::ids::{PlaceId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use std::ops::Range;

/// Arrays of objects up to this size are allocated one by one, longer ones all at once.
const MAX_SINGLE: u64 = 8;

impl Context<'_> {
    /// The leaves of an object.
    pub(crate) fn object(&mut self, state: &State, ty: TypeId, reference: TermId) -> Res<Tree> {
        let heap = self.heap(state, ty)?;
        Ok(heap.iter().map(|leaf| self.terms.select(*leaf, reference)).collect())
    }

    /// The objects of a type, as far as they can be relied on.
    fn heap(&mut self, state: &State, ty: TypeId) -> Res<Tree> {
        let heap = self.get(state, Var::Heap(ty))?;
        if self.is_raw(state)? == Some(false) {
            return Ok(heap);
        }
        let raw = self.get(state, Var::RawMemory)?[0];
        let anything = self.blurred(Var::Heap(ty))?;
        Ok(self.ite(raw, &anything, &heap))
    }

    pub(crate) fn write_object(
        &mut self,
        state: &mut State,
        ty: TypeId,
        reference: TermId,
        object: &Tree,
    ) -> Res<()> {
        let heap = self.get(state, Var::Heap(ty))?;
        let heap = heap.iter().zip(object.iter()).map(|(leaf, new)| self.terms.store(*leaf, reference, *new));
        let heap: Tree = heap.collect();
        state.set(Var::Heap(ty), heap);
        Ok(())
    }

    /// The type of a member of an object, and which of the object's leaves are it.
    fn member(&mut self, ty: TypeId, key: &Key) -> Res<(TypeId, Range<usize>)> {
        match (self.program.types.get(ty).clone(), key) {
            (Type::Struct(id), Key::Field(i)) => {
                let fields = self.field_types(id);
                let mut start = 0;
                for field in &fields[..*i as usize] {
                    start += self.member_shape(*field)?.len();
                }
                let ty = fields[*i as usize];
                Ok((ty, start..start + self.member_shape(ty)?.len()))
            }
            (Type::Array { elem, len }, Key::Index(_)) => {
                let start = usize::from(len.is_none());
                Ok((elem, start..start + self.member_shape(elem)?.len()))
            }
            (Type::Bytes, Key::Index(_)) => Ok((ty, 1..2)),
            (ty, key) => Err(Unsupported::new(format!("step {key:?} into {ty:?} in memory"))),
        }
    }

    /// One member of an object: a scalar or a reference.
    pub(crate) fn load_member(
        &mut self,
        state: &State,
        ty: TypeId,
        reference: TermId,
        key: &Key,
    ) -> Res<Tree> {
        let (member_ty, leaves) = self.member(ty, key)?;
        let object = self.object(state, ty, reference)?;
        let loaded: Tree = match key {
            Key::Field(_) => object[leaves].into(),
            Key::Index(index) => {
                object[leaves].iter().map(|leaf| self.terms.select(*leaf, index[0])).collect()
            }
        };
        if !matches!(self.program.types.get(ty), Type::Bytes) {
            let shape = self.member_shape(member_ty)?;
            self.admit_loaded(&shape, &loaded);
        }
        Ok(loaded)
    }

    pub(crate) fn store_memory(
        &mut self,
        scope: &Scope,
        state: &mut State,
        place: PlaceId,
        value: &Tree,
    ) -> Res<()> {
        let place = self.program.exprs.place(place).clone();
        let Root::Memory(reference) = place.root else {
            return Err(Unsupported::new("assignment to calldata"));
        };
        let ty = self.referent(reference)?;
        let reference = self.eval(scope, reference)?[0];
        let [step] = place.steps[..] else {
            return self.overwrite_object(state, ty, reference, value);
        };
        let key = self.key(scope, step)?;
        self.store_member(state, ty, reference, &key, value)
    }

    /// Changes one member of an object.
    pub(crate) fn store_member(
        &mut self,
        state: &mut State,
        ty: TypeId,
        reference: TermId,
        key: &Key,
        value: &Tree,
    ) -> Res<()> {
        let (_, leaves) = self.member(ty, key)?;
        let mut object = self.object(state, ty, reference)?.to_vec();
        for (at, new) in leaves.zip(value.iter()) {
            object[at] = match key {
                Key::Field(_) => *new,
                Key::Index(index) => self.terms.store(object[at], index[0], *new),
            };
        }
        self.write_object(state, ty, reference, &object.into())
    }

    /// A deep value written over a whole object.
    fn overwrite_object(
        &mut self,
        state: &mut State,
        ty: TypeId,
        reference: TermId,
        value: &Tree,
    ) -> Res<()> {
        let object = self.object_of(state, ty, value)?;
        self.write_object(state, ty, reference, &object)
    }

    /// The deep value of an object: what a copy to storage carries.
    pub(crate) fn deep(&mut self, state: &State, ty: TypeId, reference: TermId) -> Res<Tree> {
        let object = self.object(state, ty, reference)?;
        match self.program.types.get(ty).clone() {
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let mut leaves = Vec::new();
                let mut at = 0;
                for field in fields {
                    let held = self.member_shape(field)?.len();
                    leaves.extend(self.deep_member(state, field, &object[at..at + held])?.iter());
                    at += held;
                }
                Ok(leaves.into())
            }
            Type::Array { elem, len } if self.program.types.get(elem).is_tree() => {
                let start = usize::from(len.is_none());
                let i = self.fresh_index();
                let inner = self.terms.select(object[start], i);
                self.open_facts.push(Vec::new());
                let element = self.deep(state, elem, inner);
                self.open_facts.pop();
                let lambdas = element?.iter().map(|leaf| self.terms.lambda(i, *leaf)).collect::<Vec<_>>();
                Ok(object[..start].iter().copied().chain(lambdas).collect())
            }
            _ => Ok(object),
        }
    }

    fn deep_member(&mut self, state: &State, ty: TypeId, held: &[TermId]) -> Res<Tree> {
        match self.program.types.get(ty) {
            Type::Mapping { .. } => self.zero(ty),
            t if t.is_tree() => self.deep(state, ty, held[0]),
            _ => Ok(held.into()),
        }
    }

    pub(crate) fn next_refs(&mut self, state: &mut State, count: TermId) -> Res<TermId> {
        let next = self.get(state, Var::NextRef)?[0];
        let after = self.terms.add(next, count);
        state.set(Var::NextRef, [after].into());
        Ok(next)
    }

    /// A new object with the given deep value.
    pub fn allocate(&mut self, state: &mut State, ty: TypeId, value: &Tree) -> Res<TermId> {
        let object = self.object_of(state, ty, value)?;
        let one = self.terms.int(1);
        let reference = self.next_refs(state, one)?;
        self.write_object(state, ty, reference, &object)?;
        Ok(reference)
    }

    /// The leaves of an object that holds a deep value; members that are trees become new objects.
    fn object_of(&mut self, state: &mut State, ty: TypeId, value: &Tree) -> Res<Tree> {
        match self.program.types.get(ty).clone() {
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let mut leaves = Vec::new();
                let mut at = 0;
                for field in fields {
                    let size = self.shape(field)?.len();
                    let part: Tree = value[at..at + size].into();
                    at += size;
                    match self.program.types.get(field) {
                        Type::Mapping { .. } => {}
                        t if t.is_tree() => leaves.push(self.allocate(state, field, &part)?),
                        _ => leaves.extend(part.iter()),
                    }
                }
                Ok(leaves.into())
            }
            Type::Array { elem, len } if self.program.types.get(elem).is_tree() => {
                let start = usize::from(len.is_none());
                let elements: Tree = value[start..].into();
                let length = match len {
                    Some(len) => self.constant(&crate::context::WORD, len),
                    None => value[0],
                };
                let references = match self.known_word(length).filter(|n| *n <= MAX_SINGLE) {
                    Some(count) => self.allocate_each(state, elem, &elements, count)?,
                    None => self.allocate_family(state, elem, &elements, length)?,
                };
                Ok(value[..start].iter().copied().chain([references]).collect())
            }
            _ => Ok(value.clone()),
        }
    }

    fn allocate_each(&mut self, state: &mut State, elem: TypeId, elements: &Tree, count: u64) -> Res<TermId> {
        let zero = self.terms.int(0);
        let word = self.word_sort();
        let mut references = self.terms.const_array(word, zero);
        for i in 0..count {
            let i = self.word(i);
            let element: Tree = elements.iter().map(|leaf| self.terms.select(*leaf, i)).collect();
            let reference = self.allocate(state, elem, &element)?;
            references = self.terms.store(references, i, reference);
        }
        Ok(references)
    }

    /// The step of a place, evaluated.
    pub(crate) fn key(&mut self, scope: &Scope, step: Step) -> Res<Key> {
        Ok(match step {
            Step::Field(i) => Key::Field(i),
            Step::Index(e) => Key::Index(self.eval(scope, e)?),
        })
    }

    pub(crate) fn fresh_index(&mut self) -> TermId {
        let sort = self.word_sort();
        self.terms.fresh_bound("i", sort)
    }

    /// `low <= i < high` for words.
    pub(crate) fn in_bounds(&mut self, i: TermId, low: TermId, high: TermId) -> TermId {
        let (from, below) = match self.terms.sort(i) {
            Sort::BitVec(_) => (self.terms.bv_ule(low, i), self.terms.bv_ult(i, high)),
            Sort::Bool | Sort::Int | Sort::Array(..) => (self.terms.le(low, i), self.terms.lt(i, high)),
        };
        self.terms.and(from, below)
    }

    pub(crate) fn as_integer(&mut self, word: TermId) -> TermId {
        match self.terms.sort(word) {
            Sort::BitVec(_) => self.terms.bv_to_int(word),
            Sort::Bool | Sort::Int | Sort::Array(..) => word,
        }
    }

    pub(crate) fn int_to_word(&mut self, int: TermId) -> TermId {
        match self.word_sort() {
            Sort::BitVec(bits) => self.terms.int_to_bv(bits, int),
            Sort::Bool | Sort::Int | Sort::Array(..) => int,
        }
    }
}
