// The price comes from another contract, and is divided by later.
// breaks: deploy(eve); eve answers 0; update(); convert(10)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Feed {
    function latest() external view returns (uint256);
}

contract Converter {
    Feed immutable feed;
    uint256 price = 1;

    constructor(Feed from) {
        feed = from;
    }

    function update() external {
        uint256 answer = feed.latest();
        require(answer < 1000000);
        price = answer;
    }

    function convert(uint256 amount) external view returns (uint256) {
        return amount / price; // violated
    }
}
