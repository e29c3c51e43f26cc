//! Annotations in, answers of the interpreter about them out.

use hornet_frontend::lower::Options;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_frontend::{Compiled, compile};
use hornet_ir::U256;
use hornet_ir::hash::selector;
use hornet_ir::ids::{ContractId, Id};
use hornet_ir::interp::Interpreter;
use hornet_ir::interp::spec::Moment;
use hornet_ir::interp::value::Value;
use hornet_ir::program::{Program, StmtKind};
use hornet_ir::spec::{Clause, FunctionRole, Spec};
use hornet_ir::validate::validate;

fn compiled(source: &str, load: LoadOptions, options: Options) -> Compiled {
    let mut loader = Loader::new(load);
    loader.add_source("t.sol", source);
    compile(loader.load_names(["t.sol"]), options)
}

fn program(source: &str) -> Program {
    let options = Options { complete: true, ..Options::default() };
    let compiled = compiled(source, LoadOptions::in_memory(), options);
    assert!(!compiled.has_errors(), "{:#?}", compiled.diagnostics);
    let program = compiled.program.expect("a program");
    let broken: Vec<String> = validate(&program).iter().map(|v| v.describe(&program)).collect();
    assert!(broken.is_empty(), "{broken:#?}");
    program
}

fn word(n: u64) -> Value {
    Value::Word(U256::from(n))
}

/// A deployed contract and the answers about its invariants.
struct Run<'p> {
    interp: Interpreter<'p>,
    contract: ContractId,
    at: U256,
}

const FROM: u64 = 0x1234;

impl<'p> Run<'p> {
    fn new(program: &'p Program) -> Self {
        let mut interp = Interpreter::new(program);
        interp.record_keys = true;
        interp.world.set_balance(U256::from(FROM), U256::from(1) << 100);
        let contract = ContractId::from_usize(program.contracts.len() - 1);
        let deployed = interp.deploy(contract, &[], U256::ZERO, U256::from(FROM));
        Run { at: deployed.address.expect("deployed"), interp, contract }
    }

    fn call(&mut self, signature: &str, args: &[u64], value: u64) {
        let mut data = selector(signature).to_vec();
        args.iter().for_each(|w| data.extend_from_slice(&U256::from(*w).to_be_bytes::<32>()));
        let outcome = self.interp.call(U256::from(FROM), self.at, U256::from(value), &data);
        assert!(outcome.succeeded(), "{signature}: {:?}", outcome.status);
    }

    fn moment(&self) -> Moment<'static> {
        let (contract, this, caller) = (self.contract, self.at, U256::from(FROM));
        Moment { contract, this, caller, value: U256::ZERO, locals: &[], old: None, before: None }
    }

    fn invariants(&self) -> Vec<Option<bool>> {
        let clauses = &self.interp.program().contracts[self.contract].invariants;
        clauses.iter().map(|c| self.interp.holds(c, &self.moment())).collect()
    }
}

fn spec_of<'p>(program: &'p Program, name: &str) -> &'p Spec {
    let named = |p: &&hornet_ir::program::Proc| p.function.as_ref().is_some_and(|f| f.name == name);
    program.procs.iter().find(named).and_then(|p| p.spec.as_deref()).expect(name)
}

#[test]
fn invariants_of_a_bank() {
    let program = program(
        "pragma solidity ^0.8.0;
        /// @notice invariant sum(balances) <= address(this).balance
        /// @notice invariant sum(balances) == total
        /// @notice invariant sum(accounts[_].paid) == total
        /// @notice invariant property(users) (i, j) i == j || users[i] != users[j]
        /// @notice invariant forall (address a) balances[a] == accounts[a].paid
        /// @notice invariant exists (uint i) i < users.length && users[i] == msg.sender
        /// @notice invariant eq(balances, copy)
        contract Bank {
            struct Account { uint paid; }
            uint total;
            mapping(address => uint) balances;
            mapping(address => uint) copy;
            mapping(address => Account) accounts;
            address[] users;
            function pay() public payable {
                balances[msg.sender] += msg.value;
                copy[msg.sender] += msg.value;
                accounts[msg.sender].paid += msg.value;
                total += msg.value;
                users.push(msg.sender);
            }
            function steal() public { balances[address(1)] += 5; }
        }",
    );
    let (yes, no) = (Some(true), Some(false));
    let mut run = Run::new(&program);
    assert_eq!(run.invariants(), [yes, yes, yes, yes, None, no, yes]);
    run.call("pay()", &[], 7);
    assert_eq!(run.invariants(), [yes, yes, yes, yes, None, yes, yes]);
    run.call("pay()", &[], 0);
    assert_eq!(run.invariants(), [yes, yes, yes, no, None, yes, yes]);
    run.call("steal()", &[], 0);
    assert_eq!(run.invariants(), [no, no, yes, no, no, yes, no]);
    // Without the keys nothing is claimed about mappings.
    run.interp.record_keys = false;
    assert_eq!(run.invariants()[0], None);
}

#[test]
fn old_values_parameters_and_results() {
    let program = program(
        "pragma solidity ^0.8.0;
        contract C {
            uint x;
            /// @notice precondition n < 10
            /// @notice postcondition x == old(x) + n && r == x && m == __verifier_old_uint(m)
            /// @notice specification [ case x == 0: r == n; case n == 2 ** 255: x - 1 > 0; ]
            function add(uint n, uint8 m) public returns (uint r) { x += n; return x; }
        }",
    );
    let spec = spec_of(&program, "add");
    let mut run = Run::new(&program);
    let old = run.interp.world.clone();
    run.call("add(uint256,uint8)", &[3, 1], 0);
    let proc = program.procs.iter().find(|p| p.spec.is_some()).expect("a specification");
    let answers = |n: u64, r: u64| {
        let mut locals = vec![word(0); proc.locals.len()];
        locals[proc.params[0].index()] = word(n);
        locals[spec.results[0].index()] = word(r);
        let moment = Moment { locals: &locals, old: Some(&old), ..run.moment() };
        let all = spec.pre.iter().chain(&spec.post);
        all.map(|c| run.interp.holds(c, &moment)).collect::<Vec<_>>()
    };
    assert_eq!(answers(3, 3), [Some(true), Some(true), Some(true), Some(true)]);
    assert_eq!(answers(3, 4), [Some(true), Some(false), Some(false), Some(true)]);
    assert_eq!(answers(12, 12), [Some(false), Some(false), Some(true), Some(true)]);
    // Without the state at the beginning, nothing about it is known.
    let mut locals = vec![word(0); proc.locals.len()];
    locals[spec.results[0].index()] = word(3);
    let moment = Moment { locals: &locals, ..run.moment() };
    assert_eq!(run.interp.holds(&spec.post[0], &moment), None);
}

/// The claims of a contract by their texts: whether each holds, and whether its arithmetic fits.
fn answers(source: &str) -> Vec<(Option<bool>, Option<bool>)> {
    let program = program(source);
    let run = Run::new(&program);
    let clauses: &[Clause] = &program.contracts[run.contract].invariants;
    clauses
        .iter()
        .map(|c| (run.interp.holds(c, &run.moment()), run.interp.decide(c.fits, &run.moment())))
        .collect()
}

#[test]
fn overflow_in_a_claim() {
    let claims = "/// @notice invariant y + 1 == x
        /// @notice invariant x == 1 || y + 1 == x
        /// @notice invariant x == 1 && y + 1 == x
        /// @notice invariant x == 0 ? y - x == 255 : y + 1 > 0
        /// @notice invariant exists (uint8 i) i + y == 255
        /// @notice invariant forall (uint8 i) i + y > 254 || i > 0
        contract C { uint8 x = 0; uint8 y = 255; }";
    let (yes, no) = (Some(true), Some(false));
    // Wrapping: a claim is about what the code computes.
    assert_eq!(
        answers(&format!("pragma solidity 0.7.6; {claims}")),
        [(yes, no), (yes, no), (no, yes), (yes, yes), (yes, yes), (yes, no)]
    );
    // Checked: what cannot be computed does not hold.
    assert_eq!(
        answers(&format!("pragma solidity 0.8.20; {claims}")),
        [(no, no), (no, no), (no, yes), (yes, yes), (yes, yes), (no, no)]
    );
}

#[test]
fn wide_sums() {
    let (yes, no) = (Some(true), Some(false));
    let found = answers(
        "pragma solidity ^0.8.0;
        /// @notice invariant sum(a) == 2 * uint(2 ** 255) + 5 || sum(a) - 5 == sum(b)
        /// @notice invariant sum(a) > type(uint).max
        /// @notice invariant sum(b) - sum(a) >= 0
        /// @notice invariant sum(c) == -3 && sum(c) < 0
        /// @notice invariant uint(sum(b)) == 0
        contract C {
            uint[] a; mapping(uint => mapping(uint => uint)) b; int8[2] c = [int8(-5), 2];
            constructor() { a.push(2 ** 255); a.push(2 ** 255); a.push(5); b[1][2] = 2 ** 255; b[7][2] = 2 ** 255; }
        }",
    );
    assert_eq!(found, [(no, no), (yes, yes), (no, no), (yes, yes), (yes, yes)]);
}

#[test]
fn loops_and_inherited_claims() {
    let program = program(
        "pragma solidity ^0.8.0;
        /// @notice invariant a > 0
        abstract contract A {
            uint private a = 1;
            /// @notice postcondition a == 2
            constructor() { a = 2; }
            /// @notice precondition a > 3
            function f() internal virtual {}
            /// @notice postcondition res == arg + a
            function g(uint arg) public virtual returns (uint res);
        }
        contract B is A {
            function f() internal override {
                uint i;
                /// @notice invariant i < 5
                do { i++; if (i == 3) continue; } while (i < 4);
            }
            function g(uint n) public override returns (uint) { return n; }
            /// @notice precondition n == 0
            function unused(uint n) private {}
        }
        library L {
            /// @notice postcondition r == x
            function id(uint x) internal pure returns (uint r) { return x; }
        }
        contract Last {}",
    );
    let (a, b) = (ContractId(0), ContractId(1));
    assert_eq!(program.contracts[b].invariants.len(), 1);
    let of = |contract: Option<ContractId>, name: &str| {
        let same = |p: &&hornet_ir::program::Proc| {
            p.contract == contract && p.function.as_ref().is_some_and(|f| f.name == name)
        };
        program.procs.iter().find(same).unwrap_or_else(|| panic!("{name}"))
    };
    // The specification belongs to the function that it stands before.
    assert_eq!(of(Some(a), "f").spec.as_ref().map(|s| s.pre.len()), Some(1));
    assert!(of(Some(b), "f").spec.is_none());
    // A function without a body speaks for those that implement it.
    let implementation = of(Some(b), "g");
    let spec = implementation.spec.as_ref().expect("the specification of `A.g`");
    let text = hornet_ir::text::print(&program);
    assert_eq!(spec.results.len(), 1);
    assert!(text.contains("== %n + a && fits(%n + a)"), "{text}");
    assert_eq!(of(Some(b), "unused").spec.as_ref().map(|s| s.pre.len()), Some(1));
    let library = of(Some(ContractId(2)), "id");
    assert_eq!(library.spec.as_ref().map(|s| (s.post.len(), s.results.len())), Some((1, 1)));
    // An abstract contract is created too where everything is looked at.
    let constructor = program.contracts[a].constructor.map(|p| &program.procs[p]).expect("a constructor");
    assert_eq!(constructor.function.as_ref().map(|f| f.role), Some(FunctionRole::Constructor));
    assert!(constructor.spec.is_some());
    assert_eq!(of(Some(b), "[implicit_constructor]").spec, None);
    // The body stands before the loop and in it; the head is the test.
    let body = of(Some(b), "f");
    let heads: Vec<_> = body.blocks.iter().filter(|block| !block.invariants.is_empty()).collect();
    assert_eq!(heads.len(), 1);
    let steps = body.blocks.iter().flat_map(|block| &block.stmts);
    let checks = steps.filter(|s| matches!(s.kind, StmtKind::Check { .. })).count();
    assert_eq!(checks, 2);
}

#[test]
fn old_languages_on_request() {
    let source =
        |pragma: &str| format!("pragma solidity {pragma}; contract C {{ function f() public {{}} }}");
    let version = |pragma: &str, extra: &str, prefer_wrapping: bool| {
        let load = LoadOptions { prefer_wrapping, ..LoadOptions::in_memory() };
        let compiled = compiled(&(source(pragma) + extra), load, Options::default());
        assert!(!compiled.has_errors(), "{:#?}", compiled.diagnostics);
        compiled.hir.files.iter().next().map(|f| f.version.minor)
    };
    assert_eq!(version(">=0.7.0", "", false), Some(8));
    assert_eq!(version(">=0.7.0", "", true), Some(7));
    assert_eq!(version("^0.8.0", "", true), Some(8));
    assert_eq!(version(">=0.5.0 <0.7.0", "", true), Some(6));
    // Code that only the newer language accepts stays what it is.
    let new =
        "contract D { function f() public { unchecked { } } error E(); function g() public { revert E(); } }";
    assert_eq!(version(">=0.7.0", new, true), Some(8));
}
