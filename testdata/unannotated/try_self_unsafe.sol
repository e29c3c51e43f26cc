// Every attempt succeeds or fails, and a failure leaves nothing behind.
// breaks: deploy; attempt(3); attempt(30); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Attempts {
    uint256 attempts;
    uint256 good;
    uint256 bad;
    uint256 load;

    function work(uint256 amount) external {
        require(msg.sender == address(this));
        good++;
        require(amount <= 20);
        load = amount;
    }

    function attempt(uint256 amount) external {
        require(attempts < 1000);
        attempts++;
        try this.work(amount) {} catch {
        }
    }

    function audit() external view {
        assert(load <= 20);
        assert(good + bad == attempts); // violated
    }
}
