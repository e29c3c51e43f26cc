//! How many bytes the data of a call has, by the types of the arguments.

use super::abi::{Entry, Function, Input};
use super::formula::{Formula, Product};
use super::name::{fixed_array, is_dynamic, length_name, parameter_name};

impl Function {
    /// The bytes of a call as compilers encode it, at most; nothing if that is no formula in lengths of arguments.
    pub fn data_length(&self) -> Option<Formula> {
        match self.entry {
            Entry::Receive => return Some(Formula::default()),
            Entry::Fallback => return None,
            Entry::Selector(_) => {}
        }
        let mut length = Formula { offset: 4, products: Vec::new() };
        for (index, input) in self.inputs.iter().enumerate() {
            if let Some(words) = input.static_words() {
                length.offset += 32 * words;
                continue;
            }
            // A pointer in the head, a length, the contents.
            length.offset += 64;
            let coefficient = match input.ty.strip_suffix("[]") {
                Some(element) => {
                    let element = Input { ty: element.to_owned(), ..input.clone() };
                    32.0 * element.static_words()? as f64
                }
                None if input.ty == "bytes" || input.ty == "string" => {
                    length.offset += 31;
                    1.0
                }
                None => return None,
            };
            let parameters = vec![length_name(&parameter_name(index, input), &input.ty)];
            length.products.push(Product { coefficient, parameters });
        }
        Some(length)
    }
}

impl Input {
    /// Words of a value that is encoded in place; nothing for others.
    pub fn static_words(&self) -> Option<u64> {
        if is_dynamic(self) {
            return None;
        }
        if let Some((element, count)) = fixed_array(&self.ty) {
            return Some(count as u64 * Input { ty: element, ..self.clone() }.static_words()?);
        }
        match self.ty.as_str() {
            "tuple" => self.components.iter().map(Input::static_words).sum(),
            _ => Some(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, ty: &str, components: Vec<Input>) -> Input {
        Input { name: name.to_owned(), ty: ty.to_owned(), components }
    }

    fn length(inputs: Vec<Input>) -> Option<String> {
        let function = Function { signature: "f".to_owned(), entry: Entry::Selector([0; 4]), inputs };
        Some(function.data_length()?.to_string())
    }

    #[test]
    fn lengths_of_calls() {
        let pair = || vec![input("a", "uint256", vec![]), input("b", "address", vec![])];
        assert_eq!(length(vec![]).as_deref(), Some("4"));
        assert_eq!(length(vec![input("p", "tuple[3]", pair()), pair()[0].clone()]).as_deref(), Some("228"));
        assert_eq!(length(vec![input("to", "tuple[]", pair())]).as_deref(), Some("68 + 64·to.length"));
        assert_eq!(length(vec![input("s", "string", vec![])]).as_deref(), Some("99 + 1·bytes(s).length"));
        assert_eq!(length(vec![input("", "bytes", vec![])]).as_deref(), Some("99 + 1·argument 1.length"));
        assert_eq!(length(vec![input("many", "bytes[]", vec![])]), None);
    }
}
