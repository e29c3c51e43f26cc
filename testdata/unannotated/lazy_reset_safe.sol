// A quota per epoch that is reset when an account first acts in the epoch.
// needs: for every a: usedIn[a][lastEpoch[a]] <= used[a] <= 5 and lastEpoch[a] <= epoch
// needs: for every a and e > lastEpoch[a]: usedIn[a][e] == 0
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
            lastEpoch[msg.sender] = epoch;
        }
        require(units <= 5 && used[msg.sender] + units <= 5);
        used[msg.sender] += units;
        usedIn[msg.sender][epoch] += units;
    }

    function audit(address who) external view {
        assert(usedIn[who][epoch] <= 5); // undecided
    }
}
