//! A program as one contract sees it. Much is asked about all code of a program: whether some of it writes raw storage, whose
//! value is taken, who creates whom. What a contract can neither run nor meet must make no difference to it.

use super::effects::{AllEffects, library_function};
use super::policy::Trust;
use super::unroll::nowhere;
use crate::wild::Wild;
use hornet_ir::expr::Expr;
use hornet_ir::ids::{BlockId, ContractId, IdVec, ProcId};
use hornet_ir::program::{Block, Callee, Proc, Program, Stmt, StmtKind};
use hornet_ir::visit::for_exprs_of;
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The same program, where code that a contract has nothing to do with cannot be followed.
pub fn alone(program: &Program, home: ContractId, trust: Trust) -> Cow<'_, Program> {
    match trust {
        Trust::Nobody => Cow::Owned(restricted(program, &reach(program, home))),
        // Whose code a call may run depends on all contracts there are.
        Trust::Declared => Cow::Borrowed(program),
    }
}

/// A program for many contracts: each sees what code does behind the language's back that may be its own affair.
pub struct Views<'p> {
    whole: (&'p Program, AllEffects),
    /// For contracts that have less to do with such code than the whole program has.
    tamer: BTreeMap<Wild, (Program, AllEffects)>,
    wild: BTreeMap<ContractId, Wild>,
}

impl<'p> Views<'p> {
    /// All contracts see all of the program.
    pub fn of_whole(program: &'p Program) -> Views<'p> {
        Views { whole: (program, AllEffects::new(program)), tamer: BTreeMap::new(), wild: BTreeMap::new() }
    }

    pub fn new(program: &'p Program, contracts: impl Iterator<Item = ContractId>) -> Views<'p> {
        let mut views = Views::of_whole(program);
        let whole = views.whole.1.wild();
        if whole == Wild::default() {
            return views;
        }
        let mut together: BTreeMap<Wild, FxHashSet<ProcId>> = BTreeMap::new();
        for contract in contracts {
            let reached = reach(program, contract);
            let wild = Wild::of(program, reached.iter().copied());
            views.wild.insert(contract, wild);
            if wild != whole {
                together.entry(wild).or_default().extend(reached);
            }
        }
        for (wild, kept) in together {
            let part = restricted(program, &kept);
            let effects = AllEffects::new(&part);
            views.tamer.insert(wild, (part, effects));
        }
        views
    }

    pub fn of(&self, contract: ContractId) -> (&Program, &AllEffects) {
        let tamer = self.wild.get(&contract).and_then(|wild| self.tamer.get(wild));
        tamer.map_or((self.whole.0, &self.whole.1), |(program, effects)| (program, effects))
    }
}

fn restricted(program: &Program, kept: &FxHashSet<ProcId>) -> Program {
    let mut part = program.clone();
    for (id, proc) in program.procs.iter_ids().filter(|(id, _)| !kept.contains(id)) {
        part.procs[id].blocks = nothing_known(proc);
        part.procs[id].entry = BlockId(0);
    }
    part
}

/// Should anybody come here all the same, nothing is claimed about what follows.
fn nothing_known(proc: &Proc) -> IdVec<BlockId, Block> {
    let what = format!("`{}`, which seemed to be no part of this", proc.name);
    let stmt = Stmt { kind: StmtKind::Unsupported { what }, span: None };
    let mut blocks = IdVec::new();
    blocks.push(Block { stmts: vec![stmt], ..nowhere() });
    blocks
}

/// All code that may run for a contract, and that of what it creates. Functions outside contracts may be verified in the name
/// of a contract of their file, so they belong to each.
fn reach(program: &Program, home: ContractId) -> FxHashSet<ProcId> {
    let mut reach = Reach { program, procs: FxHashSet::default(), open: Vec::new() };
    reach.contract(home);
    let file = program.contracts[home].span.map(|span| span.file);
    let is_beside = |proc: &Proc| {
        let own = proc.function.as_deref().map(|function| function.span.file);
        proc.contract.is_none() && own == file
    };
    let beside = program.procs.iter_ids().filter(|(_, proc)| is_beside(proc)).map(|(id, _)| id);
    reach.open.extend(beside);
    reach.follow();
    reach.procs
}

struct Reach<'p> {
    program: &'p Program,
    procs: FxHashSet<ProcId>,
    open: Vec<ProcId>,
}

impl Reach<'_> {
    fn contract(&mut self, id: ContractId) {
        let own = self.program.procs.iter_ids().filter(|(_, proc)| proc.contract == Some(id));
        self.open.extend(own.map(|(id, _)| id));
    }

    fn follow(&mut self) {
        let (program, mut seen) = (self.program, FxHashSet::default());
        let mut created = FxHashSet::default();
        while let Some(id) = self.open.pop() {
            if !self.procs.insert(id) {
                continue;
            }
            let proc = &program.procs[id];
            for stmt in proc.blocks.iter().flat_map(|b| &b.stmts) {
                match &stmt.kind {
                    StmtKind::Call { callee: Callee::Proc(callee), .. } => self.open.push(*callee),
                    StmtKind::ExternalCall(call) => self.open.extend(library_function(program, call)),
                    StmtKind::Create(create) if created.insert(create.contract) => {
                        self.contract(create.contract);
                    }
                    _ => {}
                }
            }
            for_exprs_of(&program.exprs, proc, &mut seen, &mut |expr| {
                if let Expr::FnPointer(value) = expr {
                    self.open.push(*value);
                }
            });
        }
    }
}
