//! How fast gas is analysed: whole tables as users see them; and classes of a function that calls another twice, everything
//! at once against classes of the callee that are shared.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hornet_evm::measure::{self, Settings};
use hornet_evm::solc::Compilers;
use hornet_gas::classes::{Method, Options, Subject, classes};
use hornet_smt::solver;

use crate::engine;

const BRANCHES: [usize; 4] = [2, 3, 4, 5];

pub fn run(out: &mut impl Write) -> io::Result<()> {
    table(&BRANCHES, out)
}

fn table(sizes: &[usize], out: &mut impl Write) -> io::Result<()> {
    let compilers = Compilers::find().map_err(io::Error::other)?;
    let solver = engine::z3().map_err(io::Error::other)?;
    let solving = solver::Options { solvers: vec![solver], ..solver::Options::default() };
    writeln!(out, "gas classes of a function that calls another twice (whole program : by function)")?;
    for branches in sizes {
        let text = source(*branches);
        let subject = engine::Subject::compile("t.sol", &text, &[]).map_err(io::Error::other)?;
        let sources = BTreeMap::from([("t.sol".to_owned(), text)]);
        let build = measure::compile(&compilers, sources, Vec::new(), &Settings::default())
            .map_err(io::Error::other)?;
        let Some((id, _)) = subject.program.contracts.iter_ids().next() else { continue };
        let taken = |method| -> io::Result<(usize, usize, Duration)> {
            let subject = Subject { program: &subject.program, contract: id, build: &build };
            let started = Instant::now();
            let found =
                classes(&subject, &Options { method, ..Options::new(&solving) }).map_err(io::Error::other)?;
            let questions = found.iter().map(|f| f.questions).sum();
            Ok((questions, found.iter().map(|f| f.classes.len()).sum(), started.elapsed()))
        };
        let (whole, shared) = (taken(Method::WholeProgram)?, taken(Method::ByFunction)?);
        writeln!(
            out,
            "  {branches} branches: {} classes; questions {} : {} ({:.2} times as many), time {:.2} times as long",
            shared.1,
            whole.0,
            shared.0,
            whole.0 as f64 / shared.0 as f64,
            whole.2.as_secs_f64() / shared.2.as_secs_f64(),
        )?;
    }
    Ok(())
}

/// `hornet gas` on a token of a well-known package, and on a long contract.
pub fn tables(hornet: &Path, packages: &Path, out: &mut impl Write) -> io::Result<()> {
    let folder = std::env::temp_dir().join(format!("hornet-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let long = long_contract(LONG);
    let lines = format!("a contract of {} lines", long.lines().count());
    for (name, text) in [("an ERC-20", TOKEN), (&lines, &long)] {
        let file = folder.join("bench.sol");
        std::fs::write(&file, text)?;
        let started = Instant::now();
        let status = Command::new(hornet)
            .args(["gas", "--remap", &format!("oz5/={}/oz5/", packages.display())])
            .arg(&file)
            .stdout(Stdio::null())
            .status()?;
        let failed = if status.success() { "" } else { " (it failed)" };
        writeln!(out, "gas of {name}: {:.1} s{failed}", started.elapsed().as_secs_f64())?;
    }
    std::fs::remove_dir_all(&folder)
}

const TOKEN: &str = r#"pragma solidity ^0.8.24;
import {ERC20} from "oz5/token/ERC20/ERC20.sol";
contract Coin is ERC20 {
    constructor() ERC20("Coin", "C") { _mint(msg.sender, 1e24); }
}
"#;

/// How many departments the long contract has.
const LONG: usize = 25;

/// Departments that keep books of their own: payments, steps in order, lists, words.
fn long_contract(departments: usize) -> String {
    let mut text =
        "pragma solidity ^0.8.24;\ncontract Company {\n    address owner = msg.sender;\n".to_owned();
    for n in 0..departments {
        text += &include_str!("bench_gas/department.sol").replace("_N", &n.to_string());
    }
    text + "}\n"
}

/// Fees by tiers: of all combinations of branches, few are possible.
fn source(branches: usize) -> String {
    let tiers: String =
        (1..=branches).map(|n| format!("if (x > {}) sum += {n};\n            ", 100 * n)).collect();
    format!(
        "pragma solidity ^0.8.0;
    contract Tiers {{
        function fee(uint256 x) internal pure returns (uint256 sum) {{
            {tiers}
        }}
        function pay(uint256 a, uint256 b) external pure returns (uint256) {{ return fee(a) + fee(b); }}
    }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_size() {
        let mut out = Vec::new();
        table(&[2, 4], &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].contains("2 branches: ") && lines[1].contains("4 branches: "), "{text}");
        // With more branches there is more to gain.
        let gains = lines.iter().map(|line| {
            let (before, _) = line.split_once(" times as many").unwrap();
            before.rsplit_once('(').unwrap().1.parse::<f64>().unwrap()
        });
        let gains: Vec<f64> = gains.collect();
        assert!(gains[1] > gains[0] && gains[1] > 1.2, "{text}");
    }
}
