//! Evaluation of expressions and places. Nothing changes but the count of gas spent.

use super::Interpreter;
use super::abi::{self, Sources};
use super::arith;
use super::calldata::{self, Calldata};
use super::crypto;
use super::frame::{Entered, Frame};
use super::memory::Memory;
use super::spec::Claim;
use super::storage::{self, PathStep, WordStore};
use super::store::View;
use super::value::{CalldataPtr, Run, StoragePtr, Trap, Value, word_at};
use super::world::World;
use crate::expr::{BinOp, Builtin, EnvVar, Expr, Root, Step};
use crate::hash::{self, keccak_word};
use crate::ids::{ExprId, Id, PlaceId, StateVarId, StructId, TypeId};
use crate::program::{Program, StateKind};
use crate::types::{Type, Types};
use ruint::aliases::U256;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Expressions nested deeper than this are evaluated bottom-up instead of by recursion.
const MAX_NESTING: u32 = 200;
/// Longest byte string an expression makes: what memory could hold.
const MAX_BYTES: U256 = U256::from_limbs([64 << 20, 0, 0, 0]);

/// The nesting depth of every expression. Operands are always older than what uses them, so one pass suffices.
pub(super) fn depths(program: &Program) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(program.exprs.len());
    for i in 0..program.exprs.len() {
        let mut deepest = 0;
        program.exprs.for_each_operand(ExprId::from_usize(i), |operand| {
            deepest = deepest.max(depths.get(operand.index()).copied().unwrap_or(0));
        });
        depths.push(deepest + 1);
    }
    depths
}

fn ill_typed(what: &str) -> Trap {
    Trap::Unsupported(format!("ill-typed IR: {what}"))
}

/// A place with its steps taken.
pub(super) enum Spot {
    Storage(StoragePtr, TypeId),
    Immutable(StateVarId),
    /// A whole object in memory.
    MemoryObject(TypeId, U256),
    MemoryElement {
        ty: TypeId,
        ptr: U256,
        index: U256,
    },
    MemoryField {
        id: StructId,
        ptr: U256,
        field: usize,
    },
    CalldataObject(TypeId, CalldataPtr),
    CalldataElement {
        ty: TypeId,
        ptr: CalldataPtr,
        index: U256,
    },
    CalldataField {
        ty: TypeId,
        ptr: CalldataPtr,
        field: usize,
    },
}

pub(super) struct Eval<'a, 'p> {
    pub interp: &'a Interpreter<'p>,
    pub frame: &'a Frame,
    /// The state to evaluate in.
    pub(super) world: &'a World,
    /// In a claim.
    pub(super) claim: Option<&'a Claim<'a>>,
    locals: &'a [Value],
    /// Values of deeply nested expressions, while one of them is evaluated.
    memo: RefCell<FxHashMap<ExprId, Value>>,
}

impl<'a, 'p> Eval<'a, 'p> {
    pub fn new(interp: &'a Interpreter<'p>, frame: &'a Frame) -> Run<Self> {
        let locals = &frame.top()?.locals;
        Ok(Eval { interp, frame, world: &interp.world, claim: None, locals, memo: RefCell::default() })
    }

    pub fn of_claim(
        interp: &'a Interpreter<'p>,
        frame: &'a Frame,
        world: &'a World,
        claim: &'a Claim<'a>,
    ) -> Run<Self> {
        Ok(Eval { world, claim: Some(claim), ..Eval::new(interp, frame)? })
    }

    fn types(&self) -> &'p Types {
        &self.interp.program.types
    }

    pub fn eval(&self, e: ExprId) -> Run<Value> {
        if self.interp.depths.get(e.index()).is_some_and(|d| *d > MAX_NESTING) {
            return self.eval_deep(e);
        }
        self.node(e)
    }

    pub fn word(&self, e: ExprId) -> Run<U256> {
        self.eval(e)?.word()
    }

    pub fn bytes(&self, e: ExprId) -> Run<Rc<[u8]>> {
        self.eval(e)?.as_bytes()
    }

    pub fn address(&self, e: ExprId) -> Run<U256> {
        Ok(self.word(e)? & arith::low_mask(160))
    }

    /// Evaluates all deep operands, oldest first, so that each finds its own operands done.
    fn eval_deep(&self, root: ExprId) -> Run<Value> {
        if let Some(value) = self.memo.borrow().get(&root) {
            return Ok(value.clone());
        }
        let mut pending = vec![root];
        let mut deep = std::collections::BTreeSet::new();
        while let Some(e) = pending.pop() {
            if self.interp.depths[e.index()] > MAX_NESTING && deep.insert(e) {
                self.interp.program.exprs.for_each_operand(e, |operand| pending.push(operand));
            }
        }
        for e in &deep {
            let value = self.node(*e)?;
            self.memo.borrow_mut().insert(*e, value);
        }
        self.memo
            .borrow()
            .get(&root)
            .cloned()
            .ok_or_else(|| ill_typed("an expression older than its operand"))
    }

    fn node(&self, e: ExprId) -> Run<Value> {
        let exprs = &self.interp.program.exprs;
        Ok(match exprs.get(e) {
            Expr::Const(w) => Value::Word(*w),
            Expr::BytesConst(b) => Value::bytes(&b[..]),
            Expr::Default => Value::default_of(self.types(), exprs.ty(e))?,
            Expr::Local(local) => match self.locals.get(local.index()) {
                Some(value) => value.clone(),
                None => return Err(ill_typed("a local that the procedure does not have")),
            },
            Expr::Load(place) => self.load(*place)?,
            Expr::Length(place) => Value::Word(self.length(*place)?),
            Expr::Ref(place) => match self.spot(*place)? {
                Spot::Storage(ptr, _) => Value::Storage(ptr),
                _ => return Err(ill_typed("a reference to a place outside storage")),
            },
            Expr::Unary(op, a) => {
                Value::Word(arith::unary(*op, self.types().get(exprs.ty(*a)), self.word(*a)?))
            }
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), a, b) if self.claim.is_some() => {
                self.connective(*op, *a, *b)?
            }
            Expr::Binary(op, a, b) if self.is_wide(*a) => self.compare_wide(*op, *a, *b)?,
            Expr::Fits(op, a, b) if self.is_wide(*a) => self.fits_wide(*op, *a, *b)?,
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b)?,
            Expr::Fits(op, a, b) => {
                let ty = self.types().get(exprs.ty(*a));
                Value::bool(arith::fits(*op, ty, self.word(*a)?, self.word(*b)?))
            }
            Expr::Ite(cond, then, other) => {
                let (cond, then, other) = (self.word(*cond)?, self.eval(*then)?, self.eval(*other)?);
                if cond.is_zero() { other } else { then }
            }
            Expr::Cast(a) if self.is_wide(*a) => {
                let word = self.narrowed(*a)?;
                Value::Word(arith::clean(self.types().get(exprs.ty(e)), word))
            }
            Expr::Cast(a) => self.cast(exprs.ty(*a), exprs.ty(e), self.eval(*a)?)?,
            Expr::Env(var) => self.env(*var),
            Expr::Builtin(builtin, args) => self.builtin(*builtin, args)?,
            // Zero is the pointer that was never set.
            Expr::FnPointer(proc) => Value::Word(U256::from(proc.0) + U256::ONE),
            Expr::AbiEncode { mode, strict: _, selector, types, args } => {
                let selector = match selector {
                    Some(s) => self.word(*s)?.to_be_bytes::<32>().first_chunk::<4>().copied(),
                    None => None,
                };
                let values = args.iter().map(|a| Ok((exprs.ty(*a), self.eval(*a)?)));
                let values = values.collect::<Run<Vec<_>>>()?;
                let encoded = self
                    .with_sources(|sources| abi::encode::encode(sources, *mode, selector, types, &values))?;
                Value::bytes(encoded)
            }
            Expr::LibraryAddress(library) => match self.interp.world.libraries.get(library) {
                Some(address) => Value::Word(*address),
                None => {
                    let name = &self.interp.program.contracts[*library].name;
                    return Err(Trap::Unsupported(format!("library `{name}` is not deployed")));
                }
            },
            Expr::ContractCode { contract, runtime } => {
                Value::Bytes(self.interp.visible_code(*contract, *runtime)?)
            }
            Expr::MakeCalldataRef { offset, length } => {
                Value::Calldata(CalldataPtr { offset: self.word(*offset)?, length: self.word(*length)? })
            }
            Expr::Old(_)
            | Expr::Before(_)
            | Expr::Bound(_)
            | Expr::Quantified { .. }
            | Expr::Sum { .. }
            | Expr::DeepEq(..) => self.claimed(e)?,
        })
    }

    fn binary(&self, op: BinOp, a: ExprId, b: ExprId) -> Run<Value> {
        let ty = self.types().get(self.interp.program.exprs.ty(a));
        let (x, y) = (self.eval(a)?, self.eval(b)?);
        match (op, &x, &y) {
            (_, Value::Word(x), Value::Word(y)) => Ok(Value::Word(arith::binary(op, ty, *x, *y))),
            (BinOp::Eq, _, _) => Ok(Value::bool(x == y)),
            (BinOp::Ne, _, _) => Ok(Value::bool(x != y)),
            _ => Err(ill_typed("arithmetic on something that is no word")),
        }
    }

    fn cast(&self, from: TypeId, to: TypeId, value: Value) -> Run<Value> {
        let types = self.types();
        let (source, target) = (types.get(from), types.get(to));
        Ok(match (value, target) {
            (Value::Word(slot), Type::StorageRef(_)) => {
                Value::Storage(StoragePtr { slot, offset: 0, transient: false })
            }
            (Value::Word(offset), Type::CalldataRef(_)) => {
                Value::Calldata(CalldataPtr { offset, length: U256::ZERO })
            }
            (Value::Word(w), _) => Value::Word(arith::cast(source, target, w)),
            (Value::Bytes(b), Type::FixedBytes(n)) => {
                let head = &b[..b.len().min(usize::from(*n))];
                Value::Word(word_at(head, U256::ZERO))
            }
            (Value::Storage(ptr), scalar) if scalar.is_scalar() => Value::Word(ptr.slot),
            (Value::Calldata(ptr), scalar) if scalar.is_scalar() => Value::Word(ptr.offset),
            (reference @ (Value::Storage(_) | Value::Calldata(_)), tree) if tree.is_tree() => {
                self.with_sources(|sources| sources.tree(from, &reference))?.into()
            }
            // Elements have the same words in every type that converts implicitly.
            (other, _) => other,
        })
    }

    fn env(&self, var: EnvVar) -> Value {
        let (frame, env) = (self.frame, &self.world.env);
        Value::Word(match var {
            EnvVar::This => frame.this,
            EnvVar::Caller => frame.caller,
            EnvVar::Origin => self.interp.origin,
            EnvVar::CallValue => frame.value,
            EnvVar::CallData => return Value::Bytes(frame.calldata.clone()),
            EnvVar::ReturnData => return Value::Bytes(frame.returndata.clone()),
            EnvVar::Timestamp => env.timestamp,
            EnvVar::Number => env.number,
            EnvVar::Coinbase => env.coinbase,
            EnvVar::PrevRandao => env.prev_randao,
            EnvVar::GasLimit => env.gas_limit,
            EnvVar::ChainId => env.chain_id,
            EnvVar::BaseFee => env.base_fee,
            EnvVar::BlobBaseFee => env.blob_base_fee,
            EnvVar::GasPrice => env.gas_price,
            EnvVar::GasLeft => U256::from(frame.gas.saturating_sub(frame.spent.get())),
        })
    }

    fn builtin(&self, builtin: Builtin, args: &[ExprId]) -> Run<Value> {
        let arg = |i: usize| args.get(i).copied().ok_or_else(|| ill_typed("a builtin without its argument"));
        let word = |i: usize| self.word(arg(i)?);
        let address = |i: usize| self.address(arg(i)?);
        let bytes = |i: usize| self.bytes(arg(i)?);
        let (interp, frame) = (self.interp, self.frame);
        Ok(Value::Word(match builtin {
            Builtin::Balance => self.world.balance(address(0)?),
            Builtin::CodeSize => U256::from(interp.code_size(address(0)?)),
            Builtin::CodeHash => interp.code_hash(address(0)?)?,
            Builtin::Code => return Ok(Value::Bytes(interp.code_at(address(0)?)?)),
            Builtin::BlockHash => interp.world.env.block_hash(word(0)?),
            Builtin::BlobHash => interp.world.env.blob_hash(word(0)?),
            Builtin::Keccak256 => {
                let data = bytes(0)?;
                self.spend(30 + 6 * data.len().div_ceil(32) as u64);
                keccak_word(&data)
            }
            Builtin::Sha256 => U256::from_be_bytes(hash::sha256(&bytes(0)?)),
            Builtin::Ripemd160 => U256::from_be_slice(&hash::ripemd160(&bytes(0)?)) << 96,
            Builtin::EcRecover => crypto::ecrecover(word(0)?, word(1)?, word(2)?, word(3)?),
            Builtin::AddMod => word(0)?.add_mod(word(1)?, word(2)?),
            Builtin::MulMod => word(0)?.mul_mod(word(1)?, word(2)?),
            Builtin::Byte => arith::byte(word(0)?, word(1)?),
            Builtin::SignExtend => arith::sign_extend(word(0)?, word(1)?),
            Builtin::Clz => U256::from(word(0)?.leading_zeros()),
            Builtin::BytesLength => U256::from(bytes(0)?.len()),
            Builtin::BytesAt => {
                let (data, index) = (bytes(0)?, word(1)?);
                let byte = usize::try_from(index).ok().and_then(|i| data.get(i).copied());
                U256::from(byte.unwrap_or(0)) << 248
            }
            Builtin::BytesConcat => {
                let parts = args.iter().map(|a| self.bytes(*a)).collect::<Run<Vec<_>>>()?;
                return Ok(Value::bytes(parts.concat()));
            }
            Builtin::BytesSlice => return self.cut(&bytes(0)?, word(1)?, word(2)?),
            Builtin::MakeFnExternal => (address(0)? << 32) | (word(1)? >> 224),
            Builtin::FnAddress => word(0)? >> 32,
            Builtin::FnSelector => word(0)? << 224,
            Builtin::Slot => match self.eval(arg(0)?)? {
                Value::Storage(ptr) => ptr.slot,
                other => other.word()?,
            },
            Builtin::SlotOffset => match self.eval(arg(0)?)? {
                Value::Storage(ptr) => U256::from(ptr.offset),
                _ => U256::ZERO,
            },
            Builtin::CalldataOffset => self.eval(arg(0)?)?.calldata()?.offset,
            Builtin::CalldataSlice => {
                let reference = arg(0)?;
                let ty = self.referent(reference)?;
                let ptr = self.eval(reference)?.calldata()?;
                return Ok(Value::Calldata(calldata::slice(self.types(), ty, ptr, word(1)?, word(2)?)));
            }
            Builtin::MLoad => frame.memory.load(word(0)?)?,
            Builtin::SLoad => self.view(false).load(word(0)?),
            Builtin::TLoad => self.view(true).load(word(0)?),
            Builtin::CalldataLoad => word_at(&frame.calldata, word(0)?),
            Builtin::MSize => frame.memory.msize(),
            Builtin::OwnCodeSize => U256::from(interp.running_code_size(frame)),
            Builtin::MemBytes => return Ok(Value::bytes(frame.memory.load_bytes(word(0)?, word(1)?)?)),
            Builtin::CalldataBytes => return self.cut(&frame.calldata, word(0)?, word(1)?),
            Builtin::CodeBytes => {
                let code = interp.running_code(frame)?;
                return self.cut(&code, word(0)?, word(1)?);
            }
        }))
    }

    pub fn spend(&self, gas: u64) {
        self.frame.spent.set(self.frame.spent.get() + gas);
    }

    /// `length` bytes from `start` on; zeros beyond the end.
    fn cut(&self, data: &[u8], start: U256, length: U256) -> Run<Value> {
        if length > MAX_BYTES {
            return Err(Trap::OutOfGas);
        }
        let rest = usize::try_from(start).ok().and_then(|s| data.get(s..)).unwrap_or(&[]);
        let length = length.to::<usize>();
        let mut out = rest[..length.min(rest.len())].to_vec();
        out.resize(length, 0);
        Ok(Value::bytes(out))
    }

    // ---- places ----

    pub(super) fn view(&self, transient: bool) -> View<'a> {
        View { world: self.world, address: self.frame.this, transient, spent: &self.frame.spent }
    }

    pub fn calldata(&self) -> Calldata<'a> {
        let strict = match self.frame.entered {
            Entered::Function { strict, .. } => strict,
            Entered::Plain | Entered::FallbackWithData | Entered::Constructor => true,
        };
        Calldata::new(&self.interp.program.types, &self.frame.calldata, strict)
    }

    pub fn with_sources<T>(&self, f: impl FnOnce(&Sources<'_>) -> T) -> T {
        let (storage, transient) = (self.view(false), self.view(true));
        f(&Sources {
            types: self.types(),
            memory: &self.frame.memory,
            calldata: self.calldata(),
            storage: &storage,
            transient: &transient,
        })
    }

    pub(super) fn referent(&self, reference: ExprId) -> Run<TypeId> {
        let ty = self.interp.program.exprs.ty(reference);
        self.types().referent(ty).ok_or_else(|| ill_typed("a place behind something that is no reference"))
    }

    /// Takes the steps of a place.
    pub fn spot(&self, place: PlaceId) -> Run<Spot> {
        let program = self.interp.program;
        let place = program.exprs.place(place);
        match place.root {
            Root::State(var) => {
                let state = &program.state[var];
                if state.kind == StateKind::Immutable {
                    return Ok(Spot::Immutable(var));
                }
                let transient = state.kind == StateKind::Transient;
                let ptr = StoragePtr { slot: state.slot, offset: state.offset, transient };
                self.walk(ptr, state.ty, &place.steps)
            }
            Root::Storage(reference) => {
                let ptr = self.eval(reference)?.storage()?;
                self.walk(ptr, self.referent(reference)?, &place.steps)
            }
            Root::Memory(_) | Root::Calldata(_) if !self.has_memory() => {
                Err(Trap::Unsupported("memory and calldata of another time".to_owned()))
            }
            Root::Memory(reference) => {
                let (ptr, ty) = (self.word(reference)?, self.referent(reference)?);
                match (&*place.steps, self.types().get(ty)) {
                    ([], _) => Ok(Spot::MemoryObject(ty, ptr)),
                    ([Step::Index(i)], _) => Ok(Spot::MemoryElement { ty, ptr, index: self.word(*i)? }),
                    ([Step::Field(i)], Type::Struct(id)) => {
                        Ok(Spot::MemoryField { id: *id, ptr, field: *i as usize })
                    }
                    _ => Err(ill_typed("a step in memory that the type does not have")),
                }
            }
            Root::Calldata(reference) => {
                let (ptr, ty) = (self.eval(reference)?.calldata()?, self.referent(reference)?);
                match &*place.steps {
                    [] => Ok(Spot::CalldataObject(ty, ptr)),
                    [Step::Index(i)] => Ok(Spot::CalldataElement { ty, ptr, index: self.word(*i)? }),
                    [Step::Field(i)] => Ok(Spot::CalldataField { ty, ptr, field: *i as usize }),
                    _ => Err(ill_typed("several steps in calldata")),
                }
            }
        }
    }

    fn walk(&self, mut ptr: StoragePtr, mut ty: TypeId, steps: &[Step]) -> Run<Spot> {
        let view = self.view(ptr.transient);
        for step in steps {
            let step = match step {
                Step::Field(i) => PathStep::Field(*i as usize),
                Step::Index(e) => PathStep::Index(self.eval(*e)?),
            };
            if let PathStep::Index(key) = &step
                && self.interp.record_keys
                && matches!(self.types().get(ty), Type::Mapping { .. })
            {
                self.interp.keys.record(self.frame.this, ptr.slot, key);
            }
            (ptr, ty) = storage::step(self.types(), &view, ptr, ty, &step)?;
        }
        Ok(Spot::Storage(ptr, ty))
    }

    fn load(&self, place: PlaceId) -> Run<Value> {
        let (types, memory) = (self.types(), &self.frame.memory);
        match self.spot(place)? {
            Spot::Storage(ptr, ty) => storage::load(types, &self.view(ptr.transient), ptr, ty),
            Spot::Immutable(var) => {
                let word = self.frame.immutables.get(&var).copied();
                Ok(Value::Word(word.unwrap_or(U256::ZERO)))
            }
            Spot::MemoryObject(ty, ptr) => memory.read_tree(types, ty, ptr).map(Value::from),
            Spot::MemoryElement { ty, ptr, index } => {
                memory.load_element(types, ty, ptr, index).map(Value::Word)
            }
            Spot::MemoryField { id, ptr, field } => memory.load_field(types, id, ptr, field).map(Value::Word),
            Spot::CalldataObject(ty, ptr) => self.calldata().read_tree(ty, ptr).map(Value::from),
            Spot::CalldataElement { ty, ptr, index } => self.calldata().element(ty, ptr, index),
            Spot::CalldataField { ty, ptr, field } => self.calldata().field(ty, ptr, field),
        }
    }

    fn length(&self, place: PlaceId) -> Run<U256> {
        let (types, memory) = (self.types(), &self.frame.memory);
        match self.spot(place)? {
            Spot::Storage(ptr, ty) => storage::length(types, &self.view(ptr.transient), ptr, ty),
            Spot::MemoryObject(ty, ptr) => memory.length(types, ty, ptr),
            Spot::MemoryElement { ty, ptr, index } => {
                let inner = memory.load_element(types, ty, ptr, index)?;
                memory.length(types, self.inner_type(place), inner)
            }
            Spot::MemoryField { id, ptr, field } => {
                let inner = memory.load_field(types, id, ptr, field)?;
                memory.length(types, self.inner_type(place), inner)
            }
            Spot::CalldataObject(ty, ptr) => Ok(self.calldata().length(ty, ptr)),
            Spot::CalldataElement { ty, ptr, index } => {
                let inner = self.calldata().element(ty, ptr, index)?.calldata()?;
                Ok(self.calldata().length(self.inner_type(place), inner))
            }
            Spot::CalldataField { ty, ptr, field } => {
                let inner = self.calldata().field(ty, ptr, field)?.calldata()?;
                Ok(self.calldata().length(self.inner_type(place), inner))
            }
            Spot::Immutable(_) => Err(ill_typed("the length of an immutable")),
        }
    }

    /// What the reference at a place in memory or calldata points to.
    fn inner_type(&self, place: PlaceId) -> TypeId {
        let ty = self.interp.program.exprs.place_ty(place);
        self.types().referent(ty).unwrap_or(ty)
    }
}

/// Writes a scalar or reference into an object in memory.
pub(super) fn store_in_memory(types: &Types, memory: &mut Memory, spot: Spot, value: &Value) -> Run<()> {
    match spot {
        Spot::MemoryElement { ty, ptr, index } => memory.store_element(types, ty, ptr, index, value.word()?),
        Spot::MemoryField { id, ptr, field } => memory.store_field(types, id, ptr, field, value.word()?),
        Spot::MemoryObject(..) => Err(ill_typed("a whole object overwritten in memory")),
        Spot::CalldataObject(..) | Spot::CalldataElement { .. } | Spot::CalldataField { .. } => {
            Err(ill_typed("a write to calldata"))
        }
        Spot::Storage(..) | Spot::Immutable(_) => Err(ill_typed("storage written as memory")),
    }
}
