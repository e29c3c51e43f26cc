//! Colour where somebody is looking: not on pipes, not with `NO_COLOR`.

use std::io::IsTerminal;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    Good,
    Bad,
    Caution,
    Dim,
    Strong,
}

fn allowed() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    !no_color && !dumb
}

/// Whether standard output is coloured.
pub fn stdout_colour() -> bool {
    allowed() && std::io::stdout().is_terminal()
}

pub fn stderr_colour() -> bool {
    allowed() && std::io::stderr().is_terminal()
}

pub fn paint(colour: bool, ink: Ink, text: &str) -> String {
    if !colour || text.is_empty() {
        return text.to_owned();
    }
    let code = match ink {
        Ink::Good => "32",
        Ink::Bad => "31",
        Ink::Caution => "33",
        Ink::Dim => "2",
        Ink::Strong => "1",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}
