//! A measured transaction as a Foundry test: the code and the state as they were, and the gas that it took.
//!
//! What is set up in `setUp` is as old as the chain when the test runs, so that prices are those of a transaction of its own.

use hornet_ir::U256;

use super::line;
use super::literal::{address, hex, number};
use crate::Address;
use crate::machine::{Environment, Message};
use crate::measure::{Account, State};

/// A run, and what it is an example of.
pub struct GasRun<'a> {
    pub contract: &'a str,
    /// `transfer(address,uint256)`
    pub function: &'a str,
    pub state: &'a State,
    pub to: Address,
    pub message: &'a Message,
    pub succeeds: bool,
    /// By the code, with what it called, before refunds.
    pub execution: u64,
}

pub fn gas_test(run: &GasRun) -> String {
    let GasRun { contract, function, execution, .. } = run;
    let (mut set_up, mut body) = (String::new(), String::new());
    environment(&run.state.environment, &mut set_up);
    for (who, account) in &run.state.accounts {
        place(*who, account, &mut set_up);
    }
    let (from, to) = (written(run.message.from), written(run.to));
    let origin = run.message.origin.map_or(from.clone(), written);
    let value = number(run.message.value);
    line(&mut body, "// Whoever sends a transaction is known to it.");
    line(&mut body, &format!("require({from}.balance >= {value}, \"the sender is too poor\");"));
    line(&mut body, &format!("vm.prank({from}, {origin});"));
    let data = hex(&run.message.data);
    line(&mut body, &format!("(bool ok, ) = {to}.call{{value: {value}}}(hex\"{data}\");"));
    line(&mut body, "uint256 used = vm.lastCallGas().gasTotalUsed;");
    line(&mut body, &format!("require(ok == {}, \"it ends in another way\");", run.succeeds));
    line(&mut body, &format!("require(used == {execution}, \"it takes another amount of gas\");"));
    format!(
        "// SPDX-License-Identifier: UNLICENSED\n\
         // Found by Hornet: `{contract}.{function}` takes {execution} gas in this run.\n\
         // The code is the one that was measured; run this under the same hard fork.\n\
         pragma solidity >=0.8.0;\n\n{CHEATS}\ncontract {contract}GasTest {{\n{CONSTANT}\n    \
         function setUp() public {{\n{set_up}    }}\n\n    function testGas() public {{\n{body}    }}\n}}\n"
    )
}

fn written(who: Address) -> String {
    address(U256::from_be_slice(who.as_slice()))
}

fn environment(environment: &Environment, out: &mut String) {
    line(out, &format!("vm.warp({});", number(environment.timestamp)));
    line(out, &format!("vm.roll({});", number(environment.number)));
    line(out, &format!("vm.coinbase({});", written(environment.coinbase)));
    line(out, &format!("vm.fee({});", environment.base_fee));
    line(out, &format!("vm.chainId({});", environment.chain_id));
    line(out, &format!("vm.prevrandao(bytes32(uint256({})));", number(environment.prevrandao)));
    line(out, &format!("vm.txGasPrice({});", environment.gas_price));
}

fn place(who: Address, account: &Account, out: &mut String) {
    let name = written(who);
    if !account.balance.is_zero() {
        line(out, &format!("vm.deal({name}, {});", number(account.balance)));
    }
    if !account.code.is_empty() {
        line(out, &format!("vm.etch({name}, hex\"{}\");", hex(&account.code)));
    }
    for (slot, value) in account.storage.iter().filter(|(_, value)| !value.is_zero()) {
        line(out, &format!("vm.store({name}, bytes32(uint256({slot:#x})), bytes32(uint256({value:#x})));"));
    }
}

const CHEATS: &str = "\
/// Foundry's cheatcodes, as far as they are needed.
interface HornetGasCheats {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function deal(address who, uint256 amount) external;
    function etch(address who, bytes calldata code) external;
    function store(address who, bytes32 slot, bytes32 value) external;
    function prank(address sender, address origin) external;
    function warp(uint256 timestamp) external;
    function roll(uint256 number) external;
    function coinbase(address who) external;
    function fee(uint256 amount) external;
    function chainId(uint256 id) external;
    function prevrandao(bytes32 value) external;
    function txGasPrice(uint256 amount) external;
    function lastCallGas() external view returns (Gas memory);
}
";

const CONSTANT: &str =
    "    HornetGasCheats private constant vm = HornetGasCheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
";
