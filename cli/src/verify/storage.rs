//! What the slots of an account mean: variables, and the elements of mappings that a run is about.

use crate::run::value::{Names, show};
use hornet_ir::U256;
use hornet_ir::ids::{ContractId, TypeId};
use hornet_ir::interp::storage::{PathStep, WordStore, load_tree, step};
use hornet_ir::interp::value::{StoragePtr, Tree, Value, is_valid};
use hornet_ir::program::{Program, StateKind};
use hornet_ir::trace::{Action, Step, Trace};
use hornet_ir::types::Type;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// More keys than this are not tried.
const MOST_KEYS: usize = 48;
/// Mappings in mappings in mappings are not looked into any further.
const DEEPEST: usize = 2;

/// A name or an expression such as `balances[0x05]`, and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    pub name: String,
    pub value: String,
}

/// What mappings may have been accessed with: everything that a run mentions.
pub struct Keys {
    words: BTreeSet<U256>,
    bytes: BTreeSet<Vec<u8>>,
}

impl Keys {
    pub fn of(trace: &Trace) -> Keys {
        let mut keys = Keys { words: BTreeSet::from([trace.this]), bytes: BTreeSet::new() };
        let mut work: Vec<&Step> = trace.steps.iter().collect();
        while let Some(step) = work.pop() {
            keys.words.extend([step.caller, step.origin]);
            keys.words.extend(step.whose.map(|(_, address)| address));
            if let Action::Deploy { args } | Action::Call { args, .. } = &step.action {
                args.iter().for_each(|arg| keys.add(arg));
            }
            keys.words.extend(step.environment.iter().map(|(_, value)| *value));
            for outside in &step.outside {
                keys.words.insert(outside.target);
                work.extend(&outside.reenters);
            }
        }
        keys.with_counters()
    }

    /// These words, whatever they are.
    pub fn among(words: impl IntoIterator<Item = U256>) -> Keys {
        Keys { words: words.into_iter().collect(), bytes: BTreeSet::new() }.with_counters()
    }

    /// Counters begin somewhere.
    fn with_counters(mut self) -> Keys {
        self.words.extend([U256::ZERO, U256::ONE, U256::from(2)]);
        self
    }

    fn add(&mut self, tree: &Tree) {
        match tree {
            Tree::Word(word) => {
                self.words.insert(*word);
            }
            Tree::Bytes(bytes) => {
                self.bytes.insert(bytes.to_vec());
            }
            Tree::List(items) => items.iter().for_each(|item| self.add(item)),
        }
    }

    /// Those that a mapping with keys of this type takes.
    fn fitting(&self, program: &Program, ty: TypeId) -> Vec<Tree> {
        match program.types.get(ty) {
            Type::Bytes => {
                self.bytes.iter().take(MOST_KEYS).map(|b| Tree::Bytes(b.as_slice().into())).collect()
            }
            _ => {
                let fits = self.words.iter().filter(|word| is_valid(&program.types, ty, **word));
                fits.take(MOST_KEYS).map(|word| Tree::Word(*word)).collect()
            }
        }
    }
}

/// Slots that are only read.
struct Slots<'s>(&'s BTreeMap<U256, U256>);

impl WordStore for Slots<'_> {
    fn load(&self, slot: U256) -> U256 {
        self.0.get(&slot).copied().unwrap_or_default()
    }

    fn store(&mut self, _: U256, _: U256) {}
}

/// Everything in the storage of a contract that has a name.
pub fn bindings(
    program: &Program,
    contract: ContractId,
    slots: &BTreeMap<U256, U256>,
    keys: &Keys,
    names: &Names,
) -> Vec<Binding> {
    let mut reader = Reader { program, slots: Slots(slots), keys, names, found: Vec::new() };
    for var in &program.contracts[contract].state {
        let decl = &program.state[*var];
        if decl.kind == StateKind::Storage {
            let at = StoragePtr { slot: decl.slot, offset: decl.offset, transient: false };
            reader.read(&decl.name, at, decl.ty, 0);
        }
    }
    reader.found
}

struct Reader<'r> {
    program: &'r Program,
    slots: Slots<'r>,
    keys: &'r Keys,
    names: &'r Names,
    found: Vec<Binding>,
}

impl Reader<'_> {
    fn read(&mut self, name: &str, at: StoragePtr, ty: TypeId, depth: usize) {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Mapping { key, .. } if depth < DEEPEST => {
                for tree in self.keys.fitting(self.program, *key) {
                    let name = format!("{name}[{}]", show(self.program, *key, &tree, self.names));
                    let next = PathStep::Index(Value::from(tree));
                    if let Ok((at, ty)) = step(types, &self.slots, at, ty, &next) {
                        self.read(&name, at, ty, depth + 1);
                    }
                }
            }
            Type::Mapping { .. } => {}
            Type::Struct(id) => {
                for (i, field) in types.structs[*id].fields.iter().enumerate() {
                    if let Ok((at, ty)) = step(types, &self.slots, at, ty, &PathStep::Field(i)) {
                        self.read(&format!("{name}.{}", field.name), at, ty, depth);
                    }
                }
            }
            _ => {
                if let Ok(tree) = load_tree(types, &self.slots, at, ty) {
                    let value = show(self.program, ty, &tree, self.names);
                    self.found.push(Binding { name: name.to_owned(), value });
                }
            }
        }
    }
}

/// What differs; both are about the same variables and keys.
pub fn changed(before: &[Binding], after: &[Binding]) -> Vec<Binding> {
    after
        .iter()
        .zip(before)
        .filter(|(after, before)| after != before)
        .map(|(after, _)| after.clone())
        .collect()
}
