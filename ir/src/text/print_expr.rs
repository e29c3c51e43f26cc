//! Types, expressions and places as text.

use super::names::{Labels, quoted, string_literal};
use super::words::{PREC_AS, PREC_PRIMARY, PREC_UNARY, Word, precedence};
use crate::expr::{ArithOp, Expr, Place, Root, Step, UnOp};
use crate::ids::{ContractId, ExprId, Id, IdVec, LocalId, PlaceId, ProcId, TypeId};
use crate::interp::value::{error_payload, panic_payload};
use crate::program::{Local, Program};
use crate::types::Type;
use crate::typing::TypeContext;
use ruint::aliases::U256;
use rustc_hash::FxHashMap;
use std::fmt::Write;

pub(crate) fn type_text(program: &Program, labels: &Labels, id: TypeId) -> String {
    let mut out = String::new();
    write_type(&mut out, program, labels, id);
    out
}

fn write_type(out: &mut String, program: &Program, labels: &Labels, id: TypeId) {
    let named = |label: Option<&String>| label.cloned().unwrap_or_else(|| "?".to_owned());
    match program.types.get(id) {
        Type::Bool => out.push_str("bool"),
        Type::Int { bits, signed } => {
            let _ = write!(out, "{}int{bits}", if *signed { "" } else { "u" });
        }
        Type::FixedBytes(n) => {
            let _ = write!(out, "bytes{n}");
        }
        Type::Address => out.push_str("address"),
        Type::Enum(e) => out.push_str(&named(labels.enums.get(*e))),
        Type::FnInternal => out.push_str("fn"),
        Type::FnExternal => out.push_str("extfn"),
        Type::Bytes => out.push_str("bytes"),
        Type::Array { elem, len } => {
            let reference = program.types.referent(*elem).is_some();
            if reference {
                out.push('(');
            }
            write_type(out, program, labels, *elem);
            if reference {
                out.push(')');
            }
            match len {
                Some(n) => {
                    let _ = write!(out, "[{n}]");
                }
                None => out.push_str("[]"),
            }
        }
        Type::Struct(s) => out.push_str(&named(labels.structs.get(*s))),
        Type::Mapping { key, value } => {
            out.push_str("mapping(");
            write_type(out, program, labels, *key);
            out.push_str(" => ");
            write_type(out, program, labels, *value);
            out.push(')');
        }
        Type::StorageRef(t) => {
            out.push_str("storage ");
            write_type(out, program, labels, *t);
        }
        Type::MemoryRef(t) => {
            out.push_str("memory ");
            write_type(out, program, labels, *t);
        }
        Type::CalldataRef(t) => {
            out.push_str("calldata ");
            write_type(out, program, labels, *t);
        }
    }
}

/// A procedure as seen from a procedure of `here`.
pub(crate) fn proc_ref(program: &Program, labels: &Labels, here: Option<ContractId>, id: ProcId) -> String {
    let Some(proc) = program.procs.get(id) else { return format!("?proc{}", id.0) };
    match proc.contract {
        contract if contract == here => labels.procs[id].clone(),
        Some(contract) => format!("{}::{}", contract_ref(labels, contract), labels.procs[id]),
        None => format!("::{}", labels.procs[id]),
    }
}

pub(crate) fn contract_ref(labels: &Labels, id: ContractId) -> String {
    labels.contracts.get(id).cloned().unwrap_or_else(|| format!("?contract{}", id.0))
}

/// Prints expressions of one procedure.
pub(crate) struct ExprPrinter<'a> {
    pub program: &'a Program,
    pub labels: &'a Labels,
    pub contract: Option<ContractId>,
    pub locals: &'a IdVec<LocalId, Local>,
    pub local_labels: &'a IdVec<LocalId, String>,
    /// Subterms bound by `let` lines above.
    pub lets: FxHashMap<ExprId, u32>,
    /// The number of the next of them.
    pub next_let: u32,
}

impl ExprPrinter<'_> {
    pub fn text(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.expr(&mut out, id, 0);
        out
    }

    pub fn place_text(&self, id: PlaceId) -> String {
        let mut out = String::new();
        self.place(&mut out, id, 0);
        out
    }

    pub fn list(&self, ids: &[ExprId]) -> String {
        let mut out = String::new();
        for (i, id) in ids.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.expr(&mut out, *id, 0);
        }
        out
    }

    pub fn local(&self, id: LocalId) -> String {
        self.local_labels.get(id).cloned().unwrap_or_else(|| format!("?local{}", id.0))
    }

    fn ty(&self, id: TypeId) -> String {
        type_text(self.program, self.labels, id)
    }

    /// The right-hand side of a `let`: the node itself even though it is bound.
    pub fn definition(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.node(&mut out, id, 0);
        out
    }

    fn expr(&self, out: &mut String, id: ExprId, min: u8) {
        match self.lets.get(&id) {
            Some(n) => {
                let _ = write!(out, "${n}");
            }
            None => self.node(out, id, min),
        }
    }

    fn node(&self, out: &mut String, id: ExprId, min: u8) {
        let exprs = &self.program.exprs;
        if id.index() >= exprs.len() {
            let _ = write!(out, "?expr{}", id.0);
            return;
        }
        let expr = exprs.get(id);
        let cx = TypeContext {
            types: &self.program.types,
            exprs,
            state: &self.program.state,
            locals: self.locals,
            bound: &self.program.bound_vars,
        };
        let ty = exprs.ty(id);
        let ascribed = match expr {
            Expr::Const(_) | Expr::Cast(_) => false,
            Expr::Default | Expr::MakeCalldataRef { .. } | Expr::Sum { .. } => true,
            _ => cx.natural_type(expr).as_ref() != Some(self.program.types.get(ty)),
        };
        if ascribed {
            let start = open(out, min, PREC_UNARY);
            self.plain(out, expr, ty, PREC_PRIMARY);
            let _ = write!(out, ":{}", self.ty(ty));
            close(out, start);
        } else {
            self.plain(out, expr, ty, min);
        }
    }

    fn plain(&self, out: &mut String, expr: &Expr, ty: TypeId, min: u8) {
        match expr {
            Expr::Const(value) => self.constant(out, *value, ty, min),
            Expr::BytesConst(bytes) => out.push_str(&bytes_literal(bytes)),
            Expr::Default => out.push_str("zero"),
            Expr::Local(local) => out.push_str(&self.local(*local)),
            Expr::Load(place) => self.place(out, *place, min),
            Expr::Length(place) => {
                out.push_str("len(");
                self.place(out, *place, 0);
                out.push(')');
            }
            Expr::Ref(place) => {
                let parens = open(out, min, PREC_UNARY);
                out.push('&');
                self.place(out, *place, PREC_UNARY);
                close(out, parens);
            }
            Expr::Unary(op, a) => {
                let parens = open(out, min, PREC_UNARY);
                out.push(match op {
                    UnOp::Not => '!',
                    UnOp::BitNot => '~',
                    UnOp::Neg => '-',
                });
                // `-5i8` is a constant, `-(5i8)` the negation of one.
                let constant = *op == UnOp::Neg && matches!(self.shown(*a), Some(Expr::Const(_)));
                if constant {
                    out.push('(');
                }
                self.expr(out, *a, PREC_UNARY);
                close(out, constant);
                close(out, parens);
            }
            Expr::Binary(op, a, b) => {
                let level = precedence(*op);
                let parens = open(out, min, level);
                self.expr(out, *a, level);
                let _ = write!(out, " {} ", op.word());
                self.expr(out, *b, level + 1);
                close(out, parens);
            }
            Expr::Fits(op, a, b) => self.fits(out, *op, *a, *b),
            Expr::Ite(c, a, b) => {
                let _ = write!(out, "ite({})", self.list(&[*c, *a, *b]));
            }
            Expr::Cast(a) => {
                let parens = open(out, min, PREC_AS);
                self.expr(out, *a, PREC_AS);
                let _ = write!(out, " as {}", self.ty(ty));
                close(out, parens);
            }
            Expr::Env(var) => out.push_str(var.word()),
            Expr::Builtin(builtin, args) => {
                let _ = write!(out, "{}({})", builtin.word(), self.list(args));
            }
            Expr::FnPointer(proc) => {
                let _ = write!(out, "fnptr({})", proc_ref(self.program, self.labels, self.contract, *proc));
            }
            Expr::AbiEncode { .. } => self.abi_encode(out, expr),
            Expr::LibraryAddress(c) => {
                let _ = write!(out, "library({})", contract_ref(self.labels, *c));
            }
            Expr::ContractCode { contract, runtime } => {
                let what = if *runtime { "runtimecode" } else { "creationcode" };
                let _ = write!(out, "{what}({})", contract_ref(self.labels, *contract));
            }
            Expr::MakeCalldataRef { offset, length } => {
                let _ = write!(out, "calldataref({})", self.list(&[*offset, *length]));
            }
            Expr::Old(a) => {
                let _ = write!(out, "old({})", self.list(&[*a]));
            }
            Expr::Before(a) => {
                let _ = write!(out, "before({})", self.list(&[*a]));
            }
            Expr::DeepEq(a, b) => {
                let _ = write!(out, "deepeq({})", self.list(&[*a, *b]));
            }
            Expr::Bound(var) => {
                out.push_str(&self.bound_list(&[*var]));
            }
            Expr::Quantified { forall, vars, body } => {
                let word = if *forall { "forall" } else { "exists" };
                let _ = write!(out, "{word}({}: {})", self.bound_list(vars), self.list(&[*body]));
            }
            Expr::Sum { vars, place } => {
                let _ = write!(out, "sum({}: ", self.bound_list(vars));
                self.place(out, *place, 0);
                out.push(')');
            }
        }
    }

    /// The node that will be printed for an operand; `None` if it is bound by a `let`.
    fn shown(&self, id: ExprId) -> Option<&Expr> {
        let known = id.index() < self.program.exprs.len() && !self.lets.contains_key(&id);
        known.then(|| self.program.exprs.get(id))
    }

    fn fits(&self, out: &mut String, op: ArithOp, a: ExprId, b: ExprId) {
        // The operator belongs to `fits`, so operands are atoms.
        match op {
            ArithOp::Neg => {
                out.push_str("fits(-(");
                self.expr(out, a, 0);
                out.push_str("))");
            }
            ArithOp::Add | ArithOp::Sub | ArithOp::Mul | ArithOp::Div | ArithOp::Exp => {
                out.push_str("fits(");
                self.expr(out, a, PREC_PRIMARY);
                let _ = write!(out, " {} ", op.word());
                self.expr(out, b, PREC_PRIMARY);
                out.push(')');
            }
        }
    }

    fn abi_encode(&self, out: &mut String, expr: &Expr) {
        let Expr::AbiEncode { mode, strict, selector, types, args } = expr else { return };
        let _ = write!(out, "abi.{}{}(", mode.word(), if *strict { "" } else { ".v1" });
        if let Some(selector) = selector {
            out.push_str("selector ");
            self.expr(out, *selector, 0);
            out.push_str(if args.is_empty() { "" } else { ", " });
        }
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.expr(out, *arg, 0);
            if let Some(ty) = types.get(i)
                && *ty != self.default_abi_type(*arg)
            {
                let _ = write!(out, " => {}", self.ty(*ty));
            }
        }
        out.push(')');
    }

    /// A value is encoded as its own type, a reference as what it points to, unless written otherwise.
    fn default_abi_type(&self, arg: ExprId) -> TypeId {
        default_abi_type(self.program, arg)
    }

    fn constant(&self, out: &mut String, value: U256, ty: TypeId, min: u8) {
        let types = &self.program.types;
        let raw = |out: &mut String| {
            let parens = open(out, min, PREC_UNARY);
            let _ = write!(out, "{value:#x}:{}", self.ty(ty));
            close(out, parens);
        };
        match types.get(ty) {
            Type::Bool if value <= U256::ONE => out.push_str(if value.is_zero() { "false" } else { "true" }),
            Type::Int { bits, signed } => {
                let suffix = match (bits, signed) {
                    (256, false) => String::new(),
                    (bits, signed) => format!("{}{bits}", if *signed { "i" } else { "u" }),
                };
                let negative = *signed && value.bit(255);
                let magnitude = if negative { value.wrapping_neg() } else { value };
                if magnitude > U256::from(u64::MAX) {
                    let _ = write!(out, "{value:#x}{suffix}");
                } else {
                    let parens = open(out, min, if negative { PREC_UNARY } else { PREC_PRIMARY });
                    let _ = write!(out, "{}{magnitude}{suffix}", if negative { "-" } else { "" });
                    close(out, parens);
                }
            }
            Type::FixedBytes(n) if (1..=32).contains(n) => {
                let parens = open(out, min, PREC_UNARY);
                let bytes = value.to_be_bytes::<32>();
                let shown = if bytes[*n as usize..].iter().all(|b| *b == 0) { *n as usize } else { 32 };
                let _ = write!(out, "0x{}:bytes{n}", hex(&bytes[..shown]));
                close(out, parens);
            }
            Type::Enum(id) => {
                let member = usize::try_from(value)
                    .ok()
                    .and_then(|i| types.enums.get(*id).and_then(|e| e.members.get(i)));
                match member {
                    Some(name) => {
                        let _ = write!(out, "{}::{}", self.ty(ty), quoted(name));
                    }
                    None => raw(out),
                }
            }
            _ => raw(out),
        }
    }

    fn place(&self, out: &mut String, id: PlaceId, min: u8) {
        if id.index() >= self.program.exprs.place_count() {
            let _ = write!(out, "?place{}", id.0);
            return;
        }
        let place = self.program.exprs.place(id);
        let whole = place.steps.is_empty() && !matches!(place.root, Root::State(_));
        let parens = open(out, min, if whole { PREC_UNARY } else { PREC_PRIMARY });
        if whole {
            out.push('*');
        }
        self.root(out, place.root);
        self.steps(out, place);
        close(out, parens);
    }

    fn root(&self, out: &mut String, root: Root) {
        match root {
            Root::State(var) => match self.program.state.get(var) {
                Some(v) if Some(v.contract) == self.contract => out.push_str(&self.labels.state[var]),
                Some(v) => {
                    let _ =
                        write!(out, "{}@{}", contract_ref(self.labels, v.contract), self.labels.state[var]);
                }
                None => {
                    let _ = write!(out, "?state{}", var.0);
                }
            },
            Root::Storage(e) | Root::Memory(e) | Root::Calldata(e) => self.expr(out, e, PREC_PRIMARY),
        }
    }

    fn steps(&self, out: &mut String, place: &Place) {
        let cx = TypeContext {
            types: &self.program.types,
            exprs: &self.program.exprs,
            state: &self.program.state,
            locals: self.locals,
            bound: &self.program.bound_vars,
        };
        let location = place.root.location();
        let mut ty = cx.root_type(place.root);
        for step in &place.steps {
            match step {
                Step::Field(i) => {
                    let field = match &ty {
                        Some(Type::Struct(s)) => {
                            self.program.types.structs.get(*s).and_then(|d| d.fields.get(*i as usize))
                        }
                        _ => None,
                    };
                    match field {
                        Some(f) => {
                            let _ = write!(out, ".{}", quoted(&f.name));
                        }
                        None => {
                            let _ = write!(out, ".?{i}");
                        }
                    }
                }
                Step::Index(e) => {
                    out.push('[');
                    self.expr(out, *e, 0);
                    out.push(']');
                }
            }
            ty = ty.and_then(|t| cx.step(location, &t, *step));
        }
    }
}

pub(crate) fn default_abi_type(program: &Program, arg: ExprId) -> TypeId {
    let ty = program.exprs.ty(arg);
    program.types.referent(ty).unwrap_or(ty)
}

/// Writes an opening parenthesis if a node of strength `level` may not stand where at least `min` is needed.
fn open(out: &mut String, min: u8, level: u8) -> bool {
    if level < min {
        out.push('(');
    }
    level < min
}

fn close(out: &mut String, opened: bool) {
    if opened {
        out.push(')');
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for b in bytes {
        let _ = write!(out, "{b:02x}");
    }
    out
}

/// Readable where the bytes are a payload the compiler makes, or text; else hexadecimal.
fn bytes_literal(bytes: &[u8]) -> String {
    if let Some(&code) = bytes.get(35)
        && panic_payload(code) == bytes
    {
        return format!("panic({code:#04x})");
    }
    if let Some(message) = error_message(bytes) {
        return format!("error({})", string_literal(message));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if is_plain(text) => string_literal(text),
        _ => format!("hex\"{}\"", hex(bytes)),
    }
}

fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
}

/// The text in an `Error(string)` payload, if there is exactly that in it.
fn error_message(payload: &[u8]) -> Option<&str> {
    let length = usize::try_from(U256::from_be_slice(payload.get(36..68)?)).ok()?;
    let message = payload.get(68..68usize.checked_add(length)?)?;
    let text = std::str::from_utf8(message).ok().filter(|t| is_plain(t))?;
    (error_payload(message) == payload).then_some(text)
}
