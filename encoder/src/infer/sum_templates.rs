//! Sums of mappings and arrays against totals, counters and ether.

use super::candidate::{Home, Pool};
use super::mine::Mined;
use super::state_templates::{Vocabulary, two_variables};
use hornet_ir::expr::{BinOp, Expr};
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::program::Program;
use hornet_ir::types::Type;

/// Numbers that may count what is in a collection.
fn totals(program: &Program, vocabulary: &Vocabulary) -> Vec<ExprId> {
    let is_total = |x: &ExprId| is_unsigned(program, *x) && matches!(program.exprs.get(*x), Expr::Load(_));
    vocabulary.scalars.iter().copied().filter(is_total).collect()
}

/// Sums of arrays against totals.
pub fn array_sums(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined) {
    let totals = totals(&pool.program, vocabulary);
    for &sum in &vocabulary.array_sums {
        sum_against(pool, mined, sum, &totals);
    }
}

/// Sums of mappings against totals and ether.
pub fn sums(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined) {
    let totals = totals(&pool.program, vocabulary);
    let candidates: Vec<ExprId> = vocabulary.balance.into_iter().chain(totals.iter().copied()).collect();
    for &sum in &vocabulary.sums {
        sum_against(pool, mined, sum, &candidates);
        let constants = mined.constants_of(collected_type(&pool.program, sum)).iter();
        let constants: Vec<ExprId> =
            constants.map(|word| pool.program.const_of(collected_type(&pool.program, sum), *word)).collect();
        sum_against(pool, mined, sum, &constants);
    }
    if let Some(balance) = vocabulary.balance {
        for &total in &totals {
            if pool.program.exprs.ty(total) == pool.program.exprs.ty(balance) {
                pool.propose_comparison(Home::Contract, BinOp::Le, total, balance);
            }
        }
    }
    for (i, &a) in vocabulary.sums.iter().enumerate() {
        for &b in &vocabulary.sums[i + 1..] {
            if pool.program.exprs.ty(a) == pool.program.exprs.ty(b) && mined.are_related(&pool.program, a, b)
            {
                two_variables(pool, Home::Contract, a, b);
                let both = pool.program.add(a, b);
                sum_against(pool, mined, both, &candidates);
            }
        }
    }
}

/// The type of the numbers that are summed up.
fn collected_type(program: &Program, sum: ExprId) -> TypeId {
    match program.exprs.get(sum) {
        Expr::Sum { place, .. } => program.exprs.place_ty(*place),
        _ => program.exprs.ty(sum),
    }
}

/// A sum and one or two counters against another.
pub fn sums_and_counters(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined) {
    let totals = totals(&pool.program, vocabulary);
    for &sum in &vocabulary.sums {
        let ty = pool.program.exprs.ty(sum);
        let close: Vec<ExprId> =
            totals.iter().copied().filter(|t| mined.are_related(&pool.program, sum, *t)).take(5).collect();
        let wide: Vec<ExprId> = close.iter().map(|t| pool.program.cast(*t, ty)).collect();
        for (i, &x) in wide.iter().enumerate() {
            let more = pool.program.add(sum, x);
            for (j, &y) in wide.iter().enumerate().filter(|(j, _)| *j != i) {
                pool.propose_comparison(Home::Contract, BinOp::Eq, more, y);
                pool.propose_comparison(Home::Contract, BinOp::Le, more, y);
                for (_, &z) in wide.iter().enumerate().filter(|(k, _)| j > i && *k != i && *k != j) {
                    let most = pool.program.add(more, y);
                    pool.propose_comparison(Home::Contract, BinOp::Eq, most, z);
                }
            }
        }
    }
}

fn sum_against(pool: &mut Pool, mined: &Mined, sum: ExprId, totals: &[ExprId]) {
    let ty = pool.program.exprs.ty(sum);
    for &total in totals {
        if mined.are_related(&pool.program, sum, total) {
            let total = pool.program.cast(total, ty);
            pool.propose_comparison(Home::Contract, BinOp::Eq, sum, total);
            pool.propose_comparison(Home::Contract, BinOp::Le, sum, total);
        }
    }
}

fn is_unsigned(program: &Program, x: ExprId) -> bool {
    matches!(program.types.get(program.exprs.ty(x)), Type::Int { signed: false, .. })
}
