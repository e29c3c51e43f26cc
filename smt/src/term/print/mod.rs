//! Terms as SMT-LIB 2 commands, linear in the size of the DAG.
//!
//! What is used more than once gets a name: closed terms by `define-fun`, so that later commands can use them too, terms with free
//! bound variables by a `let` inside the quantifier. Terms that are merely deep are cut the same way, so neither we nor a solver's
//! parser recurse without limit.

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

/// What differs between the solvers' languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Lambdas are arrays.
    Z3,
    /// Lambdas become arrays with an axiom; conversions have the spelling of SMT-LIB 2.6.
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

    /// The term as one expression, with `let` for what is shared. What was never declared is not constrained by anything,
    /// so it is written as the default value of its sort. `None` if only an axiom could say what the term is.
    pub fn expression(&self, terms: &Terms, term: TermId) -> Option<String> {
        let plan = Plan::of(terms, term, &self.names);
        let lambda = |id: &TermId| *terms.op(*id) == Op::Lambda;
        if self.dialect != Dialect::Z3 && plan.order.iter().any(lambda) {
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
                Op::Lambda if self.dialect != Dialect::Z3 => {
                    self.define_lambda(terms, part, &plan, commands);
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

    /// An array with an axiom for a solver without lambdas; a function of the variables that are free in it.
    fn define_lambda(&mut self, terms: &Terms, lambda: TermId, plan: &Plan, commands: &mut Vec<String>) {
        let &[var, body] = terms.args(lambda) else { return };
        let free = terms.free_variables(lambda);
        let params: Vec<String> = free.iter().map(|var| terms.sort(*var).to_string()).collect();
        let name = self.names.define_applied(terms, lambda);
        commands.push(format!("(declare-fun {} ({}) {})", name.head, params.join(" "), terms.sort(lambda)));
        let axiom = self.write(terms, plan, |writer| {
            let vars: Vec<TermId> = free.iter().copied().chain([var]).collect();
            writer.out.push_str("(forall ");
            writer.variables(&vars);
            let element = format!("(select {} {})", name.applied, writer.name_of(var));
            let _ = write!(writer.out, " (! (= {element} ");
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
