//! What an edit leaves where it was: places of an older text in a newer one.

use std::ops::Range;

/// Two texts agree up to a place and from a place on; between them nothing is known to be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drift {
    same_before: usize,
    /// Where the common end begins, in either text.
    old_rest: usize,
    new_rest: usize,
}

impl Drift {
    pub fn between(old: &str, new: &str) -> Drift {
        let common = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(x, y)| x == y).count();
        let same_before = common(&mut old.bytes().zip(new.bytes()));
        let most = old.len().min(new.len()) - same_before;
        let same_after = common(&mut old.bytes().rev().zip(new.bytes().rev())).min(most);
        Drift { same_before, old_rest: old.len() - same_after, new_rest: new.len() - same_after }
    }

    /// Where a part of the old text is now; `None` if it is not as it was.
    pub fn forward(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if range.end <= self.same_before {
            Some(range.clone())
        } else if range.start >= self.old_rest {
            let moved = |at: usize| at - self.old_rest + self.new_rest;
            Some(moved(range.start)..moved(range.end))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_what_is_before_them() {
        let (old, new) = ("f() {} g() { 1 } h() {}", "f() {} g() { 1 + 2 } h() {}");
        let drift = Drift::between(old, new);
        let moved = |part: &str| {
            let at = old.find(part).unwrap();
            drift.forward(&(at..at + part.len())).map(|range| &new[range])
        };
        assert_eq!(moved("f() {}"), Some("f() {}"));
        assert_eq!(moved("h() {}"), Some("h() {}"));
        assert_eq!(moved("g() { 1 }"), None);
    }

    #[test]
    fn whatever_is_kept_has_the_same_text() {
        let texts = ["", "a", "aa", "aba", "abba", "ab\u{e4}ba", "ba", "aab"];
        for old in texts {
            for new in texts {
                let drift = Drift::between(old, new);
                for (start, end) in (0..=old.len()).flat_map(|s| (s..=old.len()).map(move |e| (s, e))) {
                    if let Some(range) = drift.forward(&(start..end)) {
                        assert_eq!(old.as_bytes()[start..end], new.as_bytes()[range], "{old} {new}");
                    }
                }
                assert_eq!(old == new, drift.forward(&(0..old.len())) == Some(0..new.len()), "{old} {new}");
            }
        }
    }
}
