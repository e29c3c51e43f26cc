// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// Called by name, the function never fails; called as a value, it does.
contract Values {
    uint256 x;

    function small(uint256 n) internal pure {
        assert(n < 10); // open
    }

    function byName() public pure {
        small(1);
    }

    function asValue(uint256 n) public pure {
        function (uint256) internal pure f = small;
        f(n);
    }

    function look() public view {
        assert(x == 0); // open
    }

    function between() public {
        x = 1;
        function () internal view f = look;
        f();
        x = 0;
    }
}
