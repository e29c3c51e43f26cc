//! What the engine claims: the checks of a report, found again by what the interpreter sees of them.

use crate::engine::Subject;
use hornet_encoder::{Check, Report, Verdict};
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::Span;
use hornet_ir::spec::{Clause, FunctionRole};
use std::collections::HashMap;

/// Index into the checks of a report.
pub type ClaimId = usize;

/// What an observation has in common with the check it is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    function: usize,
    kind: ObligationKind,
    /// `None` where annotations are claimed at several places of the function.
    place: Option<Span>,
    annotation: Option<Span>,
}

pub struct Claims<'a> {
    pub subject: &'a Subject,
    pub report: &'a Report,
    /// The function of the report whose code a procedure is.
    functions: HashMap<ProcId, usize>,
    by_key: HashMap<Key, Vec<ClaimId>>,
}

impl<'a> Claims<'a> {
    pub fn new(subject: &'a Subject, report: &'a Report) -> Claims<'a> {
        let mut functions = HashMap::new();
        for (id, proc) in subject.program.procs.iter_ids() {
            let Some(info) = &proc.function else { continue };
            let found = report.functions.iter().position(|f| {
                Some(f.contract) == proc.contract && f.span == info.span && is_named(&f.name, &info.name)
            });
            functions.extend(found.map(|f| (id, f)));
        }
        let mut by_key: HashMap<Key, Vec<ClaimId>> = HashMap::new();
        for (id, check) in report.checks.iter().enumerate() {
            let annotation = check.annotation.as_ref().map(|(span, _)| *span);
            for place in [Some(check.span), None] {
                let key = Key { function: check.function, kind: check.kind, place, annotation };
                by_key.entry(key).or_default().push(id);
            }
        }
        Claims { subject, report, functions, by_key }
    }

    pub fn program(&self) -> &'a Program {
        &self.subject.program
    }

    pub fn check(&self, claim: ClaimId) -> &'a Check {
        &self.report.checks[claim]
    }

    pub fn is_proved(&self, claim: ClaimId) -> bool {
        self.check(claim).verdict == Verdict::Proved
    }

    pub fn function_of(&self, proc: ProcId) -> Option<usize> {
        self.functions.get(&proc).copied()
    }

    /// Checks that come with the code, at a place.
    pub fn at(&self, function: usize, kind: ObligationKind, place: Span) -> &[ClaimId] {
        self.get(Key { function, kind, place: Some(place), annotation: None })
    }

    /// Checks of an annotation, at a place or anywhere in the function.
    pub fn of_clause(
        &self,
        function: usize,
        kind: ObligationKind,
        clause: &Clause,
        place: Option<Span>,
    ) -> &[ClaimId] {
        let annotation = Some(self.program().obligations[clause.obligation].span);
        self.get(Key { function, kind, place, annotation })
    }

    /// All checks of a kind that belong to no annotation.
    pub fn of_kind(&self, function: usize, kind: ObligationKind) -> &[ClaimId] {
        self.get(Key { function, kind, place: None, annotation: None })
    }

    fn get(&self, key: Key) -> &[ClaimId] {
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }

    /// One line: where and what.
    pub fn describe(&self, claim: ClaimId) -> String {
        let check = self.check(claim);
        let function = &self.report.functions[check.function];
        let contract = &self.program().contracts[function.contract].name;
        let place = self.subject.line(check.span);
        format!("{contract}.{} line {place}: {}", function.name, check.message)
    }

    pub fn contract_of(&self, function: usize) -> ContractId {
        self.report.functions[function].contract
    }
}

/// Functions of bases that calls mean by their specification carry the name of the base.
fn is_named(reported: &str, name: &str) -> bool {
    reported.strip_suffix(name).is_some_and(|base| base.is_empty() || base.ends_with('.'))
}

/// Whether invariants are assumed at the beginning of a function, and whether they are claimed at its end.
pub fn guards(program: &Program, proc: ProcId) -> (bool, bool) {
    match &program.procs[proc].function {
        Some(info) => match info.role {
            FunctionRole::Constructor | FunctionRole::ImplicitConstructor => (false, true),
            FunctionRole::Function | FunctionRole::Receive | FunctionRole::Fallback => {
                (info.public, info.public)
            }
        },
        None => (false, false),
    }
}

/// Whether calls mean the specification of a procedure, not its code.
pub fn is_called_by_spec(program: &Program, contract: ContractId, proc: ProcId) -> bool {
    let decl = &program.procs[proc];
    let public = is_public(program, proc) && decl.contract == Some(contract);
    let contract = &program.contracts[contract];
    // From inside, ether that comes with a call is there already.
    let paid = contract.entries.iter().any(|e| e.payable && program.body_of(e.proc) == Some(proc));
    decl.spec.as_ref().is_some_and(|spec| !spec.is_empty())
        || (public && !paid && !contract.invariants.is_empty())
}

pub fn is_public(program: &Program, proc: ProcId) -> bool {
    program.procs[proc].function.as_ref().is_some_and(|f| f.public)
}
