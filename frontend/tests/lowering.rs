//! Solidity in, results of the interpreter out: what each construct means, on small contracts.

use hornet_frontend::compile;
use hornet_frontend::lower::Options;
use hornet_frontend::source::{LoadOptions, Loader};
use hornet_ir::U256;
use hornet_ir::hash::selector;
use hornet_ir::interp::{Interpreter, Status};
use hornet_ir::program::Program;

fn program(source: &str, options: Options) -> Program {
    let mut loader = Loader::new(LoadOptions::in_memory());
    loader.add_source("t.sol", source);
    let compiled = compile(loader.load_names(["t.sol"]), options);
    match compiled.program {
        Some(program) => program,
        None => panic!("does not compile: {:#?}", compiled.diagnostics),
    }
}

/// Deploys the last contract and makes calls in turn. A call is written `f(uint256) 1 2 -> 3`; after the arrow stand
/// result words, `panic 0x11`, `error text`, `revert` (without data) or `invalid`.
fn check_with(source: &str, options: Options, calls: &[&str]) {
    let program = program(source, options);
    let mut interp = Interpreter::new(&program);
    let from = U256::from(0x1234);
    interp.world.set_balance(from, U256::from(1) << 100);
    interp.install_libraries();
    let (contract, _) =
        program.contracts.iter_ids().filter(|(_, c)| c.constructor.is_some()).last().expect("a contract");
    let deployed = interp.deploy(contract, &[], U256::ZERO, from);
    let address = deployed.address.unwrap_or_else(|| panic!("deployment: {:?}", deployed.status));
    for call in calls {
        let (what, expected) = call.split_once(" -> ").unwrap_or((call.trim_end_matches(" ->"), ""));
        let mut words = what.split_whitespace();
        let mut data = selector(words.next().expect("a signature")).to_vec();
        words.for_each(|w| data.extend_from_slice(&word(w).to_be_bytes::<32>()));
        let outcome = interp.call(from, address, U256::ZERO, &data);
        assert_eq!(show(&outcome.status), normal(expected), "{call}");
    }
}

fn check(source: &str, calls: &[&str]) {
    check_with(source, Options::default(), calls);
}

fn word(text: &str) -> U256 {
    if let Some(n) = text.strip_prefix('-') {
        return word(n).wrapping_neg();
    }
    text.parse().unwrap_or_else(|_| panic!("not a number: {text}"))
}

fn normal(expected: &str) -> String {
    let words: Option<Vec<String>> =
        expected.split_whitespace().map(|w| (w.as_bytes()[0] != b'p').then(|| w.to_owned())).collect();
    match words {
        Some(words)
            if words.iter().all(|w| w.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())) =>
        {
            words.iter().map(|w| format!("{:#x}", word(w))).collect::<Vec<_>>().join(" ")
        }
        _ => expected.to_owned(),
    }
}

fn show(status: &Status) -> String {
    match status {
        Status::Success { output } => {
            let words = output.chunks(32).map(|c| format!("{:#x}", U256::from_be_slice(c)));
            words.collect::<Vec<_>>().join(" ")
        }
        Status::Revert { payload } if payload.is_empty() => "revert".into(),
        Status::Revert { payload } if payload.starts_with(&selector("Panic(uint256)")) => {
            format!("panic {:#04x}", payload[35])
        }
        Status::Revert { payload } if payload.starts_with(&selector("Error(string)")) => {
            let length = U256::from_be_slice(&payload[36..68]).to::<usize>();
            format!("error {}", String::from_utf8_lossy(&payload[68..68 + length]))
        }
        Status::Revert { payload } => {
            payload.iter().fold(String::from("revert "), |s, b| s + &format!("{b:02x}"))
        }
        Status::OutOfGas => "invalid".into(),
        Status::Unsupported { what, .. } => format!("unsupported {what}"),
    }
}

#[test]
fn checked_arithmetic() {
    check(
        "contract C {
            function add(uint8 a, uint8 b) public returns (uint8) { return a + b; }
            function sub(uint a, uint b) public returns (uint) { return a - b; }
            function mul(int8 a, int8 b) public returns (int8) { return a * b; }
            function div(int8 a, int8 b) public returns (int8) { return a / b; }
            function mod(uint a, uint b) public returns (uint) { unchecked { return a % b; } }
            function exp(uint8 a, uint b) public returns (uint8) { return a ** b; }
            function neg(int8 a) public returns (int8) { return -a; }
            function wrap(uint8 a, uint8 b) public returns (uint8) { unchecked { return a + b; } }
            function wrapDiv(int8 a, int8 b) public returns (int8) { unchecked { return a / b; } }
            function inc(uint8 a) public returns (uint8) { a++; return a; }
        }",
        &[
            "add(uint8,uint8) 200 55 -> 255",
            "add(uint8,uint8) 200 56 -> panic 0x11",
            "sub(uint256,uint256) 1 2 -> panic 0x11",
            "mul(int8,int8) -16 8 -> -128",
            "mul(int8,int8) 16 8 -> panic 0x11",
            "div(int8,int8) -128 -1 -> panic 0x11",
            "div(int8,int8) 7 0 -> panic 0x12",
            "mod(uint256,uint256) 7 0 -> panic 0x12",
            "exp(uint8,uint256) 2 7 -> 128",
            "exp(uint8,uint256) 2 8 -> panic 0x11",
            "neg(int8) -128 -> panic 0x11",
            "wrap(uint8,uint8) 200 57 -> 1",
            "wrapDiv(int8,int8) -128 -1 -> -128",
            "inc(uint8) 255 -> panic 0x11",
        ],
    );
}

#[test]
fn old_arithmetic_wraps() {
    check(
        "pragma solidity ^0.7.0;
        contract C {
            function add(uint8 a, uint8 b) public returns (uint8) { return a + b; }
            function div(uint a, uint b) public returns (uint) { return a / b; }
            function ok(bool b) public returns (uint) { assert(b); return 1; }
            function shift(int8 a, uint8 n) public returns (int8) { return a >> n; }
        }",
        &[
            "add(uint8,uint8) 200 57 -> 1",
            "div(uint256,uint256) 7 0 -> invalid",
            "ok(bool) 0 -> invalid",
            "ok(bool) 1 -> 1",
            "shift(int8,uint8) -7 1 -> -4",
        ],
    );
    check(
        "pragma solidity ^0.4.0;
        contract C {
            function shift(int8 a, uint8 n) public returns (int8) { return a >> n; }
            function hoisted(uint n) public returns (uint) {
                for (uint i = 0; i < n; i++) { uint x; x += 1; }
                return x;
            }
        }",
        &["shift(int8,uint8) -7 1 -> -3", "hoisted(uint256) 3 -> 3"],
    );
}

#[test]
fn evaluation_order() {
    let source = "contract C {
        uint log;
        function t(uint n) internal returns (uint) { log = log * 10 + n; return n; }
        function binary() public returns (uint) { t(1) + t(2); return log; }
        function call3(uint, uint, uint) internal {}
        function arguments() public returns (uint) { log = 0; call3(t(1), t(2), t(3)); return log; }
        uint[4] a;
        function assign() public returns (uint) { log = 0; a[t(1)] = t(2); return log; }
        function saved() public returns (uint, uint) { uint x = 1; return (x, (x = 5) + x); }
        function swap(uint x, uint y) public returns (uint, uint) { (x, y) = (y, x); return (x, y); }
        function viaIndex() public returns (uint, uint) {
            uint i = 1;
            a[1] = 0; a[2] = 0;
            (a[i], i) = (7, 2);
            return (a[1], a[2]);
        }
        function post() public returns (uint, uint) { uint i = 3; uint r = i++ * 10 + i; return (r, i); }
    }";
    let both =
        ["arguments() -> 123", "assign() -> 21", "swap(uint256,uint256) 1 2 -> 2 1", "viaIndex() -> 7 0"];
    check(source, &["binary() -> 21", "saved() -> 1 6", "post() -> 33 4"]);
    check(source, &both);
    let via_ir = Options { via_ir: true, ..Options::default() };
    check_with(source, via_ir, &["binary() -> 12", "saved() -> 1 10", "post() -> 34 4"]);
    check_with(source, via_ir, &both);
}

#[test]
fn storage_is_copied_memory_is_shared() {
    check(
        "contract C {
            struct S { uint a; uint[] b; }
            S s; S t;
            function storageCopy() public returns (uint, uint, uint) {
                s.a = 1; s.b.push(10); s.b.push(20);
                t = s;
                s.b[1] = 99;
                S storage p = t;
                p.a = 5;
                return (t.a, t.b[1], s.a);
            }
            function memoryShare() public returns (uint, uint) {
                S memory m = s;
                S memory n = m;
                n.b[0] = 77;
                m.a++;
                return (m.b[0], n.a);
            }
            function back() public returns (uint, uint) {
                S memory m = S(3, new uint[](2));
                m.b[1] = 4;
                s = m;
                m.b[1] = 5;
                delete m.b[1];
                return (s.b[1], m.b[1]);
            }
            function wiped() public returns (uint, uint) { delete s; return (s.a, s.b.length); }
        }",
        &["storageCopy() -> 5 20 1", "memoryShare() -> 77 2", "back() -> 4 0", "wiped() -> 0 0"],
    );
}

#[test]
fn arrays_and_bytes() {
    check(
        "contract C {
            uint[] a; bytes b; mapping(string => uint) m; uint[2][] n;
            function at(uint i) public returns (uint) { a = [1, 2, 3]; return a[i]; }
            function pushed() public returns (uint, uint) { delete a; a.push() = 4; a.push(5); return (a[0], a.length); }
            function popped() public returns (uint) { a.pop(); a.pop(); return a.length; }
            function empty() public { a.pop(); }
            function text() public returns (uint) { m['ab'] = 7; string memory k = 'ab'; return m[k] + m['a']; }
            function byteAt(uint i) public returns (bytes1) { bytes4 x = 0x01020304; return x[i]; }
            function grow() public returns (uint, bytes1) {
                for (uint i = 0; i < 40; i++) b.push(bytes1(uint8(i)));
                b[39] = 0xff;
                return (b.length, b[39]);
            }
            function nested() public returns (uint) { n.push([uint(1), 2]); n[0][1] += 3; return n[0][1]; }
            function slice(bytes calldata d, uint from, uint to) public returns (uint) { return d[from:to].length; }
            function big(uint n_) public returns (uint) { return (new uint[](n_)).length; }
            function cat() public returns (uint) { return bytes.concat('abc', bytes2(0x1122), hex'00').length; }
        }",
        &[
            "at(uint256) 2 -> 3",
            "at(uint256) 3 -> panic 0x32",
            "pushed() -> 4 2",
            "popped() -> 0",
            "empty() -> panic 0x31",
            "text() -> 7",
            "byteAt(uint256) 1 -> 0x0200000000000000000000000000000000000000000000000000000000000000",
            "byteAt(uint256) 4 -> panic 0x32",
            "grow() -> 40 0xff00000000000000000000000000000000000000000000000000000000000000",
            "nested() -> 5",
            "slice(bytes,uint256,uint256) 0x60 1 3 4 0 -> 2",
            "slice(bytes,uint256,uint256) 0x60 3 1 4 0 -> revert",
            "slice(bytes,uint256,uint256) 0x60 1 5 4 0 -> revert",
            "big(uint256) 3 -> 3",
            "big(uint256) 0x10000000000000000 -> panic 0x41",
            "cat() -> 6",
        ],
    );
}

#[test]
fn conditions_and_loops() {
    check(
        "contract C {
            uint n;
            function touch() internal returns (bool) { n++; return true; }
            function short() public returns (uint) {
                n = 0;
                bool a = false && touch(); bool b = true || touch(); bool c = true && touch();
                return n + (a ? 100 : 0) + (b ? 10 : 0) + (c ? 20 : 0);
            }
            function pick(bool c, uint[] calldata x) public returns (uint) { return c ? x[0] : 9; }
            function loops() public returns (uint sum) {
                for (uint i = 0; i < 10; i++) { if (i == 2) continue; if (i == 5) break; sum += i; }
                uint j = 0;
                do { j++; if (j == 3) continue; } while (j < 5);
                while (true) { if (j == 0) break; j--; sum += 100; }
            }
            enum E { A, B, C }
            function toEnum(uint x) public returns (E) { return E(x); }
            function req(uint x) public returns (uint) {
                require(x > 0, 'zero'); require(x != 1); if (x == 2) revert('two'); return x;
            }
        }",
        &[
            "short() -> 31",
            "pick(bool,uint256[]) 0 0x40 0 -> 9",
            "pick(bool,uint256[]) 1 0x40 0 -> panic 0x32",
            "pick(bool,uint256[]) 1 0x40 1 6 -> 6",
            "loops() -> 508",
            "toEnum(uint256) 2 -> 2",
            "toEnum(uint256) 3 -> panic 0x21",
            "req(uint256) 0 -> error zero",
            "req(uint256) 1 -> revert",
            "req(uint256) 2 -> error two",
            "req(uint256) 3 -> 3",
        ],
    );
}

#[test]
fn functions_as_values_and_operators() {
    check(
        "type T is uint8;
        function plus(T a, T b) pure returns (T) { return T.wrap(T.unwrap(a) + T.unwrap(b)); }
        using {plus as +} for T global;
        uint constant K = 3 * 7;
        library L { function twice(uint x) internal pure returns (uint) { return 2 * x; } }
        contract C {
            using L for uint;
            function inc(uint x) internal pure returns (uint) { return x + 1; }
            function pick(bool c, uint x) public pure returns (uint) {
                function (uint) internal pure returns (uint) f = c ? inc : L.twice;
                return f(x);
            }
            function none() public pure { function () internal pure f; f(); }
            function user(uint8 a, uint8 b) public pure returns (T) { return T.wrap(a) + T.wrap(b); }
            function attached(uint x) public pure returns (uint) { return x.twice() + K; }
            function self(uint x) external returns (uint) { return x; }
            function outside(uint x) public returns (uint) {
                function (uint) external returns (uint) f = this.self;
                return f(x) + uint32(f.selector) - uint32(this.self.selector);
            }
        }",
        &[
            "pick(bool,uint256) 1 5 -> 6",
            "pick(bool,uint256) 0 5 -> 10",
            "none() -> panic 0x51",
            "user(uint8,uint8) 1 2 -> 3",
            "user(uint8,uint8) 255 2 -> panic 0x11",
            "attached(uint256) 4 -> 29",
            "outside(uint256) 8 -> 8",
        ],
    );
}
