// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Child {
    constructor() payable {}
}

contract World {
    function codeStays(address x) public view {
        bytes32 before = keccak256(x.code);
        assert(keccak256(x.code) == before && x.codehash == x.codehash);
    }

    function looked(address x, address y) public view returns (bool ok) {
        bytes32 before = x.codehash;
        (ok, ) = y.staticcall("");
        assert(x.codehash == before);
    }

    function refused(address payable x) public {
        uint256 before = address(this).balance;
        require(before < 10 && x != address(this));
        bool ok = x.send(11);
        assert(!ok && address(this).balance == before);
    }

    function paid() public {
        uint256 before = address(this).balance;
        require(before > 10);
        new Child{value: 3}();
        assert(address(this).balance == before - 3);
    }
}

library Book {
    struct Page {
        uint256 number;
    }

    function ask(Page storage page, address other) public returns (bool ok) {
        (ok, ) = other.call("");
        page.number = 1;
        assert(page.number == 1);
    }
}
