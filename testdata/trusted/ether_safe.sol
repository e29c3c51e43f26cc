// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Ether that goes to another contract is there.
contract Vault {
    function put() external payable {
        require(msg.value > 1);
    }

    function give(address payable to, uint256 n) external {
        (bool ok, ) = to.call{value: n}("");
        require(ok);
    }
}

contract User {
    function pay() external payable {
        require(msg.value == 5);
        Vault vault = new Vault();
        vault.put{value: 3}();
        assert(address(vault).balance >= 3);
    }
}
