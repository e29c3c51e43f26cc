//! What loops often keep true: bounds of counters, numbers that go in step, and what held before.

use super::candidate::{Home, Pool};
use super::mine::{Mined, mentions_limit};
use super::state_templates::{Vocabulary, atom_claims, bounds, two_variables};
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, Root};
use hornet_ir::ids::{BlockId, ExprId, LocalId, ProcId};
use hornet_ir::program::Program;
use hornet_ir::types::Type;
use hornet_symbolic::exec::{AllEffects, Graph};
use std::collections::BTreeSet;

/// A loop, and what it changes.
pub struct Loop {
    proc: ProcId,
    head: BlockId,
    locals: BTreeSet<LocalId>,
    state: bool,
}

impl Loop {
    pub fn home(&self) -> Home {
        Home::Loop(self.proc, self.head)
    }
}

pub fn loops(program: &Program, effects: &AllEffects, mined: &Mined) -> Vec<Loop> {
    let mut found = Vec::new();
    for &id in &mined.procs {
        let proc = &program.procs[id];
        let graph = Graph::new(proc);
        let mut heads: Vec<BlockId> = graph.loops.keys().copied().collect();
        heads.sort();
        for head in heads {
            let (changes, locals) = effects.of_blocks(program, proc, graph.loops[&head].iter());
            let state = changes.anything
                || changes.reenters
                || changes.balances
                || !changes.state.is_empty()
                || !changes.storage_types.is_empty();
            found.push(Loop { proc: id, head, locals, state });
        }
    }
    found
}

/// Single values that can be named at the loop: locals, lengths of arrays behind references.
fn terms(program: &mut Program, at: &Loop) -> (Vec<ExprId>, Vec<ExprId>) {
    let (mut changed, mut kept) = (Vec::new(), Vec::new());
    let locals: Vec<(LocalId, hornet_ir::ids::TypeId)> = program.procs[at.proc]
        .locals
        .iter_ids()
        .filter(|(_, l)| !l.name.is_empty())
        .map(|(id, l)| (id, l.ty))
        .collect();
    for (id, ty) in locals {
        let local = program.local(id, ty);
        let value = match program.types.get(ty).clone() {
            t if t.is_scalar() => Some(local),
            Type::MemoryRef(tree) => length(program, Root::Memory(local), tree),
            Type::CalldataRef(tree) => length(program, Root::Calldata(local), tree),
            Type::StorageRef(tree) => length(program, Root::Storage(local), tree),
            _ => None,
        };
        let list = if at.locals.contains(&id) { &mut changed } else { &mut kept };
        list.extend(value);
    }
    (changed, kept)
}

fn length(program: &mut Program, root: Root, tree: hornet_ir::ids::TypeId) -> Option<ExprId> {
    let has_length = matches!(program.types.get(tree), Type::Array { len: None, .. } | Type::Bytes);
    let place = program.place(root, &[])?;
    has_length.then(|| program.length(place))
}

/// Bounds and orders of what changes.
pub fn simple(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined, at: &Loop) {
    let home = at.home();
    for &(proc, atom) in &mined.atoms {
        if proc == at.proc && !mentions_limit(&pool.program, atom) {
            atom_claims(pool, home, atom);
        }
    }
    let (changed, kept) = terms(&mut pool.program, at);
    for &x in &changed {
        let ty = pool.program.exprs.ty(x);
        match pool.program.types.get(ty).clone() {
            Type::Int { .. } => {
                let words: Vec<U256> =
                    [U256::ZERO].into_iter().chain(mined.constants_of(ty).iter().copied()).collect();
                bounds(pool, home, x, &words);
            }
            Type::Bool => {
                pool.propose(home, x);
                let not = pool.program.not(x);
                pool.propose(home, not);
            }
            _ => {}
        }
    }
    for (i, &x) in changed.iter().enumerate() {
        for &y in changed[i + 1..].iter().chain(&kept).chain(&vocabulary.scalars) {
            two_variables(pool, home, x, y);
        }
    }
    if at.state {
        state_facts(pool, vocabulary, &kept, at);
    }
}

/// Where a loop changes the contract's state: everything that is claimed of the contract.
pub fn claims_of_contract(pool: &mut Pool, at: &Loop) {
    let claims: Vec<ExprId> =
        pool.candidates.iter().filter(|c| c.home == Home::Contract).map(|c| c.claim).collect();
    for claim in claims.into_iter().filter(|_| at.state) {
        pool.propose(at.home(), claim);
    }
}

/// How the contract's state compares with before, and with what the loop leaves alone.
fn state_facts(pool: &mut Pool, vocabulary: &Vocabulary, kept: &[ExprId], at: &Loop) {
    for &x in &vocabulary.scalars {
        let before = pool.program.old(x);
        two_variables(pool, at.home(), x, before);
        for &y in kept {
            two_variables(pool, at.home(), x, y);
        }
    }
}

/// Numbers that go in step with each other.
pub fn linear(pool: &mut Pool, mined: &Mined, at: &Loop) {
    let (changed, kept) = terms(&mut pool.program, at);
    let is_number =
        |program: &Program, x: ExprId| matches!(program.types.get(program.exprs.ty(x)), Type::Int { .. });
    let numbers: Vec<ExprId> = changed.iter().copied().filter(|x| is_number(&pool.program, *x)).collect();
    for (i, &x) in numbers.iter().enumerate() {
        let ty = pool.program.exprs.ty(x);
        for (j, &y) in numbers.iter().enumerate() {
            if i == j || pool.program.exprs.ty(y) != ty {
                continue;
            }
            let words = mined.constants_of(ty).iter().copied().filter(|w| !w.is_zero());
            let mut factors: Vec<ExprId> = words.take(4).map(|w| pool.program.const_of(ty, w)).collect();
            factors.extend(kept.iter().copied().filter(|k| pool.program.exprs.ty(*k) == ty));
            for factor in factors {
                let times = pool.program.mul(y, factor);
                pool.propose_comparison(at.home(), BinOp::Eq, x, times);
                let more = pool.program.add(y, factor);
                pool.propose_comparison(at.home(), BinOp::Eq, x, more);
                if i < j {
                    let both = pool.program.add(x, y);
                    pool.propose_comparison(at.home(), BinOp::Eq, both, factor);
                    pool.propose_comparison(at.home(), BinOp::Le, both, factor);
                }
            }
        }
    }
}
