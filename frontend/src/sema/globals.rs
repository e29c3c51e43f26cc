//! Names the language provides everywhere, by version.

use crate::hir::{Builtin, Ref};
use crate::version::Version;

/// `in_contract`: `this` and `super` exist.
pub(super) fn global(name: &str, version: Version, in_contract: bool) -> Option<Ref> {
    let (r, exists) = match name {
        "msg" => (Ref::Msg, true),
        "block" => (Ref::Block, true),
        "tx" => (Ref::Tx, true),
        "abi" => (Ref::Abi, version.at_least(4, 22)),
        "this" => (Ref::This, in_contract),
        "super" => (Ref::Super, in_contract),
        "now" => (Ref::Builtin(Builtin::Now), !version.at_least(7, 0)),
        "assert" => (Ref::Builtin(Builtin::Assert), true),
        "require" => (Ref::Builtin(Builtin::Require), true),
        "revert" => (Ref::Builtin(Builtin::Revert), true),
        "keccak256" => (Ref::Builtin(Builtin::Keccak256), true),
        "sha3" => (Ref::Builtin(Builtin::Keccak256), !version.at_least(5, 0)),
        "sha256" => (Ref::Builtin(Builtin::Sha256), true),
        "ripemd160" => (Ref::Builtin(Builtin::Ripemd160), true),
        "ecrecover" => (Ref::Builtin(Builtin::EcRecover), true),
        "addmod" => (Ref::Builtin(Builtin::AddMod), true),
        "mulmod" => (Ref::Builtin(Builtin::MulMod), true),
        "blockhash" => (Ref::Builtin(Builtin::BlockHash), version.at_least(4, 22)),
        "blobhash" => (Ref::Builtin(Builtin::BlobHash), version.at_least(8, 24)),
        "gasleft" => (Ref::Builtin(Builtin::GasLeft), version.at_least(4, 21)),
        "selfdestruct" => (Ref::Builtin(Builtin::SelfDestruct), true),
        "suicide" => (Ref::Builtin(Builtin::SelfDestruct), !version.at_least(5, 0)),
        "log0" => (Ref::Builtin(Builtin::Log(0)), !version.at_least(8, 0)),
        "log1" => (Ref::Builtin(Builtin::Log(1)), !version.at_least(8, 0)),
        "log2" => (Ref::Builtin(Builtin::Log(2)), !version.at_least(8, 0)),
        "log3" => (Ref::Builtin(Builtin::Log(3)), !version.at_least(8, 0)),
        "log4" => (Ref::Builtin(Builtin::Log(4)), !version.at_least(8, 0)),
        "erc7201" => (Ref::Builtin(Builtin::Erc7201), version.at_least(8, 30)),
        _ => return None,
    };
    exists.then_some(r)
}
