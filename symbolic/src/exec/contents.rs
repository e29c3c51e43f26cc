//! Storage of the contract as a model has it, in slots.

use std::collections::BTreeMap;
use std::rc::Rc;

use hornet_ir::U256;
use hornet_ir::ids::{StateVarId, TypeId};
use hornet_ir::interp::storage::{WordStore, store_scalar};
use hornet_ir::interp::value::StoragePtr;
use hornet_ir::layout;
use hornet_ir::program::StateKind;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::executor::Executor;
use super::reading::Reading;
use crate::{Tree, Var};

/// A scalar of storage that conditions mention.
#[derive(Clone, Debug)]
pub struct Read {
    var: StateVarId,
    leaf: usize,
    indices: Vec<TermId>,
    value: TermId,
}

/// What is in the contract's variables before anything happens.
pub fn initial_storage(ex: &mut Executor<'_>) -> Vec<(StateVarId, Tree)> {
    let vars = ex.program.contracts[ex.contract].state.iter();
    vars.filter_map(|var| Some((*var, ex.cx.initial(Var::State(*var)).ok()?))).collect()
}

/// The scalars that terms mention of variables with these contents, which are symbols.
pub fn reads(ex: &mut Executor<'_>, storage: &[(StateVarId, Tree)], roots: &[TermId]) -> Vec<Read> {
    let mut symbols = FxHashMap::default();
    for (var, leaves) in storage {
        symbols.extend(leaves.iter().enumerate().map(|(leaf, term)| (*term, (*var, leaf))));
    }
    let values = looked_up(&mut ex.cx.terms, roots);
    let read = |value: TermId| {
        let (root, indices) = selected(&ex.cx.terms, value);
        let (var, leaf) = symbols.get(&root)?;
        Some(Read { var: *var, leaf: *leaf, indices, value })
    };
    values.into_iter().filter_map(read).collect()
}

/// Symbols, and elements of symbols, that the values of terms depend on. What is selected from an array that was
/// written to may have been there before.
pub fn looked_up(terms: &mut Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut scalars = Vec::new();
    terms.walk(roots, |term| {
        let reads = matches!(terms.op(term), Op::Select | Op::Symbol(_));
        if reads && !matches!(terms.sort(term), Sort::Array(..)) {
            scalars.push(term);
        }
    });
    let mut before = FxHashMap::default();
    let mut found: Vec<TermId> = Vec::new();
    for scalar in scalars {
        found.extend(origins(terms, scalar, &mut before).iter());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What a term is where nothing was written, with the same indices.
fn origins(terms: &mut Terms, term: TermId, before: &mut FxHashMap<TermId, Rc<[TermId]>>) -> Rc<[TermId]> {
    if let Some(known) = before.get(&term) {
        return known.clone();
    }
    let args = terms.args(term).to_vec();
    let found: Rc<[TermId]> = match terms.op(term) {
        Op::Symbol(_) => [term].into(),
        Op::Store => origins(terms, args[0], before),
        Op::Ite => {
            let (then, other) = (origins(terms, args[1], before), origins(terms, args[2], before));
            then.iter().chain(other.iter().filter(|o| !then.contains(o))).copied().collect()
        }
        Op::Select => {
            let arrays = origins(terms, args[0], before);
            arrays.iter().map(|array| terms.select(*array, args[1])).collect()
        }
        _ => [].into(),
    };
    before.insert(term, found.clone());
    found
}

/// What is selected from, and by which indices.
pub fn selected(terms: &Terms, mut term: TermId) -> (TermId, Vec<TermId>) {
    let mut indices = Vec::new();
    while let (Op::Select, &[array, index]) = (terms.op(term), terms.args(term)) {
        indices.push(index);
        term = array;
    }
    indices.reverse();
    (term, indices)
}

impl Read {
    /// Everything whose value is needed.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        self.indices.iter().copied().chain([self.value])
    }
}

/// What a model says about storage and immutables.
#[derive(Default)]
pub struct Contents {
    pub slots: BTreeMap<U256, U256>,
    pub immutables: Vec<(StateVarId, U256)>,
    strings: BTreeMap<U256, Text>,
}

#[derive(Default)]
struct Text {
    length: usize,
    bytes: BTreeMap<usize, u8>,
}

impl WordStore for Contents {
    fn load(&self, slot: U256) -> U256 {
        self.slots.get(&slot).copied().unwrap_or(U256::ZERO)
    }

    fn store(&mut self, slot: U256, value: U256) {
        self.slots.insert(slot, value);
    }
}

/// Longer byte strings are cut.
const LONGEST: usize = 1 << 12;

impl Contents {
    pub fn of(reading: &mut Reading<'_, '_, '_>, reads: &[Read]) -> Contents {
        let mut contents = Contents::default();
        for read in reads {
            contents.add(reading, read);
        }
        contents.write_strings();
        contents
    }

    /// What has no place in storage is left out.
    fn add(&mut self, reading: &mut Reading<'_, '_, '_>, read: &Read) -> Option<()> {
        let decl = &reading.ex.program.state[read.var];
        if decl.kind == StateKind::Immutable {
            let ty = reading.ex.program.types.get(decl.ty).clone();
            let value = reading.scalar(&ty, read.value);
            self.immutables.push((read.var, value));
            return Some(());
        }
        let mut ptr = StoragePtr { slot: decl.slot, offset: decl.offset, transient: false };
        let (mut ty, mut leaf) = (decl.ty, read.leaf);
        let mut indices = read.indices.iter().copied();
        loop {
            match reading.ex.program.types.get(ty).clone() {
                Type::Struct(id) => {
                    let fields = reading.ex.program.types.structs[id].fields.clone();
                    let mut at = 0;
                    loop {
                        let size = reading.ex.cx.shape(fields.get(at)?.ty).ok()?.len();
                        if leaf < size {
                            break;
                        }
                        (leaf, at) = (leaf - size, at + 1);
                    }
                    let (slot, offset) = layout::field_location(&reading.ex.program.types, id, at);
                    ptr = StoragePtr { slot: ptr.slot.wrapping_add(slot), offset, ..ptr };
                    ty = fields[at].ty;
                }
                Type::Array { len: None, .. } if leaf == 0 => {
                    let length = reading.word(read.value);
                    self.store(ptr.slot, length);
                    return Some(());
                }
                Type::Array { elem, len } => {
                    let index = reading.word(indices.next()?);
                    let first = if len.is_some() { ptr.slot } else { layout::data_slot(ptr.slot) };
                    leaf -= usize::from(len.is_none());
                    let (slot, offset) = layout::element_location(&reading.ex.program.types, elem, index);
                    ptr = StoragePtr { slot: first.wrapping_add(slot), offset, ..ptr };
                    ty = elem;
                }
                Type::Mapping { key, value } => {
                    let key_ty = reading.ex.program.types.get(key).clone();
                    if !key_ty.is_scalar() {
                        return None;
                    }
                    let key = reading.scalar(&key_ty, indices.next()?);
                    let slot = layout::mapping_slot(&key.to_be_bytes::<32>(), ptr.slot);
                    ptr = StoragePtr { slot, offset: 0, ..ptr };
                    ty = value;
                }
                Type::Bytes => return self.add_text(reading, ptr.slot, leaf, indices.next(), read.value),
                scalar => return self.add_scalar(reading, ptr, ty, &scalar, read.value),
            }
        }
    }

    fn add_scalar(
        &mut self,
        reading: &mut Reading<'_, '_, '_>,
        ptr: StoragePtr,
        ty: TypeId,
        scalar: &Type,
        value: TermId,
    ) -> Option<()> {
        let word = reading.scalar(scalar, value);
        store_scalar(&reading.ex.program.types, self, ptr, ty, word);
        Some(())
    }

    fn add_text(
        &mut self,
        reading: &mut Reading<'_, '_, '_>,
        slot: U256,
        leaf: usize,
        index: Option<TermId>,
        value: TermId,
    ) -> Option<()> {
        let text = self.strings.entry(slot).or_default();
        if leaf == 0 {
            text.length = usize::try_from(reading.word(value)).ok().filter(|n| *n <= LONGEST)?;
        } else {
            let index = usize::try_from(reading.word(index?)).ok().filter(|n| *n < LONGEST)?;
            let byte = reading.number(value);
            text.bytes.insert(index, u8::try_from(byte).unwrap_or(0));
        }
        Some(())
    }

    fn write_strings(&mut self) {
        for (slot, text) in std::mem::take(&mut self.strings) {
            let mut bytes: Vec<u8> =
                (0..text.length).map(|at| text.bytes.get(&at).copied().unwrap_or(0)).collect();
            bytes.resize(text.length.next_multiple_of(32), 0);
            let words: Vec<U256> = bytes.chunks(32).map(U256::from_be_slice).collect();
            let length = U256::from(text.length);
            if text.length < 32 {
                let word = words.first().copied().unwrap_or(U256::ZERO);
                self.store(slot, word | (length << 1));
                continue;
            }
            self.store(slot, (length << 1) | U256::ONE);
            let first = layout::data_slot(slot);
            for (at, word) in words.into_iter().enumerate() {
                self.store(first.wrapping_add(U256::from(at)), word);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_a_write_is_looked_up() {
        let mut terms = Terms::new();
        let map = terms.symbol("map", Sort::array(Sort::Int, Sort::Int));
        let [i, j, v] = ["i", "j", "v"].map(|name| terms.symbol(name, Sort::Int));
        let written = terms.store(map, i, v);
        let read = terms.select(written, j);
        let zero = terms.int(0);
        let root = terms.eq(read, zero);
        let before = terms.select(map, j);
        let found = looked_up(&mut terms, &[root]);
        assert!(found.contains(&before));
        assert_eq!(selected(&terms, before), (map, vec![j]));
        assert!([i, j, v].iter().all(|symbol| found.contains(symbol)));
    }
}
