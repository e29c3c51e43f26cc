//! Code as bytes: addresses derived from it, and what programs see of it.
//!
//! The interpreter runs the IR, so it knows no bytes of code unless a tool supplies a compiler's
//! ([`Interpreter::set_code`]). Otherwise a contract's code is a stand-in: 64 bytes made of its name, the same in every
//! run. Sizes and addresses computed from it are plausible but not those of a real deployment; its contents are
//! shown to the program only if [`Interpreter::stand_in_code`] is set, and are unsupported else.

use super::Interpreter;
use super::frame::{Entered, Frame};
use super::value::{Run, Trap};
use super::world::{Address, Code};
use crate::hash::{keccak_word, keccak256};
use crate::ids::ContractId;
use ruint::aliases::U256;
use std::rc::Rc;

/// Bytes of a contract from a compiler.
#[derive(Clone, Debug)]
pub struct ContractBytes {
    pub creation: Rc<[u8]>,
    pub runtime: Rc<[u8]>,
}

fn address_of_hash(hash: U256) -> Address {
    hash & super::arith::low_mask(160)
}

/// Where CREATE puts a contract: the hash of RLP(creator, nonce).
pub fn create_address(creator: Address, nonce: u64) -> Address {
    let mut list = vec![0x80 + 20];
    list.extend_from_slice(&creator.to_be_bytes::<32>()[12..]);
    let digits: Vec<u8> = nonce.to_be_bytes().into_iter().skip_while(|b| *b == 0).collect();
    match digits.as_slice() {
        [single] if *single < 0x80 => list.push(*single),
        many => {
            list.push(0x80 + many.len() as u8);
            list.extend_from_slice(many);
        }
    }
    list.insert(0, 0xc0 + list.len() as u8);
    address_of_hash(keccak_word(&list))
}

/// Where CREATE2 puts a contract.
pub fn create2_address(creator: Address, salt: U256, init_hash: U256) -> Address {
    let mut preimage = vec![0xff];
    preimage.extend_from_slice(&creator.to_be_bytes::<32>()[12..]);
    preimage.extend_from_slice(&salt.to_be_bytes::<32>());
    preimage.extend_from_slice(&init_hash.to_be_bytes::<32>());
    address_of_hash(keccak_word(&preimage))
}

/// Gas of a precompiled contract, roughly; `None` if the address is not one.
pub fn precompile_cost(target: Address, input: usize) -> Option<u64> {
    let words = input.div_ceil(32) as u64;
    match u8::try_from(target).ok()? {
        1 => Some(3000),
        2 => Some(60 + 12 * words),
        3 => Some(600 + 120 * words),
        4 => Some(15 + 3 * words),
        5 => Some(200),
        6 => Some(150),
        7 => Some(6000),
        8 => Some(45_000),
        9 => Some(0),
        10 => Some(50_000),
        _ => None,
    }
}

/// Starts with an invalid instruction, as nobody is meant to run it.
fn stand_in(file: &str, name: &str, runtime: bool) -> Rc<[u8]> {
    let mut bytes = b"\xfehornet stand-in code of contract".to_vec();
    bytes[31] = u8::from(runtime);
    bytes.truncate(32);
    bytes.extend_from_slice(&keccak256(format!("{file}:{name}").as_bytes()));
    bytes.into()
}

impl Interpreter<'_> {
    /// Supplies a compiler's bytes for a contract. They are not run; they make code sizes, code hashes, the contents of
    /// code and CREATE2 addresses exact (up to immutables and library addresses in deployed code).
    pub fn set_code(&mut self, contract: ContractId, creation: Vec<u8>, runtime: Vec<u8>) {
        self.codes.insert(contract, ContractBytes { creation: creation.into(), runtime: runtime.into() });
    }

    /// The creation code, real or stand-in.
    pub(super) fn creation_code(&self, contract: ContractId) -> Rc<[u8]> {
        self.code_bytes(contract, false)
    }

    fn code_bytes(&self, contract: ContractId, runtime: bool) -> Rc<[u8]> {
        match self.codes.get(&contract) {
            Some(code) if runtime => code.runtime.clone(),
            Some(code) => code.creation.clone(),
            None => {
                let contract = &self.program.contracts[contract];
                stand_in(&contract.file, &contract.name, runtime)
            }
        }
    }

    /// Code of a contract to be shown to the program.
    pub(super) fn visible_code(&self, contract: ContractId, runtime: bool) -> Run<Rc<[u8]>> {
        if self.stand_in_code || self.codes.contains_key(&contract) {
            Ok(self.code_bytes(contract, runtime))
        } else {
            Err(Trap::Unsupported("contents of compiled code".into()))
        }
    }

    pub(super) fn code_size(&self, address: Address) -> usize {
        match self.world.code(address) {
            Some(Code::Contract { contract, .. }) => self.code_bytes(*contract, true).len(),
            Some(Code::Raw(bytes)) => bytes.len(),
            None => 0,
        }
    }

    /// The code at an address.
    pub(super) fn code_at(&self, address: Address) -> Run<Rc<[u8]>> {
        match self.world.code(address) {
            Some(Code::Contract { contract, .. }) => self.visible_code(*contract, true),
            Some(Code::Raw(bytes)) => Ok(bytes.clone()),
            None => Ok(Rc::from([])),
        }
    }

    /// The code that a call runs; under construction, the creation code with the arguments behind it.
    pub(super) fn running_code(&self, frame: &Frame) -> Run<Rc<[u8]>> {
        if frame.entered != Entered::Constructor {
            return self.visible_code(frame.contract, true);
        }
        let mut code = self.visible_code(frame.contract, false)?.to_vec();
        code.extend_from_slice(&frame.init_args);
        Ok(code.into())
    }

    pub(super) fn running_code_size(&self, frame: &Frame) -> usize {
        let runtime = frame.entered != Entered::Constructor;
        self.code_bytes(frame.contract, runtime).len() + frame.init_args.len()
    }

    pub(super) fn code_hash(&self, address: Address) -> Run<U256> {
        if !self.world.exists(address) {
            return Ok(U256::ZERO);
        }
        Ok(keccak_word(&self.code_at(address)?))
    }

    /// The contract whose creation code the bytes start with, and the constructor arguments after it.
    pub(super) fn recognise_creation<'b>(&self, init: &'b [u8]) -> Option<(ContractId, &'b [u8])> {
        let known = self.program.contracts.ids().filter_map(|id| {
            let code = self.code_bytes(id, false);
            let args = init.strip_prefix(&*code)?;
            (!code.is_empty()).then_some((id, args))
        });
        // The longest code wins, should one contract's be a prefix of another's.
        known.min_by_key(|(_, args)| args.len())
    }

    /// The contract whose deployed code these bytes are.
    pub(super) fn recognise_runtime(&self, code: &[u8]) -> Option<ContractId> {
        self.program.contracts.ids().find(|id| *self.code_bytes(*id, true) == *code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(hex: &str) -> Address {
        U256::from_str_radix(hex, 16).expect("hexadecimal")
    }

    #[test]
    fn addresses_of_new_contracts() {
        // Creator and addresses as on the main network.
        let creator = address("6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0");
        assert_eq!(create_address(creator, 0), address("cd234a471b72ba2f1ccf0a70fcaba648a5eecd8d"));
        assert_eq!(create_address(creator, 1), address("343c43a37d37dff08ae8c4a11544c718abb4fcf8"));
        // The first example of EIP-1014.
        let expected = address("4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38");
        assert_eq!(create2_address(U256::ZERO, U256::ZERO, keccak_word(&[0])), expected);
    }

    #[test]
    fn stand_ins_differ() {
        let codes = [stand_in("a", "C", true), stand_in("a", "C", false), stand_in("b", "C", false)];
        assert!(codes.iter().all(|c| c.len() == 64));
        assert!(codes[0] != codes[1] && codes[1] != codes[2]);
    }
}
