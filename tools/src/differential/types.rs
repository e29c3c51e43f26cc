//! Types of generated programs.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Bool,
    Int {
        bits: u16,
        signed: bool,
    },
    FixedBytes(u8),
    Address,
    /// `enum E { A, B, C }`.
    Enum,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Scalar(Scalar),
    /// `bytes`.
    Bytes,
    String,
    /// `T[]` or `T[n]`.
    Array(Box<Ty>, Option<u8>),
    /// The structs every generated contract declares, by number.
    Struct(usize),
    Mapping(Scalar, Box<Ty>),
}

pub const WORD: Scalar = Scalar::Int { bits: 256, signed: false };
pub const ENUM_MEMBERS: u64 = 3;

impl Scalar {
    pub fn random(rng: &mut fastrand::Rng) -> Scalar {
        match rng.u8(0..12) {
            0 => Scalar::Bool,
            1 | 2 => Scalar::FixedBytes(*pick(rng, &[1, 2, 4, 8, 20, 31, 32])),
            3 => Scalar::Address,
            4 => Scalar::Enum,
            5 => WORD,
            _ => Scalar::random_int(rng),
        }
    }

    pub fn random_int(rng: &mut fastrand::Rng) -> Scalar {
        let bits = match rng.u8(0..4) {
            0 => 256,
            1 => 8,
            2 => *pick(rng, &[16, 32, 64, 128, 160]),
            _ => 8 * rng.u16(1..=32),
        };
        Scalar::Int { bits, signed: rng.bool() }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => write!(f, "bool"),
            Scalar::Int { bits, signed: true } => write!(f, "int{bits}"),
            Scalar::Int { bits, signed: false } => write!(f, "uint{bits}"),
            Scalar::FixedBytes(n) => write!(f, "bytes{n}"),
            Scalar::Address => write!(f, "address"),
            Scalar::Enum => write!(f, "E"),
        }
    }
}

impl Ty {
    pub fn is_reference(&self) -> bool {
        !matches!(self, Ty::Scalar(_))
    }

    /// A type that can be in memory and calldata. `structs` is how many structs there are to choose from.
    pub fn random(rng: &mut fastrand::Rng, depth: u8, structs: usize) -> Ty {
        let choice = if depth == 0 { rng.u8(0..5) } else { rng.u8(0..10) };
        match choice {
            0..=4 => Ty::Scalar(Scalar::random(rng)),
            5 => Ty::Bytes,
            6 => Ty::String,
            7 if structs > 0 => Ty::Struct(rng.usize(0..structs)),
            _ => {
                let len = rng.bool().then(|| rng.u8(1..5));
                Ty::Array(Box::new(Ty::random(rng, depth - 1, structs)), len)
            }
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(s) => write!(f, "{s}"),
            Ty::Bytes => write!(f, "bytes"),
            Ty::String => write!(f, "string"),
            Ty::Array(elem, None) => write!(f, "{elem}[]"),
            Ty::Array(elem, Some(n)) => write!(f, "{elem}[{n}]"),
            Ty::Struct(i) => write!(f, "S{i}"),
            Ty::Mapping(key, value) => write!(f, "mapping({key} => {value})"),
        }
    }
}

/// One element at random; the slice is not empty.
pub fn pick<'a, T>(rng: &mut fastrand::Rng, items: &'a [T]) -> &'a T {
    &items[rng.usize(0..items.len())]
}
