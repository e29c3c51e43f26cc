// An auction that takes a fee from each offer and pays the former leader back.
// breaks: deploy; alice: offer{1}(); bob: offer{3}()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

contract Auction {
    uint256 constant FEE = 5;
    uint256 public highest;
    uint256 public held;
    address payable public leader;

    function offer() external payable {
        uint256 amount = msg.value - FEE;
        require(amount > highest);
        address payable former = leader;
        uint256 refund = highest;
        highest = amount;
        leader = msg.sender;
        held += msg.value;
        if (former != address(0)) {
            assert(refund <= held); // violated
            held -= refund;
            former.transfer(refund); // reverts
        }
    }
}
