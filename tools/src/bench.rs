//! How fast: the front end on real code, and the start of the binary.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hornet_frontend::compile;
use hornet_frontend::lower;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_ir::diag::Severity;

use crate::files::solidity_files;
use crate::{bench_gas, bench_verify};

const ROUNDS: usize = 5;

pub struct Options<'o> {
    pub packages: &'o Path,
    /// The binary; without it only what needs none is measured.
    pub hornet: Option<&'o Path>,
    /// Folders of contracts to verify, each function on its own.
    pub modular: &'o [PathBuf],
    /// Folders of contracts to verify as users do.
    pub usual: &'o [PathBuf],
}

pub fn run(options: &Options<'_>, out: &mut impl Write) -> io::Result<()> {
    front_end(&options.packages.join("oz5"), out)?;
    bench_gas::run(out)?;
    let Some(hornet) = options.hornet else { return Ok(()) };
    let started = start_up(hornet, out)?;
    bench_gas::tables(hornet, options.packages, out)?;
    options.modular.iter().try_for_each(|folder| bench_verify::modular(hornet, folder, started, out))?;
    options.usual.iter().try_for_each(|folder| bench_verify::usual(hornet, folder, out))
}

/// All files of a package together, on one core: the best of a few rounds, as the others measure the machine.
fn front_end(package: &Path, out: &mut impl Write) -> io::Result<()> {
    let files = solidity_files(package);
    let mut best = [Duration::MAX; 2];
    let mut lines = 0;
    let mut lowered = false;
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let loaded = Loader::new(LoadOptions::plain(package)).load_paths(&files);
        let parsed = started.elapsed();
        lines = loaded.map.files().map(|(_, file)| file.text.lines().count()).sum();
        let compiled = compile(loaded, lower::Options::default());
        lowered = !compiled.diagnostics.iter().any(|d| d.severity == Severity::Error);
        best = [best[0].min(parsed), best[1].min(started.elapsed())];
    }
    let speed = |time: Duration| lines as f64 / time.as_secs_f64();
    writeln!(
        out,
        "front end: {} files, {lines} lines{}",
        files.len(),
        if lowered { "" } else { " (with errors)" }
    )?;
    writeln!(out, "  read and parse: {:.0} lines/s", speed(best[0]))?;
    writeln!(out, "  read, parse, resolve, type and lower: {:.0} lines/s", speed(best[1]))
}

fn start_up(hornet: &Path, out: &mut impl Write) -> io::Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..20 {
        let started = Instant::now();
        Command::new(hornet).arg("--version").stdout(Stdio::null()).status()?;
        times.push(started.elapsed());
    }
    times.sort();
    writeln!(
        out,
        "start-up: {:.1} ms (median of {})",
        times[times.len() / 2].as_secs_f64() * 1e3,
        times.len()
    )?;
    Ok(times[times.len() / 2])
}
