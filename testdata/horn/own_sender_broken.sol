// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Somewhere the contract is called by itself, and then calls itself as its sender.
contract Till {
    uint256 paid;
    bool own;

    receive() external payable {
        if (msg.sender == address(this)) own = true;
        paid += msg.value;
    }

    function refund(uint256 amount) public {
        require(amount <= paid);
        paid -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
    }

    // Now it is.
    function again(uint256 amount) external {
        this.refund(amount);
    }

    function audit() external view {
        assert(!own); // open
    }
}

// Whoever is called by name may be the contract itself.
contract Named {
    uint256 paid;
    bool own;
    Named other;

    constructor(Named whom) {
        other = whom;
    }

    fallback() external payable {
        if (msg.sender == address(this)) own = true;
    }

    function choose(Named whom) external {
        other = whom;
    }

    function refund(uint256 amount) public {
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
    }

    function pass(uint256 amount) external {
        other.refund(amount);
    }

    function audit() external view {
        assert(!own); // open
    }
}

// So may a sender who is kept.
contract Kept {
    address last;
    bool own;

    receive() external payable {
        if (msg.sender == address(this)) own = true;
    }

    function keep(address who) external {
        last = who;
    }

    function refund(uint256 amount) external {
        (bool ok, ) = last.call{value: amount}("");
        require(ok);
    }

    function audit() external view {
        assert(!own); // open
    }
}
