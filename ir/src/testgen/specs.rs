//! Random claims: invariants, specifications, promises of events.

use super::Gen;
use crate::expr::{BinOp, Expr, Root, Step, UnOp};
use crate::ids::*;
use crate::program::{Obligation, ObligationKind};
use crate::span::{FileId, Span};
use crate::spec::{BoundVar, Clause, EventSpec, FunctionInfo, FunctionRole, Modifies, ModifiesTarget, Spec};
use crate::types::{Type, WIDE_BITS};
use ruint::aliases::U256;

/// What a claim may use.
#[derive(Clone, Copy)]
struct May {
    locals: bool,
    old: bool,
    before: bool,
}

impl Gen {
    fn span(&mut self) -> Span {
        let start = self.rng.below(100) as u32;
        Span { file: FileId(0), start, end: start + 5 }
    }

    pub(super) fn contract_claims(&mut self, id: ContractId) {
        let may = May { locals: false, old: false, before: false };
        for _ in 0..self.rng.below(3) {
            let clause = self.clause(ObligationKind::Invariant, id, may, &[]);
            self.p.contracts[id].invariants.push(clause);
        }
        if self.rng.chance(50) {
            let event = EventId(0);
            let args: Vec<BoundId> =
                self.p.events[event].params.clone().iter().map(|p| self.bound(p.ty)).collect();
            let after = May { before: true, ..may };
            let spec = EventSpec {
                event,
                tracks: self.p.contracts[id].state[..2].to_vec(),
                pre: vec![self.clause(ObligationKind::EventPrecondition, id, may, &args)],
                post: vec![self.clause(ObligationKind::EventPostcondition, id, after, &args)],
                args,
                allow_no_change: self.rng.chance(50),
                span: self.span(),
            };
            self.p.contracts[id].event_specs.push(spec);
        }
        self.p.modifies_checked |= self.rng.chance(50);
        self.p.events_checked |= self.rng.chance(50);
    }

    /// The specification of the procedure at hand and the invariants of its loops.
    pub(super) fn proc_claims(&mut self, id: ProcId) {
        let Some(contract) = self.p.procs[id].contract else { return };
        let begin = May { locals: true, old: false, before: false };
        let after = May { old: true, ..begin };
        for block in self.p.procs[id].blocks.ids() {
            if self.p.procs[id].blocks[block].loop_head.is_some() {
                let clause = self.clause(ObligationKind::LoopInvariant, contract, after, &[]);
                self.p.procs[id].blocks[block].invariants.push(clause);
            }
        }
        let info = FunctionInfo {
            name: self.rng.pick(&["f", "[receive]"]).to_owned(),
            signature: self.rng.chance(50).then(|| "f(uint256)".to_owned()),
            role: self.rng.pick(<FunctionRole as crate::text::Word>::ALL),
            declared_in: self.rng.pick(&[None, Some(ContractId(0)), Some(contract)]),
            public: self.rng.chance(50),
            constant: self.rng.chance(50),
            span: self.span(),
        };
        self.p.procs[id].function = self.rng.chance(70).then(|| Box::new(info));
        if self.rng.chance(50) {
            let spec = self.spec(id, contract, begin, after);
            self.p.procs[id].spec = Some(Box::new(spec));
        }
    }

    fn spec(&mut self, id: ProcId, contract: ContractId, begin: May, after: May) -> Spec {
        let rets = self.p.procs[id].rets.clone();
        let local = |g: &mut Gen, ty| {
            let local = crate::program::Local { name: "r".to_owned(), ty, span: None };
            g.p.procs[id].locals.push(local)
        };
        let results = rets.into_iter().map(|ty| local(self, ty)).collect();
        let place = self.place(|root, _| matches!(root, Root::State(_) | Root::Storage(_)));
        let target = match (self.rng.below(3), place) {
            (0, Some(place)) => ModifiesTarget::Place(place),
            (1, _) => ModifiesTarget::Balance(self.of_fuel(Type::Address, 2)),
            _ => ModifiesTarget::Everything,
        };
        let cond = self.rng.chance(50).then(|| self.of_fuel(Type::Bool, 2));
        let modifies = Modifies { target, cond, span: self.span(), text: "x \"y\"".to_owned() };
        Spec {
            results,
            pre: vec![self.clause(ObligationKind::Precondition, contract, begin, &[])],
            post: vec![self.clause(ObligationKind::Postcondition, contract, after, &[])],
            modifies: vec![modifies],
            emits: vec![EventId(0)],
            succeeds_if: vec![self.clause(ObligationKind::Succeeds, contract, begin, &[])],
            reverts_if: vec![self.clause(ObligationKind::Reverts, contract, begin, &[])],
        }
    }

    fn clause(&mut self, kind: ObligationKind, contract: ContractId, may: May, args: &[BoundId]) -> Clause {
        let span = self.span();
        let obligation = Obligation { kind, span, contract: Some(contract), silent: self.rng.chance(10) };
        let obligation = self.p.obligations.push(obligation);
        let cond = self.claim(contract, may, args, 3);
        let fits = if self.rng.chance(50) { self.claim(contract, may, args, 1) } else { self.constant(true) };
        Clause { cond, fits, obligation, text: "a \"b\" \\ c".to_owned() }
    }

    fn constant(&mut self, value: bool) -> ExprId {
        self.p.const_bool(value)
    }

    fn bound(&mut self, ty: TypeId) -> BoundId {
        let name = if self.rng.chance(40) { String::new() } else { self.name() };
        self.p.bound_vars.push(BoundVar { name, ty })
    }

    fn add(&mut self, expr: Expr, ty: Type) -> ExprId {
        let ty = self.p.types.intern(ty);
        self.p.exprs.add(expr, ty)
    }

    fn claim(&mut self, contract: ContractId, may: May, vars: &[BoundId], fuel: u32) -> ExprId {
        if fuel == 0 {
            return self.atom(may, vars);
        }
        match self.rng.below(8) {
            0 => {
                let ty = self.p.types.word();
                let var = self.bound(ty);
                let inner: Vec<BoundId> = vars.iter().copied().chain([var]).collect();
                let body = self.claim(contract, may, &inner, fuel - 1);
                let forall = self.rng.chance(50);
                self.add(Expr::Quantified { forall, vars: Box::new([var]), body }, Type::Bool)
            }
            1 if may.old => {
                let value = self.claim(contract, may, vars, fuel - 1);
                self.add(Expr::Old(value), Type::Bool)
            }
            2 if may.before => {
                let value = self.claim(contract, may, vars, fuel - 1);
                self.add(Expr::Before(value), Type::Bool)
            }
            3 => self.sums(contract).unwrap_or_else(|| self.atom(may, vars)),
            4 => {
                let var = self.rng.pick(&self.p.contracts[contract].state.clone());
                let place = self.p.state_place(var);
                let tree = self.p.load(place);
                let ty = self.p.types.get(self.p.exprs.ty(tree)).clone();
                let expr =
                    if ty.is_tree() { Expr::DeepEq(tree, tree) } else { Expr::Binary(BinOp::Eq, tree, tree) };
                self.add(expr, Type::Bool)
            }
            5 => {
                let value = self.claim(contract, may, vars, fuel - 1);
                self.add(Expr::Unary(UnOp::Not, value), Type::Bool)
            }
            _ => {
                let op = self.rng.pick(&[BinOp::BoolAnd, BinOp::BoolOr]);
                let a = self.claim(contract, may, vars, fuel - 1);
                let b = self.claim(contract, may, vars, fuel - 1);
                self.add(Expr::Binary(op, a, b), Type::Bool)
            }
        }
    }

    fn atom(&mut self, may: May, vars: &[BoundId]) -> ExprId {
        if !vars.is_empty() && self.rng.chance(60) {
            let var = self.rng.pick(vars);
            let value = self.p.bound(var);
            let ty = self.p.exprs.ty(value);
            let other = self.p.default_of(ty);
            return self.add(Expr::Binary(BinOp::Ne, value, other), Type::Bool);
        }
        if may.locals {
            return self.of_fuel(Type::Bool, 2);
        }
        let value = self.rng.chance(50);
        self.constant(value)
    }

    /// `sum of a mapping or array <= 7`, if the contract has one of integers.
    fn sums(&mut self, contract: ContractId) -> Option<ExprId> {
        for var in self.p.contracts[contract].state.clone() {
            let (key, elem) = match *self.p.types.get(self.p.state[var].ty) {
                Type::Mapping { key, value } => (key, value),
                Type::Array { elem, .. } => (self.p.types.word(), elem),
                _ => continue,
            };
            let Type::Int { signed, .. } = *self.p.types.get(elem) else { continue };
            let index = self.bound(key);
            let value = self.p.bound(index);
            let place = self.p.place(Root::State(var), &[Step::Index(value)])?;
            let ty = self.p.types.intern(Type::Int { bits: WIDE_BITS, signed });
            let sum = self.p.sum(&[index], place, ty);
            let seven = self.p.const_word(U256::from(7));
            let seven = self.p.exprs.add(Expr::Cast(seven), ty);
            return Some(self.add(Expr::Binary(BinOp::Le, sum, seven), Type::Bool));
        }
        None
    }
}
