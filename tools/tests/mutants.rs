//! A small part of `make mutants`: changes of proved contracts are noticed, or change nothing that is claimed.

use hornet_tools::{attack, engine, mutants};
use std::path::Path;
use std::time::Duration;

#[test]
fn mutants_are_killed_or_harmless() {
    let solver = engine::z3().expect("z3 is set up by `make test`");
    let attack = attack::Options { runs: 200, seed: 3, time: Duration::from_secs(10) };
    let options = mutants::Options { attack };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/verify");
    let mut all = mutants::Findings::default();
    for file in ["bank.sol", "counter.sol", "presale.sol"] {
        all.add(
            mutants::file(&folder.join(file), &solver, &options).unwrap_or_else(|e| panic!("{file}: {e}")),
        );
    }
    assert_eq!(all.wrong, 0, "{}", all.text);
    let (made, killed): (usize, usize) = (all.made.iter().sum(), all.killed.iter().sum());
    assert!(made > 40 && killed * 10 > made * 7, "{}", all.text);
}
