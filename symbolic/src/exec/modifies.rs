//! What functions say they modify: checked at their end, relied on by their callers.

use super::executor::Executor;
use super::flow::Flow;
use super::goals::Subject;
use crate::{Frame, Res, Scope, State, Tree, Var};
use hornet_ir::program::{ObligationKind, Proc, StateKind};
use hornet_ir::spec::ModifiesTarget;
use hornet_smt::term::TermId;
use rustc_hash::{FxHashMap, FxHashSet};

impl<'p> Executor<'p> {
    /// The state before the call, except that what the function may modify is as afterwards. `None` if it may modify
    /// everything.
    fn permitted(&mut self, before: &State, after: &State, proc: &Proc, frame: Frame) -> Res<Option<State>> {
        let mut permitted = before.clone();
        let (bound, known) = (FxHashMap::default(), FxHashSet::default());
        // Conditions speak of the beginning, places of the end: `x[x.length - 1]` is the element that was pushed.
        let (mut at_end, params) = (after.clone(), self.params_of(before, proc, frame));
        params.into_iter().for_each(|(var, value)| at_end.set(var, value));
        let begin = Scope {
            now: before,
            old: before,
            before,
            frame,
            locals: &proc.locals,
            bound: &bound,
            known: &known,
        };
        let end = Scope { now: &at_end, ..begin };
        for modifies in proc.spec.iter().flat_map(|spec| &spec.modifies) {
            let cond = match modifies.cond {
                Some(cond) => self.cx.scalar(&begin, cond)?,
                None => self.cx.terms.bool(true),
            };
            match &modifies.target {
                ModifiesTarget::Everything if modifies.cond.is_none() => return Ok(None),
                ModifiesTarget::Everything => {
                    permitted = self.cx.merge(&[(cond, after.clone()), (cond, permitted)])?;
                }
                ModifiesTarget::Place(place) => {
                    self.cx.copy_place(&end, cond, *place, after, &mut permitted)?;
                }
                ModifiesTarget::Length(place) => {
                    self.cx.copy_length(&end, cond, *place, after, &mut permitted)?;
                }
                ModifiesTarget::Balance(address) => {
                    let address = self.cx.scalar(&end, *address)?;
                    self.permit_balance(cond, address, after, &mut permitted)?;
                }
            }
        }
        Ok(Some(permitted))
    }

    /// Parameters as they were passed.
    fn params_of(&mut self, before: &State, proc: &Proc, frame: Frame) -> Vec<(Var, Tree)> {
        let vars = proc.params.iter().map(|p| self.local(proc, frame, *p)).collect::<Vec<_>>();
        vars.into_iter().filter_map(|var| Some((var, self.cx.get(before, var).ok()?))).collect()
    }

    fn permit_balance(
        &mut self,
        cond: TermId,
        address: TermId,
        after: &State,
        permitted: &mut State,
    ) -> Res<()> {
        let (new, old) = (self.cx.get(after, Var::Balances)?[0], self.cx.get(permitted, Var::Balances)?[0]);
        let value = self.cx.terms.select(new, address);
        let changed = self.cx.terms.store(old, address, value);
        let balances = self.cx.terms.ite(cond, changed, old);
        permitted.set(Var::Balances, [balances].into());
        Ok(())
    }

    /// Variables that `modifies` speaks about.
    fn framed_vars(&self) -> Vec<(Var, String)> {
        let state = &self.program.contracts[self.contract].state;
        let state = state.iter().filter(|v| self.program.state[**v].kind != StateKind::Immutable);
        state
            .map(|v| (Var::State(*v), format!("`{}`", self.program.state[*v].name)))
            .chain([(Var::Balances, "balances".to_owned())])
            .collect()
    }

    /// Checks at the end of a function that it modified only what it said.
    pub fn check_modifies(&mut self, flow: &Flow, proc: &Proc, frame: Frame) {
        let before = self.entry.clone();
        let permitted = match self.permitted(&before, &flow.state, proc, frame) {
            Ok(Some(permitted)) => permitted,
            Ok(None) => return,
            Err(why) => {
                let message = "function might modify something illegally".to_owned();
                let subject =
                    Subject { kind: ObligationKind::Modifies, span: self.span, annotation: None, message };
                return self.blocked(subject, why);
            }
        };
        for (var, name) in self.framed_vars() {
            let (Ok(now), Ok(allowed)) = (self.cx.get(&flow.state, var), self.cx.get(&permitted, var)) else {
                continue;
            };
            let same = match var {
                Var::State(v) => self.cx.equal_trees(self.program.state[v].ty, &now, &allowed),
                _ => Ok(self.same(&now, &allowed)),
            };
            let Ok(same) = same else { continue };
            let message = format!("function might modify {name} illegally");
            let kind = ObligationKind::Modifies;
            self.goal(Subject { kind, span: self.span, annotation: None, message }, flow, frame, same);
        }
    }

    fn same(&mut self, a: &Tree, b: &Tree) -> TermId {
        let parts: Vec<TermId> = a.iter().zip(b.iter()).map(|(x, y)| self.cx.terms.eq(*x, *y)).collect();
        self.cx.terms.and_all(parts)
    }

    /// After a call by specification: what the callee may not modify is as before.
    pub fn restore_unmodified(
        &mut self,
        before: &Flow,
        flow: &mut Flow,
        proc: &Proc,
        frame: Frame,
    ) -> Res<()> {
        if let Some(permitted) = self.permitted(&before.state, &flow.state, proc, frame)? {
            for (var, _) in self.framed_vars() {
                let value = self.cx.get(&permitted, var)?;
                flow.state.set(var, value);
            }
        }
        Ok(())
    }
}
