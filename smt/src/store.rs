//! Answers that were given before, on disk: each is in a file that is named by the hash of its question.
//!
//! Any number of programs may use a folder at the same time, and any of them may be killed: files appear whole, under
//! their final name, and one that is damaged is as good as none. A folder that cannot be written to remembers nothing.

use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// What is kept in a folder, at most; what nobody asked for the longest goes first.
const MOST_BYTES: u64 = 256 << 20;
/// Files that somebody began to write and never finished are removed after this time.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);
const UNFINISHED: &str = ".tmp";
/// Of a hash, as text.
const HASH_LENGTH: usize = 64;

#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    /// Answers of other versions are answers to other questions.
    version: String,
}

impl Store {
    /// `version` names everything beside the question that the answer depends on.
    pub fn new(folder: PathBuf, version: impl Into<String>) -> Store {
        Store { folder, version: version.into() }
    }

    /// What was answered to a question, given in parts.
    pub fn get(&self, question: &[&[u8]]) -> Option<Vec<u8>> {
        let path = self.path(question);
        let mut file = File::open(&path).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let (hash, answer) = bytes.split_at_checked(HASH_LENGTH)?;
        if hash != hash_of(&[answer]).as_bytes() {
            let _ = fs::remove_file(&path);
            return None;
        }
        // Somebody still needs it.
        let _ = file.set_modified(SystemTime::now());
        Some(answer.to_vec())
    }

    /// Remembers an answer if that is possible.
    pub fn put(&self, question: &[&[u8]], answer: &[u8]) {
        // An answer that cannot be kept will be found again.
        let _ = self.write(&self.path(question), answer);
    }

    /// Throws out what is old, if there is too much.
    pub fn tidy(&self) {
        let _ = self.keep_at_most(MOST_BYTES);
    }

    fn path(&self, question: &[&[u8]]) -> PathBuf {
        let parts: Vec<&[u8]> =
            std::iter::once(self.version.as_bytes()).chain(question.iter().copied()).collect();
        let name = hash_of(&parts);
        self.folder.join(&name[..2]).join(&name[2..])
    }

    fn write(&self, path: &Path, answer: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let Some(folder) = path.parent() else { return Ok(()) };
        fs::create_dir_all(folder)?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let unfinished = folder.join(format!("{}-{number}{UNFINISHED}", std::process::id()));
        let written = File::create(&unfinished).and_then(|mut file| {
            file.write_all(hash_of(&[answer]).as_bytes())?;
            file.write_all(answer)
        });
        let moved = written.and_then(|()| fs::rename(&unfinished, path));
        if moved.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        moved
    }

    fn keep_at_most(&self, most: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for folder in fs::read_dir(&self.folder)? {
            let folder = folder?.path();
            if !folder.is_dir() {
                continue;
            }
            for file in fs::read_dir(folder)? {
                let file = file?;
                // Others may be tidying up, too.
                let Ok(about) = file.metadata() else { continue };
                let age = about.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
                let is_unfinished = file.file_name().to_string_lossy().ends_with(UNFINISHED);
                if is_unfinished && age > FORGOTTEN {
                    let _ = fs::remove_file(file.path());
                } else if !is_unfinished {
                    files.push((age, about.len(), file.path()));
                }
            }
        }
        let mut all: u64 = files.iter().map(|(_, size, _)| size).sum();
        files.sort();
        while all > most
            && let Some((_, size, path)) = files.pop()
        {
            let _ = fs::remove_file(path);
            all -= size;
        }
        Ok(())
    }
}

/// Of parts, each of which has its length before it: no two lists are the same bytes.
fn hash_of(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is gone at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let folder = std::env::temp_dir().join(format!("hornet-store-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Scratch(folder)
        }

        fn store(&self, version: &str) -> Store {
            Store::new(self.0.clone(), version)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn questions_are_told_apart() {
        let scratch = Scratch::new("apart");
        let store = scratch.store("1");
        store.put(&[b"a", b"bc"], b"yes");
        assert_eq!(store.get(&[b"a", b"bc"]).as_deref(), Some(b"yes".as_slice()));
        assert_eq!(store.get(&[b"ab", b"c"]), None);
        assert_eq!(store.get(&[b"abc"]), None);
        assert_eq!(scratch.store("2").get(&[b"a", b"bc"]), None);
    }

    #[test]
    fn damaged_answers_are_none() {
        let scratch = Scratch::new("damaged");
        let store = scratch.store("1");
        for damage in [b"".as_slice(), b"proved", &[b'0'; 80]] {
            store.put(&[b"q"], b"proved");
            fs::write(store.path(&[b"q"]), damage).unwrap();
            assert_eq!(store.get(&[b"q"]), None);
        }
    }

    #[test]
    fn the_oldest_go_first() {
        let scratch = Scratch::new("oldest");
        let store = scratch.store("1");
        let questions: Vec<[u8; 1]> = (0..8).map(|n| [n]).collect();
        for (n, question) in questions.iter().enumerate() {
            store.put(&[question], &[0; 1000]);
            let file = File::options().write(true).open(store.path(&[question])).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(1000 - n as u64)).unwrap();
        }
        // Whoever is asked for is not old.
        assert!(store.get(&[&questions[0]]).is_some());
        store.keep_at_most(4 * (1000 + HASH_LENGTH as u64)).unwrap();
        let kept: Vec<usize> = (0..8).filter(|n| store.get(&[&questions[*n]]).is_some()).collect();
        assert_eq!(kept, [0, 5, 6, 7]);
    }

    #[test]
    fn many_at_once() {
        let scratch = Scratch::new("many");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let store = scratch.store("1");
                    for n in 0..100u8 {
                        store.put(&[&[n]], &[n; 300]);
                        assert_eq!(store.get(&[&[n]]), Some(vec![n; 300]));
                    }
                });
            }
        });
    }

    #[test]
    fn nowhere_to_write() {
        let store = Store::new("/dev/null/nowhere".into(), "1");
        store.put(&[b"q"], b"a");
        assert_eq!(store.get(&[b"q"]), None);
        store.tidy();
    }
}
