//! Symbolic states: what each variable holds, as terms.

use crate::context::{Context, Res};
use crate::shape::{Leaf, Shape};
use crate::tree::Tree;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::{LocalId, StateVarId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// One activation of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Frame(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Var {
    /// With its type, so that its value can be made up.
    Local(Frame, LocalId, TypeId),
    State(StateVarId),
    /// What a state variable held when its last change was reported by an event.
    Checkpoint(StateVarId),
    /// Values of this type in some storage outside the contract's variables, for code of libraries on its own.
    Outside(TypeId),
    /// Objects of this type in memory, by reference.
    Heap(TypeId),
    /// The first reference that is not yet used.
    NextRef,
    Balances,
    /// Who called, and with how much ether: other in a call that the contract makes to itself.
    Caller,
    CallValue,
    CallData,
    /// What else the transaction and its block provide, with its type.
    Env(EnvVar, TypeId),
    CodeSizes,
    ReturnData,
    /// Some arithmetic has wrapped around silently.
    Overflow,
    /// Somebody has written to memory where objects may be: what is read from them can be anything.
    RawMemory,
    /// What a state variable holds in other contracts, by their addresses.
    Kept(StateVarId),
    /// Where contracts are whose code is known: the number of their kind, by address; zero elsewhere.
    Made,
}

/// What variables hold; those not mentioned still hold their initial values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    vars: BTreeMap<Var, Tree>,
}

impl State {
    pub fn set(&mut self, var: Var, value: Tree) {
        self.vars.insert(var, value);
    }

    /// Variables that were ever set.
    pub fn touched(&self) -> impl Iterator<Item = Var> + '_ {
        self.vars.keys().copied()
    }

    /// Forgets the locals of a frame that has ended.
    pub fn drop_frame(&mut self, frame: Frame) {
        self.vars.retain(|var, _| !matches!(var, Var::Local(f, ..) if *f == frame));
    }
}

impl Context<'_> {
    pub fn get(&mut self, state: &State, var: Var) -> Res<Tree> {
        match state.vars.get(&var) {
            Some(value) => Ok(value.clone()),
            None => self.initial(var),
        }
    }

    /// What a variable holds at the very beginning.
    pub fn initial(&mut self, var: Var) -> Res<Tree> {
        match var {
            Var::Caller => return Ok([self.env_term(EnvVar::Caller, &Type::Address)].into()),
            Var::CallData => return Ok(self.unknown_bytes("msg.data")),
            Var::Env(var, ty) => {
                let ty = self.program.types.get(ty).clone();
                return Ok([self.env_term(var, &ty)].into());
            }
            Var::RawMemory => return Ok([self.terms.bool(false)].into()),
            Var::CallValue => return Ok([self.env_term(EnvVar::CallValue, &crate::context::WORD)].into()),
            _ => {}
        }
        if let Some(value) = self.initial.get(&var) {
            return Ok(value.clone());
        }
        let value = self.unknown(var)?;
        self.initial.insert(var, value.clone());
        let nothing = State::default();
        self.bound_references(&nothing, var, &value)?;
        Ok(value)
    }

    /// Symbols that stand for what may never come to pass: contents of storage when a function begins, and whatever loops
    /// and calls left behind.
    pub fn doubtful(&self) -> &FxHashSet<TermId> {
        &self.doubtful
    }

    /// Zero in every part of a variable.
    pub fn zero_of(&mut self, var: Var) -> Res<Tree> {
        let (_, shape) = self.var_shape(var)?;
        Ok(self.zero_leaves(&shape))
    }

    /// Sets a variable to any value it can have.
    pub fn havoc(&mut self, state: &mut State, var: Var) -> Res<()> {
        let value = self.unknown(var)?;
        self.doubtful.extend(value.iter().copied());
        state.set(var, value.clone());
        if var == Var::NextRef {
            return Ok(());
        }
        self.bound_references(state, var, &value)
    }

    /// References in an unknown value lead to what has been allocated by now.
    fn bound_references(&mut self, state: &State, var: Var, value: &Tree) -> Res<()> {
        if var == Var::NextRef {
            return Ok(());
        }
        let (_, shape) = self.var_shape(var)?;
        self.bound_leaves(state, &shape, value)
    }

    fn bound_leaves(&mut self, state: &State, shape: &[Leaf], value: &Tree) -> Res<()> {
        if shape.iter().all(|leaf| leaf.kind != crate::LeafKind::MemoryRef) {
            return Ok(());
        }
        let next = self.get(state, Var::NextRef)?[0];
        for (leaf, term) in shape.iter().zip(value.iter()) {
            if leaf.kind != crate::LeafKind::MemoryRef {
                continue;
            }
            if leaf.indices.is_empty() {
                let fact = self.terms.lt(*term, next);
                self.fact(fact);
            } else {
                self.heap_limits.insert(*term, next);
            }
        }
        Ok(())
    }

    /// Objects of a type may hold anything, but arrays in memory keep their lengths.
    pub fn havoc_contents(&mut self, state: &mut State, ty: TypeId) -> Res<()> {
        let old = self.get(state, Var::Heap(ty))?;
        self.havoc(state, Var::Heap(ty))?;
        let has_length = match self.program.types.get(ty) {
            Type::Bytes => true,
            Type::Array { len, .. } => len.is_none(),
            _ => false,
        };
        if has_length {
            let new = self.get(state, Var::Heap(ty))?;
            let kept: Tree = old[..1].iter().chain(&new[1..]).copied().collect();
            state.set(Var::Heap(ty), kept);
        }
        Ok(())
    }

    /// Objects made since `limit` was the next reference may hold anything; older ones are as they were.
    pub fn havoc_heap_above(&mut self, state: &mut State, ty: TypeId, limit: TermId) -> Res<()> {
        let old = self.get(state, Var::Heap(ty))?;
        self.havoc(state, Var::Heap(ty))?;
        let new = self.get(state, Var::Heap(ty))?;
        let r = self.terms.fresh_bound("r", Sort::Int);
        let is_old = self.terms.lt(r, limit);
        let mut leaves = Vec::new();
        for (old, new) in old.iter().zip(new.iter()) {
            let (old, new) = (self.terms.select(*old, r), self.terms.select(*new, r));
            let body = self.terms.ite(is_old, old, new);
            leaves.push(self.terms.lambda(r, body));
        }
        state.set(Var::Heap(ty), leaves.into());
        Ok(())
    }

    /// A new value of a type; references in it lead to what the state has.
    pub fn fresh_in(&mut self, state: &State, hint: &str, ty: TypeId) -> Res<Tree> {
        let value = self.fresh(hint, ty)?;
        let shape = self.shape(ty)?;
        self.bound_leaves(state, &shape, &value)?;
        Ok(value)
    }

    /// Allocation only goes on: any number of objects may have been made.
    pub fn havoc_next_ref(&mut self, state: &mut State) -> Res<()> {
        let before = self.get(state, Var::NextRef)?[0];
        self.havoc(state, Var::NextRef)?;
        let after = self.get(state, Var::NextRef)?[0];
        let grown = self.terms.le(before, after);
        self.fact(grown);
        Ok(())
    }

    fn unknown(&mut self, var: Var) -> Res<Tree> {
        let (hint, shape) = self.var_shape(var)?;
        // Facts about a variable are about all states, also when it is first seen under a quantifier.
        let open = std::mem::take(&mut self.open_facts);
        let value = self.fresh_leaves(&hint, &shape);
        self.open_facts = open;
        match var {
            Var::State(_) | Var::Outside(_) | Var::Kept(_) => self.doubtful.extend(value.iter().copied()),
            Var::Env(var, _) => self.admit_environment(var, value[0]),
            Var::Caller => self.admit_environment(EnvVar::Caller, value[0]),
            _ => {}
        }
        Ok(value)
    }

    pub(crate) fn var_shape(&mut self, var: Var) -> Res<(String, Shape)> {
        let address = self.ints.sort(&self.program.types, &Type::Address);
        Ok(match var {
            Var::Local(_, local, ty) => (format!("local{}", local.0), self.shape(ty)?),
            Var::State(var) | Var::Checkpoint(var) => {
                let decl = &self.program.state[var];
                (decl.name.clone(), self.shape(decl.ty)?)
            }
            Var::Outside(ty) => {
                let shape = self.shape(ty)?;
                ("outside".to_owned(), wrapped(&shape, &Sort::Int))
            }
            Var::Heap(ty) => {
                let shape = self.object_shape(ty)?;
                ("heap".to_owned(), wrapped(&shape, &Sort::Int))
            }
            Var::NextRef => ("next".to_owned(), leaf(crate::LeafKind::MemoryRef, &[])),
            Var::Balances => ("balance".to_owned(), leaf(crate::LeafKind::Word, &[address])),
            Var::CodeSizes => ("codesize".to_owned(), leaf(crate::LeafKind::Length, &[address])),
            Var::Caller => {
                let ty = self.program.types.find(&Type::Address);
                let shape = ty.map_or(Ok(leaf(crate::LeafKind::Word, &[])), |ty| self.shape(ty));
                ("caller".to_owned(), shape?)
            }
            Var::CallValue => ("value".to_owned(), leaf(crate::LeafKind::Word, &[])),
            Var::CallData => ("data".to_owned(), self.bytes_shape().into()),
            Var::Env(_, ty) => ("env".to_owned(), self.shape(ty)?),
            Var::ReturnData => ("returndata".to_owned(), self.bytes_shape().into()),
            Var::Overflow | Var::RawMemory => ("flag".to_owned(), leaf(crate::LeafKind::Flag, &[])),
            Var::Kept(var) => {
                let decl = &self.program.state[var];
                let shape = self.shape(decl.ty)?;
                (format!("{}.kept", decl.name), wrapped(&shape, &address))
            }
            Var::Made => ("made".to_owned(), leaf(crate::LeafKind::Number, &[address])),
        })
    }

    /// The state that is one of several, depending on which condition holds; exactly one of them does.
    pub fn merge(&mut self, states: &[(TermId, State)]) -> Res<State> {
        let Some(((_, last), rest)) = states.split_last() else { return Ok(State::default()) };
        let mut merged = last.clone();
        for (cond, state) in rest.iter().rev() {
            let vars: Vec<Var> = state.touched().chain(merged.touched()).collect();
            for var in vars {
                let (then, other) = (self.get(state, var)?, self.get(&merged, var)?);
                let value = self.ite(*cond, &then, &other);
                merged.set(var, value);
            }
        }
        Ok(merged)
    }
}

fn leaf(kind: crate::LeafKind, indices: &[Sort]) -> Shape {
    Rc::from([Leaf { kind, indices: indices.to_vec(), in_mapping: false }])
}

fn wrapped(shape: &[Leaf], index: &Sort) -> Shape {
    let below = |leaf: &Leaf| {
        let mut leaf = leaf.clone();
        leaf.indices.insert(0, index.clone());
        leaf
    };
    shape.iter().map(below).collect()
}
