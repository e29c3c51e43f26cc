//! Calls that leave the contract, for [`Policy::Paths`](super::Policy::Paths): somebody else answers what they like, and
//! may call the contract before they do.

use super::executor::{Executor, Run};
use super::flow::{Flow, join};
use super::paths::{Asked, Step};
use super::transaction::Entrance;
use crate::{Res, Tree, Unsupported, Var};
use hornet_ir::program::{CallKind, Create, ExternalCall, Gas, Stmt};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

impl<'p> Executor<'p> {
    /// A call of code that is not known.
    pub fn call_somebody(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        call: &ExternalCall,
        (target, value): (TermId, Option<TermId>),
    ) -> Res<()> {
        if matches!(call.kind, CallKind::Delegate | CallKind::Code) {
            return Err(Unsupported::new("code of others that works on the contract's own storage"));
        }
        self.is_callable(flow, target)?;
        let ok = self.cx.terms.fresh("ok", Sort::Bool);
        let returned = self.cx.fresh_bytes("returned");
        let reach = flow.reach(&mut self.cx.terms);
        if let Some(bytes) = self.program.types.find(&Type::Bytes) {
            self.limit_lengths(flow, bytes, &returned)?;
        }
        self.plain_answer(flow, target, value, (ok, &returned))?;
        let failed = flow.clone();
        if let Some(value) = value {
            self.pay(flow, target, value, ok)?;
        }
        let reenters = match (call.kind, call.gas) {
            (_, Gas::Stipend) => None,
            (CallKind::Static, _) => self.reenter(flow, target, ok, true)?,
            _ => self.reenter(flow, target, ok, false)?,
        };
        self.choose_state(flow, ok, &failed)?;
        self.paths.asked.push(Asked {
            reach,
            span: stmt.span,
            target,
            value,
            ok,
            returned: returned.clone(),
            reenters,
        });
        flow.state.set(Var::ReturnData, returned.clone());
        self.set(run, flow, call.ok, [ok].into());
        self.set(run, flow, call.result, returned);
        Ok(())
    }

    /// Whose code is known runs as it does, and what the machine itself provides computes: neither answers at will.
    fn is_callable(&mut self, flow: &mut Flow, target: TermId) -> Res<()> {
        let nobody = self.number_like(target, 0);
        if target == nobody {
            return Ok(());
        }
        self.is_somebody_else(flow, target)
    }

    /// Where there is no code, a call does nothing but bring the ether that there is.
    fn plain_answer(
        &mut self,
        flow: &mut Flow,
        target: TermId,
        value: Option<TermId>,
        (ok, returned): (TermId, &Tree),
    ) -> Res<()> {
        let nobody = self.number_like(target, 0);
        let has_code =
            if target == nobody { self.cx.terms.bool(false) } else { self.has_code(flow, target)? };
        let enough = match value {
            Some(value) => {
                let this = self.this();
                let balance = self.balance_of(flow, this)?;
                self.at_most(value, balance)
            }
            None => self.cx.terms.bool(true),
        };
        let zero = self.cx.word(0);
        let (empty, expected) = (self.cx.terms.eq(returned[0], zero), self.cx.terms.eq(ok, enough));
        let plain = self.cx.terms.and(empty, expected);
        let possible = self.cx.terms.or(has_code, plain);
        flow.assume(&self.cx.terms, possible);
        Ok(())
    }

    /// Whoever was called may call the contract, in any of its functions, before they answer.
    fn reenter(
        &mut self,
        flow: &mut Flow,
        target: TermId,
        ok: TermId,
        constant: bool,
    ) -> Res<Option<(TermId, Step)>> {
        if self.constructing || self.paths.nested >= self.paths.nesting {
            return Ok(None);
        }
        let again = self.cx.terms.fresh("reenters", Sort::Bool);
        let (mut quiet, mut inner) = (flow.clone(), flow.clone());
        let not_again = self.cx.terms.not(again);
        quiet.assume(&self.cx.terms, not_again);
        inner.assume(&self.cx.terms, again);
        inner.assume(&self.cx.terms, ok);
        let has_code = self.has_code(flow, target)?;
        inner.assume(&self.cx.terms, has_code);
        inner.state = self.lasting(&inner.state)?;
        let mut step = self.environment_of_step(&mut inner, Entrance::Nested { constant })?;
        self.paths.nested += 1;
        let ends = self.any_entry(&mut step, inner, Entrance::Nested { constant });
        self.paths.nested -= 1;
        // The caller goes on with its own variables and memory.
        let mut ways = vec![quiet];
        for mut end in ends? {
            let mut state = flow.state.clone();
            if !constant {
                for var in end.state.touched().collect::<Vec<_>>() {
                    let value = self.cx.get(&end.state, var)?;
                    state.set(var, value);
                }
            }
            end.state = state;
            ways.push(end);
        }
        if let Some(joined) = join(&mut self.cx, ways)? {
            *flow = joined;
        }
        Ok(Some((again, step)))
    }

    /// A contract that is created somewhere new. What its constructor does is not followed; it is taken to succeed.
    pub fn create_somebody(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        create: &Create,
    ) -> Res<()> {
        self.eval(flow, &run.proc.locals, run.frame, create.args)?;
        let value = match create.value {
            Some(value) => Some(self.scalar(flow, &run.proc.locals, run.frame, value)?),
            None => None,
        };
        let reach = flow.reach(&mut self.cx.terms);
        let address = self.cx.fresh("created", run.proc.locals[create.dst].ty)?[0];
        self.is_somebody_else(flow, address)?;
        let caller = self.cx.get(&flow.state, Var::Caller)?[0];
        let another = self.cx.terms.ne(address, caller);
        flow.assume(&self.cx.terms, another);
        let ok = self.cx.terms.bool(true);
        if let Some(value) = value {
            self.pay(flow, address, value, ok)?;
        }
        if self.awareness().code {
            self.set_code_size(flow, address, 1)?;
        }
        self.paths.created.push(address);
        let returned = self.cx.bytes_const(&[]);
        self.paths.asked.push(Asked {
            reach,
            span: stmt.span,
            target: address,
            value,
            ok,
            returned: returned.clone(),
            reenters: None,
        });
        self.set(run, flow, create.dst, [address].into());
        self.set(run, flow, create.ok, [ok].into());
        flow.state.set(Var::ReturnData, returned.clone());
        self.set(run, flow, create.result, returned);
        Ok(())
    }
}
