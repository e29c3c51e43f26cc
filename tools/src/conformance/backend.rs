//! What runs a test file: solc's bytecode on revm, or Hornet's own interpreter.

use hornet_evm::machine::Log;
use hornet_evm::{Address, U256};

use super::file::TestFile;

/// The account that sends, until a file says otherwise.
pub const SENDER: Address = revm_address(0x1212_1212_1212_1212_1212_1212_1212_1200, 0x0000_0012);

const fn revm_address(high: u128, low: u32) -> Address {
    let (h, l) = (high.to_be_bytes(), low.to_be_bytes());
    let mut bytes = [0; 20];
    let mut i = 0;
    while i < 20 {
        bytes[i] = if i < 16 { h[i] } else { l[i - 16] };
        i += 1;
    }
    Address::new(bytes)
}

/// The numbered accounts of the test chain.
pub fn account(index: u64) -> Address {
    let base = U256::from_be_slice(SENDER.as_slice());
    let sum = base + U256::from(index) * U256::from(0x1000);
    Address::from_slice(&sum.to_be_bytes::<32>()[12..])
}

/// Why no comparison was possible.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Not modelled: the state after it is unknown too.
    Unsupported(String),
    /// The file cannot be run at all by this backend, and need not be.
    Skipped(String),
}

pub struct Answer {
    pub success: bool,
    pub output: Vec<u8>,
    pub logs: Vec<Log>,
}

pub trait Backend: Send + Sync {
    fn open(&self, test: &TestFile) -> Result<Box<dyn Session>, Refusal>;
}

/// One file being run. Every transaction is a block of its own.
pub trait Session {
    fn set_sender(&mut self, sender: Address);
    fn deploy_library(&mut self, file: Option<&str>, name: &str) -> Result<Answer, Refusal>;
    /// The contract under test.
    fn deploy(&mut self, arguments: &[u8], value: U256) -> Result<Answer, Refusal>;
    fn call(&mut self, data: &[u8], value: U256) -> Result<Answer, Refusal>;
    /// Of the contract under test.
    fn address(&self) -> Address;
    fn balance(&self, address: Address) -> U256;
    fn storage_empty(&self) -> bool;
}
