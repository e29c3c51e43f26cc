//! Powers. Exact where the exponent is a small constant (a product) or the base is any (a table of the few powers that
//! there are); otherwise a function named `~exp…`, about which [`super::lemmas()`] knows some facts.

use super::format::Format;
use super::{Arithmetic, Ints, integers};
use hornet_smt::term::{Sort, TermId, Terms};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Constant exponents up to this one become products.
const MAX_FACTORS: u32 = 16;
/// In mode `Int` a power of more bits than this is not computed.
const MAX_EXACT_BITS: u64 = 4096;

/// What names of functions that stand for powers begin with.
pub(super) const APPROXIMATED: &str = "~exp";
/// Of bit-vectors: whether the exact power fits. Followed by the widths.
pub(super) const FITS_UNSIGNED: &str = "~exp-fits-unsigned";
pub(super) const FITS_SIGNED: &str = "~exp-fits-signed";

impl Ints {
    /// `base ** exponent`, wrapped unless `no_wrap`.
    pub(super) fn power(
        &self,
        t: &mut Terms,
        (f, base): (Format, TermId),
        (g, exponent): (Format, TermId),
        no_wrap: bool,
    ) -> TermId {
        match (self.known(t, f, base), self.known(t, g, exponent)) {
            (Some(x), Some(n)) => match self.constant_power(f, &x, &n) {
                Some(power) => self.number(t, f, &power),
                None => self.unknown_power(t, base, exponent),
            },
            (None, Some(n)) if n <= MAX_FACTORS.into() => {
                let n = n.to_u32().unwrap_or(MAX_FACTORS);
                let product = self.product(t, f, base, n);
                let in_range = self.bits() || !self.wraps() || no_wrap || n <= 1;
                if in_range { product } else { integers::wrap(t, f, product) }
            }
            (Some(x), None) => self.table(t, f, (&x, base), (g, exponent), no_wrap),
            (None, Some(_) | None) => {
                let power = self.unknown_power(t, base, exponent);
                if no_wrap { power } else { self.wrapped(t, f, power) }
            }
        }
    }

    /// Whether the mathematical power is a number of the format.
    pub(super) fn power_fits(
        &self,
        t: &mut Terms,
        (f, base): (Format, TermId),
        (g, exponent): (Format, TermId),
    ) -> TermId {
        match (self.known(t, f, base), self.known(t, g, exponent)) {
            (Some(x), n) => {
                let Some(count) = powers_that_fit(f, &x) else { return t.bool(true) };
                match n {
                    Some(n) => t.bool(n < count),
                    None if count > g.max() => t.bool(true),
                    None => {
                        let count = self.number(t, g, &count);
                        self.less(t, g, exponent, count)
                    }
                }
            }
            (None, Some(n)) if n <= MAX_FACTORS.into() && !self.bits() => {
                let n = n.to_u32().unwrap_or(MAX_FACTORS);
                let product = self.product(t, f, base, n);
                if n <= 1 { t.bool(true) } else { integers::in_range(t, f, product) }
            }
            (None, Some(n)) => {
                let (low, high) = bases_that_fit(f, &n);
                let (low, high) = (self.number(t, f, &low), self.number(t, f, &high));
                let (above, below) =
                    (self.less_or_equal(t, f, low, base), self.less_or_equal(t, f, base, high));
                t.and(above, below)
            }
            (None, None) if self.bits() => {
                let name = if f.signed { FITS_SIGNED } else { FITS_UNSIGNED };
                self.apply(t, name, base, exponent, Sort::Bool)
            }
            (None, None) => {
                let power = self.unknown_power(t, base, exponent);
                integers::in_range(t, f, power)
            }
        }
    }

    /// The number of a constant term.
    fn known(&self, t: &Terms, f: Format, a: TermId) -> Option<BigInt> {
        match t.as_bitvec(a) {
            Some((bits, _)) => Some(f.wrap(&bits.clone().into())),
            None => t.as_int(a).cloned(),
        }
    }

    /// In mode `Int` the exact number, if it is not too large.
    fn constant_power(&self, f: Format, base: &BigInt, exponent: &BigInt) -> Option<BigInt> {
        if self.mode != Arithmetic::Int {
            return Some(f.wrap(&base.modpow(exponent, &f.modulus())));
        }
        let factors = exponent.to_u32().filter(|n| base.bits() * u64::from(*n) <= MAX_EXACT_BITS)?;
        Some(base.pow(factors))
    }

    /// By squaring, wrapped only as far as bit-vectors do by themselves.
    fn product(&self, t: &mut Terms, f: Format, base: TermId, factors: u32) -> TermId {
        if factors == 0 {
            return self.number(t, f, &BigInt::one());
        }
        let multiply = if self.bits() { Terms::bv_mul } else { Terms::mul };
        let half = if factors == 1 { return base } else { self.product(t, f, base, factors / 2) };
        let square = multiply(t, half, half);
        if factors.is_odd() { multiply(t, square, base) } else { square }
    }

    /// The powers of a constant: those that fit or differ from zero, then what all others are.
    fn table(
        &self,
        t: &mut Terms,
        f: Format,
        (x, base): (&BigInt, TermId),
        (g, exponent): (Format, TermId),
        no_wrap: bool,
    ) -> TermId {
        if *x == -BigInt::one() {
            return self.alternating(t, f, exponent);
        }
        let fitting = powers_that_fit(f, x);
        let bounded = self.wraps();
        let count = match &fitting {
            // 0 ** 0 is 1.
            None => BigInt::one(),
            Some(_) if bounded && !no_wrap && x.is_even() => powers_before_zero(f, x),
            Some(count) => count.clone(),
        };
        let count = count.min(g.max() + 1).to_u32().unwrap_or(f.bits);
        let mut powers: Vec<TermId> = Vec::with_capacity(count as usize + 1);
        let mut power = BigInt::one();
        for _ in 0..count {
            powers.push(self.number(t, f, &f.wrap(&power)));
            power *= x;
        }
        if g.max() >= count.into() {
            if fitting.is_none() || (bounded && !no_wrap && x.is_even()) {
                powers.push(self.number(t, f, &f.wrap(&power)));
            } else if !bounded || !no_wrap {
                let rest = self.unknown_power(t, base, exponent);
                powers.push(self.wrapped(t, f, rest));
            }
        }
        self.pick(t, &powers, 0, (g, exponent))
    }

    /// The powers of minus one.
    fn alternating(&self, t: &mut Terms, f: Format, exponent: TermId) -> TermId {
        let even = if self.bits() {
            let (last, zero) = (t.extract(0, 0, exponent), t.bv(0u32, 1));
            t.eq(last, zero)
        } else {
            let (two, zero) = (t.int(2), t.int(0));
            let rest = t.modulo(exponent, two);
            t.eq(rest, zero)
        };
        let (plus, minus) = (self.number(t, f, &BigInt::one()), self.number(t, f, &-BigInt::one()));
        t.ite(even, plus, minus)
    }

    /// `2 ** exponent` as an unsigned number of so many bits: zero beyond.
    pub(super) fn power_of_two_table(t: &mut Terms, bits: u32, (g, exponent): (Format, TermId)) -> TermId {
        let (ints, two) = (Ints { mode: Arithmetic::Mod }, t.int(2));
        ints.power(t, (Format { bits, signed: false }, two), (g, exponent), false)
    }

    /// `choices[index - first]`, the last one for everything beyond, found by halves.
    fn pick(&self, t: &mut Terms, choices: &[TermId], first: usize, (g, index): (Format, TermId)) -> TermId {
        if let [one] = choices {
            return *one;
        }
        let middle = choices.len() / 2;
        let limit = self.number(t, g, &(first + middle).into());
        let lower = self.pick(t, &choices[..middle], first, (g, index));
        let upper = self.pick(t, &choices[middle..], first + middle, (g, index));
        let below = self.less(t, g, index, limit);
        t.ite(below, lower, upper)
    }

    /// Of integers the mathematical power, of bit-vectors the wrapped one.
    fn unknown_power(&self, t: &mut Terms, base: TermId, exponent: TermId) -> TermId {
        let sort = t.sort(base).clone();
        self.apply(t, APPROXIMATED, base, exponent, sort)
    }

    fn apply(&self, t: &mut Terms, name: &str, base: TermId, exponent: TermId, result: Sort) -> TermId {
        let params = vec![t.sort(base).clone(), t.sort(exponent).clone()];
        let name = if self.bits() {
            format!("{name}-{}-{}", t.width(base), t.width(exponent))
        } else {
            name.to_owned()
        };
        let function = t.function(&name, params, result);
        t.apply(&function, &[base, exponent])
    }

    /// A power of which nothing is known, brought into its range.
    fn wrapped(&self, t: &mut Terms, f: Format, power: TermId) -> TermId {
        if self.bits() || !self.wraps() {
            return power;
        }
        let fits = integers::in_range(t, f, power);
        let wrapped = integers::remainder(t, f, power);
        t.ite(fits, power, wrapped)
    }
}

/// How many powers of `base`, from `base ** 0` on, are numbers of the format; `None` if all are.
fn powers_that_fit(f: Format, base: &BigInt) -> Option<BigInt> {
    if base.abs() <= BigInt::one() {
        return None;
    }
    let mut power = BigInt::one();
    let mut count = 0u32;
    while f.contains(&power) {
        power *= base;
        count += 1;
    }
    Some(count.into())
}

/// How many powers of an even `base` are not congruent to zero.
fn powers_before_zero(f: Format, base: &BigInt) -> BigInt {
    let twos = base.trailing_zeros().unwrap_or(1);
    u64::from(f.bits).div_ceil(twos).into()
}

/// The least and the greatest number whose power is a number of the format.
fn bases_that_fit(f: Format, exponent: &BigInt) -> (BigInt, BigInt) {
    if exponent.is_zero() {
        return (f.min(), f.max());
    }
    // From the width on, only powers of -1, 0 and 1 fit.
    let degree = exponent.to_u32().map_or(f.bits, |n| n.min(f.bits));
    let high = f.max().nth_root(degree);
    let low = match (f.signed, exponent.is_even()) {
        (false, _) => BigInt::ZERO,
        (true, true) => -high.clone(),
        (true, false) => -(-f.min()).nth_root(degree),
    };
    (low, high)
}
