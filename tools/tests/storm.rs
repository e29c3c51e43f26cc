//! Random transactions on the EVM notice what is wrong: if broken contracts were called proved, a storm would tell.

use hornet_evm::solc::Compilers;
use hornet_ir::program::ObligationKind;
use hornet_tools::files;
use hornet_tools::storm::{Claim, Options, against, boasts};
use std::path::{Path, PathBuf};

fn cases(end: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/unannotated");
    let mut files = files::solidity_files(&folder);
    files.retain(|file| file.to_string_lossy().ends_with(end));
    // Every eighth: enough to see that it works.
    files.into_iter().step_by(8).collect()
}

fn assertions(file: &Path) -> Vec<Claim> {
    let mut claims = boasts(file).expect("the case compiles");
    claims.retain(|claim| claim.kind == ObligationKind::Assertion);
    claims
}

fn broken(file: &Path, compilers: &Compilers) -> usize {
    let options = Options { hornet: Path::new(""), transactions: 2000, seed: 3, arguments: &[], list: false };
    let findings = against(file, &assertions(file), compilers, &options);
    findings.unwrap_or_else(|why| panic!("{}: {why:#}", file.display())).broken
}

#[test]
fn wrong_proofs_are_noticed() {
    let compilers = Compilers::find().expect("solc is set up by `make test`");
    let cases = cases("_unsafe.sol");
    let noticed = cases.iter().filter(|file| broken(file, &compilers) > 0).count();
    assert!(cases.len() >= 10 && noticed * 3 >= cases.len(), "{noticed} of {} noticed", cases.len());
}

#[test]
fn nothing_is_broken_that_holds() {
    let compilers = Compilers::find().expect("solc is set up by `make test`");
    for file in cases("_safe.sol") {
        assert_eq!(broken(&file, &compilers), 0, "{}", file.display());
    }
}
