//! Prices that grow with an amount: what is copied, hashed, logged or encoded costs by its words, a power by the size of its
//! exponent.

use hornet_ir::expr::{ArithOp, BinOp, Expr};
use hornet_ir::ids::{ExprId, TypeId};
use hornet_ir::layout::is_dynamic_abi;
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use hornet_symbolic::exec::{Executor, Flow, Run};
use hornet_symbolic::{LeafKind, Res};
use num_bigint::BigInt;

use super::point::Question;

/// What a length counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Bytes,
    Elements,
}

/// Which lengths are told apart: of arrays as many elements as rounds of loops are looked at, of bytes as many words,
/// whole ones and others.
pub(super) fn of_length(ex: &mut Executor<'_>, length: TermId, unit: Unit, rounds: u32) -> Option<Question> {
    let limits: Vec<BigInt> = match unit {
        Unit::Elements => (0..=rounds).map(BigInt::from).collect(),
        Unit::Bytes => std::iter::once(0)
            .chain((1..=rounds).flat_map(|w| [32 * w - 1, 32 * w]))
            .map(BigInt::from)
            .collect(),
    };
    let question = between(ex, length, &limits)?;
    Some(Question { open: true, ..question })
}

/// Whether bytes in storage are none, in the slot of their length, or elsewhere.
pub(super) fn of_stored_bytes(ex: &mut Executor<'_>, length: TermId) -> Option<Question> {
    let question = between(ex, length, &[0, 31].map(BigInt::from))?;
    Some(Question { open: true, ..question })
}

/// A power costs by the bytes of its exponent where the machine computes it, and by its bits where the code multiplies.
pub(super) fn of_power(ex: &mut Executor<'_>, run: &Run<'_>, flow: &Flow, e: ExprId) -> Option<Question> {
    let exprs = &ex.program.exprs;
    let (exponent, step) = match exprs.get(e) {
        Expr::Binary(BinOp::Exp, _, exponent) => (*exponent, 8),
        Expr::Fits(ArithOp::Exp, base, exponent) if !matches!(exprs.get(*base), Expr::Const(_)) => {
            (*exponent, 1)
        }
        _ => return None,
    };
    let Type::Int { bits, .. } = *ex.program.types.get(exprs.ty(exponent)) else { return None };
    let most = if step == 1 { MOST_BITS.min(bits.into()) } else { u32::from(bits) };
    let limits: Vec<BigInt> = (0..most).step_by(step).map(|bits| (BigInt::from(1) << bits) - 1).collect();
    let exponent = ex.scalar(flow, &run.proc.locals, run.frame, exponent).ok()?;
    let question = between(ex, exponent, &limits)?;
    Some(Question { open: step == 1, ..question })
}

/// No power of more than one fits that has a larger exponent.
const MOST_BITS: u32 = 9;

/// Between which limits a number is.
fn between(ex: &mut Executor<'_>, number: TermId, limits: &[BigInt]) -> Option<Question> {
    let terms = &mut ex.cx.terms;
    if *terms.sort(number) != Sort::Int {
        return None;
    }
    let bounds: Vec<(TermId, TermId)> = limits
        .iter()
        .map(|limit| {
            let limit = terms.int(limit.clone());
            (limit, terms.le(number, limit))
        })
        .collect();
    let (mut options, mut told) = (Vec::new(), Vec::new());
    for at in 0..=bounds.len() {
        // Each option says how the number compares with all limits, so that one answer settles every such question.
        let says: Vec<TermId> = bounds
            .iter()
            .enumerate()
            .map(|(i, (_, below))| if i < at { terms.not(*below) } else { *below })
            .collect();
        let is_one = at < limits.len() && (at == 0 || limits[at] == &limits[at - 1] + 1);
        told.push(match is_one {
            true => terms.eq(number, bounds[at].0),
            false => terms.and_all(says[at.saturating_sub(1)..says.len().min(at + 1)].to_vec()),
        });
        options.push(terms.and_all(says));
    }
    Some(Question { options, told, open: false })
}

/// What a value that is copied has of lengths.
pub(super) struct Lengths {
    pub found: Vec<(TermId, Unit)>,
    /// There are others inside of arrays.
    pub nested: bool,
}

/// The lengths of a value, if it has any.
pub(super) fn lengths(ex: &mut Executor<'_>, run: &Run<'_>, flow: &Flow, e: ExprId) -> Res<Option<Lengths>> {
    if !is_copied(ex, e) {
        return Ok(None);
    }
    let value = ex.eval(flow, &run.proc.locals, run.frame, e)?;
    let (ty, leaves) = ex.cx.contents(&flow.state, ex.program.exprs.ty(e), &value)?;
    let shape = ex.cx.shape(ty)?;
    let mut lengths = Lengths { found: Vec::new(), nested: false };
    for (at, leaf) in shape.iter().enumerate().filter(|(_, leaf)| leaf.kind == LeafKind::Length) {
        let holds_bytes = shape.get(at + 1).is_some_and(|next| next.kind == LeafKind::Byte);
        match leaf.indices.is_empty() {
            true => lengths.found.push((leaves[at], if holds_bytes { Unit::Bytes } else { Unit::Elements })),
            false => lengths.nested = true,
        }
    }
    Ok(Some(lengths))
}

/// Whether an expression is a value of no certain size. What is encoded is counted with what it is made of.
fn is_copied(ex: &Executor<'_>, e: ExprId) -> bool {
    let (exprs, types) = (&ex.program.exprs, &ex.program.types);
    match exprs.get(e) {
        Expr::BytesConst(_) | Expr::Length(_) | Expr::Ref(_) | Expr::AbiEncode { .. } => false,
        _ => {
            let ty: TypeId = exprs.ty(e);
            let stored = matches!(types.get(ty), Type::StorageRef(_));
            !stored && is_dynamic_abi(types, types.referent(ty).unwrap_or(ty))
        }
    }
}
