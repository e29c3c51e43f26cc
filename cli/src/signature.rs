//! Signatures as people type them: `f(uint, byte)` is `f(uint256,bytes1)`.

/// A name stays what it is; so does a type that has one name only.
pub fn canonical(text: &str) -> String {
    let Some((name, parameters)) = text.split_once('(') else { return text.to_owned() };
    let mut out = format!("{}(", name.trim_end());
    let mut word = String::new();
    for c in parameters.replace("address payable", "address").chars().filter(|c| !c.is_whitespace()) {
        if c.is_alphanumeric() || c == '_' || c == '$' {
            word.push(c);
        } else {
            out.push_str(whole(&std::mem::take(&mut word)));
            out.push(c);
        }
    }
    out.push_str(whole(&word));
    out
}

fn whole(word: &str) -> &str {
    match word {
        "uint" => "uint256",
        "int" => "int256",
        "byte" => "bytes1",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn short_names_of_types() {
        assert_eq!(canonical("f(uint, int[] ,(byte,uint8))"), "f(uint256,int256[],(bytes1,uint8))");
        assert_eq!(canonical("f(address payable)"), "f(address)");
        for same in ["uint", "[constructor]", "f(uint256)", "f(uinteger)", "f()"] {
            assert_eq!(canonical(same), same);
        }
    }
}
