//! Where the price of a run is decided: collected while the code is followed once, all ways at a time.

use std::cell::RefCell;
use std::rc::Rc;

use hornet_evm::machine::Fork;
use hornet_ir::expr::{BinOp, Expr, Root};
use hornet_ir::ids::{BlockId, ExprId, PlaceId, ProcId};
use hornet_ir::layout::is_dynamic_abi;
use hornet_ir::program::{Callee, Program, Stmt, StmtKind};
use hornet_ir::types::Type;
use hornet_ir::visit::Roots;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{Executor, Flow, Run, Watcher};
use hornet_symbolic::{Res, Spot, State};
use rustc_hash::FxHashSet;

use super::lazy::Lazy;
use super::price::{self, Written};
use super::slot::SlotPath;

/// A statement, or the end of a block.
pub(super) type Step = (ProcId, BlockId, usize);

/// Something that decides, where a run gets to it: the calls on the way, the statement, and which of its questions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub calls: Vec<Step>,
    pub at: Step,
    pub question: usize,
}

/// One of several things happens, if the run gets here at all. They exclude each other, and one of them does.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub key: Key,
    pub guard: TermId,
    pub options: Vec<TermId>,
    /// Decided by values alone, and not by what happened earlier in the transaction.
    pub local: bool,
}

/// A call of a function inside the contract.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// With the call itself as the last one.
    pub calls: Vec<Step>,
    pub callee: ProcId,
    pub guard: TermId,
}

#[derive(Default)]
pub(super) struct Survey {
    /// In the order of the code.
    pub points: Vec<Point>,
    pub calls: Vec<Call>,
    /// Something that prices depend on, and that is not told apart by cases.
    pub varies: Option<&'static str>,
}

/// A slot that was looked up or written to.
struct Access {
    guard: TermId,
    path: SlotPath,
}

/// Earlier accesses that one is compared with.
const MOST_NEIGHBOURS: usize = 4;

pub(super) struct Surveyor {
    fork: Fork,
    survey: Rc<RefCell<Survey>>,
    calls: Vec<Step>,
    accesses: Vec<Access>,
}

impl Surveyor {
    pub fn new(fork: Fork, survey: Rc<RefCell<Survey>>) -> Surveyor {
        Surveyor { fork, survey, calls: Vec::new(), accesses: Vec::new() }
    }

    fn point(&self, at: Step, guard: TermId, options: Vec<TermId>, local: bool) {
        let mut survey = self.survey.borrow_mut();
        let mut key = Key { calls: self.calls.clone(), at, question: 0 };
        let here = survey.points.iter().rev().take_while(|point| point.key.at == at);
        key.question = here.filter(|point| point.key.calls == key.calls).count();
        survey.points.push(Point { key, guard, options, local });
    }

    /// Prices of what a statement writes.
    fn write(
        &self,
        ex: &mut Executor<'_>,
        run: &Run<'_>,
        flow: &Flow,
        at: Step,
        (place, written): (PlaceId, Written),
    ) -> Res<()> {
        let spots = spots(ex, run, flow, place)?;
        for (is_here, spot) in spots {
            let reach = flow.reach(&mut ex.cx.terms);
            let guard = ex.cx.terms.and(reach, is_here);
            for options in price::of_write(ex, self.fork, &flow.state, &spot, &written)? {
                self.point(at, guard, options, true);
            }
        }
        Ok(())
    }

    /// Whether a slot was used before, where that depends on keys.
    fn touch(
        &mut self,
        ex: &mut Executor<'_>,
        run: &Run<'_>,
        flow: &Flow,
        at: Step,
        place: PlaceId,
    ) -> Res<()> {
        for (is_here, spot) in spots(ex, run, flow, place)? {
            let Some(path) = SlotPath::of(ex.program, &spot) else { continue };
            let reach = flow.reach(&mut ex.cx.terms);
            let guard = ex.cx.terms.and(reach, is_here);
            let same_kind = self.accesses.iter().filter(|access| access.path.may_be(&path));
            let rivals: Vec<(TermId, SlotPath)> =
                same_kind.map(|access| (access.guard, access.path.clone())).collect();
            if rivals.iter().any(|(_, other)| *other == path) {
                continue;
            }
            for (earlier, other) in rivals.iter().rev().take(MOST_NEIGHBOURS) {
                let same = path.equals(&mut ex.cx.terms, other);
                let both = ex.cx.terms.and(guard, *earlier);
                let other = ex.cx.terms.not(same);
                self.point(at, both, vec![same, other], false);
            }
            self.accesses.push(Access { guard, path });
        }
        Ok(())
    }

    /// Questions about what a statement or the end of a block evaluates; what cannot be asked is left out.
    fn evaluate<'p>(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, at: Step, roots: &Roots) {
        let reach = flow.reach(&mut ex.cx.terms);
        let mut lazy = Lazy { ex, run, flow, found: Vec::new(), seen: FxHashSet::default() };
        roots.exprs.iter().for_each(|e| lazy.look(*e, reach));
        let varies = lazy.seen.iter().find_map(|e| varies(lazy.ex.program, *e));
        for (guard, options) in lazy.found {
            self.point(at, guard, options, true);
        }
        if varies.is_some() {
            self.survey.borrow_mut().varies = varies;
        }
        if self.fork >= Fork::Berlin {
            for place in storage_places(ex, roots) {
                let _ = self.touch(ex, run, flow, at, place);
            }
        }
    }

    /// Questions about one statement.
    fn look<'p>(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, at: Step, stmt: &Stmt) {
        // What is only checked or assumed is no code.
        if matches!(stmt.kind, StmtKind::Check { .. } | StmtKind::Assume { .. }) {
            return;
        }
        let mut roots = Roots::default();
        match &stmt.kind {
            // Words are read from where they are, however much there is.
            StmtKind::Decode { types, .. }
                if types.iter().all(|ty| !is_dynamic_abi(&ex.program.types, *ty)) => {}
            kind => roots.stmt(kind),
        }
        self.evaluate(ex, run, flow, at, &roots);
        let written = match &stmt.kind {
            StmtKind::Store { place, value } => ex
                .eval(flow, &run.proc.locals, run.frame, *value)
                .map(|value| (*place, Written::Value(value))),
            StmtKind::Delete { place } => Ok((*place, Written::Zero)),
            StmtKind::SetLength { place, length } => ex
                .scalar(flow, &run.proc.locals, run.frame, *length)
                .map(|length| (*place, Written::Length(length))),
            StmtKind::ExternalCall(call) => {
                if let Some(value) = call.value
                    && let Ok(options) = ex
                        .scalar(flow, &run.proc.locals, run.frame, value)
                        .and_then(|value| price::of_payment(ex, flow, value))
                {
                    let reach = flow.reach(&mut ex.cx.terms);
                    self.point(at, reach, options, true);
                }
                return;
            }
            _ => return,
        };
        if let Ok(written) = written {
            let _ = self.write(ex, run, flow, at, written);
        }
    }
}

impl<'p> Watcher<'p> for Surveyor {
    fn statement(
        &mut self,
        ex: &mut Executor<'p>,
        run: &Run<'p>,
        flow: &Flow,
        (block, at): (BlockId, usize),
        stmt: &'p Stmt,
    ) {
        let Some(proc) = ex.active.last().copied() else { return };
        self.calls.truncate(ex.active.len() - 1);
        let at = (proc, block, at);
        self.look(ex, run, flow, at, stmt);
        match &stmt.kind {
            StmtKind::Call { callee: Callee::Proc(callee), .. } => {
                self.calls.push(at);
                let guard = flow.reach(&mut ex.cx.terms);
                let call = Call { calls: self.calls.clone(), callee: *callee, guard };
                self.survey.borrow_mut().calls.push(call);
            }
            StmtKind::Call { .. } | StmtKind::ExternalCall(_) | StmtKind::Create(_) => self.calls.push(at),
            _ => {}
        }
    }

    fn end(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, block: BlockId) {
        let Some(proc) = ex.active.last().copied() else { return };
        self.calls.truncate(ex.active.len() - 1);
        let block_ends = &run.proc.blocks[block];
        let mut roots = Roots::default();
        roots.terminator(&block_ends.terminator);
        self.evaluate(ex, run, flow, (proc, block, block_ends.stmts.len()), &roots);
    }

    fn branch(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, block: BlockId, cond: TermId) {
        let Some(proc) = ex.active.last().copied() else { return };
        self.calls.truncate(ex.active.len() - 1);
        let reach = flow.reach(&mut ex.cx.terms);
        let not = ex.cx.terms.not(cond);
        let at = (proc, block, run.proc.blocks[block].stmts.len());
        self.point(at, reach, vec![cond, not], true);
    }
}

fn spots(ex: &mut Executor<'_>, run: &Run<'_>, flow: &Flow, place: PlaceId) -> Res<Vec<(TermId, Spot)>> {
    let found = ex.scoped(flow, &run.proc.locals, run.frame, |cx, scope| cx.storage_spots(scope, place))?;
    Ok(found.unwrap_or_default())
}

/// Places in storage that a statement mentions, inner ones first.
fn storage_places(ex: &Executor<'_>, roots: &Roots) -> Vec<PlaceId> {
    let exprs = &ex.program.exprs;
    let mut found = Vec::new();
    let mut open: Vec<ExprId> = roots.exprs.clone();
    let place = |place: PlaceId, open: &mut Vec<ExprId>, found: &mut Vec<PlaceId>| {
        if matches!(exprs.place(place).root, Root::State(_) | Root::Storage(_)) && !found.contains(&place) {
            found.push(place);
        }
        hornet_ir::visit::for_place_operands(exprs, place, &mut |e| open.push(e));
    };
    roots.places.iter().for_each(|p| place(*p, &mut open, &mut found));
    while let Some(e) = open.pop() {
        match exprs.get(e) {
            Expr::Load(at) | Expr::Length(at) => place(*at, &mut open, &mut found),
            _ => exprs.for_each_operand(e, |operand| open.push(operand)),
        }
    }
    found.reverse();
    found
}

/// What the price of evaluating an expression depends on, if it is not the same each time.
fn varies(program: &Program, e: ExprId) -> Option<&'static str> {
    let is_constant = |e: ExprId| matches!(program.exprs.get(e), Expr::Const(_));
    match program.exprs.get(e) {
        Expr::Binary(BinOp::Exp, _, exponent) if !is_constant(*exponent) => Some("the size of an exponent"),
        Expr::BytesConst(_) | Expr::Length(_) | Expr::Ref(_) => None,
        Expr::AbiEncode { types, .. } => {
            types.iter().any(|ty| is_dynamic_abi(&program.types, *ty)).then_some("lengths")
        }
        _ => {
            let ty = program.exprs.ty(e);
            let tree = program.types.referent(ty).unwrap_or(ty);
            let stored = matches!(program.types.get(ty), Type::StorageRef(_));
            (!stored && is_dynamic_abi(&program.types, tree)).then_some("lengths")
        }
    }
}

/// The state in which the transaction began.
pub(super) fn original() -> State {
    State::default()
}
