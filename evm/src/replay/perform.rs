//! One run of a play on a stage.

use std::collections::{BTreeMap, BTreeSet};

use hornet_ir::expr::{EnvVar, Expr};
use hornet_ir::ids::{ContractId, ExprId, Id};
use hornet_ir::program::Program;
use hornet_ir::types::Type;

use super::meter::Meter;
use super::play::{Kind, Play, Scene, address};
use super::puppet::{self, NOTHING_SAID};
use super::recorder::{Cast, Event, Inside, Recorder, Written};
use super::silent::Silent;
use super::stage::{CodeId, GAS, Stage};
use super::{Glimpse, Slots, StepResult};
use crate::machine::{Environment, Machine, Message, Outcome};
use crate::{Address, U256};

/// A step that was run.
pub(super) struct Performed {
    pub result: StepResult,
    /// What it ran in.
    pub environment: Environment,
    /// Why it stopped, if that is not in the payload.
    pub halt: Option<String>,
    pub events: Vec<Event>,
}

pub(super) struct Performance<'r> {
    program: &'r Program,
    pub play: &'r Play,
    pub cast: Cast<'r>,
    pub machine: Machine,
    /// The state before the last step that was run.
    pub before: Machine,
    pub steps: Vec<Performed>,
    /// Calls that got an answer which the trace does not give.
    pub unlisted: usize,
    /// Addresses without code that the contract expects to have some.
    pub strangers: BTreeSet<Address>,
}

impl<'r> Performance<'r> {
    pub fn new(
        program: &'r Program,
        contract: ContractId,
        stage: &'r Stage,
        play: &'r Play,
        puppets: &'r BTreeSet<Address>,
        silent: Option<&'r Silent>,
    ) -> Result<Performance<'r>, String> {
        let main = code_of(program, stage, contract)?;
        let mut machine = stage.machine.clone();
        for (who, amount) in &play.balances {
            machine.set_balance(*who, *amount);
        }
        // So that they are seen to have code; what they run is settled call by call.
        for puppet in puppets.iter().filter(|p| !stage.libraries.contains_key(*p)) {
            machine.set_code(*puppet, puppet::program(&[], true, &NOTHING_SAID));
        }
        let cast = Cast {
            stage,
            this: play.this,
            main,
            puppets,
            silent,
            deployed: stage.libraries.clone(),
            true_addresses: computes_addresses(program),
            salted: BTreeMap::new(),
            hashed: BTreeSet::new(),
        };
        let before = machine.clone();
        Ok(Performance {
            program,
            play,
            cast,
            machine,
            before,
            steps: Vec::new(),
            unlisted: 0,
            strangers: BTreeSet::new(),
        })
    }

    /// Runs the next step. An error is a step that no chain can run.
    pub fn next(&mut self) -> Result<Option<&Performed>, String> {
        let Some(scene) = self.play.scenes.get(self.steps.len()) else { return Ok(None) };
        self.machine.environment = environment(&self.machine.environment, scene)?;
        if scene.kind != Kind::ForcedEther && self.machine.balance(scene.caller) < scene.value {
            self.machine.set_balance(scene.caller, scene.value);
        }
        self.before = self.machine.clone();
        let code = code_of(self.program, self.cast.stage, scene.contract)?;
        let gas = match (&scene.kind, scene.starved) {
            (Kind::Call(data), Some(number)) => Some(self.too_little_gas(scene, code, data, number)?),
            _ => None,
        };
        let (outcome, events, inside) = match &scene.kind {
            Kind::ForcedEther => (self.force(scene)?, Vec::new(), BTreeMap::new()),
            Kind::Deploy(args) => {
                let data = [self.cast.stage.code(code).creation.as_slice(), args].concat();
                self.run(scene, code, data, true, self.plenty())
            }
            Kind::Call(data) => self.run(scene, code, data.clone(), false, gas.unwrap_or(self.plenty())),
        };
        let storage = self.machine.storage_slots(self.play.this);
        let result = StepResult {
            succeeded: outcome.success,
            output: outcome.output,
            storage: self.cast.stage.keeps_layout.then_some(storage),
            balance: self.machine.balance(self.play.this),
            gas,
            inside: self.glimpses(inside),
            failed: None,
        };
        let environment = self.machine.environment.clone();
        self.steps.push(Performed { result, environment, halt: outcome.halt, events });
        Ok(self.steps.last())
    }

    fn run(
        &mut self,
        scene: &Scene,
        code: CodeId,
        data: Vec<u8>,
        creation: bool,
        gas: u64,
    ) -> (Outcome, Vec<Event>, BTreeMap<usize, Inside>) {
        let message = message(scene, data, gas);
        let mut recorder = Recorder::new(&mut self.cast, scene, code);
        let outcome = if creation {
            self.machine.deploy_at(scene.at, message, &mut recorder)
        } else {
            self.machine.call_watched(scene.at, message, &mut recorder)
        };
        self.unlisted += recorder.unlisted();
        self.strangers.append(&mut recorder.strangers);
        (outcome, recorder.events, recorder.inside)
    }

    fn glimpses(&self, inside: BTreeMap<usize, Inside>) -> BTreeMap<usize, Glimpse> {
        let glimpse =
            |Inside { begin, end }| Some(Glimpse { begin: self.slots(&begin)?, end: self.slots(&end)? });
        inside.into_iter().filter_map(|(number, inside)| Some((number, glimpse(inside)?))).collect()
    }

    /// The slots of the contract in the middle of the last step, if they are where solc has them.
    fn slots(&self, written: &Written) -> Option<Slots> {
        let mut slots = self.before.storage_slots(self.play.this);
        slots.extend(written.iter().copied());
        slots.retain(|_, value| !value.is_zero());
        self.cast.stage.keeps_layout.then_some(slots)
    }

    /// This is the failure, in the last step that was run.
    pub fn fails(&mut self, event: &Event) {
        let failed = event.scene.and_then(|scene| Some((scene, self.slots(&event.written)?)));
        if let Some(step) = self.steps.last_mut() {
            step.result.failed = failed;
        }
    }

    /// With how much gas a call of the contract to itself gets just too little, found out with plenty of it.
    fn too_little_gas(&self, scene: &Scene, code: CodeId, data: &[u8], number: usize) -> Result<u64, String> {
        let (mut cast, plenty) = (self.cast.clone(), self.plenty());
        let mut meter = Meter::new(self.play.this, number);
        let watchers = (Recorder::new(&mut cast, scene, code), &mut meter);
        self.machine.clone().call_watched(self.play.this, message(scene, data.to_vec(), plenty), watchers);
        let less = meter.excess().ok_or("the contract does not make the call that is to run out of gas")?;
        Ok(plenty - less)
    }

    /// What a transaction gets: no more than its block has.
    fn plenty(&self) -> u64 {
        self.machine.environment.gas_limit.min(GAS)
    }

    /// The ether is the caller's, if they have so much, or else a reward.
    fn force(&mut self, scene: &Scene) -> Result<Outcome, String> {
        let (this, value) = (self.play.this, scene.value);
        if let Some(left) = self.machine.balance(scene.caller).checked_sub(value) {
            self.machine.set_balance(scene.caller, left);
        }
        let sum = self.machine.balance(this).checked_add(value).ok_or("there is not so much ether")?;
        self.machine.set_balance(this, sum);
        Ok(Outcome { success: true, ..Outcome::default() })
    }
}

fn code_of(program: &Program, stage: &Stage, contract: ContractId) -> Result<CodeId, String> {
    let code = stage.of_contract(program, contract);
    code.ok_or_else(|| format!("there is no code of `{}`", program.contracts[contract].name))
}

fn message(scene: &Scene, data: Vec<u8>, gas: u64) -> Message {
    Message { from: scene.caller, origin: Some(scene.origin), value: scene.value, data, gas }
}

/// What the trace leaves open stays as it was.
fn environment(last: &Environment, scene: &Scene) -> Result<Environment, String> {
    let mut now = last.clone();
    for (var, value) in &scene.environment {
        set(&mut now, *var, *value)?;
    }
    Ok(now)
}

fn set(environment: &mut Environment, var: EnvVar, value: U256) -> Result<(), String> {
    let too_large = |what: &str| format!("no chain has {what} {value}");
    match var {
        EnvVar::Timestamp => environment.timestamp = value,
        EnvVar::Number => environment.number = value,
        EnvVar::Coinbase => environment.coinbase = address(value)?,
        EnvVar::PrevRandao => environment.prevrandao = value,
        EnvVar::GasLimit => {
            environment.gas_limit = value.try_into().map_err(|_| too_large("a gas limit of"))?;
        }
        EnvVar::ChainId => environment.chain_id = value.try_into().map_err(|_| too_large("the number"))?,
        EnvVar::BaseFee => environment.base_fee = value.try_into().map_err(|_| too_large("a base fee of"))?,
        EnvVar::BlobBaseFee => {
            environment.blob_base_fee = value.try_into().map_err(|_| too_large("a blob base fee of"))?;
        }
        EnvVar::GasPrice => {
            environment.gas_price = value.try_into().map_err(|_| too_large("a gas price of"))?;
        }
        // These are part of the step itself, or cannot be chosen.
        EnvVar::This
        | EnvVar::Caller
        | EnvVar::Origin
        | EnvVar::CallValue
        | EnvVar::CallData
        | EnvVar::ReturnData
        | EnvVar::GasLeft => {}
    }
    Ok(())
}

/// Whether addresses are made of numbers. Then code may know beforehand where a contract will be created.
fn computes_addresses(program: &Program) -> bool {
    let exprs = &program.exprs;
    let mut all = (0..exprs.len()).map(ExprId::from_usize);
    all.any(|id| match exprs.get(id) {
        Expr::Cast(from) => {
            let is_address = |id| *program.types.get(exprs.ty(id)) == Type::Address;
            is_address(id) && !is_address(*from)
        }
        _ => false,
    })
}
