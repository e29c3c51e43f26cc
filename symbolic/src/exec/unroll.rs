//! Loops as so many copies of their bodies: the last way back leads nowhere.

use super::graph::Graph;
use hornet_ir::ids::{BlockId, Id, IdVec, ProcId};
use hornet_ir::program::{Block, Proc, Program, Terminator};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Procedures are not unrolled any further when they have this many blocks.
const MOST_BLOCKS: usize = 4000;

/// A program without loops, and what its blocks are copies of.
pub struct Unrolled {
    pub program: Program,
    /// For procedures that had loops.
    origins: FxHashMap<ProcId, Vec<Option<BlockId>>>,
}

impl Unrolled {
    /// The block that a block is a copy of; `None` is where runs with more rounds end.
    pub fn origin(&self, proc: ProcId, block: BlockId) -> Option<BlockId> {
        match self.origins.get(&proc) {
            Some(origins) => origins[block.index()],
            None => Some(block),
        }
    }
}

/// The program with every loop going round at most `times` times.
pub fn unroll(program: &Program, times: u32) -> Unrolled {
    let mut unrolled = Unrolled { program: program.clone(), origins: FxHashMap::default() };
    for (id, proc) in program.procs.iter_ids().filter(|(_, proc)| has_loops(proc)) {
        let (blocks, origins) = Unrolling::new(proc, times).run();
        let proc = &mut unrolled.program.procs[id];
        (proc.blocks, proc.entry) = (blocks, BlockId::from_usize(0));
        unrolled.origins.insert(id, origins);
    }
    unrolled
}

pub fn has_loops(proc: &Proc) -> bool {
    !Graph::new(proc).loops.is_empty()
}

/// How often each loop around a block has gone round.
type Rounds = BTreeMap<BlockId, u32>;

/// A block in one of the rounds; `None` is where runs with more rounds end.
type Copy = Option<(BlockId, Rounds)>;

struct Unrolling<'a> {
    proc: &'a Proc,
    graph: Graph,
    times: u32,
    ids: FxHashMap<Copy, BlockId>,
    /// In the order of their ids.
    copies: Vec<Copy>,
}

impl<'a> Unrolling<'a> {
    fn new(proc: &'a Proc, times: u32) -> Self {
        let graph = Graph::new(proc);
        Unrolling { proc, graph, times, ids: FxHashMap::default(), copies: Vec::new() }
    }

    fn run(mut self) -> (IdVec<BlockId, Block>, Vec<Option<BlockId>>) {
        let entry = self.proc.entry;
        let rounds = self.rounds_at(entry, &Rounds::new());
        self.id(Some((entry, rounds)));
        let mut blocks = IdVec::new();
        while let Some(copy) = self.copies.get(blocks.len()).cloned() {
            blocks.push(match copy {
                Some((id, rounds)) => self.block(id, &rounds),
                None => nowhere(),
            });
        }
        let origins = self.copies.iter().map(|copy| copy.as_ref().map(|(block, _)| *block));
        (blocks, origins.collect())
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
            let round = there.entry(to).or_default();
            *round += 1;
            if *round > self.times || self.copies.len() > MOST_BLOCKS {
                return self.id(None);
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

fn nowhere() -> Block {
    Block {
        stmts: Vec::new(),
        terminator: Terminator::Unreachable,
        span: None,
        loop_head: None,
        invariants: Vec::new(),
    }
}
