// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: look()
contract Gas {
    uint256 sum;

    function spend(uint256 n) public {
        uint256 before = gasleft();
        assert(before > 0);
        for (uint256 i = 0; i < n; i++) {
            assert(gasleft() < before);
            sum ^= i;
        }
        uint256 spent = before - gasleft();
        assert(spent > 0);
    }

    function look() public view {
        assert(gasleft() <= sum); // violated
    }
}
