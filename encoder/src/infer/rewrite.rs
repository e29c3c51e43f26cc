//! Expressions with parts replaced.

use hornet_ir::expr::{Expr, Place, Root, Step};
use hornet_ir::ids::{ExprId, PlaceId};
use hornet_ir::program::Program;

/// Replaces the largest parts for which `replace` has something else. `None` for expressions that claims are not made of.
pub fn rewrite(
    program: &mut Program,
    e: ExprId,
    replace: &mut dyn FnMut(&mut Program, ExprId) -> Option<ExprId>,
) -> Option<ExprId> {
    if let Some(other) = replace(program, e) {
        return Some(other);
    }
    let ty = program.exprs.ty(e);
    Some(match program.exprs.get(e).clone() {
        Expr::Const(_) | Expr::Local(_) | Expr::Env(_) | Expr::Bound(_) => e,
        Expr::Load(place) => {
            let place = rewrite_place(program, place, replace)?;
            program.load(place)
        }
        Expr::Length(place) => {
            let place = rewrite_place(program, place, replace)?;
            program.length(place)
        }
        Expr::Ref(place) => {
            let place = rewrite_place(program, place, replace)?;
            program.storage_ref(place)
        }
        Expr::Unary(op, a) => {
            let a = rewrite(program, a, replace)?;
            program.unary(op, a)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (rewrite(program, a, replace)?, rewrite(program, b, replace)?);
            program.binary(op, a, b)
        }
        Expr::Cast(a) => {
            let a = rewrite(program, a, replace)?;
            program.cast(a, ty)
        }
        Expr::Builtin(builtin, args) => {
            let args = args.iter().map(|a| rewrite(program, *a, replace)).collect::<Option<Vec<_>>>()?;
            program.builtin(builtin, &args)
        }
        Expr::AbiEncode { mode, strict, selector: None, types, args } => {
            let args = args.iter().map(|a| rewrite(program, *a, replace)).collect::<Option<Vec<_>>>()?;
            program.abi_encode_as(mode, strict, None, types.into_vec(), &args)
        }
        Expr::BytesConst(_)
        | Expr::Default
        | Expr::Fits(..)
        | Expr::Ite(..)
        | Expr::FnPointer(_)
        | Expr::AbiEncode { .. }
        | Expr::LibraryAddress(_)
        | Expr::ContractCode { .. }
        | Expr::MakeCalldataRef { .. }
        | Expr::Old(_)
        | Expr::Before(_)
        | Expr::Quantified { .. }
        | Expr::Sum { .. }
        | Expr::DeepEq(..) => return None,
    })
}

fn rewrite_place(
    program: &mut Program,
    id: PlaceId,
    replace: &mut dyn FnMut(&mut Program, ExprId) -> Option<ExprId>,
) -> Option<PlaceId> {
    let Place { root, steps } = program.exprs.place(id).clone();
    let root = match root {
        Root::State(_) => root,
        Root::Storage(e) => {
            let reference = rewrite(program, e, replace)?;
            match *program.exprs.get(reference) {
                // A reference to a known place is that place.
                Expr::Ref(inner) => {
                    let Place { root, steps: first } = program.exprs.place(inner).clone();
                    let rest = rewrite_steps(program, &steps, replace)?;
                    let steps: Vec<Step> = first.iter().copied().chain(rest).collect();
                    return program.place(root, &steps);
                }
                _ => Root::Storage(reference),
            }
        }
        Root::Memory(e) => Root::Memory(rewrite(program, e, replace)?),
        Root::Calldata(e) => Root::Calldata(rewrite(program, e, replace)?),
    };
    let steps = rewrite_steps(program, &steps, replace)?;
    program.place(root, &steps)
}

fn rewrite_steps(
    program: &mut Program,
    steps: &[Step],
    replace: &mut dyn FnMut(&mut Program, ExprId) -> Option<ExprId>,
) -> Option<Vec<Step>> {
    let step = |step: &Step| match step {
        Step::Field(field) => Some(Step::Field(*field)),
        Step::Index(e) => rewrite(program, *e, replace).map(Step::Index),
    };
    steps.iter().map(step).collect()
}
