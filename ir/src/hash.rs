//! The hash functions of the machine, and what Solidity derives from Keccak-256.

use ruint::aliases::U256;
use sha3::{Digest, Keccak256};

pub fn keccak256(data: &[u8]) -> [u8; 32] {
    Keccak256::digest(data).into()
}

/// The hash as the number an EVM stack holds.
pub fn keccak_word(data: &[u8]) -> U256 {
    U256::from_be_bytes(keccak256(data))
}

pub fn sha256(data: &[u8]) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(data).into()
}

pub fn ripemd160(data: &[u8]) -> [u8; 20] {
    use ripemd::Digest as _;
    ripemd::Ripemd160::digest(data).into()
}

/// The four bytes that name a function or error, from its canonical signature such as `f(uint256)`.
pub fn selector(signature: &str) -> [u8; 4] {
    let [a, b, c, d, ..] = keccak256(signature.as_bytes());
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_selectors() {
        assert_eq!(selector("transfer(address,uint256)"), [0xa9, 0x05, 0x9c, 0xbb]);
        assert_eq!(selector("Panic(uint256)"), [0x4e, 0x48, 0x7b, 0x71]);
        assert_eq!(selector("Error(string)"), [0x08, 0xc3, 0x79, 0xa0]);
    }
}
