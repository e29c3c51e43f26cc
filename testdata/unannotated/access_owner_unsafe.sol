// Ownership is handed over in two steps; the first step must be the owner's.
// breaks: deploy; alice: nominate(alice); alice: accept()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract TwoStepOwner {
    address public owner = msg.sender;
    address public candidate;
    address nominator;
    bool open;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the owner");
        _;
    }

    function nominate(address next) external {
        candidate = next;
        nominator = msg.sender;
        open = true;
    }

    function accept() external {
        require(open && msg.sender == candidate);
        assert(nominator == owner); // violated
        open = false;
        owner = candidate;
    }
}
