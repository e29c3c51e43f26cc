// fails: Multi.need Maker.make
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.28;

// What happens in the middle of things, and is easily forgotten.

// Run once more for the same call, a function finds that the ether of it is gone.
contract Multi {
    function all(bytes[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool ok, ) = address(this).delegatecall(calls[i]);
            require(ok);
        }
    }

    function refund() external payable {
        require(msg.sender != address(this));
        payable(msg.sender).transfer(msg.value);
    }

    function need() external payable {
        require(msg.sender != address(this));
        assert(address(this).balance >= msg.value);
    }
}

// A constructor pays somebody, and a little gas is enough to write to transient storage.
contract Paying {
    constructor(address payable to) {
        to.transfer(0);
    }
}

contract Maker {
    uint256 transient mark;

    function poke() external {
        mark = 1;
    }

    function make(address payable to) external {
        mark = 0;
        new Paying(to);
        assert(mark == 0);
    }
}
