//! The cryptographic functions of the machine and its precompiled contracts.

use super::value::{Run, Trap, word_at};
use crate::hash::{keccak256, ripemd160, sha256};
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use num_bigint::BigUint;
use ruint::aliases::U256;

/// The address whose key signed `hash`; zero if the signature is none. As in the EVM, `v` is 27 or 28 and a high `s` is fine.
pub fn ecrecover(hash: U256, v: U256, r: U256, s: U256) -> U256 {
    recover(hash, v, r, s).unwrap_or(U256::ZERO)
}

fn recover(hash: U256, v: U256, r: U256, s: U256) -> Option<U256> {
    let mut odd = match u8::try_from(v) {
        Ok(27) => false,
        Ok(28) => true,
        _ => return None,
    };
    let mut signature = Signature::from_scalars(r.to_be_bytes::<32>(), s.to_be_bytes::<32>()).ok()?;
    // The library verifies the recovered key with a low `s` only.
    if let Some(low) = signature.normalize_s() {
        signature = low;
        odd = !odd;
    }
    let id = RecoveryId::new(odd, false);
    let key = VerifyingKey::recover_from_prehash(&hash.to_be_bytes::<32>(), &signature, id).ok()?;
    let point = key.to_encoded_point(false);
    let digest = keccak256(&point.as_bytes()[1..]);
    let mut word = [0; 32];
    word[12..].copy_from_slice(&digest[12..]);
    Some(U256::from_be_bytes(word))
}

/// Runs the precompiled contract at a small address. `None`: there is no such contract (an empty account).
/// An error is a failing call without data.
pub fn precompile(address: U256, input: &[u8]) -> Option<Run<Vec<u8>>> {
    let word = |i: usize| word_at(input, U256::from(32 * i));
    Some(match u8::try_from(address).ok()? {
        1 => {
            let signer = ecrecover(word(0), word(1), word(2), word(3));
            Ok(if signer.is_zero() { Vec::new() } else { signer.to_be_bytes::<32>().to_vec() })
        }
        2 => Ok(sha256(input).to_vec()),
        3 => {
            let mut out = vec![0; 12];
            out.extend_from_slice(&ripemd160(input));
            Ok(out)
        }
        4 => Ok(input.to_vec()),
        5 => modexp(input),
        6 => super::bn254::add(input),
        7 => super::bn254::mul(input),
        8 => super::bn254::pairing(input),
        9 => Err(Trap::Unsupported("precompiled contract 9 (blake2f)".into())),
        10 => Err(Trap::Unsupported("precompiled contract 10 (point evaluation)".into())),
        _ => return None,
    })
}

/// Numbers longer than this cost more gas than there is.
const MODEXP_LIMIT: usize = 4096;

/// Lengths of base, exponent and modulus, then these numbers.
fn modexp(input: &[u8]) -> Run<Vec<u8>> {
    let length = |i: usize| {
        let length = word_at(input, U256::from(32 * i));
        usize::try_from(length).ok().filter(|n| *n <= MODEXP_LIMIT).ok_or(Trap::OutOfGas)
    };
    let (base, exponent, modulus) = (length(0)?, length(1)?, length(2)?);
    let mut data = input.get(96..).unwrap_or(&[]).to_vec();
    data.resize(base + exponent + modulus, 0);
    let number = |from: usize, n: usize| BigUint::from_bytes_be(&data[from..from + n]);
    let m = number(base + exponent, modulus);
    let result =
        if m.bits() == 0 { BigUint::ZERO } else { number(0, base).modpow(&number(base, exponent), &m) };
    let digits = if result.bits() == 0 { Vec::new() } else { result.to_bytes_be() };
    let mut out = vec![0; modulus - digits.len()];
    out.extend_from_slice(&digits);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(s: &str) -> Vec<u8> {
        (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
    }

    #[test]
    fn hashes_of_nothing() {
        let sha = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b"").to_vec(), hex(sha));
        assert_eq!(ripemd160(b"").to_vec(), hex("9c1185a5c5e9fc54612808977ee8f548b2258d31"));
    }

    /// Sign with the library, recover with ours, also after flipping `s`.
    #[test]
    fn recovers_the_signer() {
        let key = k256::ecdsa::SigningKey::from_slice(&[7; 32]).unwrap();
        let hash = keccak256(b"message");
        let (signature, id) = key.sign_prehash_recoverable(&hash).unwrap();
        let public = key.verifying_key().to_encoded_point(false);
        let address = U256::from_be_slice(&keccak256(&public.as_bytes()[1..])[12..]);
        let r = U256::from_be_slice(&signature.r().to_bytes());
        let s = U256::from_be_slice(&signature.s().to_bytes());
        let hash = U256::from_be_bytes(hash);
        let v = U256::from(27 + u8::from(id.is_y_odd()));
        assert_eq!(ecrecover(hash, v, r, s), address);
        let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
        let flipped = U256::from_be_slice(&hex(order)) - s;
        assert_eq!(ecrecover(hash, U256::from(55) - v, r, flipped), address);
        assert_eq!(ecrecover(hash, U256::from(29), r, s), U256::ZERO);
        assert_eq!(ecrecover(hash, v, U256::ZERO, s), U256::ZERO);
    }

    #[test]
    fn modular_powers() {
        let mut input = Vec::new();
        for length in [1u8, 1, 2] {
            input.extend_from_slice(&U256::from(length).to_be_bytes::<32>());
        }
        input.extend_from_slice(&[3, 5, 0, 100]);
        assert_eq!(modexp(&input), Ok(vec![0, 43]));
        input.truncate(98);
        assert_eq!(modexp(&input), Ok(vec![0, 0]));
    }
}
