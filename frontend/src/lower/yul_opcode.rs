//! EVM instructions as inline assembly names them.

use super::func::FnLower;
use hornet_ir::expr::{BinOp, Builtin, EnvVar, UnOp};
use hornet_ir::ids::ExprId;
use hornet_ir::program::{EvmOp, StmtKind, Terminator};
use hornet_ir::span::Span;
use hornet_ir::types::Type;

/// Whether executing the instruction changes what others see.
pub(super) fn has_effect(name: &str) -> bool {
    effect(name).is_some() || matches!(name, "return" | "revert" | "stop" | "invalid" | "selfdestruct")
}

/// Instructions with effects, and how many results they have.
fn effect(name: &str) -> Option<(EvmOp, usize)> {
    Some(match name {
        "mstore" => (EvmOp::MStore, 0),
        "mstore8" => (EvmOp::MStore8, 0),
        "mcopy" => (EvmOp::MCopy, 0),
        "sstore" => (EvmOp::SStore, 0),
        "tstore" => (EvmOp::TStore, 0),
        "calldatacopy" => (EvmOp::CalldataCopy, 0),
        "codecopy" => (EvmOp::CodeCopy, 0),
        "extcodecopy" => (EvmOp::ExtCodeCopy, 0),
        "returndatacopy" => (EvmOp::ReturndataCopy, 0),
        "log0" | "log1" | "log2" | "log3" | "log4" => (EvmOp::Log, 0),
        "call" => (EvmOp::Call, 1),
        "callcode" => (EvmOp::CallCode, 1),
        "delegatecall" => (EvmOp::DelegateCall, 1),
        "staticcall" => (EvmOp::StaticCall, 1),
        "create" => (EvmOp::Create, 1),
        "create2" => (EvmOp::Create2, 1),
        _ => return None,
    })
}

/// Instructions that read one word of the environment.
fn environment(name: &str) -> Option<EnvVar> {
    Some(match name {
        "address" => EnvVar::This,
        "caller" => EnvVar::Caller,
        "origin" => EnvVar::Origin,
        "callvalue" => EnvVar::CallValue,
        "timestamp" => EnvVar::Timestamp,
        "number" => EnvVar::Number,
        "coinbase" => EnvVar::Coinbase,
        "difficulty" | "prevrandao" => EnvVar::PrevRandao,
        "gaslimit" => EnvVar::GasLimit,
        "chainid" => EnvVar::ChainId,
        "basefee" => EnvVar::BaseFee,
        "blobbasefee" => EnvVar::BlobBaseFee,
        "gasprice" => EnvVar::GasPrice,
        "gas" => EnvVar::GasLeft,
        _ => return None,
    })
}

/// Word operations that the IR has as they are: operator, signed operands, operands swapped (shifts).
fn binary(name: &str) -> Option<(BinOp, bool, bool)> {
    Some(match name {
        "add" => (BinOp::Add, false, false),
        "sub" => (BinOp::Sub, false, false),
        "mul" => (BinOp::Mul, false, false),
        "div" => (BinOp::Div, false, false),
        "mod" => (BinOp::Mod, false, false),
        "sdiv" => (BinOp::Div, true, false),
        "smod" => (BinOp::Mod, true, false),
        "exp" => (BinOp::Exp, false, false),
        "and" => (BinOp::And, false, false),
        "or" => (BinOp::Or, false, false),
        "xor" => (BinOp::Xor, false, false),
        "lt" => (BinOp::Lt, false, false),
        "gt" => (BinOp::Gt, false, false),
        "slt" => (BinOp::Lt, true, false),
        "sgt" => (BinOp::Gt, true, false),
        "eq" => (BinOp::Eq, false, false),
        "shl" => (BinOp::Shl, false, true),
        "shr" => (BinOp::Shr, false, true),
        "sar" => (BinOp::Shr, true, true),
        _ => return None,
    })
}

/// Functions of the IR with the same arguments.
fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "addmod" => Builtin::AddMod,
        "mulmod" => Builtin::MulMod,
        "byte" => Builtin::Byte,
        "signextend" => Builtin::SignExtend,
        "clz" => Builtin::Clz,
        "mload" => Builtin::MLoad,
        "sload" => Builtin::SLoad,
        "tload" => Builtin::TLoad,
        "calldataload" => Builtin::CalldataLoad,
        "msize" => Builtin::MSize,
        "codesize" => Builtin::OwnCodeSize,
        "blockhash" => Builtin::BlockHash,
        "blobhash" => Builtin::BlobHash,
        _ => return None,
    })
}

/// Functions of an account.
fn of_account(name: &str) -> Option<Builtin> {
    Some(match name {
        "balance" => Builtin::Balance,
        "extcodesize" => Builtin::CodeSize,
        "extcodehash" => Builtin::CodeHash,
        _ => return None,
    })
}

impl<'h> FnLower<'_, 'h> {
    /// The results of an instruction, after its effects.
    pub(super) fn opcode(&mut self, name: &str, args: Vec<ExprId>, span: Span) -> Vec<ExprId> {
        let word = self.p().types.word();
        if let Some((op, results)) = effect(name) {
            let dsts: Vec<_> = (0..results).map(|_| self.b.fresh(word)).collect();
            self.b.stmt(StmtKind::Evm { op, args, dsts: dsts.clone() });
            return dsts.into_iter().map(|d| self.get(d)).collect();
        }
        if let Some(value) = self.pure_opcode(name, &args) {
            return vec![self.p().cast(value, word)];
        }
        match (name, args.as_slice()) {
            ("pop", _) => Vec::new(),
            ("stop", _) => {
                let empty = self.p().const_bytes(&[]);
                self.b.terminate(Terminator::Halt(empty));
                Vec::new()
            }
            ("return", [offset, length]) => {
                let data = self.p().builtin(Builtin::MemBytes, &[*offset, *length]);
                self.b.terminate(Terminator::Halt(data));
                Vec::new()
            }
            ("revert", [offset, length]) => {
                let data = self.p().builtin(Builtin::MemBytes, &[*offset, *length]);
                self.b.revert(data);
                Vec::new()
            }
            ("invalid", _) => {
                self.b.terminate(Terminator::Invalid);
                Vec::new()
            }
            ("selfdestruct" | "suicide", [beneficiary]) => {
                let address = self.p().types.address();
                let beneficiary = self.p().cast(*beneficiary, address);
                self.b.stmt(StmtKind::SelfDestruct { beneficiary });
                let empty = self.p().const_bytes(&[]);
                self.b.terminate(Terminator::Halt(empty));
                Vec::new()
            }
            _ => vec![self.unsupported(span, format!("assembly instruction `{name}`"), word)],
        }
    }

    /// Instructions that only compute or read; the value need not be a word yet.
    fn pure_opcode(&mut self, name: &str, args: &[ExprId]) -> Option<ExprId> {
        if let (Some((op, signed, swapped)), [a, b]) = (binary(name), args) {
            let (a, b) = if swapped { (*b, *a) } else { (*a, *b) };
            return Some(self.word_binary(op, signed, a, b, swapped));
        }
        if let Some(env) = environment(name) {
            return Some(self.p().env(env));
        }
        if let Some(builtin) = builtin(name) {
            return Some(self.p().builtin(builtin, args));
        }
        if let (Some(builtin), [account]) = (of_account(name), args) {
            let address = self.p().types.address();
            let account = self.p().cast(*account, address);
            return Some(self.p().builtin(builtin, &[account]));
        }
        Some(match (name, args) {
            ("not", [a]) => self.p().unary(UnOp::BitNot, *a),
            ("iszero", [a]) => {
                let truth = self.truth(*a);
                self.p().not(truth)
            }
            ("keccak256" | "sha3", [offset, length]) => {
                let data = self.p().builtin(Builtin::MemBytes, &[*offset, *length]);
                self.p().builtin(Builtin::Keccak256, &[data])
            }
            ("selfbalance", []) => {
                let this = self.p().env(EnvVar::This);
                self.p().builtin(Builtin::Balance, &[this])
            }
            ("calldatasize", []) => {
                let data = self.p().env(EnvVar::CallData);
                self.p().builtin(Builtin::BytesLength, &[data])
            }
            ("returndatasize", []) => {
                let data = self.p().env(EnvVar::ReturnData);
                self.p().builtin(Builtin::BytesLength, &[data])
            }
            _ => return None,
        })
    }

    fn word_binary(&mut self, op: BinOp, signed: bool, a: ExprId, b: ExprId, shift: bool) -> ExprId {
        if !signed {
            return self.p().binary(op, a, b);
        }
        let int = self.p().types.intern(Type::Int { bits: 256, signed: true });
        let a = self.p().cast(a, int);
        let b = if shift { b } else { self.p().cast(b, int) };
        self.p().binary(op, a, b)
    }
}
