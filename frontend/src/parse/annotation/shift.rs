//! Moves a parsed expression to the place in the file where its text stands.

use solang_parser::pt::{Expression, Identifier, Loc, NamedArgument, Type};

/// Start, end and message of something that has no place in annotations.
type Refused = (usize, usize, &'static str);

fn shift(loc: &mut Loc, by: isize) {
    if let Loc::File(_, start, end) = loc {
        *start = start.saturating_add_signed(by);
        *end = end.saturating_add_signed(by);
    }
}

fn shift_name(name: &mut Identifier, by: isize) {
    shift(&mut name.loc, by);
}

fn refuse(loc: &Loc, message: &'static str) -> Result<(), Refused> {
    let (start, end) = super::super::loc_range(loc).unwrap_or_default();
    Err((start, end, message))
}

pub(super) fn shift_expression(e: &mut Expression, by: isize) -> Result<(), Refused> {
    use Expression as E;
    match e {
        E::FunctionCallBlock(loc, ..) => {
            return refuse(loc, "calls with options cannot stand in annotations");
        }
        E::List(loc, _) => return refuse(loc, "tuples cannot stand in annotations"),
        E::New(loc, _) => return refuse(loc, "`new` cannot stand in annotations"),
        E::Type(loc, Type::Function { .. } | Type::Mapping { .. }) => {
            return refuse(loc, "this type cannot stand in annotations");
        }
        E::Delete(loc, _)
        | E::PostIncrement(loc, _)
        | E::PostDecrement(loc, _)
        | E::PreIncrement(loc, _)
        | E::PreDecrement(loc, _)
        | E::Assign(loc, ..)
        | E::AssignOr(loc, ..)
        | E::AssignAnd(loc, ..)
        | E::AssignXor(loc, ..)
        | E::AssignShiftLeft(loc, ..)
        | E::AssignShiftRight(loc, ..)
        | E::AssignAdd(loc, ..)
        | E::AssignSubtract(loc, ..)
        | E::AssignMultiply(loc, ..)
        | E::AssignDivide(loc, ..)
        | E::AssignModulo(loc, ..) => return refuse(loc, "annotations cannot change anything"),
        E::Parenthesis(loc, x)
        | E::Not(loc, x)
        | E::BitwiseNot(loc, x)
        | E::UnaryPlus(loc, x)
        | E::Negate(loc, x) => {
            shift(loc, by);
            shift_expression(x, by)?;
        }
        E::MemberAccess(loc, x, name) => {
            shift(loc, by);
            shift_name(name, by);
            shift_expression(x, by)?;
        }
        E::Power(loc, a, b)
        | E::Multiply(loc, a, b)
        | E::Divide(loc, a, b)
        | E::Modulo(loc, a, b)
        | E::Add(loc, a, b)
        | E::Subtract(loc, a, b)
        | E::ShiftLeft(loc, a, b)
        | E::ShiftRight(loc, a, b)
        | E::BitwiseAnd(loc, a, b)
        | E::BitwiseXor(loc, a, b)
        | E::BitwiseOr(loc, a, b)
        | E::Less(loc, a, b)
        | E::More(loc, a, b)
        | E::LessEqual(loc, a, b)
        | E::MoreEqual(loc, a, b)
        | E::Equal(loc, a, b)
        | E::NotEqual(loc, a, b)
        | E::And(loc, a, b)
        | E::Or(loc, a, b) => {
            shift(loc, by);
            shift_expression(a, by)?;
            shift_expression(b, by)?;
        }
        E::ConditionalOperator(loc, a, b, c) => {
            shift(loc, by);
            for part in [a, b, c] {
                shift_expression(part, by)?;
            }
        }
        E::ArraySubscript(loc, a, b) => {
            shift(loc, by);
            shift_expression(a, by)?;
            b.iter_mut().try_for_each(|x| shift_expression(x, by))?;
        }
        E::ArraySlice(loc, a, b, c) => {
            shift(loc, by);
            shift_expression(a, by)?;
            b.iter_mut().chain(c).try_for_each(|x| shift_expression(x, by))?;
        }
        E::FunctionCall(loc, callee, args) => {
            shift(loc, by);
            shift_expression(callee, by)?;
            args.iter_mut().try_for_each(|x| shift_expression(x, by))?;
        }
        E::NamedFunctionCall(loc, callee, args) => {
            shift(loc, by);
            shift_expression(callee, by)?;
            for NamedArgument { loc, name, expr } in args {
                shift(loc, by);
                shift_name(name, by);
                shift_expression(expr, by)?;
            }
        }
        E::ArrayLiteral(loc, items) => {
            shift(loc, by);
            items.iter_mut().try_for_each(|x| shift_expression(x, by))?;
        }
        E::NumberLiteral(loc, _, _, unit)
        | E::RationalNumberLiteral(loc, _, _, _, unit)
        | E::HexNumberLiteral(loc, _, unit) => {
            shift(loc, by);
            unit.iter_mut().for_each(|name| shift_name(name, by));
        }
        E::BoolLiteral(loc, _) | E::Type(loc, _) | E::AddressLiteral(loc, _) => shift(loc, by),
        E::StringLiteral(parts) => parts.iter_mut().for_each(|part| shift(&mut part.loc, by)),
        E::HexLiteral(parts) => parts.iter_mut().for_each(|part| shift(&mut part.loc, by)),
        E::Variable(name) => shift_name(name, by),
    }
    Ok(())
}
