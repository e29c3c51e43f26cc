//! Which terms make up a value of a type.

use crate::context::{Context, Res, Unsupported};
use hornet_ir::U256;
use hornet_ir::ids::{StructId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::Sort;
use std::rc::Rc;

/// What a leaf's scalars are, once all its indices are given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LeafKind {
    Scalar(TypeId),
    /// Of a dynamic array or bytes.
    Length,
    /// An element of bytes; zero from the length on, so that equal bytes are equal terms.
    Byte,
    /// An object in memory.
    MemoryRef,
    /// A Boolean of ours.
    Flag,
    /// Which of the contract's paths to this type a storage reference follows.
    PathTag(TypeId),
    /// A number of ours.
    Number,
    /// A word, such as an amount of ether.
    Word,
    /// An index on that path: a number of any type, so nothing is known of it.
    PathIndex,
    /// The contents of a `bytes` key on that path.
    PathBytes,
}

/// One term of a value: an array over `indices`, outermost first, of scalars.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Leaf {
    pub kind: LeafKind,
    pub indices: Vec<Sort>,
    /// Below a mapping inside the value: not touched by copies and `delete`.
    pub in_mapping: bool,
}

impl Leaf {
    fn scalar(kind: LeafKind) -> Self {
        Leaf { kind, indices: Vec::new(), in_mapping: false }
    }

    fn below(&self, index: Sort) -> Self {
        let mut leaf = self.clone();
        leaf.indices.insert(0, index);
        leaf
    }
}

pub type Shape = Rc<[Leaf]>;

/// Types nested deeper than this are not flattened: a recursive struct has no finite shape.
const MAX_DEPTH: usize = 24;
const MAX_LEAVES: usize = 400;

impl Context<'_> {
    /// The leaves of a value of type `ty`.
    pub fn shape(&mut self, ty: TypeId) -> Res<Shape> {
        if let Some(shape) = self.shapes.get(&ty) {
            return shape.clone();
        }
        let shape = self.build_shape(ty, 0).map(Rc::from);
        self.shapes.insert(ty, shape.clone());
        shape
    }

    fn build_shape(&mut self, ty: TypeId, depth: usize) -> Res<Vec<Leaf>> {
        if depth > MAX_DEPTH {
            return Err(Unsupported::new("recursive type"));
        }
        let leaves = match self.program.types.get(ty).clone() {
            t if t.is_scalar() => vec![Leaf::scalar(LeafKind::Scalar(ty))],
            Type::Bytes => self.bytes_shape(),
            Type::Array { elem, len } => {
                let elem = self.build_shape(elem, depth + 1)?;
                self.array_shape(&elem, len)
            }
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let mut leaves = Vec::new();
                for field in fields {
                    leaves.extend(self.build_shape(field, depth + 1)?);
                }
                leaves
            }
            Type::Mapping { key, value } => {
                let keys = self.key_sorts(key)?;
                let mut leaves = self.build_shape(value, depth + 1)?;
                for leaf in &mut leaves {
                    for sort in keys.iter().rev() {
                        *leaf = leaf.below(sort.clone());
                    }
                    leaf.in_mapping = true;
                }
                leaves
            }
            Type::MemoryRef(_) => vec![Leaf::scalar(LeafKind::MemoryRef)],
            // Calldata never changes, so a reference to it is as good as its contents.
            Type::CalldataRef(tree) => self.build_shape(tree, depth + 1)?,
            Type::StorageRef(tree) => self.pointer_shape(tree)?,
            other => return Err(Unsupported::new(format!("values of type {other:?}"))),
        };
        if leaves.len() > MAX_LEAVES {
            return Err(Unsupported::new("type with too many parts"));
        }
        Ok(leaves)
    }

    pub(crate) fn field_types(&self, id: StructId) -> Vec<TypeId> {
        self.program.types.structs[id].fields.iter().map(|f| f.ty).collect()
    }

    pub(crate) fn bytes_shape(&self) -> Vec<Leaf> {
        vec![Leaf::scalar(LeafKind::Length), Leaf::scalar(LeafKind::Byte).below(self.word_sort())]
    }

    fn array_shape(&self, elem: &[Leaf], len: Option<U256>) -> Vec<Leaf> {
        let length = len.is_none().then(|| Leaf::scalar(LeafKind::Length));
        length.into_iter().chain(elem.iter().map(|leaf| leaf.below(self.word_sort()))).collect()
    }

    /// The sorts of what a mapping is indexed by: one for scalars, length and contents for bytes.
    pub(crate) fn key_sorts(&mut self, key: TypeId) -> Res<Vec<Sort>> {
        let shape = self.shape(key)?;
        Ok(shape.iter().map(|leaf| self.leaf_sort(leaf)).collect())
    }

    /// The leaves of an object of type `ty` in memory: members that are trees are references.
    pub(crate) fn object_shape(&mut self, ty: TypeId) -> Res<Shape> {
        Ok(match self.program.types.get(ty).clone() {
            Type::Bytes => self.bytes_shape().into(),
            Type::Array { elem, len } => {
                let elem = self.member_shape(elem)?;
                self.array_shape(&elem, len).into()
            }
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let mut leaves = Vec::new();
                for field in fields {
                    leaves.extend(self.member_shape(field)?.iter().cloned());
                }
                leaves.into()
            }
            other => return Err(Unsupported::new(format!("{other:?} in memory"))),
        })
    }

    /// How an element or field is held in memory. Mappings do not exist there.
    pub(crate) fn member_shape(&mut self, ty: TypeId) -> Res<Shape> {
        match self.program.types.get(ty) {
            Type::Mapping { .. } => Ok(Rc::from([])),
            t if t.is_tree() => Ok(Rc::from([Leaf::scalar(LeafKind::MemoryRef)])),
            _ => self.shape(ty),
        }
    }

    /// The sort of a leaf's scalars.
    pub(crate) fn kind_sort(&self, kind: &LeafKind) -> Sort {
        match kind {
            LeafKind::Scalar(ty) => self.ints.sort(&self.program.types, self.program.types.get(*ty)),
            LeafKind::Length | LeafKind::Word | LeafKind::PathIndex => self.word_sort(),
            LeafKind::Byte => self.byte_sort(),
            LeafKind::MemoryRef | LeafKind::PathTag(_) | LeafKind::Number => Sort::Int,
            LeafKind::Flag => Sort::Bool,
            LeafKind::PathBytes => Sort::array(self.word_sort(), self.byte_sort()),
        }
    }

    pub fn leaf_sort(&self, leaf: &Leaf) -> Sort {
        let scalar = self.kind_sort(&leaf.kind);
        leaf.indices.iter().rev().fold(scalar, |sort, index| Sort::array(index.clone(), sort))
    }

    /// The sort of lengths and indices.
    pub fn word_sort(&self) -> Sort {
        self.ints.sort(&self.program.types, &Type::Int { bits: 256, signed: false })
    }

    pub(crate) fn byte_sort(&self) -> Sort {
        self.ints.sort(&self.program.types, &Type::FixedBytes(1))
    }
}
