//! Each pass on the smallest system that it changes.

use super::*;
use crate::term::{Sort, Value};

fn clause(body: &[TermId], head: Option<TermId>) -> Clause {
    Clause { name: "clause".into(), body: body.to_vec(), head }
}

fn ints(terms: &Terms, name: &str, count: usize) -> Arc<Function> {
    terms.function(name, vec![Sort::Int; count], Sort::Bool)
}

fn variables<const N: usize>(terms: &mut Terms, names: [&str; N]) -> [TermId; N] {
    names.map(|name| terms.symbol(name, Sort::Int))
}

/// `p` goes up from zero; `q` repeats it and nobody asks for it; `r` follows from `n`, which nothing concludes.
#[test]
fn what_no_refutation_can_use_is_dropped() {
    let mut terms = Terms::new();
    let [p, q, r, n] = ["p", "q", "r", "n"].map(|name| ints(&terms, name, 1));
    let [x] = variables(&mut terms, ["x"]);
    let (zero, one) = (terms.int(0), terms.int(1));
    let [at_p, at_q, at_r, at_n] = [&p, &q, &r, &n].map(|predicate| terms.apply(predicate, &[x]));
    let start = terms.apply(&p, &[zero]);
    let more = terms.add(x, one);
    let next = terms.apply(&p, &[more]);
    let negative = terms.lt(x, zero);
    let kept = [clause(&[], Some(start)), clause(&[at_p], Some(next)), clause(&[at_p, negative], None)];
    let dropped = [clause(&[at_p], Some(at_q)), clause(&[at_n], Some(at_r)), clause(&[at_r, at_p], None)];
    let system = System { clauses: kept.iter().chain(&dropped).cloned().collect() };
    let simplified = cone(&terms, &system);
    assert_eq!(simplified.system.clauses.len(), kept.len());
    assert_eq!(simplified.system.predicates(&terms), [p]);
    let model = simplified.original_model(&mut terms, Model::default());
    let value = |predicate| terms.as_bool(model.get(predicate).expect("defined").body);
    assert_eq!((value(&q), value(&r), value(&n)), (Some(true), Some(false), Some(false)));
}

/// Of `p(x, y, z, f)`, `x` is asked about, `y` counts for nobody, `z` is passed on unchanged, `f` may be anything.
#[test]
fn parameters_that_do_not_matter_are_dropped() {
    let mut terms = Terms::new();
    let p = ints(&terms, "p", 4);
    let [x, y, z, f, g] = variables(&mut terms, ["x", "y", "z", "f", "g"]);
    let (zero, one) = (terms.int(0), terms.int(1));
    let start = terms.apply(&p, &[zero, zero, one, f]);
    let here = terms.apply(&p, &[x, y, z, f]);
    let (x_next, y_next) = (terms.add(x, one), terms.add(y, x));
    let next = terms.apply(&p, &[x_next, y_next, z, g]);
    let wrong = terms.lt(x, zero);
    let asked = terms.lt(f, x);
    let system = System {
        clauses: vec![
            clause(&[], Some(start)),
            clause(&[here], Some(next)),
            clause(&[here, wrong, asked], None),
        ],
    };
    let simplified = slice(&mut terms, &system);
    let short = simplified.system.predicates(&terms);
    assert_eq!(short.len(), 1);
    assert_eq!(short[0].params.len(), 1);
    let [a] = variables(&mut terms, ["a"]);
    let body = terms.le(zero, a);
    let definition = Definition { predicate: short[0].clone(), params: vec![a], body };
    let model = simplified.original_model(&mut terms, Model { definitions: vec![definition] });
    let claim = model.apply(&mut terms, here);
    assert_eq!(claim, terms.le(zero, x));
}

/// An argument that is used twice in a body is looked at: the two must be equal.
#[test]
fn an_argument_that_two_predicates_share_matters() {
    let mut terms = Terms::new();
    let (p, q) = (ints(&terms, "p", 2), ints(&terms, "q", 2));
    let [x, y, z] = variables(&mut terms, ["x", "y", "z"]);
    let (zero, one) = (terms.int(0), terms.int(1));
    let p_start = terms.apply(&p, &[zero, zero]);
    let q_start = terms.apply(&q, &[zero, one]);
    let (at_p, at_q) = (terms.apply(&p, &[x, y]), terms.apply(&q, &[z, y]));
    let system = System {
        clauses: vec![clause(&[], Some(p_start)), clause(&[], Some(q_start)), clause(&[at_p, at_q], None)],
    };
    let simplified = slice(&mut terms, &system);
    // Safe only because 0 and 1 differ.
    let kept: Vec<usize> =
        simplified.system.predicates(&terms).iter().map(|predicate| predicate.params.len()).collect();
    assert_eq!(kept, [1, 1]);
    let values: Vec<TermId> = simplified
        .system
        .clauses
        .iter()
        .filter_map(|clause| clause.head)
        .map(|head| terms.args(head)[0])
        .collect();
    assert_eq!(values, [zero, one]);
}

/// A shorter predicate is no other predicate that happens to have its name.
#[test]
fn shorter_predicates_get_names_of_their_own() {
    let mut terms = Terms::new();
    let (long, short) = (ints(&terms, "p", 2), ints(&terms, "p", 1));
    let [x, y] = variables(&mut terms, ["x", "y"]);
    let (zero, one) = (terms.int(0), terms.int(1));
    let (a, b) = (terms.apply(&long, &[zero, zero]), terms.apply(&short, &[one]));
    let (at_long, at_short) = (terms.apply(&long, &[x, y]), terms.apply(&short, &[x]));
    let positive = terms.lt(zero, x);
    let system = System {
        clauses: vec![
            clause(&[], Some(a)),
            clause(&[], Some(b)),
            clause(&[at_long, positive], None),
            clause(&[at_long, at_short], None),
        ],
    };
    let simplified = slice(&mut terms, &system);
    assert_eq!(simplified.system.predicates(&terms).len(), 2);
}

#[test]
fn parameters_with_one_value_are_dropped() {
    let mut terms = Terms::new();
    let p = ints(&terms, "p", 3);
    let [x, y, z] = variables(&mut terms, ["x", "y", "z"]);
    let (zero, one, five) = (terms.int(0), terms.int(1), terms.int(5));
    let start = terms.apply(&p, &[zero, five, zero]);
    let here = terms.apply(&p, &[x, y, z]);
    let (x_next, z_next) = (terms.add(x, one), terms.add(z, one));
    let next = terms.apply(&p, &[x_next, y, z_next]);
    let wrong = terms.lt(x, y);
    let system = System {
        clauses: vec![clause(&[], Some(start)), clause(&[here], Some(next)), clause(&[here, wrong], None)],
    };
    let simplified = constants(&mut terms, &system);
    let short = simplified.system.predicates(&terms);
    assert_eq!(short[0].params.len(), 2);
    let is_five = terms.eq(y, five);
    assert!(simplified.system.clauses[2].body.contains(&is_five));
    let params = variables(&mut terms, ["a", "b"]).to_vec();
    let definition = Definition { predicate: short[0].clone(), params, body: terms.bool(true) };
    let model = simplified.original_model(&mut terms, Model { definitions: vec![definition] });
    assert_eq!(model.apply(&mut terms, here), is_five);
}

#[test]
fn equations_are_solved() {
    let mut terms = Terms::new();
    let p = ints(&terms, "p", 1);
    let [x, y, z] = variables(&mut terms, ["x", "y", "z"]);
    let flag = terms.symbol("flag", Sort::Bool);
    let (zero, one) = (terms.int(0), terms.int(1));
    let here = terms.apply(&p, &[x]);
    let next = terms.apply(&p, &[z]);
    let more = terms.add(x, one);
    let chosen = terms.ite(flag, more, zero);
    let (y_is, z_is) = (terms.eq(y, chosen), terms.eq(z, y));
    let contradiction = terms.lt(one, zero);
    let around = terms.eq(y, more);
    let around_again = terms.eq(x, y);
    let system = System {
        clauses: vec![
            clause(&[here, z_is, flag, y_is], Some(next)),
            clause(&[here, contradiction], None),
            clause(&[here], Some(here)),
            // Cannot be solved away: a symbol is no part of its own value.
            clause(&[here, around, around_again], None),
        ],
    };
    let simplified = substitute(&mut terms, &system).system;
    let expected = terms.apply(&p, &[more]);
    let circle = terms.eq(x, more);
    assert_eq!(simplified.clauses.len(), 2, "{:?}", simplified.clauses);
    assert_eq!(simplified.clauses[1].body, [here, circle]);
    assert_eq!((&simplified.clauses[0].body, simplified.clauses[0].head), (&vec![here], Some(expected)));
}

#[test]
fn alternatives_become_clauses_up_to_a_number() {
    let mut terms = Terms::new();
    let [x, y] = variables(&mut terms, ["x", "y"]);
    let (zero, one) = (terms.int(0), terms.int(1));
    let [a, b] = [terms.lt(x, zero), terms.lt(one, x)];
    let [c, d] = [terms.lt(y, zero), terms.lt(one, y)];
    let (first, second) = (terms.or(a, b), terms.or(c, d));
    let system = System { clauses: vec![clause(&[first, second], None)] };
    let bodies = |most: usize, terms: &mut Terms| {
        let mut bodies: Vec<Vec<TermId>> =
            split(terms, &system, most).system.clauses.into_iter().map(|clause| clause.body).collect();
        for body in &mut bodies {
            body.sort_unstable();
        }
        bodies.sort();
        bodies
    };
    let mut all = vec![vec![a, c], vec![a, d], vec![b, c], vec![b, d]];
    all.iter_mut().for_each(|body| body.sort_unstable());
    all.sort();
    assert_eq!(bodies(4, &mut terms), all);
    assert_eq!(bodies(1, &mut terms).len(), 1);
    assert_eq!(bodies(3, &mut terms).len(), 3);
}

/// With `0 <= x, y < 16`: a sum wraps once or not, a difference too, a product is left alone.
#[test]
fn remainders_become_choices_where_ranges_allow() {
    let mut terms = Terms::new();
    let p = ints(&terms, "p", 1);
    let [x, y, z] = variables(&mut terms, ["x", "y", "z"]);
    let (zero, size) = (terms.int(0), terms.int(16));
    let ranges = [terms.le(zero, x), terms.lt(x, size), terms.le(zero, y), terms.lt(y, size)];
    let sum = terms.add(x, y);
    let difference = terms.sub(x, y);
    let product = terms.mul(x, y);
    let unknown = terms.add(x, z);
    let mut concluded = |value: TermId| {
        let wrapped = terms.modulo(value, size);
        let head = terms.apply(&p, &[wrapped]);
        let system = System { clauses: vec![clause(&ranges, Some(head))] };
        let head = remainders(&mut terms, &system).system.clauses[0].head.expect("a head");
        (wrapped, terms.args(head)[0])
    };
    for value in [product, unknown] {
        let (before, after) = concluded(value);
        assert_eq!(before, after);
    }
    let pairs = [concluded(sum), concluded(difference)];
    for (before, after) in pairs {
        assert_ne!(*terms.op(after), Op::Mod);
        for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
            let assigned = |op: &Op, _: &[Value]| match op {
                Op::Symbol(name) if &**name == "x" => Some(Value::Int(a.into())),
                Op::Symbol(name) if &**name == "y" => Some(Value::Int(b.into())),
                _ => None,
            };
            let (expected, found) = (terms.evaluate(before, &assigned), terms.evaluate(after, &assigned));
            assert!(expected.is_some() && expected == found, "{a} {b}: {found:?}");
        }
    }
}
