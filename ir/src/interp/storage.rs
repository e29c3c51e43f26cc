//! Typed access to the flat storage of an account, in solc's layout.

use super::arith::{clean, low_mask};
use super::value::{Run, StoragePtr, Trap, Tree, Value, element_count, panic_code};
use crate::ids::TypeId;
use crate::layout;
use crate::types::{Type, Types};
use ruint::aliases::U256;

/// Slots and words: persistent or transient storage of one account.
pub trait WordStore {
    fn load(&self, slot: U256) -> U256;
    fn store(&mut self, slot: U256, value: U256);
    /// solc's newer code generator zeroes the whole slots of a struct's small fields; the default one, only the fields.
    fn deletes_whole_slots(&self) -> bool {
        false
    }
}

/// One step of a path: a field number, or an array index or mapping key.
#[derive(Clone, Debug)]
pub enum PathStep {
    Field(usize),
    Index(Value),
}

fn ill_typed(what: &str) -> Trap {
    Trap::Unsupported(format!("ill-typed IR: {what}"))
}

fn add(slot: U256, n: U256) -> U256 {
    slot.wrapping_add(n)
}

/// Follows one step from a `ty` at `ptr`. Where an element of `bytes` is depends on their length, hence the contents.
pub fn step(
    types: &Types,
    store: &dyn WordStore,
    ptr: StoragePtr,
    ty: TypeId,
    step: &PathStep,
) -> Run<(StoragePtr, TypeId)> {
    let at = |slot: U256, offset: u8| StoragePtr { slot, offset, transient: ptr.transient };
    match (types.get(ty), step) {
        (Type::Struct(id), PathStep::Field(i)) => {
            let field = types.structs[*id].fields.get(*i).ok_or_else(|| ill_typed("no such field"))?;
            let (slot, offset) = layout::field_location(types, *id, *i);
            Ok((at(add(ptr.slot, slot), offset), field.ty))
        }
        (Type::Array { elem, len }, PathStep::Index(index)) => {
            let first = first_element(ptr, *len);
            Ok((element(types, first, *elem, index.word()?), *elem))
        }
        (Type::Mapping { value, .. }, PathStep::Index(key)) => {
            let slot = match key {
                Value::Bytes(key) => layout::mapping_slot(key, ptr.slot),
                other => layout::mapping_slot(&other.word()?.to_be_bytes::<32>(), ptr.slot),
            };
            Ok((at(slot, 0), *value))
        }
        (Type::Bytes, PathStep::Index(index)) => {
            let byte = types.find(&Type::FixedBytes(1)).ok_or_else(|| ill_typed("no type bytes1"))?;
            let (word, position) = index.word()?.div_rem(U256::from(32));
            let long = store.load(ptr.slot).bit(0);
            let slot = if long { add(layout::data_slot(ptr.slot), word) } else { ptr.slot };
            Ok((at(slot, 31 - position.to::<u8>()), byte))
        }
        _ => Err(ill_typed("a step that the type does not have")),
    }
}

/// Where the elements of an array at `ptr` start.
fn first_element(ptr: StoragePtr, len: Option<U256>) -> StoragePtr {
    let slot = if len.is_some() { ptr.slot } else { layout::data_slot(ptr.slot) };
    StoragePtr { slot, offset: 0, ..ptr }
}

fn element(types: &Types, first: StoragePtr, elem: TypeId, index: U256) -> StoragePtr {
    let (slot, offset) = layout::element_location(types, elem, index);
    StoragePtr { slot: add(first.slot, slot), offset, ..first }
}

/// Reads the scalar of type `ty` at `ptr`.
pub fn load_scalar(types: &Types, store: &dyn WordStore, ptr: StoragePtr, ty: TypeId) -> U256 {
    let bytes = usize::from(layout::packed_bytes(types, ty));
    let raw = (store.load(ptr.slot) >> (8 * usize::from(ptr.offset))) & low_mask(8 * bytes);
    match types.get(ty) {
        Type::FixedBytes(_) => raw << (256 - 8 * bytes),
        scalar => clean(scalar, raw),
    }
}

/// Writes a scalar, leaving the rest of the slot alone.
pub fn store_scalar(types: &Types, store: &mut dyn WordStore, ptr: StoragePtr, ty: TypeId, word: U256) {
    let bytes = usize::from(layout::packed_bytes(types, ty));
    let value = match types.get(ty) {
        Type::FixedBytes(_) => word >> (256 - 8 * bytes),
        scalar => clean(scalar, word),
    };
    let shift = 8 * usize::from(ptr.offset);
    let mask = low_mask(8 * bytes);
    let old = store.load(ptr.slot);
    store.store(ptr.slot, (old & !(mask << shift)) | ((value & mask) << shift));
}

/// The contents at `ptr`: a word, bytes, or a deep value.
pub fn load(types: &Types, store: &dyn WordStore, ptr: StoragePtr, ty: TypeId) -> Run<Value> {
    load_tree(types, store, ptr, ty).map(Value::from)
}

pub fn load_tree(types: &Types, store: &dyn WordStore, ptr: StoragePtr, ty: TypeId) -> Run<Tree> {
    match types.get(ty) {
        Type::Bytes => Ok(Tree::Bytes(load_bytes(store, ptr.slot)?.into())),
        Type::Array { elem, len } => {
            let count = element_count(length(types, store, ptr, ty)?)?;
            let first = first_element(ptr, *len);
            let items = (0..count)
                .map(|i| load_tree(types, store, element(types, first, *elem, U256::from(i)), *elem));
            Ok(Tree::List(items.collect::<Run<_>>()?))
        }
        Type::Struct(id) => {
            let items = (0..types.structs[*id].fields.len()).map(|i| {
                let (ptr, field) = step(types, store, ptr, ty, &PathStep::Field(i))?;
                if layout::lives_in_memory(types, field) {
                    load_tree(types, store, ptr, field)
                } else {
                    Tree::default_of(types, field)
                }
            });
            Ok(Tree::List(items.collect::<Run<_>>()?))
        }
        Type::Mapping { .. } => Ok(Tree::Word(U256::ZERO)),
        _ => Ok(Tree::Word(load_scalar(types, store, ptr, ty))),
    }
}

/// Replaces what is at `ptr`, as an assignment does: resizes, clears surplus elements, skips mappings.
pub fn store(
    types: &Types,
    store: &mut dyn WordStore,
    ptr: StoragePtr,
    ty: TypeId,
    value: &Value,
) -> Run<()> {
    match value {
        Value::Word(word) if !types.get(ty).is_tree() => {
            store_scalar(types, store, ptr, ty, *word);
            Ok(())
        }
        other => store_tree(types, store, ptr, ty, &other.tree()?),
    }
}

pub fn store_tree(
    types: &Types,
    store: &mut dyn WordStore,
    ptr: StoragePtr,
    ty: TypeId,
    tree: &Tree,
) -> Run<()> {
    match types.get(ty) {
        Type::Bytes => store_bytes(store, ptr.slot, tree.as_bytes()?),
        Type::Array { elem, len } => {
            let items = tree.list()?;
            let count = U256::from(items.len());
            if len.is_none() {
                set_length(types, store, ptr, ty, count)?;
            }
            let first = first_element(ptr, *len);
            for (i, item) in items.iter().enumerate() {
                let at = element(types, first, *elem, U256::from(i));
                if fills_slot(types, *elem) {
                    store.store(at.slot, clean(types.get(*elem), item.word()?));
                } else {
                    store_tree(types, store, at, *elem, item)?;
                }
            }
            // A shorter array assigned to a longer fixed one: the rest is cleared.
            clear_elements(types, store, first, *elem, count, len.unwrap_or(count))
        }
        Type::Struct(_) => {
            for (i, item) in tree.list()?.iter().enumerate() {
                let (at, field) = step(types, store, ptr, ty, &PathStep::Field(i))?;
                if layout::lives_in_memory(types, field) {
                    store_tree(types, store, at, field, item)?;
                }
            }
            Ok(())
        }
        Type::Mapping { .. } => Ok(()),
        _ => {
            store_scalar(types, store, ptr, ty, tree.word()?);
            Ok(())
        }
    }
}

/// Integers too wide to share a slot: copies of arrays write the whole slot, sign bits included, where a single
/// assignment leaves the rest of the slot alone.
fn fills_slot(types: &Types, elem: TypeId) -> bool {
    matches!(types.get(elem), Type::Int { .. }) && layout::items_per_slot(types, elem) == 1
}

/// Zeroes what is at `ptr`, except mappings.
pub fn delete(types: &Types, store: &mut dyn WordStore, ptr: StoragePtr, ty: TypeId) -> Run<()> {
    match types.get(ty) {
        Type::Bytes => store_bytes(store, ptr.slot, &[]),
        Type::Array { len: None, .. } => set_length(types, store, ptr, ty, U256::ZERO),
        Type::Array { elem, len: Some(len) } => clear_elements(types, store, ptr, *elem, U256::ZERO, *len),
        Type::Struct(id) => {
            for i in 0..types.structs[*id].fields.len() {
                let (at, field) = step(types, store, ptr, ty, &PathStep::Field(i))?;
                if store.deletes_whole_slots() && types.get(field).is_scalar() {
                    store.store(at.slot, U256::ZERO);
                } else {
                    delete(types, store, at, field)?;
                }
            }
            Ok(())
        }
        Type::Mapping { .. } => Ok(()),
        _ => {
            store_scalar(types, store, ptr, ty, U256::ZERO);
            Ok(())
        }
    }
}

/// True for mappings and fixed arrays of them: deleting one changes nothing.
fn is_untouchable(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Mapping { .. } => true,
        Type::Array { elem, len: Some(_) } => is_untouchable(types, *elem),
        _ => false,
    }
}

/// Zeroes elements `from..to` of an array whose first element is at `first`.
fn clear_elements(
    types: &Types,
    store: &mut dyn WordStore,
    first: StoragePtr,
    elem: TypeId,
    from: U256,
    to: U256,
) -> Run<()> {
    if from >= to || is_untouchable(types, elem) {
        return Ok(());
    }
    if layout::packed_bytes(types, elem) == 32 {
        for i in 0..element_count(to - from)? {
            delete(types, store, element(types, first, elem, from + U256::from(i)), elem)?;
        }
        return Ok(());
    }
    // Scalars that may share slots: whole slots, but for what stays in the first of them.
    let start = element(types, first, elem, from);
    if start.offset > 0 {
        let kept = low_mask(8 * usize::from(start.offset));
        store.store(start.slot, store.load(start.slot) & kept);
    }
    let whole = layout::array_slots(types, elem, from);
    clear_slots(store, first.slot, whole, layout::array_slots(types, elem, to))
}

/// The length of the array or bytes at `ptr`.
pub fn length(types: &Types, store: &dyn WordStore, ptr: StoragePtr, ty: TypeId) -> Run<U256> {
    match types.get(ty) {
        Type::Array { len: Some(len), .. } => Ok(*len),
        Type::Bytes => bytes_length(store.load(ptr.slot)),
        _ => Ok(store.load(ptr.slot)),
    }
}

/// Resizes the dynamic array or bytes at `ptr`: shrinking clears, growing only sets the length.
pub fn set_length(
    types: &Types,
    store: &mut dyn WordStore,
    ptr: StoragePtr,
    ty: TypeId,
    length: U256,
) -> Run<()> {
    match types.get(ty) {
        Type::Array { elem, len: None } => {
            let old = store.load(ptr.slot);
            store.store(ptr.slot, length);
            clear_elements(types, store, first_element(ptr, None), *elem, length, old)
        }
        Type::Bytes => set_bytes_length(store, ptr.slot, length),
        _ => Err(ill_typed("length of something that has none")),
    }
}

// ---- bytes: up to 31 in the slot itself with twice the length in the lowest byte, else elsewhere ----

const LONG: U256 = U256::from_limbs([32, 0, 0, 0]);

fn bytes_length(head: U256) -> Run<U256> {
    let long = head.bit(0);
    let length = if long { head >> 1 } else { (head & U256::from(0xff)) >> 1 };
    if long == (length < LONG) { Err(Trap::Panic(panic_code::STORAGE_ENCODING)) } else { Ok(length) }
}

fn words(length: U256) -> U256 {
    length.wrapping_add(U256::from(31)) >> 5
}

/// The `n` most significant bytes.
fn leading(word: U256, n: usize) -> U256 {
    if n == 0 { U256::ZERO } else { word & !low_mask(256 - 8 * n.min(32)) }
}

pub fn load_bytes(store: &dyn WordStore, slot: U256) -> Run<Vec<u8>> {
    let head = store.load(slot);
    let length = bytes_length(head)?;
    let count = element_count(length)?;
    if length < LONG {
        return Ok(head.to_be_bytes::<32>()[..count].to_vec());
    }
    let first = layout::data_slot(slot);
    let mut out = Vec::with_capacity(count.next_multiple_of(32));
    for i in 0..count.div_ceil(32) {
        out.extend_from_slice(&store.load(add(first, U256::from(i))).to_be_bytes::<32>());
    }
    out.truncate(count);
    Ok(out)
}

pub fn store_bytes(store: &mut dyn WordStore, slot: U256, contents: &[u8]) -> Run<()> {
    let old = bytes_length(store.load(slot))?;
    let length = U256::from(contents.len());
    let first = layout::data_slot(slot);
    if old >= LONG {
        let kept = if length < LONG { U256::ZERO } else { words(length) };
        clear_slots(store, first, kept, words(old))?;
    }
    let chunk = |bytes: &[u8]| {
        let mut word = [0; 32];
        word[..bytes.len()].copy_from_slice(bytes);
        U256::from_be_bytes(word)
    };
    if length < LONG {
        store.store(slot, chunk(contents) | (length << 1));
        return Ok(());
    }
    for (i, bytes) in contents.chunks(32).enumerate() {
        store.store(add(first, U256::from(i)), chunk(bytes));
    }
    store.store(slot, (length << 1) | U256::ONE);
    Ok(())
}

fn clear_slots(store: &mut dyn WordStore, first: U256, from: U256, to: U256) -> Run<()> {
    for i in 0..element_count(to.saturating_sub(from))? {
        store.store(add(first, from + U256::from(i)), U256::ZERO);
    }
    Ok(())
}

fn set_bytes_length(store: &mut dyn WordStore, slot: U256, length: U256) -> Run<()> {
    let head = store.load(slot);
    let old = bytes_length(head)?;
    let first = layout::data_slot(slot);
    let long_head = |length: U256| (length << 1) | U256::ONE;
    match (old >= LONG, length >= LONG) {
        (false, false) => {
            let kept = old.min(length).to::<usize>();
            store.store(slot, leading(head, kept) | (length << 1));
        }
        (false, true) => {
            store.store(first, leading(head, old.to::<usize>()));
            store.store(slot, long_head(length));
        }
        (true, false) => {
            let contents = store.load(first);
            clear_slots(store, first, U256::ZERO, words(old))?;
            store.store(slot, leading(contents, length.to::<usize>()) | (length << 1));
        }
        (true, true) => {
            store.store(slot, long_head(length));
            if length < old {
                clear_slots(store, first, words(length), words(old))?;
                let rest = length % LONG;
                if !rest.is_zero() {
                    let last = add(first, words(length) - U256::ONE);
                    store.store(last, leading(store.load(last), rest.to::<usize>()));
                }
            }
        }
    }
    Ok(())
}
