// Another contract is asked twice and need not answer the same.
// breaks: deploy(eve); alice: open(); alice: close() [-> 50 | -> 500]; audit()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Source {
    function price() external returns (uint256);
}

contract Bet {
    Source immutable source;
    bool opened;
    uint256 payout;

    constructor(Source from) {
        source = from;
    }

    function open() external {
        require(!opened);
        opened = true;
        payout = 0;
    }

    function close() external {
        require(opened);
        uint256 price = source.price();
        require(price <= 100);
        payout = source.price();
        opened = false;
    }

    function audit() external view {
        assert(payout <= 100); // violated
    }
}
