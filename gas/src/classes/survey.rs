//! Where the price of a run is decided: collected while the code is followed once, all ways at a time.

use std::cell::RefCell;
use std::rc::Rc;

use hornet_evm::machine::Fork;
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, Builtin, Expr, Exprs, Root};
use hornet_ir::ids::{BlockId, ExprId, PlaceId, TypeId};
use hornet_ir::layout::is_dynamic_abi;
use hornet_ir::program::{AllocInit, Callee, EvmOp, ExternalCall, Stmt, StmtKind, Terminator};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_ir::visit::Roots;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{Executor, Flow, Run, Watcher};
use hornet_symbolic::{Key as SpotKey, Res, Spot, Var};
use rustc_hash::FxHashSet;

use super::account::Payment;
use super::amount::{self, Unit};
use super::lazy::Lazy;
use super::point::{By, Call, Key, Point, Question, Step, Survey};
use super::price::{Pricing, Rules, Written, share_slots};
use super::slot::{SlotPath, type_of};

/// Something that is cheaper to use again, and when it was used.
struct Access<T> {
    guard: TermId,
    what: T,
}

/// Earlier accesses that one is compared with.
const MOST_NEIGHBOURS: usize = 4;

pub(super) struct Surveyor {
    rules: Rules,
    survey: Rc<RefCell<Survey>>,
    calls: Vec<Step>,
    slots: Vec<Access<SlotPath>>,
    accounts: Vec<Access<TermId>>,
}

/// Where a question comes up.
#[derive(Clone, Copy)]
struct Here<'a, 'p> {
    run: &'a Run<'p>,
    flow: &'a Flow,
    at: Step,
}

impl Surveyor {
    pub fn new(rules: Rules, survey: Rc<RefCell<Survey>>) -> Surveyor {
        Surveyor { rules, survey, calls: Vec::new(), slots: Vec::new(), accounts: Vec::new() }
    }

    /// Questions are counted apart by what answers them: how many are about the past depends on who calls.
    fn point(&self, at: Step, guard: TermId, question: impl Into<Question>, by: By) {
        let mut survey = self.survey.borrow_mut();
        let mut key = Key { calls: self.calls.clone(), at, question: 0 };
        let here = survey.points.iter().rev().take_while(|point| point.key.at == at);
        key.question = here.filter(|point| point.by == by && point.key.calls == key.calls).count();
        survey.points.push(Point { key, guard, question: question.into(), by });
    }

    fn varies(&self, by: &'static str) {
        self.survey.borrow_mut().varies = Some(by);
    }

    /// Prices of what a statement writes.
    fn write(&self, ex: &mut Executor<'_>, here: Here, place: PlaceId, written: &Written) -> Res<()> {
        for (is_here, spot) in spots(ex, here, place)? {
            if is_packed_element(ex, &spot) {
                self.varies("elements that share a slot");
            }
            let reach = here.flow.reach(&mut ex.cx.terms);
            let guard = ex.cx.terms.and(reach, is_here);
            let (now, rules) = (&here.flow.state, self.rules);
            let mut pricing = Pricing { ex, rules, now, questions: Vec::new(), varies: None };
            pricing.write(&spot, written, None)?;
            let Pricing { questions, varies, .. } = pricing;
            questions.into_iter().for_each(|(question, by)| self.point(here.at, guard, question, by));
            varies.into_iter().for_each(|by| self.varies(by));
        }
        Ok(())
    }

    /// Whether a slot was used before, where that depends on keys.
    fn touch(&mut self, ex: &mut Executor<'_>, here: Here, place: PlaceId) -> Res<()> {
        for (is_here, spot) in spots(ex, here, place)? {
            let Some(path) = SlotPath::of(ex.program, &spot) else { continue };
            let reach = here.flow.reach(&mut ex.cx.terms);
            let guard = ex.cx.terms.and(reach, is_here);
            let same_kind = self.slots.iter().filter(|access| access.what.may_be(&path));
            let rivals: Vec<(TermId, SlotPath)> =
                same_kind.map(|access| (access.guard, access.what.clone())).collect();
            if rivals.iter().any(|(_, other)| *other == path) {
                continue;
            }
            let same: Vec<(TermId, TermId)> = rivals
                .iter()
                .map(|(earlier, other)| (*earlier, path.equals(&mut ex.cx.terms, other)))
                .collect();
            self.compare(ex, here.at, guard, &same);
            self.slots.push(Access { guard, what: path });
        }
        Ok(())
    }

    /// Whether an account was used before. The transaction itself uses those of its sender and of the contract.
    fn meet(&mut self, ex: &mut Executor<'_>, here: Here, account: TermId) -> Res<()> {
        let caller = ex.cx.get(&here.flow.state, Var::Caller)?[0];
        let others = [Some(ex.this()), ex.paths.origin].into_iter().flatten();
        let known: Vec<TermId> = others.chain([caller]).collect();
        if known.contains(&account) || self.accounts.iter().any(|access| access.what == account) {
            return Ok(());
        }
        let guard = here.flow.reach(&mut ex.cx.terms);
        for other in known {
            let same = ex.cx.terms.eq(account, other);
            let differs = ex.cx.terms.not(same);
            let mut question = Question::from(vec![same, differs]);
            // To be somebody else than the contract or the signer is nothing special.
            question.told[1] = if other == caller { differs } else { ex.cx.terms.bool(true) };
            self.point(here.at, guard, question, By::History);
        }
        let same: Vec<(TermId, TermId)> = (self.accounts.iter())
            .map(|access| (access.guard, ex.cx.terms.eq(account, access.what)))
            .collect();
        self.compare(ex, here.at, guard, &same);
        self.accounts.push(Access { guard, what: account });
        Ok(())
    }

    /// Asks whether something is the same as each of several others, which were used under a guard of their own.
    fn compare(&self, ex: &mut Executor<'_>, at: Step, guard: TermId, same: &[(TermId, TermId)]) {
        if same.len() > MOST_NEIGHBOURS {
            self.varies("which slots or accounts are the same");
        }
        for (earlier, same) in same.iter().rev().take(MOST_NEIGHBOURS) {
            let both = ex.cx.terms.and(guard, *earlier);
            let other = ex.cx.terms.not(*same);
            self.point(at, both, vec![*same, other], By::History);
        }
    }

    /// Questions about what a statement or the end of a block evaluates; what cannot be asked is left out. What is `moved`
    /// is passed on as it is, where it is a reference.
    fn evaluate<'p>(&mut self, ex: &mut Executor<'p>, here: Here<'_, 'p>, roots: &Roots, moved: bool) {
        let Here { run, flow, at } = here;
        let reach = flow.reach(&mut ex.cx.terms);
        let (exprs, types) = (&ex.program.exprs, &ex.program.types);
        let is_moved = |e: &ExprId| moved && types.referent(exprs.ty(*e)).is_some();
        let mut lazy =
            Lazy { ex, run, flow, found: Vec::new(), used: Vec::new(), seen: FxHashSet::default() };
        for e in &roots.exprs {
            if is_moved(e) { lazy.look_inside(*e, reach) } else { lazy.look(*e, reach) }
        }
        roots.places.iter().for_each(|place| lazy.look_at(*place, reach));
        let Lazy { found, used, .. } = lazy;
        found.into_iter().for_each(|(guard, options)| self.point(at, guard, options, By::Values));
        for (e, guard) in used {
            self.amounts(ex, here, e, guard);
            self.looks_at_account(ex, here, e);
        }
        if self.rules.fork >= Fork::Berlin {
            for place in storage_places(ex, roots) {
                let _ = self.touch(ex, here, place);
            }
        }
    }

    /// How much an expression copies, or to which power it takes something.
    fn amounts<'p>(&self, ex: &mut Executor<'p>, here: Here<'_, 'p>, e: ExprId, guard: TermId) {
        if let Some(question) = amount::of_power(ex, here.run, here.flow, e) {
            self.point(here.at, guard, question, By::Amount);
        }
        match amount::lengths(ex, here.run, here.flow, e) {
            Ok(None) => {}
            Ok(Some(lengths)) => {
                lengths
                    .found
                    .iter()
                    .for_each(|(length, unit)| self.length(ex, here.at, guard, *length, *unit));
                if lengths.nested {
                    self.varies("lengths inside of arrays");
                }
            }
            Err(_) => self.varies("lengths"),
        }
    }

    fn length(&self, ex: &mut Executor<'_>, at: Step, guard: TermId, length: TermId, unit: Unit) {
        match amount::of_length(ex, length, unit, self.rules.rounds) {
            Some(question) => self.point(at, guard, question, By::Amount),
            None => self.varies("lengths"),
        }
    }

    fn looks_at_account<'p>(&mut self, ex: &mut Executor<'p>, here: Here<'_, 'p>, e: ExprId) {
        let Expr::Builtin(Builtin::Balance | Builtin::CodeSize | Builtin::CodeHash | Builtin::Code, args) =
            ex.program.exprs.get(e)
        else {
            return;
        };
        self.uses_account(ex, here, args[0]);
    }

    fn uses_account<'p>(&mut self, ex: &mut Executor<'p>, here: Here<'_, 'p>, account: ExprId) {
        if self.rules.fork >= Fork::Berlin
            && let Ok(account) = ex.scalar(here.flow, &here.run.proc.locals, here.run.frame, account)
        {
            let _ = self.meet(ex, here, account);
        }
    }

    /// Who is called, and what is sent along.
    fn call<'p>(
        &mut self,
        ex: &mut Executor<'p>,
        here: Here<'_, 'p>,
        span: Option<Span>,
        call: &ExternalCall,
    ) -> Res<()> {
        self.uses_account(ex, here, call.target);
        let Some(value) = call.value else { return Ok(()) };
        let scope = (&here.run.proc.locals, here.run.frame);
        let value = ex.scalar(here.flow, scope.0, scope.1, value)?;
        let target = ex.scalar(here.flow, scope.0, scope.1, call.target)?;
        let payment = Payment::new(ex, here.flow, span, (target, value))?;
        let options = payment.options(ex);
        self.point(here.at, payment.reach, options, By::Values);
        let caller = ex.cx.get(&here.flow.state, Var::Caller)?[0];
        // Whoever calls has an account.
        if target != caller {
            let paid = ex.cx.terms.and(payment.reach, payment.pays);
            let known = ex.cx.terms.not(payment.is_new);
            self.point(here.at, paid, vec![payment.is_new, known], By::History);
            self.survey.borrow_mut().payments.push(payment);
        }
        Ok(())
    }

    /// Questions about one statement.
    fn look<'p>(&mut self, ex: &mut Executor<'p>, here: Here<'_, 'p>, stmt: &Stmt) {
        // What is only checked or assumed is no code.
        if matches!(stmt.kind, StmtKind::Check { .. } | StmtKind::Assume { .. }) {
            return;
        }
        let mut roots = Roots::default();
        let is_dynamic = |ty: &TypeId| is_dynamic_abi(&ex.program.types, *ty);
        match &stmt.kind {
            // Words are read from where they are, however much there is.
            StmtKind::Decode { types, .. } if !types.iter().any(is_dynamic) => {}
            kind => roots.stmt(kind),
        }
        let moved = matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { .. });
        self.evaluate(ex, here, &roots, moved);
        self.act(ex, here, stmt);
    }

    /// Questions about what a statement does with what it has evaluated.
    fn act<'p>(&mut self, ex: &mut Executor<'p>, here: Here<'_, 'p>, stmt: &Stmt) {
        let Here { run, flow, .. } = here;
        let (program, locals, frame) = (ex.program, &run.proc.locals, run.frame);
        let written = match &stmt.kind {
            StmtKind::Store { place, value } => {
                ex.eval(flow, locals, frame, *value).map(|value| (*place, Written::Value(value)))
            }
            StmtKind::Delete { place } => Ok((*place, Written::Zero)),
            StmtKind::SetLength { place, length } => {
                let removed = removed(&program.exprs, *length);
                ex.scalar(flow, locals, frame, *length).map(|new| (*place, Written::Length(new, removed)))
            }
            StmtKind::Alloc { init: AllocInit::Array(ty, length), .. } => {
                let unit = if *program.types.get(*ty) == Type::Bytes { Unit::Bytes } else { Unit::Elements };
                let Ok(length) = ex.scalar(flow, locals, frame, *length) else {
                    return self.varies("lengths");
                };
                let reach = flow.reach(&mut ex.cx.terms);
                return self.length(ex, here.at, reach, length, unit);
            }
            StmtKind::Decode { types, .. } if types.iter().any(|ty| is_dynamic_abi(&program.types, *ty)) => {
                return self.varies("lengths inside of what is decoded");
            }
            StmtKind::ExternalCall(call) => {
                let _ = self.call(ex, here, stmt.span, call);
                return;
            }
            StmtKind::SelfDestruct { beneficiary } => {
                self.uses_account(ex, here, *beneficiary);
                return self.varies("whom `selfdestruct` pays");
            }
            StmtKind::Evm { op: EvmOp::SStore, .. } => return self.varies("slots that assembly writes"),
            _ => return,
        };
        if let Ok((place, written)) = written {
            let _ = self.write(ex, here, place, &written);
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
        self.look(ex, Here { run, flow, at }, stmt);
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
        let at = (proc, block, block_ends.stmts.len());
        let moved = matches!(block_ends.terminator, Terminator::Return(_));
        self.evaluate(ex, Here { run, flow, at }, &roots, moved);
    }

    fn branch(&mut self, ex: &mut Executor<'p>, run: &Run<'p>, flow: &Flow, block: BlockId, cond: TermId) {
        let Some(proc) = ex.active.last().copied() else { return };
        self.calls.truncate(ex.active.len() - 1);
        let reach = flow.reach(&mut ex.cx.terms);
        let not = ex.cx.terms.not(cond);
        let at = (proc, block, run.proc.blocks[block].stmts.len());
        self.point(at, reach, vec![cond, not], By::Values);
    }
}

fn spots(ex: &mut Executor<'_>, here: Here, place: PlaceId) -> Res<Vec<(TermId, Spot)>> {
    let Here { run, flow, .. } = here;
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

/// How many elements a new length takes away: one more or one less than before is told by its expression.
fn removed(exprs: &Exprs, length: ExprId) -> Option<u32> {
    let is_one = |e: ExprId| matches!(exprs.get(e), Expr::Const(one) if *one == U256::ONE);
    match exprs.get(length) {
        Expr::Binary(BinOp::Add, _, one) if is_one(*one) => Some(0),
        Expr::Binary(BinOp::Sub, _, one) if is_one(*one) => Some(1),
        _ => None,
    }
}

/// Whether a spot is an element of an array that shares its slot with others.
fn is_packed_element(ex: &Executor<'_>, spot: &Spot) -> bool {
    let Some((SpotKey::Index(_), before)) = spot.keys.split_last() else { return false };
    let array = Spot { keys: before.to_vec(), ..spot.clone() };
    let in_array = |ty| match ex.program.types.get(ty) {
        Type::Array { elem, .. } => share_slots(ex, *elem),
        Type::Bytes => true,
        _ => false,
    };
    type_of(ex.program, &array).is_some_and(in_array)
}
