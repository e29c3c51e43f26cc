//! Checks that were never stated, because no run gets to them, or none that we can follow: runs end for us at what is
//! not modelled. They must not vanish.

use super::executor::Executor;
use super::goals::{Goal, Subject};
use super::stmt::failure;
use super::targets::{Target, TargetKind};
use hornet_ir::ids::ProcId;
use hornet_ir::program::{Callee, ObligationKind, Proc, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::spec::Clause;
use rustc_hash::FxHashSet;

/// Checks in the code of a target, over-approximated.
pub struct Beyond {
    /// Not stated at all.
    pub missing: Vec<Subject>,
    /// In code that is followed into: stated before the gap, perhaps, and met again after it.
    pub repeated: FxHashSet<(ObligationKind, Span)>,
}

impl Beyond {
    pub fn new(ex: &Executor<'_>, target: &Target, goals: &[Goal]) -> Beyond {
        let mut beyond = Beyond { missing: Vec::new(), repeated: FxHashSet::default() };
        let TargetKind::Function { code, body } = target.kind else { return beyond };
        let stated: FxHashSet<(ObligationKind, Span)> = goals.iter().map(|g| place(&g.subject)).collect();
        for proc in followed(ex, code) {
            for subject in subjects(ex, &ex.program.procs[proc]) {
                if proc != code && proc != body {
                    beyond.repeated.insert(place(&subject));
                }
                if !stated.contains(&place(&subject)) && !beyond.missing.contains(&subject) {
                    beyond.missing.push(subject);
                }
            }
        }
        beyond
    }

    pub fn is_repeated(&self, kind: ObligationKind, span: Span) -> bool {
        self.repeated.contains(&(kind, span))
    }
}

fn place(subject: &Subject) -> (ObligationKind, Span) {
    (subject.kind, subject.span)
}

/// The procedure and all whose code was followed as part of it; others are verified on their own.
fn followed(ex: &Executor<'_>, code: ProcId) -> Vec<ProcId> {
    let mut found = vec![code];
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        for stmt in ex.program.procs[id].blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Call { callee: Callee::Proc(callee), .. } = &stmt.kind
                && (ex.subject == Some(*callee) || !(ex.is_modular(*callee) || ex.relied_on.contains(callee)))
                && !found.contains(callee)
            {
                found.push(*callee);
            }
        }
    }
    found
}

fn subjects(ex: &Executor<'_>, proc: &Proc) -> Vec<Subject> {
    let program = ex.program;
    let mut found = Vec::new();
    for block in proc.blocks.iter() {
        let head = block.loop_head.unwrap_or(ex.span);
        for clause in &block.invariants {
            found.push(of_clause(ex, ObligationKind::LoopInvariant, "loop invariant", head, clause));
        }
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Check { obligation, .. } if ex.is_stated(*obligation) => {
                    let decl = &program.obligations[*obligation];
                    let message = failure(decl.kind).to_owned();
                    found.push(Subject { kind: decl.kind, span: decl.span, annotation: None, message });
                }
                StmtKind::Call { callee: Callee::Proc(callee), .. } => {
                    let span = stmt.span.unwrap_or(ex.span);
                    let spec = program.procs[*callee].spec.as_deref();
                    let pre = spec.into_iter().flat_map(|spec| &spec.pre).filter(|_| ex.is_modular(*callee));
                    found.extend(
                        pre.map(|c| of_clause(ex, ObligationKind::Precondition, "precondition", span, c)),
                    );
                }
                _ => {}
            }
        }
    }
    found
}

fn of_clause(ex: &Executor<'_>, kind: ObligationKind, what: &str, span: Span, clause: &Clause) -> Subject {
    let annotation = (ex.program.obligations[clause.obligation].span, clause.text.clone());
    let message = format!("{what} `{}` might not hold", clause.text);
    Subject { kind, span, annotation: Some(annotation), message }
}
