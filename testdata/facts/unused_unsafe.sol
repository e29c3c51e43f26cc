// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

abstract contract Unfinished {
    function step() public pure {
        assert(false); // violated
    }
}

// A function that only a variable leads to runs as well.
// breaks: step()
// breaks: grow(); prepare(); look()
contract Unused is Unfinished {
    uint256[] list;
    uint256 total;
    function() internal later;

    function drop() internal {
        list[0] = 1; // violated
        assert(total == 1); // violated
    }

    function grow() public {
        list.push();
    }

    function prepare() public {
        later = drop;
    }

    function look() public returns (uint256) {
        require(list.length < 2);
        later();
        return total;
    }
}
