//! Instructions of inline assembly that have no typed meaning of their own, and code of others that runs on our storage.

use super::executor::{Executor, Run};
use super::flow::Flow;
use crate::{Res, Tree, Unsupported, Var};
use hornet_ir::expr::Expr;
use hornet_ir::ids::{ExprId, LocalId};
use hornet_ir::program::{EvmOp, Program};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

const WORD: Type = Type::Int { bits: 256, signed: false };

/// Whether an expression makes a reference to memory of a number.
pub fn makes_memory_reference(program: &Program, e: ExprId) -> bool {
    let is_reference = |e: ExprId| matches!(program.types.get(program.exprs.ty(e)), Type::MemoryRef(_));
    matches!(program.exprs.get(e), Expr::Cast(from) if is_reference(e) && !is_reference(*from))
}

impl<'p> Executor<'p> {
    /// The value of an expression. A reference made of an arbitrary number may lead into the middle of any object.
    pub fn assigned(&mut self, run: &Run<'p>, flow: &mut Flow, e: ExprId) -> Res<Tree> {
        let value = self.eval(flow, &run.proc.locals, run.frame, e);
        if value.is_ok() || !makes_memory_reference(self.program, e) {
            return value;
        }
        self.cx.spoil_memory(&mut flow.state);
        self.cx.fresh("reference", self.program.exprs.ty(e))
    }

    pub fn raw(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        (op, args, dsts): (EvmOp, &[ExprId], &[LocalId]),
        span: Span,
    ) -> Res<()> {
        // Instructions can fail where typed code cannot.
        let claims = self.subject.and_then(|id| self.program.procs[id].spec.as_deref());
        if claims.is_some_and(|spec| !spec.succeeds_if.is_empty()) {
            return Err(Unsupported::new("inline assembly in a function that must not fail"));
        }
        let args = args.iter().map(|a| self.scalar(flow, &run.proc.locals, run.frame, *a));
        let args = args.collect::<Res<Vec<TermId>>>()?;
        match op {
            EvmOp::MStore => self.cx.memory_store(&mut flow.state, args[0], args[1])?,
            EvmOp::MStore8 => self.cx.memory_copy(&mut flow.state, args[0], None)?,
            EvmOp::MCopy | EvmOp::CalldataCopy | EvmOp::CodeCopy | EvmOp::ReturndataCopy => {
                self.cx.memory_copy(&mut flow.state, args[0], Some(args[2]))?;
            }
            EvmOp::ExtCodeCopy => self.cx.memory_copy(&mut flow.state, args[1], Some(args[3]))?,
            EvmOp::SStore => {
                self.must_act(flow);
                self.cx.slot_store(&mut flow.state, args[0], args[1])?;
            }
            EvmOp::TStore => self.cx.blur_transient(&mut flow.state)?,
            EvmOp::Log if self.checks_events() => {
                return Err(Unsupported::new("event that inline assembly emits"));
            }
            EvmOp::Log => {}
            EvmOp::Call => {
                return self.raw_call(run, flow, (&args[1..2], Some(args[2]), &args[5..]), dsts, span);
            }
            EvmOp::StaticCall => return self.raw_call(run, flow, (&[], None, &args[4..]), dsts, span),
            EvmOp::DelegateCall | EvmOp::CallCode => {
                let ok = self.cx.terms.fresh("ok", Sort::Bool);
                self.foreign_code(flow, ok, span)?;
                let output = &args[args.len() - 2..];
                return self.raw_result(run, flow, ok, output, dsts);
            }
            EvmOp::Create | EvmOp::Create2 => {
                return Err(Unsupported::new("contract that inline assembly creates"));
            }
        }
        Ok(())
    }

    /// A call of whoever is there, with data that is not known. A target is given unless the call is static.
    fn raw_call(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        (target, value, output): (&[TermId], Option<TermId>, &[TermId]),
        dsts: &[LocalId],
        span: Span,
    ) -> Res<()> {
        if self.follows_paths() {
            return Err(Unsupported::new("call of inline assembly"));
        }
        let ok = self.cx.terms.fresh("ok", Sort::Bool);
        match target {
            [target] => {
                let target = self.cx.ints.cast(&mut self.cx.terms, &WORD, &Type::Address, *target);
                self.call_out(flow, (target, value), false, ok, span)?;
            }
            _ => self.look_outside(flow, span)?,
        }
        self.raw_result(run, flow, ok, output, dsts)
    }

    /// What a call leaves behind.
    fn raw_result(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        ok: TermId,
        output: &[TermId],
        dsts: &[LocalId],
    ) -> Res<()> {
        if let &[offset, length] = output {
            self.cx.memory_copy(&mut flow.state, offset, Some(length))?;
        }
        let returned = self.cx.fresh_bytes("returned");
        flow.state.set(Var::ReturnData, returned);
        let (one, zero) = (self.cx.word(1), self.cx.word(0));
        let success = self.cx.terms.ite(ok, one, zero);
        dsts.iter().for_each(|dst| self.set(run, flow, *dst, [success].into()));
        Ok(())
    }

    /// Code that is not known runs as if it were ours: it may leave anything in storage, and give others control with
    /// anything in there.
    pub fn foreign_code(&mut self, flow: &mut Flow, ok: TermId, span: Span) -> Res<()> {
        if self.follows_paths() {
            return Err(Unsupported::new("code of others that works on the contract's own storage"));
        }
        let failed = flow.clone();
        self.cx.havoc_storage(&mut flow.state)?;
        self.cx.havoc(&mut flow.state, Var::Balances)?;
        self.give_up_control(flow, span)?;
        self.cx.havoc_storage(&mut flow.state)?;
        self.cx.havoc(&mut flow.state, Var::Balances)?;
        self.choose_state(flow, ok, &failed)
    }
}
