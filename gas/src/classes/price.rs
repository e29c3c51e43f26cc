//! What decides the price of writing to storage, by the rules of the fork.

use hornet_evm::machine::Fork;
use hornet_ir::ids::TypeId;
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use hornet_symbolic::exec::{Executor, Flow};
use hornet_symbolic::{Key, Res, Spot, State, Tree};

use super::slot::{neighbours, type_of};
use super::survey::original;

pub(super) enum Written {
    Value(Tree),
    Zero,
    /// Of an array or of bytes.
    Length(TermId),
}

/// For each slot that is written: conditions of its prices, one of which holds.
pub(super) fn of_write(
    ex: &mut Executor<'_>,
    fork: Fork,
    now: &State,
    spot: &Spot,
    written: &Written,
) -> Res<Vec<Vec<TermId>>> {
    let Some(ty) = type_of(ex.program, spot) else { return Ok(Vec::new()) };
    match (ex.program.types.get(ty).clone(), written) {
        (Type::Struct(id), Written::Value(_) | Written::Zero) => {
            let fields: Vec<TypeId> = ex.program.types.structs[id].fields.iter().map(|f| f.ty).collect();
            let (mut all, mut at) = (Vec::new(), 0);
            for (i, field) in fields.into_iter().enumerate() {
                let size = ex.cx.shape(field)?.len();
                let mut keys = spot.keys.clone();
                keys.push(Key::Field(i as u32));
                let part = Spot { keys, ..spot.clone() };
                let written = match written {
                    Written::Value(value) => Written::Value(value[at..at + size].into()),
                    Written::Zero | Written::Length(_) => Written::Zero,
                };
                at += size;
                all.extend(of_write(ex, fork, now, &part, &written)?);
            }
            Ok(all)
        }
        (Type::Mapping { .. } | Type::Array { len: Some(_), .. }, _) => Ok(Vec::new()),
        (Type::Bytes, _) => of_bytes(ex, now, spot, written),
        // Of arrays, the slot with the length.
        (_, written) => {
            let new = match written {
                Written::Value(value) => value[0],
                Written::Length(length) => *length,
                Written::Zero => zero_like(ex, now, spot)?,
            };
            Ok(vec![of_slot(ex, fork, now, spot, new)?])
        }
    }
}

/// Short byte strings are in one slot, long ones elsewhere.
fn of_bytes(ex: &mut Executor<'_>, now: &State, spot: &Spot, written: &Written) -> Res<Vec<Vec<TermId>>> {
    let old = ex.cx.read_spot(now, spot)?[0];
    let new = match written {
        Written::Value(value) => value[0],
        Written::Length(length) => *length,
        Written::Zero => ex.cx.word(0),
    };
    let limit = ex.cx.word(31);
    let mut all = Vec::new();
    for length in [old, new] {
        let short = ex.at_most(length, limit);
        let long = ex.cx.terms.not(short);
        all.push(vec![short, long]);
    }
    Ok(all)
}

fn zero_like(ex: &mut Executor<'_>, now: &State, spot: &Spot) -> Res<TermId> {
    match type_of(ex.program, spot) {
        Some(ty) => Ok(ex.cx.zero(ty)?[0]),
        None => Ok(ex.cx.read_spot(now, spot)?[0]),
    }
}

fn of_slot(ex: &mut Executor<'_>, fork: Fork, now: &State, spot: &Spot, new: TermId) -> Res<Vec<TermId>> {
    let before = original();
    let (current, first) = (ex.cx.read_spot(now, spot)?[0], ex.cx.read_spot(&before, spot)?[0]);
    let zero = zero_like(ex, now, spot)?;
    let mut is_zero = [new, current, first].map(|value| ex.cx.terms.eq(value, zero));
    let mut clean = ex.cx.terms.eq(current, first);
    for other in neighbours(ex.program, spot) {
        let (current, first) = (ex.cx.read_spot(now, &other)?[0], ex.cx.read_spot(&before, &other)?[0]);
        let zero = zero_like(ex, now, &other)?;
        for (all, value) in is_zero.iter_mut().zip([current, current, first]) {
            let part = ex.cx.terms.eq(value, zero);
            *all = ex.cx.terms.and(*all, part);
        }
        let same = ex.cx.terms.eq(current, first);
        clean = ex.cx.terms.and(clean, same);
    }
    let [new_is_zero, current_is_zero, first_is_zero] = is_zero;
    let terms = &mut ex.cx.terms;
    let something = terms.not(new_is_zero);
    if fork < Fork::Istanbul {
        let creates = terms.and(current_is_zero, something);
        let others = terms.not(creates);
        return Ok(vec![creates, others]);
    }
    let same = terms.eq(new, current);
    let (changes, dirty, had) = (terms.not(same), terms.not(clean), terms.not(first_is_zero));
    let again = terms.and_all([changes, dirty]);
    let creates = terms.and_all([changes, clean, first_is_zero]);
    let clears = terms.and_all([changes, clean, had, new_is_zero]);
    let resets = terms.and_all([changes, clean, had, something]);
    Ok(vec![same, again, creates, clears, resets])
}

/// A call with ether: there is none to send, or enough, or too little, and then it does not take place.
pub(super) fn of_payment(ex: &mut Executor<'_>, flow: &Flow, value: TermId) -> Res<Vec<TermId>> {
    let this = ex.this();
    let balance = ex.balance_of(flow, this)?;
    let (zero, enough) = (ex.number_like(value, 0), ex.at_most(value, balance));
    let nothing = ex.cx.terms.eq(value, zero);
    let something = ex.cx.terms.not(nothing);
    let pays = ex.cx.terms.and(something, enough);
    let fails = ex.cx.terms.not(enough);
    Ok(vec![nothing, pays, fails])
}
