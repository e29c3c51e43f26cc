//! What contracts often keep true of their variables: bounds, orders, equalities, sums of mappings and totals.

use super::candidate::{Home, Pool};
use super::mine::{Mined, is_about_state, mentions_limit};
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, Builtin, EnvVar, Expr, Root, Step};
use hornet_ir::ids::{ExprId, PlaceId, StateVarId, TypeId};
use hornet_ir::program::{Program, StateKind};
use hornet_ir::spec::BoundVar;
use hornet_ir::types::{Type, WIDE_BITS};

/// The contract's variables, as expressions.
#[derive(Default)]
pub struct Vocabulary {
    /// Single values in storage and in immutables, and lengths of arrays.
    pub scalars: Vec<ExprId>,
    /// Collections of single values: their places without the keys.
    pub collections: Vec<Collection>,
    /// Sums of the numbers in mappings, and in arrays, which are harder to reason about.
    pub sums: Vec<ExprId>,
    pub array_sums: Vec<ExprId>,
    /// The contract's ether, if its code has to do with ether.
    pub balance: Option<ExprId>,
}

/// A mapping or array whose elements, or a field of them, are single values.
#[derive(Clone)]
pub struct Collection {
    pub var: StateVarId,
    /// After the index.
    pub fields: Vec<Step>,
    pub key: TypeId,
    /// For arrays: their length, which indices stay below.
    pub length: Option<ExprId>,
    pub value: TypeId,
}

impl Vocabulary {
    pub fn new(program: &mut Program, contract: hornet_ir::ids::ContractId) -> Vocabulary {
        let mut found = Vocabulary::default();
        for var in program.contracts[contract].state.clone() {
            if program.state[var].kind != StateKind::Transient {
                found.add(program, var, Vec::new(), program.state[var].ty);
            }
        }
        if has_to_do_with_ether(program, contract) {
            let this = program.env(EnvVar::This);
            found.balance = Some(program.builtin(Builtin::Balance, &[this]));
        }
        for collection in found.collections.clone() {
            let sum = sum(program, &collection);
            let list = if collection.length.is_some() { &mut found.array_sums } else { &mut found.sums };
            list.extend(sum);
        }
        found
    }

    fn add(&mut self, program: &mut Program, var: StateVarId, steps: Vec<Step>, ty: TypeId) {
        let ty_of = program.types.get(ty).clone();
        match ty_of {
            Type::Struct(id) => {
                for (i, field) in program.types.structs[id].fields.clone().into_iter().enumerate() {
                    let longer = steps.iter().copied().chain([Step::Field(i as u32)]).collect();
                    self.add(program, var, longer, field.ty);
                }
            }
            Type::Array { elem, len } => {
                let Some(place) = program.place(Root::State(var), &steps) else { return };
                let word = program.types.word();
                let length = match len {
                    Some(length) => program.const_word(length),
                    None => program.length(place),
                };
                if len.is_none() {
                    self.scalars.push(length);
                }
                if steps.is_empty() {
                    self.add_collection(program, var, word, Some(length), elem);
                }
            }
            Type::Mapping { key, value } if steps.is_empty() => {
                self.add_collection(program, var, key, None, value);
            }
            _ if ty_of.is_scalar() && !matches!(ty_of, Type::FnInternal | Type::FnExternal) => {
                if let Some(place) = program.place(Root::State(var), &steps) {
                    self.scalars.push(program.load(place));
                }
            }
            _ => {}
        }
    }

    fn add_collection(
        &mut self,
        program: &Program,
        var: StateVarId,
        key: TypeId,
        length: Option<ExprId>,
        value: TypeId,
    ) {
        match program.types.get(value) {
            Type::Struct(id) => {
                for (i, field) in program.types.structs[*id].fields.iter().enumerate() {
                    if program.types.get(field.ty).is_scalar() {
                        let fields = vec![Step::Field(i as u32)];
                        self.collections.push(Collection { var, fields, key, length, value: field.ty });
                    }
                }
            }
            ty if ty.is_scalar() => {
                self.collections.push(Collection { var, fields: Vec::new(), key, length, value });
            }
            _ => {}
        }
    }
}

impl Collection {
    /// The element at a key.
    pub fn at(&self, program: &mut Program, key: ExprId) -> Option<PlaceId> {
        let steps: Vec<Step> = [Step::Index(key)].into_iter().chain(self.fields.iter().copied()).collect();
        program.place(Root::State(self.var), &steps)
    }
}

fn has_to_do_with_ether(program: &Program, contract: hornet_ir::ids::ContractId) -> bool {
    let decl = &program.contracts[contract];
    decl.receive.is_some() || decl.fallback.is_some() || decl.entries.iter().any(|e| e.payable)
}

fn sum(program: &mut Program, collection: &Collection) -> Option<ExprId> {
    let Type::Int { signed, .. } = *program.types.get(collection.value) else { return None };
    // Arrays of fixed length are seldom accounts.
    if collection.length.is_some_and(|l| program.constant(l).is_some()) {
        return None;
    }
    let var = program.bound_vars.push(BoundVar { name: "_".to_owned(), ty: collection.key });
    let key = program.bound(var);
    let place = collection.at(program, key)?;
    let wide = program.types.intern(Type::Int { bits: WIDE_BITS, signed });
    Some(program.sum(&[var], place, wide))
}

/// Simple claims about one or two variables, and what the code compares.
pub fn simple(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined) {
    for &(_, atom) in &mined.atoms {
        if is_about_state(&pool.program, atom) && !mentions_limit(&pool.program, atom) {
            atom_claims(pool, Home::Contract, atom);
        }
    }
    for &x in &vocabulary.scalars {
        one_variable(pool, x, mined);
    }
    let now = pool.program.env(EnvVar::Timestamp);
    for &x in vocabulary.scalars.iter().filter(|_| mined.reads_time) {
        if pool.program.exprs.ty(x) == pool.program.exprs.ty(now) {
            pool.propose_comparison(Home::Contract, BinOp::Le, x, now);
        }
    }
    for (i, &x) in vocabulary.scalars.iter().enumerate() {
        for &y in &vocabulary.scalars[i + 1..] {
            if mined.are_related(&pool.program, x, y) {
                two_variables(pool, Home::Contract, x, y);
            }
        }
    }
}

/// A condition, its opposite, and what is left of both after one more step.
pub fn atom_claims(pool: &mut Pool, home: Home, atom: ExprId) {
    let negated = negation(&mut pool.program, atom);
    for claim in [atom, negated] {
        pool.propose(home, claim);
        if let Expr::Binary(op @ (BinOp::Lt | BinOp::Gt), a, b) = *pool.program.exprs.get(claim) {
            let weaker = if op == BinOp::Lt { BinOp::Le } else { BinOp::Ge };
            pool.propose_comparison(home, weaker, a, b);
        }
    }
}

/// With comparisons turned around, as one would write it.
pub fn negation(program: &mut Program, e: ExprId) -> ExprId {
    let opposite = match *program.exprs.get(e) {
        Expr::Binary(op, a, b) => match op {
            BinOp::Eq => Some((BinOp::Ne, a, b)),
            BinOp::Ne => Some((BinOp::Eq, a, b)),
            BinOp::Lt => Some((BinOp::Ge, a, b)),
            BinOp::Le => Some((BinOp::Gt, a, b)),
            BinOp::Gt => Some((BinOp::Le, a, b)),
            BinOp::Ge => Some((BinOp::Lt, a, b)),
            _ => None,
        },
        _ => None,
    };
    match opposite {
        Some((op, a, b)) => program.binary(op, a, b),
        None => program.not(e),
    }
}

fn one_variable(pool: &mut Pool, x: ExprId, mined: &Mined) {
    let ty = pool.program.exprs.ty(x);
    match pool.program.types.get(ty).clone() {
        Type::Bool => {
            pool.propose(Home::Contract, x);
            let not = pool.program.not(x);
            pool.propose(Home::Contract, not);
        }
        Type::Int { .. } => {
            let mut words = vec![U256::ZERO, U256::ONE];
            words.extend(mined.constants_of(ty));
            bounds(pool, Home::Contract, x, &words);
        }
        Type::Enum(id) => {
            for member in 0..pool.program.types.enums[id].members.len().min(8) {
                let member = pool.program.const_of(ty, U256::from(member));
                pool.propose_comparison(Home::Contract, BinOp::Eq, x, member);
                pool.propose_comparison(Home::Contract, BinOp::Ne, x, member);
            }
        }
        Type::Address | Type::FixedBytes(_) => {
            let zero = pool.program.default_of(ty);
            pool.propose_comparison(Home::Contract, BinOp::Ne, x, zero);
            pool.propose_comparison(Home::Contract, BinOp::Eq, x, zero);
        }
        _ => {}
    }
}

/// A number between constants.
pub fn bounds(pool: &mut Pool, home: Home, x: ExprId, words: &[U256]) {
    let ty = pool.program.exprs.ty(x);
    let unsigned = !matches!(pool.program.types.get(ty), Type::Int { signed: true, .. });
    for word in words {
        let limit = pool.program.const_of(ty, *word);
        pool.propose_comparison(home, BinOp::Eq, x, limit);
        if !(unsigned && word.is_zero()) {
            pool.propose_comparison(home, BinOp::Ge, x, limit);
            pool.propose_comparison(home, BinOp::Le, x, limit);
        }
    }
}

pub fn two_variables(pool: &mut Pool, home: Home, x: ExprId, y: ExprId) {
    if pool.program.exprs.ty(x) != pool.program.exprs.ty(y) {
        return;
    }
    pool.propose_comparison(home, BinOp::Eq, x, y);
    if let Type::Int { .. } = pool.program.types.get(pool.program.exprs.ty(x)) {
        pool.propose_comparison(home, BinOp::Le, x, y);
        pool.propose_comparison(home, BinOp::Le, y, x);
    }
}

/// `x + y` against `z`, and numbers that go in step.
pub fn linear(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined) {
    let numbers: Vec<ExprId> = vocabulary
        .scalars
        .iter()
        .copied()
        .chain(vocabulary.balance)
        .filter(|x| matches!(pool.program.types.get(pool.program.exprs.ty(*x)), Type::Int { .. }))
        .collect();
    for (i, &x) in numbers.iter().enumerate() {
        for (j, &y) in numbers.iter().enumerate() {
            let ty = pool.program.exprs.ty(x);
            if i == j || pool.program.exprs.ty(y) != ty || !mined.are_related(&pool.program, x, y) {
                continue;
            }
            let step = [U256::ONE].into_iter().chain(mined.constants_of(ty).iter().copied());
            for word in step.filter(|w| !w.is_zero() && *w <= U256::from(1000)).take(3) {
                let constant = pool.program.const_of(ty, word);
                let more = pool.program.add(y, constant);
                pool.propose_comparison(Home::Contract, BinOp::Eq, x, more);
                if word > U256::ONE {
                    let times = pool.program.mul(y, constant);
                    pool.propose_comparison(Home::Contract, BinOp::Eq, x, times);
                }
            }
            if j < i {
                continue;
            }
            let both = pool.program.add(x, y);
            for &z in &numbers {
                let fits = z != x && z != y && pool.program.exprs.ty(z) == ty;
                if fits && mined.are_related(&pool.program, both, z) {
                    pool.propose_comparison(Home::Contract, BinOp::Eq, both, z);
                    pool.propose_comparison(Home::Contract, BinOp::Le, both, z);
                }
            }
            for word in mined.constants_of(ty) {
                let constant = pool.program.const_of(ty, *word);
                pool.propose_comparison(Home::Contract, BinOp::Eq, both, constant);
            }
        }
    }
}

/// What holds in a phase: `flag ==> P`, `state == S ==> P`.
pub fn phases(pool: &mut Pool, vocabulary: &Vocabulary, mined: &Mined, claims: &[ExprId]) {
    let mut conditions = Vec::new();
    for &x in &vocabulary.scalars {
        let ty = pool.program.exprs.ty(x);
        match pool.program.types.get(ty).clone() {
            Type::Bool => {
                let not = pool.program.not(x);
                conditions.extend([(x, not), (x, x)]);
            }
            Type::Enum(id) => {
                for member in 0..pool.program.types.enums[id].members.len().min(8) {
                    let member = pool.program.const_of(ty, U256::from(member));
                    let differs = pool.program.ne(x, member);
                    let same = pool.program.eq(x, member);
                    conditions.extend([(x, differs), (x, same)]);
                }
            }
            _ => {}
        }
    }
    for (var, atom) in decided_by(&pool.program, vocabulary, mined) {
        let opposite = negation(&mut pool.program, atom);
        conditions.extend([(var, opposite), (var, atom)]);
    }
    for &claim in claims {
        for &(var, escape) in &conditions {
            if !mentions(&pool.program, claim, var) && mined.are_related(&pool.program, claim, var) {
                let either = pool.program.or(escape, claim);
                pool.propose(Home::Contract, either);
            }
        }
    }
}

/// Comparisons of a variable with a constant that the code decides by: a few.
fn decided_by(program: &Program, vocabulary: &Vocabulary, mined: &Mined) -> Vec<(ExprId, ExprId)> {
    let mut found = Vec::new();
    for &(_, atom) in &mined.atoms {
        if let Expr::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Gt, a, b) = *program.exprs.get(atom)
            && program.constant(b).is_some()
            && vocabulary.scalars.contains(&a)
            && matches!(program.types.get(program.exprs.ty(a)), Type::Int { .. } | Type::Address)
            && !found.contains(&(a, atom))
        {
            found.push((a, atom));
        }
    }
    found.truncate(4);
    found
}

fn mentions(program: &Program, e: ExprId, part: ExprId) -> bool {
    let mut found = e == part;
    program.exprs.for_each_operand(e, |inner| found = found || mentions(program, inner, part));
    found
}
