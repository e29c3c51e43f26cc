//! The shape of a procedure's control flow: an order in which to visit blocks, and its loops.

use hornet_ir::ids::{BlockId, Id};
use hornet_ir::program::Proc;
use hornet_ir::visit::successors;
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Graph {
    /// Every block after those that lead to it, edges back to loop heads aside.
    pub order: Vec<BlockId>,
    /// For each loop head, the blocks of its loop, itself included.
    pub loops: FxHashMap<BlockId, FxHashSet<BlockId>>,
    back_edges: FxHashSet<(BlockId, BlockId)>,
}

impl Graph {
    pub fn new(proc: &Proc) -> Self {
        let mut graph =
            Graph { order: Vec::new(), loops: FxHashMap::default(), back_edges: FxHashSet::default() };
        graph.search(proc);
        graph.order.reverse();
        graph.find_bodies(proc);
        graph
    }

    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.back_edges.contains(&(from, to))
    }

    /// Depth-first without recursion: post-order, and edges to blocks that are still open.
    fn search(&mut self, proc: &Proc) {
        let mut state = vec![0u8; proc.blocks.len()];
        let mut stack = vec![(proc.entry, successors(&proc.blocks[proc.entry].terminator))];
        state[proc.entry.index()] = 1;
        while let Some((block, rest)) = stack.last_mut() {
            let block = *block;
            match rest.pop() {
                None => {
                    state[block.index()] = 2;
                    self.order.push(block);
                    stack.pop();
                }
                Some(next) => match state[next.index()] {
                    0 => {
                        state[next.index()] = 1;
                        stack.push((next, successors(&proc.blocks[next].terminator)));
                    }
                    1 => {
                        self.back_edges.insert((block, next));
                    }
                    _ => {}
                },
            }
        }
    }

    /// The body of a loop: what reaches the back edge without passing the head.
    fn find_bodies(&mut self, proc: &Proc) {
        let mut before: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
        for (id, block) in proc.blocks.iter_ids() {
            for next in successors(&block.terminator) {
                before.entry(next).or_default().push(id);
            }
        }
        for &(tail, head) in &self.back_edges {
            let body = self.loops.entry(head).or_default();
            body.insert(head);
            let mut work = vec![tail];
            while let Some(block) = work.pop() {
                if body.insert(block) {
                    work.extend(before.get(&block).into_iter().flatten());
                }
            }
        }
    }
}
