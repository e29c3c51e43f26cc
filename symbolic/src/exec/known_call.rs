//! Calls whose code is known: of a contract to itself from outside (`this.f()`), and of functions of libraries, which run
//! on the caller's storage.

use super::executor::{Executor, Run};
use super::flow::{Flow, join};
use super::policy::Policy;
use super::targets::body_of;
use crate::{Res, Tree, Unsupported, Var};
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::{ContractId, LocalId, ProcId, TypeId};
use hornet_ir::program::{CallKind, ExternalCall};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId};
use num_bigint::BigInt;

/// A function whose code is known, and the arguments it is called with.
pub struct KnownFunction {
    /// It runs as part of the caller: same sender, same value.
    delegated: bool,
    entry: ProcId,
    body: ProcId,
    args: Vec<Tree>,
    data: Tree,
}

/// How a call fails.
pub(super) struct Failed {
    pub flow: Flow,
    /// When it does so without a word.
    pub silent: Option<TermId>,
}

/// A way in which a call succeeds; its results, unless it ends with raw data.
pub(super) type Success = (Flow, Option<Vec<Tree>>);

impl<'p> Executor<'p> {
    /// The function that a call runs, if that is plain. A contract under construction cannot call itself.
    /// A library's functions are called by name, so the code at its address is the library's.
    pub fn known_function(
        &mut self,
        kind: CallKind,
        target: TermId,
        callee: Option<&(ContractId, String)>,
        data: &Tree,
    ) -> Option<KnownFunction> {
        let to_self =
            target == self.this() && !self.constructing && matches!(kind, CallKind::Call | CallKind::Static);
        let owner = match callee {
            _ if to_self => self.contract,
            Some((library, _)) if kind == CallKind::Delegate => *library,
            _ => return None,
        };
        let (entry, args) = self.called_entry(owner, data)?;
        // Getters have no function in the source: they are all there is.
        let body = body_of(self.program, entry).unwrap_or(entry);
        let (delegated, entry) = (!to_self, if to_self { entry } else { body });
        Some(KnownFunction { delegated, entry, body, args, data: data.clone() })
    }

    /// The function of a contract that call data names, and its arguments.
    pub(super) fn called_entry(&mut self, contract: ContractId, data: &Tree) -> Option<(ProcId, Vec<Tree>)> {
        let (selector, types, args) = self.cx.decoded_call(data)?;
        let selector = match self.cx.terms.op(selector) {
            Op::Int(n) => n.clone(),
            Op::BitVec(n, _) => BigInt::from(n.clone()),
            _ => return None,
        };
        let entries = &self.program.contracts[contract].entries;
        let entry = entries.iter().find(|e| BigInt::from(u32::from_be_bytes(e.selector)) == selector)?.proc;
        self.takes(entry, &types).then_some((entry, args))
    }

    /// Whether a procedure's parameters have the types that arguments were encoded as: then decoding gives them back.
    pub(super) fn takes(&self, proc: ProcId, types: &[TypeId]) -> bool {
        let proc = &self.program.procs[proc];
        let word = Type::Int { bits: 256, signed: false };
        let same =
            |(param, encoded): (&LocalId, &TypeId)| match self.program.types.get(proc.locals[*param].ty) {
                Type::MemoryRef(tree) | Type::CalldataRef(tree) => tree == encoded,
                Type::StorageRef(_) => *self.program.types.get(*encoded) == word,
                _ => proc.locals[*param].ty == *encoded,
            };
        proc.params.len() == types.len() && proc.params.iter().zip(types).all(same)
    }

    pub fn call_known(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        span: Span,
        call: &ExternalCall,
        known: KnownFunction,
        value: Option<TermId>,
    ) -> Res<()> {
        let failed = flow.clone();
        let mut outer = Vec::new();
        for var in [Var::Caller, Var::CallValue, Var::CallData] {
            outer.push((var, self.cx.get(&flow.state, var)?));
        }
        if let Some(value) = value.filter(|_| self.follows_paths()) {
            let this = self.this();
            let balance = self.balance_of(flow, this)?;
            let enough = self.at_most(value, balance);
            flow.assume(&self.cx.terms, enough);
        }
        let value = value.unwrap_or_else(|| self.cx.word(0));
        if !known.delegated {
            let this = self.this();
            flow.state.set(Var::Caller, [this].into());
            flow.state.set(Var::CallValue, [value].into());
        }
        flow.state.set(Var::CallData, known.data.clone());
        let args = self.decoded_arguments(flow, known.entry, &known.args)?;
        let (succeeded, failed) = if self.is_modular(known.body) || !self.can_inline(known.entry) {
            if self.is_abroad() {
                return Err(Unsupported::new("recursion of another contract's function"));
            }
            if !known.delegated && self.is_for_others(known.entry, known.body) {
                return Err(Unsupported::new("calls of a contract by itself, this deep"));
            }
            // Our balance neither grows nor shrinks, other than in the calls that the specification is checked for.
            if call.value.is_some() {
                return Err(Unsupported::new(
                    "ether that a contract sends to a specified function of its own",
                ));
            }
            if self.policy == Policy::Predicates && self.rooted {
                self.others_look(flow)?;
                let mut acting = flow.clone();
                self.must_act(&mut acting);
                self.end_reachable(&acting, "the contract calls itself", None)?;
            }
            // A library's functions are verified for the calls that others make of them, not for those of this contract.
            let results = if self.policy == Policy::Predicates && known.delegated {
                self.call_by_summary(flow, known.body, &args, span)?
            } else {
                self.call_by_spec(flow, known.body, &args, span)?
            };
            let ok = self.cx.terms.fresh("ok", Sort::Bool);
            let not_ok = self.cx.terms.not(ok);
            let (mut good, mut bad) = (flow.clone(), failed);
            good.assume(&self.cx.terms, ok);
            bad.assume(&self.cx.terms, not_ok);
            (vec![(good, Some(results))], Failed { flow: bad, silent: None })
        } else {
            self.run_known(&known, &args, flow.clone(), failed, span)
        };
        let ends = self.ends(run, call, known.entry, succeeded, failed, &outer)?;
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
    fn run_known(
        &mut self,
        known: &KnownFunction,
        args: &[Tree],
        inner: Flow,
        mut failed: Flow,
        span: Span,
    ) -> (Vec<Success>, Failed) {
        let out_of_gas = match known.delegated || !self.follows_paths() {
            true => self.out_of_gas(),
            false => self.starve(&inner, span),
        };
        let exit = self.run_watched(known.entry, inner, args);
        let succeeded = self.divide(exit, &mut failed, out_of_gas);
        (succeeded, Failed { flow: failed, silent: Some(out_of_gas) })
    }

    /// Sets what the caller sees of each way the call can end.
    pub(super) fn ends(
        &mut self,
        run: &Run<'p>,
        call: &ExternalCall,
        entry: ProcId,
        succeeded: Vec<Success>,
        failed: Failed,
        outer: &[(Var, Tree)],
    ) -> Res<Vec<Flow>> {
        let mut ends = Vec::new();
        let (yes, no) = (self.cx.terms.bool(true), self.cx.terms.bool(false));
        let payload = self.cx.fresh_bytes("payload");
        let Failed { flow: mut failed, silent } = failed;
        if let Some(silent) = silent {
            let nothing = self.cx.word(0);
            let empty = self.cx.terms.eq(payload[0], nothing);
            let fits = self.cx.terms.implies(silent, empty);
            failed.assume(&self.cx.terms, fits);
        }
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
    pub(super) fn decoded_arguments(
        &mut self,
        flow: &mut Flow,
        entry: ProcId,
        values: &[Tree],
    ) -> Res<Vec<Tree>> {
        let proc = &self.program.procs[entry];
        let mut args = Vec::new();
        for (param, value) in proc.params.iter().zip(values) {
            args.push(match self.program.types.get(proc.locals[*param].ty) {
                Type::MemoryRef(tree) => [self.cx.allocate(&mut flow.state, *tree, value)?].into(),
                Type::StorageRef(tree) => self
                    .cx
                    .reference_of_slot(*tree, value[0])
                    .ok_or_else(|| Unsupported::new("storage reference made of a number"))?,
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
