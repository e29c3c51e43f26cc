//! Invariants are relied on in later calls: by then somebody else calls, time has passed and ether has moved.

use super::executor::{Executor, Locals};
use super::flow::Flow;
use super::goals::Subject;
use super::policy::Policy;
use crate::environment::read_by;
use crate::{Frame, Res, Var};
use hornet_ir::expr::{Builtin, EnvVar, Expr, Root};
use hornet_ir::ids::{ExprId, Id, PlaceId, TypeId};
use hornet_ir::program::{ObligationKind, StateKind};
use hornet_ir::span::Span;
use hornet_ir::typing::WORD;
use hornet_smt::term::Sort;
use std::collections::BTreeSet;

impl<'p> Executor<'p> {
    /// Checks the invariants that say something about the environment for every environment that may follow.
    pub fn check_invariants_later(&mut self, flow: &Flow, span: Span, place: &str) {
        if self.policy != Policy::Annotations {
            return;
        }
        let program = self.program;
        let clauses = program.contracts[self.contract].invariants.iter();
        let clauses: Vec<_> = clauses.filter(|clause| self.speaks_of_environment(clause.cond)).collect();
        if clauses.is_empty() {
            return;
        }
        let nobody = Locals::new();
        let later = match self.later(flow) {
            Ok(later) => later,
            Err(why) => return self.gap(flow, why, Some(span)),
        };
        for clause in clauses {
            // What cannot be stated was said to be so when it was checked for now.
            let (Ok((now, _)), Ok((then, _))) = (
                self.clause(flow, &nobody, Frame(0), clause),
                self.clause(&later, &nobody, Frame(0), clause),
            ) else {
                continue;
            };
            if now != then {
                let kind = ObligationKind::Invariant;
                let annotation = Some((program.obligations[clause.obligation].span, clause.text.clone()));
                let message = format!("invariant `{}` might not hold in a later call, {place}", clause.text);
                self.goal(Subject { kind, span, annotation, message }, &later, Frame(0), then);
            }
        }
    }

    /// Whether an expression has parts that change although the contract does nothing.
    fn speaks_of_environment(&self, e: ExprId) -> bool {
        let program = self.program;
        let is_transient = |place: PlaceId| match program.exprs.place(place).root {
            Root::State(var) => program.state[var].kind == StateKind::Transient,
            Root::Storage(_) | Root::Memory(_) | Root::Calldata(_) => false,
        };
        let mut found = match program.exprs.get(e) {
            Expr::Env(var) => !matches!(var, EnvVar::This | EnvVar::ChainId),
            Expr::Builtin(builtin, _) => {
                let of_accounts = [Builtin::Balance, Builtin::CodeSize, Builtin::CodeHash, Builtin::Code];
                of_accounts.contains(builtin) || read_by(*builtin).is_some()
            }
            Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) | Expr::Sum { place, .. } => {
                is_transient(*place)
            }
            _ => false,
        };
        program.exprs.for_each_operand(e, |part| found = found || self.speaks_of_environment(part));
        found
    }

    /// The same contract in another call, of this transaction or a later one.
    fn later(&mut self, flow: &Flow) -> Res<Flow> {
        let mut later = flow.clone();
        for var in [Var::Caller, Var::CallValue, Var::CallData, Var::ReturnData, Var::CodeSizes] {
            self.cx.havoc(&mut later.state, var)?;
        }
        // Forced ether is a transition of its own; our balance does not change otherwise.
        let this = self.this();
        let ours = self.cx.get(&flow.state, Var::Balances)?[0];
        let ours = self.cx.terms.select(ours, this);
        self.cx.havoc(&mut later.state, Var::Balances)?;
        let others = self.cx.get(&later.state, Var::Balances)?[0];
        let balances = self.cx.terms.store(others, this, ours);
        later.state.set(Var::Balances, [balances].into());
        self.later_environment(flow, &mut later)?;
        self.later_transient(&mut later)?;
        Ok(later)
    }

    fn later_environment(&mut self, flow: &Flow, later: &mut Flow) -> Res<()> {
        for (var, ty) in self.environment() {
            let now = self.cx.get(&flow.state, Var::Env(var, ty))?[0];
            self.cx.havoc(&mut later.state, Var::Env(var, ty))?;
            let then = self.cx.get(&later.state, Var::Env(var, ty))?[0];
            if matches!(var, EnvVar::Timestamp | EnvVar::Number) {
                let onwards = self.at_most(now, then);
                later.assume(&self.cx.terms, onwards);
            }
        }
        Ok(())
    }

    /// What the program reads of transactions and blocks, with the types it has there.
    pub fn environment(&self) -> BTreeSet<(EnvVar, TypeId)> {
        let exprs = &self.program.exprs;
        let all = (0..exprs.len()).map(ExprId::from_usize);
        all.filter_map(|e| match exprs.get(e) {
            Expr::Env(
                var @ (EnvVar::Origin
                | EnvVar::Timestamp
                | EnvVar::Number
                | EnvVar::Coinbase
                | EnvVar::PrevRandao
                | EnvVar::GasLimit
                | EnvVar::BaseFee
                | EnvVar::BlobBaseFee
                | EnvVar::GasPrice),
            ) => Some((*var, exprs.ty(e))),
            Expr::Builtin(builtin, _) => read_by(*builtin).zip(self.program.types.find(&WORD)),
            _ => None,
        })
        .collect()
    }

    /// Transient storage is empty in another transaction.
    fn later_transient(&mut self, later: &mut Flow) -> Res<()> {
        let same_transaction = self.cx.terms.fresh("sametransaction", Sort::Bool);
        for var in &self.program.contracts[self.contract].state {
            let decl = &self.program.state[*var];
            if decl.kind == StateKind::Transient {
                let now = self.cx.get(&later.state, Var::State(*var))?;
                let zero = self.cx.zero(decl.ty)?;
                let value = self.cx.ite(same_transaction, &now, &zero);
                later.state.set(Var::State(*var), value);
            }
        }
        Ok(())
    }
}
