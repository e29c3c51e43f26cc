//! A counterexample as a Foundry test: a contract that replays the transactions and fails while the mistake is there.
//!
//! The test needs nothing but Foundry itself: cheatcodes are declared in it. All calls are made by signature with
//! arguments of their encoding's types, so that it compiles whatever types the contract declares. Calls that fail on
//! the way do not matter; only what the counterexample is about makes the test fail.

mod attacker;
mod condition;
mod gas;
mod literal;

use std::fmt::Write as _;

use hornet_ir::U256;
use hornet_ir::expr::EnvVar;
use hornet_ir::ids::TypeId;
use hornet_ir::interp::value::Tree;
use hornet_ir::program::{Contract, ObligationKind, Program};
use hornet_ir::span::SourceMap;
use hornet_ir::trace::{Action, Step, Trace};

use crate::compiler::Arithmetic;
use attacker::Attackers;
pub use gas::{GasRun, gas_test};
use literal::{Literals, address, number};

/// How the test calls the contract.
const SUBJECT: &str = "subject";

/// What the test has to know beside the counterexample.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// What the test imports to get at the contract.
    pub import: &'a str,
    /// Before 0.8, a failed assertion is an invalid instruction without a reason.
    pub arithmetic: Arithmetic,
}

/// The text of a test, and whether it can fail: not everything that Hornet checks can be seen from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundryTest {
    pub text: String,
    pub decides: bool,
}

/// What makes the test fail.
enum Verdict {
    /// The last call reverts with this code.
    Panic(u8),
    /// The last call reverts without saying why.
    SilentRevert,
    /// The last call reverts, whatever it says.
    Revert,
    Success,
    /// This does not hold after the last call.
    Condition(condition::Condition),
    /// Nothing that can be seen from outside, and why.
    Invisible(String),
}

/// Writes the test. An error says which part of the counterexample does not fit the program.
pub fn foundry_test(
    program: &Program,
    sources: &SourceMap,
    trace: &Trace,
    options: &Options<'_>,
) -> Result<FoundryTest, String> {
    if trace.steps.iter().any(|step| step.whose.is_some()) {
        return Err("other contracts take part whose addresses a test cannot choose".to_owned());
    }
    let contract = &program.contracts[trace.contract];
    let mut literals = Literals::new(&program.types, trace.this, SUBJECT);
    let verdict = verdict(program, contract, trace, options, &mut literals);
    let mut writer = Writer { program, contract, sources, trace, literals, verdict };
    let mut body = String::new();
    writer.setting(&mut body);
    let attackers = Attackers::of(trace, sources);
    attackers.install(&mut body);
    for (i, step) in trace.steps.iter().enumerate() {
        writer.step(i + 1, step, i + 1 == trace.steps.len(), &mut body)?;
    }
    attackers.judge(&writer.verdict, &mut body);
    let attackers = attackers.declarations(&mut writer)?;
    Ok(FoundryTest {
        decides: !matches!(writer.verdict, Verdict::Invisible(_)),
        text: writer.file(options, &body, &attackers)?,
    })
}

fn verdict(
    program: &Program,
    contract: &Contract,
    trace: &Trace,
    options: &Options<'_>,
    literals: &mut Literals<'_>,
) -> Verdict {
    let silent = trace.failure.clause.is_some_and(|o| program.obligations[o].silent);
    let wraps = options.arithmetic == Arithmetic::Wrapping;
    let panic = |code| if wraps { Verdict::SilentRevert } else { Verdict::Panic(code) };
    let invisible = |why: &str| Verdict::Invisible(why.to_owned());
    if trace.steps.iter().any(|step| step.starved.is_some()) {
        // In a test everything is one transaction, in which later calls find warm what was cold.
        return invisible("a call has to run out of gas, and calls of a test cost less than transactions");
    }
    match trace.failure.kind {
        ObligationKind::Assertion => panic(0x01),
        ObligationKind::Overflow | ObligationKind::Underflow if silent || wraps => {
            invisible("arithmetic that wraps around goes on as if nothing had happened")
        }
        ObligationKind::Overflow | ObligationKind::Underflow => Verdict::Panic(0x11),
        ObligationKind::DivisionByZero => panic(0x12),
        ObligationKind::EnumConversion => panic(0x21),
        ObligationKind::EmptyPop => panic(0x31),
        ObligationKind::OutOfBounds => panic(0x32),
        ObligationKind::InsufficientBalance => Verdict::SilentRevert,
        ObligationKind::Succeeds => Verdict::Revert,
        ObligationKind::Reverts => Verdict::Success,
        ObligationKind::Invariant | ObligationKind::Postcondition => {
            match condition::of_failure(program, contract, trace, literals) {
                Ok(condition) => Verdict::Condition(condition),
                Err(why) => Verdict::Invisible(why),
            }
        }
        ObligationKind::LoopInvariant
        | ObligationKind::Precondition
        | ObligationKind::Modifies
        | ObligationKind::Emits
        | ObligationKind::EventPrecondition
        | ObligationKind::EventPostcondition => {
            invisible("the annotation speaks of what happens inside a call")
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    contract: &'a Contract,
    sources: &'a SourceMap,
    trace: &'a Trace,
    literals: Literals<'a>,
    verdict: Verdict,
}

impl Writer<'_> {
    /// Ether that is there before anything happens.
    fn setting(&self, out: &mut String) {
        for (who, amount) in &self.trace.balances {
            if *who != self.trace.this && !amount.is_zero() {
                line(out, &format!("vm.deal({}, {});", address(*who), number(*amount)));
            }
        }
    }

    fn step(&mut self, count: usize, step: &Step, last: bool, out: &mut String) -> Result<(), String> {
        line(out, &format!("// {count}. {}", self.told(step)));
        line(out, "{");
        for statement in environment(step) {
            line(out, &format!("    {statement}"));
        }
        if step.action == Action::ForcedEther {
            line(out, &format!("    vm.deal({SUBJECT}, {SUBJECT}.balance + {});", number(step.value)));
        } else {
            let mut before = Vec::new();
            let data = self.data(&step.action, &mut before)?;
            before.iter().for_each(|statement| line(out, &format!("    {statement}")));
            line(out, &format!("    bytes memory data = {data};"));
            if !step.value.is_zero() {
                line(out, &format!("    fund({}, {});", address(step.caller), number(step.value)));
            }
            if last && let Verdict::Condition(condition) = &self.verdict {
                condition.before.iter().for_each(|statement| line(out, &format!("    {statement}")));
            }
            line(out, &format!("    vm.prank({}, {});", address(step.caller), address(step.origin)));
            self.send(step, last, out);
        }
        if last {
            self.judge(step, out);
        }
        line(out, "}");
        Ok(())
    }

    /// The call itself, with its outcome where somebody looks at it.
    fn send(&self, step: &Step, last: bool, out: &mut String) {
        let value = number(step.value);
        if matches!(step.action, Action::Deploy { .. }) {
            line(out, &format!("    {SUBJECT} = create(data, {value});"));
            if last {
                line(out, &format!("    bool ok = {SUBJECT} != address(0);"));
                line(out, "    bytes memory result = created;");
            } else {
                line(out, &format!("    if ({SUBJECT} == address(0)) return;"));
                let own = self.trace.balances.iter().find(|(who, _)| *who == self.trace.this);
                if let Some((_, amount)) = own.filter(|(_, amount)| !amount.is_zero()) {
                    let amount = number(*amount);
                    line(out, &format!("    vm.deal({SUBJECT}, {SUBJECT}.balance + {amount});"));
                }
            }
        } else if last {
            line(
                out,
                &format!("    (bool ok, bytes memory result) = {SUBJECT}.call{{value: {value}}}(data);"),
            );
        } else {
            line(out, &format!("    (bool ok, ) = {SUBJECT}.call{{value: {value}}}(data);"));
            line(out, "    ok;");
        }
    }

    /// What is wrong after the last call.
    fn judge(&self, step: &Step, out: &mut String) {
        let claim = self.claim().replace('\\', "\\\\").replace('"', "'");
        let called = step.action != Action::ForcedEther;
        let fail = match &self.verdict {
            Verdict::Panic(code) => format!("!ok && isPanic(result, {code:#04x})"),
            Verdict::SilentRevert => "!ok && result.length == 0".to_owned(),
            Verdict::Revert => "!ok".to_owned(),
            Verdict::Success => "ok".to_owned(),
            Verdict::Condition(condition) if called && condition.after_success => {
                format!("ok && !({})", condition.holds)
            }
            Verdict::Condition(condition) => format!("!({})", condition.holds),
            Verdict::Invisible(why) => {
                line(out, &format!("    // Not checked here: {why}."));
                if called {
                    line(out, "    ok; result;");
                }
                return;
            }
        };
        line(out, &format!("    require(!({fail}), \"{claim}\");"));
        if called {
            line(out, "    ok; result;");
        }
    }

    /// What the counterexample breaks, in the words of the source.
    fn claim(&self) -> String {
        let span = self.trace.failure.span;
        let file = &self.sources.file(span.file);
        let row = file.text.bytes().take(span.start as usize).filter(|b| *b == b'\n').count() + 1;
        let text = self.sources.snippet(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let printable: String =
            text.chars().filter(|c| c.is_ascii() && !c.is_ascii_control()).take(80).collect();
        format!("{}:{row}: {printable}", file.name)
    }

    /// Calldata, or creation code with its arguments, as an expression.
    fn data(&mut self, action: &Action, before: &mut Vec<String>) -> Result<String, String> {
        Ok(match action {
            Action::Deploy { args } => {
                // A library has no constructor.
                let args = self.contract.constructor.map(|proc| self.arguments(proc, args, before));
                let args = args.transpose()?.unwrap_or_default().join(", ");
                format!("abi.encodePacked(type({}).creationCode, abi.encode({args}))", self.contract.name)
            }
            Action::Call { entry, args } => {
                let entry = self.contract.entries.get(*entry).ok_or("there is no such function")?;
                let (signature, proc) = (entry.signature.clone(), entry.proc);
                let mut list = vec![format!("\"{signature}\"")];
                list.extend(self.arguments(proc, args, before)?);
                format!("abi.encodeWithSignature({})", list.join(", "))
            }
            Action::Receive | Action::ForcedEther => "bytes(\"\")".to_owned(),
            Action::Fallback { data } => literal::byte_string(data),
        })
    }

    fn arguments(
        &mut self,
        proc: hornet_ir::ids::ProcId,
        args: &[Tree],
        before: &mut Vec<String>,
    ) -> Result<Vec<String>, String> {
        let proc = &self.program.procs[proc];
        let types: Vec<TypeId> = proc.params.iter().map(|p| proc.locals[*p].ty).collect();
        if types.len() != args.len() {
            return Err(format!("`{}` takes {} arguments, not {}", proc.name, types.len(), args.len()));
        }
        types.into_iter().zip(args).map(|(ty, arg)| self.literals.value(ty, arg, before)).collect()
    }

    /// A step for people.
    fn told(&self, step: &Step) -> String {
        let mut told = match &step.action {
            Action::Deploy { args } => {
                format!("{} deploys {}{}", short(step.caller), self.contract.name, list(args))
            }
            Action::Call { entry, args } => {
                let name = self.contract.entries.get(*entry).map_or("?", |e| e.name.as_str());
                format!("{} calls {name}{}", short(step.caller), list(args))
            }
            Action::Receive => format!("{} sends ether", short(step.caller)),
            Action::Fallback { data } => {
                format!("{} calls with {} bytes of data", short(step.caller), data.len())
            }
            Action::ForcedEther => "ether comes in without a call".to_owned(),
        };
        if !step.value.is_zero() {
            let _ = write!(told, ", {} wei", step.value);
        }
        told
    }

    fn file(&mut self, options: &Options<'_>, body: &str, attackers: &str) -> Result<String, String> {
        let name = &self.contract.name;
        let structs: String = self.literals.struct_declarations()?.iter().map(|s| format!("{s}\n")).collect();
        let version = match options.arithmetic {
            Arithmetic::Checked => "pragma solidity >=0.8.0;",
            Arithmetic::Wrapping => "pragma solidity >=0.6.0;\npragma experimental ABIEncoderV2;",
        };
        let claim = self.claim();
        let import = options.import.replace('\\', "\\\\").replace('"', "\\\"");
        Ok(format!(
            "// SPDX-License-Identifier: UNLICENSED\n// Found by Hornet: {claim}\n{version}\n\nimport \"{import}\";\n\n\
             {CHEATS}\n{structs}{attackers}contract {name}HornetTest {{\n{HELPERS}\n    function testCounterexample() public {{\n{body}    }}\n}}\n"
        ))
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str("        ");
    out.push_str(text);
    out.push('\n');
}

fn short(who: U256) -> String {
    format!("0x{who:x}")
}

fn list(args: &[Tree]) -> String {
    let one = |arg: &Tree| told_value(arg);
    format!("({})", args.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn told_value(value: &Tree) -> String {
    match value {
        Tree::Word(word) => number(*word),
        Tree::Bytes(bytes) => format!("0x{}", literal::hex(bytes)),
        Tree::List(items) => format!("[{}]", items.iter().map(told_value).collect::<Vec<_>>().join(", ")),
    }
}

/// Cheatcodes that make the block and the transaction say what the counterexample wants.
fn environment(step: &Step) -> Vec<String> {
    step.environment
        .iter()
        .filter_map(|(what, value)| {
            let value = number(*value);
            Some(match what {
                EnvVar::Timestamp => format!("vm.warp({value});"),
                EnvVar::Number => format!("vm.roll({value});"),
                EnvVar::Coinbase => format!("vm.coinbase(address(uint160({value})));"),
                EnvVar::PrevRandao => format!("vm.prevrandao(bytes32(uint256({value})));"),
                EnvVar::ChainId => format!("vm.chainId({value});"),
                EnvVar::BaseFee => format!("vm.fee({value});"),
                EnvVar::BlobBaseFee => format!("vm.blobBaseFee({value});"),
                EnvVar::GasPrice => format!("vm.txGasPrice({value});"),
                EnvVar::GasLimit => format!("// block.gaslimit is {value}: Foundry has no cheatcode for it."),
                EnvVar::GasLeft => "// gasleft() is whatever it is.".to_owned(),
                EnvVar::This
                | EnvVar::Caller
                | EnvVar::Origin
                | EnvVar::CallValue
                | EnvVar::CallData
                | EnvVar::ReturnData => return None,
            })
        })
        .collect()
}

const CHEATS: &str = "\
/// Foundry's cheatcodes, as far as they are needed.
interface HornetCheats {
    function deal(address who, uint256 amount) external;
    function prank(address sender, address origin) external;
    function etch(address who, bytes calldata code) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function coinbase(address who) external;
    function prevrandao(bytes32 value) external;
    function chainId(uint256 id) external;
    function fee(uint256 amount) external;
    function blobBaseFee(uint256 amount) external;
    function txGasPrice(uint256 amount) external;
}
";

const HELPERS: &str =
    "    HornetCheats private constant vm = HornetCheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    address private subject;
    bytes private created;

    function create(bytes memory code, uint256 value) private returns (address made) {
        assembly { made := create(value, add(code, 32), mload(code)) }
        bytes memory reason;
        assembly {
            reason := mload(64)
            mstore(64, add(reason, and(add(returndatasize(), 63), not(31))))
            mstore(reason, returndatasize())
            returndatacopy(add(reason, 32), 0, returndatasize())
        }
        created = reason;
    }

    function fund(address who, uint256 amount) private {
        if (who.balance < amount) vm.deal(who, amount);
    }

    function isPanic(bytes memory reason, uint256 code) private pure returns (bool) {
        return keccak256(reason) == keccak256(abi.encodeWithSignature(\"Panic(uint256)\", code));
    }

    /// A getter's answer.
    function read(bytes memory data) private view returns (uint256) {
        (bool ok, bytes memory answer) = subject.staticcall(data);
        require(ok, \"a getter failed\");
        return abi.decode(answer, (uint256));
    }
";
