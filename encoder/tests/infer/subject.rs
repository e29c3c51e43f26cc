//! A contract in memory, verified with and without inference.

use hornet_encoder::{
    All, Arithmetic, CheckKey, Inferred, Invariant, Options, Patience, Place, Report, Silent, Verdict, infer,
    verify,
};
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::{compile, lower};
use hornet_ir::ids::ContractId;
use hornet_ir::program::Program;
use hornet_ir::span::Span;
use hornet_smt::solver::{Limits, Solver};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

pub struct Subject {
    pub text: String,
    pub program: Program,
}

impl Subject {
    pub fn compile(text: &str) -> Result<Subject, String> {
        let mut loader = Loader::new(LoadOptions::in_memory());
        loader.add_source("case.sol".to_owned(), text.to_owned());
        let loaded = loader.load_names(["case.sol"]);
        let compiled = compile(loaded, lower::Options { complete: true, ..lower::Options::default() });
        let errors: Vec<String> = compiled.diagnostics.iter().map(|d| d.message.clone()).collect();
        match compiled.program {
            Some(program) if errors.is_empty() => Ok(Subject { text: text.to_owned(), program }),
            _ => Err(errors.join("; ")),
        }
    }

    pub fn verify(&self) -> Report {
        verify(&self.program, &All, &options(), &Silent)
    }

    /// The checks that annotations alone do not decide, by contract.
    pub fn undecided(&self, report: &Report) -> Vec<(ContractId, Vec<CheckKey>)> {
        let open = report.checks.iter().filter(|c| c.verdict != Verdict::Proved);
        let keys: Vec<CheckKey> = open.map(|c| report.key(c)).collect();
        let contracts = self.program.contracts.ids();
        let of = |contract| keys.iter().filter(|k| k.contract == contract).cloned().collect();
        contracts.map(|c| (c, of(c))).collect()
    }

    pub fn infer(&self, contract: ContractId, wanted: &[CheckKey], time: Duration) -> Inferred {
        let stop = AtomicBool::new(false);
        infer(&self.program, contract, wanted, &options(), Instant::now() + time, Patience::SHORT, &stop)
    }

    /// The line of a place, from one.
    pub fn line(&self, span: Span) -> usize {
        1 + self.text[..span.start as usize].matches('\n').count()
    }

    /// The source with invariants written where they belong.
    pub fn annotated(&self, invariants: &[Invariant]) -> String {
        let mut text = self.text.clone();
        let at = |invariant: &Invariant| match invariant.place {
            Place::Contract(span) | Place::Loop(span) => span.start as usize,
        };
        let places: BTreeSet<usize> = invariants.iter().map(at).collect();
        for place in places.into_iter().rev() {
            let here = invariants.iter().filter(|i| at(i) == place);
            let lines: String = here.map(|i| format!("/// @notice invariant {}\n", i.text)).collect();
            text.insert_str(place, &lines);
        }
        text
    }
}

fn options() -> Options {
    let solver = Solver::find("z3", None).expect("z3 is set up");
    Options {
        arithmetic: Arithmetic::Mod,
        inline_depth: 3,
        jobs: 0,
        passable: hornet_encoder::Passable::None,
        states_ether: false,
        times: Default::default(),
        solving: hornet_smt::solver::Options {
            solvers: vec![solver],
            limits: Limits { time: Duration::from_secs(10), ..Limits::default() },
            ..hornet_smt::solver::Options::default()
        },
    }
}
