//! Claims that may turn out to be invariants.

use super::notation::Reader;
use hornet_ir::expr::{ArithOp, BinOp, Expr, UnOp};
use hornet_ir::ids::{BlockId, BoundId, ContractId, ExprId, ProcId, TypeId};
use hornet_ir::program::Program;
use hornet_ir::spec::BoundVar;
use hornet_ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a claim is meant to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// Whenever nobody is inside the contract.
    Contract,
    /// Before every iteration of the loop with this head.
    Loop(ProcId, BlockId),
}

#[derive(Clone, Debug)]
pub struct Candidate {
    pub home: Home,
    pub claim: ExprId,
    /// The claim, and that arithmetic in it stays within its types.
    pub cond: ExprId,
    pub fits: ExprId,
    /// In Solidity's notation.
    pub text: String,
}

impl Candidate {
    pub fn identity(&self) -> (Home, ExprId) {
        (self.home, self.claim)
    }
}

/// Proposals in the order in which they were made, each once.
pub struct Pool {
    pub program: Program,
    pub contract: ContractId,
    pub candidates: Vec<Candidate>,
    seen: FxHashSet<(Home, ExprId)>,
    room: usize,
    /// One variable for each type of keys, so that equal claims look equal.
    keys: FxHashMap<TypeId, BoundId>,
}

impl Pool {
    pub fn new(program: Program, contract: ContractId) -> Pool {
        Pool {
            program,
            contract,
            candidates: Vec::new(),
            seen: FxHashSet::default(),
            room: 0,
            keys: FxHashMap::default(),
        }
    }

    /// How many proposals are taken from now on.
    pub fn allow(&mut self, room: usize) {
        self.room = room;
    }

    /// Adds a claim that has a notation at its home, as long as there is room.
    pub fn propose(&mut self, home: Home, claim: ExprId) {
        if self.room == 0 || is_trivial(&self.program, claim) || !self.seen.insert((home, claim)) {
            return;
        }
        let proc = match home {
            Home::Contract => None,
            Home::Loop(proc, _) => Some(&self.program.procs[proc]),
        };
        let reader = Reader { program: &self.program, contract: self.contract, proc };
        let Some(text) = reader.show(claim) else { return };
        let fits = fits(&mut self.program, claim);
        let cond = self.program.and(fits, claim);
        self.candidates.push(Candidate { home, claim, cond, fits, text });
        self.room -= 1;
    }

    /// The variable that stands for any key of a type.
    pub fn key(&mut self, ty: TypeId) -> BoundId {
        if let Some(var) = self.keys.get(&ty) {
            return *var;
        }
        let name = if *self.program.types.get(ty) == Type::Address { "a" } else { "k" };
        let var = self.program.bound_vars.push(BoundVar { name: name.to_owned(), ty });
        self.keys.insert(ty, var);
        var
    }

    pub fn propose_comparison(&mut self, home: Home, op: BinOp, a: ExprId, b: ExprId) {
        if a != b {
            let cond = self.program.binary(op, a, b);
            self.propose(home, cond);
        }
    }
}

/// Whether it says of an unsigned number that it is not negative.
fn is_trivial(program: &Program, claim: ExprId) -> bool {
    let (large, small) = match *program.exprs.get(claim) {
        Expr::Binary(BinOp::Ge, a, b) | Expr::Binary(BinOp::Le, b, a) => (a, b),
        Expr::Binary(BinOp::BoolOr, a, b) => return is_trivial(program, a) || is_trivial(program, b),
        Expr::Quantified { body, .. } => return is_trivial(program, body),
        _ => return program.constant(claim).is_some(),
    };
    let unsigned = matches!(program.types.get(program.exprs.ty(large)), Type::Int { signed: false, .. });
    unsigned && program.constant(small).is_some_and(|word| word.is_zero())
}

/// That no arithmetic in an expression leaves its type; numbers of any size have none.
fn fits(program: &mut Program, e: ExprId) -> ExprId {
    let mut all = program.const_bool(true);
    let operation = match *program.exprs.get(e) {
        Expr::Binary(BinOp::Add, a, b) => Some((ArithOp::Add, a, b)),
        Expr::Binary(BinOp::Sub, a, b) => Some((ArithOp::Sub, a, b)),
        Expr::Binary(BinOp::Mul, a, b) => Some((ArithOp::Mul, a, b)),
        Expr::Binary(BinOp::Exp, a, b) => Some((ArithOp::Exp, a, b)),
        Expr::Unary(UnOp::Neg, a) => Some((ArithOp::Neg, a, a)),
        _ => None,
    };
    if let Some((op, a, b)) = operation
        && !program.types.get(program.exprs.ty(a)).is_wide()
    {
        all = program.fits(op, a, b);
    }
    // Under a quantifier, the condition is about its variables.
    if let Expr::Quantified { vars, body, .. } = program.exprs.get(e).clone() {
        let inner = fits(program, body);
        return program.quantified(true, &vars, inner);
    }
    let mut parts = Vec::new();
    program.exprs.for_each_operand(e, |part| parts.push(part));
    for part in parts {
        let inner = fits(program, part);
        all = program.and(all, inner);
    }
    all
}
