// What one person proposes, another must approve.
// needs: lastEditor == maker; approved implies maker != checker
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract MakerChecker {
    address immutable first;
    address immutable second;
    address maker;
    address checker;
    address lastEditor;
    uint256 amount;
    bool proposed;
    bool approved;

    constructor(address one, address two) {
        require(one != two);
        first = one;
        second = two;
    }

    modifier staff() {
        require(msg.sender == first || msg.sender == second);
        _;
    }

    function propose(uint256 sum) external staff {
        require(!proposed);
        proposed = true;
        maker = msg.sender;
        lastEditor = msg.sender;
        amount = sum;
    }

    function amend(uint256 sum) external staff {
        require(proposed && !approved);
        amount = sum;
        lastEditor = msg.sender;
        maker = msg.sender;
    }

    function approve() external staff {
        require(proposed && !approved && msg.sender != maker);
        approved = true;
        checker = msg.sender;
    }

    function audit() external view {
        require(approved);
        assert(checker != maker);
        assert(lastEditor != checker);
    }
}
