//! Counterexamples as Foundry tests: they compile beside the contract, say what happens, and decide what they can.

use std::collections::BTreeMap;
use std::process::Command;
use std::rc::Rc;

use hornet_evm::compiler::Arithmetic;
use hornet_evm::foundry_test::{FoundryTest, Options, foundry_test};
use hornet_evm::solc::{Compilers, Input, toolchain_folder};
use hornet_frontend::lower;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::{ContractId, ObligationId};
use hornet_ir::interp::value::Tree;
use hornet_ir::program::{ObligationKind, Program};
use hornet_ir::span::{FileId, SourceMap, Span};
use hornet_ir::trace::{Action, Failure, Outside, Step, Trace};

/// With a bug that takes an attacker who calls back.
const BANK: &str = "contract Main {
    mapping(address => uint) balances; uint total;
    function deposit() external payable { balances[msg.sender] += msg.value; total += msg.value; }
    function withdraw(uint amount) external {
        require(balances[msg.sender] >= amount);
        (bool ok, ) = msg.sender.call{value: amount}('');
        require(ok);
        unchecked { balances[msg.sender] -= amount; }
        assert(balances[msg.sender] <= total);
    }
    receive() external payable {}
}";

/// With an invariant that `drop` breaks.
const INVARIANTS: &str = "/// @notice invariant total >= 3
/// @notice invariant hidden == 0
contract Main {
    uint public total = 3; uint hidden;
    function drop() external { total = 0; hidden = 1; }
}";

const THIS: u64 = 0xc0ffee;
const ALICE: u64 = 0xa11ce;
const MALLORY: u64 = 0xbad;

struct Case {
    source: &'static str,
    program: Program,
    sources: SourceMap,
}

impl Case {
    fn new(source: &'static str) -> Case {
        let mut loader = Loader::new(LoadOptions::in_memory());
        loader.add_source("main.sol", source);
        let compiled = hornet_frontend::compile(loader.load_names(["main.sol"]), lower::Options::default());
        let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
        Case { source, program, sources: compiled.sources }
    }

    fn call(&self, name: &str, args: Vec<Tree>) -> Step {
        let contract = &self.program.contracts[self.main()];
        let entry = contract.entries.iter().position(|e| e.name == name).expect("the function exists");
        step(Action::Call { entry, args })
    }

    fn main(&self) -> ContractId {
        let mut contracts = self.program.contracts.iter_ids();
        contracts.find(|(_, c)| c.name == "Main").map(|(id, _)| id).expect("there is a Main")
    }

    /// The test for a failure at the text.
    fn test(
        &self,
        steps: Vec<Step>,
        kind: ObligationKind,
        at: &str,
        clause: Option<ObligationId>,
    ) -> FoundryTest {
        let start = self.source.find(at).expect("the text is there");
        let failure = Failure { kind, span: Span::new(FileId(0), start, start + at.len()), clause };
        let trace = Trace {
            contract: self.main(),
            this: U256::from(THIS),
            balances: vec![(U256::from(ALICE), U256::from(1000))],
            steps,
            failure,
        };
        let options = Options { import: "main.sol", arithmetic: Arithmetic::Checked };
        foundry_test(&self.program, &self.sources, &trace, &options).expect("the trace fits the program")
    }

    /// Compiles the test beside the contract.
    fn compiles(&self, test: &FoundryTest) {
        let sources = BTreeMap::from([
            ("main.sol".to_owned(), self.source.to_owned()),
            ("main.t.sol".to_owned(), test.text.clone()),
        ]);
        let compilers = Compilers::find().expect("set-up has run");
        let output = compilers.compile(&Input { sources, ..Input::default() }).expect("solc runs");
        let errors: Vec<_> = output.errors().map(|e| e.formatted.clone()).collect();
        assert!(errors.is_empty(), "{}\n{}", errors.join("\n"), test.text);
        let contract = output.contract("main.t.sol", "MainHornetTest").expect("the test is a contract");
        assert!(contract.methods.contains_key("testCounterexample()"));
    }
}

fn step(action: Action) -> Step {
    Step {
        whose: None,
        action,
        caller: U256::from(ALICE),
        origin: U256::from(ALICE),
        value: U256::ZERO,
        environment: Vec::new(),
        outside: Vec::new(),
        starved: None,
    }
}

fn deploy() -> Step {
    step(Action::Deploy { args: Vec::new() })
}

fn word(value: u64) -> Tree {
    Tree::Word(U256::from(value))
}

fn bytes(value: &[u8]) -> Tree {
    Tree::Bytes(Rc::from(value))
}

#[test]
fn arguments_of_every_kind_compile() {
    let case = Case::new(
        "contract Other {}
        contract Main {
            enum Color { Red, Green }
            struct Point { int8 x; bytes4 tag; string[] names; }
            struct Pair { Point[2] ends; address payable who; }
            uint sum;
            constructor(Other other, Color color, string memory text) payable { }
            function f(Pair calldata pair, uint[][] memory grid, int256 n, bool b, bytes calldata raw) external payable {
                sum += grid.length; assert(sum == 0);
            }
        }",
    );
    let minus_one = Tree::Word(U256::MAX);
    let tag = Tree::Word(U256::from(0x0102_0304_u64) << 224);
    let names = Tree::List(vec![bytes(b"a \"name\""), bytes(b"plain"), bytes(b"")]);
    let point = Tree::List(vec![minus_one, tag, names]);
    let pair = Tree::List(vec![Tree::List(vec![point.clone(), point]), word(THIS)]);
    let grid = Tree::List(vec![Tree::List(vec![word(7)]), Tree::List(Vec::new())]);
    let lowest = Tree::Word(U256::ONE << 255);
    let create = step(Action::Deploy { args: vec![word(5), word(1), bytes(b"hello")] });
    let call = Step {
        value: U256::from(3),
        environment: vec![
            (EnvVar::Timestamp, U256::from(99)),
            (EnvVar::Number, U256::from(7)),
            (EnvVar::PrevRandao, U256::MAX),
            (EnvVar::Coinbase, U256::from(5)),
        ],
        ..case.call("f", vec![pair, grid, lowest, word(1), bytes(&[0xff, 0])])
    };
    let test = case.test(vec![create, call], ObligationKind::Assertion, "assert(sum == 0)", None);
    assert!(test.decides);
    for part in ["vm.warp(99);", "vm.roll(7);", "// 2. 0xa11ce calls f(", "main.sol:9: assert(sum == 0)"] {
        assert!(test.text.contains(part), "{part} is missing in\n{}", test.text);
    }
    case.compiles(&test);
}

fn reentrancy() -> (Case, FoundryTest) {
    let case = Case::new(BANK);
    let mallory = |step: Step| Step { caller: U256::from(MALLORY), origin: U256::from(MALLORY), ..step };
    let again = Outside {
        span: None,
        target: U256::from(MALLORY),
        value: U256::from(5),
        succeeds: true,
        returns: Vec::new(),
        reenters: Vec::new(),
        writes: Default::default(),
    };
    let inner = Step { outside: vec![again.clone()], ..mallory(case.call("withdraw", vec![word(5)])) };
    let outer = Outside { reenters: vec![inner], ..again };
    let steps = vec![
        deploy(),
        Step { value: U256::from(5), ..mallory(case.call("deposit", Vec::new())) },
        Step { value: U256::from(5), ..step(Action::Receive) },
        Step { value: U256::from(5), ..step(Action::ForcedEther) },
        Step { outside: vec![outer], ..mallory(case.call("withdraw", vec![word(5)])) },
    ];
    let test = case.test(steps, ObligationKind::Assertion, "assert(balances[msg.sender] <= total)", None);
    (case, test)
}

#[test]
fn attackers_compile() {
    let (case, test) = reentrancy();
    assert!(test.text.contains("contract HornetAttacker1"), "{}", test.text);
    assert!(test.text.contains("if (turn == 2)"), "the second turn just takes the ether\n{}", test.text);
    case.compiles(&test);
}

fn broken_invariant(number: usize, at: &str) -> (Case, FoundryTest) {
    let case = Case::new(INVARIANTS);
    let obligation = case.program.contracts[case.main()].invariants[number].obligation;
    let steps = vec![deploy(), case.call("drop", Vec::new())];
    let test = case.test(steps, ObligationKind::Invariant, at, Some(obligation));
    (case, test)
}

#[test]
fn annotations_are_conditions_where_solidity_can_say_them() {
    let (case, visible) = broken_invariant(0, "total >= 3");
    assert!(visible.decides, "{}", visible.text);
    assert!(visible.text.contains("\"total()\""), "{}", visible.text);
    case.compiles(&visible);
    let (case, invisible) = broken_invariant(1, "hidden == 0");
    assert!(!invisible.decides);
    assert!(invisible.text.contains("`hidden` has no public getter"), "{}", invisible.text);
    case.compiles(&invisible);
}

/// Whether `forge test` passes in a project with this contract and this test.
fn forge_passes(contract: &str, test: &FoundryTest) -> bool {
    let folder = std::env::temp_dir().join(format!("hornet-forge-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::create_dir_all(folder.join("test")).unwrap();
    std::fs::write(folder.join("foundry.toml"), "[profile.default]\n").unwrap();
    std::fs::write(folder.join("src/main.sol"), contract).unwrap();
    let text = test.text.replace("import \"main.sol\"", "import \"../src/main.sol\"");
    std::fs::write(folder.join("test/main.t.sol"), text).unwrap();
    let forge = toolchain_folder("forge").expect("`scripts/setup.sh test` sets up forge");
    let newest = Compilers::find().expect("set-up has run").versions()[0];
    let solc = toolchain_folder("solc").expect("set-up has run").join(format!("node_modules/solc-{newest}"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/solc.js");
    let output = Command::new(forge.join("node_modules/@foundry-rs/forge-linux-amd64/bin/forge"))
        .args(["test", "--offline", "--use", script])
        .env("HORNET_SOLC", solc)
        .current_dir(&folder)
        .output()
        .expect("forge runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("testCounterexample()"), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let _ = std::fs::remove_dir_all(&folder);
    output.status.success()
}

#[test]
fn forge_fails_on_the_mistake_and_passes_without_it() {
    let (_, test) = reentrancy();
    assert!(!forge_passes(BANK, &test), "the attack works");
    let fixed = BANK.replace("unchecked { balances[msg.sender] -= amount; }", "");
    let fixed = fixed.replace("(bool ok, )", "balances[msg.sender] -= amount; (bool ok, )");
    assert!(forge_passes(&fixed, &test), "paid after the books are in order");

    let (_, test) = broken_invariant(0, "total >= 3");
    assert!(!forge_passes(INVARIANTS, &test));
    assert!(forge_passes(&INVARIANTS.replace("total = 0", "total = 4"), &test));
}
