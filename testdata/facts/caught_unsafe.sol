// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.10;

interface Oracle {
    function price() external payable returns (uint256);
}

// Nobody is there, but there is not enough ether to send either: that fails before, and is caught.
// breaks: ask()
contract Caught {
    Oracle oracle;

    function ask() public payable {
        uint256 failed;
        try oracle.price{value: 1 ether}() returns (uint256) { // reverts
            failed = 1;
        } catch {
            failed = 2;
        }
        assert(failed != 2); // violated
    }
}
