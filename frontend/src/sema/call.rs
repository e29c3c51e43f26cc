//! Calls: functions, conversions, struct constructors, creation, call options, `type(T)`, `abi.decode`.

use super::bodies::Body;
use super::expr::plain_function;
use super::overload::Args;
use super::span_of;
use crate::hir::{
    Builtin, CallKind, CallOptions, ContractKind, Expr, ExprKind, FnKind, FnTy, Loc, Magic, Member,
    Mutability, StructId, Ty, TyId,
};
use hornet_ir::span::Span;
use solang_parser::pt;

impl<'s, 'a> Body<'s, 'a> {
    /// `args` are typed already: they choose among overloads of the callee.
    pub fn call_expr(&mut self, callee: &'a pt::Expression, args: Args<'a>, span: Span) -> Expr {
        if let pt::Expression::Variable(name) = callee
            && name.name == "type"
        {
            return self.meta_type(args, span);
        }
        let callee = self.expr_called(callee, Some(&args));
        let span = Span { start: callee.span.start, ..span };
        self.call(callee, args, span)
    }

    pub fn call(&mut self, callee: Expr, args: Args<'a>, span: Span) -> Expr {
        match *self.ty(callee.ty) {
            Ty::Type(inner) => match *self.ty(inner) {
                Ty::Struct(id, _) => self.struct_constructor(callee, id, args, span),
                _ => self.conversion(callee, inner, args, span),
            },
            Ty::Function(_) => self.function_call(callee, args, span),
            Ty::Error => self.error_expr(span),
            _ => {
                self.error(callee.span, "this expression is not callable");
                self.error_expr(span)
            }
        }
    }

    fn function_call(&mut self, callee: Expr, args: Args<'a>, span: Span) -> Expr {
        let Some(f) = self.fn_ty(callee.ty) else { return self.error_expr(span) };
        let f = f.clone();
        match f.kind {
            FnKind::Builtin(Builtin::SetValue | Builtin::SetGas) => {
                return self.old_option(callee, &f, args, span);
            }
            FnKind::Declaration => self.error(span, "cannot call function via contract type name"),
            FnKind::Internal
            | FnKind::External
            | FnKind::DelegateCall
            | FnKind::Creation(_)
            | FnKind::ObjectCreation
            | FnKind::Event(_)
            | FnKind::Error(_)
            | FnKind::Builtin(_) => {}
        }
        let (args, eval_order) = self.arguments(&f, args, span);
        let ty = match f.kind {
            FnKind::Builtin(Builtin::AbiDecode) => self.decoded(&args, span),
            FnKind::Builtin(Builtin::AbiEncodeCall) => {
                self.check_encode_call(&args, span);
                self.result_type(&f.returns)
            }
            _ => self.result_type(&f.returns),
        };
        let kind = ExprKind::Call { callee: Box::new(callee), kind: CallKind::Function, args, eval_order };
        Expr { kind, ty, span }
    }

    fn result_type(&mut self, returns: &[TyId]) -> TyId {
        match returns {
            [only] => *only,
            _ => self.intern(Ty::Tuple(returns.iter().copied().map(Some).collect())),
        }
    }

    fn arguments(&mut self, f: &FnTy, args: Args<'a>, span: Span) -> (Vec<Expr>, Option<Vec<u32>>) {
        let params = &f.params[usize::from(f.attached).min(f.params.len())..];
        if f.variadic {
            if args.names.is_some() {
                self.error(
                    span,
                    "named arguments cannot be used for functions that take arbitrary parameters",
                );
            }
            if args.exprs.len() < params.len() {
                let message = format!("need at least {} arguments for function call", params.len());
                self.error(span, message);
            }
            for (arg, param) in args.exprs.iter().zip(params) {
                self.expect(arg, *param);
            }
            return (args.exprs, None);
        }
        let names = match args.names {
            Some(_) => self.param_names(f).map(|names| {
                let skip = usize::from(f.attached);
                names.into_iter().skip(skip).map(str::to_string).collect::<Vec<_>>()
            }),
            None => None,
        };
        self.arrange(params, names.as_deref(), args, span)
    }

    /// `f.value(x)` and `f.gas(x)`, before 0.7.
    fn old_option(&mut self, callee: Expr, f: &FnTy, args: Args<'a>, span: Span) -> Expr {
        self.check_positional(&f.params, &args.exprs, span, "function call");
        let ty = self.result_type(&f.returns);
        let written = Some((callee.span, callee.ty));
        let ExprKind::Member { base, member: Member::Builtin(setter), .. } = callee.kind else {
            self.error(span, "`value` and `gas` have to be called at once");
            return self.error_expr(span);
        };
        let amount = args.exprs.into_iter().next().map(Box::new);
        let options = match setter {
            Builtin::SetValue => CallOptions { value: amount, setter: written, ..CallOptions::default() },
            _ => CallOptions { gas: amount, setter: written, ..CallOptions::default() },
        };
        Expr { kind: ExprKind::Options { callee: base, options }, ty, span }
    }

    // Conversions and constructors.

    fn conversion(&mut self, callee: Expr, to: TyId, args: Args<'a>, span: Span) -> Expr {
        if args.exprs.len() != 1 || args.names.is_some() {
            self.error(span, "exactly one argument expected for explicit type conversion");
            return self.error_expr(span);
        }
        let Some(arg) = args.exprs.first() else { return self.error_expr(span) };
        let ty = self.converted(arg.ty, to);
        let convert = self.sema.hir.convert(self.version);
        let (is_library, allowed) = (convert.is_library(to), convert.explicit(arg.ty, ty));
        if !allowed && !self.is_error(arg.ty) {
            let message = format!(
                "explicit type conversion not allowed from `{}` to `{}`",
                self.text_of(arg.ty),
                self.text_of(ty)
            );
            self.error(span, message);
        } else if is_library && self.version.at_least(5, 0) {
            self.error(span, "cannot convert to a library");
        }
        let kind = ExprKind::Call {
            callee: Box::new(callee),
            kind: CallKind::Conversion,
            args: args.exprs,
            eval_order: None,
        };
        Expr { kind, ty, span }
    }

    /// The type that a conversion gives: reference types stay where they are, and from 0.5 to 0.7 addresses are payable
    /// where their source allows it.
    fn converted(&mut self, from: TyId, to: TyId) -> TyId {
        if self.sema.hir.types.loc(to).is_some() {
            let loc = match self.sema.hir.types.loc(from) {
                Some(Loc::StorageRef) if self.version.at_least(5, 0) => Loc::StoragePtr,
                Some(loc) => loc,
                None => Loc::Memory,
            };
            return self.sema.hir.types.with_loc(to, loc);
        }
        let between = self.version.at_least(5, 0) && !self.version.at_least(8, 0);
        if between && *self.ty(to) == (Ty::Address { payable: false }) {
            let payable = self.sema.hir.types.address(true);
            let becomes = match self.ty(from) {
                Ty::Address { payable } => *payable,
                _ => self.sema.hir.convert(self.version).explicit(from, payable),
            };
            return if becomes { payable } else { to };
        }
        to
    }

    fn struct_constructor(&mut self, callee: Expr, id: StructId, args: Args<'a>, span: Span) -> Expr {
        let fields = &self.sema.hir.structs[id].fields;
        let mut params = Vec::with_capacity(fields.len());
        let mut names = Vec::with_capacity(fields.len());
        for field in fields.clone() {
            // Before 0.7 mappings were left out.
            if !matches!(self.ty(field.ty), Ty::Mapping { .. }) {
                params.push(self.sema.hir.types.with_loc(field.ty, Loc::Memory));
                names.push(field.name);
            }
        }
        let (args, eval_order) = self.arrange(&params, Some(&names), args, span);
        let ty = self.intern(Ty::Struct(id, Loc::Memory));
        let kind = CallKind::StructConstructor(id);
        Expr { kind: ExprKind::Call { callee: Box::new(callee), kind, args, eval_order }, ty, span }
    }

    // Creation.

    /// `new T`, `new T(…)`, `new T{…}(…)`: the calls stand inside the `new` of the parse tree.
    pub fn creation(&mut self, inner: &'a pt::Expression, span: Span) -> Expr {
        use pt::Expression as E;
        let mut node = inner;
        while let E::FunctionCall(_, callee, _)
        | E::NamedFunctionCall(_, callee, _)
        | E::FunctionCallBlock(_, callee, _) = node
        {
            node = callee;
        }
        // Arguments may hold another `new`.
        let outer = self.new_type.replace((std::ptr::from_ref(node), span.start));
        let expr = self.expr(inner);
        self.new_type = outer;
        expr
    }

    /// The `new T` itself: a function.
    pub fn new_expr(&mut self, ty: &'a pt::Expression, span: Span) -> Expr {
        let created = self.sema.type_name(ty, self.scope, Some(Loc::Memory));
        let f = match *self.ty(created) {
            Ty::Contract { id, .. } => {
                let contract = &self.sema.hir.contracts[id];
                if contract.is_abstract || contract.kind != ContractKind::Contract {
                    let what = match contract.kind {
                        ContractKind::Contract => "an abstract contract",
                        ContractKind::Interface => "an interface",
                        ContractKind::Library => "a library",
                    };
                    self.error(span, format!("cannot instantiate {what}"));
                }
                let constructor = self.sema.hir.contracts[id].constructor;
                let (params, mutability) = match constructor.map(|c| &self.sema.hir.functions[c]) {
                    Some(c) => (self.var_types(&c.params), c.mutability),
                    None => (Vec::new(), Mutability::NonPayable),
                };
                plain_function(params, vec![created], FnKind::Creation(id), mutability)
            }
            Ty::Array { len: None, .. } | Ty::Bytes(_) | Ty::String(_) => {
                plain_function(vec![self.uint()], vec![created], FnKind::ObjectCreation, Mutability::Pure)
            }
            Ty::Error => return self.error_expr(span),
            _ => {
                self.error(span, "contract or dynamic array type expected");
                return self.error_expr(span);
            }
        };
        let ty = self.intern(Ty::Function(f));
        Expr { kind: ExprKind::New(created), ty, span }
    }

    /// `f{value: x, gas: y, salt: z}`.
    pub fn call_options(
        &mut self,
        callee: &'a pt::Expression,
        list: &'a pt::Statement,
        args: Option<&Args<'a>>,
        span: Span,
    ) -> Expr {
        let callee = self.expr_called(callee, args);
        let span = Span { start: callee.span.start, ..span };
        let given: &[pt::NamedArgument] = match list {
            pt::Statement::Args(_, given) => given,
            pt::Statement::Block { statements, .. } if statements.is_empty() => &[],
            _ => {
                self.error(span, "expected call options");
                return self.error_expr(span);
            }
        };
        let mut options = CallOptions::default();
        for option in given {
            self.call_option(option, &mut options);
        }
        let Some(f) = self.fn_ty(callee.ty) else {
            if !self.is_error(callee.ty) {
                self.error(callee.span, "expected callable expression before call options");
            }
            return self.error_expr(span);
        };
        let mut f = f.clone();
        self.check_options(&f, &options, span);
        f.value_set |= options.value.is_some();
        f.gas_set |= options.gas.is_some();
        f.salt_set |= options.salt.is_some();
        let ty = self.intern(Ty::Function(f));
        Expr { kind: ExprKind::Options { callee: Box::new(callee), options }, ty, span }
    }

    fn call_option(&mut self, option: &'a pt::NamedArgument, options: &mut CallOptions) {
        let value = self.expr(&option.expr);
        let (slot, ty) = match option.name.name.as_str() {
            "value" => (&mut options.value, self.uint()),
            "gas" => (&mut options.gas, self.uint()),
            "salt" => (&mut options.salt, self.intern(Ty::FixedBytes(32))),
            other => {
                let message =
                    format!("unknown call option `{other}`: valid options are `salt`, `value` and `gas`");
                return self.error(span_of(&option.name.loc), message);
            }
        };
        self.expect(&value, ty);
        if slot.is_some() {
            let message = format!("duplicate option `{}`", option.name.name);
            self.error(span_of(&option.name.loc), message);
        }
        *slot = Some(Box::new(value));
    }

    fn check_options(&mut self, f: &FnTy, options: &CallOptions, span: Span) {
        let bare = matches!(
            f.kind,
            FnKind::Builtin(Builtin::Call | Builtin::DelegateCall | Builtin::StaticCall | Builtin::CallCode)
        );
        let creation = matches!(f.kind, FnKind::Creation(_));
        if !bare && !creation && !matches!(f.kind, FnKind::External | FnKind::DelegateCall) {
            let message =
                "function call options can only be set on external function calls or contract creations";
            return self.error(span, message);
        }
        if options.salt.is_some() && !creation {
            self.error(span, "call option `salt` can only be used with `new`");
        }
        if options.gas.is_some() && creation {
            self.error(span, "call option `gas` cannot be used with `new`");
        }
        if options.value.is_some() && f.mutability != Mutability::Payable {
            self.error(span, "cannot set option `value` on a non-payable function type");
        }
    }

    // What the language treats in its own way.

    fn meta_type(&mut self, args: Args<'a>, span: Span) -> Expr {
        let mut exprs = args.exprs.into_iter();
        let (Some(arg), None) = (exprs.next(), exprs.next()) else {
            self.error(span, "this function takes one argument");
            return self.error_expr(span);
        };
        match *self.ty(arg.ty) {
            Ty::Type(inner) => {
                let ty = self.intern(Ty::Magic(Magic::MetaType(inner)));
                Expr { kind: ExprKind::MetaType { ty: inner, arg: Box::new(arg) }, ty, span }
            }
            Ty::Error => self.error_expr(span),
            _ => {
                let message = "invalid type for argument in the function call: an enum type, contract type or an \
                               integer type is required";
                self.error(arg.span, message);
                self.error_expr(span)
            }
        }
    }

    /// The type of `abi.decode(data, (T, …))`.
    fn decoded(&mut self, args: &[Expr], span: Span) -> TyId {
        let [data, types] = args else {
            self.error(span, "this function takes two arguments");
            return self.sema.hir.types.error();
        };
        let calldata = self.intern(Ty::Bytes(Loc::Calldata));
        let memory = self.intern(Ty::Bytes(Loc::Memory));
        if !self.converts(data.ty, calldata) {
            self.expect(data, memory);
        }
        let parts: Vec<Option<TyId>> = match self.ty(types.ty) {
            Ty::Tuple(parts) => parts.clone(),
            Ty::Error => return types.ty,
            _ => vec![Some(types.ty)],
        };
        let mut decoded = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(Ty::Type(inner)) = part.map(|p| self.ty(p)) else {
                self.error(types.span, "argument has to be a type name");
                return self.sema.hir.types.error();
            };
            let mut inner = *inner;
            if matches!(self.ty(inner), Ty::Address { .. }) {
                inner = self.payable_address();
            }
            decoded.push(self.sema.hir.types.with_loc(inner, Loc::Memory));
        }
        self.result_type(&decoded)
    }

    /// `abi.encodeCall(f, (x, y))`.
    fn check_encode_call(&mut self, args: &[Expr], span: Span) {
        let [function, values] = args else {
            return self.error(
                span,
                "expected two arguments: a function followed by a tuple containing its arguments",
            );
        };
        let Some(f) = self.fn_ty(function.ty) else {
            if !self.is_error(function.ty) {
                self.error(function.span, "expected first argument to be a function type");
            }
            return;
        };
        let mut params = f.params.clone();
        // Types seen from outside: what a caller passes is in memory.
        for param in &mut params {
            if self.sema.hir.types.loc(*param) == Some(Loc::Calldata) {
                *param = self.sema.hir.types.with_loc(*param, Loc::Memory);
            }
        }
        let given: Vec<Option<TyId>> = match self.ty(values.ty) {
            Ty::Tuple(parts) => parts.clone(),
            Ty::Error => return,
            _ => vec![Some(values.ty)],
        };
        if given.len() != params.len() {
            let message = format!("expected {} arguments for the call but got {}", params.len(), given.len());
            return self.error(values.span, message);
        }
        for (given, param) in given.into_iter().zip(params) {
            if let Some(given) = given
                && !self.converts(given, param)
            {
                let message = format!(
                    "cannot implicitly convert component from `{}` to `{}`",
                    self.text_of(given),
                    self.text_of(param)
                );
                self.error(values.span, message);
            }
        }
    }
}
