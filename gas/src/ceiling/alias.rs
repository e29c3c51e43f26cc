//! Which slots of storage can be the same one. Hashes of different things are taken to differ.

use hornet_evm::U256;

use super::facts::Facts;
use super::term::{Node, Piece, Term, Terms};
use super::word::Range;

/// The two are certainly different words.
pub fn differ(terms: &mut Terms, facts: &Facts, a: Term, b: Term) -> bool {
    if a == b {
        return false;
    }
    let difference = terms.sub(a, b);
    if terms.as_const(difference).is_some_and(|word| !word.is_zero()) {
        return true;
    }
    if facts.range(terms, a).meet(facts.range(terms, b)).is_none() {
        return true;
    }
    let (Some(left), Some(right)) = (hash_and_offset(terms, facts, a), hash_and_offset(terms, facts, b))
    else {
        return false;
    };
    preimages_differ(terms, facts, &left, &right)
}

/// Different hashes are far apart, so that small offsets do not bring them together.
const NEAR: usize = 70;

fn hash_and_offset(terms: &Terms, facts: &Facts, term: Term) -> Option<Vec<Piece>> {
    if let Some(pieces) = terms.preimage(term) {
        return Some(pieces.to_vec());
    }
    let near = |range: Range| range.high.bit_len() <= NEAR;
    let (constant, parts) = terms.parts(term);
    let hash = parts
        .iter()
        .position(|(part, factor)| *factor == U256::ONE && matches!(terms.node(*part), Node::Keccak(_)));
    let Some(at) = hash else {
        // A constant hash, and something added to it.
        let pieces = terms.nearest_preimage(constant, NEAR)?;
        let all_near = parts
            .iter()
            .all(|(part, factor)| factor.bit_len() + facts.range(terms, *part).high.bit_len() <= NEAR);
        return all_near.then(|| pieces.to_vec());
    };
    let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
    let mut all_near = near(Range::of(constant));
    for (_, (part, factor)) in others {
        all_near &= factor.bit_len() + facts.range(terms, *part).high.bit_len() <= NEAR;
    }
    let pieces = terms.preimage(parts[at].0)?;
    all_near.then(|| pieces.to_vec())
}

fn preimages_differ(terms: &mut Terms, facts: &Facts, a: &[Piece], b: &[Piece]) -> bool {
    let len = |pieces: &[Piece]| pieces.iter().map(|piece| u64::from(piece.len)).sum::<u64>();
    if len(a) != len(b) {
        return true;
    }
    let aligned = a.len() == b.len() && a.iter().zip(b).all(|(p, q)| (p.from, p.len) == (q.from, q.len));
    aligned && a.iter().zip(b).any(|(p, q)| p.len == 32 && differ(terms, facts, p.word, q.word))
}

/// A term that stands for what it was in any round of a loop: fresh words from `mark` on become others of their range.
pub fn of_any_round(terms: &mut Terms, term: Term, mark: u32, pc: usize) -> Term {
    if terms.is_older_than(term, mark) {
        return term;
    }
    let again = |terms: &mut Terms, term| of_any_round(terms, term, mark, pc);
    match terms.node(term).clone() {
        Node::Const(_) | Node::Env(_) | Node::Immutable(_) => term,
        Node::Sum(constant, parts) => {
            let mut sum = terms.word(constant);
            for (part, factor) in parts {
                let part = again(terms, part);
                let part = terms.scaled(part, factor);
                sum = terms.add(sum, part);
            }
            sum
        }
        Node::Keccak(pieces) => {
            let pieces = pieces.iter().map(|piece| Piece { word: again(terms, piece.word), ..*piece });
            let pieces = pieces.collect();
            terms.keccak(pieces)
        }
        Node::Op(..) | Node::Calldata(_) | Node::Storage(_) | Node::Joined(_) | Node::Fresh(_) => {
            let range = terms.range(term);
            terms.any_of(pc, range)
        }
    }
}

/// Every word that `term` can be is among those that `pattern` stands for.
pub fn covers(terms: &mut Terms, facts: &Facts, pattern: Term, term: Term) -> bool {
    if pattern == term {
        return true;
    }
    if let (Node::Keccak(a), Node::Keccak(b)) = (terms.node(pattern).clone(), terms.node(term).clone()) {
        let same_shape =
            a.len() == b.len() && a.iter().zip(&b).all(|(p, q)| (p.from, p.len) == (q.from, q.len));
        return same_shape && a.iter().zip(&b).all(|(p, q)| covers(terms, facts, p.word, q.word));
    }
    let (_, parts) = terms.parts(pattern);
    let free = parts.iter().find(|(part, factor)| *factor == U256::ONE && terms.is_any(*part));
    let Some((free, _)) = free.copied() else { return false };
    let rest = terms.sub(pattern, free);
    let needed = terms.sub(term, rest);
    let range = terms.range(free);
    range == Range::FULL || range.contains(facts.range(terms, needed))
}
