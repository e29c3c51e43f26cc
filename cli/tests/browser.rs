//! HTML reports in a real browser: traces are stepped through, verdicts filtered, gas unfolded; light, dark, on a phone.

mod common;

use common::{Folder, tools};
use std::path::{Path, PathBuf};
use std::process::Command;

/// One assertion fails in the second transaction, another is proved, and the gas of `sum` grows.
const COUNTER: &str = "\
contract Counter {
    uint256 n;
    function step() public { n = 1 - n; assert(n <= 1); }
    function check() public view { assert(n == 0 || block.timestamp < 1); }
    function sum(uint256[] calldata values) public pure returns (uint256 all) {
        for (uint256 i = 0; i < values.length; i++) { unchecked { all += values[i]; } }
    }
}
";

#[test]
fn a_report_can_be_clicked_through() {
    let folder = Folder::new("browser");
    let file = folder.write("Counter.sol", COUNTER);
    let page = folder.0.join("report.html");
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--gas", "--report"])
        .args([&page, &file])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    run("report.mjs", &[&page, &folder.0]);
    for picture in ["desk.png", "desk-dark.png", "phone.png"] {
        assert!(std::fs::read(folder.0.join(picture)).unwrap().starts_with(b"\x89PNG"), "{picture}");
    }
}

/// While others have control, `owed` is 7; when everything is over, it is 0 as before.
const TILL: &str = "\
contract Till {
    uint256 owed;
    function pay() public { owed = 7; (bool ok,) = msg.sender.call(\"\"); require(ok); owed = 0; }
    function audit() public view { assert(owed == 0); }
}
";

#[test]
fn calls_back_stand_in_the_state_in_which_they_are_made() {
    let folder = Folder::new("browser-back");
    let file = folder.write("Till.sol", TILL);
    let page = folder.0.join("report.html");
    let output = Command::new(env!("CARGO_BIN_EXE_hornet"))
        .args(["verify", "--function", "audit", "--report"])
        .args([&page, &file])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    run("reentry.mjs", &[&page]);
}

fn run(script: &str, args: &[&PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script);
    let output = Command::new("node").arg(script).arg(tools("browser")).args(args).output();
    let output = output.expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
