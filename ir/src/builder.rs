//! Convenient construction of programs: typed expressions with the trivial cases folded, and procedures block by block.

use crate::expr::{AbiMode, ArithOp, BinOp, Builtin, EnvVar, Expr, Place, Root, Step, UnOp, step_type};
use crate::ids::{
    BlockId, BoundId, ContractId, ExprId, Id, IdVec, LocalId, PlaceId, ProcId, StateVarId, TypeId,
};
use crate::interp::arith;
use crate::program::{Block, Callee, Local, Proc, ProcKind, Program, Stmt, StmtKind, Terminator};
use crate::span::Span;
use crate::spec::Clause;
use crate::types::Type;
use crate::typing;
use crate::visit::successors;
use ruint::aliases::U256;

/// Expressions. Types are computed; operands are trusted to be of the types that the operation wants.
impl Program {
    /// A scalar constant; the word is brought into the type's representation.
    pub fn const_of(&mut self, ty: TypeId, word: U256) -> ExprId {
        let word = arith::clean(self.types.get(ty), word);
        self.exprs.add(Expr::Const(word), ty)
    }

    /// A `uint256` constant.
    pub fn const_word(&mut self, word: impl Into<U256>) -> ExprId {
        let ty = self.types.word();
        self.const_of(ty, word.into())
    }

    pub fn const_bool(&mut self, value: bool) -> ExprId {
        let ty = self.types.bool();
        self.const_of(ty, U256::from(value))
    }

    pub fn const_bytes(&mut self, bytes: &[u8]) -> ExprId {
        let ty = self.types.bytes();
        self.exprs.add(Expr::BytesConst(bytes.into()), ty)
    }

    /// The zero of a type.
    pub fn default_of(&mut self, ty: TypeId) -> ExprId {
        match self.types.get(ty) {
            t if t.is_scalar() && !t.is_wide() => self.const_of(ty, U256::ZERO),
            Type::Bytes => self.const_bytes(&[]),
            _ => self.exprs.add(Expr::Default, ty),
        }
    }

    pub fn local(&mut self, local: LocalId, ty: TypeId) -> ExprId {
        self.exprs.add(Expr::Local(local), ty)
    }

    /// The value of a scalar constant expression.
    pub fn constant(&self, e: ExprId) -> Option<U256> {
        match self.exprs.get(e) {
            Expr::Const(w) => Some(*w),
            _ => None,
        }
    }

    fn constant_bytes(&self, e: ExprId) -> Option<&[u8]> {
        match self.exprs.get(e) {
            Expr::BytesConst(b) => Some(b),
            _ => None,
        }
    }

    /// Whether an expression is the constant `true`.
    pub fn is_true(&self, e: ExprId) -> bool {
        self.is_const(e, 1) && *self.types.get(self.exprs.ty(e)) == Type::Bool
    }

    fn is_const(&self, e: ExprId, word: u64) -> bool {
        self.constant(e) == Some(U256::from(word))
    }

    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let ty = self.exprs.ty(a);
        if let Some(w) = self.constant(a) {
            return self.const_of(ty, arith::unary(op, self.types.get(ty), w));
        }
        match *self.exprs.get(a) {
            Expr::Unary(inner, b) if inner == op => b,
            _ => self.exprs.add(Expr::Unary(op, a), ty),
        }
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnOp::Not, a)
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let operand = self.exprs.ty(a);
        let ty = if typing::is_comparison(op) { self.types.bool() } else { operand };
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b)) {
            return self.const_of(ty, arith::binary(op, self.types.get(operand), x, y));
        }
        if let Some(simple) = self.simplify(op, a, b) {
            return simple;
        }
        self.exprs.add(Expr::Binary(op, a, b), ty)
    }

    /// Neutral elements and connectives with a constant side.
    fn simplify(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Option<ExprId> {
        match op {
            BinOp::Add | BinOp::Or | BinOp::Xor if self.is_const(b, 0) => Some(a),
            BinOp::Add | BinOp::Or | BinOp::Xor if self.is_const(a, 0) => Some(b),
            BinOp::Sub | BinOp::Shl | BinOp::Shr if self.is_const(b, 0) => Some(a),
            BinOp::Mul if self.is_const(b, 1) => Some(a),
            BinOp::Mul if self.is_const(a, 1) => Some(b),
            BinOp::Div if self.is_const(b, 1) => Some(a),
            BinOp::BoolAnd if self.is_const(a, 1) || self.is_const(b, 0) => Some(b),
            BinOp::BoolAnd if self.is_const(b, 1) || self.is_const(a, 0) => Some(a),
            BinOp::BoolOr if self.is_const(a, 0) || self.is_const(b, 1) => Some(b),
            BinOp::BoolOr if self.is_const(b, 0) || self.is_const(a, 1) => Some(a),
            _ => None,
        }
    }

    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Add, a, b)
    }

    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Sub, a, b)
    }

    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Mul, a, b)
    }

    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Eq, a, b)
    }

    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Ne, a, b)
    }

    pub fn lt(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Lt, a, b)
    }

    pub fn le(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::Le, a, b)
    }

    /// Boolean conjunction.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::BoolAnd, a, b)
    }

    /// Boolean disjunction.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinOp::BoolOr, a, b)
    }

    pub fn fits(&mut self, op: ArithOp, a: ExprId, b: ExprId) -> ExprId {
        let operand = self.exprs.ty(a);
        if let (Some(x), Some(y)) = (self.constant(a), self.constant(b)) {
            return self.const_bool(arith::fits(op, self.types.get(operand), x, y));
        }
        let ty = self.types.bool();
        self.exprs.add(Expr::Fits(op, a, b), ty)
    }

    pub fn ite(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> ExprId {
        match self.constant(cond) {
            Some(w) if w.is_zero() => other,
            Some(_) => then,
            None if then == other => then,
            None => {
                let ty = self.exprs.ty(then);
                self.exprs.add(Expr::Ite(cond, then, other), ty)
            }
        }
    }

    pub fn cast(&mut self, e: ExprId, to: TypeId) -> ExprId {
        let from = self.exprs.ty(e);
        if from == to {
            return e;
        }
        let (source, target) = (self.types.get(from), self.types.get(to));
        match self.constant(e) {
            Some(w) if source.is_scalar() && target.is_scalar() && !target.is_wide() => {
                let word = arith::cast(source, target, w);
                self.const_of(to, word)
            }
            _ => self.exprs.add(Expr::Cast(e), to),
        }
    }

    pub fn env(&mut self, var: EnvVar) -> ExprId {
        let ty = self.types.intern(typing::env_type(var));
        self.exprs.add(Expr::Env(var), ty)
    }

    /// The type that a builtin returns. A slice of calldata has its first argument's type.
    fn builtin_type(&mut self, builtin: Builtin, args: &[ExprId]) -> TypeId {
        match (typing::builtin_signature(builtin).1.exact(), args.first()) {
            (Some(ty), _) => self.types.intern(ty),
            (None, Some(first)) => self.exprs.ty(*first),
            (None, None) => self.types.word(),
        }
    }

    pub fn builtin(&mut self, builtin: Builtin, args: &[ExprId]) -> ExprId {
        if let Some(folded) = self.fold_bytes(builtin, args) {
            return folded;
        }
        let ty = self.builtin_type(builtin, args);
        self.exprs.add(Expr::Builtin(builtin, args.into()), ty)
    }

    fn fold_bytes(&mut self, builtin: Builtin, args: &[ExprId]) -> Option<ExprId> {
        match builtin {
            Builtin::BytesLength => {
                let length = self.constant_bytes(*args.first()?)?.len();
                Some(self.const_word(U256::from(length)))
            }
            Builtin::BytesConcat => {
                let parts: Option<Vec<&[u8]>> = args.iter().map(|a| self.constant_bytes(*a)).collect();
                let joined = parts?.concat();
                Some(self.const_bytes(&joined))
            }
            _ => None,
        }
    }

    // Only in specifications.

    /// The value of a variable of an annotation.
    pub fn bound(&mut self, var: BoundId) -> ExprId {
        let ty = self.bound_vars[var].ty;
        self.exprs.add(Expr::Bound(var), ty)
    }

    pub fn old(&mut self, value: ExprId) -> ExprId {
        self.in_other_state(value, Expr::Old)
    }

    pub fn before(&mut self, value: ExprId) -> ExprId {
        self.in_other_state(value, Expr::Before)
    }

    fn in_other_state(&mut self, value: ExprId, state: fn(ExprId) -> Expr) -> ExprId {
        match self.exprs.get(value) {
            // The same in every state.
            Expr::Const(_) | Expr::BytesConst(_) | Expr::Default | Expr::Bound(_) => value,
            _ => {
                let ty = self.exprs.ty(value);
                self.exprs.add(state(value), ty)
            }
        }
    }

    pub fn quantified(&mut self, forall: bool, vars: &[BoundId], body: ExprId) -> ExprId {
        if self.constant(body).is_some() {
            return body;
        }
        let ty = self.types.bool();
        self.exprs.add(Expr::Quantified { forall, vars: vars.into(), body }, ty)
    }

    /// `ty` is an integer that holds any such sum.
    pub fn sum(&mut self, vars: &[BoundId], place: PlaceId, ty: TypeId) -> ExprId {
        self.exprs.add(Expr::Sum { vars: vars.into(), place }, ty)
    }

    pub fn deep_eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.types.bool();
        self.exprs.add(Expr::DeepEq(a, b), ty)
    }

    pub fn fn_pointer(&mut self, proc: ProcId) -> ExprId {
        let ty = self.types.intern(Type::FnInternal);
        self.exprs.add(Expr::FnPointer(proc), ty)
    }

    pub fn library_address(&mut self, library: ContractId) -> ExprId {
        let ty = self.types.address();
        self.exprs.add(Expr::LibraryAddress(library), ty)
    }

    /// `abi.encode` and its relatives; arguments are encoded as their own types (references: what they point to).
    pub fn abi_encode(&mut self, mode: AbiMode, selector: Option<ExprId>, args: &[ExprId]) -> ExprId {
        let types = args
            .iter()
            .map(|a| {
                let ty = self.exprs.ty(*a);
                self.types.referent(ty).unwrap_or(ty)
            })
            .collect();
        self.abi_encode_as(mode, true, selector, types, args)
    }

    pub fn abi_encode_as(
        &mut self,
        mode: AbiMode,
        strict: bool,
        selector: Option<ExprId>,
        types: Vec<TypeId>,
        args: &[ExprId],
    ) -> ExprId {
        let ty = self.types.bytes();
        let (types, args) = (types.into(), args.into());
        self.exprs.add(Expr::AbiEncode { mode, strict, selector, types, args }, ty)
    }

    /// A place; `None` if one of the steps does not exist in the type before it.
    pub fn place(&mut self, root: Root, steps: &[Step]) -> Option<PlaceId> {
        let mut ty = match root {
            Root::State(var) => self.state[var].ty,
            Root::Storage(e) | Root::Memory(e) | Root::Calldata(e) => {
                self.types.referent(self.exprs.ty(e))?
            }
        };
        for step in steps {
            ty = step_type(&mut self.types, root.location(), ty, *step)?;
        }
        Some(self.exprs.add_place(Place { root, steps: steps.into() }, ty))
    }

    /// A whole state variable.
    pub fn state_place(&mut self, var: StateVarId) -> PlaceId {
        let ty = self.state[var].ty;
        self.exprs.add_place(Place { root: Root::State(var), steps: Box::new([]) }, ty)
    }

    pub fn load(&mut self, place: PlaceId) -> ExprId {
        let ty = self.exprs.place_ty(place);
        self.exprs.add(Expr::Load(place), ty)
    }

    pub fn length(&mut self, place: PlaceId) -> ExprId {
        let ty = self.types.word();
        self.exprs.add(Expr::Length(place), ty)
    }

    /// A reference to a place in storage.
    pub fn storage_ref(&mut self, place: PlaceId) -> ExprId {
        let ty = self.exprs.place_ty(place);
        let ty = self.types.intern(Type::StorageRef(ty));
        self.exprs.add(Expr::Ref(place), ty)
    }
}

/// A procedure under construction. There is always a current block; after a terminator it is one that nothing
/// reaches until the caller switches to another, so code after `return` needs no special care.
#[derive(Clone, Debug)]
pub struct ProcBuilder {
    proc: Proc,
    current: BlockId,
    span: Option<Span>,
}

impl ProcBuilder {
    pub fn new(name: &str, contract: Option<ContractId>, kind: ProcKind) -> Self {
        let mut blocks = IdVec::new();
        let entry = blocks.push(empty_block());
        let proc = Proc {
            name: name.to_owned(),
            contract,
            kind,
            params: Vec::new(),
            rets: Vec::new(),
            locals: IdVec::new(),
            blocks,
            entry,
            span: None,
            function: None,
            spec: None,
        };
        ProcBuilder { proc, current: entry, span: None }
    }

    /// Statements added from now on come from here in the source.
    pub fn at(&mut self, span: Option<Span>) {
        self.span = span;
    }

    pub fn param(&mut self, name: &str, ty: TypeId) -> LocalId {
        let local = self.named(name, ty);
        self.proc.params.push(local);
        local
    }

    pub fn ret(&mut self, ty: TypeId) {
        self.proc.rets.push(ty);
    }

    pub fn named(&mut self, name: &str, ty: TypeId) -> LocalId {
        self.proc.locals.push(Local { name: name.to_owned(), ty, span: self.span })
    }

    /// A new temporary.
    pub fn fresh(&mut self, ty: TypeId) -> LocalId {
        self.named("", ty)
    }

    pub fn local_type(&self, local: LocalId) -> TypeId {
        self.proc.locals[local].ty
    }

    /// Whether the local was made by [`ProcBuilder::fresh`] or is a parameter without a name: nobody reassigns it.
    pub fn is_temporary(&self, local: LocalId) -> bool {
        self.proc.locals[local].name.is_empty()
    }

    /// Whether nothing has been put into a block yet.
    pub fn is_untouched(&self, block: BlockId) -> bool {
        let block = &self.proc.blocks[block];
        block.stmts.is_empty() && block.terminator == Terminator::Unreachable
    }

    /// The expression for a local of this procedure.
    pub fn get(&self, program: &mut Program, local: LocalId) -> ExprId {
        program.local(local, self.local_type(local))
    }

    pub fn block(&mut self) -> BlockId {
        self.proc.blocks.push(empty_block())
    }

    pub fn current(&self) -> BlockId {
        self.current
    }

    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Marks the current block as the head of a loop, with what is claimed about it.
    pub fn loop_head(&mut self, span: Span, invariants: Vec<Clause>) {
        let block = &mut self.proc.blocks[self.current];
        block.loop_head = Some(span);
        block.invariants = invariants;
    }

    pub fn stmt(&mut self, kind: StmtKind) {
        let span = self.span;
        self.proc.blocks[self.current].stmts.push(Stmt { kind, span });
    }

    pub fn assign(&mut self, dst: LocalId, value: ExprId) {
        self.stmt(StmtKind::Assign { dst, value });
    }

    pub fn store(&mut self, place: PlaceId, value: ExprId) {
        self.stmt(StmtKind::Store { place, value });
    }

    pub fn call(&mut self, dsts: &[LocalId], proc: ProcId, args: &[ExprId]) {
        self.stmt(StmtKind::Call { dsts: dsts.to_vec(), callee: Callee::Proc(proc), args: args.to_vec() });
    }

    /// Ends the current block.
    pub fn terminate(&mut self, terminator: Terminator) {
        let span = self.span;
        let block = &mut self.proc.blocks[self.current];
        block.terminator = terminator;
        block.span = span;
        self.current = self.block();
    }

    pub fn goto(&mut self, target: BlockId) {
        self.terminate(Terminator::Goto(target));
    }

    pub fn branch(&mut self, cond: ExprId, then: BlockId, other: BlockId) {
        self.terminate(Terminator::Branch { cond, then, other });
    }

    pub fn ret_values(&mut self, values: &[ExprId]) {
        self.terminate(Terminator::Return(values.to_vec()));
    }

    pub fn revert(&mut self, payload: ExprId) {
        self.terminate(Terminator::Revert(payload));
    }

    /// Goes on only if the condition holds; otherwise reverts with the payload.
    pub fn require(&mut self, cond: ExprId, payload: ExprId) {
        let (bad, good) = (self.block(), self.block());
        self.branch(cond, good, bad);
        self.switch_to(bad);
        self.revert(payload);
        self.switch_to(good);
    }

    /// The procedure without the blocks that nothing reaches. What is checked there is kept, in a block of its own.
    pub fn finish(mut self) -> Proc {
        let blocks = &self.proc.blocks;
        let mut reached: Vec<bool> = vec![false; blocks.len()];
        let mut todo = vec![self.proc.entry];
        while let Some(block) = todo.pop() {
            if !std::mem::replace(&mut reached[block.index()], true) {
                todo.extend(successors(&blocks[block].terminator));
            }
        }
        let mut next = 0;
        let renumbered: Vec<BlockId> = reached
            .iter()
            .map(|kept| {
                let id = BlockId::from_usize(next);
                next += usize::from(*kept);
                id
            })
            .collect();
        let mut dead = empty_block();
        for (mut block, kept) in std::mem::take(&mut self.proc.blocks).into_iter().zip(&reached) {
            if *kept {
                redirect(&mut block.terminator, |target| renumbered[target.index()]);
                self.proc.blocks.push(block);
            } else {
                let checks = block.stmts.into_iter().filter(|s| matches!(s.kind, StmtKind::Check { .. }));
                dead.stmts.extend(checks);
            }
        }
        if !dead.stmts.is_empty() {
            self.proc.blocks.push(dead);
        }
        self.proc.entry = renumbered[self.proc.entry.index()];
        self.proc
    }
}

/// Changes where a terminator goes.
fn redirect(terminator: &mut Terminator, to: impl Fn(BlockId) -> BlockId) {
    match terminator {
        Terminator::Goto(target) => *target = to(*target),
        Terminator::Branch { then, other, .. } => {
            *then = to(*then);
            *other = to(*other);
        }
        Terminator::Return(_)
        | Terminator::Revert(_)
        | Terminator::Halt(_)
        | Terminator::Invalid
        | Terminator::Unreachable => {}
    }
}

fn empty_block() -> Block {
    Block {
        stmts: Vec::new(),
        terminator: Terminator::Unreachable,
        span: None,
        loop_head: None,
        invariants: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_expressions_fold() {
        let mut p = Program::default();
        let (two, three) = (p.const_word(U256::from(2)), p.const_word(U256::from(3)));
        let five = p.add(two, three);
        assert_eq!(p.constant(five), Some(U256::from(5)));
        let word = p.types.word();
        let x = p.local(LocalId(0), word);
        let zero = p.const_word(U256::ZERO);
        assert_eq!(p.add(x, zero), x);
        let (t, f) = (p.const_bool(true), p.const_bool(false));
        let cond = p.lt(x, two);
        assert_eq!(p.and(cond, t), cond);
        assert_eq!(p.and(cond, f), f);
        let negated = p.not(cond);
        assert_eq!(p.not(negated), cond);
        assert_eq!(p.ite(t, x, two), x);
        let small = p.types.uint(8);
        let cut = p.const_word(U256::from(0x1ff));
        let cut = p.cast(cut, small);
        assert_eq!(p.constant(cut), Some(U256::from(0xff)));
    }

    #[test]
    fn blocks_after_a_terminator_are_dead_until_switched() {
        let mut p = Program::default();
        let mut b = ProcBuilder::new("f", None, ProcKind::Internal);
        let ok = p.const_bool(true);
        let nothing = p.const_bytes(&[]);
        b.require(ok, nothing);
        b.ret_values(&[]);
        let proc = b.finish();
        assert_eq!(
            proc.blocks[proc.entry].terminator,
            Terminator::Branch { cond: ok, then: BlockId(2), other: BlockId(1) }
        );
        assert_eq!(proc.blocks[BlockId(2)].terminator, Terminator::Return(Vec::new()));
    }
}
