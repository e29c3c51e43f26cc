//! The command line of `hornet gas`.

use crate::args::{ImportArgs, VerifyArgs, signature};
use clap::{Args, ValueEnum};
use hornet_evm::machine::Fork;
use hornet_evm::measure::{FORKS, Measurement};
use hornet_evm::pragma::Version;
use hornet_gas::classes;
use std::path::PathBuf;

/// For dear runs of each contract.
pub const USUAL_SECONDS: u64 = 20;

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  hornet gas Token.sol                          every function: dearest run found, ceiling that no run exceeds
  hornet gas Token.sol --function transfer      its classes of runs, with conditions and transactions
  hornet gas src/ --optimizer-runs 1000 --fork cancun
  hornet gas Token.sol --witness-out test/      the dearest runs as Foundry tests
  hornet gas --snapshot                         remember what everything costs …
  hornet gas --check --tolerance 2              … and fail where something costs over 2 % more

Budgets stand in comments, or in hornet.toml:
  /// @custom:gas <= 60000
  /// @notice gas <= 2500*recipients.length + 30000

Exit codes: 0 fine, 1 a budget or the snapshot is exceeded, 2 bad input or usage, 3 a budget could not be shown to hold.")]
pub struct GasArgs {
    /// Solidity sources; a folder stands for all `.sol` files below it
    /// [default: the project around this folder, without tests and scripts]
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Only this contract (may be repeated)
    #[arg(long = "contract", value_name = "NAME", help_heading = "What is measured")]
    pub contracts: Vec<String>,
    /// Only functions of this name or signature, such as `f` or `f(uint256)`, with details (may be repeated)
    #[arg(long = "function", value_name = "NAME", value_parser = signature, help_heading = "What is measured")]
    pub functions: Vec<String>,
    /// What is shown, and compared with budgets and snapshots
    #[arg(long, value_enum, default_value_t = Measure::Execution, help_heading = "What is measured")]
    pub measure: Measure,
    /// Seconds for each contract: for its ceilings, then for dear runs; 0 for ceilings only, without a limit
    #[arg(long, value_name = "SECONDS", default_value_t = USUAL_SECONDS, help_heading = "What is measured")]
    pub timeout: u64,
    #[command(flatten)]
    pub compiler: CompilerArgs,
    #[command(flatten)]
    pub output: GasOutputArgs,
    #[command(flatten, next_help_heading = "Imports")]
    pub imports: ImportArgs,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Compiler and chain")]
pub struct CompilerArgs {
    /// The compiler to use [default: the newest installed one that the pragmas admit]
    #[arg(long, value_name = "VERSION")]
    pub solc_version: Option<Version>,
    /// The program to use as compiler
    #[arg(long, value_name = "PATH")]
    pub solc: Option<PathBuf>,
    /// How often the optimizer takes code to be run [default: 200]
    #[arg(long, value_name = "N", conflicts_with = "no_optimizer")]
    pub optimizer_runs: Option<u32>,
    /// Do not optimize
    #[arg(long)]
    pub no_optimizer: bool,
    /// Compile through Yul
    #[arg(long)]
    pub via_ir: bool,
    /// The chain that code is made for, such as `paris` [default: as --fork, as far as the compiler knows it]
    #[arg(long, value_name = "NAME", value_parser = any_fork)]
    pub evm_version: Option<Fork>,
    /// The chain that code runs on, `istanbul` to `osaka` [default: osaka]
    #[arg(long, value_name = "NAME", value_parser = measured_fork)]
    pub fork: Option<Fork>,
    /// Gas that one transaction can have [default: 16777216 from osaka on, before that a block of 30 million]
    #[arg(long, value_name = "GAS")]
    pub gas_limit: Option<u64>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct GasOutputArgs {
    #[arg(long, value_enum, default_value_t = GasFormat::Text)]
    pub format: GasFormat,
    /// Write the dearest runs into this folder, as Foundry tests
    #[arg(long, value_name = "DIR")]
    pub witness_out: Option<PathBuf>,
    /// Write what everything costs into a file [default: .hornet-gas-snapshot]
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "check")]
    pub snapshot: Option<Option<PathBuf>>,
    /// Compare with what was written by --snapshot
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub check: Option<Option<PathBuf>>,
    /// Percent by which something may cost more than in the snapshot
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, requires = "check", value_parser = percent)]
    pub tolerance: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Measure {
    /// What the code of the contract uses
    Execution,
    /// What the sender pays for: also the transaction itself and its bytes, less what is given back
    Transaction,
}

impl Measure {
    /// This part of what was measured.
    pub fn of(self, measured: &Measurement) -> u64 {
        match self {
            Measure::Execution => measured.execution,
            Measure::Transaction => measured.total,
        }
    }

    /// What is told apart, and made as large as possible.
    pub fn of_classes(self) -> classes::Measure {
        match self {
            Measure::Execution => classes::Measure::Execution,
            Measure::Transaction => classes::Measure::Transaction,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Measure::Execution => "execution",
            Measure::Transaction => "transaction",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum GasFormat {
    /// For people
    #[default]
    Text,
    /// For programs: everything, see the README
    Json,
    /// For comments on pull requests
    Markdown,
    /// For code hosts and editors
    Sarif,
    /// A page for people, with charts
    Html,
}

impl GasArgs {
    /// What is measured beside a verification of the same sources.
    pub fn beside(verify: &VerifyArgs) -> GasArgs {
        GasArgs {
            paths: verify.paths.clone(),
            contracts: verify.contracts.clone(),
            functions: Vec::new(),
            measure: Measure::Execution,
            timeout: USUAL_SECONDS,
            compiler: CompilerArgs::default(),
            output: GasOutputArgs::default(),
            imports: verify.imports.clone(),
        }
    }

    /// The file of `--snapshot` and `--check` is optional: what is plainly a source was not meant to be it.
    pub fn with_sources_told_apart(mut self) -> GasArgs {
        for file in [&mut self.output.snapshot, &mut self.output.check].into_iter().flatten() {
            let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "sol") || path.is_dir();
            self.paths.extend(file.take_if(|path| is_source(path)));
        }
        self
    }
}

fn any_fork(name: &str) -> Result<Fork, String> {
    let names = || Fork::ALL.map(Fork::name).join(", ");
    Fork::from_name(name).ok_or_else(|| format!("one of {}", names()))
}

fn measured_fork(name: &str) -> Result<Fork, String> {
    let known = Fork::from_name(name).filter(|fork| FORKS.contains(fork));
    known.ok_or_else(|| format!("one of {}", FORKS.map(Fork::name).join(", ")))
}

fn percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.trim_end_matches('%').parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1000.0).contains(&number) { Ok(number) } else { Err("between 0 and 1000".to_owned()) }
}
