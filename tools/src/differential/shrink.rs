//! Makes a failing contract small: drops functions, statements and bodies, and replaces expressions by simpler ones,
//! as long as it still fails.

use super::tree::{Contract, Expr, Stmt};
use super::types::Scalar;

/// Tries smaller variants until none of them fails or the budget of tries is used up.
pub fn shrink(contract: Contract, mut fails: impl FnMut(&Contract) -> bool, mut budget: usize) -> Contract {
    let mut best = contract;
    loop {
        let mut improved = false;
        for candidate in variants(&best) {
            if budget == 0 {
                return best;
            }
            budget -= 1;
            if fails(&candidate) {
                best = candidate;
                improved = true;
                break;
            }
        }
        if !improved {
            return best;
        }
    }
}

/// All contracts that are one step smaller, the boldest steps first.
fn variants(contract: &Contract) -> Vec<Contract> {
    let mut out = Vec::new();
    for f in 0..contract.functions.len() {
        let mut smaller = contract.clone();
        smaller.functions.remove(f);
        out.push(smaller);
    }
    for f in 0..contract.functions.len() {
        for body in smaller_bodies(&contract.functions[f].body) {
            let mut smaller = contract.clone();
            smaller.functions[f].body = body;
            out.push(smaller);
        }
    }
    for s in 0..contract.state.len() {
        let mut smaller = contract.clone();
        smaller.state.remove(s);
        out.push(smaller);
    }
    out
}

fn smaller_bodies(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut out = Vec::new();
    for i in (0..body.len()).rev() {
        let mut without = body.to_vec();
        without.remove(i);
        out.push(without);
    }
    for (i, stmt) in body.iter().enumerate() {
        for replacement in smaller_stmts(stmt) {
            let mut changed = body.to_vec();
            changed.splice(i..=i, replacement);
            out.push(changed);
        }
    }
    out
}

fn smaller_stmts(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    let mut out = Vec::new();
    for (b, (_, inner)) in stmt.bodies.iter().enumerate() {
        out.push(inner.clone());
        for body in smaller_bodies(inner) {
            let mut changed = stmt.clone();
            changed.bodies[b].1 = body;
            out.push(vec![changed]);
        }
    }
    for (e, expr) in stmt.exprs.iter().enumerate() {
        for simpler in smaller_exprs(expr) {
            let mut changed = stmt.clone();
            changed.exprs[e] = simpler;
            out.push(vec![changed]);
        }
    }
    out
}

fn smaller_exprs(expr: &Expr) -> Vec<Expr> {
    if expr.children.is_empty() {
        return Vec::new();
    }
    let mut out = vec![zero(expr.ty)];
    out.extend(expr.children.iter().filter(|c| c.ty == expr.ty).cloned());
    for (i, child) in expr.children.iter().enumerate() {
        for simpler in smaller_exprs(child) {
            let mut changed = expr.clone();
            changed.children[i] = simpler;
            out.push(changed);
        }
    }
    out
}

fn zero(ty: Scalar) -> Expr {
    let text = match ty {
        Scalar::Bool => "false".to_owned(),
        Scalar::Enum => "E.A".to_owned(),
        Scalar::Int { .. } | Scalar::FixedBytes(_) => format!("{ty}(0)"),
        Scalar::Address => "address(0)".to_owned(),
    };
    Expr::leaf(ty, text)
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;

    #[test]
    fn shrinks_to_what_matters() {
        let contract = generate::contract("C", 3);
        let fails = |c: &Contract| c.functions.iter().any(|f| f.name == "f0");
        let small = shrink(contract, fails, 10_000);
        assert_eq!(small.functions.len(), 1);
        assert!(small.functions[0].body.is_empty());
        assert!(small.state.is_empty());
    }
}
