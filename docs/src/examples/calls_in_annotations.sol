// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// @notice invariant within(speed)
contract Motor {
    uint256 public speed;

    function within(uint256 s) internal pure returns (bool) {
        return s <= 100;
    }

    function set(uint256 s) public {
        require(within(s));
        speed = s;
    }

    function boost() public {
        speed = speed * 2;
    }
}
