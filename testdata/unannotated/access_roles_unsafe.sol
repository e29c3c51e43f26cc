// Only the boss makes administrators.
// breaks: deploy; owner: hire(alice); alice: promote(bob); bob: shutDown()
// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity ^0.8.0;

contract Roles {
    enum Role { None, Worker, Admin }

    address immutable boss = msg.sender;
    mapping(address => Role) role;
    mapping(address => address) promotedBy;
    bool public stopped;

    constructor() {
        role[msg.sender] = Role.Admin;
    }

    function hire(address who) external {
        require(role[msg.sender] == Role.Admin);
        role[who] = Role.Worker;
    }

    function promote(address who) external {
        require(role[msg.sender] != Role.None);
        role[who] = Role.Admin;
        promotedBy[who] = msg.sender;
    }

    function shutDown() external {
        require(role[msg.sender] == Role.Admin);
        assert(msg.sender == boss || promotedBy[msg.sender] == boss); // violated
        stopped = true;
    }
}
