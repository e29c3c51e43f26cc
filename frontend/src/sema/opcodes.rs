//! EVM instructions that inline assembly can use as functions.

use crate::version::Version;

/// Number of arguments and of results.
pub(super) fn arity(name: &str, version: Version) -> Option<(usize, usize)> {
    Some(match name {
        "stop" | "invalid" => (0, 0),
        "add" | "sub" | "mul" | "div" | "sdiv" | "mod" | "smod" | "exp" | "lt" | "gt" | "slt" | "sgt"
        | "eq" | "and" | "or" | "xor" | "byte" | "shl" | "shr" | "sar" | "signextend" => (2, 1),
        "not" | "iszero" | "clz" => (1, 1),
        "addmod" | "mulmod" => (3, 1),
        "keccak256" => (2, 1),
        "sha3" if !version.at_least(5, 0) => (2, 1),
        "pop" => (1, 0),
        "mload" | "sload" | "tload" => (1, 1),
        "mstore" | "mstore8" | "sstore" | "tstore" => (2, 0),
        "msize" | "gas" | "address" | "selfbalance" | "caller" | "callvalue" | "calldatasize"
        | "codesize" | "returndatasize" | "chainid" | "basefee" | "blobbasefee" | "origin" | "gasprice"
        | "coinbase" | "timestamp" | "number" | "difficulty" | "prevrandao" | "gaslimit" | "pc" => (0, 1),
        "balance" | "calldataload" | "extcodesize" | "extcodehash" | "blockhash" | "blobhash" => (1, 1),
        "calldatacopy" | "codecopy" | "returndatacopy" | "mcopy" => (3, 0),
        "extcodecopy" => (4, 0),
        "create" => (3, 1),
        "create2" => (4, 1),
        "call" | "callcode" => (7, 1),
        "delegatecall" | "staticcall" => (6, 1),
        "return" | "revert" | "log0" => (2, 0),
        "selfdestruct" => (1, 0),
        "suicide" if !version.at_least(5, 0) => (1, 0),
        "log1" => (3, 0),
        "log2" => (4, 0),
        "log3" => (5, 0),
        "log4" => (6, 0),
        _ => return None,
    })
}
