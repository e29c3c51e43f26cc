//! Runs that really happen: what [`Policy::Paths`] does where other policies put something in place of code, and what it
//! remembers of the choices of others, so that a model of a path can be told as a list of transactions.
//!
//! Whatever is not modelled ends the path: a run that is found must be possible, but not every run need be found.

use super::executor::{Executor, Run};
use super::flow::{Flow, join};
use super::goals::Goal;
use super::policy::Policy;
use super::surroundings::Awareness;
use super::targets::{Target, is_modular};
use crate::{Res, Tree, Unsupported};
use hornet_ir::expr::{Builtin, EnvVar, Expr};
use hornet_ir::ids::{ContractId, ExprId, LocalId, ProcId, StateVarId, TypeId};
use hornet_ir::program::{ContractKind, ObligationKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use hornet_smt::term::{Op, Sort, TermId};

/// What is remembered while paths are followed, and how far.
#[derive(Default)]
pub struct Paths {
    /// How often a procedure may be active at the same time.
    pub recursion: usize,
    /// How deep calls of others may reenter the contract.
    pub nesting: usize,
    /// How deep they do now.
    pub nested: usize,
    /// What the call under way has asked of others, in order.
    pub asked: Vec<Asked>,
    /// Calls that the contract has made of itself in the transaction under way, in order.
    pub own_calls: Vec<OwnCall>,
    /// Byte strings that somebody else chose, and that were then decoded.
    pub decoded: Vec<Decoded>,
    /// Addresses of contracts that were created.
    pub created: Vec<TermId>,
    /// How many contracts of each kind others may have deployed before.
    pub neighbours: usize,
    /// Kinds of other contracts that may be there, and whose code runs when they are called.
    pub instances: Vec<ContractId>,
    /// Found out once.
    pub awareness: Option<Awareness>,
    /// All the ether that came with calls, where nobody keeps accounts.
    pub brought: Option<TermId>,
    /// Who signed the transaction under way.
    pub origin: Option<TermId>,
    /// Checks, with the function of the contract that runs into them.
    pub found: Vec<(Target, Goal)>,
}

/// A call of the contract, from outside or by somebody who was called: one of several functions.
#[derive(Clone, Debug)]
pub struct Step {
    pub ways: Vec<Way>,
    pub caller: TermId,
    pub origin: TermId,
    pub value: TermId,
    pub environment: Vec<(EnvVar, TermId)>,
}

/// Values, with the types that they are encoded as.
pub type Arguments = Vec<(TypeId, Tree)>;

/// One of the functions that a step may call.
#[derive(Clone, Debug)]
pub struct Way {
    /// It is this one.
    pub chosen: TermId,
    /// Of another contract, and where that is.
    pub whose: Option<(ContractId, TermId)>,
    pub action: Action,
    pub args: Arguments,
    pub asked: Vec<Asked>,
    pub own_calls: Vec<OwnCall>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Deploy,
    /// Counts the contract's entries.
    Call(usize),
    Receive,
    /// The argument is the data.
    Fallback,
    ForcedEther,
}

/// Something asked of somebody else.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whether the run comes here at all.
    pub reach: TermId,
    pub span: Option<Span>,
    pub target: TermId,
    pub value: Option<TermId>,
    pub ok: TermId,
    pub returned: Tree,
    /// What happens to the contract before the answer: whether it does, and how.
    pub meanwhile: Vec<(TermId, Step)>,
    /// What code of others leaves in the contract's storage, if it works on that.
    pub writes: Option<Writes>,
}

/// Everything in storage is something else.
#[derive(Clone, Debug)]
pub struct Writes {
    /// Whether that happens.
    pub happens: TermId,
    pub storage: Vec<(StateVarId, Tree)>,
}

/// A call of the contract to itself.
#[derive(Clone, Copy, Debug)]
pub struct OwnCall {
    /// Whether the run comes here at all.
    pub reach: TermId,
    pub span: Span,
    /// It gets too little gas.
    pub starved: TermId,
}

/// Bytes of somebody else's choice that were decoded: they are the encoding of values.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The contents of the bytes, a symbol.
    pub data: TermId,
    /// Where the encoding begins.
    pub offset: usize,
    pub success: TermId,
    pub types: Vec<TypeId>,
    pub values: Vec<Tree>,
}

impl<'p> Executor<'p> {
    pub fn follows_paths(&self) -> bool {
        self.policy == Policy::Paths
    }

    /// Holds if every assertion stops a run that breaks it, as on the EVM.
    pub fn strict(&mut self) -> TermId {
        self.cx.terms.symbol("strict", Sort::Bool)
    }

    /// Goes past an assertion that need not stop the run.
    pub fn pass_assertion(&mut self, flow: &mut Flow, holds: TermId) {
        let strict = self.strict();
        let stops = self.cx.terms.implies(strict, holds);
        flow.assume(&self.cx.terms, stops);
    }

    /// Whether a call of the contract to itself gets too little gas: whoever signs a transaction decides how much there
    /// is, and a part of it stays with the caller, so that it can go on. Once in a transaction, or there is too little for
    /// everything else.
    pub fn starve(&mut self, flow: &Flow, span: Span) -> TermId {
        if self.paths.nested > 0 || self.cx.this.is_some() {
            return self.cx.terms.bool(false);
        }
        let chosen = self.cx.terms.fresh("starved", Sort::Bool);
        let earlier = self.cx.terms.or_all(self.paths.own_calls.iter().map(|call| call.starved));
        let first = self.cx.terms.not(earlier);
        let starved = self.cx.terms.and(chosen, first);
        let reach = flow.reach(&mut self.cx.terms);
        self.paths.own_calls.push(OwnCall { reach, span, starved });
        starved
    }

    /// Whether a call is followed into: up to a limit on recursion, beyond which the path ends.
    pub fn may_recurse(&self, id: ProcId) -> bool {
        self.active.iter().filter(|active| **active == id).count() < self.paths.recursion.max(1)
    }

    /// What the callee demands of its callers. Nothing relies on it here.
    pub fn check_callee(&mut self, flow: &mut Flow, id: ProcId, args: &[Tree], span: Span) {
        let program = self.program;
        if !is_modular(program, self.contract, id) || self.subject == Some(id) && self.active.len() == 1 {
            return;
        }
        let proc = &program.procs[id];
        let clauses: Vec<_> = proc.spec.iter().flat_map(|spec| &spec.pre).collect();
        if clauses.is_empty() {
            return;
        }
        let mut inside = flow.clone();
        let frame = self.activate(&mut inside, id, args);
        for clause in clauses {
            let place = (ObligationKind::Precondition, span, "when the function is entered");
            self.check_clause(&mut inside, &proc.locals, frame, clause, place);
        }
    }

    /// Invariants of a loop, wherever an iteration begins.
    pub fn check_loop_head(&mut self, run: &Run<'p>, flow: &mut Flow, head: hornet_ir::ids::BlockId) {
        let block = &run.proc.blocks[head];
        let span = block.loop_head.or(block.span).or(run.proc.span).unwrap_or(self.span);
        for clause in &block.invariants {
            let what = (ObligationKind::LoopInvariant, span, "when an iteration of the loop begins");
            self.check_clause(flow, &run.proc.locals, run.frame, clause, what);
        }
    }

    /// Whether calls of function values are followed: not where annotations stand for functions, nor into recursion.
    pub fn follows_values(&self) -> bool {
        let followed = |id: &ProcId| self.can_inline(*id) && !self.is_modular(*id);
        match self.policy {
            Policy::Annotations => self.effects.values().iter().all(followed),
            Policy::Predicates => self.effects.values().iter().all(|id| !self.active.contains(id)),
            Policy::Paths => true,
        }
    }

    /// A call of a function value: each function that it can be, in its turn. `None` if none of them returns.
    pub fn dispatch(
        &mut self,
        run: &mut Run<'p>,
        flow: &mut Flow,
        pointer: ExprId,
        dsts: &[LocalId],
        args: &[Tree],
    ) -> Res<bool> {
        let pointer = self.scalar(flow, &run.proc.locals, run.frame, pointer)?;
        let results: Vec<TypeId> = dsts.iter().map(|d| run.proc.locals[*d].ty).collect();
        let (mut ends, mut nothing) = (Vec::new(), flow.clone());
        for id in self.effects.values().iter().copied() {
            let proc = &self.program.procs[id];
            // Other contracts have functions of their own.
            let ours = proc.contract.is_none_or(|c| {
                c == self.contract || self.program.contracts[c].kind == ContractKind::Library
            });
            if !ours || proc.rets != results || proc.params.len() != args.len() || !self.may_recurse(id) {
                continue;
            }
            let number =
                self.cx.ints.constant(&mut self.cx.terms, &Type::FnInternal, hornet_ir::U256::from(id.0 + 1));
            let is_this = self.cx.terms.eq(pointer, number);
            let is_other = self.cx.terms.not(is_this);
            nothing.assume(&self.cx.terms, is_other);
            let mut inner = flow.clone();
            inner.assume(&self.cx.terms, is_this);
            if inner.is_dead(&mut self.cx.terms) {
                continue;
            }
            let exit = self.run_inside(id, inner, args);
            run.exit.halts.extend(exit.halts);
            run.exit.reverts.extend(exit.reverts);
            if let Some((mut after, values)) = exit.returns {
                for (dst, value) in dsts.iter().zip(values) {
                    self.set(run, &mut after, *dst, value);
                }
                ends.push(after);
            }
        }
        // A value that is no function panics.
        let panics = nothing.reach(&mut self.cx.terms);
        run.exit.reverts.push(panics);
        match join(&mut self.cx, ends)? {
            Some(after) => {
                *flow = after;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Decodes bytes that somebody else chose: as if they had encoded values, or as if there were too few of them.
    pub fn decode_chosen(
        &mut self,
        flow: &mut Flow,
        (types, strict): (&[TypeId], bool),
        data: &Tree,
        offset: usize,
    ) -> Res<(TermId, Vec<Tree>)> {
        if !matches!(self.cx.terms.op(data[1]), Op::Symbol(_)) {
            return Err(Unsupported::new("decoding of bytes that are not simply what somebody sent"));
        }
        let earlier = || self.paths.decoded.iter().filter(|d| d.data == data[1]);
        if let Some(known) = earlier().find(|d| d.offset == offset && d.types == types) {
            return Ok((known.success, known.values.clone()));
        }
        let plain = |types: &[TypeId]| types.iter().all(|ty| self.program.types.get(*ty).is_scalar());
        let is_static = plain(types);
        // Words have one place each; of anything else, the encoding that is told is that of one reading.
        if earlier().any(|d| d.offset != offset || !is_static || !plain(&d.types)) {
            return Err(Unsupported::new("bytes that are decoded in several ways"));
        }
        let success = self.cx.terms.fresh("decoded", Sort::Bool);
        let values = types.iter().map(|ty| self.cx.fresh("decoded", *ty)).collect::<Res<Vec<_>>>()?;
        for (ty, value) in types.iter().zip(&values) {
            self.limit_lengths(flow, *ty, value)?;
        }
        let head = self.cx.word((32 * types.len() + offset) as u64);
        let enough = self.at_most(head, data[0]);
        let works = self.cx.terms.eq(success, enough);
        flow.assume(&self.cx.terms, works);
        self.cx.admit_decoded(types, &values, (data[1], offset), success, strict);
        let types = types.to_vec();
        self.paths.decoded.push(Decoded { data: data[1], offset, success, types, values: values.clone() });
        Ok((success, values))
    }

    /// How many bytes are cut off at the beginning of an expression's value, and what they are cut off from.
    pub fn cut_bytes(&self, data: ExprId) -> (ExprId, usize) {
        match self.program.exprs.get(data) {
            Expr::Builtin(Builtin::BytesSlice, args) => match self.program.exprs.get(args[1]) {
                Expr::Const(start) => match usize::try_from(*start) {
                    Ok(start) if start <= 4 => (args[0], start),
                    _ => (data, 0),
                },
                _ => (data, 0),
            },
            _ => (data, 0),
        }
    }

    /// What goes wrong from here on does so in a call of this function.
    pub fn file_goals(&mut self, target: &Target) {
        let goals = self.take_goals();
        self.paths.found.extend(goals.into_iter().map(|goal| (target.clone(), goal)));
    }

    /// The subjects of checks found so far are told apart by function.
    pub fn take_found(&mut self) -> Vec<(Target, Goal)> {
        std::mem::take(&mut self.paths.found)
    }
}
