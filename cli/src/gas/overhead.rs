//! What a transaction takes beside the execution of the contract: for itself and for its bytes.

use super::args::Measure;
use hornet_evm::machine::Fork;
use hornet_evm::measure::{before_execution, floor};
use hornet_gas::ceiling::{Formula, Function, Product};

/// Prices of a transaction whose bytes are as dear as bytes can be.
pub struct Overhead {
    intrinsic: u64,
    per_byte: u64,
    /// The rules take at least this much for each byte, whatever is executed.
    floor_per_byte: u64,
    /// Nothing if it is no formula in lengths of arguments.
    bytes: Option<Formula>,
}

impl Overhead {
    pub fn new(fork: Fork, function: &Function) -> Overhead {
        let (intrinsic, per_byte) = before_execution(fork, false, &[1]);
        let floor_per_byte = floor(fork, false, &[1]).saturating_sub(floor(fork, false, &[]));
        Overhead { intrinsic, per_byte, floor_per_byte, bytes: function.data_length() }
    }

    /// The whole of what a transaction takes whose execution takes this.
    pub fn with_execution(&self, execution: &Formula, measure: Measure) -> Option<Formula> {
        if measure == Measure::Execution {
            return Some(execution.clone());
        }
        let bytes = self.bytes.as_ref()?;
        let usual = sum(execution, &scaled(bytes, self.per_byte));
        let mut whole = above_both(usual, &scaled(bytes, self.floor_per_byte));
        whole.offset += self.intrinsic;
        Some(whole)
    }
}

fn scaled(formula: &Formula, by: u64) -> Formula {
    let product = |p: &Product| Product { coefficient: p.coefficient * by as f64, ..p.clone() };
    Formula { offset: formula.offset * by, products: formula.products.iter().map(product).collect() }
}

fn sum(a: &Formula, b: &Formula) -> Formula {
    let mut sum = Formula { offset: a.offset + b.offset, products: a.products.clone() };
    b.products.iter().for_each(|product| sum.add(product.clone()));
    sum
}

fn above_both(mut a: Formula, b: &Formula) -> Formula {
    a.offset = a.offset.max(b.offset);
    for product in &b.products {
        match a.products.iter_mut().find(|known| known.parameters == product.parameters) {
            Some(known) => known.coefficient = known.coefficient.max(product.coefficient),
            None => a.products.push(product.clone()),
        }
    }
    a
}
