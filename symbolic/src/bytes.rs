//! Byte strings: a length, and an array that is zero from there on.

use crate::context::Context;
use crate::eval::one;
use crate::tree::Tree;
use hornet_ir::U256;
use hornet_ir::expr::BinOp;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, TermId};

/// Longer constants are unknown bytes of that length and name: writing them out would not help any proof.
const MAX_CONSTANT: usize = 512;

impl Context<'_> {
    pub(crate) fn bytes_const(&mut self, bytes: &[u8]) -> Tree {
        let length = self.word(bytes.len() as u64);
        if bytes.len() > MAX_CONSTANT {
            let digest = hornet_ir::hash::keccak256(bytes);
            let name = format!("bytes_{:x}", U256::from_be_bytes(digest));
            return [length, self.unknown_bytes(&name)[1]].into();
        }
        let mut data = self.no_bytes();
        for (i, byte) in bytes.iter().enumerate() {
            let index = self.word(i as u64);
            let value = self.byte(*byte);
            data = self.terms.store(data, index, value);
        }
        [length, data].into()
    }

    /// Call data of which it is known what function it is for.
    pub(crate) fn with_selector(&mut self, data: &Tree, selector: [u8; 4]) -> Tree {
        let mut contents = data[1];
        for (i, byte) in selector.iter().enumerate() {
            let (at, byte) = (self.word(i as u64), self.byte(*byte));
            contents = self.terms.store(contents, at, byte);
        }
        [data[0], contents].into()
    }

    pub(crate) fn byte(&mut self, value: u8) -> TermId {
        // As the EVM holds `bytes1`: left-aligned.
        self.constant(&Type::FixedBytes(1), U256::from(value) << 248)
    }

    /// The bytes that the terms spell out, if they do.
    pub(crate) fn known_bytes(&mut self, tree: &Tree) -> Option<Vec<u8>> {
        let length = self.known_word(tree[0]).filter(|n| *n <= MAX_CONSTANT as u64)? as usize;
        let mut bytes = vec![0; length];
        let mut data = tree[1];
        let mut seen = vec![false; length];
        loop {
            match (self.terms.op(data).clone(), self.terms.args(data).to_vec().as_slice()) {
                (Op::ConstArray, &[value]) => {
                    let rest = self.known_word(value)? as u8;
                    bytes.iter_mut().zip(&seen).filter(|(_, seen)| !**seen).for_each(|(b, _)| *b = rest);
                    return Some(bytes);
                }
                (Op::Store, &[inner, index, value]) => {
                    let (index, value) = (self.known_word(index)? as usize, self.known_word(value)?);
                    if index < length && !seen[index] {
                        (bytes[index], seen[index]) = (value as u8, true);
                    }
                    data = inner;
                }
                _ => return None,
            }
        }
    }

    /// The number that a constant term is.
    pub(crate) fn known_word(&self, term: TermId) -> Option<u64> {
        match self.terms.op(term) {
            Op::Int(value) => value.try_into().ok(),
            Op::BitVec(value, _) => value.try_into().ok(),
            _ => None,
        }
    }

    /// Bytes of a name, about which nothing is known.
    pub(crate) fn unknown_bytes(&mut self, name: &str) -> Tree {
        let shape = self.bytes_shape();
        let sorts: Vec<_> = shape.iter().map(|leaf| self.leaf_sort(leaf)).collect();
        let length = self.terms.symbol(&format!("{name}.length"), sorts[0].clone());
        let data = self.terms.symbol(&format!("{name}.data"), sorts[1].clone());
        let open = std::mem::take(&mut self.open_facts);
        self.admit(&crate::LeafKind::Length, length);
        let tree: Tree = [length, data].into();
        self.canonical_bytes(&shape, &tree);
        self.open_facts = open;
        tree
    }

    pub fn fresh_bytes(&mut self, hint: &str) -> Tree {
        let shape = self.bytes_shape();
        self.fresh_leaves(hint, &shape)
    }

    /// `bytesN(b)`: the first N bytes, zero beyond the end.
    pub(crate) fn leading_bytes(&mut self, bytes: &Tree, n: u8) -> TermId {
        let target = Type::FixedBytes(n);
        let word = crate::context::WORD;
        let mut sum = self.ints.zero(&mut self.terms, &target);
        for i in 0..n {
            let index = self.word(u64::from(i));
            let byte = self.terms.select(bytes[1], index);
            self.admit_byte(byte);
            // `bytes1` to `bytesN` puts the byte first; then it moves to its place.
            let wide = self.ints.cast(&mut self.terms, &Type::FixedBytes(1), &target, byte);
            let amount = self.constant(&word, U256::from(8 * u32::from(i)));
            let moved = self.ints.binary(&mut self.terms, BinOp::Shr, (&target, wide), (&word, amount), true);
            sum = self.combined(sum, moved);
        }
        sum
    }

    /// Numbers without common bits put together.
    fn combined(&mut self, a: TermId, b: TermId) -> TermId {
        match self.terms.sort(a) {
            hornet_smt::term::Sort::BitVec(_) => self.terms.bv_or(a, b),
            _ => self.terms.add(a, b),
        }
    }

    fn admit_byte(&mut self, byte: TermId) {
        let leaf = crate::Leaf { kind: crate::LeafKind::Byte, indices: Vec::new(), in_mapping: false };
        self.admit_loaded(&[leaf], &one(byte));
    }

    /// `length` bytes from `start` on.
    pub(crate) fn slice(&mut self, bytes: &Tree, start: TermId, length: TermId) -> Tree {
        let zero = self.word(0);
        if start == zero && length == bytes[0] {
            return bytes.clone();
        }
        let i = self.fresh_index();
        let inside = self.in_bounds(i, zero, length);
        let at = self.word_sum(start, i);
        let element = self.terms.select(bytes[1], at);
        let blank = self.byte(0);
        let body = self.terms.ite(inside, element, blank);
        [length, self.terms.lambda(i, body)].into()
    }

    /// `a` followed by `b`.
    pub(crate) fn concat(&mut self, a: &Tree, b: &Tree) -> Tree {
        let length = self.word_sum(a[0], b[0]);
        let i = self.fresh_index();
        let zero = self.word(0);
        let in_first = self.in_bounds(i, zero, a[0]);
        let first = self.terms.select(a[1], i);
        let offset = self.word_difference(i, a[0]);
        let second = self.terms.select(b[1], offset);
        let body = self.terms.ite(in_first, first, second);
        [length, self.terms.lambda(i, body)].into()
    }

    /// Lengths and positions never come near the end of the range.
    pub(crate) fn word_sum(&mut self, a: TermId, b: TermId) -> TermId {
        match self.terms.sort(a) {
            hornet_smt::term::Sort::BitVec(_) => self.terms.bv_add(a, b),
            _ => self.terms.add(a, b),
        }
    }

    pub(crate) fn word_difference(&mut self, a: TermId, b: TermId) -> TermId {
        match self.terms.sort(a) {
            hornet_smt::term::Sort::BitVec(_) => self.terms.bv_sub(a, b),
            _ => self.terms.sub(a, b),
        }
    }
}
