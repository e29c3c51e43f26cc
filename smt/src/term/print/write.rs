//! The text of one term, given the names of its parts.

use super::Dialect;
use super::names::{Names, generated, word};
use crate::term::{Op, Sort, TermId, Terms, Value};
use num_bigint::{BigInt, BigUint};
use rustc_hash::FxHashSet;
use std::fmt::Write as _;

pub(super) struct Writer<'a> {
    pub(super) out: String,
    terms: &'a Terms,
    names: &'a Names,
    shared: &'a FxHashSet<TermId>,
    dialect: Dialect,
    /// What a `let` around the current place has named.
    bound: FxHashSet<TermId>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        names: &'a Names,
        shared: &'a FxHashSet<TermId>,
        dialect: Dialect,
    ) -> Self {
        Self { out: String::new(), terms, names, shared, dialect, bound: FxHashSet::default() }
    }

    /// The term, or its name if it has one. Recursion is bounded: deep parts have names.
    pub(super) fn term(&mut self, term: TermId) {
        if let Some(name) = self.names.get(term) {
            self.out.push_str(name);
        } else if self.bound.contains(&term) {
            self.out.push_str(&generated(term));
        } else {
            self.node(term);
        }
    }

    fn node(&mut self, term: TermId) {
        let node = self.terms.get(term);
        match &node.op {
            Op::Bool(value) => self.value(&Value::Bool(*value), &node.sort),
            Op::Int(value) => self.int(value),
            Op::BitVec(value, width) => self.bits(value, *width),
            // Only inside quantifiers of an expression that was not asserted.
            Op::Bound(_) => self.out.push_str(&generated(term)),
            Op::Symbol(_) => self.value(&Value::default_of(&node.sort), &node.sort),
            Op::Apply(function) => match self.names.function(function) {
                Some(name) => self.application(name, &node.args),
                None => self.value(&Value::default_of(&node.sort), &node.sort),
            },
            Op::Extract(high, low) => self.application(&format!("(_ extract {high} {low})"), &node.args),
            Op::ZeroExtend(extra) => self.application(&format!("(_ zero_extend {extra})"), &node.args),
            Op::SignExtend(extra) => self.application(&format!("(_ sign_extend {extra})"), &node.args),
            Op::IntToBv(width) => {
                let word = if self.dialect == Dialect::Z3 { "int_to_bv" } else { "int2bv" };
                self.application(&format!("(_ {word} {width})"), &node.args);
            }
            Op::BvToInt => {
                let word = if self.dialect == Dialect::Z3 { "ubv_to_int" } else { "bv2nat" };
                self.application(word, &node.args);
            }
            Op::ConstArray => self.application(&format!("(as const {})", node.sort), &node.args),
            Op::Lambda | Op::Forall | Op::Exists => {
                let Some((body, vars)) = node.args.split_last() else { return };
                let vars = self.variables(vars);
                let _ = write!(self.out, "({} ({vars}) ", word(&node.op));
                self.scoped(*body);
                self.out.push(')');
            }
            op => self.application(word(op), &node.args),
        }
    }

    fn application(&mut self, head: &str, args: &[TermId]) {
        self.out.push('(');
        self.out.push_str(head);
        for arg in args {
            self.out.push(' ');
            self.term(*arg);
        }
        self.out.push(')');
    }

    /// `(i Int) (j Int)`
    pub(super) fn variables(&self, vars: &[TermId]) -> String {
        let declared = |var: &TermId| format!("({} {})", self.name_of(*var), self.terms.sort(*var));
        vars.iter().map(declared).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn name_of(&self, var: TermId) -> String {
        self.names.get(var).map_or_else(|| generated(var), |name| name.to_string())
    }

    /// The body of a binder (or a whole expression) inside a `let` for each shared part that it can name.
    pub(super) fn scoped(&mut self, body: TermId) {
        let lets = self.let_parts(body);
        for part in &lets {
            let _ = write!(self.out, "(let (({} ", generated(*part));
            self.node(*part);
            self.out.push_str(")) ");
            self.bound.insert(*part);
        }
        self.term(body);
        for part in &lets {
            self.out.push(')');
            self.bound.remove(part);
        }
    }

    /// Shared parts below `body` that mention no variable of a binder in between, arguments first.
    fn let_parts(&self, body: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut parts = Vec::new();
        let mut inner_variables: FxHashSet<TermId> = FxHashSet::default();
        let mut pending = vec![(body, false)];
        while let Some((term, ready)) = pending.pop() {
            if ready {
                parts.push(term);
                continue;
            }
            if self.names.get(term).is_some() || self.bound.contains(&term) || !seen.insert(term) {
                continue;
            }
            if self.shared.contains(&term) {
                pending.push((term, true));
            }
            let args = self.terms.args(term);
            if matches!(self.terms.op(term), Op::Lambda | Op::Forall | Op::Exists) {
                inner_variables.extend(&args[..args.len() - 1]);
            }
            pending.extend(args.iter().rev().map(|arg| (*arg, false)));
        }
        parts
            .retain(|part| !self.terms.free_variables(*part).iter().any(|var| inner_variables.contains(var)));
        parts
    }

    fn int(&mut self, value: &BigInt) {
        let _ = if *value < BigInt::ZERO {
            write!(self.out, "(- {})", value.magnitude())
        } else {
            write!(self.out, "{value}")
        };
    }

    fn bits(&mut self, value: &BigUint, width: u32) {
        let _ = if width.is_multiple_of(4) {
            write!(self.out, "#x{value:0digits$x}", digits = width as usize / 4)
        } else {
            write!(self.out, "#b{value:0digits$b}", digits = width as usize)
        };
    }

    fn value(&mut self, value: &Value, sort: &Sort) {
        match (value, sort) {
            (Value::Bool(value), _) => {
                let _ = write!(self.out, "{value}");
            }
            (Value::Int(value), _) => self.int(value),
            (Value::BitVec(value, width), _) => self.bits(value, *width),
            (Value::Array(array), Sort::Array(_, element)) => {
                let _ = write!(self.out, "((as const {sort}) ");
                self.value(&array.default, element);
                self.out.push(')');
            }
            (Value::Array(_) | Value::Opaque(_), _) => unreachable!("not a default value"),
        }
    }
}
