// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Whoever deployed a contract may have done anything with it: its past is not known.
contract Box {
    uint256 private content;
    uint256 private limit;

    constructor(uint256 most) {
        limit = most;
    }

    function put(uint256 v) external {
        require(v <= limit);
        content = v;
    }

    function get() external view returns (uint256) {
        return content;
    }
}

contract User {
    function use(Box box) external view {
        assert(box.get() == 0); // violated
    }
}
