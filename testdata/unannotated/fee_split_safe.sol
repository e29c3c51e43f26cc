// A fee is split in two, and no unit of it gets lost.
// needs: net + treasury + partner == received <= 1001000
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Fees {
    uint256 received;
    uint256 net;
    uint256 treasury;
    uint256 partner;

    function pay(uint256 amount) external {
        require(amount >= 20 && amount <= 1000 && received <= 1000000);
        uint256 fee = amount / 10;
        uint256 half = fee / 2;
        received += amount;
        net += amount - fee;
        treasury += half;
        partner += fee - half;
    }

    function audit() external view {
        assert(net + treasury + partner == received);
    }
}
