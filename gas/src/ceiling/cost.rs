//! What runs cost from one point on: the dearest of all ways, or a few of which none is dearer than another everywhere.

use super::poly::Poly;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Without memory, and without what callees use.
    pub gas: Poly,
    /// What callees use whose gas is limited.
    pub callees: Poly,
    /// Bytes of memory that are touched.
    pub memory: Poly,
}

impl Cost {
    pub fn zero() -> Cost {
        Cost::default()
    }

    pub fn endless() -> Cost {
        Cost { gas: Poly::endless(), ..Cost::default() }
    }

    pub fn spend(&mut self, gas: u64) {
        self.gas = self.gas.add(&Poly::from(gas));
    }

    fn then(&self, next: &Cost) -> Cost {
        Cost {
            gas: self.gas.add(&next.gas),
            callees: self.callees.add(&next.callees),
            memory: self.memory.max(&next.memory),
        }
    }

    fn max(&self, other: &Cost) -> Cost {
        Cost {
            gas: self.gas.max(&other.gas),
            callees: self.callees.max(&other.callees),
            memory: self.memory.max(&other.memory),
        }
    }

    fn is_at_most(&self, other: &Cost) -> bool {
        self.gas.is_at_most(&other.gas)
            && self.callees.is_at_most(&other.callees)
            && self.memory.is_at_most(&other.memory)
    }

    pub fn map(&self, change: impl Fn(&Poly) -> Poly) -> Cost {
        Cost { gas: change(&self.gas), callees: change(&self.callees), memory: change(&self.memory) }
    }
}

/// Some costs; every run costs at most one of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cases(Vec<Cost>);

/// More than this many are merged.
const CASES: usize = 6;

impl Cases {
    pub fn of(cost: Cost) -> Cases {
        Cases(vec![cost])
    }

    pub fn iter(&self) -> impl Iterator<Item = &Cost> {
        self.0.iter()
    }

    pub fn push(&mut self, cost: Cost) {
        if self.0.iter().any(|known| cost.is_at_most(known)) {
            return;
        }
        self.0.retain(|known| !known.is_at_most(&cost));
        self.0.push(cost);
        if self.0.len() > CASES {
            // The two cheapest are the least that is lost.
            self.0.sort_by_key(|cost| std::cmp::Reverse(cost.gas.offset()));
            let (a, b) = (self.0.pop(), self.0.pop());
            if let (Some(a), Some(b)) = (a, b) {
                self.push(a.max(&b));
            }
        }
    }

    pub fn join(&mut self, other: &Cases) {
        for cost in &other.0 {
            self.push(cost.clone());
        }
    }

    /// The same after something that costs this much.
    pub fn after(&self, cost: &Cost) -> Cases {
        self.mapped(|next| cost.then(next))
    }

    pub fn mapped(&self, mut change: impl FnMut(&Cost) -> Cost) -> Cases {
        let mut cases = Cases::default();
        for cost in &self.0 {
            cases.push(change(cost));
        }
        cases
    }

    /// One cost above all.
    pub fn merged(&self) -> Option<Cost> {
        self.0.iter().cloned().reduce(|a, b| a.max(&b))
    }
}

/// What can come of a state: the run ends, or comes back to where a loop that is being looked at begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    pub ends: Cases,
    /// By the number of the loop.
    pub backs: Vec<(u32, Cases)>,
}

impl Outcome {
    pub fn end(cost: Cost) -> Outcome {
        Outcome { ends: Cases::of(cost), backs: Vec::new() }
    }

    pub fn back(to: u32, cost: Cost) -> Outcome {
        Outcome { ends: Cases::default(), backs: vec![(to, Cases::of(cost))] }
    }

    pub fn join(mut self, other: &Outcome) -> Outcome {
        self.ends.join(&other.ends);
        for (to, cases) in &other.backs {
            match self.backs.iter_mut().find(|(known, _)| known == to) {
                Some((_, known)) => known.join(cases),
                None => self.backs.push((*to, cases.clone())),
            }
        }
        self
    }

    pub fn after(self, cost: &Cost) -> Outcome {
        if *cost == Cost::zero() {
            return self;
        }
        self.mapped(|cases| cases.after(cost))
    }

    pub fn mapped(&self, change: impl Fn(&Cases) -> Cases) -> Outcome {
        let backs = self.backs.iter().map(|(to, cases)| (*to, change(cases)));
        Outcome { ends: change(&self.ends), backs: backs.collect() }
    }
}
