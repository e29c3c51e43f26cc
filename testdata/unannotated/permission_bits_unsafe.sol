// Permissions as bits: who may approve may not also pay.
// breaks: deploy; owner: allowApproval(alice); owner: allowPayment(alice); audit(alice)
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Permissions {
    bytes1 constant APPROVE = 0x01;
    bytes1 constant PAY = 0x02;
    address immutable owner = msg.sender;
    mapping(address => bytes1) bits;

    function allowApproval(address who) external {
        require(msg.sender == owner);
        require(bits[who] & PAY == 0);
        bits[who] = bits[who] | APPROVE;
    }

    function allowPayment(address who) external {
        require(msg.sender == owner);
        bits[who] = bits[who] | PAY;
    }

    function clear(address who) external {
        require(msg.sender == owner);
        bits[who] = 0;
    }

    function audit(address who) external view {
        assert(bits[who] != (APPROVE | PAY)); // violated
    }
}
