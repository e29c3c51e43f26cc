//! The book in `docs` tells the truth: its examples are judged as it says, its transcripts are what the binary prints, and
//! every link, file and test that it names is there. `HORNET_BLESS=1` (or `make bless`) writes verdicts and transcripts anew.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What mdBook reads first: the list of chapters.
const SUMMARY: &str = "SUMMARY.md";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn book() -> PathBuf {
    repository().join("docs/src")
}

/// The files of a folder of the book with this extension, by name.
fn files(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(book().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let wanted = entries.filter(|path| path.extension().is_some_and(|e| e == extension));
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    wanted.map(named).collect()
}

fn hornet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(args)
        .current_dir(book().join("examples"))
        .output()
        .unwrap()
}

/// Compares with a file of the book, or writes it.
fn compare(file: &Path, actual: &str, wrong: &mut Vec<String>) {
    if std::env::var_os("HORNET_BLESS").is_some() {
        std::fs::write(file, actual).unwrap();
    } else if std::fs::read_to_string(file).unwrap_or_default() != actual {
        wrong.push(format!("{} should be\n{actual}", file.display()));
    }
}

#[test]
fn examples_are_judged_as_the_book_says() {
    // Time enough for a busy machine; where a run cannot be watched, a part of it is spent in vain.
    let output = hornet(&["verify", ".", "--root", ".", "--timeout", "40", "--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(json["diagnostics"], Value::Array(Vec::new()));
    let mut wrong = Vec::new();
    for name in files("examples", "sol").keys() {
        let verdicts = verdicts(&json, name);
        assert!(verdicts.contains(['✓', '✗']), "nothing was verified in {name}");
        compare(&book().join("examples").join(name).with_extension("verdicts"), &verdicts, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said of each function of a file; those that nobody wrote are mentioned where something is wrong with them.
fn verdicts(json: &Value, file: &str) -> String {
    let in_file = |row: &&Value| text(&row["location"]["file"]).trim_start_matches("./") == file;
    let qualified = |row: &Value| format!("{}.{}", text(&row["contract"]), text(&row["function"]));
    let mut rows: Vec<(&str, String, String)> = Vec::new();
    for function in json["functions"].as_array().unwrap().iter().filter(in_file) {
        let name = qualified(function);
        let checks = json["checks"].as_array().unwrap().iter().filter(|check| qualified(check) == name);
        let (proved, open): (Vec<&Value>, Vec<&Value>) =
            checks.partition(|check| check["verdict"] == "proved");
        if open.is_empty() && !proved.is_empty() && !text(&function["function"]).starts_with('[') {
            rows.push(("✓", name.clone(), format!("{} proved", proved.len())));
        }
        for check in open {
            let mark = if check["verdict"] == "violated" { "✗" } else { "?" };
            let seen = if check["confirmed"] == true { " (confirmed on the EVM)" } else { "" };
            rows.push((mark, name.clone(), format!("{}{seen}", text(&check["message"]))));
        }
    }
    let width = rows.iter().map(|(_, name, _)| name.len()).max().unwrap_or(0);
    rows.iter().map(|(mark, name, what)| format!("{mark} {name:width$}   {what}\n")).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

#[test]
fn transcripts_are_what_is_printed() {
    let mut wrong = Vec::new();
    for (name, transcript) in files("transcripts", "txt") {
        let command = transcript.lines().next().unwrap_or_default();
        let words = command.strip_prefix("$ hornet ").unwrap_or_else(|| panic!("{name}: {command}"));
        let output = hornet(&split(words).iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let actual = format!("{command}\n{}", String::from_utf8_lossy(&output.stdout));
        compare(&book().join("transcripts").join(&name), &actual, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words of a command; what stands between single quotes is one word.
fn split(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    let words = parts.flat_map(|(i, part)| match i % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// A chapter, as far as others refer to it or it refers to others.
#[derive(Default)]
struct Chapter {
    titles: usize,
    anchors: BTreeSet<String>,
    links: Vec<String>,
    code: Vec<String>,
}

impl Chapter {
    fn read(markdown: &str) -> Chapter {
        let mut chapter = Chapter::default();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(markdown, pulldown_cmark::Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    chapter.titles += usize::from(level == HeadingLevel::H1);
                    heading = Some(String::new());
                }
                Event::End(TagEnd::Heading(_)) => {
                    chapter.anchors.extend(heading.take().map(|title| anchor(&title)));
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    chapter.links.push(dest_url.into_string());
                }
                Event::Text(words) => heading.iter_mut().for_each(|title| title.push_str(&words)),
                Event::Code(words) => {
                    heading.iter_mut().for_each(|title| title.push_str(&words));
                    chapter.code.push(words.into_string());
                }
                _ => {}
            }
        }
        chapter
    }
}

/// What mdBook makes of a title.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

fn includes(markdown: &str) -> impl Iterator<Item = &str> {
    markdown.split("{{#include ").skip(1).map(|rest| rest.split("}}").next().unwrap_or_default())
}

#[test]
fn nothing_that_the_book_names_is_missing() {
    let sources = files("", "md");
    let chapters: BTreeMap<&String, Chapter> =
        sources.iter().map(|(name, markdown)| (name, Chapter::read(markdown))).collect();
    let mut wrong = Vec::new();
    for (name, chapter) in &chapters {
        let broken = chapter.links.iter().filter(|link| !resolves(name, link, &chapters));
        wrong.extend(broken.map(|link| format!("{name} links to {link}")));
        let tests = chapter.code.iter().filter(|code| code.starts_with("testdata/") && !code.contains('…'));
        wrong.extend(tests.filter(|path| !repository().join(path).exists()).map(|p| format!("{name}: {p}")));
        if chapter.titles != 1 && *name != SUMMARY {
            wrong.push(format!("{name} has {} titles", chapter.titles));
        }
    }
    let listed: BTreeSet<&str> = chapters[&SUMMARY.to_owned()].links.iter().map(String::as_str).collect();
    let unlisted = sources.keys().filter(|name| *name != SUMMARY && !listed.contains(name.as_str()));
    wrong.extend(unlisted.map(|name| format!("{name} is not in SUMMARY.md")));

    let included: BTreeSet<&str> = sources.values().flat_map(|markdown| includes(markdown)).collect();
    let missing = included.iter().filter(|file| !book().join(file).exists());
    wrong.extend(missing.map(|file| format!("{file} is included")));
    let shown = [("examples", "sol"), ("examples", "verdicts"), ("gas", "sol"), ("transcripts", "txt")];
    for (folder, extension) in shown {
        let paths = files(folder, extension).into_keys().map(|name| format!("{folder}/{name}"));
        wrong.extend(paths.filter(|p| !included.contains(p.as_str())).map(|p| format!("{p} is not shown")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn resolves(from: &str, link: &str, chapters: &BTreeMap<&String, Chapter>) -> bool {
    if link.starts_with("https://") {
        return true;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = if file.is_empty() { from } else { file };
    match chapters.get(&file.to_owned()) {
        Some(chapter) => anchor.is_empty() || chapter.anchors.contains(anchor),
        None => book().join(file).exists(),
    }
}
