//! Numbers of gas as people read them.

/// `1,234,567`
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A coefficient: `1,067`, `0.375`.
pub fn coefficient(number: f64) -> String {
    if number.fract() == 0.0 { thousands(number as u64) } else { format!("{number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        assert_eq!([0, 999, 1000, 1234567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([3.0, 2263.0, 0.375].map(coefficient), ["3", "2,263", "0.375"]);
    }
}
