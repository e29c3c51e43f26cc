//! Random call data for generated functions, encoded by a small encoder of its own.

use super::literal;
use super::tree::{Contract, Function};
use super::types::{Scalar, Ty};
use hornet_ir::U256;

/// A call: which function, and what is sent.
#[derive(Clone, Debug)]
pub struct Call {
    pub function: String,
    pub data: Vec<u8>,
}

pub fn random_call(rng: &mut fastrand::Rng, contract: &Contract, function: &Function) -> Call {
    let mut data = selector(contract, function).to_vec();
    let types: Vec<&Ty> = function.params.iter().map(|(ty, _, _)| ty).collect();
    data.extend(Encoder { rng, structs: &contract.structs }.tuple(&types));
    if rng.u8(0..50) == 0 {
        data.truncate(rng.usize(4..=data.len()));
    }
    Call { function: function.name.clone(), data }
}

fn selector(contract: &Contract, function: &Function) -> [u8; 4] {
    let params: Vec<String> = function.params.iter().map(|(ty, _, _)| canonical(contract, ty)).collect();
    let hash = hornet_ir::hash::keccak256(format!("{}({})", function.name, params.join(",")).as_bytes());
    [hash[0], hash[1], hash[2], hash[3]]
}

fn canonical(contract: &Contract, ty: &Ty) -> String {
    match ty {
        Ty::Scalar(Scalar::Enum) => "uint8".into(),
        Ty::Array(elem, None) => format!("{}[]", canonical(contract, elem)),
        Ty::Array(elem, Some(n)) => format!("{}[{n}]", canonical(contract, elem)),
        Ty::Struct(i) => {
            let fields: Vec<String> = contract.structs[*i].iter().map(|f| canonical(contract, f)).collect();
            format!("({})", fields.join(","))
        }
        Ty::Scalar(_) | Ty::Bytes | Ty::String | Ty::Mapping(..) => ty.to_string(),
    }
}

struct Encoder<'a> {
    rng: &'a mut fastrand::Rng,
    structs: &'a [Vec<Ty>],
}

impl Encoder<'_> {
    fn is_dynamic(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(_) => false,
            Ty::Bytes | Ty::String | Ty::Array(_, None) | Ty::Mapping(..) => true,
            Ty::Array(elem, Some(_)) => self.is_dynamic(elem),
            Ty::Struct(i) => self.structs[*i].iter().any(|f| self.is_dynamic(f)),
        }
    }

    /// Heads, then the tails of dynamic components.
    fn tuple(&mut self, types: &[&Ty]) -> Vec<u8> {
        let parts: Vec<(bool, Vec<u8>)> =
            types.iter().map(|ty| (self.is_dynamic(ty), self.value(ty))).collect();
        let head: usize = parts.iter().map(|(dynamic, bytes)| if *dynamic { 32 } else { bytes.len() }).sum();
        let (mut heads, mut tails) = (Vec::new(), Vec::new());
        for (dynamic, bytes) in parts {
            if dynamic {
                heads.extend(U256::from(head + tails.len()).to_be_bytes::<32>());
                tails.extend(bytes);
            } else {
                heads.extend(bytes);
            }
        }
        heads.extend(tails);
        heads
    }

    fn value(&mut self, ty: &Ty) -> Vec<u8> {
        match ty {
            Ty::Scalar(scalar) => self.word(*scalar),
            Ty::Bytes | Ty::String => {
                let length = match self.rng.u8(0..4) {
                    0 => self.rng.usize(30..70),
                    _ => self.rng.usize(0..8),
                };
                let mut bytes = U256::from(length).to_be_bytes::<32>().to_vec();
                bytes.extend((0..length).map(|_| self.rng.u8(b' '..=b'~')));
                bytes.resize(32 + length.div_ceil(32) * 32, 0);
                bytes
            }
            Ty::Array(elem, len) => {
                let count = len.map_or_else(|| self.rng.usize(0..5), usize::from);
                let items = self.tuple(&vec![&**elem; count]);
                match len {
                    Some(_) => items,
                    None => [U256::from(count).to_be_bytes::<32>().to_vec(), items].concat(),
                }
            }
            Ty::Struct(i) => {
                let structs = self.structs;
                self.tuple(&structs[*i].iter().collect::<Vec<_>>())
            }
            Ty::Mapping(..) => Vec::new(),
        }
    }

    /// Sometimes with bits set that do not belong to the type: the decoder must refuse it.
    fn word(&mut self, scalar: Scalar) -> Vec<u8> {
        let mut word = literal::word(self.rng, scalar);
        if self.rng.u8(0..60) == 0 {
            word ^= U256::ONE << self.rng.usize(0..256);
        }
        word.to_be_bytes::<32>().to_vec()
    }
}
