//! Transactions that were executed, and what they cost.

use super::args::Measure;
use super::number::thousands;
use hornet_evm::machine::Message;
use hornet_evm::measure::{Measurement, State};
use hornet_evm::{Address, U256};
use hornet_gas::ceiling::{Bound, Ceiling, Formula, Given};
use hornet_gas::classes::{Class, FunctionClasses, Witness};

/// What is known of a function from below.
#[derive(Default)]
pub struct Runs {
    /// One for each class of runs that cost the same, the dearest first.
    pub classes: Vec<Run>,
    /// Why there may be others.
    pub incomplete: Option<String>,
}

pub struct Run {
    /// In Solidity, one for each of the cases that cost the same.
    pub conditions: Vec<String>,
    pub state: State,
    pub contract: Address,
    pub message: Message,
    pub measurement: Measurement,
    /// The ceiling of the contract's own code, for this transaction.
    pub ceiling: Option<u64>,
    /// What the formula depends on, as it is in this transaction.
    pub parameters: Vec<(String, u64)>,
}

impl Run {
    pub fn new(witness: Witness, conditions: Vec<String>, ceiling: &Bound) -> Run {
        let Witness { state, contract, message, measurement } = witness;
        let (bound, values) = with_given(&state, contract, &message, &measurement, |given| {
            (ceiling.of_transaction(given), ceiling.values(given))
        });
        let named = ceiling.parameters().iter().zip(values);
        let parameters = named.filter_map(|(parameter, value)| Some((parameter.name.clone(), value?)));
        let parameters = parameters.collect();
        Run { conditions, state, contract, message, measurement, ceiling: bound, parameters }
    }

    /// What the contract's own code used, without those that it called: what ceilings bound.
    pub fn own(&self) -> u64 {
        self.measurement.execution - self.measurement.callees
    }

    /// How far the ceiling is above what was seen.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.ceiling? as f64 / self.own().max(1) as f64)
    }

    /// Without those that it called.
    pub fn gas(&self, measure: Measure) -> u64 {
        measure.of(&self.measurement).saturating_sub(self.measurement.callees)
    }

    /// What this transaction takes beside the execution, before anything is given back.
    pub fn overhead(&self, measure: Measure) -> u64 {
        let measured = &self.measurement;
        match measure {
            Measure::Execution => 0,
            // Some chains take a least amount for the bytes, whatever is executed.
            Measure::Transaction => (measured.intrinsic + measured.calldata)
                .max(measured.total.saturating_sub(measured.execution)),
        }
    }

    pub fn returns(&self) -> bool {
        self.measurement.outcome.success
    }

    fn value_of(&self, parameter: &str) -> Option<u64> {
        self.parameters.iter().find(|(name, _)| name == parameter).map(|(_, value)| *value)
    }
}

impl Runs {
    pub fn new(found: FunctionClasses, ceiling: &Ceiling) -> Runs {
        let run = |class: Class| {
            let mut run = Run::new(class.witness, class.conditions, &ceiling.execution);
            run.ceiling.take_if(|_| !ceiling.blames.is_empty());
            run
        };
        let incomplete = match found.complete {
            true => None,
            false => Some(found.why_incomplete.unwrap_or_else(|| "not everything was looked at".to_owned())),
        };
        Runs { classes: found.classes.into_iter().map(run).collect(), incomplete }
    }

    pub fn dearest(&self) -> Option<&Run> {
        self.classes.first()
    }

    /// A run that takes more than a budget, in words.
    pub fn above(&self, budget: &Formula, measure: Measure) -> Option<String> {
        let names = || budget.products.iter().flat_map(|product| &product.parameters);
        self.classes.iter().find_map(|run| {
            names().map(|name| run.value_of(name)).collect::<Option<Vec<u64>>>()?;
            let most = budget.at(|name| run.value_of(name).unwrap_or(0) as f64);
            let gas = run.gas(measure);
            let values = names().filter_map(|name| Some((name, run.value_of(name)?)));
            let values: Vec<String> = values.map(|(name, n)| format!("{name} = {}", thousands(n))).collect();
            let of = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
            (gas as f64 > most).then(|| format!("a run{of} takes {} gas", thousands(gas)))
        })
    }
}

/// Asks something of a transaction in the words of formulas.
fn with_given<T>(
    state: &State,
    contract: Address,
    message: &Message,
    measurement: &Measurement,
    ask: impl FnOnce(&Given) -> T,
) -> T {
    let account = state.accounts.get(&contract);
    ask(&Given {
        calldata: &message.data,
        address: contract,
        code: account.map_or(&[][..], |account| &account.code),
        sender: message.from,
        value: message.value,
        storage: &|slot| {
            account.and_then(|account| account.storage.get(&slot)).copied().unwrap_or(U256::ZERO)
        },
        block: &state.environment,
        returned: measurement.returned,
        // Of loops that nothing limits: their functions have no ceiling anyway.
        rounds: &|_| 0,
    })
}
