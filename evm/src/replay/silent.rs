//! Overflow that nothing reveals: where arithmetic wraps around, the operands at that place are looked at.

use hornet_ir::expr::{ArithOp, Expr};
use hornet_ir::ids::ExprId;
use hornet_ir::interp::arith::{clean, fits};
use hornet_ir::program::{ObligationKind, Program, StmtKind};
use hornet_ir::span::Span;
use hornet_ir::types::Type;
use revm::bytecode::opcode;

use crate::U256;
use crate::compiler::Place;

/// An operation whose result may leave its type without anybody noticing.
pub(super) struct Silent {
    pub place: Place,
    op: ArithOp,
    ty: Type,
    kind: ObligationKind,
}

impl Silent {
    /// The operation that a silent check of this kind is about.
    pub fn find(program: &Program, kind: ObligationKind, span: Span, place: Place) -> Option<Silent> {
        let stmts = program.procs.iter().flat_map(|p| p.blocks.iter()).flat_map(|b| &b.stmts);
        let mut checks = stmts.filter_map(|stmt| match &stmt.kind {
            StmtKind::Check { obligation, cond } => Some((&program.obligations[*obligation], *cond)),
            _ => None,
        });
        let (_, cond) = checks.find(|(o, _)| o.silent && o.kind == kind && o.span == span)?;
        let (op, operand) = arithmetic_in(program, cond)?;
        let ty = program.types.get(program.exprs.ty(operand)).clone();
        Some(Silent { place, op, ty, kind })
    }

    fn opcode(&self) -> u8 {
        match self.op {
            ArithOp::Add => opcode::ADD,
            ArithOp::Sub | ArithOp::Neg => opcode::SUB,
            ArithOp::Mul => opcode::MUL,
            ArithOp::Div => opcode::SDIV,
            ArithOp::Exp => opcode::EXP,
        }
    }

    /// Whether an instruction at the place is the operation and leaves the type in the direction that is meant;
    /// `None` if it is not the operation. `first` and `second` are from the top of the stack.
    pub fn breaks(&self, instruction: u8, first: U256, second: U256) -> Option<bool> {
        if instruction != self.opcode() {
            return None;
        }
        // The compiler may leave bits beyond the type, which mean nothing.
        let a = clean(&self.ty, first);
        let b = if self.op == ArithOp::Exp { second } else { clean(&self.ty, second) };
        let leaves = match self.op {
            ArithOp::Neg => !fits(ArithOp::Neg, &self.ty, b, b),
            op => !fits(op, &self.ty, a, b),
        };
        Some(leaves && self.direction(a, b) == self.kind)
    }

    /// How a result that does not fit leaves the type.
    fn direction(&self, a: U256, b: U256) -> ObligationKind {
        use ObligationKind::{Overflow, Underflow};
        let signed = matches!(self.ty, Type::Int { signed: true, .. });
        let down = match self.op {
            ArithOp::Sub if signed => !b.bit(255),
            ArithOp::Add => signed && b.bit(255),
            ArithOp::Mul => signed && a.bit(255) != b.bit(255),
            ArithOp::Sub => true,
            ArithOp::Neg => !signed,
            ArithOp::Div | ArithOp::Exp => false,
        };
        if down { Underflow } else { Overflow }
    }
}

/// The operation whose result a condition says fits.
fn arithmetic_in(program: &Program, cond: ExprId) -> Option<(ArithOp, ExprId)> {
    let mut open = vec![cond];
    while let Some(e) = open.pop() {
        if let Expr::Fits(op, a, _) = program.exprs.get(e) {
            return Some((*op, *a));
        }
        program.exprs.for_each_operand(e, |operand| open.push(operand));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silent(op: ArithOp, bits: u16, signed: bool, kind: ObligationKind) -> Silent {
        let place = Place { file: "a.sol".into(), start: 0, end: 1 };
        Silent { place, op, ty: Type::Int { bits, signed }, kind }
    }

    #[test]
    fn operands_are_cleaned_and_directions_told_apart() {
        use ObligationKind::{Overflow, Underflow};
        let [one, two, max8] = [1, 2, 255].map(U256::from);
        let add = silent(ArithOp::Add, 8, false, Overflow);
        assert_eq!(add.breaks(opcode::ADD, max8, one), Some(true));
        assert_eq!(add.breaks(opcode::ADD, max8 + one, one), Some(false), "256 is 0 in eight bits");
        assert_eq!(add.breaks(opcode::MUL, max8, two), None);
        let sub = silent(ArithOp::Sub, 256, false, Underflow);
        assert_eq!(sub.breaks(opcode::SUB, one, two), Some(true));
        assert_eq!(sub.breaks(opcode::SUB, two, one), Some(false));
        let least = U256::ONE << 255;
        let down = silent(ArithOp::Sub, 256, true, Underflow);
        let up = silent(ArithOp::Sub, 256, true, Overflow);
        assert_eq!(down.breaks(opcode::SUB, least, one), Some(true));
        assert_eq!(up.breaks(opcode::SUB, least, one), Some(false));
        assert_eq!(up.breaks(opcode::SUB, one, least), Some(true));
        let neg = silent(ArithOp::Neg, 256, true, Overflow);
        assert_eq!(neg.breaks(opcode::SUB, U256::ZERO, least), Some(true));
        assert_eq!(neg.breaks(opcode::SUB, U256::ZERO, one), Some(false));
    }
}
