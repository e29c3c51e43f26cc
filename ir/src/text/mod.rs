//! The text form of the IR: what `hornet ir` prints, what tests of passes are written in.
//!
//! Names are unique by construction: the second thing of a name is written `name#2`, and a name that could be read
//! as something else stands in backticks. Locals are `%x`, temporaries `%3`, shared subterms `$1` (bound by `let`).
//! A type is written only where the operands do not decide it (`0x01:bytes1`, `zero:uint8[]`, `%x as uint8`).
//! Spans are left out, except those of obligations and loop heads; comments run from `//` to the end of the line.

mod lex;
mod names;
mod parse;
mod parse_expr;
mod parse_items;
mod parse_spec;
mod parse_stmt;
mod print;
mod print_expr;
mod print_spec;
mod print_stmt;
#[cfg(test)]
mod tests;
mod used;
mod words;

#[cfg(test)]
pub(crate) use words::Word;

pub use parse::{ParseError, parse};
pub use print::{print, print_contract, print_procs};

/// What the text form, and JSON output, call a kind of obligation: `division-by-zero`.
pub fn kind_name(kind: crate::program::ObligationKind) -> &'static str {
    words::Word::word(kind)
}

/// All of those.
pub fn kind_names() -> impl Iterator<Item = &'static str> {
    <crate::program::ObligationKind as words::Word>::ALL.iter().map(|kind| kind_name(*kind))
}
