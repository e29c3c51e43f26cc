//! Values out of a solver's model.

use super::Reason;
use super::process::{Process, Until};
use crate::term::{ArrayValue, Printer, TermId, Terms, Value};
use easy_smt::{Context, SExpr, SExprData};
use num_bigint::BigUint;
use num_traits::Num;

pub(super) fn read_values(
    process: &mut Process,
    printer: &Printer,
    terms: &Terms,
    wanted: &[TermId],
    until: Until,
) -> Result<Vec<Value>, Reason> {
    let texts: Vec<Option<String>> = wanted.iter().map(|term| printer.expression(terms, *term)).collect();
    let asked: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
    if asked.is_empty() {
        return Ok(wanted.iter().map(|_| Value::Opaque("lambda".into())).collect());
    }
    let command = format!("(get-value ({}))", asked.join(" "));
    let found: Option<Vec<Value>> = process.ask(&command, until, |context, reply| {
        let pairs = context.get_list(reply)?;
        pairs.iter().map(|pair| Some(value(context, *context.get_list(*pair)?.get(1)?))).collect()
    })?;
    let mut found = found
        .filter(|found| found.len() == asked.len())
        .ok_or_else(|| Reason::GaveUp("the model cannot be read".into()))?
        .into_iter();
    Ok(texts
        .iter()
        .map(|text| text.as_ref().and_then(|_| found.next()).unwrap_or(Value::Opaque("lambda".into())))
        .collect())
}

fn value(context: &Context, expr: SExpr) -> Value {
    let reader = Reader { context, bindings: Vec::new() };
    reader.value(expr).unwrap_or_else(|| Value::Opaque(context.display(expr).to_string()))
}

#[derive(Clone)]
struct Reader<'a> {
    context: &'a Context,
    /// What `let` has named, innermost last.
    bindings: Vec<(&'a str, Value)>,
}

impl<'a> Reader<'a> {
    fn value(&self, expr: SExpr) -> Option<Value> {
        match self.context.get(expr) {
            SExprData::Atom(atom) => self.atom(atom),
            SExprData::String(_) => None,
            SExprData::List(items) => self.list(items),
        }
    }

    fn atom(&self, atom: &str) -> Option<Value> {
        if let Some(digits) = atom.strip_prefix("#x") {
            let width = u32::try_from(digits.len()).ok()? * 4;
            return Some(Value::BitVec(BigUint::from_str_radix(digits, 16).ok()?, width));
        }
        if let Some(digits) = atom.strip_prefix("#b") {
            let width = u32::try_from(digits.len()).ok()?;
            return Some(Value::BitVec(BigUint::from_str_radix(digits, 2).ok()?, width));
        }
        match atom {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ if atom.starts_with(|c: char| c.is_ascii_digit()) => atom.parse().ok().map(Value::Int),
            _ => self.bindings.iter().rev().find(|(name, _)| *name == atom).map(|(_, value)| value.clone()),
        }
    }

    fn list(&self, items: &'a [SExpr]) -> Option<Value> {
        let (head, rest) = items.split_first()?;
        match (self.context.get(*head), rest) {
            (SExprData::Atom("-"), [number]) => match self.value(*number)? {
                Value::Int(number) => Some(Value::Int(-number)),
                _ => None,
            },
            // `(_ bv10 32)`
            (SExprData::Atom("_"), [number, width]) => {
                let number = self.context.get_atom(*number)?.strip_prefix("bv")?;
                Some(Value::BitVec(number.parse().ok()?, self.context.get_u32(*width)?))
            }
            (SExprData::Atom("store"), [..]) => self.stores(items),
            (SExprData::Atom("lambda"), [variables, body]) => self.lambda(*variables, *body),
            (SExprData::Atom("let"), [bindings, body]) => self.with_bindings(*bindings)?.value(*body),
            // `((as const (Array Int Int)) 0)`
            (SExprData::List([word, constant, _]), [element])
                if self.is(*word, "as") && self.is(*constant, "const") =>
            {
                Some(Value::array(self.value(*element)?))
            }
            _ => None,
        }
    }

    fn is(&self, expr: SExpr, atom: &str) -> bool {
        self.context.get_atom(expr) == Some(atom)
    }

    /// `(store (store base i v) j w)`, however deep.
    fn stores(&self, items: &'a [SExpr]) -> Option<Value> {
        let mut writes = Vec::new();
        let mut items = items;
        let base = loop {
            let &[_, array, index, element] = items else { return None };
            writes.push((self.value(index)?, self.value(element)?));
            match self.context.get_list(array) {
                Some(inner) if inner.first().is_some_and(|head| self.is(*head, "store")) => items = inner,
                _ => break array,
            }
        };
        let Value::Array(mut table) = self.value(base)? else { return None };
        for (index, element) in writes.into_iter().rev() {
            table.set(index, element);
        }
        Some(Value::Array(table))
    }

    /// `(lambda ((x Int)) (ite (= x 3) a (ite (= x 4) b c)))` is a table; other bodies are not.
    fn lambda(&self, variables: SExpr, body: SExpr) -> Option<Value> {
        let &[variable] = self.context.get_list(variables)? else { return None };
        let &[name, _] = self.context.get_list(variable)? else { return None };
        let name = self.context.get_atom(name)?;
        let mut entries: Vec<(Value, Value)> = Vec::new();
        let mut body = body;
        while let Some(&[head, cond, then, other]) = self.context.get_list(body)
            && self.is(head, "ite")
        {
            entries.push((self.equal_to(name, cond)?, self.value(then)?));
            body = other;
        }
        let mut table = ArrayValue { default: self.value(body)?, entries: Vec::new() };
        // The first condition that holds decides, so it is written last.
        for (index, element) in entries.into_iter().rev() {
            table.set(index, element);
        }
        Some(Value::Array(Box::new(table)))
    }

    /// `v` in `(= name v)` or `(= v name)`.
    fn equal_to(&self, name: &str, cond: SExpr) -> Option<Value> {
        let &[eq, a, b] = self.context.get_list(cond)? else { return None };
        match (self.is(eq, "="), self.is(a, name), self.is(b, name)) {
            (true, true, false) => self.value(b),
            (true, false, true) => self.value(a),
            _ => None,
        }
    }

    fn with_bindings(&self, bindings: SExpr) -> Option<Reader<'a>> {
        let mut inner = self.clone();
        for binding in self.context.get_list(bindings)? {
            let &[name, expr] = self.context.get_list(*binding)? else { return None };
            inner.bindings.push((self.context.get_atom(name)?, self.value(expr)?));
        }
        Some(inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(n: i64) -> Value {
        Value::Int(n.into())
    }

    #[test]
    fn lambdas_that_are_tables_are_tables() {
        let context = easy_smt::ContextBuilder::new().build().expect("no process");
        let atom = |name: &str| context.atom(name);
        let eq = |a, b| context.eq(a, b);
        let vars = context.list(vec![context.list(vec![atom("x"), atom("Int")])]);
        let inner = context.ite(eq(atom("4"), atom("x")), atom("6"), atom("0"));
        let body = context.ite(eq(atom("x"), atom("3")), atom("5"), inner);
        let lambda = context.list(vec![atom("lambda"), vars, body]);
        let Value::Array(table) = value(&context, lambda) else { panic!("not a table") };
        assert_eq!((table.get(&int(3)), table.get(&int(4)), table.get(&int(9))), (&int(5), &int(6), &int(0)));

        let growing = context.list(vec![atom("lambda"), vars, context.plus(atom("x"), atom("1"))]);
        assert!(matches!(value(&context, growing), Value::Opaque(_)));
    }
}
