//! Walks the parsed tree once and gives later passes the tree they expect: true names where the prescan put
//! substitutes, and one shape for constructs the parser reads in a surprising way.
//!
//! - `new C(x).f()`: the parser puts everything under `new`; here `new` covers type, options and arguments only.
//! - `try f() { … }`: the block arrives as call options; here it is the success block.
//! - `(e)`: the node's place includes its parentheses.
//! - `a ** b ** c` before 0.8 groups to the left.
//! - `throw;` becomes `revert();`, `var (a, b) = …` a tuple of declarations with type `var`.
//! - a variable of function type keeps the attributes of its type apart from its own.

use std::mem;

use hornet_ir::diag::Diagnostic;
use solang_parser::pt::{
    Base, CatchClause, Comment, ContractDefinition, ContractPart, ErrorDefinition, Expression,
    FunctionAttribute, FunctionDefinition, FunctionTy, Identifier, IdentifierPath, Import, ImportPath, Loc,
    NamedArgument, Parameter, ParameterList, SourceUnit, SourceUnitPart, Statement, StorageType, Type, Using,
    UsingList, VariableAttribute, VariableDeclaration, VariableDefinition, Visibility,
};

use super::prescan::Facts;
use super::{loc_range, span_of};
use crate::version::Version;

pub(super) struct Normaliser<'a> {
    pub text: &'a str,
    pub facts: &'a Facts,
    pub comments: &'a [Comment],
    pub version: Version,
    pub errors: Vec<Diagnostic>,
}

fn placeholder() -> Expression {
    Expression::BoolLiteral(Loc::Implicit, false)
}

impl Normaliser<'_> {
    fn error(&mut self, loc: &Loc, message: &str) {
        self.errors.push(Diagnostic::error(span_of(loc), message));
    }

    pub fn unit(&mut self, unit: &mut SourceUnit) {
        for part in &mut unit.0 {
            match part {
                SourceUnitPart::ContractDefinition(contract) => self.contract(contract),
                SourceUnitPart::ImportDirective(import) => self.import(import),
                SourceUnitPart::EnumDefinition(def) => {
                    self.opt_ident(&mut def.name);
                    def.values.iter_mut().for_each(|value| self.opt_ident(value));
                }
                SourceUnitPart::StructDefinition(def) => {
                    self.opt_ident(&mut def.name);
                    def.fields.iter_mut().for_each(|field| self.declaration(field));
                }
                SourceUnitPart::EventDefinition(def) => {
                    self.opt_ident(&mut def.name);
                    for field in &mut def.fields {
                        self.expr(&mut field.ty);
                        self.opt_ident(&mut field.name);
                    }
                }
                SourceUnitPart::ErrorDefinition(def) => self.error_definition(def),
                SourceUnitPart::FunctionDefinition(def) => self.function(def),
                SourceUnitPart::VariableDefinition(def) => self.variable(def),
                SourceUnitPart::TypeDefinition(def) => {
                    self.ident(&mut def.name);
                    self.expr(&mut def.ty);
                }
                SourceUnitPart::Using(using) => self.using(using),
                SourceUnitPart::Annotation(_)
                | SourceUnitPart::PragmaDirective(_)
                | SourceUnitPart::StraySemicolon(_) => (),
            }
        }
    }

    fn contract(&mut self, contract: &mut ContractDefinition) {
        self.opt_ident(&mut contract.name);
        contract.base.iter_mut().for_each(|base| self.base(base));
        for part in &mut contract.parts {
            match part {
                ContractPart::StructDefinition(def) => {
                    self.opt_ident(&mut def.name);
                    def.fields.iter_mut().for_each(|field| self.declaration(field));
                }
                ContractPart::EventDefinition(def) => {
                    self.opt_ident(&mut def.name);
                    for field in &mut def.fields {
                        self.expr(&mut field.ty);
                        self.opt_ident(&mut field.name);
                    }
                }
                ContractPart::EnumDefinition(def) => {
                    self.opt_ident(&mut def.name);
                    def.values.iter_mut().for_each(|value| self.opt_ident(value));
                }
                ContractPart::ErrorDefinition(def) => self.error_definition(def),
                ContractPart::VariableDefinition(def) => self.variable(def),
                ContractPart::FunctionDefinition(def) => self.function(def),
                ContractPart::TypeDefinition(def) => {
                    self.ident(&mut def.name);
                    self.expr(&mut def.ty);
                }
                ContractPart::Using(using) => self.using(using),
                ContractPart::Annotation(_) | ContractPart::StraySemicolon(_) => (),
            }
        }
    }

    fn import(&mut self, import: &mut Import) {
        let path = match import {
            Import::Plain(path, _) => path,
            Import::GlobalSymbol(path, name, _) => {
                self.ident(name);
                path
            }
            Import::Rename(path, names, _) => {
                for (name, alias) in names {
                    self.ident(name);
                    self.opt_ident(alias);
                }
                path
            }
        };
        if let ImportPath::Path(path) = path {
            self.error(&path.loc, "an import names its file in quotes");
        }
    }

    fn error_definition(&mut self, def: &mut ErrorDefinition) {
        // The parser takes any expression for the keyword.
        if !matches!(&def.keyword, Expression::Variable(word) if word.name == "error") {
            self.error(&def.loc, "expected a declaration");
        }
        self.opt_ident(&mut def.name);
        for field in &mut def.fields {
            self.expr(&mut field.ty);
            self.opt_ident(&mut field.name);
        }
    }

    fn using(&mut self, using: &mut Using) {
        match &mut using.list {
            UsingList::Library(path) => self.path(path),
            UsingList::Functions(functions) => functions.iter_mut().for_each(|f| self.path(&mut f.path)),
            UsingList::Error => (),
        }
        if let Some(ty) = &mut using.ty {
            self.expr(ty);
        }
        if let Some(word) = using.global.as_ref().filter(|word| word.name != "global") {
            let loc = word.loc;
            self.error(&loc, "expected `global` or `;`");
        }
    }

    fn variable(&mut self, def: &mut VariableDefinition) {
        self.split_function_type(def);
        self.expr(&mut def.ty);
        for attr in &mut def.attrs {
            if let VariableAttribute::Override(_, paths) = attr {
                paths.iter_mut().for_each(|path| self.path(path));
            }
        }
        self.opt_ident(&mut def.name);
        if let Some(value) = &mut def.initializer {
            self.expr(value);
        }
    }

    /// The parser reads `function() external internal f` with both words in the type. As the compiler has it, the
    /// second visibility, and anything after `returns (…)`, belongs to the variable.
    fn split_function_type(&mut self, def: &mut VariableDefinition) {
        let Expression::Type(_, Type::Function { attributes, returns, .. }) = &mut def.ty else { return };
        let mut seen_visibility = false;
        let own = attributes.iter().position(|attr| match attr {
            FunctionAttribute::Visibility(_) => mem::replace(&mut seen_visibility, true),
            FunctionAttribute::Immutable(_) => true,
            FunctionAttribute::Mutability(m) => matches!(m, solang_parser::pt::Mutability::Constant(_)),
            FunctionAttribute::Virtual(_)
            | FunctionAttribute::Override(..)
            | FunctionAttribute::BaseOrModifier(..)
            | FunctionAttribute::Error(_) => false,
        });
        let mut own = own.map(|at| attributes.split_off(at)).unwrap_or_default();
        if let Some((_, after)) = returns {
            own.append(after);
        }
        for attr in own {
            match attr {
                FunctionAttribute::Visibility(visibility) => {
                    def.attrs.push(VariableAttribute::Visibility(visibility));
                }
                FunctionAttribute::Immutable(loc) => def.attrs.push(VariableAttribute::Immutable(loc)),
                FunctionAttribute::Mutability(solang_parser::pt::Mutability::Constant(loc)) => {
                    def.attrs.push(VariableAttribute::Constant(loc));
                }
                FunctionAttribute::Mutability(_)
                | FunctionAttribute::Virtual(_)
                | FunctionAttribute::Override(..)
                | FunctionAttribute::BaseOrModifier(..)
                | FunctionAttribute::Error(_) => self.error(&def.loc, "misplaced attribute of a variable"),
            }
        }
        self.hidden_attributes(def);
    }

    /// `override` and `transient`, which the prescan had to hide on variables of function type.
    fn hidden_attributes(&self, def: &mut VariableDefinition) {
        let Loc::File(file, start, end) = def.loc else { return };
        let inside = |&&(s, _): &&(usize, usize)| start <= s && s < end;
        for &(s, e) in self.facts.overrides.iter().filter(inside) {
            def.attrs.push(VariableAttribute::Override(Loc::File(file, s, e), Vec::new()));
        }
        for &(s, e) in self.facts.transients.iter().filter(inside) {
            let transient = StorageType::Temporary(Some(Loc::File(file, s, e)));
            def.attrs.push(VariableAttribute::StorageType(transient));
        }
    }

    fn function(&mut self, def: &mut FunctionDefinition) {
        self.opt_ident(&mut def.name);
        self.params(&mut def.params);
        self.params(&mut def.returns);
        if let Some(loc) = def.return_not_returns {
            self.error(&loc, "expected `returns`");
        }
        if let (FunctionTy::Constructor | FunctionTy::Fallback | FunctionTy::Receive, Some(name)) =
            (def.ty, &def.name)
        {
            let loc = name.loc;
            self.error(&loc, "expected `(`");
        }
        for attr in &mut def.attributes {
            match attr {
                FunctionAttribute::Override(_, paths) => paths.iter_mut().for_each(|path| self.path(path)),
                FunctionAttribute::BaseOrModifier(_, base) => self.base(base),
                FunctionAttribute::Immutable(loc) => {
                    let loc = *loc;
                    self.error(&loc, "a function cannot be `immutable`");
                }
                FunctionAttribute::Visibility(
                    Visibility::External(_)
                    | Visibility::Public(_)
                    | Visibility::Internal(_)
                    | Visibility::Private(_),
                )
                | FunctionAttribute::Mutability(_)
                | FunctionAttribute::Virtual(_)
                | FunctionAttribute::Error(_) => (),
            }
        }
        if let Some(body) = &mut def.body {
            self.statement(body);
        }
    }

    fn base(&mut self, base: &mut Base) {
        self.path(&mut base.name);
        base.args.iter_mut().flatten().for_each(|arg| self.expr(arg));
    }

    pub fn params(&mut self, params: &mut ParameterList) {
        for (loc, param) in params {
            // An omitted component spans from the next token back to the last one.
            if let Loc::File(file, start, end) = *loc
                && start > end
            {
                *loc = Loc::File(file, end, end);
            }
            if let Some(param) = param {
                self.param(param);
            }
        }
    }

    fn param(&mut self, param: &mut Parameter) {
        self.expr(&mut param.ty);
        self.opt_ident(&mut param.name);
    }

    fn declaration(&mut self, declaration: &mut VariableDeclaration) {
        self.expr(&mut declaration.ty);
        self.opt_ident(&mut declaration.name);
    }

    pub fn ident(&mut self, ident: &mut Identifier) {
        if !self.facts.renamed.is_empty()
            && ident.name.starts_with('_')
            && let Some((start, end)) = loc_range(&ident.loc)
            && self.facts.renamed.binary_search(&start).is_ok()
            && let Some(name) = self.text.get(start..end)
        {
            name.clone_into(&mut ident.name);
        }
    }

    fn opt_ident(&mut self, ident: &mut Option<Identifier>) {
        if let Some(ident) = ident {
            self.ident(ident);
        }
    }

    fn path(&mut self, path: &mut IdentifierPath) {
        path.identifiers.iter_mut().for_each(|ident| self.ident(ident));
    }

    fn named_args(&mut self, args: &mut [NamedArgument]) {
        for arg in args {
            self.ident(&mut arg.name);
            self.expr(&mut arg.expr);
        }
    }

    pub fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Block { statements, .. } => statements.iter_mut().for_each(|s| self.statement(s)),
            Statement::Assembly { block, .. } => self.yul_block(block),
            Statement::Args(_, args) => self.named_args(args),
            Statement::If(_, condition, then, otherwise) => {
                self.expr(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            Statement::While(_, condition, body) | Statement::DoWhile(_, body, condition) => {
                self.expr(condition);
                self.statement(body);
            }
            Statement::Expression(_, _) => self.expression_statement(statement),
            Statement::VariableDefinition(_, declaration, value) => {
                self.declaration(declaration);
                value.iter_mut().for_each(|value| self.expr(value));
            }
            Statement::For(loc, init, condition, next, body) => {
                if body.is_none() {
                    let loc = *loc;
                    self.error(&loc, "expected a loop body");
                }
                for part in [init, body].into_iter().flatten() {
                    self.statement(part);
                }
                for part in [condition, next].into_iter().flatten() {
                    self.expr(part);
                }
            }
            Statement::Continue(_) | Statement::Break(_) | Statement::Error(_) => (),
            Statement::Return(_, value) => value.iter_mut().for_each(|value| self.expr(value)),
            Statement::Revert(_, path, args) => {
                path.iter_mut().for_each(|path| self.path(path));
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            Statement::RevertNamedArgs(_, path, args) => {
                path.iter_mut().for_each(|path| self.path(path));
                self.named_args(args);
            }
            Statement::Emit(_, call) => self.expr(call),
            Statement::Try(..) => self.try_statement(statement),
        }
    }

    fn expression_statement(&mut self, statement: &mut Statement) {
        let Statement::Expression(loc, expr) = statement else { return };
        self.expr(expr);
        match expr {
            Expression::Variable(name) if name.name == "throw" => {
                let loc = *loc;
                *statement = Statement::Revert(loc, None, Vec::new());
                if !self.version.legacy_forms() {
                    self.errors.push(
                        Diagnostic::error(span_of(&loc), "`throw` was removed in 0.5").help("use `revert()`"),
                    );
                }
            }
            Expression::Assign(_, target, _) => {
                if let Expression::List(loc, params) = &mut **target
                    && let Some((start, _)) = loc_range(loc)
                    && self.facts.var_tuples.binary_search(&start).is_ok()
                {
                    declare_with_var(params);
                } else if let Expression::Parenthesis(loc, inner) = &mut **target
                    && let Some((start, _)) = loc_range(loc)
                    && self.facts.var_tuples.binary_search(&start).is_ok()
                {
                    // `var (x) = …` declares one name.
                    let inner = mem::replace(&mut **inner, placeholder());
                    let loc = *loc;
                    let param = Parameter { loc, annotation: None, ty: inner, storage: None, name: None };
                    let mut params = vec![(loc, Some(param))];
                    declare_with_var(&mut params);
                    **target = Expression::List(loc, params);
                }
            }
            _ => (),
        }
    }

    fn try_statement(&mut self, statement: &mut Statement) {
        let Statement::Try(_, call, success, clauses) = statement else { return };
        if success.is_none() {
            let block = match &mut *call {
                Expression::New(loc, inner) => take_trailing_block(inner).inspect(|_| {
                    if let (Loc::File(_, _, end), Some((_, inner_end))) = (loc, loc_range(&inner_loc(inner)))
                    {
                        *end = inner_end;
                    }
                }),
                other => take_trailing_block(other),
            };
            match block {
                Some(block) => *success = Some((Vec::new(), block)),
                None => {
                    let loc = inner_loc(call);
                    self.error(&loc, "expected a block after the call of `try`");
                }
            }
        }
        self.expr(call);
        if let Some((params, block)) = success {
            self.params(params);
            self.statement(block);
        }
        for clause in clauses {
            match clause {
                CatchClause::Simple(_, param, block) => {
                    param.iter_mut().for_each(|param| self.param(param));
                    self.statement(block);
                }
                CatchClause::Named(_, name, param, block) => {
                    self.ident(name);
                    self.param(param);
                    self.statement(block);
                }
            }
        }
    }
}

fn inner_loc(expr: &Expression) -> Loc {
    solang_parser::pt::CodeLocation::loc(expr)
}

/// Splits `call { … }`, read as call options, into the call (left in place) and the block.
fn take_trailing_block(expr: &mut Expression) -> Option<Box<Statement>> {
    let Expression::FunctionCallBlock(_, _, block) = expr else { return None };
    if !matches!(**block, Statement::Block { .. }) {
        return None;
    }
    let Expression::FunctionCallBlock(_, call, block) = mem::replace(expr, placeholder()) else {
        return None;
    };
    *expr = *call;
    Some(block)
}

/// Turns each plain name of a tuple into a declaration of type `var`.
fn declare_with_var(params: &mut ParameterList) {
    for param in params.iter_mut().filter_map(|(_, param)| param.as_mut()) {
        if param.name.is_none()
            && let Expression::Variable(name) = &param.ty
        {
            let var = Identifier { loc: name.loc.begin_range(), name: "var".to_string() };
            let Expression::Variable(name) = mem::replace(&mut param.ty, Expression::Variable(var)) else {
                continue;
            };
            param.name = Some(name);
        }
    }
}
