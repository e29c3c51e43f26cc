// Reserved goods are part of the stock, so what is free can always be computed.
// needs: reserved <= stock
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Stock {
    uint256 stock;
    uint256 reserved;

    function supply(uint256 amount) external {
        require(amount <= 1000 && stock <= 1000000);
        stock += amount;
    }

    function reserve(uint256 amount) external {
        require(amount <= stock && reserved <= stock - amount);
        reserved += amount;
    }

    function sell(uint256 amount) external {
        require(amount <= stock && reserved <= stock - amount);
        stock -= amount;
    }

    function free() external view returns (uint256) {
        return stock - reserved;
    }
}
