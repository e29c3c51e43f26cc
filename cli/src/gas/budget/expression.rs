//! Sums and products of numbers and names, as budgets and snapshots write them: `2500*to.length + 30000`.

use hornet_gas::ceiling::{Formula, Product};
use std::ops::Range;

/// What is wrong, and where in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub at: Range<usize>,
    pub message: String,
}

pub fn parse(text: &str) -> Result<Formula, Problem> {
    let mut reader = Reader { text, at: 0 };
    let sum = reader.sum()?;
    match reader.next() {
        None => formula(sum, text),
        Some(c) => {
            Err(reader.problem(format!("`{c}` does not belong here: sums and products are understood")))
        }
    }
}

/// A coefficient and the names that it goes with, for each product.
type Sum = Vec<(f64, Vec<String>)>;

fn formula(sum: Sum, text: &str) -> Result<Formula, Problem> {
    let mut formula = Formula::default();
    let mut offset = 0.0;
    for (coefficient, mut parameters) in sum {
        parameters.sort_unstable();
        if parameters.is_empty() {
            offset += coefficient;
        } else {
            formula.add(Product { coefficient, parameters });
        }
    }
    if offset > 2_f64.powi(63) {
        let message = "more gas than there is anywhere".to_owned();
        return Err(Problem { at: 0..text.len(), message });
    }
    formula.offset = offset as u64;
    Ok(formula)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    /// The next character that is no space; it is not taken.
    fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, any_of: &[char]) -> bool {
        match self.next() {
            Some(c) if any_of.contains(&c) => {
                self.at += c.len_utf8();
                true
            }
            _ => false,
        }
    }

    fn problem(&mut self, message: String) -> Problem {
        let length = self.next().map_or(0, char::len_utf8);
        Problem { at: self.at..self.at + length, message }
    }

    fn sum(&mut self) -> Result<Sum, Problem> {
        let mut sum = self.product()?;
        while self.take(&['+']) {
            sum.extend(self.product()?);
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<Sum, Problem> {
        let mut product = self.factor()?;
        while self.take(&['*', '·']) {
            let right = self.factor()?;
            let times = |(a, left): &(f64, Vec<String>)| {
                right.iter().map(|(b, names)| (a * b, [&left[..], names].concat())).collect::<Vec<_>>()
            };
            product = product.iter().flat_map(times).collect();
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Sum, Problem> {
        match self.next() {
            Some('(') => {
                self.at += 1;
                let sum = self.sum()?;
                if self.take(&[')']) { Ok(sum) } else { Err(self.problem("expected `)`".to_owned())) }
            }
            Some('{') => self.quoted(),
            Some(c) if c.is_ascii_digit() => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' || c == '$' => Ok(vec![(1.0, vec![self.name()])]),
            _ => Err(self.problem("expected a number or a name".to_owned())),
        }
    }

    fn number(&mut self) -> Result<Sum, Problem> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "._".contains(c)));
        let digits = &rest[..length.unwrap_or(rest.len())];
        let at = self.at..self.at + digits.len();
        self.at = at.end;
        match digits.replace('_', "").parse() {
            Ok(number) => Ok(vec![(number, Vec::new())]),
            Err(_) => Err(Problem { at, message: format!("`{digits}` is not a number") }),
        }
    }

    /// `{any text}`: a name that is no expression.
    fn quoted(&mut self) -> Result<Sum, Problem> {
        let Some(length) = self.text[self.at..].find('}') else {
            return Err(self.problem("expected `}`".to_owned()));
        };
        let name = self.text[self.at + 1..self.at + length].to_owned();
        self.at += length + 1;
        Ok(vec![(1.0, vec![name])])
    }

    /// `to.length`, `bytes(text).length`, `holders[…].length`: brackets belong to the name.
    fn name(&mut self) -> String {
        let mut depth = 0_usize;
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' if depth > 0 => depth -= 1,
                _ if depth > 0 || c.is_alphanumeric() || "_$.".contains(c) => {}
                _ => return true,
            }
            false
        });
        let name = &rest[..end.unwrap_or(rest.len())];
        self.at += name.len();
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, (Range<usize>, String)> {
        parse(text).map(|formula| formula.to_string()).map_err(|p| (p.at, p.message))
    }

    #[test]
    fn sums_and_products() {
        assert_eq!(read("60_000").as_deref(), Ok("60000"));
        assert_eq!(read("2500*n + 30000").as_deref(), Ok("30000 + 2500·n"));
        assert_eq!(
            read("2·(to.length + 3)*bytes(s).length").as_deref(),
            Ok("0 + 2·bytes(s).length·to.length + 6·bytes(s).length")
        );
        assert_eq!(read("n*n*2 + 3*n*n").as_deref(), Ok("0 + 5·n²"));
        assert_eq!(read("3*{(a / 2)}*{returned bytes}").as_deref(), Ok("0 + 3·(a / 2)·returned bytes"));
        assert_eq!(read("1 +\n  a[…].length").as_deref(), Ok("1 + 1·a[…].length"));
    }

    #[test]
    fn mistakes_have_places() {
        assert_eq!(
            read("2 - n"),
            Err((2..3, "`-` does not belong here: sums and products are understood".into()))
        );
        assert_eq!(read("3 + "), Err((4..4, "expected a number or a name".into())));
        assert_eq!(read("(1 + 2"), Err((6..6, "expected `)`".into())));
        assert_eq!(read("1 + 2x"), Err((4..6, "`2x` is not a number".into())));
        assert_eq!(read("ß"), Ok("0 + 1·ß".to_owned()));
    }
}
