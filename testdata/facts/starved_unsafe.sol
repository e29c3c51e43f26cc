// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.10;

// Whoever signs the transaction brings too little gas for the payment, and enough for what comes after it.
// breaks: settle(uint256)
contract Starved {
    mapping(uint256 => bool) public done;
    mapping(uint256 => uint256) public paid;

    function pay(uint256 order) public {
        require(msg.sender == address(this));
        paid[order] = 7;
    }

    function settle(uint256 order) public {
        require(order < 100 && !done[order]);
        bool isPaid;
        try this.pay(order) {
            isPaid = true;
        } catch {}
        assert(isPaid); // violated
        done[order] = true;
    }
}
