// Goods at a fixed price: cash and goods together are worth the same forever.
// breaks: deploy; alice: buy(50); alice: sell(10); audit()
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
        stock += count - count / 10;
    }

    function audit() external view {
        assert(cash + PRICE * stock == 300); // violated
    }
}
