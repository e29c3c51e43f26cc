//! Generated programs as trees of text, so that they can be printed and shrunk without knowing what they mean.

use super::types::{Scalar, Ty};
use std::fmt::Write;

/// Text with holes: `{}` stands for the next child.
#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Scalar,
    pub template: String,
    pub children: Vec<Expr>,
}

impl Expr {
    pub fn leaf(ty: Scalar, text: impl Into<String>) -> Expr {
        Expr { ty, template: text.into(), children: Vec::new() }
    }

    pub fn node(ty: Scalar, template: impl Into<String>, children: Vec<Expr>) -> Expr {
        Expr { ty, template: template.into(), children }
    }

    fn print(&self, out: &mut String) {
        fill(&self.template, &self.children, out);
    }
}

fn fill(template: &str, children: &[Expr], out: &mut String) {
    let mut pieces = template.split("{}");
    out.push_str(pieces.next().unwrap_or_default());
    for (piece, child) in pieces.zip(children) {
        child.print(out);
        out.push_str(piece);
    }
}

/// A statement: text with holes for expressions, then bodies. `{` and `}` around bodies are printed here.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub template: String,
    pub exprs: Vec<Expr>,
    /// Each with what stands before it (` else `).
    pub bodies: Vec<(String, Vec<Stmt>)>,
}

impl Stmt {
    pub fn simple(template: impl Into<String>, exprs: Vec<Expr>) -> Stmt {
        Stmt { template: template.into(), exprs, bodies: Vec::new() }
    }

    fn print(&self, indent: usize, out: &mut String) {
        let pad = "    ".repeat(indent);
        out.push_str(&pad);
        fill(&self.template, &self.exprs, out);
        for (before, body) in &self.bodies {
            let _ = writeln!(out, "{before}{{");
            body.iter().for_each(|s| s.print(indent + 1, out));
            let _ = write!(out, "{pad}}}");
        }
        out.push('\n');
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Type, data location (empty for scalars) and name.
    pub params: Vec<(Ty, &'static str, String)>,
    pub returns: Vec<Scalar>,
    pub body: Vec<Stmt>,
    pub public: bool,
}

impl Function {
    fn print(&self, out: &mut String) {
        let params: Vec<String> = self
            .params
            .iter()
            .map(
                |(ty, loc, name)| {
                    if loc.is_empty() { format!("{ty} {name}") } else { format!("{ty} {loc} {name}") }
                },
            )
            .collect();
        let visibility = if self.public { "public" } else { "internal" };
        let returns: Vec<String> =
            self.returns.iter().enumerate().map(|(i, ty)| format!("{ty} r{i}")).collect();
        let _ = writeln!(
            out,
            "    function {}({}) {visibility} returns ({}) {{",
            self.name,
            params.join(", "),
            returns.join(", ")
        );
        self.body.iter().for_each(|s| s.print(2, out));
        out.push_str("    }\n");
    }
}

#[derive(Clone, Debug)]
pub struct Contract {
    pub name: String,
    /// Fields of the structs `S0`, `S1`, …
    pub structs: Vec<Vec<Ty>>,
    pub state: Vec<(Ty, String)>,
    pub functions: Vec<Function>,
}

impl Contract {
    pub fn print(&self) -> String {
        let mut out = format!("contract {} {{\n", self.name);
        out.push_str("    enum E { A, B, C }\n");
        out.push_str("    error Failed(uint256 code, bytes32 why);\n");
        out.push_str("    event Note(uint256 indexed kind, int256 a, bytes b);\n");
        for (i, fields) in self.structs.iter().enumerate() {
            let _ = writeln!(out, "    struct S{i} {{");
            for (j, field) in fields.iter().enumerate() {
                let _ = writeln!(out, "        {field} f{j};");
            }
            out.push_str("    }\n");
        }
        for (ty, name) in &self.state {
            let _ = writeln!(out, "    {ty} {name};");
        }
        self.functions.iter().for_each(|f| f.print(&mut out));
        out.push_str("}\n");
        out
    }
}
