//! What contracts often keep true of every element of their mappings and arrays.

use super::candidate::{Home, Pool};
use super::mine::{Mined, is_about_state};
use super::rewrite::rewrite;
use super::state_templates::{Collection, Vocabulary, negation};
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, EnvVar, Expr, Root, Step};
use hornet_ir::ids::ExprId;
use hornet_ir::program::Program;
use hornet_ir::types::Type;

/// Conditions of the code with a variable in the place of the one key they are about.
pub fn decided(pool: &mut Pool, mined: &Mined) {
    for &(_, atom) in &mined.atoms {
        let opposite = negation(&mut pool.program, atom);
        for claim in [atom, opposite] {
            if let Some(claim) = for_every_key(pool, claim) {
                pool.propose(Home::Contract, claim);
            }
        }
    }
}

/// Bounds of elements, and what holds of several collections at the same key.
pub fn elements(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined) {
    for collection in &vocabulary.collections {
        bounds(pool, vocabulary, mined, collection);
    }
    for (i, a) in vocabulary.collections.iter().enumerate() {
        for b in &vocabulary.collections[i + 1..] {
            pairs(pool, a, b);
            for c in vocabulary.collections.iter().filter(|c| c.var != a.var && c.var != b.var) {
                triples(pool, a, b, c);
            }
        }
    }
}

/// Two numbers that add up to a third, all at the same key.
fn triples(pool: &mut Pool, a: &Collection, b: &Collection, c: &Collection) {
    let alike = |x: &Collection| x.key == a.key && x.value == a.value && x.length.is_none();
    let is_number = matches!(pool.program.types.get(a.value), Type::Int { .. });
    if !is_number || ![a, b, c].into_iter().all(alike) {
        return;
    }
    let var = pool.key(a.key);
    let key = pool.program.bound(var);
    let places = [a, b, c].map(|collection| collection.at(&mut pool.program, key));
    let [Some(x), Some(y), Some(z)] = places else { return };
    let [x, y, z] = [x, y, z].map(|place| pool.program.load(place));
    let both = pool.program.add(x, y);
    let claim = pool.program.eq(both, z);
    let claim = pool.program.quantified(true, &[var], claim);
    pool.propose(Home::Contract, claim);
}

/// Only indices of elements that are there count.
fn guarded(program: &mut Program, length: Option<ExprId>, key: ExprId, claim: ExprId) -> ExprId {
    match length {
        Some(length) => {
            let outside = program.binary(BinOp::Ge, key, length);
            program.or(outside, claim)
        }
        None => claim,
    }
}

/// An element against constants and variables of its type.
fn bounds(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined, collection: &Collection) {
    let ty = collection.value;
    let var = pool.key(collection.key);
    let key = pool.program.bound(var);
    let Some(place) = collection.at(&mut pool.program, key) else { return };
    let element = pool.program.load(place);
    let mut claims = Vec::new();
    match pool.program.types.get(ty).clone() {
        Type::Int { .. } => {
            let words: Vec<U256> =
                [U256::ZERO].into_iter().chain(mined.constants_of(ty).iter().copied()).take(5).collect();
            let others: Vec<ExprId> =
                vocabulary.scalars.iter().copied().filter(|x| pool.program.exprs.ty(*x) == ty).collect();
            let now = pool.program.env(EnvVar::Timestamp);
            let now = Some(now).filter(|now| mined.reads_time && pool.program.exprs.ty(*now) == ty);
            let limits = words.iter().map(|w| pool.program.const_of(ty, *w)).collect::<Vec<_>>();
            for limit in limits.into_iter().chain(others).chain(now) {
                claims.push(pool.program.le(element, limit));
                claims.push(pool.program.binary(BinOp::Ge, element, limit));
            }
        }
        Type::Bool => {
            let not = pool.program.not(element);
            claims.extend([element, not]);
        }
        Type::Address => {
            let zero = pool.program.default_of(ty);
            claims.push(pool.program.ne(element, zero));
        }
        _ => {}
    }
    for claim in claims {
        let claim = guarded(&mut pool.program, collection.length, key, claim);
        let claim = pool.program.quantified(true, &[var], claim);
        pool.propose(Home::Contract, claim);
    }
}

/// Two collections at the same key.
fn pairs(pool: &mut Pool, a: &Collection, b: &Collection) {
    if a.key != b.key || a.length.is_some() != b.length.is_some() {
        return;
    }
    let var = pool.key(a.key);
    let key = pool.program.bound(var);
    let (Some(x), Some(y)) = (a.at(&mut pool.program, key), b.at(&mut pool.program, key)) else { return };
    let (x, y) = (pool.program.load(x), pool.program.load(y));
    let mut claims = Vec::new();
    if a.value == b.value {
        claims.push(pool.program.eq(x, y));
        if matches!(pool.program.types.get(a.value), Type::Int { .. }) {
            claims.extend([pool.program.le(x, y), pool.program.le(y, x)]);
        }
    }
    for (flag, other, ty) in [(x, y, b.value), (y, x, a.value)] {
        let kind = pool.program.types.get(ty).clone();
        if *pool.program.types.get(pool.program.exprs.ty(flag)) != Type::Bool || !kind.is_scalar() {
            continue;
        }
        let mut values = vec![pool.program.default_of(ty)];
        if let Type::Enum(id) = kind {
            let members = 1..pool.program.types.enums[id].members.len().min(6);
            values.extend(members.map(|m| pool.program.const_of(ty, U256::from(m))));
        }
        let not = pool.program.not(flag);
        for value in values {
            let (same, differs) = (pool.program.eq(other, value), pool.program.ne(other, value));
            for (escape, fact) in [(flag, same), (flag, differs), (not, same), (not, differs)] {
                claims.push(pool.program.or(escape, fact));
            }
        }
    }
    for claim in claims {
        let claim = guarded(&mut pool.program, a.length, key, claim);
        let claim = guarded(&mut pool.program, b.length, key, claim);
        let claim = pool.program.quantified(true, &[var], claim);
        pool.propose(Home::Contract, claim);
    }
}

/// A condition about one element, said of all: the key (a local, or who calls) becomes a variable.
fn for_every_key(pool: &mut Pool, atom: ExprId) -> Option<ExprId> {
    let mut keys = Vec::new();
    find_keys(&mut pool.program, atom, &mut keys);
    let [(key, length)] = keys[..] else { return None };
    let var = pool.key(pool.program.exprs.ty(key));
    let program = &mut pool.program;
    let bound = program.bound(var);
    let body = rewrite(program, atom, &mut |_, e| (e == key).then_some(bound))?;
    let body = guarded(program, length, bound, body);
    is_about_state(program, body).then(|| program.quantified(true, &[var], body))
}

/// Indices into the contract's collections that a single call chooses, with the length of what they index.
fn find_keys(program: &mut Program, e: ExprId, keys: &mut Vec<(ExprId, Option<ExprId>)>) {
    if let Expr::Load(place) = *program.exprs.get(e) {
        let place = program.exprs.place(place).clone();
        if let (Root::State(_), [Step::Index(key), ..]) = (place.root, &place.steps[..]) {
            let is_free = matches!(program.exprs.get(*key), Expr::Local(_) | Expr::Env(EnvVar::Caller));
            let collection = program.place(place.root, &[]);
            let length =
                collection.and_then(|whole| match program.types.get(program.exprs.place_ty(whole)) {
                    Type::Array { len: None, .. } => Some(program.length(whole)),
                    _ => None,
                });
            if is_free && !keys.contains(&(*key, length)) {
                keys.push((*key, length));
            }
        }
    }
    let mut parts = Vec::new();
    program.exprs.for_each_operand(e, |part| parts.push(part));
    parts.into_iter().for_each(|part| find_keys(program, part, keys));
}
