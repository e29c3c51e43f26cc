// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: call data begins with the selector of what is called
contract Selector {
    bytes4 last;

    constructor() {
        assert(msg.sig == bytes4(0) && msg.data.length == 0);
    }

    function named() public {
        last = msg.sig;
        assert(msg.sig == this.named.selector);
    }

    function other(uint256) external {
        last = msg.sig;
        assert(last == this.other.selector);
    }
}
