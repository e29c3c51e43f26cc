use hornet_ir::span::{FileId, SourceMap};
use solang_parser::pt::{ContractPart, Expression, FunctionTy, SourceUnitPart, Statement, VariableAttribute};

use super::*;

fn parse(text: &str) -> ParsedFile {
    let mut map = SourceMap::default();
    let id = map.add("test.sol", text);
    parse_file(&map, id).unwrap_or_else(|errors| panic!("{text}\n{errors:#?}"))
}

/// Each error as `message @ source under its span`.
fn errors(text: &str) -> Vec<String> {
    let mut map = SourceMap::default();
    let id = map.add("test.sol", text);
    match parse_file(&map, id) {
        Ok(_) => Vec::new(),
        Err(errors) => {
            let place = |e: &Diagnostic| e.span.map(|span| map.snippet(span).to_string()).unwrap_or_default();
            errors.iter().map(|e| format!("{} @ {}", e.message, place(e))).collect()
        }
    }
}

fn tree(text: &str) -> String {
    format!("{:?}", parse(text).unit)
}

fn in_function(version: &str, body: &str) -> String {
    format!("pragma solidity {version};\ncontract C {{ function f() public {{ {body} }} }}")
}

fn body(version: &str, text: &str) -> Vec<Statement> {
    let parsed = parse(&in_function(version, text));
    let SourceUnitPart::ContractDefinition(contract) = &parsed.unit.0[0] else { panic!("no contract") };
    let Some(ContractPart::FunctionDefinition(function)) = contract.parts.last() else {
        panic!("no function")
    };
    let Some(Statement::Block { statements, .. }) = &function.body else { panic!("no body") };
    statements.clone()
}

fn expression(version: &str, text: &str) -> Expression {
    match body(version, &format!("{text};")).remove(0) {
        Statement::Expression(_, expr) => expr,
        other => panic!("{other:?}"),
    }
}

fn part(text: &str, index: usize) -> ContractPart {
    let parsed = parse(text);
    let SourceUnitPart::ContractDefinition(contract) = &parsed.unit.0[0] else { panic!("no contract") };
    contract.parts[index].clone()
}

#[test]
fn words_the_parser_reserves_are_names() {
    for (word, plain) in [
        ("instance", "inst_nce"),
        ("persistent", "persist_nt"),
        ("temporary", "tempor_ry"),
        ("revert", "rev_rt"),
    ] {
        let text = |name: &str| {
            format!(
                "struct {name} {{ uint {name}; }} contract C is {name} {{ uint {name}; event {name}(uint {name}); \
                 error {name}(uint {name}); enum E {{ {name} }} mapping(uint {name} => uint) m; \
                 function {name}(uint {name}) public {name}(1) returns (uint {name}) {{ {name} = {name} + {name}.{name}; \
                 {name}[1]++; x({{{name}: 1}}); (uint {name}, ) = y(); g{{{name}: 1}}(); emit {name}({name}); \
                 if (a) z({name}); return {name} ? {name} : {name}({name}); }} }}"
            )
        };
        assert_eq!(tree(&text(word)), tree(&text(plain)).replace(plain, word), "{word}");
    }
}

#[test]
fn keywords_of_later_versions_are_names_in_earlier_ones() {
    for (version, word, plain) in [
        ("0.5.0", "receive", "rec_ive"),
        ("0.5.0", "fallback", "fallb_ck"),
        ("0.5.0", "virtual", "virtu_l"),
        ("0.4.0", "override", "overr_de"),
        ("0.4.0", "immutable", "immut_ble"),
        ("0.4.0", "unchecked", "unch_cked"),
        ("0.4.0", "calldata", "calld_ta"),
        ("0.4.20", "emit", "em_t"),
        ("0.4.20", "constructor", "constr_ctor"),
    ] {
        let text =
            |name: &str| in_function(version, &format!("uint {name} = 1; {name} = {name}.{name}({name});"));
        assert_eq!(tree(&text(word)), tree(&text(plain)).replace(plain, word), "{word}");
    }
    assert!(!errors(&in_function("0.8.0", "uint receive = 1;")).is_empty());
}

#[test]
fn functions_may_be_called_receive_or_fallback() {
    let text = "contract C { function receive() public {} function fallback() public {} \
                receive() external payable {} fallback() external {} }";
    let ContractPart::FunctionDefinition(named) = part(text, 0) else { panic!() };
    assert_eq!((named.ty, named.name.map(|n| n.name).as_deref()), (FunctionTy::Function, Some("receive")));
    let ContractPart::FunctionDefinition(special) = part(text, 2) else { panic!() };
    assert_eq!((special.ty, special.name), (FunctionTy::Receive, None));
}

#[test]
fn contextual_words_stay_names() {
    let body = "uint error = 1; uint from = error; uint global = from; uint transient = 1; uint layout; uint at; \
                uint leave = 1; uint switch; uint case; uint default; uint persistent; \
                at = layout + transient + leave; x.error(from); error.from();";
    parse(&in_function("^0.8.0", body));
}

#[test]
fn transient_variables() {
    let text = "contract C { uint transient x; bool public transient y; address transient internal z; \
                uint transient; uint transient transient; mapping(uint => uint) private transient m; \
                uint[2] transient a; function() external transient g; transient t; }";
    let expected = [true, true, true, false, true, true, true, true, false];
    for (i, expected) in expected.into_iter().enumerate() {
        let ContractPart::VariableDefinition(variable) = part(text, i) else { panic!("{i}") };
        assert_eq!(is_transient(&variable), expected, "{i}");
    }
    assert!(!errors(&in_function("^0.8.0", "uint transient x;")).is_empty());
}

#[test]
fn layout_at() {
    for header in ["C layout at 0x10 + 2", "C is A, B(1) layout at 0x10 + 2", "C layout at 0x10 + 2 is A"] {
        let text = format!("contract D {{}} contract {header} {{ uint x; }} contract layout {{}}");
        let parsed = parse(&text);
        let contracts: Vec<_> = parsed
            .unit
            .0
            .iter()
            .filter_map(|part| match part {
                SourceUnitPart::ContractDefinition(contract) => Some(contract),
                _ => None,
            })
            .collect();
        assert!(parsed.layout_of(contracts[0]).is_none() && parsed.layout_of(contracts[2]).is_none());
        let layout = parsed.layout_of(contracts[1]).expect("a layout");
        let (start, end) = loc_range(&solang_parser::pt::CodeLocation::loc(layout)).expect("a place");
        assert_eq!(&text[start..end], "0x10 + 2");
    }
    assert_eq!(errors("contract C layout at {}").len(), 1);
}

#[test]
fn forms_of_old() {
    for text in [
        "throw;",
        "if (x) throw; else throw;",
        "var x = 1;",
        "var (x, y) = f();",
        "var (, y,) = f();",
        "for (var i = 0; i < 3; i++) {}",
        "for (var (i, j) = (0, 1); i < 3; i++) {}",
        "uint x = 2 years + 1 finney;",
        "sha3(x, y); suicide(msg.sender); now; msg.gas;",
        "a.call.value(1).gas(2)(x); a.callcode(x); b.f.value(1)();",
        "string memory s = hex'00ff';",
        "E(x);",
    ] {
        parse(&in_function("^0.4.11", text));
    }
    parse(
        "pragma solidity ^0.4.0; contract C { function C() {} function() payable {} function f() constant returns (uint) { return 1; } }",
    );
}

#[test]
fn throw_is_revert() {
    assert!(matches!(&body("^0.4.0", "throw;")[0], Statement::Revert(_, None, args) if args.is_empty()));
    assert_eq!(errors(&in_function("^0.8.0", "throw;")), ["`throw` was removed in 0.5 @ throw"]);
}

#[test]
fn var_tuples_declare() {
    let Expression::Assign(_, target, _) = expression("^0.4.0", "var (x, , y) = f()") else { panic!() };
    let Expression::List(_, params) = *target else { panic!() };
    let names: Vec<_> = params
        .iter()
        .map(|(_, param)| param.as_ref().map(|p| (p.ty.to_string(), p.name.as_ref().map(|n| n.name.clone()))))
        .collect();
    let var = |name: &str| Some(("var".to_string(), Some(name.to_string())));
    assert_eq!(names, [var("x"), None, var("y")]);
    let Expression::Assign(_, target, _) = expression("^0.4.0", "(x, y) = f()") else { panic!() };
    let Expression::List(_, params) = *target else { panic!() };
    assert!(params.iter().all(|(_, param)| param.as_ref().is_some_and(|p| p.name.is_none())));
}

#[test]
fn unnamed_functions() {
    for (text, fallback) in [
        ("function() payable {}", true),
        ("function () external payable onlyOwner(1) m { x = 1; }", true),
        ("function() external payable;", true),
        ("function() external f;", false),
        ("function() internal returns (uint) f = g;", false),
    ] {
        let source = format!("pragma solidity ^0.5.0; contract C {{ {text} }}");
        match part(&source, 0) {
            ContractPart::FunctionDefinition(function) => {
                assert!(fallback, "{text}");
                assert_eq!((function.ty, function.name), (FunctionTy::Fallback, None));
            }
            ContractPart::VariableDefinition(_) => assert!(!fallback, "{text}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        errors("pragma solidity ^0.6.0; contract C { function() external {} }"),
        ["a function needs a name @ function"]
    );
}

#[test]
fn variables_of_function_type_keep_their_own_attributes() {
    let attrs = |text: &str| {
        let ContractPart::VariableDefinition(variable) = part(&format!("contract C {{ {text} }}"), 0) else {
            panic!()
        };
        let Expression::Type(_, Type::Function { attributes, .. }) = &variable.ty else { panic!() };
        (attributes.len(), variable.attrs.clone())
    };
    use solang_parser::pt::{Type, Visibility};
    let (of_type, own) = attrs("function() external view internal f;");
    assert_eq!(of_type, 2);
    assert!(matches!(own[..], [VariableAttribute::Visibility(Visibility::Internal(_))]));
    let (of_type, own) = attrs("function() external returns (uint) public immutable f = g;");
    assert_eq!(of_type, 1);
    assert!(matches!(
        own[..],
        [VariableAttribute::Visibility(Visibility::Public(_)), VariableAttribute::Immutable(_)]
    ));
    let (_, own) = attrs("function(uint) external public override f;");
    assert!(matches!(own[..], [VariableAttribute::Visibility(_), VariableAttribute::Override(..)]));
    let (of_type, own) = attrs("function() internal constant f = g;");
    assert_eq!(of_type, 1);
    assert!(matches!(own[..], [VariableAttribute::Constant(_)]));
}

#[test]
fn new_covers_only_the_creation() {
    for (text, expected) in [
        ("new C(1).f(2)", "new C(1)"),
        ("new C{value: 1}(x).y.z", "new C{value: 1}(x)"),
        ("new uint[](3)[0]", "new uint[](3)"),
        ("new A.B(1)", "new A.B(1)"),
        ("new bytes(3).length", "new bytes(3)"),
    ] {
        let source = in_function("^0.8.0", &format!("{text};"));
        let mut expr = expression("^0.8.0", text);
        let whole = loc_range(&solang_parser::pt::CodeLocation::loc(&expr)).expect("a place");
        assert_eq!(&source[whole.0..whole.1], text);
        loop {
            expr = match expr {
                Expression::New(loc, created) => {
                    let (start, end) = loc_range(&loc).expect("a place");
                    assert_eq!(&source[start..end], expected);
                    assert!(matches!(*created, Expression::FunctionCall(..)), "{text}");
                    break;
                }
                Expression::FunctionCall(_, e, _)
                | Expression::MemberAccess(_, e, _)
                | Expression::ArraySubscript(_, e, _) => *e,
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}

#[test]
fn try_without_results_has_a_success_block() {
    for text in
        ["try x.f() { a(); } catch {}", "try new C{salt: s}(1) {} catch Error(string memory e) { b(e); }"]
    {
        let Statement::Try(_, call, success, clauses) = &body("^0.8.0", text)[0] else { panic!() };
        assert!(success.is_some() && clauses.len() == 1);
        assert!(matches!(call, Expression::FunctionCall(..) | Expression::New(..)), "{call:?}");
    }
    assert!(!errors(&in_function("^0.8.0", "try x.f() catch {}")).is_empty());
}

#[test]
fn powers_group_by_version() {
    let Expression::Power(_, left, _) = expression("^0.7.0", "a ** b ** c ** d") else { panic!() };
    assert!(matches!(*left, Expression::Power(_, l, _) if matches!(*l, Expression::Power(..))));
    let Expression::Power(_, left, right) = expression("^0.8.0", "a ** b ** c") else { panic!() };
    assert!(matches!((*left, *right), (Expression::Variable(_), Expression::Power(..))));
    let Expression::Power(_, left, _) = expression("^0.7.0", "a ** (b ** c)") else { panic!() };
    assert!(matches!(*left, Expression::Variable(_)));
}

#[test]
fn parentheses_have_their_own_place() {
    for text in ["(a + b)", "( /* ( */ (a) // )\n )", "('x' \"y\")"] {
        let source = in_function("^0.8.0", &format!("x = {text};"));
        let Expression::Assign(_, _, value) = expression("^0.8.0", &format!("x = {text}")) else { panic!() };
        let Expression::Parenthesis(loc, _) = *value else { panic!() };
        let (start, end) = loc_range(&loc).expect("a place");
        assert_eq!(&source[start..end], text);
    }
}

#[test]
fn modern_forms() {
    for text in [
        "type T is uint; function add(T a, T b) pure returns (T) {} using {add as +, L.f, neg as -} for T global;",
        "using A for *; using A.B for uint; using {f} for C.D;",
        "error E(uint a, string); event X(uint indexed a) anonymous; uint constant K = 1;",
        "import 'a.sol'; import 'a.sol' as A; import {x, y as z} from 'b.sol'; import * as B from 'c.sol';",
        "abstract contract C is A, B(1) { modifier m() virtual; constructor() payable B(1) {} }",
        "contract C { function f() external virtual override(A, B) m(1) returns (uint a, bytes calldata b) {} }",
        "contract C { mapping(address owner => mapping(uint id => bool ok) inner) m; address payable a; }",
        "contract C { fallback(bytes calldata x) external payable returns (bytes memory) {} }",
        "contract C { modifier m { if (x) { _; } _; } modifier n virtual { _; } }",
        "struct S { function(uint) external returns (uint)[2] f; mapping(uint => S) m; }",
    ] {
        parse(text);
    }
    for text in [
        "assembly (\"memory-safe\") { let x := mload(0x40) switch x case 0 { leave } default { revert(0, 0) } }",
        "assembly { function g(a, b) -> c { c := add(a, b) } for {} lt(1, 2) {} { break } x := y.slot z.offset := 1 }",
        "assembly { let byte := 1 let delete := address() let type := bytes32 let instance := uint }",
        "assembly \"evmasm\" { pop(hex\"00\") }",
        "unchecked { x++; --y; }",
        "string memory s = unicode\"…\" 'b' \"c\"; bytes memory b = hex\"12_34\" hex'56';",
        "abi.encodeCall(x.f, (1, 2)); type(uint).max; bytes.concat(a, b); string.concat();",
        "x = a[1:2]; y = a[:]; z = a[1:]; delete m[1]; (a, b) = (b, a); (uint c, , bytes memory d) = f();",
        "revert E(1); revert E({a: 1}); revert(); revert(\"x\"); revert A.B(); f(revert);",
        "g{value: 1 ether, gas: 2_000 gwei}({a: 1, b: 2.5e-3 days}); h{salt: 0x1}(.5);",
        "function (uint) internal pure returns (uint) g = h; uint[2 ** 3] memory q; payable(x).transfer(1);",
        "do x++; while (x < 3); for (;;) break; while (true) continue; if (a) if (b) c(); else d();",
        "x = a ? b : c ? d : e; x <<= 1; x = y = z; !a && -b < ~c || d != e; a.address; f.selector;",
        "_ = 1; $ = _$1; unchecked {} {} { {} }",
    ] {
        parse(&in_function("^0.8.20", text));
    }
}

#[test]
fn errors_are_short_and_placed() {
    assert_eq!(errors("contract C {\n uint x\n uint y;\n}"), ["expected `;` after this @ x"]);
    assert_eq!(errors("contract C { uint x = ; }"), ["unexpected `;` @ ;"]);
    assert_eq!(errors("contract C { function f() { x = 1 + ; y = ) } }"), ["unmatched `)` @ )"]);
    assert_eq!(errors("contract C {"), ["unclosed `{` @ {"]);
    assert_eq!(errors("contract C { } }"), ["unmatched `}` @ }"]);
    assert_eq!(errors("contract C { string s = \"abc; }"), ["unclosed string @ \"abc; }"]);
    assert_eq!(errors("contract C { } /* x"), ["unclosed comment @ /*"]);
    assert_eq!(errors("contract C { uint x = 1ether; }"), ["`1ether` is not a number @ 1ether"]);
    assert_eq!(errors("contract Ç { } #"), ["unexpected character `Ç` @ Ç", "unexpected character `#` @ #"]);
    assert_eq!(errors("foo E();"), ["expected a declaration @ foo E()"]);
    assert_eq!(errors("import a.b;"), ["an import names its file in quotes @ a.b"]);
    assert_eq!(errors("contract C"), ["unexpected end of file @ "]);
    assert!(errors("contract instance { uint x = instance instance; }")[0].contains("`instance`"));
}

#[test]
fn several_errors_in_one_run() {
    let found = errors("contract C { function f() public { x = ; } function g() public { y = ; } }");
    assert_eq!(found, ["unexpected `;` @ ;", "unexpected `;` @ ;"]);
}

#[test]
fn pragmas() {
    let parsed =
        parse("pragma solidity >=0.6.0 /* c */ <0.7.0; pragma experimental ABIEncoderV2; contract C {}");
    assert_eq!((parsed.version, parsed.abicoder()), (Version::new(0, 6, 12), AbiCoder::V2));
    assert_eq!(parse("contract C {}").version, Version::NEWEST);
    assert_eq!(parse("contract C {}").abicoder(), AbiCoder::V2);
    assert_eq!(parse("pragma abicoder v1; contract C {}").abicoder(), AbiCoder::V1);
    assert_eq!(parse("pragma solidity ^0.7.0;").abicoder(), AbiCoder::V1);
    assert_eq!(parse("pragma solidity 0.5.x;pragma solidity^0.5.3;").version, Version::new(0, 5, 17));
    assert_eq!(
        parse("contract C {} pragma solidity ^0.4.0; contract receive {}").version,
        Version::new(0, 4, 26)
    );
    for (text, expected) in [
        ("pragma solidity ^0.9.0;", "no compiler satisfies `^0.9.0` @ pragma solidity ^0.9.0;"),
        (
            "pragma solidity abc;",
            "malformed version range: expected a version number, found `abc` @  solidity abc",
        ),
        ("pragma foo bar;", "unknown pragma `foo` @ pragma foo bar;"),
        ("pragma abicoder v3;", "unknown ABI coder `v3` @  abicoder v3"),
        ("pragma experimental Magic;", "unknown experimental feature `Magic` @  experimental Magic"),
        ("pragma solidity ^0.8.0", "this pragma does not end with `;` @ pragma"),
        (
            "pragma solidity ^0.8.0; pragma solidity ^0.7.0;",
            "no compiler satisfies all version pragmas of this file @ pragma solidity ^0.7.0;",
        ),
    ] {
        assert_eq!(errors(text), [expected], "{text}");
    }
}

#[test]
fn odd_bytes() {
    let parsed = parse("\u{feff}contract C {\r\n uint x; // é\r\n}\r\n");
    let SourceUnitPart::ContractDefinition(contract) = &parsed.unit.0[0] else { panic!() };
    assert_eq!(loc_range(&contract.loc).map(|r| r.0), Some(3));
    assert_eq!(errors("contract C { \0 }"), ["unexpected character `\\0` @ \0"]);
    parse("");
    parse("\n\n// only a comment");
    let junk: String =
        (0..200_000u32).map(|i| char::from((i.wrapping_mul(2_654_435_761) >> 24) as u8)).collect();
    assert!((1..=limits::MAX_ERRORS).contains(&errors(&junk).len()));
}

#[test]
fn nesting_is_limited_with_one_error() {
    let many = |s: &str, n: usize| s.repeat(n);
    let n = 10_000;
    for (name, text) in [
        ("parentheses", format!("{}1{}", many("(", n), many(")", n))),
        ("brackets", format!("a{}", many("[", n))),
        ("index", format!("a{}", many("[1]", n))),
        ("blocks", format!("{}{}", many("{", n), many("}", n))),
        ("negations", format!("x = {}y", many("!", n))),
        ("minus", format!("x = {}y", many("- ", n))),
        ("increments", format!("{}y", many("++", n))),
        ("members", format!("a{}", many(".b", n))),
        ("calls", format!("a{}", many("()", n))),
        ("options", format!("a{}()", many("{b: 1}", n))),
        ("sum", format!("x = 1{}", many("+1", 10 * n))),
        ("powers", format!("x = 1{}", many("**1", n))),
        ("assignments", format!("{}1", many("x = ", n))),
        ("ternaries", format!("x = {}1", many("a ? b : ", n))),
        ("else if", format!("{} x;", many("if (a) b; else ", n))),
        ("else if blocks", format!("{} {{}}", many("if (a) { b; } else ", n))),
        ("if if", format!("{} x;", many("if (a) ", n))),
        ("while", format!("{} x;", many("while (a) ", n))),
        ("for", format!("{} x;", many("for (;;) ", n))),
        ("do", format!("{} x; {}", many("do ", n), many("while (a);", n))),
        ("delete", format!("{} x", many("delete ", n))),
        ("mappings", format!("{}uint{} m", many("mapping(uint => ", n), many(")", n))),
        ("yul", format!("assembly {{ {}1{} }}", many("f(", n), many(")", n))),
        ("yul blocks", format!("assembly {{ {}{} }}", many("{", n), many("}", n))),
        ("yul path", format!("assembly {{ x := a{} }}", many(".b", n))),
    ] {
        let found = errors(&in_function("^0.8.0", &format!("{text};")));
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].contains("nested deeper"), "{name}: {found:?}");
    }
}

#[test]
fn reasonable_nesting_passes() {
    let many = |s: &str, n: usize| s.repeat(n);
    for text in [
        format!("x = {}1{};", many("(", 200), many(")", 200)),
        format!("x = 1{};", many(" + 1", 1_900)),
        format!("x = 1{};", many(" && a.b(c)[d]", 400)),
        format!("{} x;", many("if (a == 1) return b; else ", 300)),
        format!("{{{}}}", many("while (a) b(c + d); ", 5_000)),
        format!("{{{}}}", many("if (a) { b(); } else { c(); } ", 5_000)),
        format!("{{{}}}", many("(a, b) = (b, a); ", 5_000)),
        format!("assembly {{ {} }}", many("let a := add(b, c) mstore(d.slot, e) ", 5_000)),
        format!("x = [{}1];", many("a + b, ", 50_000)),
        format!("s = {};", many("'a' ", 50_000)),
    ] {
        parse(&in_function("^0.8.0", &text));
    }
}

#[test]
fn wide_text_in_many_parentheses_is_refused() {
    let text = in_function(
        "^0.8.0",
        &format!("x = {}[{}1]{};", "(".repeat(200), "1, ".repeat(200_000), ")".repeat(200)),
    );
    assert_eq!(errors(&text), ["parentheses around too much text @ )"]);
}

#[test]
fn doc_comments_before_declarations() {
    let text = "/// @title a\ncontract C { /** b */ uint x; // no\n /// c\n // d\n /// e\n function f() public {\n \
                /// @notice invariant i\n for (;;) {}\n } /* f */ uint y; /// trailing\n }";
    let parsed = parse(text);
    let at = |needle: &str| {
        let docs = parsed.doc_before(text.find(needle).expect(needle));
        docs.iter().map(|d| &text[d.text_span.start as usize..d.text_span.end as usize]).collect::<Vec<_>>()
    };
    assert_eq!(at("contract"), [" @title a"]);
    assert_eq!(at("uint x"), [" b "]);
    assert_eq!(at("function"), [" c", " e"]);
    assert_eq!(at("for"), [" @notice invariant i"]);
    assert!(at("uint y").is_empty());
    assert!(parsed.doc_before(text.len()).is_empty());
    assert!(parse("/**/ uint constant X = 1; /***/").doc_before(5).is_empty());
}

#[test]
fn places_outside_files_are_harmless() {
    assert_eq!(span_of(&Loc::Implicit), Span::new(FileId(0), 0, 0));
}
