// Money goes to the seller or back to the buyer, and only once.
// breaks: deploy(bob); owner: fund{2}(); bob: refund(); bob: refund()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Escrow {
    enum State { Open, Funded, Done }

    address payable immutable buyer;
    address payable immutable seller;
    State state;
    uint256 deposited;
    uint256 paid;

    constructor(address payable to) {
        buyer = payable(msg.sender);
        seller = to;
    }

    function fund() external payable {
        require(msg.sender == buyer && state == State.Open);
        deposited = msg.value;
        state = State.Funded;
    }

    function release() external {
        require(msg.sender == buyer && state == State.Funded);
        state = State.Done;
        pay(seller);
    }

    function refund() external {
        require(msg.sender == seller && state == State.Funded);
        pay(buyer);
    }

    function pay(address payable to) private {
        paid += deposited; // reverts
        assert(paid <= deposited); // violated
        to.transfer(deposited); // reverts
    }
}
