//! Random arguments for functions, encoded by the types of the ABI.

use fastrand::Rng;
use hornet_evm::{Address, U256};
use hornet_gas::ceiling::Input;

pub struct Arguments<'a> {
    pub rng: &'a mut Rng,
    pub addresses: &'a [Address],
    /// Longest array or byte string.
    pub longest: usize,
}

/// An encoded value: in place, or behind a pointer.
enum Encoded {
    Static(Vec<u8>),
    Dynamic(Vec<u8>),
}

impl Arguments<'_> {
    pub fn encode(&mut self, inputs: &[Input]) -> Vec<u8> {
        let values = inputs.iter().map(|input| self.value(&input.ty, &input.components)).collect();
        tuple(values).1
    }

    fn value(&mut self, ty: &str, components: &[Input]) -> Encoded {
        if let Some((element, count)) = ty.strip_suffix(']').and_then(|ty| ty.rsplit_once('[')) {
            let fixed = count.parse::<usize>().ok();
            let len = fixed.unwrap_or_else(|| self.length());
            let (dynamic, data) = tuple((0..len).map(|_| self.value(element, components)).collect());
            return match fixed {
                Some(_) if !dynamic => Encoded::Static(data),
                Some(_) => Encoded::Dynamic(data),
                None => Encoded::Dynamic([word(U256::from(len)), data].concat()),
            };
        }
        match ty {
            "tuple" => {
                let values = components.iter().map(|c| self.value(&c.ty, &c.components)).collect();
                let (dynamic, data) = tuple(values);
                if dynamic { Encoded::Dynamic(data) } else { Encoded::Static(data) }
            }
            "bytes" | "string" => {
                let len = if self.rng.u8(0..4) == 0 { self.rng.usize(0..200) } else { self.length() };
                let mut data: Vec<u8> = (0..len).map(|_| self.rng.u8(b'a'..b'f')).collect();
                data.resize(len.next_multiple_of(32), 0);
                Encoded::Dynamic([word(U256::from(len)), data].concat())
            }
            _ => Encoded::Static(word(self.scalar(ty))),
        }
    }

    fn length(&mut self) -> usize {
        self.rng.usize(0..=self.longest)
    }

    fn scalar(&mut self, ty: &str) -> U256 {
        // Now and then something that does not fit its type.
        let dirty = self.rng.u16(0..400) == 0;
        match ty {
            _ if dirty => U256::MAX,
            "bool" => U256::from(u8::from(self.rng.bool())),
            "address" => {
                let any = self.rng.choice(self.addresses).copied().unwrap_or_default();
                U256::from_be_slice(any.as_slice())
            }
            _ if ty.starts_with("bytes") => U256::from(self.rng.u8(0..3)) << 248,
            _ => {
                let digits: String = ty.chars().filter(char::is_ascii_digit).collect();
                let bits = digits.parse::<usize>().unwrap_or(256);
                let word = self.number();
                // Enums have a handful of values.
                if bits == 8 { word & U256::from(7) } else { word & (U256::MAX >> (256 - bits)) }
            }
        }
    }

    fn number(&mut self) -> U256 {
        let small = U256::from(self.rng.u8(0..6));
        match self.rng.u8(0..12) {
            0..5 => small,
            5 => U256::from(self.rng.u16(..)),
            6 => U256::from(self.rng.u64(..)),
            7 => U256::MAX.wrapping_sub(small),
            8 => (U256::ONE << self.rng.usize(0..256)).wrapping_sub(small),
            9 => U256::from(10).pow(U256::from(self.rng.u8(0..30))),
            _ => U256::from(self.rng.u8(0..100)),
        }
    }
}

/// The parameters of the constructor.
pub fn constructor(abi: &serde_json::Value) -> Vec<Input> {
    let items = abi.as_array().into_iter().flatten();
    let found = items.into_iter().find(|item| item.get("type").is_some_and(|ty| ty == "constructor"));
    found.map(|item| Input::list(item.get("inputs"))).unwrap_or_default()
}

pub fn word(word: U256) -> Vec<u8> {
    word.to_be_bytes::<32>().to_vec()
}

/// Whether one of them is dynamic, and all of them behind each other.
fn tuple(values: Vec<Encoded>) -> (bool, Vec<u8>) {
    let head: usize =
        values.iter().map(|v| if let Encoded::Static(data) = v { data.len() } else { 32 }).sum();
    let (mut heads, mut tails) = (Vec::new(), Vec::new());
    let mut dynamic = false;
    for value in values {
        match value {
            Encoded::Static(data) => heads.extend(data),
            Encoded::Dynamic(data) => {
                dynamic = true;
                heads.extend(word(U256::from(head + tails.len())));
                tails.extend(data);
            }
        }
    }
    heads.extend(tails);
    (dynamic, heads)
}
