// A page is free exactly if nobody refers to it.
// needs: for every page: used[page] exactly if references[page] > 0
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Pages {
    mapping(uint256 => uint256) references;
    mapping(uint256 => bool) used;

    function use(uint256 page) external {
        require(references[page] < 1000);
        references[page]++;
        used[page] = true;
    }

    function release(uint256 page) external {
        require(references[page] > 0);
        references[page]--;
        if (references[page] == 0) used[page] = false;
    }

    function audit(uint256 page) external view {
        assert(used[page] == (references[page] > 0));
    }
}
