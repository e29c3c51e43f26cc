// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Ether that went to another contract is there until somebody takes it.
contract Vault {
    function put() external payable {
        require(msg.value > 1);
    }

    function give(address payable to, uint256 n) external {
        to.transfer(n); // reverts
    }
}

contract User {
    Vault private vault;

    function pay() external payable {
        require(msg.value == 5 && address(vault) == address(0));
        vault = new Vault();
        vault.put{value: 3}();
    }

    function look() external view {
        require(address(vault) != address(0));
        assert(address(vault).balance >= 3); // violated
    }
}
