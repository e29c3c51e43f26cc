//! Formulas that a solver prints, back as terms.
//!
//! Constructors of terms expect arguments of the right sorts. A solver may print anything, so sorts are looked at here first.

use super::sexpr::Sexpr;
use crate::term::{Sort, TermId, Terms};
use num_bigint::{BigInt, BigUint};
use num_traits::Num;

/// Numbers with more bits than this are refused: a short text can ask for one that does not fit into memory.
const LONGEST_NUMBER: u64 = 1 << 16;

/// Reads what one solver's answer says; `None` where it uses something that we have no term for.
pub(super) struct Formulas<'t, 's> {
    pub terms: &'t mut Terms,
    /// Definitions beside the one that is read.
    pub helpers: &'s [Helper<'s>],
    /// Names in scope, innermost last.
    scope: Vec<(&'s str, TermId)>,
    /// The helpers that are being read, to notice circles.
    within: Vec<&'s str>,
}

/// `(define-fun name (params) sort body)`
#[derive(Clone, Copy)]
pub(super) struct Helper<'s> {
    pub name: &'s str,
    pub params: &'s Sexpr<'s>,
    pub sort: &'s Sexpr<'s>,
    pub body: &'s Sexpr<'s>,
}

impl<'t, 's> Formulas<'t, 's> {
    pub fn new(terms: &'t mut Terms, helpers: &'s [Helper<'s>]) -> Self {
        Formulas { terms, helpers, scope: Vec::new(), within: Vec::new() }
    }

    /// Parameters and body of a definition, the body of the sort that it claims.
    pub fn definition(&mut self, helper: &Helper<'s>) -> Option<(Vec<TermId>, TermId)> {
        if self.within.contains(&helper.name) {
            return None;
        }
        self.within.push(helper.name);
        let outer = std::mem::take(&mut self.scope);
        let params = self.declare(helper.params);
        let body = self.term(helper.body);
        self.scope = outer;
        self.within.pop();
        let (params, body) = (params?, body?);
        (sort(helper.sort)? == *self.terms.sort(body)).then_some((params, body))
    }

    fn term(&mut self, expr: &'s Sexpr<'s>) -> Option<TermId> {
        match expr {
            Sexpr::Atom(atom) => self.atom(atom),
            Sexpr::Text(_) => None,
            Sexpr::List(items) => self.list(items),
        }
    }

    fn atom(&mut self, atom: &'s str) -> Option<TermId> {
        if let Some((_, term)) = self.scope.iter().rev().find(|(name, _)| *name == atom) {
            return Some(*term);
        }
        match atom {
            "true" => Some(self.terms.bool(true)),
            "false" => Some(self.terms.bool(false)),
            _ if atom.starts_with('#') => self.bits(atom),
            _ if atom.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(self.terms.int(atom.parse::<BigInt>().ok()?))
            }
            _ => self.helper(atom, &[]),
        }
    }

    /// `#x0f` or `#b101`
    fn bits(&mut self, atom: &str) -> Option<TermId> {
        let (digits, radix, each) = match atom.split_at_checked(2)? {
            ("#x", digits) => (digits, 16, 4),
            ("#b", digits) => (digits, 2, 1),
            _ => return None,
        };
        let width = u32::try_from(digits.len()).ok()?.checked_mul(each).filter(|width| *width > 0)?;
        Some(self.terms.bv(BigUint::from_str_radix(digits, radix).ok()?, width))
    }

    fn list(&mut self, items: &'s [Sexpr<'s>]) -> Option<TermId> {
        let (head, rest) = items.split_first()?;
        let op = match head {
            Sexpr::Atom(op) => *op,
            Sexpr::List(words) => return self.qualified(words, rest),
            Sexpr::Text(_) => return None,
        };
        match (op, rest) {
            ("let", [bindings, body]) => self.bound_by_let(bindings, body),
            ("forall" | "exists", [vars, body]) => self.quantified(op, vars, body),
            ("lambda", [vars, body]) => self.lambda(vars, body),
            // `(! term :pattern …)`
            ("!", [body, ..]) => self.term(body),
            ("_", [number, width]) => {
                let number: BigUint = number.atom()?.strip_prefix("bv")?.parse().ok()?;
                let width = self::width(width)?;
                (number.bits() <= u64::from(width)).then(|| self.terms.bv(number, width))
            }
            _ => {
                let args = self.all(rest)?;
                self.apply(op, &args).or_else(|| self.helper(op, &args))
            }
        }
    }

    fn all(&mut self, items: &'s [Sexpr<'s>]) -> Option<Vec<TermId>> {
        items.iter().map(|item| self.term(item)).collect()
    }

    /// `((as const (Array Int Int)) 0)`, `((_ extract 3 0) x)`
    fn qualified(&mut self, words: &'s [Sexpr<'s>], rest: &'s [Sexpr<'s>]) -> Option<TermId> {
        let args = self.all(rest)?;
        let (&[arg], Some(first)) = (args.as_slice(), words.first()?.atom()) else { return None };
        match (first, words) {
            ("as", [_, constant, of]) if constant.atom() == Some("const") => {
                let Sort::Array(index, element) = sort(of)? else { return None };
                let fits = *self.terms.sort(arg) == *element;
                fits.then(|| self.terms.const_array((*index).clone(), arg))
            }
            ("_", [_, op, numbers @ ..]) => {
                let numbers: Option<Vec<u32>> =
                    numbers.iter().map(|number| number.atom()?.parse().ok()).collect();
                self.indexed(op.atom()?, &numbers?, arg)
            }
            _ => None,
        }
    }

    fn indexed(&mut self, op: &str, numbers: &[u32], arg: TermId) -> Option<TermId> {
        let t = &mut *self.terms;
        let short = |width: u32| u64::from(width) <= LONGEST_NUMBER;
        match (op, numbers, t.sort(arg)) {
            ("extract", &[high, low], Sort::BitVec(width)) if low <= high && high < *width => {
                Some(t.extract(high, low, arg))
            }
            ("zero_extend", &[extra], Sort::BitVec(_)) if short(extra) => Some(t.zero_extend(extra, arg)),
            ("sign_extend", &[extra], Sort::BitVec(_)) if short(extra) => Some(t.sign_extend(extra, arg)),
            ("int2bv" | "int_to_bv", &[width], Sort::Int) if width > 0 && short(width) => {
                Some(t.int_to_bv(width, arg))
            }
            _ => None,
        }
    }

    /// An operation of the language, if the arguments are what it takes.
    fn apply(&mut self, op: &str, args: &[TermId]) -> Option<TermId> {
        let sorts: Vec<Sort> = args.iter().map(|arg| self.terms.sort(*arg).clone()).collect();
        let same = sorts.windows(2).all(|pair| pair[0] == pair[1]);
        match (op, sorts.as_slice()) {
            ("ite", [Sort::Bool, a, b]) if a == b => Some(self.terms.ite(args[0], args[1], args[2])),
            ("select", [Sort::Array(at, _), i]) if **at == *i => Some(self.terms.select(args[0], args[1])),
            ("store", [Sort::Array(at, of), i, v]) if **at == *i && **of == *v => {
                Some(self.terms.store(args[0], args[1], args[2]))
            }
            ("concat", [Sort::BitVec(_), Sort::BitVec(_)]) => Some(self.terms.concat(args[0], args[1])),
            ("=", [_, _, ..]) if same => {
                let equal: Vec<TermId> = args[1..].iter().map(|b| self.terms.eq(args[0], *b)).collect();
                Some(self.terms.and_all(equal))
            }
            ("distinct", [_, _, ..]) if same => Some(self.distinct(args)),
            (_, [Sort::Bool, ..]) if same => self.logic(op, args),
            (_, [Sort::Int, ..]) if same => self.numbers(op, args),
            (_, [Sort::BitVec(_), ..]) if same => self.bit_vectors(op, args),
            _ => None,
        }
    }

    fn distinct(&mut self, args: &[TermId]) -> TermId {
        let mut differ = Vec::new();
        for (at, a) in args.iter().enumerate() {
            for b in &args[at + 1..] {
                differ.push(self.terms.ne(*a, *b));
            }
        }
        self.terms.and_all(differ)
    }

    fn logic(&mut self, op: &str, args: &[TermId]) -> Option<TermId> {
        let t = &mut *self.terms;
        match (op, args) {
            ("and", _) => Some(t.and_all(args.iter().copied())),
            ("or", _) => Some(t.or_all(args.iter().copied())),
            ("not", &[a]) => Some(t.not(a)),
            ("xor", &[a, b]) => Some(t.ne(a, b)),
            ("=>", [premises @ .., conclusion]) => {
                Some(premises.iter().rev().fold(*conclusion, |term, premise| t.implies(*premise, term)))
            }
            _ => None,
        }
    }

    fn numbers(&mut self, op: &str, args: &[TermId]) -> Option<TermId> {
        let length: u64 = args.iter().filter_map(|arg| self.terms.as_int(*arg)).map(BigInt::bits).sum();
        if length > LONGEST_NUMBER {
            return None;
        }
        let t = &mut *self.terms;
        match (op, args) {
            ("+", _) => Some(t.add_all(args.iter().copied())),
            ("-", &[a]) => Some(t.neg(a)),
            ("-", [first, rest @ ..]) => Some(rest.iter().fold(*first, |sum, other| t.sub(sum, *other))),
            ("*", [first, rest @ ..]) => Some(rest.iter().fold(*first, |value, other| t.mul(value, *other))),
            ("div", &[a, b]) => Some(t.div(a, b)),
            ("mod", &[a, b]) => Some(t.modulo(a, b)),
            ("abs", &[a]) => {
                let (zero, minus) = (t.int(0), t.neg(a));
                let negative = t.lt(a, zero);
                Some(t.ite(negative, minus, a))
            }
            ("<=" | "<" | ">=" | ">", [_, _, ..]) => {
                let pairs: Vec<TermId> = args.windows(2).map(|two| compare(t, op, two[0], two[1])).collect();
                Some(t.and_all(pairs))
            }
            _ => None,
        }
    }

    fn bit_vectors(&mut self, op: &str, args: &[TermId]) -> Option<TermId> {
        let t = &mut *self.terms;
        Some(match (op, args) {
            ("bvadd", [first, rest @ ..]) => rest.iter().fold(*first, |value, other| t.bv_add(value, *other)),
            ("bvmul", [first, rest @ ..]) => rest.iter().fold(*first, |value, other| t.bv_mul(value, *other)),
            ("bvand", [first, rest @ ..]) => rest.iter().fold(*first, |value, other| t.bv_and(value, *other)),
            ("bvor", [first, rest @ ..]) => rest.iter().fold(*first, |value, other| t.bv_or(value, *other)),
            ("bvxor", [first, rest @ ..]) => rest.iter().fold(*first, |value, other| t.bv_xor(value, *other)),
            ("bvsub", &[a, b]) => t.bv_sub(a, b),
            ("bvudiv", &[a, b]) => t.bv_udiv(a, b),
            ("bvurem", &[a, b]) => t.bv_urem(a, b),
            ("bvsdiv", &[a, b]) => t.bv_sdiv(a, b),
            ("bvsrem", &[a, b]) => t.bv_srem(a, b),
            ("bvshl", &[a, b]) => t.bv_shl(a, b),
            ("bvlshr", &[a, b]) => t.bv_lshr(a, b),
            ("bvashr", &[a, b]) => t.bv_ashr(a, b),
            ("bvneg", &[a]) => t.bv_neg(a),
            ("bvnot", &[a]) => t.bv_not(a),
            ("bvult", &[a, b]) => t.bv_ult(a, b),
            ("bvule", &[a, b]) => t.bv_ule(a, b),
            ("bvugt", &[a, b]) => t.bv_ult(b, a),
            ("bvuge", &[a, b]) => t.bv_ule(b, a),
            ("bvslt", &[a, b]) => t.bv_slt(a, b),
            ("bvsle", &[a, b]) => t.bv_sle(a, b),
            ("bvsgt", &[a, b]) => t.bv_slt(b, a),
            ("bvsge", &[a, b]) => t.bv_sle(b, a),
            ("bv2nat" | "ubv_to_int", &[a]) => t.bv_to_int(a),
            _ => return None,
        })
    }

    /// The body of another definition with the arguments put in.
    fn helper(&mut self, name: &str, args: &[TermId]) -> Option<TermId> {
        let helper = self.helpers.iter().find(|helper| helper.name == name)?;
        let (params, body) = self.definition(helper)?;
        let fits = params.iter().map(|p| self.terms.sort(*p)).eq(args.iter().map(|a| self.terms.sort(*a)));
        if !fits {
            return None;
        }
        let mut values = params.into_iter().zip(args.iter().copied()).collect();
        Some(self.terms.replace_all(body, &mut values))
    }

    fn bound_by_let(&mut self, bindings: &'s Sexpr<'s>, body: &'s Sexpr<'s>) -> Option<TermId> {
        let mut named = Vec::new();
        for binding in bindings.list()? {
            let [name, expr] = binding.list()? else { return None };
            named.push((name.atom()?, self.term(expr)?));
        }
        let outer = self.scope.len();
        self.scope.extend(named);
        let body = self.term(body);
        self.scope.truncate(outer);
        body
    }

    fn quantified(&mut self, op: &str, vars: &'s Sexpr<'s>, body: &'s Sexpr<'s>) -> Option<TermId> {
        let (bound, body) = self.under_variables(vars, body)?;
        if *self.terms.sort(body) != Sort::Bool {
            return None;
        }
        Some(match op {
            "forall" => self.terms.forall(&bound, body),
            _ => self.terms.exists(&bound, body),
        })
    }

    fn lambda(&mut self, vars: &'s Sexpr<'s>, body: &'s Sexpr<'s>) -> Option<TermId> {
        match self.under_variables(vars, body)? {
            (bound, body) if bound.len() == 1 => Some(self.terms.lambda(bound[0], body)),
            _ => None,
        }
    }

    fn under_variables(&mut self, vars: &'s Sexpr<'s>, body: &'s Sexpr<'s>) -> Option<(Vec<TermId>, TermId)> {
        let outer = self.scope.len();
        let bound = self.declare(vars);
        let body = self.term(body);
        self.scope.truncate(outer);
        Some((bound?, body?))
    }

    /// New variables for `((x Int) (y Bool))`, in scope from here on.
    fn declare(&mut self, vars: &'s Sexpr<'s>) -> Option<Vec<TermId>> {
        let mut bound = Vec::new();
        for var in vars.list()? {
            let [name, of] = var.list()? else { return None };
            let term = self.terms.fresh_bound("a", sort(of)?);
            self.scope.push((name.atom()?, term));
            bound.push(term);
        }
        Some(bound)
    }
}

fn compare(t: &mut Terms, op: &str, a: TermId, b: TermId) -> TermId {
    match op {
        "<=" => t.le(a, b),
        "<" => t.lt(a, b),
        ">=" => t.ge(a, b),
        _ => t.gt(a, b),
    }
}

fn width(expr: &Sexpr) -> Option<u32> {
    let width: u32 = expr.atom()?.parse().ok()?;
    (width > 0 && u64::from(width) <= LONGEST_NUMBER).then_some(width)
}

fn sort(expr: &Sexpr) -> Option<Sort> {
    match expr {
        Sexpr::Atom("Bool") => Some(Sort::Bool),
        Sexpr::Atom("Int") => Some(Sort::Int),
        Sexpr::Atom(_) | Sexpr::Text(_) => None,
        Sexpr::List(items) => match items.as_slice() {
            [head, index, element] if head.atom() == Some("Array") => {
                Some(Sort::array(sort(index)?, sort(element)?))
            }
            [head, word, bits] if head.atom() == Some("_") && word.atom() == Some("BitVec") => {
                width(bits).map(Sort::BitVec)
            }
            _ => None,
        },
    }
}
