//! Gas by the prices that the hard forks set, counted by hand.

use std::collections::BTreeMap;

use hornet_evm::machine::{Fork, Message};
use hornet_evm::measure::{self, BuildError, FORKS, Measurement, Settings, State};
use hornet_evm::solc::{Compilers, toolchain_folder};
use hornet_evm::{Address, U256};

const CONTRACT: Address = Address::repeat_byte(0xc0);

fn message(data: Vec<u8>) -> Message {
    Message { from: Address::repeat_byte(1), origin: None, value: U256::ZERO, data, gas: 10_000_000 }
}

/// Runs code in a contract whose slot 0 holds `before`.
fn run(fork: Fork, code: &[u8], before: u64, data: Vec<u8>) -> Measurement {
    let mut state = State::default();
    let contract = state.account(CONTRACT);
    contract.code = code.to_vec();
    contract.storage.insert(U256::ZERO, U256::from(before));
    measure::call(fork, &state, CONTRACT, &message(data))
}

#[test]
fn storage_has_the_prices_of_the_fork() {
    // PUSH1 value PUSH1 0 SSTORE
    let store = |value| [0x60, value, 0x60, 0, 0x55];
    for fork in FORKS {
        let cold = if fork >= Fork::Berlin { 2_100 } else { 0 };
        let new = run(fork, &store(1), 0, Vec::new());
        assert_eq!((new.execution, new.total), (20_006 + cold, 41_006 + cold), "{fork:?}");
        let same = run(fork, &store(1), 1, Vec::new());
        assert_eq!(same.execution, 6 + if fork >= Fork::Berlin { 2_200 } else { 800 }, "{fork:?}");
        let cleared = run(fork, &store(0), 1, Vec::new());
        // At most half of it came back until London, a fifth since.
        let refund = if fork >= Fork::London { 4_800 } else { 26_006 / 2 };
        assert_eq!((cleared.execution, cleared.refund), (5_006, refund), "{fork:?}");
        assert_eq!(cleared.total, 26_006 - refund, "{fork:?}");
    }
}

#[test]
fn bytes_have_a_price_and_a_floor() {
    let data = vec![0, 1, 0, 1, 1];
    for fork in FORKS {
        let idle = run(fork, &[0x00], 0, data.clone());
        assert_eq!((idle.execution, idle.intrinsic, idle.calldata), (0, 21_000, 2 * 4 + 3 * 16), "{fork:?}");
        let floor = 21_000 + 10 * (2 + 3 * 4);
        let expected = if fork >= Fork::Prague { floor } else { 21_056 };
        assert_eq!(idle.total, expected, "{fork:?}");
        assert_eq!(measure::floor(fork, false, &data), if fork >= Fork::Prague { floor } else { 0 });
    }
}

fn sources(text: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("a.sol".to_owned(), text.to_owned())])
}

const LINKED: &str = "
    library L { function twice(uint x) public pure returns (uint) { return 2 * x; } }
    contract C {
        uint public x;
        constructor(uint first) public { x = first; }
        function set(uint y) public { x = L.twice(y); }
    }";

#[test]
fn deployments_and_calls_are_measured_on_every_compiler() {
    let compilers = Compilers::find().expect("set-up has run");
    for version in compilers.versions() {
        for fork in [Fork::Istanbul, Fork::Osaka] {
            let settings = Settings { version: Some(*version), fork, ..Settings::default() };
            let build = measure::compile(&compilers, sources(LINKED), Vec::new(), &settings).unwrap();
            assert!(build.target.is_some_and(|target| target <= fork), "{version}: {:?}", build.target);
            let mut state = State::default();
            let linked = build.link("a.sol", "C", &mut state).unwrap();
            let mut code = linked.creation;
            code.extend(U256::from(7).to_be_bytes::<32>());
            let (deployment, after) = measure::deploy(fork, &state, &message(code.clone()));
            assert!(deployment.outcome.success, "{version}: {deployment:?}");
            // EIP-3860 takes two for each word of creation code.
            let words = if fork >= Fork::Shanghai { 2 * code.len().div_ceil(32) as u64 } else { 0 };
            assert_eq!(deployment.intrinsic, 53_000 + words, "{version}");
            let stored = 200 * deployment.outcome.output.len() as u64;
            assert!(deployment.execution > stored + 20_000, "{version}: {deployment:?}");
            let contract = deployment.outcome.created.unwrap();
            assert_eq!(after.accounts[&contract].storage[&U256::ZERO], U256::from(7));

            let mut data = build.contract("a.sol", "C").unwrap().methods["set(uint256)"].to_vec();
            data.extend(U256::from(21).to_be_bytes::<32>());
            let (set, left) = measure::call_and_state(fork, &after, contract, &message(data.clone()));
            assert!(set.outcome.success, "{version}: {set:?}");
            assert_eq!(left.accounts[&contract].storage[&U256::ZERO], U256::from(42));
            assert_eq!(set.total, set.execution + set.intrinsic + set.calldata - set.refund);
            assert_eq!(measure::call(fork, &after, contract, &message(data)), set, "the state stays");
        }
    }
}

#[test]
fn settings_reach_the_compiler() {
    let compilers = Compilers::find().expect("set-up has run");
    let source = "contract C { function f(uint x) public pure returns (uint) { return x + 1 + 2 + 3; } }";
    let size = |settings: &Settings| {
        let build = measure::compile(&compilers, sources(source), Vec::new(), settings).unwrap();
        build.contract("a.sol", "C").unwrap().deployed.bytes().len()
    };
    let plain = size(&Settings::default());
    assert!(size(&Settings { optimizer_runs: Some(1), ..Settings::default() }) < plain);
    assert_ne!(size(&Settings { via_ir: true, ..Settings::default() }), plain);
    // PUSH0 is new in Shanghai.
    assert!(size(&Settings { fork: Fork::Paris, ..Settings::default() }) > plain);
}

#[test]
fn what_does_not_compile_says_why() {
    let compilers = Compilers::find().expect("set-up has run");
    let settings = Settings { version: Some("0.1.2".parse().unwrap()), ..Settings::default() };
    let missing = measure::compile(&compilers, sources("contract C {}"), Vec::new(), &settings);
    assert!(missing.unwrap_err().to_string().contains("solc 0.1.2 is not installed (installed: "));
    let refused =
        measure::compile(&compilers, sources("contract C { uint x = y; }"), Vec::new(), &Settings::default());
    let Err(BuildError::Refused(_, errors)) = refused else { panic!("{refused:?}") };
    assert_eq!((errors[0].file.as_deref(), errors[0].start), (Some("a.sol"), 22));
}

#[test]
fn what_others_use_is_told_apart() {
    // Calls the account 0xb0 with all gas and no data: six values of two or three gas, the call, POP.
    let call = [0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x60, 0xb0, 0x5a, 0xf1, 0x50];
    let mut state = State::default();
    state.account(CONTRACT).code = call.to_vec();
    // PUSH1 1 PUSH1 0 SSTORE
    state.account(Address::with_last_byte(0xb0)).code = vec![0x60, 1, 0x60, 0, 0x55];
    let measured = measure::call(Fork::Cancun, &state, CONTRACT, &message(Vec::new()));
    assert!(measured.outcome.success, "{measured:?}");
    assert_eq!(measured.callees, 6 + 22_100);
    assert_eq!(measured.execution - measured.callees, 5 * 2 + 3 + 2 + 2_600 + 2);
}

#[test]
fn a_compiler_may_be_a_program() {
    let folder = std::env::temp_dir().join(format!("hornet-solc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let compilers = Compilers::find().expect("set-up has run");
    let version = compilers.versions()[0];
    let package = toolchain_folder("solc").unwrap().join(format!("node_modules/solc-{version}"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/solc.js");
    let program = folder.join("solc");
    let text = format!("#!/bin/sh\nHORNET_SOLC='{}' exec node '{script}' \"$@\"\n", package.display());
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let (compilers, found) = Compilers::of_program(&program).unwrap();
    assert_eq!((found, compilers.versions()), (version, &[version][..]));
    let build = measure::compile(&compilers, sources("contract C {}"), Vec::new(), &Settings::default());
    assert!(!build.unwrap().contract("a.sol", "C").unwrap().deployed.is_empty());
    std::fs::write(&program, "#!/bin/sh\necho hello\n").unwrap();
    assert!(
        Compilers::of_program(&program).err().unwrap().to_string().contains("does not say which solc it is")
    );
    assert!(Compilers::of_program(&folder.join("none")).err().unwrap().to_string().contains("cannot run"));
    std::fs::remove_dir_all(&folder).unwrap();
}
