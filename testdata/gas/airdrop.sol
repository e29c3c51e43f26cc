// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// Loops over arguments, over what is stored, and without a limit that could be seen.
contract Airdrop {
    address public owner = msg.sender;
    mapping(address => uint256) public paid;
    address[] public holders;
    uint256 total;

    receive() external payable {
        total += msg.value;
        holders.push(msg.sender);
    }

    function set(uint256 amount) external {
        total = amount;
    }

    function push(address[] calldata to, uint256 amount) external {
        for (uint256 i = 0; i < to.length; i++) paid[to[i]] += amount;
    }

    function payAll(uint256 amount) external {
        for (uint256 i = 0; i < holders.length; i++) {
            paid[holders[i]] += amount;
        }
    }

    function steps(uint256 n) external pure returns (uint256 count) {
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            count++;
        }
    }

    function ask(address other) external returns (bool ok) {
        (ok, ) = other.call("");
    }
}
