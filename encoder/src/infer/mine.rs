//! What the code itself says: conditions it decides by, and constants it uses.

use super::rewrite::rewrite;
use hornet_ir::U256;
use hornet_ir::expr::{BinOp, EnvVar, Expr, Place, Root, UnOp};
use hornet_ir::ids::{ContractId, ExprId, LocalId, PlaceId, ProcId, StateVarId, TypeId};
use hornet_ir::program::{AllocInit, Callee, Proc, Program, StmtKind, Terminator};
use hornet_ir::types::Type;
use hornet_ir::typing::is_comparison;
use hornet_ir::visit::{Roots, destinations, for_place_operands};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Mined {
    /// Code that runs as part of the contract.
    pub procs: Vec<ProcId>,
    /// Comparisons and Boolean values that the code decides by, with the procedure whose locals they may mention.
    pub atoms: Vec<(ProcId, ExprId)>,
    /// Numbers that occur beside values of a type, the most frequent first.
    pub constants: FxHashMap<TypeId, Vec<U256>>,
    /// For each function that can be called from outside, the variables that a call may read or write.
    together: Vec<FxHashSet<StateVarId>>,
    /// There are so few variables that all of them may be related.
    is_small: bool,
    /// The code reads the clock.
    pub reads_time: bool,
}

impl Mined {
    pub fn new(program: &mut Program, contract: ContractId) -> Mined {
        let procs = reachable(program, contract);
        let mut atoms = Vec::new();
        for &id in &procs {
            let known = definitions(&program.procs[id]);
            for cond in decisions(&program.procs[id]) {
                // A local stands for what it was set to.
                let mut deep = 0;
                let mut replace = |program: &mut Program, e: ExprId| unfold(program, &known, e, &mut deep);
                if let Some(cond) = rewrite(program, cond, &mut replace) {
                    split(program, id, cond, &mut atoms);
                }
                split(program, id, cond, &mut atoms);
            }
        }
        let mut seen = FxHashSet::default();
        atoms.retain(|atom| seen.insert(*atom));
        let constants = constants(program, &procs);
        let together =
            entries(program, contract).into_iter().map(|entry| mentioned(program, entry)).collect();
        let is_small = program.contracts[contract].state.len() <= FEW;
        let reads_time = procs.iter().any(|id| reads_time(program, *id));
        Mined { procs, atoms, constants, together, is_small, reads_time }
    }

    /// Whether some call has to do with all variables of two expressions: others are hardly related.
    pub fn are_related(&self, program: &Program, a: ExprId, b: ExprId) -> bool {
        if self.is_small {
            return true;
        }
        let mut vars = FxHashSet::default();
        state_vars(program, a, &mut vars);
        state_vars(program, b, &mut vars);
        self.together.iter().any(|call| vars.is_subset(call))
    }

    pub fn constants_of(&self, ty: TypeId) -> &[U256] {
        self.constants.get(&ty).map_or(&[], Vec::as_slice)
    }
}

/// Whether an expression means the same in every call: it speaks of the contract's state and of time only.
pub fn is_about_state(program: &Program, e: ExprId) -> bool {
    let own = match program.exprs.get(e) {
        Expr::Local(_) => false,
        Expr::Env(var) => matches!(var, EnvVar::This | EnvVar::Timestamp | EnvVar::Number),
        _ => true,
    };
    let mut all = own;
    program.exprs.for_each_operand(e, |part| all = all && is_about_state(program, part));
    all
}

/// So many variables are few.
const FEW: usize = 6;

fn reads_time(program: &Program, id: ProcId) -> bool {
    fn search(program: &Program, e: ExprId) -> bool {
        let mut found = *program.exprs.get(e) == Expr::Env(EnvVar::Timestamp);
        program.exprs.for_each_operand(e, |part| found = found || search(program, part));
        found
    }
    let mut roots = Roots::default();
    for block in program.procs[id].blocks.iter() {
        block.stmts.iter().for_each(|stmt| roots.stmt(&stmt.kind));
        roots.terminator(&block.terminator);
    }
    roots.exprs.iter().any(|e| search(program, *e))
}

/// Whether a condition is only about arrays being too long.
pub fn mentions_limit(program: &Program, e: ExprId) -> bool {
    let mut found = matches!(program.exprs.get(e), Expr::Const(word) if *word == LONGEST);
    program.exprs.for_each_operand(e, |part| found = found || mentions_limit(program, part));
    found
}

/// Code that others can call.
fn entries(program: &Program, contract: ContractId) -> Vec<ProcId> {
    let decl = &program.contracts[contract];
    let named = decl.entries.iter().map(|e| e.proc);
    named.chain(decl.receive).chain(decl.fallback.map(|f| f.proc)).collect()
}

fn reachable(program: &Program, contract: ContractId) -> Vec<ProcId> {
    let mut found: Vec<ProcId> = program.contracts[contract].constructor.into_iter().collect();
    found.extend(entries(program, contract));
    add_callees(program, &mut found);
    found
}

fn add_callees(program: &Program, found: &mut Vec<ProcId>) {
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        next += 1;
        for stmt in program.procs[id].blocks.iter().flat_map(|b| &b.stmts) {
            if let StmtKind::Call { callee: Callee::Proc(callee), .. } = &stmt.kind
                && !found.contains(callee)
            {
                found.push(*callee);
            }
        }
    }
}

/// The variables that a call of a procedure may read or write.
fn mentioned(program: &Program, entry: ProcId) -> FxHashSet<StateVarId> {
    let mut procs = vec![entry];
    add_callees(program, &mut procs);
    let mut vars = FxHashSet::default();
    for block in procs.iter().flat_map(|id| program.procs[*id].blocks.iter()) {
        let mut roots = Roots::default();
        block.stmts.iter().for_each(|stmt| roots.stmt(&stmt.kind));
        roots.terminator(&block.terminator);
        roots.exprs.iter().for_each(|e| state_vars(program, *e, &mut vars));
        roots.places.iter().for_each(|place| state_vars_of_place(program, *place, &mut vars));
    }
    vars
}

fn state_vars(program: &Program, e: ExprId, vars: &mut FxHashSet<StateVarId>) {
    if let Expr::Load(place) | Expr::Length(place) | Expr::Ref(place) | Expr::Sum { place, .. } =
        program.exprs.get(e)
    {
        vars.extend(root_var(program, *place));
    }
    program.exprs.for_each_operand(e, |part| state_vars(program, part, vars));
}

fn state_vars_of_place(program: &Program, place: PlaceId, vars: &mut FxHashSet<StateVarId>) {
    vars.extend(root_var(program, place));
    for_place_operands(&program.exprs, place, &mut |part| state_vars(program, part, vars));
}

fn root_var(program: &Program, place: PlaceId) -> Option<StateVarId> {
    match program.exprs.place(place).root {
        Root::State(var) => Some(var),
        Root::Storage(_) | Root::Memory(_) | Root::Calldata(_) => None,
    }
}

/// What locals stand for that are set exactly once.
#[derive(Default)]
struct Definitions {
    values: FxHashMap<LocalId, ExprId>,
    /// What is copied to memory there.
    copies: FxHashMap<LocalId, ExprId>,
}

fn definitions(proc: &Proc) -> Definitions {
    let mut times: FxHashMap<LocalId, u32> = proc.params.iter().map(|p| (*p, 1)).collect();
    let mut known = Definitions::default();
    for stmt in proc.blocks.iter().flat_map(|b| &b.stmts) {
        destinations(&stmt.kind).into_iter().for_each(|dst| *times.entry(dst).or_default() += 1);
        match &stmt.kind {
            StmtKind::Assign { dst, value } => known.values.insert(*dst, *value),
            StmtKind::Alloc { dst, init: AllocInit::Copy(_, source) } => known.copies.insert(*dst, *source),
            _ => None,
        };
    }
    known.values.retain(|dst, _| times.get(dst) == Some(&1));
    known.copies.retain(|dst, _| times.get(dst) == Some(&1));
    known
}

impl Definitions {
    fn of(&self, program: &Program, e: ExprId) -> Option<ExprId> {
        match *program.exprs.get(e) {
            Expr::Local(local) => self.values.get(&local).copied(),
            Expr::Load(place) => match *program.exprs.place(place) {
                Place { root: Root::Memory(object), ref steps } if steps.is_empty() => {
                    let Expr::Local(local) = *program.exprs.get(object) else { return None };
                    self.copies.get(&local).copied()
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// How many definitions are followed in one expression, so that it stays readable.
const UNFOLDINGS: u32 = 8;

fn unfold(program: &mut Program, known: &Definitions, e: ExprId, deep: &mut u32) -> Option<ExprId> {
    let value = known.of(program, e)?;
    if *deep >= UNFOLDINGS {
        return None;
    }
    *deep += 1;
    if matches!(program.exprs.get(value), Expr::Ref(_)) {
        return Some(value);
    }
    rewrite(program, value, &mut |program, e| unfold(program, known, e, deep))
}

fn decisions(proc: &Proc) -> Vec<ExprId> {
    let mut found = Vec::new();
    for block in proc.blocks.iter() {
        for stmt in &block.stmts {
            if let StmtKind::Check { cond, .. } | StmtKind::Assume { cond } = &stmt.kind {
                found.push(*cond);
            }
        }
        if let Terminator::Branch { cond, .. } = block.terminator {
            found.push(cond);
        }
    }
    found
}

fn split(program: &Program, proc: ProcId, cond: ExprId, atoms: &mut Vec<(ProcId, ExprId)>) {
    match *program.exprs.get(cond) {
        Expr::Unary(UnOp::Not, a) => split(program, proc, a, atoms),
        Expr::Binary(BinOp::BoolAnd | BinOp::BoolOr, a, b) => {
            // The whole may be an invariant although neither side is.
            atoms.push((proc, cond));
            split(program, proc, a, atoms);
            split(program, proc, b, atoms);
        }
        Expr::Binary(op, ..) if is_comparison(op) => atoms.push((proc, cond)),
        Expr::Load(_) => atoms.push((proc, cond)),
        _ => {}
    }
}

/// How many constants of one type are tried.
const CONSTANTS: usize = 6;

/// The limit of lengths, which every `push` compares with.
const LONGEST: U256 = U256::from_limbs([0, 1, 0, 0]);

fn constants(program: &Program, procs: &[ProcId]) -> FxHashMap<TypeId, Vec<U256>> {
    let mut counts: FxHashMap<TypeId, FxHashMap<U256, usize>> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    for id in procs {
        let mut roots = Roots::default();
        for block in program.procs[*id].blocks.iter() {
            block.stmts.iter().for_each(|stmt| roots.stmt(&stmt.kind));
            if let Terminator::Branch { cond, .. } = block.terminator {
                roots.exprs.push(cond);
            }
        }
        let mut work = roots.exprs;
        while let Some(e) = work.pop() {
            if let Expr::Const(word) = program.exprs.get(e)
                && matches!(program.types.get(program.exprs.ty(e)), Type::Int { .. })
            {
                *counts.entry(program.exprs.ty(e)).or_default().entry(*word).or_default() += 1;
            }
            program.exprs.for_each_operand(e, |part| {
                if seen.insert((e, part)) {
                    work.push(part);
                }
            });
        }
    }
    let frequent = |words: FxHashMap<U256, usize>| {
        let mut words: Vec<(U256, usize)> = words.into_iter().collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        words.into_iter().map(|(word, _)| word).filter(|word| *word != LONGEST).take(CONSTANTS).collect()
    };
    counts.into_iter().map(|(ty, words)| (ty, frequent(words))).collect()
}
