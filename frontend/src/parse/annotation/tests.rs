use super::*;
use crate::parse::{ParsedFile, parse_file};
use hornet_ir::span::SourceMap;
use proptest::prelude::*;

fn parse(text: &str) -> (SourceMap, ParsedFile) {
    let mut map = SourceMap::default();
    let id = map.add("test.sol", text);
    let parsed = parse_file(&map, id).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"));
    (map, parsed)
}

fn show(map: &SourceMap, e: &SpecExpr) -> String {
    let mut shown = e.text.clone();
    assert_eq!(map.snippet(e.span).split_whitespace().next(), e.text.split(' ').next());
    for q in &e.quantifiers {
        let vars: Vec<&str> = q.vars.iter().map(|v| v.name.as_str()).collect();
        let body = map.snippet(crate::parse::span_of(&pt::CodeLocation::loc(&q.body)));
        shown.push_str(&format!(" | {} {body}", vars.join(",")));
    }
    shown
}

/// The annotations before `contract C`, one line each: keyword and parts, or the error and the text under it.
fn before_contract(comment: &str) -> Vec<String> {
    let text = format!("{comment}\ncontract C {{}}");
    let (map, parsed) = parse(&text);
    let at = text.find("contract C").expect("the contract");
    let line = |a: &Annotation| match &a.form {
        Err(errors) => {
            let place = errors[0].span.map(|s| map.snippet(s)).unwrap_or_default();
            format!("error {} @ {place}", errors[0].message)
        }
        Ok(form) => {
            let parts: Vec<String> = match form {
                Form::Invariant(e)
                | Form::Precondition(e)
                | Form::Postcondition(e)
                | Form::Emits(e)
                | Form::SucceedsIf(e)
                | Form::RevertsIf(e)
                | Form::Tracks(e) => vec![show(&map, e)],
                Form::Modifies { target, cond, .. } => {
                    [target, cond].into_iter().flatten().map(|e| show(&map, e)).collect()
                }
                Form::Cases(cases) => {
                    cases.iter().flat_map(|c| [show(&map, &c.cond), show(&map, &c.then)]).collect()
                }
                Form::ContractInvariants | Form::AllowNoChange => vec![],
                Form::Gas(budget) => {
                    assert_eq!(map.snippet(budget.span).len(), budget.text.len());
                    vec![budget.text.clone()]
                }
            };
            format!("{} {}", a.keyword, parts.join(" / "))
        }
    };
    parsed.annotations_before(at).iter().map(line).collect()
}

#[test]
fn tags_and_comment_frames() {
    assert_eq!(
        before_contract(
            "/// @title T\n/// @notice invariant x ==\n//  no doc\n/// y\n/// @dev z\n/** @notice invariant a\n  * == b\n \
             * @custom:hornet invariant c */"
        ),
        ["invariant x == y", "invariant a == b", "invariant c"]
    );
    assert_eq!(before_contract("/** @notice modifies * */"), ["modifies "]);
    assert_eq!(before_contract("// @notice invariant x\n/* @notice invariant x */"), [""; 0]);
}

#[test]
fn all_forms() {
    let lines = [
        ("precondition x > 0", "precondition x > 0"),
        ("modifies a[i].b if c == 1", "modifies a[i].b / c == 1"),
        ("modifies *  if c", "modifies c"),
        ("emits L.E", "emits L.E"),
        ("specification [ case a: b; case c ? d : e: f ]", "specification a / b / c ? d : e / f"),
        ("specification [case a: b;]", "specification a / b"),
        ("{contractInvariants}", "{contractInvariants} "),
        ("succeeds-if x", "succeeds-if x"),
        ("reverts-if !x", "reverts-if !x"),
        ("tracks-changes-in x", "tracks-changes-in x"),
        ("allow-no-change-emit", "allow-no-change-emit "),
    ];
    for (text, expected) in lines {
        assert_eq!(before_contract(&format!("/// @notice {text}")), [expected], "{text}");
    }
}

#[test]
fn quantifiers_reach_to_the_end_of_what_is_around_them() {
    let one = |text: &str| before_contract(&format!("/// @notice invariant {text}")).remove(0);
    assert_eq!(
        one("forall (uint i) !(i < n) || a[i] > 0"),
        "invariant forall (uint i) !(i < n) || a[i] > 0 | i !(i < n) || a[i] > 0"
    );
    assert_eq!(
        one("x && (exists(address payable p, uint8 q) f[p] == q) || y"),
        "invariant x && (exists(address payable p, uint8 q) f[p] == q) || y | p,q f[p] == q"
    );
    assert_eq!(
        one("forall (uint i) exists (uint j) a[i] == b[j]"),
        "invariant forall (uint i) exists (uint j) a[i] == b[j] | i exists | j a[i] == b[j]"
    );
    assert_eq!(
        one("property(a.b) (i, j) (i < j) || a.b[i] > 1"),
        "invariant property(a.b) (i, j) (i < j) || a.b[i] > 1 | i,j (i < j) || a.b[i] > 1"
    );
    // Names of the user's own.
    assert_eq!(
        one("exists(x) && x.forall(y) && property == 1"),
        "invariant exists(x) && x.forall(y) && property == 1"
    );
}

#[test]
fn prose_is_not_ours() {
    for text in [
        "some text",
        "Invariant x",
        "emits a Transfer event",
        "emits",
        "modifies the owner",
        "modifies state, and more.",
        "modifies",
        "specification of the protocol",
    ] {
        assert_eq!(before_contract(&format!("/// @notice {text}")), [""; 0], "{text}");
    }
}

#[test]
fn errors_are_at_their_characters() {
    for (text, expected) in [
        ("@notice invariant x ==", "error the annotation ends too early after this @ ="),
        ("@notice invariant", "error expected an expression after this @ t"),
        ("@notice invariant x + * y", "error unexpected `*` @ *"),
        ("@notice invariant x = y", "error annotations cannot change anything @ x = y"),
        ("@notice invariant x; y", "error expected the end of the annotation @ ; y"),
        ("@notice invariant forall (uint i) i ==", "error the annotation ends too early after this @ ="),
        ("@notice precondition the caller pays", "error unexpected `caller` @ caller"),
        ("@notice modifies x if y +", "error the annotation ends too early after this @ +"),
        ("@notice specification [ case a b; ]", "error expected `:` after the condition of this case @ case"),
        ("@notice specification [ a: b; ]", "error expected `case` @ a"),
        ("@notice specification [ case a: b;", "error expected `]` after this @ ;"),
        ("@notice allow-no-change-emit x", "error expected the end of the annotation @ x"),
        ("@custom:hornet invariants x", "error no annotation begins like this @ invariants"),
        ("@custom:hornet emits no event", "error `emits` cannot be followed by this @ emits no event"),
    ] {
        assert_eq!(before_contract(&format!("/// {text}")), [expected], "{text}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let text = format!("/// @notice invariant {}true", "forall (uint i) ".repeat(5000));
    assert_eq!(before_contract(&text), ["error too many quantifiers inside each other @ forall"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    /// Whatever is written after a word of ours, reading it ends, and errors are inside the comment.
    #[test]
    fn any_text_is_survived(
        word in prop::sample::select(vec!["invariant", "modifies", "emits", "specification [", "precondition"]),
        parts in prop::collection::vec(prop::sample::select(vec![
            "forall", "exists", "property", "(", ")", "[", "]", "uint i", "x", ",", ";", ":", "?", "case", "if", "==",
            "&&", "!", "é", "\"", "'", "0x", "1e", ".", "sum(m)", "old(", "\n/// ", "*", "//", "{", "}", "@", "pragma",
        ]), 0..24),
        junk in "\\PC{0,12}",
    ) {
        let text = format!("/// @notice {word} {} {junk}\ncontract C {{}}", parts.join(" "));
        let (_, parsed) = parse(&text);
        let at = text.rfind("contract C").unwrap_or_default();
        for annotation in parsed.annotations_before(at) {
            if let Err(errors) = &annotation.form {
                let span = errors[0].span.unwrap_or(annotation.span);
                prop_assert!(span.start <= span.end && (span.end as usize) <= at);
            }
        }
    }
}

#[test]
fn budgets() {
    assert_eq!(before_contract("/// @custom:gas <= 60_000"), ["gas 60_000"]);
    assert_eq!(before_contract("/// @notice gas <= 2500*n + 30000"), ["gas 2500*n + 30000"]);
    assert_eq!(before_contract("/// @custom:hornet gas <= 1\n/// @dev other"), ["gas 1"]);
    assert_eq!(before_contract("/// @notice gas <= 1 +\n/// n"), ["gas 1 +\n    n"]);
    assert_eq!(before_contract("/// @notice gas is given back"), [""; 0]);
    let expected = "expected `<=` and a number of gas, such as `<= 60000`";
    assert_eq!(before_contract("/// @custom:gas 5"), [format!("error {expected} @ 5")]);
}
