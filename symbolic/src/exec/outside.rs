//! Calls that leave the contract, for [`Policy::Paths`](super::Policy::Paths): somebody else answers what they like, and
//! may call the contract before they do.

use super::executor::{Executor, Run};
use super::flow::{Flow, join};
use super::paths::{Asked, Step, Writes};
use super::transaction::Entrance;
use crate::{Res, Tree, Var};
use hornet_ir::program::{CallKind, Create, ExternalCall, Gas, StateKind, Stmt};
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};

impl<'p> Executor<'p> {
    /// A call of code that is not known.
    pub(super) fn call_somebody(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        call: &ExternalCall,
        (target, value): (TermId, Option<TermId>),
    ) -> Res<()> {
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
            self.balance_of(flow, target)?;
            self.pay(flow, target, value, ok)?;
        }
        let meanwhile = match (call.kind, call.gas) {
            (_, Gas::Stipend) => Vec::new(),
            // Whom another contract calls does not call back.
            _ if self.is_abroad() => Vec::new(),
            (CallKind::Static, _) => self.meanwhile(flow, target, ok, true)?,
            (CallKind::Call, _) => self.meanwhile(flow, target, ok, false)?,
            (CallKind::Delegate | CallKind::Code, _) => Vec::new(),
        };
        let writes = match call.kind {
            CallKind::Delegate | CallKind::Code if !self.is_abroad() => {
                Some(self.write_foreign(flow, target)?)
            }
            _ => None,
        };
        self.choose_state(flow, ok, &failed)?;
        self.paths.asked.push(Asked {
            reach,
            span: stmt.span,
            target,
            value,
            ok,
            returned: returned.clone(),
            meanwhile,
            writes,
        });
        flow.state.set(Var::ReturnData, returned.clone());
        self.set(run, flow, call.ok, [ok].into());
        self.set(run, flow, call.result, returned);
        Ok(())
    }

    /// Code of others that works on the contract's own storage leaves anything there, or leaves it alone.
    fn write_foreign(&mut self, flow: &mut Flow, target: TermId) -> Res<Writes> {
        let happens = self.cx.terms.fresh("writes", Sort::Bool);
        let has_code = self.has_code(flow, target)?;
        let possible = self.cx.terms.implies(happens, has_code);
        flow.assume(&self.cx.terms, possible);
        let untouched = flow.clone();
        let mut storage = Vec::new();
        for var in &self.program.contracts[self.contract].state {
            if self.program.state[*var].kind == StateKind::Storage {
                self.cx.havoc(&mut flow.state, Var::State(*var))?;
                storage.push((*var, self.cx.get(&flow.state, Var::State(*var))?));
            }
        }
        self.choose_state(flow, happens, &untouched)?;
        Ok(Writes { happens, storage })
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

    /// Whoever was called may call the contract, in any of its functions, and force ether on it before they answer.
    fn meanwhile(
        &mut self,
        flow: &mut Flow,
        target: TermId,
        ok: TermId,
        constant: bool,
    ) -> Res<Vec<(TermId, Step)>> {
        let mut happens = Vec::new();
        if self.constructing || self.paths.nested >= self.paths.nesting {
            return Ok(happens);
        }
        let entrance = Entrance::Nested { constant };
        let has_code = self.has_code(flow, target)?;
        let begun = self.cx.terms.and(ok, has_code);
        if !constant {
            let outer = flow.clone();
            let forced = self.perhaps(flow, begun, |ex, inner| {
                let step = ex.forced_ether(inner, entrance)?;
                Ok((step, vec![inner.clone()]))
            })?;
            happens.extend(forced);
            self.back_in(&outer, flow)?;
        }
        let outer = flow.clone();
        let reentered = self.perhaps(flow, begun, |ex, inner| {
            inner.state = ex.lasting(&inner.state)?;
            let mut step = ex.environment_of_step(inner, entrance)?;
            ex.paths.nested += 1;
            let ends = ex.any_entry(&mut step, inner.clone(), entrance);
            ex.paths.nested -= 1;
            Ok((Some(step), ends?))
        })?;
        happens.extend(reentered);
        if constant {
            flow.state = outer.state
        } else {
            self.back_in(&outer, flow)?
        }
        Ok(happens)
    }

    /// Something that others do or do not, if `begun` holds.
    fn perhaps(
        &mut self,
        flow: &mut Flow,
        begun: TermId,
        act: impl FnOnce(&mut Self, &mut Flow) -> Res<(Option<Step>, Vec<Flow>)>,
    ) -> Res<Option<(TermId, Step)>> {
        let does = self.cx.terms.fresh("meanwhile", Sort::Bool);
        let (mut quiet, mut inner) = (flow.clone(), flow.clone());
        let does_not = self.cx.terms.not(does);
        quiet.assume(&self.cx.terms, does_not);
        inner.assume(&self.cx.terms, does);
        inner.assume(&self.cx.terms, begun);
        let (Some(step), mut ends) = act(self, &mut inner)? else { return Ok(None) };
        ends.push(quiet);
        if let Some(joined) = join(&mut self.cx, ends)? {
            *flow = joined;
        }
        Ok(Some((does, step)))
    }

    /// The caller goes on with its own variables and memory, in the world that others have left behind.
    fn back_in(&mut self, outer: &Flow, flow: &mut Flow) -> Res<()> {
        let world = self.lasting(&flow.state)?;
        let mut state = outer.state.clone();
        for var in world.touched().filter(|var| *var != Var::Overflow).collect::<Vec<_>>() {
            let value = self.cx.get(&world, var)?;
            state.set(var, value);
        }
        flow.state = state;
        Ok(())
    }

    /// A contract that is created somewhere new. If what its constructor does is not followed, it is taken to succeed.
    pub fn create_somebody(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        create: &Create,
    ) -> Res<()> {
        let data = self.eval(flow, &run.proc.locals, run.frame, create.args)?;
        let value = match create.value {
            Some(value) => Some(self.scalar(flow, &run.proc.locals, run.frame, value)?),
            None => None,
        };
        let reach = flow.reach(&mut self.cx.terms);
        let before = self.paths.asked.len();
        if let Some(target) = self.create_known(run, flow, create, (&data, value))? {
            let (ok, returned) = (self.cx.terms.bool(true), self.cx.bytes_const(&[]));
            let (span, meanwhile) = (stmt.span, Vec::new());
            let asked = Asked { reach, span, target, value, ok, returned, meanwhile, writes: None };
            // What its constructor asks for comes after it.
            self.paths.asked.insert(before, asked);
            return Ok(());
        }
        let address = self.cx.fresh("created", run.proc.locals[create.dst].ty)?[0];
        self.is_somebody_else(flow, address)?;
        let caller = self.cx.get(&flow.state, Var::Caller)?[0];
        let another = self.cx.terms.ne(address, caller);
        flow.assume(&self.cx.terms, another);
        let ok = self.cx.terms.bool(true);
        if let Some(value) = value {
            self.balance_of(flow, address)?;
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
            meanwhile: Vec::new(),
            writes: None,
        });
        self.set(run, flow, create.dst, [address].into());
        self.set(run, flow, create.ok, [ok].into());
        flow.state.set(Var::ReturnData, returned.clone());
        self.set(run, flow, create.result, returned);
        Ok(())
    }
}
