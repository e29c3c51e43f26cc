// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: go()
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
        step = this.one;
        uint256 before = count;
        assert(step() == 2); // violated
        assert(count == before + 2); // violated
        assert(this.step() == step);
    }
}
