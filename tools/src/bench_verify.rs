//! How fast verification is: the binary on every contract of a folder, nothing remembered, no warm-up.

use crate::files::solidity_files;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Flags stand in the first line of a case.
const ARGS: &str = "// args:";

/// Functions on their own, on one core: averages over a folder, and the same in multiples of the start-up of the binary,
/// which tells machines apart.
pub fn modular(hornet: &Path, folder: &Path, start_up: Duration, out: &mut impl Write) -> io::Result<()> {
    let mut times = Vec::new();
    for file in solidity_files(folder) {
        let engine = ["--engine", "modular", "--jobs", "1"];
        let flags = flags_of(&file)?;
        let time = verify(hornet, engine.into_iter().chain(flags.iter().map(String::as_str)), &file)?.0;
        times.push((time, file));
    }
    if times.is_empty() {
        return writeln!(out, "verify: no contracts in {}", folder.display());
    }
    let total: Duration = times.iter().map(|(time, _)| *time).sum();
    let average = total / times.len() as u32;
    writeln!(
        out,
        "verify, modular engine: {} files of {}, {:.3} s on average = {:.0} start-ups",
        times.len(),
        folder.display(),
        average.as_secs_f64(),
        average.as_secs_f64() / start_up.as_secs_f64()
    )?;
    slowest(times, out)
}

/// As users run it, with all engines and cores and the usual limits: files in which something is asserted.
pub fn usual(hornet: &Path, folder: &Path, out: &mut impl Write) -> io::Result<()> {
    let mut times = Vec::new();
    for file in solidity_files(folder) {
        if !std::fs::read_to_string(&file)?.contains("assert(") {
            continue;
        }
        let (time, code) = verify(hornet, [], &file)?;
        // What is refused takes no time.
        if code != Some(BAD_INPUT) {
            times.push((time, file));
        }
    }
    times.sort();
    let Some(last) = times.len().checked_sub(1) else {
        return writeln!(out, "verify: no assertions in {}", folder.display());
    };
    let below = |percent: usize| times[last.min(times.len() * percent / 100)].0.as_secs_f64();
    writeln!(
        out,
        "verify, all engines: {} files with assertions of {}, median {:.2} s, 95 % below {:.2} s",
        times.len(),
        folder.display(),
        below(50),
        below(95)
    )?;
    slowest(times, out)
}

fn slowest(mut times: Vec<(Duration, PathBuf)>, out: &mut impl Write) -> io::Result<()> {
    times.sort();
    for (time, file) in times.iter().rev().take(3) {
        writeln!(out, "  {:.2} s {}", time.as_secs_f64(), file.display())?;
    }
    Ok(())
}

const BAD_INPUT: i32 = 2;

/// How long it takes, and the exit code.
fn verify<'a>(
    hornet: &Path,
    flags: impl IntoIterator<Item = &'a str>,
    file: &Path,
) -> io::Result<(Duration, Option<i32>)> {
    let started = Instant::now();
    let status = Command::new(hornet)
        .args(["verify", "--no-cache", "--format", "json"])
        .args(flags)
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok((started.elapsed(), status.code()))
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
