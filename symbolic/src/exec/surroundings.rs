//! Who calls, when, and with what, for [`Policy::Paths`](super::Policy::Paths): anybody who can exist, at any time to come.

use super::executor::Executor;
use super::flow::Flow;
use super::paths::Step;
use super::transaction::Entrance;
use crate::{LeafKind, Res, Tree, Var};
use hornet_ir::expr::{Builtin, EnvVar, Expr};
use hornet_ir::ids::{ExprId, Id, TypeId};
use hornet_ir::program::StmtKind;
use hornet_ir::types::Type;
use hornet_smt::term::{Sort, TermId};
use num_bigint::BigInt;

const WORD: Type = Type::Int { bits: 256, signed: false };
/// Addresses up to this belong to nobody, or to the machine itself.
const RESERVED: u64 = 0xffff;
/// Gas of blocks on a chain where anything goes on.
const SMALLEST_BLOCK: u64 = 1_000_000;
/// Longer arrays and byte strings are not looked for.
const LONGEST: u64 = 512;

/// What the program can notice of the world around the contract.
#[derive(Clone, Copy, Debug)]
pub struct Awareness {
    /// It looks at balances.
    pub balances: bool,
    /// It does, or it pays.
    pub ether: bool,
    pub code: bool,
    pub data: bool,
    pub chain: bool,
}

impl<'p> Executor<'p> {
    pub fn awareness(&mut self) -> Awareness {
        match self.paths.awareness {
            Some(known) => known,
            None => *self.paths.awareness.insert(self.look_around()),
        }
    }

    fn look_around(&self) -> Awareness {
        let exprs = &self.program.exprs;
        let all = || (0..exprs.len()).map(|i| exprs.get(ExprId::from_usize(i)));
        let reads =
            |wanted: &[Builtin]| all().any(|e| matches!(e, Expr::Builtin(b, _) if wanted.contains(b)));
        let stmts = self.program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
        let pays = stmts.into_iter().any(|stmt| match &stmt.kind {
            StmtKind::ExternalCall(call) => call.value.is_some(),
            StmtKind::Create(create) => create.value.is_some(),
            StmtKind::SelfDestruct { .. } => true,
            _ => false,
        });
        Awareness {
            balances: reads(&[Builtin::Balance, Builtin::CodeHash]),
            ether: pays || reads(&[Builtin::Balance, Builtin::CodeHash]),
            code: reads(&[Builtin::CodeSize, Builtin::CodeHash, Builtin::Code]),
            data: all().any(|e| matches!(e, Expr::Env(EnvVar::CallData))),
            chain: all().any(|e| matches!(e, Expr::Env(EnvVar::ChainId))),
        }
    }

    pub(super) fn fresh_address(&mut self, hint: &str) -> TermId {
        let sort = self.cx.ints.sort(&self.program.types, &Type::Address);
        let address = self.cx.terms.fresh(hint, sort);
        let range = self.cx.ints.in_range(&mut self.cx.terms, &self.program.types, &Type::Address, address);
        self.cx.fact(range);
        address
    }

    /// Somebody calls. Within a transaction, signer and block are the same.
    pub fn environment_of_step(&mut self, flow: &mut Flow, entrance: Entrance) -> Res<Step> {
        let caller = self.fresh_address("caller");
        self.is_somebody_else(flow, caller)?;
        let value = self.cx.terms.fresh("value", self.cx.word_sort());
        self.cx.admit_word(value);
        flow.state.set(Var::Caller, [caller].into());
        flow.state.set(Var::CallValue, [value].into());
        if !self.awareness().ether {
            self.bring_from_nowhere(flow, value);
        }
        let begins = entrance == Entrance::Transaction;
        if begins {
            let origin = self.fresh_address("origin");
            self.is_somebody_else(flow, origin)?;
            self.paths.origin = Some(origin);
        }
        let origin = self.paths.origin.unwrap_or(caller);
        let mut environment = Vec::new();
        for (var, ty) in self.environment() {
            let name = Var::Env(var, ty);
            let earlier = self.cx.get(&flow.state, name)?[0];
            if begins {
                let now = if var == EnvVar::Origin { [origin].into() } else { self.cx.fresh("env", ty)? };
                flow.state.set(name, now.clone());
                self.is_possible_environment(flow, var, earlier, now[0])?;
            }
            environment.push((var, self.cx.get(&flow.state, name)?[0]));
        }
        self.pays_for_itself(flow, &environment);
        // Whoever signs a transaction has no code.
        let has_code = self.has_code(flow, if begins { origin } else { caller })?;
        let expected = if begins { self.cx.terms.not(has_code) } else { has_code };
        flow.assume(&self.cx.terms, expected);
        if self.awareness().chain {
            environment.push((EnvVar::ChainId, self.cx.env_term(EnvVar::ChainId, &WORD)));
        }
        Ok(Step { ways: Vec::new(), caller, origin, value, environment })
    }

    /// Where nobody keeps accounts of ether, it is still no more than one account can hold.
    fn bring_from_nowhere(&mut self, flow: &mut Flow, value: TermId) {
        let before = self.paths.brought.unwrap_or_else(|| self.cx.word(0));
        let after = self.plus(before, value);
        let possible = self.fits_word(before, after);
        flow.assume(&self.cx.terms, possible);
        self.paths.brought = Some(after);
    }

    /// A transaction pays at least what the block asks for.
    fn pays_for_itself(&mut self, flow: &mut Flow, environment: &[(EnvVar, TermId)]) {
        let find = |wanted| environment.iter().find(|(var, _)| *var == wanted).map(|(_, value)| *value);
        if let (Some(asked), Some(paid)) = (find(EnvVar::BaseFee), find(EnvVar::GasPrice)) {
            let enough = self.at_most(asked, paid);
            flow.assume(&self.cx.terms, enough);
        }
    }

    fn is_possible_environment(
        &mut self,
        flow: &mut Flow,
        var: EnvVar,
        earlier: TermId,
        now: TermId,
    ) -> Res<()> {
        match var {
            EnvVar::Timestamp | EnvVar::Number => {
                let onwards = self.at_most(earlier, now);
                flow.assume(&self.cx.terms, onwards);
                self.is_below(flow, now, u64::MAX);
                self.is_above(flow, now, 0);
            }
            EnvVar::Coinbase => self.is_realistic(flow, now)?,
            EnvVar::GasLimit => {
                self.is_below(flow, now, 1 << 40);
                self.is_above(flow, now, SMALLEST_BLOCK);
            }
            EnvVar::BaseFee | EnvVar::BlobBaseFee | EnvVar::GasPrice => self.is_below(flow, now, 1 << 40),
            EnvVar::PrevRandao
            | EnvVar::Origin
            | EnvVar::This
            | EnvVar::Caller
            | EnvVar::CallValue
            | EnvVar::CallData
            | EnvVar::ReturnData
            | EnvVar::ChainId
            | EnvVar::GasLeft => {}
        }
        Ok(())
    }

    /// An address that people and contracts can have.
    pub fn is_realistic(&mut self, flow: &mut Flow, address: TermId) -> Res<()> {
        self.is_above(flow, address, RESERVED);
        Ok(())
    }

    /// The address of neither the contract nor of what it created.
    pub fn is_somebody_else(&mut self, flow: &mut Flow, address: TermId) -> Res<()> {
        self.is_realistic(flow, address)?;
        let this = self.this();
        let mut others = vec![this];
        others.extend(self.paths.created.iter().copied());
        for other in others.into_iter().filter(|other| *other != address) {
            let another = self.cx.terms.ne(address, other);
            flow.assume(&self.cx.terms, another);
        }
        Ok(())
    }

    pub fn is_above(&mut self, flow: &mut Flow, number: TermId, limit: u64) {
        let limit = self.number_like(number, limit);
        let at_most = self.at_most(number, limit);
        let above = self.cx.terms.not(at_most);
        flow.assume(&self.cx.terms, above);
    }

    pub fn is_below(&mut self, flow: &mut Flow, number: TermId, limit: u64) {
        let limit = self.number_like(number, limit);
        let at_least = self.at_most(limit, number);
        let below = self.cx.terms.not(at_least);
        flow.assume(&self.cx.terms, below);
    }

    /// A constant of the same sort as a term.
    pub fn number_like(&mut self, term: TermId, number: u64) -> TermId {
        match self.cx.terms.sort(term) {
            Sort::BitVec(width) => {
                let width = *width;
                self.cx.terms.bv(number, width)
            }
            Sort::Bool | Sort::Int | Sort::Array(..) => self.cx.terms.int(BigInt::from(number)),
        }
    }

    /// Whether there is code at an address. Where nobody looks, everybody but the signer has some.
    pub fn has_code(&mut self, flow: &Flow, address: TermId) -> Res<TermId> {
        if !self.awareness().code {
            let signer = self.paths.origin.unwrap_or(address);
            return Ok(self.cx.terms.ne(address, signer));
        }
        let sizes = self.cx.get(&flow.state, Var::CodeSizes)?[0];
        let size = self.cx.terms.select(sizes, address);
        self.cx.admit_word(size);
        let nothing = self.cx.word(0);
        Ok(self.cx.terms.ne(size, nothing))
    }

    /// Code is there (`some` byte of it) or not.
    pub fn set_code_size(&mut self, flow: &mut Flow, address: TermId, some: u64) -> Res<()> {
        let sizes = self.cx.get(&flow.state, Var::CodeSizes)?[0];
        let size = match some {
            0 => self.cx.word(0),
            _ => {
                let size = self.cx.terms.fresh("codesize", self.cx.word_sort());
                self.cx.admit_word(size);
                self.is_above(flow, size, 0);
                self.is_below(flow, size, 24577);
                size
            }
        };
        let sizes = self.cx.terms.store(sizes, address, size);
        flow.state.set(Var::CodeSizes, [sizes].into());
        Ok(())
    }

    /// Arrays and byte strings of somebody's choice are not too long to be written down.
    pub fn limit_lengths(&mut self, flow: &mut Flow, ty: TypeId, value: &Tree) -> Res<()> {
        let shape = self.cx.shape(ty)?;
        for (leaf, term) in shape.iter().zip(value.iter()) {
            if leaf.kind == LeafKind::Length && leaf.indices.is_empty() {
                self.is_below(flow, *term, LONGEST);
            }
        }
        Ok(())
    }
}
