// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Whoever deployed a contract may have done anything with it, but it still does what its code says.
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
    function use(Box box, uint256 v) external {
        box.put(v);
        assert(box.get() == v);
        uint256 first = box.get();
        assert(box.get() == first);
    }
}
