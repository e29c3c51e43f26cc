//! Types everything in [`super::Pending`]: bodies, initialisers, arguments of modifiers and base constructors.

use super::locals::Locals;
use super::spec_expr::SpecScope;
use super::{DeclScope, Sema};
use crate::hir::{
    ContractId, Expr, ExprKind, FnTy, FunctionId, ModifierId, ModifierTarget, Ty, TyId, VarId,
    typestring::type_string,
};
use crate::version::Version;
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::Span;
use rustc_hash::FxHashSet;
use solang_parser::pt::{self, CodeLocation};

/// The last compiler that converts unsigned to wider signed integers by itself. Code that says it is for 0.7 and
/// newer may rely on it; it is accepted with a warning.
pub(super) const BEFORE_STRICT_SIGNS: Version = Version::new(0, 7, 6);

/// Types one body or one expression outside bodies.
pub(super) struct Body<'s, 'a> {
    pub sema: &'s mut Sema<'a>,
    pub scope: DeclScope,
    pub version: Version,
    pub locals: Locals<'a>,
    /// Results of the function; `None` outside functions, where `return` takes no value.
    pub returns: Vec<VarId>,
    /// The type name under a `new` whose call is being typed, and where `new` stands.
    pub new_type: Option<(*const pt::Expression, u32)>,
    pub in_modifier: bool,
    /// While in an annotation.
    pub spec: Option<SpecScope<'a>>,
}

pub fn check(sema: &mut Sema<'_>) {
    for (id, def) in std::mem::take(&mut sema.pending.inits) {
        initialiser(sema, id, def);
    }
    sema.check_constant_cycles();
    for (id, index, args) in std::mem::take(&mut sema.pending.base_args) {
        base_args(sema, id, index, args);
    }
    for (id, index, args) in std::mem::take(&mut sema.pending.modifier_args) {
        modifier_args(sema, id, index, args);
    }
    for index in 0..sema.pending.functions.len() {
        let (id, def) = sema.pending.functions[index];
        function(sema, id, def);
    }
    for (id, def) in std::mem::take(&mut sema.pending.modifiers) {
        modifier(sema, id, def);
    }
    super::spec::check(sema);
    // Last: types inside bodies have lengths too.
    array_lengths(sema);
}

fn array_lengths(sema: &mut Sema<'_>) {
    let mut seen = FxHashSet::default();
    for (length, scope) in std::mem::take(&mut sema.pending.lengths) {
        if seen.insert(length.loc()) {
            let length = Body::new(sema, scope).expr(length);
            sema.hir.array_lengths.push(length);
        }
    }
}

fn initialiser<'a>(sema: &mut Sema<'a>, id: VarId, init: &'a pt::Expression) {
    let scope = sema.var_scope(id);
    let mut body = Body::new(sema, scope);
    let value = body.expr(init);
    let ty = body.sema.hir.vars[id].ty;
    body.expect(&value, ty);
    sema.hir.vars[id].init = Some(value);
}

fn base_args<'a>(sema: &mut Sema<'a>, id: ContractId, index: usize, args: &'a [pt::Expression]) {
    let Some(base) = sema.hir.contracts[id].bases.get(index).map(|b| b.contract) else { return };
    let span = sema.hir.contracts[id].bases[index].span;
    let scope = sema.contract_scope(id);
    let mut body = Body::new(sema, scope);
    let typed = body.exprs(args);
    body.check_constructor_args(base, &typed, span);
    sema.hir.contracts[id].bases[index].args = Some(typed);
}

fn modifier_args<'a>(sema: &mut Sema<'a>, id: FunctionId, index: usize, args: &'a [pt::Expression]) {
    let scope = sema.function_scope(id);
    let Some(call) = sema.hir.functions[id].modifiers.get(index) else { return };
    let (target, span) = (call.target, call.span);
    let mut body = Body::new(sema, scope);
    body.enter_function(id);
    let typed = body.exprs(args);
    match target {
        ModifierTarget::Modifier { id, .. } => {
            let params = body.var_types(&body.sema.hir.modifiers[id].params.clone());
            body.check_positional(&params, &typed, span, "modifier invocation");
        }
        ModifierTarget::BaseConstructor(base) => body.check_constructor_args(base, &typed, span),
        ModifierTarget::Error => {}
    }
    sema.hir.functions[id].modifiers[index].args = Some(typed);
}

fn function<'a>(sema: &mut Sema<'a>, id: FunctionId, def: &'a pt::FunctionDefinition) {
    let Some(statement) = &def.body else { return };
    let scope = sema.function_scope(id);
    let mut body = Body::new(sema, scope);
    body.enter_function(id);
    let block = body.body_block(statement);
    sema.hir.functions[id].body = Some(block);
}

fn modifier<'a>(sema: &mut Sema<'a>, id: ModifierId, def: &'a pt::FunctionDefinition) {
    let Some(statement) = &def.body else { return };
    let scope = sema.modifier_scope(id);
    let mut body = Body::new(sema, scope);
    body.in_modifier = true;
    for var in body.sema.hir.modifiers[id].params.clone() {
        body.bring_in(var);
    }
    let block = body.body_block(statement);
    sema.hir.modifiers[id].body = Some(block);
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn new(sema: &'s mut Sema<'a>, scope: DeclScope) -> Self {
        let version = sema.version(scope.file);
        Body {
            sema,
            scope,
            version,
            locals: Locals::default(),
            returns: Vec::new(),
            new_type: None,
            in_modifier: false,
            spec: None,
        }
    }

    /// Parameters and results become visible.
    pub fn enter_function(&mut self, id: FunctionId) {
        let function = &self.sema.hir.functions[id];
        let (params, returns) = (function.params.clone(), function.returns.clone());
        for var in params.iter().chain(&returns) {
            self.bring_in(*var);
        }
        self.returns = returns;
    }

    pub fn bring_in(&mut self, var: VarId) {
        let name = self.sema.hir.vars[var].name.clone();
        self.locals.add_owned(name, var);
    }

    pub fn ty(&self, id: TyId) -> &Ty {
        self.sema.hir.ty(id)
    }

    pub fn intern(&mut self, ty: Ty) -> TyId {
        self.sema.hir.types.intern(ty)
    }

    pub fn is_error(&self, id: TyId) -> bool {
        *self.ty(id) == Ty::Error
    }

    pub fn fn_ty(&self, id: TyId) -> Option<&FnTy> {
        match self.ty(id) {
            Ty::Function(f) => Some(f),
            _ => None,
        }
    }

    pub fn text_of(&self, ty: TyId) -> String {
        type_string(&self.sema.hir, ty)
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.sema.error(span, message);
    }

    pub fn error_expr(&mut self, span: Span) -> Expr {
        Expr { kind: ExprKind::Error, ty: self.sema.hir.types.error(), span }
    }

    pub fn converts(&self, from: TyId, to: TyId) -> bool {
        from == to || self.sema.hir.convert(self.version).implicit(from, to)
    }

    pub fn common(&mut self, a: TyId, b: TyId) -> Option<TyId> {
        self.sema.hir.common(self.version, a, b)
    }

    pub fn var_types(&self, vars: &[VarId]) -> Vec<TyId> {
        vars.iter().map(|v| self.sema.hir.vars[*v].ty).collect()
    }

    /// Reports a value that does not fit where it stands.
    pub fn expect(&mut self, value: &Expr, to: TyId) {
        self.expect_type(value.ty, to, value.span);
    }

    pub fn expect_type(&mut self, from: TyId, to: TyId, span: Span) {
        if self.converts(from, to) {
            return;
        }
        let (from_text, to_text) = (self.text_of(from), self.text_of(to));
        if self.sema.hir.convert(BEFORE_STRICT_SIGNS).implicit(from, to) {
            let message = format!("since 0.8 `{from_text}` does not convert implicitly to `{to_text}`");
            self.sema.diags.push(Diagnostic::warning(span, message));
        } else {
            let message =
                format!("type `{from_text}` is not implicitly convertible to expected type `{to_text}`");
            self.error(span, message);
        }
    }

    pub fn exprs(&mut self, list: &'a [pt::Expression]) -> Vec<Expr> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    /// Arguments given in order against parameter types.
    pub fn check_positional(&mut self, params: &[TyId], args: &[Expr], span: Span, what: &str) {
        if params.len() != args.len() {
            let message = format!(
                "wrong argument count for {what}: {} given but {} expected",
                count(args.len()),
                params.len()
            );
            return self.error(span, message);
        }
        for (arg, param) in args.iter().zip(params) {
            self.expect(arg, *param);
        }
    }

    fn check_constructor_args(&mut self, base: ContractId, args: &[Expr], span: Span) {
        let params = match self.sema.hir.contracts[base].constructor {
            Some(constructor) => self.var_types(&self.sema.hir.functions[constructor].params.clone()),
            None => Vec::new(),
        };
        // `B()` without a constructor in `B` is allowed before 0.8 and by some code written for it.
        if params.is_empty() && args.is_empty() {
            return;
        }
        self.check_positional(&params, args, span, "constructor call");
    }
}

fn count(n: usize) -> String {
    format!("{n} argument{}", if n == 1 { "" } else { "s" })
}
