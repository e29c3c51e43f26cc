//! Whether a contract may pay itself: then a call brings no ether, although it says so.

use hornet_ir::expr::Expr;
use hornet_ir::ids::{ContractId, ProcId};
use hornet_ir::program::{CallKind, EvmOp, ExternalCall, Program, StmtKind};

/// Whether code of the contract could make a call with ether that runs `code`, if its target were the contract itself.
pub fn may_pay_itself(program: &Program, contract: ContractId, code: ProcId) -> bool {
    let decl = &program.contracts[contract];
    let signature = decl.entries.iter().find(|e| e.proc == code).map(|e| e.signature.as_str());
    let is_fallback = decl.fallback.is_some_and(|f| f.proc == code);
    let takes = |call: &ExternalCall| match (&call.callee, program.exprs.get(call.data)) {
        (Some((_, called)), _) => is_fallback || signature == Some(called),
        // Without data: `receive` or the fallback function.
        (None, Expr::BytesConst(data)) if data.is_empty() => signature.is_none(),
        (None, _) => true,
    };
    // Code of libraries and free functions may run as part of the contract.
    let own =
        program.procs.iter().filter(|p| p.contract.is_none_or(|c| c == contract || is_library(program, c)));
    own.flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts).any(|stmt| match &stmt.kind {
        StmtKind::ExternalCall(call) => call.kind == CallKind::Call && call.value.is_some() && takes(call),
        StmtKind::Evm { op, .. } => matches!(op, EvmOp::Call | EvmOp::DelegateCall | EvmOp::CallCode),
        _ => false,
    })
}

fn is_library(program: &Program, contract: ContractId) -> bool {
    program.contracts[contract].kind == hornet_ir::program::ContractKind::Library
}
