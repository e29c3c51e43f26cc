//! Terms as SMT-LIB 2 commands, linear in the size of the DAG.
//!
//! What is used more than once gets a name: closed terms by `define-fun`, so that later commands can use them too, terms with free
//! bound variables by a `let` inside the quantifier. Terms that are merely deep are cut the same way, so neither we nor a solver's
//! parser recurse without limit.

mod clause;
mod names;
mod write;

use super::{Function, Op, TermId, Terms};
use names::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;
use std::sync::Arc;
use write::Writer;

/// Text nested deeper than this is cut by names.
const DEEPEST: u32 = 100;

/// The index of an array whose elements are all the same; no other name looks like this.
const ANY_INDEX: &str = "?i";

/// What differs between the solvers' languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Lambdas are arrays.
    Z3,
    /// Lambdas and other arrays without an expression get an axiom; conversions have the spelling of SMT-LIB 2.6.
    Standard,
}

/// Remembers what it has declared and defined, level by level.
#[derive(Debug)]
pub struct Printer {
    dialect: Dialect,
    names: Names,
}

impl Printer {
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, names: Names::default() }
    }

    /// Names given from here on are forgotten at the matching [`Printer::pop`].
    pub fn push(&mut self) {
        self.names.push();
    }

    pub fn pop(&mut self) {
        self.names.pop();
    }

    /// The commands that assert `term`: declarations and definitions it needs, then the assertion.
    pub fn assert(&mut self, terms: &Terms, term: TermId) -> Vec<String> {
        let mut commands = Vec::new();
        let plan = self.name_parts(terms, term, &mut commands);
        let body = self.write(terms, &plan, |writer| writer.term(term));
        commands.push(format!("(assert {body})"));
        commands
    }

    /// What a function that was asserted is called.
    pub fn function_name(&self, function: &Arc<Function>) -> Option<&str> {
        self.names.function(function).map(|name| &**name)
    }

    /// The term as one expression, with `let` for what is shared. What was never declared is not constrained by anything,
    /// so it is written as the default value of its sort. `None` if only an axiom could say what the term is.
    pub fn expression(&self, terms: &Terms, term: TermId) -> Option<String> {
        let plan = Plan::of(terms, term, &self.names);
        if plan.order.iter().any(|part| self.needs_axiom(terms, *part)) {
            return None;
        }
        Some(self.write(terms, &plan, |writer| writer.scoped(term)))
    }

    fn write(&self, terms: &Terms, plan: &Plan, f: impl FnOnce(&mut Writer)) -> String {
        let mut writer = Writer::new(terms, &self.names, &plan.shared, self.dialect);
        f(&mut writer);
        writer.out
    }

    /// Declares and defines what `root` is made of, arguments first.
    fn name_parts(&mut self, terms: &Terms, root: TermId, commands: &mut Vec<String>) -> Plan {
        let plan = Plan::of(terms, root, &self.names);
        for &part in &plan.order {
            let node = terms.get(part);
            match &node.op {
                Op::Symbol(name) => {
                    let name = self.names.declare(part, name);
                    commands.push(format!("(declare-const {name} {})", node.sort));
                }
                Op::Bound(name) => {
                    self.names.declare(part, name);
                }
                Op::Apply(function) if self.names.function(function).is_none() => {
                    let name = self.names.declare_function(function);
                    commands.push(declare_function(function, &name));
                }
                Op::Lambda | Op::ConstArray if self.needs_axiom(terms, part) => {
                    self.define_array(terms, part, &plan, commands);
                    continue;
                }
                _ => {}
            }
            if plan.shared.contains(&part) && terms.is_closed(part) {
                let body = self.write(terms, &plan, |writer| writer.term(part));
                let name = self.names.define(part);
                commands.push(format!("(define-fun {name} () {} {body})", node.sort));
            }
        }
        plan
    }

    /// Whether the solver has no expression for this array: without Z3 there are no lambdas, and all elements of an array
    /// can be said to be equal only to a value.
    fn needs_axiom(&self, terms: &Terms, part: TermId) -> bool {
        let mut element = part;
        while let (Op::ConstArray, &[inner]) = (terms.op(element), terms.args(element)) {
            element = inner;
        }
        let expressible = *terms.op(part) != Op::Lambda && (element == part || terms.is_value(element));
        self.dialect != Dialect::Z3 && !expressible
    }

    /// An array with an axiom about its elements; a function of the variables that are free in it.
    fn define_array(&mut self, terms: &Terms, array: TermId, plan: &Plan, commands: &mut Vec<String>) {
        let (var, body) = match *terms.args(array) {
            [var, body] => (Some(var), body),
            [element] => (None, element),
            _ => return,
        };
        let free = terms.free_variables(array);
        let params: Vec<String> = free.iter().map(|var| terms.sort(*var).to_string()).collect();
        let name = self.names.define_applied(terms, array);
        commands.push(format!("(declare-fun {} ({}) {})", name.head, params.join(" "), terms.sort(array)));
        let axiom = self.write(terms, plan, |writer| {
            let index = var.map_or_else(|| ANY_INDEX.to_owned(), |var| writer.name_of(var));
            let element = format!("(select {} {index})", name.applied);
            let mut bound = writer.variables(free);
            let space = if bound.is_empty() { "" } else { " " };
            let _ = write!(bound, "{space}({index} {})", terms.sort(array).array_parts().0);
            let _ = write!(writer.out, "(forall ({bound}) (! (= {element} ");
            writer.scoped(body);
            let _ = write!(writer.out, ") :pattern ({element})))");
        });
        commands.push(format!("(assert {axiom})"));
    }
}

fn declare_function(function: &Arc<Function>, name: &str) -> String {
    let params: Vec<String> = function.params.iter().map(ToString::to_string).collect();
    format!("(declare-fun {name} ({}) {})", params.join(" "), function.result)
}

/// Which parts of a term get a name of their own.
struct Plan {
    /// The parts without a name so far, arguments first.
    order: Vec<TermId>,
    /// The parts that are used more than once, or that would nest too deep.
    shared: FxHashSet<TermId>,
}

impl Plan {
    fn of(terms: &Terms, root: TermId, names: &Names) -> Plan {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut order = Vec::new();
        let mut pending = vec![(root, false)];
        while let Some((term, ready)) = pending.pop() {
            if ready {
                order.push(term);
                continue;
            }
            if names.get(term).is_some() {
                continue;
            }
            let count = uses.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                pending.push((term, true));
                pending.extend(terms.args(term).iter().rev().map(|arg| (*arg, false)));
            }
        }
        let mut shared = FxHashSet::default();
        let mut heights: FxHashMap<TermId, u32> = FxHashMap::default();
        for &term in &order {
            let below = terms.args(term).iter().filter_map(|arg| heights.get(arg)).max().copied();
            let height = below.map_or(0, |below| below + 1);
            let large = height > 1 || terms.args(term).len() > 1;
            if large && (uses[&term] > 1 || height >= DEEPEST) {
                shared.insert(term);
                heights.insert(term, 0);
            } else {
                heights.insert(term, height);
            }
        }
        Plan { order, shared }
    }
}
