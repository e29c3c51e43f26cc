// A subscription is paid in advance; its end never lies before its start.
// breaks: deploy; alice: subscribe(3); wait 500; alice: renew(1); alice: check()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Subscription {
    struct Plan {
        bool active;
        uint64 start;
        uint64 end;
    }

    uint64 constant MONTH = 30;
    mapping(address => Plan) plans;

    function clock() private view returns (uint64) {
        require(block.timestamp < 1e12);
        return uint64(block.timestamp);
    }

    function subscribe(uint64 months) external {
        require(months > 0 && months <= 12 && !plans[msg.sender].active);
        plans[msg.sender] = Plan(true, clock(), clock() + months * MONTH);
    }

    function renew(uint64 months) external {
        Plan storage plan = plans[msg.sender];
        require(plan.active && months > 0 && months <= 12);
        if (plan.end < clock()) plan.start = clock();
        require(plan.end < 1e13);
        plan.end += months * MONTH;
    }

    function check() external view {
        Plan memory plan = plans[msg.sender];
        require(plan.active);
        assert(plan.start <= plan.end); // violated
    }
}
