//! The pairing-friendly curve of precompiled contracts 6 to 8 (EIP-196, EIP-197).

use super::value::{Run, Trap};
use ark_bn254::{Bn254, Fq, Fq2, Fr, G1Affine, G1Projective, G2Affine};
use ark_ec::pairing::Pairing;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{BigInteger, PrimeField, Zero};

/// Input of an exact length, cut or padded with zeros as the machine does.
fn sized<const N: usize>(input: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    let n = input.len().min(N);
    out[..n].copy_from_slice(&input[..n]);
    out
}

/// A coordinate; not reduced ones are errors.
fn coordinate(bytes: &[u8]) -> Run<Fq> {
    let value = Fq::from_be_bytes_mod_order(bytes);
    if value.into_bigint().to_bytes_be() == bytes { Ok(value) } else { Err(Trap::OutOfGas) }
}

fn g1(bytes: &[u8]) -> Run<G1Affine> {
    let (x, y) = (coordinate(&bytes[..32])?, coordinate(&bytes[32..64])?);
    if x.is_zero() && y.is_zero() {
        return Ok(G1Affine::zero());
    }
    let point = G1Affine::new_unchecked(x, y);
    if point.is_on_curve() { Ok(point) } else { Err(Trap::OutOfGas) }
}

/// Imaginary part first.
fn g2(bytes: &[u8]) -> Run<G2Affine> {
    let at = |i: usize| coordinate(&bytes[32 * i..32 * (i + 1)]);
    let (x, y) = (Fq2::new(at(1)?, at(0)?), Fq2::new(at(3)?, at(2)?));
    if x.is_zero() && y.is_zero() {
        return Ok(G2Affine::zero());
    }
    let point = G2Affine::new_unchecked(x, y);
    let valid = point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve();
    if valid { Ok(point) } else { Err(Trap::OutOfGas) }
}

fn g1_bytes(point: G1Projective) -> Vec<u8> {
    let Some((x, y)) = point.into_affine().xy() else { return vec![0; 64] };
    [x, y].into_iter().flat_map(|c| c.into_bigint().to_bytes_be()).collect()
}

pub fn add(input: &[u8]) -> Run<Vec<u8>> {
    let input = sized::<128>(input);
    Ok(g1_bytes(g1(&input[..64])? + g1(&input[64..])?))
}

pub fn mul(input: &[u8]) -> Run<Vec<u8>> {
    let input = sized::<96>(input);
    Ok(g1_bytes(g1(&input[..64])? * Fr::from_be_bytes_mod_order(&input[64..])))
}

/// One if the product of the pairings is one.
pub fn pairing(input: &[u8]) -> Run<Vec<u8>> {
    if !input.len().is_multiple_of(192) {
        return Err(Trap::OutOfGas);
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for pair in input.chunks(192) {
        left.push(g1(&pair[..64])?);
        right.push(g2(&pair[64..])?);
    }
    let mut out = vec![0; 32];
    out[31] = u8::from(Bn254::multi_pairing(left, right).is_zero());
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruint::aliases::U256;

    fn words(words: &[U256]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_be_bytes::<32>()).collect()
    }

    #[test]
    fn doubling_and_inverses() {
        let generator = [U256::from(1), U256::from(2)];
        let double = mul(&words(&[generator[0], generator[1], U256::from(2)])).unwrap();
        assert_eq!(add(&words(&[generator, generator].concat())).unwrap(), double);
        let prime = Fq::MODULUS.to_bytes_be();
        let minus = [generator[0], U256::from_be_slice(&prime) - generator[1]];
        assert_eq!(add(&words(&[generator, minus].concat())).unwrap(), vec![0; 64]);
        assert!(add(&words(&[U256::from(1), U256::from(3)])).is_err());
        assert!(add(&words(&[U256::from_be_slice(&prime), U256::ZERO])).is_err());
    }

    #[test]
    fn pairings_cancel() {
        let g2 = G2Affine::generator();
        let coordinates: Vec<u8> = [g2.x.c1, g2.x.c0, g2.y.c1, g2.y.c0]
            .into_iter()
            .flat_map(|c| c.into_bigint().to_bytes_be())
            .collect();
        let g1 = G1Affine::generator();
        let mut input = g1_bytes(g1.into());
        input.extend_from_slice(&coordinates);
        assert_eq!(pairing(&input).unwrap()[31], 0);
        input.extend(g1_bytes((-g1).into()));
        input.extend_from_slice(&coordinates);
        assert_eq!(pairing(&input).unwrap()[31], 1);
        assert_eq!(pairing(&[]).unwrap()[31], 1);
        assert!(pairing(&[0; 5]).is_err());
    }
}
