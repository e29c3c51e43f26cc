// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Scale {
    uint256 public level;

    /// @notice precondition by <= 10
    function raise(uint256 by) internal {
        require(level < 1000);
        level += by;
    }

    function small() public {
        raise(5);
    }

    function any(uint256 by) public {
        raise(by); // nobody looked at `by`
    }
}
