//! Formulas held against executions: the same call with more and more of what the gas grows with.

use super::runs::Run;
use hornet_evm::machine::{Fork, Message};
use hornet_evm::measure::{self, State};
use hornet_evm::{U256, keccak256};
use hornet_gas::ceiling::{Bound, Function, Input, Parameter, StateVariable, Subject};
use hornet_gas::classes::Witness;

/// How many elements, or rounds, the calls have.
const SIZES: [u64; 4] = [1, 2, 4, 8];
/// A slope that is at least this part of the formula's confirms it.
const NEAR: f64 = 0.9;

/// What was seen of the growth with one parameter.
pub struct Growth {
    pub parameter: String,
    /// Size, gas of the contract's own code, ceiling for that call.
    pub points: Vec<(u64, u64, u64)>,
}

impl Growth {
    /// Gas for each further unit: in executions, and by the ceiling.
    pub fn slopes(&self) -> Option<(f64, f64)> {
        let [.., (n, gas, most), (m, more_gas, more)] = self.points[..] else { return None };
        let per = |from: u64, to: u64| (to as f64 - from as f64) / (m - n) as f64;
        Some((per(gas, more_gas), per(most, more)))
    }

    /// Executions grow as the formula says, and never above it.
    pub fn is_confirmed(&self) -> bool {
        let below = self.points.iter().all(|(_, gas, most)| gas <= most);
        below && self.points.len() >= 3 && self.slopes().is_some_and(|(seen, most)| seen >= NEAR * most)
    }
}

/// Tries the call of a run with other sizes of a parameter.
pub struct Stretch<'a> {
    pub fork: Fork,
    pub subject: &'a Subject,
    pub function: &'a Function,
    pub ceiling: &'a Bound,
    pub run: &'a Run,
}

impl Stretch<'_> {
    /// One for each parameter that calls can be stretched in.
    pub fn all(&self) -> Vec<Growth> {
        let parameters = self.ceiling.parameters().iter();
        let growth = |parameter: &Parameter| {
            let points = SIZES.iter().filter_map(|size| self.dearest(parameter, *size));
            Growth { parameter: parameter.name.clone(), points: points.collect() }
        };
        parameters.map(growth).filter(|growth| !growth.points.is_empty()).collect()
    }

    /// The dearest of the calls of this size that do not revert.
    fn dearest(&self, parameter: &Parameter, size: u64) -> Option<(u64, u64, u64)> {
        let witnesses = self.variants(parameter, size).into_iter();
        let measured = witnesses.filter_map(|(state, data)| {
            let message = Message { data, ..self.run.message.clone() };
            let contract = self.run.contract;
            let measurement = measure::call(self.fork, &state, contract, &message);
            let run = Run::new(Witness { state, contract, message, measurement }, Vec::new(), self.ceiling);
            let has_size = run.parameters.contains(&(parameter.name.clone(), size));
            (run.returns() && has_size).then(|| Some((size, run.own(), run.ceiling?)))?
        });
        measured.max_by_key(|(_, gas, _)| *gas)
    }

    /// States and calldata in which the parameter has the size.
    fn variants(&self, parameter: &Parameter, size: u64) -> Vec<(State, Vec<u8>)> {
        let state = &self.run.state;
        if let Some(variable) = self.variable(&parameter.name) {
            return vec![(self.with_elements(variable, size), self.run.message.data.clone())];
        }
        let data = |spread| Some((state.clone(), self.calldata(&parameter.name, size, spread)?));
        [Spread::Different, Spread::Same].into_iter().filter_map(data).collect()
    }

    /// The stored array whose length the parameter is.
    fn variable(&self, name: &str) -> Option<&StateVariable> {
        let array = name.strip_suffix(".length")?;
        self.subject.variables.iter().find(|v| v.name == array && v.ty.ends_with("dyn_storage"))
    }

    /// Every slot that elements can be in holds something.
    fn with_elements(&self, variable: &StateVariable, size: u64) -> State {
        let mut state = self.run.state.clone();
        let storage = &mut state.account(self.run.contract).storage;
        storage.insert(variable.slot, U256::from(size));
        let first = U256::from_be_bytes(keccak256(variable.slot.to_be_bytes::<32>()).0);
        for at in 0..size * SLOTS_OF_ELEMENT {
            storage.entry(first.wrapping_add(U256::from(at))).or_insert(U256::from(at + 1));
        }
        state
    }

    /// The data of the run with arrays of this length, or with this number where the parameter is one.
    fn calldata(&self, name: &str, size: u64, spread: Spread) -> Option<Vec<u8>> {
        let old = &self.run.message.data;
        let mut heads = Vec::new();
        let mut tails = Vec::new();
        let inputs = &self.function.inputs;
        let head_words: usize = inputs.iter().map(words_in_head).sum::<Option<usize>>()?;
        let mut at = 0;
        for (index, input) in inputs.iter().enumerate() {
            let words = words_in_head(input)?;
            let head = old.get(4 + 32 * at..4 + 32 * (at + words))?;
            at += words;
            let Some(element) = array_element(input) else {
                let is_it = words == 1 && input.names(index).first().is_some_and(|own| own == name);
                heads.extend(if is_it { word(size).to_vec() } else { head.to_vec() });
                continue;
            };
            heads.extend(word((32 * head_words + tails.len()) as u64));
            let length = if element.is_bytes { None } else { Some(size) };
            tails.extend(self.contents(head, &element, length, spread)?);
        }
        Some([&old[..4], &heads, &tails].concat())
    }

    /// A dynamic argument: as it was, or with another length.
    fn contents(&self, head: &[u8], element: &Element, size: Option<u64>, spread: Spread) -> Option<Vec<u8>> {
        let data = &self.run.message.data;
        let start = 4 + usize::try_from(U256::from_be_slice(head)).ok()?;
        let old_length = usize::try_from(U256::from_be_slice(data.get(start..start + 32)?)).ok()?;
        let old = data.get(start + 32..)?;
        let Some(size) = size else {
            let mut bytes = old.get(..old_length)?.to_vec();
            bytes.resize(old_length.next_multiple_of(32), 0);
            return Some([&word(old_length as u64)[..], &bytes].concat());
        };
        let mut out = word(size).to_vec();
        for index in 0..size {
            for at in 0..element.words {
                let known = old_length > 0;
                let first = old.get(32 * at..32 * at + 32).filter(|_| known);
                let first = first.map_or(U256::ONE, U256::from_be_slice);
                let step = if spread == Spread::Different && element.counts { index } else { 0 };
                out.extend(first.wrapping_add(U256::from(step)).to_be_bytes::<32>());
            }
        }
        Some(out)
    }
}

/// Slots of one element that are filled, at least.
const SLOTS_OF_ELEMENT: u64 = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Spread {
    /// Each element is another one.
    Different,
    Same,
}

/// What an array consists of.
struct Element {
    words: usize,
    /// One more is another value of the type.
    counts: bool,
    is_bytes: bool,
}

/// Of arrays with elements of fixed size, and byte strings.
fn array_element(input: &Input) -> Option<Element> {
    if input.ty == "bytes" || input.ty == "string" {
        return Some(Element { words: 1, counts: false, is_bytes: true });
    }
    let ty = input.ty.strip_suffix("[]")?;
    let words = words_in_head(&Input { ty: ty.to_owned(), ..input.clone() })?;
    let counts = words == 1 && ["uint", "int", "address"].iter().any(|number| ty.starts_with(number));
    Some(Element { words, counts, is_bytes: false })
}

/// Words that an argument takes in the head; nothing for what is not understood here.
fn words_in_head(input: &Input) -> Option<usize> {
    match input.static_words() {
        Some(words) => Some(words as usize),
        None => {
            let flat = input.ty.strip_suffix("[]").map(|ty| Input { ty: ty.to_owned(), ..input.clone() });
            let simple = flat.is_some_and(|element| element.static_words().is_some());
            (simple || input.ty == "bytes" || input.ty == "string").then_some(1)
        }
    }
}

fn word(number: u64) -> [u8; 32] {
    U256::from(number).to_be_bytes()
}
