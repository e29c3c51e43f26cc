// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Other {
    function value() external view returns (uint256);
}

/// The books are right whenever somebody may look.
/// @notice invariant pending == 0
contract Register {
    uint256 pending;

    function ask(Other other) public {
        pending = 1;
        pending = 0;
        other.value();
    }

    function look() public view {
        assert(pending == 0);
    }
}

/// Nobody who looks can run into anything: what changes the books cannot be run while others only look.
/// @notice invariant spent <= limit
contract Till {
    uint256 spent;
    uint256 limit;

    function refund(address payable to) public {
        uint256 before = spent;
        spent = limit;
        to.transfer(0);
        spent = before;
    }

    function spend() public {
        require(spent < limit);
        spent++;
    }
}
