//! Rules 201 to 306: expressions and places, as far as they do not depend on a procedure.

use super::{Validator, Where, rule};
use crate::expr::{ArithOp, BinOp, Expr, Location, Place, Root, Step, UnOp};
use crate::ids::{ExprId, IdVec, PlaceId, TypeId};
use crate::interp::arith::clean;
use crate::program::StateKind;
use crate::types::Type;
use crate::typing::{TypeContext, WORD, builtin_signature, is_variadic};

impl<'a> Validator<'a> {
    pub(super) fn type_of(&self, id: ExprId) -> &'a Type {
        self.program.types.get(self.program.exprs.ty(id))
    }

    pub(super) fn type_at(&self, id: PlaceId) -> &'a Type {
        self.program.types.get(self.program.exprs.place_ty(id))
    }

    /// The operand must have this type.
    pub(super) fn wants(&mut self, rule: u16, at: Where, id: ExprId, wanted: &Type, what: &str) {
        let found = self.type_of(id);
        self.require(found == wanted, rule, at, || format!("{what} is {found:?}, not {wanted:?}"));
    }

    pub(super) fn expr(&mut self, at: Where, id: ExprId) {
        let program = self.program;
        let expr = program.exprs.get(id);
        self.result(at, id, expr);
        match expr {
            Expr::Const(word) => {
                let ty = self.type_of(id);
                let ok = ty.is_scalar() && !ty.is_wide() && clean(ty, *word) == *word;
                self.require(ok, rule::CONSTANT, at, || format!("{word:#x} is no {ty:?}"));
            }
            Expr::BytesConst(_)
            | Expr::Default
            | Expr::Local(_)
            | Expr::Env(_)
            | Expr::FnPointer(_)
            | Expr::LibraryAddress(_)
            | Expr::ContractCode { .. }
            | Expr::Bound(_)
            | Expr::Old(_)
            | Expr::Before(_) => {}
            Expr::Sum { place, .. } => self.place(at, *place),
            Expr::Quantified { body, .. } => self.wants(rule::CLAIM, at, *body, &Type::Bool, "body"),
            Expr::DeepEq(a, b) => {
                let (left, right) = (self.type_of(*a), self.type_of(*b));
                let ok = left == right && left.is_tree();
                self.require(ok, rule::DEEP_EQ, at, || format!("sides are {left:?}, {right:?}"));
            }
            Expr::Load(place) => self.place(at, *place),
            Expr::Length(place) => {
                self.place(at, *place);
                self.has_length(at, *place);
            }
            Expr::Ref(place) => {
                self.place(at, *place);
                let root = program.exprs.place(*place).root;
                let immutable =
                    matches!(root, Root::State(v) if program.state[v].kind == StateKind::Immutable);
                let ok = root.location() == Location::Storage && !immutable;
                self.require(ok, rule::STORAGE_REF, at, || "reference to what is not in storage".to_owned());
            }
            Expr::Unary(op, a) => self.unary(at, *op, *a),
            Expr::Binary(op, a, b) => self.binary(at, *op, *a, *b),
            Expr::Fits(op, a, b) => self.fits(at, *op, *a, *b),
            Expr::Ite(c, a, b) => {
                self.wants(rule::CHOICE, at, *c, &Type::Bool, "condition");
                let (then, other) = (self.type_of(*a), self.type_of(*b));
                self.require(then == other, rule::CHOICE, at, || format!("branches are {then:?}, {other:?}"));
            }
            Expr::Cast(a) => self.cast(at, self.type_of(*a), self.type_of(id)),
            Expr::Builtin(builtin, args) => {
                let (sorts, _) = builtin_signature(*builtin);
                if is_variadic(*builtin) {
                    args.iter().for_each(|a| self.wants(rule::BUILTIN, at, *a, &Type::Bytes, "argument"));
                    return;
                }
                let fits = args.len() == sorts.len()
                    && args.iter().zip(sorts).all(|(a, sort)| sort.admits(self.type_of(*a)));
                self.require(fits, rule::BUILTIN, at, || {
                    let found: Vec<&Type> =
                        args.iter().map(|a| program.types.get(program.exprs.ty(*a))).collect();
                    format!("{builtin:?} of {found:?}, not {sorts:?}")
                });
            }
            Expr::AbiEncode { selector, types, args, .. } => {
                if let Some(selector) = selector {
                    self.wants(rule::ENCODING, at, *selector, &Type::FixedBytes(4), "selector");
                }
                self.require(types.len() == args.len(), rule::ENCODING, at, || {
                    format!("{} types for {} arguments", types.len(), args.len())
                });
                for (ty, arg) in types.iter().zip(args) {
                    self.encodable(at, *arg, *ty);
                }
            }
            Expr::MakeCalldataRef { offset, length } => {
                self.wants(rule::CALLDATA, at, *offset, &WORD, "offset");
                self.wants(rule::CALLDATA, at, *length, &WORD, "length");
                let ty = self.type_of(id);
                self.require(matches!(ty, Type::CalldataRef(_)), rule::CALLDATA, at, || format!("{ty:?}"));
            }
        }
    }

    fn result(&mut self, at: Where, id: ExprId, expr: &Expr) {
        if matches!(expr, Expr::Local(_)) {
            return;
        }
        if let Some(natural) = self.context(&IdVec::new()).natural_type(expr) {
            let claimed = self.type_of(id);
            self.require(natural == *claimed, rule::RESULT, at, || {
                format!("{expr:?} is {natural:?}, claims {claimed:?}")
            });
        }
    }

    fn context<'b>(
        &'b self,
        locals: &'b IdVec<crate::ids::LocalId, crate::program::Local>,
    ) -> TypeContext<'b> {
        let program = self.program;
        TypeContext {
            types: &program.types,
            exprs: &program.exprs,
            state: &program.state,
            locals,
            bound: &program.bound_vars,
        }
    }

    fn unary(&mut self, at: Where, op: UnOp, a: ExprId) {
        let ty = self.type_of(a);
        let ok = match op {
            UnOp::Not => *ty == Type::Bool,
            UnOp::BitNot => matches!(ty, Type::Int { .. } | Type::FixedBytes(_)),
            UnOp::Neg => matches!(ty, Type::Int { .. }),
        };
        self.require(ok, rule::OPERANDS, at, || format!("{op:?} of {ty:?}"));
    }

    fn binary(&mut self, at: Where, op: BinOp, a: ExprId, b: ExprId) {
        let (left, right) = (self.type_of(a), self.type_of(b));
        let int = matches!(left, Type::Int { .. });
        let bits = int || matches!(left, Type::FixedBytes(_));
        let same = left == right;
        let ok = match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod => int && same,
            BinOp::Exp => int && is_unsigned(right),
            BinOp::Shl | BinOp::Shr => bits && is_unsigned(right),
            BinOp::And | BinOp::Or | BinOp::Xor => bits && same,
            BinOp::Eq | BinOp::Ne => same && (left.is_scalar() || !left.is_tree() || *left == Type::Bytes),
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                same && (bits || matches!(left, Type::Address | Type::Enum(_)))
            }
            BinOp::BoolAnd | BinOp::BoolOr => same && *left == Type::Bool,
        };
        self.require(ok, rule::OPERANDS, at, || format!("{op:?} of {left:?} and {right:?}"));
    }

    fn fits(&mut self, at: Where, op: ArithOp, a: ExprId, b: ExprId) {
        let (left, right) = (self.type_of(a), self.type_of(b));
        let int = matches!(left, Type::Int { .. });
        let ok = match op {
            ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div => int && left == right,
            ArithOp::Exp => int && is_unsigned(right),
            ArithOp::Neg => int && a == b,
        };
        self.require(ok, rule::OPERANDS, at, || format!("fits: {op:?} of {left:?} and {right:?}"));
    }

    fn cast(&mut self, at: Where, from: &Type, to: &Type) {
        let word = |ty: &Type| *ty == WORD;
        let width = |ty: &Type| match ty {
            Type::Int { bits, .. } => Some(*bits),
            Type::Address => Some(160),
            Type::FixedBytes(n) => Some(u16::from(*n) * 8),
            _ => None,
        };
        let ok = match (from, to) {
            (from, to) if from == to => true,
            (
                Type::Int { .. } | Type::Address | Type::Enum(_),
                Type::Int { .. } | Type::Address | Type::Enum(_),
            ) => true,
            (Type::FixedBytes(_), Type::FixedBytes(_)) => true,
            (Type::FixedBytes(_), Type::Int { .. } | Type::Address)
            | (Type::Int { .. } | Type::Address, Type::FixedBytes(_)) => {
                word(from) || word(to) || width(from) == width(to)
            }
            (Type::Bytes, Type::FixedBytes(_)) => true,
            (from, to) if from.is_scalar() && to.is_scalar() => word(from) || word(to),
            (Type::MemoryRef(_), to) => word(to),
            (from, Type::MemoryRef(_) | Type::StorageRef(_)) => word(from),
            (from, to) => self.same_shape(from, to),
        };
        self.require(ok, rule::CONVERSION, at, || format!("{from:?} to {to:?}"));
    }

    /// Trees convert element by element.
    fn same_shape(&self, from: &Type, to: &Type) -> bool {
        matches!((from, to), (Type::Array { .. }, Type::Array { .. }) | (Type::Bytes, Type::Bytes))
            || (matches!(from, Type::Struct(_)) && from == to)
    }

    fn encodable(&mut self, at: Where, arg: ExprId, ty: TypeId) {
        let types = &self.program.types;
        let (found, wanted) = (self.type_of(arg), types.get(ty));
        let ok = if wanted.is_scalar() {
            found.is_scalar()
        } else {
            let contents = types.referent(self.program.exprs.ty(arg)).map_or(found, |t| types.get(t));
            contents == wanted || self.same_shape(contents, wanted)
        };
        self.require(ok, rule::ENCODING, at, || format!("{found:?} as {wanted:?}"));
    }

    pub(super) fn has_length(&mut self, at: Where, place: PlaceId) {
        let ty = self.type_at(place);
        let ok = matches!(ty, Type::Bytes | Type::Array { len: None, .. });
        self.require(ok, rule::LENGTH, at, || format!("length of {ty:?}"));
    }

    pub(super) fn place(&mut self, at: Where, id: PlaceId) {
        let place = self.program.exprs.place(id);
        let locals = IdVec::new();
        let Some(root) = self.context(&locals).root_type(place.root) else {
            return self.report(rule::ROOT, at, format!("{:?} is not such a reference", place.root));
        };
        let location = place.root.location();
        if location != Location::Storage && place.steps.len() > 1 {
            self.report(rule::ONE_STEP, at, format!("{} steps", place.steps.len()));
        }
        let end = self.steps(at, place, location, root);
        if let Some(end) = end {
            let claimed = self.type_at(id);
            self.require(end == *claimed, rule::STEPS, at, || {
                format!("place is {end:?}, claims {claimed:?}")
            });
        }
    }

    fn steps(&mut self, at: Where, place: &Place, location: Location, root: Type) -> Option<Type> {
        let mut ty = root;
        for step in &place.steps {
            if let Step::Index(index) = step {
                let wanted = match &ty {
                    Type::Mapping { key, .. } => self.program.types.get(*key).clone(),
                    _ => WORD,
                };
                self.wants(rule::INDEX, at, *index, &wanted, "index");
            }
            let locals = IdVec::new();
            let Some(next) = self.context(&locals).step(location, &ty, *step) else {
                self.report(rule::STEPS, at, format!("no {step:?} in {ty:?}"));
                return None;
            };
            ty = next;
        }
        Some(ty)
    }
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Int { signed: false, .. })
}
