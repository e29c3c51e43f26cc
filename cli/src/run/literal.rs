//! Calls as the user writes them: `transfer{from: bob, value: 1 ether}(alice, [1, 2], "text")`.

use hornet_ir::U256;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    Number {
        negative: bool,
        magnitude: U256,
        /// Number of digits, if it was written in hexadecimal: `0x00ff` may also be bytes.
        hex_digits: Option<usize>,
    },
    Bool(bool),
    Text(String),
    Bytes(Vec<u8>),
    /// An account, a contract or a member of an enum.
    Name(String),
    List(Vec<Literal>),
    Tuple(Vec<Literal>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallText {
    pub function: String,
    pub args: Vec<Literal>,
    pub from: Option<Literal>,
    pub value: Option<Literal>,
}

pub fn parse_call(text: &str) -> Result<CallText, String> {
    let mut reader = Reader { rest: text, depth: 0 };
    let call = reader.call().and_then(|call| match reader.peek() {
        None => Ok(call),
        Some(c) => Err(format!("`{c}` after the call")),
    });
    call.map_err(|e| format!("cannot read the call `{text}`: {e}"))
}

pub fn parse_literal(text: &str) -> Result<Literal, String> {
    let mut reader = Reader { rest: text, depth: 0 };
    let literal = reader.literal()?;
    match reader.peek() {
        None => Ok(literal),
        Some(_) => Err(format!("`{text}` is not one value")),
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.rest = &self.rest[c.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.eat(c) {
            return Ok(());
        }
        let found = self.peek().map_or("the end".to_owned(), |f| format!("`{f}`"));
        Err(format!("expected `{c}`, found {found}"))
    }

    fn word(&mut self) -> String {
        self.peek();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '.'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word.to_owned()
    }

    fn call(&mut self) -> Result<CallText, String> {
        let function = self.word();
        if function.is_empty() {
            return Err("a call starts with the function's name".to_owned());
        }
        let (mut from, mut value) = (None, None);
        if self.eat('{') {
            while !self.eat('}') {
                let option = self.word();
                self.expect(':')?;
                let literal = Some(self.literal()?);
                match option.as_str() {
                    "from" => from = literal,
                    "value" => value = literal,
                    other => return Err(format!("`{other}` is not an option; there are `from` and `value`")),
                }
                if !self.eat(',') && self.peek() != Some('}') {
                    return Err("expected `,` or `}` after an option".to_owned());
                }
            }
        }
        self.expect('(')?;
        Ok(CallText { function, args: self.items(')')?, from, value })
    }

    fn items(&mut self, close: char) -> Result<Vec<Literal>, String> {
        self.depth += 1;
        if self.depth > 100 {
            return Err("nested too deeply".to_owned());
        }
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(',')?;
            }
            items.push(self.literal()?);
        }
        self.depth -= 1;
        Ok(items)
    }

    fn literal(&mut self) -> Result<Literal, String> {
        match self.peek() {
            Some('[') => {
                self.eat('[');
                Ok(Literal::List(self.items(']')?))
            }
            Some('(') => {
                self.eat('(');
                Ok(Literal::Tuple(self.items(')')?))
            }
            Some(quote @ ('"' | '\'')) => self.quoted(quote).map(Literal::Text),
            Some('-') => {
                self.eat('-');
                self.number(true)
            }
            Some(c) if c.is_ascii_digit() => self.number(false),
            Some(c) if c.is_alphabetic() || c == '_' || c == '$' => self.named(),
            Some(c) => Err(format!("`{c}` does not start a value")),
            None => Err("a value is missing at the end".to_owned()),
        }
    }

    fn named(&mut self) -> Result<Literal, String> {
        let word = self.word();
        match (word.as_str(), self.peek()) {
            ("hex", Some(quote @ ('"' | '\''))) => {
                let digits = self.quoted(quote)?;
                match decode_hex(&digits) {
                    Some(bytes) => Ok(Literal::Bytes(bytes)),
                    None => Err(format!("`{digits}` is not hexadecimal")),
                }
            }
            ("true", _) => Ok(Literal::Bool(true)),
            ("false", _) => Ok(Literal::Bool(false)),
            _ => Ok(Literal::Name(word)),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<String, String> {
        self.expect(quote)?;
        let mut out = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((i, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = &self.rest[i + c.len_utf8()..];
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, c)) => out.push(c),
                    None => break,
                },
                c => out.push(c),
            }
        }
        Err("a string is not closed".to_owned())
    }

    fn number(&mut self, negative: bool) -> Result<Literal, String> {
        let word = self.word().replace('_', "");
        let not_a_number = || format!("`{word}` is not a number");
        if let Some(digits) = word.strip_prefix("0x") {
            let magnitude = U256::from_str_radix(digits, 16).ok().filter(|_| !digits.is_empty());
            let magnitude = magnitude.ok_or_else(not_a_number)?;
            return Ok(Literal::Number { negative, magnitude, hex_digits: Some(digits.len()) });
        }
        let before_unit = self.rest;
        let unit = match self.peek() {
            Some(c) if c.is_alphabetic() => self.word(),
            _ => String::new(),
        };
        let zeros = match unit.as_str() {
            "wei" | "seconds" | "" => 0,
            "gwei" => 9,
            "ether" => 18,
            _ => {
                self.rest = before_unit;
                0
            }
        };
        let magnitude = decimal(&word, zeros).ok_or_else(not_a_number)?;
        Ok(Literal::Number { negative, magnitude, hex_digits: None })
    }
}

/// `1.5` with 18 zeros: the fraction must come out whole.
fn decimal(text: &str, zeros: usize) -> Option<U256> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > zeros {
        return None;
    }
    let digits = format!("{whole}{fraction}{}", "0".repeat(zeros - fraction.len()));
    U256::from_str_radix(&digits, 10).ok()
}

pub fn decode_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: u64) -> Literal {
        Literal::Number { negative: false, magnitude: U256::from(n), hex_digits: None }
    }

    #[test]
    fn calls_with_everything() {
        let call = parse_call(" f{value: 1.5 gwei, from: bob}(1_000, [true, \"a\\\"b\"], (hex'00ff', -2)) ")
            .unwrap();
        assert_eq!(call.function, "f");
        assert_eq!(call.from, Some(Literal::Name("bob".to_owned())));
        assert_eq!(call.value, Some(number(1_500_000_000)));
        let minus_two = Literal::Number { negative: true, magnitude: U256::from(2), hex_digits: None };
        assert_eq!(
            call.args,
            [
                number(1000),
                Literal::List(vec![Literal::Bool(true), Literal::Text("a\"b".to_owned())]),
                Literal::Tuple(vec![Literal::Bytes(vec![0, 255]), minus_two]),
            ]
        );
    }

    #[test]
    fn mistakes_are_explained() {
        for (text, expected) in [
            ("f", "expected `(`, found the end"),
            ("f(1", "expected `,`, found the end"),
            ("f(1) x", "`x` after the call"),
            ("f{gas: 1}()", "`gas` is not an option; there are `from` and `value`"),
            ("f(0xzz)", "`0xzz` is not a number"),
            ("f(\"a)", "a string is not closed"),
            ("(1)", "a call starts with the function's name"),
            ("f(1.5 wei)", "`1.5` is not a number"),
            ("f(@)", "`@` does not start a value"),
        ] {
            assert_eq!(parse_call(text).unwrap_err(), format!("cannot read the call `{text}`: {expected}"));
        }
        let nested = format!("f({}", "[".repeat(100_000));
        assert!(parse_call(&nested).unwrap_err().ends_with("nested too deeply"));
    }
}
