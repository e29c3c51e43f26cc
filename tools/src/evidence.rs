//! Everything that `hornet verify` claims about a folder of contracts, looked at once more: runs must have been seen on the
//! EVM, and a second solver must accept every certificate.

use crate::files::solidity_files;
use crate::paste::{Pasted, paste};
use anyhow::{Context, Result, ensure};
use hornet_smt::solver::horn::{NotVerified, verify_certificate};
use hornet_smt::solver::{Limits, Solver};
use rayon::prelude::*;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// For all questions of one certificate.
const LIMITS: Limits = Limits { time: Duration::from_secs(120), memory_mb: 4096 };

pub struct Options<'o> {
    pub hornet: &'o Path,
    /// Somebody who did not find the proofs.
    pub second: &'o Solver,
    /// Seconds for each check.
    pub timeout: u32,
}

#[derive(Default)]
struct Tally {
    proved: usize,
    undecided: usize,
    runs: usize,
    confirmed: usize,
    pasted: Pasted,
    /// Lines about what is not as it should be.
    complaints: Vec<String>,
}

/// Prints confirmed/total and checked/total; an error if they differ.
pub fn run(folder: &Path, options: &Options<'_>, out: &mut dyn Write) -> Result<()> {
    let certificates = std::env::temp_dir().join(format!("hornet-evidence-{}", std::process::id()));
    std::fs::create_dir_all(&certificates)?;
    let pasted = certificates.with_extension("pasted");
    std::fs::create_dir_all(&pasted)?;
    let mut tally = Tally::default();
    for file in solidity_files(folder) {
        let name = file.file_stem().unwrap_or_default();
        look_at(&file, &certificates.join(name), &pasted, options, &mut tally)?;
    }
    let fallen = tally.pasted.fall.len();
    tally.complaints.append(&mut tally.pasted.fall);
    let files = files_below(&certificates)?;
    let never = AtomicBool::new(false);
    let check = |file: &PathBuf| {
        let ask = |solver: &Solver| verify_certificate(file, solver, LIMITS, &never);
        let checked = match (ask(options.second), options.second.other_engine()) {
            (Err(NotVerified::Unfinished(_)), Some(other)) => ask(&other),
            (checked, _) => checked,
        };
        (file.clone(), checked)
    };
    let checked: Vec<_> = files.par_iter().map(check).collect();
    let good = checked.iter().filter(|(_, result)| result.is_ok()).count();
    let wrong = checked.iter().filter_map(|(file, result)| Some((file, result.as_ref().err()?)));
    tally.complaints.extend(wrong.map(|(file, why)| format!("{}: {why}", file.display())));
    for complaint in &tally.complaints {
        writeln!(out, "{complaint}")?;
    }
    let Tally { proved, undecided, runs, confirmed, pasted: Pasted { stand, elsewhere, .. }, .. } = tally;
    writeln!(out, "counterexamples: {confirmed}/{runs} confirmed on the EVM")?;
    writeln!(
        out,
        "certificates: {good}/{} checked again by {}",
        files.len(),
        options.second.program.display()
    )?;
    writeln!(
        out,
        "invariants: {stand}/{} proofs stand with invariants as annotations, each function on its own; \
         {elsewhere} rest on what has no annotation",
        stand + fallen
    )?;
    writeln!(out, "{proved} checks proved, {undecided} not decided")?;
    ensure!(confirmed == runs && good == files.len() && fallen == 0, "not all evidence is accepted");
    std::fs::remove_dir_all(&certificates)?;
    std::fs::remove_dir_all(&pasted)?;
    Ok(())
}

fn look_at(
    file: &Path,
    certificates: &Path,
    pasted: &Path,
    options: &Options<'_>,
    tally: &mut Tally,
) -> Result<()> {
    let output = Command::new(options.hornet)
        .args(["verify", "--format", "json", "--timeout", &options.timeout.to_string(), "--certificate"])
        .args([certificates, file])
        .output()
        .with_context(|| format!("{} cannot be run", options.hornet.display()))?;
    let json: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr)))?;
    for check in json["checks"].as_array().into_iter().flatten() {
        match check["verdict"].as_str() {
            Some("proved") => tally.proved += 1,
            Some("violated") => {
                tally.runs += 1;
                if check["confirmed"] == true {
                    tally.confirmed += 1;
                } else {
                    let line = &check["location"]["line"];
                    tally.complaints.push(format!("{}:{line}: violated, not confirmed", file.display()));
                }
            }
            _ => tally.undecided += 1,
        }
    }
    paste(options.hornet, file, &json, options.timeout, pasted, &mut tally.pasted)
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
