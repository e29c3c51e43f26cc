// The number of administrators, of whom the last one cannot resign.
// needs: sum(admin) == count
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Admins {
    mapping(address => uint256) admin;
    uint256 count;

    constructor() {
        admin[msg.sender] = 1;
        count = 1;
    }

    function add(address who) external {
        require(admin[msg.sender] == 1 && admin[who] == 0 && count < 1000);
        admin[who] = 1;
        count++;
    }

    function resign() external {
        require(admin[msg.sender] == 1);
        require(count > 1);
        admin[msg.sender] = 0;
        count--;
    }

    function audit(address one, address other) external view {
        require(one != other && admin[one] == 1 && admin[other] == 1);
        assert(count >= 2);
    }
}
