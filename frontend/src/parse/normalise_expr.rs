//! The part of normalisation that walks expressions, types and assembly.

use std::mem;

use solang_parser::pt::{
    Expression, FunctionAttribute, Identifier, Loc, Statement, Type, YulBlock, YulExpression,
    YulFunctionCall, YulStatement, YulSwitchOptions, YulTypedIdentifier,
};

use super::loc_range;
use super::normalise::Normaliser;

fn placeholder() -> Box<Expression> {
    Box::new(Expression::BoolLiteral(Loc::Implicit, false))
}

impl Normaliser<'_> {
    pub fn expr(&mut self, expr: &mut Expression) {
        use Expression::*;
        match expr {
            New(..) => self.new_expr(expr),
            Power(..) => self.power(expr),
            Parenthesis(loc, inner) => {
                self.expr(inner);
                *loc = self.with_parentheses(inner);
            }
            PostIncrement(_, e)
            | PostDecrement(_, e)
            | Not(_, e)
            | BitwiseNot(_, e)
            | Delete(_, e)
            | PreIncrement(_, e)
            | PreDecrement(_, e)
            | UnaryPlus(_, e)
            | Negate(_, e) => self.expr(e),
            ArraySubscript(_, base, index) => {
                self.expr(base);
                index.iter_mut().for_each(|e| self.expr(e));
            }
            ArraySlice(_, base, from, to) => {
                self.expr(base);
                [from, to].into_iter().flatten().for_each(|e| self.expr(e));
            }
            MemberAccess(_, base, member) => {
                self.expr(base);
                self.ident(member);
            }
            FunctionCall(_, callee, args) => {
                self.expr(callee);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            FunctionCallBlock(_, callee, block) => {
                self.expr(callee);
                self.call_options(block);
            }
            NamedFunctionCall(_, callee, args) => {
                self.expr(callee);
                for arg in args {
                    self.ident(&mut arg.name);
                    self.expr(&mut arg.expr);
                }
            }
            Multiply(_, l, r)
            | Divide(_, l, r)
            | Modulo(_, l, r)
            | Add(_, l, r)
            | Subtract(_, l, r)
            | ShiftLeft(_, l, r)
            | ShiftRight(_, l, r)
            | BitwiseAnd(_, l, r)
            | BitwiseXor(_, l, r)
            | BitwiseOr(_, l, r)
            | Less(_, l, r)
            | More(_, l, r)
            | LessEqual(_, l, r)
            | MoreEqual(_, l, r)
            | Equal(_, l, r)
            | NotEqual(_, l, r)
            | And(_, l, r)
            | Or(_, l, r)
            | Assign(_, l, r)
            | AssignOr(_, l, r)
            | AssignAnd(_, l, r)
            | AssignXor(_, l, r)
            | AssignShiftLeft(_, l, r)
            | AssignShiftRight(_, l, r)
            | AssignAdd(_, l, r)
            | AssignSubtract(_, l, r)
            | AssignMultiply(_, l, r)
            | AssignDivide(_, l, r)
            | AssignModulo(_, l, r) => {
                self.expr(l);
                self.expr(r);
            }
            ConditionalOperator(_, c, l, r) => {
                self.expr(c);
                self.expr(l);
                self.expr(r);
            }
            NumberLiteral(_, _, _, unit)
            | RationalNumberLiteral(_, _, _, _, unit)
            | HexNumberLiteral(_, _, unit) => {
                unit.iter_mut().for_each(|unit| self.ident(unit));
            }
            Type(_, ty) => self.ty(ty),
            Variable(name) => self.ident(name),
            List(_, params) => self.params(params),
            ArrayLiteral(_, items) => items.iter_mut().for_each(|e| self.expr(e)),
            BoolLiteral(..) | StringLiteral(_) | HexLiteral(_) | AddressLiteral(..) => (),
        }
    }

    /// `{value: x}` after a callee. The parser accepts any block of statements there.
    fn call_options(&mut self, block: &mut Statement) {
        if let Statement::Block { loc, statements, .. } = block {
            let message = if statements.is_empty() {
                "expected call options"
            } else {
                "expected `;` before this block"
            };
            let span = super::span_of(loc);
            self.errors.push(hornet_ir::diag::Diagnostic::error(span, message));
        }
        self.statement(block);
    }

    /// The parser gives a parenthesis the place of what is inside.
    fn with_parentheses(&self, inner: &Expression) -> Loc {
        let loc = expr_loc(inner);
        let Loc::File(file, start, end) = loc else { return loc };
        let open = self.skip_back(start);
        let mut cursor = super::cursor::Cursor { src: self.text.as_bytes(), pos: end };
        let closed = cursor.next().is_ok_and(|t| t.kind == super::cursor::Kind::Sign(b')'));
        if closed && self.text[..open].ends_with('(') { Loc::File(file, open - 1, cursor.pos) } else { loc }
    }

    /// Where the white space and comments before `pos` begin.
    fn skip_back(&self, mut pos: usize) -> usize {
        loop {
            pos = self.text[..pos].trim_end().len();
            let before = self.comments.partition_point(|c| super::docs::comment_range(c).0 < pos);
            let Some(comment) = before.checked_sub(1).map(|i| super::docs::comment_range(&self.comments[i]))
            else {
                return pos;
            };
            if comment.1 < pos {
                return pos;
            }
            pos = comment.0;
        }
    }

    /// Brings `new` down to the type it creates: `new C(x).f()` is `(new C(x)).f()`.
    fn new_expr(&mut self, expr: &mut Expression) {
        let Expression::New(new_loc, inner) = expr else { return };
        let new_loc = *new_loc;
        let depth = creation_depth(inner);
        if depth > 0 {
            let inner = mem::replace(inner, placeholder());
            *expr = *inner;
            lower_new(expr, depth, new_loc);
            return self.expr(expr);
        }
        self.expr(inner);
    }

    /// Before 0.8 powers group to the left.
    fn power(&mut self, expr: &mut Expression) {
        if !self.version.power_is_right_associative() {
            let mut operands = Vec::new();
            let mut rest = mem::replace(expr, *placeholder());
            while let Expression::Power(_, left, right) = rest {
                operands.push(*left);
                rest = *right;
            }
            operands.push(rest);
            let folded = operands.into_iter().reduce(|left, right| {
                let mut loc = expr_loc(&left);
                loc.use_end_from(&expr_loc(&right));
                Expression::Power(loc, Box::new(left), Box::new(right))
            });
            *expr = folded.unwrap_or(*placeholder());
        }
        if let Expression::Power(_, left, right) = expr {
            // Only the operands: the spine has its final shape.
            match (&mut **left, self.version.power_is_right_associative()) {
                (Expression::Power(..), false) => self.power_operands(left),
                (left, _) => self.expr(left),
            }
            self.expr(right);
        }
    }

    fn power_operands(&mut self, expr: &mut Expression) {
        match expr {
            Expression::Power(_, left, right) => {
                self.power_operands(left);
                self.expr(right);
            }
            other => self.expr(other),
        }
    }

    fn ty(&mut self, ty: &mut Type) {
        match ty {
            Type::Mapping { key, key_name, value, value_name, .. } => {
                self.expr(key);
                self.expr(value);
                [key_name, value_name].into_iter().flatten().for_each(|name| self.ident(name));
            }
            Type::Function { params, attributes, returns } => {
                self.params(params);
                // A type has no attributes after its results; a declared name takes them before we come here.
                if let Some((returns, after)) = returns {
                    self.params(returns);
                    attributes.append(after);
                }
                debug_assert!(!attributes.iter().any(|a| matches!(a, FunctionAttribute::BaseOrModifier(..))));
            }
            Type::Address
            | Type::AddressPayable
            | Type::Payable
            | Type::Bool
            | Type::String
            | Type::Int(_)
            | Type::Uint(_)
            | Type::Bytes(_)
            | Type::Rational
            | Type::DynamicBytes => (),
        }
    }

    pub fn yul_block(&mut self, block: &mut YulBlock) {
        for statement in &mut block.statements {
            self.yul_statement(statement);
        }
    }

    fn yul_statement(&mut self, statement: &mut YulStatement) {
        match statement {
            YulStatement::Assign(_, targets, value) => {
                targets.iter_mut().for_each(|target| self.yul_expr(target));
                self.yul_expr(value);
            }
            YulStatement::VariableDeclaration(_, names, value) => {
                self.yul_names(names);
                value.iter_mut().for_each(|value| self.yul_expr(value));
            }
            YulStatement::If(_, condition, block) => {
                self.yul_expr(condition);
                self.yul_block(block);
            }
            YulStatement::For(f) => {
                self.yul_block(&mut f.init_block);
                self.yul_expr(&mut f.condition);
                self.yul_block(&mut f.post_block);
                self.yul_block(&mut f.execution_block);
            }
            YulStatement::Switch(switch) => {
                self.yul_expr(&mut switch.condition);
                for case in switch.cases.iter_mut().chain(&mut switch.default) {
                    match case {
                        YulSwitchOptions::Case(_, value, block) => {
                            self.yul_expr(value);
                            self.yul_block(block);
                        }
                        YulSwitchOptions::Default(_, block) => self.yul_block(block),
                    }
                }
            }
            YulStatement::Block(block) => self.yul_block(block),
            YulStatement::FunctionDefinition(function) => {
                self.yul_ident(&mut function.id);
                self.yul_names(&mut function.params);
                self.yul_names(&mut function.returns);
                self.yul_block(&mut function.body);
            }
            YulStatement::FunctionCall(call) => self.yul_call(call),
            YulStatement::Leave(_)
            | YulStatement::Break(_)
            | YulStatement::Continue(_)
            | YulStatement::Error(_) => (),
        }
    }

    fn yul_names(&mut self, names: &mut [YulTypedIdentifier]) {
        for name in names {
            self.yul_ident(&mut name.id);
            name.ty.iter_mut().for_each(|ty| self.yul_ident(ty));
        }
    }

    fn yul_call(&mut self, call: &mut YulFunctionCall) {
        self.yul_ident(&mut call.id);
        call.arguments.iter_mut().for_each(|argument| self.yul_expr(argument));
    }

    fn yul_expr(&mut self, expr: &mut YulExpression) {
        match expr {
            YulExpression::BoolLiteral(_, _, ty)
            | YulExpression::NumberLiteral(_, _, _, ty)
            | YulExpression::HexNumberLiteral(_, _, ty)
            | YulExpression::HexStringLiteral(_, ty)
            | YulExpression::StringLiteral(_, ty) => ty.iter_mut().for_each(|ty| self.yul_ident(ty)),
            YulExpression::Variable(name) => self.yul_ident(name),
            YulExpression::FunctionCall(call) => self.yul_call(call),
            YulExpression::SuffixAccess(_, base, member) => {
                self.yul_expr(base);
                self.yul_ident(member);
            }
        }
    }

    /// For words it also knows as keywords the parser reports the end of the identifier too late.
    fn yul_ident(&mut self, ident: &mut Identifier) {
        if let Loc::File(_, start, end) = &mut ident.loc {
            *end = *start + ident.name.len();
        }
        self.ident(ident);
    }
}

/// The place of a whole expression; adjacent string literals are one expression.
fn expr_loc(expr: &Expression) -> Loc {
    let first = solang_parser::pt::CodeLocation::loc(expr);
    let last = match expr {
        Expression::StringLiteral(parts) => parts.last().map(|part| part.loc),
        Expression::HexLiteral(parts) => parts.last().map(|part| part.loc),
        _ => None,
    };
    last.map_or(first, |last| first.with_end_from(&last))
}

fn callee_mut(expr: &mut Expression) -> Option<&mut Expression> {
    match expr {
        Expression::FunctionCall(_, e, _)
        | Expression::NamedFunctionCall(_, e, _)
        | Expression::FunctionCallBlock(_, e, _)
        | Expression::MemberAccess(_, e, _)
        | Expression::ArraySubscript(_, e, _)
        | Expression::ArraySlice(_, e, _, _)
        | Expression::PostIncrement(_, e)
        | Expression::PostDecrement(_, e) => Some(e),
        _ => None,
    }
}

/// How many nodes stand above the innermost call with arguments, the one that belongs to `new`; 0 if there is none.
fn creation_depth(expr: &Expression) -> usize {
    let (mut node, mut level, mut found) = (expr, 0, 0);
    loop {
        let next = match node {
            Expression::FunctionCall(_, e, _) | Expression::NamedFunctionCall(_, e, _) => {
                found = level;
                e
            }
            Expression::FunctionCallBlock(_, e, _)
            | Expression::MemberAccess(_, e, _)
            | Expression::ArraySubscript(_, e, _)
            | Expression::ArraySlice(_, e, _, _)
            | Expression::PostIncrement(_, e)
            | Expression::PostDecrement(_, e) => e,
            _ => return found,
        };
        node = next;
        level += 1;
    }
}

/// Puts `new` around the node `depth` steps down; the nodes above begin where `new` does.
fn lower_new(expr: &mut Expression, depth: usize, new_loc: Loc) {
    if depth == 0 {
        let created = mem::replace(expr, *placeholder());
        let loc = new_loc.with_end_from(&expr_loc(&created));
        *expr = Expression::New(loc, Box::new(created));
        return;
    }
    if let Some((start, _)) = loc_range(&new_loc) {
        extend_start(expr, start);
    }
    if let Some(callee) = callee_mut(expr) {
        lower_new(callee, depth - 1, new_loc);
    }
}

/// Makes a node above `new` begin at `new`.
fn extend_start(expr: &mut Expression, to: usize) {
    if let Expression::FunctionCall(loc, ..)
    | Expression::NamedFunctionCall(loc, ..)
    | Expression::FunctionCallBlock(loc, ..)
    | Expression::MemberAccess(loc, ..)
    | Expression::ArraySubscript(loc, ..)
    | Expression::ArraySlice(loc, ..)
    | Expression::PostIncrement(loc, _)
    | Expression::PostDecrement(loc, _) = expr
    {
        *loc = loc.with_start(to);
    }
}
