//! From sources and settings to code that can be deployed.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use revm::inspector::NoOpInspector;

use super::{NEWEST_FORK, State};
use crate::compiler::CompileError;
use crate::machine::{Fork, Message as Transaction};
use crate::pragma::Version;
use crate::solc::{self, Compilers, Contract, Input, Message, Output, SolcError};
use crate::{Address, U256, keccak256};

/// How contracts are compiled, and the rules under which they run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Chosen by the pragmas when absent.
    pub version: Option<Version>,
    /// Not optimised when absent.
    pub optimizer_runs: Option<u32>,
    pub via_ir: bool,
    /// A compiler that does not know it yet is told the newest that it knows.
    pub fork: Fork,
    /// The rules that the code is made for, if not those that it runs under.
    pub evm_version: Option<Fork>,
    /// Further settings, as in solc's standard JSON.
    pub further: Map<String, Value>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            version: None,
            optimizer_runs: None,
            via_ir: false,
            fork: NEWEST_FORK,
            evm_version: None,
            further: Map::new(),
        }
    }
}

/// Compiled sources, and what they were compiled for.
#[derive(Clone, Debug)]
pub struct Build {
    pub output: Output,
    pub settings: Settings,
    /// The rules under which the code runs.
    pub fork: Fork,
    /// What the compiler was told, which may be older; `None` for its own default.
    pub target: Option<Fork>,
}

/// Why there is no code.
#[derive(Clone, Debug)]
pub enum BuildError {
    /// No compiler, not the one asked for, or none that answers.
    Compiler(SolcError),
    /// What this version has against the sources.
    Refused(Version, Vec<Message>),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Compiler(e) => e.fmt(f),
            BuildError::Refused(version, errors) => {
                let first = errors.first().map_or("no reason given", |e| &e.text);
                write!(f, "solc {version} does not accept this: {first}")
            }
        }
    }
}

impl std::error::Error for BuildError {}

impl From<SolcError> for BuildError {
    fn from(e: SolcError) -> BuildError {
        BuildError::Compiler(e)
    }
}

/// Where no version is asked for, older compilers that the pragmas admit are tried after the newest refuses.
pub fn compile(
    compilers: &Compilers,
    sources: BTreeMap<String, String>,
    remappings: Vec<String>,
    settings: &Settings,
) -> Result<Build, BuildError> {
    let versions = match settings.version {
        Some(version) => vec![compilers.installed(version)?],
        None => compilers.fitting(sources.values().map(String::as_str))?,
    };
    let mut refused = None;
    for version in versions {
        match compile_with(compilers, version, &sources, &remappings, settings) {
            Err(BuildError::Refused(version, errors)) => {
                refused.get_or_insert(BuildError::Refused(version, errors));
            }
            other => return other,
        }
    }
    Err(refused.unwrap_or_else(|| SolcError::new("no compiler was tried").into()))
}

fn compile_with(
    compilers: &Compilers,
    version: Version,
    sources: &BTreeMap<String, String>,
    remappings: &[String],
    settings: &Settings,
) -> Result<Build, BuildError> {
    let wanted = settings.evm_version.unwrap_or(settings.fork);
    let target = compilers.newest_target(version, wanted)?;
    if settings.evm_version.is_some() && target != settings.evm_version {
        let name = wanted.name();
        return Err(SolcError::new(format!("solc {version} cannot make code for `{name}`")).into());
    }
    let solc_settings = solc::Settings {
        evm_version: target.map(|fork| fork.name().to_owned()),
        optimizer_runs: settings.optimizer_runs,
        via_ir: settings.via_ir,
        remappings: remappings.to_vec(),
        ast: true,
        further: settings.further.clone(),
        ..solc::Settings::default()
    };
    let input = Input { sources: sources.clone(), settings: solc_settings, version: Some(version) };
    let output = compilers.compile(&input)?;
    if output.has_errors() {
        return Err(BuildError::Refused(version, output.errors().cloned().collect()));
    }
    Ok(Build { output, settings: settings.clone(), fork: settings.fork, target })
}

/// Code of a contract with the addresses of its libraries filled in.
#[derive(Clone, Debug)]
pub struct Linked {
    /// Constructor arguments go behind it.
    pub creation: Vec<u8>,
    /// Immutables are zero.
    pub runtime: Vec<u8>,
}

impl Build {
    pub fn contract(&self, file: &str, name: &str) -> Option<&Contract> {
        self.output.contract(file, name)
    }

    /// Puts the libraries that the contract needs into the state, and their addresses into its code.
    pub fn link(&self, file: &str, name: &str, state: &mut State) -> Result<Linked, CompileError> {
        let contract =
            self.contract(file, name).ok_or_else(|| CompileError(format!("solc compiled no `{name}`")))?;
        let mut needed: Vec<(String, String)> = libraries(contract).cloned().collect();
        while let Some(library) = needed.pop() {
            if !state.accounts.contains_key(&library_address(&library)) {
                needed.extend(self.plant(&library, state)?);
            }
        }
        let find = |file: &str, name: &str| Some(library_address(&(file.to_owned(), name.to_owned())));
        Ok(Linked { creation: contract.code.link(find)?, runtime: contract.deployed.link(find)? })
    }

    /// Deploys a library; returns those that it needs itself.
    fn plant(
        &self,
        key: &(String, String),
        state: &mut State,
    ) -> Result<Vec<(String, String)>, CompileError> {
        let failed = |why: &str| CompileError(format!("library `{}` {why}", key.1));
        let library = self.contract(&key.0, &key.1).ok_or_else(|| failed("was not compiled"))?;
        let find = |file: &str, name: &str| Some(library_address(&(file.to_owned(), name.to_owned())));
        let data = library.code.link(find)?;
        let from = Address::repeat_byte(0x1b);
        let message = Transaction { from, origin: None, value: U256::ZERO, data, gas: u64::MAX >> 1 };
        let address = library_address(key);
        let mut machine = State::default().machine(self.fork);
        if !machine.deploy_at(address, message, NoOpInspector).success {
            return Err(failed("cannot be deployed"));
        }
        let account = state.account(address);
        (account.code, account.nonce) = (machine.code(address), 1);
        Ok(libraries(library).cloned().collect())
    }
}

fn libraries(contract: &Contract) -> impl Iterator<Item = &(String, String)> {
    contract.code.libraries().into_iter().chain(contract.deployed.libraries())
}

/// Anywhere will do, as long as it is always the same and nothing else is there.
fn library_address((file, name): &(String, String)) -> Address {
    Address::from_slice(&keccak256(format!("{file}:{name}"))[12..])
}
