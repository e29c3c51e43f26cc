//! What a user calls the words that a bound depends on.

use hornet_evm::U256;

use super::abi::{Function, Input, StateVariable};
use super::term::{Env, Node, Origin, Term, Terms};
use super::word::Op;

pub struct Names<'a> {
    pub function: &'a Function,
    pub variables: &'a [StateVariable],
}

impl Names<'_> {
    pub fn name(&self, terms: &Terms, term: Term) -> String {
        match terms.node(term) {
            Node::Const(word) => word.to_string(),
            Node::Env(env) => env_name(*env).to_owned(),
            Node::Calldata(at) => self.argument(terms, *at).unwrap_or_else(|| "calldata".to_owned()),
            Node::Storage(slot) => self.state(terms, *slot, 0),
            Node::Op(op, arguments) => self.operation(terms, *op, arguments),
            Node::Sum(constant, parts) => self.sum(terms, *constant, parts),
            Node::Keccak(_) => "keccak256(…)".to_owned(),
            Node::Joined(_) => "data".to_owned(),
            Node::Immutable(_) => "immutable".to_owned(),
            Node::Fresh(number) => match terms.fresh_info(*number).origin {
                Origin::Returned(_) => "returned bytes".to_owned(),
                Origin::Iterations(_) => "rounds".to_owned(),
                Origin::Unknown(_) | Origin::Varying(_) | Origin::Any(_) => "length".to_owned(),
            },
        }
    }

    /// A word of the arguments, by its place: one of the head, or the length that a word of the head points to.
    fn argument(&self, terms: &Terms, at: Term) -> Option<String> {
        let (constant, parts) = terms.parts(at);
        let place = usize::try_from(constant).ok()?;
        match parts[..] {
            [] => self.head(place.checked_sub(4)?).map(|(name, _)| name),
            [(pointer, U256::ONE)] => {
                let (name, ty) = self.pointed(terms, pointer)?;
                match place {
                    4 => Some(length_name(&name, &ty)),
                    _ => Some(format!("{name}[…]")),
                }
            }
            // Inside of something that is inside of an argument: what matters there is how long it is.
            _ => {
                let (name, _) = parts.iter().find_map(|(part, _)| self.pointed(terms, *part))?;
                Some(format!("{name}[…].length"))
            }
        }
    }

    /// The dynamic parameter that a word of the head points to.
    fn pointed(&self, terms: &Terms, pointer: Term) -> Option<(String, String)> {
        let Node::Calldata(at) = terms.node(pointer) else { return None };
        self.head((terms.as_small(*at)? as usize).checked_sub(4)?)
    }

    /// The parameter or member whose word is at this offset of the head.
    fn head(&self, offset: usize) -> Option<(String, String)> {
        let mut words = Vec::new();
        for (index, input) in self.function.inputs.iter().enumerate() {
            head_words(input, parameter_name(index, input), &mut words);
        }
        offset.is_multiple_of(32).then(|| words.get(offset / 32).cloned())?
    }

    fn state(&self, terms: &Terms, slot: Term, bit: usize) -> String {
        let Some(number) = terms.as_const(slot) else {
            let base = terms.preimage(slot).and_then(|pieces| pieces.last().copied());
            return match base {
                Some(piece) => format!("{}[…]", self.state(terms, piece.word, 0).trim_end_matches(".length")),
                None => "storage".to_owned(),
            };
        };
        let found = self.variables.iter().find(|v| v.slot == number && v.offset * 8 == bit);
        match found.or_else(|| self.variables.iter().find(|v| v.slot == number)) {
            Some(variable) if variable.ty.ends_with("dyn_storage") => format!("{}.length", variable.name),
            Some(variable) => variable.name.clone(),
            None => "storage".to_owned(),
        }
    }

    fn operation(&self, terms: &Terms, op: Op, arguments: &[Term]) -> String {
        let constant = |at: usize| arguments.get(at).and_then(|term| terms.as_const(*term));
        match (op, arguments) {
            // A value cut out of a slot, or the length of a string.
            (Op::And, &[a, b]) => {
                let word = if constant(0).is_some() { b } else { a };
                self.name(terms, word)
            }
            (Op::Shr, &[by, word]) => match (terms.as_small(by), terms.node(word)) {
                (Some(1), Node::Storage(slot)) => format!("bytes({}).length", self.state(terms, *slot, 0)),
                (Some(by), Node::Storage(slot)) => self.state(terms, *slot, by as usize),
                (Some(by), _) => format!("({} / 2^{by})", self.name(terms, word)),
                _ => "shifted word".to_owned(),
            },
            (Op::Div, &[a, b]) => format!("({} / {})", self.name(terms, a), self.name(terms, b)),
            (Op::Mul, &[a, b]) => format!("({} · {})", self.name(terms, a), self.name(terms, b)),
            (Op::StringLength, &[slot]) => match terms.node(slot) {
                Node::Storage(slot) => format!("bytes({}).length", self.state(terms, *slot, 0)),
                _ => "length of a string".to_owned(),
            },
            (Op::Bits, &[a]) => format!("log2({})", self.name(terms, a)),
            _ => "computed word".to_owned(),
        }
    }

    fn sum(&self, terms: &Terms, constant: U256, parts: &[(Term, U256)]) -> String {
        let mut text = String::new();
        for (part, factor) in parts {
            let (sign, size) = if factor.bit(255) { ("-", factor.wrapping_neg()) } else { ("+", *factor) };
            if !text.is_empty() || sign == "-" {
                text += &format!(" {sign} ");
            }
            if size != U256::ONE {
                text += &format!("{size}·");
            }
            text += &self.name(terms, *part);
        }
        match constant {
            U256::ZERO => {}
            constant if constant.bit(255) => text += &format!(" - {}", constant.wrapping_neg()),
            constant => text += &format!(" + {constant}"),
        }
        format!("({})", text.trim())
    }
}

/// What a parameter is called, also if it has no name.
pub fn parameter_name(index: usize, input: &Input) -> String {
    if input.name.is_empty() { format!("argument {}", index + 1) } else { input.name.clone() }
}

pub fn length_name(name: &str, ty: &str) -> String {
    if ty == "string" { format!("bytes({name}).length") } else { format!("{name}.length") }
}

fn head_words(input: &Input, name: String, words: &mut Vec<(String, String)>) {
    if let Some((element, count)) = fixed_array(&input.ty) {
        let element = Input { ty: element, ..input.clone() };
        if is_dynamic(&element) {
            words.push((name, input.ty.clone()));
            return;
        }
        for index in 0..count {
            head_words(&element, format!("{name}[{index}]"), words);
        }
    } else if input.ty == "tuple" && !is_dynamic(input) {
        for member in &input.components {
            head_words(member, format!("{name}.{}", member.name), words);
        }
    } else {
        words.push((name, input.ty.clone()));
    }
}

/// `T[3]` as `T` and 3.
pub fn fixed_array(ty: &str) -> Option<(String, usize)> {
    let (element, count) = ty.strip_suffix(']')?.rsplit_once('[')?;
    Some((element.to_owned(), count.parse().ok()?))
}

pub fn is_dynamic(input: &Input) -> bool {
    match fixed_array(&input.ty) {
        Some((element, _)) => is_dynamic(&Input { ty: element, ..input.clone() }),
        None if input.ty.ends_with("[]") || input.ty == "bytes" || input.ty == "string" => true,
        None => input.ty == "tuple" && input.components.iter().any(is_dynamic),
    }
}

fn env_name(env: Env) -> &'static str {
    match env {
        Env::Address => "address(this)",
        Env::Origin => "tx.origin",
        Env::Caller => "msg.sender",
        Env::CallValue => "msg.value",
        Env::CallDataSize => "msg.data.length",
        Env::GasPrice => "tx.gasprice",
        Env::Coinbase => "block.coinbase",
        Env::Timestamp => "block.timestamp",
        Env::Number => "block.number",
        Env::PrevRandao => "block.prevrandao",
        Env::GasLimit => "block.gaslimit",
        Env::ChainId => "block.chainid",
        Env::BaseFee => "block.basefee",
        Env::BlobBaseFee => "block.blobbasefee",
    }
}
