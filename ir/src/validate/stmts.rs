//! Rules 307 to 503: procedures, their statements and terminators.

use super::{Validator, Where, rule};
use crate::expr::{Expr, Location, Root};
use crate::ids::{BlockId, ContractId, ExprId, Id, LocalId, PlaceId, ProcId, TypeId};
use crate::program::{
    AllocInit, CallKind, Callee, ContractKind, Create, EvmOp, ExternalCall, Gas, Proc, ProcKind, StateKind,
    StmtKind, Terminator,
};
use crate::types::Type;
use crate::typing::WORD;
use crate::visit::{Roots, destinations};
use rustc_hash::FxHashSet;

impl<'a> Validator<'a> {
    pub(super) fn proc(&mut self, id: ProcId) {
        let proc = &self.program.procs[id];
        let mut distinct = FxHashSet::default();
        for param in &proc.params {
            self.require(distinct.insert(*param), rule::PARAMETERS, Where::Proc(id), || {
                format!("parameter {} twice", param.0)
            });
        }
        if let Some(spec) = &proc.spec {
            self.spec(id, proc, spec);
        }
        let mut reads = Reads { seen: FxHashSet::default(), locals: vec![false; proc.locals.len()] };
        for (block_id, block) in proc.blocks.iter_ids() {
            for (i, stmt) in block.stmts.iter().enumerate() {
                let at = Where::Stmt(id, block_id, i);
                let mut roots = Roots::default();
                roots.stmt(&stmt.kind);
                self.roots(at, proc, &roots, &mut reads);
                self.stmt(at, proc, &stmt.kind);
            }
            self.terminator(id, proc, block_id, &block.terminator, &mut reads);
            self.loop_claims(id, proc, block_id, &block.invariants);
        }
        self.dangling(id, proc, &reads);
    }

    fn roots(&mut self, at: Where, proc: &Proc, roots: &Roots, reads: &mut Reads) {
        for place in &roots.places {
            self.place(at, *place);
            self.own_state(at, proc, *place);
        }
        for id in self.reachable(roots) {
            if self.seen.insert(id) {
                self.expr(at, id);
            }
            if !reads.seen.insert(id) {
                continue;
            }
            match self.program.exprs.get(id) {
                Expr::Local(local) => {
                    reads.locals[local.index()] = true;
                    let (claimed, declared) = (self.program.exprs.ty(id), proc.locals[*local].ty);
                    self.require(claimed == declared, rule::LOCALS, at, || format!("local {}", local.0));
                }
                Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) => {
                    self.own_state(at, proc, *place)
                }
                _ => {}
            }
            let claimed = match self.program.exprs.get(id) {
                Expr::Old(_)
                | Expr::Before(_)
                | Expr::Bound(_)
                | Expr::Quantified { .. }
                | Expr::Sum { .. }
                | Expr::DeepEq(..) => true,
                _ => self.type_of(id).is_wide(),
            };
            self.require(!claimed, rule::CLAIM_ONLY, at, || format!("expression {}", id.0));
        }
    }

    fn own_state(&mut self, at: Where, proc: &Proc, place: PlaceId) {
        self.state_of(at, proc.contract, place);
    }

    pub(super) fn state_of(&mut self, at: Where, contract: Option<ContractId>, place: PlaceId) {
        if let Root::State(var) = self.program.exprs.place(place).root {
            let owner = self.program.state[var].contract;
            self.require(contract == Some(owner), rule::OWN_STATE, at, || {
                format!("`{}` of another contract", self.program.state[var].name)
            });
        }
    }

    fn terminator(
        &mut self,
        id: ProcId,
        proc: &Proc,
        block: BlockId,
        terminator: &Terminator,
        reads: &mut Reads,
    ) {
        let at = Where::Terminator(id, block);
        let mut roots = Roots::default();
        roots.terminator(terminator);
        self.roots(at, proc, &roots, reads);
        match terminator {
            Terminator::Branch { cond, .. } => {
                self.wants(rule::CONDITION, at, *cond, &Type::Bool, "condition")
            }
            Terminator::Return(values) => {
                let found: Vec<TypeId> = values.iter().map(|v| self.program.exprs.ty(*v)).collect();
                self.require(found == proc.rets, rule::RETURN, at, || {
                    format!(
                        "returns {}, results are {}",
                        type_list(self.program, &found),
                        type_list(self.program, &proc.rets)
                    )
                });
            }
            Terminator::Revert(data) | Terminator::Halt(data) => {
                self.wants(rule::PAYLOAD, at, *data, &Type::Bytes, "payload");
            }
            Terminator::Goto(_) | Terminator::Invalid | Terminator::Unreachable => {}
        }
    }

    fn dangling(&mut self, id: ProcId, proc: &Proc, reads: &Reads) {
        let mut assigned = vec![false; proc.locals.len()];
        proc.params.iter().for_each(|p| assigned[p.index()] = true);
        for stmt in proc.blocks.iter().flat_map(|b| &b.stmts) {
            destinations(&stmt.kind).into_iter().for_each(|d| assigned[d.index()] = true);
        }
        for (local, l) in proc.locals.iter_ids() {
            let reference = self.program.types.referent(l.ty).is_some();
            let lost = reference && reads.locals[local.index()] && !assigned[local.index()];
            self.require(!lost, rule::DANGLING, Where::Proc(id), || {
                format!("local {} `{}` is never assigned", local.0, l.name)
            });
        }
    }

    fn local_type(&self, proc: &Proc, local: LocalId) -> &'a Type {
        self.program.types.get(proc.locals[local].ty)
    }

    fn dst(&mut self, rule: u16, at: Where, proc: &Proc, local: LocalId, wanted: &Type) {
        let found = self.local_type(proc, local);
        self.require(found == wanted, rule, at, || format!("local {} is {found:?}, not {wanted:?}", local.0));
    }

    fn words(&mut self, rule: u16, at: Where, ids: impl IntoIterator<Item = ExprId>, what: &str) {
        ids.into_iter().for_each(|e| self.wants(rule, at, e, &WORD, what));
    }

    fn stmt(&mut self, at: Where, proc: &Proc, stmt: &StmtKind) {
        match stmt {
            StmtKind::Assign { dst, value } => self.dst(rule::ASSIGN, at, proc, *dst, self.type_of(*value)),
            StmtKind::Store { place, value } => self.store(at, proc, *place, *value),
            StmtKind::Delete { place } => self.storage_only(at, *place),
            StmtKind::SetLength { place, length } => {
                self.storage_only(at, *place);
                self.has_length(at, *place);
                self.wants(rule::STORAGE_ONLY, at, *length, &WORD, "length");
            }
            StmtKind::Assume { cond } | StmtKind::Check { cond, .. } => {
                self.wants(rule::CONDITION, at, *cond, &Type::Bool, "condition");
            }
            StmtKind::Call { dsts, callee, args } => self.call(at, proc, dsts, callee, args),
            StmtKind::Alloc { dst, init } => self.alloc(at, proc, *dst, init),
            StmtKind::Decode { dsts, types, data, ok, error, .. } => {
                self.wants(rule::DECODE, at, *data, &Type::Bytes, "data");
                self.dst(rule::DECODE, at, proc, *ok, &Type::Bool);
                self.dst(rule::DECODE, at, proc, *error, &Type::Bytes);
                self.require(dsts.len() == types.len(), rule::DECODE, at, || {
                    format!("{} results of {} types", dsts.len(), types.len())
                });
                for (dst, ty) in dsts.iter().zip(types) {
                    let tree = self.program.types.get(*ty);
                    let held = if tree.is_tree() { Type::MemoryRef(*ty) } else { tree.clone() };
                    self.dst(rule::DECODE, at, proc, *dst, &held);
                }
            }
            StmtKind::ExternalCall(call) => self.external(at, proc, call),
            StmtKind::Create(create) => self.create(at, proc, create),
            StmtKind::Emit { topics, data, .. } => {
                self.wants(rule::EMIT, at, *data, &Type::Bytes, "data");
                let few = topics.len() <= 4;
                self.require(few, rule::EMIT, at, || format!("{} topics", topics.len()));
                for topic in topics {
                    let ty = self.type_of(*topic);
                    let ok = *ty == WORD || *ty == Type::FixedBytes(32);
                    self.require(ok, rule::EMIT, at, || format!("topic of {ty:?}"));
                }
            }
            StmtKind::SelfDestruct { beneficiary } => {
                self.wants(rule::BENEFICIARY, at, *beneficiary, &Type::Address, "beneficiary");
            }
            StmtKind::Evm { op, args, dsts } => {
                let (takes, gives) = evm_arity(*op);
                let ok = takes.contains(&args.len()) && dsts.len() == gives;
                self.require(ok, rule::EVM, at, || format!("{op:?} of {} giving {}", args.len(), dsts.len()));
                self.words(rule::EVM, at, args.iter().copied(), "argument");
                dsts.iter().for_each(|d| self.dst(rule::EVM, at, proc, *d, &WORD));
            }
            StmtKind::Havoc { .. } | StmtKind::Unsupported { .. } => {}
        }
    }

    fn store(&mut self, at: Where, proc: &Proc, place: PlaceId, value: ExprId) {
        self.wants(rule::STORE, at, value, self.type_at(place), "value");
        let root = self.program.exprs.place(place).root;
        self.require(root.location() != Location::Calldata, rule::STORE, at, || "into calldata".to_owned());
        if let Root::State(var) = root {
            let immutable = self.program.state[var].kind == StateKind::Immutable;
            let late = immutable && proc.kind == ProcKind::External;
            self.require(!late, rule::STORE, at, || "immutable after construction".to_owned());
        }
    }

    fn storage_only(&mut self, at: Where, place: PlaceId) {
        let location = self.program.exprs.place(place).root.location();
        self.require(location == Location::Storage, rule::STORAGE_ONLY, at, || format!("in {location:?}"));
    }

    fn call(&mut self, at: Where, proc: &Proc, dsts: &[LocalId], callee: &Callee, args: &[ExprId]) {
        let callee = match callee {
            Callee::Proc(id) => &self.program.procs[*id],
            Callee::Pointer(e) => return self.wants(rule::CALL, at, *e, &Type::FnInternal, "callee"),
        };
        // Libraries and free functions have no state to be another contract's.
        let stateless =
            callee.contract.is_none_or(|c| self.program.contracts[c].kind == ContractKind::Library);
        let near = stateless || callee.contract == proc.contract;
        self.require(near, rule::CALL, at, || format!("`{}` is of another contract", callee.name));
        let program = self.program;
        let wanted: Vec<TypeId> = callee.params.iter().map(|p| callee.locals[*p].ty).collect();
        let passed: Vec<TypeId> = args.iter().map(|a| program.exprs.ty(*a)).collect();
        self.require(wanted == passed, rule::CALL, at, || {
            let (passed, wanted) = (type_list(program, &passed), type_list(program, &wanted));
            format!("`{}` gets {passed}, wants {wanted}", callee.name)
        });
        let taken: Vec<TypeId> = dsts.iter().map(|d| proc.locals[*d].ty).collect();
        self.require(taken == callee.rets, rule::CALL, at, || {
            let (taken, rets) = (type_list(program, &taken), type_list(program, &callee.rets));
            format!("`{}` returns {rets}, into {taken}", callee.name)
        });
    }

    fn alloc(&mut self, at: Where, proc: &Proc, dst: LocalId, init: &AllocInit) {
        let types = &self.program.types;
        let ty = match init {
            AllocInit::Zero(t) => {
                let ok = types.get(*t).is_tree();
                self.require(ok, rule::ALLOC, at, || "a scalar".to_owned());
                *t
            }
            AllocInit::Array(t, length) => {
                let ok = matches!(types.get(*t), Type::Bytes | Type::Array { len: None, .. });
                self.require(ok, rule::ALLOC, at, || "a length for what has none".to_owned());
                self.wants(rule::ALLOC, at, *length, &WORD, "length");
                *t
            }
            AllocInit::Copy(t, value) => {
                let ty = self.program.exprs.ty(*value);
                let tree = types.get(types.referent(ty).unwrap_or(ty)).is_tree();
                self.require(tree, rule::ALLOC, at, || "a copy of a scalar".to_owned());
                *t
            }
        };
        self.dst(rule::ALLOC, at, proc, dst, &Type::MemoryRef(ty));
    }

    fn external(&mut self, at: Where, proc: &Proc, call: &ExternalCall) {
        self.wants(rule::EXTERNAL, at, call.target, &Type::Address, "target");
        self.wants(rule::EXTERNAL, at, call.data, &Type::Bytes, "data");
        self.words(rule::EXTERNAL, at, call.value, "value");
        if let Gas::Amount(gas) = call.gas {
            self.words(rule::EXTERNAL, at, [gas], "gas");
        }
        self.dst(rule::EXTERNAL, at, proc, call.ok, &Type::Bool);
        self.dst(rule::EXTERNAL, at, proc, call.result, &Type::Bytes);
        let carries = match call.kind {
            CallKind::Call | CallKind::Code => true,
            CallKind::Static | CallKind::Delegate => call.value.is_none(),
        };
        self.require(carries, rule::EXTERNAL, at, || format!("value with {:?}", call.kind));
    }

    fn create(&mut self, at: Where, proc: &Proc, create: &Create) {
        self.wants(rule::CREATE, at, create.args, &Type::Bytes, "arguments");
        self.words(rule::CREATE, at, create.value, "value");
        if let Some(salt) = create.salt {
            self.wants(rule::CREATE, at, salt, &Type::FixedBytes(32), "salt");
        }
        self.dst(rule::CREATE, at, proc, create.dst, &Type::Address);
        self.dst(rule::CREATE, at, proc, create.ok, &Type::Bool);
        self.dst(rule::CREATE, at, proc, create.result, &Type::Bytes);
    }
}

/// What one procedure reads.
struct Reads {
    seen: FxHashSet<ExprId>,
    locals: Vec<bool>,
}

fn type_list(program: &crate::program::Program, types: &[TypeId]) -> String {
    let texts: Vec<String> = types.iter().map(|t| format!("{:?}", program.types.get(*t))).collect();
    format!("({})", texts.join(", "))
}

/// How many words an operation takes and gives.
fn evm_arity(op: EvmOp) -> (std::ops::RangeInclusive<usize>, usize) {
    match op {
        EvmOp::MStore | EvmOp::MStore8 | EvmOp::SStore | EvmOp::TStore => (2..=2, 0),
        EvmOp::MCopy | EvmOp::CalldataCopy | EvmOp::CodeCopy | EvmOp::ReturndataCopy => (3..=3, 0),
        EvmOp::ExtCodeCopy => (4..=4, 0),
        EvmOp::Log => (2..=6, 0),
        EvmOp::Call | EvmOp::CallCode => (7..=7, 1),
        EvmOp::DelegateCall | EvmOp::StaticCall => (6..=6, 1),
        EvmOp::Create => (3..=3, 1),
        EvmOp::Create2 => (4..=4, 1),
    }
}
