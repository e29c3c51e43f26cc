//! Every expression of the program, each before its parts. Annotations are not part of the program.

use super::typestring::type_string;
use super::{Block, Expr, ExprKind, Hir, ModifierCall, ModifierTarget, Stmt, StmtKind, TyId};
use hornet_ir::span::Span;
use rustc_hash::FxHashMap;

impl Hir {
    /// Calls `f` on every expression: bodies, initialisers, arguments in headers, lengths of arrays.
    pub fn for_each_expr<'h>(&'h self, f: &mut impl FnMut(&'h Expr)) {
        self.array_lengths.iter().for_each(|e| walk_expr(e, f));
        for contract in self.contracts.iter() {
            for args in contract.bases.iter().filter_map(|b| b.args.as_ref()) {
                args.iter().for_each(|e| walk_expr(e, f));
            }
        }
        for var in self.vars.iter() {
            var.init.iter().for_each(|e| walk_expr(e, f));
        }
        for function in self.functions.iter() {
            for args in function.modifiers.iter().filter_map(|m| m.args.as_ref()) {
                args.iter().for_each(|e| walk_expr(e, f));
            }
            function.body.iter().for_each(|b| walk_block(b, f));
        }
        for modifier in self.modifiers.iter() {
            modifier.body.iter().for_each(|b| walk_block(b, f));
        }
    }
}

pub fn walk_block<'h>(block: &'h Block, f: &mut impl FnMut(&'h Expr)) {
    block.stmts.iter().for_each(|s| walk_stmt(s, f));
}

pub fn walk_stmt<'h>(stmt: &'h Stmt, f: &mut impl FnMut(&'h Expr)) {
    match &stmt.kind {
        StmtKind::Block(block) => walk_block(block, f),
        StmtKind::Declare { init, .. } => init.iter().for_each(|e| walk_expr(e, f)),
        StmtKind::Expr(e) | StmtKind::Emit(e) | StmtKind::Revert(e) => walk_expr(e, f),
        StmtKind::If { cond, then, other } => {
            walk_expr(cond, f);
            walk_stmt(then, f);
            other.iter().for_each(|s| walk_stmt(s, f));
        }
        StmtKind::While { cond, body, .. } | StmtKind::DoWhile { body, cond, .. } => {
            walk_expr(cond, f);
            walk_stmt(body, f);
        }
        StmtKind::For { init, cond, step, body, .. } => {
            init.iter().for_each(|s| walk_stmt(s, f));
            cond.iter().chain(step).for_each(|e| walk_expr(e, f));
            walk_stmt(body, f);
        }
        StmtKind::Return(value) => value.iter().for_each(|e| walk_expr(e, f)),
        StmtKind::Try { call, body, catches, .. } => {
            walk_expr(call, f);
            walk_block(body, f);
            catches.iter().for_each(|c| walk_block(&c.body, f));
        }
        StmtKind::Continue
        | StmtKind::Break
        | StmtKind::Throw
        | StmtKind::Placeholder
        | StmtKind::Assembly(_)
        | StmtKind::Error => {}
    }
}

pub fn walk_expr<'h>(e: &'h Expr, f: &mut impl FnMut(&'h Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Bool(_)
        | ExprKind::Number
        | ExprKind::Address(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::TypeName(_)
        | ExprKind::New(_)
        | ExprKind::Spec(_)
        | ExprKind::Error => {}
        ExprKind::Member { base, .. } => walk_expr(base, f),
        ExprKind::Index { base, index } => {
            walk_expr(base, f);
            index.iter().for_each(|e| walk_expr(e, f));
        }
        ExprKind::Slice { base, start, end } => {
            walk_expr(base, f);
            start.iter().chain(end).for_each(|e| walk_expr(e, f));
        }
        ExprKind::Call { callee, args, .. } => {
            walk_expr(callee, f);
            args.iter().for_each(|e| walk_expr(e, f));
        }
        ExprKind::Options { callee, options } => {
            walk_expr(callee, f);
            for option in [&options.value, &options.gas, &options.salt] {
                option.iter().for_each(|e| walk_expr(e, f));
            }
        }
        ExprKind::Unary { operand, .. } => walk_expr(operand, f),
        ExprKind::Binary { left, right, .. } | ExprKind::Assign { left, right, .. } => {
            walk_expr(left, f);
            walk_expr(right, f);
        }
        ExprKind::Conditional { cond, then, other } => {
            for part in [cond, then, other] {
                walk_expr(part, f);
            }
        }
        ExprKind::Tuple(parts) => parts.iter().flatten().for_each(|e| walk_expr(e, f)),
        ExprKind::Array(elems) => elems.iter().for_each(|e| walk_expr(e, f)),
        ExprKind::MetaType { arg, .. } => walk_expr(arg, f),
    }
}

/// The compiler's type of every expression, at the place its AST gives it.
pub fn expression_types(hir: &Hir) -> Vec<(Span, String)> {
    let mut texts: FxHashMap<TyId, String> = FxHashMap::default();
    let mut found = Vec::new();
    hir.for_each_expr(&mut |e| {
        let mut text = |ty: TyId| texts.entry(ty).or_insert_with(|| type_string(hir, ty)).clone();
        found.push((e.span, text(e.ty)));
        match &e.kind {
            // The word `type` is a function in the compiler's tree.
            ExprKind::MetaType { .. } => {
                let word = Span { end: e.span.start + 4, ..e.span };
                let params = if hir.version_at(e.span).at_least(6, 0) { "" } else { "address" };
                found.push((word, format!("function ({params}) pure")));
            }
            ExprKind::Options { options, .. } => {
                found.extend(options.setter.map(|(span, ty)| (span, text(ty))));
            }
            _ => {}
        }
    });
    for function in hir.functions.iter().filter(|f| !hir.version_at(f.span).at_least(8, 0)) {
        found.extend(function.modifiers.iter().filter_map(|m| old_modifier_name(hir, m)));
    }
    found
}

/// Before 0.8 the name in a modifier invocation is an expression of its own.
fn old_modifier_name(hir: &Hir, call: &ModifierCall) -> Option<(Span, String)> {
    let (name, text) = match call.target {
        ModifierTarget::Modifier { id, .. } => {
            let modifier = &hir.modifiers[id];
            let params: Vec<String> =
                modifier.params.iter().map(|v| type_string(hir, hir.vars[*v].ty)).collect();
            (&modifier.name, format!("modifier ({})", params.join(",")))
        }
        ModifierTarget::BaseConstructor(id) => {
            let name = &hir.contracts[id].name;
            (name, format!("type(contract {name})"))
        }
        ModifierTarget::Error => return None,
    };
    let end = call.span.start + name.len() as u32;
    Some((Span { end, ..call.span }, text))
}
