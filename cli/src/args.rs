//! The command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Hornet verifies Solidity contracts; its answers carry checked evidence.
#[derive(Parser)]
#[command(
    name = "hornet",
    version = VERSION.as_str(),
    arg_required_else_help = true,
    after_help = "\
Examples:
  hornet ir Bank.sol --function withdraw      what `withdraw` means, step by step
  hornet run Bank.sol --call 'deposit{value: 2 wei}()' --call 'total()'
                                              run calls on the interpreter
  hornet run Bank.sol --evm --call 'total()'  the same beside solc's bytecode on a real EVM

Exit codes: 0 fine, 1 something was found, 2 bad input, 3 not everything could be decided."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (z3 {})", env!("CARGO_PKG_VERSION"), hornet_smt::z3_version()));

#[derive(Subcommand)]
pub enum Command {
    /// Print the middle language that contracts are lowered to
    Ir(IrArgs),
    /// Run calls on the interpreter, and on a real EVM beside it
    Run(RunArgs),
}

/// Where sources are and how their imports are found.
#[derive(Args, Clone, Debug)]
pub struct SourceArgs {
    /// Solidity sources, or IR as text (`.ir`)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder that imports are relative to [default: the project around the first file]
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Further folder to search for imports (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Import remapping, such as `@oz/=lib/openzeppelin/` (may be repeated)
    #[arg(long, value_name = "PREFIX=TARGET")]
    pub remap: Vec<String>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  hornet ir Token.sol                          everything
  hornet ir Token.sol --contract Token         one contract, with what it inherits
  hornet ir Token.sol --function transfer      only procedures of that name
  hornet ir Token.sol > token.ir; hornet ir token.ir   the text form can be read back")]
pub struct IrArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Only this contract
    #[arg(long, value_name = "NAME")]
    pub contract: Option<String>,
    /// Only functions of this name
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Check the result against the rules of the IR
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  hornet run Bank.sol --call 'deposit{value: 2 ether}()' --call 'balances(alice)'
  hornet run Bank.sol --call 'constructor(100, \"name\")' --call 'transfer{from: bob}(carol, 5)'
  hornet run Bank.sol --evm --call 'set([1, 2, 3], (true, 0x1234))'

Arguments are written as in Solidity: 12, -1, 2 ether, 0xab, true, \"text\", hex\"00ff\", [array, items],
(struct, fields), Enum members by name. Accounts have names: alice (who sends unless --from or
{from: …} says otherwise), bob, carol, dave, eve; a contract's name is its address. `receive{value: 1}()`
sends plain ether, `fallback(hex\"…\")` raw data.")]
pub struct RunArgs {
    #[command(flatten)]
    pub sources: SourceArgs,
    /// The contract to deploy [default: the last one that can be]
    #[arg(long, value_name = "NAME")]
    pub contract: Option<String>,
    /// A call, such as 'transfer{from: bob, value: 1}(alice, 5)' (may be repeated)
    #[arg(long = "call", value_name = "CALL")]
    pub calls: Vec<String>,
    /// Who sends, unless a call says otherwise
    #[arg(long, value_name = "ACCOUNT", default_value = "alice")]
    pub from: String,
    /// Ether sent with calls to payable functions, unless a call says otherwise
    #[arg(long, value_name = "AMOUNT", default_value = "0")]
    pub value: String,
    /// Also run solc's bytecode on revm and compare
    #[arg(long)]
    pub evm: bool,
}
