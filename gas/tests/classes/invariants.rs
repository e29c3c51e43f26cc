//! What is known to hold of a contract leaves out states that it never gets into.

use super::subject::{Contract, of, solving};
use hornet_evm::machine::Fork;
use hornet_gas::classes::{Class, Options, Subject, classes};

const BOUNDED: &str = "
    pragma solidity ^0.8.0;
    /// @notice invariant level <= 3
    contract Bounded {
        uint256 level;
        uint256 spare;
        function raise() external { if (level < 3) level += 1; }
        function use_() external { if (level > 3) { spare = level; } }
    }";

#[test]
fn states_that_break_an_invariant_are_left_out() {
    let contract = Contract::new(BOUNDED, Fork::Osaka);
    let solving = solving();
    let subject = Subject { program: &contract.program, contract: contract.id, build: &contract.build };
    let dearest = |options: &Options| {
        let found = classes(&subject, options).unwrap();
        of(&found, "use_()").dearest().map(Class::own).unwrap()
    };
    let anywhere = dearest(&Options::new(&solving));
    let invariants = &contract.program.contracts[contract.id].invariants;
    assert_eq!(invariants.len(), 1);
    let inside = dearest(&Options { invariants, ..Options::new(&solving) });
    assert!(anywhere > 24_000 && inside < 3_000, "{anywhere} {inside}");
}
