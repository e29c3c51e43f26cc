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
    function start(address to) external {
        Passing other = new Passing();
        assert(address(other) != address(0));
        other.go(to);
    }
}

// Once its constructor has run, a contract has code.
contract Registered {
    uint256 public level;

    function set(uint256 to) external {
        level = to;
    }
}

contract Registry {
    function make() external {
        Registered made = new Registered();
        made.set(5);
        assert(made.level() == 5);
    }
}
