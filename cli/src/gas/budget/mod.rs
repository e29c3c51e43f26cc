//! Budgets: what functions may cost, as annotations and settings say.

mod compare;
pub mod expression;

use super::args::Measure;
use super::contract::{ContractGas, FunctionGas};
use super::number::thousands;
use super::remark::GasLimit;
use super::task::{Task, is_called};
use compare::{Excess, excess};
use hornet_gas::ceiling::Formula;
use hornet_ir::diag::Diagnostic;
use hornet_ir::ids::ContractId;
use hornet_ir::program::Contract;
use hornet_ir::span::Span;

/// Something that a function, or the deployment, may cost at most.
#[derive(Clone, Debug)]
pub struct Budget {
    pub text: String,
    /// Of the text.
    pub span: Span,
    pub most: Formula,
}

pub struct Checked {
    pub budget: Budget,
    pub verdict: Verdict,
}

pub enum Verdict {
    Within,
    /// Some run takes more.
    Exceeded(String),
    /// No run is known that takes more, and none is excluded.
    NotShown(String),
}

/// All budgets, and whose they are.
pub struct Budgets {
    /// By the place of the function that the annotation stands before.
    annotated: Vec<(Span, Budget)>,
    /// The places of the constructors, by contract.
    constructors: Vec<(ContractId, Span)>,
    /// Of `hornet.toml`, by contract and function.
    stated: Vec<(String, String, Budget)>,
}

/// What `hornet.toml` calls the deployment.
const CONSTRUCTOR: &str = "constructor";

impl Budgets {
    pub fn new(task: &Task) -> Result<Budgets, Diagnostic> {
        let (loaded, program) = (&task.loaded, &task.loaded.program);
        let annotated = loaded.budgets.iter().map(|b| Ok((b.function, Budget::read(&b.text, b.span)?)));
        let constructors = program.contracts.iter_ids().filter_map(|(id, contract)| {
            let body = program.body_of(contract.constructor?)?;
            Some((id, program.procs[body].function.as_ref()?.span))
        });
        let mut stated = Vec::new();
        for b in &task.project.settings.budgets {
            let Some(file) = task.hornet_toml else { continue };
            let budget = Budget::read(&b.text, Span::new(file, b.range.start, b.range.end))?;
            let mut contracts = program.contracts.iter().filter(|c| c.name == b.contract).peekable();
            if contracts.peek().is_none() {
                // Of a file that is not looked at.
                continue;
            }
            if b.function != CONSTRUCTOR && !contracts.any(|contract| has_function(contract, &b.function)) {
                let message = format!("`{}` has no function `{}` that can be called", b.contract, b.function);
                return Err(Diagnostic::error(budget.span, message));
            }
            stated.push((b.contract.clone(), b.function.clone(), budget));
        }
        let annotated = annotated.collect::<Result<_, _>>()?;
        Ok(Budgets { annotated, constructors: constructors.collect(), stated })
    }

    pub fn of_function<'b>(
        &'b self,
        contract: &'b str,
        function: &'b FunctionGas,
    ) -> impl Iterator<Item = &'b Budget> {
        let annotated = self.annotated.iter().filter(|(span, _)| Some(*span) == function.source);
        let stated = self.stated_for(contract, |name| is_called(&function.signature, name));
        annotated.map(|(_, budget)| budget).chain(stated)
    }

    pub fn of_deployment<'b>(
        &'b self,
        contract: &'b str,
        gas: &'b ContractGas,
    ) -> impl Iterator<Item = &'b Budget> {
        let is_own = |span: &Span| self.constructors.contains(&(gas.contract, *span));
        let annotated = self.annotated.iter().filter(move |(span, _)| is_own(span));
        let stated = self.stated_for(contract, |name| name == CONSTRUCTOR);
        annotated.map(|(_, budget)| budget).chain(stated)
    }

    fn stated_for<'b>(
        &'b self,
        contract: &'b str,
        is_it: impl Fn(&str) -> bool + 'b,
    ) -> impl Iterator<Item = &'b Budget> {
        let own = move |(of, function, _): &&(String, String, Budget)| of == contract && is_it(function);
        self.stated.iter().filter(own).map(|(_, _, budget)| budget)
    }
}

fn has_function(contract: &Contract, name: &str) -> bool {
    let named = contract.entries.iter().any(|entry| is_called(&entry.signature, name));
    named
        || (contract.receive.is_some() && is_called("receive()", name))
        || (contract.fallback.is_some() && is_called("fallback()", name))
}

impl Verdict {
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Within => "within",
            Verdict::Exceeded(_) => "exceeded",
            Verdict::NotShown(_) => "not-shown",
        }
    }

    pub fn why(&self) -> Option<&str> {
        match self {
            Verdict::Within => None,
            Verdict::Exceeded(why) | Verdict::NotShown(why) => Some(why),
        }
    }
}

impl Budget {
    /// Reads the text; a mistake is reported at its own characters.
    pub fn read(text: &str, span: Span) -> Result<Budget, Diagnostic> {
        match expression::parse(text) {
            Ok(most) => {
                Ok(Budget { text: text.split_whitespace().collect::<Vec<_>>().join(" "), span, most })
            }
            Err(problem) => {
                let start = span.start as usize;
                let place = Span::new(span.file, start + problem.at.start, start + problem.at.end);
                Err(Diagnostic::error(place, format!("in this budget of gas: {}", problem.message)))
            }
        }
    }

    /// A name that is neither an argument nor a variable would be taken for zero: most likely it is a slip.
    pub fn check_names(&self, function: &FunctionGas) -> Result<(), Diagnostic> {
        let names = self.most.products.iter().flat_map(|product| &product.parameters);
        let strange = names.into_iter().find(|name| !function.names.contains(name));
        match strange {
            None => Ok(()),
            Some(name) => {
                let message = format!("`{}` does not depend on anything called `{name}`", function.signature);
                let known = function.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
                let diagnostic = Diagnostic::error(self.span, message);
                Err(match known.is_empty() {
                    true => diagnostic,
                    false => diagnostic.help(format!("a budget may speak of {}", known.join(", "))),
                })
            }
        }
    }

    pub fn check(&self, function: &FunctionGas, measure: Measure, limit: GasLimit) -> Verdict {
        if let Some(run) = function.runs.above(&self.most, measure) {
            return Verdict::Exceeded(run);
        }
        let why =
            if function.is_out_of_time() { "there was no time for a ceiling" } else { "there is no ceiling" };
        let unbounded = || Verdict::NotShown(why.to_owned());
        if !function.is_bounded() {
            return unbounded();
        }
        let Some(ceiling) = function.ceiling_of(measure) else { return unbounded() };
        match excess(&ceiling, &self.most, limit.gas) {
            None => Verdict::Within,
            Some(Excess { from, ceiling, budget }) => {
                let (ceiling, budget) = (thousands(ceiling), thousands(budget));
                Verdict::NotShown(match from {
                    Some((name, n)) => format!(
                        "from {name} = {} on the ceiling is above it: {ceiling}, not {budget}",
                        thousands(n)
                    ),
                    None => format!("the ceiling is {ceiling}, not {budget}"),
                })
            }
        }
    }

    /// A budget of the constructor is one of the deployment.
    pub fn check_deployment(&self, gas: &ContractGas, measure: Measure) -> Verdict {
        match &gas.deployment.measured {
            Ok(measured) => match measure.of(measured) {
                taken if taken > self.most.offset => {
                    Verdict::Exceeded(format!("the deployment takes {}", thousands(taken)))
                }
                _ if gas.deployment.arguments.is_some() => Verdict::NotShown(
                    "what the deployment takes depends on the arguments of the constructor".to_owned(),
                ),
                _ => Verdict::Within,
            },
            Err(why) => Verdict::NotShown(format!("what the deployment takes {why}")),
        }
    }
}
