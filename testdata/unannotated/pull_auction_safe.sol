// Losers of an auction fetch their money themselves.
// needs: best + sum(refunds) <= address(this).balance
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract PullAuction {
    address leader;
    uint256 best;
    mapping(address => uint256) refunds;

    function bid() external payable {
        require(msg.value > best);
        refunds[leader] += best;
        leader = msg.sender;
        best = msg.value;
    }

    function withdraw() external {
        uint256 amount = refunds[msg.sender];
        require(amount > 0);
        refunds[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
        assert(address(this).balance >= best);
    }
}
