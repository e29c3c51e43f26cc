//! What statements mention and expressions are made of, for passes that only look.

use crate::expr::{Expr, Exprs, Root, Step};
use crate::ids::{BlockId, ExprId, Id, LocalId, PlaceId};
use crate::program::{AllocInit, Callee, Gas, Proc, StmtKind, Terminator};
use crate::spec::{Clause, Modifies, ModifiesTarget};
use rustc_hash::FxHashSet;

/// The expressions and places a statement mentions.
#[derive(Default)]
pub struct Roots {
    pub exprs: Vec<ExprId>,
    pub places: Vec<PlaceId>,
}

impl Roots {
    pub fn stmt(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Assign { value: e, .. }
            | StmtKind::Assume { cond: e }
            | StmtKind::Check { cond: e, .. }
            | StmtKind::Decode { data: e, .. }
            | StmtKind::SelfDestruct { beneficiary: e } => self.exprs.push(*e),
            StmtKind::Store { place, value } => {
                self.places.push(*place);
                self.exprs.push(*value);
            }
            StmtKind::Delete { place } => self.places.push(*place),
            StmtKind::SetLength { place, length } => {
                self.places.push(*place);
                self.exprs.push(*length);
            }
            StmtKind::Havoc { .. } | StmtKind::Unsupported { .. } => {}
            StmtKind::Call { callee, args, .. } => {
                if let Callee::Pointer(p) = callee {
                    self.exprs.push(*p);
                }
                self.exprs.extend(args);
            }
            StmtKind::Alloc { init, .. } => match init {
                AllocInit::Zero(_) => {}
                AllocInit::Array(_, e) | AllocInit::Copy(_, e) => self.exprs.push(*e),
            },
            StmtKind::ExternalCall(call) => {
                self.exprs.extend([call.target, call.data]);
                self.exprs.extend(call.value);
                if let Gas::Amount(gas) = call.gas {
                    self.exprs.push(gas);
                }
            }
            StmtKind::Create(create) => {
                self.exprs.push(create.args);
                self.exprs.extend(create.value);
                self.exprs.extend(create.salt);
            }
            StmtKind::Emit { topics, data, args, .. } => {
                self.exprs.extend(topics);
                self.exprs.push(*data);
                self.exprs.extend(args);
            }
            StmtKind::Evm { args, .. } => self.exprs.extend(args),
        }
    }

    pub fn clause(&mut self, clause: &Clause) {
        self.exprs.extend([clause.cond, clause.fits]);
    }

    pub fn modifies(&mut self, modifies: &Modifies) {
        match modifies.target {
            ModifiesTarget::Everything => {}
            ModifiesTarget::Place(place) | ModifiesTarget::Length(place) => self.places.push(place),
            ModifiesTarget::Balance(account) => self.exprs.push(account),
        }
        self.exprs.extend(modifies.cond);
    }

    pub fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { cond: e, .. } | Terminator::Revert(e) | Terminator::Halt(e) => {
                self.exprs.push(*e)
            }
            Terminator::Return(values) => self.exprs.extend(values),
            Terminator::Goto(_) | Terminator::Invalid | Terminator::Unreachable => {}
        }
    }
}

/// All expressions that the code of a procedure is made of; those in `seen` already are passed over, and added to.
pub fn for_exprs_of(exprs: &Exprs, proc: &Proc, seen: &mut FxHashSet<ExprId>, f: &mut impl FnMut(&Expr)) {
    let mut roots = Roots::default();
    for block in proc.blocks.iter() {
        block.stmts.iter().for_each(|stmt| roots.stmt(&stmt.kind));
        roots.terminator(&block.terminator);
    }
    let mut open = roots.exprs;
    roots.places.into_iter().for_each(|place| for_place_operands(exprs, place, &mut |e| open.push(e)));
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let expr = exprs.get(id);
            f(expr);
            for_operands(exprs, expr, &mut |e| open.push(e));
        }
    }
}

/// Calls `f` with every direct operand of an expression, those inside places included.
pub fn for_operands(exprs: &Exprs, expr: &Expr, f: &mut impl FnMut(ExprId)) {
    match expr {
        Expr::Const(_)
        | Expr::BytesConst(_)
        | Expr::Default
        | Expr::Local(_)
        | Expr::Env(_)
        | Expr::FnPointer(_)
        | Expr::LibraryAddress(_)
        | Expr::ContractCode { .. }
        | Expr::Bound(_) => {}
        Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) | Expr::Sum { place, .. } => {
            for_place_operands(exprs, *place, f)
        }
        Expr::Unary(_, a)
        | Expr::Cast(a)
        | Expr::Old(a)
        | Expr::Before(a)
        | Expr::Quantified { body: a, .. } => f(*a),
        Expr::Binary(_, a, b)
        | Expr::Fits(_, a, b)
        | Expr::DeepEq(a, b)
        | Expr::MakeCalldataRef { offset: a, length: b } => {
            f(*a);
            f(*b);
        }
        Expr::Ite(c, a, b) => {
            f(*c);
            f(*a);
            f(*b);
        }
        Expr::Builtin(_, args) => args.iter().for_each(|a| f(*a)),
        Expr::AbiEncode { selector, args, .. } => {
            selector.iter().for_each(|a| f(*a));
            args.iter().for_each(|a| f(*a));
        }
    }
}

pub fn for_place_operands(exprs: &Exprs, place: PlaceId, f: &mut impl FnMut(ExprId)) {
    if place.index() >= exprs.place_count() {
        return;
    }
    let place = exprs.place(place);
    match place.root {
        Root::State(_) => {}
        Root::Storage(e) | Root::Memory(e) | Root::Calldata(e) => f(e),
    }
    for step in &place.steps {
        match step {
            Step::Field(_) => {}
            Step::Index(e) => f(*e),
        }
    }
}

/// The locals a statement assigns.
pub fn destinations(stmt: &StmtKind) -> Vec<LocalId> {
    match stmt {
        StmtKind::Assign { dst, .. } | StmtKind::Havoc { dst } | StmtKind::Alloc { dst, .. } => vec![*dst],
        StmtKind::Call { dsts, .. } | StmtKind::Evm { dsts, .. } => dsts.clone(),
        StmtKind::Decode { dsts, ok, error, .. } => dsts.iter().copied().chain([*ok, *error]).collect(),
        StmtKind::ExternalCall(call) => vec![call.ok, call.result],
        StmtKind::Create(create) => vec![create.dst, create.ok, create.result],
        StmtKind::Store { .. }
        | StmtKind::Delete { .. }
        | StmtKind::SetLength { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Check { .. }
        | StmtKind::Emit { .. }
        | StmtKind::SelfDestruct { .. }
        | StmtKind::Unsupported { .. } => Vec::new(),
    }
}

/// Where control can go from a block.
pub fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(b) => vec![*b],
        Terminator::Branch { then, other, .. } => vec![*then, *other],
        Terminator::Return(_)
        | Terminator::Revert(_)
        | Terminator::Halt(_)
        | Terminator::Invalid
        | Terminator::Unreachable => Vec::new(),
    }
}
