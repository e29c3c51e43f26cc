//! Claims and sources of procedures.

use super::lex::Token;
use super::parse::{Label, Parser, Pass, Result, shown};
use super::words::Word;
use crate::expr::Expr;
use crate::ids::{BoundId, ContractId, EventId, ExprId, ObligationId};
use crate::spec::{BoundVar, Clause, EventSpec, FunctionInfo, FunctionRole, Modifies, ModifiesTarget, Spec};
use crate::types::Type;
use ruint::aliases::U256;

impl Parser {
    /// `bound ?i: uint256`
    pub fn bound_def(&mut self, pass: Pass) -> Result<()> {
        self.next();
        let label = self.bound_label()?;
        self.expect(":")?;
        let ty = self.ty()?;
        if pass == Pass::TypesAndState {
            let id = self.program.bound_vars.push(BoundVar { name: label.0.clone(), ty });
            if self.scope.bound.insert(label, id).is_some() {
                return self.error_before("this name is already used; number it (`?name#2`)");
            }
        }
        self.end_of_line()
    }

    /// `?i`, `?i#2`, `?3`: those without a name go by their number.
    fn bound_label(&mut self) -> Result<Label> {
        match self.next() {
            Token::Bound { text, quoted } if !quoted && text.starts_with(|c: char| c.is_ascii_digit()) => {
                match text.parse() {
                    Ok(number) => Ok((String::new(), number)),
                    Err(_) => self.error_before(format!("`?{text}` is not a variable")),
                }
            }
            Token::Bound { text, .. } => Ok((text, self.hash_number()?)),
            other => {
                self.error_before(format!("expected a variable such as `?i`, found {}", other.describe()))
            }
        }
    }

    pub fn bound(&mut self) -> Result<BoundId> {
        let label = self.bound_label()?;
        match self.scope.bound.get(&label) {
            Some(id) => Ok(*id),
            None => self.error_before(format!("no variable `?{}`", shown(&label))),
        }
    }

    /// `old(e)`, `before(e)`, `deepeq(a, b)`, `forall(?i: e)`, `exists(?i: e)`, `sum(?i: place)`; nothing else.
    pub fn spec_keyword(&mut self, word: &str) -> Result<Option<ExprId>> {
        let expr = match word {
            "old" | "before" | "deepeq" => {
                self.next();
                let args = self.args()?;
                match (word, &args[..]) {
                    ("old", [a]) => Expr::Old(*a),
                    ("before", [a]) => Expr::Before(*a),
                    ("deepeq", [a, b]) => Expr::DeepEq(*a, *b),
                    _ => return self.error_before(format!("`{word}` takes other operands")),
                }
            }
            "forall" | "exists" | "sum" => {
                self.next();
                self.expect("(")?;
                let vars = self.comma_separated(":", |p| p.bound())?.into();
                let expr = match word {
                    "sum" => Expr::Sum { vars, place: self.place()? },
                    _ => Expr::Quantified { forall: word == "forall", vars, body: self.expr()? },
                };
                self.expect(")")?;
                if word == "sum" {
                    self.expect(":")?;
                    let ty = self.ty()?;
                    return Ok(Some(self.program.exprs.add(expr, ty)));
                }
                expr
            }
            _ => return Ok(None),
        };
        self.natural(expr).map(Some)
    }

    /// What stands after the word: `invariant#0 "text": cond fits cond`.
    pub fn clause(&mut self) -> Result<Clause> {
        let (kind, number) = self.obligation_label()?;
        let obligation = ObligationId(number);
        if self.program.obligations.get(obligation).is_none_or(|o| o.kind != kind) {
            return self.error_before("no such obligation");
        }
        let text = self.string()?;
        self.expect(":")?;
        let cond = self.expr()?;
        let fits = if self.eat_word("fits") {
            self.expr()?
        } else {
            let ty = self.program.types.intern(Type::Bool);
            self.program.exprs.add(Expr::Const(U256::ONE), ty)
        };
        Ok(Clause { cond, fits, obligation, text })
    }

    /// A line of a contract that claims something.
    pub fn contract_claim(&mut self, word: &str, pass: Pass, id: ContractId) -> Result<()> {
        if pass == Pass::TypesAndState {
            // It may speak of what is declared further down.
            self.skip_line();
            return Ok(());
        }
        self.next();
        match word {
            "let" => return self.let_binding(),
            "claim" => {
                let clause = self.clause()?;
                self.program.contracts[id].invariants.push(clause);
            }
            "reports" => {
                let spec = self.event_spec(id)?;
                self.program.contracts[id].event_specs.push(spec);
            }
            _ => {
                let clause = self.clause()?;
                let Some(spec) = self.program.contracts[id].event_specs.last_mut() else {
                    return self.error_before("no event's claims start before this");
                };
                if word == "before" { spec.pre.push(clause) } else { spec.post.push(clause) }
            }
        }
        Ok(())
    }

    fn event_spec(&mut self, contract: ContractId) -> Result<EventSpec> {
        let event = self.event_ref()?;
        self.expect("(")?;
        let args = self.comma_separated(")", |p| p.bound())?;
        self.expect_word("of")?;
        self.expect("(")?;
        let tracks = self.comma_separated(")", |p| {
            let label = p.label()?;
            match p.scope.state.get(&(contract, label.clone())) {
                Some(var) => Ok(*var),
                None => p.error_before(format!("no state variable `{}` here", shown(&label))),
            }
        })?;
        let allow_no_change = self.eat_word("nochange");
        let span = self.span()?;
        Ok(EventSpec { event, args, tracks, pre: Vec::new(), post: Vec::new(), allow_no_change, span })
    }

    fn event_ref(&mut self) -> Result<EventId> {
        let label = self.dotted_label()?;
        match self.scope.events.get(&label) {
            Some(id) => Ok(*id),
            None => self.error_before(format!("no event `{}`", shown(&label))),
        }
    }

    /// `source f "f(uint256)" as receive public view in C @0:1-2`
    pub fn function_info(&mut self) -> Result<FunctionInfo> {
        let name = self.name()?;
        let signature = if matches!(self.peek(), Token::Str(_)) { Some(self.string()?) } else { None };
        let mut role = FunctionRole::Function;
        if self.eat_word("as") {
            let word = self.name()?;
            role = match FunctionRole::from_word(&word) {
                Some(role) => role,
                None => return self.error_before(format!("`{word}` is not a kind of function")),
            };
        }
        let public = self.eat_word("public");
        let constant = self.eat_word("view");
        let declared_in = if !self.eat_word("in") {
            self.here
        } else if self.eat_word("none") {
            None
        } else {
            Some(self.contract_ref()?)
        };
        let span = self.span()?;
        Ok(FunctionInfo { name, signature, role, declared_in, public, constant, span })
    }

    /// The lines of a procedure's specification; `None` if there are none.
    pub fn spec(&mut self) -> Result<Option<Spec>> {
        if !self.eat_word("results") {
            return Ok(None);
        }
        self.expect("(")?;
        let mut spec = Spec { results: self.comma_separated(")", |p| p.local())?, ..Spec::default() };
        self.end_of_line()?;
        loop {
            let word = match self.peek() {
                Token::Name { text, quoted: false } => text.clone(),
                _ => return Ok(Some(spec)),
            };
            match word.as_str() {
                "let" | "requires" | "ensures" | "succeeds" | "reverts" | "modifies" | "emits" => self.next(),
                _ => return Ok(Some(spec)),
            };
            match word.as_str() {
                "let" => self.let_binding()?,
                "requires" => spec.pre.push(self.clause()?),
                "ensures" => spec.post.push(self.clause()?),
                "succeeds" => spec.succeeds_if.push(self.clause()?),
                "reverts" => spec.reverts_if.push(self.clause()?),
                "modifies" => spec.modifies.push(self.modifies()?),
                _ => spec.emits.push(self.event_ref()?),
            }
            self.end_of_line()?;
        }
    }

    fn modifies(&mut self) -> Result<Modifies> {
        let text = self.string()?;
        let span = self.span()?;
        self.expect(":")?;
        let word = self.name()?;
        let target = match word.as_str() {
            "everything" => ModifiesTarget::Everything,
            "place" => ModifiesTarget::Place(self.place()?),
            "length" => ModifiesTarget::Length(self.place()?),
            "balance" => ModifiesTarget::Balance(self.expr()?),
            _ => return self.error_before(format!("`{word}` cannot be modified")),
        };
        let cond = if self.eat_word("if") { Some(self.expr()?) } else { None };
        Ok(Modifies { target, cond, span, text })
    }
}
