//! Random expressions of a wanted type.

use super::generate::Generator;
use super::literal::literal;
use super::scope::{Place, Variable};
use super::tree::Expr;
use super::types::{Scalar, Ty, WORD, pick};

/// Something with an element or member that can be read (and, with `writable`, assigned).
struct Path {
    /// Text with holes for the index expressions.
    template: String,
    children: Vec<Expr>,
    ty: Ty,
}

impl Generator<'_> {
    pub fn expr(&mut self, ty: Scalar, depth: u8) -> Expr {
        if depth == 0 || self.rng.u8(0..10) == 0 {
            return self.atom(ty);
        }
        if self.rng.u8(0..4) == 0
            && let Some(read) = self.read(ty, depth)
        {
            return read;
        }
        match self.rng.u8(0..12) {
            0 => self.conversion(ty, depth),
            1 => {
                let cond = self.expr(Scalar::Bool, depth - 1);
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                Expr::node(ty, "({} ? {} : {})", vec![cond, a, b])
            }
            2 => self.call(ty, depth).unwrap_or_else(|| self.atom(ty)),
            3 if self.effects => self.assignment(ty, depth).unwrap_or_else(|| self.atom(ty)),
            _ => self.operation(ty, depth),
        }
    }

    fn atom(&mut self, ty: Scalar) -> Expr {
        if self.rng.u8(0..3) > 0
            && let Some(read) = self.read(ty, 0)
        {
            return read;
        }
        Expr::leaf(ty, literal(self.rng, ty))
    }

    /// Reads a variable, or an element or member of one.
    fn read(&mut self, ty: Scalar, depth: u8) -> Option<Expr> {
        let path = self.path(&Ty::Scalar(ty), depth, |_| true)?;
        Some(Expr::node(ty, path.template, path.children))
    }

    /// An assignable place of a scalar type.
    pub fn target(&mut self, ty: Scalar, depth: u8) -> Option<(String, Vec<Expr>)> {
        let path = self.path(&Ty::Scalar(ty), depth, |v| v.writable && v.place != Place::Calldata)?;
        Some((path.template, path.children))
    }

    /// A place of any type, for copies; the variable must pass the filter.
    pub fn place(
        &mut self,
        ty: &Ty,
        depth: u8,
        filter: impl Fn(&Variable) -> bool,
    ) -> Option<(String, Vec<Expr>)> {
        let path = self.path(ty, depth, filter)?;
        Some((path.template, path.children))
    }

    fn path(&mut self, wanted: &Ty, depth: u8, filter: impl Fn(&Variable) -> bool) -> Option<Path> {
        let candidates: Vec<Variable> =
            self.scope.vars.iter().filter(|v| filter(v) && self.reaches(&v.ty, wanted, 3)).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        let variable = pick(self.rng, &candidates).clone();
        let mut path = Path { template: variable.name, children: Vec::new(), ty: variable.ty };
        while path.ty != *wanted {
            self.step(&mut path, wanted, depth);
        }
        Some(path)
    }

    /// Whether a value of the wanted type can be found inside a value of type `ty`.
    fn reaches(&self, ty: &Ty, wanted: &Ty, fuel: u8) -> bool {
        if ty == wanted {
            return true;
        }
        if fuel == 0 {
            return false;
        }
        match ty {
            Ty::Scalar(_) | Ty::String => false,
            Ty::Bytes => *wanted == Ty::Scalar(Scalar::FixedBytes(1)),
            Ty::Array(elem, _) | Ty::Mapping(_, elem) => self.reaches(elem, wanted, fuel - 1),
            Ty::Struct(i) => self.structs[*i].iter().any(|f| self.reaches(f, wanted, fuel - 1)),
        }
    }

    /// One step towards the wanted type.
    fn step(&mut self, path: &mut Path, wanted: &Ty, depth: u8) {
        match path.ty.clone() {
            Ty::Struct(i) => {
                let fields: Vec<usize> = (0..self.structs[i].len())
                    .filter(|f| self.reaches(&self.structs[i][*f], wanted, 2))
                    .collect();
                let field = if fields.is_empty() { 0 } else { *pick(self.rng, &fields) };
                path.template.push_str(&format!(".f{field}"));
                path.ty = self.structs[i][field].clone();
            }
            Ty::Array(elem, len) => {
                let index = self.index(len, depth);
                path.template.push_str("[{}]");
                path.children.push(index);
                path.ty = *elem;
            }
            Ty::Bytes => {
                let index = self.index(None, depth);
                path.template.push_str("[{}]");
                path.children.push(index);
                path.ty = Ty::Scalar(Scalar::FixedBytes(1));
            }
            Ty::Mapping(key, value) => {
                let key = self.expr(key, depth.saturating_sub(1));
                path.template.push_str("[{}]");
                path.children.push(key);
                path.ty = *value;
            }
            Ty::Scalar(_) | Ty::String => path.ty = wanted.clone(),
        }
    }

    /// Mostly in range.
    fn index(&mut self, len: Option<u8>, depth: u8) -> Expr {
        if depth > 0 && self.rng.u8(0..6) == 0 {
            return self.expr(WORD, depth - 1);
        }
        // Dynamic arrays grow one by one: small indices are the likely ones to exist.
        let bound = len.unwrap_or(if self.rng.u8(0..6) == 0 { 4 } else { 1 });
        Expr::leaf(WORD, self.rng.u8(0..bound).to_string())
    }

    /// The type of something in scope, so that what is generated has to do with the contract's own data.
    pub fn scalar(&mut self) -> Scalar {
        if self.scope.vars.is_empty() || self.rng.u8(0..5) == 0 {
            return Scalar::random(self.rng);
        }
        let mut ty = self.scope.vars[self.rng.usize(0..self.scope.vars.len())].ty.clone();
        loop {
            ty = match ty {
                Ty::Scalar(scalar) => return scalar,
                Ty::Bytes => return Scalar::FixedBytes(1),
                Ty::String => return WORD,
                Ty::Array(elem, _) | Ty::Mapping(_, elem) => *elem,
                Ty::Struct(i) => self.structs[i][self.rng.usize(0..self.structs[i].len())].clone(),
            };
        }
    }

    fn conversion(&mut self, ty: Scalar, depth: u8) -> Expr {
        match ty {
            Scalar::Int { bits, signed } => {
                let from = Scalar::random_int(self.rng);
                let Scalar::Int { bits: from_bits, .. } = from else { return self.atom(ty) };
                let inner = self.expr(from, depth - 1);
                // Sign and width cannot change in one conversion.
                let middle = Scalar::Int { bits: from_bits, signed };
                let _ = bits;
                Expr::node(ty, format!("{ty}({middle}({{}}))"), vec![inner])
            }
            Scalar::FixedBytes(n) => {
                if self.rng.bool() {
                    let from = Scalar::Int { bits: 8 * n as u16, signed: false };
                    let inner = self.expr(from, depth - 1);
                    return Expr::node(ty, format!("{ty}({{}})"), vec![inner]);
                }
                let from = Scalar::FixedBytes(self.rng.u8(1..=32));
                let inner = self.expr(from, depth - 1);
                Expr::node(ty, format!("{ty}({{}})"), vec![inner])
            }
            Scalar::Address => {
                let inner = self.expr(Scalar::Int { bits: 160, signed: false }, depth - 1);
                Expr::node(ty, "address({})", vec![inner])
            }
            Scalar::Enum => {
                let inner = self.expr(Scalar::Int { bits: 8, signed: false }, depth - 1);
                // Out of range panics; keep most of them in range.
                let template = if self.rng.u8(0..4) == 0 { "E({})" } else { "E({} % 3)" };
                Expr::node(ty, template, vec![inner])
            }
            Scalar::Bool => self.operation(ty, depth),
        }
    }

    fn operation(&mut self, ty: Scalar, depth: u8) -> Expr {
        match ty {
            Scalar::Int { signed, .. } => self.int_operation(ty, signed, depth),
            Scalar::Bool => self.bool_operation(depth),
            Scalar::FixedBytes(n) => self.bytes_operation(ty, n, depth),
            Scalar::Address | Scalar::Enum => self.conversion(ty, depth),
        }
    }

    fn int_operation(&mut self, ty: Scalar, signed: bool, depth: u8) -> Expr {
        if ty == WORD && self.rng.u8(0..4) == 0 {
            return self.word_operation(depth);
        }
        let template = match self.rng.u8(0..14) {
            0..=2 => "({} + {})",
            3..=4 => "({} - {})",
            5..=6 => "({} * {})",
            7 => "({} / {})",
            8 => "({} % {})",
            9 => "({} & {})",
            10 => "({} | {})",
            11 => return self.shift(ty, depth),
            12 => {
                let base = self.expr(ty, depth - 1);
                let exponent = Scalar::Int { bits: 8, signed: false };
                let exponent = if self.rng.bool() {
                    Expr::leaf(exponent, self.rng.u8(0..5).to_string())
                } else {
                    self.expr(exponent, 0)
                };
                return Expr::node(ty, "({} ** {})", vec![base, exponent]);
            }
            _ => {
                let inner = self.expr(ty, depth - 1);
                let template = if signed && self.rng.bool() { "(-{})" } else { "(~{})" };
                return Expr::node(ty, template, vec![inner]);
            }
        };
        let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        Expr::node(ty, template, vec![a, b])
    }

    fn shift(&mut self, ty: Scalar, depth: u8) -> Expr {
        let value = self.expr(ty, depth - 1);
        let amount = self.expr(Scalar::Int { bits: 8, signed: false }, 0);
        let template = if self.rng.bool() { "({} << {})" } else { "({} >> {})" };
        Expr::node(ty, template, vec![value, amount])
    }

    fn bool_operation(&mut self, depth: u8) -> Expr {
        let ty = Scalar::Bool;
        match self.rng.u8(0..8) {
            0 => {
                let inner = self.expr(ty, depth - 1);
                Expr::node(ty, "(!{})", vec![inner])
            }
            1 | 2 => {
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                let template = if self.rng.bool() { "({} && {})" } else { "({} || {})" };
                Expr::node(ty, template, vec![a, b])
            }
            _ => {
                let operand = self.scalar();
                let (a, b) = (self.expr(operand, depth - 1), self.expr(operand, depth - 1));
                let op = if operand == Scalar::Bool {
                    *pick(self.rng, &["==", "!="])
                } else {
                    *pick(self.rng, &["==", "!=", "<", "<=", ">", ">="])
                };
                Expr::node(ty, format!("({{}} {op} {{}})"), vec![a, b])
            }
        }
    }

    fn bytes_operation(&mut self, ty: Scalar, n: u8, depth: u8) -> Expr {
        match self.rng.u8(0..6) {
            0 => self.shift(ty, depth),
            1 => {
                let inner = self.expr(ty, depth - 1);
                Expr::node(ty, "(~{})", vec![inner])
            }
            2 if n == 32 => {
                let operand = self.scalar();
                let (a, b) = (self.expr(operand, depth - 1), self.expr(WORD, depth - 1));
                let how = *pick(
                    self.rng,
                    &[
                        "keccak256(abi.encode({}, {}))",
                        "keccak256(abi.encodePacked({}, {}))",
                        "sha256(abi.encode({}, {}))",
                    ],
                );
                Expr::node(ty, how, vec![a, b])
            }
            3 if n == 1 => {
                let from = Scalar::FixedBytes(self.rng.u8(2..=32));
                let inner = self.expr(from, depth - 1);
                let index = self.expr(Scalar::Int { bits: 8, signed: false }, 0);
                Expr::node(ty, "{}[{} % 40]", vec![inner, index])
            }
            _ => {
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                let op = *pick(self.rng, &["&", "|", "^"]);
                Expr::node(ty, format!("({{}} {op} {{}})"), vec![a, b])
            }
        }
    }

    /// Operations that only `uint256` has.
    fn word_operation(&mut self, depth: u8) -> Expr {
        if self.rng.bool() {
            let (a, b, m) =
                (self.expr(WORD, depth - 1), self.expr(WORD, depth - 1), self.expr(WORD, depth - 1));
            let name = *pick(self.rng, &["addmod", "mulmod"]);
            return Expr::node(WORD, format!("{name}({{}}, {{}}, {{}})"), vec![a, b, m]);
        }
        let measured: Vec<String> = self
            .scope
            .vars
            .iter()
            .filter(|v| matches!(v.ty, Ty::Bytes | Ty::Array(_, _)))
            .map(|v| v.name.clone())
            .collect();
        match measured.is_empty() {
            true => self.atom(WORD),
            false => Expr::leaf(WORD, format!("{}.length", pick(self.rng, &measured))),
        }
    }

    /// A call of an internal function with this result, further down the list so that nothing recurses.
    fn call(&mut self, ty: Scalar, depth: u8) -> Option<Expr> {
        let candidates: Vec<(String, Vec<Scalar>)> =
            self.helpers.iter().filter(|h| h.1 == ty).map(|h| (h.0.clone(), h.2.clone())).collect();
        if candidates.is_empty() {
            return None;
        }
        let (name, params) = pick(self.rng, &candidates).clone();
        let args: Vec<Expr> = params.iter().map(|p| self.expr(*p, depth - 1)).collect();
        let holes = vec!["{}"; args.len()].join(", ");
        Some(Expr::node(ty, format!("{name}({holes})"), args))
    }

    /// An assignment or increment used as a value.
    fn assignment(&mut self, ty: Scalar, depth: u8) -> Option<Expr> {
        let (place, mut children) = self.target(ty, 0)?;
        if matches!(ty, Scalar::Int { .. }) && self.rng.bool() {
            let template = match self.rng.u8(0..4) {
                0 => format!("({place}++)"),
                1 => format!("({place}--)"),
                2 => format!("(++{place})"),
                _ => format!("(--{place})"),
            };
            return Some(Expr::node(ty, template, children));
        }
        children.push(self.expr(ty, depth - 1));
        Some(Expr::node(ty, format!("({place} = {{}})"), children))
    }
}
