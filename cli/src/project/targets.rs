//! Which files a project is about: its own sources, without tests, scripts and dependencies.

use super::Project;
use crate::files::sources_at;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

pub fn sources(project: &Project, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    if !paths.is_empty() {
        return sources_at(paths);
    }
    let settings = &project.settings;
    if project.files.is_empty() {
        return Err("no files are given, and there is no project here: `hornet.toml`, `foundry.toml` or \
                    `hardhat.config.*` make one"
            .to_owned());
    }
    let here = std::env::current_dir().and_then(std::fs::canonicalize).unwrap_or_default();
    let targets: Vec<PathBuf> = match settings.targets.value.as_slice() {
        [] => ["src", "contracts"]
            .map(PathBuf::from)
            .into_iter()
            .filter(|f| project.root.join(f).is_dir())
            .collect(),
        stated => stated.to_vec(),
    };
    let absolute: Vec<PathBuf> = targets.iter().map(|target| project.root.join(target)).collect();
    if let Some(at) = absolute.iter().position(|target| !target.exists()) {
        let (target, origin) = (targets[at].display(), &settings.targets.origin);
        return Err(format!("`{target}` is not there (where sources are: {origin})"));
    }
    let excluded: Vec<PathBuf> =
        settings.exclude.value.iter().map(|folder| project.root.join(folder)).collect();
    let mut found = sources_at(&absolute)?;
    found.retain(|file| !excluded.iter().any(|folder| file.starts_with(folder)) && !is_test(file));
    if found.is_empty() {
        return Err("the project has no sources but tests and scripts".to_owned());
    }
    Ok(found.iter().map(|file| shown(file, &here)).collect())
}

/// Whether the project has no sources but these.
pub fn are_all(project: &Project, paths: &[PathBuf]) -> bool {
    let full = |files: Vec<PathBuf>| -> HashSet<PathBuf> {
        files.into_iter().map(|file| std::fs::canonicalize(&file).unwrap_or(file)).collect()
    };
    match (sources(project, &[]), sources_at(paths)) {
        (Ok(all), Ok(given)) => full(all).is_subset(&full(given)),
        _ => false,
    }
}

/// As somebody in this folder would write it.
fn shown(file: &Path, here: &Path) -> PathBuf {
    let full = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    full.strip_prefix(here).map_or_else(|_| file.to_owned(), Path::to_owned)
}

/// Foundry's tests and scripts, wherever they are.
fn is_test(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".t.sol") || name.ends_with(".s.sol")
}
