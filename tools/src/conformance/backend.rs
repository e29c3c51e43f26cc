//! What runs a test file: solc's bytecode on revm, or Hornet's own interpreter.

use hornet_evm::machine::Log;
use hornet_evm::{Address, U256};

use super::file::TestFile;

/// Why no comparison was possible.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Not modelled: the state after it is unknown too.
    Unsupported(String),
    /// What the call did is known, but not every byte of its answer.
    Undetermined(String),
    /// The file cannot be run at all by this backend, and need not be.
    Skipped(String),
}

pub struct Answer {
    pub success: bool,
    pub output: Vec<u8>,
    pub logs: Vec<Log>,
}

pub trait Backend: Send + Sync {
    /// Prepares a file and hands the session to `body`: a session may borrow what was prepared.
    fn with_session(&self, test: &TestFile, body: &mut dyn FnMut(&mut dyn Session)) -> Result<(), Refusal>;
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
