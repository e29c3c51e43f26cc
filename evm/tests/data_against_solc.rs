//! The interpreter's storage, memory, calldata and ABI code against solc's bytecode on revm: contracts with a state
//! variable and a few functions for each of some random types, called with good and with damaged data.

#[allow(dead_code)]
#[path = "../../ir/tests/support/mod.rs"]
mod support;

use hornet_evm::machine::{Environment, Fork, Machine, Message, Outcome};
use hornet_evm::solc::{Compilers, Input, Settings};
use hornet_evm::{Address, U256};
use hornet_ir::expr::AbiMode;
use hornet_ir::hash::{keccak256, selector};
use hornet_ir::ids::TypeId;
use hornet_ir::interp::abi::{Sources, decode::decode, encode};
use hornet_ir::interp::calldata::Calldata;
use hornet_ir::interp::memory::Memory;
use hornet_ir::interp::storage;
use hornet_ir::interp::value::{Run, StoragePtr, Trap, Value};
use hornet_ir::layout;
use hornet_ir::types::{Type, Types};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;
use std::fmt::Write;
use support::{Shape, Slots, intern, shape, stream, value};

/// The declaration of a shape's type; structs go to `structs` first.
fn solidity(shape: &Shape, structs: &mut String, count: &mut usize) -> String {
    match shape {
        Shape::Scalar(Type::Bool) => "bool".into(),
        Shape::Scalar(Type::Int { bits, signed }) => {
            format!("{}int{bits}", if *signed { "" } else { "u" })
        }
        Shape::Scalar(Type::FixedBytes(n)) => format!("bytes{n}"),
        Shape::Scalar(Type::Address) => "address".into(),
        Shape::Scalar(_) => "function() external".into(),
        Shape::Enum => "E".into(),
        Shape::Bytes => "bytes".into(),
        Shape::List(s) => format!("{}[]", solidity(s, structs, count)),
        Shape::Fixed(s, n) => format!("{}[{n}]", solidity(s, structs, count)),
        Shape::Struct(shapes) => {
            let types: Vec<String> = shapes.iter().map(|s| solidity(s, structs, count)).collect();
            *count += 1;
            let name = format!("S{count}");
            let fields: String = types.iter().enumerate().map(|(i, t)| format!("{t} f{i}; ")).collect();
            let _ = writeln!(structs, "  struct {name} {{ {fields}}}");
            name
        }
    }
}

fn can_be_packed(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar(_) | Shape::Enum | Shape::Bytes => true,
        Shape::List(s) | Shape::Fixed(s, _) => matches!(**s, Shape::Scalar(_) | Shape::Enum),
        Shape::Struct(_) => false,
    }
}

fn contract(shapes: &[Shape]) -> String {
    let (mut structs, mut body, mut count) = (String::new(), String::new(), 0);
    for (i, shape) in shapes.iter().enumerate() {
        let ty = solidity(shape, &mut structs, &mut count);
        let tree = !matches!(shape, Shape::Scalar(_) | Shape::Enum);
        let (memory, calldata) = if tree { ("memory", "calldata") } else { ("", "") };
        let _ = write!(
            body,
            "  {ty} v{i};
  event L{i}({ty} indexed x);
  function m{i}({ty} {memory} x) external returns (bytes memory) {{ return abi.encode(x); }}
  function c{i}({ty} {calldata} x) external returns (bytes memory) {{ return abi.encode(x); }}
  function s{i}({ty} {memory} x) external {{ v{i} = x; }}
  function t{i}({ty} {calldata} x) external {{ v{i} = x; }}
  function g{i}() external returns (bytes memory) {{ return abi.encode(v{i}); }}
  function d{i}() external {{ delete v{i}; }}
  function l{i}({ty} {memory} x) external {{ emit L{i}(x); }}
"
        );
        if can_be_packed(shape) {
            let _ = writeln!(
                body,
                "  function p{i}({ty} {memory} x) external returns (bytes memory) {{ return abi.encodePacked(x); }}"
            );
        }
    }
    format!("pragma solidity ^0.8.0;\ncontract C {{\n  enum E {{ A, B, C }}\n{structs}{body}}}\n")
}

/// Our side of the contract.
struct Ours {
    types: Types,
    tys: Vec<TypeId>,
    slots: Vec<(U256, u8)>,
    storage: Slots,
}

impl Ours {
    fn new(shapes: &[Shape]) -> Ours {
        let mut types = Types::default();
        let tys: Vec<TypeId> = shapes.iter().map(|s| intern(&mut types, s)).collect();
        let slots = layout::assign_slots(&types, &tys, U256::ZERO);
        types.bytes();
        for ty in &tys {
            types.in_memory(*ty);
            types.in_calldata(*ty);
        }
        Ours { types, tys, slots, storage: Slots::default() }
    }

    /// What the function returns; a topic for `l`.
    fn run(&mut self, kind: char, i: usize, data: &[u8]) -> Run<Vec<u8>> {
        let ty = self.tys[i];
        let types = &mut self.types;
        let (in_memory, in_calldata) = (types.in_memory(ty), types.in_calldata(ty));
        let bytes = types.bytes();
        let types = &self.types;
        let (slot, offset) = self.slots[i];
        let ptr = StoragePtr { slot, offset, transient: false };
        let mut memory = Memory::new();
        let param = if kind == 'c' || kind == 't' { in_calldata } else { in_memory };
        let arg = match kind {
            'g' => storage::load(types, &self.storage, ptr, ty)?,
            'd' => return storage::delete(types, &mut self.storage, ptr, ty).map(|()| Vec::new()),
            _ => decode(types, true, data, 4, &[param], &mut memory)?.remove(0),
        };
        let calldata = Calldata::new(types, data, true);
        let before = self.storage.clone();
        let sources = Sources { types, memory: &memory, calldata, storage: &before, transient: &before };
        let arg_ty = if kind == 'g' { ty } else { param };
        if kind == 's' || kind == 't' {
            let tree = sources.tree(arg_ty, &arg)?;
            return storage::store_tree(types, &mut self.storage, ptr, ty, &tree).map(|()| Vec::new());
        }
        let mode = match kind {
            'p' => AbiMode::Packed,
            'l' => AbiMode::Topic,
            _ => AbiMode::Standard,
        };
        let encoded = encode::encode(&sources, mode, None, &[ty], &[(arg_ty, arg)])?;
        if kind == 'l' {
            return Ok(if types.get(ty).is_tree() { keccak256(&encoded).to_vec() } else { encoded });
        }
        let result = Value::bytes(encoded);
        encode::encode(&sources, AbiMode::Standard, None, &[bytes], &[(bytes, result)])
    }
}

fn describe(outcome: &Outcome, kind: char) -> Result<Vec<u8>, Vec<u8>> {
    match (outcome.success, kind) {
        (true, 'l') => Ok(outcome.logs[0].topics[1].to_vec()),
        (true, _) => Ok(outcome.output.clone()),
        (false, _) => Err(outcome.output.clone()),
    }
}

struct Pair {
    source: String,
    ours: Ours,
    machine: Machine,
    address: Address,
    names: Vec<String>,
}

impl Pair {
    fn new(compilers: &Compilers, shapes: &[Shape], via_ir: bool) -> Option<Pair> {
        let source = contract(shapes);
        let sources = BTreeMap::from([("a.sol".to_string(), source.clone())]);
        let settings = Settings { via_ir, ..Settings::default() };
        let output = compilers.compile(&Input { sources, settings, version: None }).expect("solc runs");
        if let Some(error) = output.errors().next() {
            // Neither code generator does everything.
            let limits = [
                "Internal compiler error",
                "Unimplemented",
                "not yet supported",
                "not supported",
                "too deep",
            ];
            assert!(limits.iter().any(|l| error.formatted.contains(l)), "{}\n{source}", error.formatted);
            return None;
        }
        let code = output
            .contract("a.sol", "C")
            .expect("the contract")
            .code
            .link(|_, _| None)
            .expect("no libraries");
        let mut machine = Machine::new(Fork::Cancun, Environment::default());
        let created = machine.deploy(message(code)).created.expect("deployment");
        let ours = Ours::new(shapes);
        let names = ours.tys.iter().map(|ty| layout::abi_name(&ours.types, *ty)).collect();
        Some(Pair { source, ours, machine, address: created, names })
    }

    fn compare(&mut self, kind: char, i: usize, args: &[u8]) {
        let params = if kind == 'g' || kind == 'd' { "" } else { &self.names[i] };
        let mut data = selector(&format!("{kind}{i}({params})")).to_vec();
        data.extend_from_slice(args);
        let before = self.ours.storage.clone();
        let ours = self.ours.run(kind, i, &data).map_err(|trap| {
            assert!(!matches!(trap, Trap::Unsupported(_)), "{trap:?}");
            trap.payload()
        });
        if ours.is_err() {
            self.ours.storage = before;
        }
        let outcome = self.machine.call(self.address, message(data));
        let theirs = describe(&outcome, kind);
        let what = || format!("{kind}{i}({params}) of\n{}\nwith {}", self.source, hex(args));
        let text = |r: &Result<Vec<u8>, Vec<u8>>| match r {
            Ok(data) => format!("returned {}", hex(data)),
            Err(data) => format!("reverted {}", hex(data)),
        };
        assert_eq!(text(&ours), text(&theirs), "{}", what());
        assert_eq!(self.ours.storage.0, self.machine.storage_slots(self.address), "{}", what());
    }
}

fn message(data: Vec<u8>) -> Message {
    Message { from: Address::with_last_byte(1), origin: None, value: U256::ZERO, data, gas: 25_000_000 }
}

fn hex(data: &[u8]) -> String {
    data.chunks(32).map(|word| word.iter().map(|b| format!("{b:02x}")).collect::<String>() + " ").collect()
}

/// Interesting words to put into the data instead of what is there.
fn damage(data: &mut Vec<u8>, random: &mut impl FnMut() -> u8) {
    let words = data.len() / 32;
    if words == 0 {
        return;
    }
    let at = (usize::from(random()) % words) * 32;
    let word = match random() % 8 {
        0 => U256::MAX,
        1 => U256::from(1u8) << 64,
        2 => U256::from(u64::MAX),
        3 => U256::from(1u8) << 255,
        4 => U256::from(random() % 8) * U256::from(32),
        5 => U256::from(random()),
        6 => U256::from_be_slice(&data[at..at + 32]) ^ (U256::from(1u8) << usize::from(random())),
        _ => {
            data.truncate(data.len() - usize::from(random()) % data.len().min(65));
            return;
        }
    };
    data[at..at + 32].copy_from_slice(&word.to_be_bytes::<32>());
}

fn rounds(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn data_agrees_with_solc() {
    let compilers = Compilers::find().expect("solc is installed by `make setup`");
    let contracts = rounds("HORNET_CONTRACTS", 2);
    let seed = rounds("HORNET_SEED", 1) as u64;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed as u8; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut calls = 0;
    for n in 0..contracts {
        let via_ir = n % 2 == 0;
        let shapes: Vec<Shape> = (0..if via_ir { 6 } else { 2 })
            .map(|_| shape().new_tree(&mut runner).expect("a shape").current())
            .collect();
        let Some(mut pair) = Pair::new(&compilers, &shapes, via_ir) else { continue };
        let mut random = stream(seed * 1000 + n as u64);
        for (i, shape) in shapes.iter().enumerate() {
            let mut kinds = vec!['m', 'c', 's', 'g', 't', 'g', 'l'];
            if can_be_packed(shape) {
                kinds.push('p');
            }
            for round in 0..24 {
                let tree = value(shape, &mut random);
                let ty = pair.ours.tys[i];
                let mut data = encode::encode_trees(&pair.ours.types, AbiMode::Standard, &[ty], &[tree])
                    .expect("encodes");
                if round % 4 > 0 {
                    damage(&mut data, &mut random);
                }
                for kind in &kinds {
                    pair.compare(*kind, i, &data);
                    calls += 1;
                }
            }
            pair.compare('d', i, &[]);
        }
    }
    assert!(calls > 0);
    println!("{calls} calls agree");
}
