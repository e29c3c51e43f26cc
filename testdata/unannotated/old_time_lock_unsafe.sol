// Before 0.8: the time of a lock is extended until it wraps.
// breaks: deploy; alice: deposit{5}(); alice: extend(max - 1700000050); alice: withdraw()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.7.0;

contract OldTimeLock {
    mapping(address => uint256) balance;
    mapping(address => uint256) since;
    mapping(address => uint256) unlock;

    function deposit() external payable {
        require(balance[msg.sender] == 0 && msg.value > 0 && block.timestamp < 1e12);
        balance[msg.sender] = msg.value;
        since[msg.sender] = block.timestamp;
        unlock[msg.sender] = block.timestamp + 100;
    }

    function extend(uint256 time) external {
        unlock[msg.sender] += time;
    }

    function withdraw() external {
        uint256 amount = balance[msg.sender];
        require(amount > 0 && block.timestamp >= unlock[msg.sender]);
        assert(block.timestamp - since[msg.sender] >= 100); // violated
        balance[msg.sender] = 0;
        msg.sender.transfer(amount);
    }
}
