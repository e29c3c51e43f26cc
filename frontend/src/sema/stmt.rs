//! Statements.

use super::bodies::Body;
use super::locals::Mark;
use super::overload::Args;
use super::span_of;
use super::typename::declared_loc;
use crate::hir::{
    Block, Builtin, Catch, CatchKind, Expr, ExprKind, FnKind, Loc, Ref, Stmt, StmtKind, Ty, TyId, Var, VarId,
    VarKind, Visibility,
};
use hornet_ir::span::Span;
use solang_parser::pt::{self, CodeLocation};

/// Whether a type is `var`, deduced from the initialiser (before 0.5).
fn is_var(ty: &pt::Expression) -> bool {
    matches!(ty, pt::Expression::Variable(name) if name.name == "var")
}

/// Whether a list is written like declarations: some component has a name or a location.
fn is_declaration(list: &pt::ParameterList) -> bool {
    list.iter().any(|(_, p)| p.as_ref().is_some_and(|p| p.name.is_some() || p.storage.is_some()))
}

impl<'s, 'a> Body<'s, 'a> {
    /// The outermost block of a function or modifier.
    pub fn body_block(&mut self, statement: &'a pt::Statement) -> Block {
        if !self.version.c99_scoping() {
            self.predeclare(statement);
        }
        self.block(statement)
    }

    /// A statement that the grammar makes a block.
    fn block(&mut self, statement: &'a pt::Statement) -> Block {
        let span = span_of(&statement.loc());
        match statement {
            pt::Statement::Block { unchecked, statements, .. } => {
                if *unchecked && !self.version.checked_arithmetic() {
                    self.error(span, "`unchecked` blocks exist from 0.8.0 on");
                }
                let outer = self.locals.enter();
                let stmts = statements.iter().map(|s| self.stmt(s, outer)).collect();
                self.leave(outer);
                Block { stmts, unchecked: *unchecked, span }
            }
            other => {
                let outer = self.locals.enter();
                let stmts = vec![self.stmt(other, outer)];
                self.leave(outer);
                Block { stmts, unchecked: false, span }
            }
        }
    }

    fn leave(&mut self, mark: Mark) {
        if self.version.c99_scoping() {
            self.locals.leave(mark);
        }
    }

    /// A statement that is a scope of its own, such as the body of a loop.
    fn inner(&mut self, statement: &'a pt::Statement) -> Box<Stmt> {
        let mark = self.locals.enter();
        let stmt = self.stmt(statement, mark);
        self.leave(mark);
        Box::new(stmt)
    }

    /// `mark` is where the variables of the enclosing block start.
    fn stmt(&mut self, statement: &'a pt::Statement, mark: Mark) -> Stmt {
        let span = span_of(&statement.loc());
        Stmt { kind: self.stmt_kind(statement, span, mark), span }
    }

    fn stmt_kind(&mut self, statement: &'a pt::Statement, span: Span, mark: Mark) -> StmtKind {
        match statement {
            pt::Statement::Block { .. } => StmtKind::Block(self.block(statement)),
            pt::Statement::Assembly { flags, block, .. } => {
                StmtKind::Assembly(self.assembly(span, flags.as_deref(), block))
            }
            pt::Statement::If(_, cond, then, other) => StmtKind::If {
                cond: self.condition(cond),
                then: self.inner(then),
                other: other.as_ref().map(|s| self.inner(s)),
            },
            pt::Statement::While(_, cond, body) => {
                let spec = self.loop_spec(span);
                StmtKind::While { cond: self.condition(cond), body: self.inner(body), spec }
            }
            pt::Statement::DoWhile(_, body, cond) => {
                let spec = self.loop_spec(span);
                StmtKind::DoWhile { body: self.inner(body), cond: self.condition(cond), spec }
            }
            pt::Statement::For(_, init, cond, step, body) => {
                let outer = self.locals.enter();
                let init = init.as_ref().map(|s| Box::new(self.stmt(s, outer)));
                // Sees the loop's variable.
                let spec = self.loop_spec(span);
                let kind = StmtKind::For {
                    init,
                    spec,
                    cond: cond.as_ref().map(|e| self.condition(e)),
                    step: step.as_ref().map(|e| self.expr(e)),
                    body: match body {
                        Some(body) => self.inner(body),
                        None => Box::new(Stmt { kind: StmtKind::Error, span }),
                    },
                };
                self.leave(outer);
                kind
            }
            pt::Statement::Expression(_, expr) => self.expression_stmt(expr, mark),
            pt::Statement::VariableDefinition(_, decl, init) => self.variable(decl, init.as_ref(), mark),
            pt::Statement::Continue(_) => StmtKind::Continue,
            pt::Statement::Break(_) => StmtKind::Break,
            pt::Statement::Return(_, value) => StmtKind::Return(value.as_ref().map(|e| self.return_value(e))),
            pt::Statement::Revert(_, path, args) => {
                let args = Args { exprs: self.exprs(args), names: None };
                self.revert(path.as_ref(), args, span)
            }
            pt::Statement::RevertNamedArgs(_, path, args) => {
                let args = self.named_args(args);
                self.revert(path.as_ref(), args, span)
            }
            pt::Statement::Emit(_, call) => self.emit(call),
            pt::Statement::Try(_, call, success, catches) => self.try_stmt(call, success.as_ref(), catches),
            pt::Statement::Args(..) => {
                self.error(span, "expected a statement");
                StmtKind::Error
            }
            pt::Statement::Error(_) => StmtKind::Error,
        }
    }

    fn condition(&mut self, cond: &'a pt::Expression) -> Expr {
        let cond = self.expr(cond);
        let bool_ty = self.sema.hir.types.bool();
        self.expect(&cond, bool_ty);
        cond
    }

    fn expression_stmt(&mut self, expr: &'a pt::Expression, mark: Mark) -> StmtKind {
        match expr {
            pt::Expression::Variable(name) if self.in_modifier && name.name == "_" => StmtKind::Placeholder,
            pt::Expression::Assign(_, target, value) => match &**target {
                pt::Expression::List(_, list) if is_declaration(list) => self.destructure(list, value, mark),
                _ => StmtKind::Expr(self.expr(expr)),
            },
            pt::Expression::List(loc, list) if is_declaration(list) => {
                self.error(span_of(loc), "a tuple of declarations needs a value");
                StmtKind::Error
            }
            _ => StmtKind::Expr(self.expr(expr)),
        }
    }

    fn variable(
        &mut self,
        decl: &'a pt::VariableDeclaration,
        init: Option<&'a pt::Expression>,
        mark: Mark,
    ) -> StmtKind {
        // The initialiser does not see the variable.
        let init = init.map(|e| self.expr(e));
        let ty = if is_var(&decl.ty) && !self.version.at_least(5, 0) {
            self.deduced(init.as_ref().map(|e| e.ty), span_of(&decl.loc))
        } else {
            let ty = self.local_type(&decl.ty, decl.storage.as_ref());
            if let Some(init) = &init {
                self.expect(init, ty);
            }
            ty
        };
        let Some(name) = &decl.name else { return StmtKind::Error };
        let var = self.declare(name, ty, span_of(&decl.loc), mark);
        StmtKind::Declare { vars: vec![Some(var)], init }
    }

    fn destructure(
        &mut self,
        list: &'a pt::ParameterList,
        value: &'a pt::Expression,
        mark: Mark,
    ) -> StmtKind {
        let init = self.expr(value);
        let mut parts: Vec<Option<TyId>> = match self.ty(init.ty) {
            Ty::Tuple(parts) => parts.clone(),
            Ty::Error => vec![Some(init.ty); list.len()],
            _ => vec![Some(init.ty)],
        };
        let mut list: Vec<Option<&pt::Parameter>> = list.iter().map(|(_, p)| p.as_ref()).collect();
        if parts.len() != list.len() {
            self.pad_old_tuple(&mut list, parts.len());
        }
        if parts.len() != list.len() {
            let message = format!(
                "different number of components on the left hand side ({}) than on the right hand side ({})",
                list.len(),
                parts.len()
            );
            self.error(init.span, message);
            let error = self.sema.hir.types.error();
            parts.resize(list.len(), Some(error));
        }
        let mut vars = Vec::with_capacity(list.len());
        for (param, part) in list.into_iter().zip(parts) {
            vars.push(param.and_then(|param| self.component(param, part, init.span, mark)));
        }
        StmtKind::Declare { vars, init: Some(init) }
    }

    /// Before 0.5 an empty first or last component stood for all that was left.
    fn pad_old_tuple(&self, list: &mut Vec<Option<&'a pt::Parameter>>, wanted: usize) {
        if self.version.at_least(5, 0) || list.is_empty() {
            return;
        }
        if list.last().is_some_and(Option::is_none) {
            list.pop();
            list.resize(wanted.max(list.len()), None);
        } else if list.first().is_some_and(Option::is_none) && list.len() < wanted {
            let missing = wanted - list.len();
            list.splice(0..0, std::iter::repeat_n(None, missing));
        } else if list.first().is_some_and(Option::is_none) && list.len() == wanted + 1 {
            list.remove(0);
        }
    }

    fn component(
        &mut self,
        param: &'a pt::Parameter,
        part: Option<TyId>,
        value_span: Span,
        mark: Mark,
    ) -> Option<VarId> {
        let span = span_of(&param.loc);
        let Some(name) = &param.name else {
            self.error(span, "expected a declaration with a name");
            return None;
        };
        let ty = if is_var(&param.ty) && !self.version.at_least(5, 0) {
            self.deduced(part, span)
        } else {
            let ty = self.local_type(&param.ty, param.storage.as_ref());
            if let Some(part) = part {
                self.expect_type(part, ty, value_span);
            }
            ty
        };
        Some(self.declare(name, ty, span, mark))
    }

    /// Type of a variable declared with `var`.
    fn deduced(&mut self, init: Option<TyId>, span: Span) -> TyId {
        match init.and_then(|ty| self.sema.hir.mobile(ty)) {
            Some(ty) => ty,
            None => {
                self.error(span, "the type of the variable cannot be deduced");
                self.sema.hir.types.error()
            }
        }
    }

    /// The type of a local variable.
    pub fn local_type(&mut self, ty: &'a pt::Expression, storage: Option<&'a pt::StorageLocation>) -> TyId {
        let declared = self.sema.type_name(ty, self.scope, None);
        if self.sema.hir.types.loc(declared).is_none() {
            let is_value = !matches!(self.sema.hir.ty(declared), Ty::Mapping { .. } | Ty::Error);
            if let Some(storage) = storage.filter(|_| is_value) {
                let message = "data location can only be specified for array, struct or mapping types";
                self.error(span_of(&storage.loc()), message);
            }
            return declared;
        }
        let loc = match storage {
            Some(storage) => declared_loc(storage),
            None if !self.version.at_least(5, 0) => Loc::StoragePtr,
            None => {
                let message = "data location must be `storage`, `memory` or `calldata` for variable";
                self.error(span_of(&ty.loc()), message);
                return self.sema.hir.types.error();
            }
        };
        self.sema.hir.types.with_loc(declared, loc)
    }

    fn declare(&mut self, name: &'a pt::Identifier, ty: TyId, span: Span, mark: Mark) -> VarId {
        if let Some(var) = self.locals.declared.get(&span_of(&name.loc).start) {
            self.sema.hir.vars[*var].ty = ty;
            return *var;
        }
        if let Some(other) = self.locals.declared_since(mark, &name.name) {
            let other = self.sema.hir.vars[other].span;
            self.sema.clash(
                span_of(&name.loc),
                format!("identifier `{}` is already declared", name.name),
                Some(other),
            );
        }
        self.new_local(name, ty, span)
    }

    fn new_local(&mut self, name: &'a pt::Identifier, ty: TyId, span: Span) -> VarId {
        let var = self.unnamed_local(&name.name, ty, span);
        self.locals.add(&name.name, var);
        var
    }

    fn unnamed_local(&mut self, name: &str, ty: TyId, span: Span) -> VarId {
        self.sema.hir.vars.push(Var {
            name: name.to_string(),
            kind: VarKind::Local,
            ty,
            span,
            contract: None,
            visibility: Visibility::Internal,
            init: None,
            getter: None,
            overrides: Vec::new(),
        })
    }

    /// Makes every variable of the body visible from its start, as before 0.5. Types of `var` come later.
    fn predeclare(&mut self, statement: &'a pt::Statement) {
        use pt::Statement as S;
        match statement {
            S::Block { statements, .. } => statements.iter().for_each(|s| self.predeclare(s)),
            S::If(_, _, then, other) => {
                self.predeclare(then);
                other.iter().for_each(|s| self.predeclare(s));
            }
            S::While(_, _, body) | S::DoWhile(_, body, _) => self.predeclare(body),
            S::For(_, init, _, _, body) => {
                init.iter().chain(body).for_each(|s| self.predeclare(s));
            }
            S::VariableDefinition(_, decl, _) => {
                if let Some(name) = &decl.name {
                    self.predeclare_one(&decl.ty, decl.storage.as_ref(), name, span_of(&decl.loc));
                }
            }
            S::Expression(_, pt::Expression::Assign(_, target, _)) => {
                if let pt::Expression::List(_, list) = &**target
                    && is_declaration(list)
                {
                    for param in list.iter().filter_map(|(_, p)| p.as_ref()) {
                        if let Some(name) = &param.name {
                            self.predeclare_one(&param.ty, param.storage.as_ref(), name, span_of(&param.loc));
                        }
                    }
                }
            }
            S::Assembly { .. }
            | S::Args(..)
            | S::Expression(..)
            | S::Continue(_)
            | S::Break(_)
            | S::Return(..)
            | S::Revert(..)
            | S::RevertNamedArgs(..)
            | S::Emit(..)
            | S::Try(..)
            | S::Error(_) => {}
        }
    }

    fn predeclare_one(
        &mut self,
        ty: &'a pt::Expression,
        storage: Option<&'a pt::StorageLocation>,
        name: &'a pt::Identifier,
        span: Span,
    ) {
        // An erroneous type is reported when the declaration itself is reached.
        let ty = if is_var(ty) || !self.sema.is_type_name(ty, self.scope) {
            self.sema.hir.types.error()
        } else {
            self.local_type(ty, storage)
        };
        let var = self.new_local(name, ty, span);
        self.locals.declared.insert(span_of(&name.loc).start, var);
    }

    fn return_value(&mut self, value: &'a pt::Expression) -> Expr {
        let value = self.expr(value);
        let wanted = self.var_types(&self.returns.clone());
        let given = match self.ty(value.ty) {
            Ty::Tuple(parts) => parts.len(),
            Ty::Error => return value,
            _ => 1,
        };
        if given != wanted.len() {
            let message = format!(
                "different number of components in return statement ({given}) than in returns declaration ({})",
                wanted.len()
            );
            self.error(value.span, message);
        } else if let ([only], false) = (wanted.as_slice(), matches!(self.ty(value.ty), Ty::Tuple(_))) {
            self.expect(&value, *only);
        } else {
            let wanted = self.intern(Ty::Tuple(wanted.into_iter().map(Some).collect()));
            self.expect(&value, wanted);
        }
        value
    }

    fn emit(&mut self, call: &'a pt::Expression) -> StmtKind {
        let call = self.expr(call);
        let callee = match &call.kind {
            ExprKind::Call { callee, .. } => callee,
            ExprKind::Error => return StmtKind::Error,
            _ => {
                self.error(call.span, "expression has to be an event invocation");
                return StmtKind::Error;
            }
        };
        if !matches!(self.fn_ty(callee.ty), Some(f) if matches!(f.kind, FnKind::Event(_))) {
            if !self.is_error(callee.ty) {
                self.error(call.span, "expression has to be an event invocation");
            }
            return StmtKind::Error;
        }
        StmtKind::Emit(call)
    }

    /// `revert E(…)`, or the function `revert` called.
    fn revert(&mut self, path: Option<&'a pt::IdentifierPath>, args: Args<'a>, span: Span) -> StmtKind {
        let Some(path) = path else {
            let word = Span { end: span.start + 6, ..span };
            let ty = self.builtin_type(Builtin::Revert, Some(&args));
            let callee = Expr { kind: ExprKind::Name(Ref::Builtin(Builtin::Revert)), ty, span: word };
            return StmtKind::Expr(self.call(callee, args, span));
        };
        let callee = self.path_expr(path, &args);
        let is_error = match self.ty(callee.ty) {
            Ty::Function(f) => matches!(f.kind, FnKind::Error(_)),
            Ty::Error => return StmtKind::Error,
            _ => false,
        };
        if !is_error {
            self.error(callee.span, "expression has to be an error");
            return StmtKind::Error;
        }
        let span = Span { start: callee.span.start, ..span };
        StmtKind::Revert(self.call(callee, args, span))
    }

    fn try_stmt(
        &mut self,
        call: &'a pt::Expression,
        success: Option<&'a (pt::ParameterList, Box<pt::Statement>)>,
        catches: &'a [pt::CatchClause],
    ) -> StmtKind {
        let call = self.expr(call);
        let results = self.try_results(&call);
        let outer = self.locals.enter();
        let mut returns = Vec::new();
        let Some((params, body)) = success else { return StmtKind::Error };
        for param in params.iter().filter_map(|(_, p)| p.as_ref()) {
            returns.push(self.param(param, outer));
        }
        if let Some(results) = results
            && !returns.is_empty()
        {
            self.check_try_returns(&returns, &results, call.span);
        }
        let body = self.block(body);
        self.leave(outer);
        let catches = catches.iter().map(|c| self.catch(c)).collect();
        StmtKind::Try { call, returns, body, catches }
    }

    /// What the call of a `try` gives; `None` if it is erroneous.
    fn try_results(&mut self, call: &Expr) -> Option<Vec<TyId>> {
        let kind = match &call.kind {
            ExprKind::Call { callee, .. } => self.fn_ty(callee.ty).map(|f| (f.kind, f.returns.clone())),
            ExprKind::Error => return None,
            _ => None,
        };
        match kind {
            Some((FnKind::External | FnKind::DelegateCall | FnKind::Creation(_), returns)) => Some(returns),
            _ if self.is_error(call.ty) => None,
            _ => {
                self.error(
                    call.span,
                    "try can only be used with external function calls and contract creation calls",
                );
                None
            }
        }
    }

    fn check_try_returns(&mut self, returns: &[VarId], results: &[TyId], span: Span) {
        if returns.len() != results.len() {
            let message = format!(
                "function returns {} values, but returns clause has {} variables",
                results.len(),
                returns.len()
            );
            return self.error(span, message);
        }
        for (var, result) in returns.iter().zip(results) {
            let ty = self.sema.hir.vars[*var].ty;
            if !self.converts(*result, ty) {
                let message =
                    format!("invalid type for returned value: `{}` expected", self.text_of(*result));
                self.error(self.sema.hir.vars[*var].span, message);
            }
        }
    }

    fn param(&mut self, param: &'a pt::Parameter, mark: Mark) -> VarId {
        let ty = self.local_type(&param.ty, param.storage.as_ref());
        let span = span_of(&param.loc);
        match &param.name {
            Some(name) => self.declare(name, ty, span, mark),
            None => self.unnamed_local("", ty, span),
        }
    }

    fn catch(&mut self, clause: &'a pt::CatchClause) -> Catch {
        let outer = self.locals.enter();
        let (loc, kind, param, body) = match clause {
            pt::CatchClause::Simple(loc, param, body) => (loc, CatchKind::Any, param.as_ref(), body),
            pt::CatchClause::Named(loc, name, param, body) => {
                let kind = match name.name.as_str() {
                    "Error" => CatchKind::Error,
                    "Panic" => CatchKind::Panic,
                    _ => {
                        let message = "invalid catch clause name: expected `Error` or `Panic`";
                        self.error(span_of(&name.loc), message);
                        CatchKind::Any
                    }
                };
                (loc, kind, Some(param), body)
            }
        };
        let param = param.map(|p| self.param(p, outer));
        if let Some(var) = param {
            self.check_catch_param(kind, var);
        }
        let body = self.block(body);
        self.leave(outer);
        Catch { kind, param, body, span: span_of(loc) }
    }

    /// A clause takes what it catches: the data of any failure, a reason, a panic code.
    fn check_catch_param(&mut self, kind: CatchKind, var: VarId) {
        let Var { ty, span, .. } = self.sema.hir.vars[var];
        let (fits, expected) = match (kind, self.sema.hir.ty(ty)) {
            (_, Ty::Error) => return,
            (CatchKind::Any, ty) => (*ty == Ty::Bytes(Loc::Memory), "bytes memory"),
            (CatchKind::Error, ty) => (*ty == Ty::String(Loc::Memory), "string memory"),
            (CatchKind::Panic, ty) => (*ty == Ty::Int { bits: 256, signed: false }, "uint256"),
        };
        if !fits {
            self.error(span, format!("this catch clause takes a parameter of type `{expected}`"));
        }
    }
}
