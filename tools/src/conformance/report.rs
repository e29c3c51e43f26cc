//! Counting verdicts, per folder and in all.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::run::{CallResult, Verdict};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    pub same: usize,
    pub different: usize,
    pub unsupported: usize,
    pub skipped: usize,
}

impl Counts {
    fn add(&mut self, result: &CallResult) {
        match result.verdict {
            Verdict::Same => self.same += 1,
            Verdict::Different(_) => self.different += 1,
            Verdict::Unsupported(_) => self.unsupported += 1,
            Verdict::Skipped(_) => self.skipped += 1,
        }
        self.skipped += result.gas_lines;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { same, different, unsupported, skipped } = self;
        write!(f, "same {same}, different {different}, unsupported {unsupported}, skipped {skipped}")
    }
}

pub struct Report {
    root: PathBuf,
    files: Vec<(PathBuf, Vec<CallResult>)>,
}

impl Report {
    pub(super) fn new(root: &Path, files: Vec<(PathBuf, Vec<CallResult>)>) -> Report {
        Report { root: root.to_owned(), files }
    }

    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.files.iter().flat_map(|(_, results)| results).for_each(|result| total.add(result));
        total
    }

    fn name<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Folders, then the total as the last line; `list` names everything that is not the same.
    pub fn print(&self, list: bool, out: &mut impl Write) -> io::Result<()> {
        let mut folders: BTreeMap<String, Counts> = BTreeMap::new();
        for (path, results) in &self.files {
            let folder = self.name(path).parent().map(|p| p.display().to_string()).unwrap_or_default();
            let counts = folders.entry(if folder.is_empty() { ".".into() } else { folder }).or_default();
            for result in results {
                counts.add(result);
                if list {
                    self.print_result(path, result, out)?;
                }
            }
        }
        if list {
            self.print_reasons(out)?;
        }
        for (folder, counts) in &folders {
            writeln!(out, "{folder}: {counts}")?;
        }
        writeln!(out, "calls: {}", self.total())
    }

    fn print_result(&self, path: &Path, result: &CallResult, out: &mut impl Write) -> io::Result<()> {
        let (word, why) = match &result.verdict {
            Verdict::Same => return Ok(()),
            Verdict::Different(why) => ("different", why),
            Verdict::Unsupported(why) => ("unsupported", why),
            Verdict::Skipped(why) => ("skipped", why),
        };
        writeln!(out, "{word}: {} {}: {}", self.name(path).display(), result.call, why)
    }

    /// What is missing, most frequent first: the list of work to do.
    fn print_reasons(&self, out: &mut impl Write) -> io::Result<()> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for result in self.files.iter().flat_map(|(_, results)| results) {
            if let Verdict::Unsupported(why) = &result.verdict {
                *reasons.entry(why.strip_prefix("after: ").unwrap_or(why)).or_default() += 1;
            }
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(why, count)| (std::cmp::Reverse(*count), *why));
        for (why, count) in reasons {
            writeln!(out, "unsupported in {count} calls: {why}")?;
        }
        Ok(())
    }
}
