//! What holds on a path: conditions that were decided, and the ranges and orders that follow from them.

use hornet_evm::U256;
use rustc_hash::FxHashMap;

use super::term::{Node, Term, Terms, span, wrapped_range};
use super::wide::Wide;
use super::word::{Op, Range, SHORT_STRING};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    Less(Term, Term),
    AtMost(Term, Term),
    Nonzero(Term),
}

#[derive(Clone, Debug, Default)]
pub struct Facts {
    ranges: FxHashMap<Term, Range>,
    truths: FxHashMap<Term, bool>,
    /// In the order in which they were learnt.
    trail: Vec<Fact>,
}

/// How deep the range of a term is computed from its operands.
const DEPTH: u32 = 5;
/// How many of the latest facts are looked at again when something new is learnt.
const RECENT: usize = 48;

impl Facts {
    pub fn trail(&self) -> &[Fact] {
        &self.trail
    }

    pub fn range(&self, terms: &Terms, term: Term) -> Range {
        self.range_within(terms, term, DEPTH)
    }

    fn range_within(&self, terms: &Terms, term: Term, depth: u32) -> Range {
        let mut range = terms.range(term);
        if range.single().is_some() {
            return range;
        }
        let mut narrow = |other: Range| range = range.meet(other).unwrap_or(other);
        if let Some(known) = self.ranges.get(&term) {
            narrow(*known);
        }
        if depth > 0 {
            match terms.node(term) {
                Node::Sum(constant, parts) => {
                    let of = |part| self.range_within(terms, part, depth - 1);
                    let (low, high) = span(*constant, parts, of);
                    narrow(wrapped_range(low, high));
                }
                Node::Op(op, arguments) => {
                    let of = |argument: &Term| self.range_within(terms, *argument, depth - 1);
                    let ranges: [Range; 3] =
                        std::array::from_fn(|at| arguments.get(at).map_or(Range::FULL, of));
                    narrow(Range::apply(*op, &ranges[..arguments.len()]));
                }
                _ => {}
            }
        }
        range
    }

    /// The whole numbers that a term read as a sum can be.
    pub fn span(&self, terms: &Terms, term: Term) -> (Wide, Wide) {
        let (constant, parts) = terms.parts(term);
        span(constant, &parts, |part| self.range(terms, part))
    }

    /// Computed without going around at 2^256, so that it is a sum of whole numbers.
    pub fn is_exact(&self, terms: &Terms, term: Term) -> bool {
        let (low, high) = self.span(terms, term);
        low.to_word().is_some() && high.to_word().is_some()
    }

    pub fn constant(&self, terms: &mut Terms, term: Term) -> Term {
        match self.range(terms, term).single() {
            Some(word) => terms.word(word),
            None => term,
        }
    }

    /// The word, but where it is the length of a stored string as a long or a short one has it, and it is known which
    /// of them it is: that length by its own name. Half of a slot is no length where the string is short, and bounds are
    /// about both.
    pub fn as_length(&self, terms: &mut Terms, term: Term) -> Term {
        let half = |term: Term| match terms.node(term) {
            Node::Op(Op::Shr, arguments) if arguments[0] == Term::ONE => Some(arguments[1]),
            _ => None,
        };
        let (slot, long) = match terms.node(term) {
            Node::Op(Op::And, arguments) => {
                let is_short = arguments.iter().any(|a| terms.as_const(*a) == Some(SHORT_STRING));
                (arguments.iter().find_map(|a| half(*a)).filter(|_| is_short), false)
            }
            _ => (half(term), true),
        };
        let Some(slot) = slot.filter(|slot| matches!(terms.node(*slot), Node::Storage(_))) else {
            return term;
        };
        let odd = terms.op(Op::And, &[Term::ONE, slot]);
        if self.decide(terms, odd) == Some(long) { terms.op(Op::StringLength, &[slot]) } else { term }
    }

    /// Whether a condition is zero or not, if that is known.
    pub fn decide(&self, terms: &mut Terms, condition: Term) -> Option<bool> {
        let range = self.range(terms, condition);
        if range.high.is_zero() {
            return Some(false);
        }
        if !range.low.is_zero() {
            return Some(true);
        }
        if let Some(truth) = self.truths.get(&condition) {
            return Some(*truth);
        }
        match terms.node(condition).clone() {
            Node::Op(Op::IsZero, arguments) => match self.decide(terms, arguments[0]) {
                Some(truth) => Some(!truth),
                None => {
                    let (a, b) = as_difference(terms, arguments[0])?;
                    (self.is_less(terms, a, b) || self.is_less(terms, b, a)).then_some(false)
                }
            },
            Node::Op(Op::Lt, arguments) => self.decide_less(terms, arguments[0], arguments[1]),
            Node::Op(Op::Slt, arguments) => {
                let plain = |term: &Term| !self.range(terms, *term).high.bit(255);
                if arguments.iter().all(plain) {
                    self.decide_less(terms, arguments[0], arguments[1])
                } else {
                    None
                }
            }
            Node::Op(Op::And, arguments) if arguments.iter().all(|a| terms.is_truth(*a)) => {
                let [a, b] = [arguments[0], arguments[1]].map(|a| self.decide(terms, a));
                if a == Some(false) || b == Some(false) { Some(false) } else { Some(a? && b?) }
            }
            Node::Op(Op::Or, arguments) => {
                let [a, b] = [arguments[0], arguments[1]].map(|a| self.decide(terms, a));
                if a == Some(true) || b == Some(true) { Some(true) } else { Some(a? || b?) }
            }
            _ => None,
        }
    }

    fn decide_less(&self, terms: &mut Terms, a: Term, b: Term) -> Option<bool> {
        if self.is_less(terms, a, b) {
            return Some(true);
        }
        self.is_at_most(terms, b, a).then_some(false)
    }

    fn is_less(&self, terms: &mut Terms, a: Term, b: Term) -> bool {
        let recent = self.recent();
        recent.contains(&Fact::Less(a, b)) || self.difference_is_at_least(terms, a, b, Wide::from_number(1))
    }

    fn is_at_most(&self, terms: &mut Terms, a: Term, b: Term) -> bool {
        let recent = self.recent();
        recent.contains(&Fact::AtMost(a, b))
            || recent.contains(&Fact::Less(a, b))
            || self.difference_is_at_least(terms, a, b, Wide::ZERO)
    }

    /// `b - a` as whole numbers.
    fn difference_is_at_least(&self, terms: &mut Terms, a: Term, b: Term, least: Wide) -> bool {
        if !self.is_exact(terms, a) || !self.is_exact(terms, b) {
            return false;
        }
        let difference = terms.sub(b, a);
        self.span(terms, difference).0 >= least
    }

    /// Whether `a <= b` follows, also with the help of one fact between others.
    pub fn proves_at_most(&self, terms: &mut Terms, a: Term, b: Term) -> bool {
        if a == b || self.is_at_most(terms, a, b) {
            return true;
        }
        if !self.is_exact(terms, a) || !self.is_exact(terms, b) {
            return false;
        }
        let difference = terms.sub(b, a);
        self.recent().to_vec().into_iter().any(|fact| {
            let (low, high, least) = match fact {
                Fact::Less(low, high) => (low, high, Wide::from_number(-1)),
                Fact::AtMost(low, high) => (low, high, Wide::ZERO),
                Fact::Nonzero(_) => return false,
            };
            if !self.is_exact(terms, low) || !self.is_exact(terms, high) {
                return false;
            }
            // b - a = (high - low) + rest
            let fact = terms.sub(high, low);
            let rest = terms.sub(difference, fact);
            self.span(terms, rest).0 >= least
        })
    }

    fn recent(&self) -> &[Fact] {
        &self.trail[self.trail.len().saturating_sub(RECENT)..]
    }

    /// The condition is zero or not from here on. False if that cannot be.
    #[must_use]
    pub fn assume(&mut self, terms: &mut Terms, condition: Term, truth: bool) -> bool {
        if let Some(known) = self.decide(terms, condition) {
            return known == truth;
        }
        let consistent = self.learn(terms, condition, truth);
        consistent && self.settle(terms)
    }

    fn learn(&mut self, terms: &mut Terms, condition: Term, truth: bool) -> bool {
        self.truths.insert(condition, truth);
        match (terms.node(condition).clone(), truth) {
            (Node::Op(Op::IsZero, arguments), _) => self.learn(terms, arguments[0], !truth),
            (Node::Op(Op::Lt, arguments), true) => self.order(terms, Fact::Less(arguments[0], arguments[1])),
            (Node::Op(Op::Lt, arguments), false) => {
                self.order(terms, Fact::AtMost(arguments[1], arguments[0]))
            }
            (Node::Op(Op::Slt, arguments), _) => self.learn_signed(terms, &arguments, truth),
            (Node::Op(Op::And, arguments), true) if arguments.iter().all(|a| terms.is_truth(*a)) => {
                arguments.iter().all(|a| self.learn(terms, *a, true))
            }
            (Node::Op(Op::Or, arguments), false) => arguments.iter().all(|a| self.learn(terms, *a, false)),
            (_, true) => self.learn_nonzero(terms, condition),
            (_, false) => self.learn_zero(terms, condition),
        }
    }

    /// The order of numbers with a sign is that of words where neither is negative.
    fn learn_signed(&mut self, terms: &mut Terms, arguments: &[Term], less: bool) -> bool {
        let plain = |term: &Term| !self.range(terms, *term).high.bit(255);
        if !arguments.iter().all(plain) {
            return true;
        }
        let (a, b) = (arguments[0], arguments[1]);
        self.order(terms, if less { Fact::Less(a, b) } else { Fact::AtMost(b, a) })
    }

    fn learn_zero(&mut self, terms: &mut Terms, term: Term) -> bool {
        if let Some((a, b)) = as_difference(terms, term) {
            let [range_a, range_b] = [a, b].map(|side| self.range(terms, side));
            return self.narrow(terms, a, range_b) && self.narrow(terms, b, range_a);
        }
        self.narrow(terms, term, Range::of(U256::ZERO))
    }

    fn learn_nonzero(&mut self, terms: &mut Terms, term: Term) -> bool {
        self.trail.push(Fact::Nonzero(term));
        let range = self.range(terms, term);
        if range.low.is_zero() && !self.narrow(terms, term, Range::new(U256::ONE, U256::MAX)) {
            return false;
        }
        let (constant, parts) = terms.parts(term);
        if let [(part, U256::ONE)] = parts[..] {
            let (excluded, range) = (constant.wrapping_neg(), self.range(terms, part));
            if range.single() == Some(excluded) {
                return false;
            }
            if range.low == excluded {
                return self.narrow(terms, part, Range::new(excluded + U256::ONE, range.high));
            }
            if range.high == excluded {
                return self.narrow(terms, part, Range::new(range.low, excluded - U256::ONE));
            }
        }
        true
    }

    fn order(&mut self, terms: &mut Terms, fact: Fact) -> bool {
        self.trail.push(fact);
        // `x <= MAX - y` is how compilers ask whether `x + y` goes around.
        if let Fact::AtMost(x, bound) = fact {
            let (constant, parts) = terms.parts(bound);
            if constant == U256::MAX
                && let [(y, U256::MAX)] = parts[..]
            {
                let sum = terms.add(x, y);
                self.trail.extend([Fact::AtMost(x, sum), Fact::AtMost(y, sum)]);
            }
        }
        self.narrow_by(terms, fact)
    }

    fn narrow_by(&mut self, terms: &mut Terms, fact: Fact) -> bool {
        let (a, b, gap) = match fact {
            Fact::Less(a, b) => (a, b, U256::ONE),
            Fact::AtMost(a, b) => (a, b, U256::ZERO),
            Fact::Nonzero(_) => return true,
        };
        let [range_a, range_b] = [a, b].map(|side| self.range(terms, side));
        let (Some(high), Some(low)) = (range_b.high.checked_sub(gap), range_a.low.checked_add(gap)) else {
            return false;
        };
        self.narrow(terms, a, Range::at_most(high)) && self.narrow(terms, b, Range::new(low, U256::MAX))
    }

    /// Once more through what is known: a new range of one side narrows the other.
    pub fn settle(&mut self, terms: &mut Terms) -> bool {
        let start = self.trail.len().saturating_sub(RECENT);
        (start..self.trail.len()).rev().all(|at| self.narrow_by(terms, self.trail[at]))
    }

    /// The word is in the range from here on. False if that cannot be.
    #[must_use]
    pub fn narrow(&mut self, terms: &mut Terms, term: Term, to: Range) -> bool {
        let known = self.range(terms, term);
        let Some(range) = known.meet(to) else { return false };
        if range == known {
            return true;
        }
        self.ranges.insert(term, range);
        match terms.node(term).clone() {
            Node::Sum(constant, parts) => self.narrow_parts(terms, constant, &parts, range),
            Node::Op(op, arguments) => self.narrow_operands(terms, op, &arguments, range),
            _ => true,
        }
    }

    fn narrow_parts(
        &mut self,
        terms: &mut Terms,
        constant: U256,
        parts: &[(Term, U256)],
        range: Range,
    ) -> bool {
        // Parts that are known are constants.
        let mut constant = constant;
        let mut parts = parts.to_vec();
        parts.retain(|(part, factor)| match self.range(terms, *part).single() {
            Some(word) => {
                constant = constant.wrapping_add(word.wrapping_mul(*factor));
                false
            }
            None => true,
        });
        if let [(part, factor @ (U256::ONE | U256::MAX))] = &parts[..] {
            // Also right where the sum goes around.
            let ends = [range.low, range.high].map(|end| match *factor {
                U256::ONE => end.wrapping_sub(constant),
                _ => constant.wrapping_sub(end),
            });
            let (low, high) = if *factor == U256::ONE { (ends[0], ends[1]) } else { (ends[1], ends[0]) };
            return low > high || self.narrow(terms, *part, Range::new(low, high));
        }
        let (low, high) = span(constant, &parts, |part| self.range(terms, part));
        if low.to_word().is_none() || high.to_word().is_none() {
            return true;
        }
        for (part, factor) in &parts {
            let (factor, own) = (Wide::from_signed(*factor), self.range(terms, *part));
            let [first, last] = [own.low, own.high].map(|end| Wide::from_word(end) * factor);
            let least = Wide::from_word(range.low) - (high - first.max(last));
            let most = Wide::from_word(range.high) - (low - first.min(last));
            let Some(narrower) = divided(least, most, factor) else { return false };
            if !self.narrow(terms, *part, narrower) {
                return false;
            }
        }
        true
    }

    fn narrow_operands(&mut self, terms: &mut Terms, op: Op, arguments: &[Term], range: Range) -> bool {
        let positive = !range.low.is_zero();
        match (op, arguments) {
            (Op::And, &[a, b]) => {
                let least = Range::new(range.low, U256::MAX);
                self.narrow(terms, a, least) && self.narrow(terms, b, least)
            }
            (Op::Or, &[a, b]) => {
                let most = Range::at_most(range.high);
                self.narrow(terms, a, most) && self.narrow(terms, b, most)
            }
            (Op::Mul, &[a, b]) if positive => {
                let least = Range::new(U256::ONE, U256::MAX);
                self.narrow(terms, a, least) && self.narrow(terms, b, least)
            }
            (Op::Div, &[a, b]) if positive => {
                let by = self.range(terms, b).low.max(U256::ONE);
                let least = Range::new(range.low.saturating_mul(by), U256::MAX);
                self.narrow(terms, a, least) && self.narrow(terms, b, Range::new(U256::ONE, U256::MAX))
            }
            (Op::Shr, &[by, a]) => {
                let Some(by) = terms.as_small(by).filter(|by| *by < 256) else { return true };
                let low = range.low << by as usize;
                let high = match range.high.bit_len() + by as usize > 256 {
                    true => U256::MAX,
                    false => (range.high << by as usize) | Range::bits(by as usize).high,
                };
                self.narrow(terms, a, Range::new(low, high))
            }
            _ => match range.single() {
                Some(truth) if op.is_comparison() => {
                    let condition = terms.op(op, arguments);
                    if self.truths.contains_key(&condition) {
                        return true;
                    }
                    self.learn(terms, condition, !truth.is_zero())
                }
                _ => true,
            },
        }
    }

    /// Only what holds on both ways.
    pub fn join(&self, other: &Facts, terms: &Terms) -> Facts {
        let mut both = Facts::default();
        for (term, range) in &self.ranges {
            let joined = range.join(other.range(terms, *term));
            if joined != Range::FULL {
                both.ranges.insert(*term, joined);
            }
        }
        both.truths = self.truths.iter().filter(|(t, v)| other.truths.get(t) == Some(v)).map(pair).collect();
        both.trail = self.trail.iter().filter(|fact| other.trail.contains(fact)).copied().collect();
        both
    }

    /// Everything that the other says holds here too.
    pub fn imply(&self, other: &Facts, terms: &Terms) -> bool {
        other.ranges.iter().all(|(term, range)| range.contains(self.range(terms, *term)))
            && other.truths.iter().all(|(term, truth)| self.truths.get(term) == Some(truth))
            && other.trail.iter().all(|fact| self.trail.contains(fact))
    }
}

fn pair((term, truth): (&Term, &bool)) -> (Term, bool) {
    (*term, *truth)
}

/// `a - b` for a difference of two terms, one of them perhaps with a constant.
fn as_difference(terms: &mut Terms, term: Term) -> Option<(Term, Term)> {
    let (constant, parts) = terms.parts(term);
    let [(first, f), (second, g)] = parts[..] else { return None };
    let (plus, minus) = match (f, g) {
        (U256::ONE, U256::MAX) => (first, second),
        (U256::MAX, U256::ONE) => (second, first),
        _ => return None,
    };
    Some((plus, terms.sum(constant.wrapping_neg(), vec![(minus, U256::ONE)])))
}

/// The words `x` with `least <= factor·x <= most`.
fn divided(least: Wide, most: Wide, factor: Wide) -> Option<Range> {
    let (least, most, factor) =
        if factor.is_negative() { (-most, -least, -factor) } else { (least, most, factor) };
    if most.is_negative() {
        return None;
    }
    let size = factor.to_word()?;
    let low = match least.to_word() {
        Some(word) => word / size + U256::from(u8::from(!(word % size).is_zero())),
        None => U256::ZERO,
    };
    let high = most.to_word().map_or(U256::MAX, |word| word / size);
    (low <= high).then_some(Range::new(low, high))
}
