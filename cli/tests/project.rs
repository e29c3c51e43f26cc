//! Settings of projects, on the real binary: what is looked at, what is in force, what is accepted.

mod common;

use common::{Folder, tools};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn hornet(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
    command.args(args).current_dir(folder).env_remove("FOUNDRY_PROFILE").output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const COUNTER: &str =
    "contract Counter {\n    uint256 public n;\n    function up(uint256 by) external { n = by; }\n}\n";
const BROKEN: &str = "contract Broken { function f(uint256 x) public pure { assert(x != 7); } }\n";

/// Sources, tests, scripts and a dependency that is not even Solidity.
fn foundry() -> Folder {
    let folder = Folder::new(&format!("foundry-{:?}", std::thread::current().id()).replace(['(', ')'], ""));
    folder.write("foundry.toml", "[profile.default]\nsrc = 'code'\noptimizer = true\noptimizer_runs = 77\nremappings = ['@dep/=lib/dep/src/']\n[profile.slow]\nvia_ir = true\n");
    folder.write("code/Counter.sol", format!("import \"@dep/Dep.sol\";\n{COUNTER}"));
    folder.write("lib/dep/src/Dep.sol", "contract Dep {}");
    folder.write("lib/dep/src/Nonsense.sol", "this is not Solidity");
    folder.write("code/Counter.t.sol", "this is a test");
    folder.write("test/Other.sol", "this is another");
    folder.write("script/Deploy.s.sol", "and a script");
    folder
}

#[test]
fn a_foundry_project_is_found_from_inside() {
    let folder = foundry();
    let output = hornet(&folder.0.join("code"), &["gas", "--format", "json", "--timeout", "0"]);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output)));
    let contracts = report["contracts"].as_array().unwrap();
    assert_eq!(contracts.len(), 1, "{report}");
    assert_eq!((&contracts[0]["contract"], &contracts[0]["optimizer_runs"]), (&"Counter".into(), &77.into()));
    let output = hornet(&folder.0, &["verify", "--errors-only"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn effective_settings_have_origins() {
    let folder = foundry();
    let shown = text(&hornet(&folder.0, &["config"]));
    assert!(shown.contains("77") && shown.contains("foundry.toml:3") && shown.contains("default"), "{shown}");
    folder.write("remappings.txt", "@oz/=lib/oz/\n");
    folder.write("hornet.toml", "[compiler]\noptimizer = false\n[verify]\nengine = 'horn'\n");
    let shown = text(&hornet(&folder.0, &["config"]));
    let line =
        |name: &str| shown.lines().find(|l| l.trim_start().starts_with(name)).unwrap_or_default().to_owned();
    assert!(
        line("remapping @oz/").ends_with("remappings.txt")
            && line("optimizer runs").contains("off")
            && line("optimizer runs").contains("hornet.toml:2"),
        "{shown}"
    );
    assert!(line("engine").contains("horn") && line("engine").contains("hornet.toml:4"), "{shown}");
    // The command line wins.
    let output = hornet(&folder.0, &["gas", "--timeout", "0", "--optimizer-runs", "5"]);
    assert!(text(&output).contains("optimizer 5 runs"), "{}", text(&output));
}

#[test]
fn hardhat_is_read_and_never_run() {
    let folder = Folder::new("hardhat");
    folder.write(
        "hardhat.config.ts",
        "throw new Error('run');\nexport default {\n  solidity: {\n    version: '0.8.37',\n    settings: { optimizer: { enabled: true, runs: 31 }, viaIR: choose() },\n  },\n};\n",
    );
    folder.write("contracts/Counter.sol", COUNTER);
    let output = hornet(&folder.0, &["gas", "--timeout", "0"]);
    assert!(text(&output).contains("solc 0.8.37, optimizer 31 runs"), "{}", text(&output));
    let shown = text(&hornet(&folder.0, &["config"]));
    assert!(shown.contains("hardhat.config.ts:5: `viaIR` is not a literal"), "{shown}");
}

#[test]
fn init_writes_settings_that_change_nothing() {
    let folder = Folder::new("init");
    let before = text(&hornet(&folder.0, &["config"]));
    assert_eq!(hornet(&folder.0, &["init"]).status.code(), Some(0));
    let after = text(&hornet(&folder.0, &["config"]));
    let settings = |shown: &str| shown.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(settings(&before), settings(&after));
    // It is not written over.
    folder.write("hornet.toml", "targets = ['x']\n");
    assert_eq!(hornet(&folder.0, &["init"]).status.code(), Some(2));
    assert!(text(&hornet(&folder.0, &["config"])).contains("hornet.toml:1"));
}

/// Every line of the template can be switched on.
#[test]
fn everything_in_the_template_is_understood() {
    let folder = Folder::new("template");
    hornet(&folder.0, &["init"]);
    let text_of = std::fs::read_to_string(folder.0.join("hornet.toml")).unwrap();
    let on = |line: &str| match line.strip_prefix('#') {
        Some(rest) if !rest.starts_with(' ') => rest.to_owned(),
        _ => line.to_owned(),
    };
    folder.write("hornet.toml", text_of.lines().map(on).collect::<Vec<_>>().join("\n"));
    let output = hornet(&folder.0, &["config"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("accepted: overflow in Vault.sweep"), "{}", text(&output));
}

#[test]
fn accepted_findings_do_not_fail() {
    let folder = Folder::new("accept");
    folder.write("hornet.toml", "targets = ['src']\n");
    folder.write("src/Broken.sol", BROKEN);
    assert_eq!(hornet(&folder.0, &["verify"]).status.code(), Some(1));
    folder.write("hornet.toml", "targets = ['src']\n[[accept]]\ncontract = 'Broken'\nkind = 'assertion'\nreason = 'seven is unlucky'\n");
    let output = hornet(&folder.0, &["verify"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("accepted: seven is unlucky"), "{}", text(&output));
    // Another kind is not covered.
    folder.write("hornet.toml", "targets = ['src']\n[[accept]]\nkind = 'overflow'\nreason = 'no'\n");
    assert_eq!(hornet(&folder.0, &["verify"]).status.code(), Some(1));
}

#[test]
fn mistakes_in_settings_have_places() {
    let folder = Folder::new("settings-bad");
    folder.write("src/Counter.sol", COUNTER);
    let refused = |file: &str, contents: &str, words: &[&str]| {
        folder.write(file, contents);
        for command in ["verify", "gas", "config"] {
            let output = hornet(&folder.0, &[command]);
            assert_eq!(output.status.code(), Some(2), "{command}: {}", text(&output));
            words.iter().for_each(|word| assert!(text(&output).contains(word), "{word}: {}", text(&output)));
        }
    };
    refused("hornet.toml", "[verify]\nengine = 'steam'\n", &["hornet.toml:2:10", "`steam`", "`modular`"]);
    refused("hornet.toml", "[gas]\nfuel = 3\n", &["hornet.toml:2:1", "fuel"]);
    refused("hornet.toml", "targets = [\n", &["hornet.toml:"]);
    refused("hornet.toml", "[verify]\ntimeout = 'x'\n", &["hornet.toml:2:11", "a number of seconds"]);
    folder.write("hornet.toml", "targets = ['nowhere']\n");
    let output = hornet(&folder.0, &["gas"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("`nowhere` is not there"), "{}", text(&output));
    folder.write("hornet.toml", "[compiler]\nsolc = '0.8.9'\n");
    let output = hornet(&folder.0, &["gas"]);
    for words in ["0.8.9 is not installed", "hornet.toml:2", "`svm install 0.8.9`", "`--solc-version 0.8."] {
        assert!(text(&output).contains(words), "{words}: {}", text(&output));
    }
    // Proofs and runs need not wait for it.
    let output = hornet(&folder.0, &["verify"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(text(&output).matches("0.8.9 is not installed").count(), 1, "{}", text(&output));
    assert!(text(&output).contains("runs are replayed with solc 0.8."), "{}", text(&output));
    folder.write("hornet.toml", "[gas.budgets]\n'Counter.down' = 5\n");
    let output = hornet(&folder.0, &["gas", "--timeout", "0"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(
        text(&output).contains("hornet.toml:2:") && text(&output).contains("`down`"),
        "{}",
        text(&output)
    );
}

/// A slip in a name would otherwise hide nothing, and nobody would know.
#[test]
fn what_settings_say_about_nothing_is_said() {
    let folder = Folder::new("settings-about-nothing");
    folder.write("src/Broken.sol", BROKEN);
    folder.write("src/Counter.sol", COUNTER);
    let told = |toml: &str, args: &[&str]| {
        folder.write("hornet.toml", format!("targets = ['src']\n{toml}"));
        let output = hornet(&folder.0, args);
        (output.status.code(), text(&output))
    };
    let accept = |rest: &str| format!("[[accept]]\nreason = 'known'\n{rest}\n");
    for (toml, words) in [
        (accept("contract = 'Brokn'"), "no contract is called `Brokn`; there are `Broken`, `Counter`"),
        (accept("contract = 'Broken'\nfunction = 'g'"), "`Broken` has no function `g`"),
        (accept("function = 'g'"), "no contract here has a function `g`"),
        ("[contract.Nope]\ntimeout = 5\n".to_owned(), "no contract is called `Nope`"),
    ] {
        for args in [vec!["verify"], vec!["verify", "src"], vec!["gas", "--timeout", "0"]] {
            let (_, told) = told(&toml, &args);
            assert!(told.contains(&format!("warning: {words}")) && told.contains("hornet.toml:"), "{told}");
        }
        // The contract may be in another file.
        let (_, told) = told(&toml, &["verify", "src/Counter.sol"]);
        assert!(!told.contains("warning"), "{told}");
    }
    // Nothing is wrong with these, or nobody has looked.
    let fine = accept("contract = 'Broken'\nfunction = 'f(uint256)'\nkind = 'assertion'");
    let lost = accept("contract = 'Counter'\nfunction = 'up'\nkind = 'overflow'");
    for (toml, args) in [
        (&fine, vec!["verify"]),
        (&fine, vec!["gas", "--timeout", "0"]),
        (&fine, vec!["verify", "src/Counter.sol"]),
        (&lost, vec!["gas", "--timeout", "0"]),
        (&lost, vec!["verify", "--contract", "Broken"]),
        (&lost, vec!["verify", "--function", "f"]),
        (&lost, vec!["verify", "--without", "overflow"]),
    ] {
        let (_, told) = told(toml, &args);
        assert!(!told.contains("warning"), "{args:?}: {told}");
    }
    let (exit, stale) = told(&(fine + &lost), &["verify"]);
    assert_eq!(exit, Some(0), "{stale}");
    assert!(stale.contains("this accepts nothing any more") && stale.contains("hornet.toml:11:"), "{stale}");
    for command in ["verify", "gas", "config"] {
        let (exit, told) = told(&accept("kind = 'overflw'"), &[command]);
        assert_eq!(exit, Some(2), "{told}");
        assert!(told.contains("hornet.toml:4:8") && told.contains("`overflow`"), "{told}");
    }
}

#[test]
fn nobody_passes_without_having_been_looked_at() {
    let folder = Folder::new("nothing-to-verify");
    let verify = |args: &[&str]| {
        let output = hornet(&folder.0, &[&["verify"], args].concat());
        (output.status.code(), text(&output))
    };
    folder.write("empty.sol", "");
    folder.write("comments.sol", "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n");
    folder.write("Counter.sol", COUNTER);
    folder.write("All.sol", "import \"./Counter.sol\";\n");
    for file in ["empty.sol", "comments.sol", "All.sol"] {
        let (exit, told) = verify(&[file]);
        assert_eq!(exit, Some(2), "{told}");
        assert!(told.contains(&format!("nothing to verify: there is no contract in `{file}`")), "{told}");
    }
    assert_eq!(verify(&["empty.sol", "Counter.sol"]).0, Some(0));
    assert_eq!(verify(&["All.sol", "--contract", "Counter"]).0, Some(0));
    // There is something, but no code of a contract: fine, and said.
    folder.write("Interface.sol", "interface I { function f() external; }\n");
    folder.write("types.sol", "pragma solidity ^0.8.4;\nstruct S { uint256 x; }\nerror No();\n");
    for file in ["Interface.sol", "types.sol"] {
        let (exit, told) = verify(&[file]);
        let said = format!("warning: there are no functions to verify in `{file}`");
        assert!(exit == Some(0) && told.contains(&said), "{told}");
        assert!(verify(&[file, "--errors-only"]).1.contains("there are no functions to verify"));
    }
    for option in ["--root", "--include"] {
        for command in ["verify", "gas", "ir"] {
            let output = hornet(&folder.0, &[command, "Counter.sol", option, "/nonexistent"]);
            assert_eq!(output.status.code(), Some(2), "{}", text(&output));
            let said = format!("{option}: there is no folder `/nonexistent`");
            assert!(text(&output).contains(&said), "{}", text(&output));
        }
    }
}

#[test]
fn functions_are_named_as_people_write_them() {
    let folder = Folder::new("short-types");
    folder.write("Counter.sol", COUNTER);
    for command in ["verify", "gas"] {
        let output =
            hornet(&folder.0, &[command, "Counter.sol", "--function", "up( uint )", "--timeout", "1"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let output = hornet(&folder.0, &[command, "Counter.sol", "--function", "up(uint8)"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    }
}

#[test]
fn without_a_project_somebody_has_to_say_what() {
    let folder = Folder::new("no-project");
    for command in ["verify", "gas"] {
        let output = hornet(&folder.0, &[command]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output).contains("there is no project here"), "{}", text(&output));
    }
}

/// Code that is made by way of Yul evaluates from left to right, other code does not: proofs and runs are about the code
/// that the project makes.
#[test]
fn the_compiler_decides_what_comes_first() {
    let source = |expected: u32| {
        format!(
            "contract Order {{
                uint256 log;
                function note(uint256 n) internal returns (uint256) {{ log = log * 10 + n; return n; }}
                function both() public {{ log = 0; log += 0 * (note(1) + note(2)); assert(log == {expected}); }}
            }}"
        )
    };
    for (via_ir, expected, holds) in
        [(false, 21, true), (false, 12, false), (true, 12, true), (true, 21, false)]
    {
        let folder = Folder::new(&format!("order-{via_ir}-{expected}"));
        folder.write("foundry.toml", format!("[profile.default]\nvia_ir = {via_ir}\n"));
        folder.write("src/Order.sol", source(expected));
        let output = hornet(&folder.0, &["verify", "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["kind"] == "assertion").unwrap();
        let (verdict, confirmed) = if holds { ("proved", false) } else { ("violated", true) };
        assert_eq!((&check["verdict"], &check["confirmed"]), (&verdict.into(), &confirmed.into()), "{check}");
    }
}

/// The same two contracts, each by its own engine; what is typed counts for all.
#[test]
fn contracts_have_settings_of_their_own() {
    let folder = Folder::new("project-own");
    let toggle = |name: &str| {
        format!("contract {name} {{ uint256 n; function step() public {{ n = 1 - n; assert(n <= 1); }} }}\n")
    };
    folder.write("src/Both.sol", toggle("Alone") + &toggle("Together"));
    folder.write("foundry.toml", "[profile.default]\n");
    folder.write("hornet.toml", "[contract.Alone]\nengine = 'modular'\ntimeout = 5\n");
    let verdicts = |args: &[&str]| {
        let output = hornet(&folder.0, &[&["verify", "--format", "json"], args].concat());
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output)));
        let checks = report["checks"].as_array().unwrap().iter();
        let of = |check: &Value, name: &str| check[name].as_str().unwrap().to_owned();
        checks
            .filter(|check| check["kind"] == "underflow")
            .map(|check| (of(check, "contract"), of(check, "verdict")))
            .collect::<Vec<_>>()
    };
    let row = |contract: &str, verdict: &str| (contract.to_owned(), verdict.to_owned());
    // Each call on its own may begin with any `n`.
    assert_eq!(verdicts(&[]), [row("Alone", "unknown"), row("Together", "proved")]);
    assert_eq!(verdicts(&["--engine", "auto"]), [row("Alone", "proved"), row("Together", "proved")]);
    let shown = text(&hornet(&folder.0, &["config"]));
    assert!(shown.contains("for Alone: timeout 5 s, engine modular"), "{shown}");
}

/// Files that have nothing to do with each other are compiled apart, each by a compiler of its language.
#[test]
fn files_of_different_languages_are_replayed() {
    let folder = Folder::new("project-languages");
    let code = |pragma: &str, name: &str| {
        format!(
            "pragma solidity {pragma};\ncontract {name} {{\n    uint256 n;\n    \
             function step() public {{ n = n + 2; }}\n    function look() public view {{ assert(n < 3); }}\n}}\n"
        )
    };
    folder.write("src/Old.sol", code("^0.5.0", "Old"));
    folder.write("src/New.sol", code("^0.8.0", "New"));
    folder.write("foundry.toml", "[profile.default]\n");
    let output = hornet(&folder.0, &["verify", "--format", "json"]);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output)));
    let assertions = report["checks"].as_array().unwrap().iter().filter(|c| c["kind"] == "assertion");
    let mut compilers: Vec<&str> = assertions
        .inspect(|check| assert_eq!(check["confirmed"], true, "{check}"))
        .map(|check| check["compiler"].as_str().unwrap())
        .collect();
    compilers.sort_unstable();
    assert!(
        compilers.len() == 2 && compilers[0].starts_with("solc 0.5") && compilers[1].starts_with("solc 0.8")
    );
}

/// The compiler that the project names replays, or the one that the environment names.
#[test]
fn the_compiler_that_is_asked_for_replays() {
    let folder = Folder::new("project-compiler");
    folder.write("src/Broken.sol", BROKEN);
    let replayed = |solc: &str, environment: &[(&str, &str)]| {
        folder.write("foundry.toml", format!("[profile.default]\nsolc = '{solc}'\n"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
        command.args(["verify", "--format", "json"]).current_dir(&folder.0).envs(environment.iter().copied());
        let output = command.output().unwrap();
        (output.status.code(), text(&output))
    };
    let installed = tools("solc").join("node_modules");
    let modern = |name: &str| name.starts_with("solc-0.8.") || name.starts_with("solc-0.6.");
    let names =
        std::fs::read_dir(&installed).unwrap().flatten().map(|e| e.file_name().into_string().unwrap());
    for version in names.filter(|name| modern(name)).map(|name| name["solc-".len()..].to_owned()) {
        let (_, told) = replayed(&version, &[]);
        assert!(told.contains(&format!("\"solc {version}\"")), "{version}: {told}");
        let (_, told) = replayed("0.8.1", &[("HORNET_SOLC", &version)]);
        assert!(
            told.contains(&format!("\"solc {version}\"")) && !told.contains("0.8.1 "),
            "{version}: {told}"
        );
    }
    for named in ["/nonexistent", "/bin/true", "0.8.1"] {
        let (exit, told) = replayed("0.8.37", &[("HORNET_SOLC", named)]);
        assert!(exit == Some(2) && told.contains("HORNET_SOLC") && told.contains(named), "{told}");
    }
}

/// A file that only an older compiler takes says nothing about the language of files that it has nothing to do with:
/// `2 ** 3 ** 2` is 512 from 0.8 on, and was 64. What is remembered is about the language, too.
#[test]
fn a_file_of_an_older_language_leaves_the_others_alone() {
    let (folder, cache) = (Folder::new("project-older"), Folder::new("project-older-cache"));
    let clock = |now: &str| {
        let function = format!("function time() public view returns (uint256) {{ return {now}; }}");
        folder.write("src/Clock.sol", format!("pragma solidity >=0.5.0;\ncontract Clock {{ {function} }}\n"))
    };
    let power = |value: u32| {
        let code = format!(
            "pragma solidity >=0.5.0;\ncontract Power {{\n    uint256 n;\n    \
             function set() public {{ n = 2 ** 3 ** 2; }}\n    \
             function look() public view {{ assert(n == 0 || n == {value}); }}\n}}\n"
        );
        folder.write("src/Power.sol", code)
    };
    folder.write("foundry.toml", "[profile.default]\n");
    let verdict = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hornet"));
        command.args(["verify", "--format", "json"]).args(args).current_dir(&folder.0);
        let output = command.env("HORNET_CACHE", &cache.0).env_remove("HORNET_NO_CACHE").output().unwrap();
        let report: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output)));
        let check = report["checks"].as_array().unwrap().iter().find(|c| c["contract"] == "Power").unwrap();
        (check["verdict"].as_str().unwrap().to_owned(), check["confirmed"].as_bool().unwrap())
    };
    for (value, expected) in [(512, ("proved".to_owned(), false)), (64, ("violated".to_owned(), true))] {
        power(value);
        for now in ["block.timestamp", "now"] {
            clock(now);
            assert_eq!(verdict(&[]), expected, "{value}, {now}");
            assert_eq!(verdict(&["--no-cache"]), expected, "{value}, {now}, anew");
        }
    }
}

/// A withdrawal that relies on the language, and a promise that is broken.
const RELIANT: &str = "pragma solidity ^0.8.0;\ncontract Purse {\n    mapping(address => uint256) held;\n    function pay(uint256 n) public { held[msg.sender] -= n; }\n}\n";

#[test]
fn what_the_language_checks_can_be_left_out() {
    let folder = Folder::new("left-out");
    folder.write("Purse.sol", RELIANT);
    let all = hornet(&folder.0, &["verify", "Purse.sol"]);
    assert!(all.status.code() == Some(1) && text(&all).contains("underflow"), "{}", text(&all));
    let some = hornet(&folder.0, &["verify", "Purse.sol", "--without", "overflow,underflow"]);
    assert_eq!(some.status.code(), Some(0), "{}", text(&some));
    assert!(text(&some).contains("without overflow, underflow"), "{}", text(&some));
    for format in ["json", "sarif", "junit", "markdown"] {
        let told = hornet(
            &folder.0,
            &["verify", "Purse.sol", "--without", "overflow,underflow", "--format", format],
        );
        assert!(text(&told).contains("overflow, underflow"), "{}", text(&told));
    }
    // A file says the same, and the command line wins over it.
    folder.write("hornet.toml", "[verify]\nwithout = ['underflow']\n");
    assert_eq!(hornet(&folder.0, &["verify", "Purse.sol"]).status.code(), Some(0));
    assert!(text(&hornet(&folder.0, &["config"])).contains("hornet.toml:2"));
    let other = hornet(&folder.0, &["verify", "Purse.sol", "--without", "empty-pop"]);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other));
    // What somebody promised stays.
    folder.write("Broken.sol", BROKEN);
    assert_eq!(hornet(&folder.0, &["verify", "Broken.sol"]).status.code(), Some(1));
    let refused = hornet(&folder.0, &["verify", "Broken.sol", "--without", "assertion"]);
    assert!(
        refused.status.code() == Some(2) && text(&refused).contains("out-of-bounds"),
        "{}",
        text(&refused)
    );
}
