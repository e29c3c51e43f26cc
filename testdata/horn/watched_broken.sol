// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

interface Other {
    function value() external view returns (uint256);
}

interface Looks {
    function look() external view;
}

contract Asks {
    constructor() {
        Looks(msg.sender).look();
    }
}

// The little gas of a transfer is enough to call a function that changes nothing.
contract Pays {
    uint256 x;

    function pay() public {
        x = 1;
        payable(msg.sender).transfer(0);
        x = 0;
    }

    function look() public view {
        assert(x == 0); // open
    }
}

// A function that changes something runs until it does so, also during a static call.
contract ChangesTooLate {
    uint256 x;
    uint256 y;

    function ask(Other other) public {
        x = 1;
        other.value();
        x = 0;
    }

    function change() public {
        assert(x == 0); // open
        y = 1;
        assert(x == 0);
    }
}

// A contract that is created can look before it is there.
contract Creates {
    uint256 x;

    function create() public {
        x = 1;
        new Asks();
        x = 0;
    }

    function look() public view {
        assert(x == 0); // open
    }
}
