//! A newcomer's session, as `make tour` shows it: every step ends as it should.

mod common;

use common::{Folder, tools};
use std::process::Command;

#[test]
fn a_newcomer_gets_through() {
    let folder = Folder::new("tour");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/tour.sh");
    let tools = tools("browser").parent().unwrap().to_owned();
    let output = Command::new(script)
        .args([env!("CARGO_BIN_EXE_hornet").as_ref(), tools.as_path(), folder.0.as_path()])
        .env_remove("FOUNDRY_PROFILE")
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    assert!(std::fs::read(folder.0.join("audit.png")).unwrap().starts_with(b"\x89PNG"));
    let page = std::fs::read_to_string(folder.0.join("audit.html")).unwrap();
    assert!(page.contains("\"ceiling\"") && page.contains("\"proved\""));
}
