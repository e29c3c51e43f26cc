// Two bases count each step, and both pass it on.
// breaks: deploy; step(); check()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Base {
    uint256 steps;

    function step() public virtual {
        require(steps < 1000);
        steps++;
    }
}

contract Left is Base {
    uint256 left;

    function step() public virtual override {
        left++; // reverts
    }
}

contract Right is Base {
    uint256 right;

    function step() public virtual override {
        super.step();
        right++; // reverts
    }
}

contract Both is Left, Right {
    function step() public override(Left, Right) {
        super.step();
    }

    function check() external view {
        assert(left == right);
        assert(steps == left); // violated
    }
}
