//! Declarations: types, events, contracts with their state and interface, obligations.

use super::lex::{Token, decode_hex};
use super::parse::{NamedType, Parser, Pass, Result};
use super::words::Word;
use crate::ids::{BlockId, ContractId, EnumId, EventId, IdVec, ProcId, StructId};
use crate::program::{
    Contract, ContractKind, Entry, ErrorDef, Event, EventParam, Fallback, Obligation, Proc, ProcKind,
    StateKind, StateVar,
};
use crate::types::{EnumDef, Field, StructDef};
use ruint::aliases::U256;

impl Parser {
    // First pass: names only.

    pub fn declare_names(&mut self) -> Result<()> {
        let mut contract = None;
        let mut depth = 0;
        loop {
            // Only at the start of an item can these words be keywords; bodies are skipped by counting braces.
            let item_start = depth <= 1 && self.first_on_line();
            match self.peek().clone() {
                Token::End => return Ok(()),
                Token::Punct("{") => depth += 1,
                Token::Punct("}") => {
                    depth -= 1;
                    if depth == 0 {
                        contract = None;
                    }
                }
                Token::Name { text, quoted: false } if item_start && depth == 0 => {
                    self.declare_top(&text, &mut contract)?;
                    continue;
                }
                Token::Name { text, quoted: false } if item_start && ProcKind::from_word(&text).is_some() => {
                    if matches!(self.peek_at(1), Token::Name { text, .. } if text == "proc") {
                        self.next();
                        self.next();
                        self.declare_proc(contract)?;
                        continue;
                    }
                }
                _ => {}
            }
            self.next();
        }
    }

    fn first_on_line(&self) -> bool {
        self.position == 0 || self.tokens[self.position - 1].line < self.tokens[self.position].line
    }

    fn declare_top(&mut self, word: &str, contract: &mut Option<ContractId>) -> Result<()> {
        self.next();
        let duplicate = match word {
            "struct" => {
                let label = self.dotted_label()?;
                let def = StructDef { name: label.0.clone(), fields: Vec::new() };
                let id = self.program.types.structs.push(def);
                self.scope.types.insert(label, NamedType::Struct(id)).is_some()
            }
            "enum" => {
                let label = self.dotted_label()?;
                let id =
                    self.program.types.enums.push(EnumDef { name: label.0.clone(), members: Vec::new() });
                self.scope.types.insert(label, NamedType::Enum(id)).is_some()
            }
            "event" => {
                let label = self.dotted_label()?;
                let (signature, anonymous, name) = (String::new(), false, label.0.clone());
                let id = self.program.events.push(Event {
                    name,
                    signature,
                    params: Vec::new(),
                    anonymous,
                    span: None,
                });
                self.scope.events.insert(label, id).is_some()
            }
            "contract" | "interface" | "library" | "abstract" => {
                if word == "abstract" {
                    self.expect_word("contract")?;
                }
                let label = self.label()?;
                let kind = ContractKind::from_word(word).unwrap_or(ContractKind::Contract);
                let id = self.program.contracts.push(empty_contract(label.0.clone(), kind));
                *contract = Some(id);
                self.scope.contracts.insert(label, id).is_some()
            }
            word if ProcKind::from_word(word).is_some() => {
                self.expect_word("proc")?;
                self.declare_proc(None)?;
                false
            }
            _ => false,
        };
        if duplicate { self.error_before("this name is already used; number it (`name#2`)") } else { Ok(()) }
    }

    fn declare_proc(&mut self, contract: Option<ContractId>) -> Result<()> {
        let label = self.dotted_label()?;
        let id = self.program.procs.push(Proc {
            name: label.0.clone(),
            contract,
            kind: ProcKind::Internal,
            params: Vec::new(),
            rets: Vec::new(),
            locals: IdVec::new(),
            blocks: IdVec::new(),
            entry: BlockId(0),
            span: None,
            function: None,
            spec: None,
        });
        if self.scope.procs.insert((contract, label), id).is_some() {
            return self.error_before("this name is already used; number it (`name#2`)");
        }
        Ok(())
    }

    // Second and third pass.

    pub fn read(&mut self, pass: Pass) -> Result<()> {
        loop {
            let word = match self.peek() {
                Token::End => return Ok(()),
                Token::Name { text, quoted: false } => text.clone(),
                other => {
                    let found = other.describe();
                    return self.error(format!("expected a declaration, found {found}"));
                }
            };
            match word.as_str() {
                "struct" => self.struct_def()?,
                "enum" => self.enum_def()?,
                "event" => self.event()?,
                "error" => self.error_def(pass)?,
                "contract" | "interface" | "library" | "abstract" => self.contract(pass)?,
                "obligation" => self.obligation(pass)?,
                "bound" => self.bound_def(pass)?,
                "checks" => self.checks()?,
                word if ProcKind::from_word(word).is_some() => self.proc_item(pass, None)?,
                word => return self.error(format!("expected a declaration, found `{word}`")),
            }
        }
    }

    fn struct_def(&mut self) -> Result<()> {
        self.next();
        self.dotted_label()?;
        self.expect("{")?;
        let fields = self.comma_separated("}", |p| p.field_def())?;
        self.program.types.structs[StructId(self.met.structs)].fields = fields;
        self.met.structs += 1;
        Ok(())
    }

    fn field_def(&mut self) -> Result<Field> {
        let name = self.name()?;
        self.expect(":")?;
        Ok(Field { name, ty: self.ty()? })
    }

    fn error_def(&mut self, pass: Pass) -> Result<()> {
        self.next();
        let name = self.dotted()?;
        self.expect("(")?;
        let params = self.comma_separated(")", |p| p.field_def())?;
        let signature = self.string()?;
        if pass == Pass::TypesAndState {
            self.program.errors.push(ErrorDef { name, signature, params });
        }
        self.end_of_line()
    }

    fn enum_def(&mut self) -> Result<()> {
        self.next();
        self.dotted_label()?;
        self.expect("{")?;
        let members = self.comma_separated("}", |p| p.name())?;
        self.program.types.enums[EnumId(self.met.enums)].members = members;
        self.met.enums += 1;
        Ok(())
    }

    fn event(&mut self) -> Result<()> {
        self.next();
        self.dotted_label()?;
        self.expect("(")?;
        let params = self.comma_separated(")", |p| {
            let Field { name, ty } = p.field_def()?;
            Ok(EventParam { name, ty, indexed: p.eat_word("indexed") })
        })?;
        let signature = self.string()?;
        let anonymous = self.eat_word("anonymous");
        let event = &mut self.program.events[EventId(self.met.events)];
        (event.signature, event.params) = (signature, params);
        event.anonymous = anonymous;
        self.met.events += 1;
        self.end_of_line()
    }

    fn obligation(&mut self, pass: Pass) -> Result<()> {
        self.next();
        let (kind, number) = self.obligation_label()?;
        let span = self.span()?;
        let contract = if self.eat_word("in") { Some(self.contract_ref()?) } else { None };
        let silent = self.eat_word("silent");
        if pass == Pass::TypesAndState {
            if number as usize != self.program.obligations.len() {
                return self.error_before("obligations are numbered from 0 in order");
            }
            self.program.obligations.push(Obligation { kind, span, contract, silent });
        }
        self.end_of_line()
    }

    /// `checks modifies`, `checks events`
    fn checks(&mut self) -> Result<()> {
        self.next();
        match self.name()?.as_str() {
            "modifies" => self.program.modifies_checked = true,
            "events" => self.program.events_checked = true,
            _ => return self.error_before("expected `modifies` or `events`"),
        }
        self.end_of_line()
    }

    fn contract(&mut self, pass: Pass) -> Result<()> {
        let id = ContractId(self.met.contracts);
        self.met.contracts += 1;
        self.next();
        self.eat_word("contract");
        self.label()?;
        self.expect_word("in")?;
        let file = self.string()?;
        let bases = if self.eat_word("is") {
            self.expect("(")?;
            self.comma_separated(")", |p| p.contract_ref())?
        } else {
            vec![id]
        };
        self.expect("{")?;
        if pass == Pass::TypesAndState {
            let contract = &mut self.program.contracts[id];
            (contract.file, contract.bases) = (file, bases);
        }
        self.here = Some(id);
        self.lets.clear();
        while !self.eat("}") {
            self.contract_line(pass, id)?;
        }
        self.here = None;
        Ok(())
    }

    fn contract_line(&mut self, pass: Pass, id: ContractId) -> Result<()> {
        let word = match self.peek() {
            Token::Name { text, .. } => text.clone(),
            other => {
                let found = other.describe();
                return self.error(format!("expected a part of a contract, found {found}"));
            }
        };
        if ProcKind::from_word(&word).is_some()
            && matches!(self.peek_at(1), Token::Name { text, .. } if text == "proc")
        {
            return self.proc_item(pass, Some(id));
        }
        if let Some(kind) = StateKind::from_word(&word) {
            return self.state_var(pass, id, kind);
        }
        match word.as_str() {
            "let" | "claim" | "reports" | "before" | "after" => self.contract_claim(&word, pass, id)?,
            "entry" => self.entry(id, pass)?,
            "constructor" | "receive" | "fallback" => {
                self.next();
                self.expect("=")?;
                let proc = self.proc_ref()?;
                let contract = &mut self.program.contracts[id];
                match word.as_str() {
                    "constructor" => contract.constructor = Some(proc),
                    "receive" => contract.receive = Some(proc),
                    _ => contract.fallback = Some(Fallback { proc, with_data: false }),
                }
                if word == "fallback" && self.eat_word("with") {
                    self.expect_word("data")?;
                    self.program.contracts[id].fallback = Some(Fallback { proc, with_data: true });
                }
            }
            _ => return self.error(format!("`{word}` does not start a part of a contract")),
        }
        self.end_of_line()
    }

    fn state_var(&mut self, pass: Pass, contract: ContractId, kind: StateKind) -> Result<()> {
        self.next();
        let label = self.label()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let (mut slot, mut offset) = (U256::ZERO, 0);
        if self.eat_word("at") {
            slot = self.number()?;
            if self.eat("+") {
                let bytes = self.number_u32()?;
                offset =
                    u8::try_from(bytes).or_else(|_| self.error_before("an offset is less than 32 bytes"))?;
            }
        }
        let declared_in = if self.eat_word("from") {
            self.dotted()?
        } else {
            self.program.contracts[contract].name.clone()
        };
        if pass == Pass::TypesAndState {
            let name = label.0.clone();
            let var = StateVar { name, declared_in, contract, ty, kind, slot, offset, span: None };
            let id = self.program.state.push(var);
            self.program.contracts[contract].state.push(id);
            if self.scope.state.insert((contract, label), id).is_some() {
                return self.error_before("this name is already used; number it (`name#2`)");
            }
        }
        self.end_of_line()
    }

    fn entry(&mut self, contract: ContractId, pass: Pass) -> Result<()> {
        self.next();
        let name = self.name()?;
        let signature = self.string()?;
        let selector = match self.next() {
            Token::Number(text) => text.strip_prefix("0x").and_then(decode_hex),
            _ => None,
        };
        let Some(selector) = selector.and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()) else {
            return self.error_before("expected a selector of four bytes, such as `0x12345678`");
        };
        self.expect("=")?;
        let proc = self.proc_ref()?;
        let payable = self.eat_word("payable");
        let constant = self.eat_word("view");
        let strict_abi = !self.eat_word("v1");
        if pass == Pass::Rest {
            let entry = Entry { name, signature, selector, proc, payable, constant, strict_abi };
            self.program.contracts[contract].entries.push(entry);
        }
        Ok(())
    }

    fn proc_item(&mut self, pass: Pass, contract: Option<ContractId>) -> Result<()> {
        let id = ProcId(self.met.procs);
        self.met.procs += 1;
        match pass {
            Pass::TypesAndState => {
                while !self.at("{") && *self.peek() != Token::End {
                    self.next();
                }
                while !self.at("}") && *self.peek() != Token::End {
                    self.next();
                }
                self.expect("}")
            }
            Pass::Rest => {
                self.here = contract;
                self.proc(id)?;
                self.lets.clear();
                self.end_of_line()
            }
        }
    }
}

fn empty_contract(name: String, kind: ContractKind) -> Contract {
    Contract {
        name,
        file: String::new(),
        kind,
        span: None,
        bases: Vec::new(),
        state: Vec::new(),
        entries: Vec::new(),
        constructor: None,
        receive: None,
        fallback: None,
        invariants: Vec::new(),
        event_specs: Vec::new(),
    }
}
