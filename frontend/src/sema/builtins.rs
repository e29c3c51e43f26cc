//! Types of the functions and members that the language provides.

use super::bodies::Body;
use super::expr::plain_function;
use super::overload::Args;
use crate::hir::{Builtin, FnKind, FnTy, Loc, Magic, Mutability, Ty, TyId};

impl<'s, 'a> Body<'s, 'a> {
    pub fn uint(&mut self) -> TyId {
        self.sema.hir.types.uint256()
    }

    fn bool_ty(&mut self) -> TyId {
        self.sema.hir.types.bool()
    }

    fn fixed_bytes(&mut self, n: u8) -> TyId {
        self.intern(Ty::FixedBytes(n))
    }

    fn bytes_memory(&mut self) -> TyId {
        self.intern(Ty::Bytes(Loc::Memory))
    }

    fn string_memory(&mut self) -> TyId {
        self.intern(Ty::String(Loc::Memory))
    }

    /// An address that ether can be sent to; before 0.5 there was one kind only.
    pub fn payable_address(&mut self) -> TyId {
        let payable = self.version.at_least(5, 0);
        self.sema.hir.types.address(payable)
    }

    /// `msg.sender` and `tx.origin`: payable from 0.5 to 0.7.
    fn sender_address(&mut self) -> TyId {
        let payable = self.version.at_least(5, 0) && !self.version.at_least(8, 0);
        self.sema.hir.types.address(payable)
    }

    fn builtin_fn(
        &mut self,
        builtin: Builtin,
        params: Vec<TyId>,
        returns: Vec<TyId>,
        mutability: Mutability,
    ) -> TyId {
        let f = plain_function(params, returns, FnKind::Builtin(builtin), mutability);
        self.intern(Ty::Function(f))
    }

    /// Any number of arguments of any type after the given ones.
    fn variadic_fn(
        &mut self,
        builtin: Builtin,
        params: Vec<TyId>,
        returns: Vec<TyId>,
        mutability: Mutability,
    ) -> TyId {
        let f = plain_function(params, returns, FnKind::Builtin(builtin), mutability);
        self.intern(Ty::Function(FnTy { variadic: true, ..f }))
    }

    /// Type of a built-in by its name or as a member that needs no base. Overloads go by the arguments.
    pub fn builtin_type(&mut self, builtin: Builtin, args: Option<&Args<'a>>) -> TyId {
        use Builtin as B;
        use Mutability::{NonPayable, Pure, View};
        match builtin {
            B::Assert => {
                let params = vec![self.bool_ty()];
                self.builtin_fn(builtin, params, vec![], Pure)
            }
            B::Require => {
                let mut params = vec![self.bool_ty()];
                match args.map_or(&[][..], |a| &a.exprs) {
                    [_, second] if *self.ty(second.ty) == Ty::Magic(Magic::Error) => params.push(second.ty),
                    [_, _] => params.push(self.string_memory()),
                    _ => {}
                }
                self.builtin_fn(builtin, params, vec![], Pure)
            }
            B::Revert => {
                let params = match args.is_some_and(|a| !a.exprs.is_empty()) {
                    true => vec![self.string_memory()],
                    false => vec![],
                };
                self.builtin_fn(builtin, params, vec![], Pure)
            }
            B::Keccak256 | B::Sha256 | B::Ripemd160 => {
                let result = self.fixed_bytes(if builtin == B::Ripemd160 { 20 } else { 32 });
                if self.version.at_least(5, 0) {
                    let params = vec![self.bytes_memory()];
                    self.builtin_fn(builtin, params, vec![result], Pure)
                } else {
                    self.variadic_fn(builtin, vec![], vec![result], Pure)
                }
            }
            B::EcRecover => {
                let word = self.fixed_bytes(32);
                let params = vec![word, self.sema.hir.types.uint(8), word, word];
                let result = self.sema.hir.types.address(false);
                self.builtin_fn(builtin, params, vec![result], Pure)
            }
            B::AddMod | B::MulMod => {
                let uint = self.uint();
                self.builtin_fn(builtin, vec![uint; 3], vec![uint], Pure)
            }
            B::BlockHash | B::BlobHash => {
                let (params, returns) = (vec![self.uint()], vec![self.fixed_bytes(32)]);
                self.builtin_fn(builtin, params, returns, View)
            }
            B::GasLeft => {
                let returns = vec![self.uint()];
                self.builtin_fn(builtin, vec![], returns, View)
            }
            B::SelfDestruct => {
                let params = vec![self.payable_address()];
                self.builtin_fn(builtin, params, vec![], NonPayable)
            }
            B::Log(topics) => {
                let word = self.fixed_bytes(32);
                self.builtin_fn(builtin, vec![word; usize::from(topics) + 1], vec![], NonPayable)
            }
            B::Erc7201 => {
                let (params, returns) = (vec![self.string_memory()], vec![self.uint()]);
                self.builtin_fn(builtin, params, returns, Pure)
            }
            B::AbiEncode | B::AbiEncodePacked | B::AbiEncodeCall | B::BytesConcat => {
                let returns = vec![self.bytes_memory()];
                self.variadic_fn(builtin, vec![], returns, Pure)
            }
            B::StringConcat => {
                let returns = vec![self.string_memory()];
                self.variadic_fn(builtin, vec![], returns, Pure)
            }
            B::AbiEncodeWithSelector => {
                let (params, returns) = (vec![self.fixed_bytes(4)], vec![self.bytes_memory()]);
                self.variadic_fn(builtin, params, returns, Pure)
            }
            B::AbiEncodeWithSignature => {
                let (params, returns) = (vec![self.string_memory()], vec![self.bytes_memory()]);
                self.variadic_fn(builtin, params, returns, Pure)
            }
            B::AbiDecode => self.variadic_fn(builtin, vec![], vec![], Pure),
            B::Transfer | B::Send => {
                let returns = if builtin == B::Send { vec![self.bool_ty()] } else { vec![] };
                let params = vec![self.uint()];
                self.builtin_fn(builtin, params, returns, NonPayable)
            }
            B::Call | B::CallCode | B::DelegateCall | B::StaticCall => self.bare_call(builtin),
            B::Balance
            | B::Length
            | B::MsgValue
            | B::TxGasPrice
            | B::BlockDifficulty
            | B::BlockPrevRandao
            | B::BlockGasLimit
            | B::BlockNumber
            | B::BlockTimestamp
            | B::BlockChainId
            | B::BlockBaseFee
            | B::BlockBlobBaseFee
            | B::Now => self.uint(),
            B::Code => self.bytes_memory(),
            B::CodeHash => self.fixed_bytes(32),
            B::MsgSender | B::TxOrigin => self.sender_address(),
            B::MsgData => self.intern(Ty::Bytes(Loc::Calldata)),
            B::MsgSig | B::Selector | B::InterfaceId => self.fixed_bytes(4),
            B::BlockCoinbase => self.payable_address(),
            B::FunctionAddress => self.sema.hir.types.address(false),
            B::TypeName => self.string_memory(),
            B::CreationCode | B::RuntimeCode => self.bytes_memory(),
            // Their types depend on the base; see `members`.
            B::Push | B::Pop | B::SetValue | B::SetGas | B::Wrap | B::Unwrap | B::Min | B::Max => {
                self.sema.hir.types.error()
            }
        }
    }

    fn bare_call(&mut self, builtin: Builtin) -> TyId {
        let mutability = match builtin {
            Builtin::Call | Builtin::CallCode => Mutability::Payable,
            Builtin::StaticCall => Mutability::View,
            _ => Mutability::NonPayable,
        };
        let ok = self.bool_ty();
        if self.version.at_least(5, 0) {
            let data = self.bytes_memory();
            self.builtin_fn(builtin, vec![data], vec![ok, data], mutability)
        } else {
            self.variadic_fn(builtin, vec![], vec![ok], mutability)
        }
    }

    /// Members of `msg`, `block`, `tx` and `abi`.
    pub fn magic_member(&self, magic: Magic, name: &str) -> Option<Builtin> {
        use Builtin as B;
        let before = |minor| !self.version.at_least(minor, 0);
        Some(match (magic, name) {
            (Magic::Msg, "sender") => B::MsgSender,
            (Magic::Msg, "value") => B::MsgValue,
            (Magic::Msg, "data") => B::MsgData,
            (Magic::Msg, "sig") => B::MsgSig,
            (Magic::Msg, "gas") if before(5) => B::GasLeft,
            (Magic::Tx, "origin") => B::TxOrigin,
            (Magic::Tx, "gasprice") => B::TxGasPrice,
            (Magic::Block, "coinbase") => B::BlockCoinbase,
            (Magic::Block, "difficulty") => B::BlockDifficulty,
            (Magic::Block, "prevrandao") => B::BlockPrevRandao,
            (Magic::Block, "gaslimit") => B::BlockGasLimit,
            (Magic::Block, "number") => B::BlockNumber,
            (Magic::Block, "timestamp") => B::BlockTimestamp,
            (Magic::Block, "chainid") => B::BlockChainId,
            (Magic::Block, "basefee") => B::BlockBaseFee,
            (Magic::Block, "blobbasefee") => B::BlockBlobBaseFee,
            (Magic::Block, "blockhash") if before(5) => B::BlockHash,
            (Magic::Abi, "encode") => B::AbiEncode,
            (Magic::Abi, "encodePacked") => B::AbiEncodePacked,
            (Magic::Abi, "encodeWithSelector") => B::AbiEncodeWithSelector,
            (Magic::Abi, "encodeWithSignature") => B::AbiEncodeWithSignature,
            (Magic::Abi, "encodeCall") => B::AbiEncodeCall,
            (Magic::Abi, "decode") => B::AbiDecode,
            _ => return None,
        })
    }

    /// Members of addresses (before 0.5 also of contracts).
    pub fn address_member(&self, name: &str, payable: bool) -> Option<Builtin> {
        use Builtin as B;
        Some(match name {
            "balance" => B::Balance,
            "code" if self.version.at_least(8, 1) => B::Code,
            "codehash" if self.version.at_least(5, 5) => B::CodeHash,
            "call" => B::Call,
            "delegatecall" => B::DelegateCall,
            "staticcall" if self.version.at_least(5, 0) => B::StaticCall,
            "callcode" if !self.version.at_least(5, 0) => B::CallCode,
            "transfer" if payable => B::Transfer,
            "send" if payable => B::Send,
            _ => return None,
        })
    }
}
