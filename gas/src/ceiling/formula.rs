//! A bound as people write it: an offset and products of parameters.

use std::fmt;

/// `24310 + 2263·recipients.length`; rounded up, so it is above the bound that it was made from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Formula {
    pub offset: u64,
    pub products: Vec<Product>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Product {
    pub coefficient: f64,
    /// Names of parameters; one that stands twice is squared.
    pub parameters: Vec<String>,
}

impl Formula {
    /// Adds a product to what there is of its parameters.
    pub fn add(&mut self, product: Product) {
        match self.products.iter_mut().find(|known| known.parameters == product.parameters) {
            Some(known) => known.coefficient += product.coefficient,
            None => self.products.push(product),
        }
    }

    /// The value for parameters of these values.
    pub fn at(&self, value: impl Fn(&str) -> f64) -> f64 {
        let product =
            |p: &Product| p.coefficient * p.parameters.iter().map(|name| value(name)).product::<f64>();
        self.offset as f64 + self.products.iter().map(product).sum::<f64>()
    }

    /// As text, with numbers in the notation of the caller.
    pub fn show(&self, number: impl Fn(f64) -> String) -> String {
        let mut text = number(self.offset as f64);
        for product in &self.products {
            text += &format!(" + {}·{}", number(product.coefficient), product.names());
        }
        text
    }
}

impl Product {
    /// `a.length·b.length`, `n²`
    fn names(&self) -> String {
        let mut powers: Vec<(&str, usize)> = Vec::new();
        for name in &self.parameters {
            match powers.iter_mut().find(|(known, _)| known == name) {
                Some((_, times)) => *times += 1,
                None => powers.push((name, 1)),
            }
        }
        let power = |(name, times): &(&str, usize)| match times {
            1 => (*name).to_owned(),
            2 => format!("{name}²"),
            times => format!("{name}^{times}"),
        };
        powers.iter().map(power).collect::<Vec<_>>().join("·")
    }
}

/// Whole, or with three digits that mean something.
pub(super) fn rounded_up(number: f64) -> f64 {
    if number >= 10.0 || number <= 0.0 {
        return number.ceil();
    }
    let scale = 10_f64.powi(2 - number.log10().floor() as i32);
    // What binary fractions lack of a decimal number is no reason to go to the next.
    ((number * scale - 1e-6).ceil() / scale).max(number)
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(|number| number.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_are_rounded_up() {
        assert_eq!([2262.1, 3.0, 0.09375, 0.0000019073].map(rounded_up), [2263.0, 3.0, 0.0938, 0.00000191]);
    }

    #[test]
    fn formulas_are_written_as_people_write_them() {
        let product = |coefficient, names: &[&str]| Product {
            coefficient,
            parameters: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let products = vec![product(2263.0, &["n"]), product(0.5, &["n", "n"]), product(2.0, &["a", "n"])];
        let formula = Formula { offset: 24310, products };
        assert_eq!(formula.to_string(), "24310 + 2263·n + 0.5·n² + 2·a·n");
        assert_eq!(formula.at(|name| if name == "n" { 4.0 } else { 1.0 }), 24310.0 + 9052.0 + 8.0 + 8.0);
    }
}
