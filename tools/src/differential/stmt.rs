//! Random statements.

use super::generate::Generator;
use super::scope::{Place, Variable};
use super::tree::{Expr, Stmt};
use super::types::{Scalar, Ty, WORD, pick};

impl Generator<'_> {
    pub fn block(&mut self, length: u8, depth: u8) -> Vec<Stmt> {
        let mark = self.scope.vars.len();
        let count = self.rng.u8(1..=length);
        let stmts = (0..count).map(|_| self.stmt(depth)).collect();
        self.scope.leave(mark);
        stmts
    }

    pub fn stmt(&mut self, depth: u8) -> Stmt {
        let choice = if depth == 0 { self.rng.u8(0..16) } else { self.rng.u8(0..22) };
        match choice {
            0..=4 => self.assign(),
            5 => self.declare(),
            6 => self.declare_reference(),
            7 => self.copy(),
            8 => self.compound(),
            9 => self.delete(),
            10 | 11 => self.array_effect(),
            12 => self.emit(),
            13 => self.fail(),
            14 => self.swap(),
            15 => self.storage_pointer(),
            16 | 17 => self.branch(depth),
            18 => self.for_loop(depth),
            19 if !self.unchecked => self.unchecked_block(depth),
            20 => self.ret(),
            _ => self.assign(),
        }
    }

    fn assign(&mut self) -> Stmt {
        let ty = self.scalar();
        let Some((place, mut children)) = self.target(ty, 1) else { return self.declare() };
        children.push(self.expr(ty, 3));
        Stmt::simple(format!("{place} = {{}};"), children)
    }

    fn compound(&mut self) -> Stmt {
        let ty = Scalar::random_int(self.rng);
        let Some((place, mut children)) = self.target(ty, 1) else { return self.assign() };
        if self.rng.u8(0..3) == 0 {
            let op = *pick(self.rng, &["++", "--"]);
            return Stmt::simple(format!("{place}{op};"), children);
        }
        let op = *pick(self.rng, &["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="]);
        children.push(self.expr(ty, 2));
        Stmt::simple(format!("{place} {op} {{}};"), children)
    }

    fn declare(&mut self) -> Stmt {
        let ty = self.scalar();
        let value = self.expr(ty, 3);
        let name = self.scope.fresh("x");
        self.scope.add(name.clone(), Ty::Scalar(ty), Place::Stack, true);
        Stmt::simple(format!("{ty} {name} = {{}};"), vec![value])
    }

    /// A memory object: a copy of something, an alias, or new.
    fn declare_reference(&mut self) -> Stmt {
        let structs = self.structs.len();
        let ty = loop {
            let ty = Ty::random(self.rng, 1, structs);
            if ty.is_reference() && !self.has_mapping(&ty) {
                break ty;
            }
        };
        let source = self.place(&ty, 1, |_| true);
        let name = self.scope.fresh("m");
        self.scope.add(name.clone(), ty.clone(), Place::Memory, true);
        let (init, children) = match (source, &ty) {
            (Some((place, children)), _) if self.rng.u8(0..3) > 0 => (place, children),
            (_, Ty::Array(_, None) | Ty::Bytes) => {
                let length = Expr::leaf(WORD, self.rng.u8(0..6).to_string());
                (format!("new {ty}({{}})"), vec![length])
            }
            _ => {
                return Stmt::simple(format!("{ty} memory {name};"), Vec::new());
            }
        };
        Stmt::simple(format!("{ty} memory {name} = {init};"), children)
    }

    pub fn has_mapping(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Mapping(..) => true,
            Ty::Array(elem, _) => self.has_mapping(elem),
            Ty::Struct(i) => self.structs[*i].iter().any(|f| self.has_mapping(f)),
            Ty::Scalar(_) | Ty::Bytes | Ty::String => false,
        }
    }

    /// Assigns one whole object to another, across data locations.
    fn copy(&mut self) -> Stmt {
        let targets: Vec<Variable> = self
            .scope
            .vars
            .iter()
            .filter(|v| {
                v.ty.is_reference()
                    && !self.has_mapping(&v.ty)
                    && matches!(v.place, Place::Storage | Place::Memory)
            })
            .cloned()
            .collect();
        if targets.is_empty() {
            return self.declare_reference();
        }
        let target = pick(self.rng, &targets).clone();
        let Some((source, children)) = self.place(&target.ty, 1, |v| v.name != target.name) else {
            return self.assign();
        };
        Stmt::simple(format!("{} = {source};", target.name), children)
    }

    fn delete(&mut self) -> Stmt {
        let names: Vec<String> = self
            .scope
            .vars
            .iter()
            .filter(|v| v.writable && !matches!(v.ty, Ty::Mapping(..)))
            .filter(|v| !matches!(v.place, Place::Calldata | Place::StoragePointer))
            .map(|v| v.name.clone())
            .collect();
        match names.is_empty() {
            true => self.assign(),
            false => Stmt::simple(format!("delete {};", pick(self.rng, &names)), Vec::new()),
        }
    }

    /// `push` and `pop` on dynamic arrays and bytes in storage.
    fn array_effect(&mut self) -> Stmt {
        let arrays: Vec<Variable> = self
            .scope
            .vars
            .iter()
            .filter(|v| matches!(v.place, Place::Storage | Place::StoragePointer))
            .filter(|v| matches!(v.ty, Ty::Bytes | Ty::Array(_, None)))
            .cloned()
            .collect();
        if arrays.is_empty() {
            return self.assign();
        }
        let array = pick(self.rng, &arrays).clone();
        if self.rng.u8(0..6) == 0 {
            return Stmt::simple(format!("{}.pop();", array.name), Vec::new());
        }
        let elem = match &array.ty {
            Ty::Array(elem, _) => (**elem).clone(),
            _ => Ty::Scalar(Scalar::FixedBytes(1)),
        };
        match elem {
            Ty::Scalar(s) => {
                let value = self.expr(s, 2);
                Stmt::simple(format!("{}.push({{}});", array.name), vec![value])
            }
            other if !self.has_mapping(&other) && self.rng.bool() => match self.place(&other, 1, |_| true) {
                Some((place, children)) => Stmt::simple(format!("{}.push({place});", array.name), children),
                None => Stmt::simple(format!("{}.push();", array.name), Vec::new()),
            },
            _ => Stmt::simple(format!("{}.push();", array.name), Vec::new()),
        }
    }

    fn emit(&mut self) -> Stmt {
        let int = Scalar::Int { bits: 256, signed: true };
        let (kind, a) = (self.expr(WORD, 2), self.expr(int, 2));
        let packed = self.scalar();
        let packed = self.expr(packed, 1);
        Stmt::simple("emit Note({}, {}, abi.encodePacked({}));", vec![kind, a, packed])
    }

    /// Something that may end the call.
    fn fail(&mut self) -> Stmt {
        let cond = self.expr(Scalar::Bool, 2);
        match self.rng.u8(0..5) {
            0 => Stmt::simple("require({} || true, \"kept\");", vec![cond]),
            1 => Stmt::simple("require({}, \"broken\");", vec![cond]),
            2 => Stmt::simple("assert({});", vec![cond]),
            3 => {
                let (code, why) = (self.expr(WORD, 1), self.expr(Scalar::FixedBytes(32), 1));
                Stmt::simple("if ({}) revert Failed({}, {});", vec![cond, code, why])
            }
            _ => Stmt::simple("if ({}) revert();", vec![cond]),
        }
    }

    /// A tuple assignment between two places of one type.
    fn swap(&mut self) -> Stmt {
        let ty = self.scalar();
        let (Some((a, mut left)), Some((b, right))) = (self.target(ty, 0), self.target(ty, 0)) else {
            return self.assign();
        };
        left.extend(right);
        left.push(self.expr(ty, 1));
        left.push(self.expr(ty, 1));
        Stmt::simple(format!("({a}, {b}) = ({{}}, {{}});"), left)
    }

    fn storage_pointer(&mut self) -> Stmt {
        let targets: Vec<Ty> = self
            .scope
            .vars
            .iter()
            .filter(|v| v.place == Place::Storage && v.ty.is_reference())
            .map(|v| match &v.ty {
                Ty::Mapping(_, inner) | Ty::Array(inner, _) if inner.is_reference() => (**inner).clone(),
                other => other.clone(),
            })
            .filter(|ty| !matches!(ty, Ty::Mapping(..)))
            .collect();
        if targets.is_empty() {
            return self.assign();
        }
        let ty = pick(self.rng, &targets).clone();
        let Some((place, children)) = self.place(&ty, 1, |v| v.place == Place::Storage) else {
            return self.assign();
        };
        let name = self.scope.fresh("p");
        self.scope.add(name.clone(), ty.clone(), Place::StoragePointer, true);
        Stmt::simple(format!("{ty} storage {name} = {place};"), children)
    }

    fn branch(&mut self, depth: u8) -> Stmt {
        let cond = self.expr(Scalar::Bool, 3);
        let mut bodies = vec![(" ".to_owned(), self.block(3, depth - 1))];
        if self.rng.bool() {
            bodies.push((" else ".to_owned(), self.block(3, depth - 1)));
        }
        Stmt { template: "if ({})".into(), exprs: vec![cond], bodies }
    }

    fn for_loop(&mut self, depth: u8) -> Stmt {
        let mark = self.scope.vars.len();
        let name = self.scope.fresh("i");
        self.scope.add(name.clone(), Ty::Scalar(WORD), Place::Stack, false);
        let count = self.rng.u8(0..5);
        let body = self.block(3, depth - 1);
        self.scope.leave(mark);
        let head = format!("for (uint256 {name} = 0; {name} < {count}; {name}++)");
        Stmt { template: head, exprs: Vec::new(), bodies: vec![(" ".into(), body)] }
    }

    fn unchecked_block(&mut self, depth: u8) -> Stmt {
        self.unchecked = true;
        let body = self.block(4, depth - 1);
        self.unchecked = false;
        Stmt { template: "unchecked".into(), exprs: Vec::new(), bodies: vec![(" ".into(), body)] }
    }

    fn ret(&mut self) -> Stmt {
        let types = self.returns.clone();
        let values: Vec<Expr> = types.iter().map(|ty| self.expr(*ty, 2)).collect();
        let holes = vec!["{}"; values.len()].join(", ");
        Stmt::simple(format!("return ({holes});"), values)
    }
}
