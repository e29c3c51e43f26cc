//! Parses every `.sol` file under the given folders and prints what fails and how fast it went:
//! `cargo run --release -p hornet-frontend --example parse -- DIR…`

use std::path::{Path, PathBuf};
use std::time::Instant;

use hornet_frontend::parse::{parse_file, with_big_stack};
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_ir::span::SourceMap;

fn main() {
    let mut paths = Vec::new();
    std::env::args().skip(1).for_each(|arg| collect(Path::new(&arg), &mut paths));
    paths.sort();
    with_big_stack(|| {
        run(&paths);
        load(&paths);
    });
}

/// The same files with their imports followed, as the projects they belong to say.
fn load(paths: &[PathBuf]) {
    let Some(first) = paths.first() else { return };
    let start = Instant::now();
    let loaded = Loader::new(LoadOptions::for_source(first)).load_paths(paths);
    println!("{} files loaded in {:.3} s", loaded.files.len(), start.elapsed().as_secs_f64());
    for found in loaded.diagnostics.iter().take(10) {
        let file = found.span.map_or("", |span| &loaded.map.file(span.file).name);
        println!("{file}: {}: {}", found.message, found.help.as_deref().unwrap_or(""));
    }
}

fn run(paths: &[PathBuf]) {
    let mut map = SourceMap::default();
    let mut several = 0;
    for path in paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if text.contains("==== Source: ") || text.contains("==== ExternalSource: ") {
            several += 1;
            continue;
        }
        map.add(path.display().to_string(), text);
    }
    let lines: usize = map.files().map(|(_, file)| file.text.lines().count()).sum();
    let (mut good, mut bad) = (0, 0);
    let start = Instant::now();
    for (id, file) in map.files() {
        match parse_file(&map, id) {
            Ok(_) => good += 1,
            Err(errors) => {
                bad += 1;
                for error in errors.iter().take(2) {
                    let at = error.span.map_or(0, |span| span.start as usize);
                    let line = file.text[..at].matches('\n').count() + 1;
                    println!("{}:{line}: {}", file.name, error.message);
                }
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{good} parsed, {bad} failed, {several} with several sources skipped");
    println!("{lines} lines in {seconds:.3} s, {:.0} lines per second", lines as f64 / seconds);
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), into));
    } else if path.extension().is_some_and(|e| e == "sol") {
        into.push(path.to_path_buf());
    }
}
