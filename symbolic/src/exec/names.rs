//! What the leaves of a value are called in the source.

use super::notation::Format;
use hornet_ir::ids::TypeId;
use hornet_ir::program::Program;
use hornet_ir::types::Type;

/// Text and indices, alternating: `accounts[`, index, `].balance`.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// One more than there are indices.
    texts: Vec<String>,
    indices: Vec<Format>,
}

impl Pattern {
    pub fn plain(name: &str) -> Self {
        Pattern { texts: vec![name.to_owned()], indices: Vec::new() }
    }

    fn and(&self, text: &str) -> Self {
        let mut longer = self.clone();
        if let Some(last) = longer.texts.last_mut() {
            last.push_str(text);
        }
        longer
    }

    pub fn indexed(&self, index: Format) -> Self {
        let mut longer = self.and("[");
        longer.indices.push(index);
        longer.texts.push("]".to_owned());
        longer
    }

    /// Whether both name the same thing, given the same indices.
    pub fn is_same_place(&self, other: &Pattern) -> bool {
        self.texts == other.texts
    }

    pub fn indices(&self) -> &[Format] {
        &self.indices
    }

    /// The name with these indices in it.
    pub fn with(&self, indices: &[String]) -> String {
        let mut name = self.texts[0].clone();
        for (index, text) in indices.iter().zip(&self.texts[1..]) {
            name.push_str(index);
            name.push_str(text);
        }
        name
    }
}

const COUNT: Format = Format::Number { signed: false, bits: 256 };
const MAX_DEPTH: usize = 8;

/// A name and a notation for each leaf of a value of type `ty`, in the order of its shape; `None` for leaves that have
/// no name in the source, or no notation.
pub fn leaf_names(program: &Program, ty: TypeId, name: &Pattern) -> Vec<Option<(Pattern, Format)>> {
    let mut names = Vec::new();
    add(program, ty, name, 0, &mut names);
    names
}

fn add(
    program: &Program,
    ty: TypeId,
    name: &Pattern,
    depth: usize,
    names: &mut Vec<Option<(Pattern, Format)>>,
) {
    if depth > MAX_DEPTH {
        return;
    }
    match program.types.get(ty) {
        Type::Struct(id) => {
            for field in &program.types.structs[*id].fields {
                add(program, field.ty, &name.and(&format!(".{}", field.name)), depth + 1, names);
            }
        }
        Type::Array { elem, len } => {
            if len.is_none() {
                names.push(Some((name.and(".length"), COUNT)));
            }
            add(program, *elem, &name.indexed(COUNT), depth + 1, names);
        }
        Type::Mapping { key, value } => match Format::of(program, *key) {
            Some(format) => add(program, *value, &name.indexed(format), depth + 1, names),
            None => {
                // Keys that are byte strings cannot be written down: the values stay unnamed.
                let mut below = Vec::new();
                add(program, *value, name, depth + 1, &mut below);
                names.extend(below.iter().map(|_| None));
            }
        },
        Type::Bytes => {
            names.push(Some((name.and(".length"), COUNT)));
            names.push(None);
        }
        Type::CalldataRef(tree) => add(program, *tree, name, depth + 1, names),
        _ => names.push(Format::of(program, ty).map(|format| (name.clone(), format))),
    }
}
