// fails: World.codeStays World.hashStays World.loop World.refused World.created World.sentBack World.inherited
// fails: Book.ask
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Child {
    constructor() payable {}
}

contract Grateful {
    constructor() payable {
        payable(msg.sender).transfer(1);
    }
}

contract Heir {
    constructor() payable {
        selfdestruct(payable(msg.sender));
    }
}

/// Others deploy code, and ether comes back.
contract World {
    receive() external payable {}

    function codeStays(address x, address y) public returns (bool ok) {
        bytes32 before = keccak256(x.code);
        (ok, ) = y.call("");
        assert(keccak256(x.code) == before);
    }

    function hashStays(address x, address y) public returns (bool ok) {
        bytes32 before = x.codehash;
        (ok, ) = y.call("");
        assert(x.codehash == before);
    }

    function loop(address x, address y, uint256 n) public {
        uint256 size = x.code.length;
        for (uint256 i = 0; i < n; i++) {
            assert(x.code.length == size);
            (bool ok, ) = y.call("");
            require(ok);
        }
    }

    /// Nobody has that much: the call fails, and goes on here.
    function refused(address payable x) public {
        require(x.balance > 0 && x != address(this));
        bool ok = x.send(type(uint256).max);
        assert(ok);
    }

    function created(address x) public {
        uint256 size = x.code.length;
        require(address(new Child()) == x);
        assert(x.code.length == size);
    }

    function sentBack() public {
        uint256 before = address(this).balance;
        require(before > 10);
        new Grateful{value: 3}();
        assert(address(this).balance == before - 3);
    }

    function inherited() public {
        uint256 before = address(this).balance;
        require(before > 10);
        new Heir{value: 3}();
        assert(address(this).balance == before - 3);
    }
}

/// The contract that the library works for may let anybody change the page.
library Book {
    struct Page {
        uint256 number;
    }

    function ask(Page storage page, address other) public returns (bool ok) {
        uint256 before = page.number;
        (ok, ) = other.call("");
        assert(page.number == before);
    }
}
