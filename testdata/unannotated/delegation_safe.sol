// Votes can be delegated; whoever gives theirs away has none left.
// needs: cast + sum(own) == registered <= 1000; sum(power) == cast
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Delegation {
    mapping(address => bool) known;
    mapping(address => uint256) own;
    mapping(address => uint256) power;
    uint256 registered;
    uint256 cast;

    function register() external {
        require(!known[msg.sender] && registered < 1000);
        known[msg.sender] = true;
        own[msg.sender] = 1;
        registered++;
    }

    function delegate(address to) external {
        require(own[msg.sender] == 1);
        own[msg.sender] = 0;
        power[to] += 1;
        cast += 1;
    }

    function audit() external view {
        assert(cast <= registered);
    }
}
