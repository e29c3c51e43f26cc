//! The smallest Solidity lexer: words, numbers, strings and operators, comments skipped.
//!
//! It must cut the text exactly where the parser's own lexer does, or an edit made by the prescan would land inside
//! a token. It is therefore stricter, never more lenient, about where strings, comments and numbers end.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    Number,
    /// A string with its quotes and, for `hex"…"` and `unicode"…"`, its prefix.
    Text,
    /// An operator or bracket, named by its first byte.
    Sign(u8),
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// Why the text cannot be cut into tokens, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct LexError {
    pub start: usize,
    pub end: usize,
    pub problem: Problem,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    UnclosedComment,
    UnclosedString,
    Number,
    Character,
}

#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub src: &'a [u8],
    pub pos: usize,
}

fn is_word_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$'
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$'
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

impl<'a> Cursor<'a> {
    fn at(&self, ahead: usize) -> u8 {
        // NUL stands for the end; a real NUL byte matches no token and becomes an error.
        self.src.get(self.pos + ahead).copied().unwrap_or(0)
    }

    pub fn text(&self, token: Token) -> &'a [u8] {
        &self.src[token.start..token.end]
    }

    /// Moves past white space and comments.
    pub fn skip_blank(&mut self) -> Result<(), LexError> {
        loop {
            match self.at(0) {
                b if is_space(b) => self.pos += 1,
                b'/' if self.at(1) == b'/' => {
                    self.pos += 2;
                    while self.pos < self.src.len() && !matches!(self.src[self.pos], b'\n' | b'\r') {
                        self.pos += 1;
                    }
                }
                b'/' if self.at(1) == b'*' => {
                    let start = self.pos;
                    self.pos += 2;
                    while !(self.at(0) == b'*' && self.at(1) == b'/') {
                        if self.pos >= self.src.len() {
                            return Err(LexError {
                                start,
                                end: start + 2,
                                problem: Problem::UnclosedComment,
                            });
                        }
                        self.pos += 1;
                    }
                    self.pos += 2;
                }
                _ => return Ok(()),
            }
        }
    }

    /// The next token; `Kind::End` for ever at the end. After an error the cursor stands behind the culprit.
    pub fn next(&mut self) -> Result<Token, LexError> {
        self.skip_blank()?;
        let start = self.pos;
        let Some(&first) = self.src.get(start) else {
            return Ok(Token { kind: Kind::End, start, end: start });
        };
        let kind = match first {
            b if is_word_start(b) => self.word(start)?,
            b'0'..=b'9' => self.number(start)?,
            b'.' if self.at(1).is_ascii_digit() => self.number(start)?,
            b'"' | b'\'' => self.string(start)?,
            _ => self.sign(start, first)?,
        };
        Ok(Token { kind, start, end: self.pos })
    }

    /// The token after the current position, without moving.
    pub fn peek(&self) -> Token {
        let mut ahead = *self;
        ahead.next().unwrap_or(Token { kind: Kind::End, start: self.src.len(), end: self.src.len() })
    }

    fn word(&mut self, start: usize) -> Result<Kind, LexError> {
        while is_word(self.at(0)) {
            self.pos += 1;
        }
        let word = &self.src[start..self.pos];
        if matches!(self.at(0), b'"' | b'\'') && (word == b"hex" || word == b"unicode") {
            return self.string(start);
        }
        Ok(Kind::Word)
    }

    fn digits(&mut self) {
        while self.at(0).is_ascii_digit() || self.at(0) == b'_' {
            self.pos += 1;
        }
    }

    fn number(&mut self, start: usize) -> Result<Kind, LexError> {
        let mut good = true;
        if self.at(0) == b'0' && self.at(1) == b'x' {
            self.pos += 2;
            good = self.at(0).is_ascii_hexdigit();
            while self.at(0).is_ascii_hexdigit() || self.at(0) == b'_' {
                self.pos += 1;
            }
        } else {
            self.digits();
            if self.at(0) == b'.' && self.at(1).is_ascii_digit() {
                self.pos += 1;
                self.digits();
            }
            if matches!(self.at(0), b'e' | b'E') {
                self.pos += 1 + usize::from(self.at(1) == b'-');
                good = self.at(0).is_ascii_digit();
                self.digits();
            }
        }
        if good && !is_word_start(self.at(0)) {
            return Ok(Kind::Number);
        }
        while is_word(self.at(0)) {
            self.pos += 1;
        }
        Err(LexError { start, end: self.pos, problem: Problem::Number })
    }

    fn string(&mut self, start: usize) -> Result<Kind, LexError> {
        let quote = self.at(0);
        self.pos += 1;
        while self.pos < self.src.len() {
            match self.src[self.pos] {
                b if b == quote => {
                    self.pos += 1;
                    return Ok(Kind::Text);
                }
                b'\\' => self.pos += 2,
                b'\n' | b'\r' => break,
                _ => self.pos += 1,
            }
        }
        self.pos = self.pos.min(self.src.len());
        Err(LexError { start, end: self.pos, problem: Problem::UnclosedString })
    }

    fn sign(&mut self, start: usize, first: u8) -> Result<Kind, LexError> {
        const SIGNS: &[u8] = b"()[]{};,.:?=<>!&|^+-*/%~";
        if !SIGNS.contains(&first) {
            // Step over a whole character, so that the error shows it and the next token starts on a boundary.
            self.pos += 1;
            while self.pos < self.src.len() && self.src[self.pos] & 0xC0 == 0x80 {
                self.pos += 1;
            }
            return Err(LexError { start, end: self.pos, problem: Problem::Character });
        }
        self.pos += match (first, self.at(1), self.at(2)) {
            (b'<', b'<', b'=') | (b'>', b'>', b'=') => 3,
            (b'=', b'=' | b'>', _) | (b'-', b'>', _) => 2,
            (b'!' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b':', b'=', _) => 2,
            (b'<' | b'>' | b'+' | b'-' | b'*' | b'&' | b'|', second, _) if second == first => 2,
            _ => 1,
        };
        Ok(Kind::Sign(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        let mut cursor = Cursor { src: text.as_bytes(), pos: 0 };
        let mut out = Vec::new();
        loop {
            match cursor.next() {
                Ok(t) if t.kind == Kind::End => return out,
                Ok(t) => out.push(text[t.start..t.end].to_string()),
                Err(e) => out.push(format!("{:?}", e.problem)),
            }
        }
    }

    #[test]
    fn tokens_and_comments() {
        assert_eq!(
            cut("a/*x*/+=b//c\n>>= 0x1_f 1.5e-3 .5 5.f hex\"00\" unicode'é' '\\''"),
            [
                "a",
                "+=",
                "b",
                ">>=",
                "0x1_f",
                "1.5e-3",
                ".5",
                "5",
                ".",
                "f",
                "hex\"00\"",
                "unicode'é'",
                "'\\''"
            ]
        );
    }

    #[test]
    fn errors_are_stepped_over() {
        assert_eq!(
            cut("1ether é \"a\nb /*"),
            ["Number", "Character", "UnclosedString", "b", "UnclosedComment"]
        );
        assert_eq!(cut("0x 1e \"a\\"), ["Number", "Number", "UnclosedString"]);
    }
}
