//! Annotations as conditions of the test: over public getters, arguments and balances.

use hornet_ir::expr::{BinOp, Builtin, EnvVar, Expr, Root, Step as PlaceStep, UnOp};
use hornet_ir::ids::{ExprId, PlaceId, TypeId};
use hornet_ir::interp::value::Tree;
use hornet_ir::program::{Contract, Proc, Program};
use hornet_ir::spec::Clause;
use hornet_ir::trace::{Action, Step, Trace};
use hornet_ir::types::Type;

use super::SUBJECT;
use super::literal::{Literals, scalar_type};

pub(super) struct Condition {
    /// To be done before the last call: what old values were.
    pub(super) before: Vec<String>,
    pub(super) holds: String,
    /// Only said about calls that do not revert.
    pub(super) after_success: bool,
}

/// The annotation that fails, if Solidity outside the contract can say it. An error says why it cannot.
pub(super) fn of_failure(
    program: &Program,
    contract: &Contract,
    trace: &Trace,
    literals: &Literals<'_>,
) -> Result<Condition, String> {
    let last = trace.steps.last().ok_or("there is no last call")?;
    let wanted = trace.failure.clause.ok_or("the annotation is not known")?;
    let called = called(program, contract, last);
    let invariant = contract.invariants.iter().find(|clause| clause.obligation == wanted);
    let post = || called?.spec.as_ref()?.post.iter().find(|clause| clause.obligation == wanted);
    let (clause, after_success) = match invariant {
        Some(clause) => (clause, false),
        None => (post().ok_or("the annotation belongs to an inner function")?, true),
    };
    let args = match &last.action {
        Action::Deploy { args } | Action::Call { args, .. } => args.as_slice(),
        Action::Receive | Action::Fallback { .. } | Action::ForcedEther => &[],
    };
    let mut reader = Reader { program, contract, literals, last, called, args, before: Vec::new() };
    let holds = reader.clause(clause)?;
    Ok(Condition { before: reader.before, holds, after_success })
}

fn called<'p>(program: &'p Program, contract: &Contract, step: &Step) -> Option<&'p Proc> {
    let proc = match &step.action {
        Action::Deploy { .. } => contract.constructor?,
        Action::Call { entry, .. } => contract.entries.get(*entry)?.proc,
        Action::Receive => contract.receive?,
        Action::Fallback { .. } => contract.fallback?.proc,
        Action::ForcedEther => return None,
    };
    Some(&program.procs[proc])
}

struct Reader<'a> {
    program: &'a Program,
    contract: &'a Contract,
    literals: &'a Literals<'a>,
    last: &'a Step,
    called: Option<&'a Proc>,
    args: &'a [Tree],
    before: Vec<String>,
}

impl Reader<'_> {
    fn clause(&mut self, clause: &Clause) -> Result<String, String> {
        self.expr(clause.cond)
    }

    fn expr(&mut self, id: ExprId) -> Result<String, String> {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        match exprs.get(id).clone() {
            Expr::Const(word) => Ok(self.literals.scalar(ty, word)),
            Expr::Load(place) => self.getter(place),
            Expr::Unary(op, operand) => self.unary(op, operand),
            Expr::Binary(op, left, right) => self.binary(op, left, right),
            Expr::Ite(cond, yes, no) => {
                Ok(format!("({} ? {} : {})", self.expr(cond)?, self.expr(yes)?, self.expr(no)?))
            }
            Expr::Cast(operand) => self.cast(ty, operand),
            Expr::Env(EnvVar::This) => Ok(SUBJECT.to_owned()),
            Expr::Env(EnvVar::Caller) => Ok(self.literals.address(self.last.caller)),
            Expr::Env(EnvVar::CallValue) => Ok(self.literals.scalar(ty, self.last.value)),
            Expr::Builtin(Builtin::Balance, operands) => Ok(format!("{}.balance", self.expr(operands[0])?)),
            Expr::Local(local) => self.parameter(ty, local),
            Expr::Old(operand) => {
                let value = self.expr(operand)?;
                let name = format!("old{}", self.before.len() + 1);
                let ty = self.scalar_name(ty)?;
                self.before.push(format!("{ty} {name} = {value};"));
                Ok(name)
            }
            _ => Err("its condition has no counterpart outside the contract".to_owned()),
        }
    }

    fn unary(&mut self, op: UnOp, operand: ExprId) -> Result<String, String> {
        let sign = match op {
            UnOp::Not => "!",
            UnOp::BitNot => "~",
            UnOp::Neg => "-",
        };
        Ok(format!("{sign}({})", self.expr(operand)?))
    }

    fn binary(&mut self, op: BinOp, left: ExprId, right: ExprId) -> Result<String, String> {
        let sign = match op {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Mod => "%",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::BoolAnd => "&&",
            BinOp::BoolOr => "||",
            BinOp::Exp | BinOp::Shl | BinOp::Shr => {
                return Err("its condition uses powers or shifts".to_owned());
            }
        };
        let both = (self.expr(left)?, self.expr(right)?);
        Ok(format!("({} {sign} {})", both.0, both.1))
    }

    /// Between numbers of the same sign; others have detours in Solidity.
    fn cast(&mut self, to: TypeId, operand: ExprId) -> Result<String, String> {
        let from = self.program.exprs.ty(operand);
        match (self.program.types.get(from), self.program.types.get(to)) {
            (Type::Int { signed: a, .. }, Type::Int { signed: b, .. }) if a == b => {
                Ok(format!("{}({})", self.scalar_name(to)?, self.expr(operand)?))
            }
            _ => Err("its condition converts between types".to_owned()),
        }
    }

    fn scalar_name(&self, ty: TypeId) -> Result<String, String> {
        let ty = self.program.types.get(ty);
        let plain = ty.is_scalar() && !ty.is_wide();
        if plain {
            Ok(scalar_type(ty))
        } else {
            Err("its condition needs values that Solidity has not".to_owned())
        }
    }

    fn parameter(&self, ty: TypeId, local: hornet_ir::ids::LocalId) -> Result<String, String> {
        let position = self.called.and_then(|proc| proc.params.iter().position(|p| *p == local));
        match position.and_then(|i| self.args.get(i)) {
            Some(Tree::Word(word)) => Ok(self.literals.scalar(ty, *word)),
            _ => Err("it speaks of results or of arguments that are no plain values".to_owned()),
        }
    }

    /// A state variable through its getter.
    fn getter(&mut self, place: PlaceId) -> Result<String, String> {
        let (ty, place) = (self.program.exprs.place_ty(place), self.program.exprs.place(place).clone());
        let Root::State(var) = place.root else {
            return Err("it speaks of what is not in a state variable".to_owned());
        };
        let var = &self.program.state[var];
        let getter = self
            .contract
            .entries
            .iter()
            .find(|e| e.name == var.name && e.constant && self.program.procs[e.proc].function.is_none());
        let getter = getter.ok_or_else(|| format!("`{}` has no public getter", var.name))?;
        let mut call = vec![format!("\"{}\"", getter.signature)];
        for step in &place.steps {
            match step {
                PlaceStep::Index(key) => call.push(self.expr(*key)?),
                PlaceStep::Field(_) => return Err("it speaks of a part of a struct".to_owned()),
            }
        }
        let word = format!("read(abi.encodeWithSignature({}))", call.join(", "));
        Ok(match self.program.types.get(ty) {
            Type::Bool => format!("({word} != 0)"),
            Type::Address => format!("address(uint160({word}))"),
            scalar @ Type::Int { signed: true, .. } => format!("{}(int256({word}))", scalar_type(scalar)),
            scalar @ (Type::Int { .. } | Type::Enum(_)) => format!("{}({word})", scalar_type(scalar)),
            scalar @ Type::FixedBytes(_) => format!("{}(bytes32({word}))", scalar_type(scalar)),
            _ => return Err(format!("the value of `{}` is no plain one", var.name)),
        })
    }
}
