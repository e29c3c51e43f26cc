//! `make mutants`: does the engine notice when a proved contract is changed?
//!
//! A mutant is killed if something is no longer proved. A survivor is put to the test: if random runs break one of its
//! claims, the proof is wrong; if they behave as the original does, it is equivalent; else nobody claims anything about
//! what is different.

mod mutate;

use crate::attack::{self, Difference};
use crate::engine::Subject;
use hornet_encoder::{FunctionVerdict, Report, Verdict};
use hornet_smt::solver::Solver;
pub use mutate::{Kind, Mutant};
use std::fmt::Write;
use std::path::Path;

pub struct Options {
    /// How survivors are attacked.
    pub attack: attack::Options,
}

#[derive(Default)]
pub struct Findings {
    pub text: String,
    /// By kind: claims, dropped claims, code.
    pub made: [usize; 3],
    pub killed: [usize; 3],
    pub equivalent: usize,
    /// Different, but nothing claimed is about the difference.
    pub unclaimed: usize,
    /// Survivors whose proofs are wrong.
    pub wrong: usize,
}

impl Findings {
    pub fn add(&mut self, other: Findings) {
        self.text += &other.text;
        for i in 0..3 {
            self.made[i] += other.made[i];
            self.killed[i] += other.killed[i];
        }
        self.equivalent += other.equivalent;
        self.unclaimed += other.unclaimed;
        self.wrong += other.wrong;
    }

    pub fn last_line(&self) -> String {
        let share = |i: usize| format!("{} of {}", self.killed[i], self.made[i]);
        let (made, killed): (usize, usize) = (self.made.iter().sum(), self.killed.iter().sum());
        format!(
            "mutants: {made}, killed {killed} ({}%): claims {}, dropped claims {}, code {}; survivors: equivalent {}, \
             claims still hold {}, wrong {}",
            100 * killed / made.max(1),
            share(0),
            share(1),
            share(2),
            self.equivalent,
            self.unclaimed,
            self.wrong
        )
    }
}

/// Everything is proved, and there is something.
fn is_proved(report: &Report) -> bool {
    !report.checks.is_empty()
        && report.checks.iter().all(|c| c.verdict == Verdict::Proved)
        && report.functions.iter().all(|f| f.verdict == FunctionVerdict::Ok)
        && report.warnings.is_empty()
}

/// All mutants of a file; none if not everything in it is proved.
pub fn file(path: &Path, solver: &Solver, options: &Options) -> Result<Findings, String> {
    let name = path.file_name().map_or_else(|| "input.sol".into(), |n| n.to_string_lossy().into_owned());
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {name}: {e}"))?;
    let original = attack::compile(&name, &text)?;
    let mut findings = Findings::default();
    if !is_proved(&original.verify(&name, solver, options.attack.time)) {
        return Ok(findings);
    }
    for mutant in mutate::mutants(&original, &text) {
        let changed = mutant.apply(&text);
        // What does not compile is no mutant.
        let Ok(subject) = attack::compile(&name, &changed) else { continue };
        let kind = mutant.kind as usize;
        findings.made[kind] += 1;
        let report = subject.verify(&name, solver, options.attack.time);
        if is_proved(&report) {
            let line = 1 + text[..mutant.place.start].matches('\n').count();
            let was = &text[mutant.place.clone()];
            let _ = write!(
                findings.text,
                "{name}:{line}: {:?} `{was}` -> `{}`: ",
                mutant.kind, mutant.replacement
            );
            judge(&mut findings, &original, &subject, &report, options);
        } else {
            findings.killed[kind] += 1;
        }
    }
    let _ = writeln!(findings.text, "{name}: {}", findings.last_line());
    Ok(findings)
}

fn judge(findings: &mut Findings, original: &Subject, mutant: &Subject, report: &Report, options: &Options) {
    let attacked = attack::attack(mutant, report, &options.attack);
    if attacked.broken > 0 {
        findings.wrong += 1;
        let _ = writeln!(findings.text, "WRONG PROOF\n{}", attacked.text);
        return;
    }
    let Difference { same, different } = attack::compare(original, mutant, report, &options.attack);
    let claims = format!("claims hold in {} runs", attacked.runs);
    if different == 0 {
        findings.equivalent += 1;
        let _ = writeln!(findings.text, "behaves the same in {same} runs; {claims}");
    } else {
        findings.unclaimed += 1;
        let _ = writeln!(
            findings.text,
            "behaves differently in {different} of {} runs; {claims}",
            same + different
        );
    }
}
