//! Reads programs back from text: first all declared names, then types and state, then everything that uses them.

use super::lex::{Lexed, Token, lex};
use super::words::{Word, sized};
use crate::ids::{
    BlockId, BoundId, ContractId, EnumId, EventId, ExprId, IdVec, LocalId, ProcId, StateVarId, StructId,
    TypeId,
};
use crate::program::{Local, ObligationKind, Program};
use crate::span::{FileId, Span};
use crate::types::Type;
use ruint::aliases::U256;
use rustc_hash::FxHashMap;
use std::fmt;

/// Where and why text is not a program. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(crate) type Result<T> = std::result::Result<T, ParseError>;

/// Reads what [`super::print()`] writes.
pub fn parse(text: &str) -> Result<Program> {
    let mut parser = Parser::new(lex(text)?);
    parser.declare_names()?;
    parser.rewind();
    parser.read(Pass::TypesAndState)?;
    parser.rewind();
    parser.read(Pass::Rest)?;
    Ok(parser.program)
}

/// Deeper nesting than the printer ever writes.
const MAX_NESTING: u32 = 300;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    TypesAndState,
    Rest,
}

#[derive(Clone, Copy)]
pub(crate) enum NamedType {
    Struct(StructId),
    Enum(EnumId),
}

/// Ids by label. A label holds the name without quotes and its number, so that quoting cannot matter.
pub(crate) type Label = (String, u32);

#[derive(Default)]
pub(crate) struct Scope {
    pub types: FxHashMap<Label, NamedType>,
    pub contracts: FxHashMap<Label, ContractId>,
    pub events: FxHashMap<Label, EventId>,
    pub procs: FxHashMap<(Option<ContractId>, Label), ProcId>,
    pub state: FxHashMap<(ContractId, Label), StateVarId>,
    pub bound: FxHashMap<Label, BoundId>,
}

/// Definitions met so far in the current pass, which is how a definition finds its id.
#[derive(Default)]
pub(crate) struct Met {
    pub structs: u32,
    pub enums: u32,
    pub events: u32,
    pub contracts: u32,
    pub procs: u32,
}

pub(crate) struct Parser {
    pub tokens: Vec<Lexed>,
    pub position: usize,
    nesting: u32,
    pub program: Program,
    pub scope: Scope,
    pub met: Met,
    // The procedure being read.
    pub here: Option<ContractId>,
    pub locals: FxHashMap<Label, LocalId>,
    pub lets: FxHashMap<u32, ExprId>,
    pub proc_locals: IdVec<LocalId, Local>,
}

impl Parser {
    fn new(tokens: Vec<Lexed>) -> Parser {
        Parser {
            tokens,
            position: 0,
            nesting: 0,
            program: Program::default(),
            scope: Scope::default(),
            met: Met::default(),
            here: None,
            locals: FxHashMap::default(),
            lets: FxHashMap::default(),
            proc_locals: IdVec::new(),
        }
    }

    pub fn rewind(&mut self) {
        self.position = 0;
        self.met = Met::default();
    }

    // Tokens.

    pub fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].token
    }

    pub fn adjacent_at(&self, ahead: usize) -> bool {
        self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].adjacent
    }

    pub fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
        token
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        let at = &self.tokens[self.position];
        Err(ParseError { line: at.line, column: at.column, message: message.into() })
    }

    /// An error at the token just read.
    pub fn error_before<T>(&self, message: impl Into<String>) -> Result<T> {
        let at = &self.tokens[self.position.saturating_sub(1)];
        Err(ParseError { line: at.line, column: at.column, message: message.into() })
    }

    pub fn at(&self, punct: &str) -> bool {
        matches!(self.peek(), Token::Punct(p) if *p == punct)
    }

    pub fn eat(&mut self, punct: &str) -> bool {
        let found = self.at(punct);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, punct: &str) -> Result<()> {
        if self.eat(punct) {
            return Ok(());
        }
        self.error(format!("expected `{punct}`, found {}", self.peek().describe()))
    }

    pub fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name { text, quoted: false } if text == word)
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.next();
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        self.error(format!("expected `{word}`, found {}", self.peek().describe()))
    }

    /// The next thing must start on a new line (or the body end): one statement per line.
    pub fn end_of_line(&self) -> Result<()> {
        let (before, at) = (&self.tokens[self.position.saturating_sub(1)], &self.tokens[self.position]);
        if at.line > before.line || matches!(at.token, Token::Punct("}") | Token::End) {
            return Ok(());
        }
        self.error(format!("expected the end of the line, found {}", at.token.describe()))
    }

    /// Leaves the current line unread.
    pub fn skip_line(&mut self) {
        let line = self.tokens[self.position].line;
        while self.tokens[self.position].line == line && *self.peek() != Token::End {
            self.next();
        }
    }

    pub fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.nesting += 1;
        let result = if self.nesting > MAX_NESTING { self.error("nested too deeply") } else { f(self) };
        self.nesting -= 1;
        result
    }

    pub fn comma_separated<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    // Names and literals.

    pub fn name(&mut self) -> Result<String> {
        match self.next() {
            Token::Name { text, .. } => Ok(text),
            other => self.error_before(format!("expected a name, found {}", other.describe())),
        }
    }

    /// `a.b.c`, the name of a struct, enum, event or procedure.
    pub fn dotted(&mut self) -> Result<String> {
        let mut name = self.name()?;
        while self.at(".") && matches!(self.peek_at(1), Token::Name { .. }) {
            self.next();
            name.push('.');
            name.push_str(&self.name()?);
        }
        Ok(name)
    }

    /// The number after a name that is not the first of its kind (`#2`).
    pub fn hash_number(&mut self) -> Result<u32> {
        if self.eat("#") { self.number_u32() } else { Ok(1) }
    }

    pub fn label(&mut self) -> Result<Label> {
        Ok((self.name()?, self.hash_number()?))
    }

    pub fn dotted_label(&mut self) -> Result<Label> {
        Ok((self.dotted()?, self.hash_number()?))
    }

    pub fn number_u32(&mut self) -> Result<u32> {
        match self.next() {
            Token::Number(text) => {
                text.parse().or_else(|_| self.error_before(format!("`{text}` is not a small number")))
            }
            other => self.error_before(format!("expected a number, found {}", other.describe())),
        }
    }

    pub fn number(&mut self) -> Result<U256> {
        match self.next() {
            Token::Number(text) => {
                parse_u256(&text).map_or_else(|| self.error_before(format!("`{text}` is not a number")), Ok)
            }
            other => self.error_before(format!("expected a number, found {}", other.describe())),
        }
    }

    pub fn string(&mut self) -> Result<String> {
        match self.next() {
            Token::Str(text) => Ok(text),
            other => self.error_before(format!("expected a string, found {}", other.describe())),
        }
    }

    pub fn span(&mut self) -> Result<Span> {
        self.expect("@")?;
        let file = FileId(self.number_u32()?);
        self.expect(":")?;
        let start = self.number_u32()?;
        self.expect("-")?;
        Ok(Span { file, start, end: self.number_u32()? })
    }

    pub fn block_id(&mut self) -> Result<BlockId> {
        let name = self.name()?;
        match block_number(&name) {
            Some(n) => Ok(BlockId(n)),
            None => self.error_before(format!("expected a block such as `b0`, found `{name}`")),
        }
    }

    /// `overflow#3`.
    pub fn obligation_label(&mut self) -> Result<(ObligationKind, u32)> {
        let mut word = self.name()?;
        while self.eat("-") {
            word.push('-');
            word.push_str(&self.name()?);
        }
        let Some(kind) = ObligationKind::from_word(&word) else {
            return self.error_before(format!("`{word}` is not a kind of obligation"));
        };
        self.expect("#")?;
        Ok((kind, self.number_u32()?))
    }

    // References.

    pub fn contract_ref(&mut self) -> Result<ContractId> {
        let label = self.label()?;
        match self.scope.contracts.get(&label) {
            Some(id) => Ok(*id),
            None => self.error_before(format!("no contract `{}`", shown(&label))),
        }
    }

    /// `f` in the same contract, `C::f` in another, `::f` in none.
    pub fn proc_ref(&mut self) -> Result<ProcId> {
        let mut contract = self.here;
        if self.eat("::") {
            contract = None;
        } else if matches!(self.peek_at(1), Token::Punct("::"))
            || (matches!(self.peek_at(1), Token::Punct("#")) && matches!(self.peek_at(3), Token::Punct("::")))
        {
            contract = Some(self.contract_ref()?);
            self.expect("::")?;
        }
        let label = self.dotted_label()?;
        match self.scope.procs.get(&(contract, label.clone())) {
            Some(id) => Ok(*id),
            None => self.error_before(format!("no procedure `{}` here", shown(&label))),
        }
    }

    // Types.

    pub fn ty(&mut self) -> Result<TypeId> {
        self.nested(|p| p.type_inner())
    }

    fn type_inner(&mut self) -> Result<TypeId> {
        for (word, make) in [
            ("storage", Type::StorageRef as fn(TypeId) -> Type),
            ("memory", Type::MemoryRef),
            ("calldata", Type::CalldataRef),
        ] {
            if self.eat_word(word) {
                let referent = self.ty()?;
                return Ok(self.program.types.intern(make(referent)));
            }
        }
        let mut ty = if self.eat("(") {
            let inner = self.ty()?;
            self.expect(")")?;
            inner
        } else {
            self.base_type()?
        };
        while self.eat("[") {
            let len = if self.at("]") { None } else { Some(self.number()?) };
            self.expect("]")?;
            ty = self.program.types.intern(Type::Array { elem: ty, len });
        }
        Ok(ty)
    }

    fn base_type(&mut self) -> Result<TypeId> {
        let word = match self.peek() {
            Token::Name { text, quoted: false } => text.clone(),
            _ => String::new(),
        };
        let simple = match word.as_str() {
            "bool" => Some(Type::Bool),
            "address" => Some(Type::Address),
            "bytes" => Some(Type::Bytes),
            "fn" => Some(Type::FnInternal),
            "extfn" => Some(Type::FnExternal),
            "mapping" => {
                self.next();
                return self.mapping_type();
            }
            word => match sized(word) {
                Some(("uint", bits)) => Some(Type::Int { bits, signed: false }),
                Some(("int", bits)) => Some(Type::Int { bits, signed: true }),
                Some(("bytes", n)) if n <= 32 => Some(Type::FixedBytes(n as u8)),
                _ => None,
            },
        };
        if let Some(ty) = simple {
            self.next();
            return Ok(self.program.types.intern(ty));
        }
        let label = self.dotted_label()?;
        match self.scope.types.get(&label) {
            Some(NamedType::Struct(id)) => Ok(self.program.types.intern(Type::Struct(*id))),
            Some(NamedType::Enum(id)) => Ok(self.program.types.intern(Type::Enum(*id))),
            None => self.error_before(format!("no type `{}`", shown(&label))),
        }
    }

    fn mapping_type(&mut self) -> Result<TypeId> {
        self.expect("(")?;
        let key = self.ty()?;
        self.expect("=>")?;
        let value = self.ty()?;
        self.expect(")")?;
        Ok(self.program.types.intern(Type::Mapping { key, value }))
    }
}

pub(crate) fn shown(label: &Label) -> String {
    if label.1 == 1 { label.0.clone() } else { format!("{}#{}", label.0, label.1) }
}

pub(crate) fn block_number(name: &str) -> Option<u32> {
    name.strip_prefix('b').filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))?.parse().ok()
}

/// Decimal or hexadecimal.
pub(crate) fn parse_u256(text: &str) -> Option<U256> {
    match text.strip_prefix("0x") {
        Some(digits) if !digits.is_empty() => U256::from_str_radix(digits, 16).ok(),
        Some(_) => None,
        None => U256::from_str_radix(text, 10).ok(),
    }
}
