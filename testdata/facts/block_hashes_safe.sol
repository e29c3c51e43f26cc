// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

// needs: only the last 256 blocks have hashes
contract BlockHashes {
    function own() public view {
        assert(blockhash(block.number) == 0);
        assert(blockhash(block.number + 1) == 0);
    }

    function old(uint256 n) public view {
        require(n < block.number && block.number - n > 256);
        assert(blockhash(n) == 0);
    }

    function recent() public view {
        require(block.number > 0);
        assert(blockhash(block.number - 1) != 0);
    }
}
