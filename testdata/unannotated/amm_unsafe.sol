// A pool whose product must not shrink, so amounts paid out are rounded down.
// breaks: deploy; owner: open(10, 10); alice: swap(1, true); audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Amm {
    uint256 constant MOST = 1000000;
    address immutable owner = msg.sender;
    uint256 x;
    uint256 y;
    uint256 k;

    function open(uint256 a, uint256 b) external {
        require(msg.sender == owner && k == 0);
        require(a > 0 && b > 0 && a <= MOST && b <= MOST);
        x = a;
        y = b;
        k = a * b;
    }

    function swap(uint256 amount, bool sellX) external returns (uint256 out) {
        require(k > 0 && amount <= 1000);
        (uint256 from, uint256 to) = sellX ? (x, y) : (y, x);
        uint256 grown = from + amount;
        require(grown <= MOST);
        out = (to * amount + grown - 1) / grown; // reverts
        (x, y) = sellX ? (grown, to - out) : (to - out, grown);
    }

    function audit() external view {
        assert(x * y >= k); // violated
    }
}
