//! `abi.encode`, `abi.encodePacked` and the form that is hashed for indexed event arguments.

use super::{Sources, ill_typed, padded};
use crate::expr::AbiMode;
use crate::ids::TypeId;
use crate::interp::value::{Run, Trap, Tree, Value, is_valid, panic_code, to_memory_word};
use crate::layout;
use crate::types::{Type, Types};
use ruint::aliases::U256;

/// Encodes arguments (each with its own type) as the given ABI types.
pub fn encode(
    sources: &Sources<'_>,
    mode: AbiMode,
    selector: Option<[u8; 4]>,
    types: &[TypeId],
    args: &[(TypeId, Value)],
) -> Run<Vec<u8>> {
    let trees = types
        .iter()
        .zip(args)
        .map(|(target, (ty, value))| sources.argument(*target, *ty, value))
        .collect::<Run<Vec<_>>>()?;
    let mut out = selector.map_or_else(Vec::new, |s| s.to_vec());
    out.extend(encode_trees(sources.types, mode, types, &trees)?);
    Ok(out)
}

/// Encodes deep values as a tuple.
pub fn encode_trees(types: &Types, mode: AbiMode, tys: &[TypeId], trees: &[Tree]) -> Run<Vec<u8>> {
    if tys.len() != trees.len() {
        return Err(ill_typed("as many ABI types as arguments expected"));
    }
    let mut out = Vec::new();
    let pairs = || tys.iter().copied().zip(trees);
    match mode {
        AbiMode::Standard => tuple(types, pairs(), &mut out)?,
        AbiMode::Packed => pairs().try_for_each(|(ty, tree)| packed(types, ty, tree, &mut out))?,
        AbiMode::Topic => pairs().try_for_each(|(ty, tree)| topic(types, ty, tree, &mut out))?,
    }
    Ok(out)
}

fn push_word(out: &mut Vec<u8>, word: U256) {
    out.extend_from_slice(&word.to_be_bytes::<32>());
}

/// The 32 bytes of a scalar. An enum value that does not exist panics, as every use of it does.
fn scalar_word(types: &Types, ty: TypeId, tree: &Tree) -> Run<U256> {
    let word = tree.word()?;
    match types.get(ty) {
        Type::Enum(_) if !is_valid(types, ty, word) => Err(Trap::Panic(panic_code::ENUM_CONVERSION)),
        _ => Ok(to_memory_word(types, ty, word)),
    }
}

/// Heads, then tails; offsets count from the first head.
fn tuple<'a>(
    types: &Types,
    items: impl Iterator<Item = (TypeId, &'a Tree)> + Clone,
    out: &mut Vec<u8>,
) -> Run<()> {
    let heads = layout::abi_heads_size(types, items.clone().map(|(ty, _)| ty));
    let heads = usize::try_from(heads).map_err(|_| Trap::OutOfGas)?;
    let mut tails = Vec::new();
    for (ty, tree) in items {
        if layout::is_dynamic_abi(types, ty) {
            push_word(out, U256::from(heads + tails.len()));
            standard(types, ty, tree, &mut tails)?;
        } else {
            standard(types, ty, tree, out)?;
        }
    }
    out.append(&mut tails);
    Ok(())
}

fn standard(types: &Types, ty: TypeId, tree: &Tree, out: &mut Vec<u8>) -> Run<()> {
    match types.get(ty) {
        Type::Bytes => {
            let bytes = tree.as_bytes()?;
            push_word(out, U256::from(bytes.len()));
            push_padded(out, bytes);
            Ok(())
        }
        Type::Array { elem, len } => {
            let items = tree.list()?;
            if len.is_none() {
                push_word(out, U256::from(items.len()));
            }
            tuple(types, items.iter().map(|item| (*elem, item)), out)
        }
        Type::Struct(id) => tuple(types, members(types, *id, tree)?, out),
        Type::MemoryRef(to) | Type::CalldataRef(to) => standard(types, *to, tree, out),
        _ => {
            push_word(out, scalar_word(types, ty, tree)?);
            Ok(())
        }
    }
}

/// Fields of a struct that can be encoded.
fn members<'a>(
    types: &'a Types,
    id: crate::ids::StructId,
    tree: &'a Tree,
) -> Run<impl Iterator<Item = (TypeId, &'a Tree)> + Clone> {
    let fields = types.structs[id].fields.iter().map(|f| f.ty);
    Ok(fields.zip(tree.list()?).filter(|(ty, _)| layout::lives_in_memory(types, *ty)))
}

fn push_padded(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(bytes);
    out.resize(out.len() + padded(bytes.len()) - bytes.len(), 0);
}

/// Scalars in as many bytes as they have, bytes as they are, array elements padded, nothing else.
fn packed(types: &Types, ty: TypeId, tree: &Tree, out: &mut Vec<u8>) -> Run<()> {
    match types.get(ty) {
        Type::Bytes => out.extend_from_slice(tree.as_bytes()?),
        Type::Array { .. } | Type::Struct(_) => in_place(types, ty, tree, out)?,
        Type::MemoryRef(to) | Type::CalldataRef(to) => packed(types, *to, tree, out)?,
        _ => {
            let word = scalar_word(types, ty, tree)?.to_be_bytes::<32>();
            let size = usize::from(layout::packed_bytes(types, ty));
            let left_aligned = matches!(types.get(ty), Type::FixedBytes(_) | Type::FnExternal);
            out.extend_from_slice(if left_aligned { &word[..size] } else { &word[32 - size..] });
        }
    }
    Ok(())
}

fn topic(types: &Types, ty: TypeId, tree: &Tree, out: &mut Vec<u8>) -> Run<()> {
    match types.get(ty) {
        Type::Bytes => {
            out.extend_from_slice(tree.as_bytes()?);
            Ok(())
        }
        Type::MemoryRef(to) | Type::CalldataRef(to) => topic(types, *to, tree, out),
        _ => in_place(types, ty, tree, out),
    }
}

/// Everything padded to words, one after the other, without lengths and offsets.
fn in_place(types: &Types, ty: TypeId, tree: &Tree, out: &mut Vec<u8>) -> Run<()> {
    match types.get(ty) {
        Type::Bytes => {
            push_padded(out, tree.as_bytes()?);
            Ok(())
        }
        Type::Array { elem, .. } => {
            tree.list()?.iter().try_for_each(|item| in_place(types, *elem, item, out))
        }
        Type::Struct(id) => {
            members(types, *id, tree)?.try_for_each(|(ty, item)| in_place(types, ty, item, out))
        }
        _ => {
            push_word(out, scalar_word(types, ty, tree)?);
            Ok(())
        }
    }
}
