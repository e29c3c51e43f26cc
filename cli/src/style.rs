//! Colour where somebody is looking: not on pipes, not with `NO_COLOR`. Lines as long as the screen is wide.

use console::Term;
use std::io::IsTerminal;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    Good,
    Bad,
    Caution,
    /// Borders and numbers of quoted source.
    Quote,
    Dim,
    Strong,
}

fn allowed() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    !no_color && !dumb
}

/// Where text is going to be read.
#[derive(Clone, Copy)]
pub struct Screen {
    pub colour: bool,
    /// Its columns; a file or a pipe has as many as it takes.
    pub width: Option<usize>,
}

impl Screen {
    pub fn stdout() -> Screen {
        Screen::of(&Term::stdout(), std::io::stdout().is_terminal())
    }

    pub fn stderr() -> Screen {
        Screen::of(&Term::stderr(), std::io::stderr().is_terminal())
    }

    fn of(term: &Term, looked_at: bool) -> Screen {
        let width = term.size_checked().map(|(_, columns)| usize::from(columns));
        Screen { colour: allowed() && looked_at, width }
    }
}

impl Ink {
    /// The escape sequence that switches it on.
    pub fn code(self) -> &'static str {
        match self {
            Ink::Good => "\x1b[32m",
            Ink::Bad => "\x1b[31m",
            Ink::Caution => "\x1b[33m",
            Ink::Quote => "\x1b[34m",
            Ink::Dim => "\x1b[2m",
            Ink::Strong => "\x1b[1m",
        }
    }
}

/// Ends what an ink began.
pub const RESET: &str = "\x1b[0m";

pub fn paint(colour: bool, ink: Ink, text: &str) -> String {
    if colour && !text.is_empty() { format!("{}{text}{RESET}", ink.code()) } else { text.to_owned() }
}
