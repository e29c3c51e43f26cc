//! Conditions on named values, as Solidity expressions.

use super::names::{Pattern, leaf_names};
use super::notation::Format;
use super::predicates::Slot;
use crate::Var;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::StateVarId;
use hornet_ir::program::Program;
use hornet_smt::term::{Op, Sort, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Longer texts explain nothing.
const LONGEST: usize = 600;

/// What a symbol is called in the source, and how its values are written.
#[derive(Clone, Debug)]
pub struct Name {
    pub pattern: Pattern,
    pub format: Format,
}

/// The name of a slot; `local` tells those of local variables.
pub fn name_of(program: &Program, slot: Slot, local: &dyn Fn(Var) -> Option<String>) -> Option<Name> {
    let number = Format::Number { signed: false, bits: 256 };
    let plain = |text: &str, format: Format| Some(Name { pattern: Pattern::plain(text), format });
    let (var, leaf) = match slot {
        Slot::Leaf(var, leaf) => (var, leaf),
        Slot::Sum(Var::State(id), leaf) => return sum_name(program, id, leaf),
        Slot::Sum(..) | Slot::Passed(..) => return None,
        Slot::Balance => return plain("address(this).balance", number),
        Slot::This => return plain("address(this)", Format::Address),
    };
    let (name, ty) = match var {
        Var::State(id) => (program.state[id].name.clone(), program.state[id].ty),
        Var::Local(_, _, ty) => (local(var)?, ty),
        Var::Caller => return plain("msg.sender", Format::Address),
        Var::CallValue => return plain("msg.value", number),
        Var::Env(EnvVar::Timestamp, _) => return plain("block.timestamp", number),
        Var::Env(EnvVar::Number, _) => return plain("block.number", number),
        _ => return None,
    };
    let (pattern, format) = leaf_names(program, ty, &Pattern::plain(&name)).into_iter().nth(leaf)??;
    Some(Name { pattern, format })
}

/// The sum over a state variable, as annotations write it; over members of structs they have no short form.
fn sum_name(program: &Program, var: StateVarId, leaf: usize) -> Option<Name> {
    let decl = &program.state[var];
    let (pattern, format) =
        leaf_names(program, decl.ty, &Pattern::plain(&decl.name)).into_iter().nth(leaf)??;
    let plain = format!("{}[]", decl.name);
    (pattern.with(&[String::new()]) == plain)
        .then(|| Name { pattern: Pattern::plain(&format!("sum({})", decl.name)), format })
}

/// Writes terms over named symbols.
pub struct Writer<'a> {
    terms: &'a Terms,
    names: FxHashMap<TermId, Name>,
    /// Whether it is to be read as an annotation, where nothing is true of elements that are not there.
    annotates: bool,
    /// When the comparison at hand means nothing, because an index in it would be less than zero.
    senseless: RefCell<Vec<String>>,
    /// Something is true, but cannot be calculated in words of 256 bits.
    inexact: Cell<bool>,
}

/// How tightly the outermost operator of a text binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Atom,
}

type Text = (String, Tightness);

impl<'a> Writer<'a> {
    pub fn new(terms: &'a Terms, names: FxHashMap<TermId, Name>) -> Self {
        Writer { terms, names, annotates: false, senseless: RefCell::default(), inexact: Cell::default() }
    }

    pub fn of_annotations(terms: &'a Terms, names: FxHashMap<TermId, Name>) -> Self {
        Writer { annotates: true, ..Writer::new(terms, names) }
    }

    /// A condition, if it can be written in a length that helps.
    pub fn condition(&self, term: TermId) -> Option<String> {
        let (text, _) = self.formula(term)?;
        (text.len() <= LONGEST).then_some(text)
    }

    /// Whether everything that was written says as an annotation what it should say.
    pub fn is_exact(&self) -> bool {
        !self.inexact.get()
    }

    fn formula(&self, term: TermId) -> Option<Text> {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Bool(value) => Some((value.to_string(), Tightness::Atom)),
            Op::Not => self.negation(args[0]),
            Op::And => self.joined(args, " && ", Tightness::And),
            Op::Or => self.joined(args, " || ", Tightness::Or),
            Op::Ite => {
                let (cond, then, other) =
                    (self.formula(args[0])?, self.formula(args[1])?, self.formula(args[2])?);
                let text = format!(
                    "{} ? {} : {}",
                    within(cond, Tightness::Comparison),
                    within(then, Tightness::Atom),
                    within(other, Tightness::Atom)
                );
                Some((text, Tightness::Or))
            }
            Op::Eq if *self.terms.sort(args[0]) == Sort::Bool => {
                let (a, b) = (self.formula(args[0])?, self.formula(args[1])?);
                let text = format!("{} == {}", within(a, Tightness::Sum), within(b, Tightness::Sum));
                Some((text, Tightness::Comparison))
            }
            Op::Eq => self.guarded(|w| w.comparison(args[0], args[1], "==")),
            Op::Le => self.guarded(|w| w.comparison(args[0], args[1], "<=")),
            Op::Lt => self.guarded(|w| w.comparison(args[0], args[1], "<")),
            _ => self.guarded(|w| w.place(term)),
        }
    }

    /// To solvers arrays go on below zero.
    fn guarded(&self, write: impl FnOnce(&Self) -> Option<Text>) -> Option<Text> {
        let text = write(self);
        let mut senseless = std::mem::take(&mut *self.senseless.borrow_mut());
        if senseless.is_empty() || !self.annotates {
            return text;
        }
        senseless.dedup();
        senseless.push(within(text?, Tightness::Or));
        Some((senseless.join(" || "), Tightness::Or))
    }

    fn negation(&self, term: TermId) -> Option<Text> {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Eq if *self.terms.sort(args[0]) != Sort::Bool => {
                self.guarded(|w| w.comparison(args[0], args[1], "!="))
            }
            Op::Le => self.guarded(|w| w.comparison(args[1], args[0], "<")),
            Op::Lt => self.guarded(|w| w.comparison(args[1], args[0], "<=")),
            _ => Some((format!("!{}", within(self.formula(term)?, Tightness::Atom)), Tightness::Atom)),
        }
    }

    fn joined(&self, parts: &[TermId], operator: &str, tightness: Tightness) -> Option<Text> {
        let parts = parts.iter().map(|part| Some(within(self.formula(*part)?, tightness)));
        let mut parts = parts.collect::<Option<Vec<_>>>()?;
        if tightness == Tightness::And {
            equalities(&mut parts);
        }
        Some((parts.join(operator), tightness))
    }

    /// Brings everything to the side where it is positive: solvers subtract where no unsigned number could.
    fn comparison(&self, a: TermId, b: TermId, operator: &str) -> Option<Text> {
        match self.terms.sort(a) {
            Sort::Int => {}
            Sort::Bool | Sort::BitVec(_) | Sort::Array(..) => return None,
        }
        let mut sum = Sum::default();
        self.add(&mut sum, a, &BigInt::one());
        self.add(&mut sum, b, &-BigInt::one());
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (term, factor) in &sum.parts {
            let side = if factor.is_positive() { &mut left } else { &mut right };
            if !factor.is_zero() {
                side.push((*term, factor.abs()));
            }
        }
        // Numbers are whole: `a < b + 1` is `a <= b`.
        let mut operator = operator;
        if operator == "<"
            && sum.constant.is_negative()
            && !(right.is_empty() && sum.constant != -BigInt::one())
        {
            operator = "<=";
            sum.constant += 1;
        }
        if self.annotates {
            return self.pasted(&left, &right, sum.constant, operator);
        }
        let format = self.format_of(&left, &right);
        let (more, rest) = sides(sum.constant);
        let left = self.sum(&left, &more, format.as_ref())?;
        let right = self.sum(&right, &rest, format.as_ref())?;
        Some(compared(left, operator, right))
    }

    /// A comparison in words of 256 bits: `left` and the constant with `right`. Numbers that are no words must not come up
    /// where the claim is true, or reading it would not find it so.
    fn pasted(&self, left: &Side, right: &Side, mut constant: BigInt, operator: &str) -> Option<Text> {
        let mut operator = operator;
        if operator == "<" && -&constant == all_words() {
            operator = "<=";
            constant += 1;
        }
        let (more, rest) = sides(constant);
        if more >= all_words() || rest >= all_words() {
            return None;
        }
        let format = self.format_of(left, right);
        let is_order = operator == "<=" || operator == "<";
        match (left, right) {
            // `x + y` fits a word.
            ([(x, one), (y, another)], [])
                if operator == "<=" && &rest + 1 == all_words() && one.is_one() && another.is_one() =>
            {
                let (x, y) = (self.number(*x)?, within(self.number(*y)?, Tightness::Product));
                Some(compared(x, "<=", (format!("type(uint256).max - {y}"), Tightness::Sum)))
            }
            ([(x, factor)], [_, ..]) if operator == "<=" && more.is_zero() && !factor.is_one() => {
                let right = within(self.sum(right, &rest, format.as_ref())?, Tightness::Atom);
                Some(compared(self.number(*x)?, "<=", (format!("{right} / {factor}"), Tightness::Product)))
            }
            // What is taken away on one side cannot be too much on the other.
            (_, [_, ..]) if is_order && rest.bits() >= LARGE => {
                let left = self.sum(left, &-rest, format.as_ref())?;
                Some(compared(left, operator, self.sum(right, &BigInt::zero(), format.as_ref())?))
            }
            _ => {
                if is_order && self.may_be_large(right) {
                    self.inexact.set(true);
                }
                let left = self.sum(left, &more, format.as_ref())?;
                Some(compared(left, operator, self.sum(right, &rest, format.as_ref())?))
            }
        }
    }

    /// Whether several words are added up: that may be no word, and the claim true because of it.
    fn may_be_large(&self, side: &Side) -> bool {
        let is_word = |(term, _): &(TermId, BigInt)| !matches!(self.format(*term), Some(Format::Number { bits, .. }) if bits < 256);
        side.len() > 1 && side.iter().any(is_word)
    }

    fn format_of(&self, left: &Side, right: &Side) -> Option<Format> {
        left.iter().chain(right).find_map(|(term, _)| self.format(*term))
    }

    fn add(&self, sum: &mut Sum, term: TermId, factor: &BigInt) {
        let args = self.terms.args(term);
        match self.terms.op(term) {
            Op::Int(n) => sum.constant += n * factor,
            Op::Add => args.iter().for_each(|part| self.add(sum, *part, factor)),
            Op::Neg => self.add(sum, args[0], &-factor),
            Op::Mul if args.len() == 2 && self.terms.as_int(args[0]).is_some() => {
                let n = self.terms.as_int(args[0]).cloned().unwrap_or_default();
                self.add(sum, args[1], &(factor * n));
            }
            _ => match sum.parts.iter_mut().find(|(other, _)| *other == term) {
                Some((_, sofar)) => *sofar += factor,
                None => sum.parts.push((term, factor.clone())),
            },
        }
    }

    /// What is added comes first, as nothing unsigned begins with a minus.
    fn sum(&self, parts: &[(TermId, BigInt)], constant: &BigInt, format: Option<&Format>) -> Option<Text> {
        if parts.is_empty() {
            return literal(constant, format);
        }
        let (mut added, mut taken) = (Vec::new(), Vec::new());
        let alone = parts.len() == 1 && constant.is_zero();
        for (term, factor) in parts {
            let first = added.is_empty() && taken.is_empty() && !alone;
            let value = match factor.is_one() && !first {
                true => self.number(*term)?,
                false => self.widened(*term)?,
            };
            let text = match factor.magnitude().is_one() {
                true => value,
                false => {
                    let product = format!("{} * {}", factor.magnitude(), within(value, Tightness::Product));
                    (product, Tightness::Product)
                }
            };
            if factor.is_positive() { &mut added } else { &mut taken }.push(text);
        }
        if !constant.is_zero() {
            let side = if constant.is_positive() { &mut added } else { &mut taken };
            side.push((constant.magnitude().to_string(), Tightness::Atom));
        }
        match (added.as_slice(), taken.as_slice()) {
            ([], _) => None,
            ([_], []) => added.pop(),
            // Addresses are no numbers to the language.
            _ if matches!(format, Some(Format::Address)) => None,
            _ => {
                let joined = |texts: Vec<Text>, tightness| {
                    let texts = texts.into_iter().map(|text| within(text, tightness));
                    texts.collect::<Vec<String>>()
                };
                let added = joined(added, Tightness::Sum).join(" + ");
                let taken = joined(taken, Tightness::Product);
                if !taken.is_empty() {
                    self.senseless.borrow_mut().push(format!("{added} < {}", taken.join(" + ")));
                }
                let taken = taken.into_iter().map(|text| format!(" - {text}"));
                Some((taken.fold(added, |sum, part| sum + &part), Tightness::Sum))
            }
        }
    }

    /// A number with room to calculate in: operators work on the widest of their operands' types.
    fn widened(&self, term: TermId) -> Option<Text> {
        let text = self.number(term)?;
        Some(match self.format(term) {
            Some(Format::Number { signed, bits }) if self.annotates && bits < 256 => {
                (format!("{}int256({})", if signed { "" } else { "u" }, text.0), Tightness::Atom)
            }
            _ => text,
        })
    }

    /// A number that is no sum.
    fn number(&self, term: TermId) -> Option<Text> {
        let args = self.terms.args(term);
        let operator = match self.terms.op(term) {
            Op::Mul => " * ",
            Op::Div => " / ",
            Op::Mod => " % ",
            _ => return self.place(term),
        };
        let parts = args.iter().map(|part| {
            let text = match self.terms.as_int(*part) {
                Some(n) => (n.to_string(), Tightness::Atom),
                None => self.number(*part)?,
            };
            Some(within(text, Tightness::Atom))
        });
        Some((parts.collect::<Option<Vec<_>>>()?.join(operator), Tightness::Product))
    }

    /// A variable, or an element of one.
    fn place(&self, term: TermId) -> Option<Text> {
        let mut indices = Vec::new();
        let mut root = term;
        while let (Op::Select, &[array, index]) = (self.terms.op(root), self.terms.args(root)) {
            indices.insert(0, index);
            root = array;
        }
        let name = self.names.get(&root)?;
        let formats = name.pattern.indices();
        if formats.len() != indices.len() {
            return None;
        }
        let mut texts = Vec::new();
        for (index, format) in indices.iter().zip(formats) {
            texts.push(match self.terms.as_int(*index) {
                Some(n) => literal(n, Some(format))?.0,
                None => {
                    let mut sum = Sum::default();
                    self.add(&mut sum, *index, &BigInt::one());
                    self.sum(&sum.parts, &sum.constant, None)?.0
                }
            });
        }
        Some((name.pattern.with(&texts), Tightness::Atom))
    }

    fn format(&self, term: TermId) -> Option<Format> {
        let mut root = term;
        while let (Op::Select, &[array, _]) = (self.terms.op(root), self.terms.args(root)) {
            root = array;
        }
        self.names.get(&root).map(|name| name.format.clone())
    }
}

/// A number by itself, in the way of its type.
fn literal(number: &BigInt, format: Option<&Format>) -> Option<Text> {
    let shown = format.and_then(|format| format.show(&Value::Int(number.clone())));
    let text = match (format, shown) {
        (Some(Format::Address), _) if number.is_negative() => return None,
        (Some(Format::Address), _) if number.is_zero() => "address(0)".to_owned(),
        // So many digits would have to be those of an address, with its checksum.
        (Some(Format::Address), _) if number.bits() > 150 => format!("address(uint160({number}))"),
        (Some(Format::Address), Some(shown)) => format!("address({shown})"),
        (_, shown) => shown.unwrap_or_else(|| number.to_string()),
    };
    let tightness = if text.contains(' ') { Tightness::Sum } else { Tightness::Atom };
    Some((text, tightness))
}

#[derive(Default)]
struct Sum {
    parts: Vec<(TermId, BigInt)>,
    constant: BigInt,
}

/// One side of a comparison: terms, and how often each counts.
type Side = [(TermId, BigInt)];

/// Sums with numbers of this many bits soon are no words.
const LARGE: u64 = 255;

/// How many words there are.
fn all_words() -> BigInt {
    BigInt::one() << 256
}

/// What a constant on the left adds to each side.
fn sides(constant: BigInt) -> (BigInt, BigInt) {
    if constant.is_negative() { (BigInt::zero(), -constant) } else { (constant, BigInt::zero()) }
}

fn compared(left: Text, operator: &str, right: Text) -> Text {
    let text = format!("{} {operator} {}", within(left, Tightness::Sum), within(right, Tightness::Sum));
    (text, Tightness::Comparison)
}

/// A text as an operand of an operator that binds this tightly.
fn within((text, tightness): Text, operator: Tightness) -> String {
    if tightness >= operator { text } else { format!("({text})") }
}

/// `a <= b` and `b <= a` are better said at once.
fn equalities(parts: &mut Vec<String>) {
    let mut at = 0;
    while at < parts.len() {
        let turned = parts[at].split_once(" <= ").map(|(a, b)| format!("{b} <= {a}"));
        if let Some(other) = turned.and_then(|turned| parts.iter().position(|part| *part == turned)) {
            parts[at] = parts[at].replace(" <= ", " == ");
            parts.remove(other);
            at -= usize::from(other < at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: Format = Format::Number { signed: false, bits: 256 };

    /// `x`, `y` are numbers, `a`, `b` addresses, and `list[i]` is a number.
    fn written(condition: impl FnOnce(&mut Terms, [TermId; 5]) -> TermId) -> Option<String> {
        written_exactly(condition).0
    }

    fn written_exactly(condition: impl FnOnce(&mut Terms, [TermId; 5]) -> TermId) -> (Option<String>, bool) {
        let mut terms = Terms::new();
        let [x, y, a, b] = ["x", "y", "a", "b"].map(|name| terms.symbol(name, Sort::Int));
        let list = terms.symbol("list", Sort::array(Sort::Int, Sort::Int));
        let term = condition(&mut terms, [x, y, a, b, list]);
        let plain = |name: &str, format| Name { pattern: Pattern::plain(name), format };
        let mut names = FxHashMap::default();
        names.extend([(x, plain("x", NUMBER)), (y, plain("y", NUMBER))]);
        names.extend([(a, plain("a", Format::Address)), (b, plain("b", Format::Address))]);
        names.insert(list, Name { pattern: Pattern::plain("list").indexed(NUMBER), format: NUMBER });
        let writer = Writer::of_annotations(&terms, names);
        (writer.condition(term), writer.is_exact())
    }

    #[test]
    fn what_is_taken_away_comes_last() {
        let last = |t: &mut Terms, [x, y, _, _, list]: [TermId; 5]| {
            let one = t.int(1);
            let index = t.sub(x, one);
            let element = t.select(list, index);
            t.le(element, y)
        };
        assert_eq!(written(last).unwrap(), "x < 1 || list[x - 1] <= y");
        let far = |t: &mut Terms, [x, y, _, _, list]: [TermId; 5]| {
            let index = t.sub(x, y);
            let element = t.select(list, index);
            t.le(element, y)
        };
        assert_eq!(written(far).unwrap(), "x < y || list[x - y] <= y");
        let below_zero = |t: &mut Terms, [x, y, _, _, list]: [TermId; 5]| {
            let index = t.neg(x);
            let element = t.select(list, index);
            t.le(element, y)
        };
        assert_eq!(written(below_zero), None);
    }

    #[test]
    fn claims_are_made_of_words() {
        let all = |t: &mut Terms| t.int(all_words());
        let both = |t: &mut Terms, [x, y, ..]: [TermId; 5]| {
            let (sum, all) = (t.add(x, y), all(t));
            t.lt(sum, all)
        };
        assert_eq!(written(both).unwrap(), "x <= type(uint256).max - y");
        let many = |t: &mut Terms, [x, y, ..]: [TermId; 5]| {
            let four = t.int(4);
            let product = t.mul(four, x);
            t.le(product, y)
        };
        assert_eq!(written(many).unwrap(), "x <= y / 4");
        let far = |t: &mut Terms, [x, y, ..]: [TermId; 5]| {
            let large = t.int(BigInt::one() << 255);
            let sum = t.add(y, large);
            t.le(x, sum)
        };
        let large = BigInt::one() << 255;
        assert_eq!(written(far).unwrap(), format!("x < {large} || x - {large} <= y"));
        let beyond = |t: &mut Terms, [x, y, ..]: [TermId; 5]| {
            let all = all(t);
            let sum = t.add(y, all);
            t.le(x, sum)
        };
        assert_eq!(written(beyond), None);
    }

    #[test]
    fn sums_of_words_may_be_no_words() {
        let below = |t: &mut Terms, [x, y, _, _, list]: [TermId; 5]| {
            let zero = t.int(0);
            let (sum, element) = (t.add(x, y), t.select(list, zero));
            t.le(sum, element)
        };
        assert_eq!(written_exactly(below), (Some("x + y <= list[0]".to_owned()), true));
        let above = |t: &mut Terms, [x, y, _, _, list]: [TermId; 5]| {
            let zero = t.int(0);
            let (sum, element) = (t.add(x, y), t.select(list, zero));
            t.le(element, sum)
        };
        assert_eq!(written_exactly(above), (Some("list[0] <= x + y".to_owned()), false));
    }

    #[test]
    fn addresses_are_no_numbers() {
        let some = |t: &mut Terms, [_, _, a, ..]: [TermId; 5]| {
            let zero = t.int(0);
            t.lt(zero, a)
        };
        assert_eq!(written(some).unwrap(), "address(0) < a");
        let next = |t: &mut Terms, [_, _, a, b, _]: [TermId; 5]| {
            let three = t.int(3);
            let sum = t.add(a, three);
            t.le(sum, b)
        };
        assert_eq!(written(next), None);
    }
}
