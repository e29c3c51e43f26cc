// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// A contract that calls nobody but its sender is never its own sender.
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

    function audit() external view {
        assert(!own);
    }
}

// Calls of others that run no code of this contract make no difference.
interface Logger {
    function log(uint256 amount) external;
}

contract Named {
    bool own;
    Logger logger;

    constructor(Logger where) {
        logger = where;
    }

    receive() external payable {
        if (msg.sender == address(this)) own = true;
    }

    function refund(uint256 amount) public {
        logger.log(amount);
        (bool ok, ) = payable(msg.sender).call{value: amount}("");
        require(ok);
    }

    function audit() external view {
        assert(!own);
    }
}
