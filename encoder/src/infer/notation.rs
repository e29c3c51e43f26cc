//! Expressions of the IR in Solidity's notation, as far as they have one: what is inferred can be read and pasted back.

use hornet_ir::U256;
use hornet_ir::expr::{AbiMode, BinOp, Builtin, EnvVar, Expr, Root, Step, UnOp};
use hornet_ir::ids::{ContractId, ExprId, LocalId, PlaceId, StateVarId};
use hornet_ir::program::{Proc, Program};
use hornet_ir::types::Type;

/// Where an expression is read: in a contract, possibly inside one of its functions.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub program: &'a Program,
    pub contract: ContractId,
    pub proc: Option<&'a Proc>,
}

impl Reader<'_> {
    /// `None` for what nobody could write there.
    pub fn show(&self, e: ExprId) -> Option<String> {
        let exprs = &self.program.exprs;
        let ty = self.program.types.get(exprs.ty(e));
        Some(match exprs.get(e) {
            Expr::Const(word) => self.constant(ty, *word)?,
            Expr::Local(local) => self.local(*local)?,
            Expr::Load(place) => self.place(*place)?,
            Expr::Length(place) => format!("{}.length", self.place(*place)?),
            Expr::Unary(UnOp::Not, a) => format!("!{}", self.operand(*a)?),
            Expr::Unary(UnOp::BitNot, a) => format!("~{}", self.operand(*a)?),
            Expr::Unary(UnOp::Neg, a) => format!("-{}", self.operand(*a)?),
            Expr::Binary(op, a, b) => format!("{} {} {}", self.operand(*a)?, sign(*op), self.operand(*b)?),
            // Sums are numbers of any size: what they are compared with converts by itself.
            Expr::Cast(a) if ty.is_wide() => self.show(*a)?,
            Expr::Cast(a) => format!("{}({})", type_name(ty)?, self.show(*a)?),
            Expr::Env(EnvVar::Timestamp) => "block.timestamp".to_owned(),
            Expr::Env(EnvVar::Number) => "block.number".to_owned(),
            Expr::Env(EnvVar::This) => "address(this)".to_owned(),
            Expr::Builtin(Builtin::Balance, args) => format!("{}.balance", self.show(*args.first()?)?),
            Expr::Builtin(builtin, args) => format!("{}({})", function_name(*builtin)?, self.list(args)?),
            Expr::AbiEncode { mode: AbiMode::Standard, selector: None, args, .. } => {
                format!("abi.encode({})", self.list(args)?)
            }
            Expr::AbiEncode { mode: AbiMode::Packed, selector: None, args, .. } => {
                format!("abi.encodePacked({})", self.list(args)?)
            }
            Expr::Bound(var) => self.program.bound_vars[*var].name.clone(),
            Expr::Old(a) => format!("old({})", self.show(*a)?),
            Expr::Quantified { forall, vars, body } => {
                let vars = vars.iter().map(|v| {
                    let var = &self.program.bound_vars[*v];
                    Some(format!("{} {}", type_name(self.program.types.get(var.ty))?, var.name))
                });
                let vars = vars.collect::<Option<Vec<_>>>()?.join(", ");
                format!("{} ({vars}) {}", if *forall { "forall" } else { "exists" }, self.show(*body)?)
            }
            Expr::Sum { place, .. } => format!("sum({})", self.summed(*place)?),
            Expr::BytesConst(_)
            | Expr::Default
            | Expr::Ref(_)
            | Expr::Fits(..)
            | Expr::Ite(..)
            | Expr::Env(_)
            | Expr::FnPointer(_)
            | Expr::AbiEncode { .. }
            | Expr::LibraryAddress(_)
            | Expr::ContractCode { .. }
            | Expr::MakeCalldataRef { .. }
            | Expr::Before(_)
            | Expr::DeepEq(..) => return None,
        })
    }

    fn list(&self, exprs: &[ExprId]) -> Option<String> {
        Some(exprs.iter().map(|e| self.show(*e)).collect::<Option<Vec<_>>>()?.join(", "))
    }

    /// In parentheses unless it binds tighter than any operator.
    fn operand(&self, e: ExprId) -> Option<String> {
        let text = self.show(e)?;
        Some(match self.program.exprs.get(e) {
            Expr::Binary(..) | Expr::Quantified { .. } => format!("({text})"),
            Expr::Cast(inner) if matches!(self.program.exprs.get(*inner), Expr::Binary(..)) => {
                format!("({text})")
            }
            _ => text,
        })
    }

    fn local(&self, local: LocalId) -> Option<String> {
        let locals = &self.proc?.locals;
        let name = &locals.get(local)?.name;
        let namesakes = locals.iter().filter(|l| l.name == *name).count();
        (!name.is_empty() && namesakes == 1).then(|| name.clone())
    }

    /// The name of a state variable, if it means that variable here.
    fn state(&self, var: StateVarId) -> Option<&str> {
        let program = self.program;
        let name = program.state[var].name.as_str();
        let own = &program.contracts[self.contract].state;
        let hidden = self.proc.is_some_and(|p| p.locals.iter().any(|l| l.name == name));
        let namesakes = own.iter().filter(|v| program.state[**v].name == name).count();
        (!hidden && namesakes == 1 && own.contains(&var)).then_some(name)
    }

    fn place(&self, id: PlaceId) -> Option<String> {
        self.steps(id, |index| self.show(index))
    }

    /// A mapping or array of numbers is summed as a whole; deeper ones with a placeholder for every index.
    fn summed(&self, id: PlaceId) -> Option<String> {
        let steps = &self.program.exprs.place(id).steps;
        match steps[..] {
            [Step::Index(_)] => self.steps(id, |_| Some("_".to_owned())).map(|t| t.replace("[_]", "")),
            _ => self.steps(id, |_| Some("_".to_owned())),
        }
    }

    fn steps(&self, id: PlaceId, index: impl Fn(ExprId) -> Option<String>) -> Option<String> {
        let program = self.program;
        let place = program.exprs.place(id);
        let (mut text, mut ty) = match place.root {
            Root::State(var) => (self.state(var)?.to_owned(), program.state[var].ty),
            Root::Storage(e) | Root::Memory(e) | Root::Calldata(e) => {
                (self.show(e)?, program.types.referent(program.exprs.ty(e))?)
            }
        };
        for step in &place.steps {
            match (step, program.types.get(ty)) {
                (Step::Field(i), Type::Struct(id)) => {
                    let field = program.types.structs[*id].fields.get(*i as usize)?;
                    text = format!("{text}.{}", field.name);
                    ty = field.ty;
                }
                (Step::Index(at), Type::Mapping { value: inner, .. } | Type::Array { elem: inner, .. }) => {
                    text = format!("{text}[{}]", index(*at)?);
                    ty = *inner;
                }
                _ => return None,
            }
        }
        Some(text)
    }

    fn constant(&self, ty: &Type, word: U256) -> Option<String> {
        Some(match ty {
            Type::Bool => (!word.is_zero()).to_string(),
            Type::Int { signed: true, .. } if word.bit(255) => format!("-{}", word.wrapping_neg()),
            Type::Int { bits, signed: false }
                if *bits > 32 && word == U256::MAX >> (256 - usize::from(*bits)) =>
            {
                format!("type(uint{bits}).max")
            }
            Type::Int { .. } => word.to_string(),
            Type::Address if word.is_zero() => "address(0)".to_owned(),
            Type::Address => format!("address(uint160({word}))"),
            Type::Enum(id) => {
                let decl = &self.program.types.enums[*id];
                format!("{}.{}", decl.name, decl.members.get(usize::try_from(word).ok()?)?)
            }
            Type::FixedBytes(n) => {
                let digits = usize::from(*n) * 2;
                format!("bytes{n}(0x{:0digits$x})", word >> (256 - 4 * digits))
            }
            _ => return None,
        })
    }
}

fn sign(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Mod => "%",
        BinOp::Exp => "**",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::BoolAnd => "&&",
        BinOp::BoolOr => "||",
    }
}

fn type_name(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int { bits, signed } => format!("{}int{bits}", if *signed { "" } else { "u" }),
        Type::FixedBytes(n) => format!("bytes{n}"),
        Type::Address => "address".to_owned(),
        Type::Enum(_)
        | Type::FnInternal
        | Type::FnExternal
        | Type::Bytes
        | Type::Array { .. }
        | Type::Struct(_)
        | Type::Mapping { .. }
        | Type::StorageRef(_)
        | Type::MemoryRef(_)
        | Type::CalldataRef(_) => return None,
    })
}

/// Functions of their arguments alone.
fn function_name(builtin: Builtin) -> Option<&'static str> {
    match builtin {
        Builtin::Keccak256 => Some("keccak256"),
        Builtin::Sha256 => Some("sha256"),
        Builtin::Ripemd160 => Some("ripemd160"),
        Builtin::EcRecover => Some("ecrecover"),
        Builtin::BytesConcat => Some("bytes.concat"),
        Builtin::AddMod => Some("addmod"),
        Builtin::MulMod => Some("mulmod"),
        _ => None,
    }
}
