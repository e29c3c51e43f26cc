//! Claims on concrete values, for tools that try to refute what was proved.
//!
//! The answer has three values: a claim holds, does not hold, or was not decided. Quantifiers are decided by a witness
//! or by trying all values, which are those of a small type or below a bound that the formula itself gives (as in
//! `!(i < a.length) || …`). Sums and comparisons of mappings need the keys in use: with [`Interpreter::record_keys`]
//! set before the first transaction, the interpreter keeps those that its places were resolved with. Inline assembly
//! that computes slots of mappings by itself goes unnoticed.

use super::Interpreter;
use super::call::{Opening, open};
use super::eval::{Eval, Spot};
use super::frame::{Activation, Entered, Frame};
use super::storage::{self, PathStep};
use super::value::{Run, StoragePtr, Trap, Value, element_count};
use super::world::{Address, Code, World};
use crate::expr::{ArithOp, BinOp, Expr, Root, Step, UnOp};
use crate::ids::{BlockId, BoundId, ContractId, ExprId, PlaceId, ProcId, TypeId};
use crate::program::StateKind;
use crate::spec::Clause;
use crate::types::Type;
use num_bigint::{BigInt, Sign};
use num_traits::Zero;
use ruint::aliases::U256;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// When and where a claim is made. The state now is that of the interpreter's world.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'m> {
    /// The contract whose claim it is, and the account it is deployed at.
    pub contract: ContractId,
    pub this: Address,
    pub caller: Address,
    pub value: U256,
    /// Of the procedure whose claim it is, by number; parameters as they were passed, results as returned. What points
    /// to memory or calldata means something only while the call runs (see [`super::watch`]).
    pub locals: &'m [Value],
    /// The world when the procedure was entered (a clone made then).
    pub old: Option<&'m World>,
    /// The world before the change that an event reports.
    pub before: Option<&'m World>,
}

/// What evaluation needs to know in a claim.
pub(super) struct Claim<'m> {
    moment: Moment<'m>,
    bound: FxHashMap<BoundId, Value>,
}

/// Keys by their bytes, for a fixed order.
type Keys = BTreeMap<Vec<u8>, Value>;

/// Keys that mappings were accessed with, by account and slot of the mapping.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownKeys(RefCell<FxHashMap<(Address, U256), Keys>>);

impl KnownKeys {
    pub fn record(&self, account: Address, slot: U256, key: &Value) {
        let text = match key {
            Value::Word(word) => word.to_be_bytes::<32>().to_vec(),
            Value::Bytes(bytes) => bytes.to_vec(),
            Value::Tree(_) | Value::Storage(_) | Value::Calldata(_) => return,
        };
        let mut keys = self.0.borrow_mut();
        keys.entry((account, slot)).or_default().entry(text).or_insert_with(|| key.clone());
    }

    fn of(&self, account: Address, slot: U256) -> Vec<Value> {
        self.0.borrow().get(&(account, slot)).into_iter().flat_map(|keys| keys.values().cloned()).collect()
    }

    /// All keys that are words.
    pub fn words(&self) -> Vec<U256> {
        let keys = self.0.borrow();
        keys.values().flat_map(|k| k.values()).filter_map(|k| k.word().ok()).collect()
    }
}

pub(super) fn undecided(why: &str) -> Trap {
    Trap::Unsupported(why.to_owned())
}

impl Interpreter<'_> {
    /// Whether a claim holds; `None` if that was not decided.
    pub fn holds(&self, clause: &Clause, moment: &Moment<'_>) -> Option<bool> {
        self.decide(clause.cond, moment)
    }

    /// As [`Self::holds`] for any Bool expression of a claim.
    pub fn decide(&self, cond: ExprId, moment: &Moment<'_>) -> Option<bool> {
        self.decide_in(&self.world, cond, moment)
    }

    /// As [`Self::decide`] in another world.
    pub fn decide_in(&self, world: &World, cond: ExprId, moment: &Moment<'_>) -> Option<bool> {
        let value = self.at_moment(world, moment, |eval| eval.word(cond))?;
        Some(!value.is_zero())
    }

    /// The integer that an expression of a claim stands for.
    pub fn number(&self, e: ExprId, moment: &Moment<'_>) -> Option<BigInt> {
        self.at_moment(&self.world, moment, |eval| eval.wide(e))
    }

    /// Where in storage a place of a claim is.
    pub fn place_of(&self, place: PlaceId, moment: &Moment<'_>) -> Option<(StoragePtr, TypeId)> {
        match self.at_moment(&self.world, moment, |eval| eval.spot(place))? {
            Spot::Storage(ptr, ty) => Some((ptr, ty)),
            _ => None,
        }
    }

    fn at_moment<T>(
        &self,
        world: &World,
        moment: &Moment<'_>,
        f: impl FnOnce(&Eval<'_, '_>) -> Run<T>,
    ) -> Option<T> {
        let frame = self.claim_frame(moment);
        let claim = Claim { moment: *moment, bound: FxHashMap::default() };
        f(&Eval::of_claim(self, &frame, world, &claim).ok()?).ok()
    }

    /// The keys that the mapping at a slot was accessed with, if they are recorded.
    pub fn keys_of(&self, account: Address, slot: U256) -> Vec<Value> {
        self.keys.of(account, slot)
    }

    /// A key whose value was set from outside of a run.
    pub fn note_key(&self, account: Address, slot: U256, key: &Value) {
        self.keys.record(account, slot, key);
    }

    /// The call in progress that a claim is about, if one is.
    fn running_at(&self, moment: &Moment<'_>) -> Option<&Frame> {
        self.frames.last().filter(|frame| frame.this == moment.this)
    }

    fn claim_frame(&self, moment: &Moment<'_>) -> Frame {
        let immutables = match self.world.code(moment.this) {
            Some(Code::Contract { immutables, .. }) => immutables.clone(),
            _ => Rc::default(),
        };
        let caller = super::call::Caller {
            this: moment.this,
            caller: moment.caller,
            value: moment.value,
            is_static: true,
        };
        let mut frame = open(Opening {
            contract: moment.contract,
            caller,
            code_address: moment.this,
            calldata: Rc::from([]),
            init_args: Rc::from([]),
            gas: self.limits.gas,
            snapshot: self.world.snapshot(),
            immutables,
            entered: Entered::Plain,
        });
        if let Some(running) = self.running_at(moment) {
            frame.memory = running.memory.clone();
            frame.calldata = running.calldata.clone();
            frame.immutables = running.immutables.clone();
            frame.entered = running.entered;
        }
        let locals = moment.locals.to_vec();
        frame.activations.push(Activation { proc: ProcId(0), block: BlockId(0), stmt: 0, locals });
        frame
    }
}

impl<'a, 'p> Eval<'a, 'p> {
    /// Memory and calldata are there while a call runs, as they are now; nobody keeps what they were.
    pub(super) fn has_memory(&self) -> bool {
        self.claim.is_none_or(|claim| {
            self.interp.running_at(&claim.moment).is_some() && std::ptr::eq(self.world, &self.interp.world)
        })
    }

    fn claim(&self) -> Run<&'a Claim<'a>> {
        self.claim.ok_or_else(|| undecided("ill-typed IR: a claim in code"))
    }

    fn in_world<T>(&self, world: Option<&'a World>, f: impl FnOnce(&Self) -> Run<T>) -> Run<T> {
        let world = world.ok_or_else(|| undecided("no state was saved to look back at"))?;
        f(&Eval::of_claim(self.interp, self.frame, world, self.claim()?)?)
    }

    /// With one more variable known.
    pub(super) fn with<T>(
        &self,
        var: BoundId,
        value: Value,
        f: impl FnOnce(&Eval<'_, 'p>) -> Run<T>,
    ) -> Run<T> {
        let outer = self.claim()?;
        let mut bound = outer.bound.clone();
        bound.insert(var, value);
        let claim = Claim { moment: outer.moment, bound };
        f(&Eval::of_claim(self.interp, self.frame, self.world, &claim)?)
    }

    /// Expressions that only claims have.
    pub(super) fn claimed(&self, e: ExprId) -> Run<Value> {
        match self.interp.program.exprs.get(e) {
            Expr::Old(a) => self.in_world(self.claim()?.moment.old, |old| old.eval(*a)),
            Expr::Before(a) => self.in_world(self.claim()?.moment.before, |before| before.eval(*a)),
            Expr::Bound(var) => {
                let value = self.claim()?.bound.get(var);
                value.cloned().ok_or_else(|| undecided("a variable without a value"))
            }
            Expr::Quantified { forall, vars, body } => self.quantified(*forall, vars, *body).map(Value::bool),
            Expr::DeepEq(a, b) => self.deep_eq(*a, *b).map(Value::bool),
            _ => Err(undecided("ill-typed IR: a number beyond words as a word")),
        }
    }

    /// `&&` and `||`: one side that decides is enough.
    pub(super) fn connective(&self, op: BinOp, a: ExprId, b: ExprId) -> Run<Value> {
        let deciding = op == BinOp::BoolOr;
        let mut open = None;
        for side in [a, b] {
            match self.word(side) {
                Ok(word) if word.is_zero() != deciding => return Ok(Value::bool(deciding)),
                Ok(_) => {}
                Err(trap) => open = Some(trap),
            }
        }
        open.map_or(Ok(Value::bool(!deciding)), Err)
    }

    // Numbers beyond words.

    pub(super) fn is_wide(&self, e: ExprId) -> bool {
        self.interp.program.types.get(self.interp.program.exprs.ty(e)).is_wide()
    }

    pub(super) fn compare_wide(&self, op: BinOp, a: ExprId, b: ExprId) -> Run<Value> {
        let (a, b) = (self.wide(a)?, self.wide(b)?);
        Ok(Value::bool(match op {
            BinOp::Eq => a == b,
            BinOp::Ne => a != b,
            BinOp::Lt => a < b,
            BinOp::Le => a <= b,
            BinOp::Gt => a > b,
            BinOp::Ge => a >= b,
            _ => return Err(undecided("ill-typed IR: a number beyond words as a word")),
        }))
    }

    pub(super) fn fits_wide(&self, op: ArithOp, a: ExprId, b: ExprId) -> Run<Value> {
        let unsigned = matches!(
            self.interp.program.types.get(self.interp.program.exprs.ty(a)),
            Type::Int { signed: false, .. }
        );
        let below = op == ArithOp::Sub && unsigned && self.wide(a)? < self.wide(b)?;
        Ok(Value::bool(!below))
    }

    /// The low bits of a number beyond words.
    pub(super) fn narrowed(&self, e: ExprId) -> Run<U256> {
        let modulus = BigInt::from(1) << 256;
        let rest: BigInt = ((self.wide(e)? % &modulus) + &modulus) % &modulus;
        Ok(U256::from_be_slice(&rest.to_bytes_be().1))
    }

    fn wide(&self, e: ExprId) -> Run<BigInt> {
        if !self.is_wide(e) {
            return self.integer(self.interp.program.exprs.ty(e), self.word(e)?);
        }
        match self.interp.program.exprs.get(e) {
            Expr::Default => Ok(BigInt::zero()),
            Expr::Cast(a) => self.wide(*a),
            Expr::Unary(UnOp::Neg, a) => Ok(-self.wide(*a)?),
            Expr::Old(a) => self.in_world(self.claim()?.moment.old, |old| old.wide(*a)),
            Expr::Before(a) => self.in_world(self.claim()?.moment.before, |before| before.wide(*a)),
            Expr::Ite(c, a, b) => self.wide(if self.word(*c)?.is_zero() { *b } else { *a }),
            Expr::Sum { vars, place } => self.sum(vars, *place),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.wide(*a)?, self.wide(*b)?);
                match op {
                    BinOp::Add => Ok(a + b),
                    BinOp::Sub => Ok(a - b),
                    BinOp::Mul => Ok(a * b),
                    BinOp::Div if b.is_zero() => Ok(b),
                    BinOp::Div => Ok(a / b),
                    BinOp::Mod if b.is_zero() => Ok(b),
                    BinOp::Mod => Ok(a % b),
                    _ => Err(undecided("this operation on numbers beyond words")),
                }
            }
            _ => Err(undecided("this expression beyond words")),
        }
    }

    fn integer(&self, ty: TypeId, word: U256) -> Run<BigInt> {
        let negative =
            matches!(self.interp.program.types.get(ty), Type::Int { signed: true, .. }) && word.bit(255);
        let magnitude = if negative { word.wrapping_neg() } else { word };
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Ok(BigInt::from_bytes_be(sign, &magnitude.to_be_bytes::<32>()))
    }

    // Sums and deep equality, in storage.

    fn keys(&self, slot: U256) -> Run<Vec<Value>> {
        if !self.interp.record_keys {
            return Err(undecided("the keys of mappings were not recorded"));
        }
        Ok(self.interp.keys.of(self.frame.this, slot))
    }

    fn sum(&self, vars: &[BoundId], place: PlaceId) -> Run<BigInt> {
        let program = self.interp.program;
        let place = program.exprs.place(place);
        let (ptr, ty) = match place.root {
            Root::State(var) if program.state[var].kind == StateKind::Immutable => {
                return Err(undecided("a sum over an immutable"));
            }
            Root::State(var) => {
                let state = &program.state[var];
                let transient = state.kind == StateKind::Transient;
                (StoragePtr { slot: state.slot, offset: state.offset, transient }, state.ty)
            }
            Root::Storage(reference) => (self.eval(reference)?.storage()?, self.referent(reference)?),
            Root::Memory(_) | Root::Calldata(_) => return Err(undecided("a sum outside storage")),
        };
        self.sum_from(vars, ptr, ty, &place.steps)
    }

    fn sum_from(&self, vars: &[BoundId], ptr: StoragePtr, ty: TypeId, steps: &[Step]) -> Run<BigInt> {
        let types = &self.interp.program.types;
        let view = self.view(ptr.transient);
        let Some((step, rest)) = steps.split_first() else {
            return self.integer(ty, storage::load_scalar(types, &view, ptr, ty));
        };
        let over = match step {
            Step::Index(e) => match self.interp.program.exprs.get(*e) {
                Expr::Bound(var) if vars.contains(var) => Some(*var),
                _ => None,
            },
            Step::Field(_) => None,
        };
        let Some(var) = over else {
            let step = match step {
                Step::Field(i) => PathStep::Field(*i as usize),
                Step::Index(e) => PathStep::Index(self.eval(*e)?),
            };
            let (ptr, ty) = storage::step(types, &view, ptr, ty, &step)?;
            return self.sum_from(vars, ptr, ty, rest);
        };
        let mut total = BigInt::zero();
        for index in self.indices(ptr, ty)? {
            let (at, elem) = storage::step(types, &view, ptr, ty, &PathStep::Index(index.clone()))?;
            total += self.with(var, index, |inner| inner.sum_from(vars, at, elem, rest))?;
        }
        Ok(total)
    }

    /// The keys in use, or all indices.
    fn indices(&self, ptr: StoragePtr, ty: TypeId) -> Run<Vec<Value>> {
        let types = &self.interp.program.types;
        if matches!(types.get(ty), Type::Mapping { .. }) {
            return self.keys(ptr.slot);
        }
        let count = element_count(storage::length(types, &self.view(ptr.transient), ptr, ty)?)?;
        Ok((0..count).map(|i| Value::Word(U256::from(i))).collect())
    }

    fn deep_eq(&self, a: ExprId, b: ExprId) -> Run<bool> {
        self.in_state_of(a, |here, a| {
            self.in_state_of(b, |there, b| match (here.stored(a)?, there.stored(b)?) {
                (Some((a, ty)), Some((b, _))) => here.same_stored(a, there, b, ty),
                _ => {
                    let (a, b) = (here.eval(a)?, there.eval(b)?);
                    Ok(a == b || a.tree()? == b.tree()?)
                }
            })
        })
    }

    /// Contents of another state are looked at there: a mapping is no value that could be brought here.
    fn in_state_of<T>(&self, e: ExprId, f: impl FnOnce(&Self, ExprId) -> Run<T>) -> Run<T> {
        match self.interp.program.exprs.get(e) {
            Expr::Old(inner) => self.in_world(self.claim()?.moment.old, |old| f(old, *inner)),
            Expr::Before(inner) => self.in_world(self.claim()?.moment.before, |before| f(before, *inner)),
            _ => f(self, e),
        }
    }

    /// Where in storage a tree is that an expression loads.
    fn stored(&self, e: ExprId) -> Run<Option<(StoragePtr, TypeId)>> {
        let Expr::Load(place) = self.interp.program.exprs.get(e) else { return Ok(None) };
        Ok(match self.spot(*place)? {
            Spot::Storage(ptr, ty) => Some((ptr, ty)),
            _ => None,
        })
    }

    fn same_stored(&self, a: StoragePtr, there: &Self, b: StoragePtr, ty: TypeId) -> Run<bool> {
        let types = &self.interp.program.types;
        let (at_a, at_b) = (self.view(a.transient), there.view(b.transient));
        let steps: Vec<PathStep> = match types.get(ty) {
            Type::Struct(id) => (0..types.structs[*id].fields.len()).map(PathStep::Field).collect(),
            Type::Mapping { .. } => {
                let keys = self.keys(a.slot)?.into_iter().chain(self.keys(b.slot)?);
                keys.map(PathStep::Index).collect()
            }
            Type::Array { .. } => {
                let length = storage::length(types, &at_a, a, ty)?;
                if length != storage::length(types, &at_b, b, ty)? {
                    return Ok(false);
                }
                (0..element_count(length)?).map(|i| PathStep::Index(Value::Word(U256::from(i)))).collect()
            }
            _ => {
                let (x, y) = (storage::load(types, &at_a, a, ty)?, storage::load(types, &at_b, b, ty)?);
                return Ok(x == y);
            }
        };
        for step in steps {
            let (inner_a, inner) = storage::step(types, &at_a, a, ty, &step)?;
            let (inner_b, _) = storage::step(types, &at_b, b, ty, &step)?;
            if !self.same_stored(inner_a, there, inner_b, inner)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
