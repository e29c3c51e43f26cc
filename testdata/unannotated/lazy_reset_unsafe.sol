// A quota per epoch that is reset when an account first acts in the epoch.
// breaks: deploy; alice: use(3); alice: use(3); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Quota {
    address immutable owner = msg.sender;
    uint256 epoch = 1;
    mapping(address => uint256) lastEpoch;
    mapping(address => uint256) used;
    mapping(address => mapping(uint256 => uint256)) usedIn;

    function next() external {
        require(msg.sender == owner && epoch < 1000000);
        epoch++;
    }

    function use(uint256 units) external {
        if (lastEpoch[msg.sender] != epoch) {
            used[msg.sender] = 0;
        }
        require(units <= 5 && used[msg.sender] + units <= 5);
        used[msg.sender] += units;
        usedIn[msg.sender][epoch] += units; // reverts
    }

    function audit(address who) external view {
        assert(usedIn[who][epoch] <= 5); // violated
    }
}
