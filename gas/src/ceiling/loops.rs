//! Loops: a state at their beginning that stands for every round, what a round costs, and how many there are.

use hornet_evm::U256;

use super::cost::{Cost, Outcome};
use super::explore::{Abort, Explorer, Mode, Scope};
use super::facts::Facts;
use super::join::{Meeting, Place, Policy, join};
use super::poly::Poly;
use super::report::{Blame, Reason};
use super::state::{Point, State};
use super::term::{GAS_BITS, Node, Origin, Term, Terms, span};
use super::trips::{Guard, guards, rounds};
use super::upper::Upper;
use super::wide::Wide;
use super::word::{Op, Range};

/// A loop that is being looked at.
#[derive(Clone, Debug)]
pub struct Frame {
    pub id: u32,
    pub point: Point,
    /// At the beginning of any round but the first.
    pub state: State,
    /// Fresh words from this number on belong to a round.
    pub mark: u32,
    pub variables: Vec<Variable>,
    /// What holds on every way back, and makes rounds come to an end; unknown before the first.
    pub guards: Option<Vec<Guard>>,
}

/// Something that differs from round to round.
#[derive(Clone, Debug)]
pub struct Variable {
    pub place: Place,
    /// Stands for what it is in any round.
    pub term: Term,
    pub start: Term,
    pub kind: Kind,
    /// How much it changes in a round: at least and at most; unknown before the first.
    pub change: Option<(Wide, Wide)>,
    /// The most that it grows by in a round.
    pub growth: Poly,
    /// By what it is divided on the ways back, where it is also positive.
    pub divisors: Vec<Option<U256>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Never gets less; by less than 2^63 in each round.
    Grows,
    /// Never gets more, nor below zero.
    Shrinks,
    /// Anything of a range.
    Free,
}

/// In the time that the gas of the world buys, a word that grows by less than this in each round does not go around.
const STEP_BITS: usize = 63;
const WIDENINGS: usize = 40;

impl Variable {
    fn new(meeting: &mut Meeting, place: Place, [a, b]: [Term; 2]) -> Variable {
        let [before, after] = [(0, a), (1, b)].map(|(at, word)| meeting.facts[at].range(meeting.terms, word));
        let change = Change::between(meeting.terms, meeting.facts[1], a, b);
        let (kind, range) = match change {
            Change::Up if room_above(before) => (Kind::Grows, grown(before)),
            Change::Down => (Kind::Shrinks, Range::at_most(before.high)),
            _ => (Kind::Free, before.join(after)),
        };
        Variable::of(meeting.terms, place, a, kind, range, meeting.pc)
    }

    fn of(terms: &mut Terms, place: Place, start: Term, kind: Kind, range: Range, pc: usize) -> Variable {
        let term = terms.fresh(Origin::Varying(pc), range, None);
        Variable { place, term, start, kind, change: None, growth: Poly::zero(), divisors: Vec::new() }
    }

    /// The word that it becomes fits its kind.
    fn accepts(&self, meeting: &mut Meeting, next: Term) -> bool {
        match self.kind {
            Kind::Grows => Change::between(meeting.terms, meeting.facts[1], self.term, next) == Change::Up,
            Kind::Shrinks => {
                Change::between(meeting.terms, meeting.facts[1], self.term, next) == Change::Down
            }
            Kind::Free => {
                let range = meeting.facts[1].range(meeting.terms, next);
                meeting.terms.range(self.term).contains(range)
            }
        }
    }
}

fn room_above(range: Range) -> bool {
    range.high.checked_add(Range::bits(GAS_BITS + STEP_BITS).high).is_some()
}

fn grown(range: Range) -> Range {
    Range::new(range.low, range.high + Range::bits(GAS_BITS + STEP_BITS).high)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Up,
    Down,
    Other,
}

impl Change {
    fn between(terms: &mut Terms, facts: &Facts, from: Term, to: Term) -> Change {
        let difference = terms.sub(to, from);
        let (low, high) = facts.span(terms, difference);
        let limit = Wide::from_word(U256::ONE << STEP_BITS);
        if !low.is_negative() && high < limit {
            return Change::Up;
        }
        // What is divided, or counted down and not yet zero.
        let divided = quotient(terms, to).is_some_and(|(word, _)| word == from);
        if divided || (high <= Wide::ZERO && !facts.span(terms, to).0.is_negative()) {
            return Change::Down;
        }
        Change::Other
    }
}

/// A word divided by something constant.
fn quotient(terms: &Terms, term: Term) -> Option<(Term, U256)> {
    match terms.node(term) {
        Node::Op(Op::Shr, arguments) => {
            let by = terms.as_small(arguments[0]).filter(|by| (1..256).contains(by))?;
            Some((arguments[1], U256::ONE << by as usize))
        }
        Node::Op(Op::Div, arguments) => {
            let by = terms.as_const(arguments[1]).filter(|by| *by > U256::ONE)?;
            Some((arguments[0], by))
        }
        _ => None,
    }
}

/// Makes variables of what differs between two rounds.
struct Widen<'f> {
    variables: &'f mut Vec<Variable>,
    mark: u32,
    /// Only look whether the first state stands for another beginning of the loop.
    only_look: bool,
}

impl Policy for Widen<'_> {
    fn combine(&mut self, meeting: &mut Meeting, place: Place, [a, b]: [Term; 2]) -> (Term, bool) {
        let known = self.variables.iter().position(|v| v.place == place && v.term == a);
        if self.only_look {
            let stands = known.is_some_and(|at| {
                let variable = &self.variables[at];
                variable.start == b || (variable.kind == Kind::Free && variable.accepts(meeting, b))
            });
            return (a, a != b && !stands);
        }
        let Some(at) = known else {
            if a == b {
                return (a, false);
            }
            let variable = Variable::new(meeting, place, [a, b]);
            let term = variable.term;
            self.variables.push(variable);
            return (term, true);
        };
        if self.variables[at].accepts(meeting, b) {
            return (a, false);
        }
        let Variable { start, kind, .. } = self.variables[at];
        let range = match kind {
            Kind::Free => Range::FULL,
            Kind::Grows | Kind::Shrinks => {
                meeting.facts[0].range(meeting.terms, start).join(meeting.facts[1].range(meeting.terms, b))
            }
        };
        let freer = Variable::of(meeting.terms, place, start, Kind::Free, range, meeting.pc);
        let term = freer.term;
        self.variables[at] = freer;
        (term, true)
    }

    fn only_looks(&self) -> bool {
        self.only_look
    }

    fn mark(&self) -> u32 {
        self.mark
    }

    /// With what grows as it was at first, and everything else as small as it can be.
    fn lowest(&self, terms: &mut Terms, facts: &Facts, word: Term) -> Option<Term> {
        let (constant, parts) = terms.parts(word);
        let (low, high) = span(constant, &parts, |part| facts.range(terms, part));
        let half = Wide::from_word(U256::ONE << 255);
        if low <= -half || high >= half {
            return None;
        }
        let mut lowest = terms.word(constant);
        for (part, factor) in parts {
            let grows = self.variables.iter().find(|v| v.term == part && v.kind == Kind::Grows);
            let part = match grows {
                _ if terms.is_older_than(part, self.mark) => part,
                Some(variable) if !factor.bit(255) => variable.start,
                _ => {
                    let range = facts.range(terms, part);
                    terms.word(if factor.bit(255) { range.high } else { range.low })
                }
            };
            let part = terms.scaled(part, factor);
            lowest = terms.add(lowest, part);
        }
        Some(lowest)
    }
}

impl Explorer<'_> {
    /// A way back to the beginning of a loop that is being looked at.
    pub fn back(&mut self, id: u32, state: &State) -> Result<Outcome, Abort> {
        let Some(at) = self.frames.iter().position(|frame| frame.id == id) else { return Err(Abort::Effort) };
        let mut frame = self.frames[at].clone();
        let (terms, pc) = (&mut self.machine.terms, frame.point.pc);
        let mut widen = Widen { variables: &mut frame.variables, mark: frame.mark, only_look: false };
        let joined = join(terms, &mut widen, pc, &frame.state, state);
        if joined.wider {
            self.frames[at] = Frame { state: joined.state, ..frame };
            return Err(Abort::Widen(id));
        }
        frame.note_changes(terms, state);
        let found = guards(terms, &frame, &state.facts);
        frame.guards = Some(match frame.guards.take() {
            None => found,
            Some(known) => known.into_iter().filter(|guard| found.contains(guard)).collect(),
        });
        self.frames[at] = frame;
        Ok(Outcome::back(id, Cost::zero()))
    }

    /// All further rounds of a loop, and what comes after it, from its second beginning on.
    pub fn summarise(&mut self, at: usize, state: &State) -> Result<Outcome, Abort> {
        let point = self.chain[at].0.clone();
        if let Some(outcome) = self.known_loop(&point, state) {
            return Ok(outcome);
        }
        let id = self.next_frame;
        self.next_frame += 1;
        self.frames.push(Frame {
            id,
            point: point.clone(),
            state: State { cost: Cost::zero(), ..state.clone() },
            mark: self.machine.terms.mark(),
            variables: Vec::new(),
            guards: None,
        });
        // What was passed since the beginning of the loop is on the way of the first round, not of this one.
        let passed = self.chain.split_off(at + 1);
        for (point, _) in &passed {
            self.on_chain.remove(point);
        }
        let mode = std::mem::replace(&mut self.chain[at].1, Mode::Loop(id));
        let found = self.stable_round(id, at);
        self.leave(at + 1);
        self.chain[at].1 = mode;
        for (point, mode) in passed {
            self.on_chain.insert(point.clone(), self.chain.len());
            self.chain.push((point, mode));
        }
        let frame = self.frames.pop().ok_or(Abort::Effort)?;
        let outcome = self.all_rounds(&frame, &found?);
        self.scope().loops.entry(point).or_default().push((frame, outcome.clone()));
        Ok(outcome)
    }

    fn known_loop(&mut self, point: &Point, state: &State) -> Option<Outcome> {
        let known = self.scope().loops.remove(point)?;
        let mut found = None;
        for (frame, outcome) in &known {
            let mut variables = frame.variables.clone();
            let mut look = Widen { variables: &mut variables, mark: frame.mark, only_look: true };
            if !join(&mut self.machine.terms, &mut look, point.pc, &frame.state, state).wider {
                found = Some(outcome.clone());
                break;
            }
        }
        self.scope().loops.insert(point.clone(), known);
        found
    }

    /// Goes through the loop until its state stands for all that comes back.
    fn stable_round(&mut self, id: u32, at: usize) -> Result<Outcome, Abort> {
        for _ in 0..WIDENINGS {
            let frame = self.frames.last_mut().ok_or(Abort::Effort)?;
            frame.guards = None;
            for variable in &mut frame.variables {
                (variable.change, variable.growth) = (None, Poly::zero());
                variable.divisors.clear();
            }
            let state = frame.state.clone();
            self.scopes.push(Scope::default());
            let found = self.explore(state);
            self.scopes.pop();
            match found {
                Err(Abort::Widen(widened)) if widened == id => self.leave(at + 1),
                other => return other,
            }
        }
        Err(Abort::Effort)
    }

    /// The rounds together with what follows them.
    fn all_rounds(&mut self, frame: &Frame, outcome: &Outcome) -> Outcome {
        let pc = frame.point.pc;
        let back = outcome.backs.iter().find(|(to, _)| *to == frame.id).and_then(|(_, cases)| cases.merged());
        let others = outcome.backs.iter().filter(|(to, _)| *to != frame.id).cloned();
        let rest = Outcome { ends: outcome.ends.clone(), backs: others.collect() };
        let terms = &mut self.machine.terms;
        let Some(round) = back else {
            // No way back after all: it was the last round.
            let bounds = frame.bounds(terms, &Poly::zero());
            return rest.mapped(|cases| cases.mapped(|cost| settled(cost, &bounds)));
        };
        let count = match rounds(terms, frame) {
            Some(count) => {
                self.loops.entry(pc).or_default().extend(count.atoms());
                count
            }
            None => {
                self.blames.push(Blame { pc, reason: Reason::Loop });
                Poly::of(terms.largest(Origin::Iterations(pc)))
            }
        };
        let before_last = frame.bounds(terms, &count.plus(-1));
        let round = settled(&round, &before_last);
        let all =
            Cost { gas: round.gas.times(&count), callees: round.callees.times(&count), memory: round.memory };
        let bounds = frame.bounds(terms, &count);
        rest.mapped(|cases| cases.mapped(|cost| settled(cost, &bounds)).after(&all))
    }
}

/// A word that differs from round to round, with something above and something below it.
struct Bounds {
    term: Term,
    upper: Poly,
    lower: Poly,
}

fn settled(cost: &Cost, bounds: &[Bounds]) -> Cost {
    cost.map(|poly| {
        let mut poly = poly.clone();
        // Growth may depend on other variables, so once more for those.
        for _ in 0..2 {
            for bound in bounds.iter().rev() {
                poly = poly.bounded(bound.term, &bound.upper, &bound.lower);
            }
        }
        if poly.atoms().any(|atom| bounds.iter().any(|bound| bound.term == atom)) {
            Poly::endless()
        } else {
            poly
        }
    })
}

impl Frame {
    /// What variables can be within this many rounds.
    fn bounds(&self, terms: &mut Terms, rounds: &Poly) -> Vec<Bounds> {
        let pc = self.point.pc;
        let mut bounds = Vec::new();
        for variable in &self.variables {
            let mut start = Upper::new(terms, &self.state.facts, pc);
            let (from, lower) = (start.of(variable.start), start.lower(variable.start));
            let high = terms.range(variable.term).high;
            let (upper, lower) = match variable.kind {
                Kind::Grows => (from.add(&variable.growth.times(rounds)), lower),
                Kind::Shrinks => (from, Poly::zero()),
                Kind::Free if high.bit_len() <= 20 => (Poly::from(high.to::<u64>()), Poly::zero()),
                Kind::Free => (Poly::of(terms.largest(Origin::Unknown(pc))), Poly::zero()),
            };
            bounds.push(Bounds { term: variable.term, upper, lower });
        }
        bounds
    }

    /// Remembers how variables change on a way back.
    fn note_changes(&mut self, terms: &mut Terms, state: &State) {
        let pc = self.point.pc;
        for variable in &mut self.variables {
            let Some(next) = word_at(terms, state, variable.place, pc) else { continue };
            let change = terms.sub(next, variable.term);
            let (low, high) = state.facts.span(terms, change);
            variable.change = Some(match variable.change {
                Some((least, most)) => (least.min(low), most.max(high)),
                None => (low, high),
            });
            if variable.kind == Kind::Grows {
                let growth = Upper::new(terms, &state.facts, pc).of_small(change);
                variable.growth = variable.growth.max(&growth);
            }
            let positive = !state.facts.range(terms, variable.term).low.is_zero();
            let by = quotient(terms, next).filter(|(word, _)| *word == variable.term && positive);
            variable.divisors.push(by.map(|(_, by)| by));
        }
    }
}

fn word_at(terms: &mut Terms, state: &State, place: Place, pc: usize) -> Option<Term> {
    match place {
        Place::Stack(at) => state.stack.get(at).map(|value| value.term),
        Place::Memory(at) => state.memory.load(terms, &state.facts, at),
        Place::Storage(key) => Some(state.storage.touched(terms, &state.facts, key, pc).current),
        Place::Returned => Some(state.returned),
    }
}
