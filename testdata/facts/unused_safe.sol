// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

abstract contract Unfinished {
    function step() public pure {
        assert(false);
    }
}

// needs: what nothing calls does not run
contract Unused {
    uint256[] list;
    uint256 total;

    function drop() internal {
        list[0] = 1;
        assert(total == 1);
    }

    function look() public view returns (uint256) {
        return total;
    }
}
