//! S-expressions out of text that a solver has printed, whatever it has printed.

/// Nested deeper than this nothing is read: what follows is recursive.
const DEEPEST: usize = 2000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexpr<'a> {
    /// A word; quoted names come without their bars.
    Atom(&'a str),
    Text(&'a str),
    List(Vec<Sexpr<'a>>),
}

impl<'a> Sexpr<'a> {
    pub fn atom(&self) -> Option<&'a str> {
        match self {
            Sexpr::Atom(word) => Some(word),
            Sexpr::Text(_) | Sexpr::List(_) => None,
        }
    }

    pub fn list(&self) -> Option<&[Sexpr<'a>]> {
        match self {
            Sexpr::List(items) => Some(items),
            Sexpr::Atom(_) | Sexpr::Text(_) => None,
        }
    }

    /// Whether this is a list that begins with the word.
    pub fn starts_with(&self, word: &str) -> bool {
        self.list().and_then(<[_]>::first).and_then(Sexpr::atom) == Some(word)
    }
}

/// Everything in the text; `None` if it is not a sequence of S-expressions.
pub(super) fn read_all(text: &str) -> Option<Vec<Sexpr<'_>>> {
    let mut open: Vec<Vec<Sexpr>> = vec![Vec::new()];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let read = match first {
            '(' if open.len() <= DEEPEST => {
                open.push(Vec::new());
                1
            }
            ')' if open.len() > 1 => {
                let items = open.pop()?;
                open.last_mut()?.push(Sexpr::List(items));
                1
            }
            '(' | ')' => return None,
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let length = text_length(rest)?;
                open.last_mut()?.push(Sexpr::Text(&rest[1..length - 1]));
                length
            }
            '|' => {
                let length = rest[1..].find('|')? + 2;
                open.last_mut()?.push(Sexpr::Atom(&rest[1..length - 1]));
                length
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "();\"|".contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                open.last_mut()?.push(Sexpr::Atom(&rest[..length]));
                length
            }
        };
        rest = rest[read..].trim_start();
    }
    let all = open.pop()?;
    open.is_empty().then_some(all)
}

/// The bytes of a text in quotes; two quotes inside stand for one.
fn text_length(rest: &str) -> Option<usize> {
    let mut from = 1;
    loop {
        let end = from + rest[from..].find('"')? + 1;
        if !rest[end..].starts_with('"') {
            return Some(end);
        }
        from = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lists_quotes_and_comments() {
        let read = read_all("sat ; yes\n(a |b c| (\"d \"\" (\" -1))").expect("readable");
        let inner = Sexpr::List(vec![Sexpr::Text("d \"\" ("), Sexpr::Atom("-1")]);
        let list = Sexpr::List(vec![Sexpr::Atom("a"), Sexpr::Atom("b c"), inner]);
        assert_eq!(read, [Sexpr::Atom("sat"), list]);
        assert_eq!(read_all("  "), Some(Vec::new()));
    }

    #[test]
    fn what_does_not_close_is_nothing() {
        for text in ["(", ")", "(a", "a)", "\"a", "|a", "(a))"] {
            assert_eq!(read_all(text), None, "{text}");
        }
        let deep = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
        assert!(read_all(&deep(DEEPEST)).is_some());
        assert!(read_all(&deep(DEEPEST + 1)).is_none());
        assert!(read_all(&"(".repeat(1 << 20)).is_none());
    }
}
