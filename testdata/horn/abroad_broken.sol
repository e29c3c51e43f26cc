// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Code of another contract that is followed is at an address that the run decides.
contract Passing {
    function go(address to) external {
        (bool ok, ) = to.call("");
        require(ok);
    }
}

contract Zero {
    function start(Passing other) external {
        assert(address(other) != address(0)); // open
        new Passing();
        other.go(msg.sender);
    }
}

// While its constructor runs, a contract has no code that anybody could call.
contract Registered {
    uint256 public level;

    constructor() {
        Registry(msg.sender).register(this);
    }

    function set(uint256 to) external {
        level = to;
    }
}

contract Registry {
    bool reached;

    function register(Registered who) external {
        (reached, ) = address(who).call(abi.encodeCall(Registered.set, (5)));
    }

    function make() external {
        reached = false;
        Registered made = new Registered();
        if (reached) {
            assert(made.level() == 5); // open
        }
    }
}
