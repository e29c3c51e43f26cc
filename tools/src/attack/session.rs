//! Transactions against one contract, watched.

use super::claims::Claims;
use super::show;
use super::state::StateMaker;
use super::witness::{Tally, Witness, outside};
use crate::values::{Values, parameter_types};
use hornet_ir::U256;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::Tree;
use hornet_ir::interp::world::{Address, Code, World};
use hornet_ir::interp::{Interpreter, Outcome, Status, code};
use hornet_ir::program::{ObligationKind, Program, StmtKind};
use std::cell::RefCell;
use std::rc::Rc;

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// One of the contract's entries, by its position.
    Entry(usize),
    Receive,
    Fallback,
    Constructor,
    /// Nothing is called: the contract gets ether all the same.
    ForcedEther,
}

/// How a run ended.
pub struct Ran {
    /// The assumptions of what was called held.
    pub satisfied: bool,
    /// What happened, if a claim was broken.
    pub broken: Vec<(usize, String)>,
}

const DEPLOYER: Address = U256::from_limbs([0xd1, 0, 0, 0]);
const USERS: [Address; 2] = [U256::from_limbs([0xa1, 0, 0, 0]), U256::from_limbs([0xa2, 0, 0, 0])];
const REENTRANT: Address = U256::from_limbs([0xbad, 0, 0, 0]);
const QUIET: Address = U256::from_limbs([0xcafe, 0, 0, 0]);
/// Enough for everything that is not about too little ether.
const RICH: U256 = U256::from_limbs([0, 1 << 40, 0, 0]);

/// Some thousand statements, or a dozen writes to storage: loops that go on longer show nothing new.
const GAS: u64 = 300_000;
/// For telling the others what to do.
const GAS_TO_PREPARE: u64 = 10_000_000;

/// States that transactions led to, at most.
const REACHED: usize = 24;

/// Names of the contracts in `actors.sol`.
pub const ACTORS: [&str; 2] = ["HornetReentrant", "HornetQuiet"];

struct Transaction {
    from: Address,
    value: U256,
    data: Vec<u8>,
    /// For people.
    text: String,
}

pub struct Session<'a> {
    claims: &'a Claims<'a>,
    contract: ContractId,
    this: Address,
    interp: Interpreter<'a>,
    values: Values<'a>,
    tally: Rc<RefCell<Tally>>,
    /// The world without the contract.
    base: World,
    /// Worlds in which the contract was deployed and used.
    reached: Vec<World>,
    /// Others get to run, so they may as well do something.
    calls_out: bool,
}

impl<'a> Session<'a> {
    pub fn new(
        claims: &'a Claims<'a>,
        contract: ContractId,
        tally: Rc<RefCell<Tally>>,
        seed: u64,
    ) -> Session<'a> {
        let program = claims.program();
        let mut interp = Interpreter::new(program);
        interp.record_keys = true;
        interp.limits.gas = GAS;
        interp.install_libraries();
        for (name, address) in ACTORS.iter().zip([REENTRANT, QUIET]) {
            let actor = program.contracts.iter_ids().find(|(_, c)| c.name == *name);
            if let Some((actor, _)) = actor {
                interp.world.set_code(address, Code::Contract { contract: actor, immutables: Rc::default() });
            }
        }
        for rich in USERS.into_iter().chain([DEPLOYER, REENTRANT, QUIET]) {
            interp.world.set_balance(rich, RICH);
        }
        interp.watch(Box::new(Witness::new(claims, tally.clone())));
        let this = code::create_address(DEPLOYER, 0);
        let addresses = USERS.into_iter().chain([DEPLOYER, REENTRANT, QUIET, this]).collect();
        let base = interp.world.clone();
        let values = Values::new(program, seed, addresses);
        let calls_out = calls_out(program, contract);
        let mut session =
            Session { claims, contract, this, interp, values, tally, base, reached: Vec::new(), calls_out };
        session.reach_some_states();
        session
    }

    fn program(&self) -> &'a Program {
        self.claims.program()
    }

    /// One run. From where: a random state with the invariants, or one that transactions led to.
    pub fn run(&mut self, target: Target) -> Ran {
        self.values.start_anew();
        self.values.modest = self.values.chance(40);
        match target {
            Target::Constructor => self.construct(),
            Target::ForcedEther => self.force_ether(),
            Target::Entry(_) | Target::Receive | Target::Fallback => {
                let from_reached = self.choose_state();
                let ran = self.call(target);
                self.keep_world(from_reached);
                ran
            }
        }
    }

    /// Sets the world; true if transactions led to it.
    fn choose_state(&mut self) -> bool {
        let reached = self.values.rng.usize(0..REACHED * 2);
        if let Some(world) = self.reached.get(reached) {
            self.interp.world = world.clone();
            return true;
        }
        let (base, this, contract) = (&self.base, self.this, self.contract);
        let mut maker = StateMaker { interp: &mut self.interp, values: &mut self.values, contract, this };
        maker.random_state(base);
        false
    }

    fn keep_world(&mut self, from_reached: bool) {
        if from_reached && self.values.chance(30) && !self.reached.is_empty() {
            let place = self.values.rng.usize(0..self.reached.len());
            self.reached[place] = self.interp.world.clone();
        }
    }

    fn reach_some_states(&mut self) {
        for _ in 0..REACHED {
            self.values.start_anew();
            self.values.modest = self.values.chance(70);
            let (_, outcome) = self.deploy();
            if outcome.is_some_and(|o| o.succeeded()) {
                self.reached.push(self.interp.world.clone());
            }
        }
    }

    // ---- transactions ----

    fn construct(&mut self) -> Ran {
        let (text, outcome) = self.deploy();
        match outcome {
            Some(outcome) => self.judge(&outcome, &self.base.clone(), &text),
            None => Ran { satisfied: false, broken: Vec::new() },
        }
    }

    fn deploy(&mut self) -> (String, Option<Outcome>) {
        self.interp.world = self.base.clone();
        let program = self.program();
        let Some(constructor) = program.contracts[self.contract].constructor else {
            return (String::new(), None);
        };
        let (args, text) = self.arguments(constructor);
        let Some(args) = args else { return (text, None) };
        // Most constructors are not payable; ether may be there before the contract is.
        let value = if self.values.chance(25) { self.values.number().min(RICH) } else { U256::ZERO };
        if self.values.chance(25) {
            let early = self.values.number();
            self.interp.world.set_balance(self.this, early.min(U256::MAX - value));
        }
        self.tally.borrow_mut().begin();
        let outcome = self.interp.deploy(self.contract, &args, value, DEPLOYER);
        (format!("constructor({text}) with {value} wei"), Some(outcome))
    }

    fn call(&mut self, target: Target) -> Ran {
        let Some(transaction) = self.transaction(target) else {
            return Ran { satisfied: false, broken: Vec::new() };
        };
        self.prepare_actors();
        let Transaction { from, value, data, text } = transaction;
        let room = U256::MAX - self.interp.world.balance(self.this);
        let value = value.min(room);
        let needed = self.interp.world.balance(from).max(value);
        self.interp.world.set_balance(from, needed);
        self.interp.world.env.timestamp = self.values.number();
        let before = self.interp.world.clone();
        self.tally.borrow_mut().begin();
        let outcome = self.interp.call(from, self.this, value, &data);
        let text = format!("{text} from 0x{from:x} with {value} wei");
        self.judge(&outcome, &before, &text)
    }

    fn judge(&mut self, outcome: &Outcome, before: &World, text: &str) -> Ran {
        let mut tally = self.tally.borrow_mut();
        let must_succeed = std::mem::take(&mut tally.must_succeed);
        for claim in must_succeed {
            match outcome.status {
                Status::Success { .. } => tally.note(self.claims, claim, true),
                Status::Revert { .. } => tally.note(self.claims, claim, false),
                Status::OutOfGas | Status::Unsupported { .. } => {}
            }
        }
        if matches!(outcome.status, Status::Unsupported { .. }) {
            return Ran { satisfied: false, broken: Vec::new() };
        }
        let mut broken = std::mem::take(&mut tally.broken);
        broken.dedup();
        let satisfied = tally.satisfied;
        drop(tally);
        let story = if broken.is_empty() { String::new() } else { self.story(before, outcome, text) };
        Ran { satisfied, broken: broken.into_iter().map(|claim| (claim, story.clone())).collect() }
    }

    fn story(&self, before: &World, outcome: &Outcome, text: &str) -> String {
        let state = show::state(&self.interp, before, self.contract, self.this);
        let after = show::state(&self.interp, &self.interp.world, self.contract, self.this);
        format!("  before:\n{state}  call: {text}\n  outcome: {:?}\n  after:\n{after}", outcome.status)
    }

    fn force_ether(&mut self) -> Ran {
        self.choose_state();
        let program = self.program();
        let invariants = &program.contracts[self.contract].invariants;
        let functions = self.claims.report.functions.iter();
        let function = functions
            .enumerate()
            .find(|(_, f)| f.contract == self.contract && f.name == "[receive_ether_selfdestruct]");
        let holds = |s: &Self| {
            let moment = outside(s.contract, s.this, &s.interp.world);
            invariants.iter().map(|c| s.interp.holds(c, &moment)).collect::<Vec<_>>()
        };
        let Some((function, _)) = function else { return Ran { satisfied: false, broken: Vec::new() } };
        if holds(self).iter().any(|h| *h != Some(true)) {
            return Ran { satisfied: false, broken: Vec::new() };
        }
        let before = self.interp.world.clone();
        let balance = before.balance(self.this);
        let amount = self.values.number().min(U256::MAX - balance);
        self.interp.world.set_balance(self.this, balance + amount);
        let mut tally = self.tally.borrow_mut();
        tally.begin();
        for (clause, holds) in invariants.iter().zip(holds(self)) {
            for claim in self.claims.of_clause(function, ObligationKind::Invariant, clause, None) {
                if let Some(holds) = holds {
                    tally.note(self.claims, *claim, holds);
                }
            }
        }
        let broken = std::mem::take(&mut tally.broken);
        drop(tally);
        let state = show::state(&self.interp, &before, self.contract, self.this);
        let story = format!("  before:\n{state}  {amount} wei are forced on the contract\n");
        Ran { satisfied: true, broken: broken.into_iter().map(|c| (c, story.clone())).collect() }
    }

    // ---- comparing programs ----

    /// Whether another version of the program does the same in one run; `None` if there was none.
    pub fn agrees_with(&mut self, other: &mut Interpreter<'_>, target: Target) -> Option<bool> {
        self.values.start_anew();
        self.values.modest = self.values.chance(40);
        let (ours, theirs) = if target == Target::Constructor {
            self.interp.world = self.base.clone();
            let constructor = self.program().contracts[self.contract].constructor?;
            let args = self.arguments(constructor).0?;
            other.world = self.interp.world.clone();
            let deploy =
                |interp: &mut Interpreter<'_>| interp.deploy(self.contract, &args, U256::ZERO, DEPLOYER);
            (deploy(&mut self.interp), deploy(other))
        } else {
            let from_reached = self.choose_state();
            let Transaction { from, value, data, .. } = self.transaction(target)?;
            self.prepare_actors();
            let needed = self.interp.world.balance(from).max(value);
            self.interp.world.set_balance(from, needed);
            other.world = self.interp.world.clone();
            let theirs = other.call(from, self.this, value, &data);
            let ours = self.interp.call(from, self.this, value, &data);
            self.keep_world(from_reached);
            (ours, theirs)
        };
        let storage = |world: &World| world.account(self.this).map(|a| (a.storage.clone(), a.balance));
        let same = ours.status == theirs.status
            && ours.logs == theirs.logs
            && storage(&self.interp.world) == storage(&other.world);
        let unsupported = matches!(ours.status, Status::Unsupported { .. } | Status::OutOfGas);
        (!unsupported).then_some(same)
    }

    // ---- what is sent ----

    fn transaction(&mut self, target: Target) -> Option<Transaction> {
        let contract = &self.program().contracts[self.contract];
        let (data, text, payable) = match target {
            Target::Entry(i) => {
                let entry = contract.entries.get(i)?;
                let (args, text) = self.arguments(entry.proc);
                let data = [entry.selector.to_vec(), args?].concat();
                (data, format!("{}({text})", entry.name), entry.payable)
            }
            Target::Receive => (Vec::new(), "receive".to_owned(), true),
            Target::Fallback => {
                let data: Vec<u8> =
                    (0..self.values.rng.usize(0..8)).map(|_| self.values.rng.u8(..)).collect();
                (data, "fallback".to_owned(), true)
            }
            Target::Constructor | Target::ForcedEther => return None,
        };
        let mut from = self.values.address();
        // A contract calls itself only if its code does, and then it does in these runs, too.
        if from.is_zero() || from == self.this {
            from = USERS[0];
        }
        let value =
            if self.values.chance(if payable { 70 } else { 5 }) { self.values.number() } else { U256::ZERO };
        Some(Transaction { from, value, data, text })
    }

    /// Encoded, and as text.
    fn arguments(&mut self, proc: ProcId) -> (Option<Vec<u8>>, String) {
        let (data, trees) = self.values.arguments(proc);
        let text: Vec<String> = trees.iter().map(show::tree).collect();
        (data, text.join(", "))
    }

    /// Tells the others what to do when they are called.
    fn prepare_actors(&mut self) {
        if !self.calls_out {
            return;
        }
        let entries = self.program().contracts[self.contract].entries.len();
        let count = self.values.rng.usize(0..3);
        let mut calls = Vec::new();
        let mut values = Vec::new();
        for _ in 0..count.min(entries * 3) {
            let target = Target::Entry(self.values.rng.usize(0..entries));
            if let Some(call) = self.transaction(target) {
                calls.push(Tree::Bytes(call.data.into()));
                values.push(Tree::Word(call.value));
            }
        }
        let words = self.values.rng.usize(0..3);
        let reply: Vec<u8> = (0..words).flat_map(|_| self.values.number().to_be_bytes::<32>()).collect();
        let (reply, refuses) = (Tree::Bytes(reply.into()), Tree::Word(U256::from(self.values.chance(15))));
        let victim = Tree::Word(self.this);
        self.arm(REENTRANT, &[victim, Tree::List(calls), Tree::List(values), reply.clone(), refuses.clone()]);
        self.arm(QUIET, &[reply, refuses]);
    }

    fn arm(&mut self, actor: Address, args: &[Tree]) {
        let program = self.program();
        let Some(Code::Contract { contract, .. }) = self.interp.world.code(actor) else { return };
        let Some(entry) = program.contracts[*contract].entries.iter().find(|e| e.name == "arm") else {
            return;
        };
        let types = parameter_types(program, entry.proc);
        if let Ok(args) = encode_trees(&program.types, AbiMode::Standard, &types, args) {
            let data = [entry.selector.to_vec(), args].concat();
            self.interp.limits.gas = GAS_TO_PREPARE;
            self.interp.call(DEPLOYER, actor, U256::ZERO, &data);
            self.interp.limits.gas = GAS;
        }
    }
}

/// An interpreter for a version of a program that nobody watches.
pub fn untroubled(program: &Program) -> Interpreter<'_> {
    let mut interp = Interpreter::new(program);
    interp.limits.gas = GAS;
    interp
}

/// Whether code of the contract calls others.
fn calls_out(program: &Program, contract: ContractId) -> bool {
    let procs = program.procs.iter().filter(|p| p.contract.is_none_or(|c| c == contract));
    let stmts = procs.flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
    stmts.into_iter().any(|s| matches!(s.kind, StmtKind::ExternalCall(_) | StmtKind::Create(_)))
}
