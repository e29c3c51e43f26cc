// A contract behind a proxy is initialised by a call, which must work once.
// breaks: deploy; alice: initialize(100); alice: put(50); bob: initialize(10); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Store {
    bool initialized;
    address public owner;
    uint256 cap;
    uint256 stored;

    function initialize(uint256 limit) external {
        require(limit >= 10);
        initialized = true;
        owner = msg.sender;
        cap = limit;
    }

    function put(uint256 amount) external {
        require(initialized && msg.sender == owner);
        require(amount <= cap - stored); // reverts
        stored += amount;
    }

    function audit() external view {
        assert(stored <= cap); // violated
    }
}
