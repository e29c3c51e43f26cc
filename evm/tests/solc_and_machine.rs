//! A contract with a linked library through solc and revm, on every installed compiler.

use std::collections::BTreeMap;

use hornet_evm::machine::{Environment, Fork, Machine, Message};
use hornet_evm::solc::{Compilers, Input, Settings};
use hornet_evm::{Address, U256, keccak256};

const SOURCE: &str = "
    library Doubling {
        function twice(uint x) public pure returns (uint) { return 2 * x; }
    }
    contract Counter {
        event Changed(address indexed who, uint to);
        uint public count;
        function add(uint x) public payable {
            require(x != 0);
            count += Doubling.twice(x);
            emit Changed(msg.sender, count);
        }
    }";

fn message(data: Vec<u8>, value: u64) -> Message {
    Message { from: Address::repeat_byte(1), origin: None, value: U256::from(value), data, gas: 10_000_000 }
}

fn calldata(signature: &str, arguments: &[u64]) -> Vec<u8> {
    let mut data = keccak256(signature)[..4].to_vec();
    arguments.iter().for_each(|a| data.extend(U256::from(*a).to_be_bytes::<32>()));
    data
}

#[test]
fn every_version_compiles_links_and_runs() {
    let compilers = Compilers::find().expect("set-up has run");
    assert!(compilers.versions().len() >= 5, "found {:?}", compilers.versions());
    for version in compilers.versions() {
        let source = format!("pragma solidity {version};\n{SOURCE}");
        let sources = BTreeMap::from([("counter.sol".to_owned(), source)]);
        let output = compilers.compile(&Input { sources, ..Input::default() }).unwrap();
        assert_eq!(output.version, *version);
        assert!(!output.has_errors(), "{version}: {:?}", output.messages);

        let mut machine = Machine::new(Fork::Cancun, Environment::default());
        machine.set_balance(Address::repeat_byte(1), U256::from(100));
        let library = output.contract("counter.sol", "Doubling").unwrap();
        let library = machine.deploy(message(library.code.link(|_, _| None).unwrap(), 0)).created.unwrap();
        let counter = output.contract("counter.sol", "Counter").unwrap();
        assert!(counter.code.link(|_, _| None).is_err(), "{version}: links without its library");
        let code = counter.code.link(|_, name| (name == "Doubling").then_some(library)).unwrap();
        let counter = machine.deploy(message(code, 0)).created.unwrap();

        let before = machine.clone();
        let added = machine.call(counter, message(calldata("add(uint256)", &[21]), 7));
        assert!(added.success, "{version}: {added:?}");
        assert_eq!(added.logs[0].data, U256::from(42).to_be_bytes::<32>());
        assert_eq!(machine.storage(counter, U256::ZERO), U256::from(42));
        assert_eq!(machine.balance(counter), U256::from(7));
        let failed = machine.call(counter, message(calldata("add(uint256)", &[0]), 0));
        assert!(!failed.success && failed.logs.is_empty());
        assert!(before.storage_slots(counter).is_empty(), "a clone is a snapshot");
    }
}

#[test]
fn errors_carry_their_place() {
    let compilers = Compilers::find().expect("set-up has run");
    let sources = BTreeMap::from([("a.sol".to_owned(), "contract C { uint x = y; }".to_owned())]);
    let settings = Settings { analysis_only: true, ..Settings::default() };
    let output = compilers.compile(&Input { sources, settings, version: None }).unwrap();
    let error = output.errors().next().unwrap();
    assert_eq!((error.file.as_deref(), error.start, error.end), (Some("a.sol"), 22, 23));
}

#[test]
fn the_sender_may_differ_from_the_origin() {
    // CALLER, ORIGIN and the value sent, returned as three words.
    let code = [0x33, 0x5f, 0x52, 0x32, 0x60, 0x20, 0x52, 0x34, 0x60, 0x40, 0x52, 0x60, 0x60, 0x5f, 0xf3];
    let mut machine = Machine::new(Fork::Cancun, Environment::default());
    let (sender, origin, contract) =
        (Address::repeat_byte(1), Address::repeat_byte(2), Address::repeat_byte(3));
    machine.set_code(contract, code.to_vec());
    machine.set_balance(sender, U256::from(5));
    let call = Message { origin: Some(origin), ..message(Vec::new(), 5) };
    let outcome = machine.call(contract, call.clone());
    assert!(outcome.success, "{outcome:?}");
    assert_eq!(&outcome.output[12..32], sender.as_slice());
    assert_eq!(&outcome.output[44..64], origin.as_slice());
    assert_eq!(machine.balance(contract), U256::from(5));
    assert!(!machine.call(contract, call).success, "the money is gone");
}

#[test]
fn a_compiler_that_was_started_ahead_answers() {
    let compilers = Compilers::find().expect("set-up has run");
    for version in compilers.versions() {
        compilers.warm_up(*version, 0).unwrap();
        let sources = BTreeMap::from([("a.sol".to_owned(), "contract C { uint public x; }".to_owned())]);
        let output =
            compilers.compile(&Input { sources, version: Some(*version), ..Input::default() }).unwrap();
        assert!(!output.contract("a.sol", "C").unwrap().code.is_empty(), "{version}: {:?}", output.messages);
    }
}
