//! `--function`: the classes of runs, with conditions and transactions.

use super::args::Measure;
use super::contract::{ContractGas, FunctionGas};
use super::number::{coefficient, thousands};
use super::report::{ContractReport, Report};
use super::runs::Run;
use crate::run::value::{Names, decode, hex, show_number};
use crate::style::{Ink, paint};
use crate::verify::storage::{Keys, bindings};
use crate::verify::{Shortener, wei};
use hornet_ir::U256;
use hornet_ir::program::Program;

/// More classes than these are counted only.
const MOST_CLASSES: usize = 20;
/// More variables than these are not read.
const MOST_BINDINGS: usize = 12;

impl Report<'_> {
    pub fn details(&self, colour: bool) -> String {
        let of_contract = |contract: &ContractReport| -> String {
            let functions = contract.functions.iter();
            functions.map(|f| self.function_details(contract.gas, f.function, colour)).collect()
        };
        self.contracts.iter().map(of_contract).collect()
    }

    fn function_details(&self, gas: &ContractGas, function: &FunctionGas, colour: bool) -> String {
        let place = function.span.map_or_else(String::new, |s| format!("  {}", self.files.location_text(s)));
        let mut out = format!("{}{place}\n", paint(colour, Ink::Strong, &function.signature));
        for measure in [Measure::Execution, Measure::Transaction] {
            let ceiling = function.ceiling_of(measure).filter(|_| function.is_bounded());
            let ceiling = ceiling.map_or_else(|| "none".to_owned(), |formula| formula.show(coefficient));
            out += &format!("  ceiling of the {}: {ceiling}\n", measure.name());
        }
        if !function.ceiling.calls.is_empty() {
            out += "  not counted: what others use whom it calls\n";
        }
        for (at, run) in function.runs.classes.iter().take(MOST_CLASSES).enumerate() {
            out += &self.class(gas, function, at + 1, run);
        }
        let more = function.runs.classes.len().saturating_sub(MOST_CLASSES);
        if more > 0 {
            out += &format!("  … and {more} cheaper ones\n");
        }
        if let Some(why) = &function.runs.incomplete {
            out += &format!("  there may be other classes: {why}\n");
        }
        out + "\n"
    }

    fn class(&self, gas: &ContractGas, function: &FunctionGas, number: usize, run: &Run) -> String {
        let end = if run.returns() { "returns" } else { "reverts" };
        let mut out = format!(
            "  {number}. {} gas ({} with the transaction), {end}\n",
            thousands(run.gas(Measure::Execution)),
            thousands(run.gas(Measure::Transaction)),
        );
        for condition in &run.conditions {
            out += &format!("       if {condition}\n");
        }
        let value = match run.message.value {
            U256::ZERO => String::new(),
            value => format!(" {{value: {}}}", wei(&show_number(value))),
        };
        let from = Names::in_full().show(U256::from_be_slice(run.message.from.as_slice()));
        out += &format!("       {}{value} from {from}\n", call(self.program, gas, function, run));
        let before = self.state_before(gas, run);
        if !before.is_empty() {
            out += &format!("       with {}\n", before.join(", "));
        }
        Shortener::new([out.as_str()].into_iter()).apply(&out)
    }

    /// What is stored before the call and is not zero.
    fn state_before(&self, gas: &ContractGas, run: &Run) -> Vec<String> {
        let Some(account) = run.state.accounts.get(&run.contract) else { return Vec::new() };
        let words = run.message.data.get(4..).unwrap_or_default().chunks_exact(32).map(U256::from_be_slice);
        let sender = U256::from_be_slice(run.message.from.as_slice());
        let contract = U256::from_be_slice(run.contract.as_slice());
        let keys = Keys::among(words.chain([sender, contract]));
        let all = bindings(self.program, gas.contract, &account.storage, &keys, &Names::in_full());
        let zeros = |digits: &str| digits.bytes().all(|digit| digit == b'0');
        let nothing = |value: &str| {
            ["0", "false", "[]", "\"\"", "hex\"\""].contains(&value)
                || value.strip_prefix("0x").is_some_and(zeros)
        };
        let told = all.iter().filter(|binding| !nothing(&binding.value) && binding.value.len() < 100);
        told.take(MOST_BINDINGS).map(|binding| format!("{} = {}", binding.name, binding.value)).collect()
    }
}

/// `transfer(0x…, 5)`, or the bytes if they are no encoding of arguments.
fn call(program: &Program, gas: &ContractGas, function: &FunctionGas, run: &Run) -> String {
    let data = &run.message.data;
    let entries = &program.contracts[gas.contract].entries;
    let entry = entries.iter().find(|entry| entry.signature == function.signature);
    let arguments = entry.zip(data.get(4..)).and_then(|(entry, data)| {
        let types = crate::run::parameter_types(program, entry.proc);
        decode(program, &types, data, &Names::in_full())
    });
    match arguments {
        Some(arguments) => format!("{}({})", function.name(), arguments.join(", ")),
        None => format!("{}: 0x{}", function.signature, hex(data)),
    }
}
