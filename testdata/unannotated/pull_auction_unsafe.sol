// Losers of an auction fetch their money themselves.
// breaks: deploy; alice: bid{5}(); bob: bid{9}(); alice: withdraw(); alice: withdraw()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract PullAuction {
    address leader;
    uint256 best;
    mapping(address => uint256) refunds;

    function bid() external payable {
        require(msg.value > best);
        refunds[leader] += best; // reverts
        leader = msg.sender;
        best = msg.value;
    }

    function withdraw() external {
        uint256 amount = refunds[msg.sender];
        require(amount > 0);
        payable(msg.sender).transfer(amount); // reverts
        assert(address(this).balance >= best); // violated
    }
}
