// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A public function is called as a value while the two variables differ.
contract Pointer {
    uint x;
    uint y;

    function look() public view {
        assert(x == y); // open
    }

    function both() public {
        require(x < 100);
        x += 1;
        function() internal view f = look;
        f();
        y = x;
    }
}
