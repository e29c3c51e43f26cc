//! Rules 1 and 2: nothing dangles, expressions are well founded. Locals are looked up per procedure.

use super::{Validator, Where, rule};
use crate::expr::{Expr, Root};
use crate::ids::{BlockId, BoundId, ContractId, ExprId, Id, LocalId, PlaceId, ProcId, TypeId};
use crate::program::{AllocInit, Callee, Contract, StmtKind};
use crate::spec::{Clause, Spec};
use crate::types::Type;
use crate::visit::{Roots, destinations, for_operands, for_place_operands, successors};

impl Validator<'_> {
    pub(super) fn ids(&mut self) {
        self.type_ids();
        self.place_ids();
        self.expr_ids();
        if self.found.is_empty() {
            self.table_ids();
            for id in self.program.procs.ids() {
                self.proc_ids(id);
            }
        }
    }

    fn exists(&mut self, at: Where, what: &str, index: usize, len: usize) {
        self.require(index < len, rule::IDS, at, || format!("{what} {index} of {len}"));
    }

    fn ty(&mut self, at: Where, id: TypeId) {
        self.exists(at, "type", id.index(), self.program.types.len());
    }

    fn contract_id(&mut self, at: Where, id: ContractId) {
        self.exists(at, "contract", id.index(), self.program.contracts.len());
    }

    fn proc_id(&mut self, at: Where, id: ProcId) {
        self.exists(at, "procedure", id.index(), self.program.procs.len());
    }

    fn type_ids(&mut self) {
        let types = &self.program.types;
        for (id, ty) in types.iter() {
            let at = Where::Type(id);
            match ty {
                Type::Bool
                | Type::Int { .. }
                | Type::FixedBytes(_)
                | Type::Address
                | Type::FnInternal
                | Type::FnExternal
                | Type::Bytes => {}
                Type::Enum(e) => self.exists(at, "enum", e.index(), types.enums.len()),
                Type::Struct(s) => self.exists(at, "struct", s.index(), types.structs.len()),
                Type::Array { elem: t, .. }
                | Type::StorageRef(t)
                | Type::MemoryRef(t)
                | Type::CalldataRef(t) => self.ty(at, *t),
                Type::Mapping { key, value } => {
                    self.ty(at, *key);
                    self.ty(at, *value);
                }
            }
        }
        for field in types.structs.iter().flat_map(|s| &s.fields) {
            self.ty(Where::Program, field.ty);
        }
    }

    fn place_ids(&mut self) {
        let exprs = &self.program.exprs;
        for i in 0..exprs.place_count() {
            let id = PlaceId::from_usize(i);
            let at = Where::Place(id);
            self.ty(at, exprs.place_ty(id));
            if let Root::State(var) = exprs.place(id).root {
                self.exists(at, "state variable", var.index(), self.program.state.len());
            }
            let mut operands = Vec::new();
            for_place_operands(exprs, id, &mut |e| operands.push(e));
            for e in operands {
                self.exists(at, "expression", e.index(), exprs.len());
            }
        }
    }

    fn expr_ids(&mut self) {
        let exprs = &self.program.exprs;
        for i in 0..exprs.len() {
            let id = ExprId::from_usize(i);
            let at = Where::Expr(id);
            self.ty(at, exprs.ty(id));
            let expr = exprs.get(id);
            match expr {
                Expr::Load(p) | Expr::Length(p) | Expr::Ref(p) => {
                    self.exists(at, "place", p.index(), exprs.place_count());
                }
                Expr::Sum { vars, place } => {
                    self.exists(at, "place", place.index(), exprs.place_count());
                    self.bound_ids(at, vars);
                }
                Expr::Bound(var) => self.bound_ids(at, &[*var]),
                Expr::Quantified { vars, .. } => self.bound_ids(at, vars),
                Expr::FnPointer(p) => self.proc_id(at, *p),
                Expr::LibraryAddress(c) | Expr::ContractCode { contract: c, .. } => self.contract_id(at, *c),
                Expr::AbiEncode { types, .. } => types.iter().for_each(|t| self.ty(at, *t)),
                Expr::Const(_)
                | Expr::BytesConst(_)
                | Expr::Default
                | Expr::Local(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Fits(..)
                | Expr::Ite(..)
                | Expr::Cast(_)
                | Expr::Env(_)
                | Expr::Builtin(..)
                | Expr::MakeCalldataRef { .. }
                | Expr::Old(_)
                | Expr::Before(_)
                | Expr::DeepEq(..) => {}
            }
            let mut operands = Vec::new();
            for_operands(exprs, expr, &mut |e| operands.push(e));
            for e in operands {
                self.require(e < id, rule::ORDER, at, || format!("operand {} comes later", e.0));
            }
        }
    }

    fn bound_ids(&mut self, at: Where, vars: &[BoundId]) {
        vars.iter().for_each(|v| self.exists(at, "bound variable", v.index(), self.program.bound_vars.len()));
    }

    /// Locals are checked where it is known whose they are.
    fn clause_ids(&mut self, at: Where, clauses: &[Clause]) {
        let (obligations, exprs) = (self.program.obligations.len(), self.program.exprs.len());
        for clause in clauses {
            self.exists(at, "obligation", clause.obligation.index(), obligations);
            [clause.cond, clause.fits].iter().for_each(|e| self.exists(at, "expression", e.index(), exprs));
        }
    }

    fn contract_claim_ids(&mut self, at: Where, contract: &Contract) {
        self.clause_ids(at, &contract.invariants);
        for spec in &contract.event_specs {
            self.exists(at, "event", spec.event.index(), self.program.events.len());
            self.bound_ids(at, &spec.args);
            let state = self.program.state.len();
            spec.tracks.iter().for_each(|v| self.exists(at, "state variable", v.index(), state));
            self.clause_ids(at, &spec.pre);
            self.clause_ids(at, &spec.post);
        }
    }

    fn spec_ids(&mut self, at: Where, id: ProcId, spec: &Spec) {
        spec.results.iter().for_each(|r| self.local(at, id, *r));
        for clauses in [&spec.pre, &spec.post, &spec.succeeds_if, &spec.reverts_if] {
            self.clause_ids(at, clauses);
        }
        for event in &spec.emits {
            self.exists(at, "event", event.index(), self.program.events.len());
        }
        let mut roots = Roots::default();
        spec.modifies.iter().for_each(|m| roots.modifies(m));
        self.root_ids(at, id, &roots);
    }

    fn table_ids(&mut self) {
        let program = self.program;
        for var in program.bound_vars.iter() {
            self.ty(Where::Program, var.ty);
        }
        for var in program.state.iter() {
            self.ty(Where::Program, var.ty);
            self.contract_id(Where::Program, var.contract);
        }
        for event in program.events.iter() {
            event.params.iter().for_each(|p| self.ty(Where::Program, p.ty));
        }
        for error in program.errors.iter() {
            error.params.iter().for_each(|p| self.ty(Where::Program, p.ty));
        }
        for obligation in program.obligations.iter() {
            obligation.contract.iter().for_each(|c| self.contract_id(Where::Program, *c));
        }
        for (id, contract) in program.contracts.iter_ids() {
            let at = Where::Contract(id);
            self.contract_claim_ids(at, contract);
            contract.bases.iter().for_each(|b| self.contract_id(at, *b));
            for var in &contract.state {
                self.exists(at, "state variable", var.index(), program.state.len());
            }
            let special = contract.constructor.into_iter().chain(contract.receive);
            let procs = special.chain(contract.fallback.map(|f| f.proc));
            procs.chain(contract.entries.iter().map(|e| e.proc)).for_each(|p| self.proc_id(at, p));
        }
    }

    fn proc_ids(&mut self, id: ProcId) {
        let at = Where::Proc(id);
        let proc = &self.program.procs[id];
        proc.contract.iter().for_each(|c| self.contract_id(at, *c));
        proc.rets.iter().for_each(|t| self.ty(at, *t));
        proc.locals.iter().for_each(|l| self.ty(at, l.ty));
        proc.params.iter().for_each(|p| self.local(at, id, *p));
        self.block_id(at, id, proc.entry);
        if let Some(declared_in) = proc.function.as_ref().and_then(|f| f.declared_in) {
            self.contract_id(at, declared_in);
        }
        if let Some(spec) = &proc.spec {
            self.spec_ids(at, id, spec);
        }
        for (block_id, block) in proc.blocks.iter_ids() {
            for (i, stmt) in block.stmts.iter().enumerate() {
                self.stmt_ids(Where::Stmt(id, block_id, i), id, &stmt.kind);
            }
            let at = Where::Terminator(id, block_id);
            self.clause_ids(at, &block.invariants);
            let mut roots = Roots::default();
            roots.terminator(&block.terminator);
            self.root_ids(at, id, &roots);
            successors(&block.terminator).into_iter().for_each(|b| self.block_id(at, id, b));
        }
    }

    fn local(&mut self, at: Where, proc: ProcId, local: LocalId) {
        self.exists(at, "local", local.index(), self.program.procs[proc].locals.len());
    }

    fn block_id(&mut self, at: Where, proc: ProcId, block: BlockId) {
        self.exists(at, "block", block.index(), self.program.procs[proc].blocks.len());
    }

    fn root_ids(&mut self, at: Where, proc: ProcId, roots: &Roots) {
        let exprs = &self.program.exprs;
        let before = self.found.len();
        roots.exprs.iter().for_each(|e| self.exists(at, "expression", e.index(), exprs.len()));
        roots.places.iter().for_each(|p| self.exists(at, "place", p.index(), exprs.place_count()));
        if self.found.len() > before {
            return;
        }
        for id in self.reachable(roots) {
            if let Expr::Local(local) = exprs.get(id) {
                self.local(at, proc, *local);
            }
        }
    }

    fn stmt_ids(&mut self, at: Where, proc: ProcId, stmt: &StmtKind) {
        let mut roots = Roots::default();
        roots.stmt(stmt);
        self.root_ids(at, proc, &roots);
        destinations(stmt).into_iter().for_each(|d| self.local(at, proc, d));
        match stmt {
            StmtKind::Check { obligation, .. } => {
                self.exists(at, "obligation", obligation.index(), self.program.obligations.len());
            }
            StmtKind::Call { callee: Callee::Proc(callee), .. } => self.proc_id(at, *callee),
            StmtKind::Alloc { init, .. } => match init {
                AllocInit::Zero(t) | AllocInit::Array(t, _) | AllocInit::Copy(t, _) => self.ty(at, *t),
            },
            StmtKind::Decode { types, .. } => types.iter().for_each(|t| self.ty(at, *t)),
            StmtKind::ExternalCall(call) => call.callee.iter().for_each(|(c, _)| self.contract_id(at, *c)),
            StmtKind::Create(create) => self.contract_id(at, create.contract),
            StmtKind::Emit { event: Some(event), .. } => {
                self.exists(at, "event", event.index(), self.program.events.len());
            }
            StmtKind::Emit { event: None, .. }
            | StmtKind::Call { callee: Callee::Pointer(_), .. }
            | StmtKind::Assign { .. }
            | StmtKind::Store { .. }
            | StmtKind::Delete { .. }
            | StmtKind::SetLength { .. }
            | StmtKind::Havoc { .. }
            | StmtKind::Assume { .. }
            | StmtKind::SelfDestruct { .. }
            | StmtKind::Evm { .. }
            | StmtKind::Unsupported { .. } => {}
        }
    }
}
