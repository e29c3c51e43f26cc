//! Runs the front end up to the typed program over files and folders and prints what it reports:
//! `cargo run --release -p hornet-frontend --example analyze -- [-q] [--project] PATH…`. Test files with several
//! sources (`==== Source: name ====`) are split; `--project` loads everything at once, with imports from disk.

use hornet_frontend::parse::with_big_stack;
use hornet_frontend::sema;
use hornet_frontend::source::{LoadOptions, LoadedSources, Loader};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let quiet = args.iter().any(|a| a == "-q");
    let mut files = Vec::new();
    for arg in args.iter().filter(|a| !a.starts_with('-')) {
        find(Path::new(arg), &mut files);
    }
    files.sort();
    let project = args.iter().any(|a| a == "--project");
    let mut report = Report { quiet, ..Report::default() };
    with_big_stack(move || {
        if project {
            report.project(&files);
        } else {
            files.iter().for_each(|path| report.file(path));
        }
        report.print();
    });
}

fn find(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            find(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "sol") {
        files.push(path.to_path_buf());
    }
}

#[derive(Default)]
struct Report {
    quiet: bool,
    messages: BTreeMap<String, usize>,
    files: usize,
    clean: usize,
    lines: usize,
    load_time: Duration,
    analysis_time: Duration,
}

impl Report {
    fn file(&mut self, path: &Path) {
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let start = Instant::now();
        let mut loader = Loader::new(LoadOptions::in_memory());
        let sources = split(path, &text);
        for (name, text) in &sources {
            loader.add_source(name.clone(), text.clone());
        }
        let loaded = loader.load_names(sources.iter().map(|(name, _)| name.as_str()));
        self.load_time += start.elapsed();
        self.analyze(&loaded);
    }

    fn project(&mut self, paths: &[PathBuf]) {
        let Some(first) = paths.first() else { return };
        let start = Instant::now();
        let loaded = Loader::new(LoadOptions::for_source(first)).load_paths(paths);
        self.load_time += start.elapsed();
        self.analyze(&loaded);
    }

    fn analyze(&mut self, loaded: &LoadedSources) {
        let start = Instant::now();
        let (_hir, found) = sema::analyze(loaded);
        self.analysis_time += start.elapsed();
        let found: Vec<_> = loaded.diagnostics.iter().chain(&found).collect();
        self.files += 1;
        self.clean += usize::from(found.is_empty());
        self.lines += loaded.map.files().map(|(_, f)| f.text.lines().count()).sum::<usize>();
        for diagnostic in found {
            *self.messages.entry(diagnostic.message.clone()).or_default() += 1;
            if !self.quiet {
                let place = diagnostic.span.map(|span| {
                    let file = loaded.map.file(span.file);
                    let line = file.text.get(..span.start as usize).unwrap_or("").lines().count();
                    format!(
                        "{}:{line}: `{}`",
                        file.name,
                        loaded.map.snippet(span).lines().next().unwrap_or("")
                    )
                });
                println!("{}: {}", place.unwrap_or_default(), diagnostic.message);
            }
        }
    }

    fn print(self) {
        let mut messages: Vec<_> = self.messages.into_iter().collect();
        messages.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (message, count) in messages.iter().take(40) {
            println!("{count:6} {message}");
        }
        println!(
            "{} programs, {} without findings; {} lines; load {:?}, analysis {:?}",
            self.files, self.clean, self.lines, self.load_time, self.analysis_time
        );
    }
}

/// The sources in one test file, by name.
fn split(path: &Path, text: &str) -> Vec<(String, String)> {
    let mut sources: Vec<(String, String)> = Vec::new();
    let mut default = String::new();
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix("==== Source:") {
            sources.push((name.trim_end_matches('=').trim().to_string(), String::new()));
        } else if let Some(external) = trimmed.strip_prefix("==== ExternalSource:") {
            let external = external.trim_end_matches('=').trim();
            let (name, file) = external.split_once('=').unwrap_or((external, external));
            let file = path.parent().unwrap_or(path).join(file);
            sources.push((name.to_string(), std::fs::read_to_string(file).unwrap_or_default()));
            sources.push((String::new(), String::new()));
        } else {
            match sources.last_mut() {
                Some((_, text)) => text.push_str(line),
                None => default.push_str(line),
            }
        }
    }
    sources.retain(|(name, text)| !name.is_empty() || !text.trim().is_empty());
    if sources.is_empty() {
        sources.push((path.display().to_string(), default));
    }
    sources
}
