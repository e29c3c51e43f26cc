//! Expressions and places. Types come from operands, as [`crate::typing`] says.

use super::lex::{Token, decode_hex};
use super::parse::{NamedType, Parser, Result, parse_u256, shown};
use super::words::{Word, precedence};
use crate::expr::{AbiMode, ArithOp, BinOp, Builtin, EnvVar, Expr, Place, Root, Step, UnOp};
use crate::ids::{EnumId, ExprId, PlaceId, TypeId};
use crate::interp::value::{error_payload, panic_payload};
use crate::types::Type;
use crate::typing::{TypeContext, WORD};
use ruint::aliases::U256;

/// Something read so far: a finished value, or a place to which steps can still be added.
enum Operand {
    Value(ExprId),
    Place(Place),
}

impl Parser {
    pub fn expr(&mut self) -> Result<ExprId> {
        self.binary(0)
    }

    pub fn place(&mut self) -> Result<PlaceId> {
        match self.unary()? {
            Operand::Place(place) => self.add_place(place),
            Operand::Value(_) => self.error_before("expected a place"),
        }
    }

    // Building nodes.

    fn context(&self) -> TypeContext<'_> {
        TypeContext {
            types: &self.program.types,
            exprs: &self.program.exprs,
            state: &self.program.state,
            locals: &self.proc_locals,
            bound: &self.program.bound_vars,
        }
    }

    /// A node whose type follows from its operands.
    pub fn natural(&mut self, expr: Expr) -> Result<ExprId> {
        match self.context().natural_type(&expr) {
            Some(ty) => Ok(self.typed(expr, ty)),
            None => self.error_before("operands missing"),
        }
    }

    fn typed(&mut self, expr: Expr, ty: Type) -> ExprId {
        let ty = self.program.types.intern(ty);
        self.program.exprs.add(expr, ty)
    }

    fn add_place(&mut self, place: Place) -> Result<PlaceId> {
        match self.context().place_type(&place) {
            Some(ty) => {
                let ty = self.program.types.intern(ty);
                Ok(self.program.exprs.add_place(place, ty))
            }
            None => self.error_before("no such place"),
        }
    }

    fn value(&mut self, operand: Operand) -> Result<ExprId> {
        match operand {
            Operand::Value(e) => Ok(e),
            Operand::Place(place) => {
                let place = self.add_place(place)?;
                self.natural(Expr::Load(place))
            }
        }
    }

    /// The place a reference points to, without steps yet.
    fn dereference(&mut self, e: ExprId) -> Result<Place> {
        let root = match self.program.types.get(self.program.exprs.ty(e)) {
            Type::StorageRef(_) => Root::Storage(e),
            Type::MemoryRef(_) => Root::Memory(e),
            Type::CalldataRef(_) => Root::Calldata(e),
            _ => return self.error_before("this is not a reference"),
        };
        Ok(Place { root, steps: Box::new([]) })
    }

    // Operators.

    fn binary(&mut self, min: u8) -> Result<ExprId> {
        self.nested(|p| {
            let mut left = p.conversion()?;
            while let Token::Punct(text) = p.peek() {
                let Some(op) = BinOp::from_word(text) else { break };
                if precedence(op) < min {
                    break;
                }
                p.next();
                let right = p.binary(precedence(op) + 1)?;
                left = p.natural(Expr::Binary(op, left, right))?;
            }
            Ok(left)
        })
    }

    /// `e as T as U`
    fn conversion(&mut self) -> Result<ExprId> {
        let operand = self.unary()?;
        let mut e = self.value(operand)?;
        while self.eat_word("as") {
            let ty = self.ty()?;
            e = self.program.exprs.add(Expr::Cast(e), ty);
        }
        Ok(e)
    }

    fn unary(&mut self) -> Result<Operand> {
        self.nested(|p| p.unary_inner())
    }

    fn unary_inner(&mut self) -> Result<Operand> {
        for (punct, op) in [("!", UnOp::Not), ("~", UnOp::BitNot), ("-", UnOp::Neg)] {
            if self.at(punct) && !(op == UnOp::Neg && self.negative_number()) {
                self.next();
                let operand = self.unary()?;
                let e = self.value(operand)?;
                return Ok(Operand::Value(self.natural(Expr::Unary(op, e))?));
            }
        }
        if self.eat("&") {
            let place = self.place()?;
            return Ok(Operand::Value(self.natural(Expr::Ref(place))?));
        }
        if self.eat("*") {
            let operand = self.postfix()?;
            let e = self.value(operand)?;
            return Ok(Operand::Place(self.dereference(e)?));
        }
        self.postfix()
    }

    fn negative_number(&self) -> bool {
        matches!(self.peek_at(1), Token::Number(_)) && self.adjacent_at(1)
    }

    fn postfix(&mut self) -> Result<Operand> {
        let mut operand = self.primary()?;
        loop {
            if self.eat(".") {
                operand = self.field(operand)?;
            } else if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                operand = self.step(operand, Step::Index(index))?;
            } else if self.at(":") {
                self.next();
                let ty = self.ty()?;
                let e = self.value(operand)?;
                let expr = self.program.exprs.get(e).clone();
                operand = Operand::Value(self.program.exprs.add(expr, ty));
            } else {
                return Ok(operand);
            }
        }
    }

    fn field(&mut self, operand: Operand) -> Result<Operand> {
        let name = self.name()?;
        let place = self.steppable(operand)?;
        let index = match self.context().place_type(&place) {
            Some(Type::Struct(id)) => {
                self.program.types.structs[id].fields.iter().position(|f| f.name == name)
            }
            _ => None,
        };
        match index {
            Some(i) => self.step(Operand::Place(place), Step::Field(i as u32)),
            None => self.error_before(format!("no field `{name}` here")),
        }
    }

    fn step(&mut self, operand: Operand, step: Step) -> Result<Operand> {
        let place = self.steppable(operand)?;
        let mut steps = place.steps.into_vec();
        steps.push(step);
        let place = Place { root: place.root, steps: steps.into() };
        if self.context().place_type(&place).is_none() {
            return self.error_before("this has no such element");
        }
        Ok(Operand::Place(place))
    }

    /// Steps go on inside storage; in memory and calldata an element that is a tree is a reference to follow.
    fn steppable(&mut self, operand: Operand) -> Result<Place> {
        match operand {
            Operand::Value(e) => self.dereference(e),
            Operand::Place(place) => match place.root {
                Root::State(_) | Root::Storage(_) => Ok(place),
                Root::Memory(_) | Root::Calldata(_) if place.steps.is_empty() => Ok(place),
                Root::Memory(_) | Root::Calldata(_) => {
                    let e = self.value(Operand::Place(place))?;
                    self.dereference(e)
                }
            },
        }
    }

    // Atoms.

    fn primary(&mut self) -> Result<Operand> {
        match self.peek().clone() {
            Token::Number(_) => self.number_constant(false).map(Operand::Value),
            Token::Punct("-") => {
                self.next();
                self.number_constant(true).map(Operand::Value)
            }
            Token::Str(text) => {
                self.next();
                self.natural(Expr::BytesConst(text.into_bytes().into())).map(Operand::Value)
            }
            Token::Hex(bytes) => {
                self.next();
                self.natural(Expr::BytesConst(bytes.into())).map(Operand::Value)
            }
            Token::Local { .. } => {
                let local = self.local()?;
                self.natural(Expr::Local(local)).map(Operand::Value)
            }
            Token::Bound { .. } => {
                let var = self.bound()?;
                self.natural(Expr::Bound(var)).map(Operand::Value)
            }
            Token::Let(n) => {
                self.next();
                match self.lets.get(&n) {
                    Some(e) => Ok(Operand::Value(*e)),
                    None => self.error_before(format!("`${n}` is not bound here")),
                }
            }
            Token::Punct("(") => {
                self.next();
                let e = self.expr()?;
                self.expect(")")?;
                Ok(Operand::Value(e))
            }
            Token::Name { text, quoted: false } => self.named(&text),
            Token::Name { .. } => self.state_or_member(),
            other => self.error(format!("expected an expression, found {}", other.describe())),
        }
    }

    fn named(&mut self, word: &str) -> Result<Operand> {
        if let Some(e) = self.keyword(word)? {
            return Ok(Operand::Value(e));
        }
        if let Some(var) = self.env_var(word) {
            return self.natural(Expr::Env(var)).map(Operand::Value);
        }
        if let Some(builtin) = Builtin::from_word(word)
            && matches!(self.peek_at(1), Token::Punct("("))
        {
            self.next();
            let args = self.args()?;
            return self.natural(Expr::Builtin(builtin, args.into())).map(Operand::Value);
        }
        self.state_or_member()
    }

    fn env_var(&mut self, word: &str) -> Option<EnvVar> {
        if let Some(var) = EnvVar::from_word(word) {
            self.next();
            return Some(var);
        }
        let (Token::Punct("."), Token::Name { text, .. }) = (self.peek_at(1), self.peek_at(2)) else {
            return None;
        };
        let var = EnvVar::from_word(&format!("{word}.{text}"))?;
        for _ in 0..3 {
            self.next();
        }
        Some(var)
    }

    fn keyword(&mut self, word: &str) -> Result<Option<ExprId>> {
        Ok(Some(match word {
            "true" | "false" => {
                self.next();
                self.typed(Expr::Const(U256::from(u8::from(word == "true"))), Type::Bool)
            }
            "zero" => {
                self.next();
                self.expect(":")?;
                let ty = self.ty()?;
                self.program.exprs.add(Expr::Default, ty)
            }
            "len" => {
                self.next();
                self.expect("(")?;
                let place = self.place()?;
                self.expect(")")?;
                self.natural(Expr::Length(place))?
            }
            "panic" | "error" => self.payload(word)?,
            "fits" => self.fits()?,
            "ite" => {
                self.next();
                let args = self.args()?;
                match args[..] {
                    [c, a, b] => self.natural(Expr::Ite(c, a, b))?,
                    _ => return self.error_before("`ite` takes three operands"),
                }
            }
            "calldataref" => {
                self.next();
                let args = self.args()?;
                self.expect(":")?;
                let ty = self.ty()?;
                match args[..] {
                    [offset, length] => self.program.exprs.add(Expr::MakeCalldataRef { offset, length }, ty),
                    _ => return self.error_before("`calldataref` takes offset and length"),
                }
            }
            "abi" => self.abi_encode()?,
            "fnptr" => {
                self.next();
                self.expect("(")?;
                let proc = self.proc_ref()?;
                self.expect(")")?;
                self.natural(Expr::FnPointer(proc))?
            }
            "library" | "creationcode" | "runtimecode" => {
                self.next();
                self.expect("(")?;
                let contract = self.contract_ref()?;
                self.expect(")")?;
                self.natural(match word {
                    "library" => Expr::LibraryAddress(contract),
                    _ => Expr::ContractCode { contract, runtime: word == "runtimecode" },
                })?
            }
            _ => return self.spec_keyword(word),
        }))
    }

    /// `panic(0x11)`, `error("text")`: the bytes that such a revert hands over.
    fn payload(&mut self, word: &str) -> Result<ExprId> {
        self.next();
        self.expect("(")?;
        let bytes = match word {
            "panic" => match u8::try_from(self.number()?) {
                Ok(code) => panic_payload(code),
                Err(_) => return self.error_before("a panic code is one byte"),
            },
            _ => error_payload(self.string()?.as_bytes()),
        };
        self.expect(")")?;
        self.natural(Expr::BytesConst(bytes.into()))
    }

    fn fits(&mut self) -> Result<ExprId> {
        self.next();
        self.expect("(")?;
        let expr = if self.at("-") && !self.negative_number() {
            self.next();
            let operand = self.unary()?;
            let a = self.value(operand)?;
            Expr::Fits(ArithOp::Neg, a, a)
        } else {
            let operand = self.unary()?;
            let a = self.value(operand)?;
            let op = match self.next() {
                Token::Punct(text) => ArithOp::from_word(text),
                _ => None,
            };
            let Some(op) = op else { return self.error_before("expected an arithmetic operator") };
            let operand = self.unary()?;
            Expr::Fits(op, a, self.value(operand)?)
        };
        self.expect(")")?;
        self.natural(expr)
    }

    /// `abi.encode.v1(selector e, e, e => T)`
    fn abi_encode(&mut self) -> Result<ExprId> {
        self.next();
        self.expect(".")?;
        let word = self.name()?;
        let Some(mode) = AbiMode::from_word(&word) else {
            return self.error_before(format!("`{word}` is not a way to encode"));
        };
        let strict = !self.eat(".");
        if !strict {
            self.expect_word("v1")?;
        }
        self.expect("(")?;
        let mut selector = None;
        if self.eat_word("selector") {
            selector = Some(self.expr()?);
            if !self.at(")") {
                self.expect(",")?;
            }
        }
        let (mut types, mut args) = (Vec::new(), Vec::new());
        self.comma_separated(")", |p| {
            let arg = p.expr()?;
            let ty = if p.eat("=>") { p.ty()? } else { super::print_expr::default_abi_type(&p.program, arg) };
            types.push(ty);
            args.push(arg);
            Ok(())
        })?;
        self.natural(Expr::AbiEncode { mode, strict, selector, types: types.into(), args: args.into() })
    }

    /// A state variable (`x`, `C@x`) or a member of an enum (`C.E::Member`).
    fn state_or_member(&mut self) -> Result<Operand> {
        if let Some(id) = self.enum_ahead() {
            self.dotted_label()?;
            self.expect("::")?;
            let member = self.name()?;
            let position = self.program.types.enums[id].members.iter().position(|m| *m == member);
            return match position {
                Some(i) => Ok(Operand::Value(self.typed(Expr::Const(U256::from(i)), Type::Enum(id)))),
                None => self.error_before(format!("no member `{member}`")),
            };
        }
        let mut label = self.label()?;
        let mut contract = self.here;
        if self.eat("@") {
            contract = self.scope.contracts.get(&label).copied();
            label = self.label()?;
        }
        match contract.and_then(|c| self.scope.state.get(&(c, label.clone()))) {
            Some(var) => Ok(Operand::Place(Place { root: Root::State(*var), steps: Box::new([]) })),
            None => self.error_before(format!("no state variable `{}` here", shown(&label))),
        }
    }

    /// Looks ahead for a dotted name followed by `::`.
    fn enum_ahead(&self) -> Option<EnumId> {
        let mut name = String::new();
        let mut ahead = 0;
        loop {
            let Token::Name { text, .. } = self.peek_at(ahead) else { return None };
            name.push_str(text);
            ahead += 1;
            match self.peek_at(ahead) {
                Token::Punct(".") => name.push('.'),
                Token::Punct("::") => return self.enum_named((name, 1)),
                Token::Punct("#") => {
                    let Token::Number(n) = self.peek_at(ahead + 1) else { return None };
                    let number = n.parse().ok()?;
                    let follows = matches!(self.peek_at(ahead + 2), Token::Punct("::"));
                    return if follows { self.enum_named((name, number)) } else { None };
                }
                _ => return None,
            }
            ahead += 1;
        }
    }

    fn enum_named(&self, label: super::parse::Label) -> Option<EnumId> {
        match self.scope.types.get(&label)? {
            NamedType::Enum(id) => Some(*id),
            NamedType::Struct(_) => None,
        }
    }

    /// `5`, `5u8`, `-5i8`, `0x0102:bytes2`
    fn number_constant(&mut self, negative: bool) -> Result<ExprId> {
        let Token::Number(text) = self.next() else {
            return self.error_before("expected a number");
        };
        let (digits, suffix) = match text.find(['u', 'i']) {
            Some(i) => (&text[..i], Some((text.as_bytes()[i] == b'i', &text[i + 1..]))),
            None => (&text[..], None),
        };
        let mut ty = WORD;
        if let Some((signed, bits)) = suffix {
            let Ok(bits) = bits.parse() else { return self.error_before("not a width") };
            ty = Type::Int { bits, signed };
        } else if self.at(":") && !negative {
            self.next();
            let ty = self.ty()?;
            return match self.raw_constant(digits, ty) {
                Some(value) => Ok(self.program.exprs.add(Expr::Const(value), ty)),
                None => self.error_before(format!("`{digits}` is not a constant of this type")),
            };
        }
        match parse_u256(digits) {
            Some(value) => {
                let value = if negative { value.wrapping_neg() } else { value };
                Ok(self.typed(Expr::Const(value), ty))
            }
            None => self.error_before(format!("`{digits}` is not a number")),
        }
    }

    fn raw_constant(&self, digits: &str, ty: TypeId) -> Option<U256> {
        if let Type::FixedBytes(n) = self.program.types.get(ty) {
            // As many digits as the type has bytes, or the whole word.
            let bytes = decode_hex(digits.strip_prefix("0x")?)?;
            if bytes.len() != *n as usize && bytes.len() != 32 {
                return None;
            }
            let mut word = [0; 32];
            word[..bytes.len()].copy_from_slice(&bytes);
            return Some(U256::from_be_bytes(word));
        }
        parse_u256(digits)
    }
}
