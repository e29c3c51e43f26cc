// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.10;

interface Oracle {
    function price() external payable returns (uint256);
}

// needs: an answer is either good or bad
contract Caught {
    Oracle oracle;

    function ask() public payable {
        uint256 failed;
        try oracle.price{value: 1 ether}() returns (uint256) { // reverts
            failed = 1;
        } catch {
            failed = 2;
        }
        assert(failed == 1 || failed == 2);
    }
}
