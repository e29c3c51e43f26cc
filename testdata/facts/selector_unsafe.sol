// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: other(1)
contract Selector {
    bytes4 last;

    constructor() {
        assert(msg.sig == bytes4(0) && msg.data.length == 0);
    }

    function named() public {
        last = msg.sig;
        assert(msg.sig == this.named.selector); // violated
    }

    function other(uint256) external {
        named();
        assert(last == this.other.selector);
    }
}
