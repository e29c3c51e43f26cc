//! What annotations claim, and which function of the source a procedure is, as text.

use super::names::{Labels, quoted, string_literal};
use super::print_expr::{ExprPrinter, contract_ref};
use super::print_stmt::span_text;
use super::words::Word;
use crate::ids::{BoundId, ContractId, IdVec};
use crate::program::Program;
use crate::spec::{Clause, EventSpec, FunctionInfo, FunctionRole, Modifies, ModifiesTarget, Spec};
use crate::visit::Roots;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The claims of a contract: its invariants and what its events promise.
pub(crate) fn print_contract_claims(out: &mut String, program: &Program, labels: &Labels, id: ContractId) {
    let contract = &program.contracts[id];
    let (locals, local_labels) = (IdVec::new(), IdVec::new());
    let mut printer = ExprPrinter {
        program,
        labels,
        contract: Some(id),
        locals: &locals,
        local_labels: &local_labels,
        lets: FxHashMap::default(),
        next_let: 0,
    };
    for clause in &contract.invariants {
        printer.clause(out, "  ", "claim", clause);
    }
    for spec in &contract.event_specs {
        printer.event_spec(out, spec);
    }
}

impl ExprPrinter<'_> {
    /// `claim invariant#0 "x > y": x > y fits F`, after the `let` lines it needs.
    pub fn clause(&mut self, out: &mut String, indent: &str, word: &str, clause: &Clause) {
        let mut roots = Roots::default();
        roots.clause(clause);
        self.bind_shared(out, indent, &roots);
        let _ = write!(out, "{indent}{word} ");
        match self.program.obligations.get(clause.obligation) {
            Some(obligation) => {
                let _ = write!(out, "{}#{}", obligation.kind.word(), clause.obligation.0);
            }
            None => {
                let _ = write!(out, "?obligation#{}", clause.obligation.0);
            }
        }
        let _ = write!(out, " {}: {}", string_literal(&clause.text), self.text(clause.cond));
        if !self.program.is_true(clause.fits) {
            let _ = write!(out, " fits {}", self.text(clause.fits));
        }
        out.push('\n');
    }

    fn event_spec(&mut self, out: &mut String, spec: &EventSpec) {
        let event = self.labels.events.get(spec.event).map_or("?", String::as_str);
        let tracks: Vec<&str> =
            spec.tracks.iter().map(|v| self.labels.state.get(*v).map_or("?", String::as_str)).collect();
        let allow = if spec.allow_no_change { " nochange" } else { "" };
        let (args, tracks) = (self.bound_list(&spec.args), tracks.join(", "));
        let _ = writeln!(out, "  reports {event}({args}) of ({tracks}){allow} @{}", span_text(spec.span));
        for clause in &spec.pre {
            self.clause(out, "  ", "before", clause);
        }
        for clause in &spec.post {
            self.clause(out, "  ", "after", clause);
        }
    }

    pub fn bound_list(&self, vars: &[BoundId]) -> String {
        let names: Vec<&str> =
            vars.iter().map(|v| self.labels.bound.get(*v).map_or("?", String::as_str)).collect();
        names.join(", ")
    }

    pub fn function_info(&self, out: &mut String, info: &FunctionInfo) {
        let _ = write!(out, "    source {}", quoted(&info.name));
        if let Some(signature) = &info.signature {
            let _ = write!(out, " {}", string_literal(signature));
        }
        if info.role != FunctionRole::Function {
            let _ = write!(out, " as {}", info.role.word());
        }
        for (set, word) in [(info.public, " public"), (info.constant, " view")] {
            out.push_str(if set { word } else { "" });
        }
        match info.declared_in {
            declared if declared == self.contract => {}
            Some(contract) => {
                let _ = write!(out, " in {}", contract_ref(self.labels, contract));
            }
            None => out.push_str(" in none"),
        }
        let _ = writeln!(out, " @{}", span_text(info.span));
    }

    pub fn spec(&mut self, out: &mut String, spec: &Spec) {
        const INDENT: &str = "    ";
        let results: Vec<String> = spec.results.iter().map(|r| self.local(*r)).collect();
        let _ = writeln!(out, "{INDENT}results ({})", results.join(", "));
        for (word, clauses) in [
            ("requires", &spec.pre),
            ("ensures", &spec.post),
            ("succeeds", &spec.succeeds_if),
            ("reverts", &spec.reverts_if),
        ] {
            for clause in clauses {
                self.clause(out, INDENT, word, clause);
            }
        }
        for modifies in &spec.modifies {
            self.modifies(out, INDENT, modifies);
        }
        for event in &spec.emits {
            let label = self.labels.events.get(*event).map_or("?", String::as_str);
            let _ = writeln!(out, "{INDENT}emits {label}");
        }
    }

    fn modifies(&mut self, out: &mut String, indent: &str, modifies: &Modifies) {
        let mut roots = Roots::default();
        roots.modifies(modifies);
        self.bind_shared(out, indent, &roots);
        let target = match &modifies.target {
            ModifiesTarget::Everything => "everything".to_owned(),
            ModifiesTarget::Place(place) => format!("place {}", self.place_text(*place)),
            ModifiesTarget::Length(place) => format!("length {}", self.place_text(*place)),
            ModifiesTarget::Balance(account) => format!("balance {}", self.text(*account)),
        };
        let (span, text) = (span_text(modifies.span), string_literal(&modifies.text));
        let _ = write!(out, "{indent}modifies {text} @{span}: {target}");
        if let Some(cond) = modifies.cond {
            let _ = write!(out, " if {}", self.text(cond));
        }
        out.push('\n');
    }
}
