//! Any number of objects in memory made at once, and with them the objects that their members refer to.
//!
//! The objects of a family are told apart by indices. References are numbers without meaning, so that object (i, j) gets
//! the number `base + i * width + j`, where `width` is more than j can ever be: numbers in between stay unused.

use crate::context::{Context, Res};
use crate::state::{State, Var};
use crate::tree::Tree;
use hornet_ir::U256;
use hornet_ir::ids::TypeId;
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use num_bigint::{BigInt, Sign};

/// How the objects of a family are numbered.
#[derive(Clone)]
struct Numbering {
    /// How many values the first index has.
    count: TermId,
    /// How many values each further index can have.
    widths: Vec<BigInt>,
}

impl Context<'_> {
    /// New objects for the elements of an array, whose deep values are the leaves of `elements` at each index. The result
    /// is the array of their references.
    pub(crate) fn allocate_family(
        &mut self,
        state: &mut State,
        elem: TypeId,
        elements: &Tree,
        length: TermId,
    ) -> Res<TermId> {
        let count = self.as_integer(length);
        let base = self.allocate_numbered(state, elem, elements, &Numbering { count, widths: Vec::new() })?;
        let i = self.fresh_index();
        let offset = self.as_integer(i);
        let reference = self.terms.add(base, offset);
        Ok(self.terms.lambda(i, reference))
    }

    /// The first reference of new objects whose deep values `values` holds at each list of indices.
    fn allocate_numbered(
        &mut self,
        state: &mut State,
        ty: TypeId,
        values: &Tree,
        numbering: &Numbering,
    ) -> Res<TermId> {
        let size = self.terms.int(numbering.widths.iter().product::<BigInt>());
        let size = self.terms.mul(size, numbering.count);
        let base = self.next_refs(state, size)?;
        let r = self.terms.fresh_bound("r", Sort::Int);
        let offset = self.terms.sub(r, base);
        let object = self.numbered_object(state, ty, values, numbering, offset)?;
        let end = self.terms.add(base, size);
        let (from, below) = (self.terms.le(base, r), self.terms.lt(r, end));
        let is_new = self.terms.and(from, below);
        let heap = self.get(state, Var::Heap(ty))?;
        let mut changed = Vec::new();
        for (old, new) in heap.iter().zip(object) {
            let old = self.terms.select(*old, r);
            let body = self.terms.ite(is_new, new, old);
            changed.push(self.terms.lambda(r, body));
        }
        state.set(Var::Heap(ty), changed.into());
        Ok(base)
    }

    /// The leaves of the object with a given number; families of the objects that its members refer to are made.
    fn numbered_object(
        &mut self,
        state: &mut State,
        ty: TypeId,
        values: &Tree,
        numbering: &Numbering,
        offset: TermId,
    ) -> Res<Vec<TermId>> {
        let indices = self.indices_of(numbering, offset);
        match self.program.types.get(ty).clone() {
            Type::Struct(id) => {
                let mut leaves = Vec::new();
                let mut at = 0;
                for field in self.field_types(id) {
                    let part: Tree = values[at..at + self.shape(field)?.len()].into();
                    at += part.len();
                    match self.program.types.get(field) {
                        Type::Mapping { .. } => {}
                        t if t.is_tree() => {
                            let base = self.allocate_numbered(state, field, &part, numbering)?;
                            leaves.push(self.terms.add(base, offset));
                        }
                        _ => leaves.extend(part.iter().map(|leaf| self.select_all(*leaf, &indices))),
                    }
                }
                Ok(leaves)
            }
            Type::Array { elem, len } if self.program.types.get(elem).is_tree() => {
                let start = usize::from(len.is_none());
                let width = self.width(len);
                let mut inner = numbering.clone();
                inner.widths.push(width.clone());
                let base = self.allocate_numbered(state, elem, &values[start..].into(), &inner)?;
                let mut leaves: Vec<TermId> =
                    values[..start].iter().map(|leaf| self.select_all(*leaf, &indices)).collect();
                leaves.push(self.references_from(base, offset, width));
                Ok(leaves)
            }
            _ => Ok(values.iter().map(|leaf| self.select_all(*leaf, &indices)).collect()),
        }
    }

    /// More than any index into an array of this length.
    fn width(&self, len: Option<U256>) -> BigInt {
        let number = |word: U256| BigInt::from_bytes_be(Sign::Plus, &word.to_be_bytes::<32>());
        len.map_or_else(|| number(self.wild.longest()) + 1, number)
    }

    /// The references of an array that is itself number `offset` of its family.
    fn references_from(&mut self, base: TermId, offset: TermId, width: BigInt) -> TermId {
        let width = self.terms.int(width);
        let skipped = self.terms.mul(width, offset);
        let first = self.terms.add(base, skipped);
        let j = self.fresh_index();
        let within = self.as_integer(j);
        let reference = self.terms.add(first, within);
        self.terms.lambda(j, reference)
    }

    /// The indices that a number stands for, the outermost first.
    fn indices_of(&mut self, numbering: &Numbering, offset: TermId) -> Vec<TermId> {
        let mut rest = offset;
        let mut indices = Vec::new();
        for width in numbering.widths.iter().rev() {
            let width = self.terms.int(width.clone());
            indices.push(self.terms.modulo(rest, width));
            rest = self.terms.div(rest, width);
        }
        indices.push(rest);
        indices.reverse();
        indices.into_iter().map(|index| self.int_to_word(index)).collect()
    }
}
