// An order that was shipped is not refunded.
// needs: shipped iff phase is Shipped; refunded iff phase is Cancelled
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Order {
    enum Phase { Created, Paid, Shipped, Cancelled }

    address immutable shop = msg.sender;
    Phase phase;
    address payable customer;
    bool shipped;
    bool refunded;

    function pay() external payable {
        require(phase == Phase.Created && msg.value > 0);
        customer = payable(msg.sender);
        phase = Phase.Paid;
    }

    function ship() external {
        require(msg.sender == shop && phase == Phase.Paid);
        phase = Phase.Shipped;
        shipped = true;
    }

    function cancel() external {
        require(msg.sender == shop);
        require(phase == Phase.Paid);
        phase = Phase.Cancelled;
        refunded = true;
        customer.transfer(address(this).balance);
    }

    function audit() external view {
        assert(!(shipped && refunded));
    }
}
