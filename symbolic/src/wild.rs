//! What code does behind the language's back: raw writes to storage, lengths that nobody has paid for, return data that only
//! precompiled contracts leave behind. What may be taken for granted of storage and arrays depends on it.

use hornet_ir::U256;
use hornet_ir::expr::{BinOp, Builtin, Expr};
use hornet_ir::ids::ProcId;
use hornet_ir::program::{CallKind, EvmOp, ObligationKind, Proc, Program, StmtKind};
use hornet_ir::visit::for_exprs_of;
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Wild {
    /// Storage may be written otherwise than through variables and references.
    pub raw_storage: bool,
    /// Arrays in storage can be longer than anybody paid for.
    pub long_arrays: bool,
    /// So can arrays anywhere.
    pub any_length: bool,
    /// Data is decoded without looking whether it fits: what is in memory may have bits beyond its type.
    pub unclean_memory: bool,
}

impl Wild {
    pub fn of(program: &Program, procs: impl Iterator<Item = ProcId>) -> Wild {
        let entries = program.contracts.iter().flat_map(|contract| &contract.entries);
        let careless: FxHashSet<ProcId> = entries.filter(|e| !e.strict_abi).map(|e| e.proc).collect();
        let mut wild = Wild::default();
        for id in procs {
            let proc = &program.procs[id];
            wild.unclean_memory |= careless.contains(&id) || stmts(proc).any(decodes_carelessly);
            let mut kinds = stmts(proc);
            wild.any_length |= kinds.any(|stmt| matches!(stmt, StmtKind::Evm { .. }));
            wild.raw_storage |= stmts(proc).any(writes_storage_raw);
            wild.long_arrays |= assigns_lengths(program, proc);
        }
        wild.long_arrays |= wild.raw_storage;
        wild.any_length |= wild.long_arrays;
        wild
    }

    /// The longest that an array can be, wherever it is.
    pub fn longest(self) -> U256 {
        if self.any_length { U256::MAX } else { U256::from(u64::MAX) }
    }
}

fn decodes_carelessly(stmt: &StmtKind) -> bool {
    matches!(stmt, StmtKind::Decode { strict: false, .. })
}

fn stmts(proc: &Proc) -> impl Iterator<Item = &StmtKind> {
    proc.blocks.iter().flat_map(|block| &block.stmts).map(|stmt| &stmt.kind)
}

/// Whether inline assembly or code of others may write storage.
fn writes_storage_raw(stmt: &StmtKind) -> bool {
    match stmt {
        StmtKind::Evm { op, .. } => matches!(op, EvmOp::SStore | EvmOp::DelegateCall | EvmOp::CallCode),
        StmtKind::ExternalCall(call) => {
            call.callee.is_none() && matches!(call.kind, CallKind::Delegate | CallKind::Code)
        }
        _ => false,
    }
}

/// Whether some array is given a length other than by `push`, `pop` and `delete`.
fn assigns_lengths(program: &Program, proc: &Proc) -> bool {
    let mut unguarded = 0;
    for stmt in stmts(proc) {
        match stmt {
            StmtKind::SetLength { length, .. } => match program.exprs.get(*length) {
                Expr::Binary(BinOp::Add, _, step) if *program.exprs.get(*step) == Expr::Const(U256::ONE) => {}
                Expr::Const(length) if *length <= U256::from(u64::MAX) => {}
                Expr::Binary(BinOp::Sub, ..) => unguarded += 1,
                _ => return true,
            },
            // `pop` looks whether there is something to take away.
            StmtKind::Check { obligation, .. } => {
                let kind = program.obligations[*obligation].kind;
                unguarded -= i32::from(kind == ObligationKind::EmptyPop);
            }
            _ => {}
        }
    }
    unguarded > 0
}

/// Whether code calculates hashes or signatures as only calls can.
pub(crate) fn calls_precompiled(program: &Program, proc: &Proc) -> bool {
    let mut found = false;
    for_exprs_of(&program.exprs, proc, &mut FxHashSet::default(), &mut |expr| {
        let wanted = [Builtin::Sha256, Builtin::Ripemd160, Builtin::EcRecover];
        found |= matches!(expr, Expr::Builtin(builtin, _) if wanted.contains(builtin));
    });
    found
}
