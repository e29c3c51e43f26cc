// Goods at a fixed price: cash and goods together are worth the same forever.
// needs: cash + 3 * stock == 300
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Shop {
    uint256 constant PRICE = 3;
    uint256 stock = 100;
    uint256 cash;

    function buy(uint256 count) external {
        require(count <= stock);
        stock -= count;
        cash += PRICE * count;
    }

    function sell(uint256 count) external {
        require(count <= 1000 && PRICE * count <= cash);
        cash -= PRICE * count;
        stock += count;
    }

    function audit() external view {
        assert(cash + PRICE * stock == 300);
    }
}
