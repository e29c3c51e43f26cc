// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Plain {
    enum Phase { Idle, Busy, Done }

    uint256[] list;
    uint256 total;

    function assertions(uint256 x) public pure {
        assert(x / 2 <= x);
        assert(x / 2 < x);
    }

    function arithmetic(uint256 x) public {
        require(x < 5);
        total = x - 1;
    }

    function divided(uint256 by) public view returns (uint256) {
        return total / by;
    }

    function at(uint256 i) public view returns (uint256) {
        return list[i];
    }

    function drop() public {
        list.pop();
    }

    function phase(uint256 n) public pure returns (Phase) {
        require(n <= 2);
        return Phase(n);
    }

    function pay(address payable to) public payable {
        to.transfer(1);
    }
}
