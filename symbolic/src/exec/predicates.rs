//! Predicates that are not known yet, in the places where modular verification has annotations: what holds of the
//! contract whenever others have control, what others can do while they have it, and what holds at the head of a loop.
//!
//! Following the code yields what they must satisfy, as clauses. Whoever finds predicates that satisfy them has a proof.

use super::executor::{Executor, Run};
use super::flow::{Flow, join};
use super::policy::Policy;
use super::stmt::GAS_METER;
use crate::{Frame, Res, State, Var};
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::{BlockId, ProcId};
use hornet_ir::program::{CallKind, EvmOp, Gas, StateKind, StmtKind};
use hornet_ir::span::Span;
use hornet_smt::term::{Function, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names of unknown predicates begin with this, and no others.
const MARK: char = '$';

/// Whether a term applies an unknown predicate.
pub fn is_unknown(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Apply(function) if function.name.starts_with(MARK))
}

/// Where a predicate stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Others have control: between transactions, or when the contract calls somebody.
    Outside,
    /// Others may look, but change nothing: during a static call, or with the little gas of a transfer.
    Watched,
    /// From one such moment to a later one, in the same transaction.
    Meanwhile,
    /// Where a function begins that calls itself.
    Called(ProcId),
    /// How such a call ends.
    Returned(ProcId),
    /// At the head of a loop, in one activation of a procedure.
    Loop { frame: Frame, head: BlockId, span: Option<Span> },
}

/// What an argument of a predicate stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// A term of the value of a variable.
    Leaf(Var, usize),
    /// The sum over a term of the value of a variable that is a collection.
    Sum(Var, usize),
    /// A term of an argument or a result, by its number.
    Passed(usize, usize),
    /// The contract's own ether.
    Balance,
    This,
}

/// An unknown predicate.
#[derive(Clone, Debug)]
pub struct Unknown {
    pub place: Place,
    pub function: Arc<Function>,
    /// What its arguments stand for. First, if `earlier` says so, at an earlier time.
    pub slots: Vec<Slot>,
    /// How many of the arguments tell how it was when it began.
    pub earlier: usize,
}

/// Whenever the body holds, so must the head, which applies a predicate.
#[derive(Clone, Debug)]
pub struct Demand {
    pub what: String,
    pub body: TermId,
    pub head: TermId,
}

/// Everything that is demanded of the predicates of one contract.
#[derive(Clone, Debug, Default)]
pub struct Unknowns {
    pub unknowns: Vec<Unknown>,
    pub demands: Vec<Demand>,
    index: FxHashMap<Place, usize>,
}

impl<'p> Executor<'p> {
    /// What the predicates between transactions speak about.
    pub fn interface(&self) -> Vec<Var> {
        let state = self.program.contracts[self.home.contract].state.iter().map(|var| Var::State(*var));
        let times = self.environment().into_iter();
        let times = times.filter(|(var, _)| matches!(var, EnvVar::Timestamp | EnvVar::Number));
        state.chain(times.map(|(var, ty)| Var::Env(var, ty))).chain(self.fixed_elsewhere()).collect()
    }

    /// The values of variables, the contract's ether and its address.
    pub fn tuple(&mut self, state: &State, vars: &[Var]) -> Res<Vec<(Slot, TermId)>> {
        let mut values = Vec::new();
        for var in vars {
            let value = self.cx.get(state, *var)?;
            values.extend(value.iter().enumerate().map(|(i, term)| (Slot::Leaf(*var, i), *term)));
            if self.sums
                && let Var::State(id) = var
            {
                let sums = self.cx.leaf_sums(self.program.state[*id].ty, &value);
                values.extend(sums.into_iter().map(|(i, sum)| (Slot::Sum(*var, i), sum)));
            }
        }
        let this = self.home_address();
        let balances = self.cx.get(state, Var::Balances)?[0];
        values.push((Slot::Balance, self.cx.terms.select(balances, this)));
        values.push((Slot::This, this));
        Ok(values)
    }

    /// The predicate of a place, applied. `earlier` comes first.
    pub fn applied(&mut self, place: Place, earlier: &[(Slot, TermId)], now: &[(Slot, TermId)]) -> TermId {
        let args: Vec<TermId> = earlier.iter().chain(now).map(|(_, term)| *term).collect();
        let index = match self.unknowns.index.get(&place) {
            Some(index) => *index,
            None => {
                let index = self.unknowns.unknowns.len();
                let sorts: Vec<Sort> = args.iter().map(|term| self.cx.terms.sort(*term).clone()).collect();
                let kind = match place {
                    Place::Outside => "reachable",
                    Place::Watched => "watched",
                    Place::Meanwhile => "meanwhile",
                    Place::Called(_) => "called",
                    Place::Returned(_) => "returned",
                    Place::Loop { .. } => "loop",
                };
                let name = format!("{MARK}{kind}{index}");
                let function = self.cx.terms.function(&name, sorts, Sort::Bool);
                let slots = earlier.iter().chain(now).map(|(slot, _)| *slot).collect();
                self.unknowns.unknowns.push(Unknown { place, function, slots, earlier: earlier.len() });
                self.unknowns.index.insert(place, index);
                index
            }
        };
        let function = self.unknowns.unknowns[index].function.clone();
        self.cx.terms.apply(&function, &args)
    }

    pub fn demand(&mut self, what: &str, flow: &Flow, head: TermId) {
        let body = flow.reach(&mut self.cx.terms);
        if self.cx.terms.as_bool(body) != Some(false) {
            self.unknowns.demands.push(Demand { what: what.to_owned(), body, head });
        }
    }

    /// Begins in a state in which others have control: time has passed, and what lasts for a transaction may be gone.
    /// Or in one in which they can only look: such a call can get no further than to the first change of storage.
    pub fn begin_reachable(&mut self, flow: &mut Flow) -> Res<()> {
        let mut there = flow.state.clone();
        for var in self.interface() {
            match var {
                Var::Env(..) => {
                    let now = self.cx.get(&flow.state, var)?[0];
                    self.cx.havoc(&mut there, var)?;
                    let then = self.cx.get(&there, var)?[0];
                    let onwards = self.at_most(then, now);
                    flow.assume(&self.cx.terms, onwards);
                }
                Var::State(id) if self.program.state[id].kind == StateKind::Transient => {
                    let kept = self.cx.get(&there, var)?;
                    let gone = self.cx.zero(self.program.state[id].ty)?;
                    let same = self.cx.terms.fresh("sametransaction", Sort::Bool);
                    let value = self.cx.ite(same, &kept, &gone);
                    flow.state.set(var, value);
                }
                _ => {}
            }
        }
        let vars = self.interface();
        let values = self.tuple(&there, &vars)?;
        let mut reachable = self.applied(Place::Outside, &[], &values);
        if self.lets_others_look() {
            let looking = self.cx.terms.fresh("looking", Sort::Bool);
            self.looking = Some(looking);
            let watched = self.applied(Place::Watched, &[], &values);
            let watched = self.cx.terms.and(watched, looking);
            let acting = self.cx.terms.not(looking);
            let acting = self.cx.terms.and(reachable, acting);
            reachable = self.cx.terms.or(acting, watched);
        }
        flow.assume(&self.cx.terms, reachable);
        Ok(())
    }

    /// Others look at this state, while the contract waits for their answer.
    pub fn others_look(&mut self, flow: &Flow) -> Res<()> {
        if self.policy != Policy::Predicates || !self.rooted || self.constructing {
            return Ok(());
        }
        let vars = self.interface();
        let values = self.tuple(&flow.state, &vars)?;
        let watched = self.applied(Place::Watched, &[], &values);
        self.demand("others are asked", flow, watched);
        Ok(())
    }

    /// Whether some code calls others without giving them the right, or the gas, to change anything.
    fn lets_others_look(&self) -> bool {
        let stmts = self.program.procs.iter().flat_map(|proc| proc.blocks.iter()).flat_map(|b| &b.stmts);
        stmts.into_iter().any(|stmt| match &stmt.kind {
            StmtKind::ExternalCall(call) => call.kind == CallKind::Static || call.gas == Gas::Stipend,
            StmtKind::Evm { op, .. } => *op == EvmOp::StaticCall,
            _ => false,
        })
    }

    /// Only runs that may change something go on.
    pub fn must_act(&mut self, flow: &mut Flow) {
        if let Some(looking) = self.looking {
            let acting = self.cx.terms.not(looking);
            flow.assume(&self.cx.terms, acting);
        }
    }

    /// Runs that may only look, and cannot do this: pay.
    pub fn must_act_to_pay(&mut self, flow: &mut Flow, value: TermId) {
        if let Some(looking) = self.looking {
            let nothing = self.number_like(value, 0);
            let (acting, free) = (self.cx.terms.not(looking), self.cx.terms.eq(value, nothing));
            let possible = self.cx.terms.or(acting, free);
            flow.assume(&self.cx.terms, possible);
        }
    }

    /// Others get control in this state: it is reachable. If a call of the contract ends here, it is also something that
    /// others can do while they have control.
    pub fn end_reachable(&mut self, flow: &Flow, what: &str, entry: Option<&State>) -> Res<()> {
        let vars = self.interface();
        let values = self.tuple(&flow.state, &vars)?;
        let reachable = self.applied(Place::Outside, &[], &values);
        self.demand(what, flow, reachable);
        let Some(entry) = entry.filter(|_| self.gives_up_control()) else { return Ok(()) };
        let earlier = self.anything_like(&values);
        let began = self.tuple(entry, &vars)?;
        let until_here = self.applied(Place::Meanwhile, &earlier, &began);
        let mut longer = flow.clone();
        longer.assume(&self.cx.terms, until_here);
        let from_then = self.applied(Place::Meanwhile, &earlier, &values);
        self.demand(what, &longer, from_then);
        Ok(())
    }

    /// A state of any kind is reachable: of a contract whose construction is not known.
    pub fn any_reachable(&mut self) -> Res<()> {
        let nowhere = Flow::start(State::default());
        self.end_reachable(&nowhere, "any state", None)
    }

    /// Doing nothing is something that others can do.
    pub fn meanwhile_nothing(&mut self) -> Res<()> {
        if !self.gives_up_control() {
            return Ok(());
        }
        let nowhere = Flow::start(State::default());
        let vars = self.interface();
        let values = self.tuple(&nowhere.state, &vars)?;
        let same = self.applied(Place::Meanwhile, &values, &values);
        self.demand("others do nothing", &nowhere, same);
        Ok(())
    }

    /// Others get control; if this run may only look, so may they.
    pub fn others_act(&mut self, flow: &mut Flow) -> Res<()> {
        let Some(looking) = self.looking else { return self.others_do_anything(flow) };
        let mut watching = flow.clone();
        watching.assume(&self.cx.terms, looking);
        self.others_look(&watching)?;
        self.havoc_transient(&mut watching)?;
        self.must_act(flow);
        self.others_do_anything(flow)?;
        if let Some(joined) = join(&mut self.cx, vec![flow.clone(), watching])? {
            *flow = joined;
        }
        Ok(())
    }

    /// Others do what they like: after it, the contract is in a state that they could bring about.
    fn others_do_anything(&mut self, flow: &mut Flow) -> Res<()> {
        let vars = self.interface();
        let before = self.tuple(&flow.state, &vars)?;
        if self.rooted {
            self.end_reachable(flow, "control is given up", None)?;
        }
        self.havoc_reentrancy(flow)?;
        self.cx.havoc(&mut flow.state, Var::Balances)?;
        if !self.rooted {
            return Ok(());
        }
        let after = self.tuple(&flow.state, &vars)?;
        let meanwhile = self.applied(Place::Meanwhile, &before, &after);
        let reachable = self.applied(Place::Outside, &[], &after);
        flow.assume(&self.cx.terms, meanwhile);
        flow.assume(&self.cx.terms, reachable);
        Ok(())
    }

    /// Whether some function that others can call gives them control.
    fn gives_up_control(&self) -> bool {
        let effects = self.effects.of_reentrancy(self.program, self.home.contract);
        effects.reenters || effects.anything
    }

    fn anything_like(&mut self, values: &[(Slot, TermId)]) -> Vec<(Slot, TermId)> {
        let like = |(slot, term): &(Slot, TermId)| {
            let sort = self.cx.terms.sort(*term).clone();
            (*slot, if *slot == Slot::This { *term } else { self.cx.terms.fresh("then", sort) })
        };
        values.iter().map(like).collect()
    }

    /// What the predicate of a loop speaks about: all that has a value when the loop is entered.
    pub fn loop_vars(&self, flow: &Flow) -> Vec<Var> {
        let mut vars = self.interface();
        vars.extend([Var::Caller, Var::CallValue]);
        let interface = vars.clone();
        vars.extend(flow.state.touched().filter(|var| match var {
            // Of another contract whose code runs.
            Var::State(_) => !interface.contains(var),
            // A loop leaves it alone, as if it never asked.
            Var::Local(_, GAS_METER, _) => false,
            Var::Local(..) | Var::Outside(_) | Var::Heap(_) | Var::NextRef | Var::Kept(_) => true,
            Var::Env(..) | Var::Caller | Var::CallValue => false,
            // What was known to be where is there still.
            Var::Made => false,
            // Too much to say of them, for what anybody could make of it.
            Var::Checkpoint(_)
            | Var::Balances
            | Var::CallData
            | Var::CodeSizes
            | Var::ReturnData
            | Var::Overflow
            | Var::RawMemory => false,
        }));
        vars
    }

    /// The predicate at the head of a loop, about a state there.
    fn at_head(&mut self, run: &Run<'p>, head: BlockId, flow: &Flow) -> Res<TermId> {
        let vars = self.heads.get(&(run.frame, head)).cloned().unwrap_or_default();
        let values = self.tuple(&flow.state, &vars)?;
        let mut earlier = Vec::new();
        if self.gives_up_control() {
            let (interface, entry) = (self.interface(), self.entry.clone());
            earlier = self.tuple(&entry, &interface)?;
        }
        let span = self.loop_span(run, head);
        Ok(self.applied(Place::Loop { frame: run.frame, head, span }, &earlier, &values))
    }

    /// Control comes to the head of a loop.
    pub fn reach_head(&mut self, run: &Run<'p>, head: BlockId, flow: &Flow, what: &str) {
        match self.at_head(run, head, flow) {
            Ok(holds) => self.demand(what, flow, holds),
            Err(why) => self.gap(flow, why, self.loop_span(run, head)),
        }
    }

    /// Goes on from any state in which control can be at the head of a loop.
    pub fn from_head(&mut self, run: &Run<'p>, head: BlockId, flow: &mut Flow) {
        // Assuming less is always sound.
        if let Ok(holds) = self.at_head(run, head, flow) {
            flow.assume(&self.cx.terms, holds);
        }
    }
}
