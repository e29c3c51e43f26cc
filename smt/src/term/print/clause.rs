//! Horn clauses and definitions, each as one command in the plain form that every solver reads.

use super::{Plan, Printer, declare_function};
use crate::term::{Function, Op, TermId, Terms};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Printer {
    /// `(declare-fun name …)`, or nothing if the function has a name already.
    pub fn declare(&mut self, function: &Arc<Function>) -> Option<String> {
        if self.names.function(function).is_some() {
            return None;
        }
        let name = self.names.declare_function(function);
        Some(declare_function(function, &name))
    }

    /// `(define-fun name ((x Int)) sort body)`: from here on applications of the function are written with this name.
    /// `None` if only an axiom could say what the body is.
    pub fn define(
        &mut self,
        terms: &Terms,
        function: &Arc<Function>,
        params: &[TermId],
        body: TermId,
    ) -> Option<String> {
        for param in params {
            if let Op::Bound(name) | Op::Symbol(name) = terms.op(*param) {
                self.names.declare(*param, name);
            }
        }
        let text = self.expression(terms, body)?;
        let name = self.names.declare_function(function);
        let params = self.variables(terms, params);
        Some(format!("(define-fun {name} ({params}) {} {text})", function.result))
    }

    /// `(assert (forall (symbols) (=> (and body…) head)))`. The functions are declared already; every symbol stands for any
    /// value. `None` if only an axiom could say what a part is.
    pub fn assert_clause(&mut self, terms: &Terms, body: &[TermId], head: TermId) -> Option<String> {
        let roots: Vec<TermId> = body.iter().copied().chain([head]).collect();
        let symbols = self.name_symbols(terms, &roots);
        let body: Vec<String> =
            body.iter().map(|part| self.expression(terms, *part)).collect::<Option<_>>()?;
        let body = match body.as_slice() {
            [] => "true".to_owned(),
            [one] => one.clone(),
            several => format!("(and {})", several.join(" ")),
        };
        let clause = format!("(=> {body} {})", self.expression(terms, head)?);
        if symbols.is_empty() {
            return Some(format!("(assert {clause})"));
        }
        Some(format!("(assert (forall ({}) {clause}))", self.variables(terms, &symbols)))
    }

    /// Whether something in the terms can be said only by an axiom about it.
    pub fn needs_axioms(&self, terms: &Terms, roots: &[TermId]) -> bool {
        let mut found = false;
        terms.walk(roots, |part| found |= self.needs_axiom(terms, part));
        found
    }

    /// Names for the symbols that occur, in the order in which they do. They are not declared as constants.
    fn name_symbols(&mut self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut symbols = Vec::new();
        terms.walk(roots, |term| {
            if let Op::Symbol(name) = terms.op(term) {
                if self.names.get(term).is_none() {
                    self.names.declare(term, name);
                }
                symbols.push(term);
            }
        });
        symbols
    }

    fn variables(&self, terms: &Terms, vars: &[TermId]) -> String {
        let nothing_shared = Plan { order: Vec::new(), shared: FxHashSet::default() };
        self.write(terms, &nothing_shared, |writer| {
            let text = writer.variables(vars);
            writer.out.push_str(&text);
        })
    }
}
