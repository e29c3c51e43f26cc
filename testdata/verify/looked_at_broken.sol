// fails: Register.ask Till.refund
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Other {
    function value() external view returns (uint256);
}

/// Whoever is asked may look: `look` runs while the books are not right.
/// @notice invariant pending == 0
contract Register {
    uint256 pending;

    function ask(Other other) public {
        pending = 1;
        other.value();
        pending = 0;
    }

    function look() public view {
        assert(pending == 0);
    }
}

/// The little gas of a transfer is enough to look, too.
/// @notice invariant spent <= limit
contract Till {
    uint256 spent;
    uint256 limit;

    function refund(address payable to) public {
        uint256 before = spent;
        spent = limit + 1;
        to.transfer(0);
        spent = before;
    }

    function left() public view returns (uint256) {
        return limit - spent;
    }
}
