// Every attempt succeeds or fails, and a failure leaves nothing behind.
// needs: good + bad == attempts <= 1000; load <= 20
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
            bad++;
        }
    }

    function audit() external view {
        assert(load <= 20);
        assert(good + bad == attempts);
    }
}
