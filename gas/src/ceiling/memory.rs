//! What memory holds: the writes of a path, newest last. Reading goes back through them as far as it can be sure.

use hornet_evm::U256;

use super::facts::Facts;
use super::term::{Piece, Term, Terms};
use super::wide::Wide;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Write {
    /// A whole word.
    Word { at: Term, value: Term },
    /// A part of the call's data.
    Calldata { at: Term, len: Term, from: Term },
    /// No write: somebody looked, and it was this.
    Read { at: Term, value: Term },
    /// Anything from here on, up to an end if there is one.
    Unknown { at: Term, len: Option<Term> },
}

/// Where one piece of memory lies, seen from another.
enum Seen {
    Apart,
    /// It begins this many bytes after the other does (before, if negative).
    Shifted(i64),
    Unclear,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    pub writes: Vec<Write>,
}

const WORD: i64 = 32;

impl Memory {
    pub fn store(&mut self, at: Term, value: Term) {
        // The same place again: what was there is of no use any more, if nobody wrote between.
        if let Some(Write::Word { at: last, .. }) = self.writes.last()
            && *last == at
        {
            self.writes.pop();
        }
        self.writes.push(Write::Word { at, value });
    }

    /// The word at a place, if the writes say what it is.
    pub fn load(&self, terms: &mut Terms, facts: &Facts, at: Term) -> Option<Term> {
        let pieces = self.bytes(terms, facts, at, WORD)?;
        Some(terms.joined(pieces))
    }

    /// The bytes from a place on, if the writes say what they are.
    pub fn bytes(&self, terms: &mut Terms, facts: &Facts, at: Term, len: i64) -> Option<Vec<Piece>> {
        let mut found: Vec<(i64, Piece)> = Vec::new();
        let mut missing = vec![(0, len)];
        for write in self.writes.iter().rev() {
            if missing.is_empty() {
                break;
            }
            match self.seen(terms, facts, write, at, len) {
                Seen::Apart => {}
                Seen::Unclear => return None,
                Seen::Shifted(shift) => {
                    let mut still = Vec::new();
                    for (from, to) in missing {
                        let (begin, end) = match write {
                            Write::Word { .. } => (from.max(shift), to.min(shift + WORD)),
                            _ => (from, to),
                        };
                        if begin >= end {
                            still.push((from, to));
                            continue;
                        }
                        still.extend([(from, begin), (end, to)].into_iter().filter(|(a, b)| a < b));
                        take(terms, write, shift, begin, end, &mut found)?;
                    }
                    missing = still;
                }
            }
        }
        // Nobody ever wrote there.
        for (from, to) in missing {
            zeros(from, to, &mut found);
        }
        found.sort_unstable_by_key(|(at, _)| *at);
        Some(merged(found.into_iter().map(|(_, piece)| piece)))
    }

    fn seen(&self, terms: &mut Terms, facts: &Facts, write: &Write, at: Term, len: i64) -> Seen {
        let (start, size) = match *write {
            Write::Word { at, .. } => (at, Some(terms.small(WORD as u64))),
            Write::Read { at: known, .. } if known == at && len == WORD => return Seen::Shifted(0),
            Write::Read { .. } => return Seen::Apart,
            Write::Calldata { at, len, .. } => (at, Some(len)),
            Write::Unknown { at, len } => (at, len),
        };
        let shift = terms.sub(start, at);
        let shift = facts.constant(terms, shift);
        if let Some(word) = terms.as_const(shift)
            && let Some(shift) = Wide::from_signed(word).to_number().and_then(|n| i64::try_from(n).ok())
        {
            return match write {
                Write::Word { .. } if shift >= len || shift + WORD <= 0 => Seen::Apart,
                Write::Word { .. } => Seen::Shifted(shift),
                _ if shift >= len => Seen::Apart,
                _ if self.ends_before(terms, facts, start, size, at) => Seen::Apart,
                // Only a read that lies wholly inside a copy is followed.
                Write::Calldata { len: copied, .. } if shift <= 0 => {
                    let enough = facts.range(terms, *copied).low >= U256::from(len - shift);
                    if enough { Seen::Shifted(shift) } else { Seen::Unclear }
                }
                _ => Seen::Unclear,
            };
        }
        if is_at_least(terms, facts, shift, len) || self.ends_before(terms, facts, start, size, at) {
            return Seen::Apart;
        }
        Seen::Unclear
    }

    fn ends_before(
        &self,
        terms: &mut Terms,
        facts: &Facts,
        start: Term,
        size: Option<Term>,
        at: Term,
    ) -> bool {
        let Some(size) = size else { return false };
        let end = terms.add(start, size);
        let gap = terms.sub(at, end);
        is_at_least(terms, facts, gap, 0)
    }
}

/// Addresses are less than 2^42, so a difference of whole numbers that is not huge is the difference of the words.
fn is_at_least(terms: &Terms, facts: &Facts, difference: Term, least: i64) -> bool {
    let (low, high) = facts.span(terms, difference);
    low >= Wide::from_number(least.into()) && high < Wide::from_word(U256::ONE << 255)
}

/// Bytes from `begin` to `end` of what is read, out of a write.
fn take(
    terms: &mut Terms,
    write: &Write,
    shift: i64,
    begin: i64,
    end: i64,
    found: &mut Vec<(i64, Piece)>,
) -> Option<()> {
    match *write {
        Write::Word { value, .. } | Write::Read { value, .. } => {
            let piece = Piece { word: value, from: (begin - shift) as u8, len: (end - begin) as u8 };
            found.push((begin, piece));
        }
        Write::Calldata { from, .. } => {
            let mut next = begin;
            while next < end {
                let len = WORD.min(end - next);
                let place = terms.plus(from, next - shift);
                let word = terms.calldata(place);
                found.push((next, Piece { word, from: 0, len: len as u8 }));
                next += len;
            }
        }
        Write::Unknown { .. } => return None,
    }
    Some(())
}

fn zeros(from: i64, to: i64, found: &mut Vec<(i64, Piece)>) {
    let mut next = from;
    while next < to {
        let len = WORD.min(to - next);
        found.push((next, Piece { word: Term::ZERO, from: 0, len: len as u8 }));
        next += len;
    }
}

/// Neighbours in a word that are neighbours here are one piece.
fn merged(pieces: impl Iterator<Item = Piece>) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if last.word == piece.word && last.from + last.len == piece.from => {
                last.len += piece.len;
            }
            _ => merged.push(piece),
        }
    }
    merged
}
