//! Procedures, blocks, statements and terminators.

use super::lex::Token;
use super::parse::{Label, Parser, Result, block_number, shown};
use super::words::Word;
use crate::ids::{BlockId, ExprId, IdVec, LocalId, ObligationId, ProcId, TypeId};
use crate::program::{
    AllocInit, Block, CallKind, Callee, Create, EvmOp, ExternalCall, Gas, Local, ProcKind, Stmt, StmtKind,
    Terminator,
};

/// What ends or continues a block.
enum Line {
    Stmt(StmtKind),
    Terminator(Terminator),
    Let,
}

impl Parser {
    /// `internal proc f(%a: T) -> (T) entry b1 { … }`
    pub fn proc(&mut self, id: ProcId) -> Result<()> {
        self.locals.clear();
        self.lets.clear();
        self.proc_locals = IdVec::new();
        let word = self.name()?;
        let Some(kind) = ProcKind::from_word(&word) else {
            return self.error_before(format!("`{word}` is not a kind of procedure"));
        };
        self.expect_word("proc")?;
        self.dotted_label()?;
        self.expect("(")?;
        let params = self.comma_separated(")", |p| {
            let label = p.local_label()?;
            p.expect(":")?;
            let ty = p.ty()?;
            p.declare_local(label, ty)
        })?;
        let rets = if self.eat("->") {
            self.expect("(")?;
            self.comma_separated(")", |p| p.ty())?
        } else {
            Vec::new()
        };
        let entry = if self.eat_word("entry") { self.block_id()? } else { BlockId(0) };
        self.expect("{")?;
        while self.eat_word("var") {
            self.var_line()?;
        }
        let function = if self.eat_word("source") { Some(Box::new(self.function_info()?)) } else { None };
        let spec = self.spec()?.map(Box::new);
        let mut blocks = IdVec::new();
        while !self.eat("}") {
            let block = self.block(blocks.next_id())?;
            blocks.push(block);
        }
        let proc = &mut self.program.procs[id];
        (proc.kind, proc.params, proc.rets, proc.entry, proc.blocks) = (kind, params, rets, entry, blocks);
        (proc.function, proc.spec) = (function, spec);
        proc.locals = std::mem::take(&mut self.proc_locals);
        Ok(())
    }

    fn var_line(&mut self) -> Result<()> {
        let mut labels = vec![self.local_label()?];
        while self.eat(",") {
            labels.push(self.local_label()?);
        }
        self.expect(":")?;
        let ty = self.ty()?;
        for label in labels {
            self.declare_local(label, ty)?;
        }
        self.end_of_line()
    }

    /// `%x`, `%x#2`, `%3`: temporaries have no name, their number is their label.
    fn local_label(&mut self) -> Result<Label> {
        match self.next() {
            Token::Local { text, quoted } if !quoted && text.starts_with(|c: char| c.is_ascii_digit()) => {
                match text.parse() {
                    Ok(number) => Ok((String::new(), number)),
                    Err(_) => self.error_before(format!("`%{text}` is not a local")),
                }
            }
            Token::Local { text, .. } => Ok((text, self.hash_number()?)),
            other => self.error_before(format!("expected a local, found {}", other.describe())),
        }
    }

    fn declare_local(&mut self, label: Label, ty: TypeId) -> Result<LocalId> {
        let id = self.proc_locals.push(Local { name: label.0.clone(), ty, span: None });
        if self.locals.insert(label, id).is_some() {
            return self.error_before("this local is already declared");
        }
        Ok(id)
    }

    pub fn local(&mut self) -> Result<LocalId> {
        let label = self.local_label()?;
        match self.locals.get(&label) {
            Some(id) => Ok(*id),
            None if label.0.is_empty() => self.error_before(format!("no local `%{}`", label.1)),
            None => self.error_before(format!("no local `%{}`", shown(&label))),
        }
    }

    fn block(&mut self, id: BlockId) -> Result<Block> {
        if self.block_id()? != id {
            return self.error_before(format!("expected block `b{}`: blocks are numbered in order", id.0));
        }
        self.expect(":")?;
        let loop_head = if self.eat_word("loop") { Some(self.span()?) } else { None };
        self.end_of_line()?;
        let (mut stmts, mut invariants) = (Vec::new(), Vec::new());
        loop {
            if self.eat_word("claim") {
                invariants.push(self.clause()?);
                self.end_of_line()?;
                continue;
            }
            let line = self.line()?;
            self.end_of_line()?;
            match line {
                Line::Let => {}
                Line::Stmt(kind) => stmts.push(Stmt { kind, span: None }),
                Line::Terminator(terminator) => {
                    return Ok(Block { stmts, terminator, span: None, loop_head, invariants });
                }
            }
        }
    }

    fn line(&mut self) -> Result<Line> {
        if matches!(self.peek(), Token::Local { .. }) {
            let mut dsts = vec![self.local()?];
            while self.eat(",") {
                dsts.push(self.local()?);
            }
            self.expect("=")?;
            return Ok(Line::Stmt(self.assignment(dsts)?));
        }
        let word = match self.peek() {
            Token::Name { text, quoted: false } => text.clone(),
            other => {
                let found = other.describe();
                return self.error(format!("expected a statement, found {found}"));
            }
        };
        if word == "let" {
            self.next();
            self.let_binding()?;
            return Ok(Line::Let);
        }
        if let Some(terminator) = self.terminator(&word)? {
            return Ok(Line::Terminator(terminator));
        }
        Ok(Line::Stmt(self.plain_stmt(&word)?))
    }

    /// `$0 = e`, after `let`.
    pub fn let_binding(&mut self) -> Result<()> {
        let Token::Let(number) = self.next() else {
            return self.error_before("expected a name such as `$0`");
        };
        self.expect("=")?;
        let value = self.expr()?;
        self.lets.insert(number, value);
        Ok(())
    }

    fn terminator(&mut self, word: &str) -> Result<Option<Terminator>> {
        if !matches!(word, "goto" | "if" | "return" | "revert" | "halt" | "invalid" | "unreachable") {
            return Ok(None);
        }
        self.next();
        Ok(Some(match word {
            "goto" => Terminator::Goto(self.block_id()?),
            "if" => {
                let cond = self.expr()?;
                self.expect_word("goto")?;
                let then = self.block_id()?;
                self.expect_word("else")?;
                Terminator::Branch { cond, then, other: self.block_id()? }
            }
            "return" => Terminator::Return(self.args()?),
            "revert" => Terminator::Revert(self.expr()?),
            "halt" => Terminator::Halt(self.expr()?),
            "invalid" => Terminator::Invalid,
            _ => Terminator::Unreachable,
        }))
    }

    fn plain_stmt(&mut self, word: &str) -> Result<StmtKind> {
        if matches!(word, "call" | "callptr" | "decode" | "evm") {
            return self.assignment(Vec::new());
        }
        self.next();
        Ok(match word {
            "store" => {
                let place = self.place()?;
                self.expect("=")?;
                StmtKind::Store { place, value: self.expr()? }
            }
            "delete" => StmtKind::Delete { place: self.place()? },
            "setlen" => {
                let place = self.place()?;
                self.expect("=")?;
                StmtKind::SetLength { place, length: self.expr()? }
            }
            "havoc" => StmtKind::Havoc { dst: self.local()? },
            "assume" => StmtKind::Assume { cond: self.expr()? },
            "check" => {
                let (kind, number) = self.obligation_label()?;
                let obligation = ObligationId(number);
                match self.program.obligations.get(obligation) {
                    Some(o) if o.kind == kind => {}
                    _ => return self.error_before(format!("no obligation `{}#{number}`", kind.word())),
                }
                StmtKind::Check { obligation, cond: self.expr()? }
            }
            "emit" => self.emit()?,
            "selfdestruct" => StmtKind::SelfDestruct { beneficiary: self.expr()? },
            "unsupported" => StmtKind::Unsupported { what: self.string()? },
            _ if block_number(word).is_some() => {
                return self.error_before("the block before has no terminator");
            }
            _ => return self.error_before(format!("`{word}` does not start a statement")),
        })
    }

    fn emit(&mut self) -> Result<StmtKind> {
        let label = self.dotted_label()?;
        let event = match self.scope.events.get(&label) {
            Some(id) => Some(*id),
            None if label.0 == "_" => None,
            None => return self.error_before(format!("no event `{}`", shown(&label))),
        };
        let args = self.args()?;
        self.expect_word("topics")?;
        let topics = self.args()?;
        self.expect_word("data")?;
        Ok(StmtKind::Emit { event, topics, data: self.expr()?, args })
    }

    /// What follows `%a, %b =`, or a call without results.
    fn assignment(&mut self, dsts: Vec<LocalId>) -> Result<StmtKind> {
        let word = match self.peek() {
            Token::Name { text, quoted: false } => text.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "call" => {
                self.next();
                let callee = Callee::Proc(self.proc_ref()?);
                Ok(StmtKind::Call { dsts, callee, args: self.args()? })
            }
            "callptr" => {
                self.next();
                self.expect("(")?;
                let callee = Callee::Pointer(self.expr()?);
                self.expect(")")?;
                Ok(StmtKind::Call { dsts, callee, args: self.args()? })
            }
            "alloc" => {
                let [dst] = self.exactly(&dsts, "alloc")?;
                Ok(StmtKind::Alloc { dst, init: self.alloc()? })
            }
            "decode" => self.decode(dsts),
            "external" => {
                let dsts = self.exactly(&dsts, "external call")?;
                self.external_call(dsts)
            }
            "create" => {
                let dsts = self.exactly(&dsts, "create")?;
                self.create(dsts)
            }
            "evm" => {
                self.next();
                self.expect(".")?;
                let name = self.name()?;
                let Some(op) = EvmOp::from_word(&name) else {
                    return self.error_before(format!("`{name}` is not an EVM operation"));
                };
                Ok(StmtKind::Evm { op, args: self.args()?, dsts })
            }
            _ => {
                let [dst] = self.exactly(&dsts, "expression")?;
                Ok(StmtKind::Assign { dst, value: self.expr()? })
            }
        }
    }

    fn exactly<const N: usize>(&self, dsts: &[LocalId], what: &str) -> Result<[LocalId; N]> {
        match dsts.try_into() {
            Ok(dsts) => Ok(dsts),
            Err(_) => self.error(format!("this {what} is assigned to exactly {N} local(s)")),
        }
    }

    fn alloc(&mut self) -> Result<AllocInit> {
        self.next();
        let ty = self.ty()?;
        if !self.eat(",") {
            return Ok(AllocInit::Zero(ty));
        }
        if self.eat_word("length") {
            return Ok(AllocInit::Array(ty, self.expr()?));
        }
        self.expect_word("copy")?;
        Ok(AllocInit::Copy(ty, self.expr()?))
    }

    fn decode(&mut self, dsts: Vec<LocalId>) -> Result<StmtKind> {
        self.next();
        let strict = !self.eat(".");
        if !strict {
            self.expect_word("v1")?;
        }
        self.expect("(")?;
        let types = self.comma_separated(")", |p| p.ty())?;
        self.expect_word("from")?;
        let data = self.expr()?;
        self.expect(",")?;
        self.expect_word("ok")?;
        let ok = self.local()?;
        self.expect(",")?;
        self.expect_word("error")?;
        Ok(StmtKind::Decode { dsts, types, strict, data, ok, error: self.local()? })
    }

    fn external_call(&mut self, [ok, result]: [LocalId; 2]) -> Result<StmtKind> {
        self.next();
        let word = self.name()?;
        let Some(kind) = CallKind::from_word(&word) else {
            return self.error_before(format!("`{word}` is not a kind of external call"));
        };
        self.expect("(")?;
        let target = self.named_arg("to")?;
        let value = self.optional_arg("value")?;
        let gas = if self.at(",") && matches!(self.peek_at(1), Token::Name { text, .. } if text == "stipend")
        {
            self.next();
            self.next();
            Gas::Stipend
        } else {
            self.optional_arg("gas")?.map_or(Gas::All, Gas::Amount)
        };
        self.expect(",")?;
        let data = self.named_arg("data")?;
        self.expect(")")?;
        let callee = if self.eat_word("of") { Some((self.contract_ref()?, self.string()?)) } else { None };
        let call = ExternalCall { kind, target, value, gas, data, ok, result, callee };
        Ok(StmtKind::ExternalCall(Box::new(call)))
    }

    fn create(&mut self, [dst, ok, result]: [LocalId; 3]) -> Result<StmtKind> {
        self.next();
        let contract = self.contract_ref()?;
        self.expect("(")?;
        let args = self.named_arg("args")?;
        let value = self.optional_arg("value")?;
        let salt = self.optional_arg("salt")?;
        self.expect(")")?;
        Ok(StmtKind::Create(Box::new(Create { contract, value, salt, args, dst, ok, result })))
    }

    fn named_arg(&mut self, name: &str) -> Result<ExprId> {
        self.expect_word(name)?;
        self.expect("=")?;
        self.expr()
    }

    /// `, name = e` if it comes next.
    fn optional_arg(&mut self, name: &str) -> Result<Option<ExprId>> {
        if !self.at(",") || !matches!(self.peek_at(1), Token::Name { text, .. } if text == name) {
            return Ok(None);
        }
        self.next();
        Ok(Some(self.named_arg(name)?))
    }

    pub fn args(&mut self) -> Result<Vec<ExprId>> {
        self.expect("(")?;
        self.comma_separated(")", |p| p.expr())
    }
}
