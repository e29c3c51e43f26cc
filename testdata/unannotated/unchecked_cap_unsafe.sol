// The cap of a token is tested with an addition that wraps.
// breaks: deploy; alice: mint(1); bob: mint(max); audit(bob)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract CappedToken {
    uint256 constant CAP = 1000;
    mapping(address => uint256) balances;
    uint256 supply;

    function mint(uint256 amount) external {
        unchecked {
            require(supply + amount <= CAP);
            supply += amount;
            balances[msg.sender] += amount;
        }
    }

    function audit(address who) external view {
        assert(balances[who] <= supply); // violated
    }
}
