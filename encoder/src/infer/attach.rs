//! Programs with candidates among their claims.

use super::candidate::{Candidate, Home};
use hornet_ir::U256;
use hornet_ir::expr::BinOp;
use hornet_ir::ids::{ContractId, StateVarId};
use hornet_ir::program::{Obligation, ObligationKind, Program, StateKind, StateVar};
use hornet_ir::span::{FileId, Span};
use hornet_ir::spec::Clause;
use hornet_ir::types::Type;

/// The program with candidates as ordinary invariants.
pub fn with_invariants<'c>(
    program: &Program,
    contract: ContractId,
    candidates: impl IntoIterator<Item = &'c Candidate>,
) -> Program {
    let mut program = prepared(program);
    for candidate in candidates {
        let clause = Clause {
            cond: candidate.cond,
            fits: candidate.fits,
            obligation: obligation(&mut program, contract, candidate.home),
            text: candidate.text.clone(),
        };
        place(&mut program, contract, candidate.home, clause);
    }
    program
}

/// The program with candidates that hold only while their switches are on. Their texts are their numbers.
pub fn with_switches<'c>(
    program: &Program,
    contract: ContractId,
    candidates: impl IntoIterator<Item = &'c Candidate>,
) -> (Program, Vec<StateVarId>) {
    let mut program = prepared(program);
    let mut switches = Vec::new();
    for (number, candidate) in candidates.into_iter().enumerate() {
        let switch = add_switch(&mut program, contract);
        switches.push(switch);
        let place_of = program.state_place(switch);
        let on = program.load(place_of);
        let off = program.not(on);
        let clause = Clause {
            cond: program.binary(BinOp::BoolOr, off, candidate.cond),
            fits: program.binary(BinOp::BoolOr, off, candidate.fits),
            obligation: obligation(&mut program, contract, candidate.home),
            text: number.to_string(),
        };
        place(&mut program, contract, candidate.home, clause);
    }
    (program, switches)
}

fn prepared(program: &Program) -> Program {
    let mut program = program.clone();
    program.invariants_inferred = true;
    program
}

/// A Boolean that no code can change: it is no variable of the contract.
pub fn add_switch(program: &mut Program, contract: ContractId) -> StateVarId {
    let ty = program.types.intern(Type::Bool);
    program.state.push(StateVar {
        name: "switch".to_owned(),
        declared_in: String::new(),
        contract,
        ty,
        kind: StateKind::Immutable,
        slot: U256::ZERO,
        offset: 0,
        span: None,
    })
}

/// Where a claim at this place could be written.
pub fn span_of(program: &Program, contract: ContractId, home: Home) -> Span {
    let nowhere = Span { file: FileId(0), start: 0, end: 0 };
    let found = match home {
        Home::Contract => program.contracts[contract].span,
        Home::Loop(proc, head) => {
            let block = &program.procs[proc].blocks[head];
            block.loop_head.or(block.span).or(program.procs[proc].span)
        }
    };
    found.unwrap_or(nowhere)
}

fn obligation(program: &mut Program, contract: ContractId, home: Home) -> hornet_ir::ids::ObligationId {
    let kind = match home {
        Home::Contract => ObligationKind::Invariant,
        Home::Loop(..) => ObligationKind::LoopInvariant,
    };
    let span = span_of(program, contract, home);
    program.obligations.push(Obligation { kind, span, contract: Some(contract), silent: false })
}

fn place(program: &mut Program, contract: ContractId, home: Home, clause: Clause) {
    match home {
        Home::Contract => program.contracts[contract].invariants.push(clause),
        Home::Loop(proc, head) => program.procs[proc].blocks[head].invariants.push(clause),
    }
}
