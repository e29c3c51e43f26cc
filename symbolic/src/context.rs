//! What all symbolic states of one query share.

use crate::arith::{Arithmetic, Ints};
use crate::pointer::Path;
use crate::shape::{Leaf, LeafKind, Shape};
use crate::state::Var;
use crate::tree::Tree;
use crate::wild::Wild;
use hornet_ir::U256;
use hornet_ir::ids::{ContractId, TypeId};
use hornet_ir::program::{Program, Stmt};
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something the terms cannot say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Unsupported(pub String);

impl Unsupported {
    pub fn new(what: impl Into<String>) -> Self {
        Unsupported(what.into())
    }
}

pub type Res<T> = Result<T, Unsupported>;

/// Word type of the EVM.
pub(crate) const WORD: Type = Type::Int { bits: 256, signed: false };

pub struct Context<'p> {
    pub program: &'p Program,
    pub terms: Terms,
    pub ints: Ints,
    /// The contract whose storage the code runs on; `None` for code of libraries on its own.
    pub contract: Option<ContractId>,
    /// Where that contract is, if it is not the one that everything is about.
    pub(crate) this: Option<TermId>,
    /// What holds of the symbols made so far, whatever the program does.
    facts: Vec<TermId>,
    known_facts: FxHashSet<TermId>,
    /// Facts that mention variables of the quantifiers being translated.
    pub(crate) open_facts: Vec<Vec<TermId>>,
    pub(crate) shapes: FxHashMap<TypeId, Res<Shape>>,
    pub(crate) paths: FxHashMap<TypeId, Res<Rc<[Path]>>>,
    pub(crate) initial: FxHashMap<Var, Tree>,
    /// For each unknown heap: references in it are below this.
    pub(crate) heap_limits: FxHashMap<TermId, TermId>,
    pub(crate) doubtful: FxHashSet<TermId>,
    /// Words that were read as the beginning of free memory, with the next reference at that time.
    pub(crate) free_pointers: FxHashMap<TermId, TermId>,
    /// Functions for calls from outside that were put together, by what they consist of.
    pub(crate) made_functions: FxHashMap<TermId, (TermId, TermId)>,
    /// What the code that may run does behind the language's back.
    pub(crate) wild: Wild,
    /// Something is calculated by precompiled contracts, which leave return data behind.
    pub(crate) calls_precompiled: bool,
}

impl<'p> Context<'p> {
    pub fn new(
        program: &'p Program,
        arithmetic: Arithmetic,
        contract: Option<ContractId>,
        wild: Wild,
    ) -> Self {
        Context {
            program,
            terms: Terms::new(),
            ints: Ints { mode: arithmetic },
            contract,
            this: None,
            facts: Vec::new(),
            known_facts: FxHashSet::default(),
            open_facts: Vec::new(),
            shapes: FxHashMap::default(),
            paths: FxHashMap::default(),
            initial: FxHashMap::default(),
            heap_limits: FxHashMap::default(),
            doubtful: FxHashSet::default(),
            free_pointers: FxHashMap::default(),
            made_functions: FxHashMap::default(),
            wild,
            calls_precompiled: true,
        }
    }

    /// Everything that may be assumed in any query about terms of this context.
    pub fn facts(&self) -> &[TermId] {
        &self.facts
    }

    /// Adds something that holds in every state. Under a quantifier it is kept for the quantifier's body.
    pub fn fact(&mut self, fact: TermId) {
        if self.terms.as_bool(fact) == Some(true) {
            return;
        }
        match self.open_facts.last_mut() {
            Some(open) => open.push(fact),
            None => self.fact_everywhere(fact),
        }
    }

    /// A fact that mentions no variable of a quantifier.
    pub(crate) fn fact_everywhere(&mut self, fact: TermId) {
        if self.terms.as_bool(fact) == Some(true) || !self.known_facts.insert(fact) {
            return;
        }
        self.facts.push(fact);
        if *self.terms.op(fact) == Op::And {
            self.known_facts.extend(self.terms.args(fact).iter().copied());
        }
    }

    /// Whether something is a fact, or a part of one.
    pub fn is_fact(&self, term: TermId) -> bool {
        self.known_facts.contains(&term)
    }

    /// At which indices facts look into an array.
    pub fn read_at(&self, array: TermId) -> Vec<TermId> {
        let mut indices = Vec::new();
        self.terms.walk(&self.facts, |term| {
            if let (Op::Select, &[from, index]) = (self.terms.op(term), self.terms.args(term))
                && from == array
                && !indices.contains(&index)
            {
                indices.push(index);
            }
        });
        indices
    }

    pub fn word(&mut self, value: u64) -> TermId {
        self.constant(&WORD, U256::from(value))
    }

    pub fn constant(&mut self, ty: &Type, word: U256) -> TermId {
        self.ints.constant(&mut self.terms, ty, word)
    }

    /// A new value of any kind that a type admits.
    pub fn fresh(&mut self, hint: &str, ty: TypeId) -> Res<Tree> {
        let shape = self.shape(ty)?;
        Ok(self.fresh_leaves(hint, &shape))
    }

    pub(crate) fn fresh_leaves(&mut self, hint: &str, shape: &[Leaf]) -> Tree {
        let leaves: Vec<TermId> = shape
            .iter()
            .map(|leaf| {
                let sort = self.leaf_sort(leaf);
                let term = self.terms.fresh(hint, sort);
                if leaf.indices.is_empty() {
                    self.admit(&leaf.kind, term);
                }
                term
            })
            .collect();
        self.canonical_bytes(shape, &leaves);
        leaves.into()
    }

    /// Records what every scalar of a kind satisfies.
    pub(crate) fn admit(&mut self, kind: &LeafKind, term: TermId) {
        let condition = match kind {
            LeafKind::Scalar(ty) => {
                let ty = self.program.types.get(*ty).clone();
                self.ints.in_range(&mut self.terms, &self.program.types, &ty, term)
            }
            LeafKind::Length => self.is_length(term),
            LeafKind::Byte => {
                self.ints.in_range(&mut self.terms, &self.program.types, &Type::FixedBytes(1), term)
            }
            LeafKind::MemoryRef => {
                let one = self.terms.int(1);
                self.terms.le(one, term)
            }
            LeafKind::PathTag(ty) => self.is_path_tag(*ty, term),
            LeafKind::Word => self.is_word(term),
            LeafKind::PathIndex | LeafKind::PathBytes | LeafKind::Flag | LeafKind::Number => return,
        };
        self.fact(condition);
    }

    /// The range of a word, also where integers are unbounded: amounts of ether, lengths and indices are never negative.
    pub fn is_word(&mut self, term: TermId) -> TermId {
        let mode = match self.ints.mode {
            Arithmetic::Int => Arithmetic::Mod,
            mode => mode,
        };
        Ints { mode }.in_range(&mut self.terms, &self.program.types, &WORD, term)
    }

    /// Records that an unknown number is a word.
    pub fn admit_word(&mut self, term: TermId) {
        let leaf = Leaf { kind: LeafKind::Word, indices: Vec::new(), in_mapping: false };
        if matches!(self.terms.op(term), Op::Symbol(_)) {
            self.admit(&leaf.kind, term);
        }
        self.admit_loaded(&[leaf], &[term].into());
    }

    /// No array or byte string is longer than 2^64 - 1: the language refuses to make one, and nobody could pay for it.
    /// Where lengths are assigned, as old compilers allow, any length costs the same.
    fn is_length(&mut self, term: TermId) -> TermId {
        let limit = self.constant(&WORD, self.wild.longest());
        if *self.terms.sort(term) != Sort::Int {
            return self.terms.bv_ule(term, limit);
        }
        let zero = self.terms.int(0);
        let (low, high) = (self.terms.le(zero, term), self.terms.le(term, limit));
        self.terms.and(low, high)
    }

    /// Bytes are zero from their length on. Said here for empty ones only, which needs no quantifier; that unknown bytes
    /// may differ beyond their length admits more states than there are, never fewer.
    pub(crate) fn canonical_bytes(&mut self, shape: &[Leaf], leaves: &[TermId]) {
        for at in 1..shape.len().min(leaves.len()) {
            let after_length = shape[at - 1].indices.is_empty() && shape[at - 1].kind == LeafKind::Length;
            if shape[at].kind != LeafKind::Byte || shape[at].indices.len() != 1 || !after_length {
                continue;
            }
            let zero = self.word(0);
            let is_empty = self.terms.eq(leaves[at - 1], zero);
            let no_bytes = self.no_bytes();
            let blank = self.terms.eq(leaves[at], no_bytes);
            let fact = self.terms.implies(is_empty, blank);
            self.fact(fact);
        }
    }
}

pub(crate) fn statements(program: &Program) -> impl Iterator<Item = &Stmt> {
    program.procs.iter().flat_map(|proc| proc.blocks.iter()).flat_map(|block| &block.stmts)
}
