//! A bound on gas: a number, or a formula in sizes that the call or the state decides.

use std::fmt;
use std::sync::Arc;

use super::cost::{Cases, Cost};
use super::formula::{Formula, Product, rounded_up};
use super::given::Given;
use super::poly::Poly;
use super::term::{Origin, Term, Terms};

/// Gas of a run, with the gas of memory, and without what callees use beyond [`Bound::with_callees`].
#[derive(Clone, Debug)]
pub struct Bound {
    cases: Cases,
    parameters: Vec<Parameter>,
    /// The bound says nothing where one of these is 2^64 or more.
    lengths: Vec<Term>,
    terms: Arc<Terms>,
}

/// Something that a bound depends on.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
    /// It is what the contract stores, not what the call brings along.
    pub stored: bool,
    pub(super) term: Term,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterKind {
    /// Decided by the call and the state that it finds.
    Given,
    /// How many bytes the call at this offset of the code gives back.
    Returned(usize),
    /// How many rounds a loop has, which is not known: it begins at this offset.
    Rounds(usize),
    /// A length that is not known, used by the instruction at this offset.
    Unknown(usize),
}

impl Bound {
    pub(super) fn new(
        cases: Cases,
        lengths: Vec<Term>,
        terms: Arc<Terms>,
        name: impl Fn(&Terms, Term) -> String,
    ) -> Bound {
        let mut atoms: Vec<Term> = cases
            .iter()
            .flat_map(|cost| [&cost.gas, &cost.callees, &cost.memory])
            .flat_map(Poly::atoms)
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        let parameters = atoms.into_iter().map(|term| Parameter {
            name: name(&terms, term),
            stored: terms.is_stored(term),
            kind: match terms.origin(term) {
                None => ParameterKind::Given,
                Some(Origin::Returned(pc)) => ParameterKind::Returned(pc),
                Some(Origin::Iterations(pc)) => ParameterKind::Rounds(pc),
                Some(Origin::Unknown(pc) | Origin::Varying(pc) | Origin::Any(pc)) => {
                    ParameterKind::Unknown(pc)
                }
            },
            term,
        });
        Bound { parameters: parameters.collect(), cases, lengths, terms }
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// There is no bound, not even a formula; or one that is out of all proportion whatever it depends on.
    pub fn is_endless(&self) -> bool {
        self.cases.iter().any(|cost| {
            let offsets = [&cost.gas, &cost.memory].map(|poly| u64::try_from(poly.offset().max(0)));
            let [Ok(gas), Ok(bytes)] = offsets else { return true };
            let endless = cost.gas.is_endless() || cost.memory.is_endless();
            endless || memory_gas(bytes).and_then(|memory| memory.checked_add(gas)).is_none()
        })
    }

    /// The bound where it depends on nothing.
    pub fn constant(&self) -> Option<u64> {
        if self.parameters.is_empty() { self.at(|_| Some(0)) } else { None }
    }

    /// The bound for parameters of these values; `None` if it is out of all proportion.
    pub fn at(&self, value: impl Fn(&Parameter) -> Option<u128>) -> Option<u64> {
        self.evaluate(value, false)
    }

    /// The same with what callees use that get little gas, and with what the chain's own contracts use.
    pub fn with_callees(&self, value: impl Fn(&Parameter) -> Option<u128>) -> Option<u64> {
        self.evaluate(value, true)
    }

    /// The bound for one transaction; `None` if something is not known or out of all proportion.
    pub fn of_transaction(&self, given: &Given) -> Option<u64> {
        let too_long = |length: &Term| given.value(&self.terms, *length).is_none_or(|n| n.bit_len() > 64);
        if self.lengths.iter().any(too_long) {
            return None;
        }
        self.at(|parameter| {
            given.value(&self.terms, parameter.term).and_then(|word| u128::try_from(word).ok())
        })
    }

    /// The parameters as one transaction has them; `None` for what is not known or out of all proportion.
    pub fn values(&self, given: &Given) -> Vec<Option<u64>> {
        let value = |parameter: &Parameter| {
            given.value(&self.terms, parameter.term).and_then(|word| u64::try_from(word).ok())
        };
        self.parameters.iter().map(value).collect()
    }

    fn evaluate(&self, value: impl Fn(&Parameter) -> Option<u128>, callees: bool) -> Option<u64> {
        let mut values = Vec::new();
        for parameter in &self.parameters {
            values.push((parameter.term, value(parameter)?));
        }
        let of = |atom: Term| values.iter().find(|(term, _)| *term == atom).map_or(0, |(_, value)| *value);
        let mut most = 0;
        for cost in self.cases.iter() {
            let bytes = u64::try_from(cost.memory.at(of)?.max(0)).ok()?;
            let own = cost.gas.at(of)?.checked_add(i128::from(memory_gas(bytes)?))?;
            let callees = if callees { cost.callees.at(of)? } else { 0 };
            most = most.max(own.checked_add(callees)?);
        }
        u64::try_from(most).ok()
    }

    /// One formula above all cases; nothing if there is no bound.
    pub fn formula(&self) -> Option<Formula> {
        if self.is_endless() {
            return None;
        }
        let poly = self.above_all_cases();
        let products = poly.products().filter(|(_, coefficient)| *coefficient > 0);
        let mut formula = Formula { offset: u64::try_from(poly.offset().max(0)).ok()?, products: Vec::new() };
        for (atoms, coefficient) in products {
            let parameters = atoms.iter().map(|atom| self.name_of(*atom).to_owned()).collect();
            formula.add(Product { coefficient: coefficient as f64 / 2_f64.powi(32), parameters });
        }
        for product in &mut formula.products {
            product.coefficient = rounded_up(product.coefficient);
        }
        Some(formula)
    }

    fn above_all_cases(&self) -> Poly {
        let gas = |cost: &Cost| {
            let words = cost.memory.without_negatives().plus(31).scaled(1, 32);
            let memory = match cost.memory.is_constant() {
                true => Poly::from(memory_gas(cost.memory.offset().max(0) as u64).unwrap_or(u64::MAX)),
                false => words.scaled(3, 1).add(&words.times(&words).scaled(1, 512)),
            };
            cost.gas.without_negatives().add(&memory)
        };
        self.cases.iter().map(gas).reduce(|a, b| a.max(&b)).unwrap_or_default()
    }

    fn name_of(&self, term: Term) -> &str {
        self.parameters.iter().find(|parameter| parameter.term == term).map_or("?", |p| &p.name)
    }
}

/// What memory of this size costs.
fn memory_gas(bytes: u64) -> Option<u64> {
    let words = bytes.div_ceil(32);
    words.checked_mul(3)?.checked_add(words.checked_mul(words)? / 512)
}

/// `24310 + 2263·recipients.length`
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.formula() {
            Some(formula) => formula.fmt(f),
            None => f.write_str("unbounded"),
        }
    }
}
