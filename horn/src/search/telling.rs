//! A model of a path, told as a list of transactions.

use hornet_ir::U256;
use hornet_ir::ids::ObligationId;
use hornet_ir::interp::value::Tree as Told;
use hornet_ir::span::Span;
use hornet_ir::trace::{self, Failure, Outside, Starved, Trace};
use hornet_ir::types::Type;
use hornet_smt::term::TermId;
use hornet_symbolic::Var;
use hornet_symbolic::exec::contents::{Contents, Read, reads};
use hornet_symbolic::exec::{Action, Asked, OwnCall, Reading, Step, Subject, Way, Writes};
use std::collections::BTreeMap;

pub struct Telling<'t, 'p, 'm> {
    pub reading: Reading<'t, 'p, 'm>,
    /// What makes it a run that fails.
    pub claim: TermId,
}

impl Telling<'_, '_, '_> {
    /// The run of some steps, the last of which fails.
    pub fn trace(&mut self, steps: &[Step], subject: &Subject) -> Trace {
        self.learn_choices(steps);
        let told: Vec<trace::Step> = steps.iter().filter_map(|step| self.step(step)).collect();
        let this = self.reading.ex.this();
        let this = self.reading.address(this);
        let balances = self.balances(this, &told);
        let clause = subject.annotation.as_ref().and_then(|(span, _)| self.claimed_at(*span));
        let failure = Failure { kind: subject.kind, span: subject.span, clause };
        Trace { contract: self.reading.ex.contract, this, balances, steps: told, failure }
    }

    /// The annotation at a place. What is inherited is claimed once by each heir: the one of our contract is meant.
    fn claimed_at(&self, span: Span) -> Option<ObligationId> {
        let (program, contract) = (self.reading.ex.program, self.reading.ex.contract);
        let procs = program.procs.iter().filter(|proc| proc.contract == Some(contract));
        let of_procs = procs.flat_map(|proc| {
            let loops = proc.blocks.iter().flat_map(|block| &block.invariants);
            proc.spec.iter().flat_map(|spec| spec.clauses()).chain(loops)
        });
        let claims = program.contracts[contract].invariants.iter().chain(of_procs);
        let ours = claims.map(|clause| clause.obligation);
        let all = program.obligations.iter_ids().map(|(id, _)| id);
        ours.chain(all).find(|id| program.obligations[*id].span == span)
    }

    /// Which functions are called, as a condition.
    pub fn choices(&mut self, steps: &[Step]) -> TermId {
        let ways = steps.iter().flat_map(|step| &step.ways);
        let chosen: Vec<TermId> = ways
            .map(|way| way.chosen)
            .filter(|chosen| self.reading.model.holds(&self.reading.ex.cx.terms, *chosen))
            .collect();
        self.reading.ex.cx.terms.and_all(chosen)
    }

    /// Asks for all single values at once.
    fn learn_choices(&mut self, steps: &[Step]) {
        fn of_step(step: &Step, wanted: &mut Vec<TermId>) {
            wanted.extend([step.caller, step.origin, step.value]);
            wanted.extend(step.environment.iter().map(|(_, term)| *term));
            for way in &step.ways {
                wanted.push(way.chosen);
                wanted.extend(way.whose.map(|(_, address)| address));
                wanted.extend(way.own_calls.iter().flat_map(|call| [call.reach, call.starved]));
                for asked in &way.asked {
                    wanted.extend([asked.reach, asked.target, asked.ok, asked.returned[0]]);
                    wanted.extend(asked.value);
                    wanted.extend(asked.writes.as_ref().map(|writes| writes.happens));
                    for (does, inner) in &asked.meanwhile {
                        wanted.push(*does);
                        of_step(inner, wanted);
                    }
                }
            }
        }
        let mut wanted = Vec::new();
        steps.iter().for_each(|step| of_step(step, &mut wanted));
        wanted.sort_unstable();
        wanted.dedup();
        self.reading.model.learn(&self.reading.ex.cx.terms, &wanted);
    }

    /// `None` if it does not happen.
    fn step(&mut self, step: &Step) -> Option<trace::Step> {
        let way =
            step.ways.iter().find(|way| self.reading.model.holds(&self.reading.ex.cx.terms, way.chosen))?;
        let action = self.action(way);
        let environment =
            step.environment.iter().map(|(var, term)| (*var, self.reading.word(*term))).collect();
        Some(trace::Step {
            whose: way.whose.map(|(contract, address)| (contract, self.reading.address(address))),
            action,
            caller: self.reading.address(step.caller),
            origin: self.reading.address(step.origin),
            value: self.reading.word(step.value),
            environment,
            outside: way.asked.iter().filter_map(|asked| self.outside(asked)).collect(),
            starved: self.starved(&way.own_calls),
        })
    }

    /// The call that gets too little gas, among those that are made.
    fn starved(&mut self, calls: &[OwnCall]) -> Option<Starved> {
        let Reading { ex, model, .. } = &mut self.reading;
        let made: Vec<&OwnCall> = calls.iter().filter(|call| model.holds(&ex.cx.terms, call.reach)).collect();
        let number = made.iter().position(|call| model.holds(&ex.cx.terms, call.starved))?;
        Some(Starved { number, span: made[number].span })
    }

    fn action(&mut self, way: &Way) -> trace::Action {
        let mut args: Vec<Told> = way.args.iter().map(|(ty, value)| self.reading.tree(*ty, value)).collect();
        match way.action {
            Action::Deploy => trace::Action::Deploy { args },
            Action::Call(entry) => trace::Action::Call { entry, args },
            Action::Receive => trace::Action::Receive,
            Action::Fallback => trace::Action::Fallback {
                data: match args.pop() {
                    Some(Told::Bytes(data)) => data.to_vec(),
                    _ => Vec::new(),
                },
            },
            Action::ForcedEther => trace::Action::ForcedEther,
        }
    }

    fn outside(&mut self, asked: &Asked) -> Option<Outside> {
        if !self.reading.model.holds(&self.reading.ex.cx.terms, asked.reach) {
            return None;
        }
        let mut reenters = Vec::new();
        for (does, inner) in &asked.meanwhile {
            if self.reading.model.holds(&self.reading.ex.cx.terms, *does) {
                reenters.extend(self.step(inner));
            }
        }
        Some(Outside {
            span: asked.span,
            target: self.reading.address(asked.target),
            value: asked.value.map_or(U256::ZERO, |value| self.reading.word(value)),
            succeeds: self.reading.model.holds(&self.reading.ex.cx.terms, asked.ok),
            returns: self.reading.bytes(&asked.returned),
            reenters,
            writes: asked.writes.as_ref().map(|writes| self.written(writes)).unwrap_or_default(),
        })
    }

    /// What code of others has to write for the run to fail: whatever else there is in storage, nobody looks at it.
    fn written(&mut self, writes: &Writes) -> BTreeMap<U256, U256> {
        if !self.reading.model.holds(&self.reading.ex.cx.terms, writes.happens) {
            return BTreeMap::new();
        }
        let mut roots = self.reading.ex.cx.facts().to_vec();
        roots.push(self.claim);
        let reads = reads(self.reading.ex, &writes.storage, &roots);
        let wanted: Vec<TermId> = reads.iter().flat_map(Read::terms).collect();
        self.reading.model.learn(&self.reading.ex.cx.terms, &wanted);
        Contents::of(&mut self.reading, &reads).slots
    }

    /// What everybody in the trace owns before it begins.
    fn balances(&mut self, this: U256, steps: &[trace::Step]) -> Vec<(U256, U256)> {
        let mut addresses = vec![this];
        fn collect(step: &trace::Step, addresses: &mut Vec<U256>) {
            addresses.push(step.caller);
            for outside in &step.outside {
                addresses.push(outside.target);
                outside.reenters.iter().for_each(|inner| collect(inner, addresses));
            }
        }
        steps.iter().for_each(|step| collect(step, &mut addresses));
        let Ok(table) = self.reading.ex.cx.initial(Var::Balances) else { return Vec::new() };
        let ints = self.reading.ex.cx.ints;
        // Whose ether somebody looks at.
        let accounts = self.reading.ex.cx.read_at(table[0]);
        self.reading.model.learn(&self.reading.ex.cx.terms, &accounts);
        addresses.extend(accounts.into_iter().map(|account| self.reading.address(account)));
        addresses.sort_unstable();
        addresses.dedup();
        let owned = addresses.into_iter().map(|address| {
            let index = ints.constant(&mut self.reading.ex.cx.terms, &Type::Address, address);
            let balance = self.reading.ex.cx.terms.select(table[0], index);
            (address, self.reading.word(balance))
        });
        let mut owned: Vec<(U256, U256)> = owned.collect();
        // Where nobody looks at ether, nothing was said about it: enough must be there all the same.
        for (address, balance) in &mut owned {
            let spent = steps.iter().map(|step| spent_by(*address, step));
            *balance = (*balance).max(spent.fold(U256::ZERO, U256::saturating_add));
        }
        owned.retain(|(_, balance)| !balance.is_zero());
        owned
    }
}

/// How much ether somebody brings in a step, and in what happens in its course.
fn spent_by(address: U256, step: &trace::Step) -> U256 {
    let own = if step.caller == address { step.value } else { U256::ZERO };
    let inner = step.outside.iter().flat_map(|outside| &outside.reenters);
    inner.map(|inner| spent_by(address, inner)).fold(own, U256::saturating_add)
}
