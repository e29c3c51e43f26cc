// undecided: Machine.raw Machine.twice Machine.nothing
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

/// What comes after code that is not modelled is not decided, even if it is never looked at.
contract Machine {
    uint256 x;

    function raw(uint256 slot, uint256 d) public {
        require(d > 0);
        x = 10 / d;
        assembly {
            pop(create(0, slot, 7))
        }
        assert(x == 10 / d);
    }

    function positive() internal view {
        assert(x > 0);
    }

    /// The helper's assertion holds the first time.
    function twice(uint256 slot) public {
        x = 1;
        positive();
        assembly {
            pop(create(0, slot, 0))
        }
        positive();
    }

    function nothing(uint256 slot) public {
        assembly {
            pop(create(0, slot, 0))
        }
    }

    function plain() public {
        x = 1;
        assert(x == 1);
    }
}
