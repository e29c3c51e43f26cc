//! Runs as they are told: which state stands beside which call, what of the block is mentioned, how numbers are written.

mod common;

use common::Folder;
use serde_json::Value;
use std::process::Command;

/// What `hornet verify` says of a file, as text and as JSON.
fn told(name: &str, source: &str, args: &[&str]) -> (String, Value) {
    let folder = Folder::new(name);
    let file = folder.write("Told.sol", source);
    let json = folder.0.join("told.json");
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--no-cache", "--report"])
        .arg(&json)
        .args(args)
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&output.stderr));
    (text, serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap())
}

/// The lines of runs with these words.
fn lines<'t>(text: &'t str, words: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.contains(words)).collect()
}

/// While others have control, `owed` is 7; when everything is over, it is 0 as before.
const TILL: &str = "\
contract Till {
    uint256 owed;
    function pay() public { owed = 7; (bool ok,) = msg.sender.call(\"\"); require(ok); owed = 0; }
    function audit() public view { assert(owed == 0); }
}
";

#[test]
fn the_state_beside_a_call_back_is_that_in_which_it_is_made() {
    let (text, json) = told("told-state", TILL, &["--function", "audit"]);
    let (paid, audited) = (lines(&text, ". pay()"), lines(&text, "reenters audit()"));
    assert!(paid.len() == 1 && paid[0].ends_with("   owed = 7"), "{text}");
    assert!(audited.len() == 1 && !audited[0].contains("owed"), "{text}");
    assert_eq!(lines(&text, "afterwards"), Vec::<&str>::new(), "nothing is told after the failure");
    let check = json["checks"].as_array().unwrap().iter().find(|c| c["verdict"] == "violated").unwrap();
    let last = check["trace"].as_array().unwrap().last().unwrap();
    assert_eq!(last["meanwhile"][0]["value"], "7");
    assert_eq!(last.get("state"), None, "in the end nothing is different");
}

#[test]
fn of_the_block_only_what_the_contract_asks_for_is_told() {
    let clock = "contract Clock { function late() public view { assert(block.timestamp < 9); } }";
    let source = format!("{TILL}{clock}");
    let (text, _) = told("told-block", &source, &["--function", "audit", "--function", "late"]);
    let timed = lines(&text, "block.timestamp ");
    assert!(!timed.is_empty() && timed.iter().all(|line| !line.contains("Till()")), "{text}");
    assert!(lines(&text, ". pay()").iter().all(|line| !line.contains("block.")), "{text}");
    assert!(lines(&text, ". late()")[0].contains("block.timestamp"), "{text}");
}

#[test]
fn difficulty_has_the_name_that_the_source_knows() {
    let contract = |pragma: &str, name: &str| {
        format!(
            "pragma solidity {pragma};\ncontract Dice {{ function roll() public view {{ assert(block.{name} != 6); }} }}"
        )
    };
    for (version, word, other) in
        [("0.7.6", "difficulty", "prevrandao"), ("0.8.37", "prevrandao", "difficulty")]
    {
        let (text, _) = told(&format!("told-{word}"), &contract(version, word), &[]);
        assert!(text.contains(&format!("block.{word} 6")), "{text}");
        assert!(!text.contains(other), "{text}");
    }
}

#[test]
fn long_numbers_are_powers_or_hexadecimal() {
    let source = "\
contract Far {
    function a(uint256 x) public pure { assert(x != 2 ** 200); }
    function b(uint64 x) public pure { assert(x != 2 ** 40 + 3); }
    function c(uint256 x) public pure { assert(x != 0x1234567890123456789012345678901234567890abcdef); }
}
";
    let (text, json) = told("told-numbers", source, &[]);
    assert!(text.contains("a(2**200)") && text.contains("b(2**40 + 3)"), "{text}");
    assert!(text.contains("c(0x1234…cdef)"), "{text}");
    let whole = "c(0x1234567890123456789012345678901234567890abcdef)";
    assert!(json.to_string().contains(whole), "programs get all digits");
}

#[test]
fn gas_is_told_with_short_addresses_and_without_zeros() {
    let folder = Folder::new("told-gas");
    let source = "contract Owned { address owner; uint256 n; function set(uint256 v) public { if (owner == msg.sender) n = v; } }";
    let file = folder.write("Owned.sol", source);
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["gas", "--timeout", "20", "--function", "set"])
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(" from 0x"), "{text}");
    assert!(!text.contains("0x000000") && !text.contains("owner = 0x00,"), "{text}");
}
