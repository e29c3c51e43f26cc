//! Words that a run computes, as terms over what is given from outside. Equal terms are equal words; every term has
//! one number, so that terms are compared by it.

use hornet_evm::{U256, keccak256};
use rustc_hash::FxHashMap;

use super::poly::Poly;
use super::wide::Wide;
use super::word::{Op, Range, rounded_bits};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    pub const ZERO: Term = Term(0);
    pub const ONE: Term = Term(1);

    #[cfg(test)]
    pub const fn numbered(number: u32) -> Term {
        Term(number)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// More gas than this is never given, so no run takes more steps, and none touches more memory than `MEMORY`.
pub const GAS_BITS: usize = 64;

/// Memory of `w` words costs `w²/512`: less than 2^42 bytes for all the gas there is.
pub const MEMORY_BITS: usize = 42;

/// Something that the transaction or the block says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Env {
    Address,
    Origin,
    Caller,
    CallValue,
    CallDataSize,
    GasPrice,
    Coinbase,
    Timestamp,
    Number,
    PrevRandao,
    GasLimit,
    ChainId,
    BaseFee,
    BlobBaseFee,
}

impl Env {
    fn range(self) -> Range {
        match self {
            Env::Address | Env::Coinbase => Range::bits(160),
            // Nobody holds the key of address zero, and no contract lives there.
            Env::Caller | Env::Origin => Range::new(U256::ONE, Range::bits(160).high),
            Env::CallDataSize => Range::bits(MEMORY_BITS),
            Env::Timestamp | Env::Number | Env::GasLimit | Env::ChainId => Range::bits(64),
            Env::CallValue => Range::bits(128),
            Env::GasPrice | Env::PrevRandao | Env::BaseFee | Env::BlobBaseFee => Range::FULL,
        }
    }
}

/// Some bytes of a word, counted from its most significant one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub word: Term,
    pub from: u8,
    pub len: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Const(U256),
    /// A constant and multiples of other terms (no sums themselves), modulo 2^256; sorted, without zeros.
    Sum(U256, Box<[(Term, U256)]>),
    Op(Op, Box<[Term]>),
    Env(Env),
    /// The word of the call's data at an offset.
    Calldata(Term),
    /// What storage holds at a slot when the transaction begins.
    Storage(Term),
    Keccak(Box<[Piece]>),
    /// Bytes side by side: 32 of them.
    Joined(Box<[Piece]>),
    /// Set by deployment, at this offset of the code.
    Immutable(usize),
    /// A word that nothing is known about but its [`Origin`] and range.
    Fresh(u32),
}

/// Why a word is not a term over what is given from outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Read from somewhere that is not followed: by the instruction at this offset.
    Unknown(usize),
    /// How many bytes the call at this offset gave back.
    Returned(usize),
    /// How often the loop that begins at this offset is run.
    Iterations(usize),
    /// Differs between the ways, or the rounds, that lead to this offset.
    Varying(usize),
    /// Stands for every word of its range that came up in some round of the loop at this offset.
    Any(usize),
}

#[derive(Clone, Debug)]
pub struct Fresh {
    pub origin: Origin,
    /// Something at least as large, where ways meet.
    pub upper: Option<Poly>,
}

#[derive(Clone, Debug)]
struct Info {
    node: Node,
    range: Range,
    /// One more than the number of the newest fresh word inside, or 0.
    newest: u32,
}

/// All terms of one function.
#[derive(Clone, Debug)]
pub struct Terms {
    infos: Vec<Info>,
    numbers: FxHashMap<Node, Term>,
    fresh: Vec<Fresh>,
    largest: FxHashMap<Origin, Term>,
    /// What constants are hashes of.
    preimages: FxHashMap<Term, Box<[Piece]>>,
    /// The first four bytes of the call's data, if they are given.
    selector: Option<[u8; 4]>,
}

impl Terms {
    pub fn new(selector: Option<[u8; 4]>) -> Terms {
        let mut terms = Terms {
            infos: Vec::new(),
            numbers: FxHashMap::default(),
            fresh: Vec::new(),
            largest: FxHashMap::default(),
            preimages: FxHashMap::default(),
            selector,
        };
        terms.word(U256::ZERO);
        terms.word(U256::ONE);
        terms
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.infos[term.index()].node
    }

    /// What holds of it on every path.
    pub fn range(&self, term: Term) -> Range {
        self.infos[term.index()].range
    }

    pub fn as_const(&self, term: Term) -> Option<U256> {
        match self.node(term) {
            Node::Const(word) => Some(*word),
            _ => None,
        }
    }

    pub fn as_small(&self, term: Term) -> Option<u64> {
        self.as_const(term).and_then(|word| u64::try_from(word).ok())
    }

    /// It is a function of what is given when the transaction begins.
    pub fn is_given(&self, term: Term) -> bool {
        self.infos[term.index()].newest == 0
    }

    /// Something that a bound can be stated in: given, or known when the run is over.
    pub fn is_nameable(&self, term: Term) -> bool {
        self.is_given(term) || matches!(self.origin(term), Some(Origin::Returned(_)))
    }

    /// It is computed from what the contract stores.
    pub fn is_stored(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Storage(_) => true,
            Node::Op(_, arguments) => arguments.iter().any(|argument| self.is_stored(*argument)),
            Node::Sum(_, parts) => parts.iter().any(|(part, _)| self.is_stored(*part)),
            Node::Const(_)
            | Node::Env(_)
            | Node::Calldata(_)
            | Node::Keccak(_)
            | Node::Joined(_)
            | Node::Immutable(_)
            | Node::Fresh(_) => false,
        }
    }

    /// It contains no fresh word from this number on.
    pub fn is_older_than(&self, term: Term, mark: u32) -> bool {
        self.infos[term.index()].newest <= mark
    }

    /// The number that the next fresh word gets.
    pub fn mark(&self) -> u32 {
        self.fresh.len() as u32
    }

    pub fn fresh_info(&self, number: u32) -> &Fresh {
        &self.fresh[number as usize]
    }

    pub fn origin(&self, term: Term) -> Option<Origin> {
        match self.node(term) {
            Node::Fresh(number) => Some(self.fresh[*number as usize].origin),
            _ => None,
        }
    }

    pub fn preimage(&self, term: Term) -> Option<&[Piece]> {
        match self.node(term) {
            Node::Keccak(pieces) => Some(pieces),
            _ => self.preimages.get(&term).map(|pieces| &pieces[..]),
        }
    }

    fn intern(&mut self, node: Node, range: Range) -> Term {
        if let Some(term) = self.numbers.get(&node) {
            return *term;
        }
        let newest = self.newest(&node);
        let term = Term(self.infos.len() as u32);
        self.numbers.insert(node.clone(), term);
        self.infos.push(Info { node, range, newest });
        term
    }

    fn newest(&self, node: &Node) -> u32 {
        let of = |term: &Term| self.infos[term.index()].newest;
        let pieces = |pieces: &[Piece]| pieces.iter().map(|piece| of(&piece.word)).max();
        match node {
            Node::Const(_) | Node::Env(_) | Node::Immutable(_) => None,
            Node::Sum(_, parts) => parts.iter().map(|(part, _)| of(part)).max(),
            Node::Op(_, arguments) => arguments.iter().map(of).max(),
            Node::Calldata(at) | Node::Storage(at) => Some(of(at)),
            Node::Keccak(bytes) | Node::Joined(bytes) => pieces(bytes),
            Node::Fresh(number) => Some(number + 1),
        }
        .unwrap_or(0)
    }

    pub fn word(&mut self, word: U256) -> Term {
        self.intern(Node::Const(word), Range::of(word))
    }

    pub fn small(&mut self, word: u64) -> Term {
        self.word(U256::from(word))
    }

    pub fn env(&mut self, env: Env) -> Term {
        self.intern(Node::Env(env), env.range())
    }

    pub fn immutable(&mut self, offset: usize) -> Term {
        self.intern(Node::Immutable(offset), Range::FULL)
    }

    pub fn calldata(&mut self, at: Term) -> Term {
        // Behind the end there is nothing; compilers clear memory with it.
        let size = self.env(Env::CallDataSize);
        let behind = self.sub(at, size);
        if self.as_const(behind).is_some_and(|by| !by.bit(255)) {
            return Term::ZERO;
        }
        self.intern(Node::Calldata(at), Range::FULL)
    }

    pub fn storage(&mut self, slot: Term) -> Term {
        self.intern(Node::Storage(slot), Range::FULL)
    }

    pub fn fresh(&mut self, origin: Origin, range: Range, upper: Option<Poly>) -> Term {
        let number = self.mark();
        self.fresh.push(Fresh { origin, upper });
        self.intern(Node::Fresh(number), range)
    }

    /// The largest of all words of an origin: one quantity for bounds, however many words there are.
    pub fn largest(&mut self, origin: Origin) -> Term {
        if let Some(term) = self.largest.get(&origin) {
            return *term;
        }
        let term = self.fresh(origin, Range::FULL, None);
        self.largest.insert(origin, term);
        term
    }

    pub fn unknown(&mut self, pc: usize) -> Term {
        self.fresh(Origin::Unknown(pc), Range::FULL, None)
    }

    /// Stands for all words of a range at once.
    pub fn any_of(&mut self, pc: usize, range: Range) -> Term {
        self.fresh(Origin::Any(pc), range, None)
    }

    pub fn is_any(&self, term: Term) -> bool {
        matches!(self.origin(term), Some(Origin::Any(_)))
    }

    /// What the largest hash is a hash of that lies just below a constant.
    pub fn nearest_preimage(&self, constant: U256, bits: usize) -> Option<&[Piece]> {
        let near = |hash: &Term| {
            let distance = constant.checked_sub(self.as_const(*hash)?)?;
            (distance.bit_len() <= bits).then_some(distance)
        };
        let found = self.preimages.iter().filter_map(|(hash, pieces)| Some((near(hash)?, pieces)));
        found.min_by_key(|(distance, _)| *distance).map(|(_, pieces)| &pieces[..])
    }

    /// The hash of bytes that are known in this sense.
    pub fn keccak(&mut self, pieces: Vec<Piece>) -> Term {
        let Some(bytes) = self.constant_bytes(&pieces) else {
            // A hash next to zero or to 2^256 is as unlikely as a collision.
            let margin = U256::ONE << 72;
            return self.intern(Node::Keccak(pieces.into()), Range::new(margin, U256::MAX - margin));
        };
        let hash = self.word(U256::from_be_bytes(keccak256(bytes).0));
        self.preimages.insert(hash, pieces.into());
        hash
    }

    /// The word made of 32 bytes.
    pub fn joined(&mut self, pieces: Vec<Piece>) -> Term {
        if let [Piece { word, from: 0, len: 32 }] = pieces[..] {
            return word;
        }
        match self.constant_bytes(&pieces) {
            Some(bytes) => self.word(U256::from_be_slice(&bytes)),
            None => self.intern(Node::Joined(pieces.into()), Range::FULL),
        }
    }

    fn constant_bytes(&self, pieces: &[Piece]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        for piece in pieces {
            let word = self.as_const(piece.word)?.to_be_bytes::<32>();
            bytes.extend(&word[usize::from(piece.from)..usize::from(piece.from + piece.len)]);
        }
        Some(bytes)
    }

    // Sums.

    /// The constant and the parts of a term read as a sum.
    pub fn parts(&self, term: Term) -> (U256, Vec<(Term, U256)>) {
        match self.node(term) {
            Node::Const(word) => (*word, Vec::new()),
            Node::Sum(constant, parts) => (*constant, parts.to_vec()),
            _ => (U256::ZERO, vec![(term, U256::ONE)]),
        }
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, b, U256::ONE)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        self.add_scaled(a, b, U256::MAX)
    }

    pub fn plus(&mut self, a: Term, number: i64) -> Term {
        let (mut constant, parts) = self.parts(a);
        constant = constant.wrapping_add(Wide::from_number(number.into()).wrapped());
        self.sum(constant, parts)
    }

    pub fn not(&mut self, a: Term) -> Term {
        let ones = self.word(U256::MAX);
        self.sub(ones, a)
    }

    pub fn scaled(&mut self, a: Term, factor: U256) -> Term {
        self.add_scaled(Term::ZERO, a, factor)
    }

    fn add_scaled(&mut self, a: Term, b: Term, factor: U256) -> Term {
        let (constant, mut parts) = self.parts(a);
        let (other, others) = self.parts(b);
        for (part, multiple) in others {
            let multiple = multiple.wrapping_mul(factor);
            match parts.binary_search_by_key(&part, |(part, _)| *part) {
                Ok(at) => parts[at].1 = parts[at].1.wrapping_add(multiple),
                Err(at) => parts.insert(at, (part, multiple)),
            }
        }
        self.sum(constant.wrapping_add(other.wrapping_mul(factor)), parts)
    }

    /// Parts are sorted and no sums.
    pub fn sum(&mut self, constant: U256, mut parts: Vec<(Term, U256)>) -> Term {
        parts.retain(|(_, factor)| !factor.is_zero());
        match parts[..] {
            [] => self.word(constant),
            [(part, U256::ONE)] if constant.is_zero() => part,
            _ => {
                let (low, high) = span(constant, &parts, |part| self.range(part));
                self.intern(Node::Sum(constant, parts.into()), wrapped_range(low, high))
            }
        }
    }

    // Other operations, in the order of the stack.

    pub fn op(&mut self, op: Op, arguments: &[Term]) -> Term {
        let words: Option<Vec<U256>> = arguments.iter().map(|argument| self.as_const(*argument)).collect();
        if let Some(words) = words {
            return self.word(op.apply(&words));
        }
        if let Some(simpler) = self.simpler(op, arguments) {
            return simpler;
        }
        let mut arguments = arguments.to_vec();
        if op.is_symmetric() {
            arguments.sort_unstable();
        }
        let ranges: Vec<Range> = arguments.iter().map(|argument| self.range(*argument)).collect();
        let range = Range::apply(op, &ranges);
        match range.single() {
            Some(word) => self.word(word),
            None => self.intern(Node::Op(op, arguments.into()), range),
        }
    }

    pub fn is_zero(&mut self, a: Term) -> Term {
        self.op(Op::IsZero, &[a])
    }

    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        if self.range(a).meet(self.range(b)).is_none() {
            return Term::ZERO;
        }
        let difference = self.sub(a, b);
        self.is_zero(difference)
    }

    pub fn is_truth(&self, term: Term) -> bool {
        self.range(term).high <= U256::ONE
    }

    fn simpler(&mut self, op: Op, arguments: &[Term]) -> Option<Term> {
        match (op, arguments) {
            (Op::Mul, &[a, b]) => match (self.as_const(a), self.as_const(b)) {
                (Some(factor), _) => Some(self.scaled(b, factor)),
                (_, Some(factor)) => Some(self.scaled(a, factor)),
                _ => None,
            },
            (Op::Shl, &[by, a]) => {
                let by = self.as_const(by)?;
                Some(self.scaled(a, Op::Shl.apply(&[by, U256::ONE])))
            }
            (Op::Exp, &[base, by]) if self.as_const(base) == Some(U256::from(2)) => {
                Some(self.op(Op::Shl, &[by, Term::ONE]))
            }
            (Op::Div, &[a, b]) => self.simpler_division(a, b),
            (Op::Shr, &[by, a]) => self.simpler_shift(by, a),
            (Op::And, &[a, b]) => self.simpler_and(a, b),
            (Op::Or | Op::Xor, &[a, b]) if a == Term::ZERO => Some(b),
            (Op::Or | Op::Xor, &[a, b]) if b == Term::ZERO => Some(a),
            (Op::Or, &[a, b]) if a == b => Some(a),
            (Op::Xor, &[a, b]) if a == b => Some(Term::ZERO),
            (Op::Lt | Op::Slt, &[a, b]) if a == b => Some(Term::ZERO),
            (Op::Lt, &[Term::ZERO, b]) => {
                let zero = self.is_zero(b);
                Some(self.is_zero(zero))
            }
            (Op::Lt, &[a, Term::ONE]) => Some(self.is_zero(a)),
            (Op::IsZero, &[a]) => self.simpler_is_zero(a),
            (Op::SignExtend, &[bytes, a]) => {
                let bits = 8 * self.as_small(bytes)?.min(31) + 8;
                (self.range(a).high.bit_len() < bits as usize).then_some(a)
            }
            (Op::Mod, &[a, b]) => (self.range(a).high < self.range(b).low).then_some(a),
            _ => None,
        }
    }

    fn simpler_division(&mut self, a: Term, b: Term) -> Option<Term> {
        let by = self.as_const(b)?;
        if by.is_zero() {
            return Some(Term::ZERO);
        }
        // Powers of two are shifts, so that the two spellings of the same thing are one term.
        (by.count_ones() == 1).then(|| {
            let bits = self.small(by.trailing_zeros() as u64);
            self.op(Op::Shr, &[bits, a])
        })
    }

    fn simpler_shift(&mut self, by: Term, a: Term) -> Option<Term> {
        let by = self.as_const(by)?;
        if by.is_zero() {
            return Some(a);
        }
        let selector = U256::from(224);
        match self.node(a).clone() {
            Node::Calldata(Term::ZERO) if by == selector => {
                self.selector.map(|bytes| self.small(u32::from_be_bytes(bytes).into()))
            }
            Node::Op(Op::Shr, arguments) => {
                let inner = self.as_const(arguments[0])?;
                let both = self.word(by.saturating_add(inner));
                Some(self.op(Op::Shr, &[both, arguments[1]]))
            }
            _ => None,
        }
    }

    fn simpler_and(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(a);
        }
        let (mask, a) = match (self.as_const(a), self.as_const(b)) {
            (Some(mask), _) => (mask, b),
            (_, Some(mask)) => (mask, a),
            _ => return None,
        };
        let is_low = (mask.wrapping_add(U256::ONE) & mask).is_zero();
        if is_low && self.range(a).high <= mask {
            return Some(a);
        }
        match self.node(a).clone() {
            Node::Op(Op::And, arguments) => {
                let (inner, rest) = match (self.as_const(arguments[0]), self.as_const(arguments[1])) {
                    (Some(inner), _) => (inner, arguments[1]),
                    (_, Some(inner)) => (inner, arguments[0]),
                    _ => return None,
                };
                let both = self.word(mask & inner);
                Some(self.op(Op::And, &[both, rest]))
            }
            // Rounding down, where all but the constant is a multiple already.
            Node::Sum(constant, parts) => {
                let zeros = rounded_bits(mask)?;
                let aligned =
                    |(part, factor): &(Term, U256)| factor.trailing_zeros() + self.low_zeros(*part) >= zeros;
                parts.iter().all(aligned).then(|| self.sum(constant & mask, parts.to_vec()))
            }
            _ => None,
        }
    }

    /// How many of the lowest bits are zero for certain.
    fn low_zeros(&self, term: Term) -> usize {
        match self.node(term) {
            Node::Op(Op::And, arguments) => {
                let masks = arguments.iter().filter_map(|argument| self.as_const(*argument));
                masks.map(|mask| mask.trailing_zeros()).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn simpler_is_zero(&mut self, a: Term) -> Option<Term> {
        match self.node(a).clone() {
            Node::Op(Op::IsZero, arguments) if self.is_truth(arguments[0]) => Some(arguments[0]),
            Node::Sum(constant, parts) => {
                // The same question about the negative: the first part is the positive one.
                if parts[0].1.bit(255) {
                    let negative = self.scaled(a, U256::MAX);
                    return Some(self.is_zero(negative));
                }
                match parts[..] {
                    // Is a truth equal to one?
                    [(part, U256::ONE)] if self.is_truth(part) && constant == U256::MAX => Some(part),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The least and the largest value of a sum as whole numbers.
pub fn span(constant: U256, parts: &[(Term, U256)], range: impl Fn(Term) -> Range) -> (Wide, Wide) {
    let constant = Wide::from_signed(constant);
    let (mut low, mut high) = (constant, constant);
    for (part, factor) in parts {
        let (factor, range) = (Wide::from_signed(*factor), range(*part));
        let [first, last] = [range.low, range.high].map(|end| Wide::from_word(end) * factor);
        low = low + first.min(last);
        high = high + first.max(last);
    }
    (low, high)
}

/// Whole numbers between two as words, if that is a range.
pub fn wrapped_range(low: Wide, high: Wide) -> Range {
    if low.turns() == high.turns() { Range::new(low.wrapped(), high.wrapped()) } else { Range::FULL }
}
