// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// breaks: keep([0, 9, 9])
contract Slice {
    uint256[] list;

    function keep(uint256[] calldata all) public {
        require(all.length == 3 && all[1] == 9 && all[2] == 9);
        uint256[] memory some = all[0:2];
        list = some;
        assembly { sstore(list.slot, 3) }
        assert(list[1] == 9);
        assert(list[2] == 9); // violated
    }
}
