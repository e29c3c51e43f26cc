//! Material for random sources, and ways to damage good ones.

#![allow(dead_code)] // Each test binary uses its own part.

use proptest::prelude::*;

pub fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(WORDS)
}

/// A sample with pieces cut out, doubled, swapped or replaced.
pub fn damaged() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0..40usize, 0..4u8, word());
    (prop::sample::select(SOURCES), prop::collection::vec(edit, 0..6)).prop_map(|(source, edits)| {
        let mut text = source.to_string();
        for (at, length, kind, word) in edits {
            let floor = |mut i: usize| {
                while !text.is_char_boundary(i) {
                    i -= 1;
                }
                i
            };
            let start = floor(at.index(text.len() + 1));
            let end = floor((start + length).min(text.len()));
            let piece = text[start..end].to_string();
            match kind {
                0 => text.replace_range(start..end, ""),
                1 => text.insert_str(start, &piece),
                2 => text.insert_str(start, &format!(" {word} ")),
                _ => text.replace_range(start..end, &format!(" {word} ")),
            }
        }
        text
    })
}

/// A sample with some words and signs replaced by others of the same kind: mostly still well-formed, so that the
/// passes behind the parser see it.
pub fn swapped() -> impl Strategy<Value = String> {
    let swap = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (prop::sample::select(SOURCES), prop::collection::vec(swap, 1..8)).prop_map(|(source, swaps)| {
        let mut tokens = tokens(source);
        for (at, from) in swaps {
            swap_one(&mut tokens, |n| at.index(n), |n| from.index(n));
        }
        tokens.concat()
    })
}

pub fn swap_one(tokens: &mut [String], at: impl FnOnce(usize) -> usize, from: impl FnOnce(usize) -> usize) {
    let at = at(tokens.len());
    let same: Vec<_> = tokens.iter().filter(|t| kind(t) == kind(&tokens[at])).cloned().collect();
    tokens[at] = same[from(same.len())].clone();
}

fn kind(token: &str) -> u8 {
    match token.as_bytes().first() {
        Some(b) if b.is_ascii_digit() => 0,
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => 1,
        Some(b' ' | b'\n') => 2,
        Some(b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b'"' | b'\'') => 3 + token.as_bytes()[0],
        _ => 3,
    }
}

pub fn tokens(source: &str) -> Vec<String> {
    let class = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => 1,
        '=' | '<' | '>' | '&' | '|' | '+' | '-' | '*' | '!' => 2,
        _ => 0,
    };
    let mut out: Vec<String> = Vec::new();
    for c in source.chars() {
        match out.last_mut() {
            // The classes of a token's characters are all the same.
            Some(last) if class(c) > 0 && last.chars().next().is_some_and(|l| class(l) == class(c)) => {
                last.push(c)
            }
            _ => out.push(c.to_string()),
        }
    }
    out
}

/// Everything the grammar gives a meaning to, and a few names.
pub const WORDS: &[&str] = &[
    "contract",
    "interface",
    "library",
    "abstract",
    "is",
    "function",
    "constructor",
    "modifier",
    "event",
    "error",
    "struct",
    "enum",
    "type",
    "using",
    "for",
    "global",
    "import",
    "from",
    "as",
    "pragma",
    "solidity",
    "^0.8.0",
    "^0.4.0",
    "^0.5.0",
    ">=0.6.0",
    "abicoder",
    "v1",
    "experimental",
    "public",
    "private",
    "internal",
    "external",
    "pure",
    "view",
    "payable",
    "constant",
    "immutable",
    "transient",
    "virtual",
    "override",
    "indexed",
    "anonymous",
    "memory",
    "storage",
    "calldata",
    "mapping",
    "address",
    "bool",
    "string",
    "bytes",
    "uint",
    "uint8",
    "int",
    "bytes32",
    "byte",
    "fixed",
    "var",
    "returns",
    "return",
    "if",
    "else",
    "while",
    "do",
    "break",
    "continue",
    "try",
    "catch",
    "throw",
    "emit",
    "revert",
    "assembly",
    "unchecked",
    "new",
    "delete",
    "true",
    "false",
    "let",
    "leave",
    "switch",
    "case",
    "default",
    "receive",
    "fallback",
    "layout",
    "at",
    "instance",
    "persistent",
    "temporary",
    "hex\"00\"",
    "unicode\"é\"",
    "\"s\"",
    "'t'",
    "0x1F",
    "1",
    "1e3",
    "2.5",
    ".5",
    "1_000",
    "ether",
    "days",
    "_",
    "a",
    "b",
    "C",
    "D",
    "x",
    "y",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ".",
    ":",
    "?",
    "=",
    "==",
    "=>",
    "->",
    ":=",
    "+",
    "-",
    "*",
    "**",
    "/",
    "%",
    "!",
    "~",
    "&",
    "&&",
    "|",
    "||",
    "^",
    "<",
    "<<",
    ">",
    ">>",
    ">=",
    "<=",
    "++",
    "--",
    "+=",
    "-=",
    "|=",
    "<<=",
    "//c\n",
    "/*c*/",
    "///d\n",
    "/**d*/",
    "@",
    "\\",
    "é",
    "\n",
    "\0",
    "\u{feff}",
];

/// Good sources that between them use the whole language.
pub const SOURCES: &[&str] = &[OLD, MODERN, UNITS, STATEMENTS, ASSEMBLY];

/// What the samples import.
pub const OTHER: &str = "contract A {} contract B {}";

const OLD: &str = r#"pragma solidity ^0.4.11;
/// @title Counter
contract Counter {
    uint receive; uint fallback;
    address owner;
    event Moved(address indexed who, uint amount);
    modifier only() { if (msg.sender != owner) throw; _; }
    function Counter(uint start) payable { owner = msg.sender; receive = start; }
    function() payable { Moved(msg.sender, msg.value); }
    function split(uint x) constant returns (uint, uint) { return (x / 2, x % 2); }
    function go(address to) only returns (bool ok) {
        var (q, r) = split(receive);
        var t = now + 2 years;
        for (var i = 0; i < 3; i++) { fallback += q; }
        if (sha3(t) == 0) throw; else suicide(to);
        ok = to.call.value(r).gas(3)(bytes4(sha3("f()")));
        return 2 ** 3 ** 2 == q;
    }
}
"#;

const MODERN: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
pragma abicoder v2;
type Price is uint128;
using {add as +, Lib.twice} for Price global;
function add(Price a, Price b) pure returns (Price) { return Price.wrap(Price.unwrap(a) + Price.unwrap(b)); }
error Broke(address who, uint needed);
uint constant LIMIT = 10 ** 18;
library Lib { function twice(Price p) internal pure returns (Price) { return p + p; } }
interface IVault {
    function take(uint amount) external returns (bool);
    function hook() external view returns (function(uint) external returns (bool));
}
abstract contract Base {
    address public immutable instance;
    uint transient private lock;
    mapping(address owner => mapping(uint id => bool seen)) internal marks;
    constructor(address a) { instance = a; }
    modifier guarded() virtual { require(lock == 0, "locked"); lock = 1; _; lock = 0; }
    function price() public view virtual returns (Price);
}
/** @notice invariant sum(deposits[_].amount) >= 0
  * @notice invariant property(deposits) (i, j) i >= j || deposits[i].from != deposits[j].from */
contract Vault is Base(address(1)), IVault layout at 0x100 + 7 {
    struct Deposit { uint amount; address payable from; uint[2] parts; }
    enum State { Open, Closed }
    Deposit[] deposits;
    State public state = State.Open;
    function(uint) external returns (bool) public override hook;
    event Put(address indexed from, uint amount) anonymous;
    receive() external payable guarded { deposits.push(Deposit(msg.value, payable(msg.sender), [uint(1), 2])); }
    fallback(bytes calldata input) external payable returns (bytes memory) { return input[4:]; }
    function price() public view override(Base) returns (Price) { return Price.wrap(uint128(address(this).balance)); }
    /// @notice precondition forall (uint i) exists (uint j) i + 1 > j && !(amount > 3)
    /// @notice modifies deposits.length if amount > 0
    /// @notice emits Put
    /// @notice specification [ case amount == 0: eq(deposits, deposits); case true: old(state) == state; ]
    function take(uint amount) external guarded returns (bool) {
        if (amount > LIMIT) revert Broke({who: msg.sender, needed: amount});
        (bool ok, bytes memory data) = payable(msg.sender).call{value: amount, gas: 50_000}("");
        emit Put(msg.sender, amount);
        return ok && data.length == 0;
    }
}
"#;

const UNITS: &str = r#"import "./other.sol";
import * as Other from "./other.sol";
import {A, B as C} from "./other.sol";
import "./other.sol" as Third;
contract Units {
    uint a = 1 ether + 2 gwei - 3 wei * 4 hours / 5 minutes % 6 seconds;
    uint b = 0xdead_beef << 3 >> 2 | 1 & 7 ^ 5;
    bytes c = hex"12_34" hex'56';
    string d = unicode"snow ☃" 'plain' "\u0041\n";
    bool e = !(a < b) && b >= a || a != b == true;
    int f = -1 + ~int(2);
    bytes4 g = this.h.selector;
    function h(uint[] memory xs, string calldata) external pure returns (uint m) { m = xs[0]++ + --xs[1]; }
    function i() public { delete a; (a, , b) = (b, 1, a); abi.encodeCall(this.h, (new uint[](3), "x")); }
}
"#;

const STATEMENTS: &str = r#"contract Flow {
    function run(Flow other, uint n) public returns (uint sum) {
        unchecked { sum -= n; }
        for (uint i = 0; i < n; ++i) { if (i == 3) continue; else if (i > 7) break; sum += i; }
        while (sum > 100) sum /= 2;
        do { sum++; } while (sum < 5);
        try other.run{gas: 5}(this, 1) returns (uint v) { sum = v; } catch Error(string memory why) { sum = bytes(why).length; }
        catch Panic(uint code) { sum = code; } catch (bytes memory raw) { sum = raw.length; }
        try new Flow() {} catch { revert(); }
        function (uint) internal pure returns (uint) f = n > 1 ? id : zero;
        { uint shadow = f(n); sum = shadow; }
        return new Flow().run(other, type(uint8).max);
    }
    function id(uint x) internal pure returns (uint) { return x; }
    function zero(uint) internal pure returns (uint) { return 0; }
}
"#;

const ASSEMBLY: &str = r#"contract Low {
    uint slot0;
    function peek(uint i) public view returns (uint v) {
        assembly ("memory-safe") {
            function double(x) -> y { y := add(x, x) leave }
            let p := mload(0x40)
            mstore(p, slot0.slot)
            for { let j := 0 } lt(j, i) { j := add(j, 1) } { if eq(j, 7) { break } continue }
            switch i case 0 { v := sload(slot0.slot) } case 0x1 { v := byte(0, p) } default { revert(0, 0) }
            let a, b := pair() v := double(v) pop(keccak256(p, 32)) log0(p, "a")
            function pair() -> c, d { c := hex"00" d := address() }
        }
    }
}
"#;
