//! Literals of JavaScript: what can be read from a configuration without running it.

/// What stands in the text; code is not run.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    Text(String),
    Number(f64),
    Bool(bool),
    Object(Vec<(String, usize, Literal)>),
    List(Vec<Literal>),
    /// Something that has to be run to be known.
    Code,
}

impl Literal {
    /// A member, with its place.
    pub fn get(&self, key: &str) -> Option<(usize, &Literal)> {
        match self {
            Literal::Object(members) => {
                members.iter().find(|(name, ..)| name == key).map(|(_, at, value)| (*at, value))
            }
            _ => None,
        }
    }
}

/// The value after the first `key:` of the text that is in no comment and no string.
pub fn member(text: &str, key: &str) -> Option<(usize, Literal)> {
    let mut reader = Reader { text, at: 0 };
    while reader.at < text.len() {
        reader.space();
        let at = reader.at;
        match reader.peek()? {
            '"' | '\'' | '`' => {
                let is_key = reader.string().is_some_and(|name| name == key);
                if is_key && reader.take(':') {
                    return Some((at, reader.value()));
                }
            }
            c if is_word(c) => {
                if reader.word() == key && reader.take(':') {
                    return Some((at, reader.value()));
                }
            }
            c => reader.at += c.len_utf8(),
        }
    }
    None
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips spaces and comments.
    fn space(&mut self) {
        loop {
            let rest = self.rest();
            let skipped = match rest {
                _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
                _ => rest.len() - rest.trim_start().len(),
            };
            if skipped == 0 {
                return;
            }
            self.at += skipped;
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.space();
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// A string without anything computed in it; it is skipped in any case.
    fn string(&mut self) -> Option<String> {
        let quote = self.peek()?;
        self.at += quote.len_utf8();
        let mut text = String::new();
        let mut plain = true;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                '\\' => {
                    plain = false;
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                c if c == quote => return (plain && !(quote == '`' && text.contains("${"))).then_some(text),
                c => text.push(c),
            }
        }
        None
    }

    fn value(&mut self) -> Literal {
        self.space();
        let start = self.at;
        let value = match self.peek() {
            Some('"' | '\'' | '`') => self.string().map_or(Literal::Code, Literal::Text),
            Some('{') => self.object(),
            Some('[') => self.list(),
            Some(c) if c.is_ascii_digit() => {
                self.word().replace('_', "").parse().map_or(Literal::Code, Literal::Number)
            }
            _ => match self.word() {
                "true" => Literal::Bool(true),
                "false" => Literal::Bool(false),
                _ => Literal::Code,
            },
        };
        // Whatever goes on behind it makes it something else.
        self.space();
        if matches!(self.peek(), Some(',' | '}' | ']' | ')' | ';') | None) && self.at > start {
            return value;
        }
        self.skip_expression();
        Literal::Code
    }

    fn object(&mut self) -> Literal {
        self.at += 1;
        let mut members = Vec::new();
        while !self.take('}') {
            self.space();
            let at = self.at;
            let key = match self.peek() {
                Some('"' | '\'') => self.string(),
                Some(c) if is_word(c) => Some(self.word().to_owned()),
                _ => None,
            };
            if let Some(key) = key.filter(|_| self.take(':')) {
                members.push((key, at, self.value()));
            } else {
                self.skip_expression();
            }
            if !self.take(',') && self.peek() != Some('}') {
                return Literal::Code;
            }
        }
        Literal::Object(members)
    }

    fn list(&mut self) -> Literal {
        self.at += 1;
        let mut items = Vec::new();
        while !self.take(']') {
            items.push(self.value());
            if !self.take(',') && self.peek() != Some(']') {
                return Literal::Code;
            }
        }
        Literal::List(items)
    }

    /// To the comma or bracket that ends it.
    fn skip_expression(&mut self) {
        let mut depth = 0_usize;
        loop {
            self.space();
            match self.peek() {
                None => return,
                Some(',' | '}' | ']' | ')' | ';') if depth == 0 => return,
                Some('"' | '\'' | '`') => {
                    self.string();
                }
                Some(c) => {
                    match c {
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth -= 1,
                        _ => {}
                    }
                    self.at += c.len_utf8();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solidity(text: &str) -> Option<Literal> {
        member(text, "solidity").map(|(_, value)| value)
    }

    #[test]
    fn literals() {
        let text =
            "// solidity: 'no'\nmodule.exports = { name: \"solidity: no\", solidity: /* yes */ '0.8.20' };";
        assert_eq!(solidity(text), Some(Literal::Text("0.8.20".into())));
        let object =
            solidity("{ solidity: { version: `0.8.1`, settings: { viaIR: true, n: [1_000, 'x',], }, }, }");
        let settings = object.as_ref().and_then(|o| o.get("settings")).unwrap().1;
        assert_eq!(settings.get("viaIR").unwrap().1, &Literal::Bool(true));
        let list = vec![Literal::Number(1000.0), Literal::Text("x".into())];
        assert_eq!(settings.get("n").unwrap().1, &Literal::List(list));
        assert_eq!(solidity("{ other: 1 }"), None);
    }

    #[test]
    fn code_is_code() {
        assert_eq!(solidity("{ solidity: process.env.V || '0.8.1', x: 1 }"), Some(Literal::Code));
        assert_eq!(solidity("{ solidity: `0.${n}` }"), Some(Literal::Code));
        let mixed = solidity("{ solidity: { ...base, version: pick(1, {a: 2}), settings: {} } }").unwrap();
        assert_eq!(mixed.get("version").unwrap().1, &Literal::Code);
        assert_eq!(mixed.get("settings").unwrap().1, &Literal::Object(vec![]));
    }

    #[test]
    fn whatever_stands_there_is_survived() {
        for text in [
            "solidity:",
            "{ solidity: {",
            "solidity: [1,",
            "solidity: 'x",
            "/* solidity: 1",
            "solidity: ü}",
            "}}))",
        ] {
            let _ = solidity(text);
        }
    }
}
