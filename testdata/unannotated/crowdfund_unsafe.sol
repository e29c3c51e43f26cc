// Backers get their money back only if the goal was missed.
// breaks: deploy(10, 1700000100); alice: pledge{10}(); wait 100; owner: claim(); alice: refund()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Crowdfund {
    address payable immutable beneficiary;
    uint256 immutable goal;
    uint256 immutable deadline;
    mapping(address => uint256) pledged;
    uint256 raised;
    bool claimed;

    constructor(uint256 amount, uint256 end) {
        beneficiary = payable(msg.sender);
        goal = amount;
        deadline = end;
    }

    function pledge() external payable {
        require(block.timestamp < deadline);
        pledged[msg.sender] += msg.value;
        raised += msg.value;
    }

    function claim() external {
        require(block.timestamp >= deadline && raised >= goal && !claimed);
        claimed = true;
        beneficiary.transfer(raised); // reverts
    }

    function refund() external {
        require(block.timestamp >= deadline);
        assert(!claimed); // violated
        uint256 amount = pledged[msg.sender];
        pledged[msg.sender] = 0;
        raised -= amount;
        payable(msg.sender).transfer(amount); // reverts
    }
}
