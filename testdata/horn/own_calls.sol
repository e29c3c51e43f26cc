// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// What is claimed of functions that the contract calls itself holds in the middle of its own calls, too.
contract Claims {
    uint256 level;

    function peek() public view returns (uint256 result) {
        return level > 5 ? 1 : 0;
    }

    /// @notice postcondition result == (level > 5 ? 1 : 0)
    function look() public view returns (uint256 result) {
        return level > 5 ? 1 : 0;
    }

    function rise() external {
        level = 10;
        assert(peek() == 1);
        assert(look() == 1);
        level = 0;
        assert(peek() == 0);
    }
}

/// @notice invariant low <= high
contract Ordered {
    uint256 low = 1;
    uint256 high = 2;

    function swap() external {
        (low, high) = (0, low);
        assert(low <= high);
    }
}

contract Callers {
    /// @notice postcondition who == msg.sender
    function caller() public view returns (address who) {
        return msg.sender;
    }

    function ask() external view {
        assert(this.caller() == address(this));
    }
}
