//! Random places and expressions of a wanted type.

use super::Gen;
use crate::expr::{AbiMode, ArithOp, BinOp, Builtin, EnvVar, Expr, Place, Root, Step, UnOp};
use crate::ids::*;
use crate::interp::value::{error_payload, panic_payload};
use crate::types::Type;
use crate::typing::{Sort, TypeContext, WORD, builtin_signature, env_type, is_variadic};
use ruint::aliases::U256;

impl Gen {
    /// A random place that is accepted.
    pub(super) fn place(&mut self, accept: impl Fn(Root, &Type) -> bool) -> Option<PlaceId> {
        for _ in 0..20 {
            self.walks += 1;
            let walked = self.walk();
            self.walks -= 1;
            let Some(place) = walked else { continue };
            let ty = self.context().place_type(&place)?;
            if accept(place.root, &ty) {
                let ty = self.p.types.intern(ty);
                return Some(self.p.exprs.add_place(place, ty));
            }
        }
        None
    }

    fn context(&self) -> TypeContext<'_> {
        TypeContext {
            bound: &self.p.bound_vars,
            types: &self.p.types,
            exprs: &self.p.exprs,
            state: &self.p.state,
            locals: self.locals(),
        }
    }

    pub(super) fn walk(&mut self) -> Option<Place> {
        let root = if self.rng.chance(50) {
            let contract = self.p.procs[self.proc].contract?;
            let vars = self.p.contracts[contract].state.clone();
            Root::State(self.rng.pick(&vars))
        } else {
            let (local, ty) = self.any_local();
            let e = self.p.exprs.add(Expr::Local(local), ty);
            match self.p.types.get(ty) {
                Type::StorageRef(_) => Root::Storage(e),
                Type::MemoryRef(_) => Root::Memory(e),
                Type::CalldataRef(_) => Root::Calldata(e),
                _ => return None,
            }
        };
        let most = match root {
            Root::State(_) | Root::Storage(_) => 3,
            Root::Memory(_) | Root::Calldata(_) => 1,
        };
        let mut steps = Vec::new();
        for _ in 0..self.rng.below(most + 1) {
            let place = Place { root, steps: steps.clone().into() };
            match self.context().place_type(&place)? {
                Type::Struct(s) => {
                    let n = self.p.types.structs[s].fields.len();
                    steps.push(Step::Field(self.rng.below(n) as u32));
                }
                Type::Array { .. } | Type::Bytes => {
                    let word = self.p.types.word();
                    let index = self.expr(word, u32::from(self.walks == 1));
                    steps.push(Step::Index(index));
                }
                Type::Mapping { key, .. } => {
                    let index = self.expr(key, u32::from(self.walks == 1));
                    steps.push(Step::Index(index));
                }
                _ => break,
            }
        }
        Some(Place { root, steps: steps.into() })
    }

    pub(super) fn expr(&mut self, ty: TypeId, fuel: u32) -> ExprId {
        let expr = if fuel == 0 { None } else { self.inner(ty, fuel - 1) };
        let expr = expr.unwrap_or_else(|| self.leaf(ty));
        self.p.exprs.add(expr, ty)
    }

    pub(super) fn leaf(&mut self, ty: TypeId) -> Expr {
        let found: Vec<LocalId> =
            self.locals().iter_ids().filter(|(_, l)| l.ty == ty).map(|(id, _)| id).collect();
        if !found.is_empty() && self.rng.chance(60) {
            return Expr::Local(self.rng.pick(&found));
        }
        let word = self.rng.word();
        match self.p.types.get(ty) {
            Type::Bool => Expr::Const(word & U256::ONE),
            Type::Int { bits, signed: false } => Expr::Const(word >> (256 - *bits as usize)),
            Type::Int { bits, signed: true } => Expr::Const(word.arithmetic_shr(256 - *bits as usize)),
            Type::FixedBytes(n) => Expr::Const((word >> (256 - 8 * *n as usize)) << (256 - 8 * *n as usize)),
            Type::Address => Expr::Const(word >> 96usize),
            Type::Enum(_) => Expr::Const(U256::from(self.rng.below(3))),
            Type::FnExternal => Expr::Const(word >> 64usize),
            Type::FnInternal => Expr::FnPointer(self.proc),
            Type::Bytes if self.rng.chance(50) => Expr::BytesConst("it's \"x\"\n\\".as_bytes().into()),
            Type::Bytes if self.rng.chance(20) => Expr::BytesConst(panic_payload(word.byte(0)).into()),
            Type::Bytes if self.rng.chance(20) => Expr::BytesConst(error_payload(b"no \"way\"").into()),
            Type::Bytes => Expr::BytesConst(word.to_be_bytes::<32>()[..self.rng.below(32)].into()),
            _ => Expr::Default,
        }
    }

    pub(super) fn inner(&mut self, ty: TypeId, fuel: u32) -> Option<Expr> {
        let t = self.p.types.get(ty).clone();
        if self.rng.chance(15) {
            let c = self.of_fuel(Type::Bool, fuel);
            return Some(Expr::Ite(c, self.expr(ty, fuel), self.expr(ty, fuel)));
        }
        if self.rng.chance(25)
            && let Some(place) = self.place(|_, found| *found == t)
        {
            return Some(Expr::Load(place));
        }
        if self.rng.chance(25)
            && let Some(expr) = self.builtin(&t, fuel)
        {
            return Some(expr);
        }
        match t {
            Type::Bool => Some(self.boolean(fuel)),
            Type::Int { signed, .. } => Some(self.integer(ty, signed, fuel)),
            Type::FixedBytes(_) => {
                let op = self.rng.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]);
                Some(Expr::Binary(op, self.expr(ty, fuel), self.expr(ty, fuel)))
            }
            Type::Address if self.rng.chance(50) => Some(Expr::Cast(self.of_fuel(WORD, fuel))),
            Type::Address => Some(Expr::LibraryAddress(ContractId(1))),
            Type::Bytes => Some(self.bytes(fuel)),
            Type::StorageRef(target) => {
                let target = self.p.types.get(target).clone();
                let in_storage = |root, found: &Type| {
                    matches!(root, Root::State(_) | Root::Storage(_)) && *found == target
                };
                self.place(in_storage).map(Expr::Ref)
            }
            Type::CalldataRef(_) => {
                let (offset, length) = (self.of_fuel(WORD, fuel), self.of_fuel(WORD, fuel));
                Some(Expr::MakeCalldataRef { offset, length })
            }
            Type::Enum(_) | Type::MemoryRef(_) => Some(Expr::Cast(self.of_fuel(WORD, fuel))),
            Type::FnInternal
            | Type::FnExternal
            | Type::Array { .. }
            | Type::Struct(_)
            | Type::Mapping { .. } => None,
        }
    }

    pub(super) fn of_fuel(&mut self, ty: Type, fuel: u32) -> ExprId {
        let ty = self.p.types.intern(ty);
        self.expr(ty, fuel)
    }

    fn boolean(&mut self, fuel: u32) -> Expr {
        let int = self.pool[self.rng.below(6)];
        let word = self.p.types.word();
        match self.rng.below(5) {
            0 => Expr::Unary(UnOp::Not, self.of_fuel(Type::Bool, fuel)),
            1 => {
                let op = self.rng.pick(&[BinOp::BoolAnd, BinOp::BoolOr, BinOp::Eq]);
                Expr::Binary(op, self.of_fuel(Type::Bool, fuel), self.of_fuel(Type::Bool, fuel))
            }
            2 => {
                let op = self.rng.pick(&[BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Ne]);
                Expr::Binary(op, self.expr(int, fuel), self.expr(int, fuel))
            }
            3 => {
                let op =
                    self.rng.pick(&[ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Exp]);
                let right = if op == ArithOp::Exp { word } else { int };
                Expr::Fits(op, self.expr(int, fuel), self.expr(right, fuel))
            }
            _ => {
                let a = self.expr(int, fuel);
                Expr::Fits(ArithOp::Neg, a, a)
            }
        }
    }

    fn integer(&mut self, ty: TypeId, signed: bool, fuel: u32) -> Expr {
        match self.rng.below(5) {
            0 if signed => Expr::Unary(UnOp::Neg, self.expr(ty, fuel)),
            0 => Expr::Unary(UnOp::BitNot, self.expr(ty, fuel)),
            1 => {
                let from = self.pool[self.rng.below(6)];
                Expr::Cast(self.expr(from, fuel))
            }
            2 => {
                let op = self.rng.pick(&[BinOp::Shl, BinOp::Shr, BinOp::Exp]);
                Expr::Binary(op, self.expr(ty, fuel), self.of_fuel(WORD, fuel))
            }
            3 if *self.p.types.get(ty) == WORD => {
                let dynamic = |_, t: &Type| matches!(t, Type::Bytes | Type::Array { len: None, .. });
                match self.place(dynamic) {
                    Some(place) => Expr::Length(place),
                    None => Expr::Env(EnvVar::Timestamp),
                }
            }
            _ => {
                let ops = [
                    BinOp::Add,
                    BinOp::Sub,
                    BinOp::Mul,
                    BinOp::Div,
                    BinOp::Mod,
                    BinOp::And,
                    BinOp::Or,
                    BinOp::Xor,
                ];
                let op = self.rng.pick(&ops);
                Expr::Binary(op, self.expr(ty, fuel), self.expr(ty, fuel))
            }
        }
    }

    fn bytes(&mut self, fuel: u32) -> Expr {
        if self.rng.chance(20) {
            return Expr::ContractCode { contract: ContractId(0), runtime: self.rng.chance(50) };
        }
        let mut types = Vec::new();
        let mut args = Vec::new();
        for _ in 0..self.rng.below(3) {
            let (_, ty) = self.any_local();
            let arg = self.expr(ty, fuel);
            let natural = self.p.types.referent(ty).unwrap_or(ty);
            // An integer may be encoded as another type than its own.
            let wide = matches!(self.p.types.get(ty), Type::Int { .. }) && self.rng.chance(30);
            types.push(if wide { self.p.types.word() } else { natural });
            args.push(arg);
        }
        Expr::AbiEncode {
            mode: self.rng.pick(&[AbiMode::Standard, AbiMode::Packed, AbiMode::Topic]),
            strict: self.rng.chance(50),
            selector: self.rng.chance(30).then(|| self.of_fuel(Type::FixedBytes(4), fuel)),
            types: types.into(),
            args: args.into(),
        }
    }

    fn builtin(&mut self, result: &Type, fuel: u32) -> Option<Expr> {
        let envs = [
            EnvVar::This,
            EnvVar::Caller,
            EnvVar::CallData,
            EnvVar::GasLeft,
            EnvVar::Number,
            EnvVar::ReturnData,
        ];
        let var = self.rng.pick(&envs);
        if env_type(var) == *result {
            return Some(Expr::Env(var));
        }
        let all = <Builtin as crate::text::Word>::ALL;
        let builtin = self.rng.pick(all);
        let (sorts, sort) = builtin_signature(builtin);
        let same = sort.exact().as_ref() == Some(result)
            || (sort == Sort::First && matches!(result, Type::CalldataRef(t) if self.sliceable(*t)));
        if !same {
            return None;
        }
        let mut args = Vec::new();
        for sort in sorts {
            let ty = match sort {
                Sort::StorageRef | Sort::CalldataRef | Sort::First if builtin == Builtin::CalldataSlice => {
                    result.clone()
                }
                Sort::StorageRef => Type::StorageRef(self.p.types.bytes()),
                Sort::CalldataRef | Sort::First => Type::CalldataRef(self.p.types.bytes()),
                sort => sort.exact()?,
            };
            args.push(self.of_fuel(ty, fuel.min(2)));
        }
        if is_variadic(builtin) {
            args = (0..self.rng.below(4)).map(|_| self.of_fuel(Type::Bytes, fuel.min(1))).collect();
        }
        Some(Expr::Builtin(builtin, args.into()))
    }

    fn sliceable(&self, ty: TypeId) -> bool {
        matches!(self.p.types.get(ty), Type::Bytes | Type::Array { len: None, .. })
    }
}
