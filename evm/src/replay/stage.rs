//! The compiled contracts, linked, with the libraries at their addresses.

use std::collections::BTreeMap;

use hornet_ir::ids::ContractId;
use hornet_ir::interp::Interpreter;
use hornet_ir::program::Program;
use revm::inspector::NoOpInspector;

use super::play::address;
use crate::Address;
use crate::U256;
use crate::compiler::{CompileError, Compiled, CompiledContract, Place, Places};
use crate::machine::{Environment, Fork, Machine, Message};

/// Plenty, and still little enough to end endless loops soon.
pub(super) const GAS: u64 = 500_000_000;

/// Deploys the libraries.
const LIBRARIAN: Address = Address::repeat_byte(0x1b);

/// Index into [`Stage::codes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct CodeId(usize);

/// One contract's code with its libraries filled in.
pub(super) struct Linked {
    pub creation: Vec<u8>,
    pub compiled: CompiledContract,
}

impl Linked {
    fn places(&self, creation: bool) -> Option<&Places> {
        let places = if creation { &self.compiled.creation_places } else { &self.compiled.runtime_places };
        places.as_ref()
    }

    pub fn place(&self, creation: bool, offset: usize) -> Option<&Place> {
        self.places(creation)?.at(offset)
    }
}

pub(super) struct Stage {
    pub compiler: String,
    /// Storage looks as with solc.
    pub keeps_layout: bool,
    codes: Vec<Linked>,
    by_name: BTreeMap<(String, String), CodeId>,
    /// With the libraries deployed, nothing else.
    pub machine: Machine,
    pub libraries: BTreeMap<Address, CodeId>,
}

impl Stage {
    pub fn new(program: &Program, compiled: &Compiled, keeps_layout: bool) -> Result<Stage, CompileError> {
        let places = library_addresses(program);
        let find = |file: &str, name: &str| places.get(&(file.to_owned(), name.to_owned())).copied();
        let mut stage = Stage {
            compiler: compiled.compiler.clone(),
            keeps_layout,
            codes: Vec::new(),
            by_name: BTreeMap::new(),
            machine: Machine::new(Fork::Osaka, Environment { gas_limit: GAS, ..Environment::default() }),
            libraries: BTreeMap::new(),
        };
        for (key, contract) in &compiled.contracts {
            if contract.creation.is_empty() {
                continue;
            }
            let creation = contract.creation.link(find)?;
            stage.by_name.insert(key.clone(), CodeId(stage.codes.len()));
            stage.codes.push(Linked { creation, compiled: contract.clone() });
        }
        stage.deploy_libraries(&places)?;
        Ok(stage)
    }

    /// No library's constructor needs another library.
    fn deploy_libraries(&mut self, places: &BTreeMap<(String, String), Address>) -> Result<(), CompileError> {
        for (key, address) in places {
            let Some(id) = self.by_name.get(key) else { continue };
            let data = self.codes[id.0].creation.clone();
            let message = Message { from: LIBRARIAN, origin: None, value: U256::ZERO, data, gas: GAS };
            if !self.machine.deploy_at(*address, message, NoOpInspector).success {
                return Err(CompileError(format!("library `{}` cannot be deployed", key.1)));
            }
            self.libraries.insert(*address, *id);
        }
        Ok(())
    }

    pub fn code(&self, id: CodeId) -> &Linked {
        &self.codes[id.0]
    }

    pub fn of_contract(&self, program: &Program, contract: ContractId) -> Option<CodeId> {
        let contract = &program.contracts[contract];
        self.by_name.get(&(contract.file.clone(), contract.name.clone())).copied()
    }

    /// Whose creation code this is, with arguments behind it.
    pub fn created_by(&self, init: &[u8]) -> Option<CodeId> {
        let fitting = self.codes.iter().enumerate().filter(|(_, code)| init.starts_with(&code.creation));
        fitting.max_by_key(|(_, code)| code.creation.len()).map(|(i, _)| CodeId(i))
    }
}

/// Where the interpreter puts libraries, so that both machines agree.
fn library_addresses(program: &Program) -> BTreeMap<(String, String), Address> {
    let mut interpreter = Interpreter::new(program);
    interpreter.install_libraries();
    let places = interpreter.world.libraries.iter();
    places
        .filter_map(|(id, at)| {
            let contract = &program.contracts[*id];
            Some(((contract.file.clone(), contract.name.clone()), address(*at).ok()?))
        })
        .collect()
}
