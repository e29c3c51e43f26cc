//! States that a model asks for are really there: wherever a condition looks, the machine finds what was meant.

use super::subject::{Contract, of};
use hornet_evm::machine::Fork;
use hornet_gas::classes::{Method, Outcome};

const PLACES: &str = "
    pragma solidity ^0.8.0;
    interface Oracle { function price(uint256 id) external view returns (uint256); }
    contract Places {
        enum Kind { None, Some, Other }
        struct Item { uint64 a; bool b; int16 c; Kind kind; uint256 whole; address owner; }
        uint256 immutable limit;
        uint8 small;
        int40 signed;
        bytes4 tag;
        Item item;
        mapping(bytes32 => mapping(int8 => Item)) nested;
        uint32[] list;
        Item[3] three;
        string name;
        Oracle oracle;
        uint256 out;
        constructor(uint256 l) { limit = l; }
        function packed() external { require(small == 7 && signed == -5 && tag == 0x01020304); out = 1; }
        function field() external { require(item.b && item.c == -3 && item.kind == Kind.Other); out = 1; }
        function key(bytes32 k, int8 j) external {
            require(j < 0 && nested[k][j].whole > 99 && nested[k][j].owner == msg.sender && nested[k][j].a == 4);
            out = 1;
        }
        function element(uint256 i) external { require(list.length == 20 && list[i] == 77 && i > 8); out = 1; }
        function fixedArray(uint256 i) external { require(three[i].whole == 5 && three[i].c == 6); out = 1; }
        function text() external { require(bytes(name).length == 40 && bytes(name)[33] == 'x'); out = 1; }
        function constant_() external { require(limit == 123456789 && out < limit); out = 1; }
        function time(uint256 t) external payable {
            require(block.timestamp > t + 1 days && msg.value == 3 && address(this).balance == 10); out = 1;
        }
        function asks() external { require(oracle.price(1) == 42); out = 1; }
        function bytes_(bytes calldata data) external { require(data.length == 3 && data[1] == 0x07); out = 1; }
        function array(uint256[] memory a) external { require(a.length == 2 && a[0] + a[1] == 9); out = 1; }
    }";

#[test]
fn every_place_is_reached() {
    let functions = Contract::new(PLACES, Fork::Osaka).classes(Method::ByFunction);
    assert_eq!(functions.len(), 11);
    for function in &functions {
        let returns = function.classes.iter().find(|class| class.outcome == Outcome::Returns);
        let returns = returns.unwrap_or_else(|| panic!("{} only reverts: {function:#?}", function.function));
        assert!(!returns.conditions.is_empty(), "{} was found by trying", function.function);
        // Some cost more for longer data, and an oracle may do what it likes; but all cases are known, and none strays.
        let why = function.why_incomplete.clone().unwrap_or_default();
        let is_expected =
            why.is_empty() || why.contains("depends on lengths") || why.contains("others may do");
        assert!(is_expected, "{}: {why}", function.function);
        assert!(
            function.complete || !["packed()", "key(bytes32,int8)"].contains(&function.function.as_str())
        );
        // Nothing becomes something.
        assert!(of(&functions, &function.function).dearest().unwrap().own() > 22_100);
    }
}
