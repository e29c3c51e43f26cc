//! Storage references: which path through the contract's storage they follow, and the indices on it.
//!
//! A reference to a `T` is a tag that says which of the finitely many paths to a `T` it follows (a state variable, then
//! fields and indices), and one number per index on the way. Aliasing is then equality of terms. Where the tag is known,
//! as it nearly always is, reads and writes touch one path only.

use crate::context::{Context, Res, Unsupported};
use crate::shape::{Leaf, LeafKind};
use crate::state::{State, Var};
use crate::tree::{Key, Tree};
use hornet_ir::ids::{StateVarId, TypeId};
use hornet_ir::program::StateKind;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathRoot {
    State(StateVarId),
    /// One of any number of values in storage we know nothing about.
    Outside(TypeId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathStep {
    Field(u32),
    /// Of a mapping or array whose indices have this type.
    Index(TypeId),
    /// Of an array.
    Element,
}

/// A way through storage that ends at a certain type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    pub root: PathRoot,
    pub steps: Vec<PathStep>,
}

const MAX_PATH_STEPS: usize = 6;
const MAX_PATHS: usize = 64;

/// A storage location: where it starts, and the way from there.
#[derive(Clone, Debug)]
pub struct Spot {
    pub var: Var,
    /// The type of what `var` holds (for [`Var::Outside`]: of one of the values).
    pub root_ty: TypeId,
    pub keys: Vec<Key>,
    /// For [`Var::Outside`]: which value.
    pub outside: Option<TermId>,
}

impl Context<'_> {
    /// All paths to a type, in a fixed order.
    pub(crate) fn paths(&mut self, ty: TypeId) -> Res<Rc<[Path]>> {
        if let Some(paths) = self.paths.get(&ty) {
            return paths.clone();
        }
        let paths = self.find_paths(ty);
        self.paths.insert(ty, paths.clone());
        paths
    }

    fn find_paths(&mut self, wanted: TypeId) -> Res<Rc<[Path]>> {
        let mut found = Vec::new();
        let roots: Vec<(PathRoot, TypeId)> = match self.contract {
            Some(contract) if !self.program.contracts[contract].state.is_empty() => {
                let state = self.program.contracts[contract].state.iter();
                state
                    .filter(|v| self.program.state[**v].kind == StateKind::Storage)
                    .map(|v| (PathRoot::State(*v), self.program.state[*v].ty))
                    .collect()
            }
            _ => self.referenced_types().into_iter().map(|ty| (PathRoot::Outside(ty), ty)).collect(),
        };
        for (root, ty) in roots {
            self.paths_from(&Path { root, steps: Vec::new() }, ty, wanted, &mut found)?;
        }
        Ok(found.into())
    }

    /// The variables that references of code on its own may lead to.
    pub fn outside_vars(&self) -> Vec<Var> {
        match self.contract {
            Some(contract) if !self.program.contracts[contract].state.is_empty() => Vec::new(),
            _ => self.referenced_types().into_iter().map(Var::Outside).collect(),
        }
    }

    /// Types that storage references of the program point to.
    fn referenced_types(&self) -> Vec<TypeId> {
        let types = self.program.types.iter();
        types.filter_map(|(_, ty)| if let Type::StorageRef(t) = ty { Some(*t) } else { None }).collect()
    }

    fn paths_from(&self, path: &Path, ty: TypeId, wanted: TypeId, found: &mut Vec<Path>) -> Res<()> {
        if ty == wanted {
            if found.len() == MAX_PATHS {
                return Err(Unsupported::new("reference that could point to too many places in storage"));
            }
            found.push(path.clone());
        }
        let extended = |step: PathStep| {
            let mut longer = path.clone();
            longer.steps.push(step);
            longer
        };
        if path.steps.len() > MAX_PATH_STEPS {
            return Err(Unsupported::new("reference into a recursive type"));
        }
        match self.program.types.get(ty) {
            Type::Struct(id) => {
                for (i, field) in self.program.types.structs[*id].fields.iter().enumerate() {
                    self.paths_from(&extended(PathStep::Field(i as u32)), field.ty, wanted, found)?;
                }
            }
            Type::Array { elem, .. } => {
                self.paths_from(&extended(PathStep::Element), *elem, wanted, found)?;
            }
            Type::Mapping { key, value } => {
                self.paths_from(&extended(PathStep::Index(*key)), *value, wanted, found)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Numbers and `bytes` contents that a path needs.
    fn slots_of(&self, path: &Path) -> (usize, usize) {
        let outside = usize::from(matches!(path.root, PathRoot::Outside(_)));
        path.steps.iter().fold((outside, 0), |(numbers, bytes), step| match step {
            PathStep::Field(_) => (numbers, bytes),
            PathStep::Element => (numbers + 1, bytes),
            PathStep::Index(key) => {
                let is_bytes = matches!(self.program.types.get(*key), Type::Bytes);
                (numbers + 1, bytes + usize::from(is_bytes))
            }
        })
    }

    pub(crate) fn pointer_shape(&mut self, ty: TypeId) -> Res<Vec<Leaf>> {
        let (numbers, bytes) = self.slots(ty)?;
        let leaf = |kind| Leaf { kind, indices: Vec::new(), in_mapping: false };
        let mut leaves = vec![leaf(LeafKind::PathTag(ty))];
        leaves.extend((0..numbers).map(|_| leaf(LeafKind::PathIndex)));
        leaves.extend((0..bytes).map(|_| leaf(LeafKind::PathBytes)));
        Ok(leaves)
    }

    fn slots(&mut self, ty: TypeId) -> Res<(usize, usize)> {
        let paths = self.paths(ty)?;
        let needs: Vec<(usize, usize)> = paths.iter().map(|p| self.slots_of(p)).collect();
        Ok((needs.iter().map(|n| n.0).max().unwrap_or(0), needs.iter().map(|n| n.1).max().unwrap_or(0)))
    }

    pub(crate) fn is_path_tag(&mut self, ty: TypeId, tag: TermId) -> TermId {
        let count = self.paths(ty).map(|p| p.len()).unwrap_or(0);
        // A reference that leads nowhere we know is not modelled; that it exists must not be contradictory.
        if count == 0 {
            return self.terms.bool(true);
        }
        let (zero, end) = (self.terms.int(0), self.terms.int(count));
        let (low, high) = (self.terms.le(zero, tag), self.terms.lt(tag, end));
        self.terms.and(low, high)
    }

    /// The reference to a spot.
    pub(crate) fn reference(&mut self, spot: &Spot) -> Res<Tree> {
        let ty = self.type_at(spot.root_ty, &spot.keys)?;
        let wanted = self.path_of(spot)?;
        let paths = self.paths(ty)?;
        let tag = paths
            .iter()
            .position(|p| *p == wanted)
            .ok_or_else(|| Unsupported::new("reference to a place that no path leads to"))?;
        let (mut numbers, mut contents) = (Vec::new(), Vec::new());
        numbers.extend(spot.outside);
        for key in &spot.keys {
            if let Key::Index(index) = key {
                numbers.push(self.number_of_key(index[0]));
                contents.extend(index.get(1));
            }
        }
        let (max_numbers, max_contents) = self.slots(ty)?;
        let zero = self.word(0);
        let blank = self.no_bytes();
        numbers.resize(max_numbers, zero);
        contents.resize(max_contents, blank);
        let tag = self.terms.int(tag);
        Ok([tag].into_iter().chain(numbers).chain(contents).collect())
    }

    fn path_of(&mut self, spot: &Spot) -> Res<Path> {
        let root = match spot.var {
            Var::State(var) => PathRoot::State(var),
            Var::Outside(ty) => PathRoot::Outside(ty),
            _ => return Err(Unsupported::new("reference to what is not in storage")),
        };
        let mut steps = Vec::new();
        let mut ty = spot.root_ty;
        for key in &spot.keys {
            steps.push(match (key, self.program.types.get(ty)) {
                (Key::Field(i), _) => PathStep::Field(*i),
                (Key::Index(_), Type::Mapping { key, .. }) => PathStep::Index(*key),
                (Key::Index(_), _) => PathStep::Element,
            });
            ty = self.type_at(ty, std::slice::from_ref(key))?;
        }
        Ok(Path { root, steps })
    }

    /// The spots that a reference to a `ty` may mean, each with the condition under which it does.
    pub(crate) fn spots(&mut self, ty: TypeId, reference: &Tree) -> Res<Vec<(TermId, Spot)>> {
        let paths = self.paths(ty)?;
        let mut spots = Vec::new();
        for (tag, path) in paths.iter().enumerate() {
            let number = self.terms.int(tag);
            let cond = self.terms.eq(reference[0], number);
            if self.terms.as_bool(cond) != Some(false) {
                let spot = self.spot_on(ty, path, reference)?;
                spots.push((cond, spot));
            }
        }
        if spots.is_empty() {
            return Err(Unsupported::new("storage reference that was never set"));
        }
        Ok(spots)
    }

    fn spot_on(&mut self, ty: TypeId, path: &Path, reference: &Tree) -> Res<Spot> {
        let (numbers, _) = self.slots(ty)?;
        let (mut number, mut content) = (1, 1 + numbers);
        let take = |from: &mut usize| {
            *from += 1;
            reference[*from - 1]
        };
        let (var, root_ty, outside) = match path.root {
            PathRoot::State(var) => (Var::State(var), self.program.state[var].ty, None),
            PathRoot::Outside(ty) => (Var::Outside(ty), ty, Some(take(&mut number))),
        };
        let mut keys = Vec::new();
        for step in &path.steps {
            keys.push(match step {
                PathStep::Field(i) => Key::Field(*i),
                PathStep::Element => Key::Index(Rc::from([take(&mut number)])),
                PathStep::Index(key) => {
                    let first = take(&mut number);
                    if matches!(self.program.types.get(*key), Type::Bytes) {
                        Key::Index(Rc::from([first, take(&mut content)]))
                    } else {
                        let sort = self.key_sorts(*key)?[0].clone();
                        Key::Index(Rc::from([self.key_of_number(first, &sort)]))
                    }
                }
            });
        }
        Ok(Spot { var, root_ty, keys, outside })
    }

    /// A key as a word.
    fn number_of_key(&mut self, key: TermId) -> TermId {
        match self.terms.sort(key).clone() {
            Sort::Bool => {
                let (one, zero) = (self.word(1), self.word(0));
                self.terms.ite(key, one, zero)
            }
            Sort::BitVec(bits) if bits < 256 => self.terms.zero_extend(256 - bits, key),
            Sort::Int | Sort::BitVec(_) | Sort::Array(..) => key,
        }
    }

    fn key_of_number(&mut self, number: TermId, sort: &Sort) -> TermId {
        match sort {
            Sort::Bool => {
                let zero = self.word(0);
                self.terms.ne(number, zero)
            }
            Sort::BitVec(bits) if *bits < 256 => self.terms.extract(bits - 1, 0, number),
            Sort::Int | Sort::BitVec(_) | Sort::Array(..) => number,
        }
    }

    /// Whether a reference leads to something that is there: every index on its way is within its array. References to
    /// elements that were removed lead nowhere, until the array grows again and finds what was written through them.
    pub fn leads_inside(&mut self, state: &State, ty: TypeId, reference: &Tree) -> Res<TermId> {
        let mut all = Vec::new();
        for (cond, spot) in self.spots(ty, reference)? {
            let inside = self.is_inside(state, &spot)?;
            all.push(self.terms.implies(cond, inside));
        }
        Ok(self.terms.and_all(all))
    }

    fn is_inside(&mut self, state: &State, spot: &Spot) -> Res<TermId> {
        let mut parts = Vec::new();
        for (n, key) in spot.keys.iter().enumerate() {
            let array = Spot { keys: spot.keys[..n].to_vec(), ..spot.clone() };
            let ty = self.type_at(spot.root_ty, &array.keys)?;
            let grows = matches!(self.program.types.get(ty), Type::Bytes | Type::Array { len: None, .. });
            if let (Key::Index(index), true) = (key, grows) {
                let length = self.read_spot(state, &array)?[0];
                let zero = self.word(0);
                parts.push(self.in_bounds(index[0], zero, length));
            }
        }
        Ok(self.terms.and_all(parts))
    }

    /// A storage reference as the number of its slot: an unknown function of it.
    pub(crate) fn slot_of(&mut self, ty: TypeId, reference: &Tree) -> TermId {
        let params = reference.iter().map(|term| self.terms.sort(*term).clone()).collect();
        let sort = self.word_sort();
        let function = self.terms.function(&slot_name(ty), params, sort);
        let slot = self.terms.apply(&function, reference);
        let fact = self.is_word(slot);
        self.fact(fact);
        slot
    }

    /// The reference to a `ty` whose slot a number is, if it was made of one.
    pub fn reference_of_slot(&self, ty: TypeId, slot: TermId) -> Option<Tree> {
        match self.terms.op(slot) {
            Op::Apply(function) if *function.name == *slot_name(ty) => Some(self.terms.args(slot).into()),
            _ => None,
        }
    }

    /// What is at a spot.
    /// What is there in a state.
    pub fn read_spot(&mut self, state: &State, spot: &Spot) -> Res<Tree> {
        let mut tree = self.get(state, spot.var)?;
        if let Some(which) = spot.outside {
            let which = self.outside_index(which);
            tree = tree.iter().map(|leaf| self.terms.select(*leaf, which)).collect();
        }
        let value = self.read(spot.root_ty, &tree, &spot.keys)?;
        self.unless_far(spot, value)
    }

    /// Values outside are numbered by integers in every encoding.
    fn outside_index(&mut self, which: TermId) -> TermId {
        match self.terms.sort(which) {
            Sort::BitVec(_) => self.terms.bv_to_int(which),
            Sort::Bool | Sort::Int | Sort::Array(..) => which,
        }
    }

    /// Changes what is at a spot if `cond` holds.
    pub(crate) fn change_spot(
        &mut self,
        state: &mut State,
        cond: TermId,
        spot: &Spot,
        change: &mut dyn FnMut(&mut Self, TypeId, &Tree) -> Res<Tree>,
    ) -> Res<()> {
        let before = self.get(state, spot.var)?;
        let after = match spot.outside {
            None => self.update(spot.root_ty, &before, &spot.keys, change)?,
            Some(which) => {
                let which = self.outside_index(which);
                let value: Tree = before.iter().map(|leaf| self.terms.select(*leaf, which)).collect();
                let value = self.update(spot.root_ty, &value, &spot.keys, change)?;
                before.iter().zip(value.iter()).map(|(leaf, v)| self.terms.store(*leaf, which, *v)).collect()
            }
        };
        let after = self.ite(cond, &after, &before);
        state.set(spot.var, after);
        self.blur_if_far(state, cond, spot)
    }
}

fn slot_name(ty: TypeId) -> String {
    format!("{SLOT}{}", ty.0)
}

/// How the names of functions that give the slots of references begin.
pub(crate) const SLOT: &str = "slot.";
