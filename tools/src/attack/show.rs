//! States and values for people.

use super::slots::Slots;
use hornet_ir::U256;
use hornet_ir::ids::{ContractId, TypeId};
use hornet_ir::interp::Interpreter;
use hornet_ir::interp::storage::{self, PathStep};
use hornet_ir::interp::value::{StoragePtr, Tree, Value, element_count};
use hornet_ir::interp::world::{Address, World};
use hornet_ir::program::StateKind;
use hornet_ir::types::Type;
use std::fmt::Write;

pub fn tree(tree: &Tree) -> String {
    match tree {
        Tree::Word(word) => word_text(*word),
        Tree::Bytes(bytes) => format!("0x{}", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()),
        Tree::List(items) => format!("[{}]", items.iter().map(self::tree).collect::<Vec<_>>().join(", ")),
    }
}

fn word_text(word: U256) -> String {
    if word < U256::from(1_000_000_000u64) { word.to_string() } else { format!("0x{word:x}") }
}

/// Everything in storage that is not zero, one line each, and the balance.
pub fn state(run: &Interpreter<'_>, world: &World, contract: ContractId, this: Address) -> String {
    let program = run.program();
    let slots = Slots { world, account: this };
    let mut text = format!("    this = 0x{this:x}, balance = {}\n", word_text(world.balance(this)));
    for var in &program.contracts[contract].state {
        let var = &program.state[*var];
        if var.kind == StateKind::Storage {
            let ptr = StoragePtr { slot: var.slot, offset: var.offset, transient: false };
            show(run, &slots, ptr, var.ty, var.name.clone(), &mut text);
        }
    }
    text
}

fn show(
    run: &Interpreter<'_>,
    slots: &Slots<'_>,
    ptr: StoragePtr,
    ty: TypeId,
    name: String,
    text: &mut String,
) {
    let types = &run.program().types;
    let steps: Vec<(String, PathStep)> = match types.get(ty) {
        Type::Struct(id) => {
            let fields = types.structs[*id].fields.iter().enumerate();
            fields.map(|(i, field)| (format!("{name}.{}", field.name), PathStep::Field(i))).collect()
        }
        Type::Mapping { .. } => {
            let keys = run.keys_of(slots.account, ptr.slot).into_iter();
            let shown = |key: &Value| key.tree().map_or_else(|_| "?".to_owned(), |t| self::tree(&t));
            keys.map(|key| (format!("{name}[{}]", shown(&key)), PathStep::Index(key))).collect()
        }
        Type::Array { .. } => {
            let length = storage::length(types, slots, ptr, ty).unwrap_or(U256::ZERO);
            let _ = writeln!(text, "    {name}.length = {}", word_text(length));
            let indices = 0..element_count(length).unwrap_or(0).min(16);
            indices.map(|i| (format!("{name}[{i}]"), PathStep::Index(Value::Word(U256::from(i))))).collect()
        }
        _ => {
            if let Ok(value) = storage::load_tree(types, slots, ptr, ty)
                && value != Tree::Word(U256::ZERO)
            {
                let _ = writeln!(text, "    {name} = {}", tree(&value));
            }
            return;
        }
    };
    for (name, step) in steps {
        if let Ok((ptr, ty)) = storage::step(types, slots, ptr, ty, &step) {
            show(run, slots, ptr, ty, name, text);
        }
    }
}
