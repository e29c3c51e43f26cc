//! Tokens of the text form.

use super::parse::ParseError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name; `quoted` if it stood in backticks, so that it is never a keyword.
    Name {
        text: String,
        quoted: bool,
    },
    /// `%x`, `%3`; the text without the sign.
    Local {
        text: String,
        quoted: bool,
    },
    /// `?i`, `?3`: a variable of an annotation.
    Bound {
        text: String,
        quoted: bool,
    },
    /// `$3`.
    Let(u32),
    /// Digits, `0x` digits, perhaps with a type suffix (`5u8`).
    Number(String),
    Str(String),
    /// `hex"…"`.
    Hex(Vec<u8>),
    Punct(&'static str),
    End,
}

impl Token {
    pub fn describe(&self) -> String {
        match self {
            Token::Name { text, .. } => format!("`{text}`"),
            Token::Local { text, .. } => format!("`%{text}`"),
            Token::Bound { text, .. } => format!("`?{text}`"),
            Token::Let(n) => format!("`${n}`"),
            Token::Number(text) => format!("`{text}`"),
            Token::Str(_) | Token::Hex(_) => "a string".to_owned(),
            Token::Punct(p) => format!("`{p}`"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Lexed {
    pub token: Token,
    pub line: u32,
    pub column: u32,
    /// No space between this token and the one before.
    pub adjacent: bool,
}

/// Longest first.
const PUNCTS: &[&str] = &[
    "**", "<<", ">>", "==", "!=", "<=", ">=", "&&", "||", "=>", "->", "::", "(", ")", "[", "]", "{", "}",
    ",", ":", ".", "=", "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "!", "~", "#", "@",
];

pub(crate) fn lex(text: &str) -> Result<Vec<Lexed>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1 };
    let mut tokens = Vec::new();
    let mut adjacent = false;
    loop {
        let before = lexer.rest.len();
        lexer.skip_blank();
        adjacent &= lexer.rest.len() == before;
        let (line, column) = (lexer.line, lexer.column);
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push(Lexed { token, line, column, adjacent });
        adjacent = true;
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

fn name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

impl<'a> Lexer<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, column: self.column, message: message.into() })
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let start = self.rest;
        while self.peek().is_some_and(&accept) {
            self.bump();
        }
        &start[..start.len() - self.rest.len()]
    }

    fn skip_blank(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        let Some(c) = self.peek() else { return Ok(Token::End) };
        let next = self.rest[c.len_utf8()..].chars().next();
        if self.rest.starts_with("hex\"") {
            self.take_while(name_char);
            return self.hex_string();
        }
        if name_start(c) {
            return Ok(Token::Name { text: self.take_while(name_char).to_owned(), quoted: false });
        }
        if c.is_ascii_digit() {
            return Ok(Token::Number(self.take_while(|c| c.is_ascii_alphanumeric()).to_owned()));
        }
        match (c, next) {
            ('`', _) => Ok(Token::Name { text: self.delimited('`')?, quoted: true }),
            ('"', _) => Ok(Token::Str(self.delimited('"')?)),
            ('%', Some('`')) => {
                self.bump();
                Ok(Token::Local { text: self.delimited('`')?, quoted: true })
            }
            ('%', Some(n)) if name_char(n) => {
                self.bump();
                Ok(Token::Local { text: self.take_while(name_char).to_owned(), quoted: false })
            }
            ('?', Some('`')) => {
                self.bump();
                Ok(Token::Bound { text: self.delimited('`')?, quoted: true })
            }
            ('?', Some(n)) if name_char(n) => {
                self.bump();
                Ok(Token::Bound { text: self.take_while(name_char).to_owned(), quoted: false })
            }
            ('$', Some(n)) if n.is_ascii_digit() => {
                self.bump();
                match self.take_while(|c| c.is_ascii_digit()).parse() {
                    Ok(n) => Ok(Token::Let(n)),
                    Err(_) => self.error("number too large"),
                }
            }
            _ => match PUNCTS.iter().find(|p| self.rest.starts_with(**p)) {
                Some(p) => {
                    p.chars().for_each(|_| {
                        self.bump();
                    });
                    Ok(Token::Punct(p))
                }
                None => self.error(format!("unexpected character `{}`", c.escape_default())),
            },
        }
    }

    fn delimited(&mut self, delimiter: char) -> Result<String, ParseError> {
        self.bump();
        let mut out = String::new();
        loop {
            match self.bump() {
                Some(c) if c == delimiter => return Ok(out),
                Some('\\') => out.push(self.escape()?),
                Some('\n') | None => return self.error(format!("missing closing {delimiter}")),
                Some(c) => out.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        match self.bump() {
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some(c @ ('\\' | '"' | '`')) => Ok(c),
            Some('u') => {
                self.bump();
                let digits = self.take_while(|c| c.is_ascii_hexdigit());
                self.bump();
                match u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) {
                    Some(c) => Ok(c),
                    None => self.error("not a character code"),
                }
            }
            _ => self.error("unknown escape"),
        }
    }

    fn hex_string(&mut self) -> Result<Token, ParseError> {
        let text = self.delimited('"')?;
        match decode_hex(&text) {
            Some(bytes) => Ok(Token::Hex(bytes)),
            None => self.error("not a hexadecimal string"),
        }
    }
}

pub(crate) fn decode_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(text.get(i..i + 2)?, 16).ok()).collect()
}
