//! Every fact is true for all small values, negative ones included.

use super::*;
use crate::arith::lemmas;
use hornet_smt::term::Sort;
use num_bigint::BigInt;

/// Evaluates the facts about `roots` for all values of the symbols; returns how many facts there are.
fn all_hold(
    t: &mut Terms,
    symbols: &[TermId],
    roots: &[TermId],
    range: std::ops::RangeInclusive<i32>,
) -> usize {
    let facts = lemmas(t, roots);
    let span = range.clone().count();
    for case in 0..span.pow(symbols.len() as u32) {
        let mut rest = case;
        let mut map = FxHashMap::default();
        for symbol in symbols {
            let value = range.start() + (rest % span) as i32;
            rest /= span;
            let value = match *t.sort(*symbol) {
                Sort::BitVec(width) => t.bv(value.unsigned_abs(), width),
                _ => t.int(value),
            };
            map.insert(*symbol, value);
        }
        for fact in &facts {
            let instance = t.replace_all(*fact, &mut map);
            let holds = truth(t, instance);
            let values: Vec<_> = symbols.iter().map(|s| constant_value(t, map[s])).collect();
            assert_eq!(holds, Some(true), "{fact:?} for {values:?}");
        }
    }
    facts.len()
}

/// The value of a term without symbols; `None` if it hangs on a division by zero.
fn truth(t: &Terms, term: TermId) -> Option<bool> {
    if let Some(value) = t.as_bool(term) {
        return Some(value);
    }
    let assigned = |op: &Op, args: &[Value]| match op {
        Op::Apply(function) => match args {
            // Mathematical powers have natural exponents; elsewhere the function may be anything.
            [_, Value::Int(n)] if *n < BigInt::ZERO => Some(Value::Int(BigInt::from(-77))),
            _ => power(&function.name, args),
        },
        _ => None,
    };
    t.evaluate(term, &assigned)?.as_bool()
}

fn symbols<const N: usize>(t: &mut Terms, sort: &Sort) -> [TermId; N] {
    std::array::from_fn(|_| t.fresh("x", sort.clone()))
}

#[test]
fn about_products() {
    let mut t = Terms::new();
    let [a, b, c] = symbols(&mut t, &Sort::Int);
    let roots = [t.mul(a, b), t.mul(a, c), t.mul(c, b), t.mul(a, a)];
    assert!(all_hold(&mut t, &[a, b, c], &roots, -5..=5) >= 16);
}

#[test]
fn about_quotients_and_remainders() {
    let mut t = Terms::new();
    let [a, b, c] = symbols(&mut t, &Sort::Int);
    let (product, five) = (t.mul(a, b), t.int(5));
    let scaled = t.mul(five, a);
    let roots = [
        t.div(product, c),
        t.div(product, b),
        t.div(a, b),
        t.div(a, c),
        t.div(c, b),
        t.div(scaled, five),
        t.div(product, five),
        t.div(scaled, c),
        t.modulo(product, c),
        t.modulo(a, b),
    ];
    assert!(all_hold(&mut t, &[a, b, c], &roots, -6..=6) >= 40);
}

#[test]
fn about_powers_of_integers() {
    let mut t = Terms::new();
    let [x, y, n, m] = symbols(&mut t, &Sort::Int);
    let function = t.function("~exp", vec![Sort::Int; 2], Sort::Int);
    let roots = [[x, n], [x, m], [y, n]].map(|args| t.apply(&function, &args));
    assert!(all_hold(&mut t, &[x, y, n, m], &roots, -3..=4) >= 30);
}

#[test]
fn large_exponents() {
    let mut t = Terms::new();
    let [x, n] = symbols(&mut t, &Sort::Int);
    let function = t.function("~exp", vec![Sort::Int; 2], Sort::Int);
    let root = t.apply(&function, &[x, n]);
    let facts = lemmas(&mut t, &[root]);
    for base in -3..4 {
        for exponent in 254..259 {
            let mut map: FxHashMap<_, _> = [(x, t.int(base)), (n, t.int(exponent))].into_iter().collect();
            for fact in &facts {
                let instance = t.replace_all(*fact, &mut map);
                assert_eq!(truth(&t, instance), Some(true), "{base} ** {exponent}");
            }
        }
    }
}

#[test]
fn about_powers_of_vectors() {
    for width in [2, 4] {
        for exponent_width in [2, 4] {
            let mut t = Terms::new();
            let x = t.fresh("x", Sort::BitVec(width));
            let n = t.fresh("n", Sort::BitVec(exponent_width));
            let mut roots = Vec::new();
            for signed in [false, true] {
                let (ty, right) = (int(width as u16, signed), uint(exponent_width as u16));
                let ints = Ints { mode: Arithmetic::Bv };
                roots.push(ints.binary(&mut t, BinOp::Exp, (&ty, x), (&right, n), false));
                roots.push(ints.fits(&mut t, ArithOp::Exp, (&ty, x), (&right, n)));
            }
            assert!(all_hold(&mut t, &[x, n], &roots, 0..=15) >= 8);
        }
    }
}

#[test]
fn about_amounts() {
    for width in [1, 3] {
        let mut t = Terms::new();
        let [a, b] = symbols(&mut t, &Sort::Int);
        let x = t.fresh("x", Sort::BitVec(width));
        let roots = [a, b].map(|amount| {
            let amount = t.int_to_bv(width, amount);
            t.bv_shl(x, amount)
        });
        assert_eq!(all_hold(&mut t, &[a, b], &roots, -20..=20), 3);
    }
}

/// A bound variable has no meaning outside its quantifier.
#[test]
fn not_about_bound_variables() {
    let mut t = Terms::new();
    let [a] = symbols(&mut t, &Sort::Int);
    let i = t.fresh_bound("i", Sort::Int);
    let (open, closed) = (t.mul(a, i), t.mul(a, a));
    let below = t.le(open, closed);
    let quantified = t.forall(&[i], below);
    for fact in lemmas(&mut t, &[quantified]) {
        assert!(t.is_closed(fact));
    }
}
