//! How close the two sides of a figure are: ceilings by the dearest transaction that is known, and that transaction by the
//! dearest of a random search that had more time.

mod random;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hornet_evm::measure::{self, Build, Settings};
use hornet_evm::solc::Compilers;
use hornet_gas::ceiling::{self, Ceiling, ceilings};
use hornet_gas::classes::{self, Class, FunctionClasses, classes};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{ContractKind, Program};
use hornet_smt::solver::{self, Solver};

use crate::engine;
use crate::files::solidity_files;

pub struct Options {
    /// For the classes of one contract.
    pub time: Duration,
    /// How many times as long the random search takes.
    pub factor: f64,
    /// Only every so many-th file.
    pub every: usize,
    pub seed: u64,
    pub list: bool,
}

#[derive(Default)]
pub struct Tally {
    pub contracts: usize,
    pub functions: usize,
    /// All cases of them are known.
    pub complete: usize,
    /// Transactions beyond their ceiling.
    pub exceeded: usize,
    /// Ceiling by dearest transaction, of functions whose ceiling is a number.
    tightness: Vec<f64>,
    /// Functions that the random search ran, and those of them in which it found nothing dearer.
    tried: usize,
    unbeaten: usize,
    slowest: Duration,
    pub text: String,
}

/// What is wanted of a ceiling.
const TIGHT: f64 = 1.05;

impl Tally {
    pub fn last_lines(&self) -> String {
        let mut ratios = self.tightness.clone();
        ratios.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let at = (share * ratios.len() as f64) as usize;
            ratios.get(at.min(ratios.len().saturating_sub(1))).copied().unwrap_or(1.0)
        };
        format!(
            "contracts: {}, functions {}, all cases known of {}\n\
             ceiling / dearest transaction where constant: median {:.3}, 90 % {:.3} ({} functions)\n\
             nothing dearer in a random search: {} of {} functions ({:.1} %)\n\
             exceeded: {}; slowest contract: {:.1} s",
            self.contracts,
            self.functions,
            self.complete,
            quantile(0.5),
            quantile(0.9),
            ratios.len(),
            self.unbeaten,
            self.tried,
            100.0 * self.unbeaten as f64 / self.tried.max(1) as f64,
            self.exceeded,
            self.slowest.as_secs_f64(),
        )
    }
}

pub fn run(compilers: &Compilers, solver: &Solver, paths: &[PathBuf], options: &Options) -> Tally {
    let mut tally = Tally::default();
    let files = paths.iter().flat_map(|path| solidity_files(path)).step_by(options.every.max(1));
    for file in files {
        if let Err(why) = try_file(compilers, solver, &file, options, &mut tally) {
            let _ = writeln!(tally.text, "{}: skipped: {why}", file.display());
        }
    }
    tally
}

fn try_file(
    compilers: &Compilers,
    solver: &Solver,
    file: &Path,
    options: &Options,
    tally: &mut Tally,
) -> Result<(), String> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let subject = engine::Subject::compile(&name, &text, &[])?;
    let settings = Settings { optimizer_runs: Some(200), ..Settings::default() };
    let sources = BTreeMap::from([(name.clone(), text)]);
    let build = measure::compile(compilers, sources, Vec::new(), &settings).map_err(|e| e.to_string())?;
    for (id, decl) in subject.program.contracts.iter_ids() {
        if decl.kind == ContractKind::Contract {
            let case = Case { program: &subject.program, id, build: &build, options };
            case.run(solver, tally)?;
        }
    }
    Ok(())
}

struct Case<'a> {
    program: &'a Program,
    id: ContractId,
    build: &'a Build,
    options: &'a Options,
}

impl Case<'_> {
    fn run(&self, solver: &Solver, tally: &mut Tally) -> Result<(), String> {
        let decl = &self.program.contracts[self.id];
        let contract = self.build.contract(&decl.file, &decl.name).ok_or("no code")?;
        let solving = solver::Options { solvers: vec![solver.clone()], ..solver::Options::default() };
        let started = Instant::now();
        let subject = classes::Subject { program: self.program, contract: self.id, build: self.build };
        let wanted = classes::Options { time: self.options.time, ..classes::Options::new(&solving) };
        let found = classes(&subject, &wanted).map_err(|e| e.to_string())?;
        let taken = started.elapsed();
        tally.slowest = tally.slowest.max(taken);
        let ceilings =
            ceilings(&ceiling::Subject::of_solc(contract), &ceiling::Options::new(self.build.fork));
        let random = random::dearest(
            self.build,
            (&decl.file, &decl.name),
            taken.mul_f64(self.options.factor),
            self.options.seed,
        );
        tally.contracts += 1;
        for function in &found {
            let ceiling = ceilings.iter().find(|ceiling| ceiling.function == function.function);
            self.sum_up(function, ceiling, random.get(&function.function).copied(), tally);
        }
        Ok(())
    }

    fn sum_up(
        &self,
        function: &FunctionClasses,
        ceiling: Option<&Ceiling>,
        random: Option<u64>,
        tally: &mut Tally,
    ) {
        tally.functions += 1;
        tally.complete += usize::from(function.complete);
        let seen = function.dearest().map_or(0, Class::own);
        let bounded = ceiling.filter(|c| c.blames.is_empty() && !c.execution.is_endless());
        let most = bounded.and_then(|ceiling| ceiling.execution.constant());
        let ratio = most.filter(|_| seen > 0).map(|most| most as f64 / seen as f64);
        tally.tightness.extend(ratio);
        tally.exceeded += usize::from(most.is_some_and(|most| seen > most));
        // How long a loop runs is not a question of which case it is.
        let beaten = random.filter(|_| most.is_some()).map(|random| random > seen);
        tally.tried += usize::from(beaten.is_some());
        tally.unbeaten += usize::from(beaten == Some(false));
        let misses = ratio.is_some_and(|ratio| !(1.0..=TIGHT).contains(&ratio)) || beaten == Some(true);
        if self.options.list && misses {
            let decl = &self.program.contracts[self.id];
            let number = |n: Option<u64>| n.map_or_else(|| "–".to_owned(), |n| n.to_string());
            let _ = writeln!(
                tally.text,
                "{}:{} {}: ceiling {}, seen {seen}, random {}, {:.3}{}",
                decl.file,
                decl.name,
                function.function,
                number(most),
                number(random),
                ratio.unwrap_or(0.0),
                function.why_incomplete.as_deref().map_or_else(String::new, |why| format!(" ({why})")),
            );
        }
    }
}
