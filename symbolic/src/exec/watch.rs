//! Somebody who looks on while code is followed.

use super::executor::{Executor, Run};
use super::flow::Flow;
use hornet_ir::ids::BlockId;
use hornet_ir::program::Stmt;
use hornet_smt::term::TermId;

/// Hears of what is about to be followed, in order. Ways that exclude each other come one after the other; the flow
/// says which one it is.
pub trait Watcher<'p> {
    /// A statement, by its number in its block.
    fn statement(
        &mut self,
        ex: &mut Executor<'p>,
        run: &Run<'p>,
        flow: &Flow,
        at: (BlockId, usize),
        stmt: &'p Stmt,
    );

    /// The end of a block; if it is a branch, its condition follows.
    fn end(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, block: BlockId);

    /// The branch at the end of a block.
    fn branch(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, block: BlockId, cond: TermId);
}

impl<'p> Executor<'p> {
    pub(super) fn tell_statement(
        &mut self,
        run: &Run<'p>,
        flow: &Flow,
        at: (BlockId, usize),
        stmt: &'p Stmt,
    ) {
        if let Some(mut watcher) = self.watcher.take() {
            watcher.statement(self, run, flow, at, stmt);
            self.watcher = Some(watcher);
        }
    }

    pub(super) fn tell_end(&mut self, run: &Run<'p>, flow: &Flow, block: BlockId) {
        if let Some(mut watcher) = self.watcher.take() {
            watcher.end(self, run, flow, block);
            self.watcher = Some(watcher);
        }
    }

    pub(super) fn tell_branch(&mut self, run: &Run<'p>, flow: &Flow, block: BlockId, cond: TermId) {
        if let Some(mut watcher) = self.watcher.take() {
            watcher.branch(self, run, flow, block, cond);
            self.watcher = Some(watcher);
        }
    }
}
