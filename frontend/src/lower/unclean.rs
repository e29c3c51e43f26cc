//! Bits beyond a type. The compiler cleans values when it needs them, not when it makes them: a `uint8` that wrapped
//! around, or that assembly assigned, may have any bits above its eight; so may what the old ABI coder decoded. Only assembly
//! can tell, so what it reads of a variable is known as far as the type goes. Types whose values are clean wherever they come
//! from are found here.

use super::func::FnLower;
use crate::hir::yul::{self, Part, Target};
use crate::hir::{
    BinaryOp, Block, Builtin, CallKind, Expr, ExprKind, FnKind, FunctionKind, Hir, Loc, Stmt, StmtKind, Ty,
    TyId, UnaryOp, VarId,
};
use hornet_ir::U256;
use hornet_ir::expr::BinOp;
use hornet_ir::ids::ExprId;
use hornet_ir::program::StmtKind as IrStmt;
use std::collections::BTreeSet;

/// What is narrower than a word. Types with the same representation are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Narrow {
    Bool,
    Enum,
    Int {
        bits: u16,
        signed: bool,
    },
    /// Addresses and contracts.
    Address,
    /// Aligned to the left.
    FixedBytes(u8),
}

impl Narrow {
    pub(super) fn of(hir: &Hir, ty: &Ty) -> Option<Narrow> {
        Some(match ty {
            Ty::Bool => Narrow::Bool,
            Ty::Int { bits, signed } if *bits < 256 => Narrow::Int { bits: *bits, signed: *signed },
            Ty::Enum(_) => Narrow::Enum,
            Ty::Address { .. } | Ty::Contract { .. } => Narrow::Address,
            Ty::FixedBytes(len) if *len < 32 => Narrow::FixedBytes(*len),
            Ty::UserType(id) => return Narrow::of(hir, hir.types.get(hir.user_types[*id].underlying)),
            _ => return None,
        })
    }

    /// Bits of a number, from the right.
    fn bits(self) -> Option<u16> {
        match self {
            Narrow::Bool => Some(1),
            Narrow::Enum => Some(8),
            Narrow::Int { bits, signed } => Some(bits - u16::from(signed)),
            Narrow::Address => Some(160),
            Narrow::FixedBytes(_) => None,
        }
    }

    /// Whether every clean value of `self` is a clean value of the other.
    fn fits(self, other: Narrow) -> bool {
        match (self, other) {
            // Conversions look whether it is a member.
            (Narrow::Enum, Narrow::Int { .. }) | (Narrow::Int { .. }, Narrow::Enum) => true,
            (Narrow::Int { bits, signed: false }, Narrow::Int { bits: wider, signed }) => {
                bits + u16::from(signed) <= wider
            }
            (Narrow::Int { bits, signed: true }, Narrow::Int { bits: wider, signed: true }) => bits <= wider,
            (Narrow::FixedBytes(len), Narrow::FixedBytes(longer)) => len <= longer,
            _ => self == other,
        }
    }
}

/// The types of which some value may not be clean.
pub(super) fn unclean_types(hir: &Hir) -> BTreeSet<Narrow> {
    let blocks = assemblies(hir);
    let old_coder = hir.files.iter().any(|file| !file.abi_v2);
    let mut found = Unclean { hir, types: BTreeSet::new(), memory: old_coder, storage: false, old_coder };
    if blocks.is_empty() {
        return found.types;
    }
    for assembly in blocks {
        let functions = assembly.functions.iter().map(|f| &f.body);
        functions.chain([&assembly.body]).for_each(|body| found.yul(body));
    }
    hir.for_each_expr(&mut |e| found.expr(e));
    if old_coder {
        found.constructor_parameters();
    }
    // Numbers in storage are cut to their size when they are read; what is not zero is true, and enums are not looked at.
    if found.storage {
        found.types.insert(Narrow::Bool);
    }
    if found.storage || old_coder {
        found.types.insert(Narrow::Enum);
    }
    found.types
}

/// All assembly of the sources.
pub(super) fn assemblies(hir: &Hir) -> Vec<&yul::Assembly> {
    let mut found = Vec::new();
    let bodies = hir.functions.iter().filter_map(|f| f.body.as_ref());
    for body in bodies.chain(hir.modifiers.iter().filter_map(|m| m.body.as_ref())) {
        assemblies_in(body, &mut found);
    }
    found
}

fn assemblies_in<'h>(block: &'h Block, found: &mut Vec<&'h yul::Assembly>) {
    block.stmts.iter().for_each(|stmt| assemblies_of(stmt, found));
}

fn assemblies_of<'h>(stmt: &'h Stmt, found: &mut Vec<&'h yul::Assembly>) {
    match &stmt.kind {
        StmtKind::Assembly(assembly) => found.push(assembly),
        StmtKind::Block(block) => assemblies_in(block, found),
        StmtKind::If { then, other, .. } => {
            assemblies_of(then, found);
            other.iter().for_each(|stmt| assemblies_of(stmt, found));
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
            assemblies_of(body, found);
        }
        StmtKind::Try { body, catches, .. } => {
            assemblies_in(body, found);
            catches.iter().for_each(|catch| assemblies_in(&catch.body, found));
        }
        _ => {}
    }
}

struct Unclean<'h> {
    hir: &'h Hir,
    types: BTreeSet<Narrow>,
    /// Something but the language writes memory, where values are not cleaned when they are read.
    memory: bool,
    /// Or storage.
    storage: bool,
    /// Some file decodes without looking whether values fit their types.
    old_coder: bool,
}

impl Unclean<'_> {
    fn narrow(&self, ty: TyId) -> Option<Narrow> {
        Narrow::of(self.hir, self.hir.types.get(ty))
    }

    /// Results that the compiler leaves as the machine computed them.
    fn expr(&mut self, e: &Expr) {
        self.call(e);
        let Some(narrow) = self.narrow(e.ty) else { return };
        let unclean = match &e.kind {
            ExprKind::Call { kind: CallKind::Conversion, args, .. } => args.iter().any(|arg| {
                let is_literal =
                    matches!(self.hir.types.get(arg.ty), Ty::Rational { .. } | Ty::StringLiteral(_));
                !is_literal && !self.narrow(arg.ty).is_some_and(|from| from.fits(narrow))
            }),
            ExprKind::Unary { op, .. } => matches!(
                op,
                UnaryOp::BitNot
                    | UnaryOp::Neg
                    | UnaryOp::PreInc
                    | UnaryOp::PreDec
                    | UnaryOp::PostInc
                    | UnaryOp::PostDec
            ),
            ExprKind::Binary { op, .. } | ExprKind::Assign { op: Some(op), .. } => matches!(
                op,
                BinaryOp::Add
                    | BinaryOp::Sub
                    | BinaryOp::Mul
                    | BinaryOp::Div
                    | BinaryOp::Mod
                    | BinaryOp::Exp
                    | BinaryOp::Shl
                    | BinaryOp::Shr
            ),
            ExprKind::Index { base, .. } | ExprKind::Member { base, .. } => {
                self.memory && self.hir.types.loc(base.ty) == Some(Loc::Memory)
            }
            _ => false,
        };
        if unclean {
            self.types.insert(narrow);
        }
    }

    /// These are decoded from memory, as nothing else that comes from outside.
    fn constructor_parameters(&mut self) {
        let constructors = self.hir.functions.iter().filter(|f| f.kind == FunctionKind::Constructor);
        let types: Vec<TyId> =
            constructors.flat_map(|f| &f.params).map(|var| self.hir.vars[*var].ty).collect();
        let narrow: Vec<Narrow> = types.into_iter().filter_map(|ty| self.narrow(ty)).collect();
        self.types.extend(narrow);
    }

    /// What calls of others give back, and what they may do to storage.
    fn call(&mut self, e: &Expr) {
        let ExprKind::Call { callee, kind: CallKind::Function, .. } = &e.kind else { return };
        let Ty::Function(function) = self.hir.types.get(callee.ty) else { return };
        match function.kind {
            FnKind::External | FnKind::DelegateCall | FnKind::Builtin(Builtin::AbiDecode)
                if self.old_coder =>
            {
                let decoded = match self.hir.types.get(e.ty) {
                    Ty::Tuple(parts) => parts.iter().flatten().copied().collect(),
                    _ => vec![e.ty],
                };
                self.types.extend(
                    decoded.into_iter().filter_map(|ty| Narrow::of(self.hir, self.hir.types.get(ty))),
                );
            }
            FnKind::Builtin(Builtin::DelegateCall | Builtin::CallCode) => self.storage = true,
            _ => {}
        }
    }

    fn yul(&mut self, body: &[yul::Stmt]) {
        for stmt in body {
            match &stmt.kind {
                yul::StmtKind::Assign { targets, value } => {
                    targets.iter().for_each(|target| self.assigned(*target, value));
                    self.yul_expr(value);
                }
                yul::StmtKind::Let { value, .. } => value.iter().for_each(|e| self.yul_expr(e)),
                yul::StmtKind::Expr(e) => self.yul_expr(e),
                yul::StmtKind::Block(body) => self.yul(body),
                yul::StmtKind::If { cond, body } => {
                    self.yul_expr(cond);
                    self.yul(body);
                }
                yul::StmtKind::Switch { value, cases, default } => {
                    self.yul_expr(value);
                    cases.iter().map(|(_, body)| body).chain(default).for_each(|body| self.yul(body));
                }
                yul::StmtKind::For { init, cond, step, body } => {
                    self.yul_expr(cond);
                    [init, step, body].into_iter().for_each(|body| self.yul(body));
                }
                yul::StmtKind::Break | yul::StmtKind::Continue | yul::StmtKind::Leave => {}
            }
        }
    }

    fn yul_expr(&mut self, e: &yul::Expr) {
        if let yul::ExprKind::Opcode { name, .. } = &e.kind {
            let writes = ["mstore", "mstore8", "mcopy", "call", "staticcall", "delegatecall", "callcode"];
            self.memory |= writes.contains(&&**name) || name.ends_with("copy");
            self.storage |= ["sstore", "tstore", "delegatecall", "callcode"].contains(&&**name);
        }
        if let yul::ExprKind::Opcode { args, .. } | yul::ExprKind::Call { args, .. } = &e.kind {
            args.iter().for_each(|arg| self.yul_expr(arg));
        }
    }

    fn assigned(&mut self, target: Target, value: &yul::Expr) {
        let Target::Solidity(var, part) = target else { return };
        match part {
            Part::Value => {}
            Part::Address => return self.becomes_unclean(Narrow::Address),
            Part::Selector => return self.becomes_unclean(Narrow::FixedBytes(4)),
            Part::Slot | Part::Offset | Part::Length => return,
        }
        if let Some(narrow) = self.narrow(self.hir.vars[var].ty)
            && !self.is_clean(value, narrow)
        {
            self.types.insert(narrow);
        }
    }

    fn becomes_unclean(&mut self, narrow: Narrow) {
        self.types.insert(narrow);
    }

    /// Whether a word is certainly a clean value of the type.
    fn is_clean(&self, e: &yul::Expr, narrow: Narrow) -> bool {
        let fits = |bits: u16| narrow.bits().is_some_and(|wanted| bits <= wanted);
        match &e.kind {
            yul::ExprKind::Literal(number) => match narrow {
                Narrow::FixedBytes(len) => (*number << (8 * usize::from(len))).is_zero(),
                _ => fits(number.bit_len() as u16),
            },
            yul::ExprKind::Var(Target::Solidity(var, Part::Value)) => {
                self.narrow(self.hir.vars[*var].ty) == Some(narrow)
            }
            yul::ExprKind::Var(_) | yul::ExprKind::Call { .. } => false,
            yul::ExprKind::Opcode { name, args } => match (&**name, args.as_slice()) {
                ("iszero" | "eq" | "lt" | "gt" | "slt" | "sgt", _) => fits(1),
                ("call" | "staticcall" | "delegatecall" | "callcode", _) => fits(1),
                ("byte", _) => fits(8),
                ("caller" | "origin" | "address" | "coinbase" | "create" | "create2", _) => fits(160),
                // Of what is negative, the bits beyond are ones.
                ("and", [a, b]) if matches!(narrow, Narrow::Int { signed: true, .. }) => {
                    self.is_clean(a, narrow) && self.is_clean(b, narrow)
                }
                ("and", [a, b]) => self.is_clean(a, narrow) || self.is_clean(b, narrow),
                ("or", [a, b]) => self.is_clean(a, narrow) && self.is_clean(b, narrow),
                ("shr", [yul::Expr { kind: yul::ExprKind::Literal(by), .. }, _]) => {
                    *by >= U256::from(256) || fits(256 - by.to::<u16>())
                }
                _ => false,
            },
        }
    }
}

impl FnLower<'_, '_> {
    /// A variable's word as assembly sees it, given the word of its value.
    pub(super) fn with_unknown_bits(&mut self, var: VarId, clean: ExprId) -> ExprId {
        let hir = self.hir();
        let narrow = Narrow::of(hir, hir.types.get(hir.vars[var].ty));
        let Some(narrow) = narrow.filter(|narrow| self.low.unclean.contains(narrow)) else { return clean };
        let word = self.p().types.word();
        let unknown = self.b.fresh(word);
        self.b.stmt(IrStmt::Havoc { dst: unknown });
        let unknown = self.get(unknown);
        let shifted = |f: &mut Self, op: BinOp, by: u16| {
            let by = f.const_word(u64::from(by));
            let bits = f.p().binary(op, unknown, by);
            f.p().binary(BinOp::Add, clean, bits)
        };
        match narrow {
            // A number that is no member need not even fit the type.
            Narrow::Enum => self.p().binary(BinOp::Add, clean, unknown),
            // Whatever is not zero is true.
            Narrow::Bool => {
                let zero = self.const_word(0u64);
                let (is_false, plain) = (self.p().eq(clean, zero), self.p().eq(unknown, zero));
                let other = self.p().ite(plain, clean, unknown);
                self.p().ite(is_false, clean, other)
            }
            Narrow::Int { bits, .. } => shifted(self, BinOp::Shl, bits),
            Narrow::Address => shifted(self, BinOp::Shl, 160),
            Narrow::FixedBytes(len) => shifted(self, BinOp::Shr, 8 * u16::from(len)),
        }
    }
}
