// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

// breaks: keep()
contract Shortened {
    uint256[] list;

    function keep() public {
        uint256[] memory all = new uint256[](3);
        all[1] = 9;
        all[2] = 9;
        assembly { mstore(all, 2) }
        list = all;
        list.length = 3;
        assert(list[1] == 9);
        assert(list[2] == 9); // violated
    }
}
