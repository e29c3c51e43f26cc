use super::{RULES, rule, validate};
use crate::expr::{Expr, Place, Root, Step};
use crate::ids::*;
use crate::program::{Program, Stmt, StmtKind};
use crate::testgen::random_program;
use crate::text::{parse, print};
use crate::types::Type;
use proptest::prelude::*;

/// A correct program around some lines; `{…}` marks where the cases below differ.
fn around(types: &str, state: &str, body: &str) -> String {
    format!(
        "struct S {{ a: uint256, b: bytes }}
enum E {{ One, Two }}
{types}
event Ev() \"Ev()\"
contract C in \"c.sol\" {{
  storage n: uint256 at 0
  storage list: uint256[] at 1
  storage map: mapping(address => S) at 2
  storage item: S at 3
  immutable fixed: uint256
  {state}
  external proc f(%x: uint256, %m: memory S, %c: calldata bytes) -> (uint256) {{
    var %ok: bool
    var %data: bytes
    var %to: address
    var %small: uint8
    var %s: storage S
    var %k: memory bytes
    var %k2: memory uint256[]
  b0:
    {body}
    return (%x)
  }}

  internal proc g(%x: uint256) {{
  b0:
    return ()
  }}

  constructor proc [constructor] {{
  b0:
    return ()
  }}
}}
contract D in \"c.sol\" {{
  storage other: uint256 at 0

  internal proc h() {{
  b0:
    return ()
  }}
}}
"
    )
    .replace("proc [constructor] {", "proc `[constructor]`() {")
}

fn rules_broken(text: &str) -> Vec<u16> {
    let program = match parse(text) {
        Ok(program) => program,
        Err(e) => panic!("{e}\n{text}"),
    };
    let mut rules: Vec<u16> = validate(&program).iter().map(|v| v.rule).collect();
    rules.dedup();
    rules
}

const IN_TYPES: &[(u16, &str)] = &[
    (rule::WIDTH, "struct T { a: uint12 }"),
    (rule::WIDTH, "struct T { a: uint264 }"),
    (rule::REFERENCE, "struct T { a: memory bytes }"),
    (rule::KEY, "struct T { a: mapping(uint8[] => bool) }"),
    (rule::FIELDS, "struct T { a: bool, a: bool }"),
    (rule::FIELDS, "enum F { }"),
    (rule::RECURSION, "struct T { a: U[2] }\nstruct U { b: T }"),
];

const IN_CONTRACT: &[(u16, &str)] = &[
    (rule::OVERLAP, "storage y: uint8 at 4"),
    (rule::OVERLAP, "storage y: uint128 at 9 + 17"),
    (rule::ENTRIES, "entry g \"g(uint256)\" 0xe420264a = g"),
    (rule::ENTRIES, "entry f \"f()\" 0x26121ff0 = f\n  entry f \"f()\" 0x26121ff0 = f"),
    (rule::SELECTOR, "entry f \"f()\" 0x00000001 = f"),
    (rule::SPECIAL, "constructor = f"),
    (rule::SPECIAL, "receive = f"),
    (rule::SPECIAL, "fallback = f with data"),
];

const IN_BODY: &[(u16, &str)] = &[
    (rule::CONSTANT, "%small = 256u8"),
    (rule::CONSTANT, "%ok = 2:bool"),
    (rule::RESULT, "%small = (%x + 1):uint8"),
    (rule::OPERANDS, "%x = %x + %small"),
    (rule::OPERANDS, "%ok = !%ok && fits(%x + %small)"),
    (rule::OPERANDS, "%ok = -%ok"),
    (rule::CONVERSION, "%data = %x as bytes"),
    (rule::CONVERSION, "%x = (%small as bytes4) as uint256"),
    (rule::BUILTIN, "%x = balance(%x)"),
    (rule::BUILTIN, "%x = addmod(%x, %x)"),
    (rule::BUILTIN, "%data = bytes_concat(%data, %x)"),
    (rule::CHOICE, "%x = ite(%x, %x, %x)"),
    (rule::CHOICE, "%x = ite(%ok, %x, %small)"),
    (rule::ENCODING, "%data = abi.encode(%x => bytes)"),
    (rule::ENCODING, "%data = abi.encode(selector %x, %x)"),
    (rule::CALLDATA, "assume calldataref(%ok, 1):calldata bytes == %c"),
    (rule::INDEX, "%x = list[%small]"),
    (rule::INDEX, "%x = map[%x].a"),
    (rule::LENGTH, "%x = len(n)"),
    (rule::STORAGE_REF, "%x = slot(&fixed)"),
    (rule::OWN_STATE, "%x = D@other"),
    (rule::ASSIGN, "%x = %small"),
    (rule::STORE, "store n = %small"),
    (rule::STORE, "store %c[0] = 0x00:bytes1"),
    (rule::STORE, "store fixed = 1"),
    (rule::STORAGE_ONLY, "delete %m.a"),
    (rule::STORAGE_ONLY, "setlen list = %small"),
    (rule::CONDITION, "assume %x"),
    (rule::CALL, "call g()"),
    (rule::CALL, "%x = call g(1)"),
    (rule::CALL, "call D::h()"),
    (rule::CALL, "callptr (%x)()"),
    (rule::ALLOC, "%m = alloc bytes"),
    (rule::ALLOC, "%k2 = alloc uint256[], length %small"),
    (rule::ALLOC, "%k = alloc bytes, copy %x"),
    (rule::DECODE, "%data = decode (bytes) from %data, ok %ok, error %data"),
    (rule::DECODE, "%x = decode (uint256) from %data, ok %x, error %data"),
    (rule::EXTERNAL, "%ok, %data = external static(to = %to, value = 1, data = %data)"),
    (rule::EXTERNAL, "%ok, %data = external call(to = %x, data = %data)"),
    (rule::CREATE, "%to, %ok, %data = create D(args = %data, salt = 1)"),
    (rule::EMIT, "emit Ev() topics (1, 2, 3, 4, 5) data %data"),
    (rule::EMIT, "emit Ev() topics () data 1"),
    (rule::BENEFICIARY, "selfdestruct 1"),
    (rule::EVM, "evm.mstore(1)"),
    (rule::EVM, "%x = evm.sstore(1, 2)"),
    (rule::RETURN, "return ()\n  b1:"),
    (rule::PAYLOAD, "revert %x\n  b1:"),
    (rule::DANGLING, "%x = len(%s.b)"),
    (rule::CLAIM_ONLY, "%x = old(%x)"),
    (rule::CLAIM_ONLY, "%x = (%x as uint512) as uint256"),
];

/// Lines of a contract that claim something, about `n`, `list`, `map` and `item`.
const IN_CLAIMS: &[(u16, &str)] = &[
    (rule::CLAIM, "claim invariant#0 \"\": n"),
    (rule::CLAIM, "claim invariant#0 \"\": forall(?i: ?i)"),
    (rule::CLAIM_KIND, "claim precondition#1 \"\": n > 0"),
    (rule::STATES, "claim invariant#0 \"\": old(n) > 0"),
    (rule::STATES, "reports Ev() of () @0:0-0\n  before event-precondition#3 \"\": before(n) > 0"),
    (rule::BOUND, "claim invariant#0 \"\": n > ?i"),
    (rule::BOUND, "claim invariant#0 \"\": exists(?i: n > ?i) && ?i > 0"),
    (rule::SUM, "claim invariant#0 \"\": sum(?i: list[?i]):uint256 > 0"),
    (rule::SUM, "claim invariant#0 \"\": sum(?i: list[0]):uint512 > 0 as uint512"),
    (rule::RESULTS, "reports Ev(?i) of () @0:0-0"),
    (rule::DEEP_EQ, "claim invariant#0 \"\": deepeq(item, list)"),
    (rule::DEEP_EQ, "claim invariant#0 \"\": deepeq(n, n)"),
];

/// Lines of a procedure `p(%x: uint256, %m: memory S) -> (uint256)`.
const IN_SPEC: &[(u16, &str)] = &[
    (rule::RESULTS, "results ()"),
    (rule::STATES, "results (%x)\n requires precondition#1 \"\": old(n) > 0"),
    (rule::MODIFIES, "results (%x)\n modifies \"\" @0:0-0: place %m.a"),
    (rule::MODIFIES, "results (%x)\n modifies \"\" @0:0-0: balance %x"),
    (rule::CLAIM, "results (%x)\n modifies \"\" @0:0-0: everything if %x"),
    (rule::LENGTH, "results (%x)\n modifies \"\" @0:0-0: length n"),
];

fn with_claims(claims: &str, spec: &str) -> String {
    let proc = format!(
        "internal proc p(%x: uint256, %m: memory S) -> (uint256) {{\n    {spec}\n  b0:\n    return (%x)\n  }}\n"
    );
    let obligations =
        ["invariant", "precondition", "postcondition", "event-precondition", "event-postcondition"];
    let mut text = around("bound ?i: uint256", &format!("{claims}\n  {proc}"), "");
    for (i, kind) in obligations.iter().enumerate() {
        text.push_str(&format!("obligation {kind}#{i} @0:0-0\n"));
    }
    text
}

#[test]
fn rules_of_claims_are_enforced() {
    let good = with_claims(
        "claim invariant#0 \"\": sum(?i: list[?i]):uint512 > 0 as uint512 && deepeq(item, item)
  reports Ev() of (n) @0:0-0
  after event-postcondition#4 \"\": before(n) == n",
        "results (%x)\n ensures postcondition#2 \"\": old(n) == %x fits %x > 0\n modifies \"\" @0:0-0: length list",
    );
    assert_eq!(rules_broken(&good), Vec::<u16>::new());
    for (rule, line) in IN_CLAIMS {
        assert_eq!(rules_broken(&with_claims(line, "")), [*rule], "{line}");
    }
    for (rule, line) in IN_SPEC {
        assert_eq!(rules_broken(&with_claims("", line)), [*rule], "{line}");
    }
}

#[test]
fn the_frame_is_correct() {
    assert_eq!(rules_broken(&around("", "", "")), Vec::<u16>::new());
    assert_eq!(rules_broken(&around("", "constructor = `[constructor]`", "%x = %x")), Vec::<u16>::new());
}

#[test]
fn each_rule_is_enforced() {
    let cases = (IN_TYPES.iter().map(|(r, t)| (*r, around(t, "", ""))))
        .chain(IN_CONTRACT.iter().map(|(r, t)| (*r, around("", t, ""))))
        .chain(IN_BODY.iter().map(|(r, t)| (*r, around("", "", t))));
    for (rule, text) in cases {
        assert_eq!(rules_broken(&text), [rule], "\n{text}");
    }
    let bases =
        around("", "", "").replace("contract D in \"c.sol\" {", "contract D in \"c.sol\" is (C, D) {");
    assert_eq!(rules_broken(&bases), [rule::BASES]);
}

/// Rules that text cannot break, because reading it computes what they are about.
#[test]
fn rules_about_hand_made_graphs() {
    let frame = || parse(&around("", "", "")).unwrap();
    let find = |p: &Program, ty: Type| p.types.find(&ty).unwrap();
    let push = |p: &mut Program, kind| {
        p.procs[ProcId(0)].blocks[BlockId(0)].stmts.insert(0, Stmt { kind, span: None })
    };
    let word = |p: &Program| find(p, Type::Int { bits: 256, signed: false });
    let load = |p: &mut Program, root: Root, steps: &[Step], ty: TypeId| {
        let place = p.exprs.add_place(Place { root, steps: steps.into() }, ty);
        let value = p.exprs.add(Expr::Load(place), ty);
        push(p, StmtKind::Assume { cond: value });
    };
    let has = |p: &Program, rule: u16| {
        assert!(validate(p).iter().any(|v| v.rule == rule && v.describe(p).contains("rule")), "rule {rule}");
    };

    let mut p = frame();
    push(&mut p, StmtKind::Havoc { dst: LocalId(99) });
    has(&p, rule::IDS);
    let mut p = frame();
    let ty = word(&p);
    p.exprs.add(Expr::Cast(ExprId(9999)), ty);
    has(&p, rule::ORDER);

    let mut p = frame();
    let ty = word(&p);
    let x = p.exprs.add(Expr::Local(LocalId(0)), ty);
    load(&mut p, Root::Memory(x), &[], ty);
    has(&p, rule::ROOT);
    let mut p = frame();
    let ty = find(&p, Type::Bool);
    load(&mut p, Root::State(StateVarId(0)), &[], ty);
    has(&p, rule::STEPS);
    let mut p = frame();
    let (ty, memory) = (word(&p), p.procs[ProcId(0)].locals[LocalId(1)].ty);
    let m = p.exprs.add(Expr::Local(LocalId(1)), memory);
    load(&mut p, Root::Memory(m), &[Step::Field(0), Step::Field(0)], ty);
    has(&p, rule::ONE_STEP);

    let mut p = frame();
    let ty = find(&p, Type::Bool);
    let wrong = p.exprs.add(Expr::Local(LocalId(0)), ty);
    push(&mut p, StmtKind::Assume { cond: wrong });
    has(&p, rule::LOCALS);
    let mut p = frame();
    p.procs[ProcId(0)].params.push(LocalId(0));
    has(&p, rule::PARAMETERS);
    let mut p = frame();
    p.contracts[ContractId(0)].state.pop();
    has(&p, rule::OWNERSHIP);
}

#[test]
fn every_rule_has_a_case() {
    let elsewhere = [
        rule::IDS,
        rule::ORDER,
        rule::ROOT,
        rule::STEPS,
        rule::ONE_STEP,
        rule::LOCALS,
        rule::PARAMETERS,
        rule::OWNERSHIP,
        rule::BASES,
    ];
    let covered: Vec<u16> = [IN_TYPES, IN_CONTRACT, IN_BODY, IN_CLAIMS, IN_SPEC]
        .iter()
        .flat_map(|list| list.iter().map(|(r, _)| *r))
        .chain(elsewhere)
        .collect();
    for (rule, text) in RULES {
        assert!(covered.contains(rule), "rule {rule} ({text}) has no test");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_programs_are_well_formed(seed: u64) {
        let program = random_program(seed);
        let found: Vec<String> = validate(&program).iter().map(|v| v.describe(&program)).collect();
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
        let back = parse(&print(&program)).unwrap();
        prop_assert!(validate(&back).is_empty());
    }
}
