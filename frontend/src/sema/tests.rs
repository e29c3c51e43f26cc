//! Declarations: what is found, and what is found wrong. Bodies have tests of their own.

use super::*;
use crate::hir::typestring::type_string;
use crate::hir::{ContractKind, FunctionKind, VarKind, signature};
use crate::source::{LoadOptions, Loader};
use hornet_ir::diag::Severity;

fn load(files: &[(&str, &str)]) -> LoadedSources {
    let mut loader = Loader::new(LoadOptions::in_memory());
    for (name, text) in files {
        loader.add_source(*name, *text);
    }
    loader.load_names(files.iter().map(|(name, _)| *name))
}

/// Messages of all errors, those of loading first.
fn errors_in(files: &[(&str, &str)]) -> Vec<String> {
    let sources = load(files);
    let (_, found) = analyze(&sources);
    let all = sources.diagnostics.iter().chain(&found).filter(|d| d.severity == Severity::Error);
    all.map(|d| d.message.clone()).collect()
}

fn errors(text: &str) -> Vec<String> {
    errors_in(&[("a.sol", text)])
}

fn hir(text: &str) -> Hir {
    let sources = load(&[("a.sol", text)]);
    let (hir, found) = analyze(&sources);
    let all: Vec<_> = sources.diagnostics.iter().chain(&found).collect();
    assert!(all.is_empty(), "{all:?}");
    hir
}

fn contract<'h>(hir: &'h Hir, name: &str) -> &'h crate::hir::Contract {
    hir.contracts.iter().find(|c| c.name == name).expect(name)
}

fn names(hir: &Hir, contracts: &[ContractId]) -> String {
    contracts.iter().map(|c| hir.contracts[*c].name.as_str()).collect::<Vec<_>>().join(" ")
}

fn state_type(hir: &Hir, name: &str) -> String {
    let var = hir.vars.iter().find(|v| v.name == name).expect(name);
    type_string(hir, var.ty)
}

fn function_text(hir: &Hir, name: &str) -> String {
    hir.functions.iter().find(|f| f.name == name).and_then(|f| f.signature.clone()).expect(name).text
}

#[test]
fn linearisation_puts_the_last_base_first() {
    let hir = hir("contract A {} contract B is A {} contract C is A {} contract D is B, C {}");
    assert_eq!(names(&hir, &contract(&hir, "D").linearized), "D C B A");
}

#[test]
fn impossible_linearisation_and_cycles_are_errors() {
    assert_eq!(
        errors("contract A {} contract B is A {} contract C is A, B {} contract D is B, A {}"),
        ["linearization of inheritance graph impossible"]
    );
    assert_eq!(
        errors("contract A is B {} contract B is A {}"),
        ["definition of base has to precede definition of derived contract"]
    );
}

#[test]
fn types_read_as_the_compiler_prints_them() {
    let hir = hir("struct P { uint x; } enum E { A } type U is uint8;
        interface I {}
        contract C {
            struct S { P[] ps; mapping(address => S[]) m; }
            uint constant N = 2 ** 3;
            uint[N + 1][] a; mapping(string name => mapping(I => S)) m; S s; E e; U u; bytes b; fixed f;
            function(uint, string memory) external view returns (bool) g; address payable p; int[7 / 2 * 2] q;
        }");
    assert_eq!(state_type(&hir, "a"), "uint256[9] storage ref[] storage ref");
    assert_eq!(
        state_type(&hir, "m"),
        "mapping(string memory => mapping(contract I => struct C.S storage ref))"
    );
    assert_eq!(state_type(&hir, "s"), "struct C.S storage ref");
    assert_eq!(state_type(&hir, "e"), "enum E");
    assert_eq!(state_type(&hir, "u"), "U");
    assert_eq!(state_type(&hir, "b"), "bytes storage ref");
    assert_eq!(state_type(&hir, "f"), "fixed128x18");
    assert_eq!(state_type(&hir, "g"), "function (uint256,string memory) view external returns (bool)");
    assert_eq!(state_type(&hir, "p"), "address payable");
    assert_eq!(state_type(&hir, "q"), "int256[7] storage ref");
}

#[test]
fn long_numbers_and_strings_are_abbreviated_as_the_compiler_does() {
    let mut hir = Hir::default();
    let big = hir.types.integer_literal(num_bigint::BigInt::from(2).pow(256) - 1, None);
    assert_eq!(type_string(&hir, big), "int_const 1157...(70 digits omitted)...9935");
    let text = hir.types.intern(crate::hir::Ty::StringLiteral(Rc::from(&b"a\n"[..])));
    assert_eq!(type_string(&hir, text), "literal_string hex\"610a\"");
}

#[test]
fn signatures_use_abi_names_and_libraries_their_own() {
    let hir = hir("enum E { A } interface I {} type U is bytes3;
        struct S { uint[] a; E e; I i; }
        contract C { function f(S calldata s, U u, function() external g) external {} }
        library L { function h(S storage s, S memory t, E e, mapping(U => I) storage m) public {} }");
    assert_eq!(function_text(&hir, "f"), "f((uint256[],uint8,address),bytes3,function)");
    assert_eq!(function_text(&hir, "h"), "h(S storage,S,E,mapping(U => I) storage)");
}

#[test]
fn interface_ids_leave_out_inherited_functions() {
    let hir = hir("interface A { function a() external; }
        interface I is A { function supportsInterface(bytes4) external view returns (bool); }");
    let id = hir.contracts.iter_ids().find(|(_, c)| c.name == "I").expect("I").0;
    assert_eq!(signature::interface_id(&hir, id), [0x01, 0xff, 0xc9, 0xa7]);
}

#[test]
fn getters_take_keys_and_drop_aggregates() {
    let hir = hir("contract C { struct S { uint a; uint[] b; string c; mapping(uint => uint) d; }
        mapping(string => S[2]) public s; }");
    let getter = hir.vars.iter().find(|v| v.name == "s").and_then(|v| v.getter.clone()).expect("getter");
    assert_eq!(getter.signature.text, "s(string,uint256)");
    assert_eq!(
        type_string(&hir, getter.ty),
        "function (string memory,uint256) view external returns (uint256,string memory)"
    );
}

#[test]
fn old_forms_are_understood() {
    let hir = hir("pragma solidity ^0.4.0; contract C { uint[] a; function C(uint[] x) { a = x; }
        function() payable {} function f(string s) external constant returns (bytes) {} }");
    let kinds: Vec<_> = hir.functions.iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [FunctionKind::Constructor, FunctionKind::Fallback, FunctionKind::Function]);
    let f = hir.functions.iter().find(|f| f.name == "f").expect("f");
    assert_eq!(type_string(&hir, hir.vars[f.params[0]].ty), "string calldata");
    assert_eq!(type_string(&hir, hir.vars[f.returns[0]].ty), "bytes memory");
    assert!(contract(&hir, "C").constructor.is_some());
}

#[test]
fn imports_of_every_form() {
    let lib = "struct S { uint x; } function f() pure {} contract A {} uint constant N = 3;";
    let ok = "import './lib.sol'; import * as M from './lib.sol'; import {A as B, S as T} from './lib.sol';
        contract C is B { S s; M.S t; T u; uint[N] v; uint[M.N] w; }";
    assert_eq!(errors_in(&[("lib.sol", lib), ("c.sol", ok)]), Vec::<String>::new());
    let through = "import './c.sol'; contract D is A { M.S s; }";
    assert_eq!(errors_in(&[("lib.sol", lib), ("c.sol", ok), ("d.sol", through)]), Vec::<String>::new());
    let bad = "import {Nothing} from './lib.sol'; import './lib.sol'; contract A {}";
    let found = errors_in(&[("lib.sol", lib), ("c.sol", bad)]);
    assert_eq!(found, ["identifier `A` already declared", "declaration `Nothing` not found in `lib.sol`"]);
}

#[test]
fn import_cycles_see_each_other() {
    let a = "import './b.sol'; contract A { B b; }";
    let b = "import './a.sol'; contract B { A a; }";
    assert_eq!(errors_in(&[("a.sol", a), ("b.sol", b)]), Vec::<String>::new());
}

#[test]
fn overrides_are_recorded() {
    let hir = hir("interface I { function f() external view returns (uint); function g(uint) external; }
        abstract contract A is I { function g(uint) public virtual override {} modifier m() virtual { _; } }
        contract B is A { uint public override f; function g(uint) public override {} modifier m() override { _; } }");
    let b = contract(&hir, "B");
    let name_of = |f: FunctionId| names(&hir, &hir.functions[f].contract.into_iter().collect::<Vec<_>>());
    assert_eq!(hir.vars[b.state[0]].overrides.iter().map(|f| name_of(*f)).collect::<Vec<_>>(), ["I"]);
    let g = b.functions[0];
    assert_eq!(hir.functions[g].overrides.iter().map(|f| name_of(*f)).collect::<Vec<_>>(), ["A"]);
    assert_eq!(hir.modifiers[b.modifiers[0]].overrides.len(), 1);
    assert_eq!(contract(&hir, "I").kind, ContractKind::Interface);
}

#[test]
fn faulty_overrides() {
    let cases = [
        (
            "contract A { function f() public {} } contract B is A { function f() public override {} }",
            "trying to override non-virtual function: did you forget to add `virtual`?",
        ),
        (
            "contract A { function f() public virtual {} } contract B is A { function f() public {} }",
            "overriding function is missing `override` specifier",
        ),
        (
            "contract A { function f() public override {} }",
            "function has `override` specified but does not override anything",
        ),
        (
            "contract A { function f() public virtual {} } contract B is A { function f() internal override {} }",
            "overriding function visibility differs",
        ),
        (
            "contract A { function f() public view virtual {} } contract B is A { function f() public override {} }",
            "overriding function changes state mutability from `view` to `nonpayable`",
        ),
        (
            "contract A { function f() public virtual returns (uint) {} }
          contract B is A { function f() public override returns (int) {} }",
            "overriding function return types differ",
        ),
        (
            "contract A { function f() public virtual {} } contract B { function f() public virtual {} }
          contract C is A, B { function f() public override {} }",
            "function needs to specify overridden contracts `A` and `B`",
        ),
        (
            "contract A { function f() public virtual {} } contract B { function f() public virtual {} }
          contract C is A, B {}",
            "derived contract must override function `f`: two or more base classes define function with same name and \
          parameter types",
        ),
        (
            "abstract contract A { function f() public virtual; } contract B is A {}",
            "contract `B` should be marked as abstract",
        ),
        (
            "contract A { constructor(uint) {} } contract B is A {}",
            "no arguments passed to the base constructor: specify the arguments or mark `B` as abstract",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(errors(text), [message], "{text}");
    }
}

#[test]
fn one_base_may_decide_for_all() {
    let cases = [
        "interface I { function f() external; } contract A is I { function f() public {} } contract B is I, A {}",
        "contract A { function f() public virtual {} } contract B is A {} contract C is A {} contract D is B, C {}",
        "interface I { function f() external; } contract A is I { function f() external {} }",
    ];
    for text in cases {
        assert_eq!(errors(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn constants_that_need_themselves() {
    assert_eq!(
        errors("uint constant X = Y; uint constant Y = X; contract A { uint[X] t; }"),
        [
            "invalid array length expression",
            "the value of the constant `X` depends on itself",
            "the value of the constant `Y` depends on itself"
        ]
    );
}

#[test]
fn faulty_declarations() {
    let cases = [
        ("contract A { uint x; uint x; }", "identifier `x` already declared"),
        (
            "contract A { function f() public {} function f() public {} }",
            "function with same name and parameter types defined twice",
        ),
        (
            "interface I {} contract A { function f(address) public {} function f(I) public {} }",
            "function overload clash during conversion to external types for arguments",
        ),
        ("contract A { T t; }", "identifier `T` not found"),
        ("contract A { uint[0] t; }", "array with zero length specified"),
        ("contract A { uint n; uint[n] t; }", "invalid array length expression"),
        ("struct A { B[3] b; } struct B { A a; }", "recursive struct definition"),
        (
            "contract A { struct S { S[] s; } function f(S memory) public {} }",
            "internal or recursive type is not allowed for public or external functions",
        ),
        (
            "contract A { function f(uint[] x) public {} }",
            "data location must be given for parameter: `memory`, `calldata` or `storage`",
        ),
        (
            "contract A { function f(uint memory x) public {} }",
            "data location can only be specified for array, struct or mapping types",
        ),
        (
            "contract A { function f() public { uint memory x; } }",
            "data location can only be specified for array, struct or mapping types",
        ),
        (
            "contract A { function f() public { try this.f() {} catch (uint x) { x; } } }",
            "this catch clause takes a parameter of type `bytes memory`",
        ),
        (
            "contract A { function f() public { try this.f() {} catch Panic(int x) { x; } } }",
            "this catch clause takes a parameter of type `uint256`",
        ),
        ("contract A { function f() {} }", "no visibility specified: did you intend to add `public`?"),
        ("library L { uint x; }", "library cannot have non-constant state variables"),
        ("contract A { function f() public nothing {} }", "undeclared identifier `nothing`"),
        ("contract A { uint constant x; }", "uninitialized `constant` variable"),
        (
            "contract A { struct S { uint x; } } contract B is A { enum S { X } }",
            "identifier `S` already declared",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(errors(text), [message], "{text}");
    }
}

#[test]
fn several_errors_in_one_run() {
    assert_eq!(errors("contract A is Z { T t; function f() {} }").len(), 3);
}

/// Runs the declaration passes only, for questions to the tables.
fn with_sema<T>(text: &str, ask: impl FnOnce(&mut Sema<'_>) -> T) -> T {
    let sources = load(&[("a.sol", text)]);
    let mut sema = Sema::new(&sources);
    sema.declarations();
    assert!(sema.diags.is_empty(), "{:?}", sema.diags);
    ask(&mut sema)
}

fn scope_of(sema: &Sema<'_>, name: &str) -> DeclScope {
    let contract = sema.hir.contracts.iter_ids().find(|(_, c)| c.name == name).expect(name).0;
    sema.contract_scope(contract)
}

#[test]
fn lookup_hides_what_is_overridden_private_or_external() {
    let text = "function f(bytes3) pure {} uint constant K = 1;
        contract A { function f(uint) public virtual {} function f(int) public {} function g() private {}
                     function h() external {} uint private p; uint q; }
        contract B is A { function f(uint) public override {} function f(bool) internal {} }";
    with_sema(text, |sema| {
        let b = scope_of(sema, "B");
        assert_eq!(sema.lookup(b, "f").len(), 3);
        for hidden in ["g", "h", "p", "undeclared"] {
            assert!(sema.lookup(b, hidden).is_empty(), "{hidden}");
        }
        assert!(matches!(*sema.lookup(b, "q"), [Ref::Var(_)]));
        assert!(matches!(*sema.lookup(b, "K"), [Ref::Var(v)] if sema.hir.vars[v].kind == VarKind::Constant));
        assert!(matches!(*sema.lookup(b, "msg"), [Ref::Msg]));
        let b = b.contract.expect("a contract");
        assert_eq!(sema.external_members(b, "h").len(), 1);
        assert_eq!(sema.super_lookup(b, "f").len(), 2);
    });
}

#[test]
fn using_attaches_by_type() {
    let text = "type U is uint; using {add as +, neg as -, show} for U global;
        function add(U a, U b) pure returns (U) {} function neg(U a) pure returns (U) {} function show(U a) pure {}
        library L { function len(uint[] storage x) internal {} function any(bool) internal {} function hidden(uint) private {} }
        contract A { using L for uint[]; using L for *; uint[] a; U u; uint x; }
        contract B is A {}";
    with_sema(text, |sema| {
        let (a, b) = (scope_of(sema, "A"), scope_of(sema, "B"));
        let ty = |sema: &Sema<'_>, name: &str| sema.hir.vars.iter().find(|v| v.name == name).expect("var").ty;
        let (array, user, number) = (ty(sema, "a"), ty(sema, "u"), ty(sema, "x"));
        assert_eq!(sema.attached(a, array, "len").len(), 1);
        assert_eq!(sema.attached(a, number, "any").len(), 1);
        assert_eq!(sema.attached(a, number, "hidden").len(), 0);
        assert_eq!(sema.attached(b, array, "len").len(), 0);
        assert_eq!(sema.attached(b, user, "show").len(), 1);
        let id = sema.hir.user_types.ids().next().expect("U");
        let name = |f: Option<FunctionId>| f.map(|f| sema.hir.functions[f].name.clone()).unwrap_or_default();
        assert_eq!(name(sema.user_operator(b, UserOp::Binary(crate::hir::BinaryOp::Add), id)), "add");
        assert_eq!(name(sema.user_operator(b, UserOp::Unary(crate::hir::UnaryOp::Neg), id)), "neg");
        assert_eq!(name(sema.user_operator(b, UserOp::Binary(crate::hir::BinaryOp::Sub), id)), "");
    });
}

#[test]
fn transient_storage_and_layout() {
    let hir = hir("contract C layout at 2**255 + 3 { uint transient t; uint immutable i = 1; }");
    let kinds: Vec<_> = hir.vars.iter().map(|v| v.kind).collect();
    assert_eq!(kinds, [VarKind::Transient, VarKind::Immutable]);
    let three = hornet_ir::U256::from(3);
    assert_eq!(contract(&hir, "C").layout_base, Some((hornet_ir::U256::from(1) << 255) + three));
}

#[test]
fn doubling_definitions_take_no_exponential_time() {
    let mut constants = String::from("uint constant C0 = 1;");
    let mut structs = String::from("struct S0 { uint a; }");
    for i in 1..60 {
        let below = i - 1;
        constants += &format!("uint constant C{i} = C{below} + C{below} - C{below};");
        structs += &format!("struct S{i} {{ S{below} a; S{below} b; }}");
    }
    assert_eq!(errors(&format!("{constants} contract A {{ uint[C59] x; }}")), [""; 0]);
    let found = errors(&format!("{structs} contract A {{ S59 s; function f(S59 memory) public {{}} }}"));
    assert_eq!(
        found,
        [
            "a struct with more than 65536 members in all",
            "internal or recursive type is not allowed for public or external functions",
        ]
    );
}

#[test]
fn functions_attach_to_function_values_whatever_their_name() {
    let text = "library L { function twice(function(uint) external f) internal {} }
        contract A { using L for function(uint) external; function g(uint) external {} }";
    with_sema(text, |sema| {
        let scope = scope_of(sema, "A");
        let function = sema.hir.functions.iter_ids().find(|(_, f)| f.name == "g").expect("g").0;
        let ty = sema.external_type(function);
        assert_eq!(sema.attached(scope, ty, "twice").len(), 1);
    });
}
