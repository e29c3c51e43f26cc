//! Where calls begin: the contract as deployed, and the people around it.

use hornet_evm::compiler::CompileError;
use hornet_evm::machine::{Fork, Machine};
use hornet_evm::measure::State;
use hornet_evm::{Address, U256};
use hornet_ir::ids::StateVarId;
use hornet_ir::program::StateKind;

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
    code: Vec<u8>,
    /// Where the code holds which immutable.
    immutables: Vec<(StateVarId, usize)>,
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
        (account.code, account.nonce) = (linked.runtime.clone(), 1);
        let caller = state.account(CALLER);
        (caller.balance, caller.nonce) = (WEALTH, 1);
        state.environment.timestamp = U256::from(1_700_000_000);
        state.environment.number = U256::from(18_500_000);
        let machine = state.machine(subject.build.fork);
        Ok(Home { machine, code: linked.runtime, immutables: immutables(subject) })
    }

    pub fn fork(&self) -> Fork {
        self.machine.fork
    }

    /// The contract's code with immutables of these values; those that are not mentioned are zero.
    pub fn code_with(&self, values: &[(StateVarId, U256)]) -> Vec<u8> {
        let mut code = self.code.clone();
        for (var, value) in values {
            for (_, offset) in self.immutables.iter().filter(|(other, _)| other == var) {
                if let Some(word) = code.get_mut(*offset..*offset + 32) {
                    word.copy_from_slice(&value.to_be_bytes::<32>());
                }
            }
        }
        code
    }

    pub fn has_immutables(&self) -> bool {
        !self.immutables.is_empty()
    }
}

/// Immutables are found by the place of their declaration.
fn immutables(subject: &Subject) -> Vec<(StateVarId, usize)> {
    let program = subject.program;
    let decl = &program.contracts[subject.contract];
    let Some(compiled) = subject.build.contract(&decl.file, &decl.name) else { return Vec::new() };
    let vars = decl.state.iter().filter(|var| program.state[**var].kind == StateKind::Immutable);
    let vars: Vec<_> = vars.filter_map(|var| Some((*var, program.state[*var].span?))).collect();
    let holes = compiled.immutables.iter().filter_map(|immutable| {
        let place = &immutable.declared;
        let at = |span: &hornet_ir::span::Span| (span.start, span.end) == (place.start, place.end);
        let (var, _) = vars.iter().find(|(_, span)| at(span))?;
        Some((*var, immutable.offset))
    });
    holes.collect()
}
