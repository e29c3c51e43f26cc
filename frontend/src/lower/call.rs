//! Calls of functions: which procedure a name means, and internal calls. Calls that leave the contract are in `external`.

use super::func::{FnLower, Panic};
use crate::hir::{self, CallKind, CallOptions, Expr, ExprKind, FnKind, FnTy, Member, Ref, Ty};
use hornet_ir::ids::{ExprId, LocalId, ProcId};
use hornet_ir::program::{Callee, StmtKind};

/// A call expression taken apart.
pub(super) struct CallParts<'h> {
    pub callee: &'h Expr,
    pub options: Vec<&'h CallOptions>,
    pub args: &'h [Expr],
    pub eval_order: Option<&'h [u32]>,
    pub fn_ty: FnTy,
}

/// The callee without parentheses and call options, and the options from the outside in.
pub(super) fn peel_callee(mut callee: &Expr) -> (&Expr, Vec<&CallOptions>) {
    let mut options = Vec::new();
    loop {
        match &callee.kind {
            ExprKind::Options { callee: inner, options: more } => {
                options.push(more);
                callee = inner;
            }
            ExprKind::Tuple(parts) => match parts.as_slice() {
                [Some(inner)] => callee = inner,
                _ => return (callee, options),
            },
            _ => return (callee, options),
        }
    }
}

impl<'h> FnLower<'_, 'h> {
    /// `None` if the expression is not a call of something with a function type.
    pub(super) fn call_parts(&self, e: &'h Expr) -> Option<CallParts<'h>> {
        let ExprKind::Call { callee, kind: CallKind::Function, args, eval_order } = &e.kind else {
            return None;
        };
        let (callee, options) = peel_callee(callee);
        let Ty::Function(fn_ty) = self.ty(callee.ty).clone() else { return None };
        let eval_order = self.written_order(eval_order);
        Some(CallParts { callee, options, args, eval_order, fn_ty })
    }

    /// The order of named arguments. The default code generator sorts them first, whatever was written.
    pub(super) fn written_order<'o>(&self, eval_order: &'o Option<Vec<u32>>) -> Option<&'o [u32]> {
        eval_order.as_deref().filter(|_| self.low.options.via_ir)
    }

    /// A call of a function type that is not built in; the results.
    pub(super) fn function_call(&mut self, e: &'h Expr) -> Vec<ExprId> {
        if self.spec.is_some() {
            return self.called_in_spec(e);
        }
        let Some(call) = self.call_parts(e) else {
            let ty = self.ir_ty(e.ty);
            return vec![self.unsupported(e.span, "call of this expression", ty)];
        };
        match call.fn_ty.kind {
            FnKind::Internal => self.internal_call(&call),
            FnKind::External | FnKind::DelegateCall => self.external_call(&call, e.span),
            FnKind::Creation(contract) => vec![self.creation_call(&call, contract, e.span)],
            FnKind::Event(event) => {
                self.emit_event(event, call.args, call.eval_order);
                Vec::new()
            }
            FnKind::ObjectCreation => vec![self.new_object(call.args, e)],
            FnKind::Builtin(builtin) => self.builtin_call(builtin, call.callee, call.args, e),
            FnKind::Error(_) | FnKind::Declaration => {
                let ty = self.ir_ty(e.ty);
                vec![self.unsupported(e.span, "call of this kind of function", ty)]
            }
        }
    }

    fn internal_call(&mut self, call: &CallParts<'h>) -> Vec<ExprId> {
        let params = &call.fn_ty.params;
        if let ExprKind::Member { base, member: Member::Attached(function), .. } = &call.callee.kind {
            let function = *function;
            let receiver = self.rvalue_as(base, params[0]);
            let receiver =
                if call.args.iter().any(|a| self.has_effects(a)) { self.pin(receiver) } else { receiver };
            let mut args = vec![receiver];
            args.extend(self.args_as(call.args, &params[1..], call.eval_order));
            return self.call_function(function, args);
        }
        match self.called_function(call.callee) {
            Some(function) => {
                let args = self.args_as(call.args, params, call.eval_order);
                self.call_function(function, args)
            }
            None => self.pointer_call(call),
        }
    }

    /// The function that a callee names in this context; `None` for computed function values.
    pub(super) fn called_function(&self, callee: &Expr) -> Option<hir::FunctionId> {
        match &callee.kind {
            ExprKind::Name(Ref::Function(f)) => Some(self.virtual_target(*f)),
            ExprKind::Member { member: Member::Decl(Ref::Function(f)), .. } => Some(*f),
            ExprKind::Member { member: Member::SuperFunction(f), .. } => Some(self.super_target(*f)),
            ExprKind::Member { member: Member::Attached(f), .. } => Some(*f),
            ExprKind::Tuple(parts) => match parts.as_slice() {
                [Some(inner)] => self.called_function(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// The most derived override of a function called by its plain name.
    pub(super) fn virtual_target(&self, function: hir::FunctionId) -> hir::FunctionId {
        let decl = &self.hir().functions[function];
        match self.context {
            Some(context) if decl.visibility != hir::Visibility::Private => {
                self.low.most_derived(context, function)
            }
            _ => function,
        }
    }

    /// What `super.f` means here: the next implementation after the contract at hand in the linearisation of the most
    /// derived contract.
    pub(super) fn super_target(&self, function: hir::FunctionId) -> hir::FunctionId {
        let (Some(context), Some(here)) = (self.context, self.written_in) else { return function };
        let hir = self.hir();
        let wanted = self.low.override_key(function);
        let name = &hir.functions[function].name;
        let linearized = &hir.contracts[context].linearized;
        linearized
            .iter()
            .skip_while(|c| **c != here)
            .skip(1)
            .flat_map(|c| &hir.contracts[*c].functions)
            .copied()
            .find(|f| {
                let decl = &hir.functions[*f];
                decl.body.is_some() && decl.name == *name && self.low.override_key(*f) == wanted
            })
            .unwrap_or(function)
    }

    /// Calls a function's procedure in this context.
    pub(super) fn call_function(&mut self, function: hir::FunctionId, args: Vec<ExprId>) -> Vec<ExprId> {
        let proc: ProcId = self.low.proc_of(self.context, function);
        let hir = self.hir();
        let dsts: Vec<LocalId> = hir.functions[function]
            .returns
            .iter()
            .map(|r| {
                let ty = self.ir_ty(hir.vars[*r].ty);
                self.b.fresh(ty)
            })
            .collect();
        self.b.call(&dsts, proc, &args);
        dsts.into_iter().map(|d| self.get(d)).collect()
    }

    fn pointer_call(&mut self, call: &CallParts<'h>) -> Vec<ExprId> {
        let target = self.rvalue(call.callee);
        let target = self.pin(target);
        let args = self.args_as(call.args, &call.fn_ty.params, call.eval_order);
        let ty = self.low.program.exprs.ty(target);
        let zero = self.p().default_of(ty);
        let initialised = self.p().ne(target, zero);
        self.require_or_panic(initialised, Panic::ZeroFunction, None);
        let dsts: Vec<LocalId> = call
            .fn_ty
            .returns
            .iter()
            .map(|r| {
                let ty = self.ir_ty(*r);
                self.b.fresh(ty)
            })
            .collect();
        self.b.stmt(StmtKind::Call { dsts: dsts.clone(), callee: Callee::Pointer(target), args });
        dsts.into_iter().map(|d| self.get(d)).collect()
    }
}
