//! What the code of a run asks of its transaction and block: of that alone is worth telling what it was.

use hornet_ir::expr::{EnvVar, Expr};
use hornet_ir::ids::{ContractId, ExprId, ProcId};
use hornet_ir::program::{Callee, ContractKind, Program, StmtKind};
use hornet_ir::span::SourceMap;
use hornet_ir::trace::{Step, Trace};
use hornet_ir::visit::{Roots, for_operands, for_place_operands};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What the contracts of a run ask for, and whoever runs as part of them.
pub fn asked(program: &Program, trace: &Trace) -> BTreeSet<EnvVar> {
    let mut search = Search::new(program);
    search.contract(trace.contract);
    let mut work: Vec<&Step> = trace.steps.iter().collect();
    while let Some(step) = work.pop() {
        search.contract(trace.place(step).0);
        work.extend(step.outside.iter().flat_map(|outside| &outside.reenters));
    }
    while let Some(proc) = search.open.pop() {
        search.code(proc);
    }
    search.found
}

struct Search<'p> {
    program: &'p Program,
    contracts: BTreeSet<ContractId>,
    procs: FxHashSet<ProcId>,
    /// To be looked at.
    open: Vec<ProcId>,
    exprs: FxHashSet<ExprId>,
    found: BTreeSet<EnvVar>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Search<'p> {
        Search {
            program,
            contracts: BTreeSet::new(),
            procs: FxHashSet::default(),
            open: Vec::new(),
            exprs: FxHashSet::default(),
            found: BTreeSet::new(),
        }
    }

    fn contract(&mut self, id: ContractId) {
        if !self.contracts.insert(id) {
            return;
        }
        let contract = &self.program.contracts[id];
        let named = contract.entries.iter().map(|entry| entry.proc);
        let fallback = contract.fallback.map(|fallback| fallback.proc);
        let all = named.chain(contract.constructor).chain(contract.receive).chain(fallback);
        all.for_each(|proc| self.proc(proc));
        let mut roots = Roots::default();
        contract.invariants.iter().for_each(|clause| roots.clause(clause));
        let events = contract.event_specs.iter().flat_map(|spec| spec.pre.iter().chain(&spec.post));
        events.for_each(|clause| roots.clause(clause));
        self.mentioned(&roots);
    }

    fn proc(&mut self, id: ProcId) {
        if self.procs.insert(id) {
            self.open.push(id);
        }
    }

    fn code(&mut self, id: ProcId) {
        let proc = &self.program.procs[id];
        let mut roots = Roots::default();
        let clauses = proc.spec.iter().flat_map(|spec| spec.clauses());
        clauses.chain(proc.blocks.iter().flat_map(|b| &b.invariants)).for_each(|c| roots.clause(c));
        for block in proc.blocks.iter() {
            roots.terminator(&block.terminator);
            for stmt in &block.stmts {
                roots.stmt(&stmt.kind);
                match &stmt.kind {
                    StmtKind::Call { callee: Callee::Proc(callee), .. } => self.proc(*callee),
                    StmtKind::Create(create) => self.contract(create.contract),
                    StmtKind::ExternalCall(call) => {
                        let library = call.callee.as_ref().map(|(contract, _)| *contract);
                        let library =
                            library.filter(|id| self.program.contracts[*id].kind == ContractKind::Library);
                        library.into_iter().for_each(|id| self.contract(id));
                    }
                    _ => {}
                }
            }
        }
        self.mentioned(&roots);
    }

    fn mentioned(&mut self, roots: &Roots) {
        let exprs = &self.program.exprs;
        let mut work: Vec<ExprId> = roots.exprs.clone();
        roots.places.iter().for_each(|place| for_place_operands(exprs, *place, &mut |e| work.push(e)));
        while let Some(id) = work.pop() {
            if !self.exprs.insert(id) {
                continue;
            }
            match exprs.get(id) {
                Expr::Env(var) => {
                    self.found.insert(*var);
                }
                Expr::FnPointer(proc) => self.proc(*proc),
                _ => {}
            }
            for_operands(exprs, exprs.get(id), &mut |e| work.push(e));
        }
    }
}

/// What the sources of a contract call the number that nobody foresees: it has another name since Solidity 0.8.18.
pub fn prevrandao(program: &Program, sources: &SourceMap, contract: ContractId) -> &'static str {
    let spans = program.contracts[contract].bases.iter().filter_map(|base| program.contracts[*base].span);
    let texts: Vec<&str> = spans.map(|span| sources.file(span.file).text.as_str()).collect();
    let says = |word: &str| texts.iter().any(|text| text.contains(word));
    if says("difficulty") && !says("prevrandao") { "block.difficulty" } else { "block.prevrandao" }
}
