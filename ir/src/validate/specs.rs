//! Rules 701 to 709: what annotations claim.

use super::{Validator, Where, rule};
use crate::expr::{Expr, Location, Step};
use crate::ids::{BlockId, BoundId, ContractId, ExprId, ProcId};
use crate::program::{ObligationKind, Proc};
use crate::spec::{Clause, EventSpec, Modifies, ModifiesTarget, Spec};
use crate::types::Type;
use crate::visit::{Roots, for_operands};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a claim may speak of besides the state now.
#[derive(Clone, Copy, Default)]
struct Scope<'s> {
    /// Whose locals.
    proc: Option<&'s Proc>,
    contract: Option<ContractId>,
    old: bool,
    before: bool,
    bound: &'s [BoundId],
}

impl<'a> Validator<'a> {
    pub(super) fn contract_claims(&mut self) {
        let program = self.program;
        for (id, contract) in program.contracts.iter_ids() {
            let at = Where::Contract(id);
            let scope = Scope { contract: Some(id), ..Scope::default() };
            self.clauses(at, &contract.invariants, ObligationKind::Invariant, scope);
            for spec in &contract.event_specs {
                self.event_spec(at, id, spec, scope);
            }
        }
    }

    fn event_spec(&mut self, at: Where, id: ContractId, spec: &EventSpec, scope: Scope<'_>) {
        let program = self.program;
        let params = &program.events[spec.event].params;
        let types = spec.args.iter().map(|a| program.bound_vars[*a].ty);
        self.require(types.eq(params.iter().map(|p| p.ty)), rule::RESULTS, at, || {
            format!("arguments of event {}", spec.event.0)
        });
        for var in &spec.tracks {
            let own = program.state[*var].contract == id;
            self.require(own, rule::OWN_STATE, at, || format!("tracks variable {}", var.0));
        }
        let before = Scope { bound: &spec.args, ..scope };
        self.clauses(at, &spec.pre, ObligationKind::EventPrecondition, before);
        let after = Scope { before: true, ..before };
        self.clauses(at, &spec.post, ObligationKind::EventPostcondition, after);
    }

    pub(super) fn spec(&mut self, id: ProcId, proc: &Proc, spec: &Spec) {
        let at = Where::Proc(id);
        let types = spec.results.iter().map(|r| proc.locals[*r].ty);
        self.require(types.eq(proc.rets.iter().copied()), rule::RESULTS, at, || {
            format!("{} results", spec.results.len())
        });
        let begin = Scope { proc: Some(proc), contract: proc.contract, ..Scope::default() };
        self.clauses(at, &spec.pre, ObligationKind::Precondition, begin);
        self.clauses(at, &spec.succeeds_if, ObligationKind::Succeeds, begin);
        self.clauses(at, &spec.reverts_if, ObligationKind::Reverts, begin);
        self.clauses(at, &spec.post, ObligationKind::Postcondition, Scope { old: true, ..begin });
        for modifies in &spec.modifies {
            self.modifies(at, modifies, begin);
        }
    }

    pub(super) fn loop_claims(&mut self, id: ProcId, proc: &Proc, block: BlockId, clauses: &[Clause]) {
        let at = Where::Terminator(id, block);
        let scope = Scope { proc: Some(proc), contract: proc.contract, old: true, ..Scope::default() };
        self.clauses(at, clauses, ObligationKind::LoopInvariant, scope);
    }

    fn clauses(&mut self, at: Where, clauses: &[Clause], kind: ObligationKind, scope: Scope<'_>) {
        for clause in clauses {
            self.wants(rule::CLAIM, at, clause.cond, &Type::Bool, "claim");
            self.wants(rule::CLAIM, at, clause.fits, &Type::Bool, "what fits");
            let found = self.program.obligations[clause.obligation].kind;
            self.require(found == kind, rule::CLAIM_KIND, at, || format!("{found:?}, not {kind:?}"));
            let mut roots = Roots::default();
            roots.clause(clause);
            self.claimed(at, &roots, scope);
        }
    }

    fn modifies(&mut self, at: Where, modifies: &Modifies, scope: Scope<'_>) {
        if let Some(cond) = modifies.cond {
            self.wants(rule::CLAIM, at, cond, &Type::Bool, "condition");
        }
        match modifies.target {
            ModifiesTarget::Everything => {}
            ModifiesTarget::Place(place) | ModifiesTarget::Length(place) => {
                let location = self.program.exprs.place(place).root.location();
                let stored = location == Location::Storage;
                self.require(stored, rule::MODIFIES, at, || format!("modifies {location:?}"));
                if matches!(modifies.target, ModifiesTarget::Length(_)) {
                    self.has_length(at, place);
                }
            }
            ModifiesTarget::Balance(e) => self.wants(rule::MODIFIES, at, e, &Type::Address, "account"),
        }
        let mut roots = Roots::default();
        roots.modifies(modifies);
        self.claimed(at, &roots, scope);
    }

    /// The expressions of a claim, in its scope.
    fn claimed(&mut self, at: Where, roots: &Roots, scope: Scope<'_>) {
        for place in &roots.places {
            self.place(at, *place);
            self.state_of(at, scope.contract, *place);
        }
        let mut reachable = self.reachable(roots);
        for &id in &reachable {
            if self.seen.insert(id) {
                self.expr(at, id);
            }
            self.in_scope(at, id, scope);
        }
        // Hash-consing numbers operands before their users.
        reachable.sort_unstable();
        let free = self.free_variables(&reachable);
        let named = roots.exprs.iter().filter_map(|e| free.get(e)).flatten();
        let loose = named.into_iter().find(|v| !scope.bound.contains(v));
        self.require(loose.is_none(), rule::BOUND, at, || format!("variable {loose:?} is not bound"));
    }

    fn in_scope(&mut self, at: Where, id: ExprId, scope: Scope<'_>) {
        match self.program.exprs.get(id) {
            Expr::Local(local) => {
                let declared = scope.proc.and_then(|p| p.locals.get(*local)).map(|l| l.ty);
                let known = declared == Some(self.program.exprs.ty(id));
                self.require(known, rule::LOCALS, at, || format!("local {} in a claim", local.0));
            }
            Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) => {
                self.state_of(at, scope.contract, *place);
            }
            Expr::Old(_) => {
                self.require(scope.old, rule::STATES, at, || "an old value".to_owned());
            }
            Expr::Before(_) => {
                self.require(scope.before, rule::STATES, at, || "a value before a change".to_owned());
            }
            Expr::Sum { vars, place } => {
                self.state_of(at, scope.contract, *place);
                self.sum(at, id, vars, *place);
            }
            _ => {}
        }
    }

    fn sum(&mut self, at: Where, id: ExprId, vars: &[BoundId], place: crate::ids::PlaceId) {
        let program = self.program;
        let steps = &program.exprs.place(place).steps;
        let once = vars.iter().all(|var| {
            let indices = steps.iter().filter(|step| match step {
                Step::Index(e) => *program.exprs.get(*e) == Expr::Bound(*var),
                Step::Field(_) => false,
            });
            indices.count() == 1
        });
        let wide = match (self.type_at(place), self.type_of(id)) {
            (Type::Int { signed: a, .. }, sum @ Type::Int { signed: b, .. }) => sum.is_wide() && a == b,
            _ => false,
        };
        self.require(once && wide && !vars.is_empty(), rule::SUM, at, || format!("over {vars:?}"));
    }

    /// The bound variables that each expression leaves for somebody around it to bind.
    fn free_variables(&self, nodes: &[ExprId]) -> FxHashMap<ExprId, FxHashSet<BoundId>> {
        let exprs = &self.program.exprs;
        let mut free: FxHashMap<ExprId, FxHashSet<BoundId>> = FxHashMap::default();
        for &id in nodes {
            let mut own = FxHashSet::default();
            for_operands(exprs, exprs.get(id), &mut |e| own.extend(free.get(&e).into_iter().flatten()));
            match exprs.get(id) {
                Expr::Bound(var) => {
                    own.insert(*var);
                }
                Expr::Quantified { vars, .. } | Expr::Sum { vars, .. } => own.retain(|v| !vars.contains(v)),
                _ => {}
            }
            if !own.is_empty() {
                free.insert(id, own);
            }
        }
        free
    }
}
