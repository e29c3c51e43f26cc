//! Where calls begin: the contract as deployed, and the people around it.

use hornet_evm::compiler::CompileError;
use hornet_evm::machine::{Fork, Machine};
use hornet_evm::measure::State;
use hornet_evm::{Address, U256};

use super::Subject;

/// Where the contract is: the address that symbolic runs take it to have.
pub(super) const CONTRACT: Address = address(0x00c0_ffee);
/// Who calls, unless a run wants somebody else.
pub(super) const CALLER: Address = address(0x000a_11ce);
const WEALTH: U256 = U256::from_limbs([0, 1 << 32, 0, 0]);

/// The account with a small number.
const fn address(number: u32) -> Address {
    let mut bytes = [0; 20];
    let [a, b, c, d] = number.to_be_bytes();
    (bytes[16], bytes[17], bytes[18], bytes[19]) = (a, b, c, d);
    Address::new(bytes)
}

/// The chain before anything was written to storage.
pub(super) struct Home {
    pub machine: Machine,
}

impl Home {
    pub fn new(subject: &Subject) -> Result<Home, CompileError> {
        let decl = &subject.program.contracts[subject.contract];
        let mut state = State::default();
        let linked = subject.build.link(&decl.file, &decl.name, &mut state)?;
        if linked.runtime.is_empty() {
            return Err(CompileError(format!("`{}` cannot be deployed", decl.name)));
        }
        let account = state.account(CONTRACT);
        (account.code, account.nonce) = (linked.runtime, 1);
        let caller = state.account(CALLER);
        (caller.balance, caller.nonce) = (WEALTH, 1);
        state.environment.timestamp = U256::from(1_700_000_000);
        state.environment.number = U256::from(18_500_000);
        let machine = state.machine(subject.build.fork);
        Ok(Home { machine })
    }

    pub fn fork(&self) -> Fork {
        self.machine.fork
    }
}
