// Before 0.5: a constructor by name, and a name that is not the contract's.
// needs: owner == creator, and feeBy == owner once a fee is set
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.4.24;

contract OldOwned {
    address creator = msg.sender;
    address owner = msg.sender;
    address feeBy;
    uint256 fee;

    constructor() public {
        owner = msg.sender;
    }

    function setFee(uint256 amount) external {
        require(msg.sender == owner);
        fee = amount;
        feeBy = msg.sender;
    }

    function audit() external view {
        require(fee > 0);
        assert(feeBy == creator);
    }
}
