//! One procedure under construction: variables, control flow targets, and small helpers that every part of lowering uses.

use super::{Instance, Lowering};
use crate::hir::{self, Ty, TyId};
use crate::version::Version;
use hornet_ir::U256;
use hornet_ir::builder::ProcBuilder;
use hornet_ir::ids::{BlockId, ExprId, LocalId, PlaceId, TypeId};
use hornet_ir::interp::value::{error_payload, panic_payload};
use hornet_ir::program::{ObligationKind, Proc, ProcKind, Program, StmtKind, Terminator};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use rustc_hash::FxHashMap;

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
pub(super) struct LoopTargets {
    pub on_break: BlockId,
    pub on_continue: BlockId,
}

/// What `return` does here: results are put into these locals, then control goes to the block.
#[derive(Clone)]
pub(super) struct ReturnTarget {
    pub values: Vec<LocalId>,
    pub block: BlockId,
}

/// Codes of `Panic(uint256)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Panic {
    Assert = 0x01,
    Arithmetic = 0x11,
    DivisionByZero = 0x12,
    EnumConversion = 0x21,
    EmptyPop = 0x31,
    OutOfBounds = 0x32,
    TooMuchMemory = 0x41,
    ZeroFunction = 0x51,
}

pub(super) struct FnLower<'l, 'h> {
    pub low: &'l mut Lowering<'h>,
    pub b: ProcBuilder,
    /// The most derived contract (or the library) that the code belongs to.
    pub context: Option<hir::ContractId>,
    /// The function being lowered; `None` in getters and other code of our own making.
    pub function: Option<hir::FunctionId>,
    /// The contract in which the code at hand is written: `super` starts from here.
    pub written_in: Option<hir::ContractId>,
    pub version: Version,
    /// ABI coder v2 in the file at hand.
    pub strict_abi: bool,
    pub unchecked: bool,
    pub vars: FxHashMap<hir::VarId, LocalId>,
    pub loops: Vec<LoopTargets>,
    pub on_return: Option<ReturnTarget>,
    /// What `_` stands for in the modifier at hand.
    pub placeholder: Option<super::modifier::Placeholder<'h>>,
    /// Modifiers and bodies inlined so far: each `_` is a copy of all that is inside.
    pub copies: u32,
    /// While in a modifier: what `return` does in the function around which it stands.
    pub results: Option<ReturnTarget>,
    /// The assembly block at hand.
    pub yul: Option<super::yul::YulScope<'h>>,
    /// While in an annotation.
    pub spec: Option<super::spec_expr::SpecMode>,
    /// Variables of annotations, and parameters of functions inlined into them.
    pub bindings: FxHashMap<hir::VarId, ExprId>,
    span: Option<Span>,
}

impl<'l, 'h> FnLower<'l, 'h> {
    pub fn new(
        low: &'l mut Lowering<'h>,
        name: &str,
        kind: ProcKind,
        context: Option<hir::ContractId>,
        span: Option<Span>,
    ) -> Self {
        let (version, strict_abi) = match span {
            Some(s) => (low.hir.version_at(s), low.hir.file(s.file).abi_v2),
            None => (Version::NEWEST, true),
        };
        let mut b = ProcBuilder::new(name, context.map(super::types::contract_id), kind);
        b.at(span);
        FnLower {
            low,
            b,
            context,
            function: None,
            written_in: None,
            version,
            strict_abi,
            unchecked: false,
            vars: FxHashMap::default(),
            loops: Vec::new(),
            on_return: None,
            placeholder: None,
            copies: 0,
            results: None,
            yul: None,
            spec: None,
            bindings: FxHashMap::default(),
            span,
        }
    }

    /// Lowers an internal function with its modifiers.
    pub fn function(low: &'l mut Lowering<'h>, instance: Instance) -> Proc {
        let hir = low.hir;
        let decl = &hir.functions[instance.function];
        let info = low.instance_info(instance);
        let mut f = FnLower::new(low, &decl.name, ProcKind::Internal, instance.context, Some(decl.span));
        f.function = Some(instance.function);
        f.written_in = decl.contract;
        f.function_body(decl);
        let spec = f.function_spec(decl);
        let mut proc = f.finish();
        proc.function = Some(Box::new(info));
        proc.spec = spec;
        proc
    }

    pub fn finish(self) -> Proc {
        let mut proc = self.b.finish();
        proc.span = self.span;
        proc
    }

    pub fn p(&mut self) -> &mut Program {
        &mut self.low.program
    }

    pub fn hir(&self) -> &'h hir::Hir {
        self.low.hir
    }

    pub fn ty(&self, ty: TyId) -> &Ty {
        self.low.tys.get(ty)
    }

    pub fn ir_ty(&mut self, ty: TyId) -> TypeId {
        self.low.ir_ty(ty)
    }

    /// Statements from now on come from this place.
    pub fn at(&mut self, span: Span) {
        self.b.at(Some(span));
    }

    /// The current value of a local.
    pub fn get(&mut self, local: LocalId) -> ExprId {
        self.b.get(&mut self.low.program, local)
    }

    /// Saves a value into a temporary.
    pub fn save(&mut self, value: ExprId) -> ExprId {
        let ty = self.low.program.exprs.ty(value);
        let tmp = self.b.fresh(ty);
        self.b.assign(tmp, value);
        self.get(tmp)
    }

    /// The local of a Solidity variable, created at its first mention.
    pub fn var_local(&mut self, var: hir::VarId) -> LocalId {
        if let Some(&local) = self.vars.get(&var) {
            return local;
        }
        self.declare_var(var)
    }

    /// A new local for a variable (each time its declaration is lowered anew, as in an inlined modifier).
    pub fn declare_var(&mut self, var: hir::VarId) -> LocalId {
        let decl = &self.hir().vars[var];
        let ty = self.ir_ty(decl.ty);
        let local = self.b.named(&decl.name, ty);
        self.vars.insert(var, local);
        local
    }

    /// Sets a new local to its initial value: zero; memory objects are allocated; storage and calldata pointers and
    /// dynamic memory arrays start as their default.
    pub fn init_default(&mut self, local: LocalId) {
        let ty = self.b.local_type(local);
        match *self.low.program.types.get(ty) {
            Type::MemoryRef(tree) => {
                let init = hornet_ir::program::AllocInit::Zero(tree);
                self.b.stmt(StmtKind::Alloc { dst: local, init });
            }
            _ => {
                let zero = self.low.program.default_of(ty);
                self.b.assign(local, zero);
            }
        }
    }

    /// Allocates in memory and gives the reference.
    pub fn alloc(&mut self, tree: TypeId, init: hornet_ir::program::AllocInit) -> ExprId {
        let ty = self.low.program.types.intern(Type::MemoryRef(tree));
        if let Some(mode) = &self.spec {
            let span = mode.span;
            // Nobody can tell a copy from its contents.
            if let hornet_ir::program::AllocInit::Copy(tree, value) = init {
                return self.tree_value(value, tree);
            }
            self.low.spec_error(span, "this needs a new object in memory: not supported in annotations");
            return self.low.program.default_of(ty);
        }
        let dst = self.b.fresh(ty);
        self.b.stmt(StmtKind::Alloc { dst, init });
        self.get(dst)
    }

    pub fn const_word<T>(&mut self, value: T) -> ExprId
    where
        U256: ruint::UintTryFrom<T>,
    {
        self.low.program.const_word(U256::from(value))
    }

    /// The contents of a `bytes`/`string`/tree behind a reference, as a value.
    pub fn deref(&mut self, reference: ExprId) -> ExprId {
        match self.ref_place(reference, &[]) {
            Some(place) => self.low.program.load(place),
            None => reference,
        }
    }

    /// The place reached from a reference by steps; `None` if the value is not a reference or the steps do not fit.
    pub fn ref_place(&mut self, reference: ExprId, steps: &[hornet_ir::expr::Step]) -> Option<PlaceId> {
        use hornet_ir::expr::{Expr, Root};
        let program = &mut self.low.program;
        // A reference to a place is extended in place: `Ref(a[i])` then `.f` is `a[i].f`.
        if let Expr::Ref(place) = *program.exprs.get(reference) {
            let base = program.exprs.place(place).clone();
            let all: Vec<_> = base.steps.iter().chain(steps).copied().collect();
            return program.place(base.root, &all);
        }
        let root = match program.types.get(program.exprs.ty(reference)) {
            Type::StorageRef(_) => Root::Storage(reference),
            Type::MemoryRef(_) => Root::Memory(reference),
            Type::CalldataRef(_) => Root::Calldata(reference),
            _ => return None,
        };
        self.refuse_other_state(reference);
        self.low.program.place(root, steps)
    }

    /// Reverts with `Panic(code)` unless the condition holds, after reporting the obligation if there is one. Before
    /// 0.8 the invalid instruction runs instead.
    pub fn require_or_panic(
        &mut self,
        cond: ExprId,
        panic: Panic,
        obligation: Option<(ObligationKind, Span)>,
    ) {
        if self.spec.is_some() {
            return;
        }
        if let Some((kind, span)) = obligation {
            let obligation = self.low.obligation(kind, span, self.context);
            self.b.stmt(StmtKind::Check { obligation, cond });
        }
        if self.low.program.constant(cond) == Some(U256::from(1)) {
            return;
        }
        let (bad, good) = (self.b.block(), self.b.block());
        self.b.branch(cond, good, bad);
        self.b.switch_to(bad);
        self.panic(panic);
        self.b.switch_to(good);
    }

    pub fn panic(&mut self, panic: Panic) {
        if self.version.panics() {
            let payload = self.low.program.const_bytes(&panic_payload(panic as u8));
            self.b.revert(payload);
        } else {
            self.b.terminate(Terminator::Invalid);
        }
    }

    /// Reverts without data unless the condition holds.
    pub fn require_or_revert(&mut self, cond: ExprId) {
        self.require_because(cond, "");
    }

    /// As [`Self::require_or_revert`]; with debugging revert strings it says why.
    pub fn require_because(&mut self, cond: ExprId, reason: &str) {
        if self.spec.is_some() || self.low.program.constant(cond) == Some(U256::from(1)) {
            return;
        }
        let explained = self.low.options.debug_reverts && !reason.is_empty();
        let payload = if explained { error_payload(reason.as_bytes()) } else { Vec::new() };
        let payload = self.low.program.const_bytes(&payload);
        self.b.require(cond, payload);
    }

    /// Records that something is not modelled; runs that get here stop saying anything. Gives a value to go on with.
    pub fn unsupported(&mut self, span: Span, what: impl Into<String>, ty: TypeId) -> ExprId {
        let what = what.into();
        if self.spec.is_some() {
            self.low.spec_error(span, format!("{what}: not supported in annotations"));
            return self.low.program.default_of(ty);
        }
        self.low.unsupported(span, what.clone());
        self.b.stmt(StmtKind::Unsupported { what });
        self.low.program.default_of(ty)
    }
}
