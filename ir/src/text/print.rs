//! Whole programs, or parts of them, as text.

use super::names::{Labels, quoted, quoted_dotted, string_literal};
use super::print_expr::{contract_ref, hex, proc_ref, type_text};
use super::print_spec::print_contract_claims;
use super::print_stmt::{print_proc, span_text};
use super::used::Used;
use super::words::Word;
use crate::ids::{ContractId, ObligationId, ProcId, TypeId};
use crate::program::{Contract, ContractKind, Program, StateKind, StateVar};
use std::fmt::Write;

/// The whole program; [`super::parse()`] reads it back.
pub fn print(program: &Program) -> String {
    let labels = Labels::new(program);
    let mut printer = Printer { program, labels: &labels, out: String::new() };
    printer.type_definitions(None);
    printer.events(None);
    printer.errors();
    printer.bound_vars(None);
    printer.checks();
    for id in program.contracts.ids() {
        printer.contract(id);
    }
    for (id, proc) in program.procs.iter_ids() {
        if proc.contract.is_none() {
            printer.gap();
            print_proc(&mut printer.out, program, &labels, id);
        }
    }
    printer.obligations(program.obligations.ids());
    printer.out
}

/// One contract with the types, events and obligations it uses: for reading, as it may mention other contracts.
pub fn print_contract(program: &Program, contract: ContractId) -> String {
    let labels = Labels::new(program);
    let mut printer = Printer { program, labels: &labels, out: String::new() };
    let own = program.procs.iter_ids().filter(|(_, p)| p.contract == Some(contract));
    let procs: Vec<ProcId> = own.map(|(id, _)| id).collect();
    let used = Used::new(program, &procs, Some(contract));
    printer.type_definitions(Some(&used));
    printer.events(Some(&used));
    printer.bound_vars(Some(&used));
    printer.contract(contract);
    printer.obligations(used.obligations(program).into_iter());
    printer.out
}

/// Some procedures, what they mention and the obligations they check: for reading.
pub fn print_procs(program: &Program, procs: &[ProcId]) -> String {
    let labels = Labels::new(program);
    let mut printer = Printer { program, labels: &labels, out: String::new() };
    let used = Used::new(program, procs, None);
    printer.type_definitions(Some(&used));
    printer.events(Some(&used));
    printer.bound_vars(Some(&used));
    for id in procs {
        printer.gap();
        print_proc(&mut printer.out, program, &labels, *id);
    }
    printer.obligations(used.obligations(program).into_iter());
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    labels: &'a Labels,
    out: String,
}

impl Printer<'_> {
    fn gap(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// All types that have a definition, or those used.
    fn type_definitions(&mut self, used: Option<&Used>) {
        for (id, def) in self.program.types.structs.iter_ids() {
            if used.is_some_and(|u| !u.structs.contains(&id)) {
                continue;
            }
            let fields: Vec<String> = def.fields.iter().map(|f| self.param(&f.name, f.ty)).collect();
            let _ = writeln!(self.out, "struct {} {{ {} }}", self.labels.structs[id], fields.join(", "));
        }
        for (id, def) in self.program.types.enums.iter_ids() {
            if used.is_some_and(|u| !u.enums.contains(&id)) {
                continue;
            }
            let members: Vec<String> = def.members.iter().map(|m| quoted(m)).collect();
            let _ = writeln!(self.out, "enum {} {{ {} }}", self.labels.enums[id], members.join(", "));
        }
    }

    fn param(&self, name: &str, ty: TypeId) -> String {
        format!("{}: {}", quoted(name), type_text(self.program, self.labels, ty))
    }

    fn events(&mut self, used: Option<&Used>) {
        for (id, event) in self.program.events.iter_ids() {
            if used.is_some_and(|u| !u.events.contains(&id)) {
                continue;
            }
            let anonymous = if event.anonymous { " anonymous" } else { "" };
            let signature = string_literal(&event.signature);
            let params: Vec<String> = event
                .params
                .iter()
                .map(|p| self.param(&p.name, p.ty) + if p.indexed { " indexed" } else { "" })
                .collect();
            let (label, params) = (&self.labels.events[id], params.join(", "));
            let _ = writeln!(self.out, "event {label}({params}) {signature}{anonymous}");
        }
    }

    fn errors(&mut self) {
        for error in self.program.errors.iter() {
            let params: Vec<String> = error.params.iter().map(|p| self.param(&p.name, p.ty)).collect();
            let (name, signature) = (quoted_dotted(&error.name), string_literal(&error.signature));
            let _ = writeln!(self.out, "error {name}({}) {signature}", params.join(", "));
        }
    }

    fn bound_vars(&mut self, used: Option<&Used>) {
        for (id, var) in self.program.bound_vars.iter_ids() {
            if used.is_none_or(|u| u.bound.contains(&id)) {
                let ty = type_text(self.program, self.labels, var.ty);
                let _ = writeln!(self.out, "bound {}: {ty}", self.labels.bound[id]);
            }
        }
    }

    /// What is checked of every function because some annotation speaks of it.
    fn checks(&mut self) {
        for (set, word) in
            [(self.program.modifies_checked, "modifies"), (self.program.events_checked, "events")]
        {
            if set {
                let _ = writeln!(self.out, "checks {word}");
            }
        }
    }

    fn contract(&mut self, id: ContractId) {
        let contract = &self.program.contracts[id];
        self.gap();
        let kind = match contract.kind {
            ContractKind::Abstract => "abstract contract",
            kind => kind.word(),
        };
        let _ =
            write!(self.out, "{kind} {} in {}", self.labels.contracts[id], string_literal(&contract.file));
        if contract.bases != [id] {
            let bases: Vec<String> = contract.bases.iter().map(|b| contract_ref(self.labels, *b)).collect();
            let _ = write!(self.out, " is ({})", bases.join(", "));
        }
        self.out.push_str(" {\n");
        for var in &contract.state {
            if let Some(v) = self.program.state.get(*var) {
                self.state_var(contract, v, &self.labels.state[*var]);
            }
        }
        self.interface(id, contract);
        print_contract_claims(&mut self.out, self.program, self.labels, id);
        for (proc_id, proc) in self.program.procs.iter_ids() {
            if proc.contract == Some(id) {
                self.out.push('\n');
                print_proc(&mut self.out, self.program, self.labels, proc_id);
            }
        }
        self.out.push_str("}\n");
    }

    fn state_var(&mut self, contract: &Contract, var: &StateVar, label: &str) {
        let ty = type_text(self.program, self.labels, var.ty);
        let _ = write!(self.out, "  {} {label}: {ty}", var.kind.word());
        match var.kind {
            StateKind::Storage | StateKind::Transient => {
                let _ = write!(self.out, " at {}", var.slot);
                if var.offset != 0 {
                    let _ = write!(self.out, " + {}", var.offset);
                }
            }
            StateKind::Immutable => {}
        }
        if var.declared_in != contract.name {
            let _ = write!(self.out, " from {}", quoted_dotted(&var.declared_in));
        }
        self.out.push('\n');
    }

    fn interface(&mut self, id: ContractId, contract: &Contract) {
        let proc = |p: ProcId| proc_ref(self.program, self.labels, Some(id), p);
        let mut lines = String::new();
        for entry in &contract.entries {
            let mut flags = String::new();
            for (set, word) in
                [(entry.payable, " payable"), (entry.constant, " view"), (!entry.strict_abi, " v1")]
            {
                flags.push_str(if set { word } else { "" });
            }
            let _ = writeln!(
                lines,
                "  entry {} {} 0x{} = {}{flags}",
                quoted(&entry.name),
                string_literal(&entry.signature),
                hex(&entry.selector),
                proc(entry.proc)
            );
        }
        if let Some(p) = contract.constructor {
            let _ = writeln!(lines, "  constructor = {}", proc(p));
        }
        if let Some(p) = contract.receive {
            let _ = writeln!(lines, "  receive = {}", proc(p));
        }
        if let Some(fallback) = contract.fallback {
            let with_data = if fallback.with_data { " with data" } else { "" };
            let _ = writeln!(lines, "  fallback = {}{with_data}", proc(fallback.proc));
        }
        self.out.push_str(&lines);
    }

    fn obligations(&mut self, ids: impl Iterator<Item = ObligationId>) {
        let mut first = true;
        for id in ids {
            if first {
                self.gap();
                first = false;
            }
            let obligation = &self.program.obligations[id];
            let _ = write!(
                self.out,
                "obligation {}#{} @{}",
                obligation.kind.word(),
                id.0,
                span_text(obligation.span)
            );
            if let Some(contract) = obligation.contract {
                let _ = write!(self.out, " in {}", contract_ref(self.labels, contract));
            }
            if obligation.silent {
                self.out.push_str(" silent");
            }
            self.out.push('\n');
        }
    }
}
