//! Random transactions against gas ceilings: none may cost more than the ceiling says for its arguments and state.

pub(crate) mod arguments;
mod trial;
mod watch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hornet_evm::machine::Fork;
use hornet_evm::measure::{self, Build, Settings};
use hornet_evm::solc::Compilers;
use hornet_frontend::source::{LoadOptions, Loader};
use rayon::prelude::*;

use crate::files::solidity_files;
use crate::real_world::packages_folder;
pub use trial::Tally;
use trial::Trial;

pub struct Options {
    /// How many transactions in all, at least, as long as every file has something to call.
    pub transactions: usize,
    pub seed: u64,
    /// Name every function with its ceiling.
    pub list: bool,
}

/// Rules that contracts take turns with.
const FORKS: [Fork; 6] =
    [Fork::Cancun, Fork::Istanbul, Fork::Prague, Fork::London, Fork::Osaka, Fork::Shanghai];

/// The analysis follows conditions by recursion.
const STACK: usize = 1 << 29;

/// One contract compiled in one way.
struct Case {
    file: PathBuf,
    settings: Settings,
}

pub fn run(compilers: &Compilers, paths: &[PathBuf], options: &Options) -> Result<Tally, String> {
    let files: Vec<PathBuf> = paths.iter().flat_map(|path| solidity_files(path)).collect();
    let cases: Vec<Case> = files.iter().enumerate().flat_map(|(at, file)| both_ways(at, file)).collect();
    let each = options.transactions.div_ceil(cases.len().max(1));
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().map_err(|e| e.to_string())?;
    let tallies: Vec<Tally> = pool.install(|| {
        cases
            .par_iter()
            .enumerate()
            .map(|(at, case)| try_case(compilers, case, options.seed + at as u64, each, options.list))
            .collect()
    });
    let mut all = Tally::default();
    for tally in tallies {
        all.add(tally);
    }
    Ok(all)
}

/// Optimised or not, each under one of the forks.
fn both_ways(at: usize, file: &Path) -> [Case; 2] {
    [None, Some(200)].map(|optimizer_runs| {
        let turn = 2 * at + usize::from(optimizer_runs.is_some());
        let fork = FORKS[(turn + turn / FORKS.len()) % FORKS.len()];
        Case { file: file.to_owned(), settings: Settings { optimizer_runs, fork, ..Settings::default() } }
    })
}

/// The file and what it imports, from beside it or from the packages of the cache.
fn with_imports(file: &Path) -> (BTreeMap<String, String>, Vec<String>) {
    let beside = file.parent().unwrap_or(Path::new("."));
    let options =
        LoadOptions { include: packages_folder().into_iter().collect(), ..LoadOptions::plain(beside) };
    let loaded = Loader::new(options).load_paths([file]);
    let sources = loaded.map.files().map(|(_, file)| (file.name.clone(), file.text.clone()));
    (sources.collect(), loaded.solc_remappings())
}

/// Under the fork whose turn it is, or the next that the compiler makes code for.
fn compiled(compilers: &Compilers, case: &Case) -> Option<Build> {
    let (sources, remappings) = with_imports(&case.file);
    let turn = FORKS.iter().position(|fork| *fork == case.settings.fork).unwrap_or(0);
    FORKS.iter().cycle().skip(turn).take(FORKS.len()).find_map(|fork| {
        let settings = Settings { fork: *fork, ..case.settings.clone() };
        measure::compile(compilers, sources.clone(), remappings.clone(), &settings).ok()
    })
}

fn try_case(compilers: &Compilers, case: &Case, seed: u64, transactions: usize, list: bool) -> Tally {
    let name = case.file.display().to_string();
    let mut tally = Tally::default();
    let Some(build) = compiled(compilers, case) else {
        tally.refused += 1;
        return tally;
    };
    let contracts = build.output.contracts.keys().filter(|(file, _)| *file == name).enumerate();
    let trials: Vec<Trial> = contracts
        .filter_map(|(at, (file, contract))| {
            Trial::new(&build, file, contract, seed.wrapping_mul(1000) + at as u64, list)
        })
        .collect();
    let each = transactions.div_ceil(trials.len().max(1));
    for trial in trials {
        tally.add(trial.run(each));
    }
    tally
}
