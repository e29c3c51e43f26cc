//! Random and damaged sources: the front end answers with a tree or with located errors, never with a panic, and
//! every place in the tree is a place in the text. `PROPTEST_CASES=100000` makes a long run.

mod samples;

use hornet_frontend::parse::{ParsedFile, parse_file};
use hornet_ir::diag::Diagnostic;
use hornet_ir::span::SourceMap;
use proptest::prelude::*;
use samples::{damaged, word};

fn parse(text: &str) -> Result<ParsedFile, Vec<Diagnostic>> {
    let mut map = SourceMap::default();
    let id = map.add("fuzz.sol", text);
    parse_file(&map, id)
}

/// Parses and checks what must hold for any input.
fn check(text: &str) {
    match parse(text) {
        Ok(parsed) => check_places(text, &format!("{:?}", parsed.unit)),
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                let span = error.span.expect("errors in a file have a place");
                assert!(text.get(span.start as usize..span.end as usize).is_some(), "{error:?}");
            }
        }
    }
}

/// The printed tree names the place of every node, and the name of every identifier after its place.
fn check_places(text: &str, tree: &str) {
    for (at, _) in tree.match_indices("File(0, ") {
        let (place, rest) = tree[at + 8..].split_once(')').expect("a closed place");
        let (start, end) = place.split_once(", ").expect("two offsets");
        let (start, end): (usize, usize) = (start.parse().expect("start"), end.parse().expect("end"));
        let source = text.get(start..end).unwrap_or_else(|| panic!("{start}..{end} is no place"));
        let is_identifier = tree[..at].ends_with("Identifier { loc: ");
        if is_identifier && let Some(name) = rest.strip_prefix(", name: \"") {
            let name = name.split('"').next().expect("a name");
            // `var` is written once before a tuple and stands in the tree before each name, without length.
            assert!(source == name || (start == end && name == "var"), "{source} is shown as {name}");
        }
    }
}

proptest! {
    #[test]
    fn token_soup(words in prop::collection::vec(word(), 0..60)) {
        check(&words.join(" "));
        check(&words.concat());
    }

    #[test]
    fn soup_in_a_function(words in prop::collection::vec(word(), 0..40)) {
        check(&format!("contract C {{ function f() public {{ {} }} }}", words.join(" ")));
    }

    #[test]
    fn soup_in_assembly(words in prop::collection::vec(word(), 0..40)) {
        check(&format!("function f() {{ assembly {{ {} }} }}", words.join(" ")));
    }

    #[test]
    fn damaged_sources(text in damaged()) {
        check(&text);
    }

    #[test]
    fn any_text(text in ".{0,200}") {
        check(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn samples_are_good() {
    for source in samples::SOURCES {
        parse(source).unwrap_or_else(|errors| panic!("{source}\n{errors:#?}"));
        check(source);
    }
}

/// Inputs that once went wrong.
#[test]
fn regressions() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions");
    for entry in std::fs::read_dir(folder).expect("the folder of regressions") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        check(&String::from_utf8_lossy(&bytes));
    }
}
