//! `--watch`: verifies again whenever a source changes.

use super::{interrupt, run_once};
use crate::Exit;
use crate::args::VerifyArgs;
use crate::files::sources_at;
use crate::project::Given;
use hornet_ir::span::SourceMap;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// How often somebody looks.
const GLANCE: Duration = Duration::from_millis(250);

/// When each file was last written to.
type Times = BTreeMap<PathBuf, Option<SystemTime>>;

/// Ends when somebody asks for it.
pub fn run(args: &VerifyArgs, given: &Given) -> Exit {
    let mut imported = Vec::new();
    loop {
        let before = times(args, &imported);
        let exit = run_once(args.clone(), given, |sources| imported = paths(sources));
        if exit == Exit::Interrupted {
            return exit;
        }
        eprintln!("hornet: waiting for changes; Ctrl-C ends");
        // What was imported for the first time is looked at from now on.
        let mut known = times(args, &imported);
        known.extend(before);
        while times(args, &imported) == known {
            if interrupt::asked() {
                return Exit::Interrupted;
            }
            std::thread::sleep(GLANCE);
        }
    }
}

/// Where sources were read from, as far as their names tell.
fn paths(sources: &SourceMap) -> Vec<PathBuf> {
    sources.files().map(|(_, file)| PathBuf::from(&file.name)).filter(|path| path.is_file()).collect()
}

/// Of the files asked for, which may be new ones, and of what they import.
fn times(args: &VerifyArgs, imported: &[PathBuf]) -> Times {
    let asked_for = sources_at(&args.paths).unwrap_or_else(|_| args.paths.clone());
    let written = |path: &PathBuf| std::fs::metadata(path).and_then(|about| about.modified()).ok();
    asked_for.into_iter().chain(imported.iter().cloned()).map(|path| (path.clone(), written(&path))).collect()
}
