//! Expressions of the IR in a symbolic state.

use crate::context::{Context, Res, Unsupported, WORD};
use crate::pointer::Spot;
use crate::state::{Frame, State, Var};
use crate::tree::{Key, Tree};
use hornet_ir::expr::{ArithOp, BinOp, EnvVar, Expr, Root, UnOp};
use hornet_ir::ids::{BoundId, ExprId, LocalId, PlaceId, TypeId};
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// In which states an expression is evaluated.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub now: &'a State,
    /// What `Old` means; its locals are in `frame` too.
    pub old: &'a State,
    /// What `Before` means.
    pub before: &'a State,
    pub frame: Frame,
    /// The types of the frame's locals.
    pub locals: &'a hornet_ir::ids::IdVec<LocalId, hornet_ir::program::Local>,
    pub bound: &'a FxHashMap<BoundId, Tree>,
    /// Conditions that hold where the expression stands.
    pub known: &'a FxHashSet<TermId>,
}

impl Context<'_> {
    /// The value of an expression.
    pub fn eval(&mut self, scope: &Scope, e: ExprId) -> Res<Tree> {
        let program = self.program;
        let ty = program.exprs.ty(e);
        Ok(match program.exprs.get(e) {
            Expr::Const(word) => {
                let value = self.constant(program.types.get(ty), *word);
                one(value)
            }
            Expr::BytesConst(bytes) => self.bytes_const(bytes),
            Expr::Default => self.zero(ty)?,
            Expr::Local(local) => {
                let ty = scope.locals.get(*local).map_or(ty, |l| l.ty);
                self.get(scope.now, Var::Local(scope.frame, *local, ty))?
            }
            Expr::Load(place) => self.load(scope, *place)?,
            Expr::Length(place) => one(self.length(scope, *place)?),
            Expr::Ref(place) => self.reference_to(scope, *place)?,
            Expr::Unary(op, a) => {
                let value = self.scalar(scope, *a)?;
                one(self.unary(*op, program.exprs.ty(*a), value))
            }
            Expr::Binary(op, a, b) => self.binary(scope, *op, *a, *b)?,
            Expr::Fits(op, a, b) => one(self.fits(scope, *op, *a, *b)?),
            Expr::Ite(c, a, b) => {
                let cond = self.scalar(scope, *c)?;
                let (then, other) = (self.eval(scope, *a)?, self.eval(scope, *b)?);
                self.ite(cond, &then, &other)
            }
            Expr::Cast(a) => {
                let value = self.eval(scope, *a)?;
                self.cast(program.exprs.ty(*a), ty, &value)?
            }
            Expr::Env(var) => self.env(scope, *var, ty)?,
            Expr::Builtin(builtin, args) => self.builtin(scope, *builtin, args, ty)?,
            // Zero is the pointer that was never set.
            Expr::FnPointer(proc) => {
                let number = self.constant(&Type::FnInternal, hornet_ir::U256::from(proc.0 + 1));
                one(number)
            }
            Expr::AbiEncode { mode, strict, selector, types, args } => {
                let bytes = self.abi_encode(scope, *mode, *selector, types, args)?;
                if *strict { bytes } else { self.perhaps_unclean(types, bytes) }
            }
            Expr::LibraryAddress(library) => {
                let name = format!("library_{}_{}", program.contracts[*library].name, library.0);
                one(self.unknown_constant(&name, &Type::Address))
            }
            Expr::ContractCode { contract, runtime } => {
                let name = format!("code_{}_{}_{runtime}", program.contracts[*contract].name, contract.0);
                let code = self.unknown_bytes(&name);
                // What the code is, nobody knows; there is some.
                let nothing = self.word(0);
                let some = self.terms.ne(code[0], nothing);
                self.fact(some);
                code
            }
            Expr::MakeCalldataRef { offset, length } => self.calldata_at(scope, *offset, *length, ty)?,
            Expr::Old(a) => self.eval(&Scope { now: scope.old, ..*scope }, *a)?,
            Expr::Before(a) => self.eval(&Scope { now: scope.before, ..*scope }, *a)?,
            Expr::Bound(var) => match scope.bound.get(var) {
                Some(value) => value.clone(),
                None => return Err(Unsupported::new("variable outside its quantifier")),
            },
            Expr::Quantified { forall, vars, body } => one(self.quantified(scope, *forall, vars, *body)?),
            Expr::Sum { vars, place } => one(self.sum(scope, vars, *place, ty)?),
            Expr::DeepEq(a, b) => {
                let ty = program.exprs.ty(*a);
                let (a, b) = (self.eval(scope, *a)?, self.eval(scope, *b)?);
                let (ty, a, b) = self.dereferenced(scope, ty, a, b)?;
                one(self.equal_trees(ty, &a, &b)?)
            }
        })
    }

    /// The value of an expression that is one term.
    pub fn scalar(&mut self, scope: &Scope, e: ExprId) -> Res<TermId> {
        match self.eval(scope, e)?[..] {
            [term] => Ok(term),
            _ => Err(Unsupported::new("a value of several parts where a single one is wanted")),
        }
    }

    fn load(&mut self, scope: &Scope, place: PlaceId) -> Res<Tree> {
        let ty = self.program.exprs.place_ty(place);
        let node = self.program.exprs.place(place).clone();
        let loaded = match node.root {
            Root::State(_) | Root::Storage(_) => self.load_storage(scope, place)?,
            Root::Memory(reference) => {
                let object_ty = self.referent(reference)?;
                let reference = self.scalar(scope, reference)?;
                return match node.steps[..] {
                    [] => self.deep(scope.now, object_ty, reference),
                    [step] => {
                        let key = self.key(scope, step)?;
                        self.load_member(scope.now, object_ty, reference, &key)
                    }
                    _ => Err(Unsupported::new("several steps into memory")),
                };
            }
            Root::Calldata(reference) => {
                let tree_ty = self.referent(reference)?;
                let tree = self.eval(scope, reference)?;
                let keys = node.steps.iter().map(|s| self.key(scope, *s)).collect::<Res<Vec<Key>>>()?;
                self.read(tree_ty, &tree, &keys)?
            }
        };
        let shape = self.shape(ty)?;
        self.admit_loaded(&shape, &loaded);
        Ok(loaded)
    }

    fn load_storage(&mut self, scope: &Scope, place: PlaceId) -> Res<Tree> {
        let spots = self.storage_spots(scope, place)?.unwrap_or_default();
        self.chosen(&spots, |cx, spot| cx.read_spot(scope.now, spot))
    }

    /// The value that belongs to the spot whose condition holds; one of them does.
    fn chosen(
        &mut self,
        spots: &[(TermId, Spot)],
        mut value_of: impl FnMut(&mut Self, &Spot) -> Res<Tree>,
    ) -> Res<Tree> {
        let mut value: Option<Tree> = None;
        for (cond, spot) in spots.iter().rev() {
            let here = value_of(self, spot)?;
            value = Some(match value {
                None => here,
                Some(other) => self.ite(*cond, &here, &other),
            });
        }
        value.ok_or_else(|| Unsupported::new("a place that is nowhere in storage"))
    }

    /// The length of the dynamic array or bytes at a place.
    fn length(&mut self, scope: &Scope, place: PlaceId) -> Res<TermId> {
        let ty = self.program.exprs.place_ty(place);
        let node = self.program.exprs.place(place).clone();
        let tree_ty = self.program.types.referent(ty).unwrap_or(ty);
        if let Type::Array { len: Some(len), .. } = self.program.types.get(tree_ty) {
            let len = *len;
            return Ok(self.constant(&WORD, len));
        }
        let length = match node.root {
            Root::Memory(reference) => {
                let (object_ty, reference) = if node.steps.is_empty() {
                    (self.referent(reference)?, self.scalar(scope, reference)?)
                } else {
                    (tree_ty, self.load(scope, place)?[0])
                };
                self.object(scope.now, object_ty, reference)?[0]
            }
            Root::Calldata(reference) if node.steps.is_empty() => self.eval(scope, reference)?[0],
            Root::Calldata(_) | Root::State(_) | Root::Storage(_) => self.load(scope, place)?[0],
        };
        let leaf = crate::Leaf { kind: crate::LeafKind::Length, indices: Vec::new(), in_mapping: false };
        self.admit_loaded(&[leaf], &one(length));
        Ok(length)
    }

    fn reference_to(&mut self, scope: &Scope, place: PlaceId) -> Res<Tree> {
        let spots = self.storage_spots(scope, place)?.unwrap_or_default();
        self.chosen(&spots, |cx, spot| cx.reference(spot))
    }

    fn unary(&mut self, op: UnOp, ty: TypeId, a: TermId) -> TermId {
        let ty = self.program.types.get(ty).clone();
        self.ints.unary(&mut self.terms, op, &ty, a, false)
    }

    fn binary(&mut self, scope: &Scope, op: BinOp, a: ExprId, b: ExprId) -> Res<Tree> {
        let (ty, right_ty) = (self.program.exprs.ty(a), self.program.exprs.ty(b));
        let (x, y) = (self.eval(scope, a)?, self.eval(scope, b)?);
        if !self.program.types.get(ty).is_scalar() {
            return match op {
                BinOp::Eq => Ok(one(self.same_leaves(&x, &y))),
                BinOp::Ne => {
                    let same = self.same_leaves(&x, &y);
                    Ok(one(self.terms.not(same)))
                }
                _ => Err(Unsupported::new("arithmetic on something that is no number")),
            };
        }
        let ty = self.program.types.get(ty).clone();
        let right_ty = self.program.types.get(right_ty).clone();
        let no_wrap = match overflow_of(op) {
            Some(arith) => {
                let fits = self.ints.fits(&mut self.terms, arith, (&ty, x[0]), (&right_ty, y[0]));
                self.is_known(scope, fits)
            }
            None => false,
        };
        Ok(one(self.ints.binary(&mut self.terms, op, (&ty, x[0]), (&right_ty, y[0]), no_wrap)))
    }

    fn fits(&mut self, scope: &Scope, op: ArithOp, a: ExprId, b: ExprId) -> Res<TermId> {
        let (ty, right_ty) = (self.program.exprs.ty(a), self.program.exprs.ty(b));
        let (x, y) = (self.scalar(scope, a)?, self.scalar(scope, b)?);
        let (ty, right_ty) = (self.program.types.get(ty).clone(), self.program.types.get(right_ty).clone());
        Ok(self.ints.fits(&mut self.terms, op, (&ty, x), (&right_ty, y)))
    }

    /// Whether a condition is among those that hold here.
    fn is_known(&mut self, scope: &Scope, cond: TermId) -> bool {
        use hornet_smt::term::Op;
        if self.terms.as_bool(cond) == Some(true) || scope.known.contains(&cond) {
            return true;
        }
        match (self.terms.op(cond).clone(), self.terms.args(cond).to_vec().as_slice()) {
            (Op::And, parts) => parts.iter().all(|part| self.is_known(scope, *part)),
            // `1 <= x` where `x != 0` is known, for numbers that are not negative: lengths before `pop`.
            (Op::Le, &[low, x]) if self.terms.as_int(low).is_some_and(|n| *n == 1.into()) => {
                let zero = self.terms.int(0);
                let nonzero = self.terms.ne(x, zero);
                let positive = self.terms.lt(zero, x);
                (scope.known.contains(&nonzero) || scope.known.contains(&positive))
                    && self.is_never_negative(x)
            }
            (Op::Le, &[sum, max]) => match self.terms.as_int(max).cloned() {
                Some(max) => self.is_small(scope, sum).is_some_and(|bound| bound <= max),
                None => false,
            },
            _ => false,
        }
    }

    /// An upper bound of a sum of constants and lengths of arrays, which are below 2^64.
    fn is_small(&mut self, scope: &Scope, sum: TermId) -> Option<BigInt> {
        use hornet_smt::term::Op;
        let parts = match self.terms.op(sum) {
            Op::Add => self.terms.args(sum).to_vec(),
            _ => vec![sum],
        };
        let limit = BigInt::from(1u128 << 64);
        let mut bound = BigInt::ZERO;
        for part in parts {
            if let Some(number) = self.terms.as_int(part) {
                bound += number;
                continue;
            }
            let (above, last) = (self.terms.int(limit.clone()), self.terms.int(limit.clone() - 1));
            let (below, at_most) = (self.terms.lt(part, above), self.terms.le(part, last));
            if !scope.known.contains(&below) && !self.is_fact(at_most) {
                return None;
            }
            bound += &limit;
        }
        Some(bound)
    }

    fn is_never_negative(&mut self, x: TermId) -> bool {
        let zero = self.terms.int(0);
        let fact = self.terms.le(zero, x);
        self.is_fact(fact)
    }

    /// What the transaction or block provides.
    fn env(&mut self, scope: &Scope, var: EnvVar, ty: TypeId) -> Res<Tree> {
        match var {
            // Hashes and signatures are calculated by calls that are not followed, perhaps also by other contracts.
            EnvVar::ReturnData if self.calls_precompiled || self.this.is_some() => {
                Ok(self.fresh_bytes("~returned"))
            }
            EnvVar::ReturnData => self.get(scope.now, Var::ReturnData),
            EnvVar::Caller => self.get(scope.now, Var::Caller),
            EnvVar::CallValue => self.get(scope.now, Var::CallValue),
            EnvVar::CallData => self.get(scope.now, Var::CallData),
            // Gas is not modelled: any amount, another one each time.
            EnvVar::GasLeft => self.fresh("gasleft", ty),
            EnvVar::This | EnvVar::ChainId => {
                let ty = self.program.types.get(ty).clone();
                Ok(one(self.env_term(var, &ty)))
            }
            EnvVar::Origin
            | EnvVar::Timestamp
            | EnvVar::Number
            | EnvVar::Coinbase
            | EnvVar::PrevRandao
            | EnvVar::GasLimit
            | EnvVar::BaseFee
            | EnvVar::BlobBaseFee
            | EnvVar::GasPrice => self.get(scope.now, Var::Env(var, ty)),
        }
    }

    /// A constant of the transaction.
    pub fn env_term(&mut self, var: EnvVar, ty: &Type) -> TermId {
        if let (EnvVar::This, Some(this)) = (var, self.this) {
            return this;
        }
        let name = match var {
            EnvVar::This => "this",
            EnvVar::Caller => "msg.sender",
            EnvVar::Origin => "tx.origin",
            EnvVar::CallValue => "msg.value",
            EnvVar::CallData => "msg.data",
            EnvVar::ReturnData => "returndata",
            EnvVar::Timestamp => "block.timestamp",
            EnvVar::Number => "block.number",
            EnvVar::Coinbase => "block.coinbase",
            EnvVar::PrevRandao => "block.prevrandao",
            EnvVar::GasLimit => "block.gaslimit",
            EnvVar::ChainId => "block.chainid",
            EnvVar::BaseFee => "block.basefee",
            EnvVar::BlobBaseFee => "block.blobbasefee",
            EnvVar::GasPrice => "tx.gasprice",
            EnvVar::GasLeft => "gasleft",
        };
        let term = self.unknown_constant(name, ty);
        self.admit_environment(var, term);
        term
    }

    /// The symbol of a name, in its type's range.
    pub(crate) fn unknown_constant(&mut self, name: &str, ty: &Type) -> TermId {
        let sort = self.ints.sort(&self.program.types, ty);
        let term = self.terms.symbol(name, sort);
        let fact = self.real_range(ty, term);
        self.fact_everywhere(fact);
        term
    }

    /// The range of a type, also where integers are unbounded: what the environment provides and what annotations
    /// quantify over is not computed, so nothing can have left its range.
    fn real_range(&mut self, ty: &Type, term: TermId) -> TermId {
        match (self.ints.mode, ty) {
            (crate::Arithmetic::Int, Type::Int { .. }) => {
                let ints = crate::Ints { mode: crate::Arithmetic::Mod };
                ints.in_range(&mut self.terms, &self.program.types, ty, term)
            }
            _ => self.ints.in_range(&mut self.terms, &self.program.types, ty, term),
        }
    }

    fn quantified(&mut self, scope: &Scope, forall: bool, vars: &[BoundId], body: ExprId) -> Res<TermId> {
        let mut bound = scope.bound.clone();
        let mut terms = Vec::new();
        let mut guards = Vec::new();
        for var in vars {
            let decl = &self.program.bound_vars[*var];
            let ty = self.program.types.get(decl.ty).clone();
            let sort = self.ints.sort(&self.program.types, &ty);
            let term = self.terms.fresh_bound(&decl.name, sort);
            guards.push(self.real_range(&ty, term));
            bound.insert(*var, one(term));
            terms.push(term);
        }
        self.open_facts.push(Vec::new());
        let result = self.scalar(&Scope { bound: &bound, ..*scope }, body);
        let facts = self.open_facts.pop().unwrap_or_default();
        let body = result?;
        // Facts that do not speak of the variables hold outside as well. The others restrict what is looked at; of
        // something that exists they must not be asked for, as they are not known of elements that nobody can see.
        for fact in facts {
            if terms.iter().any(|var| self.terms.mentions(fact, *var)) {
                guards.extend(forall.then_some(fact));
            } else {
                self.fact(fact);
            }
        }
        let guard = self.terms.and_all(guards);
        Ok(if forall {
            let body = self.terms.implies(guard, body);
            self.terms.forall(&terms, body)
        } else {
            let body = self.terms.and(guard, body);
            self.terms.exists(&terms, body)
        })
    }

    /// References are compared by what they point to.
    fn dereferenced(&mut self, scope: &Scope, ty: TypeId, a: Tree, b: Tree) -> Res<(TypeId, Tree, Tree)> {
        Ok(match self.program.types.get(ty).clone() {
            Type::MemoryRef(t) => (t, self.deep(scope.now, t, a[0])?, self.deep(scope.now, t, b[0])?),
            Type::StorageRef(t) => (t, self.behind(scope, t, &a)?, self.behind(scope, t, &b)?),
            Type::CalldataRef(t) => (t, a, b),
            _ => (ty, a, b),
        })
    }

    /// What a storage reference leads to.
    pub(crate) fn behind(&mut self, scope: &Scope, ty: TypeId, reference: &Tree) -> Res<Tree> {
        let spots = self.spots(ty, reference)?;
        self.chosen(&spots, |cx, spot| cx.read_spot(scope.now, spot))
    }

    fn same_leaves(&mut self, a: &Tree, b: &Tree) -> TermId {
        let parts: Vec<TermId> = a.iter().zip(b.iter()).map(|(x, y)| self.terms.eq(*x, *y)).collect();
        self.terms.and_all(parts)
    }

    /// Equality all the way down. Elements of dynamic arrays count up to the length.
    pub fn equal_trees(&mut self, ty: TypeId, a: &Tree, b: &Tree) -> Res<TermId> {
        match self.program.types.get(ty).clone() {
            Type::Struct(id) => {
                let fields = self.field_types(id);
                let mut at = 0;
                let mut parts = Vec::new();
                for field in fields {
                    let size = self.shape(field)?.len();
                    let (x, y): (Tree, Tree) = (a[at..at + size].into(), b[at..at + size].into());
                    parts.push(self.equal_trees(field, &x, &y)?);
                    at += size;
                }
                Ok(self.terms.and_all(parts))
            }
            Type::Array { elem, len: None } => {
                let same_length = self.terms.eq(a[0], b[0]);
                let i = self.fresh_index();
                let key = [Key::Index(one(i))];
                let (x, y) = (self.read(ty, a, &key)?, self.read(ty, b, &key)?);
                let same = self.equal_trees(elem, &x, &y)?;
                let zero = self.word(0);
                let inside = self.in_bounds(i, zero, a[0]);
                let body = self.terms.implies(inside, same);
                let elements = self.terms.forall(&[i], body);
                Ok(self.terms.and(same_length, elements))
            }
            _ => Ok(self.same_leaves(a, b)),
        }
    }
}

pub(crate) fn one(term: TermId) -> Tree {
    [term].into()
}

/// The overflow that an operation can have.
fn overflow_of(op: BinOp) -> Option<ArithOp> {
    match op {
        BinOp::Add => Some(ArithOp::Add),
        BinOp::Sub => Some(ArithOp::Sub),
        BinOp::Mul => Some(ArithOp::Mul),
        BinOp::Div => Some(ArithOp::Div),
        BinOp::Exp => Some(ArithOp::Exp),
        BinOp::Mod
        | BinOp::And
        | BinOp::Or
        | BinOp::Xor
        | BinOp::Shl
        | BinOp::Shr
        | BinOp::Eq
        | BinOp::Ne
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge
        | BinOp::BoolAnd
        | BinOp::BoolOr => None,
    }
}
