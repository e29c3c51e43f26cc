//! Polynomials over quantities that are never negative, with coefficients rounded towards more gas.

use std::collections::BTreeMap;

use super::term::Term;

/// Coefficients count in units of 2^-32, so that a share of a word (3/32 for each byte copied) is exact.
const FRACTION: u32 = 32;

/// Up to a limit that no gas reaches; beyond it a polynomial says nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Poly {
    constant: i128,
    /// By the product of quantities that it belongs to, in order; never zero.
    terms: BTreeMap<Vec<Term>, i128>,
    endless: bool,
}

impl Poly {
    pub const fn zero() -> Poly {
        Poly { constant: 0, terms: BTreeMap::new(), endless: false }
    }

    pub fn from(value: u64) -> Poly {
        Poly { constant: i128::from(value) << FRACTION, ..Poly::zero() }
    }

    pub fn signed(value: i64) -> Poly {
        Poly { constant: i128::from(value) << FRACTION, ..Poly::zero() }
    }

    /// Larger than everything.
    pub fn endless() -> Poly {
        Poly { endless: true, ..Poly::zero() }
    }

    pub fn of(atom: Term) -> Poly {
        Poly { terms: BTreeMap::from([(vec![atom], 1 << FRACTION)]), ..Poly::zero() }
    }

    pub fn is_endless(&self) -> bool {
        self.endless
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty() && !self.endless
    }

    /// The constant part, rounded up.
    pub fn offset(&self) -> i128 {
        round_up(self.constant)
    }

    pub fn atoms(&self) -> impl Iterator<Item = Term> {
        self.terms.keys().flatten().copied()
    }

    /// Products with their coefficients in units of 2^-32.
    pub fn products(&self) -> impl Iterator<Item = (&[Term], i128)> {
        self.terms.iter().map(|(atoms, coefficient)| (atoms.as_slice(), *coefficient))
    }

    pub fn add(&self, other: &Poly) -> Poly {
        if self.terms.is_empty() && other.terms.is_empty() && !self.endless && !other.endless {
            return self
                .constant
                .checked_add(other.constant)
                .map_or_else(Poly::endless, |constant| Poly { constant, ..Poly::zero() });
        }
        let mut sum = self.clone();
        sum.endless |= other.endless;
        sum.increase(&[], other.constant);
        for (atoms, coefficient) in &other.terms {
            sum.increase(atoms, *coefficient);
        }
        sum.normal()
    }

    pub fn plus(&self, value: i64) -> Poly {
        self.add(&Poly::signed(value))
    }

    pub fn times(&self, other: &Poly) -> Poly {
        let mut product = Poly { endless: self.endless || other.endless, ..Poly::zero() };
        for (left, a) in self.all_products() {
            for (right, b) in other.all_products() {
                let mut atoms = [left, right].concat();
                atoms.sort_unstable();
                match a.checked_mul(b) {
                    Some(both) => product.increase(&atoms, round_up(both)),
                    None => product.endless = true,
                }
            }
        }
        product.normal()
    }

    /// Times a quotient of whole numbers.
    pub fn scaled(&self, numerator: i64, denominator: u64) -> Poly {
        let mut scaled = Poly { endless: self.endless, ..Poly::zero() };
        for (atoms, coefficient) in self.all_products() {
            match coefficient.checked_mul(i128::from(numerator)) {
                Some(product) => scaled.increase(atoms, divide_up(product, i128::from(denominator))),
                None => scaled.endless = true,
            }
        }
        scaled.normal()
    }

    /// At least as large as both, wherever the quantities are not negative.
    pub fn max(&self, other: &Poly) -> Poly {
        if self.is_constant() && other.is_constant() {
            return Poly { constant: self.constant.max(other.constant), ..Poly::zero() };
        }
        let mut larger = Poly {
            constant: self.constant.max(other.constant),
            terms: self.terms.clone(),
            endless: self.endless || other.endless,
        };
        for (atoms, coefficient) in &mut larger.terms {
            *coefficient = (*coefficient).max(other.terms.get(atoms).copied().unwrap_or(0));
        }
        for (atoms, coefficient) in &other.terms {
            larger.terms.entry(atoms.clone()).or_insert((*coefficient).max(0));
        }
        larger.normal()
    }

    /// Nowhere larger than the other, as far as coefficients show.
    pub fn is_at_most(&self, other: &Poly) -> bool {
        if other.endless {
            return true;
        }
        let fits = |atoms: &Vec<Term>| {
            let of = |poly: &Poly| poly.terms.get(atoms).copied().unwrap_or(0);
            of(self) <= of(other)
        };
        !self.endless
            && self.constant <= other.constant
            && self.terms.keys().all(fits)
            && other.terms.keys().all(fits)
    }

    /// Without what makes it smaller; still an upper bound.
    pub fn without_negatives(&self) -> Poly {
        let mut kept = self.clone();
        kept.constant = kept.constant.max(0);
        kept.terms.retain(|_, coefficient| *coefficient > 0);
        kept
    }

    /// A quantity replaced by something at least as large where it adds, and at most as large where it takes away.
    pub fn bounded(&self, atom: Term, upper: &Poly, lower: &Poly) -> Poly {
        if self.endless || !self.terms.keys().any(|atoms| atoms.contains(&atom)) {
            return self.clone();
        }
        let mut bounded = Poly { constant: self.constant, endless: self.endless, ..Poly::zero() };
        for (atoms, coefficient) in &self.terms {
            let bound = if *coefficient > 0 { upper } else { lower };
            let (mut of_atom, mut others) = (Poly::from(1), Vec::new());
            for other in atoms {
                match *other == atom {
                    true => of_atom = of_atom.times(bound),
                    false => others.push(*other),
                }
            }
            let rest = Poly { terms: BTreeMap::from([(others, *coefficient)]), ..Poly::zero() }.normal();
            bounded = bounded.add(&of_atom.times(&rest));
        }
        bounded
    }

    /// The value where the quantities have the values given, rounded up; `None` if it is out of all proportion.
    pub fn at(&self, value: impl Fn(Term) -> u128) -> Option<i128> {
        if self.endless {
            return None;
        }
        let mut sum = self.constant;
        for (atoms, coefficient) in &self.terms {
            let mut product = *coefficient;
            for atom in atoms {
                product = product.checked_mul(i128::try_from(value(*atom)).ok()?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(round_up(sum))
    }

    fn all_products(&self) -> impl Iterator<Item = (&[Term], i128)> {
        let constant = (self.constant != 0).then_some((&[][..], self.constant));
        constant.into_iter().chain(self.products())
    }

    fn increase(&mut self, atoms: &[Term], by: i128) {
        let place = match atoms {
            [] => &mut self.constant,
            _ => self.terms.entry(atoms.to_vec()).or_insert(0),
        };
        match place.checked_add(by) {
            Some(sum) => *place = sum,
            None => self.endless = true,
        }
    }

    fn normal(mut self) -> Poly {
        if self.endless {
            return Poly::endless();
        }
        if let Some(constant) = self.terms.remove(&Vec::new()) {
            self.constant = match self.constant.checked_add(constant) {
                Some(sum) => sum,
                None => return Poly::endless(),
            };
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }
}

fn round_up(fixed: i128) -> i128 {
    let whole = fixed >> FRACTION;
    if whole << FRACTION == fixed { whole } else { whole + 1 }
}

fn divide_up(value: i128, by: i128) -> i128 {
    let quotient = value.div_euclid(by);
    if quotient * by == value { quotient } else { quotient + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Term = Term::numbered(1);
    const M: Term = Term::numbered(2);

    #[test]
    fn copying_bytes_costs_a_share_of_a_word() {
        // 3 gas for every word that is begun.
        let cost = Poly::of(N).plus(31).scaled(3, 32);
        for n in 0..200_u128 {
            let exact = 3 * n.div_ceil(32) as i128;
            let bound = cost.at(|_| n).unwrap();
            assert!((exact..exact + 4).contains(&bound), "{n}: {exact} {bound}");
        }
    }

    #[test]
    fn the_larger_of_two_is_above_both() {
        let a = Poly::of(N).scaled(5, 1).plus(10);
        let b = Poly::of(M).scaled(2, 1).plus(90);
        let both = a.max(&b);
        assert!(a.is_at_most(&both) && b.is_at_most(&both) && !both.is_at_most(&a));
        assert_eq!(both.at(|atom| if atom == N { 1 } else { 2 }), Some(99));
    }

    #[test]
    fn quantities_are_replaced_by_their_bounds() {
        // N·M − N + 3, with 1 <= N <= 2·M
        let poly = Poly::of(N).times(&Poly::of(M)).add(&Poly::of(N).scaled(-1, 1)).plus(3);
        let bounded = poly.bounded(N, &Poly::of(M).scaled(2, 1), &Poly::from(1));
        assert_eq!(bounded.at(|_| 10), Some(200 - 1 + 3));
    }

    #[test]
    fn too_large_is_endless() {
        let mut poly = Poly::from(u64::MAX);
        for _ in 0..3 {
            poly = poly.times(&poly);
        }
        assert!(poly.is_endless() && Poly::zero().is_at_most(&poly) && !poly.is_at_most(&Poly::zero()));
    }
}
