//! `make attack`: tries to break with concrete runs what the modular engine has proved.
//!
//! Every function is called many times from states that satisfy its assumptions, by users and by contracts that call
//! back; everything claimed on the way is evaluated. A proved claim that turns out false is a wrong proof.

mod claims;
mod frame_rule;
mod session;
mod show;
mod slots;
mod state;
mod witness;

use crate::engine::Subject;
use claims::Claims;
use hornet_encoder::{Arithmetic, Report, body_of};
use hornet_ir::ids::ContractId;
use hornet_smt::solver::Solver;
use session::{Session, Target};
use std::cell::RefCell;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;
use witness::Tally;

pub struct Options {
    /// Runs of each function whose assumptions hold.
    pub runs: usize,
    pub seed: u64,
    /// For each question to the solver.
    pub time: Duration,
}

/// Runs with the same interpreter; then everything starts anew, the states reached and the keys of mappings.
const RUNS_PER_SESSION: usize = 250;
/// Attempts for each run whose assumptions should hold.
const PATIENCE: usize = 3;

#[derive(Default)]
pub struct Findings {
    pub text: String,
    pub obligations: usize,
    pub runs: usize,
    pub broken: usize,
    /// Proved, but never looked at.
    pub untested: usize,
}

impl Findings {
    pub fn add(&mut self, other: Findings) {
        self.text += &other.text;
        self.obligations += other.obligations;
        self.runs += other.runs;
        self.broken += other.broken;
        self.untested += other.untested;
    }

    pub fn last_line(&self) -> String {
        format!("attack: obligations {}, runs {}, broken {}", self.obligations, self.runs, self.broken)
    }
}

/// The file with those who call back.
const ACTORS: (&str, &str) = ("actors.sol", include_str!("actors.sol"));

/// Compiles a case together with those who attack it, if the language of the case is one that they understand.
pub fn compile(name: &str, text: &str) -> Result<Subject, String> {
    Subject::compile(name, text, &[ACTORS]).or_else(|_| Subject::compile(name, text, &[]))
}

pub fn file(path: &Path, solver: &Solver, options: &Options) -> Result<Findings, String> {
    let name = path.file_name().map_or_else(|| "input.sol".into(), |n| n.to_string_lossy().into_owned());
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    let subject = compile(&name, &text)?;
    if subject.settings.arithmetic == Arithmetic::Int {
        return Ok(Findings {
            text: format!("{name}: unbounded integers, not attacked\n"),
            ..Findings::default()
        });
    }
    let report = subject.verify(&name, solver, options.time);
    Ok(attack(&subject, &report, options))
}

/// Attacks everything that is proved in a report.
pub fn attack(subject: &Subject, report: &Report, options: &Options) -> Findings {
    let claims = Claims::new(subject, report);
    let mut findings = Findings::default();
    let mut contracts: Vec<ContractId> = report.functions.iter().map(|f| f.contract).collect();
    contracts.dedup();
    for contract in contracts {
        findings.add(attack_contract(&claims, contract, options));
    }
    findings
}

fn attack_contract(claims: &Claims<'_>, contract: ContractId, options: &Options) -> Findings {
    let proved: Vec<usize> = (0..claims.report.checks.len())
        .filter(|c| claims.is_proved(*c))
        .filter(|c| claims.contract_of(claims.check(*c).function) == contract)
        .collect();
    let mut findings = Findings { obligations: proved.len(), ..Findings::default() };
    if proved.is_empty() {
        return findings;
    }
    let tally =
        Rc::new(RefCell::new(Tally { evaluated: vec![0; claims.report.checks.len()], ..Tally::default() }));
    let (mut attempts, mut reported) = (0, Vec::new());
    for target in targets(claims, contract) {
        let mut satisfied = 0;
        for round in 0..(options.runs * PATIENCE).div_ceil(RUNS_PER_SESSION) {
            let seed = options.seed.wrapping_add(round as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut session = Session::new(claims, contract, tally.clone(), seed);
            for _ in 0..RUNS_PER_SESSION {
                if satisfied >= options.runs {
                    break;
                }
                attempts += 1;
                let ran = session.run(target);
                satisfied += usize::from(ran.satisfied);
                for (claim, story) in ran.broken {
                    if !reported.contains(&claim) {
                        reported.push(claim);
                        let _ = writeln!(findings.text, "BROKEN {}\n{story}", claims.describe(claim));
                    }
                }
            }
        }
        findings.runs += satisfied;
    }
    findings.broken = reported.len();
    let tally = tally.borrow();
    let untested: Vec<usize> = proved.iter().copied().filter(|c| tally.evaluated[*c] == 0).collect();
    findings.untested = untested.len();
    let evaluated: u64 = proved.iter().map(|c| tally.evaluated[*c]).sum();
    let file = &claims.program().contracts[contract].file;
    let _ = writeln!(
        findings.text,
        "{file} {}: proved {}, attempts {attempts}, runs {}, evaluations {evaluated}, broken {}",
        claims.program().contracts[contract].name,
        proved.len(),
        findings.runs,
        findings.broken
    );
    for claim in untested {
        let _ = writeln!(findings.text, "  never evaluated: {}", claims.describe(claim));
    }
    findings
}

/// What can be called, as far as something is proved in the contract.
fn targets(claims: &Claims<'_>, contract: ContractId) -> Vec<Target> {
    let decl = &claims.program().contracts[contract];
    let is_verified =
        |proc| body_of(claims.program(), proc).is_some_and(|body| claims.function_of(body).is_some());
    let entries = decl.entries.iter().enumerate().filter(|(_, e)| is_verified(e.proc));
    let mut targets: Vec<Target> = entries.map(|(i, _)| Target::Entry(i)).collect();
    targets.extend(decl.receive.filter(|p| is_verified(*p)).map(|_| Target::Receive));
    targets.extend(decl.fallback.filter(|f| is_verified(f.proc)).map(|_| Target::Fallback));
    targets.extend(decl.constructor.filter(|p| is_verified(*p)).map(|_| Target::Constructor));
    if !decl.invariants.is_empty() {
        targets.push(Target::ForcedEther);
    }
    targets
}

/// How often two versions of a program did the same.
#[derive(Default)]
pub struct Difference {
    pub same: usize,
    pub different: usize,
}

/// The same transactions from the same states on two versions of a program that differ in a detail.
pub fn compare(original: &Subject, changed: &Subject, report: &Report, options: &Options) -> Difference {
    let mut found = Difference::default();
    // Positions in the report mean nothing in the original; nothing is looked up there.
    let nothing = Report::default();
    let (claims, claims_of_changed) = (Claims::new(original, &nothing), Claims::new(changed, report));
    let mut contracts: Vec<ContractId> = report.functions.iter().map(|f| f.contract).collect();
    contracts.dedup();
    for contract in contracts {
        for target in targets(&claims_of_changed, contract) {
            let mut session = Session::new(&claims, contract, Rc::default(), options.seed);
            let mut other = session::untroubled(&changed.program);
            for _ in 0..options.runs {
                match session.agrees_with(&mut other, target) {
                    Some(true) => found.same += 1,
                    Some(false) => found.different += 1,
                    None => {}
                }
            }
        }
    }
    found
}
