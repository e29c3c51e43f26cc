//! Tokens of the block of calls. Gas and effect lines are tokens of their own.

use super::value;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    Word(String),
    /// Decimal digits, possibly with a point.
    Number(String),
    /// Hex digits without the prefix.
    Hex(String),
    Text(Vec<u8>),
    Minus,
    Arrow,
    Colon,
    Comma,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Comment,
    Newline,
    Gas,
    Effect(String),
    End,
}

pub struct Lexer {
    /// Each with its line, counted from one.
    tokens: Vec<(Token, usize)>,
}

impl Lexer {
    pub fn new(lines: &[&str]) -> Result<Lexer, String> {
        let mut tokens = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let number = i + 1;
            let text =
                line.strip_prefix("//").ok_or_else(|| format!("line {number} is not a comment"))?.trim();
            tokens.push((Token::Newline, number));
            if let Some(effect) = text.strip_prefix('~') {
                tokens.push((Token::Effect(effect.trim().to_owned()), number));
            } else if text.starts_with("gas ") {
                tokens.push((Token::Gas, number));
            } else {
                let chars: Vec<char> = text.chars().collect();
                let mut scanner = Scanner { chars: &chars, at: 0 };
                while let Some(token) = scanner.token().map_err(|e| format!("line {number}: {e}"))? {
                    tokens.push((token, number));
                }
            }
        }
        Ok(Lexer { tokens })
    }

    pub fn token(&self, at: usize) -> &Token {
        self.tokens.get(at).map_or(&Token::End, |(token, _)| token)
    }

    pub fn line(&self, at: usize) -> usize {
        self.tokens.get(at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }
}

struct Scanner<'a> {
    chars: &'a [char],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.at < self.chars.len() && accept(self.chars[self.at]) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn token(&mut self) -> Result<Option<Token>, String> {
        self.take_while(char::is_whitespace);
        if self.at >= self.chars.len() {
            return Ok(None);
        }
        let c = self.peek(0);
        if c == '0' && self.peek(1) == 'x' {
            self.at += 2;
            return Ok(Some(Token::Hex(self.take_while(|c| c.is_ascii_hexdigit()))));
        }
        if c.is_ascii_digit() {
            return Ok(Some(Token::Number(self.take_while(|c| c.is_ascii_digit() || c == '.'))));
        }
        if c.is_alphabetic() || c == '_' || c == '$' {
            return Ok(Some(Token::Word(self.take_while(|c| c.is_alphanumeric() || c == '_' || c == '$'))));
        }
        if c == '"' {
            return self.text().map(Some);
        }
        self.at += 1;
        let token = match c {
            '-' if self.peek(0) == '>' => {
                self.at += 1;
                Token::Arrow
            }
            '-' => Token::Minus,
            ':' => Token::Colon,
            ',' => Token::Comma,
            '(' => Token::Open,
            ')' => Token::Close,
            '[' => Token::OpenBracket,
            ']' => Token::CloseBracket,
            '#' => {
                self.take_while(|c| c != '#');
                self.at += 1;
                Token::Comment
            }
            other => return Err(format!("unexpected character `{other}`")),
        };
        Ok(Some(token))
    }

    fn text(&mut self) -> Result<Token, String> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let c = self.peek(0);
            if self.at >= self.chars.len() {
                return Err("a string without end".into());
            }
            self.at += 1;
            match c {
                '"' => return Ok(Token::Text(bytes)),
                '\\' => {
                    let escape = self.peek(0);
                    self.at += 1;
                    match escape {
                        'n' => bytes.push(b'\n'),
                        'r' => bytes.push(b'\r'),
                        't' => bytes.push(b'\t'),
                        '0' => bytes.push(0),
                        'x' => {
                            let digits: String = [self.peek(0), self.peek(1)].iter().collect();
                            bytes.extend(value::hex(&digits)?);
                            self.at += 2;
                        }
                        '\\' | '"' => bytes.push(escape as u8),
                        other => return Err(format!("unknown escape `\\{other}`")),
                    }
                }
                _ => bytes.extend(c.to_string().as_bytes()),
            }
        }
    }
}
