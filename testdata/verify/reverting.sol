// undecided: Shop.sell Shop.at Shop.share
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// What reverts breaks no promise; whether the state that it takes can be reached is another question.
contract Shop {
    uint256 stock;
    uint256 sold;
    uint256[] prices;

    function sell(uint256 count) public {
        stock -= count;
        sold += count;
        assert(sold >= count);
    }

    function at(uint256 i) public view returns (uint256) {
        return prices[i];
    }

    function share() public view returns (uint256) {
        return stock / sold;
    }
}
