//! Which definitions a part of a program mentions.

use crate::expr::Expr;
use crate::ids::{BoundId, ContractId, EnumId, EventId, ExprId, ObligationId, ProcId, StructId, TypeId};
use crate::program::{Program, StmtKind};
use crate::spec::Clause;
use crate::types::Type;
use crate::visit::{Roots, for_operands, for_place_operands};
use rustc_hash::FxHashSet;

#[derive(Default)]
pub(crate) struct Used {
    pub structs: FxHashSet<StructId>,
    pub enums: FxHashSet<EnumId>,
    pub events: FxHashSet<EventId>,
    pub bound: FxHashSet<BoundId>,
    claimed: FxHashSet<ObligationId>,
}

impl Used {
    /// By some procedures, and by the rest of a contract.
    pub fn new(program: &Program, procs: &[ProcId], contract: Option<ContractId>) -> Used {
        let mut used = Used::default();
        let mut types: Vec<TypeId> = Vec::new();
        if let Some(contract) = contract.map(|c| &program.contracts[c]) {
            types.extend(contract.state.iter().map(|v| program.state[*v].ty));
            let mut roots = Roots::default();
            used.clauses(&mut roots, &contract.invariants);
            for spec in &contract.event_specs {
                used.event(program, spec.event, &mut types);
                used.bound.extend(&spec.args);
                used.clauses(&mut roots, spec.pre.iter().chain(&spec.post));
            }
            used.expressions(program, &roots, &mut types);
        }
        for proc in procs.iter().map(|p| &program.procs[*p]) {
            types.extend(proc.rets.iter().copied().chain(proc.locals.iter().map(|l| l.ty)));
            let mut roots = Roots::default();
            if let Some(spec) = &proc.spec {
                used.clauses(&mut roots, spec.clauses());
                spec.modifies.iter().for_each(|m| roots.modifies(m));
                spec.emits.iter().for_each(|e| used.event(program, *e, &mut types));
            }
            for block in proc.blocks.iter() {
                used.clauses(&mut roots, &block.invariants);
                for stmt in &block.stmts {
                    roots.stmt(&stmt.kind);
                    match stmt.kind {
                        StmtKind::Emit { event: Some(event), .. } => used.event(program, event, &mut types),
                        StmtKind::Check { obligation, .. } => {
                            used.claimed.insert(obligation);
                        }
                        _ => {}
                    }
                }
                roots.terminator(&block.terminator);
            }
            used.expressions(program, &roots, &mut types);
        }
        used.close(program, types);
        used
    }

    fn event(&mut self, program: &Program, event: EventId, types: &mut Vec<TypeId>) {
        if let Some(def) = program.events.get(event) {
            self.events.insert(event);
            types.extend(def.params.iter().map(|p| p.ty));
        }
    }

    fn clauses<'c>(&mut self, roots: &mut Roots, clauses: impl IntoIterator<Item = &'c Clause>) {
        for clause in clauses {
            roots.clause(clause);
            self.claimed.insert(clause.obligation);
        }
    }

    /// Those that are checked or claimed, in order.
    pub fn obligations(&self, program: &Program) -> Vec<ObligationId> {
        let known = self.claimed.iter().copied().filter(|id| program.obligations.get(*id).is_some());
        let mut ids: Vec<ObligationId> = known.collect();
        ids.sort_unstable();
        ids
    }

    fn close(&mut self, program: &Program, mut work: Vec<TypeId>) {
        let mut seen = FxHashSet::default();
        while let Some(ty) = work.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match program.types.get(ty) {
                Type::Enum(id) => {
                    self.enums.insert(*id);
                }
                Type::Struct(id) => {
                    self.structs.insert(*id);
                    work.extend(program.types.structs[*id].fields.iter().map(|f| f.ty));
                }
                Type::Array { elem: t, .. }
                | Type::StorageRef(t)
                | Type::MemoryRef(t)
                | Type::CalldataRef(t) => work.push(*t),
                Type::Mapping { key, value } => work.extend([*key, *value]),
                Type::Bool
                | Type::Int { .. }
                | Type::FixedBytes(_)
                | Type::Address
                | Type::FnInternal
                | Type::FnExternal
                | Type::Bytes => {}
            }
        }
    }

    fn expressions(&mut self, program: &Program, roots: &Roots, types: &mut Vec<TypeId>) {
        let exprs = &program.exprs;
        let mut work: Vec<ExprId> = roots.exprs.clone();
        roots.places.iter().for_each(|p| for_place_operands(exprs, *p, &mut |e| work.push(e)));
        let mut seen = FxHashSet::default();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                types.push(exprs.ty(id));
                match exprs.get(id) {
                    Expr::Bound(var) => {
                        self.bound.insert(*var);
                    }
                    Expr::Quantified { vars, .. } | Expr::Sum { vars, .. } => self.bound.extend(vars),
                    _ => {}
                }
                for_operands(exprs, exprs.get(id), &mut |e| work.push(e));
            }
        }
    }
}
