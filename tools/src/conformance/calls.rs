//! The block of calls: `f(uint256), 1 ether: 3, "abc" -> 4, true # why #`, with effects and gas lines below.

use hornet_evm::{B256, U256, keccak256};

use super::lexer::{Lexer, Token};
use super::value;

#[derive(Clone, Debug)]
pub struct Call {
    /// As written, for reports.
    pub text: String,
    pub line: usize,
    pub kind: Kind,
    pub value: U256,
    /// Encoded arguments, without a selector.
    pub arguments: Vec<u8>,
    pub expect_failure: bool,
    pub expected: Vec<u8>,
    pub events: Vec<Event>,
    /// How many gas expectations hang on this call.
    pub gas_lines: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Constructor,
    /// Calldata is the selector of this signature and the arguments.
    Function(String),
    /// Calldata is the arguments alone.
    Raw,
    Library {
        file: Option<String>,
        name: String,
    },
    Builtin(String),
}

/// An expected log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Where it is not the contract under test.
    pub from: Option<[u8; 20]>,
    pub topics: Vec<B256>,
    pub data: Vec<u8>,
}

const BUILTINS: [&str; 5] =
    ["isoltest_builtin_test", "isoltest_side_effects_test", "balance", "storageEmpty", "account"];

pub fn parse(lines: &[&str]) -> Result<Vec<Call>, String> {
    let mut parser = Parser { lexer: Lexer::new(lines)?, at: 0 };
    let mut calls = Vec::new();
    loop {
        parser.skip_newlines();
        if parser.peek() == &Token::End {
            return Ok(calls);
        }
        let line = parser.lexer.line(parser.at);
        let mut call = parser.call().map_err(|e| format!("call block line {line}: {e}"))?;
        call.line = line;
        call.text = lines.get(line - 1).map_or("", |l| l.trim_start_matches('/').trim()).to_owned();
        calls.push(call);
    }
}

struct Parser {
    lexer: Lexer,
    at: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.lexer.token(self.at)
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn accept(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &Token) -> Result<(), String> {
        if self.accept(token) { Ok(()) } else { Err(format!("expected {token:?}, found {:?}", self.peek())) }
    }

    fn skip_newlines(&mut self) {
        while self.accept(&Token::Newline) {}
    }

    /// Comments and line ends mean nothing here.
    fn skip_comment_lines(&mut self) {
        while matches!(self.peek(), Token::Newline | Token::Comment) {
            self.at += 1;
        }
    }

    fn call(&mut self) -> Result<Call, String> {
        let mut call = Call {
            text: String::new(),
            line: 0,
            kind: Kind::Raw,
            value: U256::ZERO,
            arguments: Vec::new(),
            expect_failure: false,
            expected: Vec::new(),
            events: Vec::new(),
            gas_lines: 0,
        };
        call.kind = self.head()?;
        if matches!(call.kind, Kind::Library { .. }) {
            return Ok(call);
        }
        if self.accept(&Token::Comma) {
            call.value = self.ether()?;
        }
        if self.accept(&Token::Colon) {
            call.arguments = self.values()?.1;
        }
        // `->` may stand on a line of its own; without it nothing is expected back.
        let before = self.at;
        self.skip_comment_lines();
        if self.accept(&Token::Arrow) {
            (call.expect_failure, call.expected) = self.values()?;
        } else {
            self.at = before;
        }
        self.tail(&mut call)?;
        Ok(call)
    }

    fn head(&mut self) -> Result<Kind, String> {
        match self.next() {
            Token::Word(word) if word == "library" => {
                self.expect(&Token::Colon)?;
                match self.next() {
                    Token::Word(name) => Ok(Kind::Library { file: None, name }),
                    Token::Text(file) => {
                        self.expect(&Token::Colon)?;
                        let Token::Word(name) = self.next() else { return Err("expected a library".into()) };
                        Ok(Kind::Library { file: Some(String::from_utf8_lossy(&file).into_owned()), name })
                    }
                    other => Err(format!("expected a library, found {other:?}")),
                }
            }
            Token::Word(word) if self.peek() != &Token::Open => {
                if BUILTINS.contains(&word.as_str()) {
                    Ok(Kind::Builtin(word))
                } else {
                    Err(format!("`{word}` is neither a call nor a builtin"))
                }
            }
            Token::Word(word) => {
                let signature = format!("{word}{}", self.parameter_types()?);
                Ok(if signature == "constructor()" { Kind::Constructor } else { Kind::Function(signature) })
            }
            Token::Open => {
                self.expect(&Token::Close)?;
                Ok(Kind::Raw)
            }
            other => Err(format!("expected a call, found {other:?}")),
        }
    }

    /// `(uint256,(bytes,uint8[2])[])` as one string.
    fn parameter_types(&mut self) -> Result<String, String> {
        let mut text = String::new();
        let mut depth = 0usize;
        loop {
            match self.next() {
                Token::Open => {
                    depth += 1;
                    text.push('(');
                }
                Token::Close => {
                    depth = depth.saturating_sub(1);
                    text.push(')');
                }
                Token::Comma => text.push(','),
                Token::OpenBracket => text.push('['),
                Token::CloseBracket => text.push(']'),
                Token::Word(word) => text.push_str(&word),
                Token::Number(digits) => text.push_str(&digits),
                other => return Err(format!("unexpected {other:?} in a signature")),
            }
            if depth == 0 && !matches!(self.peek(), Token::OpenBracket) {
                return Ok(text);
            }
        }
    }

    fn ether(&mut self) -> Result<U256, String> {
        let Token::Number(digits) = self.next() else { return Err("expected an amount".into()) };
        let amount: U256 = digits.parse().map_err(|_| "amount too large".to_owned())?;
        match self.next() {
            Token::Word(unit) if unit == "wei" => Ok(amount),
            Token::Word(unit) if unit == "ether" => Ok(amount * U256::from(1_000_000_000_000_000_000u64)),
            other => Err(format!("expected a unit, found {other:?}")),
        }
    }

    /// Values behind a colon or an arrow, possibly none; whether `FAILURE` was the first.
    fn values(&mut self) -> Result<(bool, Vec<u8>), String> {
        let mut bytes = Vec::new();
        let mut failure = false;
        let mut first = true;
        loop {
            let before = self.at;
            self.skip_newlines();
            if first && self.accept(&Token::Word("FAILURE".into())) {
                failure = true;
            } else if let Some(value) = self.value()? {
                bytes.extend(value);
            } else if first {
                self.at = before;
                return Ok((false, bytes));
            } else {
                return Err(format!("expected a value, found {:?}", self.peek()));
            }
            first = false;
            if !self.accept(&Token::Comma) {
                return Ok((failure, bytes));
            }
        }
    }

    fn value(&mut self) -> Result<Option<Vec<u8>>, String> {
        let start = self.at;
        let bytes = match self.next() {
            Token::Word(word) if word == "true" => value::word_right(&[1])?,
            Token::Word(word) if word == "false" => value::word_right(&[])?,
            Token::Word(word) if word == "left" && self.accept(&Token::Open) => {
                let bytes = self.plain()?;
                self.expect(&Token::Close)?;
                value::word_left(&bytes)?
            }
            Token::Word(word) if word == "right" && self.accept(&Token::Open) => {
                let bytes = self.plain()?;
                self.expect(&Token::Close)?;
                value::word_right(&bytes)?
            }
            Token::Word(word) if word == "hex" => match self.next() {
                Token::Text(digits) => value::hex(&String::from_utf8_lossy(&digits))?,
                other => return Err(format!("expected hex digits, found {other:?}")),
            },
            Token::Text(text) => value::word_left(&text)?,
            Token::Hex(_) | Token::Number(_) | Token::Minus => {
                self.at = start;
                value::word_right(&self.plain()?)?
            }
            Token::Word(_)
            | Token::Newline
            | Token::Comment
            | Token::Arrow
            | Token::Colon
            | Token::Comma
            | Token::Open
            | Token::Close
            | Token::OpenBracket
            | Token::CloseBracket
            | Token::Gas
            | Token::Effect(_)
            | Token::End => {
                self.at = start;
                return Ok(None);
            }
        };
        Ok(Some(bytes))
    }

    /// A number without padding.
    fn plain(&mut self) -> Result<Vec<u8>, String> {
        match self.next() {
            Token::Hex(digits) => value::hex(&digits),
            Token::Number(digits) => fixed_point(&digits, false),
            Token::Minus => match self.next() {
                Token::Number(digits) => fixed_point(&digits, true),
                other => Err(format!("expected a number, found {other:?}")),
            },
            Token::Word(word) if word == "true" => Ok(vec![1]),
            Token::Word(word) if word == "false" => Ok(vec![0]),
            Token::Text(text) => Ok(text),
            other => Err(format!("expected a number, found {other:?}")),
        }
    }

    /// Comments, gas expectations and effects below a call.
    fn tail(&mut self, call: &mut Call) -> Result<(), String> {
        loop {
            match self.peek().clone() {
                Token::Newline | Token::Comment => {}
                Token::Gas => call.gas_lines += 1,
                Token::Effect(text) => call.events.extend(event(&text)?),
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }
}

/// Digits with or without a decimal point, which scales and is otherwise ignored.
fn fixed_point(digits: &str, negative: bool) -> Result<Vec<u8>, String> {
    value::decimal(&digits.replace('.', ""), negative)
}

/// `emit E(uint256) from 0x…: #1, 2`; effects other than events are not about the contract.
fn event(text: &str) -> Result<Option<Event>, String> {
    let Some(rest) = text.trim().strip_prefix("emit ") else { return Ok(None) };
    let line = format!("// {rest}");
    let (mut topics, name_end) = if let Some(at) = rest.find("<anonymous>") {
        (Vec::new(), at + "<anonymous>".len())
    } else {
        let end = signature_end(rest);
        (vec![keccak256(&rest[..end])], end)
    };
    let tail = &line["// ".len() + name_end..];
    let (head, arguments) = split_arguments(tail);
    let from = match head.trim().strip_prefix("from 0x") {
        Some(address) => {
            Some(value::hex(address.trim())?.try_into().map_err(|_| "not an address".to_owned())?)
        }
        None => None,
    };
    let mut data = Vec::new();
    for argument in split_values(arguments) {
        let (indexed, text) = match argument.strip_prefix('#') {
            Some(text) => (true, text),
            None => (false, argument),
        };
        let line = format!("// {text}");
        let mut parser = Parser { lexer: Lexer::new(&[&line])?, at: 0 };
        parser.skip_newlines();
        let bytes = parser.value()?.ok_or_else(|| format!("`{text}` is not a value"))?;
        if indexed {
            let word: [u8; 32] = bytes.try_into().map_err(|_| "a topic of odd size".to_owned())?;
            topics.push(B256::from(word));
        } else {
            data.extend(bytes);
        }
    }
    Ok(Some(Event { from, topics, data }))
}

fn signature_end(text: &str) -> usize {
    let mut depth = 0i32;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return i + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn split_arguments(tail: &str) -> (&str, &str) {
    tail.split_once(':').unwrap_or((tail, ""))
}

/// At commas outside quotes.
fn split_values(text: &str) -> Vec<&str> {
    let mut values = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                values.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    values.push(text[start..].trim());
    values.retain(|value| !value.is_empty());
    values
}
