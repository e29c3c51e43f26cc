// A contract behind a proxy is initialised by a call, which must work once.
// needs: stored <= cap, and cap is 0 before initialisation
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Store {
    bool initialized;
    address public owner;
    uint256 cap;
    uint256 stored;

    function initialize(uint256 limit) external {
        require(!initialized);
        require(limit >= 10);
        initialized = true;
        owner = msg.sender;
        cap = limit;
    }

    function put(uint256 amount) external {
        require(initialized && msg.sender == owner);
        require(amount <= cap - stored);
        stored += amount;
    }

    function audit() external view {
        assert(stored <= cap);
    }
}
