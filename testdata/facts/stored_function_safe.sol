// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: a function that is stored is the same one when it is called
contract StoredFunction {
    function() external returns (uint256) public step;
    uint256 count;

    function one() public returns (uint256) {
        unchecked { count += 1; }
        return 1;
    }

    function two() public returns (uint256) {
        unchecked { count += 2; }
        return 2;
    }

    function go() public {
        require(count < 1000);
        step = this.two;
        uint256 before = count;
        assert(step() == 2);
        assert(count == before + 2);
        assert(this.step() == step);
    }
}
