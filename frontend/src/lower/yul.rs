//! Inline assembly: statements, variables and functions. Instructions are in `yul_opcode`.

use super::func::{FnLower, LoopTargets, ReturnTarget};
use crate::hir::yul::{self, Assembly, ExprKind, Part, Stmt, StmtKind as Yul, Target};
use crate::hir::{self, VarKind};
use hornet_ir::expr::{Builtin as IrBuiltin, Expr};
use hornet_ir::ids::{ExprId, LocalId, ProcId};
use hornet_ir::program::{ProcKind, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

/// The assembly block at hand.
pub(super) struct YulScope<'h> {
    assembly: &'h Assembly,
    /// Indexed by variable; those of another function of the block are `None`.
    vars: Vec<Option<LocalId>>,
    /// Indexed by function.
    procs: Vec<ProcId>,
}

impl<'h> FnLower<'_, 'h> {
    pub(super) fn assembly(&mut self, assembly: &'h Assembly) {
        let procs: Vec<ProcId> = assembly.functions.iter().map(|_| self.low.reserve_proc()).collect();
        for (function, &proc) in assembly.functions.iter().zip(&procs) {
            let lowered = {
                let (context, span) = (self.context, Some(function.span));
                let mut f = FnLower::new(self.low, &function.name, ProcKind::Yul, context, span);
                f.written_in = self.written_in;
                f.yul =
                    Some(YulScope { assembly, vars: vec![None; assembly.vars.len()], procs: procs.clone() });
                f.yul_function(function);
                f.finish()
            };
            self.low.program.procs[proc] = lowered;
        }
        let scope = YulScope { assembly, vars: vec![None; assembly.vars.len()], procs };
        let outer = self.yul.replace(scope);
        let loops = std::mem::take(&mut self.loops);
        self.yul_block(&assembly.body);
        self.loops = loops;
        self.yul = outer;
    }

    fn yul_function(&mut self, function: &'h yul::Function) {
        let word = self.p().types.word();
        for &param in &function.params {
            let name = self.yul_name(param);
            let local = self.b.param(&name, word);
            self.bind_yul(param, local);
        }
        let zero = self.const_word(0u64);
        let mut results = Vec::new();
        for &ret in &function.returns {
            self.b.ret(word);
            let local = self.declare_yul(ret);
            self.b.assign(local, zero);
            results.push(local);
        }
        let end = self.b.block();
        self.on_return = Some(ReturnTarget { values: results.clone(), block: end });
        self.yul_block(&function.body);
        self.b.goto(end);
        self.b.switch_to(end);
        let values: Vec<ExprId> = results.iter().map(|r| self.get(*r)).collect();
        self.b.ret_values(&values);
    }

    fn yul_name(&self, var: yul::YulVar) -> String {
        let names = self.yul.as_ref().map(|y| &y.assembly.vars);
        names.and_then(|n| n.get(var.0 as usize)).cloned().unwrap_or_default()
    }

    fn bind_yul(&mut self, var: yul::YulVar, local: LocalId) {
        if let Some(slot) = self.yul.as_mut().and_then(|y| y.vars.get_mut(var.0 as usize)) {
            *slot = Some(local);
        }
    }

    fn declare_yul(&mut self, var: yul::YulVar) -> LocalId {
        let word = self.p().types.word();
        let name = self.yul_name(var);
        let local = self.b.named(&name, word);
        self.bind_yul(var, local);
        local
    }

    fn yul_local(&mut self, var: yul::YulVar) -> LocalId {
        let known = self.yul.as_ref().and_then(|y| y.vars.get(var.0 as usize).copied().flatten());
        known.unwrap_or_else(|| self.declare_yul(var))
    }

    pub(super) fn yul_proc(&self, function: yul::YulFn) -> Option<(ProcId, &'h yul::Function)> {
        let scope = self.yul.as_ref()?;
        let index = function.0 as usize;
        Some((*scope.procs.get(index)?, scope.assembly.functions.get(index)?))
    }

    fn yul_block(&mut self, stmts: &'h [Stmt]) {
        for stmt in stmts {
            self.at(stmt.span);
            self.yul_stmt(stmt);
        }
    }

    fn yul_stmt(&mut self, stmt: &'h Stmt) {
        match &stmt.kind {
            Yul::Block(body) => self.yul_block(body),
            Yul::Let { vars, value } => {
                let values = match value {
                    Some(value) => self.yul_values(value),
                    None => vec![self.const_word(0u64); vars.len()],
                };
                let locals: Vec<LocalId> = vars.iter().map(|v| self.declare_yul(*v)).collect();
                for (local, value) in locals.into_iter().zip(values) {
                    self.b.assign(local, value);
                }
            }
            Yul::Assign { targets, value } => {
                let values = self.yul_values(value);
                for (target, value) in targets.iter().zip(values) {
                    self.yul_assign(*target, value, stmt.span);
                }
            }
            Yul::Expr(e) => {
                self.yul_values(e);
            }
            Yul::If { cond, body } => self.yul_if(cond, body),
            Yul::Switch { value, cases, default } => self.yul_switch(value, cases, default.as_deref()),
            Yul::For { init, cond, step, body } => self.yul_for(stmt.span, init, cond, step, body),
            Yul::Break => {
                if let Some(targets) = self.loops.last().copied() {
                    self.b.goto(targets.on_break);
                }
            }
            Yul::Continue => {
                if let Some(targets) = self.loops.last().copied() {
                    self.b.goto(targets.on_continue);
                }
            }
            Yul::Leave => {
                if let Some(target) = self.on_return.clone() {
                    self.b.goto(target.block);
                }
            }
        }
    }

    fn yul_if(&mut self, cond: &'h yul::Expr, body: &'h [Stmt]) {
        let (then, end) = (self.b.block(), self.b.block());
        let cond = self.yul_condition(cond);
        self.b.branch(cond, then, end);
        self.b.switch_to(then);
        self.yul_block(body);
        self.b.goto(end);
        self.b.switch_to(end);
    }

    fn yul_switch(
        &mut self,
        value: &'h yul::Expr,
        cases: &'h [(hornet_ir::U256, Vec<Stmt>)],
        default: Option<&'h [Stmt]>,
    ) {
        let value = self.yul_value(value);
        let value = self.pin(value);
        let end = self.b.block();
        for (label, body) in cases {
            let (hit, next) = (self.b.block(), self.b.block());
            let label = self.const_word(*label);
            let same = self.p().eq(value, label);
            self.b.branch(same, hit, next);
            self.b.switch_to(hit);
            self.yul_block(body);
            self.b.goto(end);
            self.b.switch_to(next);
        }
        self.yul_block(default.unwrap_or_default());
        self.b.goto(end);
        self.b.switch_to(end);
    }

    fn yul_for(
        &mut self,
        span: Span,
        init: &'h [Stmt],
        cond: &'h yul::Expr,
        step: &'h [Stmt],
        body: &'h [Stmt],
    ) {
        self.yul_block(init);
        let (head, inside, after_body, end) =
            (self.b.block(), self.b.block(), self.b.block(), self.b.block());
        self.b.goto(head);
        self.b.switch_to(head);
        self.b.loop_head(span, Vec::new());
        let cond = self.yul_condition(cond);
        self.b.branch(cond, inside, end);
        self.b.switch_to(inside);
        self.loops.push(LoopTargets { on_break: end, on_continue: after_body });
        self.yul_block(body);
        self.loops.pop();
        self.b.goto(after_body);
        self.b.switch_to(after_body);
        self.yul_block(step);
        self.b.goto(head);
        self.b.switch_to(end);
    }

    fn yul_condition(&mut self, cond: &'h yul::Expr) -> ExprId {
        let value = self.yul_value(cond);
        self.truth(value)
    }

    /// Whether a word is not zero; a word made from a Boolean gives that Boolean back.
    pub(super) fn truth(&mut self, word: ExprId) -> ExprId {
        if let Expr::Cast(inner) = *self.p().exprs.get(word) {
            let inner_ty = self.p().exprs.ty(inner);
            if *self.p().types.get(inner_ty) == Type::Bool {
                return inner;
            }
        }
        let zero = self.const_word(0u64);
        self.p().ne(word, zero)
    }

    /// An expression with exactly one value.
    pub(super) fn yul_value(&mut self, e: &'h yul::Expr) -> ExprId {
        match self.yul_values(e).as_slice() {
            [value] => *value,
            _ => self.const_word(0u64),
        }
    }

    fn yul_values(&mut self, e: &'h yul::Expr) -> Vec<ExprId> {
        match &e.kind {
            ExprKind::Literal(word) => vec![self.const_word(*word)],
            ExprKind::Var(target) => vec![self.yul_read(*target, e.span)],
            ExprKind::Call { function, args } => {
                let args = self.yul_args(args);
                let Some((proc, decl)) = self.yul_proc(*function) else { return Vec::new() };
                let word = self.p().types.word();
                let dsts: Vec<LocalId> = decl.returns.iter().map(|_| self.b.fresh(word)).collect();
                self.b.call(&dsts, proc, &args);
                dsts.into_iter().map(|d| self.get(d)).collect()
            }
            ExprKind::Opcode { name, args } => {
                let args = self.yul_args(args);
                self.opcode(name, args, e.span)
            }
        }
    }

    /// Arguments are evaluated from the last to the first; what an effect of another could change is saved first.
    fn yul_args(&mut self, args: &'h [yul::Expr]) -> Vec<ExprId> {
        let effects: Vec<bool> = args.iter().map(|a| self.yul_has_effects(a)).collect();
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate().rev() {
            let value = self.yul_value(arg);
            let disturbed = effects[..i].iter().any(|e| *e);
            values.push(if disturbed { self.pin(value) } else { value });
        }
        values.reverse();
        values
    }

    fn yul_has_effects(&self, e: &yul::Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Var(_) => false,
            ExprKind::Call { .. } => true,
            ExprKind::Opcode { name, args } => {
                super::yul_opcode::has_effect(name) || args.iter().any(|a| self.yul_has_effects(a))
            }
        }
    }

    fn yul_read(&mut self, target: Target, span: Span) -> ExprId {
        match target {
            Target::Yul(var) => {
                let local = self.yul_local(var);
                self.get(local)
            }
            Target::Solidity(var, part) => self.solidity_part(var, part, span),
        }
    }

    fn solidity_part(&mut self, var: hir::VarId, part: Part, span: Span) -> ExprId {
        let word = self.p().types.word();
        let decl = &self.hir().vars[var];
        if let Some(state) = self.low.state_var(self.context, var)
            && decl.kind != VarKind::Constant
        {
            let (slot, offset) = (self.low.program.state[state].slot, self.low.program.state[state].offset);
            return match part {
                Part::Slot => self.const_word(slot),
                Part::Offset => self.const_word(offset as u64),
                _ => self.unsupported(span, "reading this state variable in assembly", word),
            };
        }
        if decl.kind == VarKind::Constant {
            let value = self.constant_value(var);
            return self.p().cast(value, word);
        }
        let local = self.var_local(var);
        let value = self.get(local);
        match part {
            Part::Value if self.is_calldata(value) => self.p().builtin(IrBuiltin::CalldataOffset, &[value]),
            Part::Value => {
                let value = self.p().cast(value, word);
                self.with_unknown_bits(var, value)
            }
            Part::Slot => self.p().builtin(IrBuiltin::Slot, &[value]),
            Part::Length => match self.ref_place(value, &[]) {
                Some(place) => self.p().length(place),
                None => self.const_word(0u64),
            },
            Part::Offset => {
                let ty = self.p().exprs.ty(value);
                match self.p().types.get(ty) {
                    Type::StorageRef(_) => self.p().builtin(IrBuiltin::SlotOffset, &[value]),
                    _ => self.p().builtin(IrBuiltin::CalldataOffset, &[value]),
                }
            }
            Part::Address => {
                let address = self.p().builtin(IrBuiltin::FnAddress, &[value]);
                self.p().cast(address, word)
            }
            Part::Selector => {
                let selector = self.p().builtin(IrBuiltin::FnSelector, &[value]);
                let uint32 = self.p().types.uint(32);
                let number = self.p().cast(selector, uint32);
                self.p().cast(number, word)
            }
        }
    }

    fn is_calldata(&mut self, value: ExprId) -> bool {
        let ty = self.p().exprs.ty(value);
        matches!(self.p().types.get(ty), Type::CalldataRef(_))
    }

    fn yul_assign(&mut self, target: Target, value: ExprId, span: Span) {
        match target {
            Target::Yul(var) => {
                let local = self.yul_local(var);
                self.b.assign(local, value);
            }
            Target::Solidity(var, part) => self.assign_part(var, part, value, span),
        }
    }

    fn assign_part(&mut self, var: hir::VarId, part: Part, value: ExprId, span: Span) {
        let local = self.var_local(var);
        let ty = self.b.local_type(local);
        let current = self.get(local);
        let new = match part {
            // Structs and arrays of fixed length in calldata are one word, their position.
            Part::Value if self.is_calldata(current) => {
                let length = self.const_word(0u64);
                self.p().exprs.add(Expr::MakeCalldataRef { offset: value, length }, ty)
            }
            Part::Value | Part::Slot => self.p().cast(value, ty),
            Part::Offset | Part::Length => {
                let offset = self.p().builtin(IrBuiltin::CalldataOffset, &[current]);
                let length = match self.ref_place(current, &[]) {
                    Some(place) => self.p().length(place),
                    None => self.const_word(0u64),
                };
                let (offset, length) = if part == Part::Offset { (value, length) } else { (offset, value) };
                self.p().exprs.add(Expr::MakeCalldataRef { offset, length }, ty)
            }
            Part::Address => {
                let address_ty = self.p().types.address();
                let address = self.p().cast(value, address_ty);
                let selector = self.p().builtin(IrBuiltin::FnSelector, &[current]);
                self.p().builtin(IrBuiltin::MakeFnExternal, &[address, selector])
            }
            Part::Selector => {
                let address = self.p().builtin(IrBuiltin::FnAddress, &[current]);
                let uint32 = self.p().types.uint(32);
                let bytes4 = self.p().types.intern(Type::FixedBytes(4));
                let number = self.p().cast(value, uint32);
                let selector = self.p().cast(number, bytes4);
                self.p().builtin(IrBuiltin::MakeFnExternal, &[address, selector])
            }
        };
        self.at(span);
        self.b.stmt(StmtKind::Assign { dst: local, value: new });
    }
}
