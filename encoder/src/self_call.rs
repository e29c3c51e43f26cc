//! Calls that a contract makes to itself from outside (`this.f()`): the code is known, and who calls.

use crate::exec::{Executor, Run};
use crate::flow::{Flow, join};
use crate::targets::body_of;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::{ProcId, TypeId};
use hornet_ir::program::{CallKind, ExternalCall};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId};
use hornet_symbolic::{Res, Tree, Var};
use num_bigint::BigInt;

/// A function of the contract, and the arguments it is called with.
pub struct OwnFunction {
    entry: ProcId,
    body: ProcId,
    args: Vec<Tree>,
    data: Tree,
}

impl<'p> Executor<'p> {
    /// The function that a call to ourselves runs, if that is plain. A contract under construction cannot call itself.
    pub fn own_function(&mut self, kind: CallKind, target: TermId, data: &Tree) -> Option<OwnFunction> {
        if self.constructing || target != self.this() || matches!(kind, CallKind::Delegate | CallKind::Code) {
            return None;
        }
        let (selector, _, args) = self.cx.decoded_call(data)?;
        let selector = match self.cx.terms.op(selector) {
            Op::Int(n) => n.clone(),
            Op::BitVec(n, _) => BigInt::from(n.clone()),
            _ => return None,
        };
        let entries = &self.program.contracts[self.contract].entries;
        let entry = entries.iter().find(|e| BigInt::from(u32::from_be_bytes(e.selector)) == selector)?.proc;
        let body = body_of(self.program, entry)?;
        (args.len() == self.program.procs[entry].params.len()).then_some(OwnFunction {
            entry,
            body,
            args,
            data: data.clone(),
        })
    }

    pub fn call_self(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        span: Span,
        call: &ExternalCall,
        own: OwnFunction,
        value: Option<TermId>,
    ) -> Res<()> {
        let failed = flow.clone();
        let mut outer = Vec::new();
        for var in [Var::Caller, Var::CallValue, Var::CallData] {
            outer.push((var, self.cx.get(&flow.state, var)?));
        }
        let value = value.unwrap_or_else(|| self.cx.word(0));
        let this = self.this();
        flow.state.set(Var::Caller, [this].into());
        flow.state.set(Var::CallValue, [value].into());
        flow.state.set(Var::CallData, own.data.clone());
        let args = self.decoded_arguments(flow, own.entry, &own.args)?;
        let (succeeded, failed) = if self.is_modular(own.body) || !self.can_inline(own.entry) {
            let results = self.call_by_spec(flow, own.body, &args, span)?;
            let ok = self.cx.terms.fresh("ok", Sort::Bool);
            let not_ok = self.cx.terms.not(ok);
            let (mut good, mut bad) = (flow.clone(), failed);
            good.assume(&self.cx.terms, ok);
            bad.assume(&self.cx.terms, not_ok);
            (vec![(good, Some(results))], bad)
        } else {
            self.run_self(own.entry, &args, flow.clone(), failed)
        };
        let ends = self.ends(run, call, own.entry, succeeded, failed, &outer)?;
        let nowhere = ends.is_empty();
        if let Some(joined) = join(&mut self.cx, ends)? {
            *flow = joined;
        }
        if nowhere {
            let never = self.cx.terms.bool(false);
            flow.assume(&self.cx.terms, never);
        }
        Ok(())
    }

    /// Runs the entry's code in place: how it can succeed, and the state of a failed call.
    fn run_self(
        &mut self,
        entry: ProcId,
        args: &[Tree],
        mut inner: Flow,
        mut failed: Flow,
    ) -> (Vec<(Flow, Option<Vec<Tree>>)>, Flow) {
        let frame = self.activate(&mut inner, entry, args);
        let exit = self.run(entry, frame, inner);
        let reverted = self.cx.terms.or_all(exit.reverts);
        failed.assume(&self.cx.terms, reverted);
        let mut succeeded: Vec<_> = exit.halts.into_iter().map(|flow| (flow, None)).collect();
        succeeded.extend(exit.returns.map(|(flow, results)| (flow, Some(results))));
        (succeeded, failed)
    }

    /// Sets what the caller sees of each way the call can end.
    fn ends(
        &mut self,
        run: &Run<'p>,
        call: &ExternalCall,
        entry: ProcId,
        succeeded: Vec<(Flow, Option<Vec<Tree>>)>,
        failed: Flow,
        outer: &[(Var, Tree)],
    ) -> Res<Vec<Flow>> {
        let mut ends = Vec::new();
        let (yes, no) = (self.cx.terms.bool(true), self.cx.terms.bool(false));
        let payload = self.cx.fresh_bytes("payload");
        let mut all = vec![(failed, no, payload)];
        for (flow, results) in succeeded {
            let bytes = match results {
                Some(results) => self.encoded_results(&flow, entry, &results)?,
                None => self.cx.fresh_bytes("returned"),
            };
            all.push((flow, yes, bytes));
        }
        for (mut flow, ok, bytes) in all {
            outer.iter().for_each(|(var, value)| flow.state.set(*var, value.clone()));
            flow.state.set(Var::ReturnData, bytes.clone());
            self.set(run, &mut flow, call.ok, [ok].into());
            self.set(run, &mut flow, call.result, bytes);
            ends.push(flow);
        }
        Ok(ends)
    }

    /// Arguments as the called function gets them: objects are new.
    fn decoded_arguments(&mut self, flow: &mut Flow, entry: ProcId, values: &[Tree]) -> Res<Vec<Tree>> {
        let proc = &self.program.procs[entry];
        let mut args = Vec::new();
        for (param, value) in proc.params.iter().zip(values) {
            args.push(match self.program.types.get(proc.locals[*param].ty) {
                Type::MemoryRef(tree) => [self.cx.allocate(&mut flow.state, *tree, value)?].into(),
                _ => value.clone(),
            });
        }
        Ok(args)
    }

    fn encoded_results(&mut self, flow: &Flow, entry: ProcId, results: &[Tree]) -> Res<Tree> {
        let rets = self.program.procs[entry].rets.clone();
        let mut types: Vec<TypeId> = Vec::new();
        let mut values = Vec::new();
        for (ty, value) in rets.iter().zip(results) {
            let (tree, value) = self.cx.contents(&flow.state, *ty, value)?;
            types.push(tree);
            values.push(value);
        }
        Ok(self.cx.encoding(AbiMode::Standard, None, &types, &values))
    }
}
