//! Follows brackets and operators to bound, before parsing, how deep the tree at each place can become.

use super::limits::{MAX_BRACKETS, MAX_DEPTH, MAX_GROUPED_BYTES};

/// What a bracket level contains, as far as the prescan must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Body {
    File,
    Contract,
    /// Statements, struct fields, arguments: ordinary Solidity.
    Code,
    Yul,
}

/// How the last statement of a level ended; `else` may still continue it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    No,
    Semicolon,
    Brace,
}

struct Level {
    open: usize,
    sign: u8,
    body: Body,
    /// Operators, calls and links since the statement or list element began.
    weight: u32,
    /// `do`s whose `while` is still to come.
    dos: u32,
    ended: Ended,
    /// A parenthesis that groups an expression, rather than holding arguments.
    grouping: bool,
}

pub(super) enum Trouble {
    Brackets,
    Depth,
    Copies,
    /// A closing bracket and, if there is one, the opening bracket it should have closed.
    Unmatched(Option<usize>),
}

pub(super) struct Depth {
    levels: Vec<Level>,
    total: u32,
    grouped: usize,
}

impl Depth {
    pub fn new() -> Self {
        let mut depth = Depth { levels: Vec::new(), total: 0, grouped: 0 };
        depth.push(0, 0, Body::File, false);
        depth
    }

    fn push(&mut self, open: usize, sign: u8, body: Body, grouping: bool) {
        self.levels.push(Level { open, sign, body, weight: 0, dos: 0, ended: Ended::No, grouping });
        self.total += 1;
    }

    /// The innermost level; the file level is never popped.
    fn top(&mut self) -> &mut Level {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    pub fn body(&self) -> Body {
        self.levels.last().map_or(Body::File, |level| level.body)
    }

    pub fn at_file_level(&self) -> bool {
        self.levels.len() == 1
    }

    /// The innermost bracket still open.
    pub fn unclosed(&self) -> Option<usize> {
        (self.levels.len() > 1).then(|| self.levels[self.levels.len() - 1].open)
    }

    fn reset(&mut self) {
        let weight = std::mem::take(&mut self.top().weight);
        self.total -= weight;
    }

    fn add(&mut self) -> Result<(), Trouble> {
        self.top().weight += 1;
        self.total += 1;
        if self.total > MAX_DEPTH { Err(Trouble::Depth) } else { Ok(()) }
    }

    pub fn word(&mut self, word: &[u8], after_dot: bool) -> Result<(), Trouble> {
        let level = self.top();
        let ended = std::mem::replace(&mut level.ended, Ended::No);
        if level.body == Body::Yul {
            // Yul has no operators: only brackets and dotted paths nest.
            if !after_dot {
                self.reset();
            }
            return Ok(());
        }
        if ended != Ended::No {
            let continues = match word {
                b"else" => true,
                b"while" if level.dos > 0 => {
                    level.dos -= 1;
                    true
                }
                _ => false,
            };
            if !continues {
                self.reset();
            }
        }
        match word {
            b"do" => {
                self.top().dos += 1;
                self.add()
            }
            b"if" | b"else" | b"for" | b"while" | b"new" | b"delete" => self.add(),
            _ => Ok(()),
        }
    }

    pub fn sign(&mut self, sign: u8) -> Result<(), Trouble> {
        let level = self.top();
        let yul = level.body == Body::Yul;
        match sign {
            b';' => {
                level.ended = Ended::Semicolon;
                return Ok(());
            }
            b',' => {
                level.ended = Ended::No;
                self.reset();
                return Ok(());
            }
            b':' => return Ok(()),
            _ => (),
        }
        if std::mem::replace(&mut level.ended, Ended::No) == Ended::Semicolon {
            self.reset();
        }
        if yul && sign != b'.' { Ok(()) } else { self.add() }
    }

    pub fn open(&mut self, sign: u8, at: usize, body: Body, grouping: bool) -> Result<(), Trouble> {
        if self.levels.len() > MAX_BRACKETS {
            return Err(Trouble::Brackets);
        }
        if std::mem::replace(&mut self.top().ended, Ended::No) == Ended::Semicolon {
            self.reset();
        }
        self.push(at, sign, body, grouping);
        if self.total > MAX_DEPTH { Err(Trouble::Depth) } else { Ok(()) }
    }

    pub fn close(&mut self, sign: u8, at: usize) -> Result<(), Trouble> {
        let wanted = match sign {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        let level = match self.levels.last() {
            Some(level) if level.sign == wanted => self.levels.pop(),
            Some(level) if level.sign != 0 => return Err(Trouble::Unmatched(Some(level.open))),
            _ => None,
        };
        let Some(level) = level else { return Err(Trouble::Unmatched(None)) };
        self.total -= level.weight + 1;
        if level.grouping {
            self.grouped += at - level.open;
            if self.grouped > MAX_GROUPED_BYTES {
                return Err(Trouble::Copies);
            }
        }
        if sign == b'}' {
            self.top().ended = Ended::Brace;
        }
        if self.top().body == Body::Yul { Ok(()) } else { self.add() }
    }
}
