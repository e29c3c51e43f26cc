//! Choosing among declarations of one name by the arguments of the call.

use super::bodies::Body;
use crate::hir::{Expr, FnKind, FnTy, Ty, TyId};
use hornet_ir::span::Span;
use solang_parser::pt;

/// Typed arguments of a call, as written.
pub(super) struct Args<'a> {
    pub exprs: Vec<Expr>,
    /// Given as `({name: value, …})`.
    pub names: Option<Vec<&'a pt::Identifier>>,
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn named_args(&mut self, args: &'a [pt::NamedArgument]) -> Args<'a> {
        Args {
            exprs: args.iter().map(|a| self.expr(&a.expr)).collect(),
            names: Some(args.iter().map(|a| &a.name).collect()),
        }
    }

    /// Names of the parameters of a function type that comes from a declaration.
    pub fn param_names(&self, f: &FnTy) -> Option<Vec<&str>> {
        let hir = &self.sema.hir;
        let of_function = |id| {
            let params = hir.functions[id].params.iter();
            params.map(|v| hir.vars[*v].name.as_str()).collect::<Vec<_>>()
        };
        match f.kind {
            FnKind::Event(id) => Some(hir.events[id].params.iter().map(|p| p.name.as_str()).collect()),
            FnKind::Error(id) => Some(hir.errors[id].params.iter().map(|p| p.0.as_str()).collect()),
            FnKind::Creation(id) => Some(hir.contracts[id].constructor.map(of_function).unwrap_or_default()),
            FnKind::Internal | FnKind::External | FnKind::DelegateCall | FnKind::Declaration => {
                f.decl.map(of_function)
            }
            FnKind::ObjectCreation | FnKind::Builtin(_) => None,
        }
    }

    /// Whether a function takes the arguments. `this`: what an attached function is called on.
    pub fn can_take(&self, f: &FnTy, this: Option<TyId>, args: &Args<'a>) -> bool {
        let mut params = f.params.as_slice();
        if f.attached {
            let Some((first, rest)) = params.split_first() else { return false };
            if this.is_some_and(|this| !self.converts(this, *first)) {
                return false;
            }
            params = rest;
        }
        if f.variadic {
            return true;
        }
        if params.len() != args.exprs.len() {
            return false;
        }
        let Some(names) = &args.names else {
            return params.iter().zip(&args.exprs).all(|(param, arg)| self.converts(arg.ty, *param));
        };
        let Some(mut param_names) = self.param_names(f) else { return false };
        if f.attached {
            param_names.remove(0);
        }
        names.iter().zip(&args.exprs).all(|(name, arg)| {
            let position = param_names.iter().position(|p| *p == name.name);
            position.is_some_and(|i| self.converts(arg.ty, params[i]))
        })
    }

    /// Picks one of several declarations. Without arguments, variables win over functions of the same name.
    pub fn resolve<T: Clone>(
        &mut self,
        mut candidates: Vec<(T, TyId)>,
        this: Option<TyId>,
        args: Option<&Args<'a>>,
        name: &str,
        span: Span,
    ) -> Option<(T, TyId)> {
        if candidates.len() == 1 {
            return candidates.pop();
        }
        let Some(args) = args else {
            let mut variables = candidates
                .iter()
                .filter(|(_, ty)| !matches!(self.ty(*ty), Ty::Function(f) if f.decl.is_some()));
            if let (Some(only), None) = (variables.next(), variables.next()) {
                return Some(only.clone());
            }
            self.error(span, format!("no unique declaration of `{name}` found after variable lookup"));
            return None;
        };
        let fitting: Vec<&(T, TyId)> = candidates
            .iter()
            .filter(|(_, ty)| match self.ty(*ty) {
                Ty::Function(f) => self.can_take(f, this, args),
                _ => true,
            })
            .collect();
        match fitting.as_slice() {
            [] => {
                let given: Vec<String> = args.exprs.iter().map(|a| self.text_of(a.ty)).collect();
                let message = format!(
                    "no matching declaration of `{name}` found after argument-dependent lookup for arguments ({})",
                    given.join(", ")
                );
                self.error(span, message);
                None
            }
            [only] => Some((*only).clone()),
            [first, ..] => {
                // Ambiguous for the compiler too; take the one that needs no conversion.
                let exact = fitting.iter().find(|(_, ty)| match self.ty(*ty) {
                    Ty::Function(f) => {
                        let params = &f.params[usize::from(f.attached)..];
                        params.len() == args.exprs.len()
                            && params.iter().zip(&args.exprs).all(|(p, a)| *p == a.ty)
                    }
                    _ => false,
                });
                Some((*exact.unwrap_or(first)).clone())
            }
        }
    }

    /// Checks the arguments of a call and puts them into the parameters' order. The second result lists, for named
    /// arguments, the parameters in the order written.
    pub fn arrange(
        &mut self,
        params: &[TyId],
        names: Option<&[String]>,
        args: Args<'a>,
        span: Span,
    ) -> (Vec<Expr>, Option<Vec<u32>>) {
        let Some(given) = args.names else {
            self.check_positional(params, &args.exprs, span, "function call");
            return (args.exprs, None);
        };
        let Some(names) = names else {
            if !args.exprs.is_empty() {
                self.error(span, "named arguments cannot be used for functions without parameter names");
            }
            return (args.exprs, None);
        };
        if given.len() != params.len() {
            let message = format!(
                "wrong argument count for function call: {} given but {} expected",
                given.len(),
                params.len()
            );
            self.error(span, message);
            return (args.exprs, None);
        }
        let mut slots: Vec<Option<Expr>> = params.iter().map(|_| None).collect();
        let mut order = Vec::with_capacity(given.len());
        for (name, arg) in given.into_iter().zip(args.exprs) {
            let Some(at) = names.iter().position(|n| *n == name.name) else {
                let message = format!("named argument `{}` does not match function declaration", name.name);
                self.error(super::span_of(&name.loc), message);
                continue;
            };
            self.expect(&arg, params[at]);
            if slots[at].is_some() {
                self.error(super::span_of(&name.loc), format!("duplicate named argument `{}`", name.name));
            }
            slots[at] = Some(arg);
            order.push(at as u32);
        }
        let exprs = slots.into_iter().map(|slot| slot.unwrap_or_else(|| self.error_expr(span))).collect();
        (exprs, Some(order))
    }
}
