//! Clauses like those of contracts: one predicate for the state between transactions, one clause per function.

use hornet_smt::solver::horn::{Clause, System};
use hornet_smt::term::{Function, Sort, TermId, Terms};
use num_bigint::BigInt;
use std::sync::Arc;

pub fn clause(name: &str, body: &[TermId], head: Option<TermId>) -> Clause {
    Clause { name: name.to_owned(), body: body.to_vec(), head }
}

pub fn mapping() -> Sort {
    Sort::array(Sort::Int, Sort::Int)
}

pub fn word_size() -> BigInt {
    BigInt::from(1) << 256
}

/// `x` and `y` start at zero and go up by one and two, until `x` is ten; `y` must then not be more than `bound`.
pub fn two_counters(terms: &mut Terms, bound: i32) -> (System, Arc<Function>) {
    let p = terms.function("p", vec![Sort::Int, Sort::Int], Sort::Bool);
    let (x, y) = (terms.symbol("x", Sort::Int), terms.symbol("y", Sort::Int));
    let zero = terms.int(0);
    let start = terms.apply(&p, &[zero, zero]);
    let here = terms.apply(&p, &[x, y]);
    let (one, two, ten, bound) = (terms.int(1), terms.int(2), terms.int(10), terms.int(bound));
    let (x_next, y_next) = (terms.add(x, one), terms.add(y, two));
    let next = terms.apply(&p, &[x_next, y_next]);
    let goes_on = terms.lt(x, ten);
    let too_much = terms.lt(bound, y);
    let clauses = vec![
        clause("start", &[], Some(start)),
        clause("step", &[here, goes_on], Some(next)),
        clause("safe", &[here, too_much], None),
    ];
    (System { clauses }, p)
}

/// An element is written with what goes up from zero, so it is never negative.
pub fn written_element(terms: &mut Terms) -> System {
    let p = terms.function("p", vec![mapping(), Sort::Int], Sort::Bool);
    let (a, v) = (terms.symbol("a", mapping()), terms.symbol("v", Sort::Int));
    let (zero, one) = (terms.int(0), terms.int(1));
    let blank = terms.const_array(Sort::Int, zero);
    let start = terms.apply(&p, &[blank, zero]);
    let here = terms.apply(&p, &[a, v]);
    let written = terms.store(a, zero, v);
    let v_next = terms.add(v, one);
    let next = terms.apply(&p, &[written, v_next]);
    let element = terms.select(a, zero);
    let negative = terms.lt(element, zero);
    System {
        clauses: vec![
            clause("start", &[], Some(start)),
            clause("step", &[here], Some(next)),
            clause("safe", &[here, negative], None),
        ],
    }
}

/// Deposits into a mapping: no balance is ever above what was paid in altogether by more than `slack`. The proof needs a
/// fact about every element.
pub fn balances_below_maximum(terms: &mut Terms, slack: i32) -> System {
    let p = terms.function("state", vec![mapping(), Sort::Int, Sort::Int], Sort::Bool);
    let balances = terms.symbol("balances", mapping());
    let [highest, owner, sender, amount, who] =
        ["highest", "owner", "sender", "amount", "who"].map(|name| terms.symbol(name, Sort::Int));
    let zero = terms.int(0);
    let blank = terms.const_array(Sort::Int, zero);
    let start = terms.apply(&p, &[blank, zero, owner]);
    let here = terms.apply(&p, &[balances, highest, owner]);
    let old = terms.select(balances, sender);
    let new = terms.add(old, amount);
    let written = terms.store(balances, sender, new);
    let positive = terms.lt(zero, amount);
    let above = terms.lt(highest, new);
    let new_highest = terms.ite(above, new, highest);
    let next = terms.apply(&p, &[written, new_highest, owner]);
    let balance = terms.select(balances, who);
    let slack = terms.int(slack);
    let more = terms.add(highest, slack);
    let wrong = terms.lt(more, balance);
    System {
        clauses: vec![
            clause("constructor", &[], Some(start)),
            clause("deposit", &[here, positive], Some(next)),
            clause("assertion", &[here, wrong], None),
        ],
    }
}

/// `allowance[owner][spender]` is spent, never below zero.
pub fn allowances(terms: &mut Terms) -> System {
    let nested = Sort::array(Sort::Int, mapping());
    let p = terms.function("state", vec![nested.clone()], Sort::Bool);
    let allowed = terms.symbol("allowed", nested);
    let [owner, spender, amount] = ["owner", "spender", "amount"].map(|name| terms.symbol(name, Sort::Int));
    let zero = terms.int(0);
    let inner = terms.const_array(Sort::Int, zero);
    let blank = terms.const_array(Sort::Int, inner);
    let start = terms.apply(&p, &[blank]);
    let here = terms.apply(&p, &[allowed]);
    let row = terms.select(allowed, owner);
    let cell = terms.select(row, spender);
    let set = terms.store(row, spender, amount);
    let approved = terms.store(allowed, owner, set);
    let after_approve = terms.apply(&p, &[approved]);
    let rest = terms.sub(cell, amount);
    let spent_row = terms.store(row, spender, rest);
    let spent = terms.store(allowed, owner, spent_row);
    let after_spend = terms.apply(&p, &[spent]);
    let not_negative = terms.le(zero, amount);
    let enough = terms.le(amount, cell);
    let wrong = terms.lt(cell, zero);
    System {
        clauses: vec![
            clause("constructor", &[], Some(start)),
            clause("approve", &[here, not_negative], Some(after_approve)),
            clause("spend", &[here, not_negative, enough], Some(after_spend)),
            clause("assertion", &[here, wrong], None),
        ],
    }
}

/// An eight-bit counter in steps of two is even; `odd_step` breaks that.
pub fn even_bits(terms: &mut Terms, odd_step: bool) -> System {
    let byte = Sort::BitVec(8);
    let p = terms.function("p", vec![byte.clone()], Sort::Bool);
    let x = terms.symbol("x", byte);
    let (zero, one, two) = (terms.bv(0u32, 8), terms.bv(1u32, 8), terms.bv(2u32, 8));
    let start = terms.apply(&p, &[zero]);
    let here = terms.apply(&p, &[x]);
    let step = if odd_step { terms.bv(3u32, 8) } else { two };
    let sum = terms.bv_add(x, step);
    let next = terms.apply(&p, &[sum]);
    let lowest = terms.bv_and(x, one);
    let odd = terms.eq(lowest, one);
    System {
        clauses: vec![
            clause("start", &[], Some(start)),
            clause("step", &[here], Some(next)),
            clause("safe", &[here, odd], None),
        ],
    }
}

/// A lock: while `locked` holds, `count` does not change, in wrapping arithmetic; a flag and a remainder in one predicate.
pub fn wrapping_pair(terms: &mut Terms) -> System {
    let p = terms.function("state", vec![Sort::Bool, Sort::Int, Sort::Int], Sort::Bool);
    let flag = terms.symbol("flag", Sort::Bool);
    let [x, y, by] = ["x", "y", "by"].map(|name| terms.symbol(name, Sort::Int));
    let (zero, size) = (terms.int(0), terms.int(word_size()));
    let yes = terms.bool(true);
    let start = terms.apply(&p, &[yes, zero, zero]);
    let here = terms.apply(&p, &[flag, x, y]);
    let wrapped = |terms: &mut Terms, value| {
        let sum = terms.add(value, by);
        terms.modulo(sum, size)
    };
    let (x_next, y_next) = (wrapped(terms, x), wrapped(terms, y));
    let not_flag = terms.not(flag);
    let next = terms.apply(&p, &[not_flag, x_next, y_next]);
    let (from, below) = (terms.le(zero, by), terms.lt(by, size));
    let wrong = terms.ne(x, y);
    System {
        clauses: vec![
            clause("start", &[], Some(start)),
            clause("step", &[here, from, below], Some(next)),
            clause("safe", &[here, wrong], None),
        ],
    }
}

/// Multiplication that Spacer does not finish: squares are never two more than a multiple of three.
pub fn endless(terms: &mut Terms) -> System {
    let p = terms.function("p", vec![Sort::Int, Sort::Int], Sort::Bool);
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, Sort::Int));
    let (one, two, three) = (terms.int(1), terms.int(2), terms.int(3));
    let start = terms.apply(&p, &[one, two]);
    let here = terms.apply(&p, &[x, y]);
    let product = terms.mul(x, y);
    let (sum, more) = (terms.add(product, z), terms.add(x, y));
    let next = terms.apply(&p, &[sum, more]);
    let square = terms.mul(z, z);
    let bounded = terms.lt(square, product);
    let rest = terms.modulo(sum, three);
    let cube = terms.mul(square, z);
    let wrong = [terms.eq(rest, two), terms.eq(cube, product), terms.lt(three, z)];
    System {
        clauses: vec![
            clause("start", &[], Some(start)),
            clause("step", &[here, bounded], Some(next)),
            clause("safe", &[here, wrong[0], wrong[1], wrong[2]], None),
        ],
    }
}
