//! Random values that make conditions true and false about as often: limits of types, small numbers, constants of the
//! program and their neighbours, and again and again what was chosen before.

use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, Expr};
use hornet_ir::ids::{ExprId, Id, ProcId, TypeId};
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::arith::clean;
use hornet_ir::interp::value::Tree;
use hornet_ir::interp::world::Address;
use hornet_ir::program::Program;
use hornet_ir::types::{Type, Types};

/// Longest array or byte string that is made up.
const LONGEST: usize = 4;

pub struct Values<'p> {
    program: &'p Program,
    pub rng: fastrand::Rng,
    constants: Vec<U256>,
    pub addresses: Vec<Address>,
    /// Chosen for the state and the call at hand.
    recent: Vec<U256>,
    /// Only numbers that add up to something small.
    pub modest: bool,
}

impl<'p> Values<'p> {
    pub fn new(program: &'p Program, seed: u64, addresses: Vec<Address>) -> Values<'p> {
        let exprs = (0..program.exprs.len()).map(ExprId::from_usize);
        let mut constants: Vec<U256> = exprs
            .filter_map(|e| match program.exprs.get(e) {
                Expr::Const(word) => Some(*word),
                _ => None,
            })
            .collect();
        constants.sort_unstable();
        constants.dedup();
        let rng = fastrand::Rng::with_seed(seed);
        Values { program, rng, constants, addresses, recent: Vec::new(), modest: false }
    }

    pub fn types(&self) -> &'p Types {
        &self.program.types
    }

    pub fn chance(&mut self, percent: u8) -> bool {
        self.rng.u8(0..100) < percent
    }

    /// A new state or call: nothing was chosen yet.
    pub fn start_anew(&mut self) {
        self.recent.clear();
    }

    pub fn remember(&mut self, word: U256) {
        self.recent.push(word);
    }

    pub fn address(&mut self) -> Address {
        let zero = U256::ZERO;
        if self.chance(5) { zero } else { self.rng.choice(&self.addresses).copied().unwrap_or(zero) }
    }

    fn any_word(&mut self) -> U256 {
        let mut bytes = [0; 32];
        self.rng.fill(&mut bytes);
        U256::from_be_bytes(bytes) >> self.rng.usize(0..256)
    }

    /// A number for an integer type, as a word.
    pub fn number(&mut self) -> U256 {
        let small = U256::from(self.rng.u8(0..6));
        if self.modest {
            return if self.chance(30) {
                self.rng.choice(&self.recent).copied().unwrap_or(small)
            } else {
                small
            };
        }
        let word = match self.rng.u8(0..10) {
            0..3 => small,
            3 => U256::from(self.rng.u16(0..1100)),
            4 => self.rng.choice(&self.constants).copied().unwrap_or(small),
            5 => U256::MAX.wrapping_sub(small),
            6 => (U256::ONE << self.rng.usize(0..256)).wrapping_sub(small),
            7..9 => self.rng.choice(&self.recent).copied().unwrap_or(small),
            _ => self.any_word(),
        };
        match self.rng.u8(0..8) {
            0 => word.wrapping_add(U256::ONE),
            1 => word.wrapping_sub(U256::ONE),
            _ => word,
        }
    }

    pub fn scalar(&mut self, ty: TypeId) -> U256 {
        let types = self.types();
        let word = match types.get(ty) {
            Type::Bool => U256::from(self.rng.bool()),
            Type::Enum(id) => U256::from(self.rng.usize(0..types.enums[*id].members.len().max(1))),
            Type::Address => self.address(),
            Type::FixedBytes(_) if self.rng.bool() => U256::from(self.rng.u8(0..4)) << 248,
            Type::FnInternal | Type::FnExternal => U256::ZERO,
            _ => self.number(),
        };
        let word = clean(types.get(ty), word);
        if matches!(types.get(ty), Type::Int { .. }) {
            self.remember(word);
        }
        word
    }

    pub fn tree(&mut self, ty: TypeId) -> Tree {
        let types = self.types();
        match types.get(ty) {
            Type::Bytes => {
                let longest = if self.chance(10) { 70 } else { 2 * LONGEST };
                let length = self.rng.usize(0..longest);
                Tree::Bytes((0..length).map(|_| self.rng.u8(b'a'..b'e')).collect())
            }
            Type::Array { elem, len } => {
                let count = len.map_or_else(|| self.rng.usize(0..=LONGEST), |len| len.to::<usize>());
                Tree::List((0..count).map(|_| self.tree(*elem)).collect())
            }
            Type::Struct(id) => {
                let fields = types.structs[*id].fields.iter();
                Tree::List(fields.map(|field| self.tree(field.ty)).collect())
            }
            Type::Mapping { .. } => Tree::Word(U256::ZERO),
            Type::StorageRef(inner) | Type::MemoryRef(inner) | Type::CalldataRef(inner) => self.tree(*inner),
            _ => Tree::Word(self.scalar(ty)),
        }
    }

    /// For a call of a procedure from outside: encoded, if that is possible, and as they are.
    pub fn arguments(&mut self, proc: ProcId) -> (Option<Vec<u8>>, Vec<Tree>) {
        let types = parameter_types(self.program, proc);
        let trees: Vec<Tree> = types.iter().map(|ty| self.tree(*ty)).collect();
        (encode_trees(self.types(), AbiMode::Standard, &types, &trees).ok(), trees)
    }
}

/// What a caller from outside has to send: contents instead of references.
pub fn parameter_types(program: &Program, proc: ProcId) -> Vec<TypeId> {
    let proc = &program.procs[proc];
    let sent = |ty: TypeId| program.types.referent(ty).unwrap_or(ty);
    proc.params.iter().map(|p| sent(proc.locals[*p].ty)).collect()
}
