//! Inline assembly: names of the block itself, of Solidity variables and of instructions.

use super::bodies::Body;
use super::{literal, opcodes, span_of};
use crate::hir::yul::{Assembly, Expr, ExprKind, Function, Part, Stmt, StmtKind, Target, YulFn, YulVar};
use crate::hir::{FnKind, Loc, Ref, Ty, VarId, VarKind};
use hornet_ir::U256;
use hornet_ir::span::Span;
use solang_parser::pt::{self, CodeLocation};

#[derive(Clone, Copy)]
enum Name {
    Var(YulVar),
    Fn(YulFn),
}

/// One assembly block being resolved.
struct Yul<'b, 's, 'a> {
    body: &'b mut Body<'s, 'a>,
    vars: Vec<String>,
    functions: Vec<Function>,
    /// Innermost last.
    names: Vec<(&'a str, Name)>,
    /// Variables before this place belong to an outer function and cannot be seen.
    visible_from: usize,
    in_function: bool,
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn assembly(
        &mut self,
        span: Span,
        flags: Option<&[pt::StringLiteral]>,
        block: &'a pt::YulBlock,
    ) -> Assembly {
        let memory_safe = flags.is_some_and(|flags| flags.iter().any(|f| f.string == "memory-safe"));
        let mut yul = Yul {
            body: self,
            vars: Vec::new(),
            functions: Vec::new(),
            names: Vec::new(),
            visible_from: 0,
            in_function: false,
        };
        let body = yul.block(block);
        Assembly { span, memory_safe, vars: yul.vars, functions: yul.functions, body }
    }
}

impl<'a> Yul<'_, '_, 'a> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.body.error(span, message);
    }

    fn declare(&mut self, id: &'a pt::Identifier) -> YulVar {
        let var = YulVar(self.vars.len() as u32);
        self.vars.push(id.name.clone());
        self.names.push((&id.name, Name::Var(var)));
        var
    }

    fn declare_all(&mut self, ids: &'a [pt::YulTypedIdentifier]) -> Vec<YulVar> {
        ids.iter().map(|id| self.declare(&id.id)).collect()
    }

    fn lookup_var(&self, name: &str) -> Option<YulVar> {
        self.names[self.visible_from..].iter().rev().find_map(|(n, found)| match found {
            Name::Var(var) if *n == name => Some(*var),
            _ => None,
        })
    }

    fn lookup_fn(&self, name: &str) -> Option<YulFn> {
        self.names.iter().rev().find_map(|(n, found)| match found {
            Name::Fn(function) if *n == name => Some(*function),
            _ => None,
        })
    }

    // Statements.

    fn block(&mut self, block: &'a pt::YulBlock) -> Vec<Stmt> {
        let outer = self.names.len();
        let stmts = self.open_block(block);
        self.names.truncate(outer);
        stmts
    }

    /// A block whose names stay visible: the first part of a loop.
    fn open_block(&mut self, block: &'a pt::YulBlock) -> Vec<Stmt> {
        // Functions can be used before they are defined.
        let mut defined = Vec::new();
        for statement in &block.statements {
            if let pt::YulStatement::FunctionDefinition(def) = statement {
                let id = YulFn(self.functions.len() as u32);
                self.functions.push(Function {
                    name: def.id.name.clone(),
                    params: Vec::new(),
                    returns: Vec::new(),
                    body: Vec::new(),
                    span: span_of(&def.loc),
                });
                self.names.push((&def.id.name, Name::Fn(id)));
                defined.push((id, &**def));
            }
        }
        // Their signatures before any call of them.
        for (id, def) in &defined {
            let base = self.vars.len() as u32;
            let numbers = |from: u32, n: usize| (from..from + n as u32).map(YulVar).collect::<Vec<_>>();
            let function = &mut self.functions[id.0 as usize];
            function.params = numbers(base, def.params.len());
            function.returns = numbers(base + def.params.len() as u32, def.returns.len());
            self.vars.extend(def.params.iter().chain(&def.returns).map(|v| v.id.name.clone()));
        }
        let mut stmts = Vec::with_capacity(block.statements.len());
        for statement in &block.statements {
            if let pt::YulStatement::FunctionDefinition(def) = statement {
                if let Some((id, _)) = defined.iter().find(|(_, d)| std::ptr::eq(*d, &**def)) {
                    self.function(*id, def);
                }
            } else {
                stmts.extend(self.stmt(statement));
            }
        }
        stmts
    }

    fn function(&mut self, id: YulFn, def: &'a pt::YulFunctionDefinition) {
        let outer = (self.names.len(), self.visible_from, self.in_function);
        self.visible_from = self.names.len();
        self.in_function = true;
        let function = &self.functions[id.0 as usize];
        let vars: Vec<YulVar> = function.params.iter().chain(&function.returns).copied().collect();
        for (var, id) in vars.into_iter().zip(def.params.iter().chain(&def.returns)) {
            self.names.push((&id.id.name, Name::Var(var)));
        }
        let body = self.block(&def.body);
        self.functions[id.0 as usize].body = body;
        self.names.truncate(outer.0);
        self.visible_from = outer.1;
        self.in_function = outer.2;
    }

    fn stmt(&mut self, statement: &'a pt::YulStatement) -> Option<Stmt> {
        let span = span_of(&statement.loc());
        let kind = match statement {
            pt::YulStatement::Assign(_, targets, value) => {
                let value = self.value(value, targets.len());
                let targets = targets.iter().map(|t| self.target(t)).collect::<Option<Vec<_>>>();
                StmtKind::Assign { targets: targets?, value: value? }
            }
            pt::YulStatement::VariableDeclaration(_, ids, value) => {
                // The value does not see the new names.
                let value = value.as_ref().map(|value| self.value(value, ids.len()));
                let vars = self.declare_all(ids);
                match value {
                    Some(None) => return None,
                    Some(value) => StmtKind::Let { vars, value },
                    None => StmtKind::Let { vars, value: None },
                }
            }
            pt::YulStatement::If(_, cond, body) => {
                let cond = self.value(cond, 1);
                let body = self.block(body);
                StmtKind::If { cond: cond?, body }
            }
            pt::YulStatement::For(part) => {
                let outer = self.names.len();
                let init = self.open_block(&part.init_block);
                let cond = self.value(&part.condition, 1);
                let step = self.block(&part.post_block);
                let body = self.block(&part.execution_block);
                self.names.truncate(outer);
                StmtKind::For { init, cond: cond?, step, body }
            }
            pt::YulStatement::Switch(switch) => self.switch(switch)?,
            pt::YulStatement::Leave(_) => StmtKind::Leave,
            pt::YulStatement::Break(_) => StmtKind::Break,
            pt::YulStatement::Continue(_) => StmtKind::Continue,
            pt::YulStatement::Block(block) => StmtKind::Block(self.block(block)),
            pt::YulStatement::FunctionDefinition(_) => return None,
            pt::YulStatement::FunctionCall(call) => StmtKind::Expr(self.call(call, 0)?),
            pt::YulStatement::Error(_) => return None,
        };
        Some(Stmt { kind, span })
    }

    fn switch(&mut self, switch: &'a pt::YulSwitch) -> Option<StmtKind> {
        let value = self.value(&switch.condition, 1);
        let mut cases = Vec::with_capacity(switch.cases.len());
        let mut default = None;
        for case in switch.cases.iter().chain(&switch.default) {
            match case {
                pt::YulSwitchOptions::Case(_, literal, body) => {
                    let literal = self.literal(literal);
                    let body = self.block(body);
                    cases.push((literal?, body));
                }
                pt::YulSwitchOptions::Default(_, body) => default = Some(self.block(body)),
            }
        }
        Some(StmtKind::Switch { value: value?, cases, default })
    }

    // Expressions.

    /// An expression that gives `results` values. `None` if it is erroneous, which is reported.
    fn value(&mut self, e: &'a pt::YulExpression, results: usize) -> Option<Expr> {
        let span = span_of(&e.loc());
        let kind = match e {
            pt::YulExpression::FunctionCall(call) => return self.call(call, results),
            _ if results != 1 => {
                self.error(span, format!("expected {results} values but this gives one"));
                return None;
            }
            pt::YulExpression::BoolLiteral(..)
            | pt::YulExpression::NumberLiteral(..)
            | pt::YulExpression::HexNumberLiteral(..)
            | pt::YulExpression::HexStringLiteral(..)
            | pt::YulExpression::StringLiteral(..) => ExprKind::Literal(self.literal(e)?),
            pt::YulExpression::Variable(id) if self.is_bare_opcode(&id.name) => {
                ExprKind::Opcode { name: canonical(&id.name).into(), args: Vec::new() }
            }
            pt::YulExpression::Variable(_) | pt::YulExpression::SuffixAccess(..) => {
                ExprKind::Var(self.target(e)?)
            }
        };
        Some(Expr { kind, span })
    }

    /// Before 0.6 an instruction without arguments needed no parentheses.
    fn is_bare_opcode(&self, name: &str) -> bool {
        let version = self.body.version;
        !version.at_least(6, 0)
            && opcodes::arity(name, version) == Some((0, 1))
            && self.lookup_var(name).is_none()
    }

    fn call(&mut self, call: &'a pt::YulFunctionCall, results: usize) -> Option<Expr> {
        let span = span_of(&call.loc);
        let name = call.id.name.as_str();
        let own = self.lookup_fn(name);
        let arity = match own {
            Some(id) => {
                let function = &self.functions[id.0 as usize];
                Some((function.params.len(), function.returns.len()))
            }
            None => opcodes::arity(name, self.body.version),
        };
        let args: Option<Vec<Expr>> = call.arguments.iter().map(|a| self.value(a, 1)).collect();
        let Some((wanted, given)) = arity else {
            self.error(span_of(&call.id.loc), format!("function `{name}` not found"));
            return None;
        };
        if wanted != call.arguments.len() {
            let message =
                format!("function `{name}` expects {wanted} arguments but got {}", call.arguments.len());
            self.error(span, message);
            return None;
        }
        // Before 0.5 results could be left behind unused.
        let may_drop = results == 0 && !self.body.version.at_least(5, 0);
        if given != results && !may_drop {
            let message = match results {
                0 => format!(
                    "top-level expressions are not supposed to return values (this expression returns {given})"
                ),
                _ => format!("expected {results} values but `{name}` gives {given}"),
            };
            self.error(span, message);
            return None;
        }
        let args = args?;
        let kind = match own {
            Some(function) => ExprKind::Call { function, args },
            None => ExprKind::Opcode { name: canonical(name).into(), args },
        };
        Some(Expr { kind, span })
    }

    fn literal(&mut self, e: &pt::YulExpression) -> Option<U256> {
        let span = span_of(&e.loc());
        let value = match e {
            pt::YulExpression::BoolLiteral(_, value, _) => Ok(U256::from(u8::from(*value))),
            pt::YulExpression::NumberLiteral(_, integer, exp, _) if exp.is_empty() => {
                U256::from_str_radix(integer, 10)
                    .map_err(|_| "number literal too large (> 256 bits)".to_string())
            }
            pt::YulExpression::HexNumberLiteral(_, text, _) => {
                let digits = text.strip_prefix("0x").unwrap_or(text);
                U256::from_str_radix(digits, 16)
                    .map_err(|_| "number literal too large (> 256 bits)".to_string())
            }
            pt::YulExpression::StringLiteral(text, _) => {
                let mut bytes = Vec::new();
                literal::unescape(&text.string, &mut bytes).and_then(|()| left_aligned(&bytes))
            }
            pt::YulExpression::HexStringLiteral(text, _) => {
                let mut bytes = Vec::new();
                literal::hex_string(&text.hex, &mut bytes).and_then(|()| left_aligned(&bytes))
            }
            _ => Err("expected a literal".to_string()),
        };
        match value {
            Ok(value) => Some(value),
            Err(message) => {
                self.error(span, message);
                None
            }
        }
    }

    // Variables.

    /// A variable of the block or of Solidity, read or assigned to.
    fn target(&mut self, e: &'a pt::YulExpression) -> Option<Target> {
        let span = span_of(&e.loc());
        match e {
            pt::YulExpression::Variable(id) => {
                if let Some(var) = self.lookup_var(&id.name) {
                    return Some(Target::Yul(var));
                }
                if let Some(var) = self.solidity_var(&id.name) {
                    return self.plain(var, span);
                }
                if let Some((base, suffix)) = self.old_suffix(&id.name)
                    && let Some(var) = self.solidity_var(base)
                {
                    return self.part(var, suffix, span);
                }
                self.error(span, format!("identifier `{}` not found", id.name));
                None
            }
            pt::YulExpression::SuffixAccess(_, base, suffix) => {
                let Some(var) = self.suffixed(base) else {
                    self.error(span, "identifier not found");
                    return None;
                };
                self.part(var, &suffix.name, span)
            }
            _ => {
                self.error(span, "expected a variable");
                None
            }
        }
    }

    /// Before 0.7: `x_slot` and `x_offset`.
    fn old_suffix<'n>(&self, name: &'n str) -> Option<(&'n str, &'n str)> {
        if self.body.version.at_least(7, 0) {
            return None;
        }
        let (base, suffix) = name.rsplit_once('_')?;
        matches!(suffix, "slot" | "offset").then_some((base, suffix))
    }

    /// The variable before `.slot` and its kin: a name, or a path through modules and contracts.
    fn suffixed(&mut self, base: &'a pt::YulExpression) -> Option<VarId> {
        let mut path = Vec::new();
        let mut node = base;
        while let pt::YulExpression::SuffixAccess(_, inner, name) = node {
            path.push(name);
            node = inner;
        }
        let pt::YulExpression::Variable(first) = node else { return None };
        if path.is_empty() {
            return self.solidity_var(&first.name);
        }
        path.push(first);
        match *self.body.sema.lookup_path(path.into_iter().rev(), self.body.scope) {
            [Ref::Var(var)] => Some(var),
            _ => None,
        }
    }

    fn solidity_var(&self, name: &str) -> Option<VarId> {
        if let Some(var) = self.body.locals.get(name) {
            return Some(var);
        }
        match *self.body.sema.lookup(self.body.scope, name) {
            [Ref::Var(var)] => Some(var),
            _ => None,
        }
    }

    fn check_access(&mut self, var: VarId, span: Span) -> Option<()> {
        let kind = self.body.sema.hir.vars[var].kind;
        if self.in_function && matches!(kind, VarKind::Local | VarKind::Param | VarKind::Return) {
            self.error(
                span,
                "cannot access local Solidity variables from inside an inline assembly function",
            );
            return None;
        }
        Some(())
    }

    /// A Solidity variable by its plain name.
    fn plain(&mut self, var: VarId, span: Span) -> Option<Target> {
        self.check_access(var, span)?;
        let v = &self.body.sema.hir.vars[var];
        let problem = match v.kind {
            VarKind::State | VarKind::Transient => Some(
                "only local variables are supported; use the `.slot` and `.offset` suffixes for state variables",
            ),
            VarKind::Immutable => Some("assembly access to immutable variables is not supported"),
            VarKind::Constant => None,
            VarKind::Param | VarKind::Return | VarKind::Local | VarKind::Bound => match self.body.ty(v.ty) {
                Ty::Array { len: None, loc: Loc::Calldata, .. }
                | Ty::Bytes(Loc::Calldata)
                | Ty::String(Loc::Calldata) => {
                    Some("call data elements cannot be accessed directly; use `.offset` and `.length`")
                }
                Ty::Mapping { .. } => Some("use the `.slot` suffix to access storage reference variables"),
                _ if self.body.sema.hir.types.loc(v.ty).is_some_and(Loc::is_storage) => {
                    Some("use the `.slot` suffix to access storage reference variables")
                }
                _ => None,
            },
        };
        match problem {
            Some(problem) => {
                self.error(span, problem);
                None
            }
            None => Some(Target::Solidity(var, Part::Value)),
        }
    }

    fn part(&mut self, var: VarId, suffix: &str, span: Span) -> Option<Target> {
        self.check_access(var, span)?;
        let v = &self.body.sema.hir.vars[var];
        let in_storage = matches!(v.kind, VarKind::State | VarKind::Transient)
            || matches!(self.body.ty(v.ty), Ty::Mapping { .. })
            || self.body.sema.hir.types.loc(v.ty).is_some_and(Loc::is_storage);
        let calldata = self.body.sema.hir.types.loc(v.ty) == Some(Loc::Calldata);
        let external = matches!(self.body.ty(v.ty), Ty::Function(f) if f.kind == FnKind::External);
        let part = match suffix {
            "slot" if in_storage => Part::Slot,
            "offset" if in_storage || calldata => Part::Offset,
            "length" if calldata => Part::Length,
            "address" if external => Part::Address,
            "selector" if external => Part::Selector,
            _ => {
                let text = self.body.text_of(v.ty);
                self.error(
                    span,
                    format!("the suffix `.{suffix}` is not supported by variables of type `{text}`"),
                );
                return None;
            }
        };
        Some(Target::Solidity(var, part))
    }
}

/// Old names of instructions.
fn canonical(name: &str) -> &str {
    match name {
        "sha3" => "keccak256",
        "suicide" => "selfdestruct",
        other => other,
    }
}

fn left_aligned(bytes: &[u8]) -> Result<U256, String> {
    if bytes.len() > 32 {
        return Err(format!("string literal too long ({} > 32)", bytes.len()));
    }
    let mut word = [0u8; 32];
    word[..bytes.len()].copy_from_slice(bytes);
    Ok(U256::from_be_bytes(word))
}
