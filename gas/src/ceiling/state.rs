//! What is known at one point of a path.

use std::rc::Rc;

use hornet_evm::U256;

use super::cost::Cost;
use super::facts::Facts;
use super::memory::Memory;
use super::storage::Storage;
use super::term::{Env, Term, Terms};
use super::word::Range;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub term: Term,
    /// Pushed as it is, and the place of a jump destination: most likely where a function returns to.
    pub label: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    pub pc: usize,
    pub stack: Vec<Value>,
    pub memory: Rc<Memory>,
    pub facts: Rc<Facts>,
    pub storage: Rc<Storage>,
    /// How many bytes the last call gave back.
    pub returned: Term,
    /// Since the state was last taken over as a beginning.
    pub cost: Cost,
    /// How many conditions on the way here were not decided.
    pub forks: u32,
}

/// Where an internal call is, told by the places it returns to: a point of the program for all that jumps are about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    pub pc: usize,
    height: usize,
    labels: Vec<(u16, Term)>,
}

impl Point {
    /// The same place is to be returned to this often: a function that calls itself.
    pub fn recursion(&self) -> usize {
        let times = |label: &Term| self.labels.iter().filter(|(_, other)| other == label).count();
        self.labels.iter().map(|(_, label)| times(label)).max().unwrap_or(0)
    }
}

impl State {
    /// The beginning of a call.
    pub fn start(terms: &mut Terms) -> State {
        let mut storage = Storage::default();
        storage.accounts.extend([Env::Address, Env::Caller, Env::Origin].map(|env| terms.env(env)));
        State {
            pc: 0,
            stack: Vec::new(),
            memory: Rc::default(),
            facts: Rc::default(),
            storage: Rc::new(storage),
            returned: Term::ZERO,
            cost: Cost::zero(),
            forks: 0,
        }
    }

    pub fn point(&self) -> Point {
        let labels = self.stack.iter().enumerate().filter(|(_, value)| value.label);
        Point {
            pc: self.pc,
            height: self.stack.len(),
            labels: labels.map(|(at, value)| (at as u16, value.term)).collect(),
        }
    }

    /// The same words of the stacks are constants, and the same ones.
    pub fn has_constants_of(&self, terms: &Terms, other: &State) -> bool {
        let constant = |value: &Value| terms.as_const(value.term);
        self.stack.iter().map(constant).eq(other.stack.iter().map(constant))
    }

    pub fn push(&mut self, term: Term) {
        self.stack.push(Value { term, label: false });
    }

    pub fn facts(&mut self) -> &mut Facts {
        Rc::make_mut(&mut self.facts)
    }

    pub fn memory(&mut self) -> &mut Memory {
        Rc::make_mut(&mut self.memory)
    }

    pub fn storage(&mut self) -> &mut Storage {
        Rc::make_mut(&mut self.storage)
    }

    pub fn range(&self, terms: &Terms, term: Term) -> Range {
        self.facts.range(terms, term)
    }

    /// The condition holds, or not, from here on. False if that cannot be.
    #[must_use]
    pub fn assume(&mut self, terms: &mut Terms, condition: Term, truth: bool) -> bool {
        self.facts().assume(terms, condition, truth)
    }

    /// The word is less than 2^bits from here on. False if that cannot be.
    #[must_use]
    pub fn limit(&mut self, terms: &mut Terms, term: Term, bits: usize) -> bool {
        let limit = Range::bits(bits);
        if self.range(terms, term).high <= limit.high {
            return true;
        }
        self.facts().narrow(terms, term, limit)
    }

    pub fn may_be_zero(&self, terms: &Terms, term: Term) -> bool {
        self.range(terms, term).low == U256::ZERO
    }
}
