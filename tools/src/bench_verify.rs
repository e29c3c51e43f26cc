//! How fast verification is: the binary on every contract of a folder, one core, no warm-up.

use crate::files::solidity_files;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Flags stand in the first line of a case.
const ARGS: &str = "// args:";

/// Averages over a folder, its slowest files, and the same in multiples of the start-up of the binary, which tells
/// machines apart.
pub fn run(hornet: &Path, folder: &Path, start_up: Duration, out: &mut impl Write) -> io::Result<()> {
    let files = solidity_files(folder);
    let mut times: Vec<(Duration, PathBuf)> = Vec::new();
    for file in files {
        let flags = flags_of(&file)?;
        let started = Instant::now();
        Command::new(hornet)
            .args(["verify", "--engine", "modular", "--jobs", "1", "--format", "json"])
            .args(&flags)
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        times.push((started.elapsed(), file));
    }
    if times.is_empty() {
        return writeln!(out, "verify: no contracts in {}", folder.display());
    }
    times.sort();
    let total: Duration = times.iter().map(|(time, _)| *time).sum();
    let average = total / times.len() as u32;
    writeln!(
        out,
        "verify: {} files of {}, {:.3} s on average = {:.0} start-ups",
        times.len(),
        folder.display(),
        average.as_secs_f64(),
        average.as_secs_f64() / start_up.as_secs_f64()
    )?;
    for (time, file) in times.iter().rev().take(3) {
        writeln!(out, "  {:.2} s {}", time.as_secs_f64(), file.display())?;
    }
    Ok(())
}

/// As written in the file itself, or in a file beside it as solc-verify's tests have them.
fn flags_of(file: &Path) -> io::Result<Vec<String>> {
    let text = std::fs::read_to_string(file)?;
    let own = text.lines().next().and_then(|line| line.strip_prefix(ARGS)).map(str::to_owned);
    let mut beside = file.as_os_str().to_owned();
    beside.push(".flags");
    let flags = own.or_else(|| std::fs::read_to_string(PathBuf::from(beside)).ok()).unwrap_or_default();
    let words: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
    // Other solvers than the default may not be installed.
    let arithmetic = words.iter().position(|w| w == "--arithmetic");
    Ok(arithmetic.map(|at| words[at..].iter().take(2).cloned().collect()).unwrap_or_default())
}
