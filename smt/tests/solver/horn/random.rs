//! Random systems over small integers: passes change no answer, and models that come back are models.

use super::systems::clause;
use super::{GO_ON, options, worker};
use hornet_smt::solver::Limits;
use hornet_smt::solver::horn::passes::{Simplified, cone, constants, simplify, slice, split, substitute};
use hornet_smt::solver::horn::{Solution, System, check, solve};
use hornet_smt::term::{Function, Sort, TermId, Terms};
use std::sync::Arc;
use std::time::Duration;

struct Generator {
    random: fastrand::Rng,
    terms: Terms,
    predicates: Vec<Arc<Function>>,
    symbols: Vec<TermId>,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut terms = Terms::new();
        let predicates = ["p", "q", "r"]
            .map(|name| terms.function(name, vec![Sort::Int; random.usize(1..4)], Sort::Bool))
            .to_vec();
        let symbols = ["u", "v", "w", "x", "y"].map(|name| terms.symbol(name, Sort::Int)).to_vec();
        Generator { random, terms, predicates, symbols }
    }

    fn symbol(&mut self) -> TermId {
        self.symbols[self.random.usize(..self.symbols.len())]
    }

    fn number(&mut self) -> TermId {
        let value = self.random.i32(-2..4);
        self.terms.int(value)
    }

    fn value(&mut self) -> TermId {
        match self.random.u32(..6) {
            0 | 1 => self.number(),
            2 => {
                let (a, b) = (self.symbol(), self.number());
                self.terms.add(a, b)
            }
            3 => {
                let (cond, a, b) = (self.condition(), self.symbol(), self.number());
                self.terms.ite(cond, a, b)
            }
            _ => self.symbol(),
        }
    }

    fn condition(&mut self) -> TermId {
        let (a, b, c) = (self.symbol(), self.symbol(), self.number());
        let sum = self.terms.add(b, c);
        match self.random.u32(..5) {
            0 => self.terms.eq(a, sum),
            1 => self.terms.le(a, c),
            2 => self.terms.lt(c, a),
            3 => {
                let (first, second) = (self.terms.eq(a, c), self.terms.lt(b, a));
                self.terms.or(first, second)
            }
            _ => self.terms.le(a, sum),
        }
    }

    fn application(&mut self, plain: bool) -> TermId {
        let predicate = self.predicates[self.random.usize(..self.predicates.len())].clone();
        let args: Vec<TermId> =
            predicate.params.iter().map(|_| if plain { self.symbol() } else { self.value() }).collect();
        self.terms.apply(&predicate, &args)
    }

    fn system(&mut self) -> System {
        let mut clauses = Vec::new();
        for at in 0..self.random.usize(3..8) {
            let mut body = Vec::new();
            // The first ones start something, the others go on from it.
            for _ in 0..if at < 2 { 0 } else { self.random.usize(1..3) } {
                let plain = self.random.u32(..3) > 0;
                body.push(self.application(plain));
            }
            for _ in 0..self.random.usize(..3) {
                body.push(self.condition());
            }
            let head = (at < 2 || self.random.u32(..3) > 0).then(|| self.application(false));
            clauses.push(clause(&format!("clause {at}"), &body, head));
        }
        let (here, wrong) = (self.application(true), self.condition());
        clauses.push(clause("asked", &[here, wrong], None));
        System { clauses }
    }
}

/// Whether it is safe, with the model checked on the original; nothing if the solver does not know in time.
fn safe(terms: &mut Terms, original: &System, simplified: &Simplified) -> Option<bool> {
    let limits = Limits { time: Duration::from_secs(4), ..Limits::default() };
    match solve(terms, &simplified.system, &worker(), &[], limits, &GO_ON) {
        Solution::Safe(model) => {
            let model = simplified.original_model(terms, model);
            let checked = check(terms, original, &model, &options(), &GO_ON);
            assert!(checked.is_ok(), "{checked:?} in {original:?}");
            Some(true)
        }
        Solution::Unsafe => Some(false),
        Solution::Unknown(_) => None,
    }
}

#[test]
fn passes_change_no_answer() {
    let mut decided = [0; 2];
    for seed in 0..30 {
        let mut generator = Generator::new(seed);
        let system = generator.system();
        let terms = &mut generator.terms;
        // One pass alone in each round, and all of them together.
        let pass = match seed % 5 {
            0 => cone(terms, &system),
            1 => constants(terms, &system),
            2 => slice(terms, &system),
            3 => split(terms, &system, 6),
            _ => substitute(terms, &system),
        };
        let all = simplify(terms, &system);
        let unchanged = split(terms, &system, 0);
        let plain = safe(terms, &system, &unchanged);
        for simplified in [pass, all] {
            let answer = safe(terms, &system, &simplified);
            if let (Some(plain), Some(answer)) = (plain, answer) {
                assert_eq!(plain, answer, "seed {seed}: {system:?}");
                decided[usize::from(answer)] += 1;
            }
        }
    }
    assert!(decided[0] >= 10 && decided[1] >= 10, "too one-sided: {decided:?}");
}
