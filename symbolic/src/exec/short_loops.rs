//! Loops that count a few rounds in plain numbers are written out: what these do needs no invariant.

use super::graph::Graph;
use super::unroll::written_out;
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, Expr, UnOp};
use hornet_ir::ids::{BlockId, ExprId, LocalId};
use hornet_ir::program::{Block, Proc, Program, StmtKind, Terminator};
use hornet_ir::visit::destinations;
use rustc_hash::{FxHashMap, FxHashSet};

/// Loops with more rounds stay as they are.
const MOST_ROUNDS: u32 = 12;
/// Procedures do not grow beyond so many blocks.
const MOST_BLOCKS: usize = 400;

/// The same program, with the rounds of short loops before these loops, which are then never reached. Loops about which
/// somebody has said what holds are left alone.
pub fn write_out_short_loops(program: &mut Program) {
    let ids: Vec<_> = program.procs.ids().collect();
    for id in ids {
        let proc = &program.procs[id];
        let graph = Graph::new(proc);
        let counted = |head: &BlockId| Some((*head, rounds(program, proc, &graph.loops[head], *head)?));
        let short: FxHashMap<BlockId, u32> = graph.loops.keys().filter_map(counted).collect();
        if short.is_empty() {
            continue;
        }
        let is_innermost = |head: &BlockId| {
            let body = &graph.loops[head];
            graph.loops.keys().filter(|inner| body.contains(inner)).count() == 1
        };
        let innermost = short.clone().into_iter().filter(|(head, _)| is_innermost(head)).collect();
        let attempts = [short, innermost];
        let mut grown = attempts.into_iter().map(|r| written_out(proc, Graph::new(proc), r, MOST_BLOCKS));
        if let Some(blocks) = grown.find_map(|blocks| blocks) {
            let proc = &mut program.procs[id];
            (proc.blocks, proc.entry) = (blocks, BlockId(0));
        }
    }
}

/// After how many rounds a loop has ended, if one of its variables tells: it begins with a number, every round adds or takes
/// away a number, and it is compared with a number where the loop is left. If it is wrong, nothing is lost but brevity.
fn rounds(program: &Program, proc: &Proc, body: &FxHashSet<BlockId>, head: BlockId) -> Option<u32> {
    if !proc.blocks[head].invariants.is_empty() {
        return None;
    }
    let exits = body.iter().filter_map(|block| match proc.blocks[*block].terminator {
        Terminator::Branch { cond, then, other } if body.contains(&then) != body.contains(&other) => {
            Some(cond)
        }
        _ => None,
    });
    exits.filter_map(|cond| rounds_until(program, proc, body, cond)).min()
}

fn rounds_until(program: &Program, proc: &Proc, body: &FxHashSet<BlockId>, cond: ExprId) -> Option<u32> {
    let (counter, end) = comparison(program, cond)?;
    let (inside, outside): (Vec<_>, Vec<_>) = proc.blocks.iter_ids().partition(|(id, _)| body.contains(id));
    let steps: Vec<U256> = assigned(&inside, counter, &|value| step(program, counter, value))?;
    let starts: Vec<U256> = assigned(&outside, counter, &|value| number(program, value))?;
    let (step, far) = (steps.into_iter().min()?, starts.into_iter().map(|start| distance(start, end)).max()?);
    // One more where the end belongs to it, and one for the comparison that fails.
    let rounds = far / step + U256::from(2u32);
    u32::try_from(rounds).ok().filter(|rounds| *rounds <= MOST_ROUNDS + 2)
}

/// What the statements of those blocks assign to a variable, if all of it can be read.
fn assigned(
    blocks: &[(BlockId, &Block)],
    local: LocalId,
    read: &dyn Fn(ExprId) -> Option<U256>,
) -> Option<Vec<U256>> {
    let stmts = blocks.iter().flat_map(|(_, block)| &block.stmts);
    let sets = stmts.filter(|stmt| destinations(&stmt.kind).contains(&local));
    sets.map(|stmt| match stmt.kind {
        StmtKind::Assign { value, .. } => read(value),
        _ => None,
    })
    .collect()
}

/// A variable that is compared with a number.
fn comparison(program: &Program, cond: ExprId) -> Option<(LocalId, U256)> {
    match program.exprs.get(cond) {
        Expr::Unary(UnOp::Not, inner) => comparison(program, *inner),
        Expr::Binary(op, a, b) if is_comparison(*op) => {
            let pair = |v, n| Some((variable(program, v)?, number(program, n)?));
            pair(*a, *b).or_else(|| pair(*b, *a))
        }
        _ => None,
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
}

/// By how much an assignment changes a variable.
fn step(program: &Program, local: LocalId, value: ExprId) -> Option<U256> {
    match program.exprs.get(value) {
        Expr::Cast(inner) => step(program, local, *inner),
        Expr::Binary(BinOp::Add | BinOp::Sub, a, b) if variable(program, *a) == Some(local) => {
            number(program, *b).filter(|step| *step != U256::ZERO)
        }
        _ => None,
    }
}

fn variable(program: &Program, e: ExprId) -> Option<LocalId> {
    match program.exprs.get(e) {
        Expr::Local(local) => Some(*local),
        Expr::Cast(inner) => variable(program, *inner),
        _ => None,
    }
}

fn number(program: &Program, e: ExprId) -> Option<U256> {
    match program.exprs.get(e) {
        Expr::Const(number) => Some(*number),
        Expr::Default => Some(U256::ZERO),
        Expr::Cast(inner) => number(program, *inner),
        _ => None,
    }
}

/// Between numbers that may be negative.
fn distance(a: U256, b: U256) -> U256 {
    a.wrapping_sub(b).min(b.wrapping_sub(a))
}
