//! Statements to control flow.

use super::assign::skipped_front;
use super::func::{FnLower, LoopTargets};
use crate::hir::{Block, Expr, LoopSpec, Stmt, StmtKind, TyId, VarId};
use hornet_ir::ids::{BlockId, LocalId};
use hornet_ir::span::Span;

impl<'h> FnLower<'_, 'h> {
    pub fn block(&mut self, block: &'h Block) {
        let saved = self.unchecked;
        self.unchecked |= block.unchecked;
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.unchecked = saved;
    }

    pub fn stmt(&mut self, stmt: &'h Stmt) {
        self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Declare { vars, init } => self.declare(vars, init.as_ref()),
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::If { cond, then, other } => self.if_stmt(cond, then, other.as_deref()),
            StmtKind::While { cond, body, spec } => {
                self.loop_stmt(stmt.span, Some(cond), None, body, spec);
            }
            StmtKind::DoWhile { body, cond, spec } if spec.is_empty() => {
                self.do_while(stmt.span, body, cond);
            }
            StmtKind::DoWhile { body, cond, spec } => self.annotated_do_while(stmt.span, body, cond, spec),
            StmtKind::For { init, cond, step, body, spec } => {
                if let Some(init) = init {
                    self.stmt(init);
                }
                self.loop_stmt(stmt.span, cond.as_ref(), step.as_ref(), body, spec);
            }
            StmtKind::Continue => self.jump(self.loops.last().map(|l| l.on_continue), stmt.span),
            StmtKind::Break => self.jump(self.loops.last().map(|l| l.on_break), stmt.span),
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), stmt.span),
            StmtKind::Throw => {
                let empty = self.low.program.const_bytes(&[]);
                self.b.revert(empty);
            }
            StmtKind::Emit(call) => self.emit_stmt(call),
            StmtKind::Revert(call) => self.revert_stmt(call),
            StmtKind::Try { call, returns, body, catches } => self.try_stmt(call, returns, body, catches),
            StmtKind::Placeholder => self.placeholder_stmt(),
            StmtKind::Assembly(assembly) => self.assembly(assembly),
            StmtKind::Error => self.no_stmt(stmt.span, "erroneous statement"),
        }
    }

    fn no_stmt(&mut self, span: Span, what: &str) {
        let word = self.low.program.types.word();
        self.unsupported(span, what, word);
    }

    fn jump(&mut self, target: Option<BlockId>, span: Span) {
        match target {
            Some(block) => self.b.goto(block),
            None => self.no_stmt(span, "jump outside a loop"),
        }
    }

    /// The local that a declaration statement introduces. Before 0.5 variables belong to the whole function.
    fn declared_local(&mut self, var: VarId) -> LocalId {
        if self.version.c99_scoping() { self.declare_var(var) } else { self.var_local(var) }
    }

    fn declare(&mut self, vars: &'h [Option<VarId>], init: Option<&'h Expr>) {
        let Some(init) = init else {
            for var in vars.iter().flatten() {
                // Before 0.5 it was initialised when the function was entered, and only then.
                if self.version.c99_scoping() || !self.vars.contains_key(var) {
                    let local = self.declared_local(*var);
                    self.init_default(local);
                }
            }
            return;
        };
        if let [Some(var)] = vars {
            let value = self.rvalue_as(init, self.hir().vars[*var].ty);
            let local = self.declared_local(*var);
            self.b.assign(local, value);
            return;
        }
        let values = self.raw_values(init);
        let skipped = skipped_front(vars.len(), vars.first().is_some_and(Option::is_none), values.len());
        let mut locals = Vec::new();
        let mut converted = Vec::new();
        for (var, (value, from)) in vars.iter().zip(values.into_iter().skip(skipped)) {
            let Some(var) = var else { continue };
            converted.push(self.convert(value, from, self.hir().vars[*var].ty, init.span));
            locals.push(*var);
        }
        let locals: Vec<_> = locals.into_iter().map(|v| self.declared_local(v)).collect();
        self.assign_all(&locals, &converted);
    }

    fn if_stmt(&mut self, cond: &'h Expr, then: &'h Stmt, other: Option<&'h Stmt>) {
        let cond = self.rvalue(cond);
        let (on_true, join) = (self.b.block(), self.b.block());
        let on_false = if other.is_some() { self.b.block() } else { join };
        self.b.branch(cond, on_true, on_false);
        self.b.switch_to(on_true);
        self.stmt(then);
        self.b.goto(join);
        if let Some(other) = other {
            self.b.switch_to(on_false);
            self.stmt(other);
            self.b.goto(join);
        }
        self.b.switch_to(join);
    }

    /// `while` and `for`: the condition is tested at the head; `continue` goes to the step.
    fn loop_stmt(
        &mut self,
        span: Span,
        cond: Option<&'h Expr>,
        step: Option<&'h Expr>,
        body: &'h Stmt,
        spec: &'h LoopSpec,
    ) {
        let (head, exit) = (self.b.block(), self.b.block());
        let next = if step.is_some() { self.b.block() } else { head };
        self.b.goto(head);
        self.b.switch_to(head);
        self.head_of_loop(span, spec);
        if let Some(cond) = cond {
            self.at(cond.span);
            let cond = self.rvalue(cond);
            let inside = self.b.block();
            self.b.branch(cond, inside, exit);
            self.b.switch_to(inside);
        }
        self.loop_body(LoopTargets { on_break: exit, on_continue: next }, body);
        self.b.goto(next);
        if let Some(step) = step {
            self.b.switch_to(next);
            self.at(step.span);
            self.effect(step);
            self.b.goto(head);
        }
        self.b.switch_to(exit);
    }

    fn do_while(&mut self, span: Span, body: &'h Stmt, cond: &'h Expr) {
        let (head, test, exit) = (self.b.block(), self.b.block(), self.b.block());
        self.b.goto(head);
        self.b.switch_to(head);
        self.b.loop_head(span, Vec::new());
        // Before 0.5 `continue` skipped the condition.
        let on_continue = if self.version.at_least(5, 0) { test } else { head };
        self.loop_body(LoopTargets { on_break: exit, on_continue }, body);
        self.b.goto(test);
        self.b.switch_to(test);
        self.at(cond.span);
        let cond = self.rvalue(cond);
        self.b.branch(cond, head, exit);
        self.b.switch_to(exit);
    }

    /// `do body while (cond)` as `body; while (cond) body`: what is claimed about the loop holds at each test.
    fn annotated_do_while(&mut self, span: Span, body: &'h Stmt, cond: &'h Expr, spec: &'h LoopSpec) {
        let (head, exit) = (self.b.block(), self.b.block());
        // Before 0.5 `continue` skipped the condition: then it says so here.
        let skip = (!self.version.at_least(5, 0)).then(|| {
            let ty = self.low.program.types.bool();
            self.b.fresh(ty)
        });
        let on_continue = if skip.is_some() { self.b.block() } else { head };
        let targets = LoopTargets { on_break: exit, on_continue };
        self.set_skip(skip, false);
        self.loop_body(targets, body);
        self.b.goto(head);
        if skip.is_some() {
            self.b.switch_to(on_continue);
            self.set_skip(skip, true);
            self.b.goto(head);
        }
        self.b.switch_to(head);
        self.head_of_loop(span, spec);
        let inside = self.b.block();
        if let Some(skip) = skip {
            let (test, skipping) = (self.b.block(), self.get(skip));
            self.b.branch(skipping, inside, test);
            self.b.switch_to(test);
        }
        self.at(cond.span);
        let cond = self.rvalue(cond);
        self.b.branch(cond, inside, exit);
        self.b.switch_to(inside);
        self.set_skip(skip, false);
        self.loop_body(targets, body);
        self.b.goto(head);
        self.b.switch_to(exit);
    }

    fn set_skip(&mut self, skip: Option<LocalId>, value: bool) {
        if let Some(skip) = skip {
            let value = self.low.program.const_bool(value);
            self.b.assign(skip, value);
        }
    }

    /// Makes the current block the head of a loop, with what is claimed about it.
    fn head_of_loop(&mut self, span: Span, spec: &'h LoopSpec) {
        let invariants = self.loop_invariants(spec);
        self.b.loop_head(span, invariants);
    }

    fn loop_body(&mut self, targets: LoopTargets, body: &'h Stmt) {
        self.loops.push(targets);
        self.stmt(body);
        self.loops.pop();
    }

    fn return_stmt(&mut self, value: Option<&'h Expr>, span: Span) {
        let Some(target) = self.on_return.clone() else {
            return self.no_stmt(span, "`return` here");
        };
        if let Some(value) = value {
            let tys: Vec<TyId> = match self.function {
                Some(f) => self.hir().functions[f].returns.iter().map(|v| self.hir().vars[*v].ty).collect(),
                None => Vec::new(),
            };
            if tys.is_empty() {
                // `return f();` where `f` has no results either.
                self.effect(value);
            } else {
                let values = self.rvalues_as(value, &tys);
                self.assign_all(&target.values, &values);
            }
        }
        self.b.goto(target.block);
    }

    /// Before 0.5, variables exist and are zero from the beginning of the function, wherever they are declared.
    pub fn hoist_locals(&mut self, block: &'h Block) {
        if self.version.c99_scoping() {
            return;
        }
        for stmt in &block.stmts {
            self.hoist_from(stmt);
        }
    }

    fn hoist_from(&mut self, stmt: &'h Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.hoist_locals(block),
            StmtKind::Declare { vars, .. } => {
                for var in vars.iter().flatten() {
                    let local = self.declare_var(*var);
                    self.init_default(local);
                }
            }
            StmtKind::If { then, other, .. } => {
                self.hoist_from(then);
                if let Some(other) = other {
                    self.hoist_from(other);
                }
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => self.hoist_from(body),
            StmtKind::For { init, body, .. } => {
                if let Some(init) = init {
                    self.hoist_from(init);
                }
                self.hoist_from(body);
            }
            StmtKind::Try { body, catches, .. } => {
                self.hoist_locals(body);
                for catch in catches {
                    self.hoist_locals(&catch.body);
                }
            }
            StmtKind::Expr(_)
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(_)
            | StmtKind::Throw
            | StmtKind::Emit(_)
            | StmtKind::Revert(_)
            | StmtKind::Placeholder
            | StmtKind::Assembly(_)
            | StmtKind::Error => {}
        }
    }
}
