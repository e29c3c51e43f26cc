//! Expressions to values. `raw` gives the value with the expression's own type; the other entry points convert.

use super::func::FnLower;
use crate::hir::Builtin;
use crate::hir::{
    BinaryOp, CallKind, Expr, ExprKind, FnKind, FunctionId, Loc, Member, Ref, Ty, TyId, UnaryOp, VarId,
    VarKind,
};
use hornet_ir::U256;
use hornet_ir::expr::{Builtin as IrBuiltin, EnvVar};
use hornet_ir::ids::ExprId;

impl<'h> FnLower<'_, 'h> {
    /// The value of an expression; literals get their mobile type.
    pub fn rvalue(&mut self, e: &'h Expr) -> ExprId {
        let mobile = self.mobile(e.ty);
        self.rvalue_as(e, mobile)
    }

    /// The value of an expression, converted.
    pub fn rvalue_as(&mut self, e: &'h Expr, to: TyId) -> ExprId {
        let value = self.raw(e);
        self.convert(value, e.ty, to, e.span)
    }

    /// All values of a tuple or of a call with several results, each converted after all have been evaluated.
    pub fn rvalues_as(&mut self, e: &'h Expr, to: &[TyId]) -> Vec<ExprId> {
        let values = self.raw_values(e);
        values.iter().zip(to).map(|((value, ty), to)| self.convert(*value, *ty, *to, e.span)).collect()
    }

    /// Arguments, each evaluated and converted in turn, in the order of the parameters unless another is given.
    pub fn args_as(&mut self, args: &'h [Expr], tys: &[TyId], eval_order: Option<&[u32]>) -> Vec<ExprId> {
        let order: Vec<usize> = match eval_order {
            Some(order) => order.iter().map(|i| *i as usize).filter(|i| *i < args.len()).collect(),
            None => (0..args.len()).collect(),
        };
        let mut values: Vec<Option<ExprId>> = vec![None; args.len()];
        for (position, i) in order.iter().enumerate() {
            let ty = match tys.get(*i) {
                Some(ty) => *ty,
                None => self.mobile(args[*i].ty),
            };
            let value = self.rvalue_as(&args[*i], ty);
            let later_effects = order[position + 1..].iter().any(|j| self.has_effects(&args[*j]));
            values[*i] = Some(if later_effects { self.pin(value) } else { value });
        }
        values.into_iter().flatten().collect()
    }

    /// An expression as a statement.
    pub fn effect(&mut self, e: &'h Expr) {
        match &e.kind {
            ExprKind::Assign { op, left, right } => {
                self.assign(*op, left, right, e, false);
            }
            ExprKind::Unary { op, operand, function: None } => match op {
                UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                    self.step(*op, operand, e, false);
                }
                UnaryOp::Delete | UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Neg | UnaryOp::Plus => {
                    self.discard(e);
                }
            },
            ExprKind::Call { .. } => {
                self.call(e);
            }
            ExprKind::Conditional { cond, then, other } => self.conditional_effect(cond, then, other),
            ExprKind::Tuple(items) => {
                for item in items.iter().flatten() {
                    self.effect(item);
                }
            }
            _ => self.discard(e),
        }
    }

    /// Evaluates for the checks on the way.
    fn discard(&mut self, e: &'h Expr) {
        let value = self.raw(e);
        if self.can_fail(value) {
            self.pin(value);
        }
    }

    /// The value with the expression's own type. For literals a stand-in that only `convert` understands.
    pub fn raw(&mut self, e: &'h Expr) -> ExprId {
        if self.is_literal(e.ty) {
            return self.literal_placeholder(e.ty);
        }
        match &e.kind {
            ExprKind::Bool(b) => self.low.program.const_bool(*b),
            ExprKind::Address(bytes) => {
                let ty = self.low.program.types.address();
                let mut word = [0u8; 32];
                word[12..].copy_from_slice(bytes);
                self.low.program.const_of(ty, U256::from_be_bytes(word))
            }
            ExprKind::Name(name) => self.name(*name, true, e),
            ExprKind::Member { base, member, .. } => self.member(base, member, e),
            ExprKind::Index { base, index: Some(index) } => self.index(base, index, e),
            ExprKind::Slice { base, start, end } => self.slice(base, start.as_deref(), end.as_deref()),
            ExprKind::Call { .. } => {
                let values = self.call(e);
                self.single(&values, e)
            }
            ExprKind::Unary { op, operand, function } => self.unary_expr(*op, operand, *function, e),
            ExprKind::Binary { op, left, right, common, function } => match (op, function) {
                (_, Some(function)) => self.operator_call(*function, &[left, right]),
                (BinaryOp::And | BinaryOp::Or, None) if self.spec.is_some() => {
                    self.spec_connective(*op, left, right)
                }
                (BinaryOp::And | BinaryOp::Or, None) => self.short_circuit(*op, left, right),
                (_, None) => self.binary(e, *op, left, right, *common),
            },
            ExprKind::Assign { op, left, right } => self.assign(*op, left, right, e, true),
            ExprKind::Conditional { cond, then, other } => {
                let values = self.conditional(cond, then, other, &[e.ty]);
                self.single(&values, e)
            }
            ExprKind::Tuple(items) => match items.first() {
                Some(Some(inner)) if items.len() == 1 => self.raw(inner),
                _ => {
                    let values = self.raw_values(e);
                    let values: Vec<_> = values.iter().map(|v| v.0).collect();
                    self.single(&values, e)
                }
            },
            ExprKind::Array(items) => self.array_literal(items, e),
            ExprKind::Spec(spec) => self.spec_expr(spec, e),
            ExprKind::Options { callee, .. } => self.raw(callee),
            // Not values: whoever uses them looks at the expression itself.
            ExprKind::TypeName(_)
            | ExprKind::New(_)
            | ExprKind::MetaType { .. }
            | ExprKind::Index { index: None, .. } => self.no_value(e),
            ExprKind::Number | ExprKind::String(_) | ExprKind::Error => {
                let ir = self.ir_ty(e.ty);
                self.unsupported(e.span, "expression without a type", ir)
            }
        }
    }

    fn single(&mut self, values: &[ExprId], e: &Expr) -> ExprId {
        match values.first() {
            Some(value) => *value,
            None => self.no_value(e),
        }
    }

    /// A stand-in for what is not a value.
    fn no_value(&mut self, e: &Expr) -> ExprId {
        let ir = self.ir_ty(e.ty);
        self.low.program.default_of(ir)
    }

    /// The values of a tuple (nested ones flattened) or call with their types, evaluated from left to right and
    /// independent of each other.
    pub fn raw_values(&mut self, e: &'h Expr) -> Vec<(ExprId, TyId)> {
        let tys = self.leaf_types(e.ty);
        match &e.kind {
            ExprKind::Tuple(items) if items.len() == 1 => match &items[0] {
                Some(inner) => self.raw_values(inner),
                None => Vec::new(),
            },
            ExprKind::Tuple(items) => {
                let mut values = Vec::with_capacity(items.len());
                for (i, item) in items.iter().enumerate() {
                    let Some(item) = item else { continue };
                    let later_effects = items[i + 1..].iter().flatten().any(|x| self.has_effects(x));
                    for (value, ty) in self.raw_values(item) {
                        values.push((if later_effects { self.pin(value) } else { value }, ty));
                    }
                }
                values
            }
            ExprKind::Call { .. } if matches!(self.ty(e.ty), Ty::Tuple(_)) => {
                self.call(e).into_iter().zip(tys).collect()
            }
            ExprKind::Conditional { cond, then, other } if tys.len() != 1 => {
                self.conditional(cond, then, other, &tys).into_iter().zip(tys).collect()
            }
            _ => vec![(self.raw(e), e.ty)],
        }
    }

    fn unary_expr(
        &mut self,
        op: UnaryOp,
        operand: &'h Expr,
        function: Option<FunctionId>,
        e: &'h Expr,
    ) -> ExprId {
        if let Some(function) = function {
            return self.operator_call(function, &[operand]);
        }
        match op {
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.step(op, operand, e, true)
            }
            UnaryOp::Delete => {
                let lvalue = self.lvalue(operand);
                self.delete(&lvalue);
                self.no_value(e)
            }
            UnaryOp::Not | UnaryOp::BitNot | UnaryOp::Neg | UnaryOp::Plus => self.unary(op, operand, e),
        }
    }

    /// Any call, by what is called.
    pub fn call(&mut self, e: &'h Expr) -> Vec<ExprId> {
        let ExprKind::Call { callee, kind, args, eval_order } = &e.kind else { return vec![self.raw(e)] };
        match kind {
            CallKind::Conversion => match args.first() {
                Some(arg) => vec![self.conversion(arg, e)],
                None => Vec::new(),
            },
            CallKind::StructConstructor(id) => {
                vec![self.struct_value(*id, args, self.written_order(eval_order), e)]
            }
            CallKind::Function => match self.fn_kind(callee) {
                Some(FnKind::Builtin(builtin)) => self.builtin_call(builtin, callee, args, e),
                Some(FnKind::ObjectCreation) => vec![self.new_object(args, e)],
                // Before 0.4.21 events were called without `emit`.
                Some(FnKind::Event(_)) => {
                    self.emit_stmt(e);
                    Vec::new()
                }
                _ => self.function_call(e),
            },
        }
    }

    /// `T(x)`; also `address(L)` of a library.
    fn conversion(&mut self, arg: &'h Expr, e: &'h Expr) -> ExprId {
        if let Ty::Type(named) = *self.ty(arg.ty)
            && let Ty::Contract { id, .. } = *self.ty(named)
        {
            return self.low.program.library_address(super::types::contract_id(id));
        }
        self.rvalue_as(arg, e.ty)
    }

    pub fn fn_kind(&self, callee: &Expr) -> Option<FnKind> {
        match self.ty(callee.ty) {
            Ty::Function(f) => Some(f.kind),
            _ => None,
        }
    }

    /// What a name stands for. `virtual_lookup`: a function is its most derived override.
    fn name(&mut self, name: Ref, virtual_lookup: bool, e: &'h Expr) -> ExprId {
        match name {
            Ref::Var(var) => self.var_value(var, e),
            Ref::Function(function) => self.function_value(function, virtual_lookup, e),
            Ref::This => self.low.program.env(EnvVar::This),
            Ref::Builtin(Builtin::Now) => self.low.program.env(EnvVar::Timestamp),
            Ref::Builtin(_)
            | Ref::Modifier(_)
            | Ref::Contract(_)
            | Ref::Struct(_)
            | Ref::Enum(_)
            | Ref::UserType(_)
            | Ref::Event(_)
            | Ref::Error(_)
            | Ref::Module(_)
            | Ref::Msg
            | Ref::Block
            | Ref::Tx
            | Ref::Abi
            | Ref::Super => self.no_value(e),
        }
    }

    fn var_value(&mut self, var: VarId, e: &'h Expr) -> ExprId {
        if let Some(&value) = self.bindings.get(&var) {
            return value;
        }
        match self.hir().vars[var].kind {
            VarKind::Param | VarKind::Return | VarKind::Local => {
                let local = self.var_local(var);
                self.get(local)
            }
            VarKind::State | VarKind::Transient | VarKind::Immutable => {
                // As `C.x`, a public variable of another contract is only a name for its getter.
                if self.fn_kind(e) == Some(FnKind::Declaration) {
                    return self.no_value(e);
                }
                match self.state_place(var) {
                    Some(place) => self.load_place(place),
                    None => {
                        let ir = self.ir_ty(e.ty);
                        self.unsupported(e.span, "state variable of another contract", ir)
                    }
                }
            }
            VarKind::Constant => self.constant_value(var),
            VarKind::Bound => {
                let ir = self.ir_ty(e.ty);
                self.unsupported(e.span, "variable of another annotation", ir)
            }
        }
    }

    /// A constant is its initialiser, evaluated anew under the rules of the file that declares it.
    pub fn constant_value(&mut self, var: VarId) -> ExprId {
        let decl = &self.hir().vars[var];
        let ty = match self.low.tys.loc(decl.ty) {
            Some(Loc::StorageRef | Loc::StoragePtr) => self.low.tys.with_loc(decl.ty, Loc::Memory),
            _ => decl.ty,
        };
        let Some(init) = &decl.init else {
            let ir = self.ir_ty(ty);
            return self.unsupported(decl.span, "constant without a value", ir);
        };
        let file = self.hir().file(decl.span.file);
        let saved = (self.version, self.strict_abi, self.unchecked);
        (self.version, self.strict_abi, self.unchecked) = (file.version, file.abi_v2, false);
        let value = self.rvalue_as(init, ty);
        (self.version, self.strict_abi, self.unchecked) = saved;
        value
    }

    /// A function's name as a value: only internal functions are values by themselves.
    fn function_value(&mut self, function: FunctionId, virtual_lookup: bool, e: &'h Expr) -> ExprId {
        if self.fn_kind(e) != Some(FnKind::Internal) {
            return self.no_value(e);
        }
        let target = match self.context {
            Some(context) if virtual_lookup => self.low.most_derived(context, function),
            _ => function,
        };
        let proc = self.low.proc_of(self.context, target);
        self.low.program.fn_pointer(proc)
    }

    fn member(&mut self, base: &'h Expr, member: &'h Member, e: &'h Expr) -> ExprId {
        match member {
            Member::Field(_) => match self.place_of(e) {
                Some(place) => self.load_place(place),
                None => {
                    let ir = self.ir_ty(e.ty);
                    self.unsupported(e.span, "member of this expression", ir)
                }
            },
            Member::EnumValue(i) => {
                let ir = self.ir_ty(e.ty);
                self.low.program.const_of(ir, U256::from(*i))
            }
            Member::Decl(decl) => {
                self.effect_of_name(base);
                self.name(*decl, false, e)
            }
            Member::SuperFunction(function) => {
                let target = self.super_target(*function);
                self.function_value(target, false, e)
            }
            Member::External(function) => {
                let signature = self.hir().functions[*function].signature.as_ref();
                self.external_value(base, signature.map(|s| s.selector), e)
            }
            Member::Getter(var) => {
                let getter = self.hir().vars[*var].getter.as_ref();
                self.external_value(base, getter.map(|g| g.signature.selector), e)
            }
            Member::Attached(_) => {
                self.raw(base);
                self.no_value(e)
            }
            Member::Builtin(builtin) => self.builtin_member(*builtin, base, e),
        }
    }

    /// The base of a qualified name is usually a mere name, but it may be an expression that has effects.
    fn effect_of_name(&mut self, base: &'h Expr) {
        if self.has_effects(base) {
            self.effect(base);
        }
    }

    /// An external function of a contract instance: its address and selector.
    fn external_value(&mut self, base: &'h Expr, selector: Option<[u8; 4]>, e: &'h Expr) -> ExprId {
        let address = self.raw(base);
        match (self.fn_kind(e), selector) {
            (Some(FnKind::External), Some(selector)) => {
                let selector = self.selector_const(selector);
                self.low.program.builtin(IrBuiltin::MakeFnExternal, &[address, selector])
            }
            _ => self.no_value(e),
        }
    }
}
