//! Loops as so many copies of their bodies. Behind the last one is nothing, where runs are looked for, or the loop itself,
//! where all runs count.

use super::graph::Graph;
use hornet_ir::ids::{BlockId, Id, IdVec};
use hornet_ir::program::{Block, Proc, Program, Terminator};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Procedures are not unrolled any further when they have this many blocks.
const MOST_BLOCKS: usize = 4000;

/// The program with every loop going round at most `times` times.
pub fn unroll(program: &Program, times: u32) -> Program {
    let mut unrolled = program.clone();
    for (id, proc) in program.procs.iter_ids().filter(|(_, proc)| has_loops(proc)) {
        let graph = Graph::new(proc);
        let times = graph.loops.keys().map(|head| (*head, times)).collect();
        let mut unrolling = Unrolling::new(proc, graph, times, Beyond::Nothing);
        while unrolling.add_block() {}
        unrolled.procs[id].blocks = unrolling.blocks;
        unrolled.procs[id].entry = BlockId::from_usize(0);
    }
    unrolled
}

/// The first rounds of some loops, so many each, written out before the loops; `None` if that takes too many blocks.
pub(super) fn written_out(
    proc: &Proc,
    graph: Graph,
    rounds: FxHashMap<BlockId, u32>,
    most_blocks: usize,
) -> Option<IdVec<BlockId, Block>> {
    let mut unrolling = Unrolling::new(proc, graph, rounds, Beyond::TheLoop);
    while unrolling.add_block() {
        if unrolling.copies.len() > most_blocks {
            return None;
        }
    }
    Some(unrolling.blocks)
}

pub fn has_loops(proc: &Proc) -> bool {
    !Graph::new(proc).loops.is_empty()
}

/// How often each loop around a block has gone round.
type Rounds = BTreeMap<BlockId, u32>;

/// A block in one of the rounds; `None` is where runs with more rounds end.
type Copy = Option<(BlockId, Rounds)>;

/// What comes after the last copy of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Nothing,
    TheLoop,
}

struct Unrolling<'a> {
    proc: &'a Proc,
    graph: Graph,
    /// For each loop; one that is not there keeps to itself.
    times: FxHashMap<BlockId, u32>,
    beyond: Beyond,
    ids: FxHashMap<Copy, BlockId>,
    /// In the order of their ids.
    copies: Vec<Copy>,
    blocks: IdVec<BlockId, Block>,
}

impl<'a> Unrolling<'a> {
    fn new(proc: &'a Proc, graph: Graph, times: FxHashMap<BlockId, u32>, beyond: Beyond) -> Self {
        let (ids, copies) = (FxHashMap::default(), Vec::new());
        let mut new = Unrolling { proc, graph, times, beyond, ids, copies, blocks: IdVec::new() };
        let rounds = new.rounds_at(proc.entry, &Rounds::new());
        new.id(Some((proc.entry, rounds)));
        new
    }

    /// Whether there was one more to add.
    fn add_block(&mut self) -> bool {
        let Some(copy) = self.copies.get(self.blocks.len()).cloned() else { return false };
        let block = match copy {
            Some((id, rounds)) => self.block(id, &rounds),
            None => nowhere(),
        };
        self.blocks.push(block);
        true
    }

    fn block(&mut self, id: BlockId, rounds: &Rounds) -> Block {
        let mut block = self.proc.blocks[id].clone();
        match &mut block.terminator {
            Terminator::Goto(to) => *to = self.target(id, *to, rounds),
            Terminator::Branch { then, other, .. } => {
                *then = self.target(id, *then, rounds);
                *other = self.target(id, *other, rounds);
            }
            Terminator::Return(_)
            | Terminator::Revert(_)
            | Terminator::Halt(_)
            | Terminator::Invalid
            | Terminator::Unreachable => {}
        }
        block
    }

    /// Where an edge leads from a copy of its origin.
    fn target(&mut self, from: BlockId, to: BlockId, rounds: &Rounds) -> BlockId {
        let mut there = self.rounds_at(to, rounds);
        if self.graph.is_back_edge(from, to) {
            let (round, times) = (there.entry(to).or_default(), self.times.get(&to).copied().unwrap_or(0));
            match self.beyond {
                Beyond::TheLoop => *round = (*round + 1).min(times),
                Beyond::Nothing if *round < times && self.copies.len() <= MOST_BLOCKS => *round += 1,
                Beyond::Nothing => return self.id(None),
            }
        }
        self.id(Some((to, there)))
    }

    /// The rounds of the loops around a block: those that are entered only now begin at zero.
    fn rounds_at(&self, block: BlockId, before: &Rounds) -> Rounds {
        let around = self.graph.loops.iter().filter(|(_, body)| body.contains(&block));
        around.map(|(head, _)| (*head, before.get(head).copied().unwrap_or(0))).collect()
    }

    fn id(&mut self, copy: Copy) -> BlockId {
        let copies = &mut self.copies;
        *self.ids.entry(copy).or_insert_with_key(|copy| {
            copies.push(copy.clone());
            BlockId::from_usize(copies.len() - 1)
        })
    }
}

/// A block that is never reached.
pub(super) fn nowhere() -> Block {
    Block {
        stmts: Vec::new(),
        terminator: Terminator::Unreachable,
        span: None,
        loop_head: None,
        invariants: Vec::new(),
    }
}
