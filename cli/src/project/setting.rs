//! A value and who chose it.

use std::fmt;
use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    Default,
    /// `foundry.toml:3`
    File(String),
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(place) => f.write_str(place),
            Origin::Flag => f.write_str("command line"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting<T> {
    pub value: T,
    pub origin: Origin,
}

impl<T> Setting<T> {
    pub fn default(value: T) -> Setting<T> {
        Setting { value, origin: Origin::Default }
    }

    /// What a file says replaces what was there; what it does not say changes nothing.
    pub fn read(&mut self, stated: Option<(T, Origin)>) {
        if let Some((value, origin)) = stated {
            *self = Setting { value, origin };
        }
    }

    /// What the command line says.
    pub fn flag(&mut self, stated: Option<T>) {
        self.read(stated.map(|value| (value, Origin::Flag)));
    }
}

/// Where in a file something is wrong, and what.
pub type Mistake = (Range<usize>, String);

/// What the reader says of types of this program, in words of the file.
pub fn mistake(error: toml::de::Error) -> Mistake {
    let words =
        [("expected f64", "expected a number of seconds"), ("expected u32", WHOLE), ("expected u64", WHOLE)];
    let message =
        words.iter().fold(error.message().to_owned(), |text, (ours, theirs)| text.replace(ours, theirs));
    (error.span().unwrap_or_default(), message)
}

const WHOLE: &str = "expected a whole number";

/// The text of a settings file, to tell lines.
pub struct Text<'t> {
    pub name: &'t str,
    pub text: &'t str,
}

impl Text<'_> {
    pub fn origin(&self, at: usize) -> Origin {
        let line = self.text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
        Origin::File(format!("{}:{line}", self.name))
    }

    /// A value of the file, made into something else; an error says why it is not such a value.
    pub fn stated<S, T>(
        &self,
        value: Option<toml::Spanned<S>>,
        convert: impl FnOnce(S) -> Result<T, String>,
    ) -> Result<Option<(T, Origin)>, Mistake> {
        let Some(value) = value else { return Ok(None) };
        let span = value.span();
        match convert(value.into_inner()) {
            Ok(value) => Ok(Some((value, self.origin(span.start)))),
            Err(message) => Err((span, message)),
        }
    }
}
