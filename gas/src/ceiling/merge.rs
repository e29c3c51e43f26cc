//! Ways that meet outside of loops: words that differ become one with a range and a bound.

use super::facts::Facts;
use super::join::{Meeting, Place, Policy};
use super::term::{Origin, Term, Terms};
use super::upper::Upper;

/// Makes new words where the two differ.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    /// Words that stand for several.
    pub holes: Vec<Term>,
    /// Only look whether the first stands for the second.
    pub only_look: bool,
}

impl Policy for Merge {
    fn combine(&mut self, meeting: &mut Meeting, _: Place, [a, b]: [Term; 2]) -> (Term, bool) {
        if a == b {
            return (a, false);
        }
        let is_hole = self.holes.contains(&a);
        let [range, other] = [(0, a), (1, b)].map(|(at, word)| meeting.facts[at].range(meeting.terms, word));
        if (!is_hole || !range.contains(other)) && self.only_look {
            return (a, true);
        }
        let pc = meeting.pc;
        let mut upper = |at: usize, word| Upper::new(meeting.terms, meeting.facts[at], pc).of(word);
        let (left, right) = (upper(0, a), upper(1, b));
        if is_hole && range.contains(other) && right.is_at_most(&left) {
            return (a, false);
        }
        if self.only_look {
            return (a, true);
        }
        let hole = meeting.terms.fresh(Origin::Varying(pc), range.join(other), Some(left.max(&right)));
        self.holes.push(hole);
        (hole, true)
    }

    fn only_looks(&self) -> bool {
        self.only_look
    }

    fn mark(&self) -> u32 {
        u32::MAX
    }

    fn lowest(&self, _: &mut Terms, _: &Facts, word: Term) -> Option<Term> {
        Some(word)
    }
}
