//! The command line.

use crate::gas::GasArgs;
use crate::signature::canonical;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use hornet_evm::pragma::Version as SolcVersion;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// Hornet verifies Solidity contracts; its answers carry checked evidence.
#[derive(Parser)]
#[command(
    name = "hornet",
    version = VERSION.as_str(),
    arg_required_else_help = true,
    after_help = "\
Examples:
  hornet verify Bank.sol                      prove the annotations and assertions of a contract, or show why not
  hornet verify src/ --report audit.html      a whole project, and a page about it to read (--gas: with what it costs)
  hornet gas Bank.sol                         the most that each function costs
  hornet ir Bank.sol --function withdraw      what `withdraw` means, step by step
  hornet run Bank.sol --call 'deposit{value: 2 wei}()' --call 'total()'
                                              run calls on the interpreter
  hornet run Bank.sol --evm --call 'total()'  the same beside solc's bytecode on a real EVM
  hornet lsp                                  a language server, for editors
  forge build --use $(which hornet-solc)      findings among the compiler's warnings (a link to hornet)
  hornet help verify                          everything about one command, with more examples

Exit codes: 0 fine, 1 something was found, 2 bad input, 3 not everything could be decided,
130 interrupted."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} (z3 {})", env!("CARGO_PKG_VERSION"), hornet_smt::z3_version()));

#[derive(Subcommand)]
pub enum Command {
    /// Check annotations, assertions and arithmetic for all runs
    Verify(Box<VerifyArgs>),
    /// Measure and bound what functions cost
    Gas(Box<GasArgs>),
    /// Write a commented `hornet.toml`
    Init(FolderArgs),
    /// Show the settings in force, and where each comes from
    Config(FolderArgs),
    /// Print the middle language that contracts are lowered to
    Ir(IrArgs),
    /// Run calls on the interpreter, and on a real EVM beside it
    Run(RunArgs),
    /// Verify inside an editor: a language server on standard input and output
    #[command(after_help = "\
Editors start it:
  VS Code   the extension in editors/vscode does; its setting `hornet.path` says where hornet is
  Neovim    in init.lua: vim.lsp.config.hornet = { cmd = { 'hornet', 'lsp' }, filetypes = { 'solidity' } }
                         vim.lsp.enable('hornet')
  Helix     in languages.toml: [language-server.hornet]
                               command = \"hornet\"
                               args = [\"lsp\"]
            and `language-servers = [\"hornet\"]` for solidity

While you type, files are checked for syntax, names, types and annotations; when you save, they are verified with the
settings of the project, as `hornet verify` does. Verdicts stand above functions and under the pointer, counterexamples
and invariants that were found are a click away.")]
    Lsp,
    /// Print what a shell needs to complete commands
    Completions(CompletionsArgs),
    /// Print manual pages
    Man(ManArgs),
    /// Take the place of solc: compile with the real one, add what verification finds to its warnings
    #[command(disable_help_flag = true)]
    Solc(SolcArgs),
}

#[derive(Args)]
pub struct SolcArgs {
    /// Passed on to the compiler
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub words: Vec<OsString>,
}

/// A project, by its folder.
#[derive(Args)]
pub struct FolderArgs {
    /// The folder [default: this one]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Sources and how their imports are found.
#[derive(Args, Clone, Debug)]
pub struct SourceArgs {
    /// Solidity sources, or IR as text (`.ir`)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub imports: ImportArgs,
}

/// How imports are found.
#[derive(Args, Clone, Debug)]
pub struct ImportArgs {
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

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  hornet verify Bank.sol                                 every contract of a file
  hornet verify src/ --errors-only                       a whole project, only what is wrong
  hornet verify src/ --without overflow,underflow        not what the language checks and undoes by itself
  hornet verify Bank.sol --contract Bank --function withdraw
  hornet verify Old.sol --arithmetic mod-overflow        silent overflow before Solidity 0.8 is an error
  hornet verify Bank.sol --timeout 60 --solver z3 --solver cvc5
                                                         more time, two solvers side by side
  hornet verify Bank.sol --show-proved --explain         what is proved too, by which engine, and why
  hornet verify Bank.sol --test-out test/                each run that breaks something as a Foundry test
  hornet verify Bank.sol --format json | jq .checks      for programs
  hornet verify src/ --report out.sarif --fail-on violated
                                                         for CI: findings for the code host, unproved checks pass

What is checked: assert, division by zero, array bounds, overflow that reverts, and annotations in `///` comments:
  /// @notice invariant total == __verifier_sum_uint(balances)      before a contract
  /// @notice precondition amount <= balances[msg.sender]           before a function
  /// @notice postcondition total == __verifier_old_uint(total) - amount
  /// @notice invariant i <= n                                      before a loop

Exit codes: 0 everything proved, 1 something violated, 2 bad input or usage, 3 nothing violated but something unproved,
130 interrupted. `--fail-on` turns 3, or 1 and 3, into 0.")]
pub struct VerifyArgs {
    /// Solidity sources; a folder stands for all `.sol` files below it (not those in `node_modules` and `lib`)
    /// [default: the project around this folder, without tests and scripts]
    #[arg(value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Only this contract (may be repeated)
    #[arg(long = "contract", value_name = "NAME", help_heading = "What is verified")]
    pub contracts: Vec<String>,
    /// Only functions of this name or signature, such as `f` or `f(uint256)` (may be repeated)
    #[arg(long = "function", value_name = "NAME", value_parser = signature, help_heading = "What is verified")]
    pub functions: Vec<String>,
    /// Leave out checks of this kind, where a failure only undoes the call (may be repeated, or a list with commas)
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',', help_heading = "What is verified")]
    pub without: Vec<LeftOut>,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten, next_help_heading = "Imports")]
    pub imports: ImportArgs,
    /// Said by the project, of contracts by their names.
    #[arg(skip)]
    pub overrides: BTreeMap<String, Override>,
    /// Said by the project: the compiler whose code runs are replayed with, if it is there.
    #[arg(skip)]
    pub solc: Option<SolcVersion>,
}

/// What the language itself checks. Contracts often rely on it: `balances[who] -= amount` is also meant to refuse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LeftOut {
    /// Arithmetic above the end of its type
    Overflow,
    /// Arithmetic below the end of its type
    Underflow,
    /// Division and remainder by zero
    DivisionByZero,
    /// Indices beyond the end of arrays
    OutOfBounds,
    /// `pop` of arrays without elements
    EmptyPop,
    /// Numbers that are no member of an enum
    EnumConversion,
    /// Payments of more than there is
    InsufficientBalance,
}

impl LeftOut {
    /// As reports call such checks.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// What is different for one contract.
#[derive(Clone, Copy, Debug, Default)]
pub struct Override {
    pub timeout: Option<Duration>,
    pub engine: Option<Engine>,
    pub ext_calls: Option<ExternalCalls>,
}

/// How much work is put into a contract, and which.
pub struct Effort {
    /// For each check.
    pub timeout: Duration,
    pub engine: Engine,
    pub ext_calls: ExternalCalls,
}

impl VerifyArgs {
    pub fn effort(&self, contract: &str) -> Effort {
        let own = self.overrides.get(contract).copied().unwrap_or_default();
        Effort {
            timeout: own.timeout.unwrap_or(self.solver.timeout),
            engine: own.engine.unwrap_or(self.engine.engine),
            ext_calls: own.ext_calls.unwrap_or(self.engine.ext_calls),
        }
    }
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How")]
pub struct EngineArgs {
    /// How to verify
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub engine: Engine,
    /// How numbers are modelled [default: mod]. If given, a pragma that admits compilers before 0.8 is read as the
    /// newest of those, where overflow is silent
    #[arg(long, value_enum, value_name = "MODE")]
    pub arithmetic: Option<ArithmeticMode>,
    /// How deep internal functions without a specification are inlined into their callers
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub inline_depth: u32,
    /// Whether a contract that is called does what the source of its type says, or anything; to the modular engine it
    /// always does anything
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = ExternalCalls::Untrusted)]
    pub ext_calls: ExternalCalls,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits and solvers")]
pub struct SolverArgs {
    /// Seconds for each check
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// Seconds for the whole run
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub total_timeout: Option<Duration>,
    /// Megabytes for each solver process
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..))]
    pub memory: u64,
    /// Functions checked at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs: Option<u32>,
    /// z3, builtin (the z3 that is part of this program), cvc5, yices, or the path of an SMT-LIB 2 solver; several work
    /// side by side (may be repeated)
    #[arg(long = "solver", value_name = "SOLVER", default_value = "z3")]
    pub solvers: Vec<String>,
    /// The program to run as (the first) solver
    #[arg(long, value_name = "PATH")]
    pub solver_bin: Option<PathBuf>,
    /// Who solves Horn clauses: `builtin`, or the path of z3, Golem or Eldarica (may be repeated)
    #[arg(long = "horn-solver", value_name = "PATH|builtin", default_value = "builtin")]
    pub horn_solvers: Vec<String>,
    /// Find everything out anew, instead of remembering what earlier runs on the same code found
    #[arg(long)]
    pub no_cache: bool,
    /// Write the questions to the solver into this folder, one file each
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Also write a report into this file: .json, .sarif, .xml (JUnit), .md or .html (may be repeated)
    #[arg(long = "report", value_name = "FILE")]
    pub reports: Vec<PathBuf>,
    /// Have the tables of `hornet gas` in reports that end in .html
    #[arg(long)]
    pub gas: bool,
    /// List proved checks too
    #[arg(long)]
    pub show_proved: bool,
    /// Show only what is violated, no warnings
    #[arg(long)]
    pub errors_only: bool,
    /// Write each run that breaks something into this folder, as a Foundry test that fails
    #[arg(long, value_name = "DIR")]
    pub test_out: Option<PathBuf>,
    /// Write what proofs rest on into this folder, as SMT-LIB that z3 alone can check
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<PathBuf>,
    /// Say which engine answered what, and how long each of them took
    #[arg(long)]
    pub explain: bool,
    /// Verify again whenever a source changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// What is found that makes the exit code other than 0; bad input always does
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Unproved)]
    pub fail_on: FailOn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FailOn {
    /// A check that is violated (1), or one that is not proved (3)
    Unproved,
    /// A check that is violated (1)
    Violated,
    /// Nothing: whoever reads the report decides
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// All of them, the cheap ones first
    Auto,
    /// Each function on its own, against the annotations of what it calls
    Modular,
    /// Proofs over any number of transactions, with invariants found by a Horn solver
    Horn,
    /// Short sequences of transactions that break something
    Bounded,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ArithmeticMode {
    /// Unbounded integers: fast, but not what machines do
    Int,
    /// Bit-vectors: exact, slow for multiplication
    Bv,
    /// Integers that wrap around: exact
    Mod,
    /// As mod, and silent overflow is an error
    ModOverflow,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExternalCalls {
    Trusted,
    Untrusted,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: everything there is
    Json,
    /// For code hosts and editors
    Sarif,
    /// For CI servers
    Junit,
    /// For comments on pull requests
    Markdown,
    /// For auditors: one page with runs to step through, invariants and sources
    Html,
}

pub fn signature(text: &str) -> Result<String, Infallible> {
    Ok(canonical(text))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if !(0.001..=1e7).contains(&number) {
        return Err("between 0.001 and 10000000 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(number))
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

#[derive(Args)]
#[command(after_help = "\
Examples:
  hornet completions bash > ~/.local/share/bash-completion/completions/hornet
  hornet completions zsh  > ~/.zfunc/_hornet       with `fpath+=~/.zfunc` in .zshrc, before `compinit`
  hornet completions fish > ~/.config/fish/completions/hornet.fish")]
pub struct CompletionsArgs {
    pub shell: Shell,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  hornet man | man -l -                            read the overview
  hornet man verify | man -l -                     read about one command
  hornet man --out ~/.local/share/man/man1         install all pages")]
pub struct ManArgs {
    /// The command that the page is about [default: all of them, in short]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub about: Option<String>,
    /// Write every page into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
