//! Calls of others, by who may be there: a contract whose code is known runs it, anybody else does what they like.

use super::abroad::Stay;
use super::executor::{Executor, Run};
use super::flow::Flow;
use crate::{Res, Tree};
use hornet_ir::ids::ContractId;
use hornet_ir::program::{CallKind, ExternalCall, Stmt};
use hornet_smt::term::{Op, TermId};

/// Who answers a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    /// The contract that everything is about.
    Home,
    /// A contract of this kind.
    Kind(ContractId),
    Anybody,
}

/// Whom a call is made to, and how.
type Asking<'a> = (&'a ExternalCall, TermId, Option<TermId>, &'a Tree);

impl<'p> Executor<'p> {
    /// A call of whoever is there.
    pub fn call_whoever(
        &mut self,
        run: &Run<'p>,
        flow: &mut Flow,
        stmt: &Stmt,
        (call, target, value, data): Asking<'_>,
    ) -> Res<()> {
        self.leaving(flow, |ex, flow| {
            let parts = ex.who_is_there(flow, call, target)?;
            if let [(_, Who::Anybody)] = parts[..] {
                return ex.call_anybody(run, flow, stmt, call, (target, value));
            }
            let mut ends = Vec::new();
            for (part, who) in parts {
                if !part.is_dead(&mut ex.cx.terms) {
                    ends.extend(ex.call_one(run, part, who, stmt, (call, target, value, data))?);
                }
            }
            ex.go_on(flow, ends)
        })
    }

    fn call_one(
        &mut self,
        run: &Run<'p>,
        part: Flow,
        who: Who,
        stmt: &Stmt,
        (call, target, value, data): Asking<'_>,
    ) -> Res<Vec<Flow>> {
        let stay = match who {
            Who::Home => Some(self.home_stay()).filter(|home| !home.constructing),
            Who::Kind(contract) => Some(Stay { contract, address: Some(target), constructing: false }),
            Who::Anybody => None,
        };
        if let Some(stay) = stay {
            let known = self.all_or_nothing(|ex| ex.call_code(run, part.clone(), call, stay, value, data));
            match known {
                Ok(Some(ends)) => return Ok(ends),
                Ok(None) => {}
                Err(why) => {
                    self.gap(&part, why, stmt.span);
                    return Ok(Vec::new());
                }
            }
        }
        let mut part = part;
        match self.call_anybody(run, &mut part, stmt, call, (target, value)) {
            Ok(()) => Ok(vec![part]),
            Err(why) => {
                self.gap(&part, why, stmt.span);
                Ok(Vec::new())
            }
        }
    }

    /// The ways to go on, by who is at the target's address. They exclude each other.
    fn who_is_there(&mut self, flow: &Flow, call: &ExternalCall, target: TermId) -> Res<Vec<(Flow, Who)>> {
        let declared = self.declared_kinds(call);
        // Whoever was created is known by what they are, whatever their types say; in a run, everybody.
        let mut kinds = match (self.follows_paths(), declared.is_empty()) {
            (true, _) => self.paths.instances.clone(),
            (false, true) => self.kinds.created.iter().copied().collect(),
            (false, false) => declared.clone(),
        };
        let mut rest = flow.clone();
        let mut parts = Vec::new();
        let nobody = kinds.is_empty() && declared.is_empty();
        if !matches!(call.kind, CallKind::Call | CallKind::Static) || nobody {
            return Ok(vec![(rest, Who::Anybody)]);
        }
        let (home, homely) = (self.home_address(), self.home.contract);
        if declared.contains(&homely) || (declared.is_empty() && self.is_abroad()) {
            self.divert(&mut rest, &mut parts, (target, home), Who::Home);
        }
        let made = self.made_at(flow, target)?;
        if let Some(known) = self.known_kind(made) {
            kinds = vec![known];
        } else if let ([kind], false) = (&declared[..], self.follows_paths())
            && *kind != homely
            && target != home
        {
            // The type says which contract it is, unless it is known to be another.
            let another = self.cx.terms.ne(target, home);
            rest.assume(&self.cx.terms, another);
            if self.kinds.created.iter().any(|created| created != kind) {
                let (nothing, number) = (self.cx.terms.int(0), self.kind_number(*kind));
                let (unknown, known) = (self.cx.terms.eq(made, nothing), self.cx.terms.eq(made, number));
                let as_declared = self.cx.terms.or(unknown, known);
                let otherwise = self.cx.terms.not(as_declared);
                let mut part = rest.clone();
                part.assume(&self.cx.terms, otherwise);
                parts.push((part, Who::Anybody));
                rest.assume(&self.cx.terms, as_declared);
            }
            parts.push((rest, Who::Kind(*kind)));
            return Ok(parts);
        }
        for kind in kinds.into_iter().filter(|kind| *kind != homely) {
            let number = self.kind_number(kind);
            self.divert(&mut rest, &mut parts, (made, number), Who::Kind(kind));
        }
        // Runs are made of code that is known where the type says what it is.
        if !self.follows_paths() || declared.len() != 1 {
            parts.push((rest, Who::Anybody));
        }
        Ok(parts)
    }

    /// Where two terms are equal, somebody is there.
    fn divert(&mut self, rest: &mut Flow, parts: &mut Vec<(Flow, Who)>, (a, b): (TermId, TermId), who: Who) {
        let same = self.cx.terms.eq(a, b);
        let differs = self.cx.terms.not(same);
        let mut part = rest.clone();
        part.assume(&self.cx.terms, same);
        rest.assume(&self.cx.terms, differs);
        if !part.is_dead(&mut self.cx.terms) {
            parts.push((part, who));
        }
    }

    /// The kind that a number stands for, if it is plain.
    fn known_kind(&self, number: TermId) -> Option<ContractId> {
        let Op::Int(number) = self.cx.terms.op(number) else { return None };
        let index = u32::try_from(number.clone()).ok()?.checked_sub(1)?;
        Some(ContractId(index))
    }
}
