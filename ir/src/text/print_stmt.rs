//! Procedures, blocks, statements and terminators as text.

use super::names::{Labels, local_labels, local_order, string_literal};
use super::print_expr::{ExprPrinter, contract_ref, proc_ref, type_text};
use super::words::Word;
use crate::ids::{BlockId, ExprId, Id, LocalId, ProcId};
use crate::program::{
    AllocInit, Block, Callee, Create, ExternalCall, Gas, Proc, Program, StmtKind, Terminator,
};
use crate::span::Span;
use crate::visit::{Roots, for_operands, for_place_operands};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Above these, subterms are bound by `let` lines: text stays linear in the size of the shared graph, and shallow.
const MAX_NODES: u32 = 400;
const MAX_DEPTH: u32 = 48;

pub(crate) fn span_text(span: Span) -> String {
    format!("{}:{}-{}", span.file.0, span.start, span.end)
}

pub(crate) struct ProcPrinter<'a> {
    program: &'a Program,
    labels: &'a Labels,
    proc: &'a Proc,
    exprs: ExprPrinter<'a>,
}

pub(crate) fn print_proc(out: &mut String, program: &Program, labels: &Labels, id: ProcId) {
    let proc = &program.procs[id];
    let local_labels = local_labels(proc);
    let exprs = ExprPrinter {
        program,
        labels,
        contract: proc.contract,
        locals: &proc.locals,
        local_labels: &local_labels,
        lets: FxHashMap::default(),
        next_let: 0,
    };
    let mut printer = ProcPrinter { program, labels, proc, exprs };
    printer.header(out, id);
    if let Some(info) = &proc.function {
        printer.exprs.function_info(out, info);
    }
    if let Some(spec) = &proc.spec {
        printer.exprs.spec(out, spec);
    }
    for (block_id, block) in proc.blocks.iter_ids() {
        printer.block(out, block_id, block);
    }
    out.push_str("  }\n");
}

impl ProcPrinter<'_> {
    fn header(&self, out: &mut String, id: ProcId) {
        let ty = |local: LocalId| match self.proc.locals.get(local) {
            Some(l) => type_text(self.program, self.labels, l.ty),
            None => "?".to_owned(),
        };
        let params: Vec<String> =
            self.proc.params.iter().map(|p| format!("{}: {}", self.exprs.local(*p), ty(*p))).collect();
        let _ =
            write!(out, "  {} proc {}({})", self.proc.kind.word(), self.labels.procs[id], params.join(", "));
        if !self.proc.rets.is_empty() {
            let rets: Vec<String> =
                self.proc.rets.iter().map(|t| type_text(self.program, self.labels, *t)).collect();
            let _ = write!(out, " -> ({})", rets.join(", "));
        }
        if self.proc.entry != BlockId(0) {
            let _ = write!(out, " entry b{}", self.proc.entry.0);
        }
        out.push_str(" {\n");
        let order = local_order(self.proc);
        let rest = &order[self.proc.params.len().min(order.len())..];
        for group in rest.chunk_by(|a, b| self.proc.locals[*a].ty == self.proc.locals[*b].ty) {
            let names: Vec<String> = group.iter().map(|l| self.exprs.local(*l)).collect();
            let _ = writeln!(out, "    var {}: {}", names.join(", "), ty(group[0]));
        }
    }

    fn block(&mut self, out: &mut String, id: BlockId, block: &Block) {
        let _ = write!(out, "  b{}:", id.0);
        if let Some(span) = block.loop_head {
            let _ = write!(out, " loop @{}", span_text(span));
        }
        out.push('\n');
        for clause in &block.invariants {
            self.exprs.clause(out, "    ", "claim", clause);
        }
        for stmt in &block.stmts {
            let mut roots = Roots::default();
            roots.stmt(&stmt.kind);
            self.exprs.bind_shared(out, "    ", &roots);
            let text = self.stmt(&stmt.kind);
            let _ = writeln!(out, "    {text}");
        }
        let mut roots = Roots::default();
        roots.terminator(&block.terminator);
        self.exprs.bind_shared(out, "    ", &roots);
        let text = self.terminator(&block.terminator);
        let _ = writeln!(out, "    {text}");
        self.exprs.lets.clear();
    }

    fn stmt(&self, stmt: &StmtKind) -> String {
        let e = |id: &ExprId| self.exprs.text(*id);
        match stmt {
            StmtKind::Assign { dst, value } => format!("{} = {}", self.exprs.local(*dst), e(value)),
            StmtKind::Store { place, value } => {
                format!("store {} = {}", self.exprs.place_text(*place), e(value))
            }
            StmtKind::Delete { place } => format!("delete {}", self.exprs.place_text(*place)),
            StmtKind::SetLength { place, length } => {
                format!("setlen {} = {}", self.exprs.place_text(*place), e(length))
            }
            StmtKind::Havoc { dst } => format!("havoc {}", self.exprs.local(*dst)),
            StmtKind::Assume { cond } => format!("assume {}", e(cond)),
            StmtKind::Check { obligation, cond } => match self.program.obligations.get(*obligation) {
                Some(o) => format!("check {}#{} {}", o.kind.word(), obligation.0, e(cond)),
                None => format!("check ?#{} {}", obligation.0, e(cond)),
            },
            StmtKind::Call { dsts, callee, args } => {
                let callee = match callee {
                    Callee::Proc(p) => {
                        format!("call {}", proc_ref(self.program, self.labels, self.proc.contract, *p))
                    }
                    Callee::Pointer(p) => format!("callptr ({})", e(p)),
                };
                format!("{}{callee}({})", self.dsts(dsts), self.exprs.list(args))
            }
            StmtKind::Alloc { dst, init } => format!("{} = {}", self.exprs.local(*dst), self.alloc(init)),
            StmtKind::Decode { dsts, types, strict, data, ok, error } => {
                let types: Vec<String> =
                    types.iter().map(|t| type_text(self.program, self.labels, *t)).collect();
                format!(
                    "{}decode{} ({}) from {}, ok {}, error {}",
                    self.dsts(dsts),
                    if *strict { "" } else { ".v1" },
                    types.join(", "),
                    e(data),
                    self.exprs.local(*ok),
                    self.exprs.local(*error)
                )
            }
            StmtKind::ExternalCall(call) => self.external_call(call),
            StmtKind::Create(create) => self.create(create),
            StmtKind::Emit { event, topics, data, args } => {
                let event = match event {
                    Some(id) => self.labels.events.get(*id).cloned().unwrap_or_else(|| "?".to_owned()),
                    None => "_".to_owned(),
                };
                let (args, topics) = (self.exprs.list(args), self.exprs.list(topics));
                format!("emit {event}({args}) topics ({topics}) data {}", e(data))
            }
            StmtKind::SelfDestruct { beneficiary } => format!("selfdestruct {}", e(beneficiary)),
            StmtKind::Evm { op, args, dsts } => {
                format!("{}evm.{}({})", self.dsts(dsts), op.word(), self.exprs.list(args))
            }
            StmtKind::Unsupported { what } => format!("unsupported {}", string_literal(what)),
        }
    }

    fn dsts(&self, dsts: &[LocalId]) -> String {
        if dsts.is_empty() {
            return String::new();
        }
        let names: Vec<String> = dsts.iter().map(|d| self.exprs.local(*d)).collect();
        format!("{} = ", names.join(", "))
    }

    fn alloc(&self, init: &AllocInit) -> String {
        let ty = |id| type_text(self.program, self.labels, id);
        match init {
            AllocInit::Zero(t) => format!("alloc {}", ty(*t)),
            AllocInit::Array(t, n) => format!("alloc {}, length {}", ty(*t), self.exprs.text(*n)),
            AllocInit::Copy(t, e) => format!("alloc {}, copy {}", ty(*t), self.exprs.text(*e)),
        }
    }

    fn external_call(&self, call: &ExternalCall) -> String {
        let mut out = format!(
            "{}external {}(to = {}",
            self.dsts(&[call.ok, call.result]),
            call.kind.word(),
            self.exprs.text(call.target)
        );
        if let Some(value) = call.value {
            let _ = write!(out, ", value = {}", self.exprs.text(value));
        }
        match call.gas {
            Gas::All => {}
            Gas::Stipend => out.push_str(", stipend"),
            Gas::Amount(gas) => {
                let _ = write!(out, ", gas = {}", self.exprs.text(gas));
            }
        }
        let _ = write!(out, ", data = {})", self.exprs.text(call.data));
        if let Some((contract, signature)) = &call.callee {
            let _ = write!(out, " of {} {}", contract_ref(self.labels, *contract), string_literal(signature));
        }
        out
    }

    fn create(&self, create: &Create) -> String {
        let mut out = format!(
            "{}create {}(args = {}",
            self.dsts(&[create.dst, create.ok, create.result]),
            contract_ref(self.labels, create.contract),
            self.exprs.text(create.args)
        );
        if let Some(value) = create.value {
            let _ = write!(out, ", value = {}", self.exprs.text(value));
        }
        if let Some(salt) = create.salt {
            let _ = write!(out, ", salt = {}", self.exprs.text(salt));
        }
        out.push(')');
        out
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Goto(b) => format!("goto b{}", b.0),
            Terminator::Branch { cond, then, other } => {
                format!("if {} goto b{} else b{}", self.exprs.text(*cond), then.0, other.0)
            }
            Terminator::Return(values) => format!("return ({})", self.exprs.list(values)),
            Terminator::Revert(data) => format!("revert {}", self.exprs.text(*data)),
            Terminator::Halt(data) => format!("halt {}", self.exprs.text(*data)),
            Terminator::Invalid => "invalid".to_owned(),
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }
}

impl ExprPrinter<'_> {
    /// Writes `let` lines for expressions that are too large or too deep to stand on one line.
    pub fn bind_shared(&mut self, out: &mut String, indent: &str, roots: &Roots) {
        self.lets.clear();
        for id in shared_subterms(self.program, roots) {
            let text = self.definition(id);
            let _ = writeln!(out, "{indent}let ${} = {text}", self.next_let);
            self.lets.insert(id, self.next_let);
            self.next_let += 1;
        }
    }
}

/// Which subterms to bind before a statement, operands first. Usually none.
fn shared_subterms(program: &Program, roots: &Roots) -> Vec<ExprId> {
    let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
    let mut work = Vec::new();
    let mut reach = |id: ExprId, work: &mut Vec<ExprId>| {
        let count = uses.entry(id).or_insert(0);
        *count += 1;
        if *count == 1 && id.index() < program.exprs.len() {
            work.push(id);
        }
    };
    roots.exprs.iter().for_each(|e| reach(*e, &mut work));
    roots.places.iter().for_each(|p| for_place_operands(&program.exprs, *p, &mut |e| reach(e, &mut work)));
    let mut nodes = Vec::new();
    while let Some(id) = work.pop() {
        nodes.push(id);
        for_operands(&program.exprs, program.exprs.get(id), &mut |e| reach(e, &mut work));
    }
    // Hash-consing numbers operands before their users.
    nodes.sort_unstable();
    let whole = measure(program, &nodes, |_, _, _| false);
    let fits =
        |id: &ExprId| whole.get(id).is_none_or(|(size, depth)| *size <= MAX_NODES && *depth <= MAX_DEPTH);
    if nodes.iter().all(fits) {
        return Vec::new();
    }
    let mut bound = Vec::new();
    measure(program, &nodes, |id, size, depth| {
        let bind = (uses[&id] > 1 && size > 3) || depth >= MAX_DEPTH;
        if bind {
            bound.push(id);
        }
        bind
    });
    bound
}

/// Size and depth of every node as printed; a node that `bind` accepts counts as one from then on.
fn measure(
    program: &Program,
    nodes: &[ExprId],
    mut bind: impl FnMut(ExprId, u32, u32) -> bool,
) -> FxHashMap<ExprId, (u32, u32)> {
    let mut measured: FxHashMap<ExprId, (u32, u32)> = FxHashMap::default();
    for id in nodes {
        let (mut size, mut depth) = (1u32, 0u32);
        for_operands(&program.exprs, program.exprs.get(*id), &mut |e| {
            let (s, d) = measured.get(&e).copied().unwrap_or((1, 1));
            size = size.saturating_add(s);
            depth = depth.max(d);
        });
        let entry = if bind(*id, size, depth + 1) { (1, 1) } else { (size, depth + 1) };
        measured.insert(*id, entry);
    }
    measured
}
