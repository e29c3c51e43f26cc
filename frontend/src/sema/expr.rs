//! Expressions: literals, names, tuples, arrays, index access. Operators, calls and members have files of their own.

use super::bodies::Body;
use super::literal::{self, AddressLiteral};
use super::overload::Args;
use super::span_of;
use crate::hir::{
    BinaryOp, Expr, ExprKind, FnKind, FnTy, Loc, Magic, Mutability, Ref, Ty, TyId, UnaryOp, VarKind,
};
use hornet_ir::U256;
use hornet_ir::span::Span;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use solang_parser::pt::{self, CodeLocation};
use std::rc::Rc;

impl<'s, 'a> Body<'s, 'a> {
    pub fn expr(&mut self, e: &'a pt::Expression) -> Expr {
        self.expr_called(e, None)
    }

    /// `args`: what the expression is called with, which chooses among overloads.
    pub fn expr_called(&mut self, e: &'a pt::Expression, args: Option<&Args<'a>>) -> Expr {
        use pt::Expression as E;
        let span = span_of(&e.loc());
        if let Some((node, start)) = self.new_type
            && std::ptr::eq(node, e)
        {
            self.new_type = None;
            return self.new_expr(e, Span { start, ..span });
        }
        match e {
            E::BoolLiteral(_, value) => {
                Expr { kind: ExprKind::Bool(*value), ty: self.sema.hir.types.bool(), span }
            }
            E::NumberLiteral(_, integer, exp, unit) => {
                self.number(literal::decimal(integer, "", exp), None, unit.as_ref(), span)
            }
            E::RationalNumberLiteral(_, integer, fraction, exp, unit) => {
                self.number(literal::decimal(integer, fraction, exp), None, unit.as_ref(), span)
            }
            E::HexNumberLiteral(_, text, unit) => self.hex_number(text, unit.as_ref(), span),
            E::StringLiteral(parts) => self.string(parts),
            E::HexLiteral(parts) => self.hex_string(parts),
            E::AddressLiteral(..) => {
                self.error(span, "address literals of this form are not Solidity");
                self.error_expr(span)
            }
            E::Variable(name) => match self.spec_name(name) {
                Some(expr) => expr,
                None => self.name(name, args),
            },
            E::Type(_, ty) => self.elementary(e, ty, span),
            E::Parenthesis(_, inner) => {
                let inner = self.expr(inner);
                Expr { ty: inner.ty, kind: ExprKind::Tuple(vec![Some(inner)]), span }
            }
            E::List(_, list) => self.tuple(list, span),
            E::ArrayLiteral(_, elems) => self.array(elems, span),
            E::ArraySubscript(_, base, index) => self.index(base, index.as_deref(), span),
            E::ArraySlice(_, base, start, end) => self.slice(base, start.as_deref(), end.as_deref(), span),
            E::MemberAccess(_, base, name) => {
                let base = self.expr(base);
                self.member(base, name, args, span)
            }
            E::FunctionCall(_, callee, list) => {
                if let Some(expr) = self.spec_call(callee, list, span) {
                    return expr;
                }
                let args = Args { exprs: self.exprs(list), names: None };
                self.call_expr(callee, args, span)
            }
            E::NamedFunctionCall(_, callee, list) => {
                let args = self.named_args(list);
                self.call_expr(callee, args, span)
            }
            E::FunctionCallBlock(_, callee, options) => self.call_options(callee, options, args, span),
            E::New(_, inner) => self.creation(inner, span),
            E::ConditionalOperator(_, cond, then, other) => self.conditional(cond, then, other, span),
            E::Not(_, x) => self.unary(UnaryOp::Not, x, span),
            E::BitwiseNot(_, x) => self.unary(UnaryOp::BitNot, x, span),
            E::Negate(_, x) => self.unary(UnaryOp::Neg, x, span),
            E::UnaryPlus(_, x) => self.unary(UnaryOp::Plus, x, span),
            E::PreIncrement(_, x) => self.unary(UnaryOp::PreInc, x, span),
            E::PreDecrement(_, x) => self.unary(UnaryOp::PreDec, x, span),
            E::PostIncrement(_, x) => self.unary(UnaryOp::PostInc, x, span),
            E::PostDecrement(_, x) => self.unary(UnaryOp::PostDec, x, span),
            E::Delete(_, x) => self.unary(UnaryOp::Delete, x, span),
            E::Power(_, a, b) => self.binary(BinaryOp::Exp, a, b, span),
            E::Multiply(_, a, b) => self.binary(BinaryOp::Mul, a, b, span),
            E::Divide(_, a, b) => self.binary(BinaryOp::Div, a, b, span),
            E::Modulo(_, a, b) => self.binary(BinaryOp::Mod, a, b, span),
            E::Add(_, a, b) => self.binary(BinaryOp::Add, a, b, span),
            E::Subtract(_, a, b) => self.binary(BinaryOp::Sub, a, b, span),
            E::ShiftLeft(_, a, b) => self.binary(BinaryOp::Shl, a, b, span),
            E::ShiftRight(_, a, b) => self.binary(BinaryOp::Shr, a, b, span),
            E::BitwiseAnd(_, a, b) => self.binary(BinaryOp::BitAnd, a, b, span),
            E::BitwiseXor(_, a, b) => self.binary(BinaryOp::BitXor, a, b, span),
            E::BitwiseOr(_, a, b) => self.binary(BinaryOp::BitOr, a, b, span),
            E::Less(_, a, b) => self.binary(BinaryOp::Lt, a, b, span),
            E::More(_, a, b) => self.binary(BinaryOp::Gt, a, b, span),
            E::LessEqual(_, a, b) => self.binary(BinaryOp::Le, a, b, span),
            E::MoreEqual(_, a, b) => self.binary(BinaryOp::Ge, a, b, span),
            E::Equal(_, a, b) => self.binary(BinaryOp::Eq, a, b, span),
            E::NotEqual(_, a, b) => self.binary(BinaryOp::Ne, a, b, span),
            E::And(_, a, b) => self.binary(BinaryOp::And, a, b, span),
            E::Or(_, a, b) => self.binary(BinaryOp::Or, a, b, span),
            E::Assign(_, a, b) => self.assign(None, a, b, span),
            E::AssignOr(_, a, b) => self.assign(Some(BinaryOp::BitOr), a, b, span),
            E::AssignAnd(_, a, b) => self.assign(Some(BinaryOp::BitAnd), a, b, span),
            E::AssignXor(_, a, b) => self.assign(Some(BinaryOp::BitXor), a, b, span),
            E::AssignShiftLeft(_, a, b) => self.assign(Some(BinaryOp::Shl), a, b, span),
            E::AssignShiftRight(_, a, b) => self.assign(Some(BinaryOp::Shr), a, b, span),
            E::AssignAdd(_, a, b) => self.assign(Some(BinaryOp::Add), a, b, span),
            E::AssignSubtract(_, a, b) => self.assign(Some(BinaryOp::Sub), a, b, span),
            E::AssignMultiply(_, a, b) => self.assign(Some(BinaryOp::Mul), a, b, span),
            E::AssignDivide(_, a, b) => self.assign(Some(BinaryOp::Div), a, b, span),
            E::AssignModulo(_, a, b) => self.assign(Some(BinaryOp::Mod), a, b, span),
        }
    }

    // Literals.

    fn number(
        &mut self,
        value: Option<BigRational>,
        bytes: Option<u8>,
        unit: Option<&pt::Identifier>,
        span: Span,
    ) -> Expr {
        let value = match (value, unit) {
            (None, _) => {
                self.error(span, "invalid literal value");
                return self.error_expr(span);
            }
            (Some(value), None) => value,
            (Some(value), Some(unit)) => match literal::unit(&unit.name) {
                Some(factor) => value * BigRational::from_integer(factor),
                None => {
                    self.error(span_of(&unit.loc), format!("unknown unit `{}`", unit.name));
                    return self.error_expr(span);
                }
            },
        };
        let ty = self.intern(Ty::Rational { value: Rc::new(value), bytes });
        Expr { kind: ExprKind::Number, ty, span }
    }

    fn hex_number(&mut self, text: &str, unit: Option<&pt::Identifier>, span: Span) -> Expr {
        if unit.is_none() {
            match literal::address(text) {
                Some(AddressLiteral::Valid(bytes)) => {
                    let payable = self.version.at_least(5, 0) && !self.version.at_least(8, 0);
                    let ty = self.sema.hir.types.address(payable);
                    return Expr { kind: ExprKind::Address(bytes), ty, span };
                }
                // Before 0.5 only a warning: then it is a number.
                Some(_) if !self.version.at_least(5, 0) => {}
                Some(AddressLiteral::BadChecksum(right)) => {
                    let message = "this looks like an address but has an invalid checksum";
                    self.sema.diags.push(
                        hornet_ir::diag::Diagnostic::error(span, message)
                            .help(format!("correct checksummed address: `{right}`")),
                    );
                    return self.error_expr(span);
                }
                Some(AddressLiteral::BadLength) => {
                    let message = "this looks like an address but is not exactly 40 hex digits";
                    self.error(span, message);
                    return self.error_expr(span);
                }
                None => {}
            }
        }
        let parsed = literal::hexadecimal(text);
        let bytes = parsed.as_ref().and_then(|(_, bytes)| *bytes).filter(|_| unit.is_none());
        self.number(parsed.map(|(value, _)| BigRational::from_integer(value)), bytes, unit, span)
    }

    fn string(&mut self, parts: &[pt::StringLiteral]) -> Expr {
        let mut bytes = Vec::new();
        for part in parts {
            if let Err(message) = literal::unescape(&part.string, &mut bytes) {
                self.error(span_of(&part.loc), message);
            }
        }
        self.bytes_literal(bytes, parts.iter().map(|p| span_of(&p.loc)))
    }

    fn hex_string(&mut self, parts: &[pt::HexLiteral]) -> Expr {
        let mut bytes = Vec::new();
        for part in parts {
            if let Err(message) = literal::hex_string(&part.hex, &mut bytes) {
                self.error(span_of(&part.loc), message);
            }
        }
        self.bytes_literal(bytes, parts.iter().map(|p| span_of(&p.loc)))
    }

    fn bytes_literal(&mut self, bytes: Vec<u8>, spans: impl Iterator<Item = Span>) -> Expr {
        let span = spans.reduce(Span::to).unwrap_or(Span { file: self.scope.file, start: 0, end: 0 });
        let bytes: Rc<[u8]> = bytes.into();
        let ty = self.intern(Ty::StringLiteral(bytes.clone()));
        Expr { kind: ExprKind::String(bytes), ty, span }
    }

    // Names.

    pub fn name(&mut self, name: &'a pt::Identifier, args: Option<&Args<'a>>) -> Expr {
        let span = span_of(&name.loc);
        if let Some(var) = self.locals.get(&name.name) {
            return Expr { kind: ExprKind::Name(Ref::Var(var)), ty: self.sema.hir.vars[var].ty, span };
        }
        let refs = self.sema.lookup(self.scope, &name.name);
        if refs.is_empty() {
            return self.unknown_name(name, span);
        }
        let chosen = if let [only] = *refs {
            Some((only, self.ref_type(only, args)))
        } else {
            let candidates = refs.iter().map(|r| (*r, self.ref_type(*r, args))).collect();
            self.resolve(candidates, None, args, &name.name, span)
        };
        match chosen {
            Some((r, ty)) => Expr { kind: ExprKind::Name(r), ty, span },
            None => self.error_expr(span),
        }
    }

    fn unknown_name(&mut self, name: &'a pt::Identifier, span: Span) -> Expr {
        // `fixed` and its kin are names to the parser.
        if let Some(fixed) = super::typename::fixed_point(&name.name) {
            let inner = self.intern(fixed);
            let ty = self.intern(Ty::Type(inner));
            return Expr { kind: ExprKind::TypeName(inner), ty, span };
        }
        self.error(span, format!("undeclared identifier `{}`", name.name));
        self.error_expr(span)
    }

    /// A dotted name that is called, as `revert` statements have it.
    pub fn path_expr(&mut self, path: &'a pt::IdentifierPath, args: &Args<'a>) -> Expr {
        let last = path.identifiers.len().saturating_sub(1);
        let mut expr: Option<Expr> = None;
        for (i, name) in path.identifiers.iter().enumerate() {
            let args = (i == last).then_some(args);
            expr = Some(match expr {
                None => self.name(name, args),
                Some(base) => {
                    let span = base.span.to(span_of(&name.loc));
                    self.member(base, name, args, span)
                }
            });
        }
        expr.unwrap_or_else(|| self.error_expr(span_of(&path.loc)))
    }

    /// Type of an expression that is just a name.
    pub fn ref_type(&mut self, r: Ref, args: Option<&Args<'a>>) -> TyId {
        let ty = match r {
            Ref::Var(id) => return self.sema.hir.vars[id].ty,
            Ref::Function(id) => return self.sema.hir.functions[id].ty,
            Ref::Modifier(id) => Ty::Modifier(self.var_types(&self.sema.hir.modifiers[id].params.clone())),
            Ref::Contract(id) => return self.type_type(Ty::Contract { id, is_super: false }),
            Ref::Struct(id) => return self.type_type(Ty::Struct(id, Loc::StoragePtr)),
            Ref::Enum(id) => return self.type_type(Ty::Enum(id)),
            Ref::UserType(id) => return self.type_type(Ty::UserType(id)),
            Ref::Event(id) => {
                let params = self.sema.hir.events[id].params.iter().map(|p| p.ty).collect();
                Ty::Function(plain_function(params, Vec::new(), FnKind::Event(id), Mutability::NonPayable))
            }
            Ref::Error(id) => {
                let params = self.sema.hir.errors[id].params.iter().map(|p| p.1).collect();
                let returns = match self.version.at_least(8, 26) {
                    true => vec![self.intern(Ty::Magic(Magic::Error))],
                    false => Vec::new(),
                };
                Ty::Function(plain_function(params, returns, FnKind::Error(id), Mutability::Pure))
            }
            Ref::Module(file) => Ty::Module(file),
            Ref::Builtin(builtin) => return self.builtin_type(builtin, args),
            Ref::Msg => Ty::Magic(Magic::Msg),
            Ref::Block => Ty::Magic(Magic::Block),
            Ref::Tx => Ty::Magic(Magic::Tx),
            Ref::Abi => Ty::Magic(Magic::Abi),
            Ref::This => match self.scope.contract {
                Some(id) => Ty::Contract { id, is_super: false },
                None => Ty::Error,
            },
            Ref::Super => match self.scope.contract {
                Some(id) if self.version.at_least(8, 0) => {
                    return self.type_type(Ty::Contract { id, is_super: true });
                }
                Some(id) => Ty::Contract { id, is_super: true },
                None => Ty::Error,
            },
        };
        self.intern(ty)
    }

    pub fn type_type(&mut self, ty: Ty) -> TyId {
        let inner = self.intern(ty);
        self.intern(Ty::Type(inner))
    }

    /// `uint`, `bytes`, `function (…)` as expressions.
    fn elementary(&mut self, e: &'a pt::Expression, ty: &pt::Type, span: Span) -> Expr {
        let inner = self.sema.type_name(e, self.scope, Some(Loc::StoragePtr));
        if self.is_error(inner) {
            return self.error_expr(span);
        }
        let mut span = span;
        if matches!(ty, pt::Type::Payable) {
            span = self.with_open_paren(span);
        }
        let ty = self.intern(Ty::Type(inner));
        Expr { kind: ExprKind::TypeName(inner), ty, span }
    }

    /// In the compiler's tree the word `payable` of a conversion reaches up to the parenthesis after it.
    fn with_open_paren(&self, span: Span) -> Span {
        let text = &self.sema.sources.map.file(span.file).text;
        let rest = text.get(span.end as usize..).unwrap_or("");
        let blanks = rest.len() - rest.trim_start().len();
        match rest.as_bytes().get(blanks) {
            Some(b'(') => Span { end: span.end + blanks as u32 + 1, ..span },
            _ => span,
        }
    }

    // Tuples, arrays, conditionals.

    fn tuple(&mut self, list: &'a pt::ParameterList, span: Span) -> Expr {
        let mut parts = Vec::with_capacity(list.len());
        for (_, param) in list {
            parts.push(match param {
                None => None,
                Some(param) => {
                    if param.name.is_some() || param.storage.is_some() {
                        self.error(span_of(&param.loc), "a declaration cannot stand inside an expression");
                    }
                    Some(self.expr(&param.ty))
                }
            });
        }
        if let [Some(only)] = parts.as_slice() {
            return Expr { ty: only.ty, kind: ExprKind::Tuple(parts), span };
        }
        let types: Vec<Option<TyId>> = parts.iter().map(|p| p.as_ref().map(|p| p.ty)).collect();
        let ty = self.intern(Ty::Tuple(types));
        Expr { kind: ExprKind::Tuple(parts), ty, span }
    }

    fn array(&mut self, elems: &'a [pt::Expression], span: Span) -> Expr {
        let elems = self.exprs(elems);
        if elems.iter().any(|e| self.is_error(e.ty)) {
            return Expr { kind: ExprKind::Array(elems), ty: self.sema.hir.types.error(), span };
        }
        let mut common: Option<TyId> = None;
        for (i, elem) in elems.iter().enumerate() {
            common = match (i, common) {
                (0, _) => self.sema.hir.mobile(elem.ty),
                (_, Some(common)) => self.common(common, elem.ty),
                (_, None) => None,
            };
        }
        let Some(elem) = common else {
            let message = match elems.is_empty() {
                true => "inline arrays need at least one element",
                false => "unable to deduce common type for array elements",
            };
            self.error(span, message);
            return self.error_expr(span);
        };
        let elem = self.sema.hir.types.with_loc(elem, Loc::Memory);
        let len = Some(U256::from(elems.len()));
        let ty = self.intern(Ty::Array { elem, len, loc: Loc::Memory });
        Expr { kind: ExprKind::Array(elems), ty, span }
    }

    fn conditional(
        &mut self,
        cond: &'a pt::Expression,
        then: &'a pt::Expression,
        other: &'a pt::Expression,
        span: Span,
    ) -> Expr {
        let cond = self.expr(cond);
        let bool_ty = self.sema.hir.types.bool();
        self.expect(&cond, bool_ty);
        let then = self.expr(then);
        let other = self.expr(other);
        let ty = match (self.sema.hir.mobile(then.ty), self.sema.hir.mobile(other.ty)) {
            (Some(a), Some(b)) if self.is_error(a) || self.is_error(b) => self.sema.hir.types.error(),
            (Some(a), Some(b)) => match self.common(a, b) {
                Some(common) => common,
                None => {
                    let message = format!(
                        "true expression's type `{}` does not match false expression's type `{}`",
                        self.text_of(a),
                        self.text_of(b)
                    );
                    self.error(span, message);
                    self.sema.hir.types.error()
                }
            },
            _ => {
                self.error(span, "the branches of a conditional must have a value");
                self.sema.hir.types.error()
            }
        };
        let kind =
            ExprKind::Conditional { cond: Box::new(cond), then: Box::new(then), other: Box::new(other) };
        Expr { kind, ty, span }
    }

    // Index access.

    fn index(&mut self, base: &'a pt::Expression, index: Option<&'a pt::Expression>, span: Span) -> Expr {
        let base = self.expr(base);
        let span = Span { start: base.span.start, ..span };
        if let Ty::Type(inner) = *self.ty(base.ty) {
            return self.array_type(base, inner, index, span);
        }
        let Some(index) = index else {
            if !self.is_error(base.ty) {
                self.error(span, "index expression cannot be omitted");
            }
            return self.error_expr(span);
        };
        if let Some(expr) = self.summed_index(&base, index, span) {
            return expr;
        }
        let index = self.expr(index);
        let (ty, index_ty) = match *self.ty(base.ty) {
            Ty::Mapping { key, value } => (value, Some(key)),
            Ty::Array { elem, .. } => (elem, None),
            Ty::Slice(array) => match *self.ty(array) {
                Ty::Array { elem, .. } => (elem, None),
                _ => (self.intern(Ty::FixedBytes(1)), None),
            },
            Ty::Bytes(_) | Ty::FixedBytes(_) => (self.intern(Ty::FixedBytes(1)), None),
            Ty::Error => return self.error_expr(span),
            _ => {
                let text = self.text_of(base.ty);
                self.error(
                    base.span,
                    format!("indexed expression has to be a type, mapping or array (is `{text}`)"),
                );
                return self.error_expr(span);
            }
        };
        let index_ty = index_ty.unwrap_or_else(|| self.sema.hir.types.uint256());
        self.expect(&index, index_ty);
        Expr { kind: ExprKind::Index { base: Box::new(base), index: Some(Box::new(index)) }, ty, span }
    }

    /// `T[]` and `T[n]` as expressions: in memory, whatever `T` says.
    fn array_type(&mut self, base: Expr, elem: TyId, index: Option<&'a pt::Expression>, span: Span) -> Expr {
        let elem = self.sema.hir.types.with_loc(elem, Loc::Memory);
        let (len, index) = match index {
            None => (None, None),
            Some(e) => {
                let index = self.expr(e);
                match self.sema.const_int(e, self.scope).as_ref().and_then(to_u256) {
                    Some(len) => (Some(len), Some(Box::new(index))),
                    None => {
                        self.error(index.span, "array length must be a constant");
                        return self.error_expr(span);
                    }
                }
            }
        };
        let inner = self.intern(Ty::Array { elem, len, loc: Loc::Memory });
        let ty = self.intern(Ty::Type(inner));
        Expr { kind: ExprKind::Index { base: Box::new(base), index }, ty, span }
    }

    fn slice(
        &mut self,
        base: &'a pt::Expression,
        start: Option<&'a pt::Expression>,
        end: Option<&'a pt::Expression>,
        span: Span,
    ) -> Expr {
        let base = self.expr(base);
        let uint = self.sema.hir.types.uint256();
        let mut bound = |e: Option<&'a pt::Expression>| {
            e.map(|e| {
                let e = self.expr(e);
                self.expect(&e, uint);
                Box::new(e)
            })
        };
        let (start, end) = (bound(start), bound(end));
        let array = match *self.ty(base.ty) {
            Ty::Slice(array) => array,
            Ty::Bytes(Loc::Calldata) | Ty::String(Loc::Calldata) => base.ty,
            Ty::Array { len: None, loc: Loc::Calldata, .. } => base.ty,
            Ty::Error => return self.error_expr(span),
            _ => {
                self.error(span, "index range access is only supported for dynamic calldata arrays");
                return self.error_expr(span);
            }
        };
        let ty = self.intern(Ty::Slice(array));
        Expr { kind: ExprKind::Slice { base: Box::new(base), start, end }, ty, span }
    }

    /// Reports an expression that cannot be assigned to.
    pub fn require_lvalue(&mut self, e: &Expr) {
        use crate::hir::{Builtin, Member};
        let problem = match &e.kind {
            ExprKind::Name(Ref::Var(var)) if self.sema.hir.vars[*var].kind == VarKind::Constant => {
                Some("cannot assign to a constant variable")
            }
            ExprKind::Name(Ref::Var(_)) | ExprKind::Error => None,
            ExprKind::Index { base, .. } => match self.ty(base.ty) {
                Ty::FixedBytes(_) => Some("single bytes in fixed bytes arrays cannot be modified"),
                Ty::Type(_) => Some("expression has to be an lvalue"),
                _ => None,
            },
            ExprKind::Member { member: Member::Field(_) | Member::Decl(Ref::Var(_)), .. } => None,
            ExprKind::Member { member: Member::Builtin(Builtin::Length), .. }
                if !self.version.at_least(6, 0) =>
            {
                None
            }
            // `a.push() = x`.
            ExprKind::Call { callee, .. }
                if matches!(
                    &callee.kind,
                    ExprKind::Member { member: Member::Builtin(Builtin::Push), .. }
                ) =>
            {
                None
            }
            ExprKind::Tuple(parts) => {
                for part in parts.iter().flatten() {
                    self.require_lvalue(part);
                }
                None
            }
            _ if self.is_error(e.ty) => None,
            _ => Some("expression has to be an lvalue"),
        };
        if let Some(problem) = problem {
            self.error(e.span, problem);
        }
    }
}

fn to_u256(value: &BigInt) -> Option<U256> {
    if value.is_negative() || value.bits() > 256 {
        return None;
    }
    let (_, bytes) = value.to_bytes_be();
    U256::try_from_be_slice(&bytes)
}

/// A function type that no declaration of a function stands behind.
pub(super) fn plain_function(
    params: Vec<TyId>,
    returns: Vec<TyId>,
    kind: FnKind,
    mutability: Mutability,
) -> FnTy {
    FnTy {
        params,
        returns,
        kind,
        mutability,
        decl: None,
        variadic: false,
        attached: false,
        value_set: false,
        gas_set: false,
        salt_set: false,
    }
}
