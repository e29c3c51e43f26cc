// Before 0.8: a bonus is taken away from an account that has less.
// needs: for every a: points[a] <= 100
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.5.0;

contract OldPoints {
    address owner = msg.sender;
    mapping(address => bool) member;
    mapping(address => uint256) points;

    function join() external {
        require(!member[msg.sender]);
        member[msg.sender] = true;
        points[msg.sender] = 5;
    }

    function reward(address who) external {
        require(msg.sender == owner && member[who] && points[who] <= 90);
        points[who] += 10;
    }

    function fine(address who) external {
        require(msg.sender == owner && member[who]);
        require(points[who] >= 10);
        points[who] -= 10;
    }

    function audit(address who) external view {
        assert(points[who] <= 100);
    }
}
