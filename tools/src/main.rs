//! `hornet-dev`: what the make targets run.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand, ValueEnum};
use hornet_evm::solc::Compilers;
use hornet_smt::solver::Solver;
use hornet_tools::conformance::{self, backend::Backend, evm::EvmBackend, interp::InterpBackend};
use hornet_tools::{
    attack, bench, differential, engine, evidence, files, gas_soundness, gas_tightness, mutants, real_world,
    storm, types,
};
use rayon::prelude::*;

#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Recorded calls with recorded results, run again and compared.
    Conformance {
        folder: PathBuf,
        #[arg(long, value_enum, default_value = "interp")]
        backend: BackendName,
        /// Name everything that is not the same.
        #[arg(long)]
        list: bool,
        /// Seconds per file.
        #[arg(long, default_value_t = 60)]
        limit: u64,
    },
    /// Generated contracts and calls: the interpreter against solc's bytecode on revm.
    Differential {
        /// How many calls to compare.
        #[arg(long, default_value_t = 2000)]
        calls: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many differences to shrink and print.
        #[arg(long, default_value_t = 3)]
        show: usize,
        /// Only print the contract of the seed.
        #[arg(long)]
        print: bool,
    },
    /// Random runs against everything that the modular engine proves.
    Attack {
        path: PathBuf,
        /// Runs of each function.
        #[arg(long, default_value_t = 10_000)]
        runs: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Changed contracts that should not be proved any more.
    Mutants {
        path: PathBuf,
        /// Runs of each function of a survivor.
        #[arg(long, default_value_t = 500)]
        runs: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Our type of every expression against solc's.
    Types {
        folder: PathBuf,
        #[arg(long)]
        list: bool,
    },
    /// Random transactions against gas ceilings.
    GasSoundness {
        /// Contracts, or folders of them.
        paths: Vec<PathBuf>,
        /// How many transactions, about.
        #[arg(long, default_value_t = 200_000)]
        transactions: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Name every function with its ceiling.
        #[arg(long)]
        list: bool,
    },
    /// Gas ceilings against the dearest transactions that are known, and those against a random search.
    GasTightness {
        /// Contracts, or folders of them.
        paths: Vec<PathBuf>,
        /// Seconds for the classes of one contract, at most.
        #[arg(long, default_value_t = 20)]
        time: u64,
        /// How many times as long the random search takes; 0 for none.
        #[arg(long, default_value_t = 10.0)]
        factor: f64,
        /// Only every so many-th file.
        #[arg(long, default_value_t = 1)]
        every: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Name the functions that miss what is wanted.
        #[arg(long)]
        list: bool,
    },
    /// Share of the functions of well-known packages that lower completely.
    RealWorld {
        #[arg(long)]
        list: bool,
    },
    /// Runs seen on the EVM, and certificates that a second solver accepts.
    Evidence {
        folder: PathBuf,
        /// The binary to start.
        #[arg(long)]
        hornet: PathBuf,
        /// The program that checks certificates.
        #[arg(long)]
        second: PathBuf,
        /// Seconds for each check.
        #[arg(long, default_value_t = 30)]
        timeout: u32,
    },
    /// Random transactions on the EVM against everything that `hornet verify` proves.
    Storm {
        path: PathBuf,
        /// The binary to start.
        #[arg(long)]
        hornet: PathBuf,
        /// Transactions for each contract.
        #[arg(long, default_value_t = 4000)]
        transactions: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Name every claim, and whether it was reached.
        #[arg(long)]
        list: bool,
        /// What else to tell the binary.
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// How fast the front end, verification and gas analysis are.
    Bench {
        /// The binary to start.
        #[arg(long)]
        hornet: Option<PathBuf>,
        /// Folders of contracts to verify with it, each function on its own.
        #[arg(long)]
        modular: Vec<PathBuf>,
        /// Folders of contracts to verify with it as users do.
        #[arg(long)]
        usual: Vec<PathBuf>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum BackendName {
    Interp,
    /// solc + revm.
    Evm,
    /// The same through solc's newer code generator.
    EvmIr,
}

fn main() -> Result<()> {
    match Options::parse().command {
        Command::Conformance { folder, backend, list, limit } => {
            let report = conformance::run_folder(&folder, open(backend)?, Duration::from_secs(limit));
            report.print(list, &mut std::io::stdout().lock())?;
            Ok(())
        }
        Command::Differential { seed, print: true, .. } => {
            print!("{}", differential::source(seed));
            Ok(())
        }
        Command::Differential { calls, seed, show, .. } => {
            let options = differential::Options { calls, seed, show };
            let report = differential::run(&Compilers::find()?, &options);
            report.print();
            anyhow::ensure!(report.different == 0, "the interpreter disagrees with the EVM");
            Ok(())
        }
        Command::Attack { path, runs, seed } => {
            let options = attack::Options { runs, seed, time: Duration::from_secs(10) };
            let solver = engine::z3().map_err(anyhow::Error::msg)?;
            let mut all = attack::Findings::default();
            let files = files::solidity_files(&path);
            let found: Vec<_> = files.par_iter().map(|file| attack::file(file, &solver, &options)).collect();
            for findings in found {
                let findings = findings.map_err(anyhow::Error::msg)?;
                print!("{}", findings.text);
                all.add(attack::Findings { text: String::new(), ..findings });
            }
            println!("{}", all.last_line());
            anyhow::ensure!(all.broken == 0, "something proved does not hold");
            Ok(())
        }
        Command::Mutants { path, runs, seed } => {
            // Whoever needs longer is killed all the same: it is not proved.
            let attack = attack::Options { runs, seed, time: Duration::from_secs(5) };
            let (options, solver) = (mutants::Options { attack }, engine::z3().map_err(anyhow::Error::msg)?);
            let mut all = mutants::Findings::default();
            let files = files::solidity_files(&path);
            let found: Vec<_> = files.par_iter().map(|file| mutants::file(file, &solver, &options)).collect();
            for findings in found {
                let findings = findings.map_err(anyhow::Error::msg)?;
                print!("{}", findings.text);
                all.add(mutants::Findings { text: String::new(), ..findings });
            }
            println!("{}", all.last_line());
            anyhow::ensure!(all.wrong == 0, "something proved does not hold");
            Ok(())
        }
        Command::Types { folder, list } => {
            types::run(&folder, Arc::new(Compilers::find()?), list, &mut std::io::stdout().lock())?;
            Ok(())
        }
        Command::GasSoundness { paths, transactions, seed, list } => {
            let options = gas_soundness::Options { transactions, seed, list };
            let tally =
                gas_soundness::run(&Compilers::find()?, &paths, &options).map_err(anyhow::Error::msg)?;
            print!("{}", tally.text);
            println!("{}", tally.last_lines());
            anyhow::ensure!(tally.exceeded == 0, "a transaction cost more than its ceiling");
            Ok(())
        }
        Command::GasTightness { paths, time, factor, every, seed, list } => {
            let time = Duration::from_secs(time);
            let options = gas_tightness::Options { time, factor, every, seed, list };
            let solver = engine::z3().map_err(anyhow::Error::msg)?;
            let tally = gas_tightness::run(&Compilers::find()?, &solver, &paths, &options);
            print!("{}", tally.text);
            println!("{}", tally.last_lines());
            anyhow::ensure!(tally.exceeded == 0, "a transaction cost more than its ceiling");
            Ok(())
        }
        Command::RealWorld { list } => {
            Ok(real_world::run(&packages()?, list, &mut std::io::stdout().lock())?)
        }
        Command::Evidence { folder, hornet, second, timeout } => {
            let second = Solver::find(&second.to_string_lossy(), Some(&second))?;
            let options = evidence::Options { hornet: &hornet, second: &second, timeout };
            evidence::run(&folder, &options, &mut std::io::stdout().lock())
        }
        Command::Storm { path, hornet, transactions, seed, list, arguments } => {
            let options = storm::Options { hornet: &hornet, transactions, seed, list, arguments: &arguments };
            let compilers = Compilers::find()?;
            let mut all = storm::Findings::default();
            for file in files::solidity_files(&path) {
                match storm::file(&file, &compilers, &options) {
                    Ok(findings) => {
                        print!("{}", findings.text);
                        all.add(&findings);
                    }
                    Err(why) => println!("{}: skipped: {why:#}", file.display()),
                }
            }
            println!("{}", all.last_line());
            anyhow::ensure!(all.broken == 0, "something proved does not hold");
            Ok(())
        }
        Command::Bench { hornet, modular, usual } => {
            let (packages, hornet) = (packages()?, hornet.as_deref());
            let options = bench::Options { packages: &packages, hornet, modular: &modular, usual: &usual };
            Ok(bench::run(&options, &mut std::io::stdout().lock())?)
        }
    }
}

fn packages() -> Result<PathBuf> {
    real_world::packages_folder().context("the packages are missing: run `scripts/setup.sh packages`")
}

fn open(name: BackendName) -> Result<Arc<dyn Backend>> {
    let evm = |via_ir| -> Result<Arc<dyn Backend>> {
        Ok(Arc::new(EvmBackend { compilers: Arc::new(Compilers::find()?), via_ir }))
    };
    match name {
        // Only a few tests need solc here, those that look at code as bytes.
        BackendName::Interp => {
            Ok(Arc::new(InterpBackend { compilers: Compilers::find().ok().map(Arc::new) }))
        }
        BackendName::Evm => evm(false),
        BackendName::EvmIr => evm(true),
    }
}
