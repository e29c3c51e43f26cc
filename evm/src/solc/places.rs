//! solc's source maps, and its numbers for declarations.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::compiler::{Immutable, Place, Places};

/// The sources by the numbers that maps use. Numbers beyond them stand for code that solc writes itself.
pub(super) struct Files(BTreeMap<u64, Arc<str>>);

/// Where each declaration is, by the number of its node.
pub(super) type Declarations = BTreeMap<u64, Place>;

impl Files {
    pub fn new(names: &BTreeMap<u64, String>) -> Files {
        Files(names.iter().map(|(id, name)| (*id, name.as_str().into())).collect())
    }

    fn place(&self, start: i64, length: i64, file: i64) -> Option<Place> {
        let file = self.0.get(&u64::try_from(file).ok()?)?.clone();
        let (start, length) = (u32::try_from(start).ok()?, u32::try_from(length).ok()?);
        Some(Place { file, start, end: start.checked_add(length)? })
    }

    /// A map lists `start:length:file:jump:depth` per instruction; what is left out is as before.
    pub fn places(&self, code: &[u8], map: &str) -> Places {
        if map.is_empty() {
            return Places::default();
        }
        let mut fields = [-1i64; 3];
        let places = map.split(';').map(|entry| {
            for (field, text) in fields.iter_mut().zip(entry.split(':')) {
                *field = text.parse().unwrap_or(*field);
            }
            self.place(fields[0], fields[1], fields[2])
        });
        Places::of_instructions(code, places)
    }

    fn of_src(&self, src: &str) -> Option<Place> {
        let mut numbers = src.split(':').map(|n| n.parse::<i64>().ok());
        self.place(numbers.next()??, numbers.next()??, numbers.next()??)
    }
}

/// All nodes of the trees that declare variables.
pub(super) fn declarations<'a>(files: &Files, trees: impl Iterator<Item = &'a Value>) -> Declarations {
    let mut found = Declarations::new();
    let mut open: Vec<&Value> = trees.collect();
    while let Some(node) = open.pop() {
        match node {
            Value::Object(fields) => {
                if fields.get("nodeType").and_then(Value::as_str) == Some("VariableDeclaration") {
                    let id = fields.get("id").and_then(Value::as_u64);
                    let src = fields.get("src").and_then(Value::as_str);
                    found.extend(id.zip(src.and_then(|src| files.of_src(src))));
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found
}

/// What `immutableReferences` says, for declarations that are known.
pub(super) fn immutables(evm: &Value, declarations: &Declarations) -> Vec<Immutable> {
    let references = evm.pointer("/deployedBytecode/immutableReferences").and_then(Value::as_object);
    let mut found = Vec::new();
    for (id, places) in references.into_iter().flatten() {
        let Some(declared) = id.parse().ok().and_then(|id: u64| declarations.get(&id)) else { continue };
        let offsets = places.as_array().into_iter().flatten();
        let offsets = offsets.filter_map(|p| usize::try_from(p.get("start")?.as_u64()?).ok());
        found.extend(offsets.map(|offset| Immutable { declared: declared.clone(), offset }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_repeat_what_they_leave_out() {
        let files = Files::new(&BTreeMap::from([(0, "a.sol".to_owned())]));
        let code = [0x01; 6];
        let places = files.places(&code, "5:3:0:-:0;;7;:1;-1:-1:-1;9:2:1:i");
        let seen: Vec<_> = (0..6).map(|at| places.at(at).map(|p| (p.start, p.end))).collect();
        assert_eq!(seen, [Some((5, 8)), Some((5, 8)), Some((7, 10)), Some((7, 8)), None, None]);
    }
}
