//! A model of a path, told as a list of transactions.

use super::asking::Model;
use hornet_ir::U256;
use hornet_ir::expr::AbiMode;
use hornet_ir::ids::TypeId;
use hornet_ir::interp::abi::encode::encode_trees;
use hornet_ir::interp::value::Tree as Told;
use hornet_ir::trace::{self, Failure, Outside, Trace};
use hornet_ir::types::Type;
use hornet_smt::term::{TermId, Value};
use hornet_symbolic::exec::{Action, Asked, Executor, Step, Subject, Way};
use hornet_symbolic::{Tree, Var};
use num_bigint::BigInt;

/// Arrays and byte strings inside others are cut to this: nothing was said about those that nobody reads.
const LONGEST: usize = 1024;

pub struct Telling<'t, 'p, 'm> {
    pub ex: &'t mut Executor<'p>,
    pub model: Model<'m>,
}

impl Telling<'_, '_, '_> {
    /// The run of some steps, the last of which fails.
    pub fn trace(&mut self, steps: &[Step], subject: &Subject) -> Trace {
        self.learn_choices(steps);
        let told: Vec<trace::Step> = steps.iter().filter_map(|step| self.step(step)).collect();
        let this = self.ex.this();
        let this = self.address(this);
        let balances = self.balances(this, &told);
        let clause = subject.annotation.as_ref().and_then(|(span, _)| {
            let obligations = self.ex.program.obligations.iter_ids();
            obligations.filter(|(_, o)| o.span == *span).map(|(id, _)| id).next()
        });
        let failure = Failure { kind: subject.kind, span: subject.span, clause };
        Trace { contract: self.ex.contract, this, balances, steps: told, failure }
    }

    /// Which functions are called, as a condition.
    pub fn choices(&mut self, steps: &[Step]) -> TermId {
        let ways = steps.iter().flat_map(|step| &step.ways);
        let chosen: Vec<TermId> = ways
            .map(|way| way.chosen)
            .filter(|chosen| self.model.holds(&self.ex.cx.terms, *chosen))
            .collect();
        self.ex.cx.terms.and_all(chosen)
    }

    /// Asks for all single values at once.
    fn learn_choices(&mut self, steps: &[Step]) {
        fn of_step(step: &Step, wanted: &mut Vec<TermId>) {
            wanted.extend([step.caller, step.origin, step.value]);
            wanted.extend(step.environment.iter().map(|(_, term)| *term));
            for way in &step.ways {
                wanted.push(way.chosen);
                for asked in &way.asked {
                    wanted.extend([asked.reach, asked.target, asked.ok, asked.returned[0]]);
                    wanted.extend(asked.value);
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
        self.model.learn(&self.ex.cx.terms, &wanted);
    }

    /// `None` if it does not happen.
    fn step(&mut self, step: &Step) -> Option<trace::Step> {
        let way = step.ways.iter().find(|way| self.model.holds(&self.ex.cx.terms, way.chosen))?;
        let action = self.action(way);
        let environment = step.environment.iter().map(|(var, term)| (*var, self.word(*term))).collect();
        Some(trace::Step {
            action,
            caller: self.address(step.caller),
            origin: self.address(step.origin),
            value: self.word(step.value),
            environment,
            outside: way.asked.iter().filter_map(|asked| self.outside(asked)).collect(),
        })
    }

    fn action(&mut self, way: &Way) -> trace::Action {
        let mut args: Vec<Told> = way.args.iter().map(|(ty, value)| self.tree(*ty, value)).collect();
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
        if !self.model.holds(&self.ex.cx.terms, asked.reach) {
            return None;
        }
        let mut reenters = Vec::new();
        for (does, inner) in &asked.meanwhile {
            if self.model.holds(&self.ex.cx.terms, *does) {
                reenters.extend(self.step(inner));
            }
        }
        Some(Outside {
            span: asked.span,
            target: self.address(asked.target),
            value: asked.value.map_or(U256::ZERO, |value| self.word(value)),
            succeeds: self.model.holds(&self.ex.cx.terms, asked.ok),
            returns: self.bytes(&asked.returned),
            reenters,
        })
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
        addresses.sort_unstable();
        addresses.dedup();
        let Ok(table) = self.ex.cx.initial(Var::Balances) else { return Vec::new() };
        let ints = self.ex.cx.ints;
        let owned = addresses.into_iter().map(|address| {
            let index = ints.constant(&mut self.ex.cx.terms, &Type::Address, address);
            let balance = self.ex.cx.terms.select(table[0], index);
            (address, self.word(balance))
        });
        let mut owned: Vec<(U256, U256)> = owned.collect();
        // Where nobody looks at ether, nothing was said about it: enough must be there all the same.
        for (address, balance) in &mut owned {
            let spent = steps.iter().filter(|step| step.caller == *address);
            let spent = spent.fold(U256::ZERO, |sum, step| sum.saturating_add(step.value));
            *balance = (*balance).max(spent);
        }
        owned.retain(|(_, balance)| !balance.is_zero());
        owned
    }

    fn number(&mut self, term: TermId) -> BigInt {
        match self.model.value(&self.ex.cx.terms, term) {
            Some(Value::Int(number)) => number,
            Some(Value::BitVec(number, _)) => number.into(),
            Some(Value::Bool(value)) => BigInt::from(u8::from(value)),
            Some(Value::Array(_) | Value::Opaque(_)) | None => BigInt::ZERO,
        }
    }

    fn scalar(&mut self, ty: &Type, term: TermId) -> U256 {
        let number = self.number(term);
        self.ex.cx.ints.to_word(ty, &number)
    }

    fn word(&mut self, term: TermId) -> U256 {
        self.scalar(&Type::Int { bits: 256, signed: false }, term)
    }

    fn address(&mut self, term: TermId) -> U256 {
        self.scalar(&Type::Address, term)
    }

    fn length(&mut self, term: TermId) -> usize {
        usize::try_from(self.number(term)).ok().filter(|n| *n <= LONGEST).unwrap_or(0)
    }

    /// A deep value.
    fn tree(&mut self, ty: TypeId, leaves: &Tree) -> Told {
        let program = self.ex.program;
        match program.types.get(ty).clone() {
            Type::Bytes => Told::Bytes(self.bytes(leaves).into()),
            Type::Array { elem, len } => {
                let (length, elements) = match len {
                    Some(len) => (usize::try_from(len).unwrap_or(0).min(LONGEST), leaves.clone()),
                    None => (self.length(leaves[0]), leaves[1..].into()),
                };
                let element = |i: usize| {
                    let i = self.ex.cx.word(i as u64);
                    let leaves: Tree =
                        elements.iter().map(|leaf| self.ex.cx.terms.select(*leaf, i)).collect();
                    self.tree(elem, &leaves)
                };
                Told::List((0..length).map(element).collect())
            }
            Type::Struct(id) => {
                let mut at = 0;
                let mut fields = Vec::new();
                for field in &program.types.structs[id].fields {
                    let size = self.ex.cx.shape(field.ty).map_or(0, |shape| shape.len());
                    fields.push(self.tree(field.ty, &leaves[at..at + size].into()));
                    at += size;
                }
                Told::List(fields)
            }
            Type::CalldataRef(tree) | Type::MemoryRef(tree) => self.tree(tree, leaves),
            scalar => match leaves.first() {
                Some(leaf) => Told::Word(self.scalar(&scalar, *leaf)),
                None => Told::Word(U256::ZERO),
            },
        }
    }

    /// Bytes of somebody's choice: the encoding of what was decoded from them, if something was.
    fn bytes(&mut self, leaves: &Tree) -> Vec<u8> {
        let decoded = self.ex.paths.decoded.clone();
        for decoded in decoded.iter().filter(|d| d.data == leaves[1]) {
            if !self.model.holds(&self.ex.cx.terms, decoded.success) {
                continue;
            }
            let parts = decoded.types.iter().zip(&decoded.values);
            let values: Vec<Told> = parts.map(|(ty, value)| self.tree(*ty, value)).collect();
            let types = &self.ex.program.types;
            if let Ok(encoded) = encode_trees(types, AbiMode::Standard, &decoded.types, &values) {
                let mut bytes: Vec<u8> = (0..decoded.offset).map(|i| self.byte(leaves[1], i)).collect();
                bytes.extend(encoded);
                return bytes;
            }
        }
        let length = self.length(leaves[0]);
        (0..length).map(|i| self.byte(leaves[1], i)).collect()
    }

    fn byte(&mut self, data: TermId, at: usize) -> u8 {
        let at = self.ex.cx.word(at as u64);
        let byte = self.ex.cx.terms.select(data, at);
        u8::try_from(self.number(byte)).unwrap_or(0)
    }
}
