//! Random well-typed programs for the tests of the text form and the validator.

mod exprs;
mod specs;

use crate::expr::{Expr, Root};
use crate::ids::*;
use crate::program::*;
use crate::span::{FileId, Span};
use crate::types::{EnumDef, Field, StructDef, Type};
use crate::typing::WORD;
use ruint::aliases::U256;

/// A small deterministic generator (splitmix64).
pub(crate) struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn word(&mut self) -> U256 {
        let wide = U256::from_limbs([self.next(), self.next(), self.next(), self.next()]);
        wide >> self.below(256)
    }
}

const NAMES: &[&str] =
    &["x", "y", "balances", "msg", "zero", "len", "b0", "call", "a$b", "odd name", "\u{e9}", "to"];

pub(crate) fn random_program(seed: u64) -> Program {
    let mut g = Gen { rng: Rng(seed), p: Program::default(), pool: Vec::new(), proc: ProcId(0), walks: 0 };
    g.types();
    g.contracts();
    for id in g.p.procs.ids() {
        g.body(id);
        g.proc_claims(id);
    }
    g.p.contracts.ids().for_each(|id| g.contract_claims(id));
    g.p
}

struct Gen {
    rng: Rng,
    p: Program,
    /// Types that locals, state and results may have.
    pool: Vec<TypeId>,
    proc: ProcId,
    /// How many places deep we are: indices of places inside indices are leaves.
    walks: u32,
}

impl Gen {
    fn name(&mut self) -> String {
        self.rng.pick(NAMES).to_owned()
    }

    fn types(&mut self) {
        for bits in [8, 64, 256] {
            for signed in [false, true] {
                let ty = self.p.types.intern(Type::Int { bits, signed });
                self.pool.push(ty);
            }
        }
        for n in [1, 4, 20, 32] {
            let ty = self.p.types.intern(Type::FixedBytes(n));
            self.pool.push(ty);
        }
        for ty in [Type::Bool, Type::Address, Type::FnInternal, Type::FnExternal, Type::Bytes] {
            let ty = self.p.types.intern(ty);
            self.pool.push(ty);
        }
        for _ in 0..2 {
            let members = vec!["Red".to_owned(), "Green".to_owned(), "b0".to_owned()];
            let id = self.p.types.enums.push(EnumDef { name: "C.Colour".to_owned(), members });
            let ty = self.p.types.intern(Type::Enum(id));
            self.pool.push(ty);
        }
        for i in 0..3 {
            let fields = (0..1 + self.rng.below(4))
                .map(|k| Field {
                    name: format!("{}{k}", if k == 0 { "f" } else { "zero" }),
                    ty: self.any_value_type(),
                })
                .collect();
            let name = if i == 2 { "bytes" } else { "C.S" };
            let id = self.p.types.structs.push(StructDef { name: name.to_owned(), fields });
            let ty = self.p.types.intern(Type::Struct(id));
            self.pool.push(ty);
            let elem = self.any_value_type();
            let len = if self.rng.chance(50) { None } else { Some(U256::from(1 + self.rng.below(5))) };
            let ty = self.p.types.intern(Type::Array { elem, len });
            self.pool.push(ty);
        }
    }

    /// A type without mappings or references.
    fn any_value_type(&mut self) -> TypeId {
        let choices: Vec<TypeId> = self.pool.clone();
        self.rng.pick(&choices)
    }

    fn local_type(&mut self) -> TypeId {
        let ty = self.any_value_type();
        if !self.p.types.get(ty).is_tree() || self.rng.chance(20) {
            return ty;
        }
        let reference = match self.rng.below(3) {
            0 => Type::StorageRef(ty),
            1 => Type::MemoryRef(ty),
            _ => Type::CalldataRef(ty),
        };
        self.p.types.intern(reference)
    }

    fn state_type(&mut self) -> TypeId {
        let value = self.any_value_type();
        if self.rng.chance(60) {
            return value;
        }
        let (address, bytes) = (self.p.types.address(), self.p.types.bytes());
        let key = self.rng.pick(&[address, bytes]);
        self.p.types.intern(Type::Mapping { key, value })
    }

    fn contracts(&mut self) {
        for i in 0..2u32 {
            let id = ContractId(i);
            let bases = if i == 0 { vec![id] } else { vec![id, ContractId(0)] };
            let name = if self.rng.chance(50) { "C" } else { "storage" };
            let mut contract = Contract {
                name: name.to_owned(),
                file: "dir/a \"b\".sol".to_owned(),
                kind: self.rng.pick(&[ContractKind::Contract, ContractKind::Abstract, ContractKind::Library]),
                span: None,
                bases,
                state: Vec::new(),
                entries: Vec::new(),
                constructor: None,
                receive: None,
                fallback: None,
                invariants: Vec::new(),
                event_specs: Vec::new(),
            };
            for slot in 0..5u64 {
                let kind = if slot == 4 { StateKind::Transient } else { StateKind::Storage };
                let var = StateVar {
                    name: self.name(),
                    declared_in: if self.rng.chance(50) { "Base" } else { name }.to_owned(),
                    contract: id,
                    ty: self.state_type(),
                    kind,
                    slot: U256::from(1000 * slot),
                    offset: 0,
                    span: None,
                };
                contract.state.push(self.p.state.push(var));
            }
            self.p.contracts.push(contract);
            self.contract_procs(id);
        }
        self.declare_proc(None, ProcKind::Internal);
        self.p.events.push(Event {
            name: "E".to_owned(),
            signature: "E(uint256)".to_owned(),
            params: vec![EventParam { name: "n".to_owned(), ty: self.pool[4], indexed: self.rng.chance(50) }],
            anonymous: self.rng.chance(50),
            span: None,
        });
        let params = vec![Field { name: "why".to_owned(), ty: self.any_value_type() }];
        let name = "Refused".to_owned();
        self.p.errors.push(ErrorDef { name, signature: "Refused(bytes)".to_owned(), params });
        for i in 0..3 {
            let span = Span { file: FileId(i), start: 3 * i, end: 7 * i + 1 };
            let kind = self.rng.pick(&[ObligationKind::DivisionByZero, ObligationKind::Overflow]);
            let contract = self.rng.chance(70).then_some(ContractId(0));
            let silent = self.rng.chance(30);
            self.p.obligations.push(Obligation { kind, span, contract, silent });
        }
    }

    fn contract_procs(&mut self, id: ContractId) {
        for i in 0..3u8 {
            let kind = [ProcKind::Internal, ProcKind::Yul, ProcKind::External][i as usize];
            let proc = self.declare_proc(Some(id), kind);
            if kind == ProcKind::External {
                self.p.contracts[id].entries.push(Entry {
                    name: "f".to_owned(),
                    signature: "f(uint256)".to_owned(),
                    selector: [0xb3, 0xde, 0x64, 0x8b],
                    proc,
                    payable: i == 0,
                    constant: i == 1,
                    strict_abi: i != 2,
                });
            }
        }
        let empty = |g: &mut Gen, kind| {
            let proc = g.declare_proc(Some(id), kind);
            g.p.procs[proc].params.clear();
            g.p.procs[proc].rets.clear();
            proc
        };
        if self.p.contracts[id].kind == ContractKind::Contract {
            self.p.contracts[id].constructor = Some(empty(self, ProcKind::Constructor));
            self.p.contracts[id].receive = Some(empty(self, ProcKind::External));
            let proc = empty(self, ProcKind::External);
            self.p.contracts[id].fallback = Some(Fallback { proc, with_data: false });
        }
    }

    fn declare_proc(&mut self, contract: Option<ContractId>, kind: ProcKind) -> ProcId {
        let (boolean, bytes, address) = (self.p.types.bool(), self.p.types.bytes(), self.p.types.address());
        let mut locals = IdVec::new();
        for ty in [boolean, bytes, address] {
            locals.push(Local { name: String::new(), ty, span: None });
        }
        for _ in 0..8 {
            let name = if self.rng.chance(40) { String::new() } else { self.name() };
            locals.push(Local { name, ty: self.local_type(), span: None });
        }
        let params = (0..self.rng.below(4)).map(|i| LocalId(3 + 2 * i as u32)).collect();
        let rets = (0..self.rng.below(3)).map(|_| self.local_type()).collect();
        let name = self.rng.pick(&["f", "Base.f", "[constructor]", "store"]).to_owned();
        self.p.procs.push(Proc {
            name,
            contract,
            kind,
            params,
            rets,
            locals,
            blocks: IdVec::new(),
            entry: BlockId(0),
            span: None,
            function: None,
            spec: None,
        })
    }

    fn body(&mut self, id: ProcId) {
        self.proc = id;
        let count = 1 + self.rng.below(4);
        let mut blocks = IdVec::new();
        for _ in 0..count {
            let mut stmts = Vec::new();
            for _ in 0..self.rng.below(6) {
                let kind = self.stmt();
                stmts.push(Stmt { kind, span: None });
            }
            let terminator = self.terminator(count);
            let loop_head = self.rng.chance(20).then_some(Span { file: FileId(0), start: 1, end: 20 });
            blocks.push(Block { stmts, terminator, span: None, loop_head, invariants: Vec::new() });
        }
        let entry = BlockId(self.rng.below(count) as u32);
        // References must have been assigned somewhere.
        let mut init = Vec::new();
        for (local, l) in self.p.procs[id].locals.clone().iter_ids() {
            if self.p.types.referent(l.ty).is_some() {
                let value = self.p.exprs.add(Expr::Default, l.ty);
                init.push(Stmt { kind: StmtKind::Assign { dst: local, value }, span: None });
            }
        }
        blocks[entry].stmts.splice(0..0, init);
        (self.p.procs[id].blocks, self.p.procs[id].entry) = (blocks, entry);
    }

    fn terminator(&mut self, blocks: usize) -> Terminator {
        let target = |g: &mut Gen| BlockId(g.rng.below(blocks) as u32);
        match self.rng.below(7) {
            0 => Terminator::Goto(target(self)),
            1 => Terminator::Branch { cond: self.of(Type::Bool), then: target(self), other: target(self) },
            2 => Terminator::Revert(self.of(Type::Bytes)),
            3 => Terminator::Halt(self.of(Type::Bytes)),
            4 => Terminator::Invalid,
            5 => Terminator::Unreachable,
            _ => {
                let rets = self.p.procs[self.proc].rets.clone();
                Terminator::Return(rets.into_iter().map(|t| self.expr(t, 3)).collect())
            }
        }
    }

    fn locals(&self) -> &IdVec<LocalId, Local> {
        &self.p.procs[self.proc].locals
    }

    fn any_local(&mut self) -> (LocalId, TypeId) {
        let id = LocalId(self.rng.below(self.p.procs[self.proc].locals.len()) as u32);
        (id, self.locals()[id].ty)
    }

    fn of(&mut self, ty: Type) -> ExprId {
        let ty = self.p.types.intern(ty);
        self.expr(ty, 3)
    }

    fn local_of(&mut self, ty: &Type) -> Option<LocalId> {
        self.locals().iter_ids().find(|(_, l)| self.p.types.get(l.ty) == ty).map(|(id, _)| id)
    }

    fn stmt(&mut self) -> StmtKind {
        self.try_stmt().unwrap_or(StmtKind::Unsupported { what: "a \"thing\"\nhere".to_owned() })
    }

    fn try_stmt(&mut self) -> Option<StmtKind> {
        let (flag, data, target) = (LocalId(0), LocalId(1), LocalId(2));
        Some(match self.rng.below(16) {
            0..=2 => {
                let (dst, ty) = self.any_local();
                StmtKind::Assign { dst, value: self.expr(ty, 4) }
            }
            3 => {
                let place = self.place(|root, ty| {
                    !matches!(root, Root::Calldata(_)) && !matches!(ty, Type::Mapping { .. })
                })?;
                let ty = self.p.exprs.place_ty(place);
                StmtKind::Store { place, value: self.expr(ty, 4) }
            }
            4 => StmtKind::Delete {
                place: self.place(|root, _| matches!(root, Root::State(_) | Root::Storage(_)))?,
            },
            5 => {
                let place = self.place(|root, ty| {
                    matches!(root, Root::State(_) | Root::Storage(_))
                        && matches!(ty, Type::Bytes | Type::Array { len: None, .. })
                })?;
                StmtKind::SetLength { place, length: self.of(WORD) }
            }
            6 => StmtKind::Havoc { dst: self.any_local().0 },
            7 => StmtKind::Assume { cond: self.of(Type::Bool) },
            8 => StmtKind::Check {
                obligation: ObligationId(self.rng.below(3) as u32),
                cond: self.of(Type::Bool),
            },
            9 => self.call()?,
            10 => self.alloc()?,
            11 => {
                let types = vec![self.p.types.bytes()];
                let ty = self.p.types.bytes();
                let memory = Type::MemoryRef(ty);
                let dst = self.local_of(&memory)?;
                let strict = self.rng.chance(50);
                StmtKind::Decode {
                    dsts: vec![dst],
                    types,
                    strict,
                    data: self.of(Type::Bytes),
                    ok: flag,
                    error: data,
                }
            }
            12 => self.external_call(),
            13 => StmtKind::Create(Box::new(Create {
                contract: ContractId(self.rng.below(2) as u32),
                value: self.rng.chance(50).then(|| self.of(WORD)),
                salt: self.rng.chance(50).then(|| self.of(Type::FixedBytes(32))),
                args: self.of(Type::Bytes),
                dst: target,
                ok: flag,
                result: data,
            })),
            14 => StmtKind::Emit {
                event: self.rng.chance(50).then_some(EventId(0)),
                topics: (0..self.rng.below(4)).map(|_| self.of(Type::FixedBytes(32))).collect(),
                data: self.of(Type::Bytes),
                args: (0..self.rng.below(2)).map(|_| self.of(Type::Bool)).collect(),
            },
            _ if self.rng.chance(50) => StmtKind::SelfDestruct { beneficiary: self.of(Type::Address) },
            _ => {
                let args = vec![self.of(WORD), self.of(WORD)];
                StmtKind::Evm { op: self.rng.pick(&[EvmOp::MStore, EvmOp::SStore]), args, dsts: Vec::new() }
            }
        })
    }

    fn external_call(&mut self) -> StmtKind {
        let kind = self.rng.pick(&[CallKind::Call, CallKind::Code, CallKind::Static, CallKind::Delegate]);
        let with_value = matches!(kind, CallKind::Call | CallKind::Code) && self.rng.chance(50);
        StmtKind::ExternalCall(Box::new(ExternalCall {
            kind,
            target: self.of(Type::Address),
            value: with_value.then(|| self.of(WORD)),
            gas: match self.rng.below(3) {
                0 => Gas::All,
                1 => Gas::Stipend,
                _ => Gas::Amount(self.of(WORD)),
            },
            data: self.of(Type::Bytes),
            ok: LocalId(0),
            result: LocalId(1),
            callee: self.rng.chance(50).then(|| (ContractId(1), "f(uint256)".to_owned())),
        }))
    }

    fn call(&mut self) -> Option<StmtKind> {
        if self.rng.chance(20) {
            let callee = Callee::Pointer(self.of(Type::FnInternal));
            return Some(StmtKind::Call { dsts: Vec::new(), callee, args: Vec::new() });
        }
        let callee = ProcId(self.rng.below(self.p.procs.len()) as u32);
        let here = self.p.procs[self.proc].contract;
        let proc = self.p.procs[callee].clone();
        if proc.contract.is_some() && proc.contract != here {
            return None;
        }
        let dsts: Option<Vec<LocalId>> =
            proc.rets.iter().map(|t| self.local_of(&self.p.types.get(*t).clone())).collect();
        let args = proc.params.iter().map(|l| self.expr(proc.locals[*l].ty, 3)).collect();
        Some(StmtKind::Call { dsts: dsts?, callee: Callee::Proc(callee), args })
    }

    fn alloc(&mut self) -> Option<StmtKind> {
        let (dst, ty) = self.locals().iter_ids().find_map(|(id, l)| match self.p.types.get(l.ty) {
            Type::MemoryRef(t) => Some((id, *t)),
            _ => None,
        })?;
        let dynamic = matches!(self.p.types.get(ty), Type::Bytes | Type::Array { len: None, .. });
        let init = match self.rng.below(3) {
            0 => AllocInit::Zero(ty),
            1 if dynamic => AllocInit::Array(ty, self.of(WORD)),
            _ => AllocInit::Copy(ty, self.expr(ty, 2)),
        };
        Some(StmtKind::Alloc { dst, init })
    }
}
